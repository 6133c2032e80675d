//! Bounds on tails: sides `[a, ∞)` and `(-∞, -a]` with `a >= 1`.
//!
//! The natural extension of `x / (1 + x²)` over a tail is `∞ / ∞`, which says nothing. Here every value is
//! written with a power of the distance `s = |x|`,
//!
//! ```text
//! u ∈ sᵖ U,        s ∈ [a, ∞),
//! u v ∈ sᵖ⁺ᵠ U V,     u/v ∈ sᵖ⁻ᵠ U/V,     u + v ∈ sᵖ (U + [0, aᵠ⁻ᵖ] V)  with p >= q,
//! exp u ∈ s⁻ᴺ [0, K]  with U <= -c < 0, p > 0, K = max sᴺ exp(-c sᵖ) at s = (N/(c p))^(1/p) or a,
//! ```
//!
//! so that what decays is seen to decay. Functions of any other kind take the interval of their argument, and so
//! do other variables: `x y / (1 + x² + y²)²` has no bound where both are unbounded.

use super::region::Region;
use crate::graph::{Graph, Id, Node};
use crate::interval::Interval;
use crate::op::{Binary, Unary};

/// The power of the distance that stands for an exponential: higher than those of most polynomials beside it.
const EXPONENTIAL_POWER: f64 = 24.0;
/// Powers are multiples of the inverse of this number and not larger than it, so that their sums and products are
/// exact: no error of a power is harmless at all distances.
const POWERS: f64 = 1024.0;

pub(super) struct Tail {
    /// The nodes behind the function, with operands by their place in the list.
    nodes: Vec<(Step, [usize; 3])>,
}

/// What a node does.
#[derive(Clone, Copy)]
enum Step {
    Constant(f64),
    Variable(usize),
    Unary(Unary),
    Binary(Binary),
    Select,
}

/// Values `sᵖ U`.
#[derive(Clone, Copy)]
struct Scaled {
    power: f64,
    range: Interval,
}

impl Tail {
    pub(super) fn new(graph: &Graph, f: Id, variables: &[Id]) -> Self {
        let order = graph.reachable(&[f]);
        let place = |id: Id| order.binary_search(&id).unwrap_or_default();
        let step = |&id: &Id| {
            let mut operands = [0; 3];
            operands.iter_mut().zip(graph.node(id).operands()).for_each(|(to, operand)| *to = place(operand));
            let step = match graph.node(id) {
                Node::Constant(bits) => Step::Constant(f64::from_bits(bits)),
                // All variables of the function are known: its bounds have been prepared before.
                Node::Variable(_) => Step::Variable(variables.iter().position(|&v| v == id).unwrap_or_default()),
                Node::Unary(op, _) => Step::Unary(op),
                Node::Binary(op, ..) => Step::Binary(op),
                Node::Select(..) => Step::Select,
            };
            (step, operands)
        };
        Self { nodes: order.iter().map(step).collect() }
    }

    /// A bound above over `region`; infinite if it has no tail.
    pub(super) fn above(&self, region: &Region) -> f64 {
        let tails = region.iter().enumerate().filter_map(|(i, &side)| Some((i, start(side)?)));
        tails.map(|(i, start)| self.along(region, i, start)).fold(f64::INFINITY, f64::min)
    }

    /// The bound with powers of `|x|`, where `x` is a variable with `|x| >= start`.
    fn along(&self, region: &Region, variable: usize, start: f64) -> f64 {
        let distance = Distance { start };
        let mut values: Vec<Scaled> = Vec::with_capacity(self.nodes.len());
        for &(step, operands) in &self.nodes {
            let [u, v, w] = operands.map(|place| values.get(place).copied().unwrap_or(Scaled::plain(Interval::ENTIRE)));
            let value = match step {
                Step::Constant(value) => Scaled::plain(Interval::point(value)),
                Step::Variable(i) if i == variable => {
                    Scaled { power: 1.0, range: Interval::point(if region[i].lo > 0.0 { 1.0 } else { -1.0 }) }
                }
                Step::Variable(i) => Scaled::plain(region[i]),
                Step::Unary(op) => distance.unary(op, u),
                Step::Binary(Binary::Mul) if operands[0] == operands[1] => {
                    Scaled { power: 2.0 * u.power, range: u.range.square() }
                }
                Step::Binary(op) => distance.binary(op, u, v),
                Step::Select => distance.together(v, w, |v, w| Interval::select(distance.interval(u), v, w)),
            };
            values.push(if is_exact(value.power) { value } else { Scaled::plain(Interval::ENTIRE) });
        }
        values.last().map_or(f64::INFINITY, |&value| distance.interval(value).hi)
    }
}

/// The distance of the tail's end from zero, if there is one and it is at least 1.
fn start(side: Interval) -> Option<f64> {
    let end = match (side.lo.is_finite(), side.hi.is_finite()) {
        (true, false) => side.lo,
        (false, true) => -side.hi,
        _ => return None,
    };
    (end >= 1.0).then_some(end)
}

fn is_exact(power: f64) -> bool {
    power.abs() <= POWERS && (POWERS * power).fract() == 0.0
}

impl Scaled {
    /// Without a power.
    fn plain(range: Interval) -> Self {
        Self { power: 0.0, range }
    }
}

/// The distance `s >= start >= 1`.
#[derive(Clone, Copy)]
struct Distance {
    start: f64,
}

impl Distance {
    /// `{ sᵖ }`
    fn power(self, p: f64) -> Interval {
        if p == 0.0 {
            return Interval::point(1.0);
        }
        let end = Interval::point(self.start).pow(Interval::point(p));
        if p > 0.0 { Interval { lo: end.lo, hi: f64::INFINITY } } else { Interval { lo: 0.0, hi: end.hi } }
    }

    fn interval(self, u: Scaled) -> Interval {
        u.range * self.power(u.power)
    }

    /// Two values by the same power, the higher one, joined by an operation that commutes with `sᵖ > 0`.
    fn together(self, u: Scaled, v: Scaled, join: impl Fn(Interval, Interval) -> Interval) -> Scaled {
        let power = u.power.max(v.power);
        let at = |w: Scaled| w.range * self.power(w.power - power);
        Scaled { power, range: join(at(u), at(v)) }
    }

    fn unary(self, op: Unary, u: Scaled) -> Scaled {
        let Scaled { power, range } = u;
        match op {
            Unary::Neg => Scaled { power, range: -range },
            Unary::Abs => Scaled { power, range: range.abs() },
            Unary::Sqrt => Scaled { power: 0.5 * power, range: range.sqrt() },
            Unary::Sign => Scaled::plain(range.sign()),
            Unary::Exp if power > 0.0 && range.hi < 0.0 => self.decay(-range.hi, power),
            _ => Scaled::plain(crate::bounds::unary(op, self.interval(u))),
        }
    }

    fn binary(self, op: Binary, u: Scaled, v: Scaled) -> Scaled {
        match op {
            Binary::Mul => Scaled { power: u.power + v.power, range: u.range * v.range },
            Binary::Div => Scaled { power: u.power - v.power, range: u.range / v.range },
            Binary::Add => self.together(u, v, |u, v| u + v),
            Binary::Sub => self.together(u, v, |u, v| u - v),
            Binary::Min => self.together(u, v, Interval::min),
            Binary::Max => self.together(u, v, Interval::max),
            Binary::Pow if v.power == 0.0 && v.range.lo == v.range.hi && is_exact(v.range.lo) => {
                Scaled { power: v.range.lo * u.power, range: u.range.pow(v.range) }
            }
            _ => Scaled::plain(crate::bounds::binary(op, self.interval(u), self.interval(v))),
        }
    }

    /// `exp(-c sᵖ)` and below, as a negative power.
    fn decay(self, c: f64, p: f64) -> Scaled {
        let n = EXPONENTIAL_POWER;
        // sⁿ exp(-c sᵖ) rises to here and falls from here on.
        let top = (n / (c * p)).powf(1.0 / p).max(self.start);
        let log = n * top.ln() - c * top.powf(p);
        // Rounding of a logarithm of at most some thousands, and an exponential that underflows.
        let largest = log.exp() * (1.0 + 1e-9) + f64::MIN_POSITIVE;
        if largest.is_finite() {
            Scaled { power: -n, range: Interval::new(0.0, largest) }
        } else {
            Scaled::plain(Interval::new(0.0, 1.0))
        }
    }
}
