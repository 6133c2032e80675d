//! Columns carried along the motion.

use super::events::{map_width, multiply_rows};
use super::linearise::{Linearised, Link, SegmentLink};
use super::{Derivative, DiscreteTangent, failed};
use carom_impact::NotDifferentiable;

impl DiscreteTangent {
    /// The derivative at the last node of a chain.
    pub(super) fn sweep(&mut self, chain: Linearised) -> Result<Derivative, NotDifferentiable> {
        let (n, p) = (self.n, self.kept.len());
        let columns = 2 * n + p;
        // The linear state, then the parameters, by columns of (q0, v0, parameters).
        let mut rows: Vec<Vec<f64>> = chain.start.chunks_exact(columns).map(<[f64]>::to_vec).collect();
        rows.extend((0..p).map(|k| (0..columns).map(|j| f64::from(u8::from(j == 2 * n + k))).collect()));
        let mut end = Derivative {
            t: f64::NAN,
            q: Vec::new(),
            v: Vec::new(),
            state: Vec::new(),
            parameters: Vec::new(),
            events: chain.events,
        };
        let last = chain.links.iter().rposition(|link| matches!(link, Link::Node { .. }));
        for (index, link) in chain.links.iter().enumerate() {
            match link {
                Link::Segment(link) => self.advance_rows(link, &mut rows)?,
                Link::Projection { mode, at } => {
                    let slopes = self.legendre_slopes(*mode, at)?;
                    let width = map_width(&self.modes[*mode].legendre);
                    let inputs = self.legendre_inputs(&rows);
                    multiply_rows(width, &slopes[n * width..], &inputs, &mut rows[n..2 * n]);
                }
                Link::Dense(matrix) => {
                    let given = rows.clone();
                    multiply_rows(self.width(), matrix, &given, &mut rows[..2 * n + 2]);
                }
                Link::Node { mode, at } => {
                    rows[2 * n].fill(0.0);
                    if Some(index) == last {
                        self.read(*mode, at, &rows, &mut end)?;
                    }
                }
            }
        }
        Ok(end)
    }

    fn legendre_slopes(&mut self, mode: usize, at: &[f64]) -> Result<Vec<f64>, NotDifferentiable> {
        self.modes[mode].legendre.derivative(at).map_err(|error| failed(f64::NAN, error))
    }

    /// Rows of `(q, p, t, parameters)`.
    fn legendre_inputs(&self, rows: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let n = self.n;
        rows[..=2 * n].iter().chain(&rows[2 * n + 2..]).cloned().collect()
    }

    fn advance_rows(&mut self, link: &SegmentLink, rows: &mut [Vec<f64>]) -> Result<(), NotDifferentiable> {
        let n = self.n;
        let t = link.at[self.time_place(link)];
        let map = &mut self.modes[link.mode].segments[link.solver];
        let slopes = map.derivative(&link.at).map_err(|error| failed(t, error))?;
        let width = map_width(map);
        // The step ends at a node: what time has gained, the duration loses.
        let duration: Vec<f64> = rows[2 * n].iter().map(|time| -link.share * time).collect();
        let time: Vec<f64> = rows[2 * n].iter().map(|time| (1.0 - link.elapsed) * time).collect();
        let inputs: Vec<Vec<f64>> =
            rows[..2 * n].iter().cloned().chain([duration, time]).chain(rows[2 * n + 2..].iter().cloned()).collect();
        multiply_rows(width, &slopes, &inputs, &mut rows[..2 * n]);
        Ok(())
    }

    /// Position and velocity at a node.
    fn read(
        &mut self,
        mode: usize,
        at: &[f64],
        rows: &[Vec<f64>],
        end: &mut Derivative,
    ) -> Result<(), NotDifferentiable> {
        let n = self.n;
        let slopes = self.legendre_slopes(mode, at)?;
        let map = &self.modes[mode].legendre;
        let (count, width) = (map.unknown_count(), map_width(map));
        let mut velocity = vec![vec![0.0; 2 * n + self.kept.len()]; n];
        multiply_rows(width, &slopes[..n * width], &self.legendre_inputs(rows), &mut velocity);
        (end.q, end.v, end.t) = (at[count..count + n].to_vec(), at[..n].to_vec(), at[count + 2 * n]);
        let all = || rows[..n].iter().chain(&velocity);
        end.state = all().flat_map(|row| row[..2 * n].to_vec()).collect();
        end.parameters = all().flat_map(|row| row[2 * n..].to_vec()).collect();
        Ok(())
    }
}
