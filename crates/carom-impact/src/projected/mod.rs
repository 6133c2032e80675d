//! Motions with impacts as smooth paths: the switched system of a projection, by any integrator.
//!
//! The path `z(t)` obeys `L(z, z')` inside the feasible set and `L(P(z), P'(z) z')` outside of it
//! ([`Projection::sides`]). At the boundary nothing is reset: the momentum goes through,
//!
//! ```text
//! [ dL/dq' P'(z) ] = 0                                                                   (7) of 000, (9) of 002
//! ```
//!
//! and `q = P(z)` has an elastic impact. `z'` is continuous as well, which follows and is not used: how well it holds
//! is recorded at every crossing.

mod crossing;
mod observe;
mod side;

pub use observe::{Grid, ProjectedPath, ProjectedRun};

use crate::error::ImpactError;
use crate::initial::{AT_FIRST, check_state};
use crate::smooth::{Arrival, Attention, Smooth, Start, Watch};
use carom_expr::Backend;
use carom_model::projection::{Projection, ProjectionMap};
use carom_model::{Dynamics, System};
use side::{Side, Tendency};
use std::sync::Arc;

/// So many touches without a crossing at one instant cannot be told from crossings.
const MAX_PASSES: usize = 100;
/// So many crossings in a row, each right after the other, are a storm.
const STORM: usize = 1000;
/// Time moves on if it does so by this part of itself.
const PROGRESS: f64 = 1e-9;

/// A crossing of the boundary.
#[derive(Clone, Debug, PartialEq)]
pub struct Crossing {
    /// Time.
    pub t: f64,
    /// Interval of time that is known to hold it.
    pub bracket: (f64, f64),
    /// The point of the boundary.
    pub z: Vec<f64>,
    /// Velocity before, from the momentum on that side.
    pub dz_minus: Vec<f64>,
    /// Velocity after, from the same momentum on the other side.
    pub dz_plus: Vec<f64>,
    /// True if the path leaves the feasible set.
    pub leaves: bool,
    /// Iterations that locating it took.
    pub iterations: usize,
}

impl Crossing {
    /// The jump of `z'`, relative to its size: zero for a path that is continuously differentiable.
    pub fn kink(&self) -> f64 {
        self.jump() / carom_linalg::max_abs(&self.dz_minus).max(f64::MIN_POSITIVE)
    }

    /// The largest jump of a component of `z'`.
    fn jump(&self) -> f64 {
        let jump = self.dz_plus.iter().zip(&self.dz_minus).map(|(after, before)| (after - before).abs());
        jump.fold(0.0, f64::max)
    }
}

/// A smooth path on its way through both sides.
pub struct Projected<S> {
    sides: [Side<S>; 2],
    map: ProjectionMap,
    /// Places of the coordinates among those of the whole system.
    places: Vec<usize>,
    contact: String,
    /// Number of coordinates of the whole system.
    whole: usize,
    /// 0 inside, 1 outside.
    current: usize,
    watch: Watch,
    /// The largest velocity that was met.
    fastest: f64,
    /// Turns of the circle that are not in the state.
    turns: f64,
    /// Touches without a crossing since time last moved on, and crossings.
    passes: (usize, f64),
    storm: (usize, f64),
}

impl<S: Smooth> Projected<S> {
    /// The switched system of a projection; `integrator` makes the integrator of each side.
    pub fn new<E: From<carom_model::projection::ProjectionError> + From<carom_expr::FunctionError>>(
        projection: &Projection,
        backend: Backend,
        mut integrator: impl FnMut(&System, Arc<Dynamics>) -> Result<S, E>,
    ) -> Result<Self, E> {
        let [inside, outside] = projection.sides()?;
        let mut side = |system: &System| -> Result<Side<S>, E> {
            let dynamics = system.dynamics();
            let smooth = integrator(system, dynamics.clone())?;
            Ok(Side::new(smooth, &dynamics, projection, backend)?)
        };
        let sides = [side(&inside)?, side(&outside)?];
        Ok(Self {
            sides,
            map: projection.map()?,
            places: projection.simple().places.clone(),
            contact: projection.simple().contact.clone(),
            whole: projection.simple().embedding.len(),
            current: 0,
            watch: Watch { surfaces: vec![Attention::Guarded], ..Watch::default() },
            fastest: 0.0,
            turns: 0.0,
            passes: (0, f64::NEG_INFINITY),
            storm: (0, f64::NEG_INFINITY),
        })
    }

    /// Begins at a feasible state `(q, v)` of the whole system: `z = q`.
    pub fn begin(&mut self, (t, q, v): (f64, &[f64], &[f64]), log: &mut Vec<Crossing>) -> Result<(), S::Error> {
        check_state((t, q, v), self.whole)?;
        let pick = |all: &[f64]| self.places.iter().map(|&place| all[place]).collect::<Vec<f64>>();
        let (z, dz) = (pick(q), pick(v));
        let gap = self.map.gap(&z);
        let scale = carom_linalg::max_abs(&z).max(1.0);
        if gap.is_nan() || gap < -AT_FIRST * scale {
            return Err(self.sides[0].inside(self.contact.clone(), (t, &z)).into());
        }
        (self.current, self.turns, self.fastest) = (0, 0.0, carom_linalg::max_abs(&dz));
        (self.passes, self.storm) = ((0, f64::NEG_INFINITY), (0, f64::NEG_INFINITY));
        let touches = gap <= AT_FIRST * scale;
        self.watch.surfaces[0] = if touches { Attention::Leaving(1) } else { Attention::Guarded };
        self.sides[0].smooth.enter(&Start { t, q: z, v: dz, departure: None }, &[])?;
        if touches { self.reach((t, t), 0, log) } else { Ok(()) }
    }

    /// Moves on to the time `until`, through all crossings on the way.
    pub fn advance(&mut self, until: f64, log: &mut Vec<Crossing>) -> Result<(), S::Error> {
        loop {
            match self.sides[self.current].smooth.advance(until, &mut self.watch)? {
                Arrival::End => return Ok(()),
                Arrival::Contact { bracket, iterations, .. } => self.reach(bracket, iterations, log)?,
                // No contact is ever closed.
                Arrival::Release(_) | Arrival::Slip(_) | Arrival::Halt(_) => {}
            }
        }
    }

    /// The boundary has been reached: crossed, or touched only.
    fn reach(&mut self, bracket: (f64, f64), iterations: usize, log: &mut Vec<Crossing>) -> Result<(), S::Error> {
        let side = &mut self.sides[self.current];
        let (tendency, t) = (side.tendency()?, side.smooth.time());
        if tendency == Tendency::Closes {
            return self.cross((bracket, iterations), log);
        }
        self.passes = counted(self.passes, t);
        let contact = self.contact.clone();
        if tendency == Tendency::Rests {
            return Err(ImpactError::Resting { time: t, contact }.into());
        }
        if self.passes.0 > MAX_PASSES {
            return Err(ImpactError::Undecided { time: t, contact }.into());
        }
        self.watch.surfaces[0] = Attention::Leaving(2);
        Ok(())
    }

    /// Refuses to go on where nothing is known of the projection.
    fn check_limits(&mut self) -> Result<(), S::Error> {
        let (time, (z, _)) = (self.time(), self.path()?);
        Ok(self.map.check_limits(&z).map_err(|error| ImpactError::OutsideDomain { time, error })?)
    }

    /// Time of the path.
    pub fn time(&self) -> f64 {
        self.sides[self.current].smooth.time()
    }

    /// True if the path is outside the feasible set.
    pub fn is_outside(&self) -> bool {
        self.current == 1
    }

    /// `z` and `z'`; angles go on after a turn.
    pub fn path(&mut self) -> Result<(Vec<f64>, Vec<f64>), S::Error> {
        let (mut z, dz) = self.sides[self.current].state()?;
        if let Some(period) = self.map.period() {
            z[0] += self.turns * period;
        }
        Ok((z, dz))
    }

    /// `q = P(z)` and `v = P'(z) z'` of the whole system.
    pub fn observed(&mut self) -> Result<(Vec<f64>, Vec<f64>), S::Error> {
        let (z, dz) = self.sides[self.current].state()?;
        let is_outside = self.is_outside();
        Ok(self.map.observed(&z, &dz, is_outside).map_err(ImpactError::from)?)
    }
}

/// One more event at `t`; the count begins anew when time has moved on.
fn counted((count, since): (usize, f64), t: f64) -> (usize, f64) {
    let is_new = t - since > PROGRESS * t.abs().max(1e-3);
    if is_new { (1, t) } else { (count + 1, since) }
}
