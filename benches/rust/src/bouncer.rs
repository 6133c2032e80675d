//! Energy and speed over very many impacts: the chaotic bouncer, three kinds of jump, three orders.
//!
//! `cargo run --release -p carom-bench --bin bouncer [impacts [method]]`

use carom::discrete::ContactStepper;
use carom::impact::{ContactOptions, JumpKind, Life, Log, Smooth};
use carom::model::{Finding, Impact, ModeChange};
use carom::{Method, Model, Options};
use std::time::Instant;

/// Keeps nothing: memory is constant.
#[derive(Default)]
struct Count {
    impacts: usize,
}

impl Log for Count {
    fn impact(&mut self, _: Impact) {
        self.impacts += 1;
    }
    fn mode(&mut self, _: ModeChange) {}
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
}

const STEP: f64 = 0.05;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let wanted = arguments.next().and_then(|text| text.parse::<f64>().ok()).map_or(66_500, |n| n as usize);
    let only = arguments.next();
    let model = Model::from_path(std::path::Path::new("examples/chaotic-bouncer.toml"), &[])?;
    println!("| method | jump | impacts | steps | seconds | max dE/E0 | slope x T | oscillation |");
    println!("|---|---|---|---|---|---|---|---|");
    for method in ["trapezoidal", "midpoint", "gauss2", "gauss3"] {
        if only.as_ref().is_some_and(|only| only != method) {
            continue;
        }
        // What the method does between impacts, before anything can add up.
        let oscillation = run(&model, method, JumpKind::Modified, 300)?.largest;
        for jump in JumpKind::ALL {
            let clock = Instant::now();
            let Outcome { impacts, steps, largest, drift } = run(&model, method, jump, wanted)?;
            let (seconds, jump) = (clock.elapsed().as_secs_f64(), jump.name());
            println!(
                "| {method} | {jump} | {impacts} | {steps} | {seconds:.1} | {largest:.2e} | {drift:.1e} | {oscillation:.1e} |"
            );
        }
    }
    Ok(())
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
    while log.impacts < wanted {
        steps += 1;
        let time = steps as f64 * STEP;
        life.advance(&mut stepper, time, &mut log)?;
        if steps.is_multiple_of(16) {
            stepper.state(&mut q, &mut v)?;
            let energy = stepper.stepper().legendre().energy(&q, &v, time);
            line.add(time, energy / start - 1.0);
        }
    }
    Ok(Outcome { impacts: log.impacts, steps, largest: line.largest, drift: line.slope() * steps as f64 * STEP })
}
