//! What is left of a motion when its nodes have gone: as much as a summary needs, however long it was.

use crate::contact::ContactMode;
use crate::energy_audit::EnergyAudit;
use crate::events::{Finding, Impact, ModeChange};
use crate::trajectory::{Invariant, Node, Trajectory, larger};

/// Entries of a list that a digest keeps.
pub const KEPT_ENTRIES: usize = 10_000;

/// The first entries of a list, and how many there were.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample<T> {
    /// The first ones, at most [`KEPT_ENTRIES`].
    pub first: Vec<T>,
    /// How many there were.
    pub count: usize,
}

/// A node on its own.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: Vec<f64>,
    /// Velocity.
    pub v: Vec<f64>,
    /// Momentum.
    pub p: Vec<f64>,
    /// Energy.
    pub energy: f64,
}

/// An invariant in two numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Deviation {
    /// Name of the invariant.
    pub name: String,
    /// Its first value.
    pub first: Option<f64>,
    /// Its largest deviation from that.
    pub error: f64,
}

/// All impacts together.
#[derive(Clone, Debug, PartialEq)]
pub struct Impacts {
    /// The impacts.
    pub sample: Sample<Impact>,
    /// Times of the first and of the last one.
    pub times: Option<(f64, f64)>,
    /// Names of their laws, in the order in which they first acted.
    pub laws: Vec<String>,
    /// What they added to the energy.
    pub energy_change: f64,
}

/// A motion without its nodes. It grows piece by piece, and does not depend on how the motion was divided.
#[derive(Clone, Debug, PartialEq)]
pub struct Digest {
    /// Names, statistics and ending: a trajectory without nodes.
    pub header: Trajectory,
    /// Number of nodes.
    pub nodes: usize,
    /// The first node.
    pub first: Option<State>,
    /// The last node.
    pub last: Option<State>,
    /// See [`Trajectory::energy_scale`].
    pub energy_scale: f64,
    /// Largest constraint residual.
    pub constraint_error: f64,
    /// The invariants.
    pub invariants: Vec<Deviation>,
    /// The impacts.
    pub impacts: Impacts,
    /// Changes of mode.
    pub modes: Sample<ModeChange>,
    /// The last mode of each contact that ever changed.
    pub final_modes: Vec<Option<ContactMode>>,
    /// Which contacts have slid after a change.
    pub have_slid: Vec<bool>,
    /// What should be looked at.
    pub findings: Sample<Finding>,
    audit: EnergyAudit,
}

impl Digest {
    /// The digest of a whole motion, or of its first piece.
    pub fn of(trajectory: &Trajectory) -> Self {
        let contacts = trajectory.contacts.len();
        let deviation = |invariant: &Invariant| Deviation { name: invariant.name.clone(), first: None, error: 0.0 };
        let mut digest = Self {
            header: trajectory.header(),
            nodes: 0,
            first: None,
            last: None,
            energy_scale: 0.0,
            constraint_error: 0.0,
            invariants: trajectory.invariants.iter().map(deviation).collect(),
            impacts: Impacts { sample: Sample::default(), times: None, laws: Vec::new(), energy_change: 0.0 },
            modes: Sample::default(),
            final_modes: vec![None; contacts],
            have_slid: vec![false; contacts],
            findings: Sample::default(),
            audit: EnergyAudit::default(),
        };
        digest.add(trajectory);
        digest
    }

    /// Goes on with the next piece of the same motion.
    pub fn add(&mut self, piece: &Trajectory) {
        self.nodes += piece.len();
        self.first = self.first.take().or_else(|| (!piece.is_empty()).then(|| piece.node(0).into()));
        self.last = piece.last().map(State::from).or(self.last.take());
        self.audit.add(piece);
        self.energy_scale = self.energy_scale.max(piece.energy_scale());
        self.constraint_error = larger(self.constraint_error, piece.constraint_error());
        for (deviation, invariant) in self.invariants.iter_mut().zip(&piece.invariants) {
            deviation.add(&invariant.values);
        }
        self.impacts.add(&piece.impacts);
        self.add_modes(&piece.modes);
        self.findings.add(&piece.findings);
    }

    /// Takes statistics and ending from what the run returned.
    pub fn end(&mut self, trajectory: &Trajectory) {
        self.header = trajectory.header();
    }

    /// See [`Trajectory::energy_error`].
    pub fn energy_error(&self) -> f64 {
        self.audit.error()
    }

    fn add_modes(&mut self, modes: &[ModeChange]) {
        self.modes.add(modes);
        for change in modes {
            if let Some(last) = self.final_modes.get_mut(change.contact) {
                *last = Some(change.to);
                self.have_slid[change.contact] |= change.to == ContactMode::Sliding;
            }
        }
    }
}

impl Deviation {
    fn add(&mut self, values: &[f64]) {
        let Some(first) = self.first.or(values.first().copied()) else { return };
        self.first = Some(first);
        self.error = values.iter().fold(self.error, |error, value| larger(error, (value - first).abs()));
    }
}

impl Impacts {
    fn add(&mut self, impacts: &[Impact]) {
        self.sample.add(impacts);
        for impact in impacts {
            self.times = Some((self.times.map_or(impact.t, |(first, _)| first), impact.t));
            self.energy_change += impact.energy_change;
            if !self.laws.contains(&impact.law) {
                self.laws.push(impact.law.clone());
            }
        }
    }
}

impl<T: Clone> Sample<T> {
    /// Counts further entries, and keeps them while there is room.
    pub fn add(&mut self, entries: &[T]) {
        let room = KEPT_ENTRIES.saturating_sub(self.first.len());
        self.first.extend(entries.iter().take(room).cloned());
        self.count += entries.len();
    }

    /// How many entries are not kept.
    pub fn omitted(&self) -> usize {
        self.count - self.first.len()
    }
}

impl<T> Default for Sample<T> {
    fn default() -> Self {
        Self { first: Vec::new(), count: 0 }
    }
}

impl From<Node<'_>> for State {
    fn from(node: Node<'_>) -> Self {
        let Node { t, q, v, p, energy, .. } = node;
        Self { t, q: q.to_vec(), v: v.to_vec(), p: p.to_vec(), energy }
    }
}
