//! Impacts on the time axis of a panel.

use super::canvas::{Canvas, Stroke};
use super::colour::{QUIET, faint};
use super::panel::Panel;
use carom_model::Trajectory;

/// Up to so many impacts are lines from bottom to top.
const LINES: usize = 40;
/// Up to so many are marked at all: more would be a grey band.
pub(super) const MOST: usize = 200;
/// Pixels of a mark that is no line.
const TICK: f64 = 7.0;

/// Draws thin lines, or ticks at the bottom if there are many.
pub(super) fn draw(canvas: &mut Canvas<'_>, panel: &Panel, trajectory: &Trajectory) {
    let impacts = &trajectory.impacts;
    if impacts.len() > MOST {
        return;
    }
    let (bottom, height) = (panel.frame.bottom(), panel.frame.height);
    let (length, weight) = if impacts.len() <= LINES { (height, 0.45) } else { (TICK, 0.9) };
    for impact in impacts.iter().filter(|impact| impact.t.is_finite()) {
        let x = panel.frame.left + panel.x.place(impact.t) * panel.frame.width;
        canvas.path(&[[x, bottom], [x, bottom - length]], Stroke { color: faint(QUIET, weight), width: 0.75 });
    }
}

/// What the marks mean; empty without impacts.
pub(super) fn meaning(trajectory: &Trajectory) -> String {
    match trajectory.impacts.len() {
        0 => String::new(),
        1 => "line: the impact".to_owned(),
        count @ ..=LINES => format!("lines: {count} impacts"),
        count @ ..=MOST => format!("ticks: {count} impacts"),
        count => format!("{count} impacts, not marked"),
    }
}
