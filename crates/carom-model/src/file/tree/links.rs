//! How the tables of `[loops]` and `[springs]` are written.

use super::super::document::{Entry, Value, entries, items};
use super::super::schema::keys;
use super::super::source::{Place, Report};
use super::joints::letters;
use toml::de::DeValue;

/// A name that is used, and where.
pub(in super::super) type Named = (String, Place);

/// A table of `[loops]`.
#[derive(Clone, Debug)]
pub(in super::super) struct DeclaredLoop {
    pub name: String,
    pub place: Place,
    /// None if they are missing or wrong, which was reported.
    pub points: Option<[Named; 2]>,
    /// The directions in which the points stay together; all if absent.
    pub directions: Option<Vec<usize>>,
    /// The distance that they keep instead.
    pub distance: Option<Value>,
}

impl DeclaredLoop {
    /// The names of the constraints that it may bring.
    pub fn labels(&self) -> Vec<String> {
        match (&self.distance, &self.directions) {
            (Some(_), _) => vec![self.name.clone()],
            (None, Some(directions)) => directions.iter().map(|&axis| self.label(axis)).collect(),
            (None, None) => (0..3).map(|axis| self.label(axis)).collect(),
        }
    }

    /// The name of the constraint along an axis.
    pub fn label(&self, axis: usize) -> String {
        format!("{}_{}", self.name, ["x", "y", "z"][axis.min(2)])
    }
}

/// A table of `[springs]`.
#[derive(Clone, Debug)]
pub(in super::super) struct DeclaredSpring {
    pub name: String,
    pub place: Place,
    /// None if they are missing or wrong, which was reported.
    pub points: Option<[Named; 2]>,
    pub stiffness: Option<Value>,
    pub rest: Option<Value>,
    pub damping: Option<Value>,
}

impl Report {
    /// A loop: two points that stay together.
    pub(in super::super) fn closed_loop(&mut self, entry: &Entry<'_>) -> Option<DeclaredLoop> {
        let fields = self.linkage(entry, "loops")?;
        let (name, place) = (entry.key.clone(), entry.key_place);
        let mut found = DeclaredLoop { name, place, points: None, directions: None, distance: None };
        for field in &fields {
            match field.key.as_str() {
                "points" => found.points = self.two_points(field),
                "directions" => found.directions = self.directions(field),
                "distance" => found.distance = self.value(field),
                "doc" => _ = self.string(field),
                _ => _ = self.unknown_key(field, &format!("loop `{}`", entry.key), &keys("loops")),
            }
        }
        let mut both = fields.iter().filter(|field| ["directions", "distance"].contains(&field.key.as_str()));
        if let Some(second) = both.nth(1) {
            let message = format!("loop `{}` has both `directions` and `distance`", entry.key);
            let help = "keep `distance` for points that keep a distance, `directions` for points that stay together";
            self.error("conflict", second.key_place, message, Some(help.to_owned()));
        }
        Some(found)
    }

    /// A spring, a damper, or both.
    pub(in super::super) fn spring(&mut self, entry: &Entry<'_>) -> Option<DeclaredSpring> {
        let fields = self.linkage(entry, "springs")?;
        let (name, place) = (entry.key.clone(), entry.key_place);
        let mut found = DeclaredSpring { name, place, points: None, stiffness: None, rest: None, damping: None };
        for field in &fields {
            match field.key.as_str() {
                "points" => found.points = self.two_points(field),
                "stiffness" => found.stiffness = self.value(field),
                "rest" => found.rest = self.value(field),
                "damping" => found.damping = self.value(field),
                "doc" => _ = self.string(field),
                _ => _ = self.unknown_key(field, &format!("spring `{}`", entry.key), &keys("springs")),
            }
        }
        if !fields.iter().any(|field| ["stiffness", "damping"].contains(&field.key.as_str())) {
            let message = format!("spring `{}` has neither `stiffness` nor `damping`", entry.key);
            let help = "write, for example, `stiffness = 100`".to_owned();
            self.error("missing-key", entry.key_place, message, Some(help));
        }
        Some(found)
    }

    /// The keys of something between two points.
    fn linkage<'a>(&mut self, entry: &Entry<'a>, section: &str) -> Option<Vec<Entry<'a>>> {
        let DeValue::Table(table) = entry.value else {
            self.wrong_type(entry, "a table with the key `points`", &format!("[{section}.{}]", entry.key));
            return None;
        };
        let fields = entries(table);
        if !fields.iter().any(|field| field.key == "points") {
            let message = format!("`{}` of [{section}] has no `points`", entry.key);
            let help = "write `points = [\"a\", \"b\"]`, two names of [points]".to_owned();
            self.error("missing-key", entry.key_place, message, Some(help));
        }
        Some(fields)
    }

    fn two_points(&mut self, field: &Entry<'_>) -> Option<[Named; 2]> {
        let Some(list) = items(field) else {
            self.wrong_type(field, "a list of two names of points", "points = [\"a\", \"b\"]");
            return None;
        };
        let [first, second] = list.as_slice() else {
            let message = format!("expected two names of points, found {}", list.len());
            let help = "write, for example, `points = [\"a\", \"b\"]`".to_owned();
            self.error("wrong-type", field.place, message, Some(help));
            return None;
        };
        let names = [first, second].map(|item| self.string(item).map(|name| (name, item.place)));
        let [first, second] = names;
        Some([first?, second?])
    }

    /// Letters without signs, each of them once.
    fn directions(&mut self, field: &Entry<'_>) -> Option<Vec<usize>> {
        let text = self.string(field)?;
        let axes = letters(&text).filter(|axes| !axes.is_empty());
        let index = |axis: [f64; 3]| axis.iter().position(|part| *part > 0.0);
        let found: Option<Vec<usize>> = axes.and_then(|axes| axes.into_iter().map(index).collect());
        let is_plain = |axes: &Vec<usize>| (1..axes.len()).all(|k| !axes[..k].contains(&axes[k]));
        let found = found.filter(is_plain);
        if found.is_none() {
            let help = "write letters `x`, `y`, `z`, each of them once, as in \"xz\"".to_owned();
            self.error("unknown-value", field.place, format!("`{text}` are not directions"), Some(help));
        }
        found
    }
}
