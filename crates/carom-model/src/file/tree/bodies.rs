//! How the tables of `[bodies]` and `[points]` are written.

use super::super::document::{Entry, Value, entries, items};
use super::super::schema::keys;
use super::super::source::{Place, Report};
use super::joints::{DeclaredAxis, JointKind, KINDS};
use super::links::Named;
use toml::de::DeValue;

/// What everything hangs on.
pub(super) const WORLD: &str = "world";

/// Keys that belong to coordinates.
const OF_COORDINATES: [&str; 5] = ["coordinates", "stiffness", "rest", "damping", "actuator"];

/// A table of `[bodies]`. What is wrong is absent, and was reported.
#[derive(Clone, Debug)]
pub(in super::super) struct DeclaredBody {
    pub name: String,
    pub place: Place,
    /// The world if absent.
    pub parent: Option<Named>,
    pub at: Option<[Value; 3]>,
    pub turn: Option<[Value; 3]>,
    pub joint: Option<&'static JointKind>,
    pub axes: Option<Vec<DeclaredAxis>>,
    pub axes_place: Place,
    pub coordinates: Vec<Named>,
    pub mass: Option<Value>,
    pub centre: Option<[Value; 3]>,
    /// Three numbers, or six.
    pub inertia: Option<Vec<Value>>,
    /// One per coordinate, or none.
    pub stiffness: Vec<Value>,
    pub rest: Vec<Value>,
    pub damping: Vec<Value>,
    /// Empty names are no actuators.
    pub actuators: Vec<Named>,
}

/// A table of `[points]`.
#[derive(Clone, Debug)]
pub(in super::super) struct DeclaredPoint {
    pub name: String,
    pub place: Place,
    pub body: Option<Named>,
    pub at: Option<[Value; 3]>,
}

impl DeclaredBody {
    fn new(entry: &Entry<'_>) -> Self {
        Self {
            name: entry.key.clone(),
            place: entry.key_place,
            parent: None,
            at: None,
            turn: None,
            joint: KINDS.first(),
            axes: None,
            axes_place: entry.key_place,
            coordinates: Vec::new(),
            mass: None,
            centre: None,
            inertia: None,
            stiffness: Vec::new(),
            rest: Vec::new(),
            damping: Vec::new(),
            actuators: Vec::new(),
        }
    }
}

impl Report {
    /// A body on its joint.
    pub(in super::super) fn body(&mut self, entry: &Entry<'_>) -> Option<DeclaredBody> {
        let DeValue::Table(table) = entry.value else {
            self.names_incomplete = true;
            self.wrong_type(entry, "a table", &format!("[bodies.{}]", entry.key));
            return None;
        };
        let mut body = DeclaredBody::new(entry);
        let fields = entries(table);
        // The joint decides which other keys there are, wherever it stands.
        if let Some(field) = fields.iter().find(|field| field.key == "joint") {
            body.joint = self.joint(field);
        }
        fields.iter().for_each(|field| self.body_key(field, &mut body));
        if let Some(kind) = body.joint {
            self.check_joint(&mut body, kind, &fields);
        }
        Some(body)
    }

    fn body_key(&mut self, field: &Entry<'_>, body: &mut DeclaredBody) {
        match field.key.as_str() {
            "parent" => body.parent = self.named(field),
            "at" => body.at = self.triple(field),
            "turn" => body.turn = self.triple(field),
            "joint" => {}
            "axis" => {
                body.axes = self.axis(field).map(|axis| vec![axis]);
                body.axes_place = field.place;
            }
            "axes" => {
                body.axes = self.axes(field);
                body.axes_place = field.place;
            }
            "coordinates" => body.coordinates = self.names(field),
            "mass" => body.mass = self.value(field),
            "centre" => body.centre = self.triple(field),
            "inertia" => body.inertia = self.numbers(field, &[3, 6]),
            "stiffness" => body.stiffness = self.one_or_more(field),
            "rest" => body.rest = self.one_or_more(field),
            "damping" => body.damping = self.one_or_more(field),
            "actuator" => body.actuators = self.names(field),
            "doc" => _ = self.string(field),
            _ => _ = self.unknown_key(field, &format!("body `{}`", body.name), &keys("bodies")),
        }
    }

    /// A name and its place.
    fn named(&mut self, field: &Entry<'_>) -> Option<Named> {
        self.string(field).map(|name| (name, field.place))
    }

    /// A name, or a list of names.
    fn names(&mut self, field: &Entry<'_>) -> Vec<Named> {
        let list = items(field).unwrap_or(vec![field.clone()]);
        list.iter().filter_map(|item| self.named(item)).collect()
    }

    /// A number, or a list of numbers.
    fn one_or_more(&mut self, field: &Entry<'_>) -> Vec<Value> {
        let list = items(field).unwrap_or(vec![field.clone()]);
        list.iter().filter_map(|item| self.value(item)).collect()
    }

    /// The keys fit the joint: none is missing, none belongs to another kind, lists have the right length.
    fn check_joint(&mut self, body: &mut DeclaredBody, kind: &'static JointKind, fields: &[Entry<'_>]) {
        let own = if kind.axes == 1 { "axis" } else { "axes" };
        let is_foreign = |key: &str| match key {
            "axis" | "axes" => kind.axes == 0 || key != own,
            _ => kind.freedoms == 0 && OF_COORDINATES.contains(&key),
        };
        let foreign: Vec<&Entry<'_>> = fields.iter().filter(|field| is_foreign(&field.key)).collect();
        for field in &foreign {
            let message = format!("`{}` is no key of joint `{}`, which body `{}` has", field.key, kind.name, body.name);
            self.error("conflict", field.key_place, message, Some(joints_with(&field.key)));
        }
        let find = |key: &str| fields.iter().find(|field| field.key == key);
        if kind.axes > 0 && find(own).is_none() {
            body.axes = kind.default_axes();
            // A misplaced key was reported.
            if body.axes.is_none() && foreign.is_empty() {
                let example = if kind.axes == 1 {
                    "axis = \"y\"".to_owned()
                } else {
                    format!("axes = \"{}\"", &"zyx"[..kind.axes])
                };
                self.missing(body, kind, own, &example);
            }
        }
        if kind.freedoms > 0 && find("coordinates").is_none() {
            self.missing(body, kind, "coordinates", &format!("coordinates = {}", kind.example));
        }
        for (key, found, wanted) in lengths(body, kind) {
            let Some(field) = find(key).filter(|field| found != wanted && !is_foreign(&field.key)) else { continue };
            // Items of another type were reported.
            if items(field).map_or(1, |list| list.len()) != found && key != "axes" {
                continue;
            }
            let message = format!("joint `{}` of body `{}` has {wanted} {key}, found {found}", kind.name, body.name);
            let help = format!("joint `{}` has {} coordinates and {} axes", kind.name, kind.freedoms, kind.axes);
            self.error("wrong-type", field.place, message, Some(help));
        }
    }

    fn missing(&mut self, body: &DeclaredBody, kind: &JointKind, key: &str, example: &str) {
        let message = format!("joint `{}` of body `{}` needs `{key}`", kind.name, body.name);
        self.error("missing-key", body.place, message, Some(format!("write, for example, `{example}`")));
    }

    /// A point of a body.
    pub(in super::super) fn point(&mut self, entry: &Entry<'_>) -> Option<DeclaredPoint> {
        let DeValue::Table(table) = entry.value else {
            self.names_incomplete = true;
            self.wrong_type(entry, "a table with the key `body`", &format!("[points.{}]", entry.key));
            return None;
        };
        let mut point = DeclaredPoint { name: entry.key.clone(), place: entry.key_place, body: None, at: None };
        let fields = entries(table);
        for field in &fields {
            match field.key.as_str() {
                "body" => point.body = self.named(field),
                "at" => point.at = self.triple(field),
                "doc" => _ = self.string(field),
                _ => _ = self.unknown_key(field, &format!("point `{}`", entry.key), &keys("points")),
            }
        }
        if !fields.iter().any(|field| field.key == "body") {
            let message = format!("point `{}` has no `body`", entry.key);
            let help = "write the name of a body, or `body = \"world\"` for a point that does not move".to_owned();
            self.error("missing-key", entry.key_place, message, Some(help));
        }
        Some(point)
    }
}

/// Keys with as many entries as the joint has coordinates or axes.
fn lengths(body: &DeclaredBody, kind: &JointKind) -> Vec<(&'static str, usize, usize)> {
    let axes = body.axes.as_ref().map_or(kind.axes, Vec::len);
    let mut list = vec![("axes", axes, kind.axes), ("coordinates", body.coordinates.len(), kind.freedoms)];
    let others = [
        ("stiffness", body.stiffness.len()),
        ("rest", body.rest.len()),
        ("damping", body.damping.len()),
        ("actuator", body.actuators.len()),
    ];
    list.extend(others.map(|(key, found)| (key, found, kind.freedoms)));
    list
}

/// The joints that have this key, in words.
fn joints_with(key: &str) -> String {
    let has = |kind: &&JointKind| match key {
        "axis" => kind.axes == 1,
        "axes" => kind.axes > 1,
        _ => kind.freedoms > 0,
    };
    let names: Vec<&str> = KINDS.iter().filter(has).map(|kind| kind.name).collect();
    format!("joints with `{key}`: {}", names.join(", "))
}
