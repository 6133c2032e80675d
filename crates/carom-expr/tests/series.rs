//! Taylor coefficients of every operation against repeated differentiation and closed forms.

use crate::common;

use carom_expr::series::Series;
use carom_expr::{Expr, Graph, Id, Scope, Unary, ids};
use common::Noise;
use common::number::catalogue;

const ORDER: usize = 6;
const VARIABLES: usize = 4;

/// Coefficients `0..=ORDER` of `roots` where variable `i` is `sum_k path[i][k] t^k`.
fn coefficients(graph: &mut Graph, roots: &[Id], variables: &[Id], path: &[Vec<Id>]) -> Vec<Vec<Id>> {
    let (mut series, roots) = Series::new(graph, roots, &[]);
    for k in 0..=ORDER {
        for (variable, coefficients) in variables.iter().zip(path) {
            series.seed(*variable, coefficients[k]);
        }
        series.advance_early(k);
    }
    roots.iter().map(|&root| (0..=ORDER).map(|k| series.at(root, k)).collect()).collect()
}

/// `d^k f / dt^k / k!` by symbolic differentiation along the path, at its start.
fn differentiated(graph: &mut Graph, root: Id, variables: &[Id], path: &[Vec<Id>]) -> Vec<Id> {
    let t = graph.variable("t");
    let polynomial = |graph: &mut Graph, coefficients: &[Id]| {
        let zero = graph.constant(0.0);
        coefficients.iter().rev().fold(zero, |sum, &coefficient| {
            let shifted = graph.mul(sum, t);
            graph.add(shifted, coefficient)
        })
    };
    let replacements: Vec<(Id, Id)> =
        variables.iter().zip(path).map(|(&variable, path)| (variable, polynomial(graph, path))).collect();
    let mut derivative = graph.substitute(&[root], &replacements)[0];
    let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
    let mut found = Vec::new();
    let mut factorial = 1.0;
    for k in 0..=ORDER {
        factorial *= (k as f64).max(1.0);
        let start = graph.substitute(&[derivative], &[(t, zero)])[0];
        found.push(graph.scale(1.0 / factorial, start));
        derivative = graph.directional(&[derivative], &[(t, one)])[0];
    }
    found
}

fn assert_close(name: &str, order: usize, expected: f64, found: f64) {
    let error = (expected - found).abs();
    assert!(error <= 1e-10 * (1.0 + expected.abs()), "{name}, order {order}: {expected:e} expected, {found:e} found");
}

#[test]
fn series_equal_repeated_derivatives() {
    let scope = Scope::default();
    let x = scope.variables("x", VARIABLES);
    let (names, roots): (Vec<_>, Vec<_>) = catalogue(&x).into_iter().map(|(name, f)| (name, f.id())).unzip();
    let variables = ids(&x);
    let mut graph = scope.into_graph();
    // The path's coefficients stay variables, so that nothing folds.
    let path: Vec<Vec<Id>> = (0..VARIABLES).map(|i| graph.variables(&format!("c{i}"), ORDER + 1)).collect();
    let series = coefficients(&mut graph, &roots, &variables, &path);
    for seed in 0..10 {
        let mut noise = Noise::new(seed);
        let mut value = |k: usize| if k == 0 { 0.5 + 0.4 * noise.next() } else { 0.3 * noise.next() };
        let numbers: Vec<Vec<f64>> = path.iter().map(|path| (0..path.len()).map(&mut value).collect()).collect();
        let values: Vec<(Id, f64)> = path.concat().into_iter().zip(numbers.concat()).collect();
        let constants: Vec<Vec<Id>> =
            numbers.iter().map(|path| path.iter().map(|&value| graph.constant(value)).collect()).collect();
        for (i, &root) in roots.iter().enumerate() {
            let expected = differentiated(&mut graph, root, &variables, &constants);
            let (expected, found) = (graph.evaluate(&expected, &[]), graph.evaluate(&series[i], &values));
            for (order, (a, b)) in expected.into_iter().zip(found).enumerate() {
                assert_close(names[i], order, a, b);
            }
        }
    }
}

/// Coefficients along `x = start + t`.
fn shifted(start: f64, function: impl for<'s> Fn(Expr<'s>) -> Expr<'s>) -> Vec<f64> {
    let scope = Scope::default();
    let x = scope.variable("x");
    let root = function(x).id();
    let variable = x.id();
    let mut graph = scope.into_graph();
    let mut path = vec![graph.constant(0.0); ORDER + 1];
    (path[0], path[1]) = (graph.constant(start), graph.constant(1.0));
    let series = coefficients(&mut graph, &[root], &[variable], &[path]);
    graph.evaluate(&series[0], &[])
}

#[test]
fn series_equal_closed_forms() {
    let third = 1.0 / 3.0;
    let (e, half) = (std::f64::consts::E, 0.5);
    let factorials = [1.0, 1.0, 2.0, 6.0, 24.0, 120.0, 720.0];
    let two_to_the = std::array::from_fn(|k| std::f64::consts::LN_2.powi(k as i32) / factorials[k]);
    let cases: [(&str, Vec<f64>, [f64; ORDER + 1]); 13] = [
        ("exp", shifted(1.0, |x| x.exp()), [e, e, e / 2.0, e / 6.0, e / 24.0, e / 120.0, e / 720.0]),
        ("log", shifted(1.0, |x| x.log()), [0.0, 1.0, -half, third, -0.25, 0.2, -1.0 / 6.0]),
        ("sin", shifted(0.0, |x| x.sin()), [0.0, 1.0, 0.0, -1.0 / 6.0, 0.0, 1.0 / 120.0, 0.0]),
        ("cos", shifted(0.0, |x| x.cos()), [1.0, 0.0, -half, 0.0, 1.0 / 24.0, 0.0, -1.0 / 720.0]),
        ("tan", shifted(0.0, |x| x.tan()), [0.0, 1.0, 0.0, third, 0.0, 2.0 / 15.0, 0.0]),
        ("asin", shifted(0.0, |x| x.asin()), [0.0, 1.0, 0.0, 1.0 / 6.0, 0.0, 3.0 / 40.0, 0.0]),
        ("atan", shifted(0.0, |x| x.atan()), [0.0, 1.0, 0.0, -third, 0.0, 0.2, 0.0]),
        ("sinh", shifted(0.0, |x| x.sinh()), [0.0, 1.0, 0.0, 1.0 / 6.0, 0.0, 1.0 / 120.0, 0.0]),
        ("cosh", shifted(0.0, |x| x.cosh()), [1.0, 0.0, half, 0.0, 1.0 / 24.0, 0.0, 1.0 / 720.0]),
        ("tanh", shifted(0.0, |x| x.tanh()), [0.0, 1.0, 0.0, -third, 0.0, 2.0 / 15.0, 0.0]),
        ("sqrt", shifted(1.0, |x| x.sqrt()), [1.0, half, -0.125, 0.0625, -5.0 / 128.0, 7.0 / 256.0, -21.0 / 1024.0]),
        ("1/x", shifted(1.0, |x| 1.0 / x), [1.0, -1.0, 1.0, -1.0, 1.0, -1.0, 1.0]),
        ("2^x", shifted(0.0, |x| (x - x + 2.0).pow(x)), two_to_the),
    ];
    for (name, found, expected) in cases {
        assert_eq!(found.len(), expected.len());
        for (order, (a, b)) in expected.into_iter().zip(found).enumerate() {
            assert!((a - b).abs() <= 1e-15, "{name}, order {order}: {a:e} expected, {b:e} found");
        }
    }
}

#[test]
fn the_active_side_is_expanded() {
    let below = [-2.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let mirrored = [2.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let square = [4.0, -4.0, 1.0, 0.0, 0.0, 0.0, 0.0];
    let step = |value: f64| [value, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(shifted(-2.0, |x| x.abs()), mirrored);
    assert_eq!(shifted(-2.0, |x| x.sign()), step(-1.0));
    assert_eq!(shifted(-2.0, |x| x.min(x * x)), below);
    assert_eq!(shifted(-2.0, |x| x.max(x * x)), square);
    assert_eq!(shifted(-2.0, |x| x.less(0.0).select(x * x, x)), square);
    assert_eq!(shifted(-2.0, |x| x.less(0.0)), step(1.0));
    assert_eq!(shifted(-2.0, |x| x.less_equal(-3.0)), step(0.0));
    assert_eq!(shifted(-2.0, |x| x.equal(-2.0)), step(1.0));
}

#[test]
fn an_equation_of_motion_is_solved_order_by_order() {
    // x'' = -x from (1, 0): each coefficient of x'' gives the one of x two orders above.
    let mut graph = Graph::new();
    let x = graph.variable("x");
    let acceleration = graph.neg(x);
    let (one, zero) = (graph.constant(1.0), graph.constant(0.0));
    let (mut series, roots) = Series::new(&mut graph, &[acceleration], &[]);
    let mut next = vec![one, zero];
    for k in 0..=8 {
        series.seed(x, next[k]);
        series.advance_early(k);
        let rate = series.at(roots[0], k);
        next.push(series.graph().scale(1.0 / ((k + 1) * (k + 2)) as f64, rate));
    }
    let cosine: Vec<f64> = next.iter().map(|&id| graph.value(id).expect("a number")).collect();
    for (k, expected) in [1.0, 0.0, -1.0 / 2.0, 0.0, 1.0 / 24.0, 0.0, -1.0 / 720.0].into_iter().enumerate() {
        assert!((cosine[k] - expected).abs() < 1e-17, "order {k}: {}", cosine[k]);
    }
}

#[test]
fn late_variables_may_rest_on_early_expressions_of_the_same_order() {
    // v = exp(x) along x = t, and w = v^2 = exp(2 t).
    let mut graph = Graph::new();
    let (x, v) = (graph.variable("x"), graph.variable("v"));
    let (exponential, square) = (graph.unary(Unary::Exp, x), graph.mul(v, v));
    let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
    let (mut series, roots) = Series::new(&mut graph, &[exponential, square], &[v]);
    for k in 0..=ORDER {
        series.seed(x, if k == 1 { one } else { zero });
        series.advance_early(k);
        series.seed(v, series.at(roots[0], k));
        series.advance_late(k);
    }
    let found: Vec<Id> = (0..=ORDER).map(|k| series.at(roots[1], k)).collect();
    let mut expected = 1.0;
    for (k, id) in found.into_iter().enumerate() {
        expected *= if k == 0 { 1.0 } else { 2.0 / k as f64 };
        assert_close("exp(2 t)", k, expected, graph.value(id).expect("a number"));
    }
}

#[test]
fn whole_powers_of_zero_have_series() {
    let mut expected = [0.0; ORDER + 1];
    assert_eq!(shifted(0.0, |x| x.pow(20.0)), expected);
    (expected[0], expected[1]) = (1.0, 20.0);
    assert_eq!(shifted(1.0, |x| x.pow(20.0))[..2], expected[..2]);
}
