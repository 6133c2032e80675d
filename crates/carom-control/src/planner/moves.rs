//! Impacts put into a motion, and taken out of it.
//!
//! An impact at the time `t` and the configuration `c` of the boundary bends the flight around `t` towards `c`,
//!
//! ```text
//! q(s) + w(s) (c - q(t)),       w rising from 0 at the start of the flight to 1 at t and falling to 0 at its end.
//! ```

use super::flights::{Flight, through};
use crate::guess::{Guess, PhaseGuess};

/// Points of a flight that was bent or joined.
const POINTS: usize = 16;

/// Where flights begin, and where the last one ends.
fn knots(flight: &Flight) -> Vec<f64> {
    let mut knots = vec![0.0];
    for phase in &flight.guess.phases {
        knots.push(knots[knots.len() - 1] + phase.duration);
    }
    knots
}

/// The configuration at a time.
pub(super) fn configuration(flight: &Flight, t: f64) -> Vec<f64> {
    let knots = knots(flight);
    let number = flight_at(&knots, t);
    flight.guess.phases[number].at((t - knots[number]) / (knots[number + 1] - knots[number]))
}

fn flight_at(knots: &[f64], t: f64) -> usize {
    (1..knots.len() - 1).take_while(|&k| knots[k] <= t).count()
}

/// The motion with one more impact.
pub(super) fn insert(flight: &Flight, t: f64, touch: &[f64]) -> Guess {
    let knots = knots(flight);
    let number = flight_at(&knots, t);
    let (begins, ends) = (knots[number], knots[number + 1]);
    let motion = &flight.guess.phases[number];
    let at = |time: f64| motion.at((time - begins) / (ends - begins));
    let middle = at(t);
    let bent = |time: f64, weight: f64| -> Vec<f64> {
        let bend = middle.iter().zip(touch).map(|(q, c)| weight * (c - q));
        at(time).iter().zip(bend).map(|(q, bend)| q + bend).collect()
    };
    let share = |k: usize| k as f64 / POINTS as f64;
    let before = (0..=POINTS).map(|k| bent(begins + share(k) * (t - begins), share(k))).collect();
    let after = (0..=POINTS).map(|k| bent(t + share(k) * (ends - t), 1.0 - share(k))).collect();
    let mut phases = flight.guess.phases.clone();
    phases.splice(number..=number, [through(before, t - begins), through(after, ends - t)]);
    Guess { phases, ..Guess::default() }
}

/// The motion without one of its impacts.
pub(super) fn remove(flight: &Flight, impact: usize) -> Guess {
    let [before, after] = [&flight.guess.phases[impact], &flight.guess.phases[impact + 1]];
    let total = before.duration + after.duration;
    let at = |time: f64| match time < before.duration {
        true => before.at(time / before.duration),
        false => after.at((time - before.duration) / after.duration),
    };
    let points = (0..=2 * POINTS).map(|k| at(total * k as f64 / (2 * POINTS) as f64)).collect();
    let mut phases: Vec<PhaseGuess> = flight.guess.phases.clone();
    phases.splice(impact..=impact + 1, [through(points, total)]);
    Guess { phases, ..Guess::default() }
}
