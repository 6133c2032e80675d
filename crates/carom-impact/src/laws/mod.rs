//! Impact laws: the equations that close a jump.
//!
//! At a contact of gradient `G` and tangents `S` the momentum balance
//!
//! ```text
//! p+ - p- = G^T Lambda_N + S^T Lambda_T + F + A^T kappa,    A v+ = 0
//! ```
//!
//! (constraints `A`, a given impulse `F`) leaves one unknown per contact and one per tangent. A law adds
//! that many equations, written once as expressions of
//!
//! ```text
//! u- = G v-,  u+ = G v+,  w- = S v-,  w+ = S v+,  Lambda,  E+ - E-,  W
//! ```
//!
//! ([`Jump`]). The same expressions verify recorded impacts. Impulses that satisfy them, on the right
//! branch, come from closed formulas ([`Law::impulses`]), exact where the kinetic energy is quadratic.
//!
//! Adding a law: one file, one line in [`all`], one entry in `carom_model::laws::LAWS`.

mod elastic;
mod lossful;
mod moreau;
mod newton;
mod plastic;
mod poisson;
mod reset;

pub use elastic::Elastic;
pub use lossful::{Literal, Lossful};
pub use moreau::Moreau;
pub use newton::Newton;
pub use plastic::Plastic;
pub use poisson::Poisson;
pub use reset::Reset;

use carom_expr::Expr;

/// The jump at one contact, as expressions.
#[derive(Clone, Debug)]
pub struct Jump<'s> {
    /// Gap rates before and after.
    pub u: [Expr<'s>; 2],
    /// Slip velocities before and after, one pair per tangent.
    pub slip: Vec<[Expr<'s>; 2]>,
    /// Normal impulse.
    pub normal: Expr<'s>,
    /// Tangential impulses.
    pub tangential: Vec<Expr<'s>>,
    /// Energy after minus energy before.
    pub energy_change: Expr<'s>,
    /// Energy that the law takes.
    pub loss: Expr<'s>,
    /// Delassus' matrix, normal direction first, row by row.
    pub w: Vec<Expr<'s>>,
    /// Coefficient of restitution.
    pub restitution: Expr<'s>,
    /// Coefficient of friction.
    pub friction: Expr<'s>,
}

/// The jump at one contact, as numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Single {
    /// Gap rate, then slip velocities, before the impact (and after the given impulse `F`).
    pub u: Vec<f64>,
    /// Delassus' matrix, row by row.
    pub w: Vec<f64>,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Coefficient of friction; none if the contact has no cone.
    pub friction: Option<f64>,
    /// Energy that the law takes, less what the given impulse has changed.
    pub loss: f64,
}

impl Single {
    /// The entry `W_ij`.
    pub fn w(&self, i: usize, j: usize) -> f64 {
        self.w[i * self.u.len() + j]
    }

    /// Impulses for given rates after the impact: `W Lambda = u+ - u-`. A tangent that constraints hold
    /// already gets no impulse.
    pub fn impulses_for(&self, after: &[f64]) -> Option<Vec<f64>> {
        let k = after.len();
        let mut kept: Vec<usize> = Vec::new();
        let mut lu = None;
        for row in 0..k {
            let mut more = kept.clone();
            more.push(row);
            let matrix: Vec<f64> = more.iter().flat_map(|&i| more.iter().map(move |&j| self.w(i, j))).collect();
            let mut factors = carom_linalg::Lu::new(more.len());
            if self.is_new(row, &kept, lu.as_ref()) && factors.factor(&matrix).is_ok() {
                (kept, lu) = (more, Some(factors));
            }
        }
        let mut change: Vec<f64> = kept.iter().map(|&row| after[row] - self.u[row]).collect();
        lu.filter(|_| kept.first() == Some(&0))?.solve(&mut change);
        let mut impulses = vec![0.0; self.u.len()];
        kept.iter().zip(change).for_each(|(&row, impulse)| impulses[row] = impulse);
        Some(impulses)
    }

    /// True if a row moves something that the kept ones do not: its Schur complement is not zero.
    fn is_new(&self, row: usize, kept: &[usize], lu: Option<&carom_linalg::Lu>) -> bool {
        let own = self.w(row, row);
        let Some(lu) = lu else { return own > 0.0 };
        let cross: Vec<f64> = kept.iter().map(|&other| self.w(row, other)).collect();
        let mut explained = cross.clone();
        lu.solve(&mut explained);
        own - carom_linalg::dot(&cross, &explained) > DEPENDENT * own
    }
}

/// Rows that others explain up to this part are dependent.
const DEPENDENT: f64 = 1e-12;

/// Why a law has no answer.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum LawFailure {
    #[error("the law takes {loss:.3e} of energy, but only {available:.3e} can be taken from the motion across the gap")]
    TooLossful { loss: f64, available: f64 },
    #[error("friction and normal impulse do not go together here (Painleve): {factor:.3e} <= 0")]
    Painleve { factor: f64 },
    #[error("no impulse at this contact changes its rate: the gradient of the gap vanishes, or constraints hold it")]
    Stuck,
}

/// What becomes of the bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// They leave each other, unless their flights have become too low to be told from rest.
    Rebound,
    /// They may stay together.
    Attach,
    /// The state is replaced.
    Reset,
}

/// An impact law.
pub trait Law: Send + Sync + std::fmt::Debug {
    /// Its name in model files.
    fn name(&self) -> &'static str;

    /// The equations that close the jump; all vanish for a right one.
    fn conditions<'s>(&self, jump: &Jump<'s>) -> Vec<Expr<'s>>;

    /// Normal impulse, then tangential ones.
    fn impulses(&self, contact: &Single) -> Result<Vec<f64>, LawFailure>;

    /// What becomes of the bodies.
    fn outcome(&self) -> Outcome;

    /// True if tangential impulses act.
    fn has_friction(&self) -> bool {
        false
    }

    /// True if the bodies stay together whatever their speed.
    fn is_plastic(&self) -> bool {
        false
    }

    /// True if the law has a meaning for several contacts at once.
    fn is_for_several(&self) -> bool {
        true
    }
}

/// Every law.
pub fn all() -> Vec<Box<dyn Law>> {
    vec![
        Box::new(Elastic),
        Box::new(Newton),
        Box::new(Lossful),
        Box::new(Moreau),
        Box::new(Poisson),
        Box::new(Plastic::PLASTIC),
        Box::new(Plastic::TRANSITION),
        Box::new(Reset),
        Box::new(Literal),
    ]
}

/// The law called `name`.
pub fn by_name(name: &str) -> Option<Box<dyn Law>> {
    all().into_iter().find(|law| law.name() == name)
}

/// `-2 u / W`, with `-(1 + e)` instead of `-2` for other laws.
fn normal_impulse(contact: &Single, factor: f64) -> Result<Vec<f64>, LawFailure> {
    let w = contact.w(0, 0);
    if w.is_nan() || w <= 0.0 {
        return Err(LawFailure::Stuck);
    }
    let mut impulses = vec![0.0; contact.u.len()];
    impulses[0] = -factor * contact.u[0] / w;
    Ok(impulses)
}

/// `x` clamped to `[-bound, bound]`, as an expression.
fn clamp<'s>(x: Expr<'s>, bound: Expr<'s>) -> Expr<'s> {
    (-bound).max(x.min(bound))
}
