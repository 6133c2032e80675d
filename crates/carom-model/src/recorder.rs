//! Writes states into a [`Trajectory`], with everything that is derived from them.

use crate::conserved::conserved;
use crate::legendre::{Legendre, LegendreError};
use crate::quasivelocity::Quasivelocities;
use crate::sink::{Outlet, Sink, SinkError};
use crate::system::System;
use crate::trajectory::{Ending, Invariant, Statistics, Trajectory};
use carom_expr::{Backend, Evaluator, Function, FunctionError, Group, Id};
use carom_linalg::max_abs;

/// A state as a stepper or a flow knows it.
#[derive(Clone, Copy, Debug)]
pub struct Snapshot<'a> {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocity.
    pub v: &'a [f64],
    /// Momentum.
    pub p: &'a [f64],
    /// Multipliers of the constraints.
    pub multipliers: &'a [f64],
}

/// Records states. All of them are kept in memory, unless there is a sink that takes them in pieces.
pub struct Recorder<'s> {
    trajectory: Trajectory,
    outlet: Option<Outlet<'s>>,
    /// Number of holonomic constraints.
    holonomic: usize,
    /// The frame of the model.
    frame: Option<Quasivelocities>,
    invariants: Evaluator,
    input: Vec<f64>,
    values: Vec<f64>,
}

impl<'s> Recorder<'s> {
    /// An empty trajectory of `system`, computed by `method`.
    pub fn new(system: &System, method: &str) -> Result<Self, FunctionError> {
        let dynamics = system.dynamics();
        let mut graph = dynamics.graph.clone();
        // The energy has a column of its own.
        let conserved: Vec<_> = conserved(system, &mut graph).into_iter().filter(|c| c.name != "energy").collect();
        let ids: Vec<Id> = conserved.iter().map(|quantity| quantity.id).collect();
        let (time, outputs) = ([dynamics.time], [Group::new("invariants", &ids)]);
        let state = [Group::new("q", &dynamics.q), Group::new("v", &dynamics.v), Group::new("t", &time)];
        let function = Function::compile(&graph, &state, &outputs, Backend::Interpreter)?;
        let constraints = system.constraints().iter().chain(system.velocity_constraints());
        let constraints = constraints.map(|g| g.name.clone()).collect();
        let mut trajectory = Trajectory::new(system.coordinate_names(), constraints, method);
        trajectory.contacts = system.contacts().iter().map(|contact| contact.name.clone()).collect();
        let fields = system.frame().map_or(&[][..], |frame| frame.span());
        trajectory.quasivelocities = fields.iter().map(|field| field.name.clone()).collect();
        let frame = dynamics.frame.as_ref();
        let compile = |frame| Quasivelocities::new(&dynamics, &dynamics.graph, frame, Backend::Interpreter);
        trajectory.invariants =
            conserved.into_iter().map(|quantity| Invariant { name: quantity.name, values: Vec::new() }).collect();
        Ok(Self {
            trajectory,
            outlet: None,
            holonomic: system.constraints().len(),
            frame: frame.map(compile).transpose()?,
            invariants: function.evaluator(),
            input: vec![0.0; 2 * dynamics.dimension() + 1],
            values: vec![0.0; ids.len()],
        })
    }

    /// The same, before anything was passed on: what it has recorded is copied, its sink is not.
    pub fn copy(&self) -> Recorder<'static> {
        Recorder {
            trajectory: self.trajectory.clone(),
            outlet: None,
            holonomic: self.holonomic,
            frame: self.frame.clone(),
            invariants: self.invariants.clone(),
            input: self.input.clone(),
            values: self.values.clone(),
        }
    }

    /// Appends a node; refuses one that is not finite.
    pub fn record(&mut self, state: Snapshot<'_>, legendre: &mut Legendre) -> Result<(), LegendreError> {
        let n = state.q.len();
        let energy = legendre.energy(state.q, state.v, state.t);
        let parts = [
            (max_abs(state.q), "the configuration"),
            (max_abs(state.v), "the velocity"),
            (max_abs(state.p), "the momentum"),
            (max_abs(state.multipliers), "a multiplier"),
            (energy, "the energy"),
        ];
        if let Some((_, what)) = parts.into_iter().find(|(size, _)| !size.is_finite()) {
            return Err(LegendreError::NotFinite { time: state.t, what });
        }
        let nodes = &mut self.trajectory;
        nodes.t.push(state.t);
        nodes.q.extend(state.q);
        nodes.v.extend(state.v);
        nodes.p.extend(state.p);
        if let Some(frame) = &mut self.frame {
            let begin = nodes.w.len();
            nodes.w.resize(begin + frame.len(), 0.0);
            // Where the fields are dependent there are none.
            if !frame.of(state.q, state.v, &mut nodes.w[begin..]) {
                nodes.w[begin..].fill(f64::NAN);
            }
        }
        // Closed contacts have multipliers of their own, between those of holonomic and velocity constraints.
        let (holonomic, count) = (self.holonomic, state.multipliers.len());
        nodes.multipliers.extend(&state.multipliers[..holonomic]);
        nodes.multipliers.extend(&state.multipliers[count - (nodes.constraints.len() - holonomic)..]);
        nodes.energy.push(energy);
        nodes.constraint_error.push(legendre.constraint_error(state.q, state.v));
        self.input[..n].copy_from_slice(state.q);
        self.input[n..2 * n].copy_from_slice(state.v);
        self.input[2 * n] = state.t;
        self.invariants.eval(&self.input, &mut self.values);
        for (invariant, value) in nodes.invariants.iter_mut().zip(&self.values) {
            invariant.values.push(*value);
        }
        Ok(())
    }

    /// Appends the gaps and normal forces of the contacts at the node that was recorded last.
    pub fn record_contacts(&mut self, gaps: &[f64], forces: &[f64]) {
        self.trajectory.gaps.extend(gaps);
        self.trajectory.contact_forces.extend(forces);
    }

    /// The trajectory so far, for events.
    pub fn log(&mut self) -> &mut Trajectory {
        &mut self.trajectory
    }

    /// Gives what is recorded to `sink`, in pieces of about `rows` rows: a node, a change of mode or a finding
    /// is one, an impact is as large as several. The trajectory in the end is then without them.
    pub fn stream_to(&mut self, rows: usize, sink: Sink<'s>) {
        self.outlet = Some(Outlet::new(rows, sink));
    }

    /// Passes on what is held, if it is a whole piece; to be called between steps, when nodes are complete.
    pub fn pass_on_if_due(&mut self) -> Result<(), SinkError> {
        match &mut self.outlet {
            Some(outlet) if outlet.is_due(&self.trajectory) => outlet.pass_on(&mut self.trajectory),
            _ => Ok(()),
        }
    }

    /// Passes on what is held.
    pub fn pass_on(&mut self) -> Result<(), SinkError> {
        self.outlet.as_mut().map_or(Ok(()), |outlet| outlet.pass_on(&mut self.trajectory))
    }

    /// Time of the last node, or not-a-number.
    pub fn time(&self) -> f64 {
        let passed_on = || self.outlet.as_ref().and_then(Outlet::time);
        self.trajectory.t.last().copied().or_else(passed_on).unwrap_or(f64::NAN)
    }

    /// Ends the trajectory; `failure` says why a run stopped early.
    pub fn finish(mut self, statistics: Statistics, failure: Option<String>) -> Trajectory {
        self.trajectory.statistics = statistics;
        if let Some(message) = failure {
            self.trajectory.ending = Ending::Failed { time: self.time(), message };
        }
        self.trajectory
    }
}
