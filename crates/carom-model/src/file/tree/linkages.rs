//! Loops and springs between points, as constraints, energies and forces.

use super::super::assemble::Assembly;
use super::super::source::{Place, Report};
use super::super::suggest::suggest;
use super::build::Built;
use super::links::{DeclaredLoop, DeclaredSpring, Named};
use crate::tree::{Vector, damper, difference, distance_constraint, length, moving};
use carom_expr::Id;

/// A constraint of a loop.
pub(in super::super) struct LoopConstraint {
    pub name: String,
    pub id: Id,
    pub place: Place,
}

impl Built {
    /// The place of a point in the world; nothing if there is none, which was reported.
    pub fn point(&self, report: &mut Report, (name, place): &Named, owner: &str) -> Option<Vector> {
        let found = self.points.iter().find(|point| point.name == *name);
        if found.is_none() && !report.names_incomplete {
            let known: Vec<&str> = self.points.iter().map(|point| point.name.as_str()).collect();
            let help = match known.is_empty() {
                true => format!("declare it: `[points.{name}]` with `body = \"...\"` and `at = [0, 0, 0]`"),
                false => suggest(name, "points", &known),
            };
            report.error("unknown-name", *place, format!("{owner} names `{name}`, which is no point"), Some(help));
        }
        found.and_then(|point| point.place)
    }

    fn ends(&self, report: &mut Report, points: Option<&[Named; 2]>, owner: &str) -> Option<[Vector; 2]> {
        let [first, second] = points?;
        let (a, b) = (self.point(report, first, owner), self.point(report, second, owner));
        Some([a?, b?])
    }
}

impl Assembly<'_, '_> {
    /// The constraints of the loops, without those on which no coordinate has an influence.
    pub fn loops(&mut self, declared: &[DeclaredLoop], built: &Built) -> Vec<LoopConstraint> {
        let groups: Vec<Vec<LoopConstraint>> = declared.iter().map(|own| self.loop_constraints(own, built)).collect();
        let roots: Vec<Id> = groups.iter().flatten().map(|constraint| constraint.id).collect();
        let mut moves = moving(&self.expressions.graph, &roots, &self.known()).into_iter();
        let mut kept = Vec::new();
        for (own, group) in declared.iter().zip(groups) {
            let (moving, idle): (Vec<_>, Vec<_>) = group.into_iter().partition(|_| moves.next().unwrap_or(true));
            // What was asked for must be there.
            let is_chosen = own.directions.is_some() || own.distance.is_some();
            if let Some(constraint) = idle.first().filter(|_| is_chosen || moving.is_empty()) {
                let name = &constraint.name;
                let message =
                    format!("no coordinate has an influence on `{name}`: the loop holds everywhere or nowhere");
                let help = "remove it, or choose other points or `directions`".to_owned();
                self.report.error("constant", own.place, message, Some(help));
            }
            kept.extend(moving);
        }
        kept
    }

    fn loop_constraints(&mut self, own: &DeclaredLoop, built: &Built) -> Vec<LoopConstraint> {
        let Some(ends) = built.ends(self.report, own.points.as_ref(), &format!("loop `{}`", own.name)) else {
            return Vec::new();
        };
        let new = |name: String, id: Id| LoopConstraint { name, id, place: own.place };
        if let Some(value) = &own.distance {
            let what = format!("the distance of loop `{}`", own.name);
            let Some(_) = self.numbers.positive(self.report, value, &what) else { return Vec::new() };
            let distance = self.measure(Some(value), &what).id;
            return vec![new(own.name.clone(), distance_constraint(&mut self.expressions.graph, ends, distance))];
        }
        let apart = difference(&mut self.expressions.graph, ends);
        let chosen = own.directions.clone().unwrap_or(vec![0, 1, 2]);
        chosen.into_iter().map(|axis| new(own.label(axis), apart[axis])).collect()
    }

    /// Springs take their potential off the Lagrangian, dampers are forces.
    pub fn springs(&mut self, declared: &[DeclaredSpring], built: &mut Built) {
        for own in declared {
            let what = |key: &str| format!("`{key}` of spring `{}`", own.name);
            let stiffness = self.measure(own.stiffness.as_ref(), &what("stiffness")).id;
            let rest = self.measure(own.rest.as_ref(), &what("rest")).id;
            let damping = self.measure(own.damping.as_ref(), &what("damping")).id;
            let ends = built.ends(self.report, own.points.as_ref(), &format!("spring `{}`", own.name));
            let Some(ends) = ends.filter(|_| self.is_small(own.place)) else { continue };
            if own.stiffness.is_some() {
                let graph = &mut self.expressions.graph;
                let length = length(graph, ends);
                let stretch = graph.sub(length, rest);
                built.frames.stretch(graph, stiffness, stretch);
            }
            if own.damping.is_some() {
                let state = self.expressions.state();
                let forces = damper(&mut self.expressions.graph, ends, damping, &state);
                let names =
                    state.iter().map(|(q, _)| self.expressions.graph.variable_name(*q).unwrap_or("").to_owned());
                let moved = names.zip(forces).filter(|(_, force)| !self.expressions.graph.is_zero(*force));
                built.forces.extend(moved);
            }
        }
    }
}
