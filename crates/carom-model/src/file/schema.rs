//! The schema of model files: sections, their keys, and what they mean.
//!
//! The reader takes its lists of allowed keys from here, and the reference page
//! of the book is generated from here: neither can forget a key of the other.

mod sections;
mod shapes;
mod tree;

pub use sections::SECTIONS;
pub use shapes::SHAPES;

/// A key and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key {
    /// How it is written.
    pub name: &'static str,
    /// What may stand behind it.
    pub value: &'static str,
    /// What it means.
    pub doc: &'static str,
}

/// What the keys of a section are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A single value.
    Value,
    /// A table with the keys of the schema.
    Table,
    /// A table whose keys are names of the user's choice. An entry is a value, or a table with
    /// the keys of the schema, if there are any.
    Names,
    /// A list of tables.
    List,
}

/// A section of a model file, or a shape of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section {
    /// How it is written.
    pub name: &'static str,
    /// What its keys are.
    pub form: Form,
    /// What it says about the system.
    pub doc: &'static str,
    /// What one would write.
    pub example: &'static str,
    /// Its keys, or those of its entries.
    pub keys: &'static [Key],
}

const fn key(name: &'static str, value: &'static str, doc: &'static str) -> Key {
    Key { name, value, doc }
}

const fn section(
    name: &'static str,
    form: Form,
    doc: &'static str,
    example: &'static str,
    keys: &'static [Key],
) -> Section {
    Section { name, form, doc, example, keys }
}

/// The names of the keys of a section.
pub(super) fn keys(section: &str) -> Vec<&'static str> {
    let found = SECTIONS.iter().find(|known| known.name == section);
    found.map_or(Vec::new(), |found| names(found.keys))
}

/// The names of some keys.
pub(super) fn names(keys: &[Key]) -> Vec<&'static str> {
    keys.iter().map(|key| key.name).collect()
}
