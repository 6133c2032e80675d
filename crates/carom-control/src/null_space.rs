//! Momentum balances along the constraints, without multipliers.
//!
//! With the constraint Jacobian `G(q)` of `r` rows, and columns `P(q)` that span its null space,
//!
//! ```text
//! right + left = G^T lambda    <=>    P(q)^T (right + left) = 0,        G P = 0
//! ```
//!
//! (Thesis 3.1.4; discrete null space method.) Coordinates that constraints pin to a number drop out of `P`; the others
//! fall into blocks that constraints tie together. In a block, `P` is expanded by minors ([`Graph::annihilator`]): there
//! is no division, and its columns are independent where the minor over the pivot columns does not vanish. Pivots are
//! those whose minor, as a share of `sqrt(det G G^T)`, is largest at the worst of some sample configurations.

use crate::error::ControlError;
use crate::extract::numbers;
use crate::guess::Guess;
use crate::phase::PreparedPhase;
use crate::problem::ControlProblem;
use carom_expr::{Backend, Graph, Id};
use carom_linalg::dot;
use carom_model::Legendre;

/// Most coordinates of a block: minors grow like powers of two.
const MAX_COORDINATES: usize = 16;
/// Pivots whose minor has a smaller share at a sample are not trusted.
const SMALLEST_SHARE: f64 = 1e-6;

/// The null space of the constraints of a phase, block by block.
#[derive(Clone, Debug, Default)]
pub(crate) struct NullSpace {
    blocks: Vec<Block>,
}

/// Coordinates that are tied together, and what ties them.
#[derive(Clone, Debug)]
struct Block {
    coordinates: Vec<usize>,
    /// Constraints, none of which is a pin.
    rows: Vec<usize>,
    /// Places among the coordinates of the pivot columns.
    pivots: Vec<usize>,
}

impl NullSpace {
    /// The null space of the pins alone: every other coordinate is a block of its own.
    pub(crate) fn of_pins(pinned: &[Option<f64>]) -> Self {
        let free = (0..pinned.len()).filter(|&k| pinned[k].is_none());
        Self { blocks: free.map(|k| Block { coordinates: vec![k], rows: Vec::new(), pivots: Vec::new() }).collect() }
    }

    /// Ties coordinates together and chooses pivots for the constraints of a phase that are not pins.
    pub(crate) fn choose(
        problem: &ControlProblem,
        number: usize,
        phase: &PreparedPhase<'_>,
    ) -> Result<Self, ControlError> {
        let mut own = Self::of_pins(&phase.pinned);
        let mut graph = phase.dynamics.graph.clone();
        let (jacobian, n) = (phase.dynamics.jacobian(&mut graph), phase.dynamics.dimension());
        for row in (0..phase.is_pin.len()).filter(|&row| !phase.is_pin[row]) {
            own.tie(row, |k| !graph.is_zero(jacobian[row * n + k]));
        }
        if own.blocks.iter().all(|block| block.rows.is_empty()) {
            return Ok(own);
        }
        let samples = samples(problem, number, phase)?;
        for block in &mut own.blocks {
            let choice = block.choose(&samples, n);
            choice.map_err(|why| ControlError::NullSpace { phase: phase.phase.name.clone(), why })?;
        }
        Ok(own)
    }

    /// Joins the blocks of all coordinates that a constraint touches.
    fn tie(&mut self, row: usize, touches: impl Fn(usize) -> bool) {
        let is_tied = |block: &Block| block.coordinates.iter().any(|&k| touches(k));
        let (tied, mut rest): (Vec<Block>, Vec<Block>) = self.blocks.drain(..).partition(is_tied);
        let mut coordinates: Vec<usize> = tied.iter().flat_map(|block| block.coordinates.clone()).collect();
        let mut rows: Vec<usize> = tied.iter().flat_map(|block| block.rows.clone()).collect();
        coordinates.sort_unstable();
        rows.push(row);
        rest.push(Block { coordinates, rows, pivots: Vec::new() });
        rest.sort_by_key(|block| block.coordinates.first().copied());
        self.blocks = rest;
    }

    /// Names of the balances that are left.
    pub(crate) fn names(&self, coordinates: &[String]) -> Vec<String> {
        let of_block = |block: &Block| {
            let along = if block.rows.is_empty() { "" } else { " along the constraints" };
            let places = (0..block.coordinates.len()).filter(|place| !block.pivots.contains(place));
            places.map(|place| format!("momentum of {}{along}", coordinates[block.coordinates[place]])).collect()
        };
        self.blocks.iter().flat_map::<Vec<String>, _>(of_block).collect()
    }

    /// `P(q)^T momenta`, at the configuration `at` in a graph that extends that of the dynamics.
    pub(crate) fn project(&self, graph: &mut Graph, phase: &PreparedPhase<'_>, momenta: &[Id], at: &[Id]) -> Vec<Id> {
        let (dynamics, n) = (&phase.dynamics, phase.dynamics.dimension());
        let places: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(at.iter().copied()).collect();
        let mut projected = Vec::new();
        for block in &self.blocks {
            let own: Vec<Id> = block.coordinates.iter().map(|&k| momenta[k]).collect();
            if block.rows.is_empty() {
                projected.extend(own);
                continue;
            }
            let jacobian = dynamics.jacobian(graph);
            let matrix: Vec<Id> = block.entries(n).map(|entry| jacobian[entry]).collect();
            let null = graph.annihilator(&matrix, block.coordinates.len(), &block.pivots);
            let null = graph.substitute(&null, &places);
            projected.extend(null.chunks_exact(own.len()).map(|direction| graph.dot(direction, &own)));
        }
        projected
    }
}

impl Block {
    /// Places of the entries of the block in the Jacobian, row by row.
    fn entries(&self, n: usize) -> impl Iterator<Item = usize> + '_ {
        self.rows.iter().flat_map(move |row| self.coordinates.iter().map(move |k| row * n + k))
    }

    /// The pivots whose minor is largest at the worst sample.
    fn choose(&mut self, samples: &[Vec<f64>], n: usize) -> Result<(), String> {
        let (columns, count) = (self.coordinates.len(), self.rows.len());
        if count == 0 {
            return Ok(());
        }
        if columns > MAX_COORDINATES || count > columns {
            return Err(format!("{count} constraints tie {columns} coordinates (at most {MAX_COORDINATES})"));
        }
        let own = |jacobian: &Vec<f64>| self.entries(n).map(|entry| jacobian[entry]).collect::<Vec<f64>>();
        let own: Vec<Vec<f64>> = samples.iter().map(own).filter(|g| gram(g, columns) > 0.0).collect();
        if own.is_empty() {
            return Err("the constraints depend on each other at the boundary values".to_owned());
        }
        let worst = |pivots: &[usize]| own.iter().map(|g| share(g, columns, pivots)).fold(f64::INFINITY, f64::min);
        let all = subsets(columns, count);
        let best = all.iter().max_by(|a, b| worst(a).total_cmp(&worst(b))).cloned().unwrap_or_default();
        // A single direction is never lost: all its minors together are `sqrt(det G G^T)`.
        if columns - count > 1 && worst(&best) < SMALLEST_SHARE {
            return Err("no choice of pivots is regular from the start to the end".to_owned());
        }
        self.pivots = best;
        Ok(())
    }
}

/// The Jacobian of all constraints at some configurations between the boundary values.
fn samples(problem: &ControlProblem, number: usize, phase: &PreparedPhase<'_>) -> Result<Vec<Vec<f64>>, ControlError> {
    let parameters: Vec<_> = problem.phases.iter().flat_map(|phase| phase.system.parameters()).collect();
    let value = |name: &String| parameters.iter().find(|p| &p.name == name).map_or(0.0, |p| p.value);
    let freed: Vec<f64> = problem.freed.iter().map(|freed| freed.guess.unwrap_or(value(&freed.name))).collect();
    let mut legendre = Legendre::new(&numbers(phase, &freed), Backend::Interpreter)?;
    let guess = Guess::interpolate(problem, &[]);
    let mut all = Vec::new();
    for time in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let mut q = guess.phases[number].at(time);
        if legendre.project_configuration(&mut q).is_ok() {
            all.push(legendre.constraints(&q).1.to_vec());
        }
    }
    Ok(all)
}

/// `sqrt(det G G^T)`; zero where rows depend on each other.
fn gram(g: &[f64], columns: usize) -> f64 {
    let rows: Vec<&[f64]> = g.chunks_exact(columns).collect();
    let sizes: f64 = rows.iter().map(|row| dot(row, row).sqrt()).product();
    let volume = determinant(&carom_linalg::gram(&rows), rows.len()).abs().sqrt();
    if volume > 1e-12 * sizes { volume } else { 0.0 }
}

/// The minor over `pivots` as a share of all minors.
fn share(g: &[f64], columns: usize, pivots: &[usize]) -> f64 {
    let minor: Vec<f64> =
        g.chunks_exact(columns).flat_map(|row| pivots.iter().map(move |&column| row[column])).collect();
    determinant(&minor, pivots.len()).abs() / gram(g, columns)
}

/// By elimination with the largest entry of each column as pivot.
fn determinant(matrix: &[f64], size: usize) -> f64 {
    let mut rows: Vec<Vec<f64>> = matrix.chunks_exact(size.max(1)).map(<[f64]>::to_vec).collect();
    let mut product = 1.0;
    for column in 0..size {
        let largest = (column..size).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        let pivot = largest.unwrap_or(column);
        if rows[pivot][column] == 0.0 {
            return 0.0;
        }
        if pivot != column {
            rows.swap(pivot, column);
            product = -product;
        }
        product *= rows[column][column];
        let (above, below) = rows.split_at_mut(column + 1);
        for row in below {
            let factor = row[column] / above[column][column];
            row.iter_mut().zip(&above[column]).for_each(|(entry, pivot)| *entry -= factor * pivot);
        }
    }
    product
}

/// All sets of `count` numbers below `size`, ascending.
fn subsets(size: usize, count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |set: &Vec<usize>| {
            let first = set.last().map_or(0, |last| last + 1);
            (first..size).map(|next| [&set[..], &[next]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
