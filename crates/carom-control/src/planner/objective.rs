//! The cost of a path and its gradient, exact for the sums that are computed.
//!
//! ```text
//! J(alpha) = integral_0^T K_side(t, z, z', z'') dt + ending(z(T), z'(T)) + K_F miss(z(T), z'(T))
//! ```
//!
//! (seed 002, IV-B: `miss = |e_F|^2`.) Every piece between stage ends and crossings has its own Gauss points, since `K`
//! jumps at crossings. Points move with the crossings: a piece with the start `a`, the state `X` there and the length
//! `L` gives `L sum_j w_j K(a + xi_j L, flow(X, xi_j L))`, a function of `X`, `a`, `L` and the jerk. One sweep from the end
//! to the start carries the derivatives with respect to `X` and `a` (adjoints); that of `L` goes
//!
//! ```text
//! at a stage end:  L = t_{k+1} - a                          dL = -da
//! at a crossing:   z_0 = 0, rate not zero                   dL = -(dz_0 + L dz_0' + L^2/2 dz_0'' + L^3/6 dzeta_0) / z_0'(t_c)
//! ```
//!
//! and what follows a crossing begins at `a + L`. A jump there only adds `kappa` to the state. Where the path touches
//! the surface the rate is zero, and the gradient is not finite: the cost has a kink like a square root there.

use super::spline::{JerkSpline, PieceEnd, Side};
use carom_discrete::rules::{Gauss, Rule};

/// What is integrated along a path, and what is paid at its end; smooth on each side.
pub trait Integrand {
    /// Number of coordinates.
    fn dimension(&self) -> usize;

    /// `K(t, z, z', z'')` on a side; `slope` receives `dK/d(t, z, z', z'')`.
    fn density(&mut self, side: Side, time: f64, state: &[f64], slope: &mut [f64]) -> f64;

    /// Terminal cost at `(z, z')`; `slope` receives its derivatives.
    fn ending(&mut self, side: Side, state: &[f64], slope: &mut [f64]) -> f64;

    /// Squared distance `|e_F|^2` of `(z, z')` from where the path should end; `slope` receives its derivatives.
    fn miss(&mut self, side: Side, state: &[f64], slope: &mut [f64]) -> f64;
}

/// Cost of a path, in parts.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Costs {
    /// `integral + ending + K_F miss`
    pub total: f64,
    /// Integral of the density.
    pub integral: f64,
    /// Terminal cost.
    pub ending: f64,
    /// Squared distance from the end that is wanted.
    pub miss: f64,
}

/// The cost as a function of the parameters of a path.
pub struct Objective<I> {
    /// What is integrated.
    pub integrand: I,
    /// `K_F`, the price of a miss.
    pub penalty: f64,
    path: JerkSpline,
    /// Gauss points and weights on `[0, 1]`.
    points: Vec<(f64, f64)>,
    /// Derivatives with respect to the state and the time at which the rest of the path begins.
    adjoint: Vec<f64>,
    adjoint_time: f64,
    state: Vec<f64>,
    slope: Vec<f64>,
}

impl<I: Integrand> Objective<I> {
    /// Costs of paths that begin like `path`, by `points` Gauss points on each piece.
    ///
    /// # Panics
    /// If path and integrand have different numbers of coordinates.
    pub fn new(integrand: I, path: JerkSpline, penalty: f64, points: usize) -> Self {
        let n = path.dimension();
        assert_eq!(n, integrand.dimension(), "coordinates of the path and of its cost");
        let samples = Gauss::new(points).table().samples;
        let points = samples.iter().map(|sample| (sample.time, sample.weight)).collect();
        let [adjoint, state, slope] = [3 * n, 3 * n, 3 * n + 1].map(|size| vec![0.0; size]);
        Self { integrand, penalty, path, points, adjoint, adjoint_time: 0.0, state, slope }
    }

    /// The path that was looked at last.
    pub fn path(&self) -> &JerkSpline {
        &self.path
    }

    /// Cost of the path with these parameters and its gradient.
    ///
    /// # Panics
    /// If the number of parameters fits no number of jumps, or the gradient has another length.
    pub fn evaluate(&mut self, parameters: &[f64], gradient: &mut [f64]) -> Costs {
        assert_eq!(parameters.len(), gradient.len(), "a gradient has a number for each parameter");
        self.path.shape(parameters);
        gradient.fill(0.0);
        let mut costs = self.finish();
        for piece in (0..self.path.pieces().len()).rev() {
            costs.integral += self.retrace(piece, gradient);
        }
        let n = self.path.dimension();
        gradient[..n].copy_from_slice(&self.adjoint[2 * n..]);
        costs.total = costs.integral + costs.ending + self.penalty * costs.miss;
        costs
    }

    /// Costs of the end, where the adjoint begins.
    fn finish(&mut self) -> Costs {
        let (n, side) = (self.path.dimension(), self.path.last_side());
        let end = &self.path.state(self.path.pieces().len())[..2 * n];
        let (slope, adjoint) = (&mut self.slope[..2 * n], &mut self.adjoint);
        let ending = self.integrand.ending(side, end, slope);
        adjoint[..2 * n].copy_from_slice(slope);
        let miss = self.integrand.miss(side, end, slope);
        adjoint.iter_mut().zip(slope).for_each(|(adjoint, slope)| *adjoint += self.penalty * *slope);
        adjoint[2 * n..].fill(0.0);
        self.adjoint_time = 0.0;
        Costs { ending, miss, ..Costs::default() }
    }

    /// Integral over a piece; the adjoint moves from its end to its start.
    fn retrace(&mut self, number: usize, gradient: &mut [f64]) -> f64 {
        let n = self.path.dimension();
        let piece = self.path.pieces()[number];
        let jerk = self.path.jerk(piece.stage);
        if let PieceEnd::Crossing(crossing) = piece.end
            && let Some(jump) = self.path.jump(crossing)
        {
            gradient[jump].copy_from_slice(&self.adjoint[2 * n..]);
        }
        // What depends on the state at the end depends on its start, its length and its jerk.
        self.path.flow(number, piece.length, &mut self.state);
        let rate = self.state[n];
        let mut length_slope = self.drift(&jerk);
        pull(&mut self.adjoint, &mut gradient[jerk.clone()], piece.length);
        let (integral, time_slope) = self.gather(number, &mut gradient[jerk.clone()], &mut length_slope);
        match piece.end {
            PieceEnd::Stage => self.adjoint_time = time_slope - length_slope,
            PieceEnd::Crossing(_) => {
                // What follows begins at `a + L`, and the length follows from the gap.
                let later = -(length_slope + self.adjoint_time) / rate;
                self.adjoint_time += time_slope;
                let u = piece.length;
                self.adjoint[0] += later;
                self.adjoint[n] += u * later;
                self.adjoint[2 * n] += u * u / 2.0 * later;
                gradient[jerk.start] += u * u * u / 6.0 * later;
            }
        }
        integral
    }

    /// How the cost of what follows changes if the state goes on for a moment.
    fn drift(&self, jerk: &std::ops::Range<usize>) -> f64 {
        let rates = self.state[self.path.dimension()..].iter().chain(&self.path.parameters()[jerk.clone()]);
        self.adjoint.iter().zip(rates).map(|(adjoint, rate)| adjoint * rate).sum()
    }

    /// The Gauss sum of a piece, and its derivative with respect to the time alone; all others are added up.
    fn gather(&mut self, number: usize, jerk_slope: &mut [f64], length_slope: &mut f64) -> (f64, f64) {
        let n = jerk_slope.len();
        let piece = self.path.pieces()[number];
        let jerk = self.path.jerk(piece.stage);
        let (mut mean, mut time_slope) = (0.0, 0.0);
        for &(share, weight) in &self.points {
            let u = share * piece.length;
            self.path.flow(number, u, &mut self.state);
            let density = self.integrand.density(piece.side, piece.start + u, &self.state, &mut self.slope);
            mean += weight * density;
            let weighted = weight * piece.length;
            // Along the path K changes with the time, the state, and the state's rates.
            let rates = self.state[n..].iter().chain(&self.path.parameters()[jerk.clone()]);
            let change = self.slope[1..].iter().zip(rates).map(|(slope, rate)| slope * rate).sum::<f64>();
            *length_slope += weighted * share * (self.slope[0] + change);
            time_slope += weighted * self.slope[0];
            push(&self.slope[1..], weighted, u, &mut self.adjoint, jerk_slope);
        }
        *length_slope += mean;
        (mean * piece.length, time_slope)
    }
}

/// Transposed flow in place: from derivatives with respect to the state after a time to those before it.
fn pull(adjoint: &mut [f64], jerk_slope: &mut [f64], u: f64) {
    let n = jerk_slope.len();
    for (i, jerk_slope) in jerk_slope.iter_mut().enumerate() {
        let [place, rate, acceleration] = [0, 1, 2].map(|order| adjoint[order * n + i]);
        adjoint[n + i] += u * place;
        adjoint[2 * n + i] += u * (rate + u / 2.0 * place);
        *jerk_slope += u * (acceleration + u / 2.0 * (rate + u / 3.0 * place));
    }
}

/// Adds weighted derivatives with respect to the state after a time to those before it.
fn push(slope: &[f64], weight: f64, u: f64, adjoint: &mut [f64], jerk_slope: &mut [f64]) {
    let n = jerk_slope.len();
    for (i, jerk_slope) in jerk_slope.iter_mut().enumerate() {
        let [place, rate, acceleration] = [0, 1, 2].map(|order| weight * slope[order * n + i]);
        adjoint[i] += place;
        adjoint[n + i] += rate + u * place;
        adjoint[2 * n + i] += acceleration + u * (rate + u / 2.0 * place);
        *jerk_slope += u * (acceleration + u / 2.0 * (rate + u / 3.0 * place));
    }
}
