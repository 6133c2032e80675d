//! Why a text is no robot.

/// What there is too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Bytes of the file.
    Bytes,
    /// Nodes of the XML.
    Nodes,
    /// Elements inside each other.
    Depth,
    /// Attributes of one element.
    Attributes,
    /// Declarations of namespaces.
    Namespaces,
    /// Links of the robot.
    Links,
    /// Links in one chain.
    Chain,
    /// Bytes of the model file that would be written.
    Model,
}

impl Limit {
    /// The largest number that is taken.
    pub fn most(self) -> usize {
        match self {
            Self::Bytes => super::MAX_FILE,
            // A link with all that URDF knows has some 40 nodes, with the white space between them.
            Self::Nodes => 200_000,
            // Without extensions URDF needs 6.
            Self::Depth => 100,
            Self::Attributes => 100,
            Self::Namespaces => 100,
            Self::Links => 1000,
            Self::Chain => 500,
            Self::Model => crate::reading::MAX_FILE,
        }
    }

    fn what(self) -> &'static str {
        match self {
            Self::Bytes => "bytes in the file",
            Self::Nodes => "nodes of XML",
            Self::Depth => "elements inside each other",
            Self::Attributes => "attributes of one element",
            Self::Namespaces => "declarations of namespaces",
            Self::Links => "links",
            Self::Chain => "links in one chain",
            Self::Model => "bytes in the model file",
        }
    }

    fn advice(self) -> &'static str {
        match self {
            Self::Bytes | Self::Nodes => "remove what is not of links and joints, such as extensions of simulators",
            Self::Depth | Self::Attributes | Self::Namespaces => "is this a robot?",
            Self::Links | Self::Chain => "join links that do not move against each other",
            Self::Model => "leave the drawings out, or the elements `visual`",
        }
    }
}

/// Why a joint cannot mimic another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MimicMistake {
    /// There is no such joint.
    Unknown,
    /// The other joint has no coordinate, or several.
    NotOneCoordinate,
    /// It mimics itself, perhaps through others.
    Circle,
    /// Multiplier and offset give no finite value.
    NotFinite,
}

impl MimicMistake {
    fn message(self) -> &'static str {
        match self {
            Self::Unknown => "there is no joint of this name",
            Self::NotOneCoordinate => "it must be revolute, continuous or prismatic",
            Self::Circle => "that joint follows this one; one of them must lead",
            Self::NotFinite => "its first value is not finite, or above 1e50; correct `multiplier` and `offset`",
        }
    }
}

/// Why a text is no robot.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum UrdfError {
    #[error("line {line}: more than {} {}; {}", of.most(), of.what(), of.advice())]
    TooMuch { line: usize, of: Limit },
    #[error("line {line}: a document type; entities are not read: replace them by their texts and remove `<!DOCTYPE`")]
    DocumentType { line: usize },
    #[error("line {line}, column {column}: this is not XML: {message}")]
    Xml { line: usize, column: usize, message: String },
    #[error("line {line}: the first element is `{found}` instead of `robot`; this is no URDF file")]
    NotARobot { line: usize, found: String },
    #[error("line {line}: `{element}` is to be expanded by xacro first: `xacro robot.xacro > robot.urdf`")]
    Xacro { line: usize, element: String },
    #[error("line {line}: the robot has no `link`")]
    NoLinks { line: usize },
    #[error("line {line}: `{element}` has no attribute `{attribute}`; write `<{element} {attribute}=\"...\">`")]
    MissingAttribute { line: usize, element: String, attribute: &'static str },
    #[error("line {line}: {subject} has no element `{element}`; add `<{element} ...>`")]
    MissingElement { line: usize, subject: String, element: &'static str },
    #[error("line {line}: there is another {kind} called `{name}` on line {first}; rename one of them")]
    Duplicate { line: usize, kind: &'static str, name: String, first: usize },
    #[error("line {line}: joint `{joint}`: there is no link `{name}` that could be its {role}; {help}")]
    UnknownLink { line: usize, joint: String, role: &'static str, name: String, help: String },
    #[error(
        "line {line}: link `{link}` is the child of joint `{joint}` and, on line {other_line}, of `{other}`; URDF describes \
         trees: remove one of the joints, and close the loop in the model file, in [loops]"
    )]
    TwoParents { line: usize, link: String, joint: String, other: String, other_line: usize },
    #[error(
        "line {line}: link `{link}` hangs on itself, through joint `{joint}`; URDF describes trees: remove a joint of the \
         circle, and close the loop in the model file, in [loops]"
    )]
    Cycle { line: usize, link: String, joint: String },
    #[error("line {line}: {count} links hang on nothing: {roots}; all but one must be the child of a joint")]
    SeveralRoots { line: usize, count: usize, roots: String },
    #[error("line {line}: joint `{joint}` has the type `{found}`; {help}")]
    UnknownJointType { line: usize, joint: String, found: String, help: String },
    #[error(
        "line {line}: `{attribute}` of `{element}` is `{found}`, but must be {expected} number(s), none above 1e50{help}"
    )]
    Numbers {
        line: usize,
        element: String,
        attribute: &'static str,
        found: String,
        expected: usize,
        help: &'static str,
    },
    #[error("line {line}: joint `{joint}` has an axis without direction; write, for example, `<axis xyz=\"0 0 1\"/>`")]
    ZeroAxis { line: usize, joint: String },
    #[error("line {line}: link `{link}` has the mass {mass}, but masses are not negative")]
    NegativeMass { line: usize, link: String, mass: f64 },
    #[error("line {line}: joint `{joint}` cannot mimic `{other}`: {}", mistake.message())]
    Mimic { line: usize, joint: String, other: String, mistake: MimicMistake },
    #[error("nothing moves: {links} link(s) and no joint that moves; try a base that is `planar` or `floating`")]
    NothingMoves { links: usize },
}

impl UrdfError {
    /// A short name, for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooMuch { .. } => "too-much",
            Self::DocumentType { .. } => "document-type",
            Self::Xml { .. } => "not-xml",
            Self::NotARobot { .. } => "no-robot",
            Self::Xacro { .. } => "xacro",
            Self::NoLinks { .. } => "no-links",
            Self::MissingAttribute { .. } => "missing-attribute",
            Self::MissingElement { .. } => "missing-element",
            Self::Duplicate { .. } => "duplicate-name",
            Self::UnknownLink { .. } => "unknown-link",
            Self::TwoParents { .. } => "two-parents",
            Self::Cycle { .. } => "cycle",
            Self::SeveralRoots { .. } => "several-roots",
            Self::UnknownJointType { .. } => "unknown-joint-type",
            Self::Numbers { .. } => "bad-numbers",
            Self::ZeroAxis { .. } => "zero-axis",
            Self::NegativeMass { .. } => "negative-mass",
            Self::Mimic { .. } => "bad-mimic",
            Self::NothingMoves { .. } => "nothing-moves",
        }
    }

    /// The line of the file; 1 if it is about all of it.
    pub fn line(&self) -> usize {
        match self {
            Self::TooMuch { line, .. }
            | Self::DocumentType { line }
            | Self::Xml { line, .. }
            | Self::NotARobot { line, .. }
            | Self::Xacro { line, .. }
            | Self::NoLinks { line }
            | Self::MissingAttribute { line, .. }
            | Self::MissingElement { line, .. }
            | Self::Duplicate { line, .. }
            | Self::UnknownLink { line, .. }
            | Self::TwoParents { line, .. }
            | Self::Cycle { line, .. }
            | Self::SeveralRoots { line, .. }
            | Self::UnknownJointType { line, .. }
            | Self::Numbers { line, .. }
            | Self::ZeroAxis { line, .. }
            | Self::NegativeMass { line, .. }
            | Self::Mimic { line, .. } => *line,
            Self::NothingMoves { .. } => 1,
        }
    }
}
