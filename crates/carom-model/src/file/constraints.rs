//! Constraints: those of the file, those of loops, and velocity constraints that are linear in the rates.

use super::assemble::{Assembly, STATE};
use super::declarations::Declarations;
use super::document::Value;
use super::roles::{Role, Uses};
use super::source::Place;
use super::tree::LoopConstraint;
use crate::builder::SystemBuilder;
use carom_expr::Id;

impl Assembly<'_, '_> {
    /// All of them, as long as something is left to move.
    pub fn constraints(
        &mut self,
        all: &Declarations<'_>,
        loops: &[LoopConstraint],
        mut builder: SystemBuilder,
    ) -> SystemBuilder {
        for constraint in &all.constraints {
            if let Some(id) = self.read(constraint, Role { name: "a constraint", allowed: STATE }) {
                builder = builder.constraint(&constraint.name, id);
            }
        }
        builder = loops.iter().fold(builder, |builder, own| builder.constraint(&own.name, own.id));
        let (count, n) = (all.constraints.len() + loops.len(), all.coordinates.len());
        let last = loops.last().map(|own| own.place).or(all.constraints.last().map(|own| own.place));
        if let Some(last) = last.filter(|_| count >= n && n > 0) {
            let message = format!("{count} constraints on {n} coordinates leave nothing to move");
            let help = "remove a constraint, or add coordinates".to_owned();
            self.report.error("too-many", last, message, Some(help));
        }
        let role = Role { name: "a velocity constraint", allowed: STATE | Uses::RATES };
        for constraint in &all.velocity_constraints {
            let Some(id) = self.read(constraint, role) else { continue };
            let place = constraint.value.as_ref().map_or(constraint.place, Value::place);
            self.check_linear(&constraint.name, id, place);
            builder = builder.velocity_constraint(&constraint.name, id);
        }
        builder
    }

    /// `omega(q) . v` has no second derivative in `v`, and some first one.
    fn check_linear(&mut self, name: &str, id: Id, place: Place) {
        let v = self.expressions.rates();
        let graph = &mut self.expressions.graph;
        let omega = graph.gradient(id, &v);
        let bends = graph.free_variables(&omega).iter().any(|variable| v.contains(variable));
        let message = if bends {
            format!("velocity constraint `{name}` is not linear in the rates")
        } else if omega.iter().all(|&slope| graph.is_zero(slope)) {
            format!("velocity constraint `{name}` does not depend on the rates")
        } else {
            return;
        };
        let help = "write a sum of rates times functions of the coordinates, as in `x'*sin(theta) - y'*cos(theta)`";
        self.report.error("not-linear", place, message, Some(help.to_owned()));
    }
}
