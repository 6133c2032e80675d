//! Settings of contacts.

use crate::resolver::Multiple;
use carom_expr::Backend;

/// How the jump of an impact is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JumpKind {
    /// The law holds for the state at the impact.
    Pointwise,
    /// The energies of the segments before and after the impact are balanced, as a variation of the
    /// discrete action demands (Pekarek 2010, (3.2.4), (3.3.2)).
    Variational,
    /// The law holds for the state at the impact, after its energy was set right: the energy of a motion
    /// without forces is known, and what the method's oscillation has changed is taken back along the
    /// normal. Errors of the energy do not add up from impact to impact.
    #[default]
    Modified,
}

impl JumpKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Pointwise, Self::Variational, Self::Modified];

    /// Its name in model files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pointwise => "pointwise",
            Self::Variational => "variational",
            Self::Modified => "modified",
        }
    }

    /// The kind called `name`.
    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Settings of contacts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactOptions {
    /// How jumps are taken.
    pub jump: JumpKind,
    /// How several contacts at once are resolved.
    pub multiple: Multiple,
    /// Jumps are taken in the quasivelocities of the frame of the model, if it has one.
    pub in_frame: bool,
    /// Most impacts of a run.
    pub max_impacts: usize,
    /// How functions are executed.
    pub backend: Backend,
}

impl Default for ContactOptions {
    fn default() -> Self {
        Self {
            jump: JumpKind::default(),
            multiple: Multiple::default(),
            in_frame: false,
            max_impacts: 100_000_000,
            backend: Backend::fastest(),
        }
    }
}
