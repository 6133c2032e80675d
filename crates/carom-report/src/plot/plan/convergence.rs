//! How the cost fell: `convergence.svg`.

use super::super::axis::Axis;
use super::super::canvas::{Anchor, Canvas, Font, Stroke};
use super::super::colour::{FRAME, GRID, INK, PALETTE, QUIET, faint};
use super::super::curve::Place;
use super::super::label::{number, superscript};
use super::super::panel::{Curve, Frame, Panel};
use super::super::{TITLE, WIDTH};
use super::{PlanFigure, impacts, title};
use carom_control::planner::{DescentStatus, Iteration};
use plotters::style::RGBColor;

const PLACE: Frame = Frame { left: 86.0, top: TITLE + 42.0, width: WIDTH - 110.0, height: 360.0 };
/// So many changes of the number of impacts are written out; more are lines only.
const WRITTEN: usize = 12;
/// Fewer decades than this are divided further.
const FEW: i32 = 3;

pub(super) fn draw(figure: &PlanFigure<'_>) -> Result<String, String> {
    let descent = &figure.plan.descent;
    let best = figure.plan.taken.and_then(|taken| figure.plan.motions.get(taken));
    let total: Vec<Place> = curve(descent, |iteration| iteration.costs.total);
    let integral: Vec<Place> = curve(descent, |iteration| iteration.costs.integral);
    let finite = |values: &mut dyn Iterator<Item = f64>| -> Vec<f64> { values.filter(|y| y.is_finite()).collect() };
    let values = finite(&mut total.iter().chain(&integral).map(|point| point[1]).chain(best.map(|best| best.cost)));
    let is_logarithmic = values.iter().all(|&value| value > 0.0) && !values.is_empty();
    let scale = |value: f64| if is_logarithmic { value.log10() } else { value };
    let last = descent.last().map_or(1, |iteration| iteration.number.max(1));
    let y = Axis::covering(values.iter().map(|&value| scale(value)), 0.05);
    // Powers of ten are shown as they are.
    let y = if is_logarithmic { decades(&values) } else { y };
    let panel = Panel { frame: PLACE, x: Axis::exactly(0.0, last as f64), y };
    Canvas::draw([WIDTH, PLACE.bottom() + 66.0], "", |canvas| {
        title(canvas, &figure.caption);
        axes(canvas, &panel, is_logarithmic);
        panel.labels(canvas, Some("iteration"), if is_logarithmic { "cost" } else { "cost (linear)" }, 60.0);
        changes(canvas, &panel, descent);
        let scaled = |points: &[Place]| points.iter().map(|&[x, y]| [x, scale(y)]).collect();
        let mut names: Vec<(String, RGBColor)> = Vec::new();
        let mut show = |canvas: &mut Canvas<'_>, name: String, points: &[Place], color: RGBColor, width: f64| {
            panel.curve(canvas, &Curve { points: scaled(points), color, width });
            names.push((name, color));
        };
        if let Some(best) = best {
            let name = format!("motion taken, {}: {}", impacts(best.impacts.len()), number(best.cost));
            show(canvas, name, &[[0.0, best.cost], [last as f64, best.cost]], PALETTE[2], 1.25);
        }
        show(canvas, "integral alone".to_owned(), &integral, faint(PALETTE[0], 0.5), 1.0);
        show(canvas, "cost with the price of missing the end".to_owned(), &total, INK, 1.5);
        names.reverse();
        panel.legend(canvas, &names);
        let font = Font { color: QUIET, ..Font::new(11.0, Anchor::Right) };
        canvas.text(&ending(figure), [PLACE.right(), PLACE.bottom() + 50.0], &font);
    })
}

fn curve(descent: &[Iteration], value: impl Fn(&Iteration) -> f64) -> Vec<Place> {
    descent.iter().map(|iteration| [iteration.number as f64, value(iteration)]).collect()
}

/// Why the descent ended, and how far from the wanted end.
fn ending(figure: &PlanFigure<'_>) -> String {
    let Some(last) = figure.plan.descent.last() else { return String::new() };
    let word = match figure.plan.status {
        Some(DescentStatus::Converged) => "converged",
        Some(DescentStatus::Stalled) => "no further descent",
        Some(DescentStatus::Limit) => "limit of iterations",
        Some(DescentStatus::Stopped) | None => "stopped",
    };
    format!("{word}: cost {}, end missed by {}", number(last.costs.total), number(last.costs.miss.max(0.0).sqrt()))
}

/// From a little below the least to a little above the largest, in powers of ten.
fn decades(values: &[f64]) -> Axis {
    let fold = |pick: fn(f64, f64) -> f64, from: f64| values.iter().map(|value| value.log10()).fold(from, pick);
    let (low, high) = (fold(f64::min, f64::INFINITY), fold(f64::max, f64::NEG_INFINITY));
    let pad = (0.06 * (high - low)).max(0.02);
    Axis::exactly(low - pad, high + pad)
}

fn axes(canvas: &mut Canvas<'_>, panel: &Panel, is_logarithmic: bool) {
    if !is_logarithmic {
        return panel.axes(canvas, true);
    }
    let Frame { left, top, width, height } = panel.frame;
    let (right, bottom) = (panel.frame.right(), panel.frame.bottom());
    let grid = Stroke { color: GRID, width: 0.75 };
    for (place, text) in panel.x.ticks((width / 70.0) as usize) {
        let x = left + place * width;
        canvas.path(&[[x, top], [x, bottom]], grid);
        canvas.text(&text, [x, bottom + 13.0], &Font::new(11.0, Anchor::Center));
    }
    let [low, high] = [0.0, 1.0].map(|place| panel.y.value(place));
    let is_narrow = high.floor() - low.ceil() < f64::from(FEW);
    for decade in low.floor() as i32..=high.ceil() as i32 {
        for digit in 1..10 {
            let value = f64::from(decade) + f64::from(digit).log10();
            let place = panel.y.place(value);
            if !(0.0..=1.0).contains(&place) {
                continue;
            }
            let y = bottom - place * height;
            let is_written = digit == 1 || is_narrow && [2, 3, 5].contains(&digit);
            if is_written {
                canvas.path(&[[left, y], [right, y]], grid);
                canvas.text(&tick(digit, decade), [left - 7.0, y], &Font::new(11.0, Anchor::Right));
            } else {
                canvas.path(&[[left, y], [left + 4.0, y]], Stroke { color: FRAME, width: 0.75 });
            }
        }
    }
    let corners = [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]];
    canvas.path(&corners, Stroke { color: FRAME, width: 0.75 });
}

fn tick(digit: i32, decade: i32) -> String {
    match (digit, decade) {
        (digit, 0..4) => format!("{}", digit * 10_i32.pow(decade as u32)),
        (1, decade) => format!("10{}", superscript(decade)),
        (digit, decade) => format!("{digit}×10{}", superscript(decade)),
    }
}

/// Lines where the number of impacts changes.
fn changes(canvas: &mut Canvas<'_>, panel: &Panel, descent: &[Iteration]) {
    let changed = descent.windows(2).filter(|pair| pair[0].crossings.len() != pair[1].crossings.len());
    let changed: Vec<(usize, usize)> = changed.map(|pair| (pair[1].number, pair[1].crossings.len())).collect();
    let font = Font { color: QUIET, upwards: true, ..Font::new(10.5, Anchor::Left) };
    let mut free = f64::NEG_INFINITY;
    for &(number, count) in &changed {
        let x = panel.pixel([number as f64, 0.0])[0];
        let (top, bottom) = (panel.frame.top, panel.frame.bottom());
        canvas.path(&[[x, bottom], [x, top]], Stroke { color: faint(QUIET, 0.45), width: 0.75 });
        // Texts do not stand on each other.
        if changed.len() <= WRITTEN && x >= free {
            canvas.text(&impacts(count), [x + 8.0, bottom - 34.0], &font);
            free = x + 13.0;
        }
    }
}
