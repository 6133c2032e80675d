//! Periods are found where sines turn at rates that are numbers, and nowhere else.

use crate::common;

use carom_expr::text::parse;
use carom_expr::{Dependence, Graph, Id};
use common::Noise;
use common::words::Words;
use std::f64::consts::{PI, TAU};

fn expression(graph: &mut Graph, text: &str) -> Id {
    parse(graph, text, &mut Words::new(&["x", "y", "k"])).unwrap_or_else(|error| panic!("{text}: {error:?}"))
}

fn dependence(text: &str) -> Dependence {
    let mut graph = Graph::new();
    let x = graph.variable("x");
    let root = expression(&mut graph, text);
    graph.dependence(&[root], x)
}

#[test]
fn periods_are_read_off() {
    let cases = [
        ("sin(x)", TAU),
        ("cos(3*x + y^2)", TAU / 3.0),
        ("tan(x)", PI),
        ("tan(x) + sin(2*x)", PI),
        ("cos(x) + 3*cos(3*x)", TAU),
        ("6*(cos(x) + 3*cos(3*x))/(5 - 3*cos(2*x))^2", TAU),
        ("sin(2*x)*sin(3*x)", TAU),
        ("sin(x/2)*exp(-y) + sin(x/3)", 6.0 * TAU),
        ("sin(2*pi*x) + cos(6*pi*x)", 1.0),
        ("sin(0.1*x) + sin(0.3*x)", TAU / 0.1),
        ("sin(x)*cos(0.3333333333333333*x)", 3.0 * TAU),
        ("sin(0.1*3*x) + cos(0.7*x - 0.1*x) + sin(x/7*2.1)", TAU / 0.3),
        ("abs(sin(x - y)) + max(cos(x), y)", TAU),
        ("if(sin(x) < 0, y, cos(2*x))", TAU),
        ("atan2(sin(x), cos(x))", TAU),
        // Rates add up before they turn, and a wave may ride on a drift.
        ("sin(3*(x + y) - x)", PI),
        ("sin(sin(4*x))", TAU / 4.0),
        ("sin(2*x + cos(6*x))", PI),
        ("sin(-(x - k))", TAU),
    ];
    for (text, period) in cases {
        match dependence(text) {
            Dependence::Periodic(found) => assert!((found / period - 1.0).abs() < 1e-14, "{text}: {found}"),
            other => panic!("{text}: {other:?}"),
        }
    }
}

#[test]
fn what_does_not_repeat_is_something_else() {
    let texts = [
        "x",
        "x + sin(x)",
        "x*sin(x)",
        "sin(x^2)",
        "sin(k*x)",
        "sin(x*y)",
        "exp(x)",
        "sin(x) + sin(sqrt(2)*x)",
        "sin(x) + sin(65*x)",
        // Thirds that are cut off come round after 1e12 turns.
        "sin(x)*cos(0.333333333333*x)",
        "sin(x)*cos(0.33333333333333*x)",
        "abs(x)",
        "sin(1/x)",
        "if(x < 0, 1, 2)",
    ];
    for text in texts {
        assert_eq!(dependence(text), Dependence::Other, "{text}");
    }
}

#[test]
fn what_does_not_occur_does_not_matter() {
    for text in ["3", "y*sin(k)", "sin((x + y) - (x + k))"] {
        assert_eq!(dependence(text), Dependence::None, "{text}");
    }
    assert_eq!(Graph::new().dependence(&[], Graph::new().variable("x")), Dependence::None);
}

#[test]
fn all_roots_have_the_period() {
    let mut graph = Graph::new();
    let x = graph.variable("x");
    let roots = ["sin(4*x)", "cos(6*x)", "y"].map(|text| expression(&mut graph, text));
    assert_eq!(graph.dependence(&roots, x), Dependence::Periodic(PI));
    // Derivatives have the periods of their functions.
    let slope = graph.gradient(roots[0], &[x]);
    assert_eq!(graph.dependence(&slope, x), Dependence::Periodic(TAU / 4.0));
    assert_eq!(graph.dependence(&[roots[0], x], x), Dependence::Other);
}

#[test]
fn values_repeat() {
    let mut noise = Noise::new(4);
    for text in ["sin(2*x + cos(6*x))/(2 + tan(x/2)^2)", "atan2(sin(x), 2 + cos(x*3/7))", "exp(sin(5*x - y))"] {
        let mut graph = Graph::new();
        let (x, y) = (graph.variable("x"), graph.variable("y"));
        let root = expression(&mut graph, text);
        let Dependence::Periodic(period) = graph.dependence(&[root], x) else { panic!("{text}") };
        for _ in 0..100 {
            let (at, other) = (5.0 * noise.next(), noise.next());
            let [a, b] = [at, at + period].map(|at| graph.evaluate(&[root], &[(x, at), (y, other)])[0]);
            assert!((a - b).abs() < 1e-12, "{text}: {a} and {b}");
        }
    }
}
