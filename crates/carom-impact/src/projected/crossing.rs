//! From one side to the other.

use super::{Crossing, Projected};
use crate::error::ImpactError;
use crate::smooth::{Attention, Smooth, Start};

/// Larger jumps of the velocity, in parts of it, are no rounding: maps of the class have none.
const KINK: f64 = 1e-6;
/// Velocities below this part of the largest one that was met are small.
const SLOW: f64 = 1e-3;

impl<S: Smooth> Projected<S> {
    /// The path goes on across the boundary, with its momentum.
    pub(super) fn cross(
        &mut self,
        (bracket, iterations): ((f64, f64), usize),
        log: &mut Vec<Crossing>,
    ) -> Result<(), S::Error> {
        let side = &mut self.sides[self.current];
        let t = side.smooth.time();
        let (z, dz) = side.state()?;
        let (z, dz) = self.map.on_boundary(z, dz, self.current == 1).map_err(ImpactError::from)?;
        self.storm = super::counted(self.storm, t);
        if self.storm.0 > super::STORM {
            let rate = carom_linalg::max_abs(&dz);
            let contact = self.contact.clone();
            return Err(ImpactError::Storm { time: t, contact, count: super::STORM, rate }.into());
        }
        let p = side.momentum((&z, &dz))?;
        self.current = 1 - self.current;
        // A circle is left at one end of its chart and entered at the other.
        let (here, mut place) = (self.map.wrapped(&z, self.current == 0), z);
        if let Some(period) = self.map.period() {
            let turns = self.turns;
            self.turns += ((place[0] - here[0]) / period).round();
            place[0] += turns * period;
        }
        let side = &mut self.sides[self.current];
        let (q, v) = side.with_momentum(t, (&here, &dz, &p))?;
        let dz_plus = v[..dz.len()].to_vec();
        side.smooth.enter(&Start { t, q, v, departure: None }, &[])?;
        self.watch.surfaces[0] = Attention::Leaving(1);
        let leaves = self.current == 1;
        let crossing = Crossing { t, bracket, z: place, dz_minus: dz, dz_plus, leaves, iterations };
        self.fastest = self.fastest.max(carom_linalg::max_abs(&crossing.dz_minus));
        // A path that hardly moves has no velocity that rounding could be compared with.
        let kink = crossing.jump() / carom_linalg::max_abs(&crossing.dz_minus).max(SLOW * self.fastest);
        log.push(crossing);
        if kink > KINK {
            return Err(ImpactError::Kink { time: t, kink, limit: KINK }.into());
        }
        self.check_limits()
    }
}
