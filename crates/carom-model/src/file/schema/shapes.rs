//! The shapes of `[[draw]]`.

use super::{Form, Key, Section, key, section};

const POINT: &str =
    "two numbers or expressions of coordinates and time; three in the frame of `body`; or the name of a point";
const PLACE: Key = key(
    "at",
    "three numbers or expressions of coordinates and time, or the name of a point",
    "its centre, in the frame of `body`; zero if absent",
);
const TURN: Key =
    key("turn", "three numbers or expressions of parameters", "roll, pitch and yaw in that frame; zero if absent");
const LENGTH: &str = "number or expression";

/// The shapes of `[[draw]]`, with the keys that each of them has besides those of the section.
pub const SHAPES: [Section; 10] = [
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
            key("radii", "two numbers or expressions", "its two radii; required"),
            key("angle", "number or expression", "by which it is turned; 0 if absent"),
        ],
    ),
    shape(
        "box",
        "the edges of a box",
        &[PLACE, TURN, key("size", "three numbers or expressions", "its lengths along x, y, z; required")],
    ),
    shape(
        "cylinder",
        "the outline of a cylinder with the axis z",
        &[PLACE, TURN, key("length", LENGTH, "its length; required"), key("radius", LENGTH, "its radius; required")],
    ),
    shape("ball", "a ball, seen as a circle", &[PLACE, TURN, key("radius", LENGTH, "its radius; required")]),
    shape(
        "ground",
        "the curve where a gap vanishes",
        &[
            key("contact", "name of a contact", "the contact whose gap it is"),
            key("gap", "expression of the plane's variables", "a gap of its own, instead of a contact"),
            key(
                "plane",
                "two names",
                "the variables of the plane; if absent `x` and `y`, or the view if the contact is that of a point",
            ),
        ],
    ),
];

const FROM_TO: [Key; 2] = [key("from", POINT, "one end; required"), key("to", POINT, "the other end; required")];

const fn shape(name: &'static str, doc: &'static str, keys: &'static [Key]) -> Section {
    section(name, Form::Table, doc, "", keys)
}
