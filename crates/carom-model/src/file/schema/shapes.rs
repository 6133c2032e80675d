//! The shapes of `[[draw]]`.

use super::{Form, Key, Section, key, section};

const POINT: &str = "two numbers or expressions of coordinates and time";

/// The shapes of `[[draw]]`, with the keys that each of them has besides those of the section.
pub const SHAPES: [Section; 7] = [
    shape("point", "a dot", &[key("at", POINT, "where it is; required")]),
    shape("line", "a thin line", &FROM_TO),
    shape("rod", "a thick line", &FROM_TO),
    shape(
        "polyline",
        "lines from corner to corner",
        &[
            key("points", "list of points", "the corners; required"),
            key("closed", "true or false", "join the last corner to the first"),
        ],
    ),
    shape(
        "circle",
        "a circle",
        &[key("center", POINT, "its centre; required"), key("radius", "number or expression", "its radius; required")],
    ),
    shape(
        "ellipse",
        "an ellipse",
        &[
            key("center", POINT, "its centre; required"),
            key("radii", POINT, "its two radii; required"),
            key("angle", "number or expression", "by which it is turned; 0 if absent"),
        ],
    ),
    shape(
        "ground",
        "the curve where a gap vanishes",
        &[
            key("contact", "name of a contact", "the contact whose gap it is"),
            key("gap", "expression of the plane's variables", "a gap of its own, instead of a contact"),
            key("plane", "two names", "the variables of the plane; `x` and `y` if absent"),
        ],
    ),
];

const FROM_TO: [Key; 2] = [key("from", POINT, "one end; required"), key("to", POINT, "the other end; required")];

const fn shape(name: &'static str, doc: &'static str, keys: &'static [Key]) -> Section {
    section(name, Form::Table, doc, "", keys)
}
