//! Hamel's equations of a model, as text where they are short.

use crate::dynamics::Dynamics;
use crate::frame::Frame;
use crate::motion::EquationsOfMotion;
use carom_expr::{Graph, Id};

/// Longest equation that is worth reading.
const MAX_TEXT: usize = 100;
/// Lagrangians of more operations than this are not looked at.
const MAX_OPERATIONS: usize = 2_000;

/// The equations in the quasivelocities of a frame.
pub(super) struct Hamel {
    /// `M_jk w'^k = b_j`, one per field; none if one of them is long.
    pub(super) text: Option<Vec<String>>,
    /// True if every `M_jk` is a number.
    pub(super) has_constant_mass: bool,
}

/// Derives the equations; none if there is too much to derive, or if multipliers stay in them.
pub(super) fn hamel(dynamics: &Dynamics, frame: &Frame, graph: &Graph) -> Option<Hamel> {
    let mut graph = graph.clone();
    if !dynamics.constraints.is_empty() || graph.operation_count(&[dynamics.lagrangian]) > MAX_OPERATIONS {
        return None;
    }
    let motion = EquationsOfMotion::in_frame(&mut graph, dynamics, frame);
    let bias: Vec<Id> = motion.bias.iter().map(|&entry| graph.collect(entry)).collect();
    let mass: Vec<Id> = motion.mass.iter().map(|&entry| graph.collect(entry)).collect();
    let has_constant_mass = mass.iter().all(|&entry| graph.value(entry).is_some());
    // Quasivelocities under their own names.
    let names: Vec<(Id, Id)> =
        motion.speeds.iter().zip(frame.span()).map(|(&speed, field)| (speed, graph.variable(&field.name))).collect();
    let bias = graph.substitute(&bias, &names);
    let mass = graph.substitute(&mass, &names);
    let lines = (0..frame.rank).map(|j| {
        let mut left = graph.constant(0.0);
        for (k, field) in frame.span().iter().enumerate() {
            let rate = graph.variable(&format!("{}'", field.name));
            let term = graph.mul(mass[j * frame.rank + k], rate);
            left = graph.add(left, term);
        }
        let line = format!("{} = {}", graph.display(left), graph.display(bias[j]));
        (line.chars().count() <= MAX_TEXT).then_some(line)
    });
    Some(Hamel { text: lines.collect(), has_constant_mass })
}
