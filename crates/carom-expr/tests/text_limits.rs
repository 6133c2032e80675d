//! No text exhausts the machine or panics, whatever it is.

use crate::common;

use carom_expr::Graph;
use carom_expr::text::{Limits, ParseErrorKind, names_in, parse, parse_with_limits};
use common::Noise;
use common::words::Words;

#[test]
fn limits_hold() {
    let mut graph = Graph::new();
    let mut words = Words::new(&["x"]);
    let limits = Limits { length: 60, depth: 4, nodes: 10 };
    let mut kind = |text: &str| {
        let error = parse_with_limits(&mut graph, text, &mut words, limits).expect_err(text);
        (error.kind, error.span)
    };
    assert_eq!(kind(&"x".repeat(61)), (ParseErrorKind::TooLong { limit: 60 }, 0..61));
    assert_eq!(kind("((((( x )))))"), (ParseErrorKind::TooDeep { limit: 4 }, 6..7));
    assert_eq!(kind("x + ----- x").0, ParseErrorKind::TooDeep { limit: 4 });
    assert_eq!(kind("x^x^x^x^x^x").0, ParseErrorKind::TooDeep { limit: 4 });
    assert_eq!(kind("not not not not not x").0, ParseErrorKind::TooDeep { limit: 4 });
    assert_eq!(kind("x*(x + 1)*(x + 2)*(x + 3)*(x + 4)*(x + 5)").0, ParseErrorKind::TooManyNodes { limit: 10 });
    // Within the limits, one after the other is not one inside the other.
    parse_with_limits(&mut graph, "(x) + (x) + (x) + (x) + (x) + -x", &mut words, limits).expect("shallow");
}

#[test]
fn deep_nesting_does_not_exhaust_the_stack() {
    let deep = 100_000;
    let unlimited = Limits { length: usize::MAX, ..Limits::default() };
    for opening in ["(", "-", "not ", "sin(", "2^", "if(", "min(1, ", "(-", "x + ("] {
        let text = opening.repeat(deep) + "1";
        let error = parse_with_limits(&mut Graph::new(), &text, &mut Words::new(&["x"]), unlimited);
        assert_eq!(error.expect_err(opening).kind, ParseErrorKind::TooDeep { limit: 128 }, "{opening}");
    }
    // Long but shallow texts are fine.
    let text = "x' + 2*".repeat(14_000) + "x";
    parse(&mut Graph::new(), &text, &mut Words::new(&["x"])).expect("within the limits");
}

#[test]
fn random_input_never_panics() {
    let pieces =
        ["x", "y'", "sin(", "if(", "(", ")", ",", "+", "-", "*", "^", "1e", ".5", "not ", " and ", "ß", "=", "<"];
    let mut noise = Noise::new(3);
    for round in 0..20_000 {
        let length = noise.below(40);
        let text = if round % 2 == 0 {
            let bytes: Vec<u8> = (0..length).map(|_| noise.below(256) as u8).collect();
            String::from_utf8_lossy(&bytes).into_owned()
        } else {
            (0..length).map(|_| pieces[noise.below(pieces.len())]).collect()
        };
        names_in(&text);
        if let Err(error) = parse(&mut Graph::new(), &text, &mut Words::new(&["x", "y"])) {
            // The place can be shown, and so can the message.
            assert!(text.get(error.span.clone()).is_some(), "{text:?}: {:?}", error.span);
            assert!(!error.to_string().is_empty());
            let _ = error.help();
        }
    }
}
