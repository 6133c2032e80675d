//! Gauss and Lobatto points on `[0, 1]`, and Lagrange's interpolation polynomials.

/// `P_n(x)` and `P_n'(x)` of Legendre's polynomials, by the three-term recurrence.
fn legendre(n: usize, x: f64) -> (f64, f64) {
    let (mut before, mut now) = (1.0, x);
    if n == 0 {
        return (1.0, 0.0);
    }
    for k in 2..=n {
        let k = k as f64;
        (before, now) = (now, ((2.0 * k - 1.0) * x * now - (k - 1.0) * before) / k);
    }
    (now, n as f64 * (before - x * now) / (1.0 - x * x))
}

/// Newton's method from a close start.
fn root(mut x: f64, f: impl Fn(f64) -> (f64, f64)) -> f64 {
    for _ in 0..100 {
        let (value, slope) = f(x);
        let step = value / slope;
        x -= step;
        if step.abs() < 1e-16 {
            break;
        }
    }
    x
}

/// Points and weights of the Gauss rule with `s` points: exact to degree `2s - 1`.
pub fn gauss(s: usize) -> (Vec<f64>, Vec<f64>) {
    let guess = |i: usize| -(std::f64::consts::PI * (i as f64 + 0.75) / (s as f64 + 0.5)).cos();
    let x: Vec<f64> = (0..s).map(|i| root(guess(i), |x| legendre(s, x))).collect();
    let weight = |&x: &f64| 1.0 / ((1.0 - x * x) * legendre(s, x).1.powi(2));
    (x.iter().map(|x| 0.5 * (1.0 + x)).collect(), x.iter().map(weight).collect())
}

/// Points and weights of the Lobatto rule with `s + 1` points, ends included: exact to degree `2s - 1`.
pub fn lobatto(s: usize) -> (Vec<f64>, Vec<f64>) {
    let n = s as f64;
    // Interior points are the roots of P_s'; (1 - x^2) P_s'' = 2 x P_s' - s (s + 1) P_s.
    let slope = |x: f64| {
        let (p, dp) = legendre(s, x);
        (dp, (2.0 * x * dp - n * (n + 1.0) * p) / (1.0 - x * x))
    };
    let guess = |i: usize| -(std::f64::consts::PI * i as f64 / n).cos();
    let inner = (1..s).map(|i| root(guess(i), slope));
    let x: Vec<f64> = std::iter::once(-1.0).chain(inner).chain(std::iter::once(1.0)).collect();
    let weight = |&x: &f64| {
        let p = if x.abs() == 1.0 { 1.0 } else { legendre(s, x).0 };
        1.0 / (n * (n + 1.0) * p * p)
    };
    (x.iter().map(|x| 0.5 * (1.0 + x)).collect(), x.iter().map(weight).collect())
}

/// Values and derivatives at `tau` of the polynomials that are one at one of `nodes` and zero at the others.
pub fn lagrange(nodes: &[f64], tau: f64) -> (Vec<f64>, Vec<f64>) {
    let others = |i: usize| nodes.iter().enumerate().filter(move |(j, _)| *j != i).map(|(_, c)| *c);
    let value = |i: usize| others(i).map(|c| (tau - c) / (nodes[i] - c)).product::<f64>();
    let slope = |i: usize| {
        let term = |skip: usize| {
            let rest = nodes.iter().enumerate().filter(|(j, _)| *j != i && *j != skip).map(|(_, c)| *c);
            rest.map(|c| (tau - c) / (nodes[i] - c)).product::<f64>() / (nodes[i] - nodes[skip])
        };
        (0..nodes.len()).filter(|&j| j != i).map(term).sum::<f64>()
    };
    ((0..nodes.len()).map(value).collect(), (0..nodes.len()).map(slope).collect())
}

/// Coefficients, from the first order on, of the polynomials that are one at one of `nodes` and zero at the
/// others and at zero.
pub fn monomials(nodes: &[f64]) -> Vec<Vec<f64>> {
    let polynomial = |i: usize| {
        // tau / c_i times the product of (tau - c_j) / (c_i - c_j).
        let mut all = vec![1.0 / nodes[i]];
        for (_, c) in nodes.iter().enumerate().filter(|(j, _)| *j != i) {
            let scale = 1.0 / (nodes[i] - c);
            let shifted = std::iter::once(0.0).chain(all.iter().copied());
            let straight = all.iter().copied().chain(std::iter::once(0.0));
            all = shifted.zip(straight).map(|(up, same)| scale * (up - c * same)).collect();
        }
        all
    };
    (0..nodes.len()).map(polynomial).collect()
}
