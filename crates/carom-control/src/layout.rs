//! Where the unknowns of a transcribed problem stand.

/// Variables of a transcribed problem.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// One per phase.
    pub phases: Vec<PhaseLayout>,
    /// One per transition.
    pub transitions: Vec<TransitionLayout>,
    /// Freed parameters.
    pub freed: Vec<u32>,
}

/// Variables of a phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseLayout {
    /// Configuration at each node.
    pub q: Vec<Vec<u32>>,
    /// Velocity at each node, where velocities are unknowns; for discrete mechanics at the two ends alone.
    pub v: Vec<Vec<u32>>,
    /// Configurations inside each interval.
    pub inner: Vec<Vec<Vec<u32>>>,
    /// Velocities inside each interval, where they are unknowns.
    pub inner_v: Vec<Vec<Vec<u32>>>,
    /// Further unknowns inside each interval, without a value of their own in a guess.
    pub extra: Vec<Vec<u32>>,
    /// Controls of each interval: for each input its unknowns.
    pub controls: Vec<Vec<Vec<u32>>>,
    /// Impulses of constraints at each node; empty in the null space.
    pub lambda: Vec<Vec<u32>>,
    /// Positive and negative parts of split costs: variable of each part, and the row that splits.
    pub splits: Vec<Split>,
    /// Times of the nodes since the beginning of the phase, where each of them is an unknown.
    pub times: Vec<u32>,
    /// The duration, if it is free.
    pub duration: Option<u32>,
    /// Shares of the duration.
    pub mesh: Vec<f64>,
    /// Times of samples of an interval as fractions: where controls of the shape `samples` act.
    pub sample_times: Vec<f64>,
    /// Times of the configurations inside an interval as fractions.
    pub inner_times: Vec<f64>,
    /// Rows of the equations of motion, multipliers of which are costates: of discrete mechanics at each node, of
    /// collocation in each interval.
    pub balances: Vec<Vec<u32>>,
}

/// A value split into its positive and its negative part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The positive part.
    pub plus: u32,
    /// The negative part.
    pub minus: u32,
    /// The row that splits: the value, less both parts.
    pub row: u32,
}

/// Variables of a transition.
#[derive(Clone, Debug, Default)]
pub struct TransitionLayout {
    /// Velocity after the impact, in the coordinates of the phase that ends; empty without impact.
    pub v_plus: Vec<u32>,
    /// Impulses: normal and tangential of each guard, then those of constraints that go on.
    pub impulses: Vec<u32>,
    /// Names of the impulses.
    pub impulse_names: Vec<String>,
}
