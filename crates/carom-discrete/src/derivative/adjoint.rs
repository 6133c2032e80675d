//! A covector carried back along the motion.

use super::linearise::{Linearised, Link, SegmentLink};
use super::{DiscreteTangent, Gradient, failed};
use carom_impact::NotDifferentiable;

/// A covector of `(q, p, t, E)` and what has been gathered for the parameters.
struct Covector {
    state: Vec<f64>,
    parameters: Vec<f64>,
}

impl DiscreteTangent {
    /// The gradient of a function with the given covectors of `(q, v)` at nodes.
    pub(super) fn sweep_back(
        &mut self,
        chain: &Linearised,
        covectors: &[(usize, Vec<f64>)],
    ) -> Result<Gradient, NotDifferentiable> {
        let (n, p) = (self.n, self.kept.len());
        let mut all = Covector { state: vec![0.0; 2 * n + 2], parameters: vec![0.0; p] };
        let mut node = chain.links.iter().filter(|link| matches!(link, Link::Node { .. })).count();
        for link in chain.links.iter().rev() {
            match link {
                Link::Segment(link) => self.pull_segment(link, &mut all)?,
                Link::Projection { mode, at } => {
                    let nu = [&vec![0.0; n][..], &all.state[n..2 * n]].concat();
                    all.state[n..2 * n].fill(0.0);
                    self.pull_legendre(*mode, at, &nu, &mut all)?;
                }
                Link::Dense(matrix) => self.pull_dense(matrix, &mut all),
                Link::Node { mode, at } => {
                    node -= 1;
                    all.state[2 * n] = 0.0;
                    for (_, covector) in covectors.iter().filter(|(k, _)| *k == node) {
                        all.state.iter_mut().zip(&covector[..n]).for_each(|(sum, value)| *sum += value);
                        let nu = [&covector[n..2 * n], &vec![0.0; n][..]].concat();
                        self.pull_legendre(*mode, at, &nu, &mut all)?;
                    }
                }
            }
        }
        let columns = 2 * n + p;
        let mut gradient = vec![0.0; columns];
        for (row, weight) in chain.start.chunks_exact(columns).zip(&all.state) {
            gradient.iter_mut().zip(row).for_each(|(sum, entry)| *sum += weight * entry);
        }
        let mut parameters = gradient.split_off(2 * n);
        parameters.iter_mut().zip(&all.parameters).for_each(|(sum, value)| *sum += value);
        Ok(Gradient { state: gradient, parameters })
    }

    fn pull_segment(&mut self, link: &SegmentLink, all: &mut Covector) -> Result<(), NotDifferentiable> {
        let n = self.n;
        let t = link.at[self.time_place(link)];
        let map = &mut self.modes[link.mode].segments[link.solver];
        // A segment on the grid does not hand its energy on.
        let nu: Vec<f64> = (0..map.output_count()).map(|i| if i < 2 * n { all.state[i] } else { 0.0 }).collect();
        let pulled = map.pull(&link.at, &nu).map_err(|error| failed(t, error))?;
        all.state[..2 * n].copy_from_slice(&pulled[..2 * n]);
        all.state[2 * n] += (1.0 - link.elapsed) * pulled[2 * n + 1] - link.share * pulled[2 * n];
        all.parameters.iter_mut().zip(&pulled[2 * n + 2..]).for_each(|(sum, value)| *sum += value);
        Ok(())
    }

    /// Adds what a covector of velocity and tangent momentum asks of `(q, p, t)`.
    fn pull_legendre(
        &mut self,
        mode: usize,
        at: &[f64],
        nu: &[f64],
        all: &mut Covector,
    ) -> Result<(), NotDifferentiable> {
        let n = self.n;
        let pulled = self.modes[mode].legendre.pull(at, nu).map_err(|error| failed(f64::NAN, error))?;
        all.state[..=2 * n].iter_mut().zip(&pulled).for_each(|(sum, value)| *sum += value);
        all.parameters.iter_mut().zip(&pulled[2 * n + 1..]).for_each(|(sum, value)| *sum += value);
        Ok(())
    }

    fn pull_dense(&self, matrix: &[f64], all: &mut Covector) {
        let size = 2 * self.n + 2;
        let mut pulled = vec![0.0; self.width()];
        for (row, weight) in matrix.chunks_exact(self.width()).zip(&all.state) {
            pulled.iter_mut().zip(row).for_each(|(sum, entry)| *sum += weight * entry);
        }
        all.state.copy_from_slice(&pulled[..size]);
        all.parameters.iter_mut().zip(&pulled[size..]).for_each(|(sum, value)| *sum += value);
    }
}
