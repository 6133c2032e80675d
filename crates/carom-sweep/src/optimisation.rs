//! Control problems solved at points.
//!
//! Every point is solved from the guess of its own problem, so that a row depends on its point alone, and audited if it
//! converges. A limit of time would make rows depend on the machine: it is lifted, the limit of iterations is not.

use crate::axis::Value;
use crate::beside::{Found, opened};
use crate::cells::{Cell, Column, Type};
use crate::worker::{Stop, Task};
use crate::{Sweep, SweepError};
use carom_control::{
    Audit, AuditOptions, ControlError, LadderOptions, ProblemFile, Solution, audit, solve, solve_to_accuracy,
};
use carom_model::Diagnostics;
use carom_nlp::Status;

/// One control problem with other values.
pub(crate) struct Optimisations {
    sweep: Sweep,
}

/// What a search came to.
struct Solved {
    solution: Solution,
    audit: Option<Result<Audit, ControlError>>,
}

impl Optimisations {
    /// Checks the problem and the names.
    pub fn new(sweep: &Sweep) -> Result<Self, SweepError> {
        let all = Self { sweep: sweep.clone() };
        let file = all.problem(&sweep.set)?;
        let settings = &file.settings;
        let searches = [("plan", settings.plan.is_some()), ("discover", settings.discover.is_some())];
        if let Some((name, _)) = searches.into_iter().find(|(_, is_given)| *is_given) {
            let message = format!("a sweep solves its problem as it is, and the problem has `{name}`: leave it out");
            return Err(SweepError::NotSupported(message));
        }
        for axis in sweep.points.axes() {
            let given = (axis.name.clone(), axis.values.get(0).text());
            let set: Vec<(String, String)> = sweep.set.iter().cloned().chain([given]).collect();
            if let Err(mut found) = all.problem(&set) {
                found.0.retain(|remark| remark.code == "unknown-name" && remark.file == "--set");
                if !found.0.is_empty() {
                    return Err(SweepError::Model(found));
                }
            }
        }
        Ok(all)
    }

    fn problem(&self, set: &[(String, String)]) -> Result<ProblemFile, Diagnostics> {
        let Sweep { text, file, beside, .. } = &self.sweep;
        ProblemFile::from_text(text, file, set, &|name| opened(beside, name))
    }

    fn row(&self, point: &[Value], stop: Stop<'_>) -> Result<Vec<Cell>, SweepError> {
        let names = self.sweep.points.names().into_iter();
        let given = names.zip(point).map(|(name, value)| (name.to_owned(), value.text()));
        let set: Vec<(String, String)> = self.sweep.set.iter().cloned().chain(given).collect();
        let found: Found<Solved> = match self.problem(&set) {
            Ok(file) => solved(&file, stop).map_err(|error| error.to_string()),
            Err(found) => Err(found.0.first().map_or_else(String::new, |remark| remark.message.clone())),
        };
        match found {
            Ok(solved) if solved.solution.outcome.status == Status::Stopped => Err(SweepError::Stopped),
            Ok(_) | Err(_) if stop() => Err(SweepError::Stopped),
            Ok(solved) => Ok(cells(&solved)),
            Err(message) => {
                let (cost, iterations) = (Cell::Number(None), Cell::Count(0));
                Ok(vec![Cell::word("refused"), cost, iterations, Cell::Text(None), Cell::word(&message)])
            }
        }
    }
}

impl Task for Optimisations {
    fn columns(&self) -> Vec<Column> {
        let kinds = [
            ("status", Type::Text),
            ("cost", Type::Number),
            ("iterations", Type::Count),
            ("audit", Type::Text),
            ("message", Type::Text),
        ];
        kinds.map(|(name, kind)| Column::new(name, kind)).into_iter().collect()
    }

    fn rows(&self, points: &[Vec<Value>], stop: Stop<'_>) -> Result<Vec<Vec<Cell>>, SweepError> {
        points.iter().map(|point| self.row(point, stop)).collect()
    }
}

/// Solves on one mesh or on several, or the best gait of several starts.
fn solved(file: &ProblemFile, stop: Stop<'_>) -> Result<Solved, ControlError> {
    let mut options = file.options();
    options.nlp.max_seconds = f64::INFINITY;
    if let (Some(gait), Some(mut wanted)) = (&file.gait, file.gait_options()) {
        wanted.solve.nlp.max_seconds = f64::INFINITY;
        let found = gait.search(&file.gait_starts()?, &wanted, &mut |_event| !stop())?;
        if let Some(best) = found.candidates.into_iter().next() {
            return Ok(Solved { solution: best.solution, audit: best.audit.map(Ok) });
        }
    }
    let mut observe = |_: &carom_nlp::Progress<'_>| !stop();
    let (problem, solution) = match file.settings.accuracy {
        Some(accuracy) => {
            let ladder = LadderOptions { accuracy, ..LadderOptions::default() };
            let found = solve_to_accuracy(&file.problem, &file.guess, &options, &ladder, &mut observe)?;
            (found.problem, found.solution)
        }
        None => (file.problem.clone(), solve(&file.problem, &file.guess, &options, &mut observe)?),
    };
    let is_wanted = solution.outcome.status.is_success() && !stop();
    let audit = is_wanted.then(|| audit(&problem, &solution, &AuditOptions::default()));
    Ok(Solved { solution, audit })
}

fn cells(Solved { solution, audit }: &Solved) -> Vec<Cell> {
    let outcome = &solution.outcome;
    let is_success = outcome.status.is_success();
    let (verdict, message) = match audit {
        Some(Ok(audit)) if audit.passed => (Some("passed"), None),
        Some(Ok(audit)) => (Some("not passed"), Some(audit.verdict())),
        Some(Err(error)) => (None, Some(format!("the optimum could not be audited: {error}"))),
        None if is_success => (None, None),
        None => (None, Some(format!("the search did not converge: {}", outcome.status))),
    };
    vec![
        Cell::word(&outcome.status.to_string()),
        Cell::Number(is_success.then_some(outcome.objective)),
        Cell::Count(outcome.statistics.iterations),
        Cell::Text(verdict.map(str::to_owned)),
        Cell::Text(message),
    ]
}
