//! Which name means what.

use super::declarations::Declarations;
use super::source::{Place, Report};
use carom_expr::text::{NameError, is_name, reserved_names};
use std::collections::{HashMap, HashSet};

/// What a name stands for: the place in the list of its kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Meaning {
    Time,
    Parameter(usize),
    Coordinate(usize),
    Definition(usize),
    Input(usize),
    Field,
}

impl Meaning {
    /// The kind with its article.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Time => "the time",
            Self::Parameter(_) => "a parameter",
            Self::Coordinate(_) => "a coordinate",
            Self::Definition(_) => "a definition",
            Self::Input(_) => "an input",
            Self::Field => "a quasivelocity",
        }
    }

    /// Only coordinates and definitions have rates, and only first ones.
    pub fn check_primes(self, name: &str, primes: usize) -> Result<(), NameError> {
        let reject = |message: String, help: String| Err(NameError::Rejected { message, help: Some(help) });
        match (self, primes) {
            (Self::Field, _) => reject(
                format!("`{name}` is a quasivelocity, and cannot be used in expressions"),
                "write it in rates, such as `x'*cos(theta) + y'*sin(theta)`".to_owned(),
            ),
            (_, 0) | (Self::Coordinate(_) | Self::Definition(_), 1) => Ok(()),
            (Self::Coordinate(_) | Self::Definition(_), _) => reject(
                format!("`{name}{}` has {primes} primes; only first rates can be used", "'".repeat(primes.min(3))),
                format!("write `{name}'`; accelerations follow from the Lagrangian"),
            ),
            (Self::Parameter(_), _) => {
                reject(format!("`{name}` is a parameter and has no rate of change"), format!("write `{name}`"))
            }
            (Self::Time | Self::Input(_), _) => {
                reject(format!("`{name}` is {}; its rate cannot be used", self.describe()), format!("write `{name}`"))
            }
        }
    }
}

/// All names of a model.
pub(super) struct NameTable {
    meanings: HashMap<String, (Meaning, Place)>,
    /// Names in the order of the file.
    order: Vec<String>,
    /// Declared, but not usable: what uses them is not reported again.
    refused: HashSet<String>,
}

impl NameTable {
    /// Collects the names and reports those that cannot be used.
    pub fn new(report: &mut Report, all: &Declarations<'_>) -> Self {
        let time = (Meaning::Time, Place::default());
        let mut table = Self {
            meanings: HashMap::from([("t".to_owned(), time)]),
            order: vec!["t".to_owned()],
            refused: HashSet::new(),
        };
        for (index, coordinate) in all.coordinates.iter().enumerate() {
            table.declare(report, &coordinate.name, coordinate.place, Meaning::Coordinate(index));
        }
        for (index, parameter) in all.parameters.iter().enumerate() {
            table.declare(report, &parameter.name, parameter.place, Meaning::Parameter(index));
        }
        for (index, definition) in all.definitions.iter().enumerate() {
            table.declare(report, &definition.name, definition.place, Meaning::Definition(index));
        }
        table.declare_points(report, all);
        for (index, input) in all.inputs.iter().enumerate() {
            table.declare(report, &input.name, input.place, Meaning::Input(index));
        }
        for field in &all.frame {
            table.declare(report, &field.name, field.place, Meaning::Field);
        }
        check_labels(report, all);
        table
    }

    /// A point `p` is the definitions `p_x`, `p_y`, `p_z`, after those of the file.
    fn declare_points(&mut self, report: &mut Report, all: &Declarations<'_>) {
        for (index, point) in all.tree.points.iter().enumerate() {
            let names = point.definitions();
            if !is_name(&point.name) {
                let help = "use letters, digits and `_`, and begin with a letter".to_owned();
                report.error("bad-name", point.place, format!("`{}` is not a name", point.name), Some(help));
                self.refused.extend(names);
                continue;
            }
            for (axis, name) in names.iter().enumerate() {
                let meaning = Meaning::Definition(all.definitions.len() + 3 * index + axis);
                if let Some((other, first)) = self.meanings.get(name) {
                    let (point_name, other) = (&point.name, other.describe());
                    let message =
                        format!("point `{point_name}` gives the definition `{name}`, but that is {other} already");
                    let help = format!("rename one of them; the other is on line {}", report.line(*first));
                    report.error("duplicate-name", point.place, message, Some(help));
                } else {
                    self.meanings.insert(name.clone(), (meaning, point.place));
                    self.order.push(name.clone());
                }
            }
        }
    }

    fn declare(&mut self, report: &mut Report, name: &str, place: Place, meaning: Meaning) {
        let is_reserved = name == "t" || reserved_names().contains(&name);
        if is_reserved || !is_name(name) {
            self.refused.insert(name.to_owned());
        }
        if is_reserved {
            let message = format!("`{name}` cannot be {}: the name has a meaning of its own", meaning.describe());
            let help = format!("choose another name, such as `{name}_1`; reserved: t, {}", reserved_names().join(", "));
            report.error("reserved-name", place, message, Some(help));
        } else if !is_name(name) {
            let help = "use letters, digits and `_`, and begin with a letter".to_owned();
            report.error("bad-name", place, format!("`{name}` is not a name"), Some(help));
        } else if let Some((other, first)) = self.meanings.get(name) {
            let message = format!("`{name}` is declared twice: it is {} already", other.describe());
            let help = format!("rename one of them; the other is on line {}", report.line(*first));
            report.error("duplicate-name", place, message, Some(help));
        } else {
            self.meanings.insert(name.to_owned(), (meaning, place));
            self.order.push(name.to_owned());
        }
    }

    pub fn get(&self, name: &str) -> Option<Meaning> {
        self.meanings.get(name).map(|(meaning, _)| *meaning)
    }

    pub fn is_refused(&self, name: &str) -> bool {
        self.refused.contains(name)
    }

    /// Names for which `wanted` holds, in the order of the file.
    pub fn known(&self, wanted: impl Fn(Meaning) -> bool) -> Vec<String> {
        self.order.iter().filter(|name| self.get(name).is_some_and(&wanted)).cloned().collect()
    }
}

/// Constraints and contacts are told apart by their names too, in messages and tables.
fn check_labels(report: &mut Report, all: &Declarations<'_>) {
    let derived = all.derived_constraints();
    let derived = derived.iter().map(|g| (&g.name, g.place));
    let holonomic = all.constraints.iter().map(|g| (&g.name, g.place));
    let velocity = all.velocity_constraints.iter().map(|g| (&g.name, g.place));
    let contacts = all.contacts.iter().map(|c| (&c.name, c.place));
    let loops: Vec<(String, Place)> =
        all.tree.loops.iter().flat_map(|own| own.labels().into_iter().map(|name| (name, own.place))).collect();
    let loops = loops.iter().map(|(name, place)| (name, *place));
    let mut seen: HashMap<&String, Place> = HashMap::new();
    for (name, place) in derived.chain(holonomic).chain(velocity).chain(contacts).chain(loops) {
        if !is_name(&name.replace('-', "_")) {
            let help = "use letters, digits, `_` and `-`, and begin with a letter".to_owned();
            report.error("bad-name", place, format!("`{name}` is not a name"), Some(help));
        } else if let Some(&first) = seen.get(name) {
            let message = format!("`{name}` names two constraints or contacts");
            let help = format!("rename one of them; the other is on line {}", report.line(first));
            report.error("duplicate-name", place, message, Some(help));
        } else {
            seen.insert(name, place);
        }
    }
}
