//! Random infeasible and degenerate mutations of feasible programs: no solver may claim a success that is none.

use crate::judge;
use crate::random;
use crate::reader;

use carom_nlp::{Formulas, Range};
use judge::{available, false_success, says_infeasible, solve};
use random::Random;
use reader::Problem;

/// Mutations that are tried.
const COUNT: usize = 200;

/// Share of infeasible programs that must be recognised as such; the others may end without an answer.
const RECOGNISED: f64 = 0.6;

/// What rows are multiplied by.
const FACTORS: [f64; 8] = [1e-3, 0.1, 0.5, 1.0, 2.0, -1.0, -3.0, 50.0];

/// A mutated program.
struct Mutation {
    what: String,
    formulas: Formulas,
    infeasible: bool,
}

/// `factor` times a range.
fn scaled(range: Range, factor: f64) -> Range {
    let (a, b) = (factor * range.lower, factor * range.upper);
    Range::new(a.min(b), a.max(b))
}

fn mutate(problem: &Problem, random: &mut Random) -> Mutation {
    let mut problem = problem.clone();
    let variable = random.below(problem.start.len());
    let name = format!("x{}", variable + 1);
    // The row that is copied or changed; the sum of all variables if there is none.
    let sum: Vec<String> = (1..=problem.start.len()).map(|i| format!("x{i}")).collect();
    if problem.rows.is_empty() {
        problem.rows.push((sum.join(" + "), Range::new(-1e3, 1e3)));
    }
    let row = random.below(problem.rows.len());
    let (text, range) = problem.rows[row].clone();
    let factor = FACTORS[random.below(FACTORS.len())];
    let gap = [1e-2, 1.0, 100.0][random.below(3)];
    let (mut what, mut infeasible) = (format!("{} with ", problem.name), true);
    let mut add = |text: String, range: Range| problem.rows.push((text, range));
    match random.below(14) {
        0 => {
            what += "a copy of a row with bounds beyond those of the row";
            let beyond = if range.upper.is_finite() {
                Range::at_least(range.upper + gap * (1.0 + range.upper.abs()))
            } else {
                Range::at_most(range.lower - gap * (1.0 + range.lower.abs()))
            };
            let sides = scaled(beyond, factor);
            add(format!("({factor})*({text})"), sides);
        }
        1 => {
            what += "crossed bounds of a variable";
            problem.bounds[variable] = Range::new(1.0 + gap, 1.0);
        }
        2 => {
            what += "crossed bounds of a row";
            let middle = if range.lower.is_finite() { range.lower } else { range.upper };
            problem.rows[row].1 = Range::new(middle + gap, middle);
        }
        3 => {
            what += "contradictory sums";
            add(sum.join(" + "), Range::fixed(1.0));
            add(format!("({factor})*({})", sum.join(" + ")), Range::fixed(factor * (1.0 + gap)));
        }
        4 => {
            what += "a variable asked beyond its bound";
            problem.bounds[variable].upper =
                problem.bounds[variable].upper.min(problem.bounds[variable].lower.max(0.0) + 5.0);
            let beyond = problem.bounds[variable].upper + gap;
            add(format!("{name} + 0"), Range::at_least(beyond));
        }
        5 => {
            what += "a negative square";
            add(format!("{name}^2"), Range::at_most(-gap));
        }
        6 => {
            what += "contradictory half spaces";
            add(sum.join(" + "), Range::at_most(0.0));
            add(sum.join(" + "), Range::at_least(gap));
        }
        7 => {
            what += "a negative sum of squares";
            let squares: Vec<String> = sum.iter().map(|x| format!("{x}^2")).collect();
            add(squares.join(" + "), Range::fixed(-gap));
        }
        8 => {
            (what, infeasible) = (what + "a scaled copy of a row", false);
            add(format!("({factor})*({text})"), scaled(range, factor));
        }
        9 => {
            (what, infeasible) = (what + "all rows doubled", false);
            let rows = problem.rows.clone();
            problem.rows.extend(rows);
        }
        10 => {
            (what, infeasible) = (what + "zero rows", false);
            add(format!("0*{name}"), Range::fixed(0.0));
            add(format!("{name} - {name}"), Range::at_least(-1.0));
        }
        11 => {
            (what, infeasible) = (what + "a variable fixed at its start", false);
            problem.bounds[variable] = Range::fixed(problem.start[variable]);
        }
        12 => {
            (what, infeasible) = (what + "a squared row", false);
            let side = if range.upper.is_finite() { range.upper } else { range.lower };
            add(format!("({text} - ({side}))^2"), Range::at_most(1e-12));
        }
        _ => {
            (what, infeasible) = (what + "a row with hardly any room", false);
            let side = if range.upper.is_finite() { range.upper } else { range.lower };
            problem.rows[row].1 = Range::new(side - 1e-12 * (1.0 + side.abs()), side);
        }
    }
    Mutation { what, formulas: problem.formulas(), infeasible }
}

#[test]
fn no_success_is_false() {
    let problems = reader::all();
    for solver in available() {
        let mut random = Random(20_260);
        let (mut wrong, mut infeasible, mut recognised, mut solved) = (Vec::new(), 0, 0, 0);
        for _ in 0..COUNT {
            let mutation = mutate(&problems[random.below(problems.len())], &mut random);
            let (mut program, outcome) = solve(&*solver, mutation.formulas);
            let status = &outcome.status;
            if mutation.infeasible {
                infeasible += 1;
                recognised += usize::from(says_infeasible(status));
                if status.is_success() {
                    wrong.push(format!("{}: {status}, but it is infeasible", mutation.what));
                }
            } else {
                solved += usize::from(status.is_success());
            }
            wrong.extend(false_success(&mut program, &outcome).map(|why| format!("{}: {why}", mutation.what)));
        }
        let name = solver.name();
        assert!(wrong.is_empty(), "{name}: {} false\n  {}", wrong.len(), wrong.join("\n  "));
        let share = f64::from(recognised as u32) / f64::from(infeasible as u32);
        assert!(share >= RECOGNISED, "{name}: only {recognised} of {infeasible} recognised");
        // Otherwise the test says nothing.
        assert!(solved > 20, "{name}: {solved} of {} solved", COUNT - infeasible);
    }
}
