//! The derivative of a whole hybrid motion: variational equations between events, saltation at them.
//!
//! ```text
//! D(flow) = Phi_K Xi_K ... Phi_1 Xi_1 Phi_0
//! ```
//!
//! with the tangent flows `Phi` of the pieces ([`crate::Tangent`]) and the saltation matrices `Xi` of the events
//! (`saltation`). The motion is followed and written down first ([`Follower`]), its derivative is computed afterwards
//! between the times that were found: nothing is differenced. The guard of an impact is the gap, of a release the
//! multiplier of the gap, of a slip the distance from the edge of the friction cone, of a halt the rate of the slip.
//! The adjoint derivative is the transpose.

mod error;
mod events;
mod guards;
mod motion;
mod saltation;
mod trace;

pub use error::DerivativeError;
pub use motion::{Follower, Motion, Until};
pub use trace::{Instant, Piece};

use crate::error::{FlowError, FlowFailure};
use crate::options::FlowOptions;
use crate::tangent::Tangent;
use carom_impact::{GuardTangent, JumpTangent};
use carom_model::{Closed, Dynamics, Hold, System, consistent_tangent};
use guards::Guards;
use saltation::{delay, identity, product};

/// An event on the way, and its part of the derivative.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDerivative {
    /// Time.
    pub t: f64,
    /// Index of the contact.
    pub contact: usize,
    /// What happened: `impact`, `release`, `slip` or `halt`.
    pub kind: &'static str,
    /// Rate of the guard along the motion before the event.
    pub guard_rate: f64,
    /// The saltation matrix `Xi`, row by row, `2n x 2n`.
    pub saltation: Vec<f64>,
    /// Derivative of the time of the event with respect to the initial `(q, v)`.
    pub time_state: Vec<f64>,
    /// The same with respect to the kept values.
    pub time_kept: Vec<f64>,
}

/// The derivative of a motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivative {
    /// `d(q, v)/d(q0, v0)` of the end, row by row. The end of a motion that ends with an impact moves with it.
    pub state: Vec<f64>,
    /// `d(q, v)/dc`, row by row, `2n x p`.
    pub kept: Vec<f64>,
    /// The vector field `(v, a)` at the end: the derivative with respect to a final time that is given.
    pub field: Vec<f64>,
    /// Derivative of the final time with respect to the initial `(q, v)`; zero unless the motion ends with an impact.
    pub time_state: Vec<f64>,
    /// The same with respect to the kept values.
    pub time_kept: Vec<f64>,
    /// Events, in order.
    pub events: Vec<EventDerivative>,
}

/// Differentiates motions of one system.
pub struct HybridTangent {
    dynamics: Dynamics,
    kept: Vec<String>,
    options: FlowOptions,
    names: Vec<String>,
    modes: Vec<(Vec<Closed>, Tangent)>,
    guards: Guards,
    jumps: JumpTangent,
    /// What tells grazing from striking, mode by mode.
    grazing: Vec<(Vec<Closed>, GuardTangent)>,
}

impl HybridTangent {
    /// For derivatives with respect to the initial state and to the parameters and inputs `kept`.
    pub fn new(system: &System, kept: &[String], options: FlowOptions) -> Result<Self, FlowError> {
        let dynamics = Dynamics::keeping(system, &|name| kept.iter().any(|kept| kept == name));
        Ok(Self {
            guards: Guards::new(&dynamics, kept, options.backend)?,
            jumps: JumpTangent::new(system, kept, options.backend)?,
            names: system.contacts().iter().map(|contact| contact.name.clone()).collect(),
            kept: kept.to_vec(),
            modes: Vec::new(),
            grazing: Vec::new(),
            dynamics,
            options,
        })
    }

    /// The derivative of a motion that was followed with the values `kept`.
    pub fn differentiate(&mut self, motion: &Motion, kept: &[f64]) -> Result<Derivative, DerivativeError> {
        self.refuse(motion)?;
        let (size, p) = (2 * self.dynamics.dimension(), kept.len());
        let (state, by_kept) = self.begin(motion, kept)?;
        let mut all = Derivative {
            state,
            kept: by_kept,
            field: vec![0.0; size],
            time_state: vec![0.0; size],
            time_kept: vec![0.0; p],
            events: Vec::new(),
        };
        let mut impacts = motion.impacts.iter();
        for (k, piece) in motion.pieces.iter().enumerate() {
            let mode = self.mode(&piece.closed)?;
            let duration = (piece.end.t - piece.start.t).max(0.0);
            let run = self.modes[mode].1.run(piece.start.parts(), kept, duration)?;
            all.state = product(&run.state, &all.state, size);
            all.kept = sum(&product(&run.state, &all.kept, size), &run.kept);
            let Some(next) = motion.pieces.get(k + 1) else {
                all.field = self.modes[mode].1.rates(piece.end.parts(), kept)?.field;
                break;
            };
            let impact = if piece.is_struck { impacts.next() } else { None };
            let is_last = motion.is_at_section && k + 2 == motion.pieces.len();
            self.pass(&mut all, (piece, next), impact, kept, is_last)?;
        }
        Ok(all)
    }

    /// The state that a motion begins with: what was given, moved onto the constraints.
    fn begin(&self, motion: &Motion, kept: &[f64]) -> Result<(Vec<f64>, Vec<f64>), DerivativeError> {
        let size = 2 * self.dynamics.dimension();
        let Some(first) = motion.pieces.first() else { return Ok((identity(size), vec![0.0; size * kept.len()])) };
        let dynamics = self.dynamics.with_closed(&first.closed);
        let moved = consistent_tangent(&dynamics, (&self.kept, kept), first.start.parts());
        let moved = moved.map_err(|_| FlowFailure::DependentConstraints { time: first.start.t })?;
        let rows = || moved.chunks_exact(size + kept.len());
        let state = rows().flat_map(|row| row[..size].to_vec()).collect();
        Ok((state, rows().flat_map(|row| row[size..].to_vec()).collect()))
    }

    /// Goes on through an event.
    fn pass(
        &mut self,
        all: &mut Derivative,
        (piece, next): (&Piece, &Piece),
        impact: Option<&carom_model::Impact>,
        kept: &[f64],
        is_last: bool,
    ) -> Result<(), DerivativeError> {
        let Some(event) = self.event((piece, next), impact, kept)? else { return Ok(()) };
        let size = event.before.len();
        let time_state = delay(&event.guard, &all.state, &vec![0.0; size]);
        let time_kept = delay(&event.guard, &all.kept, &event.guard.kept);
        let (xi, xi_kept) = saltation::saltation(&event.jump, &event.guard, &event.before, &event.after);
        all.state = product(&xi, &all.state, size);
        all.kept = sum(&product(&xi, &all.kept, size), &xi_kept);
        if is_last {
            // The end moves with the event.
            move_along(&mut all.state, &event.after, &time_state);
            move_along(&mut all.kept, &event.after, &time_kept);
            (all.time_state, all.time_kept) = (time_state.clone(), time_kept.clone());
        }
        let (contact, kind, guard_rate) = (event.contact, event.kind, event.guard.rate);
        let t = piece.end.t;
        all.events.push(EventDerivative { t, contact, kind, guard_rate, saltation: xi, time_state, time_kept });
        Ok(())
    }

    /// The tangent flow of a mode, compiled if it is new.
    fn mode(&mut self, closed: &[Closed]) -> Result<usize, DerivativeError> {
        if let Some(index) = self.modes.iter().position(|(known, _)| known == closed) {
            return Ok(index);
        }
        closed.iter().try_for_each(|contact| self.refuse_friction(contact))?;
        let tangent = Tangent::new(&self.dynamics.with_closed(closed), &self.kept, self.options)?;
        self.modes.push((closed.to_vec(), tangent));
        Ok(self.modes.len() - 1)
    }

    /// The friction of a closed contact is a number in its mode: it must not depend on what is kept.
    fn refuse_friction(&self, closed: &Closed) -> Result<(), DerivativeError> {
        let surface = &self.dynamics.surfaces[closed.surface];
        let is_free = matches!(closed.hold, Hold::Slide { friction, .. } if friction == 0.0);
        let friction = self.dynamics.law_parameters[surface.contact].iter().find(|named| named.name == "friction");
        let Some(friction) = friction.filter(|_| !is_free) else { return Ok(()) };
        let mut graph = self.dynamics.graph.clone();
        let depends = |name: &&String| {
            let variable = graph.variable(name);
            graph.any_depends_on(&[friction.id], &[variable])
        };
        match self.kept.iter().find(depends) {
            Some(name) => Err(DerivativeError::Friction { parameter: name.clone(), contact: surface.name.clone() }),
            None => Ok(()),
        }
    }
}

/// `a + b`
fn sum(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + b).collect()
}

/// Adds `f (d tau)^T`.
fn move_along(matrix: &mut [f64], field: &[f64], delay: &[f64]) {
    for (k, value) in matrix.iter_mut().enumerate() {
        *value += field[k / delay.len()] * delay[k % delay.len()];
    }
}
