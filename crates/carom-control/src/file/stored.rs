//! A solution on disk: what pictures show, and what another search needs to begin there.

use super::json::Fields;
use crate::controls::ControlTrack;
use crate::guess::{Guess, PhaseGuess};
use crate::problem::{ControlProblem, Phase};
use crate::solution::{PhaseSolution, Solution, TransitionSolution};
use carom_nlp::Multipliers;
use serde_json::{Value, json};

/// What tells a stored solution from other files.
const FORMAT: &str = "carom-solution";
/// Rises when a reader of the former version would misunderstand a file.
const VERSION: u64 = 1;

/// A solution as it is stored: motion, point and multipliers.
#[derive(Clone, Debug)]
pub struct StoredSolution {
    /// Name of the transcription.
    pub method: String,
    /// One per phase.
    pub phases: Vec<PhaseSolution>,
    /// One per transition.
    pub transitions: Vec<TransitionSolution>,
    /// Freed parameters by name.
    pub freed: Vec<(String, f64)>,
    /// The point of the program.
    pub point: Vec<f64>,
    /// Its multipliers.
    pub multipliers: Multipliers,
}

impl StoredSolution {
    /// The file in the folder of a result.
    pub const FILE: &'static str = "solution.json";

    /// What is worth keeping of a solution.
    pub fn of(solution: &Solution) -> Self {
        Self {
            method: solution.method.clone(),
            phases: solution.phases.clone(),
            transitions: solution.transitions.clone(),
            freed: solution.freed.clone(),
            point: solution.outcome.point.clone(),
            multipliers: solution.outcome.multipliers.clone(),
        }
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        json!({
            "format": FORMAT,
            "format_version": VERSION,
            "method": self.method,
            "freed": named(&self.freed),
            "phases": self.phases.iter().map(phase_json).collect::<Vec<_>>(),
            "transitions": self.transitions.iter().map(transition_json).collect::<Vec<_>>(),
            "point": self.point,
            "multipliers": {
                "rows": self.multipliers.rows, "lower": self.multipliers.lower, "upper": self.multipliers.upper,
            },
        })
    }

    /// Reads what [`StoredSolution::json`] has written; else what is wrong.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if value["format"] != FORMAT || value["format_version"] != VERSION {
            return Err(format!("its format is not `{FORMAT}`, version {VERSION}"));
        }
        let fields = Fields(&value);
        let multipliers = fields.inner("multipliers");
        Ok(Self {
            method: fields.text("method")?,
            phases: fields.list("phases", phase)?,
            transitions: fields.list("transitions", transition)?,
            freed: fields.named("freed")?,
            point: fields.numbers("point")?,
            multipliers: Multipliers {
                rows: multipliers.numbers("rows")?,
                lower: multipliers.numbers("lower")?,
                upper: multipliers.numbers("upper")?,
            },
        })
    }

    /// Shares of the duration that the nodes of a phase are apart.
    pub fn shares(&self, phase: usize) -> Vec<f64> {
        let stored = &self.phases[phase];
        stored.times.windows(2).map(|pair| (pair[1] - pair[0]) / stored.duration).collect()
    }

    /// Puts the stored motion into a guess; coordinates and inputs are found by name.
    pub fn fill(&self, problem: &ControlProblem, guess: &mut Guess) -> Result<(), String> {
        for (number, (phase, own)) in problem.phases.iter().zip(&mut guess.phases).enumerate() {
            let by_name = self.phases.iter().find(|stored| stored.name == phase.name);
            let by_number = self.phases.get(number).filter(|_| self.phases.len() == problem.phases.len());
            let Some(stored) = by_name.or(by_number) else {
                return Err(format!("it has no phase `{}`", phase.name));
            };
            *own = fit(stored, phase, own);
        }
        let find = |name: &String| self.freed.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        let freed: Option<Vec<f64>> = problem.freed.iter().map(|freed| find(&freed.name)).collect();
        guess.freed = freed.unwrap_or_default();
        Ok(())
    }
}

/// The motion in the coordinates and inputs of a phase; what is not known is taken from `other`.
fn fit(stored: &PhaseSolution, phase: &Phase, other: &PhaseGuess) -> PhaseGuess {
    let motion = stored.guess();
    let names = phase.system.coordinate_names();
    let inputs: Vec<String> = phase.system.inputs().iter().map(|input| input.name.clone()).collect();
    let pick = |list: &[Vec<f64>], known: &[String], wanted: &[String], other: &dyn Fn(f64) -> Vec<f64>| {
        let row = |(values, &time): (&Vec<f64>, &f64)| {
            let own = other(time);
            let value = |(i, name): (usize, &String)| {
                known.iter().position(|known| known == name).map_or(own[i], |place| values[place])
            };
            wanted.iter().enumerate().map(value).collect()
        };
        list.iter().zip(&motion.times).map(row).collect()
    };
    PhaseGuess {
        duration: motion.duration,
        q: pick(&motion.q, &stored.coordinates, &names, &|time| other.at(time)),
        v: pick(&motion.v, &stored.coordinates, &names, &|time| other.velocity(time)),
        u: pick(&motion.u, &stored.inputs, &inputs, &|time| other.control(time, inputs.len())),
        times: motion.times.clone(),
        ..PhaseGuess::default()
    }
}

fn named(list: &[(String, f64)]) -> Vec<Value> {
    list.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect()
}

fn phase_json(phase: &PhaseSolution) -> Value {
    json!({
        "name": phase.name, "coordinates": phase.coordinates, "inputs": phase.inputs,
        "constraints": phase.constraints, "begins": phase.begins, "duration": phase.duration,
        "times": phase.times, "q": phase.q, "v": phase.v,
        "controls": { "fractions": phase.controls.fractions, "values": phase.controls.values },
        "forces": phase.forces, "work": phase.work, "absolute_work": phase.absolute_work, "costates": phase.costates,
    })
}

fn phase(fields: Fields<'_>) -> Result<PhaseSolution, String> {
    let controls = fields.inner("controls");
    let found = PhaseSolution {
        name: fields.text("name")?,
        coordinates: fields.texts("coordinates")?,
        inputs: fields.texts("inputs")?,
        constraints: fields.texts("constraints")?,
        begins: fields.number("begins")?,
        duration: fields.number("duration")?,
        times: fields.numbers("times")?,
        q: fields.rows("q")?,
        v: fields.rows("v")?,
        controls: ControlTrack { fractions: controls.numbers("fractions")?, values: controls.tables("values")? },
        forces: fields.rows("forces")?,
        work: fields.rows("work")?,
        absolute_work: fields.rows("absolute_work")?,
        costates: fields.rows("costates")?,
    };
    let fits = |list: &[Vec<f64>], length: usize, width: usize| {
        list.len() == length && list.iter().all(|row| row.len() == width)
    };
    let (nodes, n, m) = (found.times.len(), found.coordinates.len(), found.inputs.len());
    let values = &found.controls.values;
    let controls_fit = values.is_empty() && m == 0
        || values.len() + 1 == nodes && values.iter().all(|rows| fits(rows, m, found.controls.fractions.len()));
    let ascends = found.times.windows(2).all(|pair| pair[0] <= pair[1]) && found.duration > 0.0;
    let forces_fit = found.constraints.is_empty() || fits(&found.forces, nodes, found.constraints.len());
    match nodes > 1 && ascends && controls_fit && forces_fit && fits(&found.q, nodes, n) && fits(&found.v, nodes, n) {
        true => Ok(found),
        false => Err(format!("phase `{}` is damaged", found.name)),
    }
}

fn transition_json(link: &TransitionSolution) -> Value {
    json!({
        "name": link.name, "phases": link.phases, "time": link.time, "q": link.q, "v_minus": link.v_minus,
        "v_plus": link.v_plus, "impulses": named(&link.impulses), "energies": link.energies,
    })
}

fn transition(fields: Fields<'_>) -> Result<TransitionSolution, String> {
    let pair = |key: &str| match fields.numbers(key)?[..] {
        [a, b] => Ok([a, b]),
        _ => Err(format!("`{key}` is no pair")),
    };
    Ok(TransitionSolution {
        name: fields.text("name")?,
        phases: pair("phases")?.map(|number| number as usize),
        time: fields.number("time")?,
        q: fields.numbers("q")?,
        v_minus: fields.numbers("v_minus")?,
        v_plus: fields.numbers("v_plus")?,
        impulses: fields.named("impulses")?,
        energies: pair("energies")?,
    })
}
