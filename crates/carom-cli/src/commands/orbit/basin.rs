//! The grid of starts of `--basin`.

use super::failure;
use crate::args::Orbit as Arguments;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::projection::number;
use carom::Model;
use carom::control::orbit::{Basin, BasinAxis, BasinOptions, Orbit, OrbitSetup, state_names};
use std::sync::Mutex;

/// Where the values of an axis go.
#[derive(Clone, Copy)]
enum Place {
    /// A component of the state.
    State(usize),
    /// A parameter of the initial state.
    Parameter,
}

/// The axes of the grid.
pub(super) struct Grid {
    axes: [BasinAxis; 2],
    places: [Place; 2],
}

impl Grid {
    /// Reads `x=from:to,y=from:to`.
    pub(super) fn new(args: &Arguments, text: &str, model: &Model) -> Result<Self, Failure> {
        let (axes, places) = axes(args, text, model)?;
        if axes[0].name == axes[1].name {
            let message = format!("--basin: `{}` is both axes; give two different ones", axes[0].name);
            return Err(Failure::Settings(message));
        }
        Ok(Self { axes, places })
    }

    /// Follows all starts; also the place of the orbit, if the axes are components of the state.
    pub(super) fn follow(
        self,
        args: &Arguments,
        model: &Model,
        setup: &OrbitSetup,
        orbit: &Orbit,
    ) -> Result<(Basin, Option<[f64; 2]>), Failure> {
        let Self { axes, places } = self;
        let names = [axes[0].name.clone(), axes[1].name.clone()];
        let start = |x: f64, y: f64| {
            let mut state = match places {
                [Place::State(_), Place::State(_)] => orbit.state.clone(),
                _ => initial(args, model, &names, [x, y], places)?,
            };
            for (place, value) in places.into_iter().zip([x, y]) {
                if let Place::State(index) = place {
                    state[index] = value;
                }
            }
            Some(state)
        };
        let total = axes[0].count * axes[1].count;
        let progress = Mutex::new(Progress::counting("start", total as f64, args.quiet || args.json));
        let options = BasinOptions { steps: args.steps as usize, ..BasinOptions::default() };
        let observe = |done: usize| {
            if let Ok(mut progress) = progress.lock() {
                progress.observe(done as f64);
            }
            true
        };
        let basin = Basin::new(model, setup, &orbit.state, axes, &start, options, &observe).map_err(failure)?;
        if let Ok(progress) = progress.into_inner() {
            progress.finish();
        }
        let at = match places {
            [Place::State(x), Place::State(y)] => Some([orbit.state[x], orbit.state[y]]),
            _ => None,
        };
        Ok((basin, at))
    }
}

/// The initial state of the model with other parameters; none if that is no state.
fn initial(
    args: &Arguments,
    model: &Model,
    names: &[String; 2],
    values: [f64; 2],
    places: [Place; 2],
) -> Option<Vec<f64>> {
    let given = names.iter().zip(values).zip(places).filter(|(_, place)| matches!(place, Place::Parameter));
    let own = given.map(|((name, value), _)| (format!("parameters.{name}"), format!("{value:?}")));
    let overrides: Vec<(String, String)> = args.set.iter().cloned().chain(own).collect();
    let model = Model::from_text(&model.source, &args.model.display().to_string(), &overrides).ok()?;
    Some([model.initial.q, model.initial.v].concat())
}

/// Names and ranges, and where their values go.
fn axes(args: &Arguments, text: &str, model: &Model) -> Result<([BasinAxis; 2], [Place; 2]), Failure> {
    let wrong = || {
        let example = "write two axes, such as `theta=0:0.3,theta'=-0.4:0`";
        Failure::Settings(format!("--basin: `{text}` is no grid; {example}"))
    };
    let mut found = Vec::new();
    for part in text.split(',') {
        let (name, range) = part.split_once('=').ok_or_else(wrong)?;
        let (from, to) = range.split_once(':').ok_or_else(wrong)?;
        let range = (number(model, "--basin", from)?, number(model, "--basin", to)?);
        if range.0 >= range.1 {
            let message = format!("--basin: `{part}` is empty; write the smaller number first");
            return Err(Failure::Settings(message));
        }
        let name = name.trim().to_owned();
        let place = place(model, &name)?;
        found.push((BasinAxis { name, range, count: args.cells as usize }, place));
    }
    let [(x, first), (y, second)] = <[_; 2]>::try_from(found).map_err(|_| wrong())?;
    Ok(([x, y], [first, second]))
}

fn place(model: &Model, name: &str) -> Result<Place, Failure> {
    let states = state_names(&model.system);
    if let Some(index) = states.iter().position(|known| known == name) {
        return Ok(Place::State(index));
    }
    let parameters = model.system.parameters();
    if !parameters.iter().any(|parameter| parameter.name == name) {
        let known: Vec<&str> = parameters.iter().map(|parameter| parameter.name.as_str()).collect();
        let (states, known) = (states.join(", "), known.join(", "));
        let message = format!("--basin: there is no `{name}`; coordinates and rates: {states}; parameters: {known}");
        return Err(Failure::Settings(message));
    }
    // A parameter may act through others that are formulas of it.
    let dependents = model.system.dependents(&[name.to_owned()]);
    let matters = |name: &str| carom::control::orbit::matters(&model.system, name);
    if matters(name) || dependents.iter().any(|name| matters(name)) {
        let message = format!(
            "--basin: `{name}` changes how the system moves; axes are coordinates, rates, and parameters of the initial state"
        );
        return Err(Failure::Settings(message));
    }
    Ok(Place::Parameter)
}
