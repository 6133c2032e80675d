//! What an import leaves out or changes.

use std::fmt;

/// Something that is in the URDF file, and not or not so in the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Remark {
    /// The line of the URDF file.
    pub line: usize,
    /// What it is about, such as "link `hand`".
    pub subject: String,
    /// What happened to it.
    pub what: What,
}

/// What happened to a part of a robot.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Meshes are not opened.
    Mesh,
    /// A primitive without extent, or none that is known.
    NotDrawn,
    /// Contacts are written by hand.
    Collision,
    /// Limits are comments.
    Limits,
    /// Zero is outside the limits: where the coordinate begins.
    Begins(f64),
    /// Dry friction of joints.
    Friction,
    /// An element that has no meaning here.
    Ignored(String),
    /// An element that URDF does not know.
    Unknown(String),
    /// An element that stands there again; the first one counts.
    Repeated(String),
    /// A name that expressions cannot use, or that is taken.
    Renamed(String),
    /// A material that is defined nowhere.
    Material(String),
    /// `inertial` without `inertia`.
    PointMass,
    /// A tensor with a negative moment, which is left out.
    Indefinite(f64),
    /// Moments that no body has: one is larger than the sum of the others.
    Triangle,
    /// A joint that moves nothing that has mass.
    NoMass,
    /// An axis that was not of unit length.
    AxisLength(f64),
}

impl What {
    /// A short name, for tables and programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Mesh => "mesh",
            Self::NotDrawn => "not-drawn",
            Self::Collision => "collision",
            Self::Limits => "limits",
            Self::Begins(_) => "begins",
            Self::Friction => "friction",
            Self::Ignored(_) => "ignored",
            Self::Unknown(_) => "unknown",
            Self::Repeated(_) => "repeated",
            Self::Renamed(_) => "renamed",
            Self::Material(_) => "material",
            Self::PointMass => "point-mass",
            Self::Indefinite(_) => "indefinite",
            Self::Triangle => "triangle",
            Self::NoMass => "no-mass",
            Self::AxisLength(_) => "axis",
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mesh => write!(f, "a mesh is not drawn"),
            Self::NotDrawn => write!(f, "a shape is not drawn: box, cylinder or sphere of positive size is expected"),
            Self::Collision => write!(f, "collision geometry is not used: contacts are written in [contacts]"),
            Self::Limits => write!(f, "limits are not enforced: they are comments of the model file"),
            Self::Begins(at) => write!(f, "begins at {at:?}, since 0 is outside its limits"),
            Self::Friction => write!(f, "dry friction in joints is not modelled"),
            Self::Ignored(element) => write!(f, "`{element}` has no meaning here"),
            Self::Unknown(element) => write!(f, "`{element}` is not known"),
            Self::Repeated(element) => write!(f, "only the first `{element}` is read"),
            Self::Renamed(to) => write!(f, "is called `{to}`"),
            Self::Material(name) => write!(f, "material `{name}` has no colour"),
            Self::PointMass => write!(f, "has no `inertia`: a point mass"),
            Self::Indefinite(least) => {
                write!(f, "inertia is left out: it is not positive semidefinite, its least moment is {least:.3e}")
            }
            Self::Triangle => write!(f, "no body has this inertia: one moment is larger than the sum of the others"),
            Self::NoMass => write!(f, "moves nothing that has mass: the mass matrix is singular"),
            Self::AxisLength(length) => write!(f, "axis of length {length:?} is made a unit vector"),
        }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}: {}", self.line, self.subject, self.what)
    }
}
