//! Runs backward in time, told in forward time.
//!
//! The [reversed](crate::System::reversed) system, started from `(q, -v)`, runs through the motion backward
//! with a clock `s = -t`. [`Trajectory::backward`] translates what it leaves behind:
//!
//! | of the reversed system | becomes |
//! |---|---|
//! | times, velocities, momenta, quasivelocities, conserved momenta | negated |
//! | configurations, energies, multipliers, gaps, forces of contacts | the same |
//! | states and energies before and after an impact | exchanged; velocities and momenta also negated |
//! | impulses of an impact | the same, as `p_plus - p_minus` is |
//! | modes before and after a change | exchanged |
//!
//! Nodes, impacts, changes of mode and findings stay in the order in which they were computed, so that times
//! decrease and the last node is the result. Each impact and each change is described as it happens in forward
//! time: `v_minus` is the earlier velocity. What a law takes in forward time is the loss of the impact; it is the
//! jump's `correction` alone that belongs to the computation, and moved the later state.

use crate::events::{Impact, ModeChange};
use crate::trajectory::{Ending, Trajectory};
use std::borrow::Cow;
use std::mem::swap;

/// Stands before messages of the reversed system, whose times are not ours.
const CLOCK: &str = "backward in time, where the clock shows -t: ";

impl Trajectory {
    /// The motion of a system, from that of its reversed system.
    pub fn backward(mut self) -> Self {
        for values in [&mut self.t, &mut self.v, &mut self.p, &mut self.w] {
            negate(values);
        }
        // All invariants but the energy are momenta.
        self.invariants.iter_mut().for_each(|invariant| negate(&mut invariant.values));
        self.impacts.iter_mut().for_each(turn_impact);
        self.modes.iter_mut().for_each(turn_change);
        self.findings.iter_mut().for_each(|finding| finding.t = negative(finding.t));
        if let Ending::Failed { time, message } = &mut self.ending {
            *time = negative(*time);
            message.insert_str(0, CLOCK);
        }
        self
    }

    /// True if times decrease.
    pub fn is_backward(&self) -> bool {
        self.t.first().zip(self.t.last()).is_some_and(|(first, last)| first > last)
    }

    /// The same motion with increasing times.
    pub fn in_order_of_time(&self) -> Cow<'_, Self> {
        if !self.is_backward() {
            return Cow::Borrowed(self);
        }
        let mut turned = self.clone();
        let (nodes, n) = (self.len(), self.dimension());
        let widths = [
            (&mut turned.t, 1),
            (&mut turned.q, n),
            (&mut turned.v, n),
            (&mut turned.p, n),
            (&mut turned.w, self.quasivelocities.len()),
            (&mut turned.multipliers, self.constraints.len()),
            (&mut turned.constraint_error, 1),
            (&mut turned.energy, 1),
            (&mut turned.gaps, self.contacts.len()),
            (&mut turned.contact_forces, self.contacts.len()),
        ];
        widths.into_iter().for_each(|(values, width)| reverse(values, nodes, width));
        turned.invariants.iter_mut().for_each(|invariant| reverse(&mut invariant.values, nodes, 1));
        turned.impacts.reverse();
        turned.modes.reverse();
        turned.findings.reverse();
        Cow::Owned(turned)
    }
}

/// Without the sign of zero.
fn negative(value: f64) -> f64 {
    0.0 - value
}

fn negate(values: &mut [f64]) {
    values.iter_mut().for_each(|value| *value = negative(*value));
}

fn turn_impact(impact: &mut Impact) {
    impact.t = negative(impact.t);
    impact.bracket = (negative(impact.bracket.1), negative(impact.bracket.0));
    swap(&mut impact.q, &mut impact.q_plus);
    swap(&mut impact.v_minus, &mut impact.v_plus);
    swap(&mut impact.p_minus, &mut impact.p_plus);
    for values in [&mut impact.v_minus, &mut impact.v_plus, &mut impact.p_minus, &mut impact.p_plus] {
        negate(values);
    }
    impact.energy_minus += impact.energy_change;
    impact.energy_change = negative(impact.energy_change);
    let balance = &mut impact.balance;
    balance.energies = (balance.energies.1, balance.energies.0);
    balance.loss = negative(balance.loss);
}

fn turn_change(change: &mut ModeChange) {
    change.t = negative(change.t);
    swap(&mut change.from, &mut change.to);
}

/// Reverses the order of nodes; a vector that some nodes lack is completed by not-a-number.
fn reverse(values: &mut Vec<f64>, nodes: usize, width: usize) {
    if values.is_empty() || width == 0 {
        return;
    }
    values.resize(nodes * width, f64::NAN);
    // All numbers in reverse, then those of each node in their own order.
    values.reverse();
    values.chunks_exact_mut(width).for_each(<[f64]>::reverse);
}
