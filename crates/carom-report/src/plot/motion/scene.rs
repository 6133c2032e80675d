//! From primitives with expressions to bodies with numbers.

use super::super::curve::Place;
use crate::error::ReportError;
use carom_expr::{Backend, Evaluator, Function, Group, Id};
use carom_model::{Primitive, Shape, System, Trajectory};
use std::f64::consts::TAU;

/// Corners of a circle: less than a tenth of a pixel off at any size that fits the page.
const CORNERS: usize = 120;

/// How points are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Look {
    Dot,
    Thin,
    Thick,
    Area,
}

/// A shape at one time.
pub(super) struct Body {
    /// Position of the primitive in the drawing.
    pub primitive: usize,
    pub look: Look,
    /// False if it never moves. Runs draw scenery as they draw bodies, gaits do not.
    #[cfg_attr(not(feature = "optimal-control"), allow(dead_code))]
    pub moves: bool,
    pub points: Vec<Place>,
    /// The same as a curve, if it is one.
    pub round: Option<Ellipse>,
}

/// An ellipse in the drawing plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ellipse {
    pub center: Place,
    /// Half axes, along its own directions.
    pub radii: [f64; 2],
    /// Angle of the first axis.
    pub angle: f64,
}

/// All primitives but the ground, compiled as one function of `(t, q, v)`.
pub(super) struct Scene {
    evaluator: Evaluator,
    /// Primitive, its shape, and where its numbers start.
    parts: Vec<(usize, Primitive, usize)>,
    /// For each part, whether it ever moves. What does not is scenery and drawn in outline.
    moves: Vec<bool>,
    values: Vec<f64>,
}

impl Scene {
    pub fn new(system: &System, drawing: &[Primitive]) -> Result<Self, ReportError> {
        let (mut parts, mut roots) = (Vec::new(), Vec::new());
        for (index, primitive) in drawing.iter().enumerate() {
            let numbers = numbers(&primitive.shape);
            if !numbers.is_empty() {
                parts.push((index, primitive.clone(), roots.len()));
                roots.extend(numbers);
            }
        }
        let mut graph = system.graph().clone();
        let outputs = system.specialise(&mut graph, &roots);
        let moves = parts.iter().map(|(_, primitive, start)| {
            let own = &outputs[*start..*start + numbers(&primitive.shape).len()];
            own.iter().any(|&id| graph.value(id).is_none())
        });
        let moves = moves.collect();
        let time = [system.time()];
        let inputs = [Group::new("t", &time), Group::new("q", system.q()), Group::new("v", system.v())];
        let function = Function::compile(&graph, &inputs, &[Group::new("drawing", &outputs)], Backend::Interpreter)
            .map_err(|source| ReportError::Drawing { place: "a shape".to_owned(), source })?;
        Ok(Self { evaluator: function.evaluator(), parts, moves, values: vec![0.0; roots.len()] })
    }

    fn evaluate(&mut self, state: &[f64]) {
        self.evaluator.eval(state, &mut self.values);
    }

    /// True if everything can be drawn in this state.
    pub fn is_finite(&mut self, state: &[f64]) -> bool {
        self.evaluate(state);
        self.values.iter().all(|value| value.is_finite())
    }

    /// All bodies in this state.
    pub fn bodies(&mut self, state: &[f64]) -> Vec<Body> {
        self.evaluate(state);
        let body = |((index, primitive, start), moves): (&(usize, Primitive, usize), &bool)| {
            let (look, points, round) = outline(&primitive.shape, &self.values[*start..]);
            let look = if look == Look::Area && !moves { Look::Thin } else { look };
            Body { primitive: *index, look, moves: *moves, points, round }
        };
        self.parts.iter().zip(&self.moves).map(body).collect()
    }

    /// The traced primitives.
    pub fn traced(&self) -> Vec<usize> {
        self.parts.iter().filter(|part| part.1.trace).map(|part| part.0).collect()
    }

    /// The traced points in this state, in the order of [`traced`](Self::traced).
    pub fn traced_points(&mut self, state: &[f64]) -> Vec<Place> {
        self.evaluate(state);
        let traced = self.parts.iter().filter(|part| part.1.trace);
        traced.map(|(_, primitive, start)| last_point(&primitive.shape, &self.values[*start..])).collect()
    }
}

/// The numbers that a shape needs; none for the ground.
fn numbers(shape: &Shape) -> Vec<Id> {
    match shape {
        Shape::Point { at } => at.to_vec(),
        Shape::Line { from, to } | Shape::Rod { from, to } => [*from, *to].concat(),
        Shape::Polyline { points, .. } => points.concat(),
        Shape::Circle { center, radius } => [&center[..], &[*radius]].concat(),
        Shape::Ellipse { center, radii, angle } => [&center[..], radii, &[*angle]].concat(),
        Shape::Ground { .. } => Vec::new(),
    }
}

/// Look and points of a shape whose numbers stand at the front of `values`, and the ellipse that they lie on.
fn outline(shape: &Shape, values: &[f64]) -> (Look, Vec<Place>, Option<Ellipse>) {
    let pairs = |count: usize| values.chunks_exact(2).take(count).map(|pair| [pair[0], pair[1]]).collect::<Vec<_>>();
    let round = |radii: [f64; 2], angle: f64| {
        let ellipse = Ellipse { center: [values[0], values[1]], radii, angle };
        (Look::Area, ellipse.corners(), Some(ellipse))
    };
    match shape {
        Shape::Point { .. } => (Look::Dot, pairs(1), None),
        Shape::Line { .. } => (Look::Thin, pairs(2), None),
        Shape::Rod { .. } => (Look::Thick, pairs(2), None),
        Shape::Polyline { points, closed } => {
            let mut corners = pairs(points.len());
            if *closed {
                corners.extend(corners.first().copied());
            }
            (if *closed { Look::Area } else { Look::Thin }, corners, None)
        }
        Shape::Circle { .. } => round([values[2]; 2], 0.0),
        Shape::Ellipse { .. } => round([values[2], values[3]], values[4]),
        Shape::Ground { .. } => (Look::Thin, Vec::new(), None),
    }
}

impl Ellipse {
    /// Points all around, the first again at the end.
    fn corners(&self) -> Vec<Place> {
        let Self { center, radii, angle } = self;
        let (sine, cosine) = angle.sin_cos();
        let corner = |index: usize| {
            let (y, x) = (TAU * index as f64 / CORNERS as f64).sin_cos();
            let (x, y) = (radii[0] * x, radii[1] * y);
            [center[0] + cosine * x - sine * y, center[1] + sine * x + cosine * y]
        };
        (0..=CORNERS).map(corner).collect()
    }
}

/// The point whose path is traced: the last, or the centre.
fn last_point(shape: &Shape, values: &[f64]) -> Place {
    let start = match shape {
        Shape::Line { .. } | Shape::Rod { .. } => 2,
        Shape::Polyline { points, .. } => 2 * (points.len() - 1),
        _ => 0,
    };
    [values[start], values[start + 1]]
}

/// `(t, q, v)` at a node; not-a-number where a partial run has no value.
pub(super) fn node_state(trajectory: &Trajectory, k: usize) -> Vec<f64> {
    let n = trajectory.dimension();
    let at = |values: &[f64], i: usize| values.get(k * n + i).copied().unwrap_or(f64::NAN);
    let q = (0..n).map(|i| at(&trajectory.q, i));
    let v = (0..n).map(|i| at(&trajectory.v, i));
    std::iter::once(trajectory.t[k]).chain(q).chain(v).collect()
}
