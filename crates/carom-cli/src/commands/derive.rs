//! `carom derive`: how the end of a run moves with its start and with parameters.

mod summary;

use super::load;
use crate::args::Derive;
use crate::failure::Failure;
use crate::output::{complain, print};
use crate::progress::{Busy, Progress};
use carom::discrete::DiscreteTangent;
use carom::flow::{Follower, HybridTangent, Until};
use carom::impact::NotDifferentiable;
use carom::run::{Integrator, Plan, flow_options};
use carom::{Backend, JumpKind, Method, Model, Schedule, Simulation};
use summary::{describe, tables};

/// How a parameter is changed to see whether the initial state follows, as a part of it.
const SMALL: f64 = 1e-6;
/// Numbers of a recorded step per coordinate, about.
const PER_COORDINATE: f64 = 8.0;
/// Bytes of recorded steps that are too many.
const MAX_BYTES: f64 = 4e9;

/// A derivative, whatever computed it.
struct Found {
    t: f64,
    /// Configuration and velocity at the end.
    end: Vec<f64>,
    /// By the initial configuration and velocity, row by row.
    state: Vec<f64>,
    /// By the parameters, row by row.
    parameters: Vec<f64>,
    events: Vec<Event>,
    /// Second derivatives of the component with this number, by initial state and parameters, row by row.
    second: Option<(usize, Vec<f64>)>,
}

/// An event with its saltation matrix.
struct Event {
    t: f64,
    contact: String,
    kind: &'static str,
    saltation: Vec<f64>,
    /// Derivatives of its time by the initial state and by the parameters.
    time: [Vec<f64>; 2],
}

/// Runs the command.
pub fn run(args: &Derive) -> Result<(), Failure> {
    let model = load(&args.model, &args.overrides())?;
    let plan = Plan::new(&model, if args.interpret { Backend::Interpreter } else { Backend::fastest() })?;
    let by = parameters(args, &model)?;
    hold_start(args, &model, &by)?;
    let found = match &plan.integrator {
        Integrator::Fixed(method) => {
            let second = second(args, &model)?;
            discrete(&model, &plan, method, (&by, second), args.json)?
        }
        Integrator::Taylor if args.second.is_some() => {
            let message = "--second is for methods with steps: the flow has first derivatives only";
            return Err(Failure::Settings(message.to_owned()));
        }
        Integrator::Taylor => continuous(&model, &plan, &by, args.json)?,
        Integrator::Energy(_) => {
            let message = "steps that keep the discrete energy have no derivatives here; use their rule, or taylor";
            return Err(Failure::Settings(message.to_owned()));
        }
    };
    if args.json { print(&describe(&model, &plan, &by, &found)) } else { print(&tables(&model, &plan, &by, &found)) }
}

/// The component of `--second`.
fn second(args: &Derive, model: &Model) -> Result<Option<usize>, Failure> {
    let Some(name) = args.second.as_deref().map(str::trim) else { return Ok(None) };
    let names = summary::names(model);
    let place = names.iter().position(|known| known == name);
    let wrong = || format!("--second {name}: there is no coordinate or rate `{name}`; there are: {}", names.join(", "));
    place.map(Some).ok_or_else(|| Failure::Settings(wrong()))
}

/// The parameters of `--by`: each known, and once.
fn parameters<'a>(args: &'a Derive, model: &Model) -> Result<Vec<&'a str>, Failure> {
    let by: Vec<&str> = args.by.iter().map(|name| name.trim()).collect();
    let known: Vec<&str> = model.system.parameters().iter().map(|parameter| parameter.name.as_str()).collect();
    let there = if known.is_empty() { "there are none".to_owned() } else { format!("there are: {}", known.join(", ")) };
    for (index, name) in by.iter().enumerate() {
        let wrong = match *name {
            "" => format!("--by: a name is missing; {there}"),
            name if !known.contains(&name) => format!("--by {name}: there is no parameter `{name}`; {there}"),
            name if by[..index].contains(&name) => format!("--by: `{name}` is given twice"),
            _ => continue,
        };
        return Err(Failure::Settings(wrong));
    }
    Ok(by)
}

/// Says so if the initial state is a formula of a parameter: it is held, since its own derivatives are listed.
fn hold_start(args: &Derive, model: &Model, by: &[&str]) -> Result<(), Failure> {
    for name in by {
        let value = model.system.parameters().iter().find(|p| p.name == *name).map_or(0.0, |p| p.value);
        let moved = value + SMALL * value.abs().max(1.0);
        let mut overrides = args.overrides();
        overrides.retain(|(known, _)| known != name);
        overrides.push(((*name).to_owned(), format!("{moved:?}")));
        let Ok(other) = Model::from_path(&args.model, &overrides) else { continue };
        if (&other.initial.q, &other.initial.v) != (&model.initial.q, &model.initial.v) {
            complain(&format!(
                "note: the initial state of the model is a formula of `{name}`; here it is held, and `by {name}` is what `{name}` does to the motion alone"
            ));
        }
    }
    Ok(())
}

/// By the converged equations of every step.
fn discrete(
    model: &Model,
    plan: &Plan,
    method: &Method,
    (by, second): (&[&str], Option<usize>),
    is_quiet: bool,
) -> Result<Found, Failure> {
    let steps = plan.until / plan.step;
    let bytes = steps * 8.0 * PER_COORDINATE * model.system.dimension() as f64;
    if bytes > MAX_BYTES {
        let message = format!(
            "derivatives keep every step in memory, and {steps:.1e} steps would take about {:.0} GB; use a longer step, a shorter run, or taylor",
            bytes / 1e9
        );
        return Err(Failure::Settings(message));
    }
    let options = plan.options();
    let schedule = Schedule { start: 0.0, until: plan.until, step: plan.step, every: 1 };
    let simulation = Simulation::new(&model.system, method, options)?;
    let mut progress = Progress::new(plan.until, is_quiet);
    let mut observe = |t: f64| {
        progress.observe(t);
        true
    };
    let run = simulation.run_recorded(&model.initial.q, &model.initial.v, schedule, &mut observe);
    progress.finish();
    let (_, record) = run?;
    let mut tangent = DiscreteTangent::new(&model.system, by, method, options).map_err(refused)?;
    let busy = Busy::new("derivatives", is_quiet);
    let derivative = tangent.forward(&record);
    busy.finish();
    let derivative = derivative.map_err(refused)?;
    let mut hessian = |place: usize| {
        let covector: Vec<f64> = (0..derivative.q.len() * 2).map(|k| f64::from(u8::from(k == place))).collect();
        tangent.second(&record, &covector).map(|second| (place, second.hessian)).map_err(refused)
    };
    let second = second.map(&mut hessian).transpose()?;
    let name = |contact: usize| model.system.contacts()[contact].name.clone();
    let event = |event: carom::discrete::EventDerivative| Event {
        t: event.t,
        contact: name(event.contact),
        kind: event.kind,
        saltation: event.saltation,
        time: [event.time_state, event.time_parameters],
    };
    Ok(Found {
        t: derivative.t,
        end: [derivative.q, derivative.v].concat(),
        state: derivative.state,
        parameters: derivative.parameters,
        events: derivative.events.into_iter().map(event).collect(),
        second,
    })
}

/// By the variational equations of the flow.
fn continuous(model: &Model, plan: &Plan, by: &[&str], is_quiet: bool) -> Result<Found, Failure> {
    let kept: Vec<String> = by.iter().map(|name| (*name).to_owned()).collect();
    let value = |name: &&str| model.system.parameters().iter().find(|p| p.name == **name).map_or(f64::NAN, |p| p.value);
    let values: Vec<f64> = by.iter().map(value).collect();
    let failed = |error: &dyn std::fmt::Display| Failure::Run(error.to_string());
    let contacts = carom::ContactOptions { jump: JumpKind::Pointwise, ..plan.contacts };
    let mut follower = Follower::new(&model.system, flow_options(plan), contacts).map_err(|error| failed(&error))?;
    let start = (0.0, &model.initial.q[..], &model.initial.v[..]);
    let busy = Busy::new("the motion", is_quiet);
    let motion = follower.follow(start, Until::Time(plan.until));
    busy.finish();
    let motion = motion.map_err(|error| failed(&error))?;
    let tangent = HybridTangent::new(&model.system, &kept, flow_options(plan));
    let busy = Busy::new("derivatives", is_quiet);
    let derivative = tangent.map_err(|error| failed(&error))?.differentiate(&motion, &values);
    busy.finish();
    let derivative = derivative.map_err(|error| failed(&error))?;
    let event = |event: carom::flow::EventDerivative| Event {
        t: event.t,
        contact: model.system.contacts()[event.contact].name.clone(),
        kind: event.kind,
        saltation: event.saltation,
        time: [event.time_state, event.time_kept],
    };
    let end = motion.end();
    Ok(Found {
        t: end.t,
        end: [&end.q[..], &end.v].concat(),
        state: derivative.state,
        parameters: derivative.kept,
        events: derivative.events.into_iter().map(event).collect(),
        second: None,
    })
}

fn refused(error: NotDifferentiable) -> Failure {
    Failure::Run(error.to_string())
}
