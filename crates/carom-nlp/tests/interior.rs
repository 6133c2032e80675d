//! The interior point on problems with known answers.

use carom_expr::{Backend, Scope};
use carom_nlp::{Kernel, Nlp, Options, Placement, Program, Range, Row, Status, Variable, solver};

fn variable(name: &str, range: Range, start: f64, stage: u32) -> Variable {
    Variable { name: name.to_owned(), range, start, stage }
}

fn row(name: &str, range: Range, stage: u32) -> Row {
    Row { name: name.to_owned(), range, stage }
}

#[test]
fn hock_schittkowski_71() {
    let scope = Scope::default();
    let x = scope.variables("x", 4);
    let cost = x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2];
    let product = x[0] * x[1] * x[2] * x[3];
    let squares = scope.sum(x.iter().map(|x| x.square()));
    let inputs = carom_expr::ids(&x);
    let (cost, rows) = (cost.id(), [product.id(), squares.id()]);
    let kernel = Kernel::new(scope.into_graph(), &inputs, &[], Some(cost), &rows);
    let variables = [1.0, 5.0, 5.0, 1.0].map(|start| variable("x", Range::new(1.0, 5.0), start, 0)).to_vec();
    let rows = vec![row("product", Range::at_least(25.0), 0), row("squares", Range::fixed(40.0), 0)];
    let placement = Placement { kernel: 0, variables: vec![0, 1, 2, 3], data: vec![], rows: vec![0, 1] };
    let mut program = Program::new(variables, rows, vec![kernel], vec![placement], Backend::Interpreter).unwrap();
    let outcome = solver("interior").unwrap().solve(&mut program, &Options::default(), &mut |_| true);
    assert_eq!(outcome.status, Status::Converged);
    assert!((outcome.objective - 17.014017140224134).abs() < 1e-6, "{}", outcome.objective);
    assert!(outcome.residuals.largest() < 1e-6, "{:?}", outcome.residuals);
}

/// `x'' = u` from rest to rest over one unit, by the midpoint rule: the cost tends to 12.
fn block(steps: usize) -> Program {
    let scope = Scope::default();
    let (a, b, u, h) = (scope.variables("a", 2), scope.variables("b", 2), scope.variable("u"), scope.variable("h"));
    let cost = h * u.square();
    let rows = [b[0] - a[0] - 0.5 * h * (a[1] + b[1]), b[1] - a[1] - h * u];
    let inputs = carom_expr::ids(&[a, b, vec![u]].concat());
    let (data, cost, rows) = ([h.id()], cost.id(), rows.map(|row| row.id()));
    let kernel = Kernel::new(scope.into_graph(), &inputs, &data, Some(cost), &rows);
    let (mut variables, mut all, mut placements) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..=steps {
        let fixed = |value: f64| if k == 0 || k == steps { Range::fixed(value) } else { Range::FREE };
        let end = if k == steps { 1.0 } else { 0.0 };
        let stage = k as u32;
        variables.push(variable(&format!("x[{k}]"), fixed(end), end, stage));
        variables.push(variable(&format!("v[{k}]"), fixed(0.0), 0.0, stage));
        variables.push(variable(&format!("u[{k}]"), Range::FREE, 0.0, stage));
        if k < steps {
            let at = 3 * stage;
            all.push(row(&format!("x at {k}"), Range::fixed(0.0), stage));
            all.push(row(&format!("v at {k}"), Range::fixed(0.0), stage));
            placements.push(Placement {
                kernel: 0,
                variables: vec![at, at + 1, at + 3, at + 4, at + 2],
                data: vec![1.0 / steps as f64],
                rows: vec![2 * stage, 2 * stage + 1],
            });
        }
    }
    Program::new(variables, all, vec![kernel], placements, Backend::Interpreter).unwrap()
}

#[test]
fn block_moves_along_a_chain() {
    for steps in [10, 100, 1000] {
        let mut program = block(steps);
        assert!(program.stages().is_some());
        let outcome = solver("interior").unwrap().solve(&mut program, &Options::default(), &mut |_| true);
        assert_eq!(outcome.status, Status::Converged);
        let exact = 12.0 / (1.0 - 1.0 / (steps * steps) as f64);
        assert!((outcome.objective - exact).abs() < 1e-9, "{steps}: {} {exact}", outcome.objective);
        eprintln!("{:?}", outcome.statistics);
    }
}

#[test]
fn rows_that_depend_on_others_are_named() {
    let scope = Scope::default();
    let x = scope.variables("x", 2);
    let cost = (x[0].square() + x[1].square()).id();
    let rows = [(x[0] + x[1]).id(), (2.0 * x[0] + 2.0 * x[1]).id()];
    let inputs = carom_expr::ids(&x);
    let kernel = Kernel::new(scope.into_graph(), &inputs, &[], Some(cost), &rows);
    let variables = vec![variable("a", Range::FREE, 0.0, 0), variable("b", Range::FREE, 0.0, 0)];
    let rows = vec![row("sum", Range::fixed(1.0), 0), row("sum, twice", Range::fixed(2.0), 0)];
    let placement = Placement { kernel: 0, variables: vec![0, 1], data: vec![], rows: vec![0, 1] };
    let mut program = Program::new(variables, rows, vec![kernel], vec![placement], Backend::Interpreter).unwrap();
    let outcome = solver("interior").unwrap().solve(&mut program, &Options::default(), &mut |_| true);
    assert_eq!(outcome.status, Status::Converged);
    assert!((outcome.objective - 0.5).abs() < 1e-8);
    assert!(outcome.dependent.iter().any(|place| place.to_string().contains("sum")), "{:?}", outcome.dependent);
}
