//! Elimination along a chain, against one dense front and against the matrix itself.

use carom_nlp::factor::{Chain, Factorisation, Inertia, levels};
use carom_nlp::{Pattern, Stages};

/// A small generator of numbers in [-1, 1).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// A KKT-like chain: `variables` and `rows` per stage, rows without diagonal, a border.
fn kkt(
    stages: usize,
    (variables, rows, border): (usize, usize, usize),
    seed: u64,
) -> (usize, Pattern, Vec<f64>, Vec<u32>) {
    let mut numbers = Numbers(seed);
    let width = variables + rows;
    let n = stages * width + border;
    let (mut pattern, mut values) = (Pattern::default(), Vec::new());
    let mut push = |i: usize, j: usize, value: f64| {
        pattern.rows.push(i.max(j) as u32);
        pattern.columns.push(i.min(j) as u32);
        values.push(value);
    };
    for k in 0..stages {
        let at = k * width;
        for i in 0..variables {
            (0..=i).for_each(|j| push(at + i, at + j, numbers.next()));
        }
        for row in at + variables..at + width {
            (0..variables).for_each(|j| push(row, at + j, numbers.next()));
            if k + 1 < stages {
                (0..variables).for_each(|j| push(row, at + width + j, numbers.next()));
            }
        }
        for b in 0..border {
            push(stages * width + b, at, numbers.next());
        }
    }
    for b in 0..border {
        push(stages * width + b, stages * width + b, numbers.next());
    }
    let stage = |i: usize| if i < stages * width { (i / width) as u32 } else { Stages::BORDER };
    (n, pattern, values, (0..n).map(stage).collect())
}

fn residual(pattern: &Pattern, values: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let mut r = b.to_vec();
    for ((i, j), value) in pattern.entries().zip(values) {
        r[i] -= value * x[j];
        if i != j {
            r[j] -= value * x[i];
        }
    }
    r.iter().fold(0.0, |size, value| size.max(value.abs()))
}

fn solve(factorisation: &mut dyn Factorisation, values: &[f64], b: &[f64]) -> (Inertia, Vec<f64>) {
    let inertia = factorisation.factor(values);
    let mut x = b.to_vec();
    factorisation.solve(&mut x);
    (inertia, x)
}

#[test]
fn chains_agree_with_one_dense_front() {
    for seed in 0..60 {
        let sizes = [(3, 2, 0), (2, 1, 2), (4, 4, 1), (1, 1, 3)][seed as usize % 4];
        let (n, pattern, values, stages) = kkt(2 + seed as usize % 7, sizes, seed);
        let b: Vec<f64> = (0..n).map(|i| (i as f64).sin()).collect();
        let (inertia, x) = solve(&mut Chain::new(n, &pattern, &stages), &values, &b);
        let (dense, y) = solve(&mut Chain::new(n, &pattern, &vec![0; n]), &values, &b);
        let (found, z) = solve(&mut Chain::new(n, &pattern, &levels(n, &pattern)), &values, &b);
        assert_eq!(inertia, dense, "seed {seed}");
        assert_eq!(found, dense, "seed {seed}");
        for solution in [&x, &y, &z] {
            let size = solution.iter().fold(1.0_f64, |size, x| size.max(x.abs()));
            assert!(residual(&pattern, &values, solution, &b) < 1e-9 * size, "seed {seed}");
        }
    }
}

#[test]
fn vanishing_directions_are_counted() {
    // Two equal rows: one direction of multipliers has no effect.
    let pattern = Pattern { rows: vec![0, 1, 2, 2, 3, 3], columns: vec![0, 1, 0, 1, 0, 1] };
    let values = [2.0, 3.0, 1.0, 1.0, 1.0, 1.0];
    for stages in [vec![0; 4], vec![0, 1, 0, 1], vec![0, 0, 1, 2]] {
        let inertia = Chain::new(4, &pattern, &stages).factor(&values);
        assert_eq!(inertia, Inertia { positive: 2, negative: 1, zero: 1 }, "{stages:?}");
    }
}

#[test]
fn rows_wait_until_their_variables_come() {
    // The row of stage 0 reads a variable of stage 1 alone: no pivot exists before.
    let pattern = Pattern { rows: vec![0, 1, 2, 2], columns: vec![0, 2, 2, 1] };
    let values = [1.0, 0.0, 4.0, 5.0];
    let (inertia, x) = solve(&mut Chain::new(3, &pattern, &[0, 0, 1]), &values, &[1.0, 10.0, 13.0]);
    assert_eq!(inertia, Inertia { positive: 2, negative: 1, zero: 0 });
    assert!((x[2] - 2.0).abs() < 1e-14 && (x[1] - 1.0).abs() < 1e-14 && (x[0] - 1.0).abs() < 1e-14);
}
