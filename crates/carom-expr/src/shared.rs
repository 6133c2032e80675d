//! Gradients of many results that have linear parts in common.
//!
//! The derivatives of a discrete Lagrangian by its two end points are two
//! combinations of the same slopes, `h L_q / 2 -+ L_v`: one reverse sweep for
//! each of the slopes, then the combinations, is half of the work of a sweep
//! for each result. So the results are followed down through sums, differences
//! and fixed factors; what more than one of them reaches is a *term* that is
//! differentiated once.

use crate::graph::{Graph, Id, Node};
use crate::op::{Binary, Unary};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

impl Graph {
    /// The gradient of each `results_i` by the first `columns(i)` of `variables`.
    pub(crate) fn gradients(
        &mut self,
        results: &[Id],
        variables: &[Id],
        columns: impl Fn(usize) -> usize,
    ) -> Vec<Vec<Id>> {
        let order = self.reachable(results);
        let active = self.active(&order, variables);
        let mut limits: FxHashMap<Id, usize> = FxHashMap::default();
        for (row, &result) in results.iter().enumerate() {
            let limit = limits.entry(result).or_default();
            *limit = columns(row).max(*limit);
        }
        let owners = self.owners(&order, &active, &mut limits);
        let mut gradients: FxHashMap<Id, Vec<Id>> = FxHashMap::default();
        // Terms stand before those that contain them.
        for &id in order.iter().filter(|id| owners.get(id) == Some(id)) {
            let gradient = self.gradient_of_term(id, &owners, &active, &gradients, &variables[..limits[&id]]);
            gradients.insert(id, gradient);
        }
        let zero = self.constant(0.0);
        let row = |(row, result)| {
            let gradient: &[Id] = gradients.get(result).map_or(&[], Vec::as_slice);
            (0..columns(row)).map(|column| gradient.get(column).copied().unwrap_or(zero)).collect()
        };
        results.iter().enumerate().map(row).collect()
    }

    /// For every node on a linear path from a result: the result or term that it is part of.
    /// Terms get the largest number of columns that is asked of those who contain them.
    fn owners(&self, order: &[Id], active: &FxHashMap<Id, ()>, limits: &mut FxHashMap<Id, usize>) -> FxHashMap<Id, Id> {
        let mut owners: FxHashMap<Id, Id> = limits.keys().map(|&result| (result, result)).collect();
        for &id in order.iter().rev() {
            let Some(&owner) = owners.get(&id) else { continue };
            for operand in self.linear_operands(id, active) {
                let before = owners.get(&operand).copied();
                let new = if before.is_none_or(|before| before == owner) { owner } else { operand };
                owners.insert(operand, new);
                if new == operand {
                    let limit = limits[&owner].max(before.map_or(0, |before| limits[&before]));
                    let entry = limits.entry(operand).or_default();
                    *entry = limit.max(*entry);
                }
            }
        }
        owners
    }

    /// The operands on which a node depends linearly; none if it is not linear in them.
    fn linear_operands(&self, id: Id, active: &FxHashMap<Id, ()>) -> Vec<Id> {
        let is_active = |id: Id| active.contains_key(&id);
        match self.node(id) {
            Node::Unary(Unary::Neg, a) if is_active(a) => vec![a],
            Node::Binary(Binary::Add | Binary::Sub, a, b) => [a, b].into_iter().filter(|&o| is_active(o)).collect(),
            Node::Binary(Binary::Mul, a, b) if is_active(a) != is_active(b) => vec![if is_active(a) { a } else { b }],
            Node::Binary(Binary::Div, a, b) if is_active(a) && !is_active(b) => vec![a],
            _ => Vec::new(),
        }
    }

    /// One sweep over what belongs to `term` alone, plus the known gradients of the terms inside it.
    fn gradient_of_term(
        &mut self,
        term: Id,
        owners: &FxHashMap<Id, Id>,
        active: &FxHashMap<Id, ()>,
        known: &FxHashMap<Id, Vec<Id>>,
        variables: &[Id],
    ) -> Vec<Id> {
        // Weights of everything on linear paths, from the term downwards.
        let one = self.constant(1.0);
        let mut weights: BTreeMap<Id, Id> = BTreeMap::from([(term, one)]);
        let (mut own, mut others): (Vec<(Id, Id)>, Vec<(Id, Id)>) = (Vec::new(), Vec::new());
        while let Some((id, weight)) = weights.pop_last() {
            if id != term && owners[&id] == id {
                others.push((id, weight));
                continue;
            }
            let linear = self.linear_operands(id, active);
            if linear.is_empty() {
                own.push((id, weight));
                continue;
            }
            for (operand, slope) in self.slopes(id, |operand| linear.contains(&operand)) {
                let passed = self.chain(weight, &slope);
                let sum = match weights.get(&operand) {
                    Some(&before) => self.add(before, passed),
                    None => passed,
                };
                weights.insert(operand, sum);
            }
        }
        let mut gradient = self.weighted_gradient(&own, variables);
        for (other, weight) in others {
            for (entry, &slope) in gradient.iter_mut().zip(&known[&other]) {
                let part = self.mul_in_place(weight, slope);
                *entry = self.add(*entry, part);
            }
        }
        gradient
    }
}
