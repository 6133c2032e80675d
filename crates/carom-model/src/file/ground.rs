//! The ground of a drawing: the curve where a gap vanishes in the plane of two variables.

use super::document::Entry;
use super::drawing::{Drawings, Fields};
use super::names::Meaning;
use super::suggest::suggest;
use super::tree::PlaneContact;
use crate::drawing::Shape;
use carom_expr::Id;
use carom_expr::text::is_name;

impl Drawings<'_, '_> {
    /// The gap of a contact, or one of its own.
    pub fn ground(&mut self, fields: &Fields<'_>) -> Option<Shape> {
        match (fields.get("contact"), fields.get("gap")) {
            (Some(contact), None) if fields.get("plane").is_none() && self.plane_of(contact).is_some() => {
                self.plane_ground(contact)
            }
            (Some(contact), None) => {
                let gap = self.contact_gap(contact);
                let plane = self.plane(fields, true);
                let [first, second] = plane?;
                Some(Shape::Ground { gap: gap?, plane: [first.1, second.1] })
            }
            (None, Some(gap)) => {
                let plane = self.plane(fields, false)?;
                let ids = [plane[0].1, plane[1].1];
                self.expressions.set_plane(plane.to_vec());
                let gap = self.expression(gap);
                self.expressions.set_plane(Vec::new());
                Some(Shape::Ground { gap: gap?, plane: ids })
            }
            _ => {
                let help = "write `contact = \"floor\"`, or `gap = \"y\"` with `plane = [\"x\", \"y\"]`".to_owned();
                let message = "a ground needs either `contact` or `gap`";
                self.report.error("missing-key", fields.place, message, Some(help));
                None
            }
        }
    }

    /// The plane of a contact of a point.
    fn plane_of(&self, field: &Entry<'_>) -> Option<PlaneContact> {
        let name = field.value.as_str()?;
        let index = self.gaps.iter().position(|(known, _)| known == name)?;
        self.planes.get(index).cloned().flatten()
    }

    /// The line that the plane is seen as.
    fn plane_ground(&mut self, field: &Entry<'_>) -> Option<Shape> {
        let contact = self.plane_of(field)?;
        let line = self.view.line(&mut self.expressions.graph, &contact.plane, contact.normal);
        if line.is_none() {
            let message = "the plane of the contact is not seen as a line";
            let help = "choose another `view` in [world], such as \"xz\", or remove this ground".to_owned();
            self.report.error("not-allowed", field.place, message, Some(help));
        }
        line
    }

    fn contact_gap(&mut self, field: &Entry<'_>) -> Option<Id> {
        let name = self.report.string(field)?;
        let found = self.gaps.iter().find(|(known, _)| *known == name).map(|(_, gap)| *gap);
        if found.is_none() {
            let names: Vec<&str> = self.gaps.iter().map(|(name, _)| name.as_str()).collect();
            let help = if names.is_empty() {
                "the model has no [contacts]; give the ground a `gap`".to_owned()
            } else {
                suggest(&name, "contacts", &names)
            };
            self.report.error("unknown-name", field.place, format!("there is no contact `{name}`"), Some(help));
        }
        found.flatten()
    }

    /// The two variables of the plane: coordinates, or (for a gap of its own) new names.
    fn plane(&mut self, fields: &Fields<'_>, of_contact: bool) -> Option<[(String, Id); 2]> {
        let Some(field) = fields.get("plane") else {
            let default = ["x", "y"].map(|name| self.plane_variable(name, of_contact));
            let [Some(x), Some(y)] = default else {
                let help = "add, for example, `plane = [\"q1\", \"q2\"]`, two names of coordinates".to_owned();
                let message = "which coordinates are the plane's? the model has no coordinates `x` and `y`";
                self.report.error("missing-key", fields.place, message, Some(help));
                return None;
            };
            return Some([x, y]);
        };
        let items = self.items(field)?;
        let [first, second] = items.as_slice() else {
            let message = format!("expected two names, found {}", items.len());
            self.report.error("wrong-type", field.place, message, Some("write `plane = [\"x\", \"y\"]`".to_owned()));
            return None;
        };
        let (first, second) = (self.plane_name(first, of_contact), self.plane_name(second, of_contact));
        Some([first?, second?])
    }

    fn plane_name(&mut self, item: &Entry<'_>, of_contact: bool) -> Option<(String, Id)> {
        let name = self.report.string(item)?;
        let variable = self.plane_variable(&name, of_contact);
        if variable.is_none() {
            let known = self.table.known(|meaning| matches!(meaning, Meaning::Coordinate(_)));
            let help = suggest(&name, "coordinates", &known);
            self.report.error("unknown-name", item.place, format!("`{name}` is not a coordinate"), Some(help));
        }
        variable
    }

    fn plane_variable(&mut self, name: &str, of_contact: bool) -> Option<(String, Id)> {
        let id = match self.table.get(name) {
            Some(Meaning::Coordinate(index)) => self.expressions.coordinate(index),
            None if !of_contact && is_name(name) => Some(self.expressions.graph.variable(name)),
            _ => None,
        };
        id.map(|id| (name.to_owned(), id))
    }
}
