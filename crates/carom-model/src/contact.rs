//! Contacts: geometry times law, varied independently.

use crate::system::Named;
use carom_expr::Id;

/// A unilateral contact `phi(q) >= 0` with the law of its impacts.
#[derive(Clone, Debug, PartialEq)]
pub struct Contact {
    /// What users call it.
    pub name: String,
    /// The gap `phi(q)`, positive where the bodies are apart.
    pub gap: Id,
    /// Tangential positions `s(q)` of the point of contact; their rates are the slip velocities.
    pub tangents: Vec<Id>,
    /// The contact exists only where this expression of the state is positive; everywhere if absent.
    pub active: Option<Id>,
    /// The name of the impact law, one of [`crate::laws::LAWS`].
    pub law: String,
    /// Numbers and expressions of the law, such as `restitution` or `impulse.x`.
    pub law_parameters: Vec<Named>,
    /// Contacts that let go when this one closes.
    pub releases: Vec<String>,
    /// True if the bodies touch at the start and stay together.
    pub is_closed: bool,
    /// One line of documentation.
    pub doc: Option<String>,
}

impl Contact {
    /// A contact without friction, open at the start, with a law that needs no numbers.
    pub fn new(name: &str, gap: Id, law: &str) -> Self {
        Self {
            name: name.to_owned(),
            gap,
            tangents: Vec::new(),
            active: None,
            law: law.to_owned(),
            law_parameters: Vec::new(),
            releases: Vec::new(),
            is_closed: false,
            doc: None,
        }
    }

    /// Adds a number or an expression of the law.
    pub fn with(mut self, name: &str, id: Id) -> Self {
        self.law_parameters.push(Named { name: name.to_owned(), id });
        self
    }

    /// Adds a tangential position of the point of contact.
    pub fn tangent(mut self, id: Id) -> Self {
        self.tangents.push(id);
        self
    }

    /// The number or expression of the law called `name`.
    pub fn parameter(&self, name: &str) -> Option<Id> {
        self.law_parameters.iter().find(|parameter| parameter.name == name).map(|parameter| parameter.id)
    }
}

/// What the bodies of a contact do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum ContactMode {
    /// They are apart.
    #[default]
    Free,
    /// They touch and slide along each other.
    Sliding,
    /// They touch and hold each other.
    Sticking,
}

impl ContactMode {
    /// Its name in results.
    pub fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Sliding => "sliding",
            Self::Sticking => "sticking",
        }
    }
}
