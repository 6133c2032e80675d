//! Drawings of trees that have none of their own: rods from each joint to the next ones and to points, thin lines for
//! springs, and the ground.

use super::super::expressions::Expressions;
use super::build::{Built, BuiltBody};
use super::contacts::PlaneContact;
use super::links::DeclaredSpring;
use super::view::View;
use crate::drawing::{Primitive, Shape};
use crate::tree::{Vector, constant};
use carom_expr::{Graph, Id};

/// The drawing of a tree.
pub(in super::super) fn drawing(
    expressions: &mut Expressions<'_>,
    built: &mut Built,
    view: &View,
    springs: &[DeclaredSpring],
    planes: &[Option<PlaneContact>],
) -> Vec<Primitive> {
    let graph = &mut expressions.graph;
    let mut shapes = grounds(graph, view, planes);
    shapes.extend(springs.iter().filter_map(|spring| line(graph, built, view, spring)));
    for body in built.bodies.clone() {
        shapes.extend(rods(graph, built, view, &body));
    }
    shapes.into_iter().map(|shape| Primitive { shape, color: None, trace: false }).collect()
}

/// Each plane once, if it is seen as a line.
fn grounds(graph: &mut Graph, view: &View, planes: &[Option<PlaneContact>]) -> Vec<Shape> {
    let mut shapes = Vec::new();
    for contact in planes.iter().flatten() {
        let ground = view.line(graph, &contact.plane, contact.normal);
        shapes.extend(ground.filter(|ground| !shapes.contains(ground)));
    }
    shapes
}

fn line(graph: &mut Graph, built: &Built, view: &View, spring: &DeclaredSpring) -> Option<Shape> {
    let place = |name: &str| built.points.iter().find(|point| point.name == name).and_then(|point| point.place);
    let [from, to] = spring.points.as_ref()?.each_ref().map(|(name, _)| place(name));
    Some(Shape::Line { from: view.point(graph, from?), to: view.point(graph, to?) })
}

/// From the joint of a body to what hangs on it and to its points; if there is neither, to its centre.
fn rods(graph: &mut Graph, built: &mut Built, view: &View, body: &BuiltBody) -> Vec<Shape> {
    let children = built.bodies.iter().filter(|child| child.parent == body.frame).map(|child| child.at);
    let points = built.points.iter().filter(|point| point.body == Some(body.frame)).map(|point| point.at);
    let mut ends: Vec<Vector> = Vec::new();
    for end in children.chain(points) {
        if !is_zero(graph, end) && !ends.contains(&end) {
            ends.push(end);
        }
    }
    if ends.is_empty() && !is_zero(graph, body.centre) {
        ends.push(body.centre);
    }
    let pose = built.frames.pose(graph, body.frame);
    let seen = view.seen(graph, &pose);
    let origin = constant(graph, [0.0; 3]);
    let from = seen.point(graph, origin);
    match ends.is_empty() {
        true => vec![Shape::Point { at: from }],
        false => ends.into_iter().map(|end| Shape::Rod { from, to: seen.point(graph, end) }).collect(),
    }
}

fn is_zero(graph: &Graph, vector: Vector) -> bool {
    vector.iter().all(|&part: &Id| graph.is_zero(part))
}
