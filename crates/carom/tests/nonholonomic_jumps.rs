//! Jumps under velocity constraints: in quasivelocities and in coordinates, against the conditions of Theorem 2
//! (Anahory Simoes and Colombo, 003) and against closed formulas.

use crate::random_nonholonomic;
use crate::random_systems;

use carom::Model;
use carom::impact::{ContactLaw, Multiple, Resolved};
use random_nonholonomic::bench::{BACKEND, Bench, approach, condition};
use random_nonholonomic::dense::{difference, dot, largest, null_space, orthonormal, remove, solve, times};
use random_nonholonomic::laws::LawKind;
use random_nonholonomic::{Case, Kind, random_case};
use random_systems::Noise;

fn case_of(seed: u64, law: LawKind, contacts: usize) -> Case {
    random_case(seed, Kind::of_seed(seed, law, contacts))
}

#[test]
fn jumps_in_quasivelocities_are_those_in_coordinates() {
    let (mut worst, mut jumps, mut refused) = (0.0_f64, 0, 0);
    for seed in 1..=240 {
        let law = LawKind::ALL[(seed % 8) as usize];
        let contacts = 1 + (seed / 8 % 3) as usize;
        let case = case_of(seed, law, contacts);
        if law == LawKind::Poisson && case.directions() == 1 {
            continue;
        }
        let mut bench = Bench::new(&case.system, &case.q);
        let mut noise = Noise::new(seed);
        for trial in 0..6 {
            let state = approach(&case, &mut bench, &mut noise);
            let multiple = [Multiple::Sequential, Multiple::Simultaneous][trial % 2];
            let all = bench.resolve((&state.0, &state.1), contacts, multiple);
            let label = format!("{multiple:?}, {}", case.name);
            let Ok(first) = &all[0] else {
                refused += 1;
                all.iter().for_each(|other| assert!(other.is_err(), "{label}: {other:?} against {:?}", all[0]));
                continue;
            };
            for other in &all[1..] {
                let other = other.as_ref().unwrap_or_else(|error| panic!("{label}: {error}"));
                let impulses =
                    |jump: &Resolved| jump.impulses.iter().flat_map(|i| i.values.clone()).collect::<Vec<_>>();
                let (a, b) = (impulses(first), impulses(other));
                let size = largest(first.v_plus.iter().chain(&a).copied()).max(1.0);
                // Impacts one after the other end at a rate, not after a number of rounds.
                let size = size * condition(&mut bench, &state.0, contacts).powi(2) * first.rounds.max(1) as f64;
                let error = difference(&first.v_plus, &other.v_plus).max(difference(&a, &b)) / size;
                assert!(error < 1e-12, "{label}: {error:e}\n{first:?}\n{other:?}");
                worst = worst.max(error);
                jumps += 1;
            }
        }
    }
    eprintln!("frames against coordinates: {worst:.1e} in {jumps} jumps; {refused} refused by all");
    assert!(jumps > 1500);
}

/// Theorem 2: the change of momentum lies in the span of the one-forms and the gradients of the gaps, `v+` is
/// admissible, impulses push, nothing closes, and elastic impacts keep the energy.
#[test]
fn theorem_2_holds_for_every_law() {
    let (mut worst, mut jumps) = ([0.0_f64; 3], 0);
    for seed in 1..=240 {
        let law = LawKind::ALL[(seed % 8) as usize];
        let contacts = if law.is_for_several() { 1 + (seed / 8 % 2) as usize } else { 1 };
        let case = case_of(seed + 500, law, contacts);
        if law == LawKind::Poisson && case.directions() == 1 {
            continue;
        }
        let mut bench = Bench::new(&case.system, &case.q);
        let mut noise = Noise::new(seed);
        for trial in 0..6 {
            let (q, v) = approach(&case, &mut bench, &mut noise);
            let multiple = [Multiple::Sequential, Multiple::Simultaneous][trial % 2];
            for jump in bench.resolve((&q, &v), contacts, multiple).into_iter().flatten() {
                let label = format!("{multiple:?}, {}: {jump:?}", case.name);
                let (mut before, mut after) = (vec![0.0; bench.n], vec![0.0; bench.n]);
                bench.legendre.momentum(&q, &v, 0.2, &mut before);
                bench.legendre.momentum(&q, &jump.v_plus, 0.2, &mut after);
                let constraints = bench.legendre.constraints(&q).1.to_vec();
                let mut rows = constraints.clone();
                for surface in 0..contacts {
                    rows.extend(bench.geometry.gradient(surface));
                    if !law.is_smooth() && law != LawKind::Pushing {
                        rows.extend(bench.geometry.tangent(surface, 0));
                    }
                    // At once, a contact that opens may be made to close as fast: `u+ + e u- >= 0`.
                    let is_single = contacts == 1 || multiple == Multiple::Sequential;
                    let before = if is_single { 0.0 } else { bench.geometry.rate(surface, &v).max(0.0) };
                    let rate = bench.geometry.rate(surface, &jump.v_plus) + before;
                    assert!(rate > -1e-10 && jump.impulses[surface].values[0] >= -1e-14, "{label}: rate {rate:e}");
                }
                let mut change: Vec<f64> = (0..bench.n).map(|k| after[k] - before[k] - jump.push[k]).collect();
                let span = orthonormal(&rows, bench.n);
                span.iter().chain(&span).for_each(|unit| remove(&mut change, unit));
                let size = largest(after.iter().copied()).max(1.0);
                worst[0] = largest([worst[0], largest(change) / size]);
                let speed = largest(jump.v_plus.iter().copied()).max(1.0);
                worst[1] = largest([worst[1], largest(times(&constraints, &jump.v_plus)) / speed]);
                let energies = [&v, &jump.v_plus].map(|v| bench.legendre.energy(&q, v, 0.2));
                // Contacts that do not close take no part; elastic impacts one after the other keep the energy.
                if law == LawKind::Elastic && (multiple == Multiple::Sequential || contacts == 1) {
                    worst[2] = largest([worst[2], (energies[1] - energies[0]) / energies[0].abs().max(1.0)]);
                }
                let may_create = matches!(law, LawKind::Moreau | LawKind::Elastic | LawKind::Pushing) || contacts > 1;
                assert!(may_create || energies[1] <= energies[0] + 1e-12, "{label}: {energies:?}");
                jumps += 1;
            }
        }
    }
    eprintln!("momentum off the span, constraints, energy of elastic jumps: {worst:?} in {jumps} jumps");
    assert!(worst.iter().all(|w| *w < 1e-11) && jumps > 2500, "{worst:?} {jumps}");
}

/// `w+ = w- - 2 (G w)/(G M^-1 G^T) M^-1 G^T` in an orthonormal basis of the admissible velocities; with a
/// coefficient of restitution `1 + e` instead of 2.
#[test]
fn elastic_and_newtonian_jumps_by_an_independent_formula() {
    let mut worst = 0.0_f64;
    for seed in 1..=200 {
        let (law, e) = [(LawKind::Elastic, 1.0), (LawKind::Newton, 0.6), (LawKind::Plastic, 0.0)][(seed % 3) as usize];
        let case = case_of(seed + 900, law, 1);
        let mut bench = Bench::new(&case.system, &case.q);
        let mut noise = Noise::new(seed);
        for _ in 0..5 {
            let (q, v) = approach(&case, &mut bench, &mut noise);
            let basis = null_space(bench.legendre.constraints(&q).1, bench.n);
            let mass = bench.legendre.mass(&q, &v, 0.2).to_vec();
            let on_basis = |covector: &[f64]| -> Vec<f64> { basis.iter().map(|b| dot(b, covector)).collect() };
            let reduced: Vec<f64> = basis.iter().flat_map(|b| on_basis(&times(&mass, b))).collect();
            let jumps = bench.resolve((&q, &v), 1, Multiple::Sequential);
            let (w, g) = (on_basis(&v), on_basis(bench.geometry.gradient(0)));
            let lift = solve(&reduced, &g);
            let factor = (1.0 + e) * dot(&g, &w) / dot(&g, &lift);
            let after: Vec<f64> = w.iter().zip(&lift).map(|(w, lift)| w - factor * lift).collect();
            let v_plus: Vec<f64> =
                (0..bench.n).map(|k| basis.iter().zip(&after).map(|(b, w)| b[k] * w).sum()).collect();
            for jump in jumps {
                let jump = jump.unwrap_or_else(|error| panic!("{}: {error}", case.name));
                let condition = condition(&mut bench, &q, 1);
                worst = largest([worst, difference(&jump.v_plus, &v_plus) / condition]);
                worst = largest([worst, (jump.impulses[0].values[0] + factor) / factor / condition]);
            }
        }
    }
    eprintln!("against the formula: {worst:.1e}");
    assert!(worst < 1e-12, "{worst:e}");
}

/// The rolling disk of 003, VI, with `y + R sin(phi) <= 10`, at any heading.
fn disk(m: f64, i: f64, j: f64, r: f64) -> Model {
    let text = format!(
        "[parameters]\nm = {m}\nI = {i}\nJ = {j}\nR = {r}\n[coordinates]\nx = 0\ny = 0\ntheta = 0\nphi = 0.5
        [energy]\nkinetic = \"0.5*m*(x'^2 + y'^2) + 0.5*I*theta'^2 + 0.5*J*phi'^2\"
        [velocity_constraints]\nalong_x = \"x' - R*cos(phi)*theta'\"\nalong_y = \"y' - R*sin(phi)*theta'\"
        [contacts.wall]\ngap = \"10 - y - R*sin(phi)\"\nlaw = \"elastic\"\n"
    );
    Model::from_text(&text, "disk.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// The corrected jump: `(mR^2 + I) dv1 = lambda R sin`, `J dv2 = lambda R cos`, energy kept. The printed one,
/// `lambda R (sin + cos)` and `dv2 = 0`, changes the momentum along the wall within the distribution.
#[test]
fn paper_disk_at_random_headings() {
    let (mut worst, mut printed_off) = (0.0_f64, 0);
    let mut noise = Noise::new(7);
    for _ in 0..200 {
        let numbers: Vec<f64> = (0..4).map(|_| noise.between(0.5, 2.0)).collect();
        let (m, i, j, r) = (numbers[0], numbers[1], numbers[2], numbers[3]);
        let model = disk(m, i, j, r);
        let phi = noise.between(-3.0, 3.0);
        let (s, c, a) = (phi.sin(), phi.cos(), m * r * r + i);
        let q = [0.3, 10.0 - r * s, 0.7, phi];
        let mut bench = Bench::new(&model.system, &q);
        let mut w = noise.vector(2);
        if r * s * w[0] + r * c * w[1] < 0.0 {
            w.iter_mut().for_each(|x| *x = -*x);
        }
        let velocity = |w: &[f64]| vec![r * c * w[0], r * s * w[0], w[0], w[1]];
        let lambda = -2.0 * (r * s * w[0] + r * c * w[1]) / (r * r * s * s / a + r * r * c * c / j);
        let wanted = [w[0] + lambda * r * s / a, w[1] + lambda * r * c / j];
        for jump in bench.resolve((&q, &velocity(&w)), 1, Multiple::Sequential) {
            let jump = jump.expect("a jump");
            worst = largest([worst, difference(&jump.v_plus, &velocity(&wanted)), jump.impulses[0].values[0] + lambda]);
            let along = |w: &[f64]| a * w[0] * c - j * w[1] * s;
            worst = largest([worst, along(&jump.v_plus[2..]) - along(&w)]);
            // Energy and v2 kept leave v1 turned around.
            printed_off += usize::from((along(&[-w[0], w[1]]) - along(&w)).abs() > 1e-3);
        }
    }
    eprintln!("disk: {worst:.1e}");
    assert!(worst < 1e-12 && printed_off > 300, "{worst:e} {printed_off}");
}

/// The sleigh of 003, V, in its circle: `v1` turns around, `v2` stays.
#[test]
fn paper_sleigh_turns_around() {
    let text = "[parameters]\nm = 1.3\nI = 0.4\n[coordinates]\nx = 0\ny = 0\ntheta = 0
        [energy]\nkinetic = \"0.5*m*(x'^2 + y'^2) + 0.5*I*theta'^2\"
        [velocity_constraints]\nblade = \"sin(theta)*x' - cos(theta)*y'\"
        [contacts.rim]\ngap = \"1 - x^2 - y^2\"\nlaw = \"elastic\"\n";
    let model = Model::from_text(text, "sleigh.toml", &[]).unwrap_or_else(|error| panic!("{error}"));
    let (mut noise, mut worst) = (Noise::new(3), 0.0_f64);
    for _ in 0..200 {
        let (place, theta) = (noise.between(-3.0, 3.0), noise.between(-3.0, 3.0));
        let q = [place.cos(), place.sin(), theta];
        let speed = (theta - place).cos().signum() * noise.between(0.1, 1.0);
        let turn = noise.between(-1.0, 1.0);
        let velocity = |speed: f64| [speed * theta.cos(), speed * theta.sin(), turn];
        let mut bench = Bench::new(&model.system, &q);
        for jump in bench.resolve((&q, &velocity(speed)), 1, Multiple::Sequential) {
            worst = largest([worst, difference(&jump.expect("a jump").v_plus, &velocity(-speed))]);
        }
    }
    eprintln!("sleigh: {worst:.1e}");
    assert!(worst < 1e-12, "{worst:e}");
}

/// With one admissible direction, slip and gap rate end together. What rounding leaves of the rate, divided by what
/// rounding leaves of Delassus' matrix while the bodies stick, is no impulse.
#[test]
fn poisson_contacts_jam_in_one_direction() {
    let mut noise = Noise::new(11);
    let law = ContactLaw::all(&jamming().system, &jamming().system.dynamics(), BACKEND).expect("compiles").remove(0);
    for _ in 0..1000 {
        // Rates u = g w, slip = s w of one quasivelocity w, with |g/s| within the cone.
        let (g, mass, w) = (noise.between(0.05, 0.2), noise.between(0.5, 2.0), -noise.between(0.5, 2.0));
        let s = noise.between(0.9, 1.1);
        let delassus = vec![g * g / mass, g * s / mass, g * s / mass, s * s / mass];
        let (restitution, friction) = (0.6, Some(0.3));
        let single =
            carom::impact::laws::Single { u: vec![g * w, s * w], w: delassus, restitution, friction, loss: 0.0 };
        let found = law.law.impulses(&single).unwrap_or_else(|failure| panic!("{single:?}: {failure}"));
        // Slip until w = 0, then stick: f = -g/s for the rest.
        let compression = -w * mass / (g + 0.3 * s);
        let wanted = [1.6 * compression, 0.3 * compression - 0.6 * compression * g / s];
        assert!(difference(&found, &wanted) < 1e-12, "{single:?}: {found:?}, not {wanted:?}");
    }
}

fn jamming() -> Model {
    let text = "[coordinates]\nx = 1\n[energy]\nkinetic = \"0.5*x'^2\"
        [contacts.wall]\ngap = \"0.1*x\"\ntangent = \"x\"\nlaw = \"poisson\"\nrestitution = 0.6\nfriction = 0.3\n";
    Model::from_text(text, "jamming.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}
