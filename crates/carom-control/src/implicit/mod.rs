//! Contacts that are hit an unknown number of times: the sequence of impacts is found with the motion.
//!
//! The thesis fixes the sequence of impacts beforehand (its Remark 4.1). Here every node may have an impulse, and
//! complementarity of gaps and impulses, relaxed by `eps`, says which of them have one ([`contacts`]). With `eps -> 0` the
//! relaxed motions turn into motions with impacts at nodes:
//!
//! ```text
//! for each start:  for eps in 1 ... 1e-6:   solve the relaxed program, beginning at the last solution
//!                  read the sequence off the impulses
//!                  state the problem with that sequence, one transition per impact, and solve it exactly
//! ```
//!
//! The last step makes up for everything that relaxation, mean gap rates and a coarse mesh do to accuracy. Motions
//! with another number of impacts are other local optima; starts that touch the contacts a different number of
//! times lead to them. The first start is the guess itself, relaxed until it may do as it likes; those that touch are
//! relaxed less, or they would forget it. Nothing is random.

mod contacts;
pub(crate) mod polish;
mod program;
mod search;
pub(crate) mod sequence;
mod start;

use crate::error::ControlError;
use crate::guess::Guess;
use crate::problem::ControlProblem;
use crate::replay::{ReplayOptions, replay};
use crate::solution::Solution;
use crate::solve::SolveOptions;
use carom_discrete::rules::{self, Rule};
use carom_nlp::{Observer, Status};
use program::Relaxed;
use search::Search;

/// Gaps below zero by less than this, in the units of the problem, are errors of the mesh.
pub(crate) const DEEPEST: f64 = 1e-4;

/// How impacts are searched.
#[derive(Clone, Debug)]
pub struct DiscoverOptions {
    /// Contacts that may be hit; all of the system if empty.
    pub contacts: Vec<String>,
    /// Most touches of a start.
    pub touches: usize,
    /// Starts touch later by each of these shares of the time between touches; from -0.4 to 0.4.
    pub shifts: Vec<f64>,
    /// Amounts of relaxation, in the units of impulse times gap, one after the other.
    pub relaxations: Vec<f64>,
    /// Starts that touch contacts are relaxed at most by this, lest their touches be forgotten.
    pub touching: f64,
    /// Intervals of the search are at most this many times longer or shorter than the even one.
    pub stretch: f64,
    /// Rule of the search.
    pub rule: String,
    /// Limit of iterations of each relaxed program.
    pub iterations: usize,
    /// Fewest intervals of a phase of the problem with fixed sequence.
    pub intervals: usize,
    /// How the problem with fixed sequence is solved.
    pub polish: SolveOptions,
}

impl Default for DiscoverOptions {
    fn default() -> Self {
        Self {
            contacts: Vec::new(),
            touches: 3,
            shifts: vec![0.0],
            relaxations: vec![1.0, 0.1, 1e-2, 1e-3, 1e-4, 1e-6],
            touching: 1e-2,
            stretch: 2.0,
            rule: "midpoint".to_owned(),
            iterations: 500,
            intervals: 8,
            polish: SolveOptions { transcription: "gauss2".to_owned(), ..SolveOptions::default() },
        }
    }
}

/// What a search of impacts found.
#[derive(Clone, Debug, Default)]
pub struct Discovery {
    /// Motions with different sequences of impacts, the cheapest first; those that did not converge, or pass through a
    /// contact between the nodes, come last.
    pub candidates: Vec<Candidate>,
    /// Every relaxed program that was solved.
    pub history: Vec<RelaxedSolve>,
}

impl Discovery {
    /// The cheapest motion that converged and passes no contact.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first().filter(|candidate| candidate.is_motion())
    }
}

/// A motion with a fixed sequence of impacts.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The sequence in words.
    pub sequence: String,
    /// Contacts that are hit, and when.
    pub impacts: Vec<(String, f64)>,
    /// Its cost.
    pub cost: f64,
    /// Why the solver stopped.
    pub status: Status,
    /// The problem with that sequence.
    pub problem: ControlProblem,
    /// Its solution.
    pub solution: Solution,
    /// How deep open contacts are passed between the nodes, by replay.
    pub depth: f64,
    /// Number of the start that led to it.
    pub start: usize,
}

impl Candidate {
    /// True if the solver converged and no open contact is passed by more than a hair.
    pub fn is_motion(&self) -> bool {
        self.status.is_success() && self.depth <= DEEPEST
    }
}

/// A relaxed program that was solved.
#[derive(Clone, Debug, PartialEq)]
pub struct RelaxedSolve {
    /// Number of the start.
    pub start: usize,
    /// Amount of relaxation.
    pub relaxation: f64,
    /// Why the solver stopped.
    pub status: Status,
    /// The objective.
    pub cost: f64,
    /// Number of impacts that the impulses show.
    pub impacts: usize,
    /// Iterations.
    pub iterations: usize,
}

/// Something that happens during a search.
#[derive(Clone, Copy, Debug)]
pub enum DiscoverEvent<'a> {
    /// A relaxed program was solved.
    Relaxed(&'a RelaxedSolve),
    /// A sequence was found, and the problem with that sequence solved, well or not.
    Found(&'a Candidate),
}

/// Numbers of variables and rows of the relaxed program; an error if impacts of this problem cannot be searched.
pub fn discoverable(problem: &ControlProblem, options: &DiscoverOptions) -> Result<[usize; 2], ControlError> {
    let rule = rule(options)?;
    let relaxed = Relaxed::new(problem, &options.contacts, &*rule, options.stretch, options.polish.backend)?;
    let program = &relaxed.transcript.program;
    Ok([program.variables().len(), program.rows().len()])
}

/// Searches motions of a problem with one phase, whose contacts may be hit any number of times.
pub fn discover(
    problem: &ControlProblem,
    guess: &Guess,
    options: &DiscoverOptions,
    observe: &mut Observer<'_>,
) -> Result<Discovery, ControlError> {
    discover_with(problem, guess, options, &mut |_| (), observe)
}

/// The same; `watch` is told what happens.
pub fn discover_with(
    problem: &ControlProblem,
    guess: &Guess,
    options: &DiscoverOptions,
    watch: &mut dyn FnMut(DiscoverEvent<'_>),
    observe: &mut Observer<'_>,
) -> Result<Discovery, ControlError> {
    let rule = rule(options)?;
    let mut search = Search::new(problem, guess, options, &*rule)?;
    let mut discovery = Discovery::default();
    for (number, start) in search.starts()?.into_iter().enumerate() {
        let found = search.relax(number, &start, &mut discovery.history, watch, observe)?;
        // Whoever asks to stop gets what was found before.
        if discovery.history.last().is_some_and(|last| last.status == Status::Stopped) {
            break;
        }
        let Some((sequence, motion)) = found else { continue };
        let mut fixed = search.fix(&sequence, true)?;
        let guess = polish::cut(&motion, &sequence, &fixed);
        let mut solution = polish::solved(&fixed, &guess, options, observe)?;
        if !solution.outcome.status.is_success() {
            // Bounds of gaps beside the moment of a release are degenerate; the replay sees if they are needed.
            let open = search.fix(&sequence, false)?;
            let found = polish::solved(&open, &guess, options, observe)?;
            if found.outcome.status.is_success() {
                (fixed, solution) = (open, found);
            }
        }
        let hits = fixed.transitions.iter().zip(&solution.transitions);
        let impacts = hits.flat_map(|(link, found)| link.guards.iter().map(|guard| (guard.clone(), found.time)));
        let candidate = Candidate {
            sequence: sequence.name(),
            impacts: impacts.collect(),
            cost: solution.outcome.objective,
            status: solution.outcome.status.clone(),
            depth: depth(&fixed, &solution)?,
            problem: fixed,
            solution,
            start: number,
        };
        watch(DiscoverEvent::Found(&candidate));
        insert(&mut discovery.candidates, candidate);
    }
    discovery.candidates.sort_by(|a, b| rank(a).0.cmp(&rank(b).0).then(rank(a).1.total_cmp(&rank(b).1)));
    Ok(discovery)
}

/// The rule of the search, if the options make sense.
fn rule(options: &DiscoverOptions) -> Result<Box<dyn Rule>, ControlError> {
    let is_stretched = options.stretch >= 1.0 && options.stretch.is_finite();
    if !is_stretched || !options.relaxations.iter().any(|&relaxation| relaxation > 0.0) {
        let why = "the stretch must be at least 1, and there must be a positive relaxation";
        return Err(ControlError::Discovery { why });
    }
    let missing = || ControlError::Rule { name: options.rule.clone(), why: "there is no such rule" };
    rules::by_name(&options.rule).ok_or_else(missing)
}

/// Of two motions with the same sequence the better one is kept.
fn insert(candidates: &mut Vec<Candidate>, new: Candidate) {
    match candidates.iter_mut().find(|known| known.sequence == new.sequence) {
        Some(known) if rank(&new) < rank(known) => *known = new,
        Some(_) => {}
        None => candidates.push(new),
    }
}

fn rank(candidate: &Candidate) -> (bool, f64) {
    (!candidate.is_motion(), candidate.cost)
}

/// How deep open contacts are passed; infinite if the motion cannot be replayed.
pub(crate) fn depth(problem: &ControlProblem, solution: &Solution) -> Result<f64, ControlError> {
    if !solution.outcome.status.is_success() {
        return Ok(f64::INFINITY);
    }
    let replayed = replay(problem, solution, &ReplayOptions::default())?;
    let is_whole = replayed.phases.iter().all(|phase| phase.failure.is_none());
    let touches = replayed.phases.iter().flat_map(|phase| &phase.touches);
    Ok(if is_whole { touches.map(|touch| touch.depth).fold(0.0, f64::max) } else { f64::INFINITY })
}
