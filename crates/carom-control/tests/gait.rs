//! Gaits: the problem that a step is, where searches begin, the relabelling, what is measured, contact limits.

use crate::walking;

use carom_control::ProblemFile;
use walking::{
    apart, gait, own, planar_chain, planar_exchange, posture, read, refused_by, replaced, solved, spatial_chain, text,
};

/// The planar gait as phases, transitions and costs.
const BY_HAND: &str = r#"
model = "planar-biped.toml"
method = "midpoint"
tolerance = 1e-10
[phases.step]
duration = 0.9
intervals = 80
closed = [{ contact = "stance", sticks = true }]
start = { x1 = 0 }
end = { foot_x = 0.56 }
path = { foot_y = { min = 0 } }
[transitions.strike]
from = "step"
to = "step"
guards = ["swing"]
map = { x1 = 0, y1 = 0, th1 = "th1 + th2 + th3 + th4", th2 = "-th4", th3 = "-th3", th4 = "-th2" }
[costs]
effort = { integral = "u1^2 + u2^2 + u3^2 + u4^2", weight = "1e-2/(98.1*0.56)" }
"#;

/// CasADi with Ipopt: `u2 = 6.183057422` with 80 intervals.
#[test]
fn peer_planar_gait_is_the_problem_written_by_hand() {
    let (file, hand) = (gait("planar-gait.toml", &[]), read(BY_HAND).unwrap());
    let solutions = [&file, &hand].map(|problem| solved(problem, &file.guess));
    for solution in &solutions {
        let squares = solution.outcome.objective * 98.1 * 0.56 / 1e-2;
        assert!((squares / 6.183057422 - 1.0).abs() < 1e-8, "{squares:.12}");
    }
    let [own, hand] = &solutions;
    assert_eq!(own.size, hand.size);
    assert!((own.outcome.objective / hand.outcome.objective - 1.0).abs() < 1e-10);
    // Not the cost alone: the motion.
    let largest = own.phases[0].q.iter().zip(&hand.phases[0].q).map(|(a, b)| apart(a, b)).fold(0.0, f64::max);
    assert!(largest < 1e-6, "{largest}");
}

/// The objective tends to 1.12241e-3 with the order of the rule.
#[test]
fn order_planar_gait_tends_to_its_mesh_limit() {
    let costs = ["80", "160", "320"].map(|intervals| {
        let file = gait("planar-gait.toml", &[("intervals = 80", &format!("intervals = {intervals}"))]);
        solved(&file, &file.guess).outcome.objective
    });
    let order = ((costs[0] - costs[1]) / (costs[1] - costs[2])).log2();
    let limit = costs[2] + (costs[2] - costs[1]) / 3.0;
    eprintln!("{costs:?}: order {order}, limit {limit}");
    assert!((order - 2.0).abs() < 0.1, "{order}");
    assert!((limit - 1.12241e-3).abs() < 5e-9, "{limit}");
}

#[test]
fn starts_have_their_feet_in_place() {
    let file = gait("planar-gait-contact.toml", &[]);
    let starts = file.gait_starts().unwrap();
    assert_eq!(starts.len(), 10);
    for (number, start) in starts.iter().enumerate() {
        let phase = &start.phases[0];
        assert_eq!((phase.duration, phase.times.first(), phase.times.last()), (0.9, Some(&0.0), Some(&1.0)));
        let feet: Vec<[f64; 2]> = phase.q.iter().map(|q| planar_chain(q)[3]).collect();
        for (q, foot) in phase.q.iter().zip(&feet) {
            assert!(q[0].abs() < 1e-8 && q[1].abs() < 1e-8, "start {number} stands at {:?}", &q[..2]);
            assert!(foot[1] > -1e-8 && foot[1] < 0.3, "start {number} swings at {foot:?}");
            assert!(q[3] >= 0.0 && q[5] <= 0.0, "start {number} has knees {} {}", q[3], q[5]);
        }
        let (first, last) = (feet[0], feet[feet.len() - 1]);
        assert!(apart(&first, &[-0.56, 0.0]) < 1e-8 && apart(&last, &[0.56, 0.0]) < 1e-8, "{first:?} {last:?}");
        // The foot moves forward and is lifted.
        assert!(feet.windows(2).all(|two| two[1][0] > two[0][0]), "start {number}: {feet:?}");
        assert!(feet.iter().any(|foot| foot[1] > 1e-3), "start {number}: {feet:?}");
        // The legs change places.
        let exchanged = planar_exchange(&phase.q[0]);
        assert!(apart(&exchanged, &phase.q[phase.q.len() - 1]) < 1e-6, "start {number}: {exchanged:?}");
        // The ground carries the weight.
        assert!(
            phase.forces.iter().all(|forces| (forces[0] - 98.1).abs() < 1e-9 && forces[1] == 0.0),
            "{:?}",
            phase.forces[0]
        );
    }
}

#[test]
fn starts_in_space_have_their_feet_in_place() {
    let file = gait("spatial-gait.toml", &[]);
    for start in file.gait_starts().unwrap() {
        let (first, last) = (&start.phases[0].q[0], start.phases[0].q.last().unwrap());
        assert!(first[..3].iter().chain(&last[..3]).all(|place| place.abs() < 1e-8), "{first:?} {last:?}");
        for (q, ahead) in [(first, -0.45), (last, 0.45)] {
            let foot = spatial_chain(q)[3];
            assert!(apart(&foot, &[ahead, 0.2, 0.0]) < 1e-7, "{foot:?}");
        }
    }
}

#[test]
fn seeds_decide_starts() {
    let file = gait("planar-gait-contact.toml", &[]);
    let gait = own(&file);
    let starts = |seed: u64| gait.starts(posture(&file), 3, seed, 0.4).unwrap();
    assert_eq!(starts(1), starts(1));
    let (one, two) = (starts(1), starts(2));
    for (a, b) in one.iter().zip(&two) {
        assert_ne!(a.phases[0].q, b.phases[0].q);
    }
    assert_ne!(one[0].phases[0].q, one[1].phases[0].q);
    // More starts keep the first ones.
    assert_eq!(gait.starts(posture(&file), 2, 1, 0.4).unwrap()[..], one[..2]);
    // A guess of the file comes first.
    let file = walking::gait("planar-gait.toml", &[("effort = 1e-2", "effort = 1e-2\nstarts = 3")]);
    let starts = file.gait_starts().unwrap();
    assert_eq!((starts.len(), &starts[0]), (3, &file.guess));
}

const EXCHANGE: &str = "th1 = \"th1 + th2 + th3 + th4\", th2 = \"-th4\", th3 = \"-th3\", th4 = \"-th2\"";

#[test]
fn relabelling_is_held_to_account() {
    let file = gait("planar-gait.toml", &[]);
    own(&file).check(posture(&file)).unwrap();
    let refused = |relabel: &str| {
        let text = replaced(&text("planar-gait.toml"), &[(EXCHANGE, relabel)]);
        let found = refused_by(&text);
        assert_eq!((found.len(), found[0].code), (1, "gait"), "{found:?}");
        found[0].message.clone()
    };
    // A sign is flipped.
    let message = refused(&EXCHANGE.replace("\"-th3\"", "\"th3\""));
    assert!(message.contains("the relabelling changes the ") && message.contains(" energy from "), "{message}");
    let message = refused(&EXCHANGE.replace("\"-th4\"", "\"th4\""));
    assert!(message.contains("it does not exchange the legs"), "{message}");
    // Nothing is exchanged: energies stay, and so do the feet.
    let nothing = replaced(&text("planar-gait.toml"), &[(&format!("x1 = 0, y1 = 0, {EXCHANGE}"), "x1 = \"x1\"")]);
    let message = refused_by(&nothing)[0].message.clone();
    assert!(message.contains("0.000000 and 0.560000 ahead"), "{message}");
    assert!(message.contains("a step of 0.56 needs 0, 0 and -0.560000"), "{message}");
}

const MIRROR: &str = "th1 = \"mirror1\", th2 = \"mirror2\", th3 = \"mirror3\", th4 = \"-th8\", th5 = \"th7 - pi\", th6 = \"th6\", th7 = \"th5 + pi\", th8 = \"-th4\"";

#[test]
fn relabelling_in_space_needs_the_mirror() {
    let file = gait("spatial-gait.toml", &[]);
    own(&file).check(posture(&file)).unwrap();
    let text = text("spatial-gait.toml");
    let refused = |relabel: &str| {
        let found = refused_by(&replaced(&text, &[(MIRROR, relabel)]));
        assert_eq!((found.len(), found[0].code), (1, "gait"), "{found:?}");
        found[0].message.clone()
    };
    // The exchange of the legs without the mirror keeps all energies and lengths: R1' = R4, R3' = R2.
    let plain = "th1 = \"-mirror1\", th2 = \"mirror2\", th3 = \"-mirror3\", th4 = \"-th8\", th5 = \"pi - th7\", th6 = \"th6\", th7 = \"-th5 - pi\", th8 = \"-th4\"";
    let message = refused(plain);
    assert!(message.contains("-0.200000 beside the stance foot, where it lands 0.200000 beside it"), "{message}");
    assert!(message.contains("left and right are not mirrored"), "{message}");
    // Of one leg alone it does not even do that.
    let message = refused(&MIRROR.replace("mirror1", "-mirror1").replace("mirror3", "-mirror3"));
    assert!(message.contains("energy from "), "{message}");
    // Without a width nobody says where the foot lands: a walk that moves to the side is one.
    let sideways = replaced(&text, &[(MIRROR, plain), ("width = \"Wstep\"\n", "")]);
    assert!(read(&sideways).is_ok());
}

/// A relabelling that nothing was seen of is not one that is right.
#[test]
fn steps_out_of_reach_are_refused() {
    let long = replaced(&text("planar-gait.toml"), &[("length = 0.56", "length = 2.5")]);
    let found = refused_by(&long);
    assert_eq!((found.len(), found[0].code), (1, "gait"), "{found:?}");
    assert!(found[0].message.contains("one 2.5 ahead of the other: the step is too long"), "{}", found[0].message);
}

/// Freed lengths of links have the values of their guesses, not those of the model.
#[test]
fn freed_links_are_relabelled_and_started_with_their_guesses() {
    let free = "[free]\nL1 = { range = [0.3, 0.7], guess = 0.6 }\nL2 = { range = [0.3, 0.7], guess = 0.45 }\n[gait]";
    let file = gait("planar-gait-contact.toml", &[("[gait]", free), ("starts = 10", "starts = 2")]);
    for start in file.gait_starts().unwrap() {
        let q = &start.phases[0].q[0];
        let angles: Vec<f64> = (1..=4).map(|count| q[2..2 + count].iter().sum()).collect();
        let links = [0.6, 0.45, -0.45, -0.6];
        let ahead: f64 = angles.iter().zip(links).map(|(angle, length)| -length * angle.sin()).sum();
        let height: f64 = angles.iter().zip(links).map(|(angle, length)| length * angle.cos()).sum();
        assert!((ahead + 0.56).abs() < 1e-8 && height.abs() < 1e-8, "{ahead} {height}");
    }
}

/// With the midpoint rule the work of an interval is `u . (th_(k+1) - th_k)`, whatever the motion.
#[test]
fn work_is_torque_times_turn() {
    let file = gait("planar-gait.toml", &[]);
    let solution = solved(&file, &file.guess);
    let measures = own(&file).measures(&solution).unwrap();
    let step = &solution.phases[0];
    let (mut net, mut positive, mut absolute, mut by_interval, mut squares) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (k, two) in step.q.windows(2).enumerate() {
        let torques = step.controls.at(k, 0.5);
        let works: Vec<f64> = (0..4).map(|joint| torques[joint] * (two[1][2 + joint] - two[0][2 + joint])).collect();
        net += works.iter().sum::<f64>();
        positive += works.iter().map(|work| work.max(0.0)).sum::<f64>();
        absolute += works.iter().map(|work| work.abs()).sum::<f64>();
        by_interval += works.iter().sum::<f64>().abs();
        squares += 0.9 / 80.0 * torques.iter().map(|torque| torque * torque).sum::<f64>();
    }
    let found = [measures.net, measures.positive, measures.absolute, measures.net_absolute, measures.effort];
    let expected = [net, positive, absolute, by_interval, squares];
    assert!(apart(&found, &expected) < 1e-9, "{found:?} {expected:?}");
    assert!((measures.weight - 98.1).abs() < 1e-12 && (measures.speed - 0.56 / 0.9).abs() < 1e-12);
    assert!((measures.transport(measures.net) - net / (98.1 * 0.56)).abs() < 1e-12);
    // CasADi with Ipopt has the same loss and the same largest torque.
    assert!((measures.loss - 8.8208).abs() < 1e-4, "{}", measures.loss);
    assert!((measures.largest_torque - 5.4297).abs() < 1e-4, "{}", measures.largest_torque);
    // Where the foot pulls, no friction is enough.
    let mut pulled = solution.clone();
    pulled.phases[0].forces[3] = vec![-2.0, 1.0];
    let pulled = own(&file).measures(&pulled).unwrap();
    assert_eq!((pulled.least_normal_force, pulled.largest_friction), (-2.0, f64::INFINITY));
    assert!(measures.least_normal_force > 0.0 && measures.largest_friction < 1.0);
}

/// On a periodic gait controls pay what the impact takes; what is missing is the error of the mesh.
#[test]
fn net_work_is_the_loss_of_the_impact() {
    let missing = |method: &str, intervals: usize| {
        let mesh = format!("intervals = {intervals}");
        let method = format!("method = \"{method}\"");
        let file = gait("planar-gait.toml", &[("method = \"midpoint\"", &method), ("intervals = 80", &mesh)]);
        let solution = solved(&file, &file.guess);
        let found = own(&file).measures(&solution).unwrap();
        assert!((found.absolute - (2.0 * found.positive - found.net)).abs() < 1e-10 * found.absolute);
        assert!(found.absolute > found.net_absolute && found.net_absolute >= found.net && found.positive > found.net);
        // The effort is the cost, whatever the shape of the controls.
        let cost = 1e-2 * found.effort / (found.weight * found.length);
        assert!((cost / solution.outcome.objective - 1.0).abs() < 1e-9, "{cost} {}", solution.outcome.objective);
        (found.net / found.loss - 1.0).abs()
    };
    let [coarse, fine] = [40, 80].map(|intervals| missing("midpoint", intervals));
    eprintln!("net work off the loss by {coarse:e} with 40, {fine:e} with 80 intervals");
    assert!(coarse / fine > 3.5 && coarse / fine < 5.0, "{coarse:e} {fine:e}");
    assert!(missing("gauss2", 20) < 1e-3);
    assert!(missing("gauss3", 40) < 2e-5);
}

/// The planar gait with a length of step that is a parameter, and a price of time, so that short steps do not pay.
fn with_length(lines: &str) -> ProblemFile {
    let model = |name: &str| Ok(text(name).replace("[parameters]\n", "[parameters]\nLstep = 0.5\n"));
    let gait = [("length = 0.56", "length = \"Lstep\""), ("intervals = 80", "intervals = 20")];
    let more = "[costs]\nupkeep = { time = true, weight = 5e-4, per = \"Lstep\" }\n";
    let text = format!("{}\n{more}", replaced(&text("planar-gait.toml"), &gait)).replace("[gait]\n", lines);
    ProblemFile::from_text(&text, "length.toml", &[], &model).unwrap_or_else(|found| panic!("{found}"))
}

#[test]
fn free_length_of_a_step_is_stationary() {
    let file = with_length("[free]\nLstep = { range = [0.2, 0.9], guess = 0.5 }\n[gait]\n");
    let solution = solved(&file, &file.guess);
    let (length, cost) = (solution.freed[0].1, solution.outcome.objective);
    assert!(length > 0.25 && length < 0.85, "{length}");
    let measures = own(&file).measures(&solution).unwrap();
    assert!((measures.length - length).abs() < 1e-12);
    assert!((measures.speed - length / 0.9).abs() < 1e-12);
    // The upkeep is that of this length.
    let upkeep = solution.costs.iter().find(|(name, _)| name == "upkeep").unwrap().1;
    assert!((upkeep - 5e-4 * 0.9 / length).abs() < 1e-12, "{upkeep}");
    let fixed = |length: f64| {
        let file = with_length(&format!("[parameters]\nLstep = {length}\n[gait]\n"));
        solved(&file, &solution.guess()).outcome.objective
    };
    // Farther away lie other optima.
    let step = 0.002;
    let [shorter, same, longer] = [length - step, length, length + step].map(fixed);
    eprintln!("length {length}: {shorter} {same} {longer}");
    assert!((same / cost - 1.0).abs() < 1e-8, "{same} {cost}");
    assert!(shorter > cost && longer > cost, "{shorter} {cost} {longer}");
    // Where the parabola through the three is least.
    let off = 0.5 * step * (shorter - longer) / (shorter - 2.0 * same + longer);
    assert!(off.abs() < 0.01 * step, "{off}");
}
