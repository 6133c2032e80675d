//! The inverse of a projection off the feasible set.
//!
//! | map | how `P(u) = y` is solved |
//! |---|---|
//! | global | the gap of `u` is `-phi(y)`; the other coordinates by a contraction, then Newton's method |
//! | circle | one cubic equation, monotonic |
//! | local | Newton's method from the mirror image |
//!
//! The contraction of the global projection: with `u(x)` the point with the gap `-phi(y)` and other coordinates `x`, (15)
//! says `P(u)_i = x_i - c Delta_i(u(x))`, and
//!
//! ```text
//! x -> y_i + (x_i - P(u(x))_i) = y_i + c Delta_i,     |c d Delta/dx| <= |Lambda| / sqrt(k) < 1,
//! ```
//!
//! because `c = 2 phi / (1 + k phi^2)` is at most `1 / sqrt(k)`.

use super::arc::Arc;
use super::error::ProjectionError;
use super::map::{Kind, ProjectionMap};
use carom_linalg::{Lu, ROUNDING, max_abs, monotonic_root};

/// Steps of the contraction, or of Newton's method for local maps.
const CONTRACTIONS: usize = 200;
const STEPS: usize = 100;
/// Steps of any kind that do not help; then the rest is rounding.
const IDLE: usize = 3;
/// What a map undone and done again may miss.
const UNDONE: f64 = 1e-9;

impl ProjectionMap {
    /// The point outside whose image is the feasible `y`.
    pub fn inverse(&mut self, y: &[f64]) -> Result<Vec<f64>, ProjectionError> {
        let (residual, u) = match self.kind.clone() {
            Kind::Global(coordinate) => self.contract(y, coordinate)?,
            Kind::Circle(arc) => preimage(&arc, y[0]).map_or((f64::INFINITY, y.to_vec()), |u| (0.0, vec![u])),
            Kind::Local => self.newton(y)?,
        };
        let scale = max_abs(y).max(1.0);
        if residual <= UNDONE * scale && self.gap(&u) <= UNDONE * scale {
            return Ok(u);
        }
        let why = "no point outside the feasible set is mapped there";
        Err(ProjectionError::NoImage { point: self.point(y), why })
    }

    /// Residual and point of the best solution: Newton's steps where they at least halve the residual, those of the
    /// contraction elsewhere.
    fn contract(&mut self, y: &[f64], coordinate: usize) -> Result<(f64, Vec<f64>), ProjectionError> {
        let (n, target) = (self.n, -self.gap(y));
        let enough = ROUNDING * max_abs(y).max(1.0);
        let mut u = self.along(y, coordinate, target)?;
        let mut best = (f64::INFINITY, u.clone());
        let (mut lu, mut idle) = (Lu::new(n), 0);
        for _ in 0..CONTRACTIONS {
            let (image, jacobian) = self.outer(&u)?;
            let off: Vec<f64> = y.iter().zip(&image).map(|(y, image)| y - image).collect();
            let residual = max_abs(&off);
            idle = if residual < best.0 { 0 } else { idle + 1 };
            if residual < best.0 {
                best = (residual, u.clone());
            }
            let is_rounding = idle >= IDLE && best.0 <= UNDONE * max_abs(y).max(1.0);
            if best.0 <= enough || is_rounding {
                break;
            }
            let newton = lu.factor(&jacobian).is_ok().then(|| moved(&u, &off, &lu));
            let newton = newton.filter(|u| self.misses(u, y) <= 0.5 * residual);
            u = match newton {
                Some(next) => next,
                None => {
                    u.iter_mut().zip(&off).for_each(|(u, off)| *u += off);
                    // The gap says what the coordinate is that it replaces.
                    self.along(&u, coordinate, target)?
                }
            };
        }
        Ok(best)
    }

    /// How far from `y` a point is mapped.
    fn misses(&mut self, u: &[f64], y: &[f64]) -> f64 {
        let Ok((image, _)) = self.outer(u) else { return f64::INFINITY };
        super::verify::apart(&image, y)
    }

    /// Newton's method on `P(u) = y`, from the mirror image.
    fn newton(&mut self, y: &[f64]) -> Result<(f64, Vec<f64>), ProjectionError> {
        let mut u = self.mirror(y)?;
        let (mut lu, mut best) = (Lu::new(self.n), (f64::INFINITY, u.clone()));
        for _ in 0..STEPS {
            let (image, jacobian) = self.outer(&u)?;
            let mut step: Vec<f64> = y.iter().zip(&image).map(|(y, image)| y - image).collect();
            let residual = max_abs(&step);
            if residual < best.0 {
                best = (residual, u.clone());
            } else if residual.is_nan() || best.0 <= ROUNDING * max_abs(y).max(1.0) {
                break;
            }
            if lu.factor(&jacobian).is_err() {
                break;
            }
            lu.solve(&mut step);
            // Long steps are errors of linearisation.
            let longest = 2.0 * residual + 1.0;
            let scale = (longest / max_abs(&step).max(f64::MIN_POSITIVE)).min(1.0);
            u.iter_mut().zip(&step).for_each(|(u, step)| *u += scale * step);
        }
        Ok(best)
    }

    /// A point outside by as much as the feasible `y` is inside.
    pub(super) fn mirror(&mut self, y: &[f64]) -> Result<Vec<f64>, ProjectionError> {
        let gap = self.gap(y);
        match &self.kind {
            &Kind::Global(coordinate) => return self.along(y, coordinate, -gap),
            Kind::Circle(arc) => {
                // The place with the same share of the other arc.
                let home = self.wrapped(y, true)[0];
                return Ok(vec![arc.opposite() - (home - arc.centre) / arc.half * arc.rest()]);
            }
            Kind::Local => {}
        }
        let mut u = y.to_vec();
        for _ in 0..STEPS {
            let (value, slope) = self.slope(&u);
            let square = carom_linalg::dot(&slope, &slope).max(f64::MIN_POSITIVE);
            let share = (value + gap) / square;
            u.iter_mut().zip(&slope).for_each(|(u, slope)| *u -= share * slope);
            if share.abs() * square.sqrt() <= 1e-3 * gap.abs() {
                break;
            }
        }
        Ok(u)
    }
}

/// `u` and a step of Newton's method.
fn moved(u: &[f64], off: &[f64], lu: &Lu) -> Vec<f64> {
    let mut step = off.to_vec();
    lu.solve(&mut step);
    u.iter().zip(&step).map(|(u, step)| u + step).collect()
}

/// The place of the other arc that is mapped to `y`. Beyond its ends the cubic goes on with the slope that it has there,
/// so that it is monotonic everywhere.
fn preimage(arc: &Arc, y: f64) -> Option<f64> {
    let (rest, target) = (arc.rest(), y - arc.period * arc.turns(y, arc.centre) - arc.centre);
    let found = monotonic_root(-target / arc.half * rest, |s| {
        let inside = s.clamp(-rest, rest);
        let square = inside * inside;
        let slope = arc.b1 + 3.0 * arc.b3 * square;
        ((arc.b1 + arc.b3 * square) * inside + slope * (s - inside) - target, slope)
    });
    found.map(|s| arc.opposite() + s)
}
