//! Whether the energy of a run should be constant.
//!
//! | forces, time, sliding friction | laws of the contacts | energy |
//! |---|---|---|
//! | none | all elastic, or no contacts | constant |
//! | none | others | constant between impacts |
//! | any | any | not conserved |

use carom::Understanding;
use carom::model::{ContactState, Digest};

/// What the energy of a motion should do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Stay as it is.
    Constant,
    /// Change at impacts only.
    BetweenImpacts,
    /// Change: friction takes it where closed contacts slide.
    Rubbed,
    /// Change: forces do work, or the Lagrangian depends on time.
    Driven,
}

impl Expected {
    /// What the energy of a motion should do.
    pub fn of(digest: &Digest, understood: &Understanding) -> Self {
        if understood.is_forced || understood.is_time_dependent {
            Self::Driven
        } else if rubs(digest, &understood.contacts) {
            Self::Rubbed
        } else if understood.conserved.iter().any(|quantity| quantity.name == "energy") {
            Self::Constant
        } else {
            Self::BetweenImpacts
        }
    }

    /// True if [`Digest::energy_error`] is an error.
    pub fn is_known(self) -> bool {
        matches!(self, Self::Constant | Self::BetweenImpacts)
    }
}

/// True if a contact with friction slides at any time.
fn rubs(digest: &Digest, contacts: &[ContactState]) -> bool {
    let is_rough = |index: usize| {
        let parameters = contacts.get(index).map_or(&[][..], |contact| &contact.parameters);
        parameters.iter().any(|(name, value)| name == "friction" && value != "0")
    };
    digest.have_slid.iter().enumerate().any(|(index, has_slid)| *has_slid && is_rough(index))
}
