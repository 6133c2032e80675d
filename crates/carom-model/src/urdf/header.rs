//! What the model file says about itself: where it comes from, and what is to be added by hand.

use super::robot::Robot;
use super::xml::shown;
use std::fmt::Write;

/// The comment at the top; `ends` are two bodies for the examples.
pub(super) fn comment(robot: &Robot, ends: [&str; 2]) -> String {
    let mut text =
        format!("Imported from URDF: robot `{}`. Lengths in m, masses in kg, angles in rad.\n", shown(&robot.name));
    let [first, second] = ends;
    text.push_str(
        "\n\
         URDF describes trees of links. It knows no loops, no contacts, no ground, no springs and no initial state:\n\
         they are added by hand, here or at the end of the file. For example:\n\n",
    );
    let _ = write!(
        text,
        "[points.first]              # a point of a body, in the frame of the body\n\
         body = \"{first}\"\n\
         at = [0, 0, 0]\n\
         \n\
         [points.second]\n\
         body = \"{second}\"\n\
         at = [0, 0, 0]\n\
         \n\
         [loops.hold]                # the two points stay together\n\
         points = [\"first\", \"second\"]\n\
         \n\
         [contacts.ground]           # the point stays above the plane z = 0\n\
         point = \"second\"\n\
         plane = {{ normal = [0, 0, 1], offset = 0 }}\n\
         law = \"moreau\"\n\
         restitution = 0.3\n\
         friction = 0.5\n"
    );
    let line = |line: &str| if line.is_empty() { "#\n".to_owned() } else { format!("# {line}\n") };
    text.lines().map(line).collect()
}
