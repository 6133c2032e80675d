//! The sections that describe a tree of bodies.

use super::sections::DOC;
use super::{Form, Section, key, section};

const NUMBER: &str = "number or expression of parameters";
const VECTOR: &str = "three numbers or expressions of parameters";
const PER_COORDINATE: &str = "number or expression of parameters; a list for several coordinates";
const TWO_POINTS: &str = "list of two names of points";

pub(super) const WORLD: Section = section(
    "world",
    Form::Table,
    "what the tree of [bodies] stands in, and how drawings show it",
    "[world]\ngravity = [0, 0, -9.81]\nview = \"xz\"",
    &[
        key("gravity", VECTOR, "acceleration of gravity; `[0, 0, -9.81]` if absent"),
        key(
            "view",
            "two of the letters x, y, z; or azimuth and elevation in degrees",
            "what drawings show: the first axis to the right, the second up; if absent \"xz\" for trees that move in planes y = \
             const by their joints, else `[-60, 20]`",
        ),
    ],
);

pub(super) const BODIES: Section = section(
    "bodies",
    Form::Names,
    "rigid bodies on joints; their Lagrangian is the kinetic minus the potential energy of all of them; a parent may stand \
     before or after its children",
    "[bodies.rod]\njoint = \"revolute\"\naxis = \"y\"\ncoordinates = \"angle\"\nmass = 1.0\ncentre = [0, 0, -0.5]\ninertia = [0.1, 0.1, 0]",
    &[
        key("parent", "name of a body, or `world`", "what it hangs on; `world` if absent"),
        key(
            "at",
            VECTOR,
            "where the joint is in the frame of the parent; the frame of the body begins there; zero if absent",
        ),
        key(
            "turn",
            VECTOR,
            "fixed orientation of the joint in the parent: roll, pitch and yaw with `R = Rz(yaw) Ry(pitch) Rx(roll)`; zero if \
             absent; evaluated to numbers when the file is read",
        ),
        key(
            "joint",
            "`fixed`, `revolute`, `prismatic`, `universal`, `spherical`, `planar` or `floating`",
            "how it moves against the parent; `fixed` if absent",
        ),
        key(
            "axis",
            "x, y or z with an optional sign, or three numbers",
            "of a revolute or prismatic joint, which need it",
        ),
        key(
            "axes",
            "letters such as \"zyz\", or a list of axes",
            "of a universal (2) or spherical (3) joint, which need them; of a planar joint two slides and the turn, \"xzy\" if \
             absent; of a floating joint its three turns after the slides along x, y, z, \"zyx\" if absent",
        ),
        key(
            "coordinates",
            "name, or list of names",
            "one for each way in which the joint moves; required unless it is fixed; [coordinates] may say more about them",
        ),
        key("mass", NUMBER, "its mass; 0 if absent"),
        key("centre", VECTOR, "its centre of mass, in its frame; zero if absent"),
        key(
            "inertia",
            "three or six numbers or expressions of parameters",
            "Ixx, Iyy, Izz about the centre, with axes parallel to those of its frame; then Ixy, Ixz, Iyz, the elements of the \
             tensor beside the diagonal; zero if absent",
        ),
        key("stiffness", PER_COORDINATE, "of a spring on the coordinate, with the potential `k (q - rest)^2 / 2`"),
        key("rest", PER_COORDINATE, "where the spring is at rest; 0 if absent"),
        key("damping", PER_COORDINATE, "of a damper on the coordinate, with the force `-c q'`"),
        key(
            "actuator",
            "name; a list for several coordinates, \"\" for none",
            "an input that drives the coordinate; [inputs] may say more about it",
        ),
        DOC,
    ],
);

pub(super) const POINTS: Section = section(
    "points",
    Form::Names,
    "points of bodies; a point `p` gives the definitions `p_x`, `p_y`, `p_z`, its place in the world",
    "[points.foot]\nbody = \"rod\"\nat = [0, 0, -1]",
    &[
        key("body", "name of a body, or `world`", "what it belongs to; required"),
        key("at", VECTOR, "where it is in the frame of the body; zero if absent"),
        DOC,
    ],
);

pub(super) const LOOPS: Section = section(
    "loops",
    Form::Names,
    "pairs of points that stay together: holonomic constraints `name_x`, `name_y`, `name_z`",
    "[loops.pin]\npoints = [\"a\", \"b\"]",
    &[
        key("points", TWO_POINTS, "the points; required"),
        key(
            "directions",
            "letters, such as \"xz\"",
            "in which they stay together; if absent all on which coordinates have an influence",
        ),
        key(
            "distance",
            "positive number or expression of parameters",
            "which they keep, instead of `directions`: one constraint `(r^2 - d^2) / (2 d)` with the distance `r` of the points",
        ),
        DOC,
    ],
);

pub(super) const SPRINGS: Section = section(
    "springs",
    Form::Names,
    "springs and dampers between two points, along the line between them",
    "[springs.tendon]\npoints = [\"a\", \"b\"]\nstiffness = 100\nrest = 0.5",
    &[
        key("points", TWO_POINTS, "the points; required"),
        key(
            "stiffness",
            NUMBER,
            "`k` of the potential `k (r - rest)^2 / 2`, with the distance `r` of the points; 0 if absent",
        ),
        key("rest", NUMBER, "length without a force; 0 if absent"),
        key("damping", NUMBER, "`c` of the force `-c r'`; 0 if absent"),
        DOC,
    ],
);
