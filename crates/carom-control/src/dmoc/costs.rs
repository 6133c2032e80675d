//! Costs as expressions.
//!
//! ```text
//! integral   h sum_j b_j Z(q_j, v_j, u_j, t_j)          by the quadrature of the rule
//! work       w_j = h b_j u_j (dF/du_j) v_j = w_j+ - w_j-,  w_j+ >= 0, w_j- >= 0
//! ```
//!
//! Absolute and positive parts are split: at an optimum one of both parts is zero. They are split sample by sample: work that
//! cancels within an interval would be free otherwise.

use crate::error::ControlError;
use crate::formula::Formulas;
use crate::phase::{PreparedPhase, unknown};
use crate::problem::{ControlProblem, Cost, CostKind, Norm, WorkPart};
use carom_discrete::SampledState;
use carom_expr::{Graph, Id};

/// The costs of a phase, in the graph of its dynamics.
pub(crate) struct Costs {
    graph: Graph,
    /// `weight * Z`, summed.
    running: Id,
    /// Formulas that are split at every sample: name, integrand, weights of its two parts.
    split: Vec<(String, Id, [f64; 2])>,
    /// Formula at the end.
    pub(crate) terminal: Id,
    /// Factor of the duration.
    pub(crate) time: f64,
}

/// A share of an interval that is split.
pub(crate) struct SplitValue {
    pub(crate) name: String,
    pub(crate) value: Id,
    pub(crate) weights: [f64; 2],
}

impl Costs {
    /// Reads the costs of phase `number`.
    pub(crate) fn read(
        problem: &ControlProblem,
        number: usize,
        phase: &PreparedPhase<'_>,
    ) -> Result<Self, ControlError> {
        let mut graph = phase.dynamics.graph.clone();
        let zero = graph.constant(0.0);
        let mut costs = Self { running: zero, split: Vec::new(), terminal: zero, time: 0.0, graph: Graph::new() };
        let formulas = phase.formulas(false);
        let chosen = problem.costs.iter().filter(|cost| cost.phases.is_empty() || cost.phases.contains(&number));
        for cost in chosen {
            let place = format!("cost `{}`", cost.name);
            match &cost.kind {
                CostKind::Integral(formula) => {
                    let id = formulas.read(&mut graph, &place, formula)?;
                    costs.run(&mut graph, &formulas, cost, id)?;
                }
                CostKind::Terminal(formula) => {
                    // Of several phases, a cost at the end is one at the end of the last.
                    let last = cost.phases.iter().max().copied().unwrap_or(problem.phases.len() - 1);
                    if number != last {
                        continue;
                    }
                    let id = formulas.read(&mut graph, &place, formula)?;
                    formulas.refuse(
                        &graph,
                        id,
                        &phase.inputs,
                        (&place, formula, "has no value at the end of a phase"),
                    )?;
                    let term = graph.scale(cost.weight, id);
                    let term = formulas.per(&mut graph, cost, term)?;
                    costs.terminal = graph.add(costs.terminal, term);
                }
                CostKind::Residual { formulas: all, norm } => {
                    for formula in all {
                        let id = formulas.read(&mut graph, &place, formula)?;
                        match norm {
                            Norm::Square => {
                                let square = graph.mul(id, id);
                                costs.run(&mut graph, &formulas, cost, square)?;
                            }
                            Norm::Absolute => {
                                let id = formulas.per(&mut graph, cost, id)?;
                                costs.split.push((format!("{} of {formula}", cost.name), id, [cost.weight; 2]))
                            }
                        }
                    }
                }
                CostKind::Work { inputs, part } => costs.work(&mut graph, phase, cost, inputs, *part)?,
                CostKind::Time if cost.per.is_none() => costs.time += cost.weight,
                CostKind::Time => {
                    let one = graph.constant(1.0);
                    costs.run(&mut graph, &formulas, cost, one)?;
                }
            }
        }
        costs.graph = graph;
        Ok(costs)
    }

    /// Adds an integrand.
    fn run(
        &mut self,
        graph: &mut Graph,
        formulas: &Formulas<'_>,
        cost: &Cost,
        integrand: Id,
    ) -> Result<(), ControlError> {
        let term = graph.scale(cost.weight, integrand);
        let term = formulas.per(graph, cost, term)?;
        self.running = graph.add(self.running, term);
        Ok(())
    }

    /// Power of each input, `u_i (dF/du_i) . v`.
    fn work(
        &mut self,
        graph: &mut Graph,
        phase: &PreparedPhase<'_>,
        cost: &Cost,
        inputs: &[String],
        part: WorkPart,
    ) -> Result<(), ControlError> {
        let (name, weight) = (&cost.name, cost.weight);
        let formulas = phase.formulas(false);
        let known: Vec<String> = phase.system().inputs().iter().map(|input| input.name.clone()).collect();
        if let Some(wrong) = inputs.iter().find(|input| !known.contains(input)) {
            return Err(unknown(phase.phase, "input", wrong, known));
        }
        for (index, input) in known.iter().enumerate() {
            if !inputs.is_empty() && !inputs.contains(input) {
                continue;
            }
            let u = phase.inputs[index];
            let slopes: Vec<Id> = phase.dynamics.forces.iter().map(|&force| graph.gradient(force, &[u])[0]).collect();
            let speed = graph.dot(&slopes, &phase.dynamics.v);
            let power = graph.mul(u, speed);
            let power = formulas.per(graph, cost, power)?;
            match part {
                WorkPart::Net => {
                    let term = graph.scale(weight, power);
                    self.running = graph.add(self.running, term);
                }
                WorkPart::Absolute => self.split.push((format!("{name} of {input}"), power, [weight; 2])),
                WorkPart::Positive => self.split.push((format!("{name} of {input}"), power, [weight, 0.0])),
            }
        }
        Ok(())
    }

    /// Integral over an interval, and values to split, sample after sample of each, in the graph of the interval.
    pub(crate) fn integrals(&self, graph: &mut Graph, samples: &[SampledState], h: Id) -> (Id, Vec<SplitValue>) {
        let mut shares = |integrand: Id| -> Vec<Id> {
            let integrand = graph.import(&self.graph, &[integrand])[0];
            let share = |sample: &SampledState| {
                let value = graph.substitute(&[integrand], &sample.places)[0];
                let weighted = graph.scale(sample.weight, value);
                graph.mul(weighted, h)
            };
            samples.iter().map(share).collect()
        };
        let running = shares(self.running);
        let mut values = Vec::new();
        for (name, id, weights) in &self.split {
            for (j, value) in shares(*id).into_iter().enumerate() {
                let name = if samples.len() > 1 { format!("{name}[{j}]") } else { name.clone() };
                values.push(SplitValue { name, value, weights: *weights });
            }
        }
        (graph.sum(running), values)
    }

    /// The cost at the end, in a copy of the graph of the dynamics that it was read into.
    pub(crate) fn at_end(&self) -> (Graph, Id) {
        (self.graph.clone(), self.terminal)
    }
}
