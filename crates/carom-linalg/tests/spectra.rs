//! Eigenvalues and singular values of matrices that are known.

use carom_linalg::{SingularValues, dot, eigenvalues, multiply};

fn close(found: &[(f64, f64)], expected: &[(f64, f64)], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(expected) {
        assert!((a.0 - b.0).abs() <= tolerance && (a.1 - b.1).abs() <= tolerance, "{found:?} instead of {expected:?}");
    }
}

#[test]
fn small_ones() {
    assert_eq!(eigenvalues(&[], 0), Some(Vec::new()));
    assert_eq!(eigenvalues(&[3.0], 1), Some(vec![(3.0, 0.0)]));
    close(&eigenvalues(&[0.0, -1.0, 1.0, 0.0], 2).expect("finite"), &[(0.0, 1.0), (0.0, -1.0)], 0.0);
    assert_eq!(eigenvalues(&[f64::NAN], 1), None);
}

#[test]
fn the_roots_of_a_polynomial_are_those_of_its_companion() {
    // (x - 1)(x - 2)(x - 3)(x - 4)(x - 5) = x^5 - 15 x^4 + 85 x^3 - 225 x^2 + 274 x - 120
    let first = [15.0, -85.0, 225.0, -274.0, 120.0];
    let mut a = vec![0.0; 25];
    a[..5].copy_from_slice(&first);
    (1..5).for_each(|i| a[i * 5 + i - 1] = 1.0);
    let expected: Vec<(f64, f64)> = (1..=5).rev().map(|k| (f64::from(k), 0.0)).collect();
    close(&eigenvalues(&a, 5).expect("converges"), &expected, 1e-11);
    // x^6 = 1: nothing but cycles without exceptional shifts.
    let mut cyclic = vec![0.0; 36];
    cyclic[5] = 1.0;
    (1..6).for_each(|i| cyclic[i * 6 + i - 1] = 1.0);
    for (re, im) in eigenvalues(&cyclic, 6).expect("converges") {
        assert!((re.hypot(im) - 1.0).abs() < 1e-14);
        let angle = im.atan2(re) * 6.0 / std::f64::consts::TAU;
        assert!((angle - angle.round()).abs() < 1e-13, "{angle}");
    }
}

#[test]
fn a_matrix_turned_into_another_basis() {
    // Blocks: a pair -0.3 +- 0.8 i, 2.5, -1, and 0; T is unit lower times unit upper.
    let n = 5;
    let mut block = vec![0.0; 25];
    (block[0], block[1], block[5], block[6]) = (-0.3, 0.8, -0.8, -0.3);
    (block[12], block[18]) = (2.5, -1.0);
    let at = |i: usize, j: usize| if i == j { 1.0 } else { 0.3 * ((3 * i + 5 * j) as f64).sin() };
    let lower: Vec<f64> = (0..25).map(|k| if k / n >= k % n { at(k / n, k % n) } else { 0.0 }).collect();
    let product = |a: &[f64], b: &[f64]| -> Vec<f64> {
        (0..25).map(|k| (0..n).map(|l| a[k / n * n + l] * b[l * n + k % n]).sum()).collect()
    };
    let mut inverse = vec![0.0; 25];
    for j in 0..n {
        for i in 0..n {
            let known: f64 = (0..i).map(|l| lower[i * n + l] * inverse[l * n + j]).sum();
            inverse[i * n + j] = if i == j { 1.0 - known } else { -known };
        }
    }
    let a = product(&product(&lower, &block), &inverse);
    let expected = [(2.5, 0.0), (-1.0, 0.0), (-0.3, 0.8), (-0.3, -0.8), (0.0, 0.0)];
    close(&eigenvalues(&a, n).expect("converges"), &expected, 1e-14);
}

#[test]
fn singular_values_and_the_shortest_solution() {
    // A = [3 0; 4 5] has singular values 3 sqrt 5 and sqrt 5.
    let svd = SingularValues::new(&[3.0, 0.0, 4.0, 5.0], 2);
    assert!((svd.values[0] - 45.0_f64.sqrt()).abs() < 1e-14 && (svd.values[1] - 5.0_f64.sqrt()).abs() < 1e-14);
    // Rank one, more columns than rows: the solution lies in the row space.
    let a = [1.0, 2.0, 2.0, 2.0, 4.0, 4.0];
    let svd = SingularValues::new(&a, 3);
    assert_eq!(svd.rank(1e-12), 1);
    let x = svd.solve(&[9.0, 18.0], 1e-12);
    for (x, expected) in x.iter().zip([1.0, 2.0, 2.0]) {
        assert!((x - expected).abs() < 1e-14);
    }
    let mut image = [0.0; 2];
    multiply(&a, svd.right(2), &mut image);
    assert!(dot(&image, &image).sqrt() < 1e-14);
    let left = svd.left(0);
    assert!((left[1] / left[0] - 2.0).abs() < 1e-14);
}
