//! Where a branch of orbits turns, or where others begin.
//!
//! | kind | multiplier | what changes sign |
//! |---|---|---|
//! | fold | 1 | the parameter's part of the tangent |
//! | period doubling | -1 | `prod (1 + mu)` |
//! | Neimark-Sacker | a pair on the unit circle | `abs(mu) - 1` of a complex pair |
//!
//! Between two orbits with different signs the place is found along the branch by the method of false position, every
//! point corrected onto the branch.

use super::branch::BranchPoint;
use super::error::OrbitError;
use super::multipliers::{Multipliers, excess};
use super::walker::Walker;

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The branch turns around: two orbits meet.
    Fold,
    /// An orbit of twice the period branches off.
    PeriodDoubling,
    /// An invariant curve branches off.
    NeimarkSacker,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Fold, Self::PeriodDoubling, Self::NeimarkSacker];

    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fold => "fold",
            Self::PeriodDoubling => "period doubling",
            Self::NeimarkSacker => "Neimark-Sacker",
        }
    }
}

/// A bifurcation on a branch.
#[derive(Clone, Debug, PartialEq)]
pub struct Bifurcation {
    /// What happens.
    pub kind: Kind,
    /// The orbit there.
    pub orbit: BranchPoint,
    /// How well the value of the parameter is known.
    pub uncertainty: f64,
}

/// Iterations of the search for one place.
const MAX_ITERATIONS: usize = 60;
/// Places are known if the parameter moves by less than this part of its range.
const LOCATED: f64 = 1e-13;

/// Pairs this near to the unit circle are on it: where energy is conserved they stay there, and rounding alone moves
/// them from side to side.
const ON_CIRCLE: f64 = 1e-7;

/// The bifurcations between two neighbouring orbits of a branch.
pub(super) fn locate(
    walker: &mut Walker<'_>,
    last: &BranchPoint,
    next: &BranchPoint,
) -> Result<Vec<Bifurcation>, OrbitError> {
    let mut found = Vec::new();
    for kind in Kind::ALL {
        let (a, b) = (test(kind, last), test(kind, next));
        if let (Some(a), Some(b)) = (a, b)
            && (a < 0.0) != (b < 0.0)
            && !(kind == Kind::NeimarkSacker && a.abs().max(b.abs()) < ON_CIRCLE)
        {
            found.extend(search(walker, kind, (last, a), (next, b))?);
        }
    }
    Ok(found)
}

/// Narrows down the place of a change of sign; none if the branch is lost on the way.
fn search(
    walker: &mut Walker<'_>,
    kind: Kind,
    (last, at_last): (&BranchPoint, f64),
    (next, at_next): (&BranchPoint, f64),
) -> Result<Option<Bifurcation>, OrbitError> {
    let (y0, y1) = (walker.unknowns(&last.state, last.parameter), walker.unknowns(&next.state, next.parameter));
    let length: f64 = y0.iter().zip(&y1).zip(&last.tangent).map(|((a, b), tau)| (b - a) * tau).sum();
    // False position, the end that stays twice counting half (Illinois).
    let (mut low, mut high) = ((0.0, at_last), (length, at_next));
    let (mut best, mut uncertainty, mut side) = (None, f64::INFINITY, 0);
    let mut parameter = last.parameter;
    for k in 0..MAX_ITERATIONS {
        let place = match k % 8 {
            7 => 0.5 * (low.0 + high.0),
            _ => (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1),
        };
        let Some((point, _)) = walker.advance(last, place)? else { break };
        let Some(value) = test(kind, &point) else { break };
        uncertainty = (point.parameter - parameter).abs();
        parameter = point.parameter;
        let is_low = (value < 0.0) == (low.1 < 0.0);
        best = Some(point);
        if uncertainty <= LOCATED * walker.scale || value == 0.0 || (high.0 - low.0).abs() <= 1e-15 {
            break;
        }
        if is_low {
            low = (place, value);
            high.1 *= if side == 1 { 0.5 } else { 1.0 };
            side = 1;
        } else {
            high = (place, value);
            low.1 *= if side == -1 { 0.5 } else { 1.0 };
            side = -1;
        }
    }
    Ok(best.filter(|point| is_it(kind, point)).map(|orbit| Bifurcation { kind, orbit, uncertainty }))
}

/// True if the multipliers are those of the kind: other sign changes (a pair that meets on the real axis) are none.
fn is_it(kind: Kind, point: &BranchPoint) -> bool {
    /// A multiplier this far from its place belongs to something else.
    const FAR: f64 = 1e-3;
    let near = |re: f64| point.multipliers.values.iter().any(|value| (value.0 - re).hypot(value.1) < FAR);
    match kind {
        // Near a fold the multiplier leaves 1 like the square root of the distance.
        Kind::Fold => true,
        Kind::PeriodDoubling => near(-1.0),
        Kind::NeimarkSacker => point.multipliers.pair().is_some_and(|pair| excess(&pair).abs() < FAR),
    }
}

/// The function that changes sign; none where it has no meaning.
fn test(kind: Kind, point: &BranchPoint) -> Option<f64> {
    match kind {
        Kind::Fold => Some(Walker::turning(point)),
        Kind::PeriodDoubling => Some(point.multipliers.doubling()),
        Kind::NeimarkSacker => point.multipliers.pair().map(|pair| excess(&pair)),
    }
}

/// True if the multipliers of two orbits are so near that nothing hides between them.
pub(super) fn is_beside(a: &Multipliers, b: &Multipliers) -> bool {
    /// Those that move farther could cross the unit circle and come back.
    const MOVES: f64 = 0.25;
    let is_far = |(a, b): (&(f64, f64), &(f64, f64))| {
        let is_near_circle = excess(a).abs().min(excess(b).abs()) < 1.0;
        is_near_circle && (a.0 - b.0).hypot(a.1.abs() - b.1.abs()) > MOVES
    };
    a.values.len() != b.values.len() || !a.values.iter().zip(&b.values).any(is_far)
}
