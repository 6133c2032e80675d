//! How the tables of `[contacts]` are written.

use super::declarations::Declared;
use super::document::{Entry, Value, entries, items};
use super::source::{Place, Report};
use super::suggest::suggest_from;
use super::tree::{DeclaredPlane, Named};
use crate::laws::{LAWS, LawKey, LawSchema, LawValue, by_name};
use toml::de::DeValue;

/// The law of a contact that names none.
const DEFAULT_LAW: &str = "elastic";

/// Most tangential positions of a contact: a surface has two directions.
const MAX_TANGENTS: usize = 2;

/// A table of `[contacts]`. A gap or a law that is missing was reported.
#[derive(Clone, Debug)]
pub(super) struct DeclaredContact {
    pub name: String,
    pub place: Place,
    pub gap: Option<Value>,
    /// The point whose gap to a plane it is, instead of `gap`.
    pub point: Option<Named>,
    pub plane: Option<DeclaredPlane>,
    pub radius: Option<Value>,
    pub law: Option<&'static LawSchema>,
    pub law_place: Place,
    pub tangent: Option<DeclaredTangent>,
    pub active: Option<Value>,
    /// Where it is written that the bodies stay together.
    pub closed: Option<Place>,
    pub doc: Option<String>,
    pub keys: Vec<DeclaredKey>,
}

/// `tangent`: one position or two; none if it is wrong, which was reported.
#[derive(Clone, Debug)]
pub(super) struct DeclaredTangent {
    pub place: Place,
    pub values: Vec<Value>,
}

/// A key of the law, and what stands behind it.
#[derive(Clone, Debug)]
pub(super) struct DeclaredKey {
    pub key: &'static LawKey,
    pub place: Place,
    pub given: Given,
}

/// What stands behind a key of a law.
#[derive(Clone, Debug)]
pub(super) enum Given {
    Value(Value),
    PerCoordinate(Vec<Declared>),
    /// Names of coordinates or contacts.
    Names(Vec<(String, Place)>),
    /// It was reported.
    Wrong,
}

impl DeclaredContact {
    fn new(entry: &Entry<'_>) -> Self {
        let (name, place) = (entry.key.clone(), entry.key_place);
        let (law, law_place) = (by_name(DEFAULT_LAW), place);
        let (gap, point, plane, radius) = (None, None, None, None);
        let (tangent, active, closed, doc, keys) = (None, None, None, None, Vec::new());
        Self { name, place, gap, point, plane, radius, law, law_place, tangent, active, closed, doc, keys }
    }
}

impl Report {
    /// A contact: its gap, its law and the keys of the law.
    pub(super) fn contact(&mut self, entry: &Entry<'_>) -> Option<DeclaredContact> {
        let DeValue::Table(table) = entry.value else {
            self.wrong_type(entry, "a table with the key `gap`", &format!("[contacts.{}]", entry.key));
            return None;
        };
        let mut contact = DeclaredContact::new(entry);
        let fields = entries(table);
        // The law decides which other keys there are, wherever it stands.
        if let Some(field) = fields.iter().find(|field| field.key == "law") {
            contact.law = self.law(field);
            contact.law_place = field.place;
        }
        for field in &fields {
            match field.key.as_str() {
                "gap" => contact.gap = self.value(field),
                "point" => contact.point = self.string(field).map(|name| (name, field.place)),
                "plane" => contact.plane = self.plane(field),
                "radius" => contact.radius = self.value(field),
                "law" => {}
                "tangent" => contact.tangent = Some(self.tangent(field)),
                "active" => contact.active = self.value(field),
                "closed" => contact.closed = self.boolean(field).filter(|closed| *closed).map(|_| field.place),
                "doc" => contact.doc = self.string(field),
                _ => contact.keys.extend(self.law_key(field, &contact)),
            }
        }
        self.check_gap(entry, &fields);
        Some(contact)
    }

    /// There is a gap, or a point for one, but not both.
    fn check_gap(&mut self, entry: &Entry<'_>, fields: &[Entry<'_>]) {
        let find = |key: &str| fields.iter().find(|field| field.key == key);
        match (find("gap"), find("point")) {
            (Some(_), Some(point)) => {
                let message = format!("contact `{}` has both `gap` and `point`", entry.key);
                let help = "keep `gap`, or `point` for the gap between a point and a plane".to_owned();
                self.error("conflict", point.key_place, message, Some(help));
            }
            (None, None) => {
                let message = format!("contact `{}` has no `gap`", entry.key);
                let help = "write `gap = \"y - r\"`: positive where the bodies are apart; or `point = \"foot\"`, a name of \
                            [points]";
                self.error("missing-key", entry.key_place, message, Some(help.to_owned()));
            }
            (Some(_), None) => {
                for field in ["plane", "radius"].into_iter().filter_map(find) {
                    let message = format!("`{}` of contact `{}` needs `point`", field.key, entry.key);
                    let help = "write the gap to the surface in `gap`, or `point` instead of it".to_owned();
                    self.error("conflict", field.key_place, message, Some(help));
                }
            }
            (None, Some(_)) => {}
        }
    }

    fn law(&mut self, field: &Entry<'_>) -> Option<&'static LawSchema> {
        let name = self.string(field)?;
        let law = by_name(&name);
        if law.is_none() {
            let help = suggest_from(&name, "laws", &LAWS.map(|law| law.name));
            self.error("unknown-value", field.place, format!("there is no impact law `{name}`"), Some(help));
        }
        law
    }

    fn tangent(&mut self, field: &Entry<'_>) -> DeclaredTangent {
        let place = field.place;
        let list = items(field).unwrap_or(vec![field.clone()]);
        if list.is_empty() || list.len() > MAX_TANGENTS {
            let message = format!("expected one tangent or two, found {}", list.len());
            let help = "write, for example, `tangent = \"x\"` or `tangent = [\"x\", \"z\"]`".to_owned();
            self.error("wrong-type", place, message, Some(help));
            return DeclaredTangent { place, values: Vec::new() };
        }
        DeclaredTangent { place, values: list.iter().filter_map(|item| self.value(item)).collect() }
    }

    /// A key of the law; nothing if the law has no such key, or is not known itself.
    fn law_key(&mut self, field: &Entry<'_>, contact: &DeclaredContact) -> Option<DeclaredKey> {
        let known = |law: &LawSchema| law.keys.iter().any(|key| key.name == field.key);
        let Some(law) = contact.law else {
            // Which keys are right depends on the law that was meant.
            if !LAWS.iter().any(known) {
                self.no_law_key(field, contact, None);
            }
            return None;
        };
        let Some(key) = law.keys.iter().find(|key| key.name == field.key) else {
            self.no_law_key(field, contact, Some(law));
            return None;
        };
        let given = match key.value {
            LawValue::Number { .. } | LawValue::Expression => self.value(field).map(Given::Value),
            LawValue::PerCoordinate => self.per_coordinate(field),
            LawValue::Coordinate => self.string(field).map(|name| Given::Names(vec![(name, field.place)])),
            LawValue::Contacts => self.contact_names(field),
        };
        Some(DeclaredKey { key, place: field.key_place, given: given.unwrap_or(Given::Wrong) })
    }

    fn per_coordinate(&mut self, field: &Entry<'_>) -> Option<Given> {
        let DeValue::Table(table) = field.value else {
            let example = format!("{} = {{ x = \"-0.1*x'\" }}", field.key);
            self.wrong_type(field, "a table of expressions under names of coordinates", &example);
            return None;
        };
        Some(Given::PerCoordinate(entries(table).iter().map(|entry| self.plain(entry)).collect()))
    }

    fn contact_names(&mut self, field: &Entry<'_>) -> Option<Given> {
        let Some(list) = items(field) else {
            self.wrong_type(field, "a list of names of contacts", &format!("{} = [\"left\"]", field.key));
            return None;
        };
        let names: Vec<_> = list.iter().map(|item| Some((self.string(item)?, item.place))).collect();
        names.into_iter().collect::<Option<_>>().map(Given::Names)
    }
}
