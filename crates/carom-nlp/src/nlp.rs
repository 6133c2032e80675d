//! What a nonlinear program must tell.

/// Lower and upper bound; infinite where there is none, equal where the value is fixed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Lower bound.
    pub lower: f64,
    /// Upper bound.
    pub upper: f64,
}

impl Range {
    /// No bound at all.
    pub const FREE: Self = Self { lower: f64::NEG_INFINITY, upper: f64::INFINITY };

    /// From `lower` to `upper`.
    pub const fn new(lower: f64, upper: f64) -> Self {
        Self { lower, upper }
    }

    /// One value alone.
    pub const fn fixed(value: f64) -> Self {
        Self { lower: value, upper: value }
    }

    /// Everything from `lower` on.
    pub const fn at_least(lower: f64) -> Self {
        Self { lower, upper: f64::INFINITY }
    }

    /// Everything up to `upper`.
    pub const fn at_most(upper: f64) -> Self {
        Self { lower: f64::NEG_INFINITY, upper }
    }

    /// True if one value alone is allowed.
    pub fn is_fixed(&self) -> bool {
        self.lower == self.upper
    }

    /// By how much `value` lies outside.
    pub fn violation(&self, value: f64) -> f64 {
        (self.lower - value).max(value - self.upper).max(0.0)
    }
}

/// Places of the structurally nonzero entries of a sparse matrix; none occurs twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pattern {
    /// Row of each entry.
    pub rows: Vec<u32>,
    /// Column of each entry.
    pub columns: Vec<u32>,
}

impl Pattern {
    /// Number of entries.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if the matrix is zero.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// `(row, column)` of every entry, in order.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.rows.iter().zip(&self.columns).map(|(&row, &column)| (row as usize, column as usize))
    }
}

/// Where variables and rows stand along a chain, usually time.
///
/// Entries of the Hessian and of the Jacobian should couple neighbouring stages only; what is
/// coupled with everything stands in [`Stages::BORDER`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stages {
    /// Stage of each variable.
    pub variables: Vec<u32>,
    /// Stage of each row.
    pub rows: Vec<u32>,
}

impl Stages {
    /// The stage of variables and rows that are eliminated last.
    pub const BORDER: u32 = u32::MAX;
}

/// A nonlinear program: minimise `f(x)` subject to bounds of rows `c(x)` and of variables `x`.
///
/// The Lagrangian is `f + y . c - z_lower . (x - lower) + z_upper . (x - upper)`, with `z >= 0`.
pub trait Nlp {
    /// Bounds of the variables.
    fn variable_ranges(&self) -> &[Range];

    /// Bounds of the rows.
    fn row_ranges(&self) -> &[Range];

    /// Where the search begins.
    fn start(&self) -> &[f64];

    /// What a variable is called.
    fn variable_name(&self, index: usize) -> String;

    /// What a row is called.
    fn row_name(&self, index: usize) -> String;

    /// Pattern of `dc/dx`.
    fn jacobian_pattern(&self) -> &Pattern;

    /// Pattern of the lower triangle (row >= column) of the Hessian of the Lagrangian.
    fn hessian_pattern(&self) -> &Pattern;

    /// The chain along which the program is coupled, if it is known.
    fn stages(&self) -> Option<&Stages> {
        None
    }

    /// Fills `c(x)` and returns `f(x)`.
    fn values(&mut self, x: &[f64], rows: &mut [f64]) -> f64;

    /// Fills `df/dx` and the entries of `dc/dx`.
    fn slopes(&mut self, x: &[f64], gradient: &mut [f64], jacobian: &mut [f64]);

    /// Fills the entries of the Hessian of `weight f + y . c`.
    fn curvature(&mut self, x: &[f64], weight: f64, y: &[f64], hessian: &mut [f64]);
}
