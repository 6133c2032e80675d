//! The schema of study files: sections, their keys, and what they mean.
//!
//! The reader takes its lists of allowed keys from here, and the reference page of the book is generated from here.

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

const DESIGNS: Key = key(
    "initial",
    "positive integer, or a list of designs",
    "how many designs a Latin hypercube has at first, or these designs themselves: numbers, or lists with one for each variable",
);
const TOLERANCE: &str = "tolerance";
const KERNEL: Key = key(
    "kernel",
    "`squared-exponential` or `matern52`",
    "correlations of the Gaussian process; `squared-exponential` if absent",
);
const MEAN: Key = key("mean", "`constant` or `linear`", "its trend; `constant` if absent");

/// The sections of a study file.
pub const SECTIONS: [Section; 17] = [
    section(
        "name",
        Form::Value,
        "what the study is called; otherwise the name of the file",
        "name = \"Knee placement\"",
        &[],
    ),
    section(
        "description",
        Form::Value,
        "what it is, in a sentence or two",
        "description = \"Where the knee belongs\"",
        &[],
    ),
    section(
        "problem",
        Form::Value,
        "the optimal control problem whose optimal cost is minimised: a problem file, relative to the study file",
        "problem = \"planar-gait.toml\"",
        &[],
    ),
    section(
        "model",
        Form::Value,
        "the model that is simulated, as its section [simulation] says; with `measure`",
        "model = \"ball.toml\"",
        &[],
    ),
    section(
        "measure",
        Form::Value,
        "the formula of the model's state that is minimised; write a minus before what should be large",
        "measure = \"-x\"",
        &[],
    ),
    section(
        "over",
        Form::Value,
        "where the measure is taken: at the `end` of the run, or its `largest` or `smallest` value at the nodes; `end` if absent",
        "over = \"largest\"",
        &[],
    ),
    section(
        "command",
        Form::Value,
        "a program and its arguments; `{name}` stands for a design variable, and the last line that it prints is the cost. It runs \
         in the folder of the study file; another exit code than 0 is a failure",
        "command = [\"./stiffness\", \"--length\", \"{beta}\"]",
        &[],
    ),
    section("method", Form::Value, "the outer method; `kriging` if absent", "method = \"gradient\"", &[]),
    section("max_evaluations", Form::Value, "most evaluations; 60 if absent", "max_evaluations = 40", &[]),
    section("seed", Form::Value, "seed of everything that is drawn; 1 if absent", "seed = 2", &[]),
    section(
        "threads",
        Form::Value,
        "evaluations at the same time, where the method allows them; all cores if absent. The result does not depend on it",
        "threads = 4",
        &[],
    ),
    section(
        "variables",
        Form::Names,
        "the design variables: `[lower, upper]`, or a table",
        "[variables]\nbeta = { range = [0.3, 0.7], guess = 0.5, parameter = \"L1\" }",
        &[
            key("range", "`[lower, upper]`", "the bounds; required"),
            key("guess", "number", "where methods begin that begin at one design; the middle if absent"),
            key(
                "parameter",
                "name of a parameter",
                "the parameter of the model that it is; the one of its own name if absent. Parameters that are formulas of it follow",
            ),
            key("unit", "text", "unit, for tables"),
            key("doc", "text", "one line of documentation"),
        ],
    ),
    section(
        "strawman",
        Form::Table,
        "settings of `strawman`",
        "[strawman]\ninitial = [0.5, 0.6]",
        &[
            key(
                "initial",
                "list of designs",
                "the samples to begin with, at least two; at thirds of the range if absent",
            ),
            key(
                TOLERANCE,
                "positive number",
                "change of the smallest cost, as a share of it, that ends the search; 1e-7 if absent",
            ),
        ],
    ),
    section(
        "kriging",
        Form::Table,
        "settings of `kriging`",
        "[kriging]\ninitial = 6\nkernel = \"matern52\"",
        &[
            DESIGNS,
            key(
                TOLERANCE,
                "positive number",
                "expected improvement that ends the search, as a share of the best cost, or of a hundredth of the spread of all costs if that is larger; 1e-4 if absent",
            ),
            KERNEL,
            MEAN,
        ],
    ),
    section(
        "smf",
        Form::Table,
        "settings of `smf`",
        "[smf]\nmesh = 0.25\nfinest = 1e-3",
        &[
            DESIGNS,
            KERNEL,
            MEAN,
            key(
                "mesh",
                "number from 0 to 1",
                "first distance of polled designs, as a share of the ranges; 0.25 if absent",
            ),
            key("finest", "number from 0 to 1", "distance below which it ends; 1e-3 if absent"),
        ],
    ),
    section(
        "gradient",
        Form::Table,
        "settings of `gradient`",
        "[gradient]\ntolerance = 1e-8",
        &[key(
            TOLERANCE,
            "positive number",
            "expected decrease, as a share of the cost, that ends the search; 1e-7 if absent",
        )],
    ),
    section("simultaneous", Form::Table, "settings of `simultaneous`: there are none", "[simultaneous]", &[]),
];

/// The names of the keys of a section.
pub(super) fn keys(section: &str) -> Vec<&'static str> {
    let found = SECTIONS.iter().find(|known| known.name == section);
    found.map_or(Vec::new(), |found| found.keys.iter().map(|key| key.name).collect())
}
