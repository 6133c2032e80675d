//! The general factorisation against eigenvalues and products.
#![cfg(feature = "pounce")]

use carom_nlp::Pattern;
use carom_nlp::factor::{Factorisation, General, Inertia};

/// Eigenvalues of a symmetric matrix by Jacobi's rotations.
fn eigenvalues(mut a: Vec<Vec<f64>>) -> Vec<f64> {
    let n = a.len();
    for _ in 0..30 {
        for p in 0..n {
            for q in p + 1..n {
                if a[p][q].abs() < 1e-300 {
                    continue;
                }
                let angle = 0.5 * (2.0 * a[p][q]).atan2(a[q][q] - a[p][p]);
                let (s, c) = angle.sin_cos();
                // Columns, then rows, which are columns of the transpose.
                for _ in 0..2 {
                    for row in &mut a {
                        (row[p], row[q]) = (c * row[p] - s * row[q], s * row[p] + c * row[q]);
                    }
                    a = (0..n).map(|i| a.iter().map(|row| row[i]).collect()).collect();
                }
            }
        }
    }
    (0..n).map(|i| a[i][i]).collect()
}

#[test]
fn general_factorisation_against_eigenvalues() {
    // A small generator is enough for patterns and values.
    let mut state = 1_u64;
    let mut random = move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    for n in [1, 2, 7, 25, 40] {
        let mut pattern = Pattern::default();
        for i in 0..n {
            for j in 0..=i {
                // Some diagonal entries are missing, some places occur twice, some in the upper triangle.
                let times = if i == j { usize::from(random() < 0.7) } else { usize::from(random() < 0.15) };
                for k in 0..2 * times {
                    let (row, column) = if k == 1 { (j, i) } else { (i, j) };
                    pattern.rows.push(row as u32);
                    pattern.columns.push(column as u32);
                }
            }
        }
        let mut factorisation = General::new(n, &pattern);
        for _ in 0..3 {
            let values: Vec<f64> = (0..pattern.len()).map(|_| 2.0 * random() - 1.0).collect();
            let mut dense = vec![vec![0.0; n]; n];
            for ((i, j), value) in pattern.entries().zip(&values) {
                dense[i][j] += value;
                if i != j {
                    dense[j][i] += value;
                }
            }
            let eigenvalues = eigenvalues(dense.clone());
            let count = |sign: f64| eigenvalues.iter().filter(|&&value| sign * value > 1e-10).count();
            let (positive, negative) = (count(1.0), count(-1.0));
            let expected = Inertia { positive, negative, zero: n - positive - negative };
            assert_eq!(factorisation.factor(&values), expected, "{n}");
            if expected.zero == 0 {
                let x: Vec<f64> = (0..n).map(|_| random()).collect();
                let mut rhs: Vec<f64> = dense.iter().map(|row| row.iter().zip(&x).map(|(a, x)| a * x).sum()).collect();
                factorisation.solve(&mut rhs);
                assert!(rhs.iter().zip(&x).all(|(a, b)| (a - b).abs() < 1e-8), "{n}");
            }
        }
        let failed = Inertia { zero: n, ..Inertia::default() };
        assert_eq!(factorisation.factor(&vec![f64::NAN; pattern.len()]), failed);
    }
}
