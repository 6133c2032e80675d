//! The sections of a model file.

use super::{Form, Key, Section, key, section, tree};

pub(super) const UNIT: Key = key("unit", "text", "unit, for tables and axes; carom does not convert units");
pub(super) const DOC: Key = key("doc", "text", "a line of documentation");

/// The sections of a model file.
pub const SECTIONS: [Section; 21] = [
    section(
        "name",
        Form::Value,
        "what the system is called; otherwise the name of the file",
        "name = \"Pendulum\"",
        &[],
    ),
    section("description", Form::Value, "what it is, in a sentence or two", "description = \"A mass on a rod\"", &[]),
    section(
        "parameters",
        Form::Names,
        "numbers with names; an expression may use the other parameters in any order",
        "[parameters]\nm = 1.0\nl = { value = 0.5, unit = \"m\", doc = \"length of the rod\" }\ninertia = \"m*l^2/12\"",
        &[key("value", "number or expression of parameters", "the value"), UNIT, DOC],
    ),
    section(
        "coordinates",
        Form::Names,
        "the generalised coordinates, in order; `x'` is the rate of `x`; a bare value is the initial one; coordinates of \
         joints that are not listed follow those that are, and begin at zero",
        "[coordinates]\nx = 0.5\ntheta = { initial = \"pi/2\", velocity = 1.0, unit = \"rad\", periodic = true }",
        &[
            key("initial", "number or expression of parameters", "value at t = 0; 0 if absent"),
            key("velocity", "number or expression of parameters", "rate at t = 0; 0 if absent"),
            key(
                "periodic",
                "true, false, number or expression",
                "the period, `true` for 2*pi: values that differ by it are the same",
            ),
            UNIT,
            DOC,
        ],
    ),
    section(
        "definitions",
        Form::Names,
        "expressions with names, for use in other expressions; `name'` is the rate, derived exactly",
        "[definitions]\nx = \"l*sin(theta)\"",
        &[],
    ),
    tree::WORLD,
    tree::BODIES,
    tree::POINTS,
    tree::LOOPS,
    tree::SPRINGS,
    section(
        "lagrangian",
        Form::Value,
        "the Lagrangian, an expression of coordinates, rates, time and parameters; or write [energy]; added to that of \
         [bodies] if there are any",
        "lagrangian = \"0.5*m*x'^2 - 0.5*k*x^2\"",
        &[],
    ),
    section(
        "energy",
        Form::Table,
        "the Lagrangian as kinetic minus potential energy; added to that of [bodies] if there are any",
        "[energy]\nkinetic = \"0.5*m*x'^2\"\npotential = \"0.5*k*x^2\"",
        &[
            key("kinetic", "expression", "kinetic energy; required without [bodies]"),
            key("potential", "expression", "potential energy; 0 if absent"),
        ],
    ),
    section(
        "inputs",
        Form::Names,
        "control inputs with the signals that drive them in a simulation; 0 for actuators that are not listed",
        "[inputs]\npush = { signal = \"2*sin(3*t)\", unit = \"N\" }",
        &[
            key("signal", "expression of time, coordinates, rates and parameters", "the value during a simulation"),
            UNIT,
            DOC,
        ],
    ),
    section(
        "forces",
        Form::Names,
        "generalised forces, each under the name of its coordinate",
        "[forces]\nx = \"push - c*x'\"",
        &[],
    ),
    section(
        "constraints",
        Form::Names,
        "holonomic constraints: expressions of the coordinates that stay zero",
        "[constraints]\nrod = \"x^2 + y^2 - l^2\"",
        &[],
    ),
    section(
        "velocity_constraints",
        Form::Names,
        "expressions, linear in the rates, that stay zero: blades, and wheels that do not slip",
        "[velocity_constraints]\nno_slip = \"x' - r*phi'\"",
        &[],
    ),
    section(
        "frame",
        Form::Names,
        "vector fields that span the admissible velocities; the name of a field is that of its quasivelocity, and \
         velocity constraints follow from the fields if none are given",
        "[frame.forward]\nfield = { x = \"cos(theta)\", y = \"sin(theta)\" }\ninitial = 0.1\n[frame.turn]\nfield = { theta = 1 }",
        &[
            key(
                "field",
                "table of numbers or expressions of coordinates, each under the name of a coordinate",
                "the components of the field; 0 if absent; required",
            ),
            key(
                "initial",
                "number or expression of parameters",
                "quasivelocity at t = 0, instead of the velocities of all coordinates; 0 if absent",
            ),
            key(
                "admissible",
                "true or false",
                "`false` for a field that is no admissible velocity and completes the frame",
            ),
            UNIT,
            DOC,
        ],
    ),
    section(
        "contacts",
        Form::Names,
        "unilateral contacts, each a table with the keys below and those of its law",
        "[contacts.floor]\ngap = \"y - r\"\nlaw = \"moreau\"\nrestitution = 0.5\nfriction = 0.3\ntangent = \"x + r*phi\"",
        &[
            key("gap", "expression of coordinates", "positive where the bodies are apart; required, or `point`"),
            key(
                "point",
                "name of a point",
                "instead of `gap`: the gap `n . p - offset - radius` of the point to a plane; unless `tangent` is given, the \
                 tangents are the positions along the plane that move",
            ),
            key(
                "plane",
                "table with `normal` (three numbers or expressions of parameters) and `offset`",
                "the plane `n . x = offset`, with `n` the normal made a unit vector; `{ normal = [0, 0, 1], offset = 0 }` if \
                 absent",
            ),
            key(
                "radius",
                "number or expression of parameters",
                "of a ball about the point; 0 if absent; a ball has no tangents of its own, because where it touches while it \
                 rolls is no function of its place: give `tangent` for friction",
            ),
            key("law", "name of a law", "the impact law; `elastic` if absent"),
            key(
                "tangent",
                "expression of coordinates, or a list of one or two",
                "position of the point of contact along the surface; its rate is the slip velocity",
            ),
            key("active", "expression of coordinates and rates", "the contact exists only where this is positive"),
            key("closed", "true or false", "the bodies touch at the start and stay together"),
            DOC,
        ],
    ),
    section(
        "simulation",
        Form::Table,
        "how the model is simulated unless the command line says otherwise",
        "[simulation]\nmethod = \"gauss2\"\nstep = 0.01\nuntil = 20.0",
        &[
            key("method", "text", "method of integration"),
            key("step", "positive number or expression of parameters", "duration of a step"),
            key("until", "positive number or expression of parameters", "final time"),
            key("every", "positive integer", "every how many steps a node is recorded"),
            key("tolerance", "positive number", "relative tolerance of the solver of a step"),
            key("formulation", "`multipliers`, `null-space` or `hamel`", "treatment of constraints"),
            key("jump", "`pointwise`, `variational` or `modified`", "balances that hold at an impact"),
            key("multiple", "`sequential` or `simultaneous`", "how several contacts at once are resolved"),
            key("max_impacts", "positive integer", "most impacts of a run"),
            key(
                "project",
                "true or false",
                "replace an initial velocity that violates velocity constraints by the nearest that does not",
            ),
        ],
    ),
    section(
        "orbit",
        Form::Table,
        "what `carom orbit` calls one step of a periodic motion: the motion up to an impact of a contact, or of a given \
         duration; then coordinates may exchange their meaning",
        "[orbit]\ncontact = \"floor\"\ncount = 2\ndrift = [\"x\"]",
        &[
            key(
                "contact",
                "name of a contact",
                "a step ends right after an impact of this contact; the first if absent",
            ),
            key("count", "positive integer", "after how many impacts; 1 if absent"),
            key(
                "period",
                "positive number or expression of parameters",
                "the duration of a step, instead of `contact`",
            ),
            key(
                "within",
                "positive number or expression of parameters",
                "the longest duration of a step; 100 if absent",
            ),
            key(
                "relabel",
                "table of expressions of coordinates, each under the name of a coordinate",
                "the coordinates after a step, such as those of legs that exchange their roles; rates follow",
            ),
            key(
                "drift",
                "list of names",
                "coordinates (`x`) and rates (`x'`) that need not come back, such as the distance walked",
            ),
        ],
    ),
    section(
        "draw",
        Form::List,
        "shapes that draw the system, in order; every shape has these keys and its own; without any, the tree of [bodies] is \
         drawn as it is",
        "[[draw]]\ntype = \"rod\"\nfrom = [0, 0]\nto = [\"x\", \"y\"]\ntrace = true",
        &[
            key("type", "name of a shape", "the shape; required"),
            key("color", "name or `#` code", "its colour"),
            key("trace", "true or false", "leave a trace of its moving end"),
            key("body", "name of a body, or `world`", "whose frame points of three values are in; `world` if absent"),
        ],
    ),
];
