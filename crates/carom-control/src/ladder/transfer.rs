//! From one mesh to another: the motion as a guess, multipliers as a warm start.
//!
//! Multipliers of momentum balances are costates `lambda(t)`, values of one function of time on any mesh: they are
//! interpolated. Those of bounds and of conditions along the way are impulses, `h` times a density, and take the
//! width of their new interval. Rows and variables are found by name: `phase / node 14 / momentum of x`.

use crate::guess::PhaseGuess;
use crate::solution::PhaseSolution;
use crate::transcription::Transcript;
use carom_nlp::{Multipliers, Nlp};
use std::collections::HashMap;

/// Rows whose multipliers are functions of time.
const COSTATES: [&str; 2] = ["momentum of ", "internal balance"];
/// Points of the guess within an old interval.
const POINTS: usize = 16;

/// The motion of a phase, cubic between its nodes, with the controls that it has within intervals.
pub(crate) fn phase_guess(found: &PhaseSolution) -> PhaseGuess {
    let mut guess = PhaseGuess { duration: found.duration, ..PhaseGuess::default() };
    for k in 0..found.times.len() - 1 {
        let h = found.times[k + 1] - found.times[k];
        for point in 0..=POINTS {
            let x = point as f64 / POINTS as f64;
            guess.times.push(((found.times[k] + x * h - found.begins) / found.duration).clamp(0.0, 1.0));
            let (mut q, mut v) = (Vec::new(), Vec::new());
            for i in 0..found.coordinates.len() {
                let (ends, rates) = ([found.q[k][i], found.q[k + 1][i]], [h * found.v[k][i], h * found.v[k + 1][i]]);
                let (value, slope) = hermite(ends, rates, x);
                q.push(value);
                v.push(slope / h);
            }
            guess.q.push(q);
            guess.v.push(v);
            if found.forces.iter().flatten().all(|force| force.is_finite()) && !found.constraints.is_empty() {
                let ends = found.forces[k].iter().zip(&found.forces[k + 1]);
                guess.forces.push(ends.map(|(a, b)| a + x * (b - a)).collect());
            }
            if !found.inputs.is_empty() {
                guess.u.push(found.controls.at(k, x));
            }
        }
    }
    guess
}

/// The cubic with given values and slopes at 0 and 1, and its slope.
pub(crate) fn hermite([a, b]: [f64; 2], [left, right]: [f64; 2], x: f64) -> (f64, f64) {
    let (c2, c3) = (3.0 * (b - a) - 2.0 * left - right, left + right - 2.0 * (b - a));
    (a + x * (left + x * (c2 + x * c3)), left + x * (2.0 * c2 + 3.0 * c3 * x))
}

/// A name without the number of its node or interval, and which of those with the same name.
type Key = (String, usize);

/// What a value of a program belongs to.
struct Name {
    key: Key,
    /// Share of the duration, and width of the interval, if it belongs to one.
    place: Option<(f64, f64)>,
}

/// Names of the rows and variables of a program.
pub(crate) struct Names {
    rows: Vec<Name>,
    variables: Vec<Name>,
}

impl Names {
    /// Reads the names of a program with the given meshes.
    pub(crate) fn new(transcript: &Transcript, phases: &[String]) -> Self {
        let program = &transcript.program;
        let meshes: Vec<&[f64]> = transcript.layout.phases.iter().map(|own| &own.mesh[..]).collect();
        let all = |count: usize, name: &dyn Fn(usize) -> String| {
            let mut seen: HashMap<String, usize> = HashMap::new();
            (0..count).map(|index| read(&name(index), phases, &meshes, &mut seen)).collect()
        };
        Self {
            rows: all(program.row_ranges().len(), &|index| program.row_name(index)),
            variables: all(program.variable_ranges().len(), &|index| program.variable_name(index)),
        }
    }

    /// The multipliers of a program with these names, carried over to one with the names `new`. None for
    /// collocation: its unknowns include accelerations, which a guess does not know, and multipliers that belong to
    /// another point mislead.
    pub(crate) fn transfer(&self, multipliers: &Multipliers, new: &Self) -> Option<Multipliers> {
        let is_costate = |name: &Name| COSTATES.iter().any(|row| name.key.0.contains(row));
        self.rows.iter().any(is_costate).then(|| Multipliers {
            rows: carry(&self.rows, &multipliers.rows, &new.rows, &is_costate),
            lower: carry(&self.variables, &multipliers.lower, &new.variables, &|_| false),
            upper: carry(&self.variables, &multipliers.upper, &new.variables, &|_| false),
        })
    }
}

fn read(name: &str, phases: &[String], meshes: &[&[f64]], seen: &mut HashMap<String, usize>) -> Name {
    let parts: Vec<&str> = name.split(" / ").collect();
    let phase = phases.iter().position(|phase| phase == parts[0]);
    let count = seen.entry(name.to_owned()).or_default();
    let which = *count;
    *count += 1;
    let whole = Name { key: (name.to_owned(), which), place: None };
    let (Some(phase), Some(middle)) = (phase, parts.get(1)) else { return whole };
    let Some((kind, number)) = middle.rsplit_once(' ') else { return whole };
    let (number, inner) = number.split_once('.').map_or((number, ""), |(number, inner)| (number, inner));
    let Ok(k) = number.parse::<usize>() else { return whole };
    let mesh = meshes[phase];
    let share = |k: usize| mesh[..k.min(mesh.len())].iter().sum::<f64>();
    let width = |k: usize| mesh.get(k).copied().unwrap_or(0.0);
    let place = match kind {
        // A node stands for half of both neighbours.
        "node" => (share(k), 0.5 * (width(k) + if k > 0 { width(k - 1) } else { 0.0 })),
        _ => (share(k) + 0.5 * width(k), width(k)),
    };
    let key = format!("{} / {kind} {inner} / {}", parts[0], parts[2..].join(" / "));
    Name { key: (key, which), place: Some(place) }
}

/// Values by name, interpolated in time.
fn carry(old: &[Name], values: &[f64], new: &[Name], is_function: &dyn Fn(&Name) -> bool) -> Vec<f64> {
    let mut series: HashMap<&Key, Vec<(f64, f64)>> = HashMap::new();
    for (name, &value) in old.iter().zip(values) {
        let (share, width) = name.place.unwrap_or((0.0, 1.0));
        let density = if is_function(name) || name.place.is_none() { value } else { value / width };
        series.entry(&name.key).or_default().push((share, density));
    }
    let one = |name: &Name| {
        let Some(points) = series.get(&name.key) else { return 0.0 };
        let Some((share, width)) = name.place else { return points[0].1 };
        let value = interpolate(points, share);
        if is_function(name) { value } else { value * width }
    };
    new.iter().map(one).collect()
}

fn interpolate(points: &[(f64, f64)], share: f64) -> f64 {
    let after = points.partition_point(|point| point.0 <= share).min(points.len() - 1);
    let before = after.saturating_sub(1);
    let width = points[after].0 - points[before].0;
    let x = if width > 0.0 { ((share - points[before].0) / width).clamp(0.0, 1.0) } else { 1.0 };
    points[before].1 + x * (points[after].1 - points[before].1)
}
