//! From what a trajectory holds by index or type to names, and back.

use super::table::Reader;
use crate::error::ReportError;
use carom_model::{ContactMode, FindingKind, Trajectory};
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

/// The name of a contact; `?` for an index that is none.
pub(super) fn contact(trajectory: &Trajectory, index: usize) -> &str {
    trajectory.contacts.get(index).map_or("?", String::as_str)
}

/// The contact that a row of a table names.
pub(super) fn find_contact(trajectory: &Trajectory, reader: &Reader, name: &str) -> Result<usize, ReportError> {
    let place = trajectory.contacts.iter().position(|contact| contact == name);
    let known = || format!("`{name}` is not one of the contacts {}", trajectory.contacts.join(", "));
    place.ok_or_else(|| reader.bad("contact", &known()))
}

/// The mode called `name`.
pub(super) fn mode(name: &str) -> Option<ContactMode> {
    [ContactMode::Free, ContactMode::Sliding, ContactMode::Sticking].into_iter().find(|mode| mode.name() == name)
}

/// The kind of findings called `name`.
pub(super) fn kind(name: &str) -> Option<FindingKind> {
    use FindingKind::{Grazing, MissedContact, OutsideCone, Painleve, Pulling};
    [MissedContact, Pulling, OutsideCone, Painleve, Grazing].into_iter().find(|kind| kind.name() == name)
}

/// A text that lives as long as the program, as reasons and kinds of jumps do.
///
/// They are a handful of words, so each is kept once and never given back.
pub(super) fn keep(text: &str) -> &'static str {
    static KNOWN: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = known.get(text) {
        return kept;
    }
    let kept: &'static str = Box::leak(text.to_owned().into_boxed_str());
    known.insert(kept);
    kept
}
