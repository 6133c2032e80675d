//! What a solved problem amounts to: motion, controls, forces, impacts, costs by name.

use crate::controls::ControlTrack;
use crate::guess::{Guess, PhaseGuess, TransitionGuess};
use crate::ladder::phase_guess;
use carom_nlp::{Multipliers, Outcome, Violation};

/// A solved control problem, or the point where the search ended.
#[derive(Clone, Debug)]
pub struct Solution {
    /// Why and where the solver stopped.
    pub outcome: Outcome,
    /// The constraints that are violated most, by name.
    pub worst: Vec<Violation>,
    /// Name of the transcription.
    pub method: String,
    /// One per phase.
    pub phases: Vec<PhaseSolution>,
    /// One per transition.
    pub transitions: Vec<TransitionSolution>,
    /// Every cost by name, with its weight.
    pub costs: Vec<(String, f64)>,
    /// Freed parameters by name.
    pub freed: Vec<(String, f64)>,
    /// Derivatives of the optimal cost by the freed parameters, by name from the multipliers: what a parameter that is
    /// held would change. Zero, but for the tolerance, where a parameter was found between its bounds.
    pub sensitivities: Vec<(String, f64)>,
    /// Numbers of variables and rows.
    pub size: [usize; 2],
    /// Seconds that deriving and compiling took.
    pub seconds_setup: f64,
}

/// The motion of a phase.
#[derive(Clone, Debug, Default)]
pub struct PhaseSolution {
    /// Name of the phase.
    pub name: String,
    /// Names of coordinates.
    pub coordinates: Vec<String>,
    /// Names of inputs.
    pub inputs: Vec<String>,
    /// Names of constraints.
    pub constraints: Vec<String>,
    /// Time at the beginning.
    pub begins: f64,
    /// The duration.
    pub duration: f64,
    /// Times of the nodes.
    pub times: Vec<f64>,
    /// Configurations at the nodes.
    pub q: Vec<Vec<f64>>,
    /// Velocities at the nodes, from the momenta.
    pub v: Vec<Vec<f64>>,
    /// Controls.
    pub controls: ControlTrack,
    /// Mean constraint forces around the nodes; positive ones push.
    pub forces: Vec<Vec<f64>>,
    /// Work of each input in each interval, as the costs see it.
    pub work: Vec<Vec<f64>>,
    /// Work of each input in each interval, the sizes of its samples summed: what costs of absolute work see.
    pub absolute_work: Vec<Vec<f64>>,
    /// Multipliers of the momentum balances: costates.
    pub costates: Vec<Vec<f64>>,
}

/// What happens between two phases.
#[derive(Clone, Debug, Default)]
pub struct TransitionSolution {
    /// Name of the transition.
    pub name: String,
    /// Numbers of the phases.
    pub phases: [usize; 2],
    /// When.
    pub time: f64,
    /// Configuration, in the coordinates of the first phase.
    pub q: Vec<f64>,
    /// Velocity before.
    pub v_minus: Vec<f64>,
    /// Velocity after, in the same coordinates.
    pub v_plus: Vec<f64>,
    /// Impulses by name.
    pub impulses: Vec<(String, f64)>,
    /// Energies before and after.
    pub energies: [f64; 2],
}

impl Solution {
    /// The motion as a guess for another search, on whatever mesh.
    pub fn guess(&self) -> Guess {
        Guess {
            phases: self.phases.iter().map(PhaseSolution::guess).collect(),
            freed: self.freed.iter().map(|freed| freed.1).collect(),
            transitions: self.transitions.iter().map(TransitionSolution::guess).collect(),
        }
    }

    /// The multipliers of the program.
    pub fn multipliers(&self) -> &Multipliers {
        &self.outcome.multipliers
    }

    /// Total duration.
    pub fn duration(&self) -> f64 {
        self.phases.iter().map(|phase| phase.duration).sum()
    }
}

impl TransitionSolution {
    fn guess(&self) -> TransitionGuess {
        TransitionGuess {
            v_plus: self.v_plus.clone(),
            impulses: self.impulses.iter().map(|impulse| impulse.1).collect(),
        }
    }
}

impl PhaseSolution {
    /// The motion as a guess for another search, on whatever mesh.
    pub fn guess(&self) -> PhaseGuess {
        phase_guess(self)
    }
}
