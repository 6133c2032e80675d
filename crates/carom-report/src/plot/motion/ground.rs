//! The ground: where a gap vanishes, by marching squares in the drawing window.

use super::super::canvas::{Canvas, Stroke};
use super::super::colour::{INK, faint, parse};
use super::super::curve::Place;
use super::super::panel::Panel;
use crate::error::ReportError;
use carom_expr::{Backend, Evaluator, Function, Group, Id};
use carom_model::{Primitive, Shape, System};
use plotters::style::RGBColor;
use std::collections::BTreeMap;

/// Pixels of a square.
const SQUARE: f64 = 3.0;
/// Pixels between hatches, and of a hatch.
pub(super) const HATCH: [f64; 2] = [9.0, 6.0];

/// A ground in pixels.
pub(in super::super) struct Ground {
    color: RGBColor,
    curves: Vec<Vec<Place>>,
    hatches: Vec<[Place; 2]>,
}

impl Ground {
    pub fn draw(&self, canvas: &mut Canvas<'_>) {
        for hatch in &self.hatches {
            canvas.path(hatch, Stroke { color: faint(self.color, 0.45), width: 0.75 });
        }
        for curve in &self.curves {
            canvas.path(curve, Stroke { color: self.color, width: 1.5 });
        }
    }
}

/// All grounds of the drawing; what else they depend on has the values of `state = (t, q, v)`.
pub(in super::super) fn grounds(
    system: &System,
    drawing: &[Primitive],
    state: &[f64],
    panel: &Panel,
) -> Result<Vec<Ground>, ReportError> {
    let mut list = Vec::new();
    for primitive in drawing {
        let Shape::Ground { gap, plane } = &primitive.shape else { continue };
        let mut gap = Gap::new(system, *gap, plane, state, panel)?;
        let curves = curves(&mut gap);
        let hatches = curves.iter().flat_map(|curve| hatches(curve, &mut gap)).collect();
        let color = primitive.color.as_deref().and_then(parse).unwrap_or(INK);
        list.push(Ground { color, curves, hatches });
    }
    Ok(list)
}

/// The gap as a function of pixels.
struct Gap<'a> {
    evaluator: Evaluator,
    inputs: Vec<f64>,
    panel: &'a Panel,
}

impl<'a> Gap<'a> {
    fn new(system: &System, gap: Id, plane: &[Id; 2], state: &[f64], panel: &'a Panel) -> Result<Self, ReportError> {
        let mut graph = system.graph().clone();
        let outputs = system.specialise(&mut graph, &[gap]);
        // The plane's variables may be coordinates of the system; then the plane has them.
        let variables = [&[system.time()][..], system.q(), system.v()].concat();
        let fixed = variables.into_iter().zip(state).filter(|(variable, _)| !plane.contains(variable));
        let (variables, values): (Vec<Id>, Vec<f64>) = fixed.unzip();
        let inputs = [Group::new("plane", plane), Group::new("state", &variables)];
        let function = Function::compile(&graph, &inputs, &[Group::new("gap", &outputs)], Backend::Interpreter)
            .map_err(|source| ReportError::Drawing { place: "a ground".to_owned(), source })?;
        let inputs = [&[0.0; 2][..], &values].concat();
        Ok(Self { evaluator: function.evaluator(), inputs, panel })
    }

    fn at(&mut self, pixel: Place) -> f64 {
        self.inputs[..2].copy_from_slice(&self.panel.point(pixel));
        let mut value = [0.0];
        self.evaluator.eval(&self.inputs, &mut value);
        value[0]
    }
}

/// An edge of the grid: its first corner, and whether it goes down (else right).
type Edge = (usize, usize, bool);

/// The zero curves of the gap.
fn curves(gap: &mut Gap<'_>) -> Vec<Vec<Place>> {
    let frame = gap.panel.frame;
    let [columns, rows] = [frame.width, frame.height].map(|length| (length / SQUARE).ceil() as usize);
    let corner = |i: usize, j: usize| {
        [frame.left + frame.width * i as f64 / columns as f64, frame.top + frame.height * j as f64 / rows as f64]
    };
    let mut values = Vec::with_capacity((columns + 1) * (rows + 1));
    for j in 0..=rows {
        values.extend((0..=columns).map(|i| gap.at(corner(i, j))));
    }
    let value = |i: usize, j: usize| values[j * (columns + 1) + i];
    // Where the gap vanishes on an edge, by linear interpolation.
    let crossing = |(i, j, down): Edge| {
        let (k, l) = if down { (i, j + 1) } else { (i + 1, j) };
        let (a, b) = (value(i, j), value(k, l));
        let (from, to, s) = (corner(i, j), corner(k, l), a / (a - b));
        [from[0] + s * (to[0] - from[0]), from[1] + s * (to[1] - from[1])]
    };
    let mut neighbours: BTreeMap<Edge, Vec<Edge>> = BTreeMap::new();
    for (i, j) in (0..rows).flat_map(|j| (0..columns).map(move |i| (i, j))) {
        for [a, b] in pieces(i, j, [value(i, j), value(i + 1, j), value(i + 1, j + 1), value(i, j + 1)]) {
            neighbours.entry(a).or_default().push(b);
            neighbours.entry(b).or_default().push(a);
        }
    }
    chains(neighbours).into_iter().map(|chain| chain.into_iter().map(crossing).collect()).collect()
}

/// The pieces of the curve in one square, whose corner values go around it.
fn pieces(i: usize, j: usize, values: [f64; 4]) -> Vec<[Edge; 2]> {
    if values.iter().any(|value| !value.is_finite()) {
        return Vec::new();
    }
    let edges = [(i, j, false), (i + 1, j, true), (i, j + 1, false), (i, j, true)];
    let positive = values.map(|value| value > 0.0);
    let crossed: Vec<Edge> = (0..4).filter(|&k| positive[k] != positive[(k + 1) % 4]).map(|k| edges[k]).collect();
    match crossed[..] {
        [a, b] => vec![[a, b]],
        // A saddle: the mean decides which corners belong together.
        [a, b, c, d] if (values.iter().sum::<f64>() > 0.0) == positive[0] => vec![[a, b], [c, d]],
        [a, b, c, d] => vec![[d, a], [b, c]],
        _ => Vec::new(),
    }
}

/// Joins pieces that share an edge, open chains first.
fn chains(mut neighbours: BTreeMap<Edge, Vec<Edge>>) -> Vec<Vec<Edge>> {
    let mut list = Vec::new();
    let ends: Vec<Edge> = neighbours.iter().filter(|(_, next)| next.len() == 1).map(|(edge, _)| *edge).collect();
    let all: Vec<Edge> = neighbours.keys().copied().collect();
    for start in ends.into_iter().chain(all) {
        let mut chain = vec![start];
        let mut here = start;
        while let Some(next) = neighbours.get_mut(&here).and_then(Vec::pop) {
            // The piece is used up in both directions.
            if let Some(back) = neighbours.get_mut(&next) {
                back.retain(|edge| *edge != here);
            }
            chain.push(next);
            here = next;
        }
        if chain.len() > 1 {
            list.push(chain);
        }
    }
    list
}

/// Short strokes at equal distances, to the side where the gap is negative.
fn hatches(curve: &[Place], gap: &mut Gap<'_>) -> Vec<[Place; 2]> {
    let frame = gap.panel.frame;
    let inside = |[x, y]: Place| x > frame.left && x < frame.right() && y > frame.top && y < frame.bottom();
    let (mut list, mut walked) = (Vec::new(), HATCH[0] / 2.0);
    for pair in curve.windows(2) {
        let along = [pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]];
        let length = along[0].hypot(along[1]);
        walked += length;
        if walked < HATCH[0] || length == 0.0 {
            continue;
        }
        walked -= HATCH[0];
        let reach = HATCH[1] / length;
        let sides =
            [1.0, -1.0].map(|side| [pair[0][0] - side * reach * along[1], pair[0][1] + side * reach * along[0]]);
        let below = if gap.at(sides[0]) < gap.at(sides[1]) { sides[0] } else { sides[1] };
        // Slanted, as in mechanics textbooks.
        let end = [below[0] - HATCH[1] * 0.7, below[1]];
        if inside(end) {
            list.push([pair[0], end]);
        }
    }
    list
}
