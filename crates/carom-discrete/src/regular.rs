//! Distributions that change their rank, and frames that degenerate, between two nodes.
//!
//! A one-form that vanishes between two nodes has turned round at the second, `omega_a . omega_b < 0`, and is
//! short in the middle, and one that almost vanishes turns fast while it is short; one that has only turned is
//! not short. A frame that degenerates changes the
//! sign of its determinant. Steps go over such places without noticing, and what comes after means nothing.

use crate::checks::MAX_FRAME;
use crate::error::StepError;
use crate::stepper::Stepper;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Group};
use carom_linalg::dot;
use carom_model::Dynamics;
use std::ops::Range;

/// A one-form that is shorter than this part of the longest so far, and turns by more than the angle of this
/// cosine, has come too close to zero.
const SMALL: f64 = 0.1;
const TURNED: f64 = 0.5;
/// A one-form that is shorter than this part of its ends in the middle of a step vanishes near there.
const SHORT: f64 = 0.5;

/// The determinant of the frame of a model, completed by the one-forms where its complement is not given.
pub(crate) fn determinant(dynamics: &Dynamics) -> Result<Option<Evaluator>, FunctionError> {
    let Some(frame) = &dynamics.frame else { return Ok(None) };
    let n = dynamics.dimension();
    if n > MAX_FRAME {
        return Ok(None);
    }
    let mut graph = dynamics.graph.clone();
    let mut fields = frame.matrix();
    if frame.fields.len() < n {
        fields.extend(dynamics.one_forms(&mut graph));
    }
    let all: Vec<usize> = (0..n).collect();
    let determinant = [graph.minor(&fields, n, &all)];
    let inputs = [Group::new("q", &dynamics.q)];
    let outputs = [Group::new("determinant", &determinant)];
    Ok(Some(Function::compile(&graph, &inputs, &outputs, Backend::Interpreter)?.evaluator()))
}

impl Stepper {
    /// Remembers one-forms and frame of the current node.
    pub(crate) fn mark_distribution(&mut self) {
        let (n, first) = (self.n, self.m - self.velocity_constraints);
        self.now.forms.clear();
        if self.velocity_constraints > 0 {
            self.now.forms.extend(&self.legendre.constraints(&self.now.state.q).1[first * n..]);
            for (longest, row) in self.longest.iter_mut().zip(self.now.forms.chunks_exact(n)) {
                *longest = longest.max(dot(row, row).sqrt());
            }
        }
        if let Some(determinant) = &mut self.determinant {
            let mut value = [0.0];
            determinant.eval(&self.now.state.q, &mut value);
            self.now.determinant = value[0];
        }
    }

    /// Refuses a step that went over a place where the distribution or the frame degenerates; its
    /// displacement stands in `place` of the input.
    pub(crate) fn check_distribution(&mut self, time: f64, place: Range<usize>) -> Result<(), StepError> {
        if self.velocity_constraints == 0 && self.determinant.is_none() {
            return Ok(());
        }
        let sign = self.now.determinant;
        // Those at the start of this segment; a step may have several.
        std::mem::swap(&mut self.now.forms, &mut self.earlier_forms);
        self.mark_distribution();
        if sign * self.now.determinant < 0.0 {
            return Err(StepError::DependentFields { time });
        }
        let n = self.n;
        let before = &self.earlier_forms;
        let rows = before.chunks_exact(n).zip(self.now.forms.chunks_exact(n));
        let mut turned = Vec::new();
        for (k, (a, b)) in rows.enumerate() {
            let (cosine, sizes) = (dot(a, b), [dot(a, a).sqrt(), dot(b, b).sqrt()]);
            let is_small = sizes[0].max(sizes[1]) < SMALL * self.longest[k];
            if is_small && cosine < TURNED * sizes[0] * sizes[1] {
                return Err(StepError::VanishingConstraint { time, constraint: self.constraint_names[k].clone() });
            }
            if cosine < 0.0 {
                turned.push(k);
            }
        }
        if turned.is_empty() {
            return Ok(());
        }
        let (end, displacement) = (&self.now.state.q, &self.input[place]);
        let middle: Vec<f64> = end.iter().zip(displacement).map(|(q, d)| q - 0.5 * d).collect();
        let first = (self.m - self.velocity_constraints) * n;
        let forms = &self.legendre.constraints(&middle).1[first..];
        let row = |all: &[f64], k: usize| dot(&all[k * n..(k + 1) * n], &all[k * n..(k + 1) * n]).sqrt();
        let is_short = |k: &usize| row(forms, *k) < SHORT * row(before, *k).min(row(&self.now.forms, *k));
        match turned.iter().find(|k| is_short(k)) {
            Some(&k) => Err(StepError::VanishingConstraint { time, constraint: self.constraint_names[k].clone() }),
            None => Ok(()),
        }
    }
}
