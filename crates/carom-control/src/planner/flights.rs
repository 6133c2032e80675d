//! Motions with a fixed number of impacts, solved with the times of the impacts as unknowns.
//!
//! Between impacts the motion is smooth: one phase of free duration per flight, one elastic transition per impact,
//! transcribed once for each number of impacts. This is the classical problem of 002, III-A; knots at the impacts are
//! free, and no force is wasted on them.

use crate::dmoc::prepare;
use crate::error::ControlError;
use crate::guess::{Guess, PhaseGuess};
use crate::implicit::polish::fixed_sequence;
use crate::implicit::sequence::{Segment, Sequence};
use crate::problem::{ControlProblem, Duration};
use crate::solution::Solution;
use crate::solve::SolveOptions;
use crate::transcription::{Transcript, Transcription, transcription};
use carom_expr::{Backend, Evaluator, Function, Group};
use carom_nlp::{Nlp, Observer, Range};

/// Shortest flight, as a share of the duration.
const SHORTEST: f64 = 2e-3;
/// Flights this close to the shortest one have collapsed: two impacts became one.
const COLLAPSED: f64 = 1.5;
/// Points of a flight between two nodes at which its gap is looked at.
const LOOKS: usize = 8;

/// A motion with a number of impacts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Flight {
    /// Its cost.
    pub cost: f64,
    /// The motion of each flight.
    pub guess: Guess,
    /// Times of the impacts.
    pub times: Vec<f64>,
    /// Depth to which open contacts are passed; nothing if it is none.
    pub depth: f64,
    /// When that happens.
    pub deepest: f64,
}

impl Flight {
    /// A path that is no motion, to put impacts into.
    pub(super) fn of_guess(guess: &Guess) -> Self {
        let ends = guess.phases.iter().scan(0.0, |time, phase| {
            *time += phase.duration;
            Some(*time)
        });
        let mut times: Vec<f64> = ends.collect();
        let duration = times.pop().unwrap_or(0.0);
        Self { cost: f64::MAX, guess: guess.clone(), times, depth: f64::MAX, deepest: 0.5 * duration }
    }

    /// False if it is only a path.
    pub(super) fn is_solved(&self) -> bool {
        self.cost < f64::MAX
    }
}

/// Programs of motions, by the number of their impacts.
pub(super) struct Flights<'a> {
    problem: &'a ControlProblem,
    contact: String,
    duration: f64,
    method: Box<dyn Transcription>,
    options: SolveOptions,
    intervals: usize,
    gap: Evaluator,
    programs: Vec<Option<(ControlProblem, Transcript)>>,
    /// Programs solved so far.
    pub(super) solved: usize,
}

impl<'a> Flights<'a> {
    pub(super) fn new(
        problem: &'a ControlProblem,
        contact: &str,
        (options, intervals): (&SolveOptions, usize),
    ) -> Result<Self, ControlError> {
        let phases = prepare(problem)?;
        let dynamics = &phases[0].dynamics;
        let surface = [dynamics.surfaces[0].gap];
        let (inputs, outputs) = ([Group::new("q", &dynamics.q)], [Group::new("gap", &surface)]);
        let gap = Function::compile(&dynamics.graph, &inputs, &outputs, Backend::Interpreter)?.evaluator();
        Ok(Self {
            duration: problem.phases[0].duration.guess(),
            problem,
            contact: contact.to_owned(),
            method: transcription(&options.transcription)?,
            options: options.clone(),
            intervals,
            gap,
            programs: Vec::new(),
            solved: 0,
        })
    }

    /// The problem with so many impacts.
    pub(super) fn fixed(&self, impacts: usize, with_gaps: bool) -> Result<ControlProblem, ControlError> {
        let count = impacts + 1;
        let at = |k: usize| self.duration * k as f64 / count as f64;
        let segment = |k: usize| Segment { closed: Vec::new(), begins: at(k), ends: at(k + 1) };
        let sequence =
            Sequence { segments: (0..count).map(segment).collect(), hits: vec![vec![self.contact.clone()]; impacts] };
        let phases = prepare(self.problem)?;
        let mut fixed = fixed_sequence(self.problem, &phases[0], &sequence, 1, with_gaps);
        for phase in &mut fixed.phases {
            phase.intervals = self.intervals;
            if let Duration::Free { range, .. } = &mut phase.duration {
                *range = Range::new(SHORTEST * self.duration, self.duration);
            }
        }
        Ok(fixed)
    }

    /// An error if motions without and with an impact cannot be stated, or there is no such solver.
    pub(super) fn check(&mut self) -> Result<(), ControlError> {
        carom_nlp::solver(&self.options.solver)?;
        for (impacts, with_gaps) in [(0, true), (1, true)] {
            let fixed = self.fixed(impacts, with_gaps)?;
            self.method.transcribe(&fixed, Backend::Interpreter)?;
        }
        Ok(())
    }

    /// Solves the motion with as many impacts as the guess has flights, less one; nothing if that fails.
    pub(super) fn solve(&mut self, guess: &Guess, observe: &mut Observer<'_>) -> Result<Option<Flight>, ControlError> {
        let impacts = guess.phases.len() - 1;
        if self.programs.len() <= impacts {
            self.programs.resize_with(impacts + 1, || None);
        }
        let (fixed, mut transcript) = match self.programs[impacts].take() {
            Some(known) => known,
            None => {
                let fixed = self.fixed(impacts, false)?;
                let transcript = self.method.transcribe(&fixed, self.options.backend)?;
                (fixed, transcript)
            }
        };
        self.solved += 1;
        let found = self.solve_program(guess, &fixed, &mut transcript, observe);
        self.programs[impacts] = Some((fixed, transcript));
        found
    }

    fn solve_program(
        &mut self,
        guess: &Guess,
        fixed: &ControlProblem,
        transcript: &mut Transcript,
        observe: &mut Observer<'_>,
    ) -> Result<Option<Flight>, ControlError> {
        guess.apply(fixed, transcript)?;
        let solver = carom_nlp::solver(&self.options.solver)?;
        let outcome = solver.solve(&mut transcript.program, &self.options.nlp, observe);
        if !outcome.status.is_success() {
            return Ok(None);
        }
        let size = [transcript.program.variable_ranges().len(), transcript.program.row_ranges().len()];
        let found = self.method.read(fixed, &transcript.layout, &outcome)?;
        let solution = Solution {
            worst: Vec::new(),
            method: transcript.method.clone(),
            phases: found.phases,
            transitions: found.transitions,
            costs: found.costs,
            freed: Vec::new(),
            sensitivities: Vec::new(),
            size,
            seconds_setup: 0.0,
            outcome,
        };
        let shortest = COLLAPSED * SHORTEST * self.duration;
        let is_whole = solution.phases.len() == 1 || solution.phases.iter().all(|phase| phase.duration > shortest);
        Ok(is_whole.then(|| self.flight(&solution)))
    }

    /// What a solution is, for a search.
    pub(super) fn flight(&mut self, solution: &Solution) -> Flight {
        let (mut depth, mut deepest) = (0.0, 0.0);
        let guess = solution.guess();
        for (phase, motion) in solution.phases.iter().zip(&guess.phases) {
            let count = LOOKS * phase.times.len();
            for k in 1..count {
                let share = k as f64 / count as f64;
                let gap = self.gap.values(&motion.at(share))[0];
                if -gap > depth {
                    (depth, deepest) = (-gap, phase.begins + share * phase.duration);
                }
            }
        }
        let times = solution.transitions.iter().map(|transition| transition.time).collect();
        Flight { cost: solution.outcome.objective, guess, times, depth, deepest }
    }
}

/// A path through points at times, as the motion of one flight.
pub(super) fn through(points: Vec<Vec<f64>>, duration: f64) -> PhaseGuess {
    let last = points.len() - 1;
    let times = (0..=last).map(|k| k as f64 / last as f64).collect();
    PhaseGuess { duration, times, q: points, ..PhaseGuess::default() }
}
