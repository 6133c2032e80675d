//! The sections of a model file as they are written, before anything is computed.

use super::contacts::DeclaredContact;
use super::document::{Entry, TOP_ONLY, Value};
use super::fields::DeclaredField;
use super::orbit::DeclaredOrbit;
use super::schema::{SECTIONS, keys};
use super::source::{Place, Report};
use super::tree::DeclaredTree;
use toml::de::DeValue;

/// Most entries of one section.
pub(super) const MAX_ENTRIES: usize = 1000;

/// A named number or expression. A value that is missing was reported.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub name: String,
    pub place: Place,
    pub value: Option<Value>,
    pub unit: Option<String>,
    pub doc: Option<String>,
}

/// An entry of `[coordinates]`.
#[derive(Clone, Debug)]
pub(super) struct DeclaredCoordinate {
    pub name: String,
    pub place: Place,
    pub initial: Initial,
    pub velocity: Initial,
    pub period: Option<Value>,
    pub unit: Option<String>,
    pub doc: Option<String>,
}

/// An initial value.
#[derive(Clone, Debug)]
pub(super) enum Initial {
    /// None is given: zero.
    Absent,
    /// What was given is wrong and was reported.
    Wrong,
    Given(Value),
}

/// `[simulation]`.
#[derive(Clone, Debug, Default)]
pub(super) struct DeclaredSettings {
    pub method: Option<(String, Place)>,
    pub formulation: Option<(String, Place)>,
    pub step: Option<Value>,
    pub until: Option<Value>,
    pub every: Option<Value>,
    pub tolerance: Option<Value>,
    pub jump: Option<(String, Place)>,
    pub multiple: Option<(String, Place)>,
    pub max_impacts: Option<Value>,
    /// `true` or `false`, as on the command line.
    pub project: Option<(String, Place)>,
}

/// Everything that the file says.
#[derive(Clone, Default)]
pub(super) struct Declarations<'a> {
    pub name: Option<String>,
    pub description: Option<String>,
    pub parameters: Vec<Declared>,
    pub coordinates: Vec<DeclaredCoordinate>,
    pub definitions: Vec<Declared>,
    pub inputs: Vec<Declared>,
    pub lagrangian: Option<Declared>,
    pub kinetic: Option<Declared>,
    pub potential: Option<Declared>,
    pub forces: Vec<Declared>,
    pub constraints: Vec<Declared>,
    pub velocity_constraints: Vec<Declared>,
    pub frame: Vec<DeclaredField>,
    pub contacts: Vec<DeclaredContact>,
    pub tree: DeclaredTree,
    pub settings: DeclaredSettings,
    pub orbit: DeclaredOrbit,
    pub draw: Vec<Entry<'a>>,
    /// There is a [[draw]].
    pub is_drawn: bool,
    /// The header of `[energy]`.
    pub energy: Option<Place>,
    /// The Lagrangian was written but cannot be read, or the coordinates cannot.
    pub broken: Broken,
}

/// Required parts whose absence is only the consequence of a mistake that was reported.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Broken {
    pub lagrangian: bool,
    pub coordinates: bool,
    /// [energy] has keys that are not known.
    pub energy: bool,
    pub bodies: bool,
}

impl<'a> Declarations<'a> {
    /// Reads the whole document.
    pub fn read(report: &mut Report, document: &[Entry<'a>]) -> Self {
        let mut all = Self::default();
        let sections = SECTIONS.map(|section| section.name);
        for entry in document {
            if sections.contains(&entry.key.as_str()) {
                all.read_section(report, &entry.key, entry);
                continue;
            }
            // A mistyped section is read as the one that was meant, so that its names are known.
            match report.unknown_key(entry, "a model file", &sections) {
                Some(meant) if !document.iter().any(|other| other.key == meant) => {
                    all.read_section(report, &meant, entry);
                }
                _ => report.names_incomplete |= matches!(entry.value, DeValue::Table(_)),
            }
        }
        all.complete(report);
        all.check_presence(report, document);
        all
    }

    fn read_section(&mut self, report: &mut Report, section: &str, entry: &Entry<'a>) {
        match section {
            "name" => self.name = report.string(entry),
            "description" => self.description = report.string(entry),
            "parameters" => {
                self.parameters = report.names_section(entry, |report, e| report.declared(e, section, "value"))
            }
            "inputs" => self.inputs = report.names_section(entry, |report, e| report.declared(e, section, "signal")),
            "definitions" => self.definitions = report.names_section(entry, |report, e| report.plain(e)),
            "coordinates" => {
                self.broken.coordinates = !entry.value.as_table().is_some_and(|table| table.is_empty());
                self.coordinates = report.names_section(entry, |report, e| report.coordinate(e));
            }
            "lagrangian" => self.lagrangian = Some(report.plain(entry)),
            "energy" => self.read_energy(report, entry),
            "forces" => self.forces = report.section(entry, |report, e| report.plain(e)),
            "constraints" => self.constraints = report.section(entry, |report, e| report.plain(e)),
            "velocity_constraints" => self.velocity_constraints = report.section(entry, |report, e| report.plain(e)),
            "frame" => {
                self.frame = flat(report.section(entry, |report, e| report.field(e)));
            }
            "contacts" => self.contacts = flat(report.section(entry, |report, e| report.contact(e))),
            "simulation" => self.settings = report.settings(entry),
            "orbit" => self.orbit = report.orbit(entry),
            "world" => self.tree.world = report.world(entry),
            "bodies" => {
                self.broken.bodies = !matches!(entry.value, DeValue::Table(_));
                self.tree.bodies = flat(report.names_section(entry, |report, e| report.body(e)));
            }
            "points" => self.tree.points = flat(report.names_section(entry, |report, e| report.point(e))),
            "loops" => self.tree.loops = flat(report.section(entry, |report, e| report.closed_loop(e))),
            "springs" => self.tree.springs = flat(report.section(entry, |report, e| report.spring(e))),
            _ => {
                self.is_drawn = true;
                self.draw = report.drawings(entry);
            }
        }
    }

    fn read_energy(&mut self, report: &mut Report, entry: &Entry<'a>) {
        self.energy = Some(entry.key_place);
        self.broken.lagrangian = true;
        let Some(fields) = report.table(entry) else {
            self.broken.energy = true;
            return;
        };
        for field in &fields {
            match field.key.as_str() {
                "kinetic" => self.kinetic = Some(report.plain(field)),
                "potential" => self.potential = Some(report.plain(field)),
                _ => {
                    report.unknown_key(field, "[energy]", &keys("energy"));
                    self.broken.energy = true;
                }
            }
        }
    }

    /// Every system needs coordinates and one Lagrangian.
    fn check_presence(&mut self, report: &mut Report, document: &[Entry<'a>]) {
        // A tree has a Lagrangian, to which the others add.
        let has_bodies = self.tree.is_given() || self.broken.bodies;
        if let (None, Some(place), false) = (&self.kinetic, self.energy, has_bodies || self.broken.energy) {
            let help = "write `kinetic = \"0.5*m*x'^2\"`; the Lagrangian is kinetic - potential".to_owned();
            report.error("missing-key", place, "[energy] has no `kinetic`", Some(help));
        }
        if let (Some(lagrangian), Some(_), false) = (&self.lagrangian, self.energy, has_bodies) {
            let help = "keep one of them; the Lagrangian of [energy] is kinetic - potential".to_owned();
            report.error("conflict", lagrangian.place, "both `lagrangian` and [energy] are given", Some(help));
        }
        let end = report.sources.first().map_or(0, |file| file.text.trim_end().len());
        let end = Place::in_file(end.saturating_sub(1)..end);
        if self.coordinates.is_empty() && !self.broken.coordinates && !report.names_incomplete {
            let (message, help) = match self.tree.is_given() {
                false => ("the model has no [coordinates]", "add, for example, `[coordinates]` and `x = 0.5` below it"),
                true => {
                    ("no joint has coordinates", "give a body `joint = \"revolute\"` and `coordinates = \"angle\"`")
                }
            };
            report.error("missing-section", end, message, Some(help.to_owned()));
        }
        if self.lagrangian.is_some() || self.broken.lagrangian || has_bodies {
            return;
        }
        // In TOML a key below a [section] belongs to that section.
        let sections = document.iter().filter_map(|entry| entry.value.as_table());
        let stray = sections.flat_map(super::document::entries).find(|entry| entry.key == TOP_ONLY[2]);
        let (place, help) = match &stray {
            Some(entry) => {
                (entry.key_place, "move this line to the top of the file, above the first [section]".to_owned())
            }
            None => (end, "add `lagrangian = \"...\"` at the top of the file, or a section [energy]".to_owned()),
        };
        report.error("missing-section", place, "the model has no Lagrangian", Some(help));
    }
}

/// Without those that are wrong, which were reported.
fn flat<T>(entries: Vec<Option<T>>) -> Vec<T> {
    entries.into_iter().flatten().collect()
}

impl Report {
    /// The entries of a section, as many as a model may have.
    pub(super) fn section<'a, T>(
        &mut self,
        entry: &Entry<'a>,
        mut read: impl FnMut(&mut Self, &Entry<'a>) -> T,
    ) -> Vec<T> {
        let Some(fields) = self.table(entry) else { return Vec::new() };
        if let Some(extra) = fields.get(MAX_ENTRIES) {
            let message = format!("[{}] has {} entries, the limit is {MAX_ENTRIES}", entry.key, fields.len());
            self.error("too-many", extra.key_place, message, Some("split the model".to_owned()));
            self.names_incomplete = true;
        }
        fields.iter().take(MAX_ENTRIES).map(|field| read(self, field)).collect()
    }

    /// A section whose keys are names for expressions.
    fn names_section<'a, T>(&mut self, entry: &Entry<'a>, read: impl FnMut(&mut Self, &Entry<'a>) -> T) -> Vec<T> {
        self.names_incomplete |= !matches!(entry.value, DeValue::Table(_));
        self.section(entry, read)
    }
}
