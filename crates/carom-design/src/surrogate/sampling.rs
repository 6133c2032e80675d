//! Designs that fill a box.

use carom_model::Random;

/// Latin hypercubes that are tried; the one whose nearest points are farthest apart is taken.
const TRIES: usize = 50;

/// Larger designs fill the box in any case, and their distances are many.
const LARGE: usize = 100;

/// A number in [0, 1).
fn unit(random: &mut Random) -> f64 {
    (0.5 * (random.next() + 1.0)).clamp(0.0, 1.0 - f64::EPSILON)
}

/// `count` points in the unit cube: along every axis there is one in each of `count` even parts (McKay, Beckman, Conover
/// 1979). Of several such designs the one is taken whose nearest points are farthest apart.
pub fn latin_hypercube(count: usize, dimension: usize, seed: u64) -> Vec<Vec<f64>> {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1));
    // The first numbers of neighbouring seeds are alike.
    (0..8).for_each(|_| _ = unit(&mut random));
    let mut best: (f64, Vec<Vec<f64>>) = (f64::NEG_INFINITY, Vec::new());
    for _ in 0..if count > LARGE { 1 } else { TRIES } {
        let points = draw(count, dimension, &mut random);
        let spread = if count > LARGE { 0.0 } else { spread(&points) };
        if spread > best.0 {
            best = (spread, points);
        }
    }
    best.1
}

fn draw(count: usize, dimension: usize, random: &mut Random) -> Vec<Vec<f64>> {
    let mut points = vec![vec![0.0; dimension]; count];
    for axis in 0..dimension {
        let mut parts: Vec<usize> = (0..count).collect();
        for i in (1..count).rev() {
            parts.swap(i, (unit(random) * (i + 1) as f64) as usize);
        }
        for (point, part) in points.iter_mut().zip(parts) {
            point[axis] = (part as f64 + unit(random)) / count as f64;
        }
    }
    points
}

/// Smallest squared distance.
fn spread(points: &[Vec<f64>]) -> f64 {
    let mut least = f64::MAX;
    for (i, a) in points.iter().enumerate() {
        for b in &points[..i] {
            least = least.min(a.iter().zip(b).map(|(x, y)| (x - y) * (x - y)).sum());
        }
    }
    least
}
