//! Contacts at the initial state: outside of obstacles, and touching where they are closed.

use crate::marked;

use carom_model::Model;
use marked::{HEAD, diagnostics, said};

/// The state that a remark suggests, as `--set` takes it.
fn suggested(said: &str) -> Vec<(String, String)> {
    let (_, list) = said.split_once("where they touch: ").unwrap_or_else(|| panic!("no suggestion: {said}"));
    let list = list.trim_end_matches(", or remove `closed`");
    let pair = |text: &str| text.split_once(" = ").map(|(name, value)| (name.to_owned(), value.to_owned()));
    list.split(", ").filter_map(pair).collect()
}

/// What is said about a file; the state that it suggests is accepted.
fn repaired(marked: &str) -> String {
    let said = said(marked);
    let text = format!("{HEAD}{marked}").replace('«', "");
    let repaired = Model::from_text(&text, "repaired.toml", &suggested(&said));
    repaired.unwrap_or_else(|diagnostics| panic!("{said}\n{diagnostics}"));
    said
}

#[test]
fn the_depth_and_the_nearest_state_are_named() {
    assert_eq!(
        repaired("[contacts.floor]\ngap = «\"y - 2.5\"\n"),
        "the initial state is inside the obstacle of contact `floor`: the gap is -5.000e-1, the limit -2e-9 \
         / change the initial values in [coordinates]; the nearest state where they touch: y = 2.5"
    );
    let ring = repaired("[contacts.ring]\ngap = «\"x^2 + y^2 - 9\"\n");
    assert!(ring.ends_with("touch: x = 1.3416407865, y = 2.683281573"), "{ring}");
    // A third is no decimal number, but near enough.
    let third = repaired("[contacts.floor]\ngap = «\"3*y - 7\"\n");
    assert!(third.ends_with("touch: y = 2.333333333333"), "{third}");
}

#[test]
fn the_nearest_state_keeps_constraints() {
    let rod = "[constraints]\nrod = \"x^2 + y^2 - 5\"\n";
    let said = repaired(&format!("{rod}[contacts.wall]\ngap = «\"y - 2.1\"\n"));
    assert!(said.ends_with("touch: x = 0.768114574787, y = 2.1"), "{said}");
}

#[test]
fn the_nearest_state_keeps_other_contacts() {
    // Up to the floor, but not through the slope, which is farther away at first.
    let slope = "[contacts.slope]\ngap = \"x + 1.2 - 0.5*y\"\n";
    let said = repaired(&format!("[contacts.floor]\ngap = «\"y - 5\"\n{slope}"));
    assert!(said.ends_with("touch: x = 1.3, y = 5"), "{said}");
    // Two floors: the higher one decides.
    let both = format!("{HEAD}[contacts.low]\ngap = \"y - 2.5\"\n[contacts.high]\ngap = \"y - 3\"\n");
    let found = diagnostics(&both);
    assert_eq!(found.iter().map(|d| (d.code, d.line)).collect::<Vec<_>>(), [("overlap", 6), ("overlap", 8)]);
    assert!(found[1].help.as_deref().is_some_and(|help| help.ends_with("touch: y = 3")), "{found:?}");
    // A closed foot stays where it is.
    let foot = "[contacts.foot]\ngap = \"x - 1\"\nclosed = true\n";
    let said = repaired(&format!("[contacts.knee]\ngap = «\"y - 2 + x - 1.5\"\n{foot}"));
    assert!(said.ends_with("touch: y = 2.5"), "{said}");
}

#[test]
fn obstacles_without_an_outside() {
    let said = said("[contacts.never]\ngap = «\"-1 - x^2\"\n");
    assert!(said.ends_with("/ change the initial values in [coordinates] until the gap is not negative"), "{said}");
}

#[test]
fn closed_contacts_must_touch() {
    assert_eq!(
        repaired("[contacts.floor]\ngap = \"y - 1.5\"\nclosed = «true\n"),
        "contact `floor` is closed, but its gap is 5.000e-1 instead of 0 / change the initial values in [coordinates]; \
         the nearest state where they touch: y = 1.5, or remove `closed`"
    );
    assert!(repaired("[contacts.floor]\ngap = \"y - 2.5\"\nclosed = «true\n").contains("its gap is -5.000e-1"));
    let moving = "lagrangian = \"x'^2 + y'^2\"\n[coordinates]\nx = { velocity = 3 }\ny = { velocity = 2 }\n\
                  [contacts.floor]\ngap = \"y\"\nclosed = true\n";
    let found = diagnostics(moving);
    assert_eq!((found.len(), found[0].code, found[0].line, found[0].column), (1, "not-closed", 7, 10));
    assert_eq!(found[0].message, "contact `floor` is closed, but the rate of its gap is 2.000e0 instead of 0");
}

#[test]
fn touching_gaps_have_a_direction() {
    assert_eq!(
        said("[contacts.floor]\ngap = «\"(y - 2)^2\"\n"),
        "the bodies of contact `floor` touch at first (gap 0.0e0), but the gradient of the gap is 0.0e0 there, \
         and must not vanish / write a gap that grows with the distance, not with its square; or start apart"
    );
    let cone = said("[contacts.floor]\ngap = «\"sqrt((y - 2)^2 + (x - 1)^2)\"\n");
    assert!(cone.contains("the gradient of the gap is NaN there"), "{cone}");
    let text = format!("{HEAD}[contacts.floor]\ngap = \"(y - 1)^2\"\n");
    assert!(Model::from_text(&text, "apart.toml", &[]).is_ok());
}
