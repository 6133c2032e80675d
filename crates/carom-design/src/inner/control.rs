//! The optimal cost of a control problem, with its derivative.
//!
//! Design variables are parameters of the problem that are freed and held: by equal bounds at the design, or by the bounds of
//! the study if motion and design are found together. Then the program knows all derivatives by them, and the multipliers of the
//! optimum give the derivative of its cost (envelope theorem).
//!
//! A solve begins with the point and the multipliers of the nearest design that was solved; if it fails, with those of the next
//! ones, and at last with the guesses of the problem file.

use crate::error::DesignError;
use crate::objective::{Answer, Ask, Neighbour, Objective};
use crate::study::Sample;
use carom_control::{ControlProblem, Guess, ProblemFile, Solution, SolveOptions, solve};
use carom_nlp::{Multipliers, Range, Status};

/// An optimal control problem over its design.
#[derive(Clone, Debug)]
pub struct ControlObjective {
    problem: ControlProblem,
    guesses: Vec<Guess>,
    options: SolveOptions,
    /// Where the design variables stand among the freed parameters.
    places: Vec<usize>,
}

impl ControlObjective {
    /// A problem file that was read with the design variables freed; `parameters` are their names in the models.
    pub fn new(file: &ProblemFile, parameters: &[String]) -> Result<Self, DesignError> {
        let (guesses, options) = match file.gait_options() {
            Some(gait) => (file.gait_starts()?, gait.solve),
            None => (vec![file.guess.clone()], file.options()),
        };
        let places = parameters.iter().map(|name| {
            file.problem.freed.iter().position(|freed| freed.name == *name).ok_or_else(|| {
                let known: Vec<&str> = file.problem.freed.iter().map(|freed| freed.name.as_str()).collect();
                carom_control::ControlError::UnknownParameter { name: name.clone(), known: known.join(", ") }
            })
        });
        let places = places.collect::<Result<Vec<usize>, _>>()?;
        Ok(Self { problem: file.problem.clone(), guesses, options, places })
    }

    /// Solves at a design, or over a range of designs, beginning with the nearest known one. Fails only if the problem is wrong.
    pub fn solve(
        &self,
        ask: &Ask,
        near: &[Neighbour<'_>],
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<(Solution, usize), DesignError> {
        let problem = self.held(ask);
        let mut observe = |_: &carom_nlp::Progress<'_>| !stop();
        let mut solves = 0;
        let mut last = None;
        for (guess, options) in self.starts(ask, near) {
            solves += 1;
            let solution = solve(&problem, &guess, &options, &mut observe)?;
            let is_done = solution.outcome.status.is_success() || solution.outcome.status == Status::Stopped;
            last = Some(solution);
            if is_done {
                break;
            }
        }
        let missing = || carom_control::ControlError::GuessShape { what: "0 guesses".to_owned() };
        Ok((last.ok_or_else(missing)?, solves))
    }

    /// The problem with its design variables held.
    fn held(&self, ask: &Ask) -> ControlProblem {
        let mut problem = self.problem.clone();
        for (variable, &place) in self.places.iter().enumerate() {
            let freed = &mut problem.freed[place];
            (freed.range, freed.guess) = match ask {
                Ask::At(design) => (Range::fixed(design[variable]), Some(design[variable])),
                Ask::Best(ranges) => {
                    let [lower, upper, guess] = ranges[variable];
                    (Range::new(lower, upper), Some(guess))
                }
            };
        }
        problem
    }

    /// The problem at a design.
    pub fn problem_at(&self, design: &[f64]) -> ControlProblem {
        self.held(&Ask::At(design.to_vec()))
    }

    /// The solution behind a sample, solved once more from where it was found.
    pub fn optimum(&self, sample: &Sample) -> Result<Solution, DesignError> {
        let near = [Neighbour { design: &sample.design, trace: &sample.trace }];
        Ok(self.solve(&Ask::At(sample.design.clone()), &near, &|| false)?.0)
    }

    /// Where solves begin, one after the other.
    fn starts(&self, ask: &Ask, near: &[Neighbour<'_>]) -> Vec<(Guess, SolveOptions)> {
        let held = self.held(ask);
        let mut starts = Vec::new();
        for neighbour in near {
            let Some((point, multipliers)) = unpack(neighbour.trace) else { continue };
            let mut options = self.options.clone();
            (options.nlp.start, options.nlp.warm, options.nlp.near) = (Some(point), Some(multipliers), true);
            starts.extend(self.guesses.first().map(|guess| (guess.clone(), options)));
        }
        for guess in &self.guesses {
            // Freed parameters begin where they are held.
            let freed = held.freed.iter().map(|freed| freed.guess.unwrap_or(0.0)).collect();
            starts.push((Guess { freed, ..guess.clone() }, self.options.clone()));
        }
        starts
    }

    fn answer(&self, solution: &Solution, solves: usize) -> Answer {
        let outcome = &solution.outcome;
        let design = self.places.iter().filter_map(|&place| solution.freed.get(place)).map(|freed| freed.1).collect();
        let is_solved = outcome.status.is_success();
        let slope = self.places.iter().filter_map(|&place| solution.sensitivities.get(place)).map(|own| own.1);
        Answer {
            design,
            cost: is_solved.then_some(outcome.objective),
            slope: slope.collect(),
            trace: if is_solved { pack(&outcome.point, &outcome.multipliers) } else { Vec::new() },
            solves,
            iterations: outcome.statistics.iterations,
            note: if is_solved { String::new() } else { outcome.status.to_string() },
            is_stopped: outcome.status == Status::Stopped,
        }
    }
}

impl Objective for ControlObjective {
    fn kind(&self) -> &'static str {
        "an optimal control problem"
    }

    fn has_slopes(&self) -> bool {
        true
    }

    fn is_continued(&self) -> bool {
        true
    }

    fn is_free(&self) -> bool {
        true
    }

    fn evaluate(&self, ask: &Ask, near: &[Neighbour<'_>], stop: &(dyn Fn() -> bool + Sync)) -> Answer {
        let asked = match ask {
            Ask::At(design) => design.clone(),
            Ask::Best(ranges) => ranges.iter().map(|range| range[2]).collect(),
        };
        match self.solve(ask, near, stop) {
            // What was asked for is told, also where nothing came out.
            Ok((solution, solves)) => match (ask, self.answer(&solution, solves)) {
                (Ask::At(_), answer) => Answer { design: asked, ..answer },
                (Ask::Best(_), answer) => answer,
            },
            Err(error) => Answer::failed(&asked, error.to_string()),
        }
    }
}

/// `[variables, rows, point, rows' multipliers, lower, upper]`
fn pack(point: &[f64], multipliers: &Multipliers) -> Vec<f64> {
    let sizes = [point.len() as f64, multipliers.rows.len() as f64];
    [&sizes[..], point, &multipliers.rows, &multipliers.lower, &multipliers.upper].concat()
}

fn unpack(trace: &[f64]) -> Option<(Vec<f64>, Multipliers)> {
    let [variables, rows, rest @ ..] = trace else { return None };
    let (variables, rows) = (*variables as usize, *rows as usize);
    if rest.len() != 3 * variables + rows {
        return None;
    }
    let (point, rest) = rest.split_at(variables);
    let (of_rows, rest) = rest.split_at(rows);
    let (lower, upper) = rest.split_at(variables);
    let multipliers = Multipliers { rows: of_rows.to_vec(), lower: lower.to_vec(), upper: upper.to_vec() };
    Some((point.to_vec(), multipliers))
}
