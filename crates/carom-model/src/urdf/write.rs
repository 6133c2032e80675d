//! The model file.

use super::header;
use super::mimic::Starts;
use super::names::{Labels, planar};
use super::robot::{Joint, Kind, Limits, Link, Robot};
use super::topology::Order;
use super::values::{direction, list, names, number, plane, quoted};
use super::visual::{Solid, Visual};
use super::{Base, FREE, ImportOptions};
use std::fmt::Write;

/// All that is written about.
struct Writer<'a> {
    robot: &'a Robot,
    tree: &'a Order,
    labels: &'a Labels,
    starts: &'a Starts,
    text: String,
}

/// The text of the model file.
pub(super) fn model(robot: &Robot, tree: &Order, labels: &Labels, starts: &Starts, options: &ImportOptions) -> String {
    let ends = ends(robot, tree).map(|link| labels.bodies[link].as_str());
    let mut writer = Writer { robot, tree, labels, starts, text: header::comment(robot, ends) };
    writer.line(&format!("\nname = {}", quoted(&robot.name)));
    let links = robot.links.len();
    writer.line(&format!("description = \"A robot of {links} links, imported from URDF\""));
    writer.line(&format!("\n[world]\ngravity = {}", list(&options.gravity)));
    writer.coordinates(options.base);
    for &link in &tree.order {
        writer.body(link, options.base);
    }
    writer.constraints();
    if options.drawings {
        writer.drawings();
    }
    writer.text
}

/// The last links of the last two branches.
fn ends(robot: &Robot, tree: &Order) -> [usize; 2] {
    let is_end = |link: &usize| robot.joints.iter().all(|joint| joint.parent != *link);
    let mut ends = tree.order.iter().rev().copied().filter(is_end);
    let last = ends.next().unwrap_or(tree.root);
    [ends.next().unwrap_or(tree.root), last]
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A key, unless its value says nothing.
    fn vector(&mut self, key: &str, values: &[f64]) {
        if values.iter().any(|value| *value != 0.0) {
            self.line(&format!("{key} = {}", list(values)));
        }
    }

    fn coordinates(&mut self, base: Base) {
        self.line("\n[coordinates]");
        let (tree, labels) = (self.tree, self.labels);
        for (name, (_, unit)) in labels.base.iter().zip(base.coordinates()) {
            self.line(&format!("{name} = {{ initial = 0, unit = \"{unit}\" }}"));
        }
        for place in tree.joints() {
            let joint = &self.robot.joints[place];
            let initial = number(self.starts.values[place]);
            let units = match joint.kind {
                Kind::Fixed => continue,
                Kind::Revolute | Kind::Continuous => vec!["rad"],
                Kind::Prismatic => vec!["m"],
                Kind::Planar => planar(joint.axis).map(|(_, unit)| unit).to_vec(),
                Kind::Floating => FREE.map(|(_, unit)| unit).to_vec(),
            };
            let periodic = if joint.kind == Kind::Continuous { ", periodic = true" } else { "" };
            let limits = joint.limits.as_ref().map_or(String::new(), limits);
            for (name, unit) in labels.joints[place].iter().zip(units) {
                self.line(&format!("{name} = {{ initial = {initial}, unit = \"{unit}\"{periodic} }}{limits}"));
            }
        }
    }

    fn body(&mut self, place: usize, base: Base) {
        let (link, labels) = (&self.robot.links[place], self.labels);
        let above = self.tree.above[place].map(|joint| (joint, &self.robot.joints[joint]));
        self.line("");
        match above {
            Some((_, joint)) => self.line(&format!("# {} on {}", link.subject(), joint.subject())),
            None => self.line(&format!("# {}: the root", link.subject())),
        }
        self.line(&format!("[bodies.{}]", labels.bodies[place]));
        match above {
            Some((place, joint)) => self.joint(place, joint),
            None => self.base(base),
        }
        self.load(link);
        if let Some((place, joint)) = above {
            if joint.damping != 0.0 {
                self.line(&format!("damping = {}", number(joint.damping)));
            }
            if let Some(input) = &labels.inputs[place] {
                self.line(&format!("actuator = \"{input}\""));
            }
        }
    }

    fn base(&mut self, base: Base) {
        self.line(&format!("joint = \"{}\"", base.name()));
        match base {
            Base::Fixed => return,
            Base::Planar => self.line("axes = \"xzy\""),
            Base::Floating => self.line("axes = \"zyx\""),
        }
        self.line(&format!("coordinates = {}", names(&self.labels.base)));
    }

    fn joint(&mut self, place: usize, joint: &Joint) {
        self.line(&format!("parent = \"{}\"", self.labels.bodies[joint.parent]));
        self.vector("at", &joint.pose.xyz);
        self.vector("turn", &joint.pose.rpy);
        let (kind, axes) = match joint.kind {
            Kind::Fixed => ("fixed", None),
            Kind::Revolute | Kind::Continuous => ("revolute", Some(("axis", direction(joint.axis)))),
            Kind::Prismatic => ("prismatic", Some(("axis", direction(joint.axis)))),
            Kind::Planar => ("planar", Some(("axes", plane(joint.axis)))),
            Kind::Floating => ("floating", Some(("axes", "\"zyx\"".to_owned()))),
        };
        self.line(&format!("joint = \"{kind}\""));
        if let Some((key, axes)) = axes {
            self.line(&format!("{key} = {axes}"));
            self.line(&format!("coordinates = {}", names(&self.labels.joints[place])));
        }
    }

    fn load(&mut self, link: &Link) {
        if link.mass != 0.0 {
            self.line(&format!("mass = {}", number(link.mass)));
            self.vector("centre", &link.centre);
        }
        let has_products = link.inertia[3..].iter().any(|product| *product != 0.0);
        self.vector("inertia", if has_products { &link.inertia } else { &link.inertia[..3] });
        if let Some(tensor) = &link.unsound {
            self.line(&format!("# inertia = {}  # not positive semidefinite: left out", list(tensor)));
        }
    }

    /// Joints that follow others.
    fn constraints(&mut self) {
        let follows =
            |&place: &usize| Some((place, self.starts.leaders[place]?, self.robot.joints[place].mimic.as_ref()?));
        let joints: Vec<usize> = self.tree.joints().collect();
        let followers: Vec<_> = joints.iter().filter_map(follows).collect();
        if followers.is_empty() {
            return;
        }
        self.line("\n[constraints]");
        for (place, leader, mimic) in followers {
            let (Some(follower), Some(leader)) =
                (self.labels.joints[place].first(), self.labels.joints[leader].first())
            else {
                continue;
            };
            // follower - (multiplier * leader + offset)
            let size = mimic.multiplier.abs();
            let product = if size == 1.0 { leader.clone() } else { format!("{}*{leader}", number(size)) };
            let sign = |value: f64| if value < 0.0 { '+' } else { '-' };
            let mut equation = format!("{follower} {} {product}", sign(mimic.multiplier));
            if mimic.offset != 0.0 {
                let _ = write!(equation, " {} {}", sign(mimic.offset), number(mimic.offset.abs()));
            }
            self.line(&format!("mimic_{follower} = \"{equation}\""));
        }
    }

    /// Primitives; a rod to every joint for links that have none that can be drawn.
    fn drawings(&mut self) {
        let is_seen = |visual: &&Visual| !matches!(visual.solid, Solid::Unseen);
        if !self.robot.links.iter().any(|link| link.visuals.iter().any(|visual| is_seen(&visual))) {
            return;
        }
        for &place in &self.tree.order {
            let (link, body) = (&self.robot.links[place], &self.labels.bodies[place]);
            for visual in link.visuals.iter().filter(is_seen) {
                self.visual(visual, body);
            }
            if !link.visuals.is_empty() && !link.visuals.iter().any(|visual| is_seen(&visual)) {
                for joint in self.robot.joints.iter().filter(|joint| joint.parent == place) {
                    if joint.pose.xyz != [0.0; 3] {
                        let to = list(&joint.pose.xyz);
                        self.line(&format!(
                            "\n[[draw]]\ntype = \"rod\"\nbody = \"{body}\"\nfrom = [0, 0, 0]\nto = {to}"
                        ));
                    }
                }
            }
        }
    }

    fn visual(&mut self, visual: &Visual, body: &str) {
        let (shape, size) = match &visual.solid {
            Solid::Box(size) => ("box", format!("size = {}", list(size))),
            Solid::Cylinder { radius, length } => {
                ("cylinder", format!("length = {}\nradius = {}", number(*length), number(*radius)))
            }
            Solid::Ball { radius } => ("ball", format!("radius = {}", number(*radius))),
            Solid::Unseen => return,
        };
        self.line(&format!("\n[[draw]]\ntype = \"{shape}\"\nbody = \"{body}\""));
        self.vector("at", &visual.pose.xyz);
        // A ball looks the same from everywhere.
        if !matches!(visual.solid, Solid::Ball { .. }) {
            self.vector("turn", &visual.pose.rpy);
        }
        self.line(&size);
        if let Some(colour) = &visual.colour {
            self.line(&format!("color = \"{colour}\""));
        }
    }
}

/// Limits as a comment, for those who write an optimal control problem.
fn limits(limits: &Limits) -> String {
    let range = limits.range.map(|[lower, upper]| format!("{} .. {}", number(lower), number(upper)));
    let speed = limits.velocity.map(|most| format!("speed {}", number(most)));
    let effort = limits.effort.map(|most| format!("effort {}", number(most)));
    let all: Vec<String> = [range, speed, effort].into_iter().flatten().collect();
    if all.is_empty() { String::new() } else { format!("  # limits, not enforced: {}", all.join(", ")) }
}
