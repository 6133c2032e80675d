//! Work and costs of the intervals of a point, each cost by itself.

use crate::dmoc::Costs;
use crate::error::ControlError;
use crate::phase::PreparedPhase;
use crate::problem::{ControlProblem, Cost, CostKind, WorkPart};
use crate::solution::PhaseSolution;
use carom_discrete::SampledState;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group, Id};

/// An interval as expressions: what it reads, where it is sampled, what else is wanted of it.
pub(crate) struct MeasuredInterval {
    pub(crate) graph: Graph,
    /// Variables of the interval; freed parameters follow by themselves.
    pub(crate) inputs: Vec<Id>,
    pub(crate) samples: Vec<SampledState>,
    /// Its duration.
    pub(crate) h: Id,
    /// Further results.
    pub(crate) outputs: Vec<Id>,
}

/// Compiled measures of the intervals of a phase.
pub(crate) struct Measures {
    interval: Evaluator,
    /// Numbers of further results, of inputs of the system, of samples.
    sizes: [usize; 3],
    /// For each cost the weights of its split values.
    splits: Vec<Vec<[f64; 2]>>,
    costs: Vec<Costs>,
    end: Vec<Option<Evaluator>>,
    /// Places of the freed parameters of the phase among all.
    freed: Vec<usize>,
    out: Vec<f64>,
}

impl Measures {
    pub(crate) fn new(
        problem: &ControlProblem,
        number: usize,
        phase: &PreparedPhase<'_>,
        interval: MeasuredInterval,
    ) -> Result<Self, ControlError> {
        let MeasuredInterval { mut graph, mut inputs, samples, h, mut outputs } = interval;
        let further = outputs.len();
        let one =
            |cost: &Cost| Costs::read(&ControlProblem { costs: vec![cost.clone()], ..problem.clone() }, number, phase);
        let net = Cost {
            name: String::new(),
            weight: 1.0,
            phases: Vec::new(),
            kind: CostKind::Work { inputs: Vec::new(), part: WorkPart::Absolute },
            per: None,
        };
        let (_, works) = one(&net)?.integrals(&mut graph, &samples, h);
        outputs.extend(works.iter().map(|work| work.value));
        let costs: Vec<Costs> = problem.costs.iter().map(one).collect::<Result<_, _>>()?;
        let mut splits = Vec::new();
        for cost in &costs {
            let (running, values) = cost.integrals(&mut graph, &samples, h);
            outputs.push(running);
            outputs.extend(values.iter().map(|value| value.value));
            splits.push(values.iter().map(|value| value.weights).collect());
        }
        let freed: Vec<Id> = phase.freed.iter().map(|&(_, id)| id).collect();
        inputs.extend(&freed);
        let interval = compile(&graph, &inputs, &outputs)?;
        let dynamics = &phase.dynamics;
        let state = [dynamics.q.clone(), dynamics.v.clone(), vec![dynamics.time], freed].concat();
        let mut end = Vec::new();
        for cost in &costs {
            let (graph, terminal) = cost.at_end();
            let is_used = !graph.is_zero(terminal);
            end.push(if is_used { Some(compile(&graph, &state, &[terminal])?) } else { None });
        }
        let freed = phase.freed.iter().map(|&(index, _)| index).collect();
        let sizes = [further, phase.inputs.len(), samples.len()];
        Ok(Self { interval, sizes, splits, costs, end, freed, out: vec![0.0; outputs.len()] })
    }

    /// Adds the costs of an interval and returns its further results.
    pub(crate) fn interval(
        &mut self,
        inputs: &[f64],
        freed: &[f64],
        costs: &mut [(String, f64)],
        found: &mut PhaseSolution,
    ) -> Vec<f64> {
        let inputs = [inputs, &self.own(freed)].concat();
        self.interval.eval(&inputs, &mut self.out);
        let (further, rest) = self.out.split_at(self.sizes[0]);
        let (works, values) = rest.split_at(self.sizes[1] * self.sizes[2]);
        let sums = |part: fn(f64) -> f64| {
            works.chunks(self.sizes[2].max(1)).map(|samples| samples.iter().map(|&work| part(work)).sum()).collect()
        };
        found.work.push(sums(|work| work));
        found.absolute_work.push(sums(f64::abs));
        let mut values = values.iter();
        for (splits, cost) in self.splits.iter().zip(costs) {
            cost.1 += values.next().unwrap_or(&0.0);
            for [plus, minus] in splits {
                let value = values.next().unwrap_or(&0.0);
                cost.1 += plus * value.max(0.0) + minus * (-value).max(0.0);
            }
        }
        further.to_vec()
    }

    /// Adds the costs at the end, where the state is `(q, v)`.
    pub(crate) fn end(
        &mut self,
        q: &[f64],
        v: &[f64],
        freed: &[f64],
        found: &PhaseSolution,
        costs: &mut [(String, f64)],
    ) {
        let inputs = [q, v, &[found.begins + found.duration], &self.own(freed)].concat();
        for ((evaluator, parts), cost) in self.end.iter_mut().zip(&self.costs).zip(costs) {
            cost.1 += parts.time * found.duration;
            if let Some(evaluator) = evaluator {
                cost.1 += evaluator.values(&inputs)[0];
            }
        }
    }

    fn own(&self, freed: &[f64]) -> Vec<f64> {
        self.freed.iter().map(|&index| freed[index]).collect()
    }
}

fn compile(graph: &Graph, inputs: &[Id], outputs: &[Id]) -> Result<Evaluator, FunctionError> {
    let (inputs, outputs) = ([Group::new("inputs", inputs)], [Group::new("outputs", outputs)]);
    Ok(Function::compile(graph, &inputs, &outputs, Backend::Interpreter)?.evaluator())
}
