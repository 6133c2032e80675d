//! Suprema are enclosed: known maxima are found, tails are bounded or said not to be, no sample is above.

use crate::common;

use carom_expr::text::parse;
use carom_expr::{Bounds, Dependence, FunctionError, Graph, Id, Interval, Supremum, SupremumOptions, supremum};
use common::words::Words;
use common::{Noise, random_graph};
use std::f64::consts::PI;

const LINE: Interval = Interval::ENTIRE;
const INFINITY: f64 = f64::INFINITY;

fn expression(graph: &mut Graph, text: &str) -> Id {
    parse(graph, text, &mut Words::new(&["x", "y"])).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

/// The supremum over `x` in the first side and `y` in the second.
fn found(text: &str, domain: &[Interval]) -> Supremum {
    let mut graph = Graph::new();
    let variables = ["x", "y"].map(|name| graph.variable(name));
    let f = expression(&mut graph, text);
    let found = supremum(&graph, f, &variables[..domain.len()], domain, SupremumOptions::default()).expect(text);
    if found.lower > -INFINITY {
        let point: Vec<(Id, f64)> = variables.into_iter().zip(found.at.iter().copied()).collect();
        assert_eq!(graph.evaluate(&[f], &point)[0], found.lower, "{text} at {:?}", found.at);
        assert!(found.at.iter().zip(domain).all(|(&x, side)| side.contains(x)), "{text} at {:?}", found.at);
    }
    found
}

/// The supremum is `expected`, to the default tolerance above and to rounding below.
fn assert_supremum(text: &str, domain: &[Interval], expected: f64) -> Supremum {
    let found = found(text, domain);
    let error = 1e-12 * expected.abs().max(1e-3);
    assert!((found.lower - expected).abs() <= error, "{text}: {found:?}, not {expected}");
    assert!(found.upper >= expected - error, "{text}: {found:?}, not {expected}");
    assert!(found.upper <= found.lower + 1e-6 * expected.abs() + 1e-14, "{text}: {found:?}, not {expected}");
    found
}

/// `|df/dx|` and its supremum over a period, which has to be there.
fn steepest(text: &str) -> Supremum {
    let mut graph = Graph::new();
    let x = graph.variable("x");
    let f = expression(&mut graph, text);
    let slope = graph.gradient(f, &[x])[0];
    let steepness = graph.unary(carom_expr::Unary::Abs, slope);
    let Dependence::Periodic(period) = graph.dependence(&[steepness], x) else { panic!("{text}: no period") };
    let domain = [Interval::new(-0.5 * period, 0.5 * period)];
    supremum(&graph, steepness, &[x], &domain, SupremumOptions::default()).expect(text)
}

#[test]
fn steepest_slopes_of_waves() {
    for (text, expected) in [("2*cos(x)/(1 + 4*cos(x)^2)", 2.0), ("sin(x)/(1 + sin(x)^2)", 1.0)] {
        let found = steepest(text);
        assert!((found.lower - expected).abs() < 1e-14, "{text}: {found:?}");
        assert!(found.upper >= expected && found.upper < expected * (1.0 + 2e-6), "{text}: {found:?}");
        assert!(found.boxes < 2000, "{text}: {found:?}");
    }
}

#[test]
fn a_wave_on_the_whole_line_keeps_its_maximum_but_has_no_bound_near_it() {
    let mut graph = Graph::new();
    let x = graph.variable("x");
    let wave = expression(&mut graph, "2*cos(x)/(1 + 4*cos(x)^2)");
    let slope = graph.gradient(wave, &[x])[0];
    let f = graph.unary(carom_expr::Unary::Abs, slope);
    let options = SupremumOptions { max_boxes: 2000, ..SupremumOptions::default() };
    let found = supremum(&graph, f, &[x], &[LINE], options).expect("compiles");
    // Over the tails the cosine is anything between -1 and 1, independently in numerator and denominator.
    assert!((found.lower - 2.0).abs() < 1e-12 && found.upper > 2.1 && found.upper < 100.0, "{found:?}");
}

#[test]
fn bar_of_any_length() {
    for length in [1.0, 0.7] {
        let text = format!("abs(6*(cos(x) + 3*cos(3*x))/({length}*(5 - 3*cos(2*x))^2))");
        let found = assert_supremum(&text, &[Interval::new(-PI, PI)], 6.0 / length);
        assert!(found.boxes < 2000, "{found:?}");
    }
}

#[test]
fn decaying_tails_are_bounded() {
    let whole = [LINE];
    assert_supremum("1/(1 + x^2)", &whole, 1.0);
    assert_supremum("x/(1 + x^2)", &whole, 0.5);
    assert_supremum("-x/(1 + x^2)", &[Interval::new(-INFINITY, 3.0)], 0.5);
    assert_supremum("abs((1 - x^2)/(1 + x^2)^2)", &whole, 1.0);
    assert_supremum("x*exp(-x)", &[Interval::new(0.0, INFINITY)], (-1.0_f64).exp());
    assert_supremum("x^3*exp(-x^2)", &whole, 1.5_f64.powf(1.5) * (-1.5_f64).exp());
    // At x² = (√7 - 2)/3.
    let u = (7.0_f64.sqrt() - 2.0) / 3.0;
    assert_supremum("sqrt(1 + x^2)/(1 + x^4)", &whole, (1.0 + u).sqrt() / (1.0 + u * u));
    // Where tan x = 1 + x.
    assert_supremum("sin(x)/(1 + abs(x))", &[Interval::new(0.0, INFINITY)], 1.132267725272885_f64.cos());
}

#[test]
fn a_limit_at_infinity_is_approached() {
    // The supremum 1 is not attained: values are looked for as far as 2^30.
    let found = found("x/sqrt(1 + x^2)", &[LINE]);
    assert!(found.lower > 1.0 - 1e-6 && found.upper >= 1.0 && found.upper < 1.0 + 2e-6, "{found:?}");
}

#[test]
fn growth_without_bound_is_reported() {
    for (text, least) in [("x^2", 1e18), ("abs(2*cos(x^2) - 4*x^2*sin(x^2))", 1e18), ("exp(-x)", 1e300)] {
        let found = found(text, &[LINE]);
        assert!(found.upper == INFINITY && found.lower > least, "{text}: {found:?}");
        assert!(found.at[0].abs() <= 2.0_f64.powi(30) + 1.0, "{text}: {found:?}");
    }
    // Decays, but too slowly for the bounds of a tail: the maximum is right all the same.
    let slow = found("log(1 + x)/(1 + x)", &[Interval::new(0.0, INFINITY)]);
    assert!(slow.upper == INFINITY && (slow.lower - (-1.0_f64).exp()).abs() < 1e-14, "{slow:?}");
}

#[test]
fn poles_have_no_bound() {
    let found = found("1/x^2", &[Interval::new(-1.0, 2.0)]);
    assert!(found.upper == INFINITY && found.lower > 1e100, "{found:?}");
}

#[test]
fn variables_that_do_not_occur_are_not_cut() {
    let found = assert_supremum("sin(x) - x^2", &[Interval::new(-2.0, 2.0), LINE], 0.23246557515821674);
    assert!(found.boxes < 100 && found.at.len() == 2, "{found:?}");
}

#[test]
fn several_variables() {
    let unit = Interval::new(-1.0, 1.0);
    assert_supremum("x*y - x^2 - y^2 + x", &[unit, unit], 1.0 / 3.0);
    assert_supremum("cos(x)/(1 + y^2)", &[unit, LINE], 1.0);
    assert_supremum("x/(1 + x^2 + y^2)", &[LINE, LINE], 0.5);
    // Tails are followed along one variable at a time.
    let both = found("x*y/(1 + x^2 + y^2)^2", &[LINE, LINE]);
    assert!(both.upper == INFINITY && (both.lower - 0.125).abs() < 1e-15, "{both:?}");
    // Rosenbrock's curved ridge.
    let ridge = found("1 - (1 - x)^2 - 100*(y - x^2)^2", &[Interval::new(-2.0, 2.0), Interval::new(-1.0, 3.0)]);
    assert!(ridge.lower > 1.0 - 1e-6 && ridge.lower <= 1.0 && ridge.upper < 1.0 + 1e-5, "{ridge:?}");
}

#[test]
fn kinks_and_jumps() {
    let side = [Interval::new(-1.0, 2.0)];
    assert_supremum("1 - abs(x - 0.3)", &side, 1.0);
    assert_supremum("min(x, 1 - x^2)", &side, 0.5 * (5.0_f64.sqrt() - 1.0));
    // The slope is zero on both sides of these jumps; a mean-value form across them would be wrong.
    assert_supremum("if(x < 0.7, 1, 2) + 0*x", &side, 2.0);
    assert_supremum("sign(x - 1.9) - 0.001*x", &side, 0.9981);
    assert_supremum("atan2(x - 0.9, -1 - x^2)", &side, PI);
    // Only for x = 0.7 itself, which no cut need hit: the bound is right, the value one below.
    let rare = found("if(x == 0.7, 2, 1)", &side);
    assert!(rare.upper == 2.0, "{rare:?}");
}

#[test]
fn ends_of_the_domain_of_definition() {
    assert_supremum("sqrt(1 - x^2) + x", &[Interval::new(-1.0, 1.0)], 2.0_f64.sqrt());
    assert_supremum("-x*log(x)", &[Interval::new(1e-9, 1.0)], (-1.0_f64).exp());
    assert_supremum("asin(x) - x", &[Interval::new(-1.0, 1.0)], 0.5 * PI - 1.0);
    // Parts where the function is nowhere defined have no bound but that of the parts they were cut from.
    let beyond = found("sqrt(1 - x^2) + x", &[Interval::new(-2.0, 2.0)]);
    assert!(beyond.upper >= 2.0 && (beyond.lower - 2.0_f64.sqrt()).abs() < 1e-14, "{beyond:?}");
    let nowhere = found("log(-1 - x^2)", &[LINE]);
    assert!(nowhere.lower == -INFINITY && nowhere.at.is_empty() && nowhere.upper == INFINITY, "{nowhere:?}");
}

#[test]
fn degenerate_domains() {
    let point = assert_supremum("x^2 - x", &[Interval::point(3.0)], 6.0);
    assert_eq!((point.boxes, point.at), (1, vec![3.0]));
    assert_supremum("x*y", &[Interval::point(3.0), Interval::new(-1.0, 2.0)], 6.0);
    assert_eq!(found("5", &[]), Supremum { lower: 5.0, at: Vec::new(), upper: 5.0, boxes: 1 });
    let mut graph = Graph::new();
    let nothing = graph.constant(f64::NAN);
    let found = supremum(&graph, nothing, &[], &[], SupremumOptions::default()).expect("compiles");
    assert!(found.lower == -INFINITY && found.upper == INFINITY, "{found:?}");
}

#[test]
fn suprema_that_are_zero_end_the_search() {
    for text in ["-x^2", "cos(x) - 1", "-abs(sin(x))", "-(x - 0.3)^2"] {
        let found = found(text, &[Interval::new(-1.0, 2.0)]);
        assert!(found.lower.abs() < 1e-15 && found.upper >= 0.0 && found.upper < 2e-14, "{text}: {found:?}");
    }
}

#[test]
fn unknown_variables_are_errors() {
    let mut graph = Graph::new();
    let (x, y) = (graph.variable("x"), graph.variable("y"));
    let error = supremum(&graph, y, &[x], &[LINE], SupremumOptions::default()).expect_err("y is not a variable of it");
    assert!(matches!(error, FunctionError::UnboundVariable { .. }), "{error}");
}

/// Sides of all kinds.
fn random_side(noise: &mut Noise) -> Interval {
    let (a, b) = (3.0 * noise.next(), 3.0 * noise.next());
    match noise.below(6) {
        0 => LINE,
        1 => Interval::new(a, INFINITY),
        2 => Interval::new(-INFINITY, a),
        3 => Interval::point(a),
        _ => Interval::new(a.min(b), a.max(b)),
    }
}

/// A number of the side, some of them far out.
fn member(noise: &mut Noise, of: Interval) -> f64 {
    let far: f64 = [3.0, 30.0, 1e6][noise.below(3)];
    let (lo, hi) = (of.lo.max((-far).min(of.hi - far)), of.hi.min(far.max(of.lo + far)));
    (lo + (hi - lo) * (0.5 + 0.5 * noise.next())).clamp(of.lo, of.hi)
}

#[test]
fn no_sample_is_above_the_bound() {
    let (mut checked, mut bounded) = (0, 0);
    for seed in 0..300 {
        let (graph, inputs, outputs) = random_graph(seed, [6, 10, 20][seed as usize % 3]);
        let mut noise = Noise::new(seed + 9000);
        let domain: Vec<Interval> = inputs.iter().map(|_| random_side(&mut noise)).collect();
        let f = outputs[0];
        let options = SupremumOptions { max_boxes: 150, ..SupremumOptions::default() };
        let found = supremum(&graph, f, &inputs, &domain, options).expect("compiles");
        assert!(found.lower <= found.upper);
        if found.upper == INFINITY {
            continue;
        }
        let mut bounds = Bounds::new(&graph, &inputs, &[f]).expect("compiles");
        let nodes = graph.reachable(&[f]);
        bounded += 1;
        for _ in 0..1000 {
            let point: Vec<f64> = domain.iter().map(|&side| member(&mut noise, side)).collect();
            let values: Vec<(Id, f64)> = inputs.iter().copied().zip(point.iter().copied()).collect();
            // What follows from an undefined value is not bounded.
            if graph.evaluate(&nodes, &values).iter().any(|value| !value.is_finite()) {
                continue;
            }
            // The real value is somewhere in here.
            let mut range = [LINE];
            bounds.eval(&point.iter().map(|&x| Interval::point(x)).collect::<Vec<_>>(), &mut range);
            let formula = || graph.display(f);
            assert!(range[0].lo <= found.upper, "{seed}: {range:?} at {point:?}, {found:?}, {}", formula());
            checked += 1;
        }
    }
    assert!(checked > 50_000 && bounded > 100, "{checked} samples of {bounded} functions");
}
