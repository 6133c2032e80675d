//! Fixed rotations, in numbers.
//!
//! ```text
//! R = Rz(yaw) Ry(pitch) Rx(roll)
//! ```
//!
//! as URDF writes the orientation of a joint: first about x, then about y, then about z, all of them axes of the parent.

use super::vector::{Vector, constant};
use carom_expr::{Graph, Id};

/// Elements this close to -1, 0 or 1 are meant to be that: `cos(pi/2)` is not zero in doubles.
const ROUNDING: f64 = 1e-15;

/// The columns are the turned axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rotation {
    rows: [[f64; 3]; 3],
}

impl Rotation {
    /// No rotation.
    pub(crate) const NONE: Self = Self { rows: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] };

    /// From roll, pitch and yaw.
    pub(crate) fn from_angles([roll, pitch, yaw]: [f64; 3]) -> Self {
        let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
        let rows = [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ];
        Self { rows: rows.map(|row| row.map(rounded)) }
    }

    /// `R x` in numbers.
    pub(crate) fn of(&self, x: [f64; 3]) -> [f64; 3] {
        self.rows.map(|row| row.iter().zip(x).map(|(a, b)| a * b).sum())
    }

    /// This rotation after another one: `R S`.
    pub(crate) fn after(&self, other: &Self) -> Self {
        let column = |j: usize| self.of(std::array::from_fn(|i| other.rows[i][j]));
        let columns = [column(0), column(1), column(2)];
        Self { rows: std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i])) }
    }

    /// `R x`, from the turned frame to the other.
    pub(super) fn forth(&self, graph: &mut Graph, x: Vector) -> Vector {
        self.rows.map(|row| row_times(graph, row, x))
    }

    /// `R^T x`, into the turned frame.
    pub(super) fn back(&self, graph: &mut Graph, x: Vector) -> Vector {
        std::array::from_fn(|i| row_times(graph, [self.rows[0][i], self.rows[1][i], self.rows[2][i]], x))
    }
}

fn row_times(graph: &mut Graph, row: [f64; 3], x: Vector) -> Id {
    let row = constant(graph, row);
    graph.dot(&row, &x)
}

/// What is almost a whole number is one.
pub(crate) fn rounded(element: f64) -> f64 {
    let whole = element.round();
    if (element - whole).abs() <= ROUNDING { whole + 0.0 } else { element }
}
