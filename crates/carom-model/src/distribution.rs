//! Distributions of admissible velocities: are the constraints on them holonomic in truth?
//!
//! The constraints of a system, `dg(q) v = 0` and `omega(q) v = 0`, leave the distribution
//! `D = ker [dg; omega]` of rank `k`. On the surface `g = 0`, whose dimension is `d`, it is integrable iff
//! (Frobenius)
//!
//! ```text
//! d omega_a(u, w) = u^i w^j (d_i omega_aj - d_j omega_ai) = 0        for all u, w in D
//! ```
//!
//! Since `omega_a([u, w]) = -d omega_a(u, w)`, the rank of these numbers is also what brackets of two fields
//! add to `D`. Longer ones ([`growth`]) end at a dimension `r`:
//!
//! | end | motions | verdict |
//! |---|---|---|
//! | `r = k` | stay on surfaces of the dimension of `D` | holonomic in truth |
//! | `k < r < d` | stay on surfaces of dimension `r` | `d - r` holonomic constraints are hidden |
//! | `r = d` | can reach everything | nonholonomic |
//!
//! A distribution of rank one is always integrable. Derivatives are exact, dimensions are those at the initial
//! configuration and at random ones near it, so that a verdict is certain up to rounding and bad luck.

mod forms;
mod frobenius;
mod growth;
pub(crate) mod samples;

use crate::dynamics::Dynamics;
use crate::legendre::Legendre;
use carom_expr::Graph;
use forms::Forms;
use frobenius::added_by_pairs;
use growth::{Growth, growth};
use samples::independent;

/// With more coordinates than this, only ranks are looked at.
const MAX_COORDINATES: usize = 48;

/// What the velocity constraints of a system are.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Admissible directions at almost all configurations.
    pub rank: usize,
    /// Dimension of the surface of the holonomic constraints.
    pub dimension: usize,
    /// Dimensions of `D`, `D + [D, D]`, ... at almost all configurations, as far as known.
    pub growth: Vec<usize>,
    /// The same at the initial configuration; empty if it is not known.
    pub growth_at_start: Vec<usize>,
    /// What follows.
    pub verdict: Verdict,
    /// Rank of all constraints at almost all configurations.
    pub constraint_rank: usize,
    /// Rank of all constraints at the initial configuration.
    pub constraint_rank_at_start: usize,
    /// True if the rank of the constraints is not the same at all configurations that were looked at.
    pub rank_changes: bool,
}

/// Whether constraints on velocities are constraints on positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// They are: the distribution is integrable.
    Holonomic,
    /// They hide some.
    PartlyHolonomic {
        /// How many.
        hidden: usize,
    },
    /// They are not.
    Nonholonomic,
    /// The expressions are too large to say.
    Unknown,
}

impl Distribution {
    /// Looks at the constraints of `dynamics` near the configuration `q`; none if there is none on velocities, or
    /// if they are not finite there. Expressions are added to `graph`, a copy of the graph of `dynamics`;
    /// `legendre` brings configurations onto the holonomic constraints.
    pub fn new(dynamics: &Dynamics, q: &[f64], legendre: Option<&mut Legendre>, graph: &mut Graph) -> Option<Self> {
        if dynamics.velocity_constraints.is_empty() {
            return None;
        }
        let forms = Forms::new(dynamics, q, legendre, graph)?;
        let ranks: Vec<usize> = forms.samples.iter().map(|sample| independent(&sample.rows).len()).collect();
        let constraint_rank = ranks.iter().copied().max()?;
        let (rank, dimension) = (q.len() - constraint_rank, q.len() - forms.holonomic_rank());
        let growth = find_growth(dynamics, &forms, dimension, graph);
        Some(Self {
            rank,
            dimension,
            verdict: verdict(&growth, rank, dimension),
            growth: growth.generic,
            // Where the rank drops the distribution is larger, but not smooth: brackets have no meaning.
            growth_at_start: if ranks[0] == constraint_rank { growth.first } else { Vec::new() },
            constraint_rank,
            constraint_rank_at_start: ranks[0],
            rank_changes: ranks.iter().any(|&other| other != constraint_rank),
        })
    }
}

/// The growth vector, by brackets of two fields and, if these do not decide, by longer ones.
fn find_growth(dynamics: &Dynamics, forms: &Forms, dimension: usize, graph: &mut Graph) -> Growth {
    let regular = forms.regular();
    let k = forms.dimension() - regular.rank();
    // A field has no bracket with itself; and holonomic constraints alone are integrable.
    if k <= 1 || k == dimension {
        return Growth::known(&[k]);
    }
    if forms.dimension() > MAX_COORDINATES {
        return Growth::at_least(&[k]);
    }
    let added = added_by_pairs(graph, &dynamics.q, &regular);
    let (Some(most), Some(least)) = (added.iter().copied().max(), added.iter().copied().min()) else {
        return Growth::at_least(&[k]);
    };
    if most == 0 {
        return Growth::known(&[k]);
    }
    if k + most == dimension && least == most {
        return Growth::known(&[k, dimension]);
    }
    let points = regular.points();
    let fields = regular.fields(graph, dynamics);
    let found = fields.and_then(|fields| growth(graph, &dynamics.q, &fields, &points, dimension));
    found.unwrap_or_else(|| Growth::at_least(&[k, k + most]))
}

fn verdict(growth: &Growth, rank: usize, dimension: usize) -> Verdict {
    match growth.generic.last() {
        Some(&end) if end == dimension && end > rank => Verdict::Nonholonomic,
        _ if !growth.is_complete => Verdict::Unknown,
        Some(&end) if end > rank => Verdict::PartlyHolonomic { hidden: dimension - end },
        _ => Verdict::Holonomic,
    }
}
