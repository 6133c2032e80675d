//! Quantities over time: `coordinates.svg` and `energy.svg`, and what `quasivelocities.svg` shares with them.

use super::axis::Axis;
use super::canvas::Canvas;
use super::colour::PALETTE;
use super::curve::Place;
use super::label::{number, symbol};
use super::marks;
use super::panel::{Curve, Frame, Panel};
use super::timeline::Timeline;
use super::{MAX_PANELS, TITLE, WIDTH, check_model, save};
use crate::Run;
use crate::error::ReportError;
use carom_model::Trajectory;
use plotters::style::RGBColor;
use std::path::{Path, PathBuf};

/// Distance of the frames from the left and the right edge.
const SIDES: [f64; 2] = [86.0, 24.0];
/// Between panels, with room for a remark.
const BETWEEN: f64 = 30.0;
/// Below the lowest panel, for the time axis.
const BELOW: f64 = 52.0;

/// Something to show over time.
pub(crate) struct Row {
    symbol: String,
    unit: Option<String>,
    /// One or more curves, with names if there are several.
    curves: Vec<(String, Vec<Place>)>,
    remark: String,
}

/// Draws every coordinate over time.
///
/// More than six coordinates share panels, six curves in each at most.
pub fn coordinates(run: &Run<'_>, folder: &Path) -> Result<PathBuf, ReportError> {
    check_model(run)?;
    let list: Vec<Quantity<'_>> =
        run.system.coordinates().iter().map(|c| Quantity { name: &c.name, unit: c.unit.as_deref() }).collect();
    let timeline = Timeline::new(run.trajectory);
    let rows = share(&list, "coordinates", |index| {
        timeline.curve(|stop| [timeline.time(stop), timeline.coordinate(stop, index)])
    });
    column(run, folder, "coordinates.svg", &rows)
}

/// What a curve shows.
pub(crate) struct Quantity<'a> {
    pub name: &'a str,
    pub unit: Option<&'a str>,
}

/// A panel for each quantity, or for several if there are many.
pub(crate) fn share(list: &[Quantity<'_>], what: &str, mut curve: impl FnMut(usize) -> Vec<Place>) -> Vec<Row> {
    let per_panel = list.len().div_ceil(MAX_PANELS).clamp(1, PALETTE.len());
    let shown = list.len().min(MAX_PANELS * per_panel);
    let mut rows: Vec<Row> = Vec::new();
    for (index, quantity) in list[..shown].iter().enumerate() {
        let (curve, unit) = ((symbol(quantity.name), curve(index)), quantity.unit.map(str::to_owned));
        match rows.last_mut() {
            Some(row) if row.curves.len() < per_panel => {
                row.symbol = format!("{} … {}", row.curves[0].0, curve.0);
                row.unit = row.unit.take().filter(|shared| unit.as_ref() == Some(shared));
                row.curves.push(curve);
            }
            _ => rows.push(Row { symbol: curve.0.clone(), unit, curves: vec![curve], remark: String::new() }),
        }
    }
    if shown < list.len() {
        rows[0].remark = format!("first {shown} of {} {what}", list.len());
    }
    rows
}

/// Draws the errors of the energy and of the invariants over time, each on its own scale.
pub fn energy(run: &Run<'_>, folder: &Path) -> Result<PathBuf, ReportError> {
    let trajectory = run.trajectory;
    let timeline = Timeline::new(trajectory);
    let curve = timeline.curve(|stop| [timeline.time(stop), timeline.energy(stop)]);
    let mut rows = vec![error_row("E", &curve, &trajectory.energy, trajectory.energy_deviation())];
    for invariant in trajectory.invariants.iter().take(MAX_PANELS - 1) {
        // What the impacts do to it is known at the nodes only.
        let curve: Vec<Place> = trajectory.t.iter().zip(&invariant.values).map(|(&t, &value)| [t, value]).collect();
        rows.push(error_row(&symbol(&invariant.name), &curve, &invariant.values, invariant.error()));
    }
    column(run, folder, "energy.svg", &rows)
}

fn error_row(name: &str, curve: &[Place], values: &[f64], largest: f64) -> Row {
    let first = values.first().copied().unwrap_or(f64::NAN);
    // Long names stand once.
    let symbol = if name.chars().count() <= 3 { format!("{name} − {name}(0)") } else { format!("Δ {name}") };
    let initial = if first.is_finite() { format!("{name}(0) = {}, ", number(first)) } else { String::new() };
    let remark = format!("{initial}max |{symbol}| = {}", number(largest));
    Row {
        remark: if values.is_empty() { "no nodes".to_owned() } else { remark },
        unit: None,
        curves: vec![(name.to_owned(), curve.iter().map(|[t, value]| [*t, value - first]).collect())],
        symbol,
    }
}

/// Panels one below the other, over the same time.
pub(crate) fn column(run: &Run<'_>, folder: &Path, name: &str, rows: &[Row]) -> Result<PathBuf, ReportError> {
    // Few panels are tall, many are flat.
    let height = (420.0 / rows.len() as f64).clamp(110.0, 260.0);
    let total = TITLE + rows.len() as f64 * (height + BETWEEN) + BELOW;
    save(run, folder, name, total - BETWEEN / 2.0, |canvas| {
        for (index, row) in rows.iter().enumerate() {
            let top = TITLE + BETWEEN / 2.0 + index as f64 * (height + BETWEEN);
            let frame = Frame { left: SIDES[0], top, width: WIDTH - SIDES[0] - SIDES[1], height };
            draw_row(canvas, run.trajectory, row, frame, index, index + 1 == rows.len());
        }
    })
}

fn draw_row(canvas: &mut Canvas<'_>, trajectory: &Trajectory, row: &Row, frame: Frame, index: usize, lowest: bool) {
    let values = row.curves.iter().flat_map(|(_, points)| points.iter().map(|point| point[1]));
    let times = trajectory.t.iter().copied().chain(trajectory.impacts.iter().map(|impact| impact.t));
    let panel = Panel { frame, x: Axis::covering(times, 0.0), y: Axis::covering(values, 0.06) };
    // A single curve has the colour of its panel, several curves have their own.
    let color = |curve: usize| PALETTE[if row.curves.len() == 1 { index } else { curve } % PALETTE.len()];
    panel.axes(canvas, lowest);
    marks::draw(canvas, &panel, trajectory);
    let time = panel.x.label("t", None);
    panel.labels(canvas, lowest.then_some(time.as_str()), &panel.y.label(&row.symbol, row.unit.as_deref()), 60.0);
    panel.remark(canvas, &row.remark);
    if lowest {
        panel.note(canvas, &marks::meaning(trajectory));
    }
    for (number, (_, points)) in row.curves.iter().enumerate() {
        panel.curve(canvas, &Curve { points: points.clone(), color: color(number), width: 1.25 });
    }
    if row.curves.len() > 1 {
        let names = row.curves.iter().enumerate();
        let names: Vec<(String, RGBColor)> = names.map(|(i, (name, _))| (name.clone(), color(i))).collect();
        panel.legend(canvas, &names);
    }
}
