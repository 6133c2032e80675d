//! Dumps: the same bits after a round trip, errors with a place for everything that is damaged.

use crate::random;
use crate::reader;

use carom_expr::{Backend, Binary, Graph, Node, Scope, Unary};
use carom_nlp::{DumpError, Kernel, Nlp, Placement, Program, Range, Row, Stages, Variable};
use random::Random;
use serde_json::{Value, json};

/// A chain of three kernels of several operations, with data, stages, infinities and unused nodes.
fn chain() -> Program {
    let scope = Scope::default();
    let _unused = (scope.variable("u").sin() * 3.0).exp();
    let (x, y, h) = (scope.variable("x"), scope.variable("y"), scope.variable("h"));
    let cost = (h * x.sin() / y.cosh()).square() + (x - y).abs().sqrt();
    let first = y - x - h * (x * y).tanh() * 0.1;
    let second = scope.with(|graph| {
        let root = graph.binary(Binary::Atan2, x.id(), y.id());
        let less = graph.binary(Binary::Less, x.id(), y.id());
        graph.select(less, root, x.id())
    });
    let (inputs, rows) = ([x.id(), y.id()], [first.id(), second]);
    let (cost, data) = (cost.id(), [h.id()]);
    let kernel = Kernel::new(scope.into_graph(), &inputs, &data, Some(cost), &rows);
    let variable = |i: u32| Variable {
        name: format!("x[{i}]"),
        range: if i == 1 { Range::FREE } else { Range::new(-0.1 * f64::from(i), 1.0 / 3.0) },
        start: 0.1 * f64::from(i),
        stage: if i == 3 { Stages::BORDER } else { i },
    };
    let row = |j: u32| Row { name: format!("row {j}"), range: Range::at_least(-0.7), stage: j };
    let place = |i: u32| Placement { kernel: 0, variables: vec![i, i + 1], data: vec![0.3], rows: vec![i, 3] };
    let (variables, rows) = ((0..4).map(variable).collect(), (0..4).map(row).collect());
    Program::new(variables, rows, vec![kernel], (0..3).map(place).collect(), Backend::default()).expect("a program")
}

/// Everything a program says at a point, as bits.
fn bits(program: &mut Program, x: &[f64]) -> Vec<u64> {
    let (n, m) = (x.len(), program.row_ranges().len());
    let (mut rows, mut gradient) = (vec![0.0; m], vec![0.0; n]);
    let objective = program.values(x, &mut rows);
    let mut jacobian = vec![0.0; program.jacobian_pattern().len()];
    program.slopes(x, &mut gradient, &mut jacobian);
    let y: Vec<f64> = (0..m).map(|j| 0.37 * (j as f64 + 1.3).sin()).collect();
    let mut hessian = vec![0.0; program.hessian_pattern().len()];
    program.curvature(x, 0.9, &y, &mut hessian);
    let all = [vec![objective], rows, gradient, jacobian, hessian].concat();
    all.into_iter().map(f64::to_bits).collect()
}

fn round_trip(program: &Program) -> Program {
    // Through text, as in a bug report.
    let text = program.dump().to_string();
    let dump: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(dump, program.dump());
    Program::load(&dump, Backend::default()).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn a_round_trip_changes_no_bit() {
    let mut program = chain();
    let mut again = round_trip(&program);
    assert_eq!(program.variables(), again.variables());
    assert_eq!(program.rows(), again.rows());
    assert_eq!(program.placements(), again.placements());
    assert_eq!(program.jacobian_pattern(), again.jacobian_pattern());
    assert_eq!(program.hessian_pattern(), again.hessian_pattern());
    for point in [[0.1, 0.2, 0.3, 0.5], [1.7, -0.3, 1e-9, 4.0], [-2.0, 0.0, 1e9, 1.0 / 3.0]] {
        assert_eq!(bits(&mut program, &point), bits(&mut again, &point));
    }
}

#[test]
fn the_collection_survives_too() {
    for problem in reader::all() {
        let (mut program, mut again) = (problem.program(), round_trip(&problem.program()));
        let point: Vec<f64> = problem.start.iter().map(|x| x * 0.9 + 0.0625).collect();
        assert_eq!(bits(&mut program, &point), bits(&mut again, &point), "{}", problem.name);
    }
}

#[test]
fn bounds_that_do_not_exist_are_null() {
    let dump = chain().dump();
    assert_eq!(dump["variables"][1]["lower"], Value::Null);
    assert_eq!(dump["rows"][0]["upper"], Value::Null);
    assert!(dump["kernels"][0].to_string().find("\"u\"").is_none(), "what no output needs is left out");
}

fn error(change: impl FnOnce(&mut Value)) -> String {
    let mut dump = chain().dump();
    change(&mut dump);
    let error: DumpError = Program::load(&dump, Backend::default()).err().expect("an error");
    error.to_string()
}

#[test]
fn errors_name_the_place() {
    let message = error(|dump| dump["kernels"][0]["nodes"][3] = json!(["sinus", 0]));
    assert!(message.starts_with("kernels[0].nodes[3]: there is no operation `sinus`; operations: "), "{message}");
    let message = error(|dump| dump["kernels"][0]["nodes"][3] = json!(["add", 0, 3]));
    assert_eq!(message, "kernels[0].nodes[3][2]: 3 is out of range, there are 3 nodes before it");
    let message = error(|dump| dump["kernels"][0]["nodes"][3] = json!(["add", 0]));
    assert_eq!(message, "kernels[0].nodes[3]: `add` takes 2 operands, found 1");
    let message = error(|dump| dump["placements"][2]["variables"][0] = json!(4));
    assert_eq!(message, "placements[2].variables[0]: 4 is out of range, there are 4 variables");
    let message = error(|dump| dump["variables"][0]["stage"] = json!(1u64 << 40));
    assert_eq!(message, "variables[0].stage: expected a whole number below 2^32, found 1099511627776");
    let message = error(|dump| dump["rows"] = json!(7));
    assert_eq!(message, "rows: expected a list, found 7");
    let message = error(|dump| dump["version"] = json!(2));
    assert_eq!(message, "this is version 2 of the format; version 1 can be read");
    let message = error(|dump| dump["kernels"][0]["variables"][1] = dump["kernels"][0]["variables"][0].clone());
    assert_eq!(message, "kernels[0].variables[1]: this variable is an input already");
    let message = error(|dump| _ = dump["placements"][1]["data"].as_array_mut().expect("a list").pop());
    assert_eq!(message, "placement 1 gives 0 data; its kernel has 1");
}

#[test]
fn long_chains_of_signs_are_refused_not_recursed_into() {
    for link in [json!(["neg", 0]), json!(["mul", 1, 0])] {
        let mut dump = chain().dump();
        let mut nodes = vec![json!(["variable", "x"]), json!(["constant", 2.0])];
        for last in 1..200_000 {
            let mut link = link.clone();
            let end = link.as_array().expect("a list").len() - 1;
            link[end] = json!(if last == 1 { 0 } else { last });
            nodes.push(link);
        }
        dump["kernels"][0] = json!({"nodes": nodes, "variables": [0], "data": [], "cost": 200_000, "rows": []});
        assert!(matches!(Program::load(&dump, Backend::default()), Err(DumpError::Node { .. })));
    }
}

#[test]
fn kernels_that_would_exhaust_the_machine_are_refused() {
    let mut dump = chain().dump();
    let nodes: Vec<Value> = (0..100_000).map(|i| json!(["variable", format!("x{i}")])).collect();
    let all: Vec<usize> = (0..nodes.len()).collect();
    dump["kernels"][0] = json!({"nodes": nodes, "variables": all, "data": [], "cost": 0, "rows": []});
    let error = Program::load(&dump, Backend::default()).err().expect("an error");
    assert_eq!(error.to_string(), "kernels[0]: 100000 inputs; a kernel of a dump may have 5000");
}

#[test]
fn nodes_are_stored_verbatim_or_refused() {
    let mut graph = Graph::new();
    let x = graph.variable("x");
    let zero = graph.constant(0.0);
    let sum = graph.verbatim(Node::Binary(Binary::Add, x, zero)).expect("operands are there");
    assert_eq!(graph.node(sum), Node::Binary(Binary::Add, x, zero), "not simplified");
    assert_eq!(graph.verbatim(Node::Binary(Binary::Add, x, zero)), Some(sum), "stored once");
    assert_eq!(Graph::new().verbatim(Node::Unary(Unary::Sin, sum)), None, "the operand is not there");
    assert_eq!(graph.verbatim(Node::Variable(7)), None, "variables have names");
}

/// Replaces, deletes, doubles or swaps something somewhere below `value`.
fn mutate(value: &mut Value, random: &mut Random) {
    let stay = random.below(6) == 0;
    match value {
        Value::Array(list) if !list.is_empty() && !stay => {
            let at = random.below(list.len());
            match random.below(8) {
                0 => _ = list.remove(at),
                1 => list.insert(at, list[at].clone()),
                2 => list.swap(at, 0),
                _ => mutate(&mut list[at], random),
            }
        }
        Value::Object(fields) if !fields.is_empty() && !stay => {
            let name = fields.keys().nth(random.below(fields.len())).expect("a field").clone();
            match random.below(12) {
                0 => _ = fields.remove(&name),
                _ => mutate(&mut fields[&name], random),
            }
        }
        value => {
            let huge = json!(u64::MAX);
            let choices = [json!(null), json!(-1), json!(0), json!(3), json!(1e308), json!("inf"), json!([]), huge];
            let names = [json!("if"), json!("neg"), json!("x"), json!("[weight]"), json!({}), json!(true), json!(5)];
            let all = [&choices[..], &names].concat();
            *value = all[random.below(all.len())].clone();
        }
    }
}

#[test]
fn mutated_dumps_give_errors_or_programs_but_never_a_panic() {
    let mut random = Random(1981);
    let originals: Vec<Value> = [chain().dump()]
        .into_iter()
        .chain(reader::all().iter().step_by(20).map(|problem| problem.program().dump()))
        .collect();
    let (mut errors, mut programs) = (0, 0);
    for round in 0..4000 {
        let mut dump = originals[round % originals.len()].clone();
        for _ in 0..=random.below(3) {
            mutate(&mut dump, &mut random);
        }
        match Program::load(&dump, Backend::default()) {
            Err(error) => {
                assert!(!error.to_string().is_empty());
                errors += 1;
            }
            Ok(mut program) => {
                let start = program.start().to_vec();
                bits(&mut program, &start);
                programs += 1;
            }
        }
    }
    assert!(errors > 1000 && programs > 100, "{errors} errors, {programs} programs");
}
