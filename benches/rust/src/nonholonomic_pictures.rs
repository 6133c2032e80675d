//! Pictures of the book: energies over time under velocity constraints.

use crate::nonholonomic_models::{Way, name_of};
use crate::nonholonomic_run::{Failure, Line, Runner};
use carom::Formulation;
use carom::impact::JumpKind;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::path::Path;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// A run that becomes a curve.
struct Run {
    way: Way,
    jump: JumpKind,
    step: f64,
    colour: RGBColor,
}

impl Run {
    const fn new(method: &'static str, jump: JumpKind, step: f64, colour: RGBColor) -> Self {
        let way = Way { method, formulation: Formulation::Multipliers, is_unit: false };
        Self { way, jump, step, colour }
    }

    const fn hamel(is_unit: bool, colour: RGBColor) -> Self {
        let way = Way { method: "midpoint", formulation: Formulation::Hamel, is_unit };
        Self { way, jump: JumpKind::Modified, step: 0.1, colour }
    }
}

const RED: RGBColor = RGBColor(0xcc, 0x66, 0x77);
const BLUE: RGBColor = RGBColor(0x33, 0x66, 0x9e);
const GREEN: RGBColor = RGBColor(0x2a, 0x7f, 0x55);
const ORANGE: RGBColor = RGBColor(0xdd, 0x88, 0x22);
const GRAY: RGBColor = RGBColor(0x77, 0x77, 0x77);

const VIOLET: RGBColor = RGBColor(0x88, 0x55, 0xaa);

const GEARS: [Run; 6] = [
    Run::new("midpoint", JumpKind::Modified, 0.1, RED),
    Run::hamel(false, ORANGE),
    Run::hamel(true, VIOLET),
    Run::new("trapezoidal", JumpKind::Modified, 0.1, GRAY),
    Run::new("gni", JumpKind::Modified, 0.1, GREEN),
    Run::new("gauss2", JumpKind::Modified, 0.1, BLUE),
];
const PENDULUMS: [Run; 2] =
    [Run::new("left", JumpKind::Variational, 1e-4, RED), Run::new("midpoint", JumpKind::Variational, 1e-4, BLUE)];
/// Points of a curve; each is the range of the error within its part of the time.
const PARTS: usize = 500;
/// The smallest error of a logarithmic picture.
const LEAST: f64 = 1e-7;

/// A range of errors, and the time at which it ends.
struct Range {
    t: f64,
    low: f64,
    high: f64,
}

/// Draws all pictures into a folder.
pub fn draw_all(folder: &Path) -> Result<(), Failure> {
    gears(&folder.join("nonholonomic-energy.svg"))?;
    pendulum(&folder.join("nonholonomic-pendulum.svg"))
}

/// Energy errors `E - E0` of a run, part by part; its largest error and its drift are printed.
fn energies(path: &str, run: &Run, until: f64) -> Result<Vec<Range>, Failure> {
    let model = run.way.model(path)?.ok_or("no such frame")?;
    let mut runner = Runner::new(&model, &run.way.method()?, run.way.formulation, run.jump, run.step)?;
    let (start, _) = runner.observe()?;
    let steps = (until / run.step).round() as usize;
    let (mut ranges, mut line, mut largest) = (Vec::<Range>::new(), Line::default(), 0.0_f64);
    for k in 1..=steps {
        runner.step()?;
        let error = runner.observe()?.0 - start;
        let t = k as f64 * run.step;
        line.add(t, error);
        largest = largest.max(error.abs());
        let part = (k - 1) * PARTS / steps;
        match ranges.get_mut(part) {
            Some(range) => *range = Range { t, low: range.low.min(error), high: range.high.max(error) },
            None => ranges.push(Range { t, low: error, high: error }),
        }
    }
    let (drift, impacts) = (line.slope() * until, runner.impacts());
    println!("| {} | {} | {impacts} | {start:.4} | {largest:.2e} | {drift:.1e} |", name_of(path), run.way.name());
    Ok(ranges)
}

/// The usual transmission beside the one that does not flatter methods.
fn gears(path: &Path) -> Result<(), Failure> {
    let root = SVGBackend::new(path, (760, 380)).into_drawing_area();
    root.fill(&WHITE)?;
    println!("| model | method | impacts | E0 | largest error | drift |\n|---|---|---|---|---|---|");
    let titles = ["continuously-variable-transmission", "cvt-unbiased"];
    for ((area, title), is_first) in root.split_evenly((1, 2)).iter().zip(titles).zip([true, false]) {
        let path = format!("examples/{title}");
        let mut chart = ChartBuilder::on(area)
            .margin(12)
            .margin_right(24)
            .caption(title, ("sans-serif", 15))
            .x_label_area_size(40)
            .y_label_area_size(if is_first { 62 } else { 44 })
            .build_cartesian_2d(0.0..1e4, (LEAST..1e2).log_scale())?;
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).bold_line_style(BLACK.mix(0.1)).x_desc("time, s").x_labels(5);
        mesh.x_label_formatter(&|x| format!("{x:.0}"));
        mesh.y_desc(if is_first { "energy error, J" } else { "" }).y_label_formatter(&|y| format!("{y:.0e}")).draw()?;
        for run in &GEARS {
            let ranges = energies(&path, run, 1e4)?;
            // What is rounding is below the picture.
            let errors = ranges.iter().map(|range| (range.t, range.high.max(-range.low)));
            let points = errors.filter(|point| point.1 > LEAST);
            chart.draw_series(LineSeries::new(points, run.colour.stroke_width(2)))?;
        }
        if is_first {
            legend(area, &GEARS, (78, 40))?;
        }
    }
    root.present()?;
    Ok(())
}

/// The energy of figure 4 of 004, and that of a method of second order.
fn pendulum(path: &Path) -> Result<(), Failure> {
    let root = SVGBackend::new(path, (760, 460)).into_drawing_area();
    root.fill(&WHITE)?;
    for (area, run) in root.split_evenly((2, 1)).iter().zip(&PENDULUMS) {
        let ranges = energies("papers/004/pendulum", run, 100.0)?;
        let (low, high) =
            ranges.iter().fold((0.0_f64, 0.0_f64), |(low, high), range| (low.min(range.low), high.max(range.high)));
        let room = 0.08 * (high - low);
        let mut chart = ChartBuilder::on(area)
            .margin(10)
            .margin_right(24)
            .x_label_area_size(36)
            .y_label_area_size(70)
            .build_cartesian_2d(0.0..100.0, low - room..high + room)?;
        let mut mesh = chart.configure_mesh();
        mesh.light_line_style(TRANSPARENT).bold_line_style(BLACK.mix(0.1)).x_desc("time, s").y_desc("energy error, J");
        mesh.x_label_formatter(&|x| format!("{x:.0}"));
        mesh.y_labels(6).y_label_formatter(&|y| format!("{y:.1e}")).draw()?;
        let band = ranges.iter().flat_map(|range| [(range.t, range.low), (range.t, range.high)]);
        chart.draw_series(LineSeries::new(band, run.colour.stroke_width(1)))?;
        legend(area, std::slice::from_ref(run), (104, 24))?;
    }
    root.present()?;
    Ok(())
}

/// Names of the runs beside their colours.
fn legend(area: &Area<'_>, runs: &[Run], (x, y): (i32, i32)) -> Result<(), Failure> {
    for (row, run) in (0..).zip(runs) {
        let y = y + 18 * row;
        area.draw(&PathElement::new([(x, y), (x + 24, y)], run.colour.stroke_width(2)))?;
        area.draw(&Text::new(run.way.name(), (x + 32, y - 7), ("sans-serif", 13)))?;
    }
    Ok(())
}
