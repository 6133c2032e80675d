//! The state of a motion, with everything that a step changes.

use carom_linalg::add_compensated;

/// A point of phase space with what the last step knew about it.
#[derive(Clone, Debug, PartialEq)]
pub struct PhaseState {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: Vec<f64>,
    /// Momentum, tangent to the constraints.
    pub p: Vec<f64>,
    /// Impulses of the constraints at the node before: `lambda_k (t_(k+1) - t_(k-1))/2` of (3.1.5). Rules
    /// with internal nodes and compositions spread a force over several impulses, of which this is one.
    pub impulses: Vec<f64>,
    /// Discrete energy `-D_3 Ld` of the last segment.
    pub discrete_energy: f64,
}

/// Everything that a step changes.
#[derive(Clone, Debug)]
pub(crate) struct Motion {
    pub(crate) state: PhaseState,
    /// Rounding errors of `q` and `p`: sums of many small changes stay exact.
    pub(crate) position_rest: Vec<f64>,
    pub(crate) momentum_rest: Vec<f64>,
    /// Multipliers of the projection at the current node.
    pub(crate) normal: Vec<f64>,
    pub(crate) velocity: Vec<f64>,
    /// Duration of the last segment; not a number at the start.
    pub(crate) duration: f64,
    /// One-forms of the velocity constraints, and the determinant of the frame.
    pub(crate) forms: Vec<f64>,
    pub(crate) determinant: f64,
}

impl Motion {
    pub(crate) fn new(n: usize, m: usize) -> Self {
        let (zero, none) = (vec![0.0; n], vec![0.0; m]);
        let (q, p, impulses) = (zero.clone(), zero.clone(), none.clone());
        Self {
            state: PhaseState { t: 0.0, q, p, impulses, discrete_energy: f64::NAN },
            position_rest: zero.clone(),
            momentum_rest: zero.clone(),
            normal: none,
            velocity: zero,
            duration: f64::NAN,
            forms: Vec::new(),
            determinant: f64::NAN,
        }
    }

    /// Arrives at the end of a segment: displacement, multipliers at its first node, change of momentum.
    pub(crate) fn arrive(&mut self, displacement: &[f64], first: &[f64], change: &[f64], duration: f64) {
        let state = &mut self.state;
        add_compensated(&mut state.q, &mut self.position_rest, displacement);
        add_compensated(&mut state.p, &mut self.momentum_rest, change);
        state.t += duration;
        self.duration = duration;
        // At the node: what this segment and the projection before it asked for.
        let impulses = first.iter().zip(&self.normal).map(|(now, before)| now + before);
        state.impulses.iter_mut().zip(impulses).for_each(|(value, impulse)| *value = impulse);
    }

    /// Becomes equal to `other` without allocating.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.state.t = other.state.t;
        self.state.discrete_energy = other.state.discrete_energy;
        self.state.q.copy_from_slice(&other.state.q);
        self.state.p.copy_from_slice(&other.state.p);
        self.state.impulses.copy_from_slice(&other.state.impulses);
        self.position_rest.copy_from_slice(&other.position_rest);
        self.momentum_rest.copy_from_slice(&other.momentum_rest);
        self.normal.copy_from_slice(&other.normal);
        self.velocity.copy_from_slice(&other.velocity);
        self.duration = other.duration;
        self.forms.clone_from(&other.forms);
        self.determinant = other.determinant;
    }
}
