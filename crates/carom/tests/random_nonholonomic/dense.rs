//! Plain linear algebra, written apart from the library that is tested.

pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// The largest size; not-a-number wins.
pub fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().fold(0.0, |most: f64, x| if x.abs() <= most || most.is_nan() { most } else { x.abs() })
}

/// Keeps the larger one; not-a-number wins.
pub fn worsen(worst: &mut f64, value: f64) {
    *worst = largest([*worst, value]);
}

pub fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    largest(a.iter().zip(b).map(|(x, y)| x - y))
}

/// Removes the part along a unit vector.
pub fn remove(vector: &mut [f64], unit: &[f64]) {
    let part = dot(vector, unit);
    vector.iter_mut().zip(unit).for_each(|(x, y)| *x -= part * y);
}

/// An orthonormal basis of the span of rows.
pub fn orthonormal(rows: &[f64], n: usize) -> Vec<Vec<f64>> {
    let mut basis: Vec<Vec<f64>> = Vec::new();
    for row in rows.chunks_exact(n) {
        let mut rest = row.to_vec();
        basis.iter().chain(&basis).for_each(|unit| remove(&mut rest, unit));
        let length = dot(&rest, &rest).sqrt();
        if length > 1e-9 * dot(row, row).sqrt() {
            basis.push(rest.iter().map(|x| x / length).collect());
        }
    }
    basis
}

/// An orthonormal basis of the vectors that rows annihilate.
pub fn null_space(rows: &[f64], n: usize) -> Vec<Vec<f64>> {
    let range = orthonormal(rows, n);
    let mut all = range.concat();
    all.extend((0..n * n).map(|k| f64::from(u8::from(k / n == k % n))));
    orthonormal(&all, n).split_off(range.len())
}

/// `x` with `A x = b`, by elimination with row pivots.
pub fn solve(matrix: &[f64], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut rows: Vec<Vec<f64>> = (0..n).map(|i| [&matrix[i * n..(i + 1) * n], &right[i..=i]].concat()).collect();
    for column in 0..n {
        let best = (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()));
        rows.swap(column, best.expect("a row"));
        let pivot = rows[column].clone();
        for row in &mut rows[column + 1..] {
            let factor = row[column] / pivot[column];
            row.iter_mut().zip(&pivot).for_each(|(x, y)| *x -= factor * y);
        }
    }
    let mut x = vec![0.0; n];
    for i in (0..n).rev() {
        x[i] = (rows[i][n] - dot(&rows[i][i + 1..n], &x[i + 1..])) / rows[i][i];
    }
    x
}

/// `A x` for a matrix given row by row.
pub fn times(matrix: &[f64], x: &[f64]) -> Vec<f64> {
    matrix.chunks_exact(x.len()).map(|row| dot(row, x)).collect()
}
