//! The cases, by what is wrong with them.

use super::judge::variables;
use carom_nlp::{Formulas, Place, Range};

const INF: f64 = f64::INFINITY;

/// The right kind of answer.
#[derive(Clone, Debug)]
pub enum Expect {
    Optimum(f64),
    Infeasible,
    OptimumOrOverDetermined(f64),
    Irregular(f64),
    Unbounded,
    Inconsistent(Place),
    Undefined(Place),
}

pub struct Case {
    pub name: &'static str,
    pub formulas: Formulas,
    pub expect: Expect,
    /// Allowed relative distance to the value.
    pub tolerance: f64,
}

impl Case {
    fn new(name: &'static str, formulas: Formulas, expect: Expect) -> Self {
        let tolerance = if matches!(expect, Expect::Irregular(_)) { 2e-2 } else { 1e-6 };
        Self { name, formulas, expect, tolerance }
    }

    /// False if there are no finite multipliers.
    pub fn is_regular(&self) -> bool {
        !matches!(self.expect, Expect::Irregular(_))
    }
}

fn free(names: &[&str], start: f64) -> Formulas {
    let entries: Vec<_> = names.iter().map(|name| (*name, -INF, INF, start)).collect();
    variables(&entries)
}

/// `(x - 1)^2 + (y - 2)^2` over the plane.
fn plane() -> Formulas {
    free(&["x", "y"], 0.0).objective("(x - 1)^2 + (y - 2)^2")
}

fn one(start: f64) -> Formulas {
    free(&["x"], start)
}

pub fn rows() -> Vec<Case> {
    use Expect::*;
    let line = plane().row("line", "x + y", Range::fixed(2.0));
    let twice = line.clone().row("twice", "2*x + 2*y", Range::fixed(4.0));
    let thrice = twice.clone().row("copy", "y + x", Range::fixed(2.0));
    let pair = variables(&[("x", -INF, INF, 1.0), ("y", -INF, INF, 2.5)]);
    let pair = pair.row("a", "x*y", Range::fixed(6.0)).row("b", "x + y", Range::fixed(5.0));
    let against = line.clone().row("again", "x + y", Range::fixed(3.0));
    let ring = plane().row("ring", "x^2 + y^2", Range::fixed(-1.0));
    let apart = plane().row("low", "x + y", Range::at_most(1.0)).row("high", "2*x + 2*y", Range::at_least(4.0));
    let circles = plane().row("left", "(x + 3)^2 + y^2", Range::at_most(1.0));
    let circles = circles.row("right", "(x - 3)^2 + y^2", Range::at_most(1.0));
    let three = one(0.0).objective("x^2").row("a", "x", Range::fixed(1.0)).row("b", "2*x", Range::fixed(2.0));
    let same = three.clone().row("c", "x^3", Range::fixed(1.0));
    let differ = three.row("c", "x^3", Range::fixed(8.0));
    let zero = plane().row("nothing", "0*x", Range::new(-1.0, 1.0)).row("equal", "0*y", Range::fixed(0.0));
    let one_row = plane().row("constant", "1 + 0*x", Range::at_most(0.5));
    let tangent = plane().row("disc", "x^2 + y^2", Range::at_most(1.0)).row("touch", "x", Range::at_least(1.0));
    let none = plane().row("anything", "x*y", Range::FREE);
    vec![
        Case::new("redundant equations", twice, Optimum(0.5)),
        Case::new("more redundant equations than variables", thrice, OptimumOrOverDetermined(0.5)),
        Case::new(
            "redundant inequalities",
            plane().row("a", "x", Range::at_most(0.0)).row("b", "3*x", Range::at_most(0.0)),
            Optimum(1.0),
        ),
        Case::new("contradictory sums", against, Infeasible),
        Case::new("negative square", ring, Infeasible),
        Case::new("contradictory half planes", apart, Infeasible),
        Case::new("disjoint discs", circles, Infeasible),
        Case::new("more equations than variables, agreeing", same, OptimumOrOverDetermined(1.0)),
        Case::new("more equations than variables, contradictory", differ, Infeasible),
        Case::new("zero rows", zero, Optimum(0.0)),
        Case::new("a constant row out of bounds", one_row, Infeasible),
        Case::new("a row without bounds", none, Optimum(0.0)),
        Case::new("a single feasible point", tangent, Irregular(4.0)),
        Case::new("no objective", pair, Optimum(0.0)),
        Case::new("no rows, no bounds", plane(), Optimum(0.0)),
    ]
}

pub fn bounds() -> Vec<Case> {
    use Expect::*;
    let fixed = variables(&[("x", 2.0, 2.0, 0.0), ("y", -INF, INF, 0.0)]).objective("(x - 1)^2 + (y - x)^2");
    let all = variables(&[("x", 2.0, 2.0, 0.0), ("y", 3.0, 3.0, 0.0)]).objective("x*y");
    let unused = variables(&[("x", -INF, INF, 3.0), ("a", -INF, INF, 1.0), ("b", 0.0, 1.0, 7.0)]).objective("x^2");
    let crossed = variables(&[("x", 1.0, 0.0, 0.5), ("y", -INF, INF, 0.0)]).objective("x^2 + y^2");
    let thin = variables(&[("x", 1.0 - 1e-12, 1.0, 0.0), ("y", -INF, INF, 0.0)]).objective("(x - 2)^2 + (y - x)^2");
    let outside = variables(&[("x", 0.0, 1.0, 50.0), ("y", 0.0, 1.0, -50.0)]).objective("(x - 2)^2 + (y + 1)^2");
    let place = |name: &str| Place::Variable(name.to_owned());
    vec![
        Case::new("a fixed variable", fixed.clone(), Optimum(1.0)),
        Case::new("a fixed variable in a row", fixed.row("sum", "x + y", Range::fixed(5.0)), Optimum(2.0)),
        Case::new("all variables fixed", all.clone(), Optimum(6.0)),
        Case::new(
            "all variables fixed, row holds",
            all.clone().row("sum", "x + y", Range::fixed(5.0)),
            OptimumOrOverDetermined(6.0),
        ),
        Case::new("all variables fixed, row does not hold", all.row("sum", "x + y", Range::fixed(6.0)), Infeasible),
        Case::new("variables that nothing uses", unused, Optimum(0.0)),
        Case::new("crossed bounds of a variable", crossed, Inconsistent(place("x"))),
        Case::new(
            "crossed bounds of a row",
            plane().row("r", "x + y", Range::new(1.0, 0.0)),
            Inconsistent(Place::Row("r".into())),
        ),
        Case::new(
            "bounds that are not numbers",
            plane().row("r", "x + y", Range::new(f64::NAN, 0.0)),
            Inconsistent(Place::Row("r".into())),
        ),
        Case::new(
            "bounds at the wrong infinity",
            plane().row("r", "x + y", Range::new(INF, INF)),
            Inconsistent(Place::Row("r".into())),
        ),
        Case::new("a variable with hardly any room", thin, Optimum(1.0)),
        Case::new("a row with hardly any room", plane().row("r", "x + y", Range::new(2.0 - 1e-12, 2.0)), Optimum(0.5)),
        Case::new("a start outside the bounds", outside, Optimum(2.0)),
    ]
}

pub fn undefined() -> Vec<Case> {
    use Expect::*;
    let objective = || Undefined(Place::Objective);
    let row = |text: &str, start| one(start).objective("x^2").row("r", text, Range::at_most(1.0));
    let at_row = || Undefined(Place::Row("r".into()));
    let wall = variables(&[("x", -INF, INF, 10.0), ("y", -INF, INF, 1.0)]);
    vec![
        Case::new("a logarithm met in the search", one(10.0).objective("log(x)^2"), Optimum(0.0)),
        Case::new("a barrier without a bound", one(5.0).objective("x - log(x)"), Optimum(1.0)),
        Case::new(
            "a root in a row",
            wall.objective("x + y^2").row("r", "sqrt(x) + y", Range::fixed(1.0)),
            Optimum(0.5),
        ),
        Case::new("a pole at the start", one(0.0).objective("1/x"), objective()),
        Case::new("a logarithm of a negative number at the start", one(-1.0).objective("x^2 - log(x)"), objective()),
        Case::new("a row with a pole at the start", row("1/x", 0.0), at_row()),
        Case::new("a row with a root of a negative number", row("sqrt(x)", -4.0), at_row()),
        Case::new("a row that overflows at the start", row("exp(x)", 1e6), at_row()),
        Case::new(
            "a start that is not a number",
            one(f64::NAN).objective("x^2"),
            Undefined(Place::Variable("x".into())),
        ),
        Case::new("a start at infinity", one(INF).objective("x^2"), Undefined(Place::Variable("x".into()))),
    ]
}

pub fn irregular() -> Vec<Case> {
    use Expect::*;
    let line = free(&["x", "y"], 0.0).objective("x").row("line", "x + y", Range::fixed(0.0));
    let cusp = variables(&[("x", 0.0, INF, -2.0), ("y", 0.0, INF, -2.0)]).objective("(x - 2)^2 + y^2");
    let square = || one(1.0).row("square", "x^2", Range::fixed(0.0));
    let product = variables(&[("x", 0.0, INF, 1.0), ("y", 0.0, INF, 1.0)]).objective("(x - 1)^2 + (y - 2)^2");
    vec![
        Case::new("a line that falls for ever", one(0.0).objective("x"), Unbounded),
        Case::new("a parabola upside down", variables(&[("x", 0.0, INF, 1.0)]).objective("-x^2"), Unbounded),
        Case::new("a cubic", one(-1.0).objective("x^3"), Unbounded),
        Case::new("unbounded along an equation", line, Unbounded),
        Case::new("hs013 once more", cusp.row("cusp", "(1 - x)^3 - y", Range::at_least(0.0)), Irregular(1.0)),
        Case::new("a square that is zero", square().objective("x"), Irregular(0.0)),
        Case::new("a square that is zero, convex objective", square().objective("(x - 1)^2"), Irregular(1.0)),
        Case::new(
            "a square at most zero",
            one(1.0).objective("x").row("s", "x^2", Range::at_most(0.0)),
            Irregular(0.0),
        ),
        Case::new("complementarity", product.row("either", "x*y", Range::at_most(0.0)), Irregular(1.0)),
        Case::new("a flat minimum", one(2.0).objective("x^8"), Irregular(0.0)),
        Case::new("a start near a saddle", free(&["x", "y"], 0.01).objective("x^2 - y^2 + y^4"), Optimum(-0.25)),
    ]
}

pub fn scalings() -> Vec<Case> {
    use Expect::*;
    let disc = |factor: &str, row: &str, limit: f64| {
        let objective = format!("{factor}*((x - 2)^2 + (y - 1)^2 + x*y)");
        free(&["x", "y"], 0.5).objective(&objective).row("disc", &format!("{row}*(x^2 + y^2)"), Range::at_most(limit))
    };
    // The value for factor one, from the optimality conditions.
    const VALUE: f64 = 1.700_030_461_375_380_7;
    let wide = free(&["x", "y"], 1e6).objective("(1e-6*x - 2)^2 + (1e6*y - 1)^2").row(
        "r",
        "1e-6*x + 1e6*y",
        Range::at_most(2.0),
    );
    vec![
        Case::new("plain", disc("1", "1", 1.2), Optimum(VALUE)),
        Case::new("a huge objective", disc("1e10", "1", 1.2), Optimum(1e10 * VALUE)),
        Case { tolerance: 1e-3, ..Case::new("a tiny objective", disc("1e-7", "1", 1.2), Optimum(1e-7 * VALUE)) },
        Case::new("a huge row", disc("1", "1e9", 1.2e9), Optimum(VALUE)),
        Case { tolerance: 1e-2, ..Case::new("a tiny row", disc("1", "1e-5", 1.2e-5), Optimum(VALUE)) },
        Case { tolerance: 1e-4, ..Case::new("variables of different size", wide, Optimum(0.5)) },
    ]
}

pub fn linear() -> Vec<Case> {
    use Expect::*;
    let quadrant = |objective: &str| variables(&[("x", 0.0, INF, 1.0), ("y", 0.0, INF, 1.0)]).objective(objective);
    let factory = quadrant("-3*x - 5*y").row("a", "x", Range::at_most(4.0)).row("b", "2*y", Range::at_most(12.0));
    let corner = quadrant("-x - y").row("a", "x + y", Range::at_most(2.0)).row("b", "x + 2*y", Range::at_most(4.0));
    let corner = corner.row("c", "2*x + y", Range::at_most(4.0)).row("d", "y", Range::at_most(2.0));
    let square = |objective: &str| variables(&[("x", -1.0, 2.0, 0.3), ("y", -1.0, 2.0, 0.1)]).objective(objective);
    let band = plane().row("band", "x - y", Range::new(0.0, 1.0)).row("sum", "x + y", Range::fixed(4.0));
    vec![
        Case::new("a linear program", factory.row("c", "3*x + 2*y", Range::at_most(18.0)), Optimum(-36.0)),
        Case::new("a linear program with a whole edge", corner, Optimum(-2.0)),
        Case::new("a linear program without limit", quadrant("-x").row("r", "x - y", Range::at_most(1.0)), Unbounded),
        Case::new(
            "a linear program without a point",
            quadrant("x").row("r", "x + y", Range::at_most(-1.0)),
            Infeasible,
        ),
        Case::new("a convex quadratic program", band, Optimum(1.0)),
        Case::new("an indefinite quadratic program", square("x*y - x^2"), Optimum(-6.0)),
        Case::new("a concave quadratic program", square("-(x - 0.2)^2 - y^2"), Optimum(-7.24)),
        Case::new("a singular quadratic program", free(&["x", "y"], 3.0).objective("(x + y - 1)^2"), Optimum(0.0)),
    ]
}
