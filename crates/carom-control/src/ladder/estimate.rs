//! Errors of costs, from the costs on several meshes.
//!
//! ```text
//! by defects     (J_1 - J_2) theta / (1 - theta),   theta = D_2 / D_1
//! by costs       J_k = J + A N_k^-s: the order s from three meshes, then the error A N_2^-s
//! ```
//!
//! The larger one counts. Where two meshes are all there is, the change of the cost is not believed to be an
//! overestimate.

use super::Rung;

/// Columns of the tableau: beyond the third, rounding and solver tolerance are all that is left.
const COLUMNS: usize = 3;
/// Defects that fall to no less than this tell nothing.
const LEAST_FALL: f64 = 0.6;
/// Orders between which that of three costs is looked for.
const ORDERS: [f64; 2] = [0.1, 40.0];

/// The tableau of extrapolated costs.
pub(super) struct Romberg {
    order: usize,
    rows: Vec<Vec<f64>>,
}

impl Romberg {
    /// For costs that converge with this order, then with the next even ones.
    pub(super) fn new(order: usize) -> Self {
        Self { order, rows: Vec::new() }
    }

    /// Error and extrapolated cost of a new mesh; true if the defects tell where errors are.
    pub(super) fn estimate(&mut self, rung: &mut Rung, earlier: &[Rung], is_halved: bool) -> bool {
        let mut is_told = true;
        let mut row = vec![rung.cost];
        if let Some(before) = earlier.last() {
            let change = before.cost - rung.cost;
            let by_order = 0.5_f64.powi(self.order as i32);
            // Parts of an interval are at most four. Defects that do not fall are those that the solver leaves.
            let least = if is_halved { by_order } else { by_order * by_order };
            let fall = rung.total_defect / before.total_defect;
            let theta = if fall < LEAST_FALL { least.max(fall) } else { by_order };
            let error = change * theta / (1.0 - theta);
            let slow = match earlier {
                [.., first, second] => by_costs([first, second, rung]),
                _ => change.abs(),
            };
            rung.error = Some(error.abs().max(slow));
            is_told = fall < LEAST_FALL;
            rung.extrapolated = rung.cost - error;
        }
        if !is_halved {
            self.rows.clear();
        } else if let Some(above) = self.rows.last() {
            for m in 1..=COLUMNS.min(above.len()) {
                let power = (self.order + 2 * (m - 1)) as i32;
                row.push(row[m - 1] + (row[m - 1] - above[m - 1]) / (2.0_f64.powi(power) - 1.0));
            }
            rung.extrapolated = row[row.len() - 1];
        }
        if let Some(before) = earlier.last() {
            rung.extrapolated_error = before.error.map(|_| (rung.extrapolated - before.extrapolated).abs());
        }
        self.rows.push(row);
        is_told
    }
}

/// The error of the last of three costs, with the order that they show.
fn by_costs(rungs: [&Rung; 3]) -> f64 {
    let [first, second, last] = rungs.map(|rung| rung.intervals as f64 / rungs[2].intervals as f64);
    let changes = [rungs[0].cost - rungs[1].cost, rungs[1].cost - rungs[2].cost];
    let ratio = (changes[1] / changes[0]).abs();
    if changes[1] == 0.0 || !ratio.is_finite() {
        return changes[1].abs();
    }
    // Changes fall the faster, the higher the order.
    let falls = |s: f64| (second.powf(-s) - last.powf(-s)) / (first.powf(-s) - second.powf(-s));
    let [mut low, mut high] = ORDERS;
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if falls(middle) > ratio {
            low = middle;
        } else {
            high = middle;
        }
    }
    let s = 0.5 * (low + high);
    (changes[1] / (second.powf(-s) - last.powf(-s))).abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_of_three_costs() {
        let rung = |intervals: usize| {
            let cost = 5.0 + 3.0 / (intervals as f64).powf(1.5);
            Rung { intervals, cost, ..Rung::default() }
        };
        let error = by_costs([&rung(20), &rung(33), &rung(71)]);
        assert!((error - 3.0 / 71_f64.powf(1.5)).abs() < 1e-9, "{error}");
    }
}
