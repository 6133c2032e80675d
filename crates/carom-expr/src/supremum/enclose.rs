//! Bounds above over a box.
//!
//! The natural extension `F(X)` is too wide by a multiple of the width of `X`. With the exact gradient `G(X)` and
//! the middle `m` of the box there are two more bounds, where `f` has no jump and the gradient is finite:
//!
//! ```text
//! Gᵢ(X) >= 0:   sup over X = sup over the side xᵢ = hi          (and with <=, over xᵢ = lo),
//! f(X) ⊆ F(m) + Σᵢ Gᵢ(X) (Xᵢ - mᵢ),                              too wide by the square of the width
//! ```
//!
//! (Moore, Kearfott and Cloud 2009, section 6.2.) Kinks (`abs`, `min`, `max`) do no harm: over a box that contains
//! one, the gradient's enclosure holds the slopes of both sides. Poles and ends of a domain make it infinite.

use super::region::{Region, cut, is_bounded, share};
use super::tail::Tail;
use crate::bounds::Bounds;
use crate::compile::FunctionError;
use crate::graph::{Graph, Id, Node};
use crate::interval::Interval;
use crate::op::{Binary, Unary};

pub(super) struct Enclosure {
    /// The function, its gradient, and what decides whether it jumps.
    all: Bounds,
    ranges: Vec<Interval>,
    switches: Vec<Switch>,
    /// The function alone.
    value: Bounds,
    middle: Region,
    tail: Tail,
    domain: Region,
}

impl Enclosure {
    pub(super) fn new(graph: &Graph, f: Id, variables: &[Id], domain: &Region) -> Result<Self, FunctionError> {
        let value = Bounds::new(graph, variables, &[f])?;
        // The gradient is built on a copy: the caller's graph does not grow.
        let mut graph = graph.clone();
        let mut roots = vec![f];
        roots.extend(graph.gradient(f, variables));
        let (watched, switches): (Vec<Id>, Vec<Switch>) = switches(&graph, f).into_iter().unzip();
        roots.extend(watched);
        Ok(Self {
            all: Bounds::new(&graph, variables, &roots)?,
            ranges: vec![Interval::ENTIRE; roots.len()],
            switches,
            value,
            middle: domain.clone(),
            tail: Tail::new(&graph, f, variables),
            domain: domain.clone(),
        })
    }

    /// A bound above over `region`, not above the one that is known, and the side that is best cut next.
    ///
    /// Sides along which the function is monotone shrink to the end where it is largest.
    pub(super) fn enclose(&mut self, region: &mut Region, known: f64) -> (f64, Option<usize>) {
        let mut above = known;
        loop {
            self.all.eval(region, &mut self.ranges);
            above = above.min(self.ranges[0].hi).min(self.tail.above(region));
            if !self.is_smooth() {
                return (above, widest(region, |i| share(region[i], self.domain[i])));
            }
            if !self.shrink(region) {
                break;
            }
        }
        if !region.iter().copied().all(is_bounded) {
            return (above, widest(region, |i| share(region[i], self.domain[i])));
        }
        // The side that contributes most to the width of the mean-value form.
        let excess = |i: usize| self.slope(i).abs().hi * region[i].width();
        let side = widest(region, excess);
        (above.min(self.mean_value(region)), side)
    }

    fn slope(&self, i: usize) -> Interval {
        self.ranges[1 + i]
    }

    /// True if the mean-value theorem holds in the box that was evaluated last.
    fn is_smooth(&self) -> bool {
        let (slopes, watched) = self.ranges[1..].split_at(self.domain.len());
        slopes.iter().copied().all(is_bounded)
            && self.switches.iter().zip(watched).all(|(switch, &range)| switch.is_fixed(range))
    }

    /// Goes to the upper ends along monotone sides; true if there were any.
    fn shrink(&self, region: &mut Region) -> bool {
        let mut shrunk = false;
        for (i, side) in region.iter_mut().enumerate().filter(|(_, side)| side.lo < side.hi) {
            let slope = self.slope(i);
            let end = if slope.lo >= 0.0 { side.hi } else { side.lo };
            if (slope.lo >= 0.0 || slope.hi <= 0.0) && end.is_finite() {
                *side = Interval::point(end);
                shrunk = true;
            }
        }
        shrunk
    }

    /// The upper end of `F(m) + Σᵢ Gᵢ(X) (Xᵢ - mᵢ)`.
    fn mean_value(&mut self, region: &Region) -> f64 {
        for (middle, side) in self.middle.iter_mut().zip(region) {
            *middle = Interval::point(side.mid());
        }
        let mut sum = [Interval::ENTIRE];
        self.value.eval(&self.middle, &mut sum);
        for (i, &side) in region.iter().enumerate() {
            sum[0] = sum[0] + self.slope(i) * (side - self.middle[i]);
        }
        sum[0].hi
    }
}

/// Of the sides that can be cut, the one with the largest weight.
fn widest(region: &Region, weight: impl Fn(usize) -> f64) -> Option<usize> {
    let sides = (0..region.len()).filter(|&i| cut(region[i]).is_some());
    sides.max_by(|&i, &j| weight(i).total_cmp(&weight(j)))
}

/// An expression that makes the function jump, unless it is of one kind all over the box.
enum Switch {
    /// Zero or not zero.
    Truth,
    /// An angle, which jumps by a full turn.
    Angle,
}

impl Switch {
    fn is_fixed(&self, range: Interval) -> bool {
        match self {
            Self::Truth => !range.contains_zero() || (range.lo == 0.0 && range.hi == 0.0),
            // Off the cut lies at most half a turn, on it the enclosure is a full one.
            Self::Angle => range.width() < 4.0,
        }
    }
}

/// What is to be watched for jumps of `f`.
fn switches(graph: &Graph, f: Id) -> Vec<(Id, Switch)> {
    let switch = |id: Id| match graph.node(id) {
        Node::Binary(Binary::Less | Binary::LessEqual | Binary::Equal, ..) => Some((id, Switch::Truth)),
        Node::Select(condition, ..) => Some((condition, Switch::Truth)),
        Node::Unary(Unary::Sign, x) => Some((x, Switch::Truth)),
        Node::Binary(Binary::Atan2, ..) => Some((id, Switch::Angle)),
        _ => None,
    };
    graph.reachable(&[f]).into_iter().filter_map(switch).collect()
}
