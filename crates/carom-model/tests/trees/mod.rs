//! Models of trees and their numbers.

#![allow(dead_code)] // no test uses all of it

use carom_expr::Id;
use carom_model::Model;

/// A sound model.
pub fn load(text: &str) -> Model {
    Model::from_text(text, "tree.toml", &[]).unwrap_or_else(|diagnostics| panic!("{diagnostics}"))
}

/// Numbers that are always the same, from -1 to 1.
pub fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|k| (1.0 + 7.3 * k as f64).sin()).collect()
}

/// Value of an expression of the system's graph.
pub fn value(model: &Model, id: Id, q: &[f64], v: &[f64]) -> f64 {
    let system = &model.system;
    let mut graph = system.graph().clone();
    let ids = system.specialise(&mut graph, &[id]);
    let variables = [system.q(), system.v()].concat();
    graph.evaluate(&ids, &variables.into_iter().zip([q, v].concat()).collect::<Vec<_>>())[0]
}

/// The Lagrangian at a state.
pub fn lagrangian(model: &Model, q: &[f64], v: &[f64]) -> f64 {
    value(model, model.system.lagrangian(), q, v)
}

/// Equal but for rounding.
pub fn close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12 * (1.0 + expected.abs()), "{found} instead of {expected}");
}
