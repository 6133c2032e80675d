//! Frames of random systems: duals, structure functions, and Hamel's equations against those of Euler and Lagrange.

use crate::random_nonholonomic;
use crate::random_systems;

use carom::Backend;
use carom::expr::{Graph, Id};
use carom::model::{Acceleration, EquationsOfMotion, Frame, pivots};
use random_nonholonomic::dense::{difference, dot, largest, orthonormal, solve, times, worsen};
use random_nonholonomic::hamel::{along, hamel, values};
use random_nonholonomic::laws::LawKind;
use random_nonholonomic::{Case, Forcing, Kind, Told, admissible, random_case};
use random_systems::Noise;

/// Sums of a few dozen products of numbers of size one to ten.
const ROUNDING: f64 = 1e-13;

fn free(n: usize, forcing: Forcing) -> Kind {
    Kind { n, forms: 0, is_held: false, forcing, told: Told::Fields, contacts: 0, law: LawKind::Elastic }
}

/// Complete frames: of all velocities, and of distributions with a complement.
fn complete_cases() -> impl Iterator<Item = Case> {
    (1..=60).map(|seed: u64| {
        let (n, forcing) = (2 + (seed % 4) as usize, [Forcing::Nothing, Forcing::Driven][(seed % 2) as usize]);
        let forms = if seed.is_multiple_of(3) { 1 } else { 0 };
        let told = if forms > 0 { Told::FieldsAndComplement } else { Told::Fields };
        random_case(seed, Kind { forms, told, ..free(n, forcing) })
    })
}

#[test]
fn dual_forms_and_structure_functions() {
    let mut worst = [0.0_f64; 5];
    for case in complete_cases() {
        let dynamics = case.system.dynamics();
        let (n, q, frame) = (case.kind.n, &dynamics.q, dynamics.frame.clone().expect("a frame"));
        let mut graph = dynamics.graph.clone();
        let (dual, determinant) = frame.dual(&mut graph).expect("a complete frame");
        let c = frame.structure(&mut graph, q).expect("a complete frame");
        let psi = frame.matrix();
        let field = |i: usize| frame.fields[i].components.clone();
        let pairs: Vec<(usize, usize)> = (0..n * n).map(|k| (k / n, k % n)).collect();
        // [u_i, u_j] as it acts on functions: here the coordinates.
        let mut second = |i: usize, j: usize| graph.directional(&field(j), &along(q, &field(i)));
        let brackets: Vec<Id> = pairs.iter().flat_map(|&(i, j)| [second(i, j), second(j, i)].concat()).collect();
        let slopes: Vec<Id> = (0..n).flat_map(|k| graph.directional(&c, &along(q, &field(k)))).collect();
        let roots = [&psi[..], &dual, &[determinant], &c, &brackets, &slopes].concat();
        let found = graph.evaluate(&roots, &values(&dynamics, &case.q, &case.v, 0.3));
        let (psi, rest) = found.split_at(n * n);
        let (dual, rest) = rest.split_at(n * n);
        let (determinant, rest) = rest.split_at(1);
        let (c, rest) = rest.split_at(n * n * n);
        let (brackets, slopes) = rest.split_at(2 * n * n * n);
        assert!(determinant[0].abs() > 1e-3, "{}: {determinant:?}", case.name);
        for &(m, i) in &pairs {
            let one = f64::from(u8::from(m == i));
            let value = dot(&dual[m * n..(m + 1) * n], &psi[i * n..(i + 1) * n]);
            worsen(&mut worst[0], (value - one).abs());
        }
        let c = |i: usize, j: usize, m: usize| c[(i * n + j) * n + m];
        for (place, &(i, j)) in pairs.iter().enumerate() {
            let (forward, backward) = brackets[2 * place * n..2 * (place + 1) * n].split_at(n);
            let bracket: Vec<f64> = forward.iter().zip(backward).map(|(a, b)| a - b).collect();
            let sum: Vec<f64> = (0..n).map(|k| (0..n).map(|m| c(i, j, m) * psi[m * n + k]).sum()).collect();
            worsen(&mut worst[1], difference(&bracket, &sum) / largest(bracket.iter().copied()).max(1.0));
            worsen(&mut worst[2], largest((0..n).map(|m| c(i, j, m) + c(j, i, m))));
        }
        // [[u_i, u_j], u_k] = (c_ij^l c_lk^m - u_k[c_ij^m]) u_m, and the sum over cyclic i, j, k vanishes.
        let slope = |k: usize, i: usize, j: usize, m: usize| slopes[k * n * n * n + (i * n + j) * n + m];
        let term = |i: usize, j: usize, k: usize, m: usize| -> [f64; 2] {
            [(0..n).map(|l| c(i, j, l) * c(l, k, m)).sum(), -slope(k, i, j, m)]
        };
        for place in 0..n * n * n * n {
            let (i, j, k, m) = (place / n / n / n, place / n / n % n, place / n % n, place % n);
            let terms = [term(i, j, k, m), term(j, k, i, m), term(k, i, j, m)].concat();
            worsen(&mut worst[3], terms.iter().sum::<f64>().abs() / largest(terms).max(1.0));
        }
        worsen(&mut worst[4], largest((0..n * n * n).map(|p| c(p / n / n, p / n % n, p % n))));
    }
    eprintln!("dual, bracket, antisymmetry, Jacobi: {:?}; largest c {:.2}", &worst[..4], worst[4]);
    assert!(worst[..4].iter().all(|w| *w < ROUNDING) && worst[4] > 0.5, "{worst:?}");
}

/// Euler angles `psi, theta, phi` (3-1-3), the body frame: `[u_i, u_j] = epsilon_ijk u_k`, and Euler's equations.
#[test]
fn rigid_body_in_euler_angles() {
    let text = "[coordinates]\npsi = 0.3\ntheta = 1.1\nphi = -0.4\n
        [definitions]\na = \"psi'*sin(theta)*sin(phi) + theta'*cos(phi)\"
        b = \"psi'*sin(theta)*cos(phi) - theta'*sin(phi)\"\nc = \"psi'*cos(theta) + phi'\"\n
        [energy]\nkinetic = \"0.5*(1.0*a^2 + 2.0*b^2 + 3.5*c^2)\"
        [frame]
        w1 = { field = { psi = \"sin(phi)/sin(theta)\", theta = \"cos(phi)\", phi = \"-sin(phi)*cos(theta)/sin(theta)\" } }
        w2 = { field = { psi = \"cos(phi)/sin(theta)\", theta = \"-sin(phi)\", phi = \"-cos(phi)*cos(theta)/sin(theta)\" } }
        w3 = { field = { phi = 1 } }\n";
    let model = carom::Model::from_text(text, "body.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let (dynamics, inertia) = (model.system.dynamics(), [1.0, 2.0, 3.5]);
    let frame = dynamics.frame.clone().expect("a frame");
    let mut noise = Noise::new(5);
    for _ in 0..50 {
        let mut graph = dynamics.graph.clone();
        let q = [noise.between(-3.0, 3.0), noise.between(0.3, 2.8), noise.between(-3.0, 3.0)];
        let c = frame.structure(&mut graph, &dynamics.q).expect("a complete frame");
        let c = graph.evaluate(&c, &values(&dynamics, &q, &[0.0; 3], 0.0));
        let sign = c[5];
        assert!((sign.abs() - 1.0).abs() < 1e-13, "{c:?}");
        for (place, value) in c.iter().enumerate() {
            let (i, j, k) = (place / 9, place / 3 % 3, place % 3);
            let epsilon = [0.0, 1.0, -1.0][(3 + j - i) % 3] * f64::from(u8::from(i != j && k != i && k != j));
            assert!((value - sign * epsilon).abs() < 1e-13, "c_{i}{j}^{k} = {value}");
        }
        let w = noise.vector(3);
        let rate = hamel(&graph, &dynamics, &frame, (&q, &w, 0.0)).rate;
        for i in 0..3 {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            let euler = (inertia[j] - inertia[k]) * w[j] * w[k] / inertia[i];
            assert!((rate[i] - euler).abs() < 1e-13, "{rate:?}: {euler}");
        }
    }
}

/// `v' = w'^i u_i + w^i Du_i v` is the acceleration of Lagrange's equations with multipliers.
#[test]
fn hamels_equations_are_those_of_lagrange() {
    let (mut worst, mut cases) = (0.0_f64, 0);
    for seed in 1..=160 {
        let kind = if seed % 4 == 0 {
            free(2 + (seed / 4 % 4) as usize, Forcing::Driven)
        } else {
            Kind::of_seed(seed, LawKind::Elastic, 0)
        };
        let case = random_case(seed, kind);
        let dynamics = case.system.dynamics();
        let mut accelerations = Acceleration::new(&dynamics, Backend::Interpreter).expect("compiles");
        let mut graph = dynamics.graph.clone();
        let forms = dynamics.one_forms(&mut graph);
        let numbers = graph.evaluate(&forms, &values(&dynamics, &case.q, &case.v, 0.0));
        let adapted = (!forms.is_empty()).then(|| {
            let columns = pivots(&numbers, kind.n).expect("independent forms");
            Frame::adapted(&mut graph, &forms, kind.n, &columns)
        });
        for frame in adapted.iter().chain(&dynamics.frame) {
            let v = admissible(&case.system, &case.q, &case.v);
            // Components of v by least squares.
            let fields = graph.evaluate(&frame.matrix(), &values(&dynamics, &case.q, &v, 0.7));
            let fields = &fields[..frame.rank * kind.n];
            let gram: Vec<f64> = fields.chunks_exact(kind.n).flat_map(|u| times(fields, u)).collect();
            let w = solve(&gram, &times(fields, &v));
            let found = hamel(&graph, &dynamics, frame, (&case.q, &w, 0.7));
            let wanted = accelerations.at(&case.q, &v, 0.7).expect("regular")[..kind.n].to_vec();
            let size = largest(wanted.iter().copied()).max(1.0);
            let error = difference(&found.acceleration, &wanted).max(difference(&found.velocity, &v)) / size;
            assert!(error < ROUNDING, "{}: {error:e}", case.name);
            worsen(&mut worst, error);
            cases += 1;
        }
    }
    eprintln!("Hamel against Lagrange: {worst:.1e} in {cases} frames");
}

/// (5) as printed, `d/dt dl/dw^j = c_ij^m w^i dl/dw^m + u_j[l] + F(u_j)`, with the structure functions of a
/// complete frame: the bracket form has the same right-hand side.
#[test]
fn equation_5_with_structure_functions() {
    let mut worst = 0.0_f64;
    for case in complete_cases() {
        let dynamics = case.system.dynamics();
        let (n, q, frame) = (case.kind.n, &dynamics.q, dynamics.frame.clone().expect("a frame"));
        let mut graph = dynamics.graph.clone();
        let equations = EquationsOfMotion::in_frame(&mut graph, &dynamics, &frame);
        // l(q, w) with all quasivelocities of the frame; those across the distribution are zero in the end.
        let more = graph.variables("more", n - frame.rank);
        let all = [&equations.speeds[..], &more].concat();
        let whole = Frame { rank: n, ..frame.clone() };
        let velocity = whole.velocity(&mut graph, &all);
        let l = graph.substitute(&[dynamics.lagrangian], &along(&dynamics.v, &velocity))[0];
        let forces = graph.substitute(&dynamics.forces, &along(&dynamics.v, &velocity));
        let (by_w, by_q) = (graph.gradient(l, &all), graph.gradient(l, q));
        let c = frame.structure(&mut graph, q).expect("a complete frame");
        let one = graph.constant(1.0);
        let way = [along(q, &velocity), vec![(dynamics.time, one)]].concat();
        let inertia = graph.directional(&by_w, &way);
        let roots = [by_w, by_q, forces, inertia, c, frame.matrix(), equations.bias.clone()].concat();
        let mut state = values(&dynamics, &case.q, &vec![f64::NAN; n], 0.4);
        let w: Vec<f64> = Noise::new(3).vector(frame.rank);
        state.extend(equations.speeds.iter().copied().zip(w.iter().copied()));
        state.extend(more.iter().map(|&id| (id, 0.0)));
        let found = graph.evaluate(&roots, &state);
        let part = |from: usize, j: usize| &found[from * n + j * n..from * n + (j + 1) * n];
        let (by_w, by_q, forces, inertia) = (part(0, 0), part(1, 0), part(2, 0), part(3, 0));
        let c = |i: usize, j: usize, m: usize| part(4, i * n + j)[m];
        let field = |j: usize| part(4 + n * n, j);
        for j in 0..frame.rank {
            let push: Vec<f64> = by_q.iter().zip(forces).map(|(a, b)| a + b).collect();
            let pairs = (0..frame.rank).flat_map(|i| (0..n).map(move |m| (i, m)));
            let twist: f64 = pairs.map(|(i, m)| c(i, j, m) * w[i] * by_w[m]).sum();
            let wanted = twist + dot(field(j), &push) - inertia[j];
            let bias = found[found.len() - frame.rank + j];
            worsen(&mut worst, (bias - wanted).abs() / wanted.abs().max(1.0));
        }
    }
    eprintln!("(5) against brackets: {worst:.1e}");
    assert!(worst < ROUNDING, "{worst:e}");
}

/// One-forms of the builder annihilate the fields, adapted fields annihilate the forms; both have full rank.
#[test]
fn forms_and_fields_annihilate_each_other() {
    let mut worst = 0.0_f64;
    for seed in 1..=200 {
        let case = random_case(seed, Kind::of_seed(seed, LawKind::Elastic, 0));
        let (n, dynamics) = (case.kind.n, case.system.dynamics());
        let mut graph = dynamics.graph.clone();
        let forms = dynamics.one_forms(&mut graph);
        assert_eq!(forms.len(), case.kind.forms * n, "{}", case.name);
        let mut noise = Noise::new(seed);
        for _ in 0..5 {
            let state = values(&dynamics, &noise.vector(n), &case.v, 0.0);
            let numbers = graph.evaluate(&forms, &state);
            let columns = pivots(&numbers, n).expect("independent forms");
            let adapted = Frame::adapted(&mut graph, &forms, n, &columns);
            for frame in [&adapted].into_iter().chain(&dynamics.frame) {
                let fields = graph.evaluate(&frame.matrix(), &state);
                let rank = orthonormal(&fields, n).len();
                assert_eq!((rank, frame.rank), (frame.fields.len(), n - case.kind.forms), "{}", case.name);
                for (form, u) in
                    numbers.chunks_exact(n).flat_map(|f| fields.chunks_exact(n).take(frame.rank).map(move |u| (f, u)))
                {
                    let size = largest(form.iter().copied()) * largest(u.iter().copied());
                    worsen(&mut worst, dot(form, u).abs() / size);
                }
            }
        }
    }
    eprintln!("omega(u): {worst:.1e}");
    assert!(worst < 1e-13, "{worst:e}");
}

fn refuses(scope_of: impl Fn(&mut Graph) -> Vec<Vec<Id>>) -> String {
    let mut graph = Graph::new();
    let fields = scope_of(&mut graph);
    let rate = graph.variable("x'");
    let square = graph.mul(rate, rate);
    let builder = ["x", "y", "z"].iter().fold(carom::SystemBuilder::new("s"), |b, name| b.coordinate(name));
    let named = fields.into_iter().enumerate();
    let builder = named.fold(builder.lagrangian(square), |b, (i, field)| b.field(&format!("u{i}"), field));
    builder.build(graph).expect_err("refused").to_string()
}

#[test]
fn degenerate_frames_are_reported() {
    let parallel = refuses(|graph| {
        let (x, one, two) = (graph.variable("x"), graph.constant(1.0), graph.constant(2.0));
        let double = graph.mul(two, x);
        vec![vec![one, x, x], vec![two, double, double]]
    });
    assert!(parallel.contains("linearly dependent everywhere"), "{parallel}");
    let zero = refuses(|graph| vec![vec![graph.constant(0.0); 3]]);
    assert!(zero.contains("linearly dependent everywhere"), "{zero}");
    let short = refuses(|graph| vec![vec![graph.constant(1.0); 2]]);
    assert!(short.contains("2 components"), "{short}");
    let many = refuses(|graph| vec![vec![graph.constant(1.0); 3]; 4]);
    assert!(many.contains("4 fields"), "{many}");
}
