//! From declared fields to a frame, and what may be wrong with a frame as a whole.

use super::Origin;
use super::assemble::{Assembly, STATE, Start};
use super::declarations::{Declarations, Initial};
use super::fields::DeclaredField;
use super::names::Meaning;
use super::numbers::Numbers;
use super::roles::Role;
use super::source::Report;
use crate::builder::{SystemBuilder, SystemError};
use crate::system::Parameter;
use carom_expr::Id;

const COMPONENT: Role = Role { name: "a field", allowed: STATE };

/// Constraints are derived from a complete frame by the inverse of its matrix, minor by minor: more rows
/// than this take too long.
const MAX_COMPLETE: usize = 10;
/// Expansion by minors counts columns in a word.
const MAX_COLUMNS: usize = 64;

/// The initial quasivelocities; velocities of coordinates must not stand beside them.
pub(super) fn start(report: &mut Report, numbers: &mut Numbers<'_>, all: &Declarations<'_>) -> Start {
    let given = all.admissible().find_map(|field| match &field.initial {
        Initial::Given(value) => Some((field, value.place())),
        Initial::Absent | Initial::Wrong => None,
    });
    for coordinate in &all.coordinates {
        if let (Some((field, other)), Initial::Given(value)) = (&given, &coordinate.velocity) {
            let message = format!(
                "the initial velocity of `{}` is given twice: field `{}` has an initial quasivelocity",
                coordinate.name, field.name
            );
            let help = format!("keep `velocity` here or `initial` there, {}", report.whereabouts(*other));
            report.error("conflict", value.place(), message, Some(help));
        }
    }
    let mut number = |field: &DeclaredField| match &field.initial {
        Initial::Given(value) => {
            let what = format!("the initial quasivelocity `{}`", field.name);
            numbers.evaluate(report, value, &what).unwrap_or(0.0)
        }
        Initial::Absent | Initial::Wrong => 0.0,
    };
    let quasivelocity = |field: &DeclaredField| Parameter {
        name: field.name.clone(),
        value: number(field),
        unit: field.unit.clone(),
        doc: field.doc.clone(),
    };
    Start {
        quasivelocities: all.admissible().map(quasivelocity).collect(),
        is_given: given.is_some(),
        is_derived: !all.derived_constraints().is_empty(),
    }
}

impl Assembly<'_, '_> {
    /// The fields, each with a component for every coordinate.
    pub fn frame(&mut self, all: &Declarations<'_>, mut builder: SystemBuilder) -> SystemBuilder {
        for field in &all.frame {
            let Some(components) = self.components(field, all.coordinates.len()) else { continue };
            builder = match field.is_admissible {
                true => builder.field(&field.name, components),
                false => builder.complement(&field.name, components),
            };
        }
        self.check_frame_size(all);
        builder
    }

    fn components(&mut self, field: &DeclaredField, n: usize) -> Option<Vec<Id>> {
        let what = format!("field `{}` has a component along", field.name);
        let mut components = vec![self.expressions.graph.constant(0.0); n];
        let mut is_known = true;
        for component in field.components.as_ref()? {
            let is_coordinate = self.coordinate(&component.name, component.place, &what).is_some();
            let id = self.read(component, COMPONENT);
            is_known &= is_coordinate && id.is_some();
            if let (Some(Meaning::Coordinate(index)), Some(id)) = (self.table.get(&component.name), id) {
                components[index] = id;
            }
        }
        if is_known && components.iter().all(|&id| self.expressions.graph.is_zero(id)) {
            let message = format!("field `{}` is zero everywhere", field.name);
            let help = "give it a component that is not zero, or remove it".to_owned();
            self.report.error("dependent-fields", field.field, message, Some(help));
        }
        is_known.then_some(components)
    }

    /// Some field is admissible, something is left to move, and constraints can be derived if need be.
    fn check_frame_size(&mut self, all: &Declarations<'_>) {
        let (n, count) = (all.coordinates.len(), all.admissible().count());
        let (Some(first), true) = (all.frame.first(), n > 0) else { return };
        if count == 0 {
            let message = "no field of the frame is admissible";
            let help = "the fields that span the admissible velocities have no `admissible = false`".to_owned();
            self.report.error("frame-size", first.place, message, Some(help));
            return;
        }
        let holonomic = all.constraints.len();
        if let Some(last) = all.constraints.last().filter(|_| count < n && (count..n).contains(&holonomic)) {
            let message =
                format!("{holonomic} constraints, and velocities along {count} fields, leave nothing to move");
            let help = "remove a constraint, or add a field".to_owned();
            self.report.error("too-many", last.place, message, Some(help));
        }
        let is_complete = all.complement().next().is_some();
        let limit = if is_complete { MAX_COMPLETE } else { MAX_COLUMNS };
        if n > limit && !all.derived_constraints().is_empty() {
            let frame = if is_complete { "a complete frame" } else { "fields" };
            let message =
                format!("velocity constraints cannot be derived from {frame} on {n} coordinates, only on {limit}");
            let help = "write the constraints too, in [velocity_constraints]".to_owned();
            self.report.error("too-many", first.place, message, Some(help));
        }
    }
}

/// Reports why the parts do not make a system, at the part that is to blame.
pub(super) fn refuse(report: &mut Report, all: &Declarations<'_>, origin: &Origin, error: &SystemError) {
    let last = |fields: Vec<&DeclaredField>, at: usize| {
        let field = fields.get(at).or(fields.last());
        field.map_or(origin.lagrangian, |field| field.place)
    };
    let (code, place, help) = match error {
        SystemError::FrameSize { constraints, coordinates, .. } => {
            let needed = coordinates.saturating_sub(*constraints);
            let help =
                format!("give {needed} admissible fields; those that complete the frame have `admissible = false`");
            ("frame-size", last(all.admissible().collect(), needed), Some(help))
        }
        SystemError::ComplementSize { needed, .. } => {
            let help = match needed {
                0 => "remove it: the other fields are a frame already".to_owned(),
                _ => format!("give {needed} fields with `admissible = false`, or none"),
            };
            ("frame-size", last(all.complement().collect(), *needed), Some(help))
        }
        SystemError::NotAdmissible { field, constraint, .. } => {
            let found = all.frame.iter().find(|known| known.name == *field);
            let place = found.map_or(origin.lagrangian, |field| field.field);
            ("not-admissible", place, Some(not_admissible_help(report, all, constraint)))
        }
        SystemError::DependentFields { .. } => {
            let help = "change the components of one, or remove it".to_owned();
            ("dependent-fields", last(all.frame.iter().collect(), all.frame.len()), Some(help))
        }
        SystemError::TooManyFields { .. } => ("too-many", last(all.admissible().collect(), MAX_COMPLETE), None),
        SystemError::TooManyConstraints { .. } => {
            let constraints = all.velocity_constraints.last().or(all.constraints.last()).map(|last| last.place);
            let place = constraints.or(all.tree.loops.last().map(|last| last.place));
            let help = "remove a constraint, or add coordinates".to_owned();
            ("too-many", place.unwrap_or_default(), Some(help))
        }
        _ => ("system", origin.lagrangian, None),
    };
    report.error(code, place, error.to_string(), help);
}

fn not_admissible_help(report: &Report, all: &Declarations<'_>, constraint: &str) -> String {
    let other = all.velocity_constraints.iter().find(|known| known.name == constraint);
    let other = other.map_or(String::new(), |other| format!(" ({})", report.whereabouts(other.place)));
    format!(
        "with the components in the place of the rates, `{constraint}`{other} must be zero; a field that only completes \
         the frame has `admissible = false`"
    )
}
