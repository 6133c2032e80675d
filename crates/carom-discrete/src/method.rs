//! Methods: a rule, or a symmetric composition of steps that raises its order.
//!
//! A composition replaces a step `h` by steps `gamma_1 h, ..., gamma_k h` with
//! `sum gamma_i = 1`. For a symmetric method of order `p` (even), steps that
//! satisfy `sum gamma_i^(p+1) = 0` and read the same from both ends give order
//! `p + 2`. Methods are written as they nest: `suzuki(midpoint)`,
//! `triple-jump(strang(left))`.
//!
//! Sources: Suzuki 1990; Yoshida 1990; Kahan and Li 1997; Hairer, Lubich and
//! Wanner, *Geometric Numerical Integration*, sections II.4 and V.3.

use crate::rules::{self, LinearRetraction, Properties, Rule};
use std::fmt;
use std::sync::Arc;

/// A way to compose steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scheme {
    /// Half a step of the method, half a step of its adjoint: makes any method symmetric.
    Strang,
    /// Three steps, the middle one backwards: order `p + 2`.
    TripleJump,
    /// Five steps, the middle one backwards and short: order `p + 2` with smaller errors.
    Suzuki,
    /// Seven steps on a method of order 2: order 6.
    Yoshida6,
    /// Nine steps on a method of order 2: order 6 with smaller errors.
    KahanLi6,
    /// Seventeen steps on a method of order 2: order 8.
    KahanLi8,
}

/// First halves, middle included, of the palindromic coefficient lists.
const YOSHIDA6: [f64; 4] =
    [0.784_513_610_477_557_3, 0.235_573_213_359_358_13, -1.177_679_984_178_871, 1.315_186_320_683_911_2];
const KAHAN_LI6: [f64; 5] = [
    0.392_161_444_007_314_1,
    0.332_599_136_789_359_44,
    -0.706_246_172_557_639_4,
    0.082_213_596_293_550_8,
    0.798_543_990_934_83,
];
const KAHAN_LI8: [f64; 9] = [
    0.130_202_483_088_890_08,
    0.561_162_981_775_108_4,
    -0.389_474_962_644_847_3,
    0.158_841_906_555_155_6,
    -0.395_903_894_133_237_6,
    0.184_539_640_978_315_7,
    0.258_374_387_686_322_04,
    0.295_011_723_609_310_3,
    -0.605_508_533_830_034_5,
];

impl Scheme {
    /// Every scheme.
    pub const ALL: [Self; 6] =
        [Self::Strang, Self::TripleJump, Self::Suzuki, Self::Yoshida6, Self::KahanLi6, Self::KahanLi8];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Strang => "strang",
            Self::TripleJump => "triple-jump",
            Self::Suzuki => "suzuki",
            Self::Yoshida6 => "yoshida6",
            Self::KahanLi6 => "kahan-li6",
            Self::KahanLi8 => "kahan-li8",
        }
    }

    /// The fractions `gamma_i` for a base method of order `p`.
    fn fractions(self, p: usize) -> Vec<f64> {
        let exponent = 1.0 / (p as f64 + 1.0);
        match self {
            Self::Strang => vec![0.5, 0.5],
            Self::TripleJump => {
                let outer = 1.0 / (2.0 - 2_f64.powf(exponent));
                vec![outer, 1.0 - 2.0 * outer, outer]
            }
            Self::Suzuki => {
                let outer = 1.0 / (4.0 - 4_f64.powf(exponent));
                vec![outer, outer, 1.0 - 4.0 * outer, outer, outer]
            }
            Self::Yoshida6 => palindrome(&YOSHIDA6),
            Self::KahanLi6 => palindrome(&KAHAN_LI6),
            Self::KahanLi8 => palindrome(&KAHAN_LI8),
        }
    }

    fn order(self, p: usize) -> usize {
        match self {
            Self::Strang => (p + 1).next_multiple_of(2),
            Self::TripleJump | Self::Suzuki => p + 2,
            Self::Yoshida6 | Self::KahanLi6 => 6,
            Self::KahanLi8 => 8,
        }
    }

    /// Why the scheme cannot use this base, if it cannot.
    fn objection(self, base: &Properties) -> Option<&'static str> {
        match self {
            Self::Strang => base.symmetric.then_some("the method is symmetric already"),
            _ if !base.symmetric => Some("it needs a symmetric method; wrap a rectangle rule in strang(...) first"),
            Self::Yoshida6 | Self::KahanLi6 | Self::KahanLi8 if base.order != 2 => Some("it needs a method of order 2"),
            _ => None,
        }
    }
}

/// The full list, with the last coefficient adjusted so that the sum is exactly one.
fn palindrome(half: &[f64]) -> Vec<f64> {
    let (outer, _) = half.split_at(half.len() - 1);
    let middle = 1.0 - 2.0 * outer.iter().sum::<f64>();
    outer.iter().copied().chain([middle]).chain(outer.iter().rev().copied()).collect()
}

/// Why a text names no method.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum MethodError {
    #[error("unknown method `{name}`{}; methods: {known}", suggestion.as_ref().map(|s| format!(", did you mean `{s}`?")).unwrap_or_default())]
    Unknown { name: String, suggestion: Option<String>, known: String },
    #[error("`{scheme}` cannot be applied to `{base}`: {reason}")]
    NotApplicable { scheme: &'static str, base: String, reason: &'static str },
    #[error("`{text}` is no method: write `midpoint`, or a composition such as `suzuki(midpoint)`")]
    Malformed { text: String },
    #[error("`{text}` is no place for a retraction: it is a number from 0 (left end of a step) to 1 (right end)")]
    BadRetraction { text: String },
    #[error("`{name}` is a rule by itself; write it without the parentheses")]
    NoArgument { name: String },
    #[error("`{text}` is nested too deeply")]
    TooDeep { text: String },
}

/// A method of integration.
#[derive(Clone, Debug)]
pub enum Method {
    /// A discrete Lagrangian by itself.
    Rule(Arc<dyn Rule>),
    /// A composition.
    Composed(Scheme, Box<Method>),
}

/// A linear retraction, around its place.
const RETRACTION: &str = "retraction";
/// Deepest nesting of compositions, and most steps that one step may consist of.
const MAX_DEPTH: usize = 5;
const MAX_SUBSTEPS: usize = 1000;

impl Method {
    /// Reads a method such as `gauss2` or `suzuki(midpoint)`.
    pub fn parse(text: &str) -> Result<Self, MethodError> {
        Self::parse_nested(text.trim(), 0)
    }

    fn parse_nested(text: &str, depth: usize) -> Result<Self, MethodError> {
        if depth > MAX_DEPTH {
            return Err(MethodError::TooDeep { text: text.to_owned() });
        }
        let Some((outer, inner)) = text.strip_suffix(')').and_then(|rest| rest.split_once('(')) else {
            if text.is_empty() || text.contains(['(', ')']) {
                return Err(MethodError::Malformed { text: text.to_owned() });
            }
            return rules::by_name(text).map(|rule| Self::Rule(rule.into())).ok_or_else(|| unknown(text));
        };
        if outer.trim() == RETRACTION {
            let map = inner.trim().parse().ok().and_then(LinearRetraction::at);
            let map = map.ok_or_else(|| MethodError::BadRetraction { text: inner.trim().to_owned() })?;
            return Ok(Self::Rule(map.named().into()));
        }
        if rules::by_name(outer.trim()).is_some() {
            return Err(MethodError::NoArgument { name: outer.trim().to_owned() });
        }
        let scheme = Scheme::ALL.into_iter().find(|scheme| scheme.name() == outer.trim());
        let scheme = scheme.ok_or_else(|| unknown(outer.trim()))?;
        let base = Self::parse_nested(inner.trim(), depth + 1)?;
        let objection = match base.reflects() {
            true => Some("it carries momenta from step to step; compose `trapezoidal` instead"),
            false => scheme.objection(&base.properties()),
        };
        match objection {
            Some(reason) => Err(MethodError::NotApplicable { scheme: scheme.name(), base: base.to_string(), reason }),
            None => {
                let composed = Self::Composed(scheme, Box::new(base));
                let is_long = composed.substeps().len() > MAX_SUBSTEPS;
                if is_long { Err(MethodError::TooDeep { text: text.to_owned() }) } else { Ok(composed) }
            }
        }
    }

    /// What the method promises.
    pub fn properties(&self) -> Properties {
        match self {
            Self::Rule(rule) => rule.properties(),
            Self::Composed(scheme, base) => {
                let base = base.properties();
                Properties { order: scheme.order(base.order), symmetric: true, ..base }
            }
        }
    }

    /// The method whose step of `-h` undoes this one's step of `h`; itself if it is symmetric.
    pub fn adjoint(&self) -> Self {
        match self {
            Self::Rule(rule) => Self::Rule(rule.adjoint().into()),
            // Compositions read the same from both ends.
            Self::Composed(..) => self.clone(),
        }
    }

    /// True if velocity constraints reflect momenta ([`Rule::reflects`]).
    pub fn reflects(&self) -> bool {
        self.substeps().iter().any(|(rule, _)| rule.reflects())
    }

    /// The steps that make up one step: rules and fractions of `h`.
    pub fn substeps(&self) -> Vec<(Arc<dyn Rule>, f64)> {
        match self {
            Self::Rule(rule) => vec![(rule.clone(), 1.0)],
            Self::Composed(scheme, base) => {
                let forward = base.substeps();
                let mut steps = Vec::new();
                for (i, gamma) in scheme.fractions(base.properties().order).into_iter().enumerate() {
                    let adjoint = *scheme == Scheme::Strang && i == 1;
                    steps.extend(if adjoint { adjoint_steps(&forward, gamma) } else { scaled(&forward, gamma) });
                }
                steps
            }
        }
    }
}

fn scaled(steps: &[(Arc<dyn Rule>, f64)], gamma: f64) -> Vec<(Arc<dyn Rule>, f64)> {
    steps.iter().map(|(rule, fraction)| (rule.clone(), gamma * fraction)).collect()
}

/// The adjoint of a composition: adjoint steps in reverse order.
fn adjoint_steps(steps: &[(Arc<dyn Rule>, f64)], gamma: f64) -> Vec<(Arc<dyn Rule>, f64)> {
    steps.iter().rev().map(|(rule, fraction)| (Arc::from(rule.adjoint()), gamma * fraction)).collect()
}

fn unknown(name: &str) -> MethodError {
    let rules: Vec<String> = rules::all().iter().map(|rule| rule.name()).collect();
    let schemes = Scheme::ALL.map(|scheme| format!("{}(...)", scheme.name()));
    let known = rules.iter().chain(&schemes).map(String::as_str).collect::<Vec<_>>().join(", ");
    let known = format!("{known}, {RETRACTION}(...)");
    let schemes = Scheme::ALL.iter().map(|scheme| scheme.name()).chain([RETRACTION]);
    let candidates = rules.iter().map(String::as_str).chain(schemes);
    MethodError::Unknown { name: name.to_owned(), suggestion: carom_expr::text::nearest(name, candidates), known }
}

impl fmt::Display for Method {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rule(rule) => formatter.write_str(&rule.name()),
            Self::Composed(scheme, base) => write!(formatter, "{}({base})", scheme.name()),
        }
    }
}
