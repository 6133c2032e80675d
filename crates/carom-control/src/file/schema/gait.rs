//! The keys of `[gait]`.

use super::{key, section};
use carom_model::schema::{Form, Section};

/// One step of a biped.
pub(super) const GAIT: Section = section(
    "gait",
    Form::Table,
    "one step of a biped, periodic through the exchange of its legs: it takes the place of [phases] and [transitions]. The \
     stance foot stands, the swing foot lands at the end, and the next step begins in relabelled coordinates. The phase is \
     called `step`, the transition `strike`; [costs] may add costs. The relabelling is checked: it must keep the energy",
    "[gait]\nstance = \"left\"\nswing = \"right\"\nrelabel = { hip = \"-hip\" }\nlength = 0.5\nweight = \"m*g\"\nduration = 0.8\n\
     work = \"absolute\"\neffort = 1e-2\nfriction = 0.6\nnormal_force = 0\nbounds = { knee = { min = 0 } }\nstarts = 9",
    &[
        key("stance", "name of a contact", "the foot that stands; required"),
        key("swing", "name of a contact", "the foot that swings and lands at the end; required"),
        key(
            "relabel",
            "table: coordinate = expression, or a list of expressions",
            "the configuration with the legs exchanged (in space: and mirrored), in the coordinates before; those that are absent stay as they are; required",
        ),
        key(
            "length",
            "number or expression of parameters",
            "where the swing foot lands ahead of the stance foot, along the first tangent; a parameter of [free] makes it free; required",
        ),
        key("width", "number or expression of parameters", "where it lands along the second tangent, if there is one"),
        key("weight", "number or expression of parameters", "weight of the robot in newtons; required"),
        key("duration", "as in [phases]", "how long the step lasts, given or free; required"),
        key("intervals", "positive integer", "intervals of its mesh; 50 if absent"),
        key("shares", "as in [phases]", "lengths of the intervals in proportion to each other; even if absent"),
        key("controls", "`samples`, `constant` or `linear`", "how controls vary in an interval"),
        key("closed", "as in [phases]", "further contacts that stay closed"),
        key("formulation", "`multipliers` or `null-space`", "treatment of constraint forces"),
        key("bounds", "table: coordinate, rate or input = range", "limits of joints and torques"),
        key("start", "table: formula = range", "further conditions at the beginning"),
        key("end", "table: formula = range", "further conditions at the end"),
        key("path", "table: formula = range", "further conditions on the way"),
        key(
            "guess",
            "table: coordinate, rate or input = number or list",
            "the first start; by inverse kinematics if absent",
        ),
        key(
            "clearance",
            "number",
            "height of an arc between the footholds that the swing foot keeps above; 0, the ground alone, if absent",
        ),
        key("normal_force", "number", "least normal force of the stance foot; unbounded if absent"),
        key("friction", "number", "coefficient of friction of the stance foot; its force is unbounded if absent"),
        key(
            "work",
            "`absolute`, `positive` or `net`",
            "the work of the inputs over weight and length is minimised; no work if absent",
        ),
        key(
            "effort",
            "number",
            "factor of the integral of the squared inputs over weight and length; 1 if absent. Work alone is no sound cost",
        ),
        key(
            "starts",
            "positive integer",
            "searches that are begun, around postures near the initial one of the model; 1 if absent",
        ),
        key("seed", "positive integer", "seed of their variations; 1 if absent"),
        key("spread", "positive number", "how far postures vary, in the units of the coordinates; 0.4 if absent"),
        key(
            "coarse",
            "positive integer",
            "intervals of a coarser mesh that every start is solved on first; none if absent",
        ),
        key(
            "hops",
            "integer, not negative",
            "hops from each of the (at most four) cheapest optima to others nearby; none if absent",
        ),
        key("effort_first", "true or false", "minimise the effort alone before the work; false if absent"),
        key(
            "net_first",
            "true or false",
            "minimise net work before positive or absolute work, which gradually takes its place; false if absent",
        ),
    ],
);
