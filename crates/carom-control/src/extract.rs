//! From the point of a program back to motions.

use crate::controls::ControlTrack;
use crate::dmoc::{Costs, prepare, transitions};
use crate::error::ControlError;
use crate::layout::{Layout, PhaseLayout};
use crate::phase::PreparedPhase;
use crate::problem::{ControlProblem, Cost, CostKind, WorkPart};
use crate::solution::{PhaseSolution, TransitionSolution};
use carom_discrete::Interval;
use carom_discrete::rules::Table;
use carom_expr::{Backend, Evaluator, Function, Group, Id};
use carom_linalg::Lu;
use carom_model::{Dynamics, Legendre};
use carom_nlp::Outcome;

/// Everything that a point of the program says.
pub(crate) struct Extracted {
    pub(crate) phases: Vec<PhaseSolution>,
    pub(crate) transitions: Vec<TransitionSolution>,
    pub(crate) costs: Vec<(String, f64)>,
}

/// Reads phases, transitions and costs off a point.
pub(crate) fn extract(
    problem: &ControlProblem,
    table: &Table,
    layout: &Layout,
    outcome: &Outcome,
) -> Result<Extracted, ControlError> {
    let prepared = prepare(problem)?;
    let x = &outcome.point;
    let freed: Vec<f64> = layout.freed.iter().map(|&variable| x[variable as usize]).collect();
    let mut costs: Vec<(String, f64)> = problem.costs.iter().map(|cost| (cost.name.clone(), 0.0)).collect();
    let mut phases: Vec<PhaseSolution> = Vec::new();
    let mut begins = 0.0;
    for (number, phase) in prepared.iter().enumerate() {
        let reader = Reader { problem, number, phase, own: &layout.phases[number], outcome, freed: &freed };
        let found = reader.read(table, begins, &mut costs)?;
        begins += found.duration;
        phases.push(found);
    }
    let mut links = Vec::new();
    for (link, own) in transitions(problem).iter().zip(&layout.transitions) {
        let (from, value) = (&phases[link.from], |variables: &[u32]| pick(x, variables));
        let v_minus = from.v[from.v.len() - 1].clone();
        let v_plus = if own.v_plus.is_empty() { v_minus.clone() } else { value(&own.v_plus) };
        let (q, time) = (from.q[from.q.len() - 1].clone(), from.begins + from.duration);
        let mut legendre = Legendre::new(&numbers(&prepared[link.from], &freed), Backend::Interpreter)?;
        let energies = [&v_minus, &v_plus].map(|v| legendre.energy(&q, v, time));
        let impulses = own.impulse_names.iter().cloned().zip(value(&own.impulses)).collect();
        links.push(TransitionSolution {
            name: link.name.clone(),
            phases: [link.from, link.to],
            time,
            q,
            v_minus,
            v_plus,
            impulses,
            energies,
        });
    }
    Ok(Extracted { phases, transitions: links, costs })
}

fn pick(x: &[f64], variables: &[u32]) -> Vec<f64> {
    variables.iter().map(|&variable| x[variable as usize]).collect()
}

/// The dynamics of a phase with numbers for its freed parameters; controls are zero where they do not matter.
pub(crate) fn numbers(phase: &PreparedPhase<'_>, freed: &[f64]) -> Dynamics {
    let mut dynamics = phase.dynamics.clone();
    let graph = &mut dynamics.graph;
    let mut places: Vec<(Id, Id)> = phase.freed.iter().map(|&(index, id)| (id, graph.constant(freed[index]))).collect();
    places.extend(phase.inputs.iter().map(|&input| (input, graph.constant(0.0))));
    let mut replace = |roots: &[Id]| graph.substitute(roots, &places);
    dynamics.lagrangian = replace(&[dynamics.lagrangian])[0];
    dynamics.forces = replace(&dynamics.forces);
    dynamics.constraints = replace(&dynamics.constraints);
    dynamics.velocity_constraints = replace(&dynamics.velocity_constraints);
    dynamics
}

struct Reader<'a> {
    problem: &'a ControlProblem,
    number: usize,
    phase: &'a PreparedPhase<'a>,
    own: &'a PhaseLayout,
    outcome: &'a Outcome,
    freed: &'a [f64],
}

impl Reader<'_> {
    fn read(&self, table: &Table, begins: f64, costs: &mut [(String, f64)]) -> Result<PhaseSolution, ControlError> {
        let (phase, own, x) = (self.phase, self.own, &self.outcome.point);
        let duration = own.duration.map_or(phase.phase.duration.guess(), |variable| x[variable as usize]);
        let mut times = vec![begins];
        for share in &own.mesh {
            times.push(times[times.len() - 1] + share * duration);
        }
        let fractions = ControlTrack::fractions(phase.phase.shape, &own.sample_times);
        let values =
            own.controls.iter().map(|inputs| inputs.iter().map(|unknowns| pick(x, unknowns)).collect()).collect();
        let mut found = PhaseSolution {
            name: phase.phase.name.clone(),
            coordinates: phase.system().coordinate_names(),
            inputs: phase.system().inputs().iter().map(|input| input.name.clone()).collect(),
            constraints: phase.dynamics.constraint_names.clone(),
            begins,
            duration,
            times,
            q: own.q.iter().map(|q| pick(x, q)).collect(),
            controls: ControlTrack { fractions, values },
            costates: own.balances.iter().map(|rows| pick(&self.outcome.multipliers.rows, rows)).collect(),
            ..PhaseSolution::default()
        };
        self.measure(table, &mut found, costs)?;
        Ok(found)
    }

    /// Momenta, forces, work and costs, interval by interval.
    fn measure(
        &self,
        table: &Table,
        found: &mut PhaseSolution,
        costs: &mut [(String, f64)],
    ) -> Result<(), ControlError> {
        let (phase, own, x) = (self.phase, self.own, &self.outcome.point);
        let n = phase.dynamics.dimension();
        let mut measures = Measures::new(self.problem, self.number, phase, table)?;
        let (mut given, mut received) = (Vec::new(), Vec::new());
        for k in 0..own.mesh.len() {
            let mut inputs =
                [pick(x, &own.q[k]), pick(x, &own.inner[k].concat()), pick(x, &own.q[k + 1]), pick(x, &own.extra[k])]
                    .concat();
            let samples: Vec<Vec<f64>> = own.sample_times.iter().map(|&time| found.controls.at(k, time)).collect();
            (0..found.inputs.len()).for_each(|i| inputs.extend(samples.iter().map(|values| values[i])));
            inputs.extend([found.times[k + 1] - found.times[k], found.times[k]]);
            inputs.extend(phase.freed.iter().map(|&(index, _)| self.freed[index]));
            let out = measures.evaluate(&inputs);
            given.push(out[..n].to_vec());
            received.push(out[n..2 * n].to_vec());
            found.work.push(out[2 * n..2 * n + found.inputs.len()].to_vec());
            measures.add(&out[2 * n + found.inputs.len()..], costs);
        }
        let (q_end, v_end) = (&found.q[own.mesh.len()], pick(x, &own.v[1]));
        measures.terminal(&[q_end.clone(), v_end.clone()].concat(), self.freed, found, costs);
        let mut legendre = Legendre::new(&numbers(phase, self.freed), Backend::Interpreter)?;
        let ends = [pick(x, &own.v[0]), v_end];
        for k in 0..=own.mesh.len() {
            let q = &found.q[k];
            let mut p = vec![0.0; n];
            let mut balance = vec![0.0; n];
            match k {
                0 => legendre.momentum(q, &ends[0], found.times[0], &mut p),
                _ => p.copy_from_slice(&received[k - 1]),
            }
            balance.iter_mut().zip(&p).for_each(|(sum, p)| *sum += p);
            if let Some(given) = given.get(k) {
                balance.iter_mut().zip(given).for_each(|(sum, p)| *sum += p);
            } else {
                let mut last = vec![0.0; n];
                legendre.momentum(q, &ends[1], found.times[k], &mut last);
                balance.iter_mut().zip(&last).for_each(|(sum, p)| *sum -= p);
            }
            let span = |k: usize| own.mesh.get(k).map_or(0.0, |share| 0.5 * share * found.duration);
            let width = span(k) + if k > 0 { span(k - 1) } else { 0.0 };
            found.forces.push(constraint_forces(&mut legendre, q, &balance, width));
            found.v.push(if k == 0 {
                ends[0].clone()
            } else if k == own.mesh.len() {
                ends[1].clone()
            } else {
                // A momentum without velocity (a light body at a strange place) leaves the difference quotient.
                let mut v: Vec<f64> = found.q[k + 1]
                    .iter()
                    .zip(&found.q[k])
                    .map(|(b, a)| (b - a) / (found.times[k + 1] - found.times[k]))
                    .collect();
                let mut lambda = vec![0.0; legendre.constraint_count()];
                let mut tangent = p.clone();
                let _ = legendre.velocity(q, found.times[k], &mut tangent, &mut v, &mut lambda);
                v
            });
        }
        Ok(())
    }
}

/// Forces `-lambda / width` with `balance = G^T lambda`, in the sense of least squares.
fn constraint_forces(legendre: &mut Legendre, q: &[f64], balance: &[f64], width: f64) -> Vec<f64> {
    let n = q.len();
    let (_, g) = legendre.constraints(q);
    let m = g.len() / n.max(1);
    let row = |i: usize| &g[i * n..(i + 1) * n];
    let normal: Vec<f64> =
        (0..m).flat_map(|i| (0..m).map(move |j| (i, j))).map(|(i, j)| carom_linalg::dot(row(i), row(j))).collect();
    let mut lambda: Vec<f64> = (0..m).map(|i| carom_linalg::dot(row(i), balance)).collect();
    let mut lu = Lu::new(m);
    if m == 0 || lu.factor(&normal).is_err() {
        return vec![f64::NAN; m];
    }
    lu.solve(&mut lambda);
    lambda.into_iter().map(|lambda| -lambda / width).collect()
}

/// Compiled measures of an interval.
struct Measures {
    interval: Evaluator,
    /// For each cost: running part, then weights of its split values.
    splits: Vec<Vec<[f64; 2]>>,
    costs: Vec<Costs>,
    end: Vec<Option<Evaluator>>,
    out: Vec<f64>,
}

impl Measures {
    fn new(
        problem: &ControlProblem,
        number: usize,
        phase: &PreparedPhase<'_>,
        table: &Table,
    ) -> Result<Self, ControlError> {
        let interval = Interval::new(&phase.dynamics, table, &phase.inputs);
        let Interval { mut graph, nodes, lambda, controls, h, ta, left, right, samples, .. } = interval;
        let mut outputs = [left, right].concat();
        let one =
            |cost: &Cost| Costs::read(&ControlProblem { costs: vec![cost.clone()], ..problem.clone() }, number, phase);
        let net = Cost {
            name: String::new(),
            weight: 1.0,
            phases: Vec::new(),
            kind: CostKind::Work { inputs: Vec::new(), part: WorkPart::Absolute },
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
        let inputs = [nodes.concat(), lambda.concat(), controls.concat(), vec![h, ta], freed.clone()].concat();
        let compile = |graph: &carom_expr::Graph, inputs: &[Id], outputs: &[Id]| {
            Function::compile(
                graph,
                &[Group::new("inputs", inputs)],
                &[Group::new("outputs", outputs)],
                Backend::Interpreter,
            )
        };
        let interval = compile(&graph, &inputs, &outputs)?.evaluator();
        let mut end = Vec::new();
        for cost in &costs {
            let (graph, terminal) = cost.at_end();
            let inputs =
                [phase.dynamics.q.clone(), phase.dynamics.v.clone(), vec![phase.dynamics.time], freed.clone()].concat();
            end.push(if graph.is_zero(terminal) {
                None
            } else {
                Some(compile(&graph, &inputs, &[terminal])?.evaluator())
            });
        }
        Ok(Self { interval, splits, costs, end, out: vec![0.0; outputs.len()] })
    }

    fn evaluate(&mut self, inputs: &[f64]) -> Vec<f64> {
        self.interval.eval(inputs, &mut self.out);
        self.out.clone()
    }

    /// Adds the costs of an interval.
    fn add(&self, values: &[f64], costs: &mut [(String, f64)]) {
        let mut values = values.iter();
        for (splits, cost) in self.splits.iter().zip(costs) {
            cost.1 += values.next().unwrap_or(&0.0);
            for [plus, minus] in splits {
                let value = values.next().unwrap_or(&0.0);
                cost.1 += plus * value.max(0.0) + minus * (-value).max(0.0);
            }
        }
    }

    /// Adds the costs at the end.
    fn terminal(&mut self, state: &[f64], freed: &[f64], found: &PhaseSolution, costs: &mut [(String, f64)]) {
        for ((evaluator, parts), cost) in self.end.iter_mut().zip(&self.costs).zip(costs) {
            cost.1 += parts.time * found.duration;
            if let Some(evaluator) = evaluator {
                let mut inputs = [state, &[found.begins + found.duration]].concat();
                inputs.extend(freed.iter().take(evaluator.function().input_len() - inputs.len()));
                cost.1 += evaluator.values(&inputs)[0];
            }
        }
    }
}
