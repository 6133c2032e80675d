//! The search over numbers of impacts: a beam of the cheapest motions with each number.
//!
//! ```text
//! for m = 1, 2, ...:   put an impact into each of the best motions with m - 1 impacts, at many times; solve
//! for m = ..., 2, 1:   take an impact out of each of the best motions with m + 1 impacts; solve
//! ```
//!
//! Impacts come at the place of the boundary that the motion is above at that time. What the best motion with one
//! impact more looks like is not seen from the best motion alone, hence a beam; and motions that pass through an obstacle
//! are kept aside, for they show where an impact belongs.

use super::flights::{Flight, Flights};
use super::moves::{configuration, insert, remove};
use super::touch::Boundary;
use crate::error::ControlError;
use crate::guess::Guess;
use carom_nlp::Observer;
use std::time::Instant;

/// Costs that differ by less than this part are of the same motion, if their impacts are at the same times.
const SAME: f64 = 1e-6;
/// Motions that are deeper in an obstacle than this, in the units of the gap, pass through it.
const DEEPEST: f64 = 1e-6;

/// How far to look.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchOptions {
    /// Most impacts.
    pub impacts: usize,
    /// Motions kept for each number of impacts.
    pub beam: usize,
    /// Times at which impacts are put in.
    pub times: usize,
    /// Seconds after which no new motion is begun.
    pub max_seconds: f64,
}

impl Default for SearchOptions {
    fn default() -> Self {
        Self { impacts: 4, beam: 5, times: 32, max_seconds: 60.0 }
    }
}

/// What happens in a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchEvent {
    /// Number of impacts of the motion.
    pub impacts: usize,
    /// Its cost.
    pub cost: f64,
    /// Programs solved so far.
    pub solved: usize,
}

/// How far a search came: what it knows, and which move comes next.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchState {
    /// Motions by their number of impacts, cheapest first.
    pub levels: Vec<Vec<Flight>>,
    /// Motions that pass through the obstacle.
    pub aside: Vec<Vec<Flight>>,
    /// The pass that comes next: up through the numbers of impacts, then down.
    pub pass: usize,
    /// Moves of that pass that were made.
    pub moves: usize,
    /// Programs solved so far.
    pub solved: usize,
    /// What was looked for.
    pub options: SearchOptions,
}

impl SearchState {
    /// True if all moves were made.
    pub fn is_finished(&self) -> bool {
        self.pass >= passes(&self.options)
    }
}

/// Once up, and down again.
fn passes(options: &SearchOptions) -> usize {
    (2 * options.impacts).saturating_sub(1)
}

/// An impact put in at a time, or taken out.
#[derive(Clone, Copy)]
enum Move {
    Insert(f64),
    Remove(usize),
}

/// The best motions found so far, by their number of impacts.
pub(super) struct Search<'a, 'b> {
    pub(super) flights: Flights<'a>,
    boundary: Boundary,
    options: &'b SearchOptions,
    /// Cheapest first.
    pub(super) levels: Vec<Vec<Flight>>,
    /// Motions that pass through the obstacle.
    pub(super) aside: Vec<Vec<Flight>>,
    pass: usize,
    moves: usize,
    begin: Instant,
    pub(super) is_stopped: bool,
}

impl<'a, 'b> Search<'a, 'b> {
    pub(super) fn new(flights: Flights<'a>, boundary: Boundary, options: &'b SearchOptions) -> Self {
        let count = options.impacts + 1;
        let (levels, aside) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        let begin = Instant::now();
        Self { flights, boundary, options, levels, aside, pass: 0, moves: 0, begin, is_stopped: false }
    }

    /// Goes on where an earlier search ended; one that looked for something else begins anew with what it knows.
    pub(super) fn resume(&mut self, state: &SearchState) {
        for (own, known) in [(&mut self.levels, &state.levels), (&mut self.aside, &state.aside)] {
            own.iter_mut().zip(known).for_each(|(own, known)| own.clone_from(known));
        }
        self.flights.solved = state.solved;
        let limits = |options: &SearchOptions| (options.impacts, options.beam, options.times);
        if limits(&state.options) == limits(self.options) {
            (self.pass, self.moves) = (state.pass, state.moves);
        }
    }

    /// How far it came.
    pub(super) fn state(&self) -> SearchState {
        SearchState {
            levels: self.levels.clone(),
            aside: self.aside.clone(),
            pass: self.pass,
            moves: self.moves,
            solved: self.flights.solved,
            options: self.options.clone(),
        }
    }

    /// True if no move was made yet.
    pub(super) fn is_new(&self) -> bool {
        self.pass == 0 && self.moves == 0
    }

    /// Solves from a guess and keeps what is found.
    pub(super) fn solve(
        &mut self,
        guess: &Guess,
        watch: &mut dyn FnMut(SearchEvent) -> bool,
        observe: &mut Observer<'_>,
    ) -> Result<(), ControlError> {
        let Some(impacts) = guess.phases.len().checked_sub(1) else {
            return Err(ControlError::GuessShape { what: "a motion without flights".to_owned() });
        };
        if self.is_over() || impacts > self.options.impacts {
            return Ok(());
        }
        let mut goes_on = true;
        let found = self.flights.solve(guess, &mut |progress| {
            goes_on = observe(progress);
            goes_on
        })?;
        self.is_stopped |= !goes_on;
        let Some(flight) = found else {
            // Impacts may help where this number of them does not: something to put them into.
            if goes_on && self.levels[impacts].is_empty() && self.aside[impacts].is_empty() {
                self.aside[impacts].push(Flight::of_guess(guess));
            }
            return Ok(());
        };
        let list = if flight.depth > DEEPEST { &mut self.aside[impacts] } else { &mut self.levels[impacts] };
        let is_known = list.iter().any(|known| is_same(known, &flight));
        if is_known {
            return Ok(());
        }
        let (cost, is_best) = (flight.cost, list.first().is_none_or(|best| flight.cost < best.cost));
        let is_feasible = flight.depth <= DEEPEST;
        list.push(flight);
        list.sort_by(|a, b| a.cost.total_cmp(&b.cost));
        list.truncate(2 * self.options.beam);
        if is_best && is_feasible {
            self.is_stopped |= !watch(SearchEvent { impacts, cost, solved: self.flights.solved });
        }
        Ok(())
    }

    /// Up and down through the numbers of impacts.
    pub(super) fn run(
        &mut self,
        duration: f64,
        watch: &mut dyn FnMut(SearchEvent) -> bool,
        observe: &mut Observer<'_>,
    ) -> Result<(), ControlError> {
        while self.pass < passes(self.options) && !self.is_over() {
            let (parents, moves) = self.next_moves(duration);
            for (parent, step) in moves.into_iter().skip(self.moves) {
                let parent = &parents[parent];
                let guess = match step {
                    Move::Insert(t) => {
                        let touch = self.boundary.below(&configuration(parent, t));
                        touch.map(|touch| insert(parent, t, &touch))
                    }
                    Move::Remove(impact) => Some(remove(parent, impact)),
                };
                if let Some(guess) = guess {
                    self.solve(&guess, watch, observe)?;
                }
                // A move that was cut short is made again when the search goes on.
                if self.is_over() {
                    return Ok(());
                }
                self.moves += 1;
            }
            (self.pass, self.moves) = (self.pass + 1, 0);
        }
        Ok(())
    }

    /// The motions that a pass changes, and how. A pass does not change them itself.
    fn next_moves(&self, duration: f64) -> (Vec<Flight>, Vec<(usize, Move)>) {
        let most = self.options.impacts;
        let is_up = self.pass < most;
        let parents = self.parents(if is_up { self.pass } else { 2 * most - self.pass });
        let mut moves = Vec::new();
        for (number, parent) in parents.iter().enumerate() {
            match is_up {
                true => moves.extend(self.insertions(parent, duration).into_iter().map(|t| (number, Move::Insert(t)))),
                false => moves.extend((0..parent.times.len()).map(|impact| (number, Move::Remove(impact)))),
            }
        }
        (parents, moves)
    }

    /// Feasible motions, and a few that are not.
    fn parents(&self, impacts: usize) -> Vec<Flight> {
        let beam = self.options.beam;
        let feasible = self.levels[impacts].iter().take(beam);
        feasible.chain(self.aside[impacts].iter().take(beam / 2)).cloned().collect()
    }

    /// Times at which an impact is put into a motion.
    fn insertions(&self, parent: &Flight, duration: f64) -> Vec<f64> {
        let step = duration / (self.options.times + 1) as f64;
        let mut times: Vec<f64> = (1..=self.options.times).map(|k| step * k as f64).collect();
        if parent.depth > DEEPEST {
            times.insert(0, parent.deepest);
        }
        times.retain(|t| parent.times.iter().all(|impact| (impact - t).abs() >= 0.25 * step));
        times
    }

    fn is_over(&self) -> bool {
        self.is_stopped || self.begin.elapsed().as_secs_f64() > self.options.max_seconds
    }
}

fn is_same(a: &Flight, b: &Flight) -> bool {
    let times = a.times.iter().zip(&b.times).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    (a.cost - b.cost).abs() <= SAME * a.cost.abs().max(b.cost.abs()) && times < 1e-3
}
