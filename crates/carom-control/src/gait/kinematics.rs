//! Places of the feet, and configurations that put the feet where they should be.
//!
//! ```text
//! feet(q) = (gap and tangents of the stance foot, gap and tangents of the swing foot)
//! q <- q + J^T (J J^T + mu)^(-1) (wanted - feet(q))         the least change, damped, within the bounds of the joints
//! ```

use super::Gait;
use crate::error::ControlError;
use crate::formula::Formulas;
use carom_expr::{Backend, Evaluator, Function, Graph, Group, Id};
use carom_linalg::{Lu, max_abs};
use carom_nlp::Range;

/// Damping of the least change, in parts of the largest entry of `J J^T`.
const DAMPING: f64 = 1e-6;
/// Largest change of a coordinate in one step.
const STRIDE: f64 = 0.3;
/// Steps after which a posture is as good as it gets.
const STEPS: usize = 60;
/// Feet that are off by less than this are in place.
const IN_PLACE: f64 = 1e-10;

/// Feet and relabelling as compiled functions of the configuration.
pub(super) struct Kinematics {
    feet: Evaluator,
    relabel: Evaluator,
    bounds: Vec<Range>,
    /// Places of both feet together: two gaps and all tangents.
    rows: usize,
    /// Those of the stance foot.
    pub(super) stance_rows: usize,
    n: usize,
    out: Vec<f64>,
}

impl Kinematics {
    /// With these values of freed parameters.
    pub(super) fn new(gait: &Gait, freed: &[(String, f64)]) -> Result<Self, ControlError> {
        let system = gait.system();
        let [stance, swing] = gait.feet()?;
        let place = |contact: &carom_model::Contact| [&[contact.gap][..], &contact.tangents].concat();
        let (stance, swing) = (place(stance), place(swing));
        let stance_rows = stance.len();
        let mut graph = system.graph().clone();
        let places = [stance, swing].concat();
        let names: Vec<String> = freed.iter().map(|(name, _)| name.clone()).collect();
        let feet = system.specialise_keeping(&mut graph, &places, &|name| names.iter().any(|freed| freed == name));
        let feet = with_values(&mut graph, freed, &feet);
        let feet = with_jacobian(&graph, system.q(), &feet)?;
        let formulas = Formulas::new(system, &[], &names, (&gait.step.name, true));
        if gait.relabel.len() != system.dimension() {
            let (found, needed) = (gait.relabel.len(), system.dimension());
            return Err(ControlError::MapSize { transition: "strike".to_owned(), found, needed });
        }
        let mut graph = system.graph().clone();
        let mut map = Vec::new();
        for formula in &gait.relabel {
            let id = formulas.read(&mut graph, "the relabelling", formula)?;
            formulas.refuse(&graph, id, system.v(), ("the relabelling", formula, "is no place"))?;
            map.push(id);
        }
        let map = with_values(&mut graph, freed, &map);
        let relabel = with_jacobian(&graph, system.q(), &map)?;
        let bounds = system.coordinates().iter().map(|coordinate| gait.step.range(&coordinate.name)).collect();
        let (n, rows) = (system.dimension(), places.len());
        Ok(Self { feet, relabel, bounds, rows, stance_rows, n, out: vec![0.0; rows.max(n) * (n + 1)] })
    }

    /// Places of the feet, and their derivatives by the configuration.
    pub(super) fn feet(&mut self, q: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = self.rows * (self.n + 1);
        self.feet.eval(q, &mut self.out[..size]);
        let (places, slopes) = self.out[..size].split_at(self.rows);
        (places.to_vec(), slopes.to_vec())
    }

    /// The configuration with the legs exchanged, and its derivatives.
    pub(super) fn relabel(&mut self, q: &[f64]) -> (Vec<f64>, Vec<f64>) {
        let size = self.n * (self.n + 1);
        self.relabel.eval(q, &mut self.out[..size]);
        let (places, slopes) = self.out[..size].split_at(self.n);
        (places.to_vec(), slopes.to_vec())
    }

    /// Bounds of the coordinates.
    pub(super) fn bounds(&self) -> &[Range] {
        &self.bounds
    }

    /// The configuration near `q` whose stance foot stands and whose swing foot is so far ahead, so high, and as
    /// far beside the other as it will land; and how far the feet are off.
    pub(super) fn reach(&mut self, q: &[f64], [ahead, height]: [f64; 2], width: Option<f64>) -> (Vec<f64>, f64) {
        let inside = |(q, range): (&f64, &Range)| q.max(range.lower).min(range.upper);
        let mut q: Vec<f64> = q.iter().zip(&self.bounds).map(inside).collect();
        let (n, m) = (self.n, self.rows);
        let mut wanted = vec![0.0; m];
        wanted[self.stance_rows] = height;
        wanted[self.stance_rows + 1] = ahead;
        if let (Some(place), Some(width)) = (wanted.get_mut(self.stance_rows + 2), width) {
            *place = width;
        }
        let mut off = f64::INFINITY;
        for _ in 0..STEPS {
            let (places, slopes) = self.feet(&q);
            let mut change: Vec<f64> = wanted.iter().zip(&places).map(|(wanted, place)| wanted - place).collect();
            off = max_abs(&change);
            if off < IN_PLACE || !off.is_finite() {
                break;
            }
            let rows: Vec<&[f64]> = slopes.chunks_exact(n).collect();
            let mut gram = carom_linalg::gram(&rows);
            let damping = DAMPING * max_abs(&gram);
            (0..m).for_each(|i| gram[i * m + i] += damping);
            let mut lu = Lu::new(m);
            if lu.factor(&gram).is_err() {
                break;
            }
            lu.solve(&mut change);
            for (k, value) in q.iter_mut().enumerate() {
                let step: f64 = rows.iter().zip(&change).map(|(row, y)| row[k] * y).sum();
                let moved = *value + step.clamp(-STRIDE, STRIDE);
                *value = moved.max(self.bounds[k].lower).min(self.bounds[k].upper);
            }
        }
        (q, off)
    }
}

/// Numbers in place of freed parameters.
fn with_values(graph: &mut Graph, freed: &[(String, f64)], roots: &[Id]) -> Vec<Id> {
    let places: Vec<(Id, Id)> =
        freed.iter().map(|(name, value)| (graph.variable(name), graph.constant(*value))).collect();
    graph.substitute(roots, &places)
}

/// Values and derivatives in one function.
fn with_jacobian(graph: &Graph, q: &[Id], roots: &[Id]) -> Result<Evaluator, ControlError> {
    let mut graph = graph.clone();
    let slopes: Vec<Id> = roots.iter().flat_map(|&root| graph.gradient(root, q)).collect();
    let groups = ([Group::new("q", q)], [Group::new("values", roots), Group::new("slopes", &slopes)]);
    Ok(Function::compile(&graph, &groups.0, &groups.1, Backend::Interpreter)?.evaluator())
}
