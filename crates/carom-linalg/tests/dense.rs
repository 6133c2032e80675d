//! Factorisations against their definitions.

use carom_linalg::{Lu, RangeNull, max_abs, multiply};

/// A reproducible stream of numbers in (-1, 1).
fn noise(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 11) as f64 / (1u64 << 53) as f64) * 2.0 - 1.0
    }
}

#[test]
fn solutions_satisfy_their_equations() {
    for n in 1..=32 {
        let mut next = noise(n as u64);
        let a: Vec<f64> = (0..n * n).map(|_| next()).collect();
        let b: Vec<f64> = (0..n).map(|_| next()).collect();
        let (mut lu, mut x) = (Lu::new(n), b.clone());
        lu.factor(&a).expect("random matrices are regular");
        lu.solve(&mut x);
        let mut image = vec![0.0; n];
        multiply(&a, &x, &mut image);
        let residual: Vec<f64> = image.iter().zip(&b).map(|(l, r)| l - r).collect();
        assert!(max_abs(&residual) < 1e-13 * n as f64 * max_abs(&x).max(1.0), "n = {n}: {residual:?}");
    }
}

#[test]
fn a_singular_matrix_is_refused() {
    let mut lu = Lu::new(2);
    assert_eq!(lu.factor(&[1.0, 2.0, 2.0, 4.0]).unwrap_err().column, 1);
    assert_eq!(lu.factor(&[f64::NAN, 2.0, 2.0, 4.0]).unwrap_err().column, 0);
}

#[test]
fn null_space_is_orthonormal_and_annihilated() {
    let mut next = noise(7);
    let g: Vec<f64> = (0..3 * 7).map(|_| next()).collect();
    let bases = RangeNull::new(&g, 7, 1e-12);
    assert_eq!(bases.rank(), 3);
    for (i, v) in bases.null_space().chunks(7).enumerate() {
        let mut image = [0.0; 3];
        multiply(&g, v, &mut image);
        assert!(max_abs(&image) < 1e-14);
        for (j, w) in bases.null_space().chunks(7).enumerate() {
            let expected = if i == j { 1.0 } else { 0.0 };
            assert!((carom_linalg::dot(v, w) - expected).abs() < 1e-14);
        }
    }
}

#[test]
fn dependent_rows_do_not_count() {
    let g = [1.0, 2.0, 3.0, 2.0, 4.0, 6.0, 0.0, 1.0, 0.0];
    assert_eq!(carom_linalg::rank(&g, 3, 1e-10), 2);
}

#[test]
fn not_a_number_is_the_largest_wherever_it_stands() {
    for values in [[f64::NAN, 1.0, 2.0], [1.0, f64::NAN, 2.0], [1.0, 2.0, f64::NAN], [f64::NAN, f64::INFINITY, 0.0]] {
        assert!(max_abs(&values).is_nan(), "{values:?}");
    }
    assert_eq!((max_abs(&[1.0, -3.0, 2.0]), max_abs(&[])), (3.0, 0.0));
}
