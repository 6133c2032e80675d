//! Problems built in Rust, one call after the other.

use crate::problem::{
    ClosedContact, Condition, ControlProblem, ControlShape, Cost, CostKind, Duration, FreedParameter, Jump,
    PathCondition, Phase, Transition, Where,
};
use carom_model::System;
use carom_nlp::Range;
use std::sync::Arc;

impl ControlProblem {
    /// A problem without phases.
    pub fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            phases: Vec::new(),
            transitions: Vec::new(),
            costs: Vec::new(),
            freed: Vec::new(),
            total_duration: None,
        }
    }

    /// Adds a phase.
    pub fn phase(mut self, phase: Phase) -> Self {
        self.phases.push(phase);
        self
    }

    /// Adds a transition.
    pub fn transition(mut self, transition: Transition) -> Self {
        self.transitions.push(transition);
        self
    }

    /// Adds a cost over all phases.
    pub fn cost(mut self, name: &str, weight: f64, kind: CostKind) -> Self {
        self.costs.push(Cost { name: name.to_owned(), weight, phases: Vec::new(), kind, per: None });
        self
    }

    /// Adds a parameter that is to be found.
    pub fn free(mut self, name: &str, range: Range) -> Self {
        self.freed.push(FreedParameter { name: name.to_owned(), range, guess: None });
        self
    }
}

impl Phase {
    /// A phase of `intervals` even intervals, without any condition.
    pub fn new(name: &str, system: Arc<System>, duration: Duration, intervals: usize) -> Self {
        Self {
            name: name.to_owned(),
            system,
            closed: Vec::new(),
            duration,
            intervals,
            shares: Vec::new(),
            shape: ControlShape::default(),
            bounds: Vec::new(),
            start: Vec::new(),
            end: Vec::new(),
            path: Vec::new(),
            formulation: None,
        }
    }

    /// Bounds a coordinate, a rate or an input.
    pub fn bound(mut self, name: &str, range: Range) -> Self {
        self.bounds.push((name.to_owned(), range));
        self
    }

    /// Asks `formula` to lie in `range` at the beginning.
    pub fn start(mut self, formula: &str, range: Range) -> Self {
        self.start.push(Condition::new(formula, range));
        self
    }

    /// Asks `formula` to lie in `range` at the end.
    pub fn end(mut self, formula: &str, range: Range) -> Self {
        self.end.push(Condition::new(formula, range));
        self
    }

    /// Asks `formula` to lie in `range` along the way.
    pub fn path(mut self, formula: &str, range: Range, at: Where) -> Self {
        self.path.push(PathCondition { condition: Condition::new(formula, range), at });
        self
    }

    /// Keeps a contact closed.
    pub fn close(mut self, contact: &str, sticks: bool) -> Self {
        self.closed.push(ClosedContact { contact: contact.to_owned(), sticks });
        self
    }

    /// Chooses how controls vary within an interval.
    pub fn shape(mut self, shape: ControlShape) -> Self {
        self.shape = shape;
        self
    }

    /// Bounds of a coordinate, rate or input: all that were given, together.
    pub fn range(&self, name: &str) -> Range {
        let bounds = self.bounds.iter().filter(|(bounded, _)| bounded == name);
        bounds.fold(Range::FREE, |all, (_, range)| Range::new(all.lower.max(range.lower), all.upper.min(range.upper)))
    }

    /// Shares of the duration of the intervals; their sum is one.
    pub fn mesh(&self) -> Vec<f64> {
        if self.shares.is_empty() { vec![1.0 / self.intervals as f64; self.intervals] } else { self.shares.clone() }
    }
}

impl Condition {
    /// A condition that is called like its formula.
    pub fn new(formula: &str, range: Range) -> Self {
        Self { name: formula.to_owned(), formula: formula.to_owned(), range }
    }
}

impl Transition {
    /// From one phase to another, without impact.
    pub fn smooth(from: usize, to: usize) -> Self {
        Self { name: format!("{from} to {to}"), from, to, guards: Vec::new(), map: Vec::new(), jump: Jump::default() }
    }

    /// From one phase to another, by impacts at these contacts.
    pub fn impact(from: usize, to: usize, guards: &[&str]) -> Self {
        let guards: Vec<String> = guards.iter().map(|&guard| guard.to_owned()).collect();
        Self { name: guards.join(" and "), guards, ..Self::smooth(from, to) }
    }

    /// Relabels the configuration afterwards.
    pub fn map(mut self, formulas: &[&str]) -> Self {
        self.map = formulas.iter().map(|&formula| formula.to_owned()).collect();
        self
    }
}
