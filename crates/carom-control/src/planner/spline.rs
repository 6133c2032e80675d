//! Paths with constant jerk on even stages (seed 002, IV-B with item 4 of its errata).
//!
//! ```text
//! z(0), z'(0) given,   z''(0) = z_0'',   z'''(t) = zeta_k  on stage k,   alpha = (z_0'', zeta_0 ... zeta_{s-1}, kappa_0 ...)
//! ```
//!
//! The paper's splines are C^2. The best paths are not: the projection has a second derivative that jumps where the gap
//! `z_0` is zero, so a bounded force needs a jump of `z''` there. Hence the first crossings may have jumps,
//! `z''(t_c+) = z''(t_c-) + kappa_c`, at moments that follow from the path; jumps without a crossing have no effect.

use super::crossing::Cubic;

/// Side of the surface on which a path runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The gap is positive.
    Feasible,
    /// The gap is negative: the projection mirrors the path back.
    Infeasible,
}

impl Side {
    /// Sign of the gap.
    fn sign(self) -> f64 {
        if self == Self::Feasible { 1.0 } else { -1.0 }
    }

    fn other(self) -> Self {
        if self == Self::Feasible { Self::Infeasible } else { Self::Feasible }
    }
}

/// What ends a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceEnd {
    /// The end of its stage.
    Stage,
    /// The gap changes its sign; crossings are counted from zero.
    Crossing(usize),
}

/// A part of the path that is one cubic on one side.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Piece {
    /// Time at which it begins.
    pub start: f64,
    /// How long it lasts; zero if a crossing falls on the end of a stage.
    pub length: f64,
    /// Side of the surface.
    pub side: Side,
    /// Stage to which it belongs.
    pub stage: usize,
    /// What ends it.
    pub end: PieceEnd,
}

/// A path with constant jerk on even stages, cut where its first coordinate crosses zero.
#[derive(Clone, Debug)]
pub struct JerkSpline {
    dimension: usize,
    horizon: f64,
    stages: usize,
    /// `z(0), z'(0)`
    start: Vec<f64>,
    parameters: Vec<f64>,
    pieces: Vec<Piece>,
    /// `z, z', z''` at the start of each piece, and at the end of the last one.
    states: Vec<f64>,
}

impl JerkSpline {
    /// The path that stays at `place` if `rate` is zero.
    ///
    /// # Panics
    /// If there are no stages or coordinates, or `rate` has another length than `place`.
    pub fn new(horizon: f64, stages: usize, place: &[f64], rate: &[f64]) -> Self {
        let dimension = place.len();
        assert!(stages > 0 && dimension > 0 && rate.len() == dimension, "a path needs stages, a place and its rate");
        let (pieces, states) = (Vec::with_capacity(2 * stages), Vec::with_capacity(6 * dimension * stages));
        let start = [place, rate].concat();
        let mut path = Self { dimension, horizon, stages, start, parameters: Vec::new(), pieces, states };
        path.shape(&vec![0.0; path.parameter_count(0)]);
        path
    }

    /// Number of coordinates.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// How long a stage lasts.
    pub fn stage_length(&self) -> f64 {
        self.horizon / self.stages as f64
    }

    /// Number of parameters with jumps at so many crossings.
    pub fn parameter_count(&self, jumps: usize) -> usize {
        self.dimension * (1 + self.stages + jumps)
    }

    /// Number of crossings that may have jumps.
    pub fn jump_count(&self) -> usize {
        self.parameters.len() / self.dimension - 1 - self.stages
    }

    /// `z_0''`, the jerks stage by stage, the jumps.
    pub fn parameters(&self) -> &[f64] {
        &self.parameters
    }

    /// Where the jerk of a stage stands among the parameters.
    pub(super) fn jerk(&self, stage: usize) -> std::ops::Range<usize> {
        let first = self.dimension * (1 + stage);
        first..first + self.dimension
    }

    /// Where the jump at a crossing stands among the parameters, if it has one.
    pub(super) fn jump(&self, crossing: usize) -> Option<std::ops::Range<usize>> {
        (crossing < self.jump_count()).then(|| self.jerk(self.stages + crossing))
    }

    /// The cubic pieces in order of time.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Times of the crossings.
    pub fn crossings(&self) -> impl Iterator<Item = f64> {
        let is_crossing = |piece: &&Piece| matches!(piece.end, PieceEnd::Crossing(_));
        self.pieces.iter().filter(is_crossing).map(|piece| piece.start + piece.length)
    }

    /// `z, z', z''` at the start of a piece, after a jump if there is one; of one past the last, the end of the path.
    pub fn state(&self, piece: usize) -> &[f64] {
        let size = 3 * self.dimension;
        &self.states[size * piece..size * (piece + 1)]
    }

    /// `z, z', z''` of a piece at a time after its start.
    pub fn flow(&self, piece: usize, u: f64, state: &mut [f64]) {
        state.copy_from_slice(self.state(piece));
        flow(state, &self.parameters[self.jerk(self.pieces[piece].stage)], u);
    }

    /// `z, z', z''` at a time; after a jump if that is the time of a crossing.
    pub fn at(&self, time: f64, state: &mut [f64]) {
        let piece = self.pieces.partition_point(|piece| piece.start <= time).max(1) - 1;
        self.flow(piece, time - self.pieces[piece].start, state);
    }

    /// Side on which the path ends.
    pub fn last_side(&self) -> Side {
        self.pieces.last().map_or(Side::Feasible, |piece| piece.side)
    }

    /// Gives the path other parameters, and maybe another number of jumps, and cuts it into pieces.
    ///
    /// # Panics
    /// If the number of parameters fits no number of jumps.
    pub fn shape(&mut self, parameters: &[f64]) {
        let n = self.dimension;
        assert!(parameters.len() >= self.parameter_count(0) && parameters.len().is_multiple_of(n), "parameters");
        self.parameters.clear();
        self.parameters.extend_from_slice(parameters);
        self.pieces.clear();
        self.states.clear();
        self.states.extend_from_slice(&self.start);
        self.states.extend_from_slice(&parameters[..n]);
        let mut side = self.first_side();
        let mut crossings = 0;
        for stage in 0..self.stages {
            side = self.lay(stage, side, &mut crossings);
        }
    }

    /// The pieces of one stage; returns the side on which it ends.
    fn lay(&mut self, stage: usize, mut side: Side, crossings: &mut usize) -> Side {
        let mut time = self.time(stage);
        loop {
            let rest = (self.time(stage + 1) - time).max(0.0);
            let Some(length) = self.gap(stage).leaves(side.sign(), rest) else {
                self.pieces.push(Piece { start: time, length: rest, side, stage, end: PieceEnd::Stage });
                self.advance(stage, rest);
                return side;
            };
            self.pieces.push(Piece { start: time, length, side, stage, end: PieceEnd::Crossing(*crossings) });
            self.advance(stage, length);
            self.cross(*crossings);
            *crossings += 1;
            side = side.other();
            time += length;
        }
    }

    /// Appends the state that follows the last one after a time.
    fn advance(&mut self, stage: usize, length: f64) {
        let last = self.states.len() - 3 * self.dimension;
        self.states.extend_from_within(last..);
        let jerk = self.jerk(stage);
        flow(&mut self.states[last + 3 * self.dimension..], &self.parameters[jerk], length);
    }

    /// At a crossing the gap is zero to the last digit, and the acceleration jumps.
    fn cross(&mut self, crossing: usize) {
        let first = self.states.len() - 3 * self.dimension;
        self.states[first] = 0.0;
        let Some(jump) = self.jump(crossing) else { return };
        let acceleration = &mut self.states[first + 2 * self.dimension..];
        acceleration.iter_mut().zip(&self.parameters[jump]).for_each(|(value, jump)| *value += jump);
    }

    /// The gap from the last state on.
    fn gap(&self, stage: usize) -> Cubic {
        let n = self.dimension;
        let last = &self.states[self.states.len() - 3 * n..];
        Cubic([last[0], last[n], last[2 * n], self.parameters[self.jerk(stage).start]])
    }

    /// The first of the gap and its rates that is not zero tells the side.
    fn first_side(&self) -> Side {
        let Cubic(rates) = self.gap(0);
        let is_below = rates.into_iter().find(|&rate| rate != 0.0).is_some_and(|rate| rate < 0.0);
        if is_below { Side::Infeasible } else { Side::Feasible }
    }

    fn time(&self, stage: usize) -> f64 {
        self.horizon * stage as f64 / self.stages as f64
    }
}

/// Moves `z, z', z''` on by a time with constant jerk.
fn flow(state: &mut [f64], jerk: &[f64], u: f64) {
    let n = jerk.len();
    for (i, jerk) in jerk.iter().enumerate() {
        let (rate, acceleration) = (state[n + i], state[2 * n + i]);
        state[i] += u * (rate + u * (acceleration / 2.0 + u * jerk / 6.0));
        state[n + i] += u * (acceleration + u * jerk / 2.0);
        state[2 * n + i] += u * jerk;
    }
}
