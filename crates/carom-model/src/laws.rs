//! The impact laws by name, with what each of them needs: the part that model files and tables know.
//! The jump conditions themselves are in `carom-impact`.

/// What stands behind a key of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LawValue {
    /// A number between two bounds.
    Number {
        /// Smallest allowed value.
        min: f64,
        /// Largest allowed value.
        max: f64,
    },
    /// An expression of coordinates, rates (before the impact), time and parameters.
    Expression,
    /// Such expressions, each under the name of a coordinate; stored as `key.coordinate`.
    PerCoordinate,
    /// The name of a coordinate.
    Coordinate,
    /// A list of names of contacts.
    Contacts,
}

/// A key of a law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawKey {
    /// How it is written.
    pub name: &'static str,
    /// What stands behind it.
    pub value: LawValue,
    /// True if the law means nothing without it.
    pub is_required: bool,
    /// What it means.
    pub doc: &'static str,
}

/// A law as model files know it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LawSchema {
    /// How it is written.
    pub name: &'static str,
    /// What it does, in a line.
    pub doc: &'static str,
    /// Its keys.
    pub keys: &'static [LawKey],
    /// True if the bodies may stay together after the impact.
    pub may_attach: bool,
    /// True if it needs tangential positions of the point of contact.
    pub needs_tangent: bool,
}

const RESTITUTION: LawKey = LawKey {
    name: "restitution",
    value: LawValue::Number { min: 0.0, max: 1.0 },
    is_required: true,
    doc: "coefficient of restitution, from 0 (plastic) to 1 (elastic)",
};
const FRICTION: LawKey = LawKey {
    name: "friction",
    value: LawValue::Number { min: 0.0, max: f64::INFINITY },
    is_required: true,
    doc: "coefficient of friction",
};
/// Friction where a law works without.
const MAYBE_FRICTION: LawKey = LawKey { is_required: false, ..FRICTION };

const fn optional(name: &'static str, value: LawValue, doc: &'static str) -> LawKey {
    LawKey { name, value, is_required: false, doc }
}

/// Every impact law.
pub const LAWS: [LawSchema; 9] = [
    LawSchema {
        name: "elastic",
        doc: "keeps the energy and the momentum along the surface",
        keys: &[],
        may_attach: false,
        needs_tangent: false,
    },
    LawSchema {
        name: "newton",
        doc: "Newton's restitution: the gap rate is reversed and multiplied by the coefficient",
        keys: &[RESTITUTION],
        may_attach: true,
        needs_tangent: false,
    },
    LawSchema {
        name: "lossful",
        doc: "a contact force field: the energy lost and the momentum gained along the surface are given",
        keys: &[
            optional("loss", LawValue::Expression, "energy that the impact takes; 0 if absent"),
            optional("impulse", LawValue::PerCoordinate, "momentum that the impact gives, along the surface"),
        ],
        may_attach: false,
        needs_tangent: false,
    },
    LawSchema {
        name: "moreau",
        doc: "Moreau's law: Newton's restitution and Coulomb's cone, both exact; may create energy",
        keys: &[RESTITUTION, FRICTION],
        may_attach: true,
        needs_tangent: true,
    },
    LawSchema {
        name: "poisson",
        doc: "Routh's law: friction follows the slip through compression and restitution of impulses (Poisson); never creates energy",
        keys: &[RESTITUTION, FRICTION],
        may_attach: true,
        needs_tangent: true,
    },
    LawSchema {
        name: "plastic",
        doc: "the bodies stay together: sliding, or sticking where a tangent is given (within the cone, if there is friction)",
        keys: &[MAYBE_FRICTION],
        may_attach: true,
        needs_tangent: false,
    },
    LawSchema {
        name: "transition",
        doc: "plastic, and other contacts let go at the same time",
        keys: &[
            MAYBE_FRICTION,
            LawKey { name: "releases", value: LawValue::Contacts, is_required: true, doc: "the contacts that let go" },
        ],
        may_attach: true,
        needs_tangent: false,
    },
    LawSchema {
        name: "reset",
        doc: "the state after the impact is given; what is not mentioned stays as it is",
        keys: &[
            optional("position", LawValue::PerCoordinate, "coordinates after the impact"),
            optional("velocity", LawValue::PerCoordinate, "rates after the impact"),
        ],
        may_attach: false,
        needs_tangent: false,
    },
    LawSchema {
        name: "literal",
        doc: "elastic, with the momentum balance as a paper prints it (Theorem 3.1 (i) of Rodriguez Abella and Colombo, read by components); wrong, for comparison",
        keys: &[LawKey {
            name: "normal",
            value: LawValue::Coordinate,
            is_required: true,
            doc: "the coordinate that the surface is a graph of",
        }],
        may_attach: false,
        needs_tangent: false,
    },
];

/// The law called `name`.
pub fn by_name(name: &str) -> Option<&'static LawSchema> {
    LAWS.iter().find(|law| law.name == name)
}
