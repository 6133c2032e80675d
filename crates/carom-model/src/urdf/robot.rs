//! A robot as URDF describes it: links and joints.

use super::error::{Limit, UrdfError};
use super::inertia::Tensor;
use super::remark::What;
use super::visual::{Materials, Visual};
use super::xml::{LocalName, Pose, Reading, name, shown};
use super::{joint, link};
use roxmltree::{Document, Node};
use std::collections::HashMap;

/// Links and joints, with joints between links by their places in the lists.
pub(super) struct Robot {
    pub name: String,
    pub links: Vec<Link>,
    pub joints: Vec<Joint>,
}

/// A body.
pub(super) struct Link {
    pub name: String,
    pub line: usize,
    pub mass: f64,
    /// Of mass, in the frame of the link.
    pub centre: [f64; 3],
    /// About the centre, along the axes of the link's frame.
    pub inertia: Tensor,
    /// A tensor with a negative moment, which is left out.
    pub unsound: Option<Tensor>,
    pub visuals: Vec<Visual>,
}

/// What joins two bodies.
pub(super) struct Joint {
    pub name: String,
    pub line: usize,
    pub kind: Kind,
    pub parent: usize,
    pub child: usize,
    /// The frame of the joint, and of the child, in that of the parent.
    pub pose: Pose,
    /// A unit vector of the joint's frame.
    pub axis: [f64; 3],
    pub damping: f64,
    pub limits: Option<Limits>,
    pub mimic: Option<Mimic>,
}

/// What a joint must not exceed.
pub(super) struct Limits {
    pub range: Option<[f64; 2]>,
    pub velocity: Option<f64>,
    pub effort: Option<f64>,
}

/// A joint that follows another one: `multiplier * other + offset`.
pub(super) struct Mimic {
    pub line: usize,
    pub other: String,
    pub multiplier: f64,
    pub offset: f64,
}

/// The types of joints.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Fixed,
    Revolute,
    Continuous,
    Prismatic,
    Planar,
    Floating,
}

impl Kind {
    const ALL: [(&'static str, Self); 6] = [
        ("fixed", Self::Fixed),
        ("revolute", Self::Revolute),
        ("continuous", Self::Continuous),
        ("prismatic", Self::Prismatic),
        ("planar", Self::Planar),
        ("floating", Self::Floating),
    ];

    pub fn names() -> [&'static str; 6] {
        Self::ALL.map(|(name, _)| name)
    }

    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }

    /// True for joints with one coordinate.
    pub fn is_single(self) -> bool {
        matches!(self, Self::Revolute | Self::Continuous | Self::Prismatic)
    }
}

impl Link {
    /// What remarks call it.
    pub fn subject(&self) -> String {
        format!("link `{}`", shown(&self.name))
    }
}

impl Joint {
    /// There is a motor: the limit of its effort is not zero. Who follows another joint needs none of its own.
    pub fn is_driven(&self) -> bool {
        let effort = self.limits.as_ref().and_then(|limits| limits.effort);
        self.mimic.is_none() && effort.is_some_and(|effort| effort > 0.0)
    }

    /// What remarks call it.
    pub fn subject(&self) -> String {
        format!("joint `{}`", shown(&self.name))
    }
}

/// Reads a robot.
pub(super) fn read(reading: &mut Reading, document: &Document<'_>) -> Result<Robot, UrdfError> {
    let robot = document.root_element();
    let line = reading.line(robot);
    if !robot.has_tag_name_of("robot") {
        return Err(UrdfError::NotARobot { line, found: name(robot) });
    }
    refuse_macros(reading, robot)?;
    let nodes = |wanted: &'static str| robot.children().filter(move |child| child.has_tag_name_of(wanted));
    match nodes("link").count() {
        0 => return Err(UrdfError::NoLinks { line }),
        count if count > Limit::Links.most() => return Err(UrdfError::TooMuch { line, of: Limit::Links }),
        _ => {}
    }
    let materials = Materials::new(reading, robot)?;
    let links = nodes("link").map(|node| link::read(reading, node, &materials)).collect::<Result<Vec<_>, _>>()?;
    let places = places("link", links.iter().map(|link| (link.name.as_str(), link.line)))?;
    let joints = nodes("joint").map(|node| joint::read(reading, node, &places)).collect::<Result<Vec<_>, _>>()?;
    self::places("joint", joints.iter().map(|joint| (joint.name.as_str(), joint.line)))?;
    let known = ["link", "joint", "material"];
    remark_others(reading, robot, "the robot", &known, &["transmission", "gazebo", "sensor"]);
    let name = robot.attribute("name").filter(|name| !name.trim().is_empty()).unwrap_or("robot");
    Ok(Robot { name: name.to_owned(), links, joints })
}

/// Where each name stands; the same name twice is a mistake.
fn places<'a>(
    kind: &'static str,
    names: impl Iterator<Item = (&'a str, usize)>,
) -> Result<HashMap<String, usize>, UrdfError> {
    let mut found: HashMap<String, (usize, usize)> = HashMap::new();
    for (place, (name, line)) in names.enumerate() {
        if let Some((_, first)) = found.insert(name.to_owned(), (place, line)) {
            return Err(UrdfError::Duplicate { line, kind, name: shown(name), first });
        }
    }
    Ok(found.into_iter().map(|(name, (place, _))| (name, place)).collect())
}

/// Files for xacro are programs that write robots.
fn refuse_macros(reading: &Reading, robot: Node<'_, '_>) -> Result<(), UrdfError> {
    let is_macro = |node: &Node<'_, '_>| node.tag_name().namespace().is_some_and(|space| space.ends_with("xacro"));
    match robot.descendants().find(|node| node.is_element() && is_macro(node)) {
        Some(node) => Err(UrdfError::Xacro { line: reading.line(node), element: format!("xacro:{}", name(node)) }),
        None => Ok(()),
    }
}

/// Remarks on elements that are not read: `ignored` are those of URDF.
pub(super) fn remark_others(
    reading: &mut Reading,
    node: Node<'_, '_>,
    subject: &str,
    known: &[&str],
    ignored: &[&str],
) {
    for child in node.children().filter(Node::is_element) {
        let (tag, line) = (child.tag_name().name(), reading.line(child));
        if ignored.contains(&tag) {
            reading.remark(line, subject, What::Ignored(tag.to_owned()));
        } else if !known.contains(&tag) {
            reading.remark(line, subject, What::Unknown(shown(tag)));
        }
    }
}
