//! Bounds of expressions enclose all values, know squares, and survive every input.

use crate::common;

use carom_expr::{Binary, Bounds, FunctionError, Graph, Id, Interval, Unary};
use common::{Noise, random_graph};

const INFINITY: f64 = f64::INFINITY;
const BINARY: [Binary; 11] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::Div,
    Binary::Pow,
    Binary::Atan2,
    Binary::Min,
    Binary::Max,
    Binary::Less,
    Binary::LessEqual,
    Binary::Equal,
];

fn bound(graph: &Graph, inputs: &[Id], roots: &[Id], inside: &[Interval]) -> Vec<Interval> {
    let mut outputs = vec![Interval::point(f64::NAN); roots.len()];
    Bounds::new(graph, inputs, roots).expect("all variables are inputs").eval(inside, &mut outputs);
    outputs
}

/// A box of a random size, from a point to a few units.
fn random_interval(noise: &mut Noise) -> Interval {
    let centre = 3.0 * noise.next();
    let radius = [0.0, 1e-15, 1e-8, 1e-3, 0.1, 2.0][noise.below(6)];
    Interval::new(centre - radius, centre + radius)
}

/// A member: an end, zero if it can be, or anything.
fn member(noise: &mut Noise, of: Interval) -> f64 {
    match noise.below(4) {
        0 => of.lo,
        1 => of.hi,
        2 if of.contains_zero() => 0.0,
        _ => (of.lo + of.width() * (0.5 + 0.5 * noise.next())).clamp(of.lo, of.hi),
    }
}

#[test]
fn random_expressions_stay_inside() {
    let (mut checked, mut bounded) = (0, 0);
    for seed in 0..1200 {
        let (graph, inputs, outputs) = random_graph(seed, [6, 15, 60][seed as usize % 3]);
        let mut noise = Noise::new(seed + 5000);
        let inside: Vec<Interval> = inputs.iter().map(|_| random_interval(&mut noise)).collect();
        let found = bound(&graph, &inputs, &outputs, &inside);
        for _ in 0..20 {
            let point: Vec<(Id, f64)> = inputs.iter().zip(&inside).map(|(&x, &i)| (x, member(&mut noise, i))).collect();
            for (&output, range) in outputs.iter().zip(&found) {
                let values = graph.evaluate(&graph.reachable(&[output]), &point);
                // What follows from an undefined value is not bounded.
                if values.iter().any(|value| value.is_nan()) {
                    continue;
                }
                let value = values[values.len() - 1];
                let formula = || graph.display(output);
                assert!(range.contains(value), "graph {seed}: {value:e} not in {range:?} at {point:?}: {}", formula());
                checked += 1;
                bounded += usize::from(range.width() < 100.0);
            }
        }
    }
    // The test would be empty if most bounds were the whole line.
    assert!(checked > 100_000 && bounded > checked / 2, "{bounded} of {checked}");
}

/// One operation on the variables `x` and `y`.
fn operations() -> (Graph, [Id; 2], Vec<Id>) {
    let mut graph = Graph::new();
    let (x, y) = (graph.variable("x"), graph.variable("y"));
    let unary = Unary::NAMED.iter().map(|(_, op)| *op).chain([Unary::Neg]);
    let mut roots: Vec<Id> = unary.map(|op| graph.unary(op, x)).collect();
    roots.extend(BINARY.map(|op| graph.binary(op, x, y)));
    for exponent in [-17.0, -3.5, -0.5, 0.3, 2.0, 3.0, 2.5, 17.0, 18.0, -18.0] {
        let exponent = graph.constant(exponent);
        roots.push(graph.pow(x, exponent));
    }
    roots.push(graph.select(x, y, x));
    (graph, [x, y], roots)
}

#[test]
fn single_operations_stay_inside() {
    let (graph, inputs, roots) = operations();
    let mut bounds = Bounds::new(&graph, &inputs, &roots).expect("compiles");
    let mut found = vec![Interval::ENTIRE; roots.len()];
    let mut noise = Noise::new(3);
    for _ in 0..20_000 {
        let scale = [1e-3, 1.0, 1.0, 30.0, 1e6][noise.below(5)];
        let inside = [(); 2].map(|()| random_interval(&mut noise) * Interval::point(scale));
        bounds.eval(&inside, &mut found);
        for _ in 0..4 {
            let [x, y] = inside.map(|i| member(&mut noise, i));
            let values = graph.evaluate(&roots, &[(inputs[0], x), (inputs[1], y)]);
            for ((&root, value), range) in roots.iter().zip(values).zip(&found) {
                let fits = value.is_nan() || range.contains(value);
                assert!(fits, "{} = {value:e} not in {range:?}, x = {x:e}, y = {y:e}", graph.display(root));
            }
        }
    }
}

#[test]
fn equal_factors_are_a_square() {
    let mut graph = Graph::new();
    let [x, y] = ["x", "y"].map(|name| graph.variable(name));
    let square = graph.mul(x, x);
    // Fused with the sum, as sum, difference and reversed difference.
    let roots = [square, graph.add(square, y), graph.sub(square, y), graph.sub(y, square)];
    for root in roots {
        let found = bound(&graph, &[x, y], &[root], &[Interval::new(-1.0, 2.0), Interval::point(0.0)])[0];
        let above = 4.0_f64.next_up();
        let expected = if root == roots[3] { (-above, 0.0) } else { (0.0, above) };
        assert_eq!((found.lo, found.hi), expected, "{}", graph.display(root));
    }
}

#[test]
fn points_have_bounds_of_a_few_places() {
    let mut graph = Graph::new();
    let [y, th] = ["y", "th"].map(|name| graph.variable(name));
    let gap = ellipse_gap(&mut graph, y, th);
    let mut noise = Noise::new(8);
    for _ in 0..1000 {
        let values = [3.0 * noise.next(), 30.0 * noise.next()];
        let found = bound(&graph, &[y, th], &[gap], &values.map(Interval::point))[0];
        assert!(found.width() < 2e-14 && found.contains(graph.evaluate(&[gap], &[(y, values[0]), (th, values[1])])[0]));
    }
}

/// Height of an ellipse with half axes 2 and 1, turned by `th`, above the ground.
fn ellipse_gap(graph: &mut Graph, y: Id, th: Id) -> Id {
    let squares = [Unary::Sin, Unary::Cos].map(|op| {
        let value = graph.unary(op, th);
        graph.mul(value, value)
    });
    let long = graph.scale(4.0, squares[0]);
    let sum = graph.add(long, squares[1]);
    let reach = graph.unary(Unary::Sqrt, sum);
    graph.sub(y, reach)
}

#[test]
fn extreme_inputs_never_give_nonsense() {
    const EXTREMES: [f64; 16] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        5e-324,
        -5e-324,
        1e-308,
        1e308,
        -1e308,
        f64::MAX,
        f64::MIN,
        INFINITY,
        -INFINITY,
        f64::NAN,
        1e9,
        -1.5,
    ];
    let (graph, inputs, roots) = operations();
    let mut noise = Noise::new(21);
    for seed in 0..3000 {
        let mut extreme = || EXTREMES[noise.below(EXTREMES.len())];
        // Fields are public: eval has to take ends in any order.
        let mut any = || Interval { lo: extreme(), hi: extreme() };
        let (random, variables, outputs) = random_graph(seed, 30);
        let inside: Vec<Interval> = variables.iter().map(|_| any()).collect();
        let mut found = bound(&random, &variables, &outputs, &inside);
        found.extend(bound(&graph, &inputs, &roots, &[any(), any()]));
        for range in found {
            assert!(range.lo <= range.hi && range.lo < INFINITY && range.hi > -INFINITY, "seed {seed}: {range:?}");
        }
    }
}

#[test]
fn unknown_variables_are_errors() {
    let mut graph = Graph::new();
    let (x, y) = (graph.variable("x"), graph.variable("speed"));
    let sum = graph.add(x, y);
    let error = Bounds::new(&graph, &[x], &[sum]).expect_err("speed is not an input");
    assert_eq!(error, FunctionError::UnboundVariable { variable: "speed".into(), inputs: "x".into() });
    let error = Bounds::new(&graph, &[sum], &[x]).expect_err("a sum is no variable");
    assert!(matches!(error, FunctionError::NotAVariable { .. }), "{error}");
}
