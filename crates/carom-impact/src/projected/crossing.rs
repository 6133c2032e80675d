//! From one side to the other.

use super::{Crossing, Projected};
use crate::error::ImpactError;
use crate::smooth::{Attention, Smooth, Start};

impl<S: Smooth> Projected<S> {
    /// The path goes on across the boundary, with its momentum.
    pub(super) fn cross(&mut self, bracket: (f64, f64), log: &mut Vec<Crossing>) -> Result<(), S::Error> {
        let side = &mut self.sides[self.current];
        let t = side.smooth.time();
        let (z, dz) = side.state()?;
        self.storm = super::counted(self.storm, t);
        if self.storm.0 > super::STORM {
            let rate = carom_linalg::max_abs(&dz);
            let contact = self.contact.clone();
            return Err(ImpactError::Storm { time: t, contact, count: super::STORM, rate }.into());
        }
        let p = side.momentum()?;
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
        log.push(Crossing { t, bracket, z: place, dz_minus: dz, dz_plus, leaves: self.current == 1 });
        Ok(())
    }
}
