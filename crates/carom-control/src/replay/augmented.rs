//! The mechanical system of a phase with its controls as further coordinates.
//!
//! Within an interval a control is a polynomial of time, so that a chain of free coordinates carries it exactly:
//!
//! ```text
//! u = K c_0,   c_0'' = c_1 / s^2,   c_1'' = c_2 / s^2,  ...,  c_r'' = 0         2 r + 1 >= degree
//! L + 1/2 sum c_i'^2,   the force c_(i+1) / s^2 acts on c_i
//! ```
//!
//! The mechanical system reads `K c_0` instead of its input and does not act back. At the start of an interval
//! `c_i = s^(2i) u^(2i) / K` and `c_i' = s^(2i) u^(2i+1) / K`; the time `s` and the factor `K` make all of them at most
//! one, so that they never decide about the accuracy of a step.

use super::running::integrands;
use crate::controls::ControlTrack;
use crate::error::ControlError;
use crate::phase::PreparedPhase;
use crate::problem::ControlProblem;
use carom_expr::{Graph, Id};
use carom_model::{Dynamics, Named};

/// Mechanics and controls as one system without inputs.
pub(crate) struct Augmented {
    /// Coordinates of the mechanical system, then chains of the controls.
    pub(crate) dynamics: Dynamics,
    /// Power of each input, then of everything else that changes the energy, then running costs.
    pub(crate) powers: Vec<Id>,
    /// Numbers of these costs.
    pub(crate) costs: Vec<usize>,
    /// What stands for the controls and the freed parameters of the phase.
    pub(crate) places: Vec<(Id, Id)>,
    /// Mechanical coordinates.
    pub(crate) n: usize,
    chain: usize,
    factors: Vec<f64>,
    time: f64,
}

impl Augmented {
    /// The system of `phase` with numbers for its freed parameters, for the controls of a solution.
    pub(crate) fn new(
        (problem, number): (&ControlProblem, usize),
        phase: &PreparedPhase<'_>,
        freed: &[f64],
        controls: &ControlTrack,
        widths: &[f64],
    ) -> Result<Self, ControlError> {
        let (n, chain) = (phase.dynamics.dimension(), controls.degree() / 2 + 1);
        let mut own = Self {
            dynamics: phase.dynamics.clone(),
            powers: Vec::new(),
            costs: Vec::new(),
            places: Vec::new(),
            n,
            chain,
            factors: vec![1.0; phase.inputs.len()],
            time: widths.iter().sum::<f64>() / widths.len().max(1) as f64,
        };
        own.normalise(controls, widths);
        let mut powers = powers(phase, &mut own.dynamics.graph);
        let running = integrands(problem, number, phase, &mut own.dynamics.graph)?;
        powers.extend(running.iter().map(|&(_, id)| id));
        own.costs = running.into_iter().map(|(index, _)| index).collect();
        let mut graph = std::mem::take(&mut own.dynamics.graph);
        let (mut places, zero) = (Vec::new(), graph.constant(0.0));
        places.extend(phase.freed.iter().map(|&(index, id)| (id, graph.constant(freed[index]))));
        let (mut kinetic, mut pushes) = (zero, Vec::new());
        for (index, &input) in phase.inputs.iter().enumerate() {
            let names: Vec<String> = (0..chain).map(|i| format!("[control {index}.{i}]")).collect();
            let c: Vec<Id> = names.iter().map(|name| graph.variable(name)).collect();
            let rates: Vec<Id> = names.iter().map(|name| graph.variable(&format!("{name}'"))).collect();
            for &rate in &rates {
                let square = graph.mul(rate, rate);
                let half = graph.scale(0.5, square);
                kinetic = graph.add(kinetic, half);
            }
            let next = c.iter().skip(1).map(|&c| graph.scale(own.time.powi(-2), c)).collect::<Vec<Id>>();
            pushes.extend(next);
            pushes.push(zero);
            places.push((input, graph.scale(own.factors[index], c[0])));
            own.dynamics.q.extend(c);
            own.dynamics.v.extend(rates);
        }
        own.powers = graph.substitute(&powers, &places);
        own.dynamics.graph = graph;
        replace(&mut own.dynamics, &places);
        own.places = places;
        let dynamics = &mut own.dynamics;
        dynamics.lagrangian = dynamics.graph.add(dynamics.lagrangian, kinetic);
        dynamics.forces.extend(pushes);
        // Equations stand in coordinates: quasivelocities of the model do not know the controls.
        dynamics.frame = None;
        Ok(own)
    }

    /// Where the coordinate of a control stands, and what it is multiplied by.
    pub(crate) fn control(&self, index: usize) -> (usize, f64) {
        (self.n + index * self.chain, self.factors[index])
    }

    /// The state of the chains, coordinates and rates, at a `fraction` of an interval of the given width.
    pub(crate) fn chains(&self, controls: &ControlTrack, interval: usize, fraction: f64, width: f64) -> [Vec<f64>; 2] {
        let (mut c, mut rates) = (Vec::new(), Vec::new());
        for (powers, factor) in controls.taylor(interval).iter().zip(&self.factors) {
            for i in 0..self.chain {
                let value = |order: usize| self.time.powi(2 * i as i32) * derivative(powers, order, fraction, width);
                c.push(value(2 * i) / factor);
                rates.push(value(2 * i + 1) / factor);
            }
        }
        [c, rates]
    }

    /// Factors that make all chains at most one.
    fn normalise(&mut self, controls: &ControlTrack, widths: &[f64]) {
        let mut largest = vec![0.0_f64; self.factors.len()];
        for (interval, &width) in widths.iter().enumerate() {
            for values in self.chains(controls, interval, 0.0, width) {
                for (size, chain) in largest.iter_mut().zip(values.chunks(self.chain)) {
                    *size = size.max(carom_linalg::max_abs(chain));
                }
            }
        }
        self.factors = largest.into_iter().map(|size| if size > 0.0 { size } else { 1.0 }).collect();
    }
}

/// A derivative by time of `sum_j a_j x^j` at the fraction `x` of an interval.
fn derivative(powers: &[f64], order: usize, x: f64, width: f64) -> f64 {
    let falling = |j: usize| ((j - order + 1)..=j).map(|k| k as f64).product::<f64>();
    let terms = powers.iter().enumerate().skip(order).map(|(j, a)| a * falling(j) * x.powi((j - order) as i32));
    terms.sum::<f64>() / width.powi(order as i32)
}

/// `u_i (dF/du_i) . v` of each input, then `F . v - dL/dt` without them.
fn powers(phase: &PreparedPhase<'_>, graph: &mut Graph) -> Vec<Id> {
    let dynamics = &phase.dynamics;
    let total = graph.dot(&dynamics.forces, &dynamics.v);
    let drift = graph.gradient(dynamics.lagrangian, &[dynamics.time])[0];
    let mut other = graph.sub(total, drift);
    let mut all = Vec::new();
    for &input in &phase.inputs {
        let slopes: Vec<Id> = dynamics.forces.iter().map(|&force| graph.gradient(force, &[input])[0]).collect();
        let speed = graph.dot(&slopes, &dynamics.v);
        let power = graph.mul(input, speed);
        other = graph.sub(other, power);
        all.push(power);
    }
    all.push(other);
    all
}

/// Puts expressions into everything that `dynamics` holds.
pub(crate) fn replace(dynamics: &mut Dynamics, places: &[(Id, Id)]) {
    let graph = &mut dynamics.graph;
    let mut put = |ids: &[Id]| graph.substitute(ids, places);
    dynamics.lagrangian = put(&[dynamics.lagrangian])[0];
    for list in
        [&mut dynamics.forces, &mut dynamics.constraints, &mut dynamics.velocity_constraints, &mut dynamics.gaps]
    {
        *list = put(list);
    }
    for surface in &mut dynamics.surfaces {
        surface.gap = put(&[surface.gap])[0];
        surface.tangents = put(&surface.tangents);
        surface.active = surface.active.map(|active| put(&[active])[0]);
    }
    for parameters in &mut dynamics.law_parameters {
        let named = |parameter: &Named| Named { name: parameter.name.clone(), id: put(&[parameter.id])[0] };
        *parameters = parameters.iter().map(named).collect();
    }
}
