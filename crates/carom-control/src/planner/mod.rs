//! Path planning over constant-jerk splines in coordinates whose first one is a gap (seed 002, section IV).
//!
//! The projection of the paper maps both signs of the gap to feasible motions, so a smooth path that crosses `z_0 = 0`
//! is a motion with an impact there. Descent of a smooth spline may add and remove impacts as it likes.
//!
//! | thought | file |
//! |---|---|
//! | where a cubic crosses zero | [`crossing`] |
//! | the path, and its pieces between stage ends and crossings | [`spline`] |
//! | cost of a path and its exact gradient | [`objective`] |
//! | in which numbers a path is varied | [`variables`] |
//! | descent to a path of least cost | [`descent`], one step of it by argmin in [`engine`] |

mod crossing;
mod descent;
mod engine;
mod objective;
mod spline;
#[cfg(test)]
mod tests;
mod variables;
