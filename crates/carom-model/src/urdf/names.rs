//! Names of bodies, coordinates and inputs: distinct, and such that expressions can use them.

use super::remark::What;
use super::robot::{Kind, Robot};
use super::topology::Order;
use super::xml::Reading;
use super::{Base, FREE};
use carom_expr::text::{is_name, reserved_names};
use std::collections::HashSet;

/// Longest name.
const LONGEST: usize = 60;

/// What everything is called in the model.
pub(super) struct Labels {
    /// Bodies, one per link.
    pub bodies: Vec<String>,
    /// Coordinates of the root.
    pub base: Vec<String>,
    /// Coordinates of each joint.
    pub joints: Vec<Vec<String>>,
    /// The input of each joint that is driven.
    pub inputs: Vec<Option<String>>,
}

impl Labels {
    /// All coordinates, in the order of the bodies.
    pub fn coordinates(&self, tree: &Order) -> Vec<String> {
        let joints = tree.joints().flat_map(|joint| &self.joints[joint]);
        self.base.iter().chain(joints).cloned().collect()
    }
}

/// Finds the names; remarks on those that change.
pub(super) fn label(reading: &mut Reading, robot: &Robot, tree: &Order, base: Base) -> Labels {
    let links: Vec<&str> = robot.links.iter().map(|link| link.name.as_str()).collect();
    let bodies = Names::new(&["world"]).assign(&links, "body");
    for (link, body) in robot.links.iter().zip(&bodies).filter(|(link, body)| link.name != **body) {
        reading.remark(link.line, &link.subject(), What::Renamed(body.clone()));
    }
    let mut names = Names::new(&["t"]);
    let single: Vec<usize> = (0..robot.joints.len()).filter(|&joint| robot.joints[joint].kind.is_single()).collect();
    let wanted: Vec<&str> = single.iter().map(|&joint| robot.joints[joint].name.as_str()).collect();
    let mut joints = vec![Vec::new(); robot.joints.len()];
    for (&joint, name) in single.iter().zip(names.assign(&wanted, "q")) {
        let from = &robot.joints[joint];
        if from.name != name {
            reading.remark(from.line, &from.subject(), What::Renamed(name.clone()));
        }
        joints[joint].push(name);
    }
    let base = base.coordinates().iter().map(|(part, _)| names.take(&format!("base_{part}"), "q")).collect();
    for place in tree.joints() {
        let joint = &robot.joints[place];
        let parts = match joint.kind {
            Kind::Planar => planar(joint.axis).to_vec(),
            Kind::Floating => FREE.to_vec(),
            _ => continue,
        };
        joints[place] = parts.iter().map(|(part, _)| names.take(&format!("{}_{part}", joint.name), "q")).collect();
    }
    let mut inputs = vec![None; robot.joints.len()];
    for place in tree.joints() {
        if robot.joints[place].is_driven() {
            inputs[place] = joints[place].first().map(|name| names.take(&format!("u_{name}"), "u"));
        }
    }
    Labels { bodies, base, joints, inputs }
}

/// Freedoms of a planar joint, with their units; slides along letters are called so.
pub(super) fn planar(axis: [f64; 3]) -> [(&'static str, &'static str); 3] {
    let [first, second] = match axis {
        [1.0, 0.0, 0.0] => ["y", "z"],
        [0.0, 1.0, 0.0] => ["x", "z"],
        [0.0, 0.0, 1.0] => ["x", "y"],
        _ => ["a", "b"],
    };
    [(first, "m"), (second, "m"), ("turn", "rad")]
}

/// Names that are taken.
struct Names {
    taken: HashSet<String>,
}

impl Names {
    fn new(reserved: &[&str]) -> Self {
        let all = reserved_names().into_iter().chain(reserved.iter().copied());
        Self { taken: all.map(str::to_owned).collect() }
    }

    /// Names for all; those that can stay as they are come first.
    fn assign(&mut self, wanted: &[&str], stem: &str) -> Vec<String> {
        let kept: Vec<bool> = wanted.iter().map(|name| self.keep(name)).collect();
        let name = |(name, is_kept): (&&str, bool)| if is_kept { (*name).to_owned() } else { self.take(name, stem) };
        wanted.iter().zip(kept).map(name).collect()
    }

    /// True if the name was free and is taken now.
    fn keep(&mut self, name: &str) -> bool {
        is_name(name) && name.len() <= LONGEST && self.taken.insert(name.to_owned())
    }

    /// The nearest free name.
    fn take(&mut self, name: &str, stem: &str) -> String {
        let letter = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '_' };
        let mut plain: String = name.chars().take(LONGEST - 10).map(letter).collect();
        if plain.bytes().all(|byte| byte == b'_') {
            plain = stem.to_owned();
        } else if !is_name(&plain) {
            plain = format!("{stem}_{plain}");
        }
        if self.keep(&plain) {
            return plain;
        }
        let numbered = (2_usize..).map(|number| format!("{plain}_{number}"));
        numbered.into_iter().find(|name| self.keep(name)).unwrap_or(plain)
    }
}
