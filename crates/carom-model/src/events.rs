//! What happens at contacts on the way: impacts, changes of mode, and what should be looked at.

use crate::contact::ContactMode;

/// The impulse of one contact in an impact.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactImpulse {
    /// Index of the contact.
    pub contact: usize,
    /// Index of the smooth piece of its surface.
    pub surface: usize,
    /// Multiplier of the gradient of the gap.
    pub normal: f64,
    /// Multipliers of the gradients of the tangential positions.
    pub tangential: Vec<f64>,
}

/// An impact: one event set, with everything that its law can be checked against.
#[derive(Clone, Debug, PartialEq)]
pub struct Impact {
    /// Time.
    pub t: f64,
    /// Interval of time that is known to hold it.
    pub bracket: (f64, f64),
    /// Impulses of the contacts that took part.
    pub impulses: Vec<ContactImpulse>,
    /// Name of the law.
    pub law: String,
    /// Configuration.
    pub q: Vec<f64>,
    /// Configuration after the impact; differs for laws that relabel coordinates only.
    pub q_plus: Vec<f64>,
    /// Velocity before.
    pub v_minus: Vec<f64>,
    /// Velocity after.
    pub v_plus: Vec<f64>,
    /// Momentum before.
    pub p_minus: Vec<f64>,
    /// Momentum after.
    pub p_plus: Vec<f64>,
    /// Energy before.
    pub energy_minus: f64,
    /// Energy after minus energy before.
    pub energy_change: f64,
    /// How the jump was taken, and what it balanced.
    pub balance: Balance,
    /// Iterations that locating and solving it took.
    pub iterations: usize,
}

/// How a jump was taken, and the energies that it balanced.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Balance {
    /// Name of the kind of jump; `pointwise` if empty.
    pub kind: &'static str,
    /// The energy before and after, as this kind understands it: of the state, or of the adjacent segments.
    pub energies: (f64, f64),
    /// Energy that the law takes.
    pub loss: f64,
    /// Impulse `F_q` that the law gives along the surface.
    pub push: Vec<f64>,
    /// Normal impulse that moved the state before the impact to the energy it should have.
    pub correction: f64,
}

/// A contact begins or ceases to touch, to slide or to stick.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeChange {
    /// Time.
    pub t: f64,
    /// Index of the contact.
    pub contact: usize,
    /// What it did before.
    pub from: ContactMode,
    /// What it does after.
    pub to: ContactMode,
    /// Why.
    pub reason: &'static str,
}

/// What a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// A gap is negative: a contact was missed.
    MissedContact,
    /// A closed contact pulls.
    Pulling,
    /// A sticking contact needs more friction than there is.
    OutsideCone,
    /// Sliding with friction has no or several solutions (Painleve).
    Painleve,
    /// Bodies touched without an impact, to rounding.
    Grazing,
}

impl FindingKind {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::MissedContact => "missed-contact",
            Self::Pulling => "pulling",
            Self::OutsideCone => "outside-cone",
            Self::Painleve => "painleve",
            Self::Grazing => "grazing",
        }
    }
}

/// Something about a motion that should be looked at.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// When it begins.
    pub t: f64,
    /// Index of the contact.
    pub contact: usize,
    /// What it is about.
    pub kind: FindingKind,
    /// The number that is out of bounds, at its worst.
    pub value: f64,
    /// What was found, and what to do.
    pub message: String,
}
