//! The frame of a model: is it one at the initial state, and what do its fields say about each other?

use super::equations::hamel;
use crate::distribution::samples::{Measured, Row, independent, measure, nearby};
use crate::dynamics::Dynamics;
use crate::file::Model;
use crate::frame::{Frame, VectorField};
use crate::quasivelocity::Quasivelocities;
use carom_expr::{Backend, Graph, Id};

/// Fields of length one that span less than this are dependent.
const DEGENERATE: f64 = 1e-6;
/// Configurations near the initial one.
const NEARBY: usize = 4;
/// Structure functions of larger frames are not derived.
const MAX_COORDINATES: usize = 7;
/// Mass matrices of more nodes than this are not looked at.
const MAX_NODES: usize = 100_000;
/// Longest expression that is worth reading.
const MAX_TEXT: usize = 60;

/// A frame at the initial state.
#[derive(Clone, Debug, PartialEq)]
pub struct FrameState {
    /// Names of the fields of the distribution and of their quasivelocities.
    pub fields: Vec<String>,
    /// Volume that these span when all have length one: 1 if they are orthogonal, 0 if dependent.
    pub volume: f64,
    /// True if they are independent.
    pub is_regular: bool,
    /// The structure functions that do not vanish; none if the frame is too large. A frame that is not complete
    /// is completed by the one-forms of the velocity constraints as vectors.
    pub structure: Option<Vec<StructureFunction>>,
    /// True if `d2l/dw^j dw^k` is the same everywhere, with `l(q, w) = L(q, w^i u_i)`; none if it is too large.
    pub has_constant_mass: Option<bool>,
    /// Hamel's equations, if they are short.
    pub equations: Option<Vec<String>>,
}

/// A structure function `c_ij^m` of `[u_i, u_j] = c_ij^m u_m`, for fields of the distribution.
#[derive(Clone, Debug, PartialEq)]
pub struct StructureFunction {
    /// Names of `u_i` and `u_j`.
    pub fields: [String; 2],
    /// Name of `u_m`, or of the velocity constraint whose one-form takes its place.
    pub along: String,
    /// The function, if it is short.
    pub expression: Option<String>,
}

/// Looks at the frame; `graph` is a copy of the graph of `dynamics`.
pub(super) fn frame_state(model: &Model, dynamics: &Dynamics, graph: &mut Graph) -> Option<FrameState> {
    let frame = dynamics.frame.as_ref()?;
    let fields: Vec<String> = frame.span().iter().map(|field| field.name.clone()).collect();
    let volume = volume(model, dynamics, frame, graph)?;
    let hamel = hamel(dynamics, frame, graph);
    let is_constant = hamel.as_ref().is_some_and(|hamel| hamel.has_constant_mass);
    Some(FrameState {
        fields,
        volume,
        is_regular: volume >= DEGENERATE,
        structure: structure(model, dynamics, frame, graph),
        has_constant_mass: match is_constant {
            true => Some(true),
            false => has_constant_mass(model, dynamics, frame, graph),
        },
        equations: hamel.and_then(|hamel| hamel.text),
    })
}

/// Volume of the fields at length one. A field of which rounding leaves something has none.
fn volume(model: &Model, dynamics: &Dynamics, frame: &Frame, graph: &Graph) -> Option<f64> {
    let (n, q) = (dynamics.dimension(), &model.initial.q);
    let mut fields = Quasivelocities::new(dynamics, graph, frame, Backend::Interpreter).ok()?;
    let values = measure(graph, &dynamics.q, std::slice::from_ref(q), &frame.matrix()[..frame.rank * n]);
    let rows: Vec<Row> = values.first()?.as_ref()?.chunks_exact(n).map(Row::new).collect();
    Some(if independent(&rows).len() == frame.rank { fields.volume(q) } else { 0.0 })
}

fn structure(model: &Model, dynamics: &Dynamics, frame: &Frame, graph: &mut Graph) -> Option<Vec<StructureFunction>> {
    let (n, k) = (dynamics.dimension(), frame.rank);
    if n > MAX_COORDINATES {
        return None;
    }
    let complete = completed(model, dynamics, frame, graph);
    let all = complete.structure(graph, &dynamics.q)?;
    let mut found = Vec::new();
    for (j, i) in (0..k).flat_map(|j| (0..j).map(move |i| (j, i))) {
        for (m, &id) in all[(i * n + j) * n..(i * n + j + 1) * n].iter().enumerate() {
            let values = samples(model, dynamics, graph, &[id]);
            if values.iter().all(|value| value[0].is_zero()) {
                continue;
            }
            let name = |index: usize| complete.fields[index].name.clone();
            found.push(StructureFunction {
                fields: [name(i), name(j)],
                along: name(m),
                expression: text(graph, id, &values),
            });
        }
    }
    Some(found)
}

/// The frame with the one-forms as vectors, if it has no complement.
fn completed(model: &Model, dynamics: &Dynamics, frame: &Frame, graph: &mut Graph) -> Frame {
    let mut complete = frame.clone();
    if frame.fields.len() == frame.rank {
        let forms = dynamics.one_forms(graph);
        let named = model.system.velocity_constraints().iter().zip(forms.chunks_exact(dynamics.dimension()));
        complete
            .fields
            .extend(named.map(|(omega, row)| VectorField { name: omega.name.clone(), components: row.to_vec() }));
    }
    complete
}

/// Values at random states where they are finite.
fn samples(model: &Model, dynamics: &Dynamics, graph: &Graph, roots: &[Id]) -> Vec<Vec<Measured>> {
    let inputs: Vec<Id> = dynamics.q.iter().chain(&dynamics.v).copied().chain([dynamics.time]).collect();
    let state = [&model.initial.q[..], &model.initial.v, &[0.0]].concat();
    measure(graph, &inputs, &nearby(&state, NEARBY), roots).into_iter().flatten().collect()
}

/// True if the values are the same up to rounding.
fn agree(values: &[Vec<Measured>], index: usize) -> bool {
    let Some(first) = values.first().map(|value| value[index]) else { return false };
    let difference = |other: Measured| Measured { value: other.value - first.value, noise: other.noise + first.noise };
    values.iter().all(|value| difference(value[index]).is_zero())
}

/// The expression, or its value if it is a number in disguise.
fn text(graph: &Graph, id: Id, values: &[Vec<Measured>]) -> Option<String> {
    if agree(values, 0) {
        // Fewer digits than rounding spoils.
        let value = values.first()?[0].value;
        return Some(
            format!("{:?}", format!("{value:.12e}").parse().unwrap_or(value)).trim_end_matches(".0").to_owned(),
        );
    }
    Some(graph.display(id)).filter(|text| text.chars().count() <= MAX_TEXT)
}

fn has_constant_mass(model: &Model, dynamics: &Dynamics, frame: &Frame, graph: &mut Graph) -> Option<bool> {
    let mass = graph.hessian(dynamics.lagrangian, &dynamics.v).dense(graph);
    if mass.len() > MAX_NODES || graph.operation_count(&mass) > MAX_NODES {
        return None;
    }
    let n = dynamics.dimension();
    let mut reduced = Vec::new();
    for field in frame.span() {
        let image: Vec<Id> = (0..n).map(|row| graph.dot(&mass[row * n..(row + 1) * n], &field.components)).collect();
        reduced.extend(frame.span().iter().map(|other| graph.dot(&image, &other.components)));
    }
    let values = samples(model, dynamics, graph, &reduced);
    (values.len() > 1).then(|| (0..reduced.len()).all(|index| agree(&values, index)))
}
