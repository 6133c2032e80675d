//! The step map and its derivative.
//!
//! `P(x)` is the state `x = (q, v)` after one step: the hybrid flow up to the section, then the relabelling. An orbit is
//! a fixed point of `P`, as far as the free components `z` of `x` go; those that drift stay what they were. The
//! derivative is exact ([`HybridTangent`]), restricted to admissible changes of the start ([`Admissible`]).

use super::admissible::Admissible;
use super::error::OrbitError;
use super::relabel::Relabel;
use super::setup::{OrbitSetup, StepEnd};
use carom_flow::{FlowOptions, Follower, HybridTangent, Motion};
use carom_impact::ContactOptions;
use carom_model::{Closed, Model, System};

/// One step.
#[derive(Clone, Debug)]
pub struct StepImage {
    /// The start, on the constraints.
    pub start: Vec<f64>,
    /// The state after the step.
    pub state: Vec<f64>,
    /// Its duration.
    pub duration: f64,
    /// The motion.
    pub motion: Motion,
}

/// The derivative of a step, for the free components of the state.
#[derive(Clone, Debug, PartialEq)]
pub struct StepDerivative {
    /// `dP/dz`, row by row.
    pub state: Vec<f64>,
    /// `d(P - z)/dc`, row by row; the start moves with the constraints that depend on `c`.
    pub kept: Vec<f64>,
    /// `dP/dT` for steps of a given duration `T`.
    pub field: Vec<f64>,
    /// `dT/dz` of the duration.
    pub time_state: Vec<f64>,
    /// `dT/dc` of the duration.
    pub time_kept: Vec<f64>,
}

/// The step map of a model.
pub struct StepMap {
    follower: Follower,
    tangent: HybridTangent,
    relabel: Option<Relabel>,
    admissible: Admissible,
    /// Contacts that are closed at the start.
    closed: Option<Vec<Closed>>,
    setup: OrbitSetup,
    options: FlowOptions,
    names: Vec<String>,
    kept: Vec<String>,
    values: Vec<f64>,
}

impl StepMap {
    /// The steps of `model`; derivatives are with respect to the state and the parameters `kept`.
    pub fn new(model: &Model, setup: &OrbitSetup, kept: &[String], options: FlowOptions) -> Result<Self, OrbitError> {
        let system = &model.system;
        Ok(Self {
            follower: Follower::new(system, options, ContactOptions::default())?,
            tangent: HybridTangent::new(system, kept, options)?,
            relabel: Relabel::new(model, kept, options.backend)?,
            admissible: Admissible::new(system, kept, options.backend),
            closed: None,
            setup: setup.clone(),
            options,
            names: system.contacts().iter().map(|contact| contact.name.clone()).collect(),
            values: values(system, kept)?,
            kept: kept.to_vec(),
        })
    }

    /// What a step is.
    pub fn setup(&self) -> &OrbitSetup {
        &self.setup
    }

    /// Goes over to other values of the parameters that are kept, and steps that go with them; `system` is the same
    /// otherwise.
    pub fn change(&mut self, system: &System, setup: OrbitSetup) -> Result<(), OrbitError> {
        self.setup = setup;
        // Compiling would take longer than the few steps that follow.
        let options = FlowOptions { backend: carom_expr::Backend::Interpreter, ..self.options };
        self.follower = Follower::new(system, options, ContactOptions::default())?;
        self.values = values(system, &self.kept)?;
        Ok(())
    }

    /// One step from a state.
    pub fn step(&mut self, state: &[f64]) -> Result<StepImage, OrbitError> {
        let (n, mut state) = (state.len() / 2, state.to_vec());
        // Contacts that were closed at the start of the first step are at the start of all.
        if let Some(closed) = &self.closed {
            self.admissible.settle(closed, &mut state, &self.values)?;
        }
        let motion = self.follower.follow((0.0, &state[..n], &state[n..]), self.setup.until())?;
        if let StepEnd::Impact { contact, count, within } = self.setup.end
            && !motion.is_at_section
        {
            let strikes = |impact: &&carom_model::Impact| impact.impulses.iter().any(|i| i.contact == contact);
            let found = motion.impacts.iter().filter(strikes).count();
            return Err(OrbitError::NotReached { contact: self.names[contact].clone(), found, count, within });
        }
        let first = &motion.pieces[0];
        self.closed.get_or_insert_with(|| first.closed.clone());
        let start = [&first.start.q[..], &first.start.v].concat();
        let end = motion.end();
        let (duration, state) = match &mut self.relabel {
            None => (end.t, [&end.q[..], &end.v].concat()),
            Some(relabel) => (end.t, relabel.at(&end.q, &end.v, &self.values).0),
        };
        Ok(StepImage { start, state, duration, motion })
    }

    /// The derivative of a step.
    pub fn derivative(&mut self, image: &StepImage) -> Result<StepDerivative, OrbitError> {
        let (size, p) = (image.state.len(), self.values.len());
        let found = self.tangent.differentiate(&image.motion, &self.values)?;
        let (mut state, mut kept, mut field) = (found.state, found.kept, found.field);
        if let Some(relabel) = &mut self.relabel {
            let end = image.motion.end();
            let slopes = relabel.at(&end.q, &end.v, &self.values).1;
            let columns = size + p;
            let own: Vec<f64> = slopes.chunks_exact(columns).flat_map(|row| row[..size].to_vec()).collect();
            let direct: Vec<f64> = slopes.chunks_exact(columns).flat_map(|row| row[size..].to_vec()).collect();
            (state, kept) = (product(&own, &state, size), product(&own, &kept, size));
            kept.iter_mut().zip(direct).for_each(|(sum, value)| *sum += value);
            field = product(&own, &field, size);
        }
        let (closed, free) = (&image.motion.pieces[0].closed, &self.setup.free);
        let lift = self.admissible.lift(closed, (&image.start, &self.values), free)?;
        let moved = product(&state, &lift.kept, size);
        let picked = |matrix: &[f64], columns: usize| -> Vec<f64> {
            free.iter().flat_map(|&i| matrix[i * columns..(i + 1) * columns].to_vec()).collect()
        };
        let kept: Vec<f64> =
            kept.iter().zip(moved).zip(&lift.kept).map(|((direct, moved), start)| direct + moved - start).collect();
        let time_moved = product(&found.time_state, &lift.kept, size);
        Ok(StepDerivative {
            state: picked(&product(&state, &lift.state, size), free.len()),
            kept: picked(&kept, p),
            field: free.iter().map(|&i| field[i]).collect(),
            time_state: product(&found.time_state, &lift.state, size),
            time_kept: found.time_kept.iter().zip(time_moved).map(|(direct, moved)| direct + moved).collect(),
        })
    }
}

/// Values of parameters.
fn values(system: &System, names: &[String]) -> Result<Vec<f64>, OrbitError> {
    let value = |name: &String| {
        let found = system.parameters().iter().find(|parameter| parameter.name == *name);
        found.map(|parameter| parameter.value).ok_or_else(|| {
            let known: Vec<&str> = system.parameters().iter().map(|parameter| parameter.name.as_str()).collect();
            OrbitError::UnknownParameter { name: name.clone(), known: known.join(", ") }
        })
    };
    names.iter().map(value).collect()
}

/// `A B` for `A` with `size` columns, row by row.
pub(super) fn product(a: &[f64], b: &[f64], size: usize) -> Vec<f64> {
    let columns = b.len() / size;
    let entry = |i: usize, j: usize| (0..size).map(|l| a[i * size + l] * b[l * columns + j]).sum();
    (0..a.len() / size).flat_map(|i| (0..columns).map(move |j| (i, j))).map(|(i, j)| entry(i, j)).collect()
}
