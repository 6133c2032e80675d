//! Routh's law: friction along the way, restitution of impulses (Poisson).
//!
//! During the impact the normal impulse `p` grows from zero and plays the part of time:
//!
//! ```text
//! du/dp = W_nn + W_nt f,    dw/dp = W_nt + W_tt f,
//! f = -mu sign(w)                      while the bodies slip,
//! f = -W_nt / W_tt                     while they stick (if that is within the cone),
//! f = -mu sign(W_nt)                   where slip sets in again.
//! ```
//!
//! Compression ends where `u = 0`, at `p = p_c`; the impact ends at `p = (1 + e) p_c`. Everything is
//! piecewise linear, with three pieces at most before and after compression. Routh (1860). The law never
//! creates energy for `e <= 1`: where the normal impulse gives back more than compression took, friction
//! has taken at least as much (tested on random contacts).

use super::{Jump, Law, LawFailure, Outcome, Single};
use carom_expr::Expr;

/// Restitution of impulses with friction along the way.
#[derive(Clone, Copy, Debug)]
pub struct Poisson;

impl Law for Poisson {
    fn name(&self) -> &'static str {
        "poisson"
    }

    /// The impulses are those of the process; it is carried out in expressions, three pieces deep.
    fn conditions<'s>(&self, jump: &Jump<'s>) -> Vec<Expr<'s>> {
        let [before, _] = jump.u;
        let Some([slip, _]) = jump.slip.first().copied() else {
            return vec![jump.normal + (1.0 + jump.restitution) * before / jump.w[0]];
        };
        let zero = 0.0 * before;
        let mut state = Process { u: before, w: slip, normal: zero, tangential: zero };
        // Compression: slip, then stick or slip back.
        for piece in 0..2 {
            state = state.advance(jump, None, piece == 1);
        }
        let total = (1.0 + jump.restitution) * state.normal;
        for piece in 0..2 {
            state = state.advance(jump, Some(total), piece == 1);
        }
        vec![jump.normal - state.normal, jump.tangential[0] - state.tangential]
    }

    fn impulses(&self, contact: &Single) -> Result<Vec<f64>, LawFailure> {
        if contact.u.len() == 1 {
            return super::normal_impulse(contact, 1.0 + contact.restitution);
        }
        let mu = contact.friction.unwrap_or(0.0);
        let mut state = State { u: contact.u[0], w: contact.u[1], normal: 0.0, tangential: 0.0 };
        if contact.w(0, 0).is_nan() || contact.w(0, 0) <= 0.0 {
            return Err(LawFailure::Stuck);
        }
        state.compress(contact, mu)?;
        let total = (1.0 + contact.restitution) * state.normal;
        state.restore(contact, mu, total);
        Ok(vec![state.normal, state.tangential])
    }

    fn outcome(&self) -> Outcome {
        Outcome::Attach
    }

    fn is_for_several(&self) -> bool {
        false
    }

    fn has_friction(&self) -> bool {
        true
    }
}

/// Rates below this part of the first one are none.
const NO_RATE: f64 = 1e-13;
/// Rates that change by less than this part of `W_nn` per impulse do not change.
const FLAT: f64 = 1e-12;

/// The rates and impulses so far, as numbers.
struct State {
    u: f64,
    w: f64,
    normal: f64,
    tangential: f64,
}

impl State {
    /// The ratio of tangential to normal impulse.
    fn ratio(&self, contact: &Single, mu: f64) -> f64 {
        let (cross, own) = (contact.w(0, 1), contact.w(1, 1));
        if self.w != 0.0 {
            -mu * self.w.signum()
        } else if cross.abs() <= mu * own {
            -cross / own
        } else {
            -mu * cross.signum()
        }
    }

    /// Moves on by `amount` of normal impulse, or until the slip ends.
    fn advance(&mut self, contact: &Single, mu: f64, amount: impl Fn(f64, f64) -> f64) -> Result<bool, LawFailure> {
        let f = self.ratio(contact, mu);
        let (du, dw) = (contact.w(0, 0) + contact.w(0, 1) * f, contact.w(0, 1) + contact.w(1, 1) * f);
        let wanted = amount(self.u, du);
        // The slip ends where it would change its sign.
        let until_stop = if self.w * dw < 0.0 { -self.w / dw } else { f64::INFINITY };
        let (step, is_done) = if until_stop < wanted { (until_stop, false) } else { (wanted, true) };
        if !step.is_finite() {
            return Err(LawFailure::Painleve { factor: du });
        }
        self.u += du * step;
        self.w = if is_done { self.w + dw * step } else { 0.0 };
        self.normal += step;
        self.tangential += f * step;
        Ok(is_done)
    }

    fn compress(&mut self, contact: &Single, mu: f64) -> Result<(), LawFailure> {
        // With one direction left, slip and rate end together: what rounding leaves of the rate is none.
        let (none, flat) = (NO_RATE * self.u.abs(), FLAT * contact.w(0, 0));
        let rest = |u: f64, du: f64| {
            if u >= -none {
                0.0
            } else if du > flat {
                -u / du
            } else {
                f64::INFINITY
            }
        };
        while !self.advance(contact, mu, rest)? {}
        self.u = 0.0;
        Ok(())
    }

    fn restore(&mut self, contact: &Single, mu: f64, total: f64) {
        loop {
            let left = total - self.normal;
            match self.advance(contact, mu, |_, _| left) {
                Ok(false) => {}
                _ => return,
            }
        }
    }
}

/// The same as expressions.
#[derive(Clone, Copy)]
struct Process<'s> {
    u: Expr<'s>,
    w: Expr<'s>,
    normal: Expr<'s>,
    tangential: Expr<'s>,
}

impl<'s> Process<'s> {
    /// One linear piece: to the end of compression, or to the normal impulse `total`; `last` means that
    /// the slip does not end any more.
    fn advance(self, jump: &Jump<'s>, total: Option<Expr<'s>>, last: bool) -> Self {
        let (nn, nt, tt, mu) = (jump.w[0], jump.w[1], jump.w[3], jump.friction);
        let stuck = nt.abs().less_equal(mu * tt).select(-nt / tt, -mu * nt.sign());
        let f = self.w.equal(0.0).select(stuck, -mu * self.w.sign());
        let (du, dw) = (nn + nt * f, nt + tt * f);
        let far = 1e300;
        let wanted = match total {
            Some(total) => total - self.normal,
            // What rounding leaves of the rate is none, as in `compress`.
            None => {
                let more = (FLAT * nn).less(du).select(-self.u / du, 0.0 * du + far);
                (-NO_RATE * jump.u[0].abs()).less_equal(self.u).select(0.0 * du, more)
            }
        };
        let stops = (self.w * dw).less(0.0);
        let until_stop = stops.select(-self.w / dw, 0.0 * dw + 2.0 * far);
        let step = if last { wanted } else { wanted.min(until_stop) };
        let ends = until_stop.less(wanted);
        let moved = self.w + dw * step;
        Self {
            u: self.u + du * step,
            w: if last { moved } else { ends.select(0.0 * moved, moved) },
            normal: self.normal + step,
            tangential: self.tangential + f * step,
        }
    }
}
