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

/// The best motions found so far, by their number of impacts.
pub(super) struct Search<'a, 'b> {
    pub(super) flights: Flights<'a>,
    boundary: Boundary,
    options: &'b SearchOptions,
    /// Cheapest first.
    pub(super) levels: Vec<Vec<Flight>>,
    /// Motions that pass through the obstacle.
    aside: Vec<Vec<Flight>>,
    begin: Instant,
    pub(super) is_stopped: bool,
}

impl<'a, 'b> Search<'a, 'b> {
    pub(super) fn new(flights: Flights<'a>, boundary: Boundary, options: &'b SearchOptions) -> Self {
        let count = options.impacts + 1;
        let (levels, aside) = (vec![Vec::new(); count], vec![Vec::new(); count]);
        Self { flights, boundary, options, levels, aside, begin: Instant::now(), is_stopped: false }
    }

    /// Solves from a guess and keeps what is found.
    pub(super) fn solve(
        &mut self,
        guess: &Guess,
        watch: &mut dyn FnMut(SearchEvent) -> bool,
        observe: &mut Observer<'_>,
    ) -> Result<(), ControlError> {
        let impacts = guess.phases.len() - 1;
        if self.is_over() || impacts > self.options.impacts {
            return Ok(());
        }
        let mut goes_on = true;
        let found = self.flights.solve(guess, &mut |progress| {
            goes_on = observe(progress);
            goes_on
        })?;
        self.is_stopped |= !goes_on;
        let Some(flight) = found else { return Ok(()) };
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
        for impacts in 1..=self.options.impacts {
            for parent in self.parents(impacts - 1) {
                self.insertions(&parent, duration, watch, observe)?;
            }
        }
        for impacts in (1..self.options.impacts).rev() {
            for parent in self.parents(impacts + 1) {
                for impact in 0..parent.times.len() {
                    self.solve(&remove(&parent, impact), watch, observe)?;
                }
            }
        }
        Ok(())
    }

    /// Feasible motions, and a few that are not.
    fn parents(&self, impacts: usize) -> Vec<Flight> {
        let beam = self.options.beam;
        let feasible = self.levels[impacts].iter().take(beam);
        feasible.chain(self.aside[impacts].iter().take(beam / 2)).cloned().collect()
    }

    fn insertions(
        &mut self,
        parent: &Flight,
        duration: f64,
        watch: &mut dyn FnMut(SearchEvent) -> bool,
        observe: &mut Observer<'_>,
    ) -> Result<(), ControlError> {
        let grid = (1..=self.options.times).map(|k| duration * k as f64 / (self.options.times + 1) as f64);
        let mut times: Vec<f64> = grid.collect();
        if parent.depth > DEEPEST {
            times.insert(0, parent.deepest);
        }
        let shortest = 0.25 * duration / (self.options.times + 1) as f64;
        for t in times {
            if parent.times.iter().any(|impact| (impact - t).abs() < shortest) {
                continue;
            }
            let Some(touch) = self.boundary.below(&configuration(parent, t)) else { continue };
            self.solve(&insert(parent, t, &touch), watch, observe)?;
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.is_stopped || self.begin.elapsed().as_secs_f64() > self.options.max_seconds
    }
}

fn is_same(a: &Flight, b: &Flight) -> bool {
    let times = a.times.iter().zip(&b.times).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    (a.cost - b.cost).abs() <= SAME * a.cost.abs().max(b.cost.abs()) && times < 1e-3
}
