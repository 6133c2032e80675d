//! Eigenvalues of a real matrix: reduction to Hessenberg form, then Francis' double-shift QR steps.
//!
//! The algorithm is `hqr` of EISPACK (Martin, Peters, Wilkinson 1970), without vectors.

/// Steps for one eigenvalue.
const MAX_STEPS: usize = 100;
/// Steps after which an exceptional shift breaks a cycle.
const EXCEPTIONAL: usize = 10;

/// Real and imaginary parts of all eigenvalues of `a` (row by row, `n x n`), the largest first; none if the matrix is
/// not finite or the steps do not converge.
pub fn eigenvalues(a: &[f64], n: usize) -> Option<Vec<(f64, f64)>> {
    if a.iter().any(|value| !value.is_finite()) {
        return None;
    }
    let mut h: Vec<Vec<f64>> = a.chunks_exact(n.max(1)).map(<[f64]>::to_vec).collect();
    to_hessenberg(&mut h);
    let mut all = francis(&mut h)?;
    let size = |&(re, im): &(f64, f64)| re.hypot(im);
    // Of a pair the one above the real axis comes first.
    all.sort_by(|a, b| size(b).total_cmp(&size(a)).then(b.0.total_cmp(&a.0)).then(b.1.total_cmp(&a.1)));
    Some(all)
}

/// Gaussian similarity transformations with pivoting.
fn to_hessenberg(h: &mut [Vec<f64>]) {
    let n = h.len();
    for m in 1..n.saturating_sub(1) {
        let Some(pivot) = (m..n).max_by(|&i, &j| h[i][m - 1].abs().total_cmp(&h[j][m - 1].abs())) else { continue };
        if h[pivot][m - 1] == 0.0 {
            continue;
        }
        h.swap(pivot, m);
        h.iter_mut().for_each(|row| row.swap(pivot, m));
        for i in m + 1..n {
            let factor = h[i][m - 1] / h[m][m - 1];
            if factor != 0.0 {
                (m - 1..n).for_each(|j| h[i][j] -= factor * h[m][j]);
                for row in h.iter_mut() {
                    row[m] += factor * row[i];
                }
            }
            h[i][m - 1] = 0.0;
        }
    }
}

/// Deflates eigenvalues from the lower end.
fn francis(h: &mut [Vec<f64>]) -> Option<Vec<(f64, f64)>> {
    let mut found = Vec::with_capacity(h.len());
    let (mut end, mut shift, mut steps) = (h.len(), 0.0, 0);
    let norm: f64 = h.iter().flatten().map(|value| value.abs()).sum();
    while end > 0 {
        let l = small_subdiagonal(h, end, norm);
        if l + 1 == end {
            found.push((h[end - 1][end - 1] + shift, 0.0));
            (end, steps) = (end - 1, 0);
        } else if l + 2 == end {
            found.extend(pair(h, end, shift));
            (end, steps) = (end - 2, 0);
        } else if steps == MAX_STEPS {
            return None;
        } else {
            double_step(h, (l, end), &mut shift, steps);
            steps += 1;
        }
    }
    Some(found)
}

/// First row of the last block that stands alone.
fn small_subdiagonal(h: &mut [Vec<f64>], end: usize, norm: f64) -> usize {
    for l in (1..end).rev() {
        let scale = h[l - 1][l - 1].abs() + h[l][l].abs();
        let scale = if scale == 0.0 { norm } else { scale };
        if h[l][l - 1].abs() <= f64::EPSILON * scale {
            h[l][l - 1] = 0.0;
            return l;
        }
    }
    0
}

/// The eigenvalues of the last block of two.
fn pair(h: &[Vec<f64>], end: usize, shift: f64) -> [(f64, f64); 2] {
    let (i, j) = (end - 2, end - 1);
    let (x, w) = (h[j][j], h[j][i] * h[i][j]);
    let p = 0.5 * (h[i][i] - x);
    let q = p * p + w;
    let z = q.abs().sqrt();
    let x = x + shift;
    if q < 0.0 {
        return [(x + p, z), (x + p, -z)];
    }
    let z = if p >= 0.0 { p + z } else { p - z };
    let second = if z == 0.0 { x } else { x - w / z };
    [(x + z, 0.0), (second, 0.0)]
}

/// One double step on the rows from `l` up to `end`.
fn double_step(h: &mut [Vec<f64>], (l, end): (usize, usize), shift: &mut f64, steps: usize) {
    let last = end - 1;
    let (mut x, mut y) = (h[last][last], h[last - 1][last - 1]);
    let mut w = h[last][last - 1] * h[last - 1][last];
    if steps > 0 && steps.is_multiple_of(EXCEPTIONAL) {
        *shift += x;
        (0..end).for_each(|i| h[i][i] -= x);
        let size = h[last][last - 1].abs() + h[last - 1][last - 2].abs();
        (x, y, w) = (0.75 * size, 0.75 * size, -0.4375 * size * size);
    }
    // Two consecutive small subdiagonal entries let the step begin lower.
    let column = |h: &[Vec<f64>], m: usize| {
        let (r, s) = (x - h[m][m], y - h[m][m]);
        let first = (r * s - w) / h[m + 1][m] + h[m][m + 1];
        let v = [first, h[m + 1][m + 1] - h[m][m] - r - s, h[m + 2][m + 1]];
        let size = v[0].abs() + v[1].abs() + v[2].abs();
        v.map(|value| value / size)
    };
    let mut m = last - 2;
    let mut v = column(h, m);
    while m > l {
        let u = h[m][m - 1].abs() * (v[1].abs() + v[2].abs());
        let scale = v[0].abs() * (h[m - 1][m - 1].abs() + h[m][m].abs() + h[m + 1][m + 1].abs());
        if u <= f64::EPSILON * scale {
            break;
        }
        m -= 1;
        v = column(h, m);
    }
    for i in m + 2..end {
        h[i][i - 2] = 0.0;
        if i > m + 2 {
            h[i][i - 3] = 0.0;
        }
    }
    chase(h, (l, m, end), v);
}

/// Chases the bulge down by reflections of three rows and columns.
fn chase(h: &mut [Vec<f64>], (l, m, end): (usize, usize, usize), start: [f64; 3]) {
    let last = end - 1;
    let [mut p, mut q, mut r] = start;
    for k in m..last {
        let is_triple = k + 1 != last;
        let mut size = 1.0;
        if k != m {
            (p, q, r) = (h[k][k - 1], h[k + 1][k - 1], if is_triple { h[k + 2][k - 1] } else { 0.0 });
            size = p.abs() + q.abs() + r.abs();
            if size == 0.0 {
                continue;
            }
            (p, q, r) = (p / size, q / size, r / size);
        }
        let s = (p * p + q * q + r * r).sqrt().copysign(p);
        if s == 0.0 {
            continue;
        }
        if k != m {
            h[k][k - 1] = -s * size;
        } else if l != m {
            h[k][k - 1] = -h[k][k - 1];
        }
        p += s;
        let (x, y, z) = (p / s, q / s, r / s);
        (q, r) = (q / p, r / p);
        (k..end).for_each(|j| {
            let mut sum = h[k][j] + q * h[k + 1][j];
            if is_triple {
                sum += r * h[k + 2][j];
                h[k + 2][j] -= sum * z;
            }
            h[k + 1][j] -= sum * y;
            h[k][j] -= sum * x;
        });
        for row in h.iter_mut().take(end.min(k + 4)).skip(l) {
            let mut sum = x * row[k] + y * row[k + 1];
            if is_triple {
                sum += z * row[k + 2];
                row[k + 2] -= sum * r;
            }
            row[k + 1] -= sum * q;
            row[k] -= sum;
        }
    }
}
