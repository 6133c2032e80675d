//! The tables of `[[draw]]`.

use super::document::{Entry, Value};
use super::expressions::{Expressions, Role, Uses};
use super::names::{Meaning, NameTable};
use super::source::{Place, Report};
use super::suggest::{suggest, suggest_from};
use crate::drawing::{Point, Primitive, Shape};
use carom_expr::Id;
use carom_expr::text::is_name;
use toml::de::DeValue;

/// The shapes and the keys that each of them has.
const SHAPES: [(&str, &[&str]); 7] = [
    ("point", &["at"]),
    ("line", &["from", "to"]),
    ("rod", &["from", "to"]),
    ("polyline", &["points", "closed"]),
    ("circle", &["center", "radius"]),
    ("ellipse", &["center", "radii", "angle"]),
    ("ground", &["contact", "gap", "plane"]),
];

/// Reads primitives; needs the contacts' gaps for the ground.
pub(super) struct Drawings<'a, 'b> {
    pub report: &'a mut Report,
    pub expressions: &'a mut Expressions<'b>,
    pub table: &'a NameTable,
    pub gaps: &'a [(String, Option<Id>)],
}

/// One table of `[[draw]]`.
struct Fields<'e> {
    list: Vec<Entry<'e>>,
    place: Place,
    shape: &'static str,
}

impl<'e> Fields<'e> {
    fn get(&self, key: &str) -> Option<&Entry<'e>> {
        self.list.iter().find(|field| field.key == key)
    }
}

impl Drawings<'_, '_> {
    /// One primitive; nothing if it is wrong, which was reported.
    pub fn read(&mut self, entry: &Entry<'_>) -> Option<Primitive> {
        let list = self.report.table(entry)?;
        let place = list.first().map_or(entry.place, |field| field.key_place);
        let (shape, keys) = self.shape_name(&list, place)?;
        let allowed = [&["type"], keys, &["color", "trace"]].concat();
        let mut complete = true;
        for field in list.iter().filter(|field| !allowed.contains(&field.key.as_str())) {
            self.report.unknown_key(field, &format!("a {shape}"), &allowed);
            complete = false;
        }
        let fields = Fields { list, place, shape };
        let color = fields.get("color").map(|field| self.color(field));
        let trace = fields.get("trace").map_or(Some(false), |field| self.report.boolean(field));
        if !complete {
            return None;
        }
        let shape = self.shape(&fields)?;
        Some(Primitive { shape, color: color.map_or(Some(None), |color| color.map(Some))?, trace: trace? })
    }

    fn shape_name(&mut self, list: &[Entry<'_>], place: Place) -> Option<(&'static str, &'static [&'static str])> {
        let names: Vec<&str> = SHAPES.iter().map(|(name, _)| *name).collect();
        let Some(field) = list.iter().find(|field| field.key == "type") else {
            let help = format!("write, for example, `type = \"rod\"`; types: {}", names.join(", "));
            self.report.error("missing-key", place, "a drawing primitive has no `type`", Some(help));
            return None;
        };
        let name = self.report.string(field)?;
        let found = SHAPES.iter().find(|(known, _)| *known == name).copied();
        if found.is_none() {
            let help = suggest_from(&name, "types", &names);
            self.report.error("unknown-value", field.place, format!("there is no shape `{name}`"), Some(help));
        }
        found
    }

    fn shape(&mut self, fields: &Fields<'_>) -> Option<Shape> {
        Some(match fields.shape {
            "point" => Shape::Point { at: self.point(fields, "at")? },
            "line" | "rod" => {
                let (from, to) = (self.point(fields, "from"), self.point(fields, "to"));
                let (from, to) = (from?, to?);
                if fields.shape == "rod" { Shape::Rod { from, to } } else { Shape::Line { from, to } }
            }
            "polyline" => {
                let closed = fields.get("closed").map_or(Some(false), |field| self.report.boolean(field));
                Shape::Polyline { points: self.points(fields)?, closed: closed? }
            }
            "circle" => {
                let (center, radius) = (self.point(fields, "center"), self.required(fields, "radius"));
                Shape::Circle { center: center?, radius: self.expression(&radius?)? }
            }
            "ellipse" => {
                let (center, radii) = (self.point(fields, "center"), self.point(fields, "radii"));
                let angle = match fields.get("angle") {
                    Some(field) => self.expression(field),
                    None => Some(self.expressions.graph.constant(0.0)),
                };
                Shape::Ellipse { center: center?, radii: radii?, angle: angle? }
            }
            _ => self.ground(fields)?,
        })
    }

    fn required<'e>(&mut self, fields: &Fields<'e>, key: &str) -> Option<Entry<'e>> {
        let found = fields.get(key).cloned();
        if found.is_none() {
            let help = format!("add `{key} = {}`", if key == "radius" { "0.1" } else { "[0, 0]" });
            let message = format!("a {} needs `{key}`", fields.shape);
            self.report.error("missing-key", fields.place, message, Some(help));
        }
        found
    }

    fn point(&mut self, fields: &Fields<'_>, key: &str) -> Option<Point> {
        let field = self.required(fields, key)?;
        self.pair(&field)
    }

    fn pair(&mut self, field: &Entry<'_>) -> Option<Point> {
        let items = self.items(field).unwrap_or_default();
        let [first, second] = items.as_slice() else {
            if let DeValue::Array(array) = field.value {
                let message = format!("expected two coordinates, found {}", array.len());
                let help = format!("write `{} = [\"x\", \"y\"]`", field.key);
                self.report.error("wrong-type", field.place, message, Some(help));
            }
            return None;
        };
        let (first, second) = (self.expression(first), self.expression(second));
        Some([first?, second?])
    }

    fn points(&mut self, fields: &Fields<'_>) -> Option<Vec<Point>> {
        let field = self.required(fields, "points")?;
        let corners: Vec<Option<Point>> = self.items(&field)?.iter().map(|corner| self.pair(corner)).collect();
        corners.into_iter().collect()
    }

    /// The items of an array, under the key of the array.
    fn items<'e>(&mut self, field: &Entry<'e>) -> Option<Vec<Entry<'e>>> {
        let DeValue::Array(array) = field.value else {
            self.report.wrong_type(field, "an array of coordinates", &format!("{} = [0, \"y\"]", field.key));
            return None;
        };
        let item = |item: &'e toml::Spanned<DeValue<'e>>| Entry {
            value: item.get_ref(),
            place: Place::in_file(item.span()),
            ..field.clone()
        };
        Some(array.iter().map(item).collect())
    }

    fn expression(&mut self, field: &Entry<'_>) -> Option<Id> {
        let value = self.report.value(field)?;
        self.read_value(&value)
    }

    fn read_value(&mut self, value: &Value) -> Option<Id> {
        let role = Role { name: "a drawing", allowed: Uses::COORDINATES | Uses::TIME };
        self.expressions.read(self.report, value, role)
    }

    /// Colours go into SVG files as they are, so only plain ones pass.
    fn color(&mut self, field: &Entry<'_>) -> Option<String> {
        let color = self.report.string(field)?;
        let is_code = |digits: &str| {
            matches!(digits.len(), 3 | 4 | 6 | 8) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
        };
        let is_word = !color.is_empty() && color.bytes().all(|letter| letter.is_ascii_alphabetic());
        if is_word || color.strip_prefix('#').is_some_and(is_code) {
            return Some(color);
        }
        let help = "write a name such as `steelblue` or a code such as `#2a6f97`".to_owned();
        self.report.error("unknown-value", field.place, format!("`{color}` is not a colour"), Some(help));
        None
    }

    fn ground(&mut self, fields: &Fields<'_>) -> Option<Shape> {
        match (fields.get("contact"), fields.get("gap")) {
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
