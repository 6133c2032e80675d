//! Trees of bodies against Lagrangians written by hand.

use carom_expr::{Graph, Id};
use carom_model::System;
use carom_model::tree::{Anchor, Joint, Tree, TreeError};

const Y: [f64; 3] = [0.0, 1.0, 0.0];

/// Numbers that are always the same, from -1 to 1.
fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|k| (1.0 + 7.3 * k as f64).sin()).collect()
}

/// `L` at coordinates and rates.
fn lagrangian(system: &System, q: &[f64], v: &[f64]) -> f64 {
    let state = system.q().iter().chain(system.v()).copied().zip(q.iter().chain(v).copied());
    let parameters = system.parameters().iter();
    let known = parameters.filter_map(|p| system.graph().find_variable(&p.name).map(|id| (id, p.value)));
    let at: Vec<(Id, f64)> = state.chain(known).collect();
    system.graph().evaluate(&[system.lagrangian()], &at)[0]
}

/// A chain of unit rods in the plane of x and z, hanging down, by angles between neighbours.
fn chain(links: usize) -> System {
    let mut tree = Tree::new("chain", [0.0, 0.0, -9.8]);
    let [zero, minus, half, inertia] = [0.0, -1.0, -0.5, 1.0 / 12.0].map(|value| tree.number(value));
    let one = tree.parameter("m", 1.0);
    let mut last = tree.world();
    for k in 0..links {
        let at = if k == 0 { [zero; 3] } else { [zero, zero, minus] };
        let joint = Joint::Revolute { angle: format!("th{k}"), axis: Y };
        last = tree.attach(&format!("link {k}"), last, at, &joint).expect("a link");
        tree.load(last, one, [zero, zero, half], [inertia, inertia, zero]);
    }
    tree.build().expect("a system")
}

#[test]
fn a_chain_is_the_chain_of_textbooks() {
    for links in [1, 2, 5] {
        let system = chain(links);
        let n = links as f64;
        let (relative, rates) = (numbers(links), numbers(2 * links)[links..].to_vec());
        let sums = |all: &[f64]| (1..=links).map(|k| all[..k].iter().sum()).collect::<Vec<f64>>();
        let (angles, speeds) = (sums(&relative), sums(&rates));
        let mut expected = 0.0;
        for i in 0..links {
            expected += 9.8 * (n - i as f64 - 0.5) * angles[i].cos();
            expected += 0.5 * (n - i as f64 - 1.0 + 1.0 / 3.0) * speeds[i] * speeds[i];
            for j in 0..i {
                expected += (n - i as f64 - 0.5) * (angles[i] - angles[j]).cos() * speeds[i] * speeds[j];
            }
        }
        let found = lagrangian(&system, &relative, &rates);
        assert!((found - expected).abs() < 1e-12 * expected.abs(), "{links} links: {found} {expected}");
    }
}

#[test]
fn expressions_of_chains_grow_with_their_length() {
    let size = |links: usize| {
        let system = chain(links);
        system.graph().operation_count(&[system.lagrangian()]) as f64
    };
    assert!(size(32) < 2.2 * size(16), "{} {}", size(32), size(16));
}

#[test]
fn a_floating_body_has_the_energy_of_euler() {
    let mut tree = Tree::new("body", [0.0, 0.0, -9.8]);
    let [x, z] = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let joint = Joint::Floating {
        places: ["x", "y", "z"].map(str::to_owned),
        angles: ["phi", "theta", "psi"].map(str::to_owned),
        axes: [z, x, z],
    };
    let (world, zero) = (tree.world(), tree.number(0.0));
    let body = tree.attach("body", world, [zero; 3], &joint).expect("a body");
    let [mass, a, b, c] = [2.0, 0.3, 0.5, 0.7].map(|value| tree.number(value));
    tree.load(body, mass, [zero; 3], [a, b, c]);
    let system = tree.build().expect("a system");
    let (q, v) = (numbers(6), numbers(12)[6..].to_vec());
    let (theta, psi) = (q[4], q[5]);
    let spin = [
        v[3] * theta.sin() * psi.sin() + v[4] * psi.cos(),
        v[3] * theta.sin() * psi.cos() - v[4] * psi.sin(),
        v[3] * theta.cos() + v[5],
    ];
    let rotation = 0.5 * (0.3 * spin[0] * spin[0] + 0.5 * spin[1] * spin[1] + 0.7 * spin[2] * spin[2]);
    let expected = v[..3].iter().map(|v| v * v).sum::<f64>() - 2.0 * 9.8 * q[2] + rotation;
    let found = lagrangian(&system, &q, &v);
    assert!((found - expected).abs() < 1e-13, "{found} {expected}");
}

#[test]
fn places_move_as_velocities_say() {
    // |d/dt place|^2 of a point at the end of a universal joint on a slide, against the velocity of a mass there.
    let mut tree = Tree::new("arm", [0.0; 3]);
    let [zero, one, length] = [0.0, 1.0, 0.8].map(|value| tree.number(value));
    let world = tree.world();
    let slide = Joint::Prismatic { place: "s".to_owned(), axis: [3.0, 4.0, 0.0] };
    let cart = tree.attach("cart", world, [one, zero, zero], &slide).expect("a cart");
    let axes = [[0.0, 0.0, 1.0], [1.0, 1.0, 0.0]];
    let joint = Joint::Universal { angles: ["a", "b"].map(str::to_owned), axes };
    let arm = tree.attach("arm", cart, [zero, zero, one], &joint).expect("an arm");
    let tip = [length, zero, one];
    tree.load(arm, one, tip, [zero; 3]);
    let place = tree.place(arm, tip);
    let graph: &mut Graph = tree.graph();
    let pairs: Vec<(Id, Id)> =
        ["s", "a", "b"].map(|name| (graph.variable(name), graph.variable(&format!("{name}'")))).to_vec();
    let rates = graph.directional(&place, &pairs);
    let square = graph.dot(&rates, &rates);
    let (q, v) = (numbers(3), numbers(6)[3..].to_vec());
    let at: Vec<(Id, f64)> =
        pairs.iter().zip(q.iter().zip(&v)).flat_map(|(p, (q, v))| [(p.0, *q), (p.1, *v)]).collect();
    let speed = graph.evaluate(&[square], &at)[0];
    let system = tree.build().expect("a system");
    assert!((lagrangian(&system, &q, &v) - 0.5 * speed).abs() < 1e-13);
}

#[test]
fn mistakes_are_named() {
    let mut tree = Tree::new("tree", [0.0; 3]);
    let (world, zero) = (tree.world(), tree.number(0.0));
    tree.attach("a", world, [zero; 3], &Joint::Fixed).expect("a body");
    let error = tree.attach("a", world, [zero; 3], &Joint::Fixed).expect_err("two of them");
    assert!(matches!(error, TreeError::DuplicateBody { .. }));
    let joint = Joint::Revolute { angle: "x".to_owned(), axis: [0.0; 3] };
    let error = tree.attach("b", world, [zero; 3], &joint).expect_err("no axis");
    assert!(matches!(error, TreeError::Axis { .. }));
}

/// The bar of a tree in Rust that turns about y, with its end and the origin.
fn bar() -> (Tree, [Anchor; 2]) {
    let mut tree = Tree::new("bar", [0.0, 0.0, -9.8]);
    let [zero, one, two] = [0.0, 1.0, 2.0].map(|value| tree.number(value));
    let world = tree.world();
    let slide = Joint::Prismatic { place: "s".to_owned(), axis: [1.0, 0.0, 0.0] };
    let cart = tree.attach("cart", world, [zero; 3], &slide).expect("a cart");
    let joint = Joint::Revolute { angle: "a".to_owned(), axis: Y };
    // Turned half a turn about x, so that the axis points the other way.
    let turn = [std::f64::consts::PI, 0.0, 0.0];
    let bar = tree.attach_turned("bar", cart, [zero; 3], turn, &joint).expect("a bar");
    tree.load_tensor(bar, one, [two, zero, zero], [one, one, one, zero, zero, zero]);
    (tree, [Anchor::new(bar, [two, zero, zero]), Anchor::new(world, [zero; 3])])
}

#[test]
fn loops_springs_and_contacts_in_rust() {
    let (mut tree, ends) = bar();
    let [three, half] = [3.0, 0.5].map(|value| tree.number(value));
    tree.spring_between(ends, three, half);
    tree.damper_between(ends, half);
    tree.loop_distance("rope", ends, three).expect("a distance that changes");
    let contact = tree.plane_contact("floor", ends[0], [0.0, 0.0, 2.0], -5.0, "elastic").expect("a contact");
    assert_eq!(contact.tangents.len(), 1);
    tree.contact(contact);
    let system = tree.build().expect("a system");
    let (s, a) = (0.3_f64, 0.7_f64);
    let at: Vec<(Id, f64)> = system.q().iter().copied().zip([s, a]).collect();
    let place = [s + 2.0 * a.cos(), 2.0 * a.sin()];
    let length = place[0].hypot(place[1]);
    let found = system.graph().evaluate(&[system.constraints()[0].id, system.contacts()[0].gap], &at);
    assert!((found[0] - (length * length - 9.0) / 6.0).abs() < 1e-13, "{found:?}");
    assert!((found[1] - place[1] - 5.0).abs() < 1e-13, "{found:?}");
    let resting = lagrangian(&system, &[s, a], &[0.0; 2]);
    assert!((resting + 9.8 * place[1] + 1.5 * (length - 0.5).powi(2)).abs() < 1e-12, "{resting}");
}

#[test]
fn loops_that_always_hold_are_refused() {
    let (mut tree, ends) = bar();
    let error = tree.loop_closure("pin", [ends[0], ends[0]]).expect_err("it is the same point");
    assert!(matches!(error, TreeError::ConstantLoop { .. }));
    let error = tree.plane_contact("floor", ends[0], [0.0; 3], 0.0, "elastic").expect_err("no normal");
    assert!(matches!(error, TreeError::Normal { .. }));
    tree.loop_closure("pin", ends).expect("a loop");
    // Two constraints on two coordinates: none of them along y.
    assert!(tree.build().expect_err("nothing moves").to_string().contains("2 constraints on 2 coordinates"));
}
