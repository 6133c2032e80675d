//! Elimination along a chain: stage after stage, each with what couples it to the next.
//!
//! ```text
//! [ A_1  B_1^T          C_1^T ]
//! [ B_1  A_2   B_2^T    C_2^T ]
//! [      B_2   A_3 ..   ..    ]        the border C stands in every front
//! [ C_1  C_2   ..       D     ]
//! ```
//!
//! The front of a stage holds its unknowns, those delayed by the stage before, and all later unknowns that
//! are coupled with anything eliminated so far. After elimination ([`Front`]) the rest is carried into the
//! next front. This is the multifrontal method (Duff and Reid 1983) with a chain as elimination tree: no
//! ordering has to be found, fronts are dense and small, and the cost is linear in the number of stages. As
//! every pivot is tested against its whole column, inertia and stability are those of a general method.

use super::front::Front;
use super::{Factorisation, Inertia};
use crate::nlp::Pattern;

/// What is known of a stage before any number is.
#[derive(Debug, Default)]
struct Stage {
    /// Unknowns of this stage, then later ones that are coupled with it or with earlier stages.
    unknowns: Vec<u32>,
    /// How many of them are of this stage.
    own: usize,
    /// Entries that are assembled here: position in the pattern, places in the front.
    entries: Vec<(u32, u32, u32)>,
    /// Where the later unknowns of the stage before stand in this front.
    carried: Vec<u32>,
}

/// The eliminated part of a stage.
#[derive(Debug, Default)]
struct Factor {
    /// Unknowns of the front, eliminated ones first.
    index: Vec<u32>,
    pivots: usize,
    /// Columns of `L`, with the diagonal of `D` in its diagonal.
    columns: Vec<f64>,
    /// Off-diagonal entries of pivots of size two.
    off: Vec<f64>,
}

/// Factorisation of a matrix whose unknowns stand along a chain.
#[derive(Debug)]
pub struct Chain {
    stages: Vec<Stage>,
    factors: Vec<Factor>,
    front: Front,
    /// What the last front passed on: lower triangle, unknowns, sizes of their columns.
    carry: Carry,
    /// Size of each column, for the judgement of cancellation.
    norm: Vec<f64>,
    pattern: Pattern,
    work: Vec<f64>,
    vanished: Vec<u32>,
}

#[derive(Debug, Default)]
struct Carry {
    size: usize,
    delayed: usize,
    a: Vec<f64>,
    index: Vec<u32>,
}

impl Chain {
    /// Finds the fronts of a symmetric matrix, given by the places of its lower triangle. Places that occur twice are
    /// added; `stages` has one entry for each unknown.
    pub fn new(dimension: usize, pattern: &Pattern, stages: &[u32]) -> Self {
        let (order, count) = compress(stages);
        let mut own: Vec<Vec<u32>> = vec![Vec::new(); count];
        (0..dimension).for_each(|i| own[order[i] as usize].push(i as u32));
        // Entries go to the earlier stage of their two unknowns.
        let mut entries: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (position, (i, j)) in pattern.entries().enumerate() {
            entries[order[i].min(order[j]) as usize].push(position as u32);
        }
        let mut all: Vec<Stage> = Vec::with_capacity(count);
        // Place of each unknown in the current front.
        let mut place = vec![u32::MAX; dimension];
        let mut later: Vec<u32> = Vec::new();
        for k in 0..count {
            let mut unknowns = own[k].clone();
            unknowns.iter().enumerate().for_each(|(at, &i)| place[i as usize] = at as u32);
            let mut admit = |i: u32| {
                if place[i as usize] == u32::MAX {
                    place[i as usize] = unknowns.len() as u32;
                    unknowns.push(i);
                }
            };
            later.iter().for_each(|&i| admit(i));
            for &position in &entries[k] {
                admit(pattern.rows[position as usize]);
                admit(pattern.columns[position as usize]);
            }
            let places = |&position: &u32| {
                let (i, j) = (pattern.rows[position as usize], pattern.columns[position as usize]);
                (position, place[i as usize], place[j as usize])
            };
            let stage = Stage {
                own: own[k].len(),
                entries: entries[k].iter().map(places).collect(),
                carried: later.iter().map(|&i| place[i as usize]).collect(),
                unknowns,
            };
            stage.unknowns.iter().for_each(|&i| place[i as usize] = u32::MAX);
            later = stage.unknowns[stage.own..].to_vec();
            all.push(stage);
        }
        let factors = (0..count).map(|_| Factor::default()).collect();
        Self {
            stages: all,
            factors,
            front: Front::default(),
            carry: Carry::default(),
            norm: vec![0.0; dimension],
            pattern: pattern.clone(),
            work: Vec::new(),
            vanished: Vec::new(),
        }
    }

    /// Size of the largest front before any delay.
    pub fn width(&self) -> usize {
        self.stages.iter().map(|stage| stage.unknowns.len()).max().unwrap_or(0)
    }

    fn measure(&mut self, values: &[f64]) {
        self.norm.fill(0.0);
        for ((i, j), value) in self.pattern.entries().zip(values) {
            self.norm[i] = self.norm[i].max(value.abs());
            self.norm[j] = self.norm[j].max(value.abs());
        }
    }

    /// Puts entries and what was carried into the front of stage `k`.
    fn assemble(&mut self, k: usize, values: &[f64]) {
        let (stage, front, carry) = (&self.stages[k], &mut self.front, &self.carry);
        let delayed = carry.delayed;
        front.reset(delayed + stage.unknowns.len());
        front.index.extend_from_slice(&carry.index[..delayed]);
        front.index.extend_from_slice(&stage.unknowns);
        front.norm.extend(front.index.iter().map(|&i| self.norm[i as usize]));
        for &(position, i, j) in &stage.entries {
            front.add(i as usize + delayed, j as usize + delayed, values[position as usize]);
        }
        let target = |at: usize| if at < delayed { at } else { stage.carried[at - delayed] as usize + delayed };
        for j in 0..carry.size {
            let to = target(j);
            for i in j..carry.size {
                front.add(target(i), to, carry.a[j * carry.size + i]);
            }
        }
    }

    /// Keeps the eliminated columns and carries on the rest.
    fn store(&mut self, k: usize) {
        let (front, factor, carry) = (&mut self.front, &mut self.factors[k], &mut self.carry);
        let (size, pivots) = (front.size, front.pivots);
        factor.index.clear();
        factor.index.extend_from_slice(&front.index);
        factor.pivots = pivots;
        factor.columns.clear();
        factor.columns.extend_from_slice(&front.a[..pivots * size]);
        factor.off.clear();
        factor.off.extend_from_slice(&front.off[..pivots]);
        carry.delayed = size - pivots - (self.stages[k].unknowns.len() - self.stages[k].own);
        carry.size = size - pivots;
        carry.index.clear();
        carry.index.extend_from_slice(&front.index[pivots..]);
        carry.a.clear();
        for j in pivots..size {
            carry.a.extend_from_slice(&front.a[j * size + pivots..(j + 1) * size]);
        }
    }
}

/// Stages numbered without gaps, and how many there are.
fn compress(stages: &[u32]) -> (Vec<u32>, usize) {
    let mut known = stages.to_vec();
    known.sort_unstable();
    known.dedup();
    let number = |stage: &u32| known.binary_search(stage).unwrap_or(0) as u32;
    (stages.iter().map(number).collect(), known.len())
}

impl Factorisation for Chain {
    fn factor(&mut self, values: &[f64]) -> Inertia {
        self.measure(values);
        self.carry = Carry {
            index: std::mem::take(&mut self.carry.index),
            a: std::mem::take(&mut self.carry.a),
            ..Carry::default()
        };
        let mut total = Inertia::default();
        self.vanished.clear();
        for k in 0..self.stages.len() {
            self.assemble(k, values);
            let candidates = self.carry.delayed + self.stages[k].own;
            self.front.eliminate(candidates, k + 1 == self.stages.len());
            total.positive += self.front.inertia.positive;
            total.negative += self.front.inertia.negative;
            total.zero += self.front.inertia.zero;
            self.vanished.extend_from_slice(&self.front.vanished);
            self.store(k);
        }
        total
    }

    fn vanished(&self) -> &[u32] {
        &self.vanished
    }

    fn solve(&mut self, rhs: &mut [f64]) {
        let work = &mut self.work;
        for factor in &self.factors {
            gather(factor, rhs, work);
            forward(factor, work);
            factor.index.iter().zip(&*work).for_each(|(&i, value)| rhs[i as usize] = *value);
        }
        for factor in self.factors.iter().rev() {
            gather(factor, rhs, work);
            backward(factor, work);
            factor.index[..factor.pivots].iter().zip(&*work).for_each(|(&i, value)| rhs[i as usize] = *value);
        }
    }
}

fn gather(factor: &Factor, rhs: &[f64], work: &mut Vec<f64>) {
    work.clear();
    work.extend(factor.index.iter().map(|&i| rhs[i as usize]));
}

/// `L^-1`, then `D^-1` on the eliminated unknowns.
fn forward(factor: &Factor, x: &mut [f64]) {
    let size = factor.index.len();
    for p in 0..factor.pivots {
        let value = x[p];
        let column = &factor.columns[p * size..(p + 1) * size];
        // Within a pivot of size two, L is the identity.
        for (x, l) in x[p + 1..].iter_mut().zip(&column[p + 1..]) {
            *x -= l * value;
        }
    }
    let mut p = 0;
    while p < factor.pivots {
        let (a, b) = (factor.columns[p * size + p], factor.off[p]);
        if b == 0.0 {
            x[p] = if a == 0.0 { 0.0 } else { x[p] / a };
            p += 1;
        } else {
            let c = factor.columns[(p + 1) * size + p + 1];
            let determinant = a * c - b * b;
            (x[p], x[p + 1]) = ((c * x[p] - b * x[p + 1]) / determinant, (a * x[p + 1] - b * x[p]) / determinant);
            p += 2;
        }
    }
}

/// `L^-T`
fn backward(factor: &Factor, x: &mut [f64]) {
    let size = factor.index.len();
    for p in (0..factor.pivots).rev() {
        let column = &factor.columns[p * size..(p + 1) * size];
        let sum: f64 = column[p + 1..].iter().zip(&x[p + 1..]).map(|(l, x)| l * x).sum();
        x[p] -= sum;
    }
}
