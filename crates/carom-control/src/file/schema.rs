//! The schema of problem files: sections, their keys, and what they mean.
//!
//! The reader takes its lists of allowed keys from here, and the reference page of the book is generated from here:
//! neither can forget a key of the other.

mod gait;

use carom_model::schema::{Form, Key, Section};

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

const RANGE: Key = key("range", "number, or `[lower, upper]`", "the bounds; one number fixes the value");
const MIN: Key = key("min", "number", "the lower bound alone");
const MAX: Key = key("max", "number", "the upper bound alone");

/// The keys of a condition that is a table.
pub const CONDITION: [Key; 5] = [
    key("formula", "expression", "what is bounded, if the key of the condition is a name and not the formula itself"),
    RANGE,
    MIN,
    MAX,
    key("at", "`nodes`, `samples` or `both`", "where a condition of `path` is asked for; `nodes` if absent"),
];

/// The keys of a value that is to be found.
pub const UNKNOWN: [Key; 4] = [RANGE, MIN, MAX, key("guess", "number", "where the search begins")];

/// The sections of a problem file.
pub const SECTIONS: [Section; 20] = [
    section(
        "name",
        Form::Value,
        "what the problem is called; otherwise the name of the file",
        "name = \"Swing-up\"",
        &[],
    ),
    section(
        "description",
        Form::Value,
        "what it is, in a sentence or two",
        "description = \"A pole is swung up\"",
        &[],
    ),
    section(
        "model",
        Form::Value,
        "the model file, relative to the problem file; or a table `[model]` with the sections of a model file. \
         Controls are the inputs of the model",
        "model = \"cart-pole.toml\"",
        &[],
    ),
    section(
        "method",
        Form::Value,
        "the transcription, `midpoint` if absent: a rule of discrete mechanics such as `midpoint`, `gauss2` or `lobatto3`, \
         or another transcription",
        "method = \"gauss2\"",
        &[],
    ),
    section(
        "solver",
        Form::Value,
        "the solver of the nonlinear program; the default of the build if absent",
        "solver = \"interior\"",
        &[],
    ),
    section(
        "tolerance",
        Form::Value,
        "largest residual of the optimality conditions; 1e-8 if absent",
        "tolerance = 1e-9",
        &[],
    ),
    section(
        "accuracy",
        Form::Value,
        "refine the mesh until the error of the optimal cost is below this; one mesh alone if absent",
        "accuracy = 1e-6",
        &[],
    ),
    section("max_iterations", Form::Value, "limit of iterations; 3000 if absent", "max_iterations = 500", &[]),
    section("max_seconds", Form::Value, "limit of time; none if absent", "max_seconds = 60", &[]),
    section(
        "backend",
        Form::Value,
        "how functions are executed: `interpreter`, `native`, or `automatic`, which compiles them if there are many intervals",
        "backend = \"native\"",
        &[],
    ),
    section(
        "total_duration",
        Form::Value,
        "bounds of the sum of all durations: a number, `[lower, upper]`, or a table with `min` or `max`",
        "total_duration = 1.0",
        &[],
    ),
    section(
        "parameters",
        Form::Names,
        "other values for parameters of the model",
        "[parameters]\nl = 0.5\nk = \"4*pi^2*m\"",
        &[],
    ),
    section(
        "free",
        Form::Names,
        "parameters of the model that are to be found: `[lower, upper]`, or a table",
        "[free]\nl = { range = [0.3, 0.8], guess = 0.5 }",
        &UNKNOWN,
    ),
    section(
        "phases",
        Form::Names,
        "the phases in the order of time, each with its name",
        "[phases.swing]\nduration = { range = [0.5, 3], guess = 2 }\nintervals = 100\nbounds = { u = [-20, 20], x = { min = 0 } }\n\
         start = { x = 0, theta = 0, \"x'\" = 0, \"theta'\" = 0 }\nend = { theta = \"pi\", \"theta'\" = 0 }\n\
         path = { tip = { formula = \"x + l*sin(theta)\", max = 1 } }\nguess = { theta = [0, -1, \"pi\"] }",
        &[
            key("model", "file name", "another model than that of the problem"),
            key("duration", "number, or a table with `range`, `min`, `max` and `guess`", "how long it lasts; required"),
            key("intervals", "positive integer", "intervals of its mesh; 50 if absent"),
            key(
                "shares",
                "list of positive numbers",
                "lengths of the intervals in proportion to each other; even if absent",
            ),
            key(
                "controls",
                "`samples`, `constant` or `linear`",
                "how controls vary in an interval: values at the samples of the rule, one value, or linear and continuous",
            ),
            key(
                "closed",
                "list of contacts, or of tables with `contact` and `sticks`",
                "contacts that stay closed; `sticks = true` holds their tangents too",
            ),
            key(
                "formulation",
                "`multipliers` or `null-space`",
                "treatment of constraint forces; chosen by the constraints if absent",
            ),
            key("bounds", "table: coordinate, rate or input = range", "bounds at all nodes"),
            key("start", "table: formula = range", "conditions at the beginning"),
            key("end", "table: formula = range", "conditions at the end"),
            key(
                "path",
                "table: formula = range",
                "conditions on the way, at the nodes between the ends (not at the ends themselves) or at samples; between those they may be exceeded a little. `force_<constraint>` is a constraint force, bounded at all nodes; `gap_<contact>` and `tangent_<contact>` are known too",
            ),
            key(
                "guess",
                "table: coordinate, rate or input = number or list",
                "values at even times to begin with; straight lines between the conditions if absent",
            ),
        ],
    ),
    section(
        "transitions",
        Form::Names,
        "how phases follow each other; without any, they are joined smoothly in their order",
        "[transitions.bounce]\nfrom = \"down\"\nto = \"up\"\nguards = [\"floor\"]",
        &[
            key("from", "name of a phase", "the phase that ends; required"),
            key("to", "name of a phase", "the phase that begins, perhaps an earlier one; required"),
            key("guards", "list of contacts", "contacts that close then; their laws give the jump"),
            key("jump", "`pointwise` or `variational`", "where the balance of an impact is taken"),
            key(
                "map",
                "table: coordinate = expression, or a list of expressions",
                "the configuration after it, in the coordinates before it; those that are absent stay as they are",
            ),
        ],
    ),
    section(
        "costs",
        Form::Names,
        "what is minimised: the sum of these; each has one of `integral`, `terminal`, `residual`, `work` and `time`",
        "[costs]\neffort = { integral = \"u^2\" }\nmiss = { terminal = \"(x - 1)^2\", weight = 100 }\nquick = { time = true, weight = 0.1 }",
        &[
            key("integral", "expression", "its integral over time"),
            key("terminal", "expression", "its value at the end"),
            key("residual", "expression, or a list of them", "the integral of their norms"),
            key("norm", "`square` or `absolute`", "the norm of a residual; `square` if absent"),
            key("work", "`absolute`, `positive` or `net`", "the work of inputs, sample by sample of the rule"),
            key("inputs", "list of inputs", "inputs whose work counts; all if absent"),
            key("time", "true", "the duration"),
            key("weight", "number", "its factor; 1 if absent"),
            key(
                "per",
                "expression of parameters",
                "what it is divided by, such as the free length of a step; 1 if absent",
            ),
            key("phases", "list of phases", "the phases it is summed over; all if absent"),
        ],
    ),
    gait::GAIT,
    section(
        "guess",
        Form::Table,
        "where the search begins, for all phases; `guess` of a phase says more about single coordinates",
        "[guess]\nsimulate = true",
        &[
            key("from", "folder of an earlier result, or its `solution.json`", "the motion of that result"),
            key(
                "simulate",
                "true or false",
                "a simulation of the model from the start, with the signals of its inputs; phases end at its impacts",
            ),
        ],
    ),
    section(
        "discover",
        Form::Table,
        "search the number, the order and the times of impacts: the problem has one phase without closed contacts, every \
         contact may be hit along it, and the cheapest motion that is found takes its place. `--discover` does the same \
         with the values that stand here if absent",
        "[discover]\ncontacts = [\"floor\"]\ntouches = 2",
        &[
            key("contacts", "list of contacts", "contacts that may be hit; all of the model if absent"),
            key("touches", "positive integer", "most impacts of a contact that the search begins with; 3 if absent"),
            key(
                "shifts",
                "list of numbers from -0.4 to 0.4",
                "begin also with touches that come later, by these shares of the time between them; `[0]` if absent",
            ),
            key("intervals", "positive integer", "fewest intervals between two impacts; 8 if absent"),
        ],
    ),
    section(
        "plan",
        Form::Table,
        "plan a motion whose impacts nobody has counted: descent over smooth paths of the projected system, then a search over \
         numbers of impacts, then the best motion with each number, solved as the problem says (`gauss3` with tolerance \
         1e-10 if it does not say). The system is fully actuated and has one smooth gap with the law `elastic`; the problem \
         has one phase of fixed duration, and its whole state is given at the start",
        "[plan]\nimpacts = 3\nseconds = 30",
        &[
            key("stages", "positive integer", "stages of the spline, each with a constant jerk; 50 if absent"),
            key("iterations", "positive integer", "limit of iterations of the descent; 40 if absent"),
            key("penalty", "positive number", "price of missing the end, times the squared distance; 3000 if absent"),
            key(
                "penalties",
                "list of positive numbers",
                "such prices, one after the other, of descents where second derivatives may jump at impacts; `[3e3, 3e4]` if \
                 absent, none if empty",
            ),
            key("free_iterations", "positive integer", "limit of iterations of each of these; 30 if absent"),
            key("scale", "positive number", "the first inverse Hessian is so many times the identity; 0.01 if absent"),
            key(
                "armijo",
                "number from 0 to 0.5",
                "share of the decrease that the slope promises which a step must bring; 1e-4 if absent",
            ),
            key(
                "line_search",
                "`halving` or `more-thuente`",
                "how far to go along a direction; steps are halved if absent",
            ),
            key("k", "positive number", "constant of the projection; chosen if absent"),
            key("coordinate", "name of a coordinate", "the coordinate that the gap replaces; the best one if absent"),
            key(
                "domain",
                "table: coordinate = [from, to]",
                "limits of coordinates, within which the projection is one; all values if absent",
            ),
            key(
                "search",
                "true or false",
                "search numbers of impacts after the descent; true if absent. `false` is the method as published: the spline is \
                 the result, and misses its end a little",
            ),
            key("impacts", "integer from 0", "most impacts of the search; 4 if absent"),
            key("beam", "positive integer", "motions kept for each number of impacts; 5 if absent"),
            key("times", "positive integer", "times at which impacts are put in; 32 if absent"),
            key("seconds", "positive number", "time after which the search begins no new motion; 60 if absent"),
            key("intervals", "positive integer", "intervals between two impacts in the end; 8 if absent"),
            key("flight_intervals", "positive integer", "intervals between two impacts in the search; 3 if absent"),
        ],
    ),
];

/// The names of the keys of a section.
pub(super) fn keys(section: &str) -> Vec<&'static str> {
    SECTIONS.iter().find(|known| known.name == section).map_or(Vec::new(), |found| names(found.keys))
}

/// The names of some keys.
pub(super) fn names(keys: &[Key]) -> Vec<&'static str> {
    keys.iter().map(|key| key.name).collect()
}
