//! The kinds of joints, and how their axes are written.

use super::super::document::{Entry, Value, items};
use super::super::source::Report;
use super::super::suggest::suggest_from;
use crate::tree::{Axis, Joint};
use toml::de::DeValue;

/// A kind of joint.
#[derive(Debug, PartialEq)]
pub(in super::super) struct JointKind {
    pub name: &'static str,
    /// How many coordinates it has.
    pub freedoms: usize,
    /// How many axes it has: one is written with `axis`, several with `axes`.
    pub axes: usize,
    /// The axes if none are given; otherwise they must be.
    default: &'static str,
    /// What its coordinates could be called.
    pub example: &'static str,
}

/// All kinds.
pub(in super::super) const KINDS: [JointKind; 7] = [
    kind("fixed", 0, 0, "", ""),
    kind("revolute", 1, 1, "", "\"angle\""),
    kind("prismatic", 1, 1, "", "\"s\""),
    kind("universal", 2, 2, "", "[\"alpha\", \"beta\"]"),
    kind("spherical", 3, 3, "", "[\"alpha\", \"beta\", \"gamma\"]"),
    kind("planar", 3, 3, "xzy", "[\"x\", \"z\", \"pitch\"]"),
    kind("floating", 6, 3, "zyx", "[\"x\", \"y\", \"z\", \"yaw\", \"pitch\", \"roll\"]"),
];

const fn kind(
    name: &'static str,
    freedoms: usize,
    axes: usize,
    default: &'static str,
    example: &'static str,
) -> JointKind {
    JointKind { name, freedoms, axes, default, example }
}

/// An axis as it is written.
#[derive(Clone, Debug)]
pub(in super::super) enum DeclaredAxis {
    Letter(Axis),
    Parts([Value; 3]),
}

impl JointKind {
    /// The axes if none are given.
    pub fn default_axes(&self) -> Option<Vec<DeclaredAxis>> {
        letters(self.default)
            .filter(|axes| !axes.is_empty())
            .map(|axes| axes.into_iter().map(DeclaredAxis::Letter).collect())
    }

    /// The joint itself; as many names and axes as the kind has, otherwise nothing.
    pub fn joint(&self, names: &[String], axes: &[Axis]) -> Option<Joint> {
        let owned = |name: &String| name.clone();
        Some(match (self.name, names, axes) {
            ("fixed", ..) => Joint::Fixed,
            ("revolute", [angle], [axis]) => Joint::Revolute { angle: owned(angle), axis: *axis },
            ("prismatic", [place], [axis]) => Joint::Prismatic { place: owned(place), axis: *axis },
            ("universal", [a, b], [first, second]) => {
                Joint::Universal { angles: [a, b].map(owned), axes: [*first, *second] }
            }
            ("spherical", [a, b, c], [first, second, third]) => {
                Joint::Spherical { angles: [a, b, c].map(owned), axes: [*first, *second, *third] }
            }
            ("planar", [a, b, angle], [first, second, third]) => {
                Joint::Planar { places: [a, b].map(owned), angle: owned(angle), axes: [*first, *second, *third] }
            }
            ("floating", [x, y, z, a, b, c], [first, second, third]) => Joint::Floating {
                places: [x, y, z].map(owned),
                angles: [a, b, c].map(owned),
                axes: [*first, *second, *third],
            },
            _ => return None,
        })
    }
}

/// Letters with optional signs, such as `zyx` or `-y`; nothing if it is something else.
pub(super) fn letters(text: &str) -> Option<Vec<Axis>> {
    let mut found = Vec::new();
    let mut sign = None;
    for letter in text.chars() {
        match letter {
            '+' | '-' if sign.is_none() => sign = Some(if letter == '-' { -1.0 } else { 1.0 }),
            'x' | 'y' | 'z' => {
                let mut axis = [0.0; 3];
                axis[letter as usize - 'x' as usize] = sign.take().unwrap_or(1.0);
                found.push(axis);
            }
            _ => return None,
        }
    }
    sign.is_none().then_some(found)
}

impl Report {
    /// The kind of a joint by its name.
    pub(super) fn joint(&mut self, field: &Entry<'_>) -> Option<&'static JointKind> {
        let name = self.string(field)?;
        let kind = KINDS.iter().find(|kind| kind.name == name);
        if kind.is_none() {
            let help = suggest_from(&name, "joints", &KINDS.map(|kind| kind.name));
            self.error("unknown-value", field.place, format!("there is no joint `{name}`"), Some(help));
        }
        kind
    }

    /// One axis: a letter, or three numbers.
    pub(super) fn axis(&mut self, field: &Entry<'_>) -> Option<DeclaredAxis> {
        match field.value {
            DeValue::String(text) => match letters(text).as_deref() {
                Some([axis]) => Some(DeclaredAxis::Letter(*axis)),
                _ => {
                    let message = format!("`{text}` is not an axis");
                    let help = "write `x`, `y` or `z`, perhaps with a sign as in \"-y\", or three numbers".to_owned();
                    self.error("unknown-value", field.place, message, Some(help));
                    None
                }
            },
            _ => self.triple(field).map(DeclaredAxis::Parts),
        }
    }

    /// Several axes: letters, or a list of axes.
    pub(super) fn axes(&mut self, field: &Entry<'_>) -> Option<Vec<DeclaredAxis>> {
        if let DeValue::String(text) = field.value {
            let found = letters(text);
            if found.is_none() {
                let message = format!("`{text}` are not axes");
                let help = "write letters `x`, `y`, `z`, as in \"zyx\", or a list of axes of three numbers".to_owned();
                self.error("unknown-value", field.place, message, Some(help));
            }
            return found.map(|axes| axes.into_iter().map(DeclaredAxis::Letter).collect());
        }
        let Some(list) = items(field) else {
            self.wrong_type(field, "letters, or a list of axes", "axes = \"zyx\"");
            return None;
        };
        let axes: Vec<_> = list.iter().map(|item| self.axis(item)).collect();
        axes.into_iter().collect()
    }

    /// Three numbers or expressions.
    pub(in super::super) fn triple(&mut self, field: &Entry<'_>) -> Option<[Value; 3]> {
        let values = self.numbers(field, &[3])?;
        values.try_into().ok()
    }

    /// A list of numbers or expressions, with one of these lengths.
    pub(super) fn numbers(&mut self, field: &Entry<'_>, lengths: &[usize]) -> Option<Vec<Value>> {
        // Two are angles, three a place, three or six an inertia.
        let numbers = match lengths {
            [2] => "[0, 0.1]",
            [3] => "[0, 0, \"-l\"]",
            _ => "[0.1, 0.1, 0.02]",
        };
        let example = format!("{} = {numbers}", field.key);
        let Some(list) = items(field) else {
            self.wrong_type(field, "a list of three numbers or expressions", &example);
            return None;
        };
        if !lengths.contains(&list.len()) {
            let wanted: Vec<String> = lengths.iter().map(ToString::to_string).collect();
            let message = format!("expected {} numbers, found {}", wanted.join(" or "), list.len());
            self.error("wrong-type", field.place, message, Some(format!("write, for example, `{example}`")));
            return None;
        }
        let values: Vec<_> = list.iter().map(|item| self.value(item)).collect();
        values.into_iter().collect()
    }
}
