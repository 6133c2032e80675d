//! The elementary operations and their meaning on floating-point numbers.
//!
//! These few lines are the definition that both evaluators follow bit for bit.

/// An operation of one argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Unary {
    /// `-x`
    Neg,
    /// `sqrt(x)`
    Sqrt,
    /// `exp(x)`
    Exp,
    /// Natural logarithm.
    Log,
    /// `sin(x)`
    Sin,
    /// `cos(x)`
    Cos,
    /// `tan(x)`
    Tan,
    /// `asin(x)`
    Asin,
    /// `acos(x)`
    Acos,
    /// `atan(x)`
    Atan,
    /// `sinh(x)`
    Sinh,
    /// `cosh(x)`
    Cosh,
    /// `tanh(x)`
    Tanh,
    /// `|x|`
    Abs,
    /// `-1`, `0` or `1`
    Sign,
}

/// An operation of two arguments. Comparisons give `1` (true) or `0` (false).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Binary {
    /// `a + b`
    Add,
    /// `a - b`
    Sub,
    /// `a * b`
    Mul,
    /// `a / b`
    Div,
    /// `a ^ b`
    Pow,
    /// `atan2(a, b)`: the angle of the point `(b, a)`
    Atan2,
    /// `min(a, b)`
    Min,
    /// `max(a, b)`
    Max,
    /// `a < b`
    Less,
    /// `a <= b`
    LessEqual,
    /// `a == b`
    Equal,
}

impl Unary {
    /// Every unary operation that has a name in text, with that name.
    pub const NAMED: [(&'static str, Self); 14] = [
        ("sqrt", Self::Sqrt),
        ("exp", Self::Exp),
        ("log", Self::Log),
        ("sin", Self::Sin),
        ("cos", Self::Cos),
        ("tan", Self::Tan),
        ("asin", Self::Asin),
        ("acos", Self::Acos),
        ("atan", Self::Atan),
        ("sinh", Self::Sinh),
        ("cosh", Self::Cosh),
        ("tanh", Self::Tanh),
        ("abs", Self::Abs),
        ("sign", Self::Sign),
    ];

    /// The value of the operation.
    #[inline]
    pub fn apply(self, x: f64) -> f64 {
        match self {
            Self::Neg => -x,
            Self::Sqrt => x.sqrt(),
            Self::Exp => x.exp(),
            Self::Log => x.ln(),
            Self::Sin => x.sin(),
            Self::Cos => x.cos(),
            Self::Tan => x.tan(),
            Self::Asin => x.asin(),
            Self::Acos => x.acos(),
            Self::Atan => x.atan(),
            Self::Sinh => x.sinh(),
            Self::Cosh => x.cosh(),
            Self::Tanh => x.tanh(),
            Self::Abs => x.abs(),
            Self::Sign => sign(x),
        }
    }
}

impl Binary {
    /// Every binary operation that is written like a function, with its name.
    pub const NAMED: [(&'static str, Self); 3] = [("atan2", Self::Atan2), ("min", Self::Min), ("max", Self::Max)];

    /// True if `a op b = b op a`, bit for bit.
    pub fn is_commutative(self) -> bool {
        matches!(self, Self::Add | Self::Mul | Self::Equal)
    }

    /// The value of the operation.
    #[inline]
    pub fn apply(self, a: f64, b: f64) -> f64 {
        match self {
            Self::Add => a + b,
            Self::Sub => a - b,
            Self::Mul => a * b,
            Self::Div => a / b,
            Self::Pow => a.powf(b),
            Self::Atan2 => a.atan2(b),
            Self::Min => min(a, b),
            Self::Max => max(a, b),
            Self::Less => truth(a < b),
            Self::LessEqual => truth(a <= b),
            Self::Equal => truth(a == b),
        }
    }
}

/// `1` for true, `0` for false.
#[inline]
pub(crate) fn truth(condition: bool) -> f64 {
    if condition { 1.0 } else { 0.0 }
}

/// `-1`, `0` or `1`; not-a-number stays what it is.
#[inline]
pub(crate) fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        x
    }
}

/// The smaller argument; the second one if they cannot be compared.
#[inline]
pub(crate) fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// The larger argument; the second one if they cannot be compared.
#[inline]
pub(crate) fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// `a` where the condition is true (not zero), else `b`.
#[inline]
pub(crate) fn select(condition: f64, a: f64, b: f64) -> f64 {
    if condition == 0.0 { b } else { a }
}
