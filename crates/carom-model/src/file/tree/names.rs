//! The names that a tree brings: coordinates of its joints, inputs of its actuators, definitions of its points.

use super::super::declarations::{Declarations, Declared, DeclaredCoordinate, Initial, MAX_ENTRIES};
use super::super::document::Value;
use super::super::source::{Place, Report};
use super::super::suggest::suggest;
use super::bodies::{DeclaredPoint, WORLD};
use std::collections::{HashMap, HashSet};

impl Declarations<'_> {
    /// Adds what the joints have and the other sections do not list.
    pub fn complete(&mut self, report: &mut Report) {
        self.complete_coordinates(report);
        let mut known: HashSet<String> = self.inputs.iter().map(|input| input.name.clone()).collect();
        for (name, place) in self.tree.bodies.iter().flat_map(|body| &body.actuators) {
            if !name.is_empty() && known.insert(name.clone()) {
                let (name, place, value) = (name.clone(), *place, Some(Value::Number(0.0, *place)));
                self.inputs.push(Declared { name, place, value, unit: None, doc: None });
            }
        }
        for body in self.tree.bodies.iter().filter(|body| body.name == WORLD) {
            let message = "`world` cannot be a body: the name has a meaning of its own";
            report.error("reserved-name", body.place, message, Some("choose another name".to_owned()));
        }
    }

    /// Coordinates that the file lists come first.
    fn complete_coordinates(&mut self, report: &mut Report) {
        self.strangers(report);
        let mut known: HashSet<String> = self.coordinates.iter().map(|coordinate| coordinate.name.clone()).collect();
        let mut owners: HashMap<&str, &str> = HashMap::new();
        for body in &self.tree.bodies {
            for (name, place) in &body.coordinates {
                if let Some(other) = owners.insert(name, &body.name) {
                    let message =
                        format!("coordinate `{name}` is used twice: by the joints of `{other}` and `{}`", body.name);
                    let help =
                        "every joint has coordinates of its own; couple them with a constraint, in [constraints]";
                    report.error("duplicate-name", *place, message, Some(help.to_owned()));
                }
                if known.insert(name.clone()) {
                    self.coordinates.push(new_coordinate(name, *place));
                }
            }
        }
        if let Some(extra) = self.coordinates.get(MAX_ENTRIES) {
            let message = format!("the joints have {} coordinates, the limit is {MAX_ENTRIES}", self.coordinates.len());
            report.error("too-many", extra.place, message, Some("split the model".to_owned()));
            report.names_incomplete = true;
            self.coordinates.truncate(MAX_ENTRIES);
        }
    }

    /// Without a Lagrangian of one's own, a coordinate of no joint moves nothing: a name was mistyped.
    fn strangers(&self, report: &mut Report) {
        if self.tree.bodies.is_empty() || self.lagrangian.is_some() || self.energy.is_some() {
            return;
        }
        let of_joints: Vec<&str> =
            self.tree.bodies.iter().flat_map(|body| &body.coordinates).map(|(name, _)| name.as_str()).collect();
        for coordinate in self.coordinates.iter().filter(|own| !of_joints.contains(&own.name.as_str())) {
            let message = format!("coordinate `{}` belongs to no joint", coordinate.name);
            let help = suggest(&coordinate.name, "coordinates of joints", &of_joints);
            report.error("unknown-coordinate", coordinate.place, message, Some(help));
        }
    }
}

fn new_coordinate(name: &str, place: Place) -> DeclaredCoordinate {
    let (initial, velocity) = (Initial::Absent, Initial::Absent);
    DeclaredCoordinate { name: name.to_owned(), place, initial, velocity, period: None, unit: None, doc: None }
}

impl DeclaredPoint {
    /// The definitions that it gives.
    pub fn definitions(&self) -> [String; 3] {
        ["x", "y", "z"].map(|letter| format!("{}_{letter}", self.name))
    }
}
