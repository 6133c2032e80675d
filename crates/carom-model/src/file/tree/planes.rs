//! How `[world]` and the planes of contacts are written.

use super::super::document::{Entry, Value, entries};
use super::super::schema::keys;
use super::super::source::Report;
use super::joints::letters;
use toml::de::DeValue;

/// `[world]`.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct DeclaredWorld {
    pub gravity: Option<[Value; 3]>,
    pub view: Option<DeclaredView>,
}

/// What drawings show.
#[derive(Clone, Debug)]
pub(in super::super) enum DeclaredView {
    /// The axis to the right, and the one that goes up.
    Axes([usize; 2]),
    /// Azimuth and elevation, in degrees.
    Angles([Value; 2]),
}

/// `plane` of a contact.
#[derive(Clone, Debug)]
pub(in super::super) struct DeclaredPlane {
    pub normal: Option<[Value; 3]>,
    pub offset: Option<Value>,
}

impl Report {
    pub(in super::super) fn world(&mut self, entry: &Entry<'_>) -> DeclaredWorld {
        let mut world = DeclaredWorld::default();
        for field in self.table(entry).unwrap_or_default() {
            match field.key.as_str() {
                "gravity" => world.gravity = self.triple(&field),
                "view" => world.view = self.view(&field),
                _ => _ = self.unknown_key(&field, "[world]", &keys("world")),
            }
        }
        world
    }

    fn view(&mut self, field: &Entry<'_>) -> Option<DeclaredView> {
        if let DeValue::Array(_) = field.value {
            let angles = self.numbers(field, &[2])?;
            return angles.try_into().ok().map(DeclaredView::Angles);
        }
        let text = self.string(field)?;
        let index = |axis: &[f64; 3]| axis.iter().position(|part| *part > 0.0);
        let axes: Vec<usize> = letters(&text).unwrap_or_default().iter().filter_map(index).collect();
        match axes.as_slice() {
            [right, up] if right != up && text.len() == 2 => Some(DeclaredView::Axes([*right, *up])),
            _ => {
                let help = "write two of x, y, z, the first to the right and the second up, as in \"xz\"; or azimuth and \
                            elevation in degrees, as in [-60, 20]";
                self.error("unknown-value", field.place, format!("`{text}` is not a view"), Some(help.to_owned()));
                None
            }
        }
    }

    pub(in super::super) fn plane(&mut self, field: &Entry<'_>) -> Option<DeclaredPlane> {
        let DeValue::Table(table) = field.value else {
            self.wrong_type(field, "a table", "plane = { normal = [0, 0, 1], offset = 0 }");
            return None;
        };
        let mut plane = DeclaredPlane { normal: None, offset: None };
        for part in entries(table) {
            match part.key.as_str() {
                "normal" => plane.normal = self.triple(&part),
                "offset" => plane.offset = self.value(&part),
                _ => _ = self.unknown_key(&part, "a plane", &["normal", "offset"]),
            }
        }
        Some(plane)
    }
}
