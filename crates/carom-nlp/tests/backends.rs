//! Solvers behind the common trait, on programs whose answers are known.
#![cfg(any(feature = "pounce", feature = "ipopt"))]

use carom_expr::{Backend, Expr, Scope};
use carom_nlp::{
    Kernel, Nlp, Options, Outcome, Pattern, Place, Placement, Program, Progress, Range, Row, Solver, Status, Variable,
    solver,
};
use std::cell::Cell;
use std::rc::Rc;

/// A program with one kernel: cost first, then the rows.
fn program(ranges: &[(Range, f64)], rows: &[Range], kernel: impl Fn(&[Expr<'_>]) -> Vec<carom_expr::Id>) -> Program {
    let scope = Scope::default();
    let x = scope.variables("x", ranges.len());
    let inputs: Vec<_> = x.iter().map(|x| x.id()).collect();
    let outputs = kernel(&x);
    let kernel = Kernel::new(scope.into_graph(), &inputs, &[], Some(outputs[0]), &outputs[1..]);
    let variable =
        |(i, &(range, start)): (usize, &(Range, f64))| Variable { name: format!("x{i}"), range, start, stage: 0 };
    let row = |(j, &range): (usize, &Range)| Row { name: format!("row {j}"), range, stage: 0 };
    let placement = Placement {
        kernel: 0,
        variables: (0..ranges.len() as u32).collect(),
        data: vec![],
        rows: (0..rows.len() as u32).collect(),
    };
    let (variables, rows) =
        (ranges.iter().enumerate().map(variable).collect(), rows.iter().enumerate().map(row).collect());
    Program::new(variables, rows, vec![kernel], vec![placement], Backend::Interpreter).unwrap()
}

fn hs71() -> Program {
    let x = [1.0, 5.0, 5.0, 1.0].map(|start| (Range::new(1.0, 5.0), start));
    program(&x, &[Range::at_least(25.0), Range::fixed(40.0)], |x| {
        let cost = x[0] * x[3] * (x[0] + x[1] + x[2]) + x[2];
        let product = x[0] * x[1] * x[2] * x[3];
        let squares = x[0].square() + x[1].square() + x[2].square() + x[3].square();
        vec![cost.id(), product.id(), squares.id()]
    })
}

fn hs100() -> Program {
    let x = [1.0, 2.0, 0.0, 4.0, 0.0, 1.0, 1.0].map(|start| (Range::FREE, start));
    program(&x, &[Range::at_least(0.0); 4], |x| {
        let cost = (x[0] - 10.0).square()
            + (x[1] - 12.0).square() * 5.0
            + x[2].pow(4.0)
            + (x[3] - 11.0).square() * 3.0
            + x[4].pow(6.0) * 10.0
            + x[5].square() * 7.0
            + x[6].pow(4.0)
            - x[5] * x[6] * 4.0
            - x[5] * 10.0
            - x[6] * 8.0;
        let rows = [
            -x[0].square() * 2.0 - x[1].pow(4.0) * 3.0 - x[2] - x[3].square() * 4.0 - x[4] * 5.0 + 127.0,
            -x[0] * 7.0 - x[1] * 3.0 - x[2].square() * 10.0 - x[3] + x[4] + 282.0,
            -x[0] * 23.0 - x[1].square() - x[5].square() * 6.0 + x[6] * 8.0 + 196.0,
            -x[0].square() * 4.0 - x[1].square() + x[0] * x[1] * 3.0 - x[2].square() * 2.0 - x[5] * 5.0 + x[6] * 11.0,
        ];
        [vec![cost.id()], rows.map(|row| row.id()).to_vec()].concat()
    })
}

/// minimise `h sum u_k^2` with `x'' = u` from rest at 0 to rest at 1 in unit time, trapezoidal rule; 12 in the limit.
fn double_integrator(steps: usize) -> Program {
    let h = 1.0 / steps as f64;
    let scope = Scope::default();
    let z = scope.variables("z", 6);
    let inputs: Vec<_> = z.iter().map(|z| z.id()).collect();
    let (cost, position, speed) = (
        (z[2].square() + z[5].square()) * (h / 2.0),
        z[3] - z[0] - (z[1] + z[4]) * (h / 2.0),
        z[4] - z[1] - (z[2] + z[5]) * (h / 2.0),
    );
    let outputs = [position.id(), speed.id()];
    let cost = cost.id();
    let kernel = Kernel::new(scope.into_graph(), &inputs, &[], Some(cost), &outputs);
    let mut variables = Vec::new();
    for k in 0..=steps {
        let at = |value: f64| if k == 0 || k == steps { Range::fixed(value) } else { Range::FREE };
        let ranges = [at(if k == 0 { 0.0 } else { 1.0 }), at(0.0), Range::new(-20.0, 20.0)];
        for (name, range) in ["x", "v", "u"].iter().zip(ranges) {
            variables.push(Variable { name: format!("{name}[{k}]"), range, start: 0.0, stage: k as u32 });
        }
    }
    let row = |k: usize| {
        ["x", "v"].map(|name| Row { name: format!("{name}' [{k}]"), range: Range::fixed(0.0), stage: k as u32 })
    };
    let rows = (0..steps).flat_map(row).collect();
    let place = |k: u32| Placement {
        kernel: 0,
        variables: (3 * k..3 * k + 6).collect(),
        data: vec![],
        rows: vec![2 * k, 2 * k + 1],
    };
    let placements = (0..steps as u32).map(place).collect();
    Program::new(variables, rows, vec![kernel], placements, Backend::Interpreter).unwrap()
}

/// The solvers under test that are part of this build and present on this machine.
fn backends() -> Vec<Box<dyn Solver>> {
    let present = |name: &&str| match solver(name) {
        Ok(found) => !matches!(run(&*found, &mut hs71()).status, Status::Failed(why) if why.contains("not found")),
        Err(_) => false,
    };
    ["pounce", "ipopt", "sqp", "automatic"]
        .iter()
        .filter(|name| present(name))
        .map(|name| solver(name).unwrap())
        .collect()
}

fn run(solver: &dyn Solver, nlp: &mut dyn Nlp) -> Outcome {
    solver.solve(nlp, &Options::default(), &mut |_| true)
}

fn assert_optimum(outcome: &Outcome, objective: f64) {
    let solver = &outcome.solver;
    assert_eq!(outcome.status, Status::Converged, "{solver}");
    assert!((outcome.objective - objective).abs() < 1e-6 * objective.abs().max(1.0), "{solver}: {}", outcome.objective);
    assert!(outcome.residuals.largest() < 1e-5, "{solver}: {:?}", outcome.residuals);
    assert!(outcome.statistics.iterations > 0 && outcome.statistics.evaluations > 0, "{solver}");
}

#[test]
fn published_optima_of_hock_and_schittkowski() {
    for solver in backends() {
        for (mut nlp, optimum) in [(hs71(), 17.0140173), (hs100(), 680.6300573)] {
            let outcome = run(&*solver, &mut nlp);
            assert_optimum(&outcome, optimum);
        }
    }
}

#[test]
fn double_integrators_agree() {
    for steps in [50, 200] {
        let mut first: Option<f64> = None;
        for solver in backends() {
            let outcome = run(&*solver, &mut double_integrator(steps));
            // The optimum exceeds 12 by the order of h^2.
            let h = 1.0 / steps as f64;
            assert_optimum(&outcome, *first.get_or_insert(outcome.objective));
            assert!((outcome.objective - 12.0).abs() < 60.0 * h * h, "{}: {}", outcome.solver, outcome.objective);
        }
    }
}

#[test]
fn contradicting_rows_are_locally_infeasible() {
    // x^2 + y^2 <= 1 and x + y >= 3
    for solver in backends() {
        let rows = [Range::at_most(1.0), Range::at_least(3.0)];
        let mut nlp = program(&[(Range::FREE, 0.5), (Range::FREE, 0.5)], &rows, |x| {
            vec![(x[0] + x[1] * 2.0).id(), (x[0].square() + x[1].square()).id(), (x[0] + x[1]).id()]
        });
        let outcome = run(&*solver, &mut nlp);
        // Without second derivatives the quadratic programs have no minimum, and elastic mode no answer.
        let known = [Status::LocallyInfeasible, Status::NoProgress];
        let allowed = if solver.name() == "sqp" { &known[..] } else { &known[..1] };
        assert!(allowed.contains(&outcome.status), "{}: {}", outcome.solver, outcome.status);
        assert!(outcome.residuals.feasibility > 0.1, "{}", outcome.solver);
    }
}

#[test]
fn undefined_start_names_the_row() {
    for solver in backends() {
        let mut nlp = program(&[(Range::FREE, -1.0)], &[Range::at_least(0.0), Range::at_least(0.0)], |x| {
            vec![x[0].square().id(), x[0].id(), x[0].log().id()]
        });
        assert_eq!(run(&*solver, &mut nlp).status, Status::Undefined(Place::Row("row 1".into())));
        // On the bound where the function ends the solver may move inside.
        let mut nlp = program(&[(Range::at_least(0.0), 0.0)], &[Range::at_least(-1.0)], |x| {
            vec![x[0].square().id(), x[0].log().id()]
        });
        if solver.name() != "sqp" {
            assert_optimum(&run(&*solver, &mut nlp), (-2.0_f64).exp());
        }
    }
}

#[test]
fn crossed_bounds_are_named() {
    for solver in backends() {
        let mut nlp = hs71();
        nlp.set_variable_range(2, Range::new(2.0, 1.0));
        assert_eq!(run(&*solver, &mut nlp).status, Status::Inconsistent(Place::Variable("x2".into())));
        let mut nlp = hs71();
        nlp.set_row_range(1, Range::new(2.0, 1.0));
        assert_eq!(run(&*solver, &mut nlp).status, Status::Inconsistent(Place::Row("row 1".into())));
    }
}

#[test]
fn observer_stops_and_the_point_is_kept() {
    for solver in backends() {
        let mut last = Vec::new();
        let mut seen = 0;
        let mut observe = |progress: &Progress<'_>| {
            assert!(solver.name() == "automatic" || progress.solver == solver.name());
            seen += 1;
            last = progress.point.to_vec();
            progress.iteration < 3
        };
        let outcome = solver.solve(&mut hs100(), &Options::default(), &mut observe);
        assert_eq!(outcome.status, Status::Stopped, "{}", solver.name());
        assert_eq!(seen, 4);
        assert!(outcome.point != hs100().start());
        if !last.is_empty() {
            assert_eq!(outcome.point, last, "{}", solver.name());
        }
    }
}

#[test]
fn warm_start_is_shorter() {
    for solver in backends() {
        let mut nlp = hs71();
        let cold = run(&*solver, &mut nlp);
        nlp.set_row_range(1, Range::fixed(40.5));
        let again = run(&*solver, &mut nlp);
        let options = Options { start: Some(cold.point), warm: Some(cold.multipliers), ..Options::default() };
        let warm = solver.solve(&mut nlp, &options, &mut |_| true);
        assert_optimum(&warm, again.objective);
        assert!(warm.statistics.iterations < again.statistics.iterations, "{}", solver.name());
    }
}

#[test]
fn unbounded_is_recognised() {
    for solver in backends() {
        let mut nlp = program(&[(Range::FREE, 1.0), (Range::FREE, 1.0)], &[Range::fixed(0.0)], |x| {
            vec![(x[0] + x[1]).id(), (x[0] - x[1]).id()]
        });
        let outcome = run(&*solver, &mut nlp);
        assert_eq!(outcome.status, Status::Unbounded, "{}", outcome.solver);
    }
}

#[test]
fn limits_and_refused_options_are_named() {
    for solver in backends() {
        let options = Options { max_iterations: 2, ..Options::default() };
        assert_eq!(
            solver.solve(&mut hs71(), &options, &mut |_| true).status,
            Status::IterationLimit,
            "{}",
            solver.name()
        );
        // Nothing is handed over here, and the own interior point is not told.
        if solver.name() == "automatic" {
            continue;
        }
        for (name, value) in [("no_such_option", "1"), ("tol", "-1"), ("mu_strategy", "hope")] {
            let options = Options { extra: vec![(name.into(), value.into())], ..Options::default() };
            match solver.solve(&mut hs71(), &options, &mut |_| true).status {
                Status::Failed(why) => assert!(why.contains(name), "{why}"),
                other => panic!("{} takes {name}: {other}", solver.name()),
            }
        }
        let options = Options { extra: vec![("mu_strategy".into(), "adaptive".into())], ..Options::default() };
        assert_optimum(&solver.solve(&mut hs71(), &options, &mut |_| true), 17.0140173);
    }
}

#[test]
fn panics_of_the_observer_are_the_callers() {
    for solver in backends() {
        let solve = || solver.solve(&mut hs71(), &Options::default(), &mut |_| panic!("mine"));
        let payload = std::panic::catch_unwind(std::panic::AssertUnwindSafe(solve)).unwrap_err();
        assert_eq!(payload.downcast_ref::<&str>(), Some(&"mine"));
    }
}

#[test]
fn more_equations_than_variables() {
    // x = 1, x = 1, x^2 = 1: they agree; with x^2 = 2 they do not.
    for solver in backends() {
        for (square, agrees) in [(1.0, true), (2.0, false)] {
            let rows = [Range::fixed(1.0), Range::fixed(1.0), Range::fixed(square)];
            let mut nlp =
                program(&[(Range::FREE, 0.3)], &rows, |x| vec![x[0].id(), x[0].id(), x[0].id(), x[0].square().id()]);
            let outcome = run(&*solver, &mut nlp);
            assert!(agrees || !outcome.status.is_success(), "{}: {}", outcome.solver, outcome.status);
        }
    }
}

/// A program whose first row changes once it is told to.
struct Fickle {
    inner: Program,
    changed: Rc<Cell<bool>>,
}

impl Nlp for Fickle {
    fn variable_ranges(&self) -> &[Range] {
        self.inner.variable_ranges()
    }
    fn row_ranges(&self) -> &[Range] {
        self.inner.row_ranges()
    }
    fn start(&self) -> &[f64] {
        self.inner.start()
    }
    fn variable_name(&self, index: usize) -> String {
        self.inner.variable_name(index)
    }
    fn row_name(&self, index: usize) -> String {
        self.inner.row_name(index)
    }
    fn jacobian_pattern(&self) -> &Pattern {
        self.inner.jacobian_pattern()
    }
    fn hessian_pattern(&self) -> &Pattern {
        self.inner.hessian_pattern()
    }
    fn values(&mut self, x: &[f64], rows: &mut [f64]) -> f64 {
        let objective = self.inner.values(x, rows);
        rows[0] -= if self.changed.get() { 1.0 } else { 0.0 };
        objective
    }
    fn slopes(&mut self, x: &[f64], gradient: &mut [f64], jacobian: &mut [f64]) {
        self.inner.slopes(x, gradient, jacobian);
    }
    fn curvature(&mut self, x: &[f64], weight: f64, y: &[f64], hessian: &mut [f64]) {
        self.inner.curvature(x, weight, y, hessian);
    }
}

#[test]
fn success_is_checked_against_the_program() {
    for solver in backends().into_iter().filter(|solver| ["pounce", "ipopt"].contains(&solver.name())) {
        let changed = Rc::new(Cell::new(false));
        let mut nlp = Fickle { inner: hs71(), changed: changed.clone() };
        // The last iteration is the first one with residuals below the tolerance.
        let mut observe = |progress: &Progress<'_>| {
            changed.set(progress.infeasibility < 1e-8 && progress.stationarity < 1e-8 && progress.barrier < 1e-8);
            true
        };
        match solver.solve(&mut nlp, &Options::default(), &mut observe).status {
            Status::Failed(why) => assert!(why.contains("row 0"), "{why}"),
            other => panic!("{}: {other}", solver.name()),
        }
    }
}

#[cfg(feature = "pounce")]
mod with_pounce {
    use super::*;
    use carom_nlp::{Linear, solvers};

    #[test]
    fn registry_begins_with_the_default() {
        let names: Vec<_> = solvers().iter().map(|solver| solver.name()).collect();
        assert_eq!(names[..4], ["automatic", "interior", "pounce", "sqp"]);
    }

    #[test]
    fn chain_and_general_factorisation_agree_inside_pounce() {
        let pounce = solver("pounce").unwrap();
        let with = |linear| {
            let options = Options { linear, ..Options::default() };
            pounce.solve(&mut double_integrator(60), &options, &mut |_| true)
        };
        let (chain, general) = (with(Linear::Chain), with(Linear::General));
        assert_optimum(&chain, general.objective);
        assert_eq!(chain.statistics.iterations, general.statistics.iterations);
        assert!(chain.statistics.factorisations > 0 && general.statistics.factorisations > 0);
        let options = Options { linear: Linear::Chain, ..Options::default() };
        let without = pounce.solve(&mut hs71(), &options, &mut |_| true);
        assert!(matches!(without.status, Status::Failed(why) if why.contains("chain")));
    }

    #[test]
    fn second_opinion_confirms_or_corrects() {
        let pounce = solver("pounce").unwrap();
        let options = Options { extra: vec![("second_opinion".into(), "yes".into())], ..Options::default() };
        assert_optimum(&pounce.solve(&mut hs71(), &options, &mut |_| true), 17.0140173);
        let mut nlp = program(&[(Range::FREE, 1.0)], &[Range::at_most(-1.0)], |x| vec![x[0].id(), x[0].square().id()]);
        let outcome = pounce.solve(&mut nlp, &options, &mut |_| true);
        assert_eq!(outcome.status, Status::LocallyInfeasible);
        assert!(outcome.point[0].abs() < 1e-3, "{:?}", outcome.point);
    }

    /// minimise `x` with `x^2 - y = 1`, `x - z = 1/2`, `y, z >= 0` (Wächter and Biegler 2000): from `x = -2` steps of a
    /// line search that keep `y, z > 0` get stuck away from the feasible set.
    #[test]
    fn automatic_hands_over() {
        let x = [(Range::FREE, -2.0), (Range::at_least(0.0), 3.0), (Range::at_least(0.0), 1.0)];
        let mut nlp = program(&x, &[Range::fixed(1.0), Range::fixed(0.5)], |x| {
            vec![x[0].id(), (x[0].square() - x[1]).id(), (x[0] - x[2]).id()]
        });
        let own = run(&*solver("interior").unwrap(), &mut nlp);
        let mut names = Vec::new();
        let mut observe = |progress: &Progress<'_>| {
            names.push(progress.solver.to_owned());
            true
        };
        let outcome = solver("automatic").unwrap().solve(&mut nlp, &Options::default(), &mut observe);
        assert_optimum(&outcome, 1.0);
        names.dedup();
        if own.status.is_success() {
            assert_eq!((names, outcome.solver.as_str()), (vec!["interior".to_owned()], "interior"));
        } else {
            assert_eq!(names, ["interior", "pounce"]);
            assert!(
                outcome.solver.starts_with(&format!("pounce (after interior: {}", own.status)),
                "{}",
                outcome.solver
            );
            assert!(outcome.statistics.iterations > own.statistics.iterations);
        }
    }
}
