//! The tables of `[[draw]]`.

use super::document::{Entry, Value, items};
use super::expressions::Expressions;
use super::names::NameTable;
use super::numbers::Numbers;
use super::roles::{Role, Uses};
use super::schema::{Key, SHAPES, keys, names};
use super::source::{Place, Report};
use super::suggest::suggest_from;
use super::tree::{Built, PlaneContact, View};
use crate::drawing::{Point, Primitive, Shape};
use carom_expr::Id;
use toml::de::DeValue;

/// Reads primitives; needs the contacts' gaps for the ground.
pub(super) struct Drawings<'a, 'b> {
    pub report: &'a mut Report,
    pub expressions: &'a mut Expressions<'b>,
    pub table: &'a NameTable,
    pub numbers: &'a mut Numbers<'b>,
    pub gaps: &'a [(String, Option<Id>)],
    pub planes: &'a [Option<PlaneContact>],
    pub built: &'a mut Built,
    pub view: View,
}

/// One table of `[[draw]]`.
pub(super) struct Fields<'e> {
    list: Vec<Entry<'e>>,
    pub place: Place,
    pub shape: &'static str,
}

impl<'e> Fields<'e> {
    pub fn get(&self, key: &str) -> Option<&Entry<'e>> {
        self.list.iter().find(|field| field.key == key)
    }
}

impl Drawings<'_, '_> {
    /// One primitive; nothing if it is wrong, which was reported.
    pub fn read(&mut self, entry: &Entry<'_>) -> Option<Primitive> {
        let list = self.report.table(entry)?;
        let place = list.first().map_or(entry.place, |field| field.key_place);
        let (shape, own) = self.shape_name(&list, place)?;
        let allowed = [keys("draw"), names(own)].concat();
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

    fn shape_name(&mut self, list: &[Entry<'_>], place: Place) -> Option<(&'static str, &'static [Key])> {
        let names = SHAPES.map(|shape| shape.name);
        let Some(field) = list.iter().find(|field| field.key == "type") else {
            let help = format!("write, for example, `type = \"rod\"`; types: {}", names.join(", "));
            self.report.error("missing-key", place, "a drawing primitive has no `type`", Some(help));
            return None;
        };
        let name = self.report.string(field)?;
        let found = SHAPES.iter().find(|known| known.name == name).map(|known| (known.name, known.keys));
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
                let (center, radii) = (self.point(fields, "center"), self.required(fields, "radii"));
                let radii = radii.and_then(|field| self.pair(&field));
                let angle = match fields.get("angle") {
                    Some(field) => self.expression(field),
                    None => Some(self.expressions.graph.constant(0.0)),
                };
                Shape::Ellipse { center: center?, radii: radii?, angle: angle? }
            }
            "box" | "cylinder" | "ball" => self.solid(fields)?,
            _ => self.ground(fields)?,
        })
    }

    pub fn required<'e>(&mut self, fields: &Fields<'e>, key: &str) -> Option<Entry<'e>> {
        let found = fields.get(key).cloned();
        if found.is_none() {
            let example = match key {
                "radius" | "length" => "0.1",
                "size" => "[0.1, 0.1, 0.3]",
                _ => "[0, 0]",
            };
            let help = format!("add `{key} = {example}`");
            let message = format!("a {} needs `{key}`", fields.shape);
            self.report.error("missing-key", fields.place, message, Some(help));
        }
        found
    }

    fn point(&mut self, fields: &Fields<'_>, key: &str) -> Option<Point> {
        let field = self.required(fields, key)?;
        self.spot(fields, &field)
    }

    /// The name of a point, a pair, or three values in the frame of the body.
    fn spot(&mut self, fields: &Fields<'_>, field: &Entry<'_>) -> Option<Point> {
        if let (DeValue::String(name), false) = (field.value, self.built.points.is_empty()) {
            let place = self.built.point(self.report, &(name.to_string(), field.place), "the drawing")?;
            return Some(self.view.point(&mut self.expressions.graph, place));
        }
        let list = items(field).unwrap_or_default();
        let (true, [x, y, z]) = (!self.built.bodies.is_empty(), list.as_slice()) else {
            return self.plain_pair(fields, field);
        };
        let body = self.body(fields);
        let [Some(x), Some(y), Some(z)] = [x, y, z].map(|item| self.expression(item)) else { return None };
        let graph = &mut self.expressions.graph;
        let place = self.built.frames.place(graph, body?, [x, y, z]);
        Some(self.view.point(graph, place))
    }

    /// A pair, which is of the drawing and not of a body.
    fn plain_pair(&mut self, fields: &Fields<'_>, field: &Entry<'_>) -> Option<Point> {
        let pair = self.pair(field)?;
        if let Some(body) = fields.get("body") {
            let message = format!("`{}` has two values, which are not in the frame of a body", field.key);
            let help = format!("write three, as in `{} = [0, 0, 0]`, or remove `body`", field.key);
            self.report.error("conflict", body.key_place, message, Some(help));
            return None;
        }
        Some(pair)
    }

    /// The frame of the key `body`.
    pub fn body(&mut self, fields: &Fields<'_>) -> Option<usize> {
        let Some(field) = fields.get("body") else { return Some(crate::tree::WORLD) };
        let name = self.report.string(field)?;
        self.built.frame(self.report, &(name, field.place), "the drawing")
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
        let corners: Vec<Option<Point>> = self.items(&field)?.iter().map(|corner| self.spot(fields, corner)).collect();
        corners.into_iter().collect()
    }

    /// The items of an array.
    pub fn items<'e>(&mut self, field: &Entry<'e>) -> Option<Vec<Entry<'e>>> {
        let found = items(field);
        if found.is_none() {
            self.report.wrong_type(field, "an array of coordinates", &format!("{} = [0, \"y\"]", field.key));
        }
        found
    }

    pub fn expression(&mut self, field: &Entry<'_>) -> Option<Id> {
        let value = self.report.value(field)?;
        self.read_value(&value)
    }

    pub fn read_value(&mut self, value: &Value) -> Option<Id> {
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
}
