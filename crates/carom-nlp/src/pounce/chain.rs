//! The chain of a program as linear solver of POUNCE.
//!
//! POUNCE factorises, with one slack for each inequality,
//!
//! ```text
//! [ W + D_x                        ]   x: variables that are not fixed
//! [            D_s                 ]   s: slacks of the inequalities
//! [ J_c               -D_c         ]   c: equalities
//! [ J_d        -1             -D_d ]   d: inequalities
//! ```
//!
//! in this order of unknowns; every one of them belongs to a variable or a row, whose stage it takes. The
//! restoration phase reduces its larger system to one of this shape, and uses the same backend.

use crate::factor::{Chain, Factorisation, Inertia};
use crate::nlp::{Nlp, Pattern};
use pounce_feral::FeralSolverInterface;
use pounce_rs::linsol::{EMatrixFormat, ESymSolverStatus, SparseSymLinearSolverInterface};
use pounce_rs::pounce_algorithm::alg_builder::LinearBackendFactory;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

/// Fronts wider than this are none of a chain; dense work would grow beyond that of a general method.
const WIDEST: usize = 300;

/// Stages of POUNCE's unknowns: without fixed variables, and with them (POUNCE keeps them if there would be too
/// few variables otherwise).
pub(super) struct Layouts([Vec<u32>; 2]);

/// What the backends of a search share, on the thread of the search.
pub(super) struct Along {
    layouts: Layouts,
    /// Factorisations so far.
    pub(super) factorisations: Cell<usize>,
    /// Seconds in factorisations and solves.
    pub(super) seconds: Cell<f64>,
}

impl Layouts {
    /// The layouts of a program that has a chain.
    pub(super) fn new(nlp: &dyn Nlp) -> Option<Self> {
        let stages = nlp.stages()?;
        let of_rows = |equality: bool| {
            let rows = nlp.row_ranges().iter().zip(&stages.rows);
            rows.filter(move |(range, _)| range.is_fixed() == equality).map(|(_, &stage)| stage)
        };
        let layout = |keep_fixed: bool| {
            let variables = nlp.variable_ranges().iter().zip(&stages.variables);
            let kept = variables.filter(move |(range, _)| keep_fixed || !range.is_fixed()).map(|(_, &stage)| stage);
            kept.chain(of_rows(false)).chain(of_rows(true)).chain(of_rows(false)).collect()
        };
        Some(Self([layout(false), layout(true)]))
    }
}

impl Along {
    pub(super) fn new(layouts: Layouts) -> Rc<Self> {
        Rc::new(Self { layouts, factorisations: Cell::new(0), seconds: Cell::new(0.0) })
    }

    /// Makes backends along the chain.
    pub(super) fn factory(self: &Rc<Self>) -> LinearBackendFactory {
        let along = Rc::clone(self);
        Box::new(move |_| Box::new(Backend::new(Rc::clone(&along))))
    }

    /// The chain for a matrix, if it is one of the known shapes.
    fn chain(&self, dimension: usize, rows: &[i32], columns: &[i32]) -> Option<Chain> {
        let stages = self.layouts.0.iter().find(|layout| layout.len() == dimension)?;
        // Counted from one, either triangle.
        let lower = |(&i, &j): (&i32, &i32)| (i.max(j) as u32 - 1, i.min(j) as u32 - 1);
        let (rows, columns) = rows.iter().zip(columns).map(lower).unzip();
        Some(Chain::new(dimension, &Pattern { rows, columns }, stages)).filter(|chain| chain.width() <= WIDEST)
    }
}

/// A chain, or FERAL for matrices of another shape.
struct Backend {
    along: Rc<Along>,
    chain: Option<Chain>,
    general: FeralSolverInterface,
    values: Vec<f64>,
    last: Inertia,
}

impl Backend {
    fn new(along: Rc<Along>) -> Self {
        let general = FeralSolverInterface::serial();
        Self { along, chain: None, general, values: Vec::new(), last: Inertia::default() }
    }
}

impl SparseSymLinearSolverInterface for Backend {
    fn initialize_structure(&mut self, n: i32, entries: i32, rows: &[i32], columns: &[i32]) -> ESymSolverStatus {
        self.chain = self.along.chain(n as usize, rows, columns);
        if self.chain.is_none() {
            return self.general.initialize_structure(n, entries, rows, columns);
        }
        self.values = vec![0.0; entries as usize];
        ESymSolverStatus::Success
    }

    fn values_array_mut(&mut self) -> &mut [f64] {
        if self.chain.is_some() { &mut self.values } else { self.general.values_array_mut() }
    }

    fn multi_solve(
        &mut self,
        new_matrix: bool,
        rows: &[i32],
        columns: &[i32],
        count: i32,
        rhs: &mut [f64],
        check: bool,
        negative: i32,
    ) -> ESymSolverStatus {
        let begin = Instant::now();
        let spent = &self.along;
        spent.factorisations.set(spent.factorisations.get() + usize::from(new_matrix));
        let status = match &mut self.chain {
            None => self.general.multi_solve(new_matrix, rows, columns, count, rhs, check, negative),
            Some(chain) => {
                if new_matrix {
                    self.last = chain.factor(&self.values);
                }
                if self.last.zero > 0 {
                    ESymSolverStatus::Singular
                } else if new_matrix && check && self.last.negative != negative as usize {
                    ESymSolverStatus::WrongInertia
                } else {
                    let dimension = self.last.positive + self.last.negative;
                    rhs.chunks_exact_mut(dimension.max(1)).for_each(|rhs| chain.solve(rhs));
                    ESymSolverStatus::Success
                }
            }
        };
        spent.seconds.set(spent.seconds.get() + begin.elapsed().as_secs_f64());
        status
    }

    fn number_of_neg_evals(&self) -> i32 {
        if self.chain.is_some() { self.last.negative as i32 } else { self.general.number_of_neg_evals() }
    }

    fn increase_quality(&mut self) -> bool {
        // A chain has no other pivots to offer.
        self.chain.is_none() && self.general.increase_quality()
    }

    fn provides_inertia(&self) -> bool {
        true
    }

    fn matrix_format(&self) -> EMatrixFormat {
        EMatrixFormat::TripletFormat
    }
}
