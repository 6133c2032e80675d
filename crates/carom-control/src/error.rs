//! Why a control problem cannot be stated.

use carom_expr::FunctionError;
use carom_expr::text::ParseError;
use carom_nlp::{ProgramError, SolverError};

/// Why a control problem cannot be stated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // the fields say what the messages show
pub enum ControlError {
    #[error("the problem has no phases")]
    NoPhases,
    #[error("the problem has no costs; say what is to be minimised")]
    NoCosts,
    #[error("phase `{phase}`: {place}: {error}")]
    Formula { phase: String, place: String, formula: String, error: Box<ParseError> },
    #[error("phase `{phase}`: {place} `{formula}` uses `{name}`, which {why}")]
    NotAvailable { phase: String, place: String, formula: String, name: String, why: &'static str },
    #[error("phase `{phase}`: there is no {what} `{name}`; there are: {known}")]
    Unknown { phase: String, what: &'static str, name: String, known: String },
    #[error("phase `{phase}`: the bounds of `{name}` contradict each other: {lower} > {upper}")]
    Crossed { phase: String, name: String, lower: f64, upper: f64 },
    #[error("phase `{phase}`: the duration must be a positive number, found {value}")]
    Duration { phase: String, value: f64 },
    #[error("phase `{phase}`: {intervals} intervals; there must be from 1 to {limit}")]
    Intervals { phase: String, intervals: usize, limit: usize },
    #[error("phase `{phase}`: the mesh has {found} shares for {intervals} intervals, or shares that are not positive")]
    Mesh { phase: String, found: usize, intervals: usize },
    #[error(
        "phase `{phase}`: linear controls need a rule with samples at different times; `{rule}` sees their mean alone. Use `constant` or `samples`"
    )]
    Unseen { phase: String, rule: String },
    #[error("phase `{phase}` depends on time, but the duration of an earlier phase is free")]
    TimeAfterFree { phase: String },
    #[error("transition `{transition}` names phase {number}; there are {count}")]
    UnknownPhase { transition: String, number: usize, count: usize },
    #[error(
        "phase `{phase}`: contact `{contact}` slides with friction, which an optimisation does not know; let it stick (`sticks = true`), or leave the friction out"
    )]
    Rubs { phase: String, contact: String },
    #[error(
        "transition `{transition}`: the next phase has the coordinate `{coordinate}`, the one before has not; give a map"
    )]
    NoMap { transition: String, coordinate: String },
    #[error("cost `{cost}` names phase {number}; there are {count}")]
    CostPhase { cost: String, number: usize, count: usize },
    #[error("transition `{transition}`: {found} formulas map onto the {needed} coordinates of the next phase")]
    MapSize { transition: String, found: usize, needed: usize },
    #[error(
        "transition `{transition}`: contact `{contact}` has the law `{law}`, which cannot stand in an optimisation: {why}"
    )]
    Law { transition: String, contact: String, law: String, why: &'static str },
    #[error("phase `{phase}`: {why}, so there is no null space to work in; use the formulation `multipliers`")]
    NullSpace { phase: String, why: String },
    #[error("phase `{phase}`: `{method}` has no {what}")]
    Method { phase: String, method: String, what: &'static str },
    #[error("the gait cannot be stated: {why}")]
    Gait { key: &'static str, why: String },
    #[error("there is no regulator: {why}")]
    Feedback { why: String },
    #[error("impacts cannot be searched: {why}")]
    Discovery { why: &'static str },
    #[error("the motion cannot be planned: {why}")]
    Plan { why: String },
    #[error("the motion cannot be planned: {0}")]
    Projection(#[from] carom_model::projection::ProjectionError),
    #[error("the parameter `{name}` is freed, but no system has it; parameters: {known}")]
    UnknownParameter { name: String, known: String },
    #[error("`{name}` cannot be a rule of a transcription: {why}")]
    Rule { name: String, why: &'static str },
    #[error("the guess of {name} at node {node} of phase `{phase}` is {value}, which is not a finite number")]
    Guess { phase: String, node: usize, name: String, value: f64 },
    #[error("the guess does not fit: {what}")]
    GuessShape { what: String },
    #[error("phase `{phase}` cannot be replayed by the flow: {why}")]
    Replay { phase: String, why: String },
    #[error(transparent)]
    Function(#[from] FunctionError),
    #[error(transparent)]
    Solver(#[from] SolverError),
    #[error(transparent)]
    Program(#[from] ProgramError),
}
