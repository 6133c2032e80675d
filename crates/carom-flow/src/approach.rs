//! The way to a contact: where a gap vanishes along the series, and how to get there without rounding.

use crate::error::FlowError;
use crate::hybrid::HybridTaylor;
use carom_impact::polynomial::FirstRoot;

/// The last part of the way to a contact is a step of its own.
const APPROACH: f64 = 1e-3;
/// Tolerances above this are coarser than rounding.
pub(crate) const COARSE: f64 = 1e-14;
/// Iterations of a root.
const MAX_ITERATIONS: usize = 60;
/// Corrections of a root that may be rounding, in parts of it.
const NOISE: f64 = 1e-12;
/// Steps below this part of the time do not move it.
pub(crate) const SHORTEST: f64 = f64::EPSILON;

impl HybridTaylor {
    /// Where a gap vanishes, and the bracket.
    pub(crate) fn contact(&mut self, surface: usize, multiplicity: usize, length: f64) -> Option<(f64, (f64, f64))> {
        let has_condition = self.dynamics.surfaces[surface].active.is_some();
        // A contact that does not exist everywhere may be passed, and come back from behind.
        if has_condition && multiplicity == 0 && self.gap(surface, 0.0).0 <= 0.0 {
            return None;
        }
        let root = self.search.first_root(surface, &self.path, multiplicity);
        if let Some(at) = self.search.touched {
            self.touched.push((surface, self.modes[self.current].taylor.t() + at * length));
        }
        let FirstRoot::Crossing { at, bracket } = root else { return None };
        let at = self.polish(surface, at, bracket) * length;
        let is_live = !has_condition || self.is_active(surface, at);
        is_live.then_some((at, (bracket.0 * length, bracket.1 * length)))
    }

    /// Gap and its rate per unit of the path.
    fn gap(&mut self, surface: usize, tau: f64) -> (f64, f64) {
        let n = self.dynamics.dimension();
        let (q, v) = self.scratch.split_at_mut(n);
        self.path.at(tau, q, v);
        self.geometry.closing(surface, q, v)
    }

    /// The root to rounding: Newton's method inside the bracket.
    fn polish(&mut self, surface: usize, start: f64, (mut low, mut high): (f64, f64)) -> f64 {
        let (mut x, mut last) = (start, f64::INFINITY);
        for _ in 0..MAX_ITERATIONS {
            let (value, slope) = self.gap(surface, x);
            if value > 0.0 {
                low = x;
            } else {
                high = x;
            }
            let newton = x - value / slope;
            let next = if newton >= low && newton <= high { newton } else { 0.5 * (low + high) };
            let change = (next - x).abs();
            x = next;
            // Corrections that no longer shrink are rounding.
            if change <= f64::EPSILON * x || change <= NOISE * x && change >= 0.5 * last {
                break;
            }
            last = change;
        }
        x
    }

    /// Moves to a contact in two steps, a long one and a short one: at the end of the short one nothing
    /// large is left that would round the position.
    pub(crate) fn approach(&mut self, surface: usize, at: f64) -> Result<bool, FlowError> {
        let taylor = &mut self.modes[self.current].taylor;
        // Rounding does not matter where the tolerance is coarse.
        if taylor.may_leap() && taylor.tolerance > COARSE {
            taylor.leap(at)?;
            return Ok(true);
        }
        let first = at * (1.0 - APPROACH);
        if at * APPROACH <= SHORTEST * taylor.t().abs() {
            return Ok(taylor.step(at)? >= at);
        }
        let moved = taylor.step(first)?;
        if moved < first {
            return Ok(false);
        }
        let left = 2.0 * (at - moved);
        self.path.series(taylor.q(), taylor.velocity_orders(), left);
        let at = self.polish(surface, 0.5, (0.0, 1.0));
        // What rounding has taken from the position moves the contact.
        let rate = self.gap(surface, at).1;
        let n = self.dynamics.dimension();
        self.geometry.at(&self.scratch[..n], &self.scratch[n..], 0.0);
        let taylor = &mut self.modes[self.current].taylor;
        let at = (at - self.geometry.rate(surface, taylor.rest().0) / rate) * left;
        if at <= SHORTEST * taylor.t().abs() {
            return Ok(true);
        }
        if taylor.may_leap() {
            taylor.leap(at)?;
            return Ok(true);
        }
        Ok(taylor.step(at)? >= at)
    }

    fn is_active(&mut self, surface: usize, tau: f64) -> bool {
        let (n, taylor) = (self.dynamics.dimension(), &self.modes[self.current].taylor);
        let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
        taylor.at(tau, &mut q, &mut v, &mut []);
        self.geometry.at(&q, &v, taylor.t() + tau);
        self.geometry.is_active(surface)
    }
}
