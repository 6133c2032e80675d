//! Text into expressions: what it means, where mistakes are, and back into text.

use crate::common;

use carom_expr::text::{ParseError, ParseErrorKind, is_name, names_in, nearest, parse};
use carom_expr::{Graph, Id};
use common::words::Words;
use common::{Noise, random_graph};
use std::ops::Range;

/// The value of a text where `x = 2`, `y = 3`, `x' = 5`.
fn value(text: &str) -> f64 {
    let mut graph = Graph::new();
    let (x, y, rate) = (graph.variable("x"), graph.variable("y"), graph.variable("x'"));
    let root = parse(&mut graph, text, &mut Words::new(&["x", "y"])).unwrap_or_else(|e| panic!("{text}: {e}"));
    graph.evaluate(&[root], &[(x, 2.0), (y, 3.0), (rate, 5.0)])[0]
}

fn error(text: &str) -> ParseError {
    parse(&mut Graph::new(), text, &mut Words::new(&["x", "y", "mass"])).expect_err(text)
}

#[test]
fn precedence() {
    let table = [
        // sums and products, from the left
        ("1 + 2*3", 7.0),
        ("10 - 4 - 3", 3.0),
        ("24 / 4 / 3", 2.0),
        ("24 / 4 * 3", 18.0),
        ("2*(1 + 2)", 6.0),
        // signs and powers
        ("-2^2", -4.0),
        ("(-2)^2", 4.0),
        ("2^-1", 0.5),
        ("2^3^2", 512.0),
        ("2**3**2", 512.0),
        ("-x^2", -4.0),
        ("2*-3", -6.0),
        ("1 - -3", 4.0),
        ("--3", 3.0),
        ("+-+3", -3.0),
        ("-2^-2", -0.25),
        ("x^0.5^2", 2.0_f64.powf(0.25)),
        // comparisons bind weaker than sums
        ("1 + 1 < 3", 1.0),
        ("1 + (1 < 3)", 2.0),
        ("x <= 2", 1.0),
        ("x < 2", 0.0),
        ("x > 2", 0.0),
        ("x >= 2", 1.0),
        ("x == 2", 1.0),
        ("x != 2", 0.0),
        // words: or, then and, then not
        ("1 or 0 and 0", 1.0),
        ("(1 or 0) and 0", 0.0),
        ("not 0 and 0", 0.0),
        ("not (0 and 0)", 1.0),
        ("not not 3", 1.0),
        ("not x < 1", 1.0),
        ("x < 1 or y > 1 and x == 2", 1.0),
        // functions
        ("if(x < y, x, y)", 2.0),
        ("if(not x < y, x, y)", 3.0),
        ("min(4, x, 3, y)", 2.0),
        ("max(4, x, 9, y, 1)", 9.0),
        ("atan2(1, -1)", 0.75 * std::f64::consts::PI),
        ("sqrt(x + 2)^3", 8.0),
        ("sin(pi/2) + cos(0)", 2.0),
        ("abs(-x) + sign(-y)", 1.0),
        // numbers and rates
        ("1e3 + 1.5E-1 + .5 + 2.", 1002.65),
        ("x'*x", 10.0),
        ("\t x\n+ y ", 5.0),
    ];
    for (text, expected) in table {
        assert_eq!(value(text), expected, "{text}");
    }
}

#[test]
fn names_and_their_primes_are_handed_on() {
    let mut words = Words::new(&["x", "_a1"]);
    parse(&mut Graph::new(), "x + x' * x''(1)", &mut words).expect_err("x'' is no function");
    parse(&mut Graph::new(), "x + x' * x''^_a1'''", &mut words).expect("fine");
    let asked: Vec<(&str, usize)> = words.asked.iter().map(|(name, primes)| (name.as_str(), *primes)).collect();
    assert_eq!(asked, [("x", 0), ("x", 1), ("x", 0), ("x", 1), ("x", 2), ("_a1", 3)]);
    assert_eq!(names_in("sin(x') + if(y < pi, mass, x)"), ["x", "y", "mass", "x"]);
    assert!(is_name("_a1") && !is_name("1a") && !is_name("") && !is_name("ä") && !is_name("a b"));
}

#[test]
fn mistakes_are_placed_exactly() {
    let expected = |what, found: &str| ParseErrorKind::Expected { expected: what, found: found.to_owned() };
    let start = "a number, a name or `(`";
    let close = "`)`, `,` or an operator";
    let known: Vec<String> = ["x", "y", "mass"].map(str::to_owned).to_vec();
    let unknown = |name: &str, suggestion: Option<&str>| ParseErrorKind::UnknownName {
        name: name.to_owned(),
        suggestion: suggestion.map(str::to_owned),
        known: known.clone(),
    };
    let function = |name: &str, suggestion: Option<&str>| ParseErrorKind::UnknownFunction {
        name: name.to_owned(),
        suggestion: suggestion.map(str::to_owned),
    };
    let count =
        |name: &str, expected, found| ParseErrorKind::WrongArgumentCount { name: name.to_owned(), expected, found };
    let number = |text: &str| ParseErrorKind::BadNumber { text: text.to_owned() };
    let bare = |name: &str| ParseErrorKind::FunctionWithoutArguments { name: name.to_owned() };
    let table: Vec<(&str, Range<usize>, ParseErrorKind)> = vec![
        ("", 0..0, ParseErrorKind::Empty),
        ("  ", 0..2, ParseErrorKind::Empty),
        ("x + ?", 4..5, ParseErrorKind::UnexpectedCharacter { character: '?' }),
        ("x = 2", 2..3, ParseErrorKind::UnexpectedCharacter { character: '=' }),
        ("x + ü*y", 4..6, ParseErrorKind::UnexpectedCharacter { character: 'ü' }),
        ("'x", 0..1, ParseErrorKind::UnexpectedCharacter { character: '\'' }),
        ("x*1.2.3", 2..7, number("1.2.3")),
        ("1e999 + x", 0..5, number("1e999")),
        ("x + .", 4..5, number(".")),
        ("x + ", 4..4, expected(start, "the end of the expression")),
        ("x + * y", 4..5, expected(start, "`*`")),
        ("(x + y", 6..6, expected(close, "the end of the expression")),
        ("sin(x; y)", 5..6, ParseErrorKind::UnexpectedCharacter { character: ';' }),
        ("(x y)", 3..4, expected(close, "`y`")),
        ("x + y)", 5..6, expected("an operator or the end", "`)`")),
        ("x < y < 3", 6..7, expected("an operator or the end", "`<`")),
        ("x + and", 4..7, expected(start, "`and`")),
        ("2*not(x)", 2..5, expected(start, "`not`")),
        ("2 x", 2..3, ParseErrorKind::MissingOperator),
        ("(x)(y)", 3..4, ParseErrorKind::MissingOperator),
        ("x 3", 2..3, ParseErrorKind::MissingOperator),
        ("2 * masss", 4..9, unknown("masss", Some("mass"))),
        ("2 * qqq''", 4..9, unknown("qqq''", None)),
        ("2 + sine(x)", 4..8, function("sine", Some("sin"))),
        ("pj(x)", 0..2, function("pj", None)),
        ("sin'(x)", 0..4, function("sin'", Some("sin"))),
        ("x'(2)", 0..2, ParseErrorKind::NotAFunction { name: "x'".to_owned() }),
        ("1 + pi(2)", 4..6, ParseErrorKind::NotAFunction { name: "pi".to_owned() }),
        ("1 + sin", 4..7, bare("sin")),
        ("if + 1", 0..2, bare("if")),
        ("x + sin()", 4..7, count("sin", "1", 0)),
        ("x + sin(x, y)", 4..7, count("sin", "1", 2)),
        ("atan2(x)", 0..5, count("atan2", "2", 1)),
        ("min(x)", 0..3, count("min", "2 or more", 1)),
        ("if(x, y)", 0..2, count("if", "3", 2)),
    ];
    for (text, span, kind) in table {
        let found = error(text);
        assert_eq!((found.span, found.kind), (span, kind), "{text}");
    }
    let rejected = error("x + banned'");
    assert_eq!((rejected.span.clone(), rejected.to_string().as_str()), (4..11, "`banned` cannot stand here"));
    assert_eq!(rejected.help().as_deref(), Some("leave it out"));
}

#[test]
fn help_says_what_to_write() {
    let table = [
        ("masss", "did you mean `mass`?"),
        ("qqq", "known names: x, y, mass"),
        ("sine(x)", "did you mean `sin`?"),
        ("mass(x)", "to multiply, write `mass*(...)`"),
        ("x = 2", "to compare, write `==`"),
        ("2 x", "to multiply, write `*` between the factors"),
    ];
    for (text, help) in table {
        assert_eq!(error(text).help().as_deref(), Some(help), "{text}");
    }
    assert!(error("gamma(x)").help().is_some_and(|help| help.contains("atan2") && help.ends_with("if")));
    assert_eq!(nearest("hieght", ["weight", "height"]).as_deref(), Some("height"));
    assert_eq!(nearest("Mass", ["mass"]).as_deref(), Some("mass"));
    assert_eq!(nearest("x", ["y"]), None);
    assert_eq!(nearest(&"a".repeat(100), [&*"a".repeat(99)]), None);
}

#[test]
fn displayed_expressions_are_read_back() {
    let mut compared = 0;
    for seed in 0..400 {
        let (mut graph, inputs, outputs) = random_graph(seed, 25);
        // Names that text can spell.
        let names = ["a", "b", "c", "d", "e"];
        let renamed: Vec<(Id, Id)> =
            inputs.iter().zip(names).map(|(&input, name)| (input, graph.variable(name))).collect();
        let mut noise = Noise::new(seed + 7000);
        let values: Vec<(Id, f64)> = renamed.iter().map(|&(_, id)| (id, 2.0 * noise.next())).collect();
        for root in graph.substitute(&outputs, &renamed) {
            let text = graph.display(root);
            if text.contains("...") {
                continue;
            }
            let again = parse(&mut graph, &text, &mut Words::new(&names)).unwrap_or_else(|e| panic!("{text}: {e}"));
            let found = graph.evaluate(&[root, again], &values);
            let close = (found[0] - found[1]).abs() <= 1e-9 * found[0].abs();
            let same = found[0] == found[1] || (found[0].is_nan() && found[1].is_nan());
            assert!(same || close, "graph {seed}: {} and {}: {text}", found[0], found[1]);
            compared += 1;
        }
    }
    assert!(compared > 4000, "only {compared} were short enough");
}
