//! Derivatives against dual numbers, their sparsity, and the sides of kinks.

use crate::common;

use carom_expr::{Graph, Id, Scope, SparseMatrix, ids};
use common::number::catalogue;
use common::{Noise, random_graph};
use num_dual::{Dual64, HyperDual64};

const VARIABLES: usize = 4;
const POINTS: u64 = 40;
/// Largest difference over the largest entry: a few roundings of two unlike ways of computing.
const TOLERANCE: f64 = 1e-13;

/// The catalogue as expressions: the graph, its variables, names and roots.
fn functions() -> (Graph, Vec<Id>, Vec<&'static str>, Vec<Id>) {
    let scope = Scope::default();
    let x = scope.variables("x", VARIABLES);
    let (names, roots): (Vec<_>, Vec<_>) = catalogue(&x).into_iter().map(|(name, f)| (name, f.id())).unzip();
    let variables = ids(&x);
    (scope.into_graph(), variables, names, roots)
}

/// A point where every function of the catalogue is smooth.
fn point(seed: u64) -> Vec<f64> {
    let mut noise = Noise::new(seed);
    (0..VARIABLES).map(|_| 0.5 + 0.4 * noise.next()).collect()
}

fn at<'a>(variables: &'a [Id], x: &'a [f64]) -> Vec<(Id, f64)> {
    variables.iter().copied().zip(x.iter().copied()).collect()
}

/// `[function][row][column]` of second derivatives, by hyper-dual numbers.
fn second(x: &[f64]) -> Vec<Vec<Vec<f64>>> {
    let entry = |row: usize, column: usize| {
        let mut seeded: Vec<HyperDual64> = x.iter().map(|&x| HyperDual64::from_re(x)).collect();
        (seeded[row].eps1, seeded[column].eps2) = (1.0, 1.0);
        catalogue(&seeded).iter().map(|(_, f)| f.eps1eps2).collect::<Vec<f64>>()
    };
    let table: Vec<Vec<Vec<f64>>> =
        (0..VARIABLES).map(|row| (0..VARIABLES).map(|column| entry(row, column)).collect()).collect();
    let count = table[0][0].len();
    (0..count).map(|f| table.iter().map(|row| row.iter().map(|entry| entry[f]).collect()).collect()).collect()
}

/// First derivatives of the catalogue along a direction, by dual numbers.
fn first(x: &[f64], direction: &[f64]) -> Vec<f64> {
    let seeded: Vec<Dual64> = x.iter().zip(direction).map(|(&x, &d)| Dual64::new(x, d)).collect();
    catalogue(&seeded).iter().map(|(_, f)| f.eps).collect()
}

fn assert_close(name: &str, expected: &[f64], found: &[f64]) {
    let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs())).max(1e-3);
    for (a, b) in expected.iter().zip(found) {
        assert!((a - b).abs() <= TOLERANCE * scale, "{name}: {a:e} expected, {b:e} found");
    }
}

#[test]
fn peer_gradients_and_jacobians() {
    let (mut graph, variables, names, roots) = functions();
    let gradients: Vec<Vec<Id>> = roots.iter().map(|&f| graph.gradient(f, &variables)).collect();
    let jacobian = graph.jacobian(&roots, &variables).dense(&mut graph);
    assert_eq!(jacobian, gradients.concat());
    for seed in 0..POINTS {
        let x = point(seed);
        let values = graph.evaluate(&jacobian, &at(&variables, &x));
        for column in 0..VARIABLES {
            let unit: Vec<f64> = (0..VARIABLES).map(|i| f64::from(u8::from(i == column))).collect();
            for (row, expected) in first(&x, &unit).into_iter().enumerate() {
                assert_close(names[row], &[expected], &[values[row * VARIABLES + column]]);
            }
        }
    }
}

#[test]
fn peer_hessians() {
    let (mut graph, variables, names, roots) = functions();
    let hessians: Vec<SparseMatrix> = roots.iter().map(|&f| graph.hessian(f, &variables)).collect();
    for seed in 0..POINTS {
        let x = point(seed);
        for ((name, hessian), expected) in names.iter().zip(&hessians).zip(second(&x)) {
            let values = graph.evaluate(&hessian.expressions(), &at(&variables, &x));
            let wanted: Vec<f64> = hessian.pattern().iter().map(|&(row, column)| expected[row][column]).collect();
            assert_close(name, &wanted, &values);
        }
    }
}

#[test]
fn peer_directions_and_hessian_vectors() {
    let (mut graph, variables, names, roots) = functions();
    let direction = graph.variables("d", VARIABLES);
    let seeds: Vec<(Id, Id)> = variables.iter().copied().zip(direction.iter().copied()).collect();
    let slopes = graph.directional(&roots, &seeds);
    let products: Vec<Vec<Id>> = roots.iter().map(|&f| graph.hessian_vector(f, &variables, &direction)).collect();
    for seed in 0..POINTS {
        let (x, d) = (point(seed), point(seed + POINTS));
        let values = [at(&variables, &x), at(&direction, &d)].concat();
        let found = graph.evaluate(&slopes, &values);
        for (i, (expected, hessian)) in first(&x, &d).into_iter().zip(second(&x)).enumerate() {
            assert_close(names[i], &[expected], &[found[i]]);
            let wanted: Vec<f64> = hessian.iter().map(|row| row.iter().zip(&d).map(|(h, d)| h * d).sum()).collect();
            assert_close(names[i], &wanted, &graph.evaluate(&products[i], &values));
        }
    }
}

#[test]
fn patterns_are_exact() {
    let (mut graph, variables, names, roots) = functions();
    let everywhere: Vec<_> = (0..POINTS).map(|seed| second(&point(seed))).collect();
    for (i, &root) in roots.iter().enumerate() {
        let pattern = graph.hessian(root, &variables).pattern();
        for (row, column) in (0..VARIABLES).flat_map(|row| (0..=row).map(move |column| (row, column))) {
            let nonzero = everywhere.iter().any(|hessian| hessian[i][row][column].abs() > 1e-12);
            assert_eq!(pattern.contains(&(row, column)), nonzero, "{}: entry ({row}, {column})", names[i]);
        }
    }
    // Known by heart.
    let pattern_of = |graph: &mut Graph, name: &str| {
        let root = roots[names.iter().position(|known| *known == name).expect("in the catalogue")];
        graph.hessian(root, &variables).pattern()
    };
    assert_eq!(pattern_of(&mut graph, "sum"), []);
    assert_eq!(pattern_of(&mut graph, "separable"), [(0, 0), (1, 1), (2, 2), (3, 3)]);
    assert_eq!(pattern_of(&mut graph, "arrow"), [(1, 0), (1, 1), (2, 0), (2, 2), (3, 0), (3, 3)]);
}

#[test]
fn forward_equals_reverse_on_random_graphs() {
    let mut compared = 0;
    for seed in 0..300 {
        let (mut graph, inputs, outputs) = random_graph(seed, 40);
        let directions = graph.variables("d", inputs.len());
        let seeds: Vec<(Id, Id)> = inputs.iter().copied().zip(directions.iter().copied()).collect();
        let forward = graph.directional(&outputs, &seeds);
        let jacobian = graph.jacobian(&outputs, &inputs).dense(&mut graph);
        let mut noise = Noise::new(seed + 5000);
        let values: Vec<(Id, f64)> = inputs.iter().chain(&directions).map(|&id| (id, 2.0 * noise.next())).collect();
        let (forward, jacobian) = (graph.evaluate(&forward, &values), graph.evaluate(&jacobian, &values));
        for (row, found) in forward.into_iter().enumerate() {
            let terms: Vec<f64> =
                (0..inputs.len()).map(|i| jacobian[row * inputs.len() + i] * values[inputs.len() + i].1).collect();
            // Rounding in proportion to what is added; huge slopes cancel inside the sweeps too.
            let scale: f64 = terms.iter().map(|term| term.abs()).sum();
            if scale > 1e4 || !found.is_finite() || !scale.is_finite() {
                continue;
            }
            let expected: f64 = terms.iter().sum();
            assert!((expected - found).abs() <= 1e-8 * (1.0 + scale), "graph {seed}: {expected:e} and {found:e}");
            compared += 1;
        }
    }
    assert!(compared > 1500, "only {compared} comparisons made sense");
}

#[test]
fn hessians_by_combinations_equal_derivatives_of_the_gradient() {
    let mut compared = 0;
    for seed in 0..200 {
        let (graph, inputs, outputs) = random_graph(seed, 40);
        let scope = Scope::new(graph);
        // Every input is seen through sums and differences of two ends, as in a discrete Lagrangian.
        let (a, b) = (scope.variables("a", inputs.len()), scope.variables("b", inputs.len()));
        let step = scope.variable("h");
        let seen =
            a.iter().zip(&b).enumerate().map(|(i, (&a, &b))| if i % 2 == 0 { 0.5 * (a + b) } else { (b - a) / step });
        let replacements: Vec<(Id, Id)> = inputs.iter().copied().zip(ids(&seen.collect::<Vec<_>>())).collect();
        let variables = ids(&[a, b].concat());
        let step = step.id();
        let mut graph = scope.into_graph();
        let root = graph.substitute(&outputs[..1], &replacements)[0];

        let (gradient, hessian) = graph.gradient_and_hessian(root, &variables);
        let plain = graph.gradient(root, &variables);
        let jacobian = graph.jacobian(&plain, &variables).dense(&mut graph);
        let mut noise = Noise::new(seed + 6000);
        let mut values: Vec<(Id, f64)> = variables.iter().map(|&id| (id, 2.0 * noise.next())).collect();
        values.push((step, 0.7));
        let wanted: Vec<Id> = hessian.entries().iter().map(|e| jacobian[e.0 * variables.len() + e.1]).collect();
        let expected = graph.evaluate(&[plain, wanted].concat(), &values);
        let found = graph.evaluate(&[gradient, hessian.expressions()].concat(), &values);
        let scale = expected.iter().fold(1.0_f64, |most, value| most.max(value.abs()));
        if scale > 1e6 || !expected.iter().chain(&found).all(|value| value.is_finite()) {
            continue;
        }
        for (x, y) in expected.iter().zip(&found) {
            assert!((x - y).abs() <= 1e-8 * scale, "graph {seed}: {x:e} and {y:e}: {}", graph.display(root));
        }
        // What is absent is zero.
        let all = graph.evaluate(&jacobian, &values);
        for (row, column) in (0..variables.len()).flat_map(|row| (0..=row).map(move |column| (row, column))) {
            let absent = !hessian.pattern().contains(&(row, column));
            assert!(!absent || all[row * variables.len() + column].abs() <= 1e-8 * scale, "graph {seed}");
        }
        compared += usize::from(!hessian.entries().is_empty());
    }
    assert!(compared > 50, "only {compared} comparisons made sense");
}

#[test]
fn kinks_have_the_slope_of_the_active_side() {
    let scope = Scope::default();
    let (x, y) = (scope.variable("x"), scope.variable("y"));
    let cases = [
        ("abs", x.abs(), [(2.0, 0.0, [1.0, 0.0]), (-2.0, 0.0, [-1.0, 0.0])]),
        ("sign", x.sign(), [(2.0, 0.0, [0.0, 0.0]), (-2.0, 0.0, [0.0, 0.0])]),
        ("min", (3.0 * x).min(y * y), [(1.0, 4.0, [3.0, 0.0]), (9.0, 4.0, [0.0, 8.0])]),
        ("max", (3.0 * x).max(y * y), [(1.0, 4.0, [0.0, 8.0]), (9.0, 4.0, [3.0, 0.0])]),
        ("if", x.less(y).select(x * y, 5.0 * x), [(1.0, 4.0, [4.0, 1.0]), (9.0, 4.0, [5.0, 0.0])]),
        ("condition", x.less_equal(y) * x, [(1.0, 4.0, [1.0, 0.0]), (9.0, 4.0, [0.0, 0.0])]),
        // The branch that is not taken may be undefined.
        ("guard", x.less(0.0).select(-x, x.sqrt()), [(-4.0, 0.0, [-1.0, 0.0]), (4.0, 0.0, [0.25, 0.0])]),
        ("pole", y.equal(0.0).select(x, (x / y).sin()), [(2.0, 0.0, [1.0, 0.0]), (0.0, 4.0, [0.25, 0.0])]),
        ("log", x.max(y.log()), [(3.0, 0.0, [1.0, 0.0]), (-3.0, 4.0, [0.0, 0.25])]),
    ];
    for (name, f, sides) in cases {
        let gradient = ids(&f.gradient(&[x, y]));
        for (at_x, at_y, expected) in sides {
            let found = scope.with(|graph| graph.evaluate(&gradient, &[(x.id(), at_x), (y.id(), at_y)]));
            assert_eq!(found, expected, "{name} at ({at_x}, {at_y})");
            // Second derivatives exist there too.
            let hessian = scope.with(|graph| graph.hessian(f.id(), &ids(&[x, y])).expressions());
            let found = scope.with(|graph| graph.evaluate(&hessian, &[(x.id(), at_x), (y.id(), at_y)]));
            assert!(found.iter().all(|entry| entry.is_finite()), "{name} at ({at_x}, {at_y}): {found:?}");
        }
    }
}
