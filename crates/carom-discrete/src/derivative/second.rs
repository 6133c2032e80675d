//! Second derivatives of the end of a run, where they are cheap: smooth steps.
//!
//! A run is a chain of maps `x -> y = Y(z, x)`, `R(z, x) = 0`. A function `f` of its end has, with the covectors `nu` that
//! the adjoint sweep carries back, the multipliers `R_z^T mu = -Y_z^T nu` of each map and the columns `X = dx/d(start)` that
//! the forward sweep carries along,
//!
//! ```text
//! d^2 f/d(start)^2 = sum over maps of  (Z, X)^T  d^2(mu . R + nu . Y)/d(z, x)^2  (Z, X),     Z = -R_z^-1 R_x X,
//! ```
//!
//! so one forward sweep, one backward sweep and one Hessian per step give the whole matrix, whatever its size. Through
//! events and along constraints the chain has more than such maps; there it is refused.

use super::events::{map_width, multiply_rows};
use super::linearise::{Linearised, Link};
use super::{DiscreteTangent, failed};
use crate::tape::Record;
use carom_impact::NotDifferentiable;

/// Gradient and Hessian of a function of the end.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondDerivative {
    /// With respect to `(q0, v0, parameters)`.
    pub gradient: Vec<f64>,
    /// With respect to the same, row by row; symmetric.
    pub hessian: Vec<f64>,
}

/// What the backward sweep gathers.
struct Gathered {
    /// Covector of `(q, p)`.
    state: Vec<f64>,
    parameters: Vec<f64>,
    hessian: Vec<f64>,
}

impl Gathered {
    fn bend(&mut self, curvature: &[f64]) {
        self.hessian.iter_mut().zip(curvature).for_each(|(sum, value)| *sum += value);
    }
}

impl DiscreteTangent {
    /// Gradient and Hessian of `covector . (q, v)` at the end of a run without events and constraints, with respect to the
    /// initial `(q, v)` and the parameters.
    pub fn second(&mut self, record: &Record, covector: &[f64]) -> Result<SecondDerivative, NotDifferentiable> {
        let chain = self.linearise(record)?;
        self.refuse_second(record, &chain)?;
        let (n, p) = (self.n, self.kept.len());
        let columns = 2 * n + p;
        let along = self.inputs_along(&chain)?;
        let mut all =
            Gathered { state: vec![0.0; 2 * n], parameters: vec![0.0; p], hessian: vec![0.0; columns * columns] };
        let last = chain.links.iter().rposition(|link| matches!(link, Link::Node { .. }));
        for (index, (link, inputs)) in chain.links.iter().zip(&along).enumerate().rev() {
            match link {
                Link::Segment(link) => {
                    let t = link.at[self.time_place(link)];
                    let map = &mut self.modes[link.mode].segments[link.solver];
                    let nu: Vec<f64> = (0..map.output_count()).map(|i| *all.state.get(i).unwrap_or(&0.0)).collect();
                    all.bend(&map.curvature(&link.at, &nu, inputs).map_err(|error| failed(t, error))?);
                    let pulled = map.pull(&link.at, &nu).map_err(|error| failed(t, error))?;
                    all.state.copy_from_slice(&pulled[..2 * n]);
                    all.parameters.iter_mut().zip(&pulled[2 * n + 2..]).for_each(|(sum, value)| *sum += value);
                }
                Link::Node { mode, at } if Some(index) == last => {
                    let nu = [&covector[n..2 * n], &vec![0.0; n][..]].concat();
                    let map = &mut self.modes[*mode].legendre;
                    all.bend(&map.curvature(at, &nu, inputs).map_err(|error| failed(f64::NAN, error))?);
                    let pulled = map.pull(at, &nu).map_err(|error| failed(f64::NAN, error))?;
                    all.state.copy_from_slice(&pulled[..2 * n]);
                    all.state.iter_mut().zip(&covector[..n]).for_each(|(sum, value)| *sum += value);
                    all.parameters.copy_from_slice(&pulled[2 * n + 1..]);
                }
                _ => {}
            }
        }
        self.begin_second(record, all)
    }

    /// The map from the initial velocity to the momentum, which is the first of the chain.
    fn begin_second(&mut self, record: &Record, mut all: Gathered) -> Result<SecondDerivative, NotDifferentiable> {
        let (n, p) = (self.n, self.kept.len());
        let columns = 2 * n + p;
        let (t, q, v) = &record.start;
        let at = [&q[..], v, &[*t], &self.values].concat();
        let unit = |k: usize| (0..columns).map(|j| f64::from(u8::from(j == k))).collect::<Vec<f64>>();
        let inputs: Vec<Vec<f64>> =
            (0..2 * n).map(unit).chain([vec![0.0; columns]]).chain((2 * n..columns).map(unit)).collect();
        // The energy is handed on to nobody.
        let nu = [&all.state[n..], &[0.0]].concat();
        all.bend(&self.momentum.curvature(&at, &nu, &inputs).map_err(|error| failed(*t, error))?);
        let pulled = self.momentum.pull(&at, &nu).map_err(|error| failed(*t, error))?;
        let mut gradient = [&pulled[..2 * n], &all.parameters].concat();
        gradient[..n].iter_mut().zip(&all.state).for_each(|(sum, value)| *sum += value);
        gradient[2 * n..].iter_mut().zip(&pulled[2 * n + 1..]).for_each(|(sum, value)| *sum += value);
        Ok(SecondDerivative { gradient, hessian: all.hessian })
    }

    /// For each link the rows of its inputs, by columns of `(q0, v0, parameters)`.
    fn inputs_along(&mut self, chain: &Linearised) -> Result<Vec<Vec<Vec<f64>>>, NotDifferentiable> {
        let (n, p) = (self.n, self.kept.len());
        let columns = 2 * n + p;
        let mut rows: Vec<Vec<f64>> = chain.start.chunks_exact(columns).take(2 * n).map(<[f64]>::to_vec).collect();
        let parameters: Vec<Vec<f64>> =
            (0..p).map(|k| (0..columns).map(|j| f64::from(u8::from(j == 2 * n + k))).collect()).collect();
        let still = |count: usize| vec![vec![0.0; columns]; count];
        let mut along = Vec::with_capacity(chain.links.len());
        for link in &chain.links {
            // Durations and times of nodes are given.
            let constants = if matches!(link, Link::Segment(_)) { 2 } else { 1 };
            let inputs = [&rows[..], &still(constants), &parameters].concat();
            if let Link::Segment(link) = link {
                let t = link.at[self.time_place(link)];
                let map = &mut self.modes[link.mode].segments[link.solver];
                let slopes = map.derivative(&link.at).map_err(|error| failed(t, error))?;
                multiply_rows(map_width(map), &slopes, &inputs, &mut rows);
            }
            along.push(inputs);
        }
        Ok(along)
    }

    fn refuse_second(&self, record: &Record, chain: &Linearised) -> Result<(), NotDifferentiable> {
        let is_smooth = |link: &Link| matches!(link, Link::Segment(_) | Link::Node { .. });
        let is_constrained = self.dynamics.constraint_count() > 0;
        let is_free = record.impacts.is_empty() && chain.events.is_empty() && chain.links.iter().all(is_smooth);
        if is_free && !is_constrained && !chain.links.is_empty() {
            return Ok(());
        }
        let what = if is_constrained { "along constraints" } else { "through impacts and changes of contacts" };
        Err(NotDifferentiable::NotSupported {
            what: format!("a second derivative {what}"),
            advice: "second derivatives are those of smooth steps; end the run before its first event",
        })
    }
}
