//! Why a system has no projection.

use carom_expr::FunctionError;

/// Why a projection onto the feasible set cannot be had.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum ProjectionError {
    #[error("the system has {found} contacts; a projection needs exactly one gap{known}")]
    ContactCount { found: usize, known: String },
    #[error("contact `{contact}` {why}; the projected principle knows elastic impacts of one smooth gap only")]
    Contact { contact: String, why: String },
    #[error(
        "the Lagrangian is not of the form v.M(q)v/2 - V(q): {why}; without that form momenta of the projected system do not reflect"
    )]
    NotSimple { why: String },
    #[error("{what} cannot be projected: {advice}")]
    NotSupported { what: String, advice: String },
    #[error("there is no coordinate `{name}`; coordinates: {known}")]
    UnknownCoordinate { name: String, known: String },
    #[error(
        "the gap of `{contact}` is monotonic in no coordinate, as (12) asks:\n{reasons}\n  (within a domain of the coordinates it may be)"
    )]
    NotMonotonic { contact: String, reasons: String },
    #[error(
        "no bound of |Lambda| was found: it is {value:.3e} at {point}; without one no k is known to make the projection invertible (limit the coordinates to a domain)"
    )]
    Unbounded { value: f64, point: String },
    #[error(
        "k = {k} is too small: |Lambda| = {value} at {point}, so the projection folds over unless k > {bound}; leave k out to have it chosen"
    )]
    SmallFactor { k: f64, value: f64, point: String, bound: f64 },
    #[error("constraint `{constraint}` can be solved for no coordinate in closed form:\n{reasons}")]
    NotSolvable { constraint: String, reasons: String },
    #[error(
        "`{coordinate}` lives on a circle, where the gap must vanish at two places; it vanishes at {found} within one period{places}"
    )]
    ArcCount { coordinate: String, found: usize, places: String },
    #[error(
        "`{coordinate}` lives on a circle, where the gap must vanish at two places only: near {coordinate} = {place:.6} it was not proved that {what}; write the gap such that it crosses zero twice, with a slope"
    )]
    ArcNotProved { coordinate: String, place: f64, what: &'static str },
    #[error(
        "`{setting}` has no meaning here: `{coordinate}` lives on a circle, whose projection has no constant and needs no domain; leave it out"
    )]
    NoMeaning { setting: &'static str, coordinate: String },
    #[error(
        "the cubic projection of the circle is monotonic only if the feasible arc is longer than a quarter of the period: `{coordinate}` is feasible on [{from:.6}, {to:.6}], {share:.4} of the period, and the slope at the far side would be {slope:.4} (it must be negative)"
    )]
    ShortArc { coordinate: String, from: f64, to: f64, share: f64, slope: f64 },
    #[error("the map has no value at {point}: {why}")]
    NoImage { point: String, why: &'static str },
    #[error("projection fails at {point}: {what}")]
    NotVerified { point: String, what: String },
    #[error(
        "`{property}` was seen at no point, so nothing is known of it; take more samples, and from where coordinates leave the feasible set"
    )]
    NotSampled { property: &'static str },
    #[error(
        "the path leaves the domain of the projection: {name} = {value:.6} is not in [{from}, {to}], beyond which nothing was proved; widen the domain"
    )]
    OutsideDomain { name: String, value: f64, from: f64, to: f64 },
    #[error("the domain of `{name}` is [{from}, {to}]; it must be an interval that is not empty")]
    BadDomain { name: String, from: f64, to: f64 },
    #[error(transparent)]
    Function(#[from] FunctionError),
    #[error(transparent)]
    System(#[from] crate::SystemError),
}

impl ProjectionError {
    /// A short name, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::ContactCount { .. } => "contact-count",
            Self::Contact { .. } => "contact",
            Self::NotSimple { .. } => "not-simple",
            Self::NotSupported { .. } => "not-supported",
            Self::UnknownCoordinate { .. } => "unknown-coordinate",
            Self::NotMonotonic { .. } => "not-monotonic",
            Self::Unbounded { .. } => "unbounded",
            Self::SmallFactor { .. } => "small-factor",
            Self::NotSolvable { .. } => "not-solvable",
            Self::ArcCount { .. } => "arc-count",
            Self::ArcNotProved { .. } => "arc-not-proved",
            Self::NoMeaning { .. } => "no-meaning",
            Self::ShortArc { .. } => "short-arc",
            Self::NoImage { .. } => "no-image",
            Self::NotVerified { .. } => "not-verified",
            Self::NotSampled { .. } => "not-sampled",
            Self::OutsideDomain { .. } => "outside-domain",
            Self::BadDomain { .. } => "bad-domain",
            Self::Function(_) => "function",
            Self::System(_) => "system",
        }
    }
}
