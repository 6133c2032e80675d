//! What a simulation leaves behind: states at nodes, what was conserved, what it cost.

use crate::energy_audit::EnergyAudit;
use crate::events::{Finding, Impact, ModeChange};

/// An impact takes the room of about this many nodes.
const ROWS_OF_AN_IMPACT: usize = 8;

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The final time was reached.
    Completed,
    /// The run stopped early; the nodes up to there are kept.
    Failed {
        /// Time of the last good node.
        time: f64,
        /// What happened and what to try.
        message: String,
    },
}

/// Work that was done, and why.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Steps taken.
    pub steps: usize,
    /// Newton iterations (steppers) or right-hand sides (flows).
    pub iterations: usize,
    /// Jacobians evaluated and factored.
    pub factorisations: usize,
    /// Steps that had to be divided.
    pub retries: usize,
    /// Seconds spent stepping.
    pub wall_seconds: f64,
    /// Seconds spent deriving and compiling.
    pub setup_seconds: f64,
}

/// Something that is constant along exact motions.
#[derive(Clone, Debug, PartialEq)]
pub struct Invariant {
    /// Its name, such as `energy` or `p_phi`.
    pub name: String,
    /// Its value at every node.
    pub values: Vec<f64>,
}

/// The nodes of a motion. Vectors per node are stored one node after the other.
#[derive(Clone, Debug, PartialEq)]
pub struct Trajectory {
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the constraints.
    pub constraints: Vec<String>,
    /// Names of the contacts.
    pub contacts: Vec<String>,
    /// Names of the quasivelocities, if the model has a frame.
    pub quasivelocities: Vec<String>,
    /// Name of the method that computed it.
    pub method: String,
    /// Times.
    pub t: Vec<f64>,
    /// Configurations.
    pub q: Vec<f64>,
    /// Velocities.
    pub v: Vec<f64>,
    /// Momenta.
    pub p: Vec<f64>,
    /// Quasivelocities `w`, `v = w^i u_i`.
    pub w: Vec<f64>,
    /// Multipliers of the constraints.
    pub multipliers: Vec<f64>,
    /// Largest constraint residual at each node.
    pub constraint_error: Vec<f64>,
    /// Energy `E = v . dL/dv - L`.
    pub energy: Vec<f64>,
    /// Other quantities that the motion should conserve.
    pub invariants: Vec<Invariant>,
    /// Gaps of the contacts at each node.
    pub gaps: Vec<f64>,
    /// Normal forces of the contacts at each node; zero where they are open.
    pub contact_forces: Vec<f64>,
    /// Impacts, in order.
    pub impacts: Vec<Impact>,
    /// Changes of mode of the contacts, in order.
    pub modes: Vec<ModeChange>,
    /// What should be looked at.
    pub findings: Vec<Finding>,
    /// What it cost.
    pub statistics: Statistics,
    /// How it ended.
    pub ending: Ending,
}

/// The state at one node.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<'a> {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocity.
    pub v: &'a [f64],
    /// Momentum.
    pub p: &'a [f64],
    /// Multipliers.
    pub multipliers: &'a [f64],
    /// Energy.
    pub energy: f64,
}

impl Trajectory {
    /// A trajectory without nodes.
    pub fn new(coordinates: Vec<String>, constraints: Vec<String>, method: &str) -> Self {
        Self {
            coordinates,
            constraints,
            contacts: Vec::new(),
            quasivelocities: Vec::new(),
            method: method.to_owned(),
            t: Vec::new(),
            q: Vec::new(),
            v: Vec::new(),
            p: Vec::new(),
            w: Vec::new(),
            multipliers: Vec::new(),
            constraint_error: Vec::new(),
            energy: Vec::new(),
            invariants: Vec::new(),
            gaps: Vec::new(),
            contact_forces: Vec::new(),
            impacts: Vec::new(),
            modes: Vec::new(),
            findings: Vec::new(),
            statistics: Statistics::default(),
            ending: Ending::Completed,
        }
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.t.len()
    }

    /// True if there is no node.
    pub fn is_empty(&self) -> bool {
        self.t.is_empty()
    }

    /// How much there is to keep, in rows of the size of a node.
    pub fn rows(&self) -> usize {
        self.t.len() + ROWS_OF_AN_IMPACT * self.impacts.len() + self.modes.len() + self.findings.len()
    }

    /// Forgets nodes, impacts, changes of mode and findings; names, statistics and ending stay.
    pub fn clear(&mut self) {
        let Self { t, q, v, p, w, multipliers, constraint_error, energy, gaps, contact_forces, .. } = self;
        for values in [t, q, v, p, w, multipliers, constraint_error, energy, gaps, contact_forces] {
            values.clear();
        }
        self.invariants.iter_mut().for_each(|invariant| invariant.values.clear());
        self.impacts.clear();
        self.modes.clear();
        self.findings.clear();
    }

    /// The same without nodes, impacts, changes of mode and findings.
    pub fn header(&self) -> Self {
        let name = |invariant: &Invariant| Invariant { name: invariant.name.clone(), values: Vec::new() };
        Self {
            contacts: self.contacts.clone(),
            quasivelocities: self.quasivelocities.clone(),
            invariants: self.invariants.iter().map(name).collect(),
            statistics: self.statistics.clone(),
            ending: self.ending.clone(),
            ..Self::new(self.coordinates.clone(), self.constraints.clone(), &self.method)
        }
    }

    /// Number of coordinates.
    pub fn dimension(&self) -> usize {
        self.coordinates.len()
    }

    /// The state at node `k`.
    pub fn node(&self, k: usize) -> Node<'_> {
        let (n, m) = (self.dimension(), self.constraints.len());
        // Vectors of a trajectory that was put together by hand may be empty.
        let row = |values: &[f64], width: usize| {
            let end = ((k + 1) * width).min(values.len());
            (k * width).min(end)..end
        };
        Node {
            t: self.t[k],
            q: &self.q[row(&self.q, n)],
            v: &self.v[row(&self.v, n)],
            p: &self.p[row(&self.p, n)],
            multipliers: &self.multipliers[row(&self.multipliers, m)],
            energy: self.energy.get(k).copied().unwrap_or(f64::NAN),
        }
    }

    /// The last node, if any.
    pub fn last(&self) -> Option<Node<'_>> {
        self.len().checked_sub(1).map(|k| self.node(k))
    }

    /// One coordinate over all nodes.
    pub fn coordinate(&self, index: usize) -> Vec<f64> {
        self.q.iter().skip(index).step_by(self.dimension()).copied().collect()
    }

    /// Largest deviation of the energy from its first value, apart from what the laws of impacts take: a node is
    /// compared with the first energy less the losses of all impacts before it.
    pub fn energy_error(&self) -> f64 {
        let mut audit = EnergyAudit::default();
        audit.add(self);
        audit.error()
    }

    /// Largest deviation of the energy from its first value, whatever changed it.
    pub fn energy_deviation(&self) -> f64 {
        largest_deviation(&self.energy)
    }

    /// The largest kinetic energy on the way, as far as `p . v / 2` tells: what energy errors are to be
    /// measured by, since the energy itself may be zero.
    pub fn energy_scale(&self) -> f64 {
        let n = self.dimension().max(1);
        let nodes = self.p.chunks_exact(n).zip(self.v.chunks_exact(n));
        let kinetic = |(p, v): (&[f64], &[f64])| p.iter().zip(v).map(|(p, v)| 0.5 * p * v).sum::<f64>().abs();
        nodes.map(kinetic).fold(0.0, f64::max)
    }

    /// Largest constraint residual over all nodes.
    pub fn constraint_error(&self) -> f64 {
        self.constraint_error.iter().fold(0.0, |largest, residual| larger(largest, residual.abs()))
    }
}

impl Invariant {
    /// Largest deviation from the first value.
    pub fn error(&self) -> f64 {
        largest_deviation(&self.values)
    }
}

fn largest_deviation(values: &[f64]) -> f64 {
    let Some(first) = values.first() else { return 0.0 };
    values.iter().fold(0.0, |largest, value| larger(largest, (value - first).abs()))
}

/// Not-a-number wins.
pub(crate) fn larger(largest: f64, deviation: f64) -> f64 {
    if deviation <= largest || largest.is_nan() { largest } else { deviation }
}
