//! The two mechanical systems of the kernel benchmark and their midpoint rule.

use crate::scalar::Scalar;

/// Gravity in m/s^2.
const GRAVITY: f64 = 9.81;
/// Length of every link in m, and the masses in kg of the four links: shank, thigh, thigh, shank.
const LENGTH: f64 = 0.5;
const MASSES: [f64; 4] = [2.0, 3.0, 3.0, 2.0];
/// Moments of inertia over `m l^2` of two slender cones joined at their bases: across, along.
const ACROSS: f64 = 31.0 / 1000.0;
const ALONG: f64 = 3.0 / 500.0;

/// A system with `N` coordinates: positions and rates to the Lagrangian.
pub trait Lagrangian<const N: usize> {
    /// `L(q, v)`
    fn value<S: Scalar>(q: &[S; N], v: &[S; N]) -> S;
}

/// `Ld(q0, q1, h) = h L((q0 + q1)/2, (q1 - q0)/h)` of the coordinates `(q0, q1)`.
#[inline(always)]
pub fn midpoint<L: Lagrangian<N>, S: Scalar, const N: usize>(ends: &[S], h: S::Passive) -> S {
    let rate = S::reciprocal(h);
    let q = std::array::from_fn(|i| (ends[i] + ends[N + i]) * 0.5);
    let v = std::array::from_fn(|i| (ends[N + i] - ends[i]) * rate);
    L::value(&q, &v) * h
}

/// Planar chain of four links on a floating end: `q = (x, y, th1..th4)`, relative angles from upright.
pub struct Planar6;

impl Lagrangian<6> for Planar6 {
    #[inline(always)]
    fn value<S: Scalar>(q: &[S; 6], v: &[S; 6]) -> S {
        // The lower end of a link: height and velocity; its angle and turning rate.
        let (mut height, mut u, mut w) = (q[1], v[0], v[1]);
        let (mut angle, mut turning) = (q[2], v[2]);
        let mut total: Option<S> = None;
        for (link, mass) in MASSES.into_iter().enumerate() {
            if link > 0 {
                (angle, turning) = (angle + q[2 + link], turning + v[2 + link]);
            }
            let (sine, cosine) = angle.sin_cos();
            let half = turning * (0.5 * LENGTH);
            let (du, dw) = (half * cosine, -(half * sine));
            // Velocity of the centre of mass, then of the upper end.
            let (uc, wc) = (u + du, w + dw);
            let kinetic =
                (uc * uc + wc * wc) * (0.5 * mass) + turning * turning * (0.5 * ACROSS * mass * LENGTH * LENGTH);
            let rise = cosine * (0.5 * LENGTH);
            let energy = kinetic - (height + rise) * (mass * GRAVITY);
            total = Some(total.map_or(energy, |before| before + energy));
            (u, w, height) = (uc + du, wc + dw, height + rise + rise);
        }
        total.unwrap_or(q[0])
    }
}

/// Spatial chain of four links (Pekarek 2010, section 4.2.3): `q = (x, y, z)` of the standing foot,
/// ZYX angles of the first link, then hinges: knee (y), hip (z, y, x), knee (y).
pub struct Chain3d;

impl Lagrangian<11> for Chain3d {
    #[inline(always)]
    fn value<S: Scalar>(q: &[S; 11], v: &[S; 11]) -> S {
        let mut body = Body::base(&[q[3], q[4], q[5]], &[v[3], v[4], v[5]]);
        let mut end = End { height: q[2], velocity: [v[0], v[1], v[2]] };
        let first = body.link(&mut end, MASSES[0], LENGTH);
        body.hinge(1, q[6], v[6]);
        let second = body.link(&mut end, MASSES[1], LENGTH);
        for (axis, joint) in [(2, 7), (1, 8), (0, 9)] {
            body.hinge(axis, q[joint], v[joint]);
        }
        // The other leg hangs from the hip.
        let third = body.link(&mut end, MASSES[2], -LENGTH);
        body.hinge(1, q[10], v[10]);
        let fourth = body.link(&mut end, MASSES[3], -LENGTH);
        first + second + third + fourth
    }
}

/// Rotation matrix (by columns) and angular velocity in the frame of the body.
struct Body<S> {
    columns: [[S; 3]; 3],
    spin: [S; 3],
}

/// The end of a link where the next one is fixed.
struct End<S> {
    height: S,
    velocity: [S; 3],
}

impl<S: Scalar> Body<S> {
    /// Turned by `angles` about z, then the new y, then the new x.
    #[inline(always)]
    fn base(angles: &[S; 3], rates: &[S; 3]) -> Self {
        let [(sz, cz), (sy, cy), (sx, cx)] = angles.map(S::sin_cos);
        let (across, along) = (sy * sx, sy * cx);
        Self {
            columns: [
                [cz * cy, sz * cy, -sy],
                [cz * across - sz * cx, sz * across + cz * cx, cy * sx],
                [cz * along + sz * sx, sz * along - cz * sx, cy * cx],
            ],
            spin: [
                rates[2] - rates[0] * sy,
                rates[1] * cx + rates[0] * (cy * sx),
                rates[0] * (cy * cx) - rates[1] * sx,
            ],
        }
    }

    /// The next body, turned about one axis of this one.
    #[inline(always)]
    fn hinge(&mut self, axis: usize, angle: S, rate: S) {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let (sine, cosine) = angle.sin_cos();
        let turn = |a: S, b: S| (a * cosine + b * sine, b * cosine - a * sine);
        for row in 0..3 {
            let (a, b) = turn(self.columns[i][row], self.columns[j][row]);
            (self.columns[i][row], self.columns[j][row]) = (a, b);
        }
        (self.spin[i], self.spin[j]) = turn(self.spin[i], self.spin[j]);
        self.spin[axis] = self.spin[axis] + rate;
    }

    /// Energy `T - V` of a link along z of the body; moves `end` to its other end.
    #[inline(always)]
    fn link(&self, end: &mut End<S>, mass: f64, length: f64) -> S {
        // Half way along the link: omega x c in the body, turned into the world.
        let (a, b) = (self.spin[1] * (0.5 * length), self.spin[0] * (-0.5 * length));
        let step: [S; 3] = std::array::from_fn(|row| self.columns[0][row] * a + self.columns[1][row] * b);
        let centre: [S; 3] = std::array::from_fn(|row| end.velocity[row] + step[row]);
        let [x, y, z] = self.spin;
        let inertia = mass * length * length;
        let kinetic = (centre[0] * centre[0] + centre[1] * centre[1] + centre[2] * centre[2]) * (0.5 * mass)
            + (x * x + y * y) * (0.5 * ACROSS * inertia)
            + z * z * (0.5 * ALONG * inertia);
        let rise = self.columns[2][2] * (0.5 * length);
        let energy = kinetic - (end.height + rise) * (mass * GRAVITY);
        end.velocity = std::array::from_fn(|row| centre[row] + step[row]);
        end.height = end.height + rise + rise;
        energy
    }
}
