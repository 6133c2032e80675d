//! From a sequence that was found to the problem with that sequence, and to its solution.

use super::DiscoverOptions;
use super::sequence::{Segment, Sequence};
use crate::error::ControlError;
use crate::guess::{Guess, PhaseGuess};
use crate::phase::PreparedPhase;
use crate::problem::{Condition, ControlProblem, CostKind, Duration, PathCondition, Phase, Transition, Where};
use crate::solution::Solution;
use crate::solve::{SolveOptions, solve};
use carom_nlp::{Observer, Range, Status};

/// Durations of the phases are searched within this factor of what was found, as far as that is known at all.
const FACTOR: f64 = 5.0;
/// Shortest share of the whole duration that a phase may have.
const SHORTEST: f64 = 1e-3;

/// The problem with one phase per segment and one transition between neighbours.
pub(crate) fn fixed_sequence(
    problem: &ControlProblem,
    phase: &PreparedPhase<'_>,
    sequence: &Sequence,
    least_intervals: usize,
    with_gaps: bool,
) -> ControlProblem {
    let whole = &problem.phases[0];
    let count = sequence.segments.len();
    let total = sequence.segments[count - 1].ends;
    let mut found = ControlProblem { phases: Vec::new(), transitions: Vec::new(), ..problem.clone() };
    for (k, segment) in sequence.segments.iter().enumerate() {
        let width = segment.ends - segment.begins;
        let share = (whole.intervals as f64 * width / total).ceil() as usize;
        let mut part = Phase {
            name: if count > 1 { format!("{} {k}", whole.name) } else { whole.name.clone() },
            intervals: share.max(least_intervals),
            shares: Vec::new(),
            start: if k == 0 { whole.start.clone() } else { Vec::new() },
            end: if k + 1 == count { whole.end.clone() } else { Vec::new() },
            ..whole.clone()
        };
        if count > 1 {
            let range = Range::new((width / FACTOR).min(SHORTEST * total), (width * FACTOR).min(2.0 * total));
            part.duration = Duration::Free { range, guess: width };
        }
        for contact in &segment.closed {
            part = part.close(contact, false);
            part = part.path(&format!("force_{contact}"), Range::at_least(0.0), Where::Nodes);
        }
        if with_gaps {
            part.path.extend(open_gaps(phase, segment));
        }
        found.phases.push(part);
    }
    for (k, hits) in sequence.hits.iter().enumerate() {
        let hits: Vec<&str> = hits.iter().map(String::as_str).collect();
        let link = if hits.is_empty() { Transition::smooth(k, k + 1) } else { Transition::impact(k, k + 1, &hits) };
        let name =
            if hits.is_empty() { format!("release {k}") } else { format!("impact {k} of {}", hits.join(" and ")) };
        found.transitions.push(Transition { name, ..link });
    }
    if count > 1 {
        found.total_duration = Some(match whole.duration {
            Duration::Fixed(duration) => Range::fixed(duration),
            Duration::Free { range, .. } => range,
        });
    }
    // Costs of the one phase are costs of all its parts; those at its end are costs at the end of the last.
    for cost in &mut found.costs {
        let is_last = matches!(cost.kind, CostKind::Terminal(_));
        cost.phases = if is_last { vec![count - 1] } else { Vec::new() };
    }
    found
}

/// `phi >= 0` at the nodes, for contacts that are open.
fn open_gaps(phase: &PreparedPhase<'_>, segment: &Segment) -> Vec<PathCondition> {
    let open = phase.dynamics.surfaces.iter().filter(|surface| !segment.closed.contains(&surface.name));
    let condition = |surface: &carom_model::Surface| {
        let formula = phase.dynamics.graph.display(surface.gap);
        // Formulas too long to be written are left out; the replay of a solution looks at gaps all the same.
        let is_whole = !formula.contains("...");
        is_whole.then(|| PathCondition {
            condition: Condition { name: format!("gap of {}", surface.name), formula, range: Range::at_least(0.0) },
            at: Where::Nodes,
        })
    };
    open.filter_map(condition).collect()
}

/// The parts of a motion that belong to the segments.
pub(super) fn cut(motion: &Guess, sequence: &Sequence, problem: &ControlProblem) -> Guess {
    let guess = &motion.phases[0];
    let total = guess.duration;
    let part = |(segment, phase): (&Segment, &Phase)| {
        let count = 2 * phase.intervals;
        let (begins, width) = (segment.begins / total, (segment.ends - segment.begins) / total);
        let times: Vec<f64> = (0..=count).map(|k| k as f64 / count as f64).collect();
        let inputs = phase.system.inputs().len();
        let q = times.iter().map(|time| guess.at(begins + time * width)).collect();
        let u = times.iter().map(|time| guess.control(begins + time * width, inputs)).collect();
        PhaseGuess {
            duration: width * total,
            times,
            q,
            u: if inputs == 0 { Vec::new() } else { u },
            ..PhaseGuess::default()
        }
    };
    Guess {
        phases: sequence.segments.iter().zip(&problem.phases).map(part).collect(),
        freed: motion.freed.clone(),
        ..Guess::default()
    }
}

/// Solves the problem with fixed sequence; if that fails, by way of the rule of the search.
pub(super) fn solved(
    problem: &ControlProblem,
    guess: &Guess,
    options: &DiscoverOptions,
    observe: &mut Observer<'_>,
) -> Result<Solution, ControlError> {
    let direct = solve(problem, guess, &options.polish, observe)?;
    if direct.outcome.status.is_success() || direct.outcome.status == Status::Stopped {
        return Ok(direct);
    }
    let coarse = SolveOptions { transcription: options.rule.clone(), ..options.polish.clone() };
    let coarse = solve(problem, guess, &coarse, observe)?;
    match coarse.outcome.status.is_success() {
        true => solve(problem, &coarse.guess(), &options.polish, observe),
        false => Ok(direct),
    }
}
