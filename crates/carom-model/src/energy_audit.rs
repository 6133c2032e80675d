//! Whether the energy is what impacts left of it, node after node.

use crate::trajectory::{Trajectory, larger};
use std::collections::VecDeque;

/// Times closer than this part of themselves are the same, to rounding.
const SAME_TIME: f64 = 4.0 * f64::EPSILON;

/// Compares the energies of nodes with the first one less the losses of all impacts before them.
///
/// A motion may come in pieces, and an impact at the very time of a node may come after it: the last node
/// waits until nothing more can happen at its time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct EnergyAudit {
    /// Time of the first node.
    start: Option<f64>,
    /// The energy after all impacts that have been passed.
    expected: f64,
    largest: f64,
    /// Times and losses of impacts that have not been passed.
    ahead: VecDeque<(f64, f64)>,
    /// Time and energy of the node that waits.
    waiting: Option<(f64, f64)>,
}

impl EnergyAudit {
    /// Goes on with the next piece of a motion.
    pub fn add(&mut self, piece: &Trajectory) {
        let mut losses = piece.impacts.iter().map(|impact| (impact.t, impact.balance.loss)).peekable();
        for (&t, &energy) in piece.t.iter().zip(&piece.energy) {
            while let Some(loss) = losses.next_if(|loss| loss.0 <= t) {
                self.impact(loss);
            }
            self.node((t, energy));
        }
        losses.for_each(|loss| self.impact(loss));
    }

    /// The largest deviation.
    pub fn error(&self) -> f64 {
        let mut rest = self.clone();
        rest.compare_waiting();
        rest.largest
    }

    fn node(&mut self, node: (f64, f64)) {
        self.compare_waiting();
        if self.start.is_none() {
            (self.start, self.expected) = (Some(node.0), node.1);
            // Impacts of the initial state come before the first node.
            self.ahead.clear();
        }
        self.waiting = Some(node);
    }

    fn impact(&mut self, (t, loss): (f64, f64)) {
        if self.start.is_some_and(|start| t <= start) {
            return;
        }
        if self.waiting.is_some_and(|(node, _)| t > node + rounding(node)) {
            self.compare_waiting();
        }
        // No node can be at the time of an impact that others follow.
        if self.start.is_some() && self.waiting.is_none() {
            self.pass(t - 2.0 * rounding(t));
        }
        self.ahead.push_back((t, loss));
    }

    /// Takes the losses of all impacts before the time `t`.
    fn pass(&mut self, t: f64) {
        while let Some((_, loss)) = self.ahead.pop_front_if(|impact| impact.0 < t) {
            self.expected -= loss;
        }
    }

    fn compare_waiting(&mut self) {
        let Some((t, energy)) = self.waiting.take() else { return };
        self.pass(t - rounding(t));
        // A node at the very time of an impact may stand on either side: the one that fits.
        let (mut here, mut deviation) = (self.expected, (energy - self.expected).abs());
        for (_, loss) in self.ahead.iter().take_while(|impact| impact.0 <= t + rounding(t)) {
            here -= loss;
            deviation = deviation.min((energy - here).abs());
        }
        self.largest = larger(self.largest, deviation);
    }
}

fn rounding(t: f64) -> f64 {
    SAME_TIME * t.abs()
}
