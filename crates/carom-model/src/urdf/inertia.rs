//! Tensors of inertia, turned into the frames of links, and what is odd about them.

use super::Base;
use super::remark::What;
use super::robot::{Kind, Robot};
use super::topology::Order;
use super::xml::Reading;

/// A symmetric tensor: Ixx, Iyy, Izz, Ixy, Ixz, Iyz.
pub(super) type Tensor = [f64; 6];

/// Matrix of roll, pitch and yaw: `Rz(yaw) Ry(pitch) Rx(roll)`.
pub(super) fn rotation([roll, pitch, yaw]: [f64; 3]) -> [[f64; 3]; 3] {
    let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}

/// `R I R^T`: the tensor in the frame in which its own has these angles.
pub(super) fn turned(tensor: Tensor, rpy: [f64; 3]) -> Tensor {
    // Without a turn the numbers of the file stay as they are.
    if rpy == [0.0; 3] {
        return tensor;
    }
    let (r, own) = (rotation(rpy), matrix(tensor));
    let half: [[f64; 3]; 3] =
        std::array::from_fn(|i| std::array::from_fn(|k| (0..3).map(|j| r[i][j] * own[j][k]).sum()));
    let element = |i: usize, k: usize| (0..3).map(|j| half[i][j] * r[k][j]).sum::<f64>();
    let turned = [element(0, 0), element(1, 1), element(2, 2), element(0, 1), element(0, 2), element(1, 2)];
    // Quarter turns leave what is rounding only.
    let rounding = 4.0 * f64::EPSILON * largest(tensor);
    turned.map(|value| if value.abs() <= rounding { 0.0 } else { value })
}

fn matrix([xx, yy, zz, xy, xz, yz]: Tensor) -> [[f64; 3]; 3] {
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
}

fn largest(tensor: Tensor) -> f64 {
    tensor.into_iter().fold(0.0, |most, value| value.abs().max(most))
}

/// Principal moments, in ascending order.
///
/// The eigenvalues of a symmetric matrix of three rows by the angles of its characteristic polynomial (Smith 1961).
pub(super) fn moments(tensor: Tensor) -> [f64; 3] {
    let scale = largest(tensor);
    if scale == 0.0 {
        return [0.0; 3];
    }
    let [xx, yy, zz, xy, xz, yz] = tensor.map(|value| value / scale);
    let mean = (xx + yy + zz) / 3.0;
    let [a, b, c] = [xx - mean, yy - mean, zz - mean];
    let spread = ((a * a + b * b + c * c + 2.0 * (xy * xy + xz * xz + yz * yz)) / 6.0).sqrt();
    if spread == 0.0 {
        return [mean * scale; 3];
    }
    let determinant = a * (b * c - yz * yz) - xy * (xy * c - yz * xz) + xz * (xy * yz - b * xz);
    let angle = (determinant / (2.0 * spread.powi(3))).clamp(-1.0, 1.0).acos() / 3.0;
    let third = std::f64::consts::TAU / 3.0;
    let largest = mean + 2.0 * spread * angle.cos();
    let least = mean + 2.0 * spread * (angle + third).cos();
    [least, 3.0 * mean - largest - least, largest].map(|moment| moment * scale)
}

/// True if no axis has a negative moment, to rounding: the principal minors are not negative.
pub(super) fn is_semidefinite(tensor: Tensor) -> bool {
    let scale = largest(tensor).max(f64::MIN_POSITIVE);
    let [xx, yy, zz, xy, xz, yz] = tensor.map(|value| value / scale);
    let determinant = xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    let minors = [xx * yy - xy * xy, xx * zz - xz * xz, yy * zz - yz * yz, determinant];
    [xx, yy, zz].iter().all(|moment| *moment >= 0.0) && minors.iter().all(|minor| *minor >= -ROUNDING)
}

/// How far minors of a tensor of size one may be below zero.
const ROUNDING: f64 = 1e-14;

/// How far moments may be off, relative to the largest, before it is said: files have few digits.
const SLACK: f64 = 1e-6;

/// Remarks on tensors of no body, and on joints that move no mass.
pub(super) fn remark(reading: &mut Reading, robot: &Robot, tree: &Order, base: Base) {
    for link in &robot.links {
        let [least, middle, most] = moments(link.inertia);
        if most > (least + middle) * (1.0 + SLACK) {
            reading.remark(link.line, &link.subject(), What::Triangle);
        }
    }
    // What hangs on each link, itself included; children come after their parents in the order.
    let mut masses: Vec<f64> = robot.links.iter().map(|link| link.mass).collect();
    let mut turns: Vec<f64> = robot.links.iter().map(|link| link.mass.max(largest(link.inertia))).collect();
    for &link in tree.order.iter().rev() {
        if let Some(joint) = tree.above[link] {
            let parent = robot.joints[joint].parent;
            masses[parent] += masses[link];
            turns[parent] += turns[link];
        }
    }
    for joint in &robot.joints {
        let carried = match joint.kind {
            Kind::Fixed => continue,
            Kind::Revolute | Kind::Continuous => turns[joint.child],
            Kind::Prismatic | Kind::Planar | Kind::Floating => masses[joint.child],
        };
        if carried == 0.0 {
            reading.remark(joint.line, &joint.subject(), What::NoMass);
        }
    }
    let root = &robot.links[tree.root];
    if base != Base::Fixed && masses[tree.root] == 0.0 {
        reading.remark(root.line, &root.subject(), What::NoMass);
    }
}
