//! Pictures of periodic motions.
//!
//! | picture | shows |
//! |---|---|
//! | `multipliers.svg` | the multipliers in the complex plane with the unit circle, of an orbit or along a branch |
//! | `branch.svg` | a branch of orbits over its parameter: stable or not, and where others begin |
//! | `basin.svg` | which starts reach the orbit, and in how many steps |

mod basin;
mod branch;
mod multipliers;

pub use basin::basin;
pub use branch::branch;
pub use multipliers::multipliers;

use super::canvas::{Anchor, Canvas, Font};
use super::label::symbol;
use carom_control::orbit::Branch;

/// What pictures of orbits have in common.
#[derive(Clone, Copy, Debug)]
pub struct OrbitFigure<'a> {
    /// What stands above the picture.
    pub title: &'a str,
    /// Names of the state `(q, v)`.
    pub names: &'a [String],
    /// Indices of the components that come back.
    pub free: &'a [usize],
    /// The parameter of the branch.
    pub parameter: &'a str,
    /// The branch, if there is one; then that of twice the period.
    pub branches: &'a [Branch],
}

fn title(canvas: &mut Canvas<'_>, text: &str) {
    canvas.text(text, [24.0, 22.0], &Font { bold: true, ..Font::new(15.0, Anchor::Left) });
}

/// A coordinate or a rate as it stands in a paper.
fn state_symbol(name: &str) -> String {
    match name.strip_suffix('\'') {
        Some(coordinate) => format!("{}′", symbol(coordinate)),
        None => symbol(name),
    }
}
