//! Energy and speed over very many impacts: the chaotic bouncer, three kinds of jump, three orders.
//!
//! `cargo run --release -p carom-bench --bin bouncer [impacts [method [jump]]] [--example] [--plot picture.svg]`

#![allow(clippy::print_stdout)] // a benchmark reports on standard output

use carom::discrete::ContactStepper;
use carom::impact::{ContactOptions, JumpKind, Life, Log, Smooth};
use carom::model::{Finding, Impact, ModeChange};
use carom::{Method, Model, Options};
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::time::Instant;

/// Keeps nothing: memory is constant.
#[derive(Default)]
struct Count {
    impacts: usize,
    /// When the particle came to stay on the floor.
    stays: Option<f64>,
}

impl Log for Count {
    fn impact(&mut self, _: Impact) {
        self.impacts += 1;
    }
    fn mode(&mut self, change: ModeChange) {
        self.stays = self.stays.or(Some(change.t));
    }
    fn finding(&mut self, _: Finding) {}
}

/// Least-squares line through relative energy errors, and their largest.
#[derive(Default)]
struct Line {
    n: f64,
    t: f64,
    e: f64,
    tt: f64,
    te: f64,
    largest: f64,
}

impl Line {
    fn add(&mut self, t: f64, e: f64) {
        self.n += 1.0;
        self.t += t;
        self.e += e;
        self.tt += t * t;
        self.te += t * e;
        self.largest = self.largest.max(e.abs());
    }

    fn slope(&self) -> f64 {
        (self.n * self.te - self.t * self.e) / (self.n * self.tt - self.t * self.t)
    }
}

/// What a run came to.
struct Outcome {
    impacts: usize,
    steps: u64,
    largest: f64,
    drift: f64,
    /// Why there are no more impacts; empty if there could be.
    end: String,
    /// Impacts and the largest error so far, evenly spread on a logarithmic axis.
    points: Vec<(f64, f64)>,
}

/// A curve of the picture.
struct Curve {
    order: usize,
    jump: JumpKind,
    points: Vec<(f64, f64)>,
}

const STEP: f64 = 0.05;
/// A start of higher energy than that of the example, whose motion is regular. Here a difference of 1e-9
/// grows to the size of the motion within 150 impacts.
const START: [(&str, &str); 2] = [("x", "1.5"), ("y", "2.0")];
/// Each point of a curve has this many times the impacts of the one before.
const SPACING: f64 = 1.08;
/// Methods with their order; those of the picture have a colour.
const METHODS: [(&str, usize, Option<RGBColor>); 4] = [
    ("trapezoidal", 2, Some(RGBColor(0xcc, 0x66, 0x77))),
    ("midpoint", 2, None),
    ("gauss2", 4, Some(RGBColor(0x33, 0x66, 0x9e))),
    ("gauss3", 6, Some(RGBColor(0x2a, 0x7f, 0x55))),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let plot = arguments.iter().position(|argument| argument == "--plot");
    let picture = plot.and_then(|at| arguments.drain(at..).nth(1));
    // The start of the example instead of the chaotic one.
    let is_example = arguments.iter().any(|argument| argument == "--example");
    arguments.retain(|argument| argument != "--example");
    let number = arguments.first().and_then(|text| text.parse::<f64>().ok());
    let wanted = number.map_or(66_500, |n| n as usize);
    let (only, only_jump) = (arguments.get(1), arguments.get(2));
    let start = START.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let start = if is_example { &[][..] } else { &start[..] };
    let model = Model::from_path(std::path::Path::new("examples/chaotic-bouncer.toml"), start)?;
    let mut curves = Vec::new();
    println!("| method | jump | impacts | steps | seconds | max dE/E0 | slope x T | oscillation | ends |");
    println!("|---|---|---|---|---|---|---|---|---|");
    for (method, order, colour) in METHODS {
        if only.is_some_and(|only| only != method) {
            continue;
        }
        // What the method does between impacts, before anything can add up.
        let oscillation = run(&model, method, JumpKind::Modified, 300)?.largest;
        for jump in JumpKind::ALL {
            if only_jump.is_some_and(|only| only != jump.name()) {
                continue;
            }
            let clock = Instant::now();
            let Outcome { impacts, steps, largest, drift, end, points } = run(&model, method, jump, wanted)?;
            let (seconds, name) = (clock.elapsed().as_secs_f64(), jump.name());
            println!(
                "| {method} | {name} | {impacts} | {steps} | {seconds:.1} | {largest:.2e} | {drift:.1e} | {oscillation:.1e} | {end} |"
            );
            curves.extend(colour.is_some().then_some(Curve { order, jump, points }));
        }
    }
    match picture {
        Some(path) => draw(&path, wanted as f64, &curves),
        None => Ok(()),
    }
}

fn run(model: &Model, method: &str, jump: JumpKind, wanted: usize) -> Result<Outcome, Box<dyn std::error::Error>> {
    let contacts = ContactOptions { jump, ..ContactOptions::default() };
    let options = Options { contacts, ..Options::default() };
    let mut stepper = ContactStepper::new(model.system.dynamics(), &Method::parse(method)?, options)?;
    let mut life = Life::new(&model.system, contacts)?;
    let mut log = Count::default();
    life.begin(&mut stepper, (0.0, &model.initial.q, &model.initial.v), &[false], &mut log)?;
    let (mut q, mut v) = (model.initial.q.clone(), model.initial.v.clone());
    let start = stepper.stepper().legendre().energy(&q, &v, 0.0);
    let (mut steps, mut line) = (0_u64, Line::default());
    let (mut points, mut next, mut end) = (Vec::new(), 1.0, String::new());
    while log.impacts < wanted && end.is_empty() {
        steps += 1;
        let time = steps as f64 * STEP;
        if let Err(error) = life.advance(&mut stepper, time, &mut log) {
            end = error.to_string();
            break;
        }
        // Without impacts there is nothing to measure.
        if let Some(t) = log.stays {
            end = format!("stays on the floor at t = {t:.0}");
        }
        if steps.is_multiple_of(4) {
            stepper.state(&mut q, &mut v)?;
            let energy = stepper.stepper().legendre().energy(&q, &v, time);
            line.add(time, energy / start - 1.0);
        }
        if log.impacts as f64 >= next || log.impacts >= wanted {
            points.push((log.impacts as f64, line.largest));
            next = SPACING * log.impacts as f64;
        }
    }
    let drift = line.slope() * steps as f64 * STEP;
    Ok(Outcome { impacts: log.impacts, steps, largest: line.largest, drift, end, points })
}

/// Dash and space of the curves of a kind, in pixels.
fn dashes(jump: JumpKind) -> (i32, i32) {
    match jump {
        JumpKind::Modified => (1, 0),
        JumpKind::Pointwise => (9, 5),
        JumpKind::Variational => (2, 4),
    }
}

fn style(order: usize) -> ShapeStyle {
    let colour = METHODS.iter().find_map(|(_, other, colour)| colour.filter(|_| *other == order));
    colour.unwrap_or(BLACK).stroke_width(2)
}

/// Where the legend begins.
const LEGEND: (i32, i32) = (585, 56);
/// Height of a line of the legend.
const ROW: i32 = 22;

/// One curve per order and kind: colours by order, dashes by kind.
fn draw(path: &str, wanted: f64, curves: &[Curve]) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::new(path, (760, 440)).into_drawing_area();
    root.fill(&WHITE)?;
    let errors = || curves.iter().flat_map(|curve| &curve.points).map(|point| point.1).filter(|error| *error > 0.0);
    let decade = |x: f64| 10_f64.powf(x.log10().floor());
    let (low, high) = (errors().fold(1.0, f64::min), errors().fold(0.0, f64::max));
    let mut chart = ChartBuilder::on(&root)
        .margin(16)
        .margin_right(190)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d((1.0..wanted).log_scale(), (decade(low)..10.0 * decade(high)).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(BLACK.mix(0.1))
        .x_desc("impacts")
        .y_desc("largest energy error so far, relative")
        .x_label_formatter(&|x| format!("{x:.0e}"))
        .y_label_formatter(&|y| format!("{y:.0e}"))
        .draw()?;
    for Curve { order, jump, points } in curves {
        let points = points.iter().copied().filter(|point| point.1 > 0.0);
        match dashes(*jump) {
            (_, 0) => chart.draw_series(LineSeries::new(points, style(*order)))?,
            (dash, space) => chart.draw_series(DashedLineSeries::new(points, dash, space, style(*order)))?,
        };
    }
    let font = TextStyle::from(("sans-serif", 14).into_font()).pos(Pos::new(HPos::Left, VPos::Center));
    let mut entries: Vec<(String, ShapeStyle, (i32, i32))> = Vec::new();
    for (method, order, _) in METHODS.iter().filter(|(_, _, colour)| colour.is_some()) {
        entries.push((format!("{method}, order {order}"), style(*order), (1, 0)));
    }
    entries.extend(JumpKind::ALL.map(|jump| (jump.name().to_owned(), BLACK.stroke_width(2), dashes(jump))));
    for (row, (text, style, (dash, space))) in (0..).zip(&entries) {
        // The kinds stand a little below the orders.
        let (x, y) = (LEGEND.0, LEGEND.1 + ROW * row + if row < 3 { 0 } else { ROW / 2 });
        let ends = [(x, y), (x + 28, y)];
        match space {
            0 => root.draw(&PathElement::new(ends, *style))?,
            _ => root.draw(&DashedPathElement::new(ends, *dash, *space, *style))?,
        }
        root.draw(&Text::new(text.as_str(), (x + 36, y), font.clone()))?;
    }
    root.present()?;
    Ok(())
}
