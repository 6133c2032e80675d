//! Vectors and rotations of three dimensions, in expressions.

use carom_expr::{Graph, Id, Unary};

/// Three components.
pub(crate) type Vector = [Id; 3];

/// The vector of numbers.
pub(crate) fn constant(graph: &mut Graph, values: [f64; 3]) -> Vector {
    values.map(|value| graph.constant(value))
}

pub(super) fn add(graph: &mut Graph, a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| graph.add(a[i], b[i]))
}

pub(super) fn scale(graph: &mut Graph, factor: Id, a: Vector) -> Vector {
    a.map(|component| graph.mul(factor, component))
}

/// `a x b`
pub(super) fn cross(graph: &mut Graph, a: Vector, b: Vector) -> Vector {
    std::array::from_fn(|i| {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let (first, second) = (graph.mul(a[j], b[k]), graph.mul(a[k], b[j]));
        graph.sub(first, second)
    })
}

/// A turn about a fixed axis by an angle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    axis: [f64; 3],
    cos: Id,
    sin: Id,
}

impl Turn {
    /// The turn by `angle`; the axis has unit length.
    pub(super) fn new(graph: &mut Graph, axis: [f64; 3], angle: Id) -> Self {
        Self { axis, cos: graph.unary(Unary::Cos, angle), sin: graph.unary(Unary::Sin, angle) }
    }

    /// `R x`, from the turned frame to the other (Rodrigues): `cos x + sin a x x + (1 - cos) (a . x) a`.
    pub(super) fn forth(&self, graph: &mut Graph, x: Vector) -> Vector {
        self.apply(graph, x, self.sin)
    }

    /// `R^T x`, into the turned frame.
    pub(super) fn back(&self, graph: &mut Graph, x: Vector) -> Vector {
        let minus = graph.neg(self.sin);
        self.apply(graph, x, minus)
    }

    fn apply(&self, graph: &mut Graph, x: Vector, sin: Id) -> Vector {
        let axis = constant(graph, self.axis);
        let along = graph.dot(&axis, &x);
        let parallel = scale(graph, along, axis);
        let turned = cross(graph, axis, x);
        // Components along the axis stay as they are, without cos + (1 - cos).
        std::array::from_fn(|i| {
            let across = graph.sub(x[i], parallel[i]);
            let (a, b) = (graph.mul(self.cos, across), graph.mul(sin, turned[i]));
            let sum = graph.add(a, b);
            graph.add(parallel[i], sum)
        })
    }
}
