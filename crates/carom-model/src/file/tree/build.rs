//! From declared bodies to frames: joints, masses, springs, dampers, actuators, and the places of points.

use super::super::assemble::Assembly;
use super::super::source::Report;
use super::super::suggest::suggest;
use super::bodies::{DeclaredBody, DeclaredPoint, WORLD};
use super::joints::DeclaredAxis;
use super::links::Named;
use super::{DeclaredTree, parents};
use crate::tree::{Axis, Frames, Freedom, Joint, Mount, Rotation, Vector, constant};
use carom_expr::Id;
use std::collections::HashMap;

/// The acceleration of gravity where none is given.
const GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];
/// Directions this close are the same.
const PARALLEL: f64 = 1e-12;

/// A tree in the graph of the model.
pub(in super::super) struct Built {
    pub frames: Frames,
    /// Frames by the names of their bodies.
    pub by_name: HashMap<String, usize>,
    /// In the order of the file.
    pub bodies: Vec<BuiltBody>,
    pub points: Vec<BuiltPoint>,
    /// Forces on coordinates.
    pub forces: Vec<(String, Id)>,
    /// All turns are about y, and no slide has a part along it.
    pub is_planar: bool,
    /// Rotations of the frames where all coordinates are zero.
    rotations: Vec<Rotation>,
}

/// A body with what drawings need.
#[derive(Clone)]
pub(in super::super) struct BuiltBody {
    pub name: String,
    pub frame: usize,
    pub parent: usize,
    /// Where its joint is in the parent.
    pub at: Vector,
    pub centre: Vector,
}

/// A point.
pub(in super::super) struct BuiltPoint {
    pub name: String,
    /// Its frame; none if the body does not exist, which was reported.
    pub body: Option<usize>,
    /// Where it is in the frame.
    pub at: Vector,
    /// Where it is in the world.
    pub place: Option<Vector>,
}

impl Assembly<'_, '_> {
    /// The tree; the world alone if the file has none.
    pub fn tree(&mut self, tree: &DeclaredTree) -> Built {
        let gravity = match &tree.world.gravity {
            Some(values) => self.vector(Some(values), "gravity"),
            None => constant(&mut self.expressions.graph, GRAVITY),
        };
        let mut built = Built {
            frames: Frames::new(&mut self.expressions.graph, gravity),
            by_name: HashMap::from([(WORLD.to_owned(), crate::tree::WORLD)]),
            bodies: Vec::new(),
            points: Vec::new(),
            forces: Vec::new(),
            is_planar: true,
            rotations: vec![Rotation::NONE],
        };
        let mut frames: Vec<Option<BuiltBody>> = vec![None; tree.bodies.len()];
        for (index, parent) in parents::order(self.report, &tree.bodies) {
            let body = &tree.bodies[index];
            if !self.is_small(body.place) {
                break;
            }
            let parent =
                parent.and_then(|parent| frames[parent].as_ref()).map_or(crate::tree::WORLD, |parent| parent.frame);
            let added = self.attach(body, parent, &mut built);
            built.by_name.entry(body.name.clone()).or_insert(added.frame);
            self.load(body, &added, &mut built);
            frames[index] = Some(added);
            self.drive(body, &mut built);
        }
        built.bodies = frames.into_iter().flatten().collect();
        built.points = tree.points.iter().map(|point| self.place(point, tree, &mut built)).collect();
        built
    }

    /// The frame of a body on its joint.
    fn attach(&mut self, body: &DeclaredBody, parent: usize, built: &mut Built) -> BuiltBody {
        let name = &body.name;
        let at = self.vector(body.at.as_ref(), &format!("`at` of body `{name}`"));
        let turn = self.evaluate(body.turn.as_ref(), &format!("`turn` of body `{name}`"));
        let turn = Rotation::from_angles(turn);
        let rotation = built.rotations[parent].after(&turn);
        let joint = self.built_joint(body);
        let freedoms = joint.freedoms();
        built.is_planar &= freedoms.iter().all(|freedom| stays_planar(freedom, &rotation));
        built.rotations.push(rotation);
        let mount = Mount { parent, at, turn };
        let frame = built.frames.attach(&mut self.expressions.graph, mount, &freedoms);
        let centre = self.vector(body.centre.as_ref(), &format!("the centre of body `{name}`"));
        BuiltBody { name: name.clone(), frame, parent, at, centre }
    }

    /// The joint; fixed if it is wrong, which was reported.
    fn built_joint(&mut self, body: &DeclaredBody) -> Joint {
        let axes = self.built_axes(body);
        let names: Vec<String> = body.coordinates.iter().map(|(name, _)| name.clone()).collect();
        let joint = body.joint.zip(axes).and_then(|(kind, axes)| kind.joint(&names, &axes));
        joint.unwrap_or(Joint::Fixed)
    }

    fn built_axes(&mut self, body: &DeclaredBody) -> Option<Vec<Axis>> {
        let what = format!("the axis of body `{}`", body.name);
        let mut axes = Vec::new();
        for axis in body.axes.iter().flatten() {
            axes.push(match axis {
                DeclaredAxis::Letter(axis) => Some(*axis),
                DeclaredAxis::Parts(parts) => self.direction(parts, &what),
            });
        }
        let axes: Vec<Axis> = axes.into_iter().collect::<Option<_>>()?;
        // Turns one after the other, and the slides of a plane, need different directions.
        let turns = if body.joint.is_some_and(|kind| kind.name == "planar") { 2 } else { axes.len() };
        let pairs = axes.windows(2).take(turns.saturating_sub(1));
        if pairs.into_iter().any(|pair| are_parallel(pair[0], pair[1])) {
            let message = format!("neighbouring axes of body `{}` have the same direction", body.name);
            let help = "give each coordinate a direction of its own, as in \"zyx\" or \"zxz\"".to_owned();
            self.report.error("redundant", body.axes_place, message, Some(help));
        }
        Some(axes)
    }

    /// Mass and inertia.
    fn load(&mut self, body: &DeclaredBody, added: &BuiltBody, built: &mut Built) {
        if body.mass.is_none() && body.inertia.is_none() {
            return;
        }
        let mass = self.not_negative(body.mass.as_ref(), &format!("the mass of body `{}`", body.name));
        let what = format!("the inertia of body `{}`", body.name);
        let given: Vec<_> = body.inertia.iter().flatten().map(|value| self.measure(Some(value), &what)).collect();
        let tensor: [f64; 6] = std::array::from_fn(|k| given.get(k).map_or(0.0, |measure| measure.value));
        if let (Some(value), false) = (body.inertia.iter().flatten().next(), is_tensor(tensor)) {
            let message = format!("{what} is {tensor:?}; some axis would have a negative moment");
            let help =
                "moments Ixx, Iyy, Izz are not negative, and products Ixy, Ixz, Iyz are small against them".to_owned();
            self.report.error("out-of-range", value.place(), message, Some(help));
        }
        let zero = self.expressions.graph.constant(0.0);
        let inertia = std::array::from_fn(|k| given.get(k).map_or(zero, |measure| measure.id));
        built.frames.load(&mut self.expressions.graph, added.frame, mass.id, added.centre, inertia);
    }

    /// Springs, dampers and actuators on the coordinates.
    fn drive(&mut self, body: &DeclaredBody, built: &mut Built) {
        let what = |key: &str| format!("`{key}` of body `{}`", body.name);
        for (k, (name, _)) in body.coordinates.iter().enumerate() {
            if let Some(stiffness) = body.stiffness.get(k) {
                let stiffness = self.measure(Some(stiffness), &what("stiffness")).id;
                let rest = self.measure(body.rest.get(k), &what("rest")).id;
                let graph = &mut self.expressions.graph;
                let x = graph.variable(name);
                let stretch = graph.sub(x, rest);
                built.frames.stretch(graph, stiffness, stretch);
            }
            if let Some(damping) = body.damping.get(k) {
                let damping = self.measure(Some(damping), &what("damping")).id;
                let graph = &mut self.expressions.graph;
                let rate = graph.variable(&format!("{name}'"));
                let resistance = graph.mul(damping, rate);
                built.forces.push((name.clone(), graph.neg(resistance)));
            }
            if let Some((input, _)) = body.actuators.get(k).filter(|(input, _)| !input.is_empty()) {
                built.forces.push((name.clone(), self.expressions.graph.variable(input)));
            }
        }
    }

    /// A point of a body.
    fn place(&mut self, point: &DeclaredPoint, tree: &DeclaredTree, built: &mut Built) -> BuiltPoint {
        let at = self.vector(point.at.as_ref(), &format!("`at` of point `{}`", point.name));
        let owner = format!("point `{}`", point.name);
        let body = point.body.as_ref().and_then(|body| built.frame(self.report, body, &owner));
        // A tree that is too large was cut off, and reported.
        let is_whole = built.bodies.len() == tree.bodies.len();
        let place = body.filter(|_| is_whole && self.is_small(point.place));
        let place = place.map(|body| built.frames.place(&mut self.expressions.graph, body, at));
        BuiltPoint { name: point.name.clone(), body, at, place }
    }
}

impl Built {
    /// The frame of a body by its name; nothing if there is none, which was reported.
    pub fn frame(&self, report: &mut Report, (name, place): &Named, owner: &str) -> Option<usize> {
        let found = self.by_name.get(name).copied();
        if found.is_none() && !report.names_incomplete {
            let known: Vec<&str> =
                std::iter::once(WORLD).chain(self.bodies.iter().map(|body| body.name.as_str())).collect();
            let message = format!("{owner} belongs to `{name}`, which is no body");
            report.error("unknown-name", *place, message, Some(suggest(name, "bodies", &known)));
        }
        found
    }
}

/// Does a freedom keep the planes y = const?
fn stays_planar(freedom: &Freedom<'_>, rotation: &Rotation) -> bool {
    let (Freedom::Turn(_, axis) | Freedom::Slide(_, axis)) = *freedom;
    let [x, y, z] = rotation.of(axis);
    let length = freedom.axis_length();
    match freedom {
        Freedom::Turn(..) => x.hypot(z) <= PARALLEL * length,
        Freedom::Slide(..) => y.abs() <= PARALLEL * length,
    }
}

fn are_parallel(a: Axis, b: Axis) -> bool {
    let dot = |a: Axis, b: Axis| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let (lengths, along) = (dot(a, a) * dot(b, b), dot(a, b));
    lengths - along * along <= PARALLEL * lengths
}

/// No axis has a negative moment: all principal minors are at least zero, but for rounding.
fn is_tensor([xx, yy, zz, xy, xz, yz]: [f64; 6]) -> bool {
    let size = xx.abs().max(yy.abs()).max(zz.abs());
    let determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    let minors = [xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz];
    [xx, yy, zz].iter().all(|&moment| moment >= 0.0)
        && minors.iter().all(|&minor| minor >= -PARALLEL * size * size)
        && determinant >= -PARALLEL * size.powi(3)
}
