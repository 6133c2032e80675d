//! Settings of the flow.

use carom_expr::Backend;

/// Settings of the flow.
#[derive(Clone, Copy, Debug)]
pub struct FlowOptions {
    /// Error per step, relative to `max(1, |state|)`.
    pub tolerance: f64,
    /// Order of the series; chosen from the tolerance if not given.
    pub order: Option<usize>,
    /// Longest step. Features that are shorter than a step can be missed.
    pub max_step: f64,
    /// How constraints on velocities are dealt with.
    pub formulation: FlowFormulation,
    /// How functions are executed.
    pub backend: Backend,
}

impl Default for FlowOptions {
    fn default() -> Self {
        Self {
            tolerance: 1e-16,
            order: None,
            max_step: f64::INFINITY,
            formulation: FlowFormulation::default(),
            backend: Backend::fastest(),
        }
    }
}

/// The equations that are expanded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FlowFormulation {
    /// Hamel's equations where the model has a frame, multipliers otherwise.
    #[default]
    Automatic,
    /// Lagrange's equations with multipliers.
    Multipliers,
    /// Hamel's equations in the quasivelocities of the frame of the model, or of one that is adapted to its
    /// velocity constraints.
    Hamel,
}
