//! Construction simplifies, shares, and never changes a value beyond rounding.

use crate::common;

use carom_expr::{Binary, Expr, Graph, Id, Scope, Unary, ids};
use common::{Noise, random_graph};

#[test]
fn equal_formulas_are_one_expression() {
    let scope = Scope::default();
    let [x, y, z] = ["x", "y", "z"].map(|name| scope.variable(name));
    let number = |value: f64| scope.constant(value);
    let same: Vec<(&str, Expr<'_>, Expr<'_>)> = vec![
        // commutation, neutral elements, cancellation
        ("x + y", x + y, y + x),
        ("x y", x * y, y * x),
        ("x == y", x.equal(y), y.equal(x)),
        ("x + 0", x + 0.0, x),
        ("0 + x", 0.0 + x, x),
        ("x - 0", x - 0.0, x),
        ("1 x", 1.0 * x, x),
        ("x / 1", x / 1.0, x),
        ("0 x", 0.0 * x, number(0.0)),
        ("0 / x", 0.0 / x, number(0.0)),
        ("x - x", x - x, number(0.0)),
        ("x + x", x + x, 2.0 * x),
        ("2 x + 3 x", 2.0 * x + 3.0 * x, 5.0 * x),
        ("2 x - 3 x", 2.0 * x - 3.0 * x, -x),
        ("x y - y x", x * y - y * x, number(0.0)),
        ("-0", number(-0.0), number(0.0)),
        // signs
        ("-(-x)", -(-x), x),
        ("0 - x", 0.0 - x, -x),
        ("x + (-y)", x + (-y), x - y),
        ("-x + y", -x + y, y - x),
        ("x - (-y)", x - (-y), x + y),
        ("-x - y", -x - y, -(x + y)),
        ("-(x - y)", -(x - y), y - x),
        ("(-x) y", (-x) * y, -(x * y)),
        ("(-x) (-y)", (-x) * (-y), x * y),
        ("-x / y", (-x) / y, -(x / y)),
        ("x - 3", x - 3.0, x + (-3.0)),
        // constant factors
        ("2 (3 x)", 2.0 * (3.0 * x), 6.0 * x),
        ("(2 x) (3 y)", (2.0 * x) * (3.0 * y), 6.0 * (x * y)),
        ("(2 x) y = x (2 y)", (2.0 * x) * y, x * (2.0 * y)),
        ("x / 4", x / 4.0, 0.25 * x),
        ("(6 x) / (3 y)", (6.0 * x) / (3.0 * y), 2.0 * (x / y)),
        ("-(2 x)", -(2.0 * x), -2.0 * x),
        ("angular momentum", (2.0 * x) * y - (2.0 * y) * x, number(0.0)),
        // powers
        ("x^0", x.pow(0.0), number(1.0)),
        ("x^1", x.pow(1.0), x),
        ("x^2", x.pow(2.0), x * x),
        ("x^4", x.pow(4.0), (x * x) * (x * x)),
        ("x^-1", x.pow(-1.0), 1.0 / x),
        ("x^(1/2)", x.pow(0.5), x.sqrt()),
        // parity
        ("sin(-x)", (-x).sin(), -x.sin()),
        ("tanh(-x)", (-x).tanh(), -x.tanh()),
        ("cos(-x)", (-x).cos(), x.cos()),
        ("cos(x - y)", (x - y).cos(), (x - y).cos()),
        ("abs(-x)", (-x).abs(), x.abs()),
        // choices
        ("min(x, x)", x.min(x), x),
        ("if(1, x, y)", number(1.0).select(x, y), x),
        ("if(0, x, y)", number(0.0).select(x, y), y),
        ("if(z, x, x)", z.select(x, x), x),
        ("2 < 3", number(2.0).less(3.0), number(1.0)),
    ];
    for (name, a, b) in same {
        assert_eq!(a, b, "{name}");
    }
    // These differ where a value is not a number, or in the order of evaluation.
    assert_ne!(x.min(y), y.min(x));
    assert_ne!(x / x, number(1.0));
    assert_ne!((x + y) + z, x + (y + z));
    assert_ne!(x.equal(x), number(1.0));
}

#[test]
fn constants_fold_to_the_values_of_the_operations() {
    let mut graph = Graph::new();
    let mut noise = Noise::new(11);
    for _ in 0..200 {
        let (a, b) = (3.0 * noise.next(), 3.0 * noise.next());
        let (left, right) = (graph.constant(a), graph.constant(b));
        let unary = Unary::NAMED.iter().map(|(_, op)| *op).chain([Unary::Neg]);
        for op in unary {
            let folded = graph.unary(op, left);
            assert_eq!(graph.value(folded).map(f64::to_bits), Some(op.apply(a).to_bits()), "{op:?} {a}");
        }
        for op in [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::Pow, Binary::Atan2, Binary::Less] {
            let folded = graph.binary(op, left, right);
            assert_eq!(graph.value(folded).map(f64::to_bits), Some(op.apply(a, b).to_bits()), "{op:?} {a} {b}");
        }
    }
    let (zero, one) = (graph.constant(0.0), graph.constant(1.0));
    let infinite = graph.div(one, zero);
    assert_eq!(graph.value(infinite), Some(f64::INFINITY));
    let undefined = graph.div(zero, zero);
    assert!(graph.value(undefined).is_some_and(f64::is_nan));
}

#[test]
fn division_by_extreme_numbers_is_not_a_product() {
    let mut graph = Graph::new();
    let x = graph.variable("x");
    for divisor in [1e-310, 5e-324, 1.5e308, -1e-309] {
        let by = graph.constant(divisor);
        let quotient = graph.div(x, by);
        assert_eq!(graph.evaluate(&[quotient], &[(x, divisor)]), [1.0], "{divisor:e}");
    }
    let by_zero = graph.constant(0.0);
    let pole = graph.div(x, by_zero);
    assert_eq!(graph.evaluate(&[pole], &[(x, -2.0)]), [f64::NEG_INFINITY]);
}

#[test]
fn construction_keeps_values() {
    // The same operations on expressions and on numbers, side by side.
    let operations =
        [Binary::Add, Binary::Sub, Binary::Mul, Binary::Div, Binary::Pow, Binary::Min, Binary::Max, Binary::Less];
    let (mut compared, mut simplified) = (0, 0);
    for seed in 0..400 {
        let (mut graph, mut noise) = (Graph::new(), Noise::new(seed));
        let inputs = graph.variables("x", 3);
        let values: Vec<(Id, f64)> = inputs.iter().map(|&id| (id, 2.0 * noise.next())).collect();
        let mut pool = values.clone();
        for value in [0.0, 1.0, -1.0, 2.0, 0.5] {
            pool.push((graph.constant(value), value));
        }
        for _ in 0..60 {
            let ((a, x), (b, y)) = (pool[noise.below(pool.len())], pool[noise.below(pool.len())]);
            let nodes = graph.len();
            pool.push(match noise.below(12) {
                0 | 1 => (graph.neg(a), -x),
                2 => (graph.unary(Unary::Sin, a), x.sin()),
                3 => (graph.unary(Unary::Cos, a), x.cos()),
                4 => (graph.select(a, b, a), if x == 0.0 { x } else { y }),
                choice => {
                    let op = operations[if choice < 10 { noise.below(3) } else { noise.below(operations.len()) }];
                    (graph.binary(op, a, b), op.apply(x, y))
                }
            });
            simplified += usize::from(graph.len() == nodes);
        }
        // Huge values are left out: their differences have no digits left.
        for &(id, expected) in pool.iter().filter(|(_, value)| value.abs() < 1e6) {
            let found = graph.evaluate(&[id], &values)[0];
            let close = (found - expected).abs() <= 1e-9 * (1.0 + expected.abs());
            assert!(close, "graph {seed}: {expected:e} as written, {found:e} built: {}", graph.display(id));
            compared += 1;
        }
    }
    assert!(compared > 15_000 && simplified > 2_000, "{compared} compared, {simplified} simplified");
}

#[test]
fn substituted_constants_fold_to_the_value() {
    let mut compared = 0;
    for seed in 0..400 {
        let (mut graph, inputs, outputs) = random_graph(seed, 40);
        let mut noise = Noise::new(seed + 9000);
        let values: Vec<(Id, f64)> = inputs.iter().map(|&id| (id, 2.0 * noise.next())).collect();
        let constants: Vec<(Id, Id)> = values.iter().map(|&(id, value)| (id, graph.constant(value))).collect();
        // Only some at once: the rest of the formula is simplified anew around the numbers.
        for known in [1, 3, 5] {
            let partly = graph.substitute(&outputs, &constants[..known]);
            for (&root, &new) in outputs.iter().zip(&partly) {
                let (a, b) = (graph.evaluate(&[root], &values)[0], graph.evaluate(&[new], &values)[0]);
                // Zero times an undefined value is zero here, so only defined values compare.
                if !a.is_finite() {
                    continue;
                }
                let close = (a - b).abs() <= 1e-9 * (1.0 + a.abs());
                assert!(close, "graph {seed}: {a:e} and {b:e}: {} and {}", graph.display(root), graph.display(new));
                compared += 1;
            }
            let left = graph.free_variables(&partly);
            assert!(constants[..known].iter().all(|(variable, _)| !left.contains(variable)));
        }
    }
    assert!(compared > 10_000, "only {compared} comparisons made sense");
}

#[test]
fn substitution_is_simultaneous_and_takes_expressions() {
    let scope = Scope::default();
    let [x, y, z] = ["x", "y", "z"].map(|name| scope.variable(name));
    let f = x / y + (x * y).sin();
    let replace = |root: Expr<'_>, pairs: &[(Expr<'_>, Expr<'_>)]| {
        let pairs: Vec<(Id, Id)> = pairs.iter().map(|(old, new)| (old.id(), new.id())).collect();
        scope.with(|graph| graph.substitute(&[root.id()], &pairs)[0])
    };
    assert_eq!(replace(f, &[(x, y), (y, x)]), (y / x + (x * y).sin()).id());
    assert_eq!(replace(f, &[(x * y, z)]), (x / y + z.sin()).id());
    assert_eq!(replace(f, &[(x, y * z)]), ((y * z) / y + (y * z * y).sin()).id());
    assert_eq!(replace(f, &[(z, x)]), f.id());
    assert_eq!(replace(z, &[(z, x)]), x.id());
    assert_eq!(replace(x - y, &[(x, y)]), scope.constant(0.0).id());
}

#[test]
fn free_variables_are_those_that_matter() {
    let scope = Scope::default();
    let [x, y, z] = ["x", "y", "z"].map(|name| scope.variable(name));
    let free = |root: Expr<'_>| scope.with(|graph| graph.free_variables(&[root.id()]));
    assert_eq!(free(z * x + x.sin()), ids(&[x, z]));
    assert_eq!(free(x + y - x * 1.0), ids(&[x, y]));
    assert_eq!(free(0.0 * x + y), ids(&[y]));
    assert_eq!(free(x.less(y).select(z, 1.0)), ids(&[x, y, z]));
    assert!(free(scope.constant(2.0)).is_empty());
    let product = (x * y).id();
    scope.with(|graph| {
        assert!(graph.depends_on(product, &[z.id(), y.id()]) && !graph.depends_on(product, &[z.id()]));
    });
}

#[test]
fn nothing_is_stored_twice() {
    let mut graph = Graph::new();
    let (x, again, other) = (graph.variable("x"), graph.variable("x"), graph.variable("X"));
    assert!(x == again && x != other);
    assert_eq!((graph.find_variable("x"), graph.find_variable("nobody")), (Some(x), None));
    assert_eq!(graph.variable_name(other), Some("X"));
    let terms = graph.variables("x", 5);
    let sum = graph.sum(terms.iter().copied());
    let nodes = graph.len();
    assert_eq!((graph.sum(terms.iter().copied()), graph.len()), (sum, nodes));
    assert_eq!(graph.operation_count(&[sum, sum, x]), 4);
    // Operands come before their users.
    let order = graph.reachable(&[sum]);
    assert!(order.windows(2).all(|pair| pair[0] < pair[1]) && order.last() == Some(&sum));
}
