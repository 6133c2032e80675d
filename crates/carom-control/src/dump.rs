//! The nonlinear program of a control problem as JSON, for bug reports.

use crate::error::ControlError;
use crate::guess::Guess;
use crate::problem::ControlProblem;
use crate::solve::SolveOptions;
use crate::transcription::transcription;
use carom_nlp::Nlp;
use serde_json::{Value, json};
use std::collections::HashSet;

/// The program that [`crate::solve`] would hand to the solver, with the point where the search begins; multipliers to
/// begin with are no part of it. [`carom_nlp::Program::load`] reads it.
pub fn dump(problem: &ControlProblem, guess: &Guess, options: &SolveOptions) -> Result<Value, ControlError> {
    let mut transcript = transcription(&options.transcription)?.transcribe(problem, options.backend)?;
    guess.apply(problem, &mut transcript)?;
    let program = &mut transcript.program;
    let size = program.variable_ranges().len();
    if let Some(start) = options.nlp.start.as_ref().filter(|start| start.len() == size) {
        program.set_start(start);
    }
    let mut dump = program.dump();
    let start = program.start().to_vec();
    if let Some(variables) = dump["variables"].as_array_mut() {
        for (variable, value) in variables.iter_mut().zip(start) {
            // Numbers that JSON cannot write stay as the dump has them.
            if value.is_finite() {
                variable["start"] = json!(value);
            }
        }
    }
    for kernel in dump["kernels"].as_array_mut().into_iter().flatten() {
        rename(kernel);
    }
    Ok(dump)
}

/// Gives inputs of a kernel that are called `[name]`, which dumps reserve, the name `(name)`.
fn rename(kernel: &mut Value) {
    let Some(nodes) = kernel["nodes"].as_array_mut() else { return };
    let name = |node: &Value| (node[0] == "variable").then(|| node[1].as_str().map(str::to_owned)).flatten();
    let mut taken: HashSet<String> = nodes.iter().filter_map(name).collect();
    for node in nodes.iter_mut() {
        let Some(reserved) = name(node).filter(|name| name.starts_with('[')) else { continue };
        let mut plain = reserved.replace('[', "(").replace(']', ")");
        while !taken.insert(plain.clone()) {
            plain.push('_');
        }
        node[1] = plain.into();
    }
}
