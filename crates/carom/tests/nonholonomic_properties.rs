//! Random nonholonomic motions: the flow in its formulations, discrete methods against it, runs undone, bad input.

mod random_nonholonomic;
mod random_systems;

use carom::flow::FlowFormulation;
use carom::{Formulation, JumpKind, Method, Model, Trajectory};
use random_nonholonomic::dense::{difference, largest, worsen};
use random_nonholonomic::laws::LawKind;
use random_nonholonomic::runs::{FLOWS, METHODS, State, Way, distance, end, fits, flow, residual, sensitivity, turned};
use random_nonholonomic::{Case, Forcing, Kind, admissible, random_case};
use std::time::Instant;

fn case_of(seed: u64, law: LawKind, contacts: usize) -> Case {
    random_case(seed, Kind::of_seed(seed, law, contacts))
}

fn count(usual: u64) -> u64 {
    std::env::var("N").map_or(usual, |n| n.parse().expect("a number"))
}

/// Lagrange's equations with multipliers and Hamel's, in the frame of the model or an adapted one, over 10 s with
/// impacts: the same motion, on the constraints, with its energy.
#[test]
fn flows_agree() {
    let (mut worst, mut held, mut kept) = (0.0, 0.0, 0.0);
    let (mut runs, mut impacts, mut skipped) = (0, 0, 0);
    for seed in 1..=count(40) {
        let law = LawKind::ALL[(seed % 8) as usize];
        let case = case_of(seed, law, (seed / 8 % 3) as usize);
        let [a, b] = match FLOWS.map(|f| flow(&case.system, case.start(), f, 0.25, 10.0)) {
            [Ok(a), Ok(b)] => [a, b],
            [Err(a), Err(_)] => {
                eprintln!("{}: {a}", case.name);
                skipped += 1;
                continue;
            }
            [a, b] => panic!("{}: {:?} {:?}", case.name, a.err(), b.err()),
        };
        for run in [&a, &b] {
            worsen(&mut held, run.constraint_error());
            if case.kind.forcing == Forcing::Nothing && law == LawKind::Elastic {
                worsen(&mut kept, run.energy_error() / run.energy_scale().max(1.0));
            }
        }
        let Some(sensitivity) = sensitivity(&case, &a, 10.0).filter(|s| *s < 1e4) else {
            skipped += 1;
            continue;
        };
        let error = distance(&end(&a), &end(&b));
        let label = format!("{} impacts, sensitivity {sensitivity:.0}, {}", a.impacts.len(), case.name);
        if a.impacts.len() != b.impacts.len() {
            eprintln!("COUNT {label}: {:?} {:?}", a.impacts.iter().map(|i| (i.t, &i.v_minus)).collect::<Vec<_>>(), b.impacts.iter().map(|i| (i.t,&i.v_minus)).collect::<Vec<_>>());
        }
        assert!(error < 1e-10, "{label}: {error:e}");
        worsen(&mut worst, error / sensitivity);
        runs += 1;
        impacts += a.impacts.len();
    }
    eprintln!("flows: {worst:.1e}, constraints {held:.1e}, energy {kept:.1e}; {runs} runs, {impacts} impacts, {skipped} skipped");
    assert!(worst < 1e-12 && held < 1e-13 && kept < 1e-13, "{worst:e} {held:e} {kept:e}");
}

fn way(method: &str, formulation: Formulation, jump: JumpKind) -> Way<'_> {
    Way { method, formulation, jump, h: 0.02, until: 2.0 }
}

/// Constraints hold at every node, multipliers and null space give the same numbers, every impact satisfies its
/// law, and runs end near the flow.
#[test]
fn discrete_runs() {
    let (mut same, mut held, mut laws, mut far, mut runs, mut impacts) = (0.0, 0.0, 0.0, 0.0, 0, 0);
    for seed in 1..=count(40) {
        let case = case_of(seed + 200, LawKind::ALL[(seed % 8) as usize], (seed % 3) as usize);
        let Ok(exact) = flow(&case.system, case.start(), FlowFormulation::Multipliers, 2.0, 2.0) else {
            eprintln!("no flow: {}", case.name);
            continue;
        };
        let sensitivity = sensitivity(&case, &exact, 2.0).filter(|s| *s < 100.0);
        for method in METHODS {
            let mut first: Option<State> = None;
            for formulation in Formulation::ALL.into_iter().filter(|f| fits(method, *f)) {
                let way = way(method, formulation, JumpKind::ALL[(seed / 3 % 3) as usize]);
                let label = format!("{method} {} {}, {}", formulation.name(), way.jump.name(), case.name);
                let run = match way.run(&case.system, case.start()) {
                    Ok(run) => run,
                    Err(error) => {
                        eprintln!("FAIL {label}: {error}");
                        continue;
                    }
                };
                worsen(&mut held, run.constraint_error());
                let off = residual(&case, &run, &way);
                if off.is_nan() || off > 1e-10 { eprintln!("LAW {label}: {off:e}"); }
                worsen(&mut laws, off);
                let last = end(&run);
                if let (Formulation::NullSpace, Some(first), Some(sensitivity), true) = (formulation, &first, sensitivity, case.directions() > 1) {
                    let error = distance(first, &last) / sensitivity;
                    if error > 1e-11 { eprintln!("SAME {label}: {error:e}"); }
                    worsen(&mut same, error);
                }
                if let Some(sensitivity) = sensitivity {
                    let error = distance(&last, &end(&exact)) / sensitivity;
                    if error > 0.05 { eprintln!("FAR {label}: {error:e}, {} {} impacts, sens {sensitivity}", run.impacts.len(), exact.impacts.len()); }
                    worsen(&mut far, error);
                }
                first.get_or_insert(last);
                runs += 1;
                impacts += run.impacts.len();
            }
        }
    }
    eprintln!("discrete: same {same:.1e}, constraints {held:.1e}, laws {laws:.1e}, far {far:.1e}; {runs} runs, {impacts} impacts");
}

/// The reversed system by the adjoint method undoes a run: the (-)-scheme of 004, Theorem 3.1 (ii). Rules that
/// reflect momenta cannot be begun again from a velocity alone.
#[test]
fn runs_are_undone() {
    let (mut worst, mut runs, mut impacts) = (0.0, 0, 0);
    for seed in 1..=count(40) {
        let case = case_of(seed + 400, LawKind::Elastic, (seed % 3) as usize);
        let back = case.system.reversed().expect("elastic");
        if case.kind.contacts > 0 && (case.kind.forcing == Forcing::Driven || case.directions() == 1) { continue; }
        for method in METHODS.into_iter().filter(|name| *name != "gni") {
            for formulation in Formulation::ALL.into_iter().filter(|f| fits(method, *f)) {
                let jump = if seed % 3 == 0 { JumpKind::Pointwise } else { JumpKind::Variational };
                let way = Way { until: 1.0, ..way(method, formulation, jump) };
                let label = format!("{method} {} {}, {}", formulation.name(), jump.name(), case.name);
                let there = way.run(&case.system, case.start()).unwrap_or_else(|error| panic!("{label}: {error}"));
                let adjoint = Method::parse(method).expect("a method").adjoint();
                let undo = |(q, v): &State| way.run_from(&back, (q, v), &adjoint, -1.0).map(|run| turned(&end(&run)));
                let state = turned(&end(&there));
                let near: State = (state.0.clone(), state.1.iter().map(|v| v * (1.0 + 1e-9)).collect());
                let (Ok(found), Ok(other)) = (undo(&state), undo(&near)) else {
                    eprintln!("BACK {label}: {:?}", undo(&state).err());
                    continue;
                };
                let speed = largest(state.1.iter().copied());
                let sensitivity = (distance(&found, &other) / (1e-9 * speed)).max(1.0);
                let error = distance(&found, &(case.q.clone(), there.node(0).v.to_vec())) / sensitivity;
                if error.is_nan() || error > 1e-12 {
                    eprintln!("UNDO {label}: {error:e}, sensitivity {sensitivity:.1}, {} impacts", there.impacts.len());
                }
                worsen(&mut worst, error);
                runs += 1;
                impacts += there.impacts.len();
            }
        }
    }
    eprintln!("undone: {worst:.1e}; {runs} runs, {impacts} impacts");
}

fn model(text: &str) -> Model {
    Model::from_text(text, "model.toml", &[]).unwrap_or_else(|error| panic!("{error}"))
}

/// All runs of a model: flows, and methods in their formulations.
fn all_runs(model: &Model, until: f64) -> Vec<(String, Result<Trajectory, String>)> {
    let start = (&model.initial.q[..], &model.initial.v[..]);
    let flows = FLOWS.map(|f| (format!("flow {f:?}"), flow(&model.system, start, f, 0.05, until)));
    let mut all = Vec::from(flows);
    for method in METHODS {
        for formulation in Formulation::ALL.into_iter().filter(|f| fits(method, *f)) {
            let way = Way { until, ..way(method, formulation, JumpKind::default()) };
            all.push((format!("{method} {}", formulation.name()), way.run(&model.system, start)));
        }
    }
    all
}

/// A particle falls onto a rough floor and slides to rest; `z' = (1 + y) x'` doubles its mass along the floor.
/// From the impact `x'` loses `mu` times the normal impulse over two, then `mu g/2` per second.
#[test]
fn friction_under_velocity_constraints() {
    let text = "[coordinates]\nx = { initial = 0, velocity = 1 }\ny = 0.1\nz = { initial = 0, velocity = 1.1 }
        [energy]\nkinetic = \"0.5*(x'^2 + y'^2 + z'^2)\"\npotential = \"9.81*y\"
        [velocity_constraints]\ntilt = \"z' - (1 + y)*x'\"
        [contacts.floor]\ngap = \"y\"\ntangent = \"x\"\nlaw = \"plastic\"\nfriction = 0.1\n";
    for (name, run) in all_runs(&model(text), 1.0) {
        let run = run.unwrap_or_else(|error| panic!("{name}: {error}"));
        let impact = run.impacts.first().expect("an impact");
        let wanted = impact.v_plus[0] - 0.1 * 9.81 / 2.0 * (1.0 - impact.t);
        let last = run.last().expect("a node");
        let slow = impact.v_minus[0] - 0.1 * impact.impulses[0].normal / 2.0;
        eprintln!("{name}: {} {} {wanted} {} {}", impact.t, last.v[0], impact.v_plus[0], slow);
    }
}

/// A sleigh thrown at walls of every law, pressed against them by a slope.
#[test]
fn sleighs_come_to_rest_at_walls() {
    let laws = [
        "law = \"plastic\"",
        "law = \"plastic\"\ntangent = \"y\"\nfriction = 0.3",
        "law = \"newton\"\nrestitution = 0.4",
        "law = \"moreau\"\ntangent = \"y\"\nrestitution = 0.4\nfriction = 0.3",
        "law = \"poisson\"\ntangent = \"y\"\nrestitution = 0.4\nfriction = 0.3",
    ];
    for law in laws {
        for gap in ["x + 0.5", "x + 0.5 - 0.2*cos(theta)"] {
        let text = format!(
            "[coordinates]\nx = {{ initial = 0, velocity = \"0.6*cos(0.3)\" }}\ny = {{ velocity = \"0.6*sin(0.3)\" }}
            theta = {{ initial = 0.3, velocity = 0.8 }}\n[parameters]\na = 0.3
            [energy]\nkinetic = \"0.5*((x' - a*sin(theta)*theta')^2 + (y' + a*cos(theta)*theta')^2) + 0.2*theta'^2\"
            potential = \"1.5*x + 0.1*y^2\"\n[velocity_constraints]\nblade = \"sin(theta)*x' - cos(theta)*y'\"
            [contacts.wall]\ngap = \"{gap}\"\n{law}\n"
        );
        for (name, run) in all_runs(&model(&text), 6.0) {
            let run = match run { Ok(run) => run, Err(error) => { eprintln!("REST {name}, {law} {gap}: {error}"); continue } };
            let attached = run.modes.iter().filter(|change| change.from == carom::model::ContactMode::Free).count();
            let mut open = true;
            let mut changes = run.modes.iter().peekable();
            let mut worst = 0.0;
            for k in 0..run.len() {
                while let Some(change) = changes.next_if(|change| change.t <= run.t[k]) {
                    open = change.to == carom::model::ContactMode::Free;
                }
                worsen(&mut worst, if open { (-run.gaps[k]).max(0.0) } else { run.gaps[k].abs() });
            }
            if worst > 1e-12 || run.constraint_error() > 1e-13 {
                eprintln!("REST {name}, {law} {gap}: gap {worst:e}, constraint {:e}, attached {attached}, impacts {}", run.constraint_error(), run.impacts.len());
            }
        }
        }
    }
}

/// Constraints and frames that fail at the start or on the way: a named error or a finite motion, soon.
#[test]
fn bad_input_is_named() {
    let free = "[energy]\nkinetic = \"0.5*(x'^2 + y'^2 + z'^2)\"\npotential = \"0.3*(x^2 + y^2)\"\n";
    let start = "[coordinates]\nx = { initial = 1, velocity = -1 }\ny = { initial = 0.3, velocity = -0.3 }\nz = { initial = 0.1, velocity = 0.2 }\n";
    let origin = "[coordinates]\nx = { initial = 0, velocity = -1 }\ny = { initial = 0, velocity = -0.3 }\nz = { initial = 0.1, velocity = 0.2 }\n";
    let cases = [
        ("same", format!("{start}{free}[velocity_constraints]\na = \"x' - z*y'\"\nb = \"2*x' - 2*z*y'\"\n")),
        ("through the origin", format!("{start}{free}[velocity_constraints]\na = \"x*y' - y*x'\"\n")),
        ("at the origin", format!("{origin}{free}[velocity_constraints]\na = \"x*y' - y*x'\"\n")),
        ("near", format!("{start}{free}[velocity_constraints]\na = \"x*y' - (y - 1e-9)*x'\"\n")),
        ("rank on the way", format!("{start}{free}[velocity_constraints]\na = \"y' - z*x'\"\nb = \"x*z' + x^2*y' + y' - z*x'\"\n")),
        ("off", format!("{start}{free}[velocity_constraints]\na = \"z' - y*x' + sin(z)*y'\"\n")),
        ("field", format!("{start}{free}[frame]\nu = {{ field = {{ x = \"x\" }} }}\nv = {{ field = {{ y = 1 }} }}\nw = {{ field = {{ z = 1 }} }}\n")),
        ("fields", format!("{start}{free}[frame]\nu = {{ field = {{ x = 1, y = \"x\", z = \"y\" }} }}\nv = {{ field = {{ x = 1, y = \"x + x^2\", z = \"y\" }} }}\n")),
        ("pole", format!("{start}{free}[frame]\nu = {{ field = {{ x = \"1/x\", z = 1 }} }}\nv = {{ field = {{ y = 1 }} }}\n")),
    ];
    for (name, text) in cases {
        let model = match Model::from_text(&text, "bad.toml", &[]) {
            Ok(model) => model,
            Err(error) => {
                eprintln!("{name}: {error}");
                continue;
            }
        };
        let clock = Instant::now();
        for (way, run) in all_runs(&model, 3.0) {
            match run {
                Ok(run) => {
                    let size = largest(run.q.iter().chain(&run.v).copied());
                    eprintln!("{name}, {way}: ok, size {size:e}, constraint {:e} energy {:e}, ends {:?}", run.constraint_error(), run.energy_error(), end(&run));
                }
                Err(error) => eprintln!("{name}, {way}: {error}"),
            }
        }
        eprintln!("{name}: {:?}", clock.elapsed());
    }
}
