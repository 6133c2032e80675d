//! Runs that pass their motion on in pieces: the same motion, and no more than a piece in memory.

use carom::flow::{Flow, FlowError, FlowFailure, FlowOptions, FlowSchedule};
use carom::model::Digest;
use carom::{
    Ending, EnergySimulation, Method, Model, Options, Schedule, Simulation, SimulationError, StepError, Trajectory,
};

/// A ball that bounces in a valley, so that nodes and impacts mix.
const BALL: &str = r#"
[coordinates]
x = { initial = 0.3, velocity = 1.0 }
y = { initial = 1.0 }
[energy]
kinetic = "0.5*(x'^2 + y'^2)"
potential = "2*y + x^2"
[contacts.floor]
gap = "y"
law = "newton"
restitution = 0.8
"#;
const PENDULUM: &str = "lagrangian = \"0.5*theta'^2 + cos(theta)\"\n[coordinates]\ntheta = 1.0\n";
const SCHEDULE: Schedule = Schedule { start: 0.0, until: 6.0, step: 0.01, every: 3 };
const FLOW: FlowSchedule = FlowSchedule { start: 0.0, until: 6.0, output: 0.05, max_step: 0.1 };

fn midpoint<'s>(model: &Model) -> Simulation<'s> {
    Simulation::new(&model.system, &Method::parse("midpoint").unwrap(), Options::default()).unwrap()
}

fn taylor<'s>(model: &Model) -> Flow<'s> {
    Flow::new(&model.system, FlowOptions::default()).unwrap()
}

fn energy<'s>(model: &Model) -> EnergySimulation<'s> {
    let Method::Rule(rule) = Method::parse("midpoint").unwrap() else { panic!("midpoint is a rule") };
    EnergySimulation::new(&model.system, rule, Options::default()).unwrap()
}

fn model(text: &str) -> Model {
    Model::from_text(text, "model.toml", &[]).unwrap()
}

/// Puts pieces together again.
fn join(whole: &mut Option<Trajectory>, piece: &Trajectory) {
    let Some(whole) = whole else {
        *whole = Some(piece.clone());
        return;
    };
    let pairs = [
        (&mut whole.t, &piece.t),
        (&mut whole.q, &piece.q),
        (&mut whole.v, &piece.v),
        (&mut whole.p, &piece.p),
        (&mut whole.multipliers, &piece.multipliers),
        (&mut whole.energy, &piece.energy),
        (&mut whole.constraint_error, &piece.constraint_error),
        (&mut whole.gaps, &piece.gaps),
        (&mut whole.contact_forces, &piece.contact_forces),
    ];
    pairs.into_iter().for_each(|(all, more)| all.extend(more));
    whole.impacts.extend(piece.impacts.iter().cloned());
    whole.modes.extend(piece.modes.iter().cloned());
    whole.findings.extend(piece.findings.iter().cloned());
    whole.invariants.iter_mut().zip(&piece.invariants).for_each(|(all, more)| all.values.extend(&more.values));
}

/// Runs with pieces of some sizes and compares with the run in one piece.
fn compare(run: impl Fn(usize, carom::model::Sink<'_>) -> Trajectory, plain: &Trajectory) {
    for rows in [1, 10, 64, usize::MAX] {
        let (mut whole, mut digest, mut largest) = (None, None::<Digest>, 0);
        let rest = run(rows, &mut |piece| {
            join(&mut whole, piece);
            largest = largest.max(piece.rows());
            match &mut digest {
                Some(digest) => digest.add(piece),
                None => digest = Some(Digest::of(piece)),
            }
            Ok(())
        });
        // A step adds a node and perhaps an impact with its change of mode.
        assert!(rows > 100 || largest < rows + 30, "{largest} rows in pieces of {rows}");
        assert!(rest.is_empty() && rest.impacts.is_empty(), "what was passed on is kept");
        let mut whole = whole.unwrap();
        (whole.statistics, whole.ending) = (plain.statistics.clone(), plain.ending.clone());
        assert_eq!(&whole, plain, "pieces of {rows}");
        let (mut digest, mut expected) = (digest.unwrap(), Digest::of(plain));
        digest.end(&rest);
        (digest.header, expected.header) = (rest.header(), rest.header());
        assert_eq!(digest.energy_error(), expected.energy_error());
        assert_eq!((digest.nodes, &digest.impacts), (expected.nodes, &expected.impacts));
        assert_eq!((&digest.last, &digest.invariants), (&expected.last, &expected.invariants));
    }
}

#[test]
fn steps_in_pieces_are_the_same_motion() {
    for text in [BALL, PENDULUM] {
        let model = model(text);
        let (q, v) = (&model.initial.q, &model.initial.v);
        let plain = midpoint(&model).run(q, v, SCHEDULE, &mut |_| true).unwrap();
        assert_eq!(plain.len(), 201);
        compare(
            |rows, sink| {
                let mut simulation = midpoint(&model);
                simulation.stream_to(rows, sink);
                simulation.run(q, v, SCHEDULE, &mut |_| true).unwrap()
            },
            &plain,
        );
    }
}

#[test]
fn flows_in_pieces_are_the_same_motion() {
    let model = model(BALL);
    let (q, v) = (&model.initial.q, &model.initial.v);
    let plain = taylor(&model).run(q, v, FLOW, &mut |_| true).unwrap();
    assert!(plain.impacts.len() >= 5);
    compare(
        |rows, sink| {
            let mut flow = taylor(&model);
            flow.stream_to(rows, sink);
            flow.run(q, v, FLOW, &mut |_| true).unwrap()
        },
        &plain,
    );
}

#[test]
fn energy_steps_in_pieces_are_the_same_motion() {
    let model = model(PENDULUM);
    let (q, v) = (&model.initial.q, &model.initial.v);
    let schedule = Schedule { until: 1.0, ..SCHEDULE };
    let plain = energy(&model).run(q, v, schedule, &mut |_| true).unwrap();
    compare(
        |rows, sink| {
            let mut simulation = energy(&model);
            simulation.stream_to(rows, sink);
            simulation.run(q, v, schedule, &mut |_| true).unwrap()
        },
        &plain,
    );
}

#[test]
fn a_sink_that_refuses_ends_the_run() {
    let model = model(BALL);
    let (q, v) = (&model.initial.q, &model.initial.v);
    let (mut taken, mut calls) = (Vec::new(), 0);
    let mut sink = |piece: &Trajectory| {
        calls += 1;
        // The fourth piece does not fit, and no other is offered.
        if calls == 4 {
            return Err("the disk is full".into());
        }
        assert!(calls < 4);
        taken.extend(&piece.t);
        Ok(())
    };
    let mut simulation = midpoint(&model);
    simulation.stream_to(20, &mut sink);
    let error = simulation.run(q, v, SCHEDULE, &mut |_| true).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("could not be passed on: the disk is full"), "{message}");
    let SimulationError::Stopped { error: StepError::Sink(error), trajectory } = error else { panic!("{message}") };
    let last = *taken.last().unwrap();
    assert!(error.time > last && error.time < 6.0, "{} {last}", error.time);
    assert!(trajectory.is_empty());
    assert_eq!(trajectory.ending, Ending::Failed { time: last, message });
}

#[test]
fn a_sink_that_takes_nothing_is_found_out_at_once() {
    let model = model(BALL);
    let mut flow = taylor(&model);
    let mut sink = |_: &Trajectory| Err("no room".into());
    flow.stream_to(1000, &mut sink);
    let error = flow.run(&model.initial.q, &model.initial.v, FLOW, &mut |_| true).unwrap_err();
    let FlowError::Stopped { error: FlowFailure::Sink(error), trajectory } = error else { panic!("{error}") };
    assert_eq!((error.time, error.message.as_str()), (0.0, "no room"));
    assert!(matches!(trajectory.ending, Ending::Failed { time, .. } if time.is_nan()));
}

#[test]
fn a_last_piece_that_is_refused_is_an_error_too() {
    let model = model(PENDULUM);
    let mut pieces = 0;
    let mut sink = |_: &Trajectory| {
        pieces += 1;
        if pieces == 1 { Ok(()) } else { Err("the disk is full".into()) }
    };
    let mut simulation = midpoint(&model);
    simulation.stream_to(1_000_000, &mut sink);
    let outcome = simulation.run(&model.initial.q, &model.initial.v, SCHEDULE, &mut |_| true);
    assert!(matches!(outcome, Err(SimulationError::Stopped { error: StepError::Sink(_), .. })));
    assert_eq!(pieces, 2);
}
