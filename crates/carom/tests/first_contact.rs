//! The first contact of a motion, through the public face: dips within a step, contacts that follow each other
//! closely, thin walls, curved obstacles.

use crate::reference_cases;

use carom::flow::{Flow, FlowOptions, FlowSchedule};
use carom::impact::{ContactOptions, JumpKind};
use carom::model::FindingKind;
use carom::{Method, Model, Options, Schedule, Simulation, Trajectory};
use reference_cases::{case, model as model_of, numbers};

/// How a motion is computed: `taylor` is the flow, with steps as long as its series hold.
fn try_run(model: &Model, method: &str, jump: JumpKind, h: f64, until: f64) -> Result<Trajectory, String> {
    let (q, v) = (&model.initial.q, &model.initial.v);
    if method == "taylor" {
        let flow = Flow::new(&model.system, FlowOptions::default()).expect("compiles");
        let schedule = FlowSchedule { start: 0.0, until, output: until, max_step: f64::INFINITY };
        return flow.run(q, v, schedule, &mut |_| true).map_err(|error| error.to_string());
    }
    let contacts = ContactOptions { jump, ..ContactOptions::default() };
    let method = Method::parse(method).expect("a method");
    let options = Options { contacts, ..Options::default() };
    let simulation = Simulation::new(&model.system, &method, options).expect("compiles");
    let schedule = Schedule { start: 0.0, until, step: h, every: 1 };
    simulation.run(q, v, schedule, &mut |_| true).map_err(|error| error.to_string())
}

fn run(model: &Model, method: &str, h: f64, until: f64) -> Trajectory {
    let motion = try_run(model, method, JumpKind::Pointwise, h, until);
    motion.unwrap_or_else(|error| panic!("{method}, h = {h}: {error}\n{}", model.source))
}

fn parse(text: &str) -> Model {
    Model::from_text(text, "first-contact.toml", &[]).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Thrown up with 3.3 m/s against a ceiling `depth` below the apex of the flight, which is at `t = 0.33`.
fn ceiling(depth: f64) -> Model {
    parse(&format!(
        "lagrangian = \"0.5*(x'^2 + y'^2) - 10*y\"
        [coordinates]
        x = {{ initial = 0, velocity = 1 }}
        y = {{ initial = 0, velocity = 3.3 }}
        [contacts.ceiling]
        gap = \"0.5445 - y - ({depth:e})\""
    ))
}

/// Between 0.3 and 0.35 there is a step of both methods: at its ends the gap is open.
#[test]
fn dips_within_a_step_are_impacts() {
    for method in ["midpoint", "gauss2", "trapezoidal", "suzuki(midpoint)", "taylor"] {
        for depth in [1e-2_f64, 1e-3, 1e-4, 1e-6, 1e-8] {
            let motion = run(&ceiling(depth), method, 0.05, 0.5);
            let times: Vec<f64> = motion.impacts.iter().map(|impact| impact.t).collect();
            let early = (2.0 * depth / 10.0).sqrt();
            // A gap that rounds by some 1e-16 moves the contact by that over its rate.
            let bound = 1e-14 + 1e-15 / (10.0 * early);
            assert_eq!(times.len(), 1, "{method}, {depth:e} deep: {times:?}");
            assert!(
                (times[0] - (0.33 - early)).abs() < bound,
                "{method}, {depth:e} deep: {times:?}, not {}",
                0.33 - early
            );
        }
    }
}

#[test]
fn near_misses_are_no_impacts() {
    for method in ["midpoint", "gauss2", "trapezoidal", "taylor"] {
        for clearance in [1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12] {
            let motion = run(&ceiling(-clearance), method, 0.05, 0.5);
            assert!(motion.impacts.is_empty(), "{method}, clear by {clearance:e}: {:?}", motion.impacts);
            assert!(motion.findings.is_empty(), "{method}, clear by {clearance:e}: {:?}", motion.findings);
        }
    }
}

/// Rounding decides whether the bodies touch; if they do, it is with the speed of a gap of `1e-15`.
#[test]
fn tangent_motions_graze() {
    for method in ["midpoint", "gauss2", "trapezoidal", "taylor"] {
        let motion = run(&ceiling(0.0), method, 0.05, 0.5);
        assert!(motion.impacts.iter().all(|impact| impact.v_minus[1].abs() < 1e-6), "{method}: {:?}", motion.impacts);
        let grazes = motion.findings.iter().all(|finding| finding.kind == FindingKind::Grazing);
        assert!(grazes && motion.impacts.len() <= 2, "{method}: {:?} {:?}", motion.impacts, motion.findings);
    }
}

/// Near an obstacle that is hardly touched or hardly missed, where the path between the nodes of a method is
/// known to its order only: whatever is decided, the run goes on, and nothing ends up inside.
#[test]
fn grazing_runs_go_on() {
    let mut failed = Vec::new();
    for k in -40..=40 {
        // The discrete amplitude differs from one by h^2, at most 1e-2.
        let wall = 1.0 + 5e-2 * (f64::from(k) / 40.0).powi(3);
        let model = parse(&format!(
            "lagrangian = \"0.5*(x'^2 + y'^2) - 0.5*x^2 - 0.5*y^2\"
            [coordinates]
            x = {{ initial = 0, velocity = 1 }}
            y = {{ initial = 0.8, velocity = 0.1 }}
            [contacts.wall]
            gap = \"{wall} - x - 0.2*y^2\""
        ));
        for method in ["midpoint", "trapezoidal", "gauss2", "gauss3", "suzuki(midpoint)"] {
            for jump in JumpKind::ALL {
                let label = || format!("{method} {}, wall at {wall}", jump.name());
                match try_run(&model, method, jump, 0.2, 7.0) {
                    Err(error) => failed.push(format!("{}: {error}", label())),
                    Ok(motion) if motion.gaps.iter().any(|gap| *gap < -1e-9) => {
                        failed.push(format!("{}: inside", label()))
                    }
                    Ok(motion) if motion.impacts.iter().any(|impact| impact.impulses[0].normal < 0.0) => {
                        failed.push(format!("{}: pulls", label()));
                    }
                    Ok(_) => {}
                }
            }
        }
    }
    assert!(failed.is_empty(), "{} of 1215 fail:\n{}", failed.len(), failed.join("\n"));
}

/// `x` reaches its wall at `t = 0.5`, `y` its own one a little later or earlier.
#[test]
fn contacts_a_moment_apart_come_in_order() {
    for apart in [1e-3, 1e-5, 1e-7, 1e-9, -1e-7] {
        let model = parse(&format!(
            "lagrangian = \"0.5*(x'^2 + y'^2)\"
            [coordinates]
            x = {{ initial = 0, velocity = 2 }}
            y = {{ initial = 0, velocity = 2 }}
            [contacts.right]
            gap = \"1 - x\"
            [contacts.top]
            gap = \"1 + 2*({apart:e}) - y\""
        ));
        let order = if apart > 0.0 { [0, 1] } else { [1, 0] };
        for method in ["midpoint", "gauss2", "gauss3", "taylor"] {
            let motion = run(&model, method, 0.07, 0.8);
            let found: Vec<usize> = motion.impacts.iter().map(|impact| impact.impulses[0].contact).collect();
            assert_eq!(found, order, "{method}, {apart:e} apart");
            let gap = motion.impacts[1].t - motion.impacts[0].t;
            assert!((gap - f64::abs(apart)).abs() < 1e-15, "{method}: {gap:e} instead of {apart:e}");
        }
    }
}

/// A wall at the very end of a step, or next to it.
#[test]
fn contacts_at_a_node_are_taken_once() {
    for part in [0.0, 1e-16, 3e-16, 1e-15, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5] {
        for wall in [0.3 * (1.0 + part), 0.3 * (1.0 - part)] {
            let model = parse(&format!(
                "lagrangian = \"0.5*x'^2\"
                [coordinates]
                x = {{ initial = 0, velocity = 1 }}
                [contacts.wall]
                gap = \"{wall:?} - x\""
            ));
            for method in ["midpoint", "gauss2", "trapezoidal", "suzuki(midpoint)", "taylor"] {
                let motion = run(&model, method, 0.1, 0.5);
                assert_eq!(motion.impacts.len(), 1, "{method}, wall at {wall:?}");
                assert!((motion.impacts[0].t - wall).abs() < 1e-15, "{method}, wall at {wall:?}");
                let end = motion.last().expect("a node").q[0];
                assert!((end - (2.0 * wall - 0.5)).abs() < 1e-15, "{method}, wall at {wall:?}: {end}");
            }
        }
    }
}

/// A step covers five metres, the wall is two centimetres thick: behind it the gap is open again.
#[test]
fn thin_walls_are_not_passed() {
    for (gap, reached) in [
        ("(x - 1.7)^2 - 0.0001", 1.69),
        ("(x - 1.7)^2 + y^2 - 0.0001", 1.69),
        ("((x - 1.7)^2 + y^2)^0.5 - 0.01", 1.69),
        ("1 - 2*exp(-10000*(x - 1.7)^2)", 1.7 - (2_f64.ln() / 1e4).sqrt()),
    ] {
        let model = parse(&format!(
            "lagrangian = \"0.5*(x'^2 + y'^2)\"
            [coordinates]
            x = {{ initial = 0, velocity = 100 }}
            y = 0
            [contacts.wall]
            gap = \"{gap}\""
        ));
        for method in ["midpoint", "gauss2", "trapezoidal", "kahan-li6(midpoint)", "taylor"] {
            let motion = run(&model, method, 0.05, 0.2);
            let times: Vec<f64> = motion.impacts.iter().map(|impact| impact.t).collect();
            assert_eq!(times.len(), 1, "{method}: {gap}: {times:?}");
            assert!((times[0] - reached / 100.0).abs() < 1e-14, "{method}: {gap}: {times:?}, not {reached}");
            assert!(motion.last().is_some_and(|node| node.q[0] < reached), "{method}: {gap}: behind the wall");
        }
    }
}

/// The second impact of the rolling ellipse ends a flight that begins and ends low: a test of signs at the ends of
/// long steps passes over it. Free flights are exact for every method, so that all times are right whatever the step.
#[test]
fn paper_ellipse_impacts_with_long_steps() {
    let case = case("004-4.2-ellipse");
    let model = model_of(&case);
    assert_eq!((&model.initial.q, &model.initial.v), (&numbers(&case["q0"]), &numbers(&case["v0"])));
    for (method, h) in [("midpoint", 0.1), ("midpoint", 0.2), ("midpoint", 0.3), ("gauss2", 0.3), ("taylor", 0.0)] {
        let motion = run(&model, method, h, 3.0);
        for (index, found) in motion.impacts.iter().enumerate() {
            let wanted = &case["impacts"][index];
            let number = |name: &str| wanted[name].as_f64().expect("a number");
            let bound = 1e-13 * number("sensitivity").max(1.0);
            assert!((found.t - number("t")).abs() < bound, "{method}, h = {h}: {} instead of {}", found.t, wanted["t"]);
        }
        assert_eq!(motion.impacts.len(), 3, "{method}, h = {h}");
    }
}

/// Over the top of a hill the force vanishes, and the gap opens with the cube of time: nothing touches afterwards.
#[test]
fn releases_of_the_flow_are_no_impacts() {
    let hill = |speed: f64| {
        parse(&format!(
            "lagrangian = \"0.5*(x'^2 + y'^2) - 9.81*y\"
            [coordinates]
            x = {{ initial = 0, velocity = {speed} }}
            y = 1
            [contacts.hill]
            gap = \"x^2 + y^2 - 1\"
            law = \"newton\"
            restitution = 0.3
            closed = true"
        ))
    };
    let mut wrong = Vec::new();
    for speed in (0..100).map(|k| 1.0 + 0.01 * f64::from(k)) {
        let model = hill(speed);
        let flow = Flow::new(&model.system, FlowOptions::default()).expect("compiles");
        let schedule = FlowSchedule { start: 0.0, until: 1.8, output: 0.1, max_step: f64::INFINITY };
        let motion = flow.run(&model.initial.q, &model.initial.v, schedule, &mut |_| true).expect("a run");
        wrong.extend(motion.impacts.iter().map(|impact| (speed, impact.t, impact.impulses[0].normal)));
    }
    assert!(wrong.is_empty(), "speed, time and impulse: {wrong:?}");
}
