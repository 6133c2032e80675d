//! Robots from URDF: the text of a URDF file becomes the text of a model file with `[bodies]`.
//!
//! ```
//! use carom_model::urdf::{ImportOptions, import};
//!
//! let robot = r#"<robot name="pendulum">
//!   <link name="wall"/>
//!   <link name="rod"><inertial><origin xyz="0 0 -0.5"/><mass value="2"/>
//!     <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0"/></inertial></link>
//!   <joint name="pivot" type="continuous"><parent link="wall"/><child link="rod"/><axis xyz="0 1 0"/></joint>
//! </robot>"#;
//! let import = import(robot, &ImportOptions::default())?;
//! assert_eq!(import.coordinates, ["pivot"]);
//! assert!(import.model.contains("[bodies.rod]\nparent = \"wall\"\njoint = \"revolute\"\naxis = \"y\""));
//! assert!(import.remarks.is_empty());
//! # Ok::<(), carom_model::urdf::UrdfError>(())
//! ```
//!
//! | step | module |
//! |---|---|
//! | text to elements, within limits | `xml` |
//! | elements to links and joints, with remarks on what is left out | `link`, `joint`, `visual`, `robot` |
//! | tensors of inertia in the frames of the links | `inertia` |
//! | the tree, and what is wrong with it | `topology` |
//! | names that expressions can use | `names` |
//! | where the coordinates begin, and joints that mimic others | `mimic` |
//! | the model file | `write`, `header`, `values` |
//!
//! What URDF says and carom does not do (meshes, collision geometry, limits, friction of joints, transmissions) is left out, each
//! with a [`Remark`]. No file that the text names is ever opened.

mod error;
mod header;
mod inertia;
mod joint;
mod link;
mod mimic;
mod names;
mod remark;
mod robot;
mod topology;
mod values;
mod visual;
mod write;
mod xml;

pub use error::{Limit, MimicMistake, UrdfError};
pub use remark::{Remark, What};

/// Largest file that is read, in bytes.
pub const MAX_FILE: usize = 4 << 20;

/// How the root of the robot hangs on the world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Base {
    /// It does not move.
    #[default]
    Fixed,
    /// It slides along x and z and turns about y.
    Planar,
    /// It moves freely: along x, y, z, then by yaw, pitch and roll.
    Floating,
}

impl Base {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Fixed, Self::Planar, Self::Floating];

    /// What it is called, in model files too.
    pub fn name(self) -> &'static str {
        match self {
            Self::Fixed => "fixed",
            Self::Planar => "planar",
            Self::Floating => "floating",
        }
    }

    /// The coordinates it adds, with their units.
    fn coordinates(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Fixed => &[],
            Self::Planar => &[("x", "m"), ("z", "m"), ("pitch", "rad")],
            Self::Floating => &FREE,
        }
    }
}

/// Freedoms of a body that moves freely, with their units; angles in the order of the axes `zyx`.
const FREE: [(&str, &str); 6] = [("x", "m"), ("y", "m"), ("z", "m"), ("yaw", "rad"), ("pitch", "rad"), ("roll", "rad")];

/// What URDF leaves open.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImportOptions {
    /// How the root hangs on the world.
    pub base: Base,
    /// Acceleration of gravity.
    pub gravity: [f64; 3],
    /// Write the primitives of `visual`; without them every body is drawn as a rod.
    pub drawings: bool,
}

impl Default for ImportOptions {
    fn default() -> Self {
        Self { base: Base::default(), gravity: [0.0, 0.0, -9.81], drawings: true }
    }
}

/// A robot as a model.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The text of the model file.
    pub model: String,
    /// What was left out or changed, in the order of the lines.
    pub remarks: Vec<Remark>,
    /// Names of the bodies, parents first.
    pub bodies: Vec<String>,
    /// Names of the coordinates.
    pub coordinates: Vec<String>,
    /// Names of the inputs that drive joints.
    pub inputs: Vec<String>,
}

/// Turns the text of a URDF file into that of a model file.
pub fn import(text: &str, options: &ImportOptions) -> Result<Import, UrdfError> {
    let document = xml::parse(text)?;
    let mut reading = xml::Reading::new(text);
    let robot = robot::read(&mut reading, &document)?;
    let tree = topology::order(&robot)?;
    let labels = names::label(&mut reading, &robot, &tree, options.base);
    let starts = mimic::starts(&mut reading, &robot)?;
    inertia::remark(&mut reading, &robot, &tree, options.base);
    let coordinates = labels.coordinates(&tree);
    if coordinates.is_empty() {
        return Err(UrdfError::NothingMoves { links: robot.links.len() });
    }
    let model = write::model(&robot, &tree, &labels, &starts, options);
    if model.len() > crate::reading::MAX_FILE {
        return Err(UrdfError::TooMuch { line: 1, of: Limit::Model });
    }
    let mut remarks = reading.remarks;
    remarks.sort_by_key(|remark| remark.line);
    let bodies = tree.order.iter().map(|&link| labels.bodies[link].clone()).collect();
    let inputs = tree.joints().filter_map(|joint| labels.inputs[joint].clone()).collect();
    Ok(Import { model, remarks, bodies, coordinates, inputs })
}
