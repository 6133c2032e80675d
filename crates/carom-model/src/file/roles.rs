//! What each place of the theory may depend on.

use std::ops::{BitOr, BitOrAssign};

/// Kinds of variables that an expression depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Uses(u8);

impl Uses {
    pub const NOTHING: Self = Self(0);
    pub const COORDINATES: Self = Self(1);
    pub const RATES: Self = Self(2);
    pub const TIME: Self = Self(4);
    pub const INPUTS: Self = Self(8);

    pub fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub fn words(self) -> String {
        let kinds = [
            (Self::COORDINATES, "coordinates"),
            (Self::RATES, "rates"),
            (Self::TIME, "time"),
            (Self::INPUTS, "inputs"),
        ];
        let words: Vec<&str> = kinds.iter().filter(|(kind, _)| self.contains(*kind)).map(|(_, word)| *word).collect();
        words.join(", ")
    }
}

impl BitOr for Uses {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Uses {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

/// A place of the theory and what may stand there besides parameters.
#[derive(Clone, Copy)]
pub(super) struct Role {
    pub name: &'static str,
    pub allowed: Uses,
}

impl Role {
    /// What to do instead of using these kinds here.
    pub fn help(&self, uses: Uses) -> &'static str {
        match self.name {
            _ if self.allowed == Uses::NOTHING => "use numbers and parameters only",
            _ if uses.contains(Uses::INPUTS) => "inputs act through forces, in [forces]",
            _ if uses.contains(Uses::TIME) => "what moves with time can be a force, in [forces]",
            "a gap" => "a condition on rates can be the contact's `active`",
            "a tangent" => "write the position along the surface; its rate, the slip velocity, is derived",
            "a field" => "write a function of the coordinates; how fast the system moves along it is its quasivelocity",
            _ => "a condition on rates can be a velocity constraint, in [velocity_constraints]",
        }
    }

    /// The allowed kinds in words.
    pub fn words(&self) -> String {
        match self.allowed.words() {
            words if words.is_empty() => "parameters".to_owned(),
            words => format!("{words} and parameters"),
        }
    }
}
