//! Several contacts at once: impulses that satisfy all laws together.
//!
//! ```text
//! u+ = u- + W Lambda,    0 <= Lambda_N  _|_  u_N+ + e u_N- >= 0,    Lambda_T in the cone of mu Lambda_N
//! ```
//!
//! Every contact is open (`Lambda = 0`), sticks (`w+ = 0`), or slides one way or the other. There are
//! few contacts, so all combinations are tried, the most closed ones first, and the first that satisfies
//! every inequality is taken; each is one small linear system, and the answer is exact. Without friction
//! and with independent contacts it is unique (`W` is definite: the problem is a projection). A row that
//! depends on others (two feet that stick) gets no impulse of its own.

use crate::space::ContactSpace;
use carom_linalg::{Lu, max_abs, rank};

/// One contact of the set.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// Its rows, normal first.
    pub rows: Vec<usize>,
    /// Coefficient of restitution.
    pub restitution: f64,
    /// Coefficient of friction; none sticks whatever it takes.
    pub friction: Option<f64>,
}

/// What a contact may do.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Choice {
    Stick,
    Slide(f64),
    Open,
}

/// More combinations than this are not tried.
const MAX_COMBINATIONS: usize = 1 << 16;
/// Rows closer to dependent than this are dependent.
const DEPENDENT: f64 = 1e-9;
/// Inequalities hold up to this part of the largest rate or impulse.
const TOLERANCE: f64 = 1e-11;

/// Impulses of all rows; none if no combination satisfies the laws.
pub fn solve(space: &ContactSpace, before: &[f64], blocks: &[Block]) -> Option<Vec<f64>> {
    let choices: Vec<Vec<Choice>> = blocks.iter().map(choices).collect();
    let count = choices.iter().try_fold(1_usize, |product, list| product.checked_mul(list.len()))?;
    let mut combination = vec![0; blocks.len()];
    for _ in 0..count.min(MAX_COMBINATIONS) {
        let chosen: Vec<Choice> = combination.iter().zip(&choices).map(|(&i, list)| list[i]).collect();
        if let Some(impulses) = try_combination(space, before, blocks, &chosen) {
            return Some(impulses);
        }
        advance(&mut combination, &choices);
    }
    None
}

fn choices(block: &Block) -> Vec<Choice> {
    match (block.rows.len(), block.friction) {
        (1, _) | (_, None) => vec![Choice::Stick, Choice::Open],
        (2, _) => vec![Choice::Stick, Choice::Slide(1.0), Choice::Slide(-1.0), Choice::Open],
        // Sliding in a plane has no finite list of directions.
        _ => vec![Choice::Stick, Choice::Open],
    }
}

/// Counts through the combinations, the last contact fastest.
fn advance(combination: &mut [usize], choices: &[Vec<Choice>]) {
    for (digit, list) in combination.iter_mut().zip(choices).rev() {
        *digit += 1;
        if *digit < list.len() {
            return;
        }
        *digit = 0;
    }
}

fn try_combination(space: &ContactSpace, before: &[f64], blocks: &[Block], chosen: &[Choice]) -> Option<Vec<f64>> {
    let k = space.len();
    let (mut matrix, mut right) = (vec![0.0; k * k], vec![0.0; k]);
    // Rows without a condition of their own have no impulse.
    (0..k).for_each(|row| matrix[row * k + row] = 1.0);
    for row in independent(space, &conditions(blocks, chosen)) {
        (0..k).for_each(|j| matrix[row * k + j] = space.entry(row, j));
        right[row] = -before[row];
    }
    for (block, choice) in blocks.iter().zip(chosen) {
        let normal = block.rows[0];
        right[normal] *= 1.0 + block.restitution;
        if let (Choice::Slide(direction), Some(&tangent)) = (choice, block.rows.get(1)) {
            matrix[tangent * k + normal] = direction * block.friction.unwrap_or(0.0);
        }
    }
    let mut lu = Lu::new(k);
    lu.factor(&matrix).ok()?;
    lu.solve(&mut right);
    is_admissible(space, before, blocks, chosen, &right).then_some(right)
}

/// Rows whose rates after the impact are given: normals first.
fn conditions(blocks: &[Block], chosen: &[Choice]) -> Vec<usize> {
    let closed = || blocks.iter().zip(chosen).filter(|(_, choice)| **choice != Choice::Open);
    let normals = closed().map(|(block, _)| block.rows[0]);
    let tangents = closed().filter(|(_, choice)| **choice == Choice::Stick);
    normals.chain(tangents.flat_map(|(block, _)| block.rows[1..].to_vec())).collect()
}

/// Those of some rows that do not depend on earlier ones.
fn independent(space: &ContactSpace, rows: &[usize]) -> Vec<usize> {
    let n = space.rows.len() / space.len().max(1);
    let (mut kept, mut lifted): (Vec<usize>, Vec<f64>) = (Vec::new(), Vec::new());
    for &row in rows {
        lifted.extend(&space.lifted[row * n..(row + 1) * n]);
        if rank(&lifted, n, DEPENDENT) > kept.len() {
            kept.push(row);
        } else {
            lifted.truncate(kept.len() * n);
        }
    }
    kept
}

fn is_admissible(space: &ContactSpace, before: &[f64], blocks: &[Block], chosen: &[Choice], impulses: &[f64]) -> bool {
    let k = space.len();
    let after: Vec<f64> =
        (0..k).map(|i| before[i] + (0..k).map(|j| space.entry(i, j) * impulses[j]).sum::<f64>()).collect();
    let (rate, force) = (TOLERANCE * max_abs(before), TOLERANCE * max_abs(impulses));
    if !max_abs(impulses).is_finite() {
        return false;
    }
    blocks.iter().zip(chosen).all(|(block, choice)| {
        let normal = block.rows[0];
        let is_met = |row: usize, target: f64| (after[row] - target).abs() <= rate;
        let closes = is_met(normal, -block.restitution * before[normal]);
        let tangential: Vec<f64> = block.rows[1..].iter().map(|&row| impulses[row]).collect();
        match choice {
            Choice::Open => after[normal] + block.restitution * before[normal] >= -rate,
            Choice::Slide(direction) => {
                closes && impulses[normal] >= -force && after[block.rows[1]] * direction >= -rate
            }
            Choice::Stick => {
                let size = tangential.iter().map(|x| x * x).sum::<f64>().sqrt();
                let bound = block.friction.map_or(f64::INFINITY, |mu| mu * impulses[normal].max(0.0) + force);
                let sticks = block.rows[1..].iter().all(|&row| is_met(row, 0.0));
                closes && sticks && impulses[normal] >= -force && (tangential.is_empty() || size <= bound)
            }
        }
    })
}
