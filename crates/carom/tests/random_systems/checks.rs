//! What must hold for every recorded impact, and for the gaps along a motion.

use super::{Case, Law, options};
use carom::Trajectory;
use carom::expr::Backend;
use carom::impact::{Geometry, JumpKind, Verifier};
use carom::model::{Impact, Legendre};

/// What was found wrong, in words, by property.
#[derive(Default)]
pub struct Violations {
    pub runs: usize,
    pub impacts: usize,
    /// Runs that ended early.
    pub failed: Vec<String>,
    /// Residuals of the check of impacts.
    pub residuals: Vec<String>,
    /// The same for variational jumps.
    pub variational: Vec<String>,
    /// Contacts that pull, or close after their impact.
    pub pushes: Vec<String>,
    /// Energy that is created.
    pub energies: Vec<String>,
    /// Momentum that changes along the surface without friction.
    pub momenta: Vec<String>,
    /// Gaps that are negative.
    pub gaps: Vec<String>,
}

/// One run with what is needed to check it.
pub struct Checked<'a> {
    pub case: &'a Case,
    pub method: &'a str,
    pub jump: JumpKind,
    /// What the path between nodes may be below zero.
    pub below: f64,
}

impl Violations {
    /// Checks one run.
    pub fn add(&mut self, checked: &Checked<'_>, run: Result<Trajectory, String>) {
        self.runs += 1;
        let label = format!("{} {}, {}", checked.method, checked.jump.name(), checked.case.name);
        let run = match run {
            Ok(run) => run,
            Err(error) => return self.failed.push(format!("{label}: {error}")),
        };
        self.impacts += run.impacts.len();
        let dynamics = checked.case.system.dynamics();
        let mut verifier = Verifier::new(&checked.case.system, options(checked.jump)).expect("compiles");
        let mut geometry = Geometry::new(&dynamics, Backend::Interpreter).expect("compiles");
        let mut legendre = Legendre::new(&dynamics, Backend::Interpreter).expect("compiles");
        for impact in &run.impacts {
            let label = format!("{label}, t = {}", impact.t);
            let found = verifier.verify(impact).expect("compiles");
            if found.largest().is_nan() || found.largest() >= 1e-10 {
                let is_variational = checked.jump == JumpKind::Variational;
                let list = if is_variational { &mut self.variational } else { &mut self.residuals };
                list.push(format!("{label}: {found:?}"));
            }
            self.check_pushes(&label, impact, &mut geometry);
            self.check_energy(&label, impact, checked);
            if matches!(checked.case.law, Law::Elastic | Law::Newton(_)) {
                self.check_momentum(&label, impact, &geometry, &mut legendre);
            }
        }
        self.check_gaps(&label, &run, checked, &mut geometry);
    }

    fn check_pushes(&mut self, label: &str, impact: &Impact, geometry: &mut Geometry) {
        geometry.at(&impact.q, &impact.v_plus, impact.t);
        for impulse in &impact.impulses {
            let rate = geometry.rate(impulse.surface, &impact.v_plus);
            if impulse.normal < 0.0 || rate < -1e-10 {
                self.pushes.push(format!("{label}: impulse {:e}, rate after {rate:e}", impulse.normal));
            }
        }
    }

    /// The state's energy where the jump is pointwise; where another energy is balanced, what the law takes of it.
    fn check_energy(&mut self, label: &str, impact: &Impact, checked: &Checked<'_>) {
        let is_pointwise = checked.jump == JumpKind::Pointwise;
        let change = if is_pointwise { impact.energy_change } else { -impact.balance.loss };
        let creates = change > 1e-13 * impact.energy_minus.abs().max(1.0);
        let keeps = change.abs() <= 1e-13 * impact.energy_minus.abs().max(1.0);
        match checked.case.law {
            Law::Moreau(..) => {}
            Law::Elastic if keeps => {}
            Law::Newton(_) | Law::Poisson(..) if !creates => {}
            _ => self.energies.push(format!("{label}: change of energy {change:e}")),
        }
    }

    /// `P^T (p+ - p-) = 0`: the change lies in the span of the gradients of gaps and constraints.
    fn check_momentum(&mut self, label: &str, impact: &Impact, geometry: &Geometry, legendre: &mut Legendre) {
        let n = impact.q.len();
        let gradients = impact.impulses.iter().flat_map(|impulse| geometry.gradient(impulse.surface).to_vec());
        let rows: Vec<f64> = gradients.chain(legendre.constraints(&impact.q).1.to_vec()).collect();
        let mut change: Vec<f64> =
            impact.p_plus.iter().zip(&impact.p_minus).map(|(after, before)| after - before).collect();
        let mut basis: Vec<Vec<f64>> = Vec::new();
        for row in rows.chunks_exact(n) {
            let mut row = row.to_vec();
            basis.iter().for_each(|other| remove(&mut row, other));
            let length = dot(&row, &row).sqrt();
            basis.push(row.iter().map(|x| x / length).collect());
        }
        // Twice: what rounding leaves of the first time is removed by the second.
        basis.iter().chain(&basis).for_each(|other| remove(&mut change, other));
        let size = impact.p_minus.iter().fold(1.0_f64, |a, b| a.max(b.abs()));
        if change.iter().any(|x| x.is_nan() || x.abs() > 1e-12 * size) {
            self.momenta.push(format!("{label}: {change:?}"));
        }
    }

    fn check_gaps(&mut self, label: &str, run: &Trajectory, checked: &Checked<'_>, geometry: &mut Geometry) {
        let node = run.gaps.iter().copied().fold(f64::INFINITY, f64::min);
        let path = lowest_gap(run, geometry);
        if node < -1e-9 || path < -checked.below {
            self.gaps.push(format!("{label}: {node:e} at nodes, {path:e} between"));
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// Removes the part along a unit vector.
fn remove(vector: &mut [f64], unit: &[f64]) {
    let part = dot(vector, unit);
    vector.iter_mut().zip(unit).for_each(|(x, y)| *x -= part * y);
}

/// Nodes and both sides of impacts, in order of time.
fn points(run: &Trajectory) -> Vec<(f64, &[f64], &[f64])> {
    let mut all: Vec<(f64, &[f64], &[f64])> = Vec::new();
    let mut impacts = run.impacts.iter().peekable();
    for node in (0..run.len()).map(|k| run.node(k)) {
        while let Some(impact) = impacts.next_if(|impact| impact.t <= node.t) {
            all.push((impact.t, &impact.q, &impact.v_minus));
            all.push((impact.t, &impact.q_plus, &impact.v_plus));
        }
        all.push((node.t, node.q, node.v));
    }
    all
}

/// The lowest gap at 50 places of each cubic between nodes and impacts.
fn lowest_gap(run: &Trajectory, geometry: &mut Geometry) -> f64 {
    let (mut lowest, mut gaps) = (f64::INFINITY, vec![0.0; geometry.len()]);
    for pair in points(run).windows(2) {
        let ((t0, q0, v0), (t1, q1, v1)) = (pair[0], pair[1]);
        for place in (1..50).map(|k| f64::from(k) / 50.0).filter(|_| t1 > t0) {
            let q: Vec<f64> = (0..q0.len())
                .map(|k| {
                    let (change, left, right) = (q1[k] - q0[k], (t1 - t0) * v0[k], (t1 - t0) * v1[k]);
                    let bend = 3.0 * change - 2.0 * left - right + place * (left + right - 2.0 * change);
                    q0[k] + place * (left + place * bend)
                })
                .collect();
            geometry.gaps(&q, &mut gaps);
            lowest = gaps.iter().copied().fold(lowest, f64::min);
        }
    }
    lowest
}
