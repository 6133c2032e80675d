//! A hundred thousand variables along a chain.

use carom_expr::{Backend, Scope};
use carom_nlp::{Kernel, Options, Outcome, Placement, Program, Range, Row, Variable, residuals, solver};

/// Steps of the chain; two variables each.
const STEPS: u32 = 50_000;

/// `min sum h (x_k^2 + u_k^2)/2` with `x_(k+1) = x_k + h (spring sin x_k + u_k)`, `x_0 = start`, `|u| <= limit`.
fn chain(h: f64, spring: f64, start: f64, limit: f64) -> Program {
    let scope = Scope::default();
    let (x, u, next) = (scope.variable("x"), scope.variable("u"), scope.variable("next"));
    let cost = 0.5 * h * (x.square() + u.square());
    let defect = next - x - h * (spring * x.sin() + u);
    let (inputs, cost, rows) = ([x.id(), u.id(), next.id()], cost.id(), [defect.id()]);
    let kernel = Kernel::new(scope.into_graph(), &inputs, &[], Some(cost), &rows);
    let (mut variables, mut rows, mut placements) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..=STEPS {
        let range = if k == 0 { Range::fixed(start) } else { Range::FREE };
        variables.push(Variable { name: format!("x[{k}]"), range, start: 0.0, stage: k });
        // The last control moves nothing; it stands there to keep two variables per stage.
        variables.push(Variable { name: format!("u[{k}]"), range: Range::new(-limit, limit), start: 0.0, stage: k });
        if k < STEPS {
            rows.push(Row { name: format!("step[{k}]"), range: Range::fixed(0.0), stage: k });
            placements.push(Placement {
                kernel: 0,
                variables: vec![2 * k, 2 * k + 1, 2 * k + 2],
                data: vec![],
                rows: vec![k],
            });
        }
    }
    Program::new(variables, rows, vec![kernel], placements, Backend::default()).expect("a program")
}

fn solve(program: &mut Program) -> Outcome {
    let solver = solver("interior").expect("a solver");
    let clock = std::time::Instant::now();
    let outcome = solver.solve(program, &Options::default(), &mut |_| true);
    let seconds = clock.elapsed().as_secs_f64();
    assert!(outcome.status.is_success(), "{} after {} iterations", outcome.status, outcome.statistics.iterations);
    let own = residuals(program, &outcome.point, &outcome.multipliers);
    assert!(own.largest() < 1e-6, "{own:?}");
    // Seconds if the work grows in proportion to the length; hours if it does not.
    assert!(seconds < 120.0, "{seconds:.0} s");
    outcome
}

#[test]
fn a_linear_chain_costs_what_the_riccati_recursion_says() {
    let (h, start) = (1e-3, 2.0);
    let mut program = chain(h, 0.0, start, 1e3);
    let outcome = solve(&mut program);
    // V_k(x) = p_k x^2 / 2 with p_k = h + p - (p h)^2 / (h + p h^2), backwards from zero.
    let step = |p: f64, _| h + p - (p * h).powi(2) / (h + p * h * h);
    let value = 0.5 * (0..STEPS).fold(0.0, step) * start * start;
    assert!((outcome.objective - value).abs() < 1e-6 * value, "{} instead of {value}", outcome.objective);
}

#[test]
fn a_nonlinear_chain_with_bounds_is_solved() {
    let mut program = chain(1e-3, 0.9, 3.0, 2.0);
    let outcome = solve(&mut program);
    let first = outcome.point[1];
    assert!((first + 2.0).abs() < 1e-3, "the control begins at its bound, not at {first}");
    assert!(outcome.point[2 * STEPS as usize].abs() < 1e-3, "the state ends at rest");
}
