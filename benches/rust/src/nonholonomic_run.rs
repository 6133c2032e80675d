//! Long runs of models with velocity constraints, observed without keeping nodes.

use carom::discrete::ContactStepper;
use carom::impact::{ContactOptions, JumpKind, Life, Log, Smooth};
use carom::model::{Finding, Impact, ModeChange};
use carom::{Formulation, Method, Model, Options, Stepper};
use std::time::Instant;

/// What may go wrong.
pub type Failure = Box<dyn std::error::Error>;

/// Counts impacts and keeps nothing else.
#[derive(Default)]
struct Count(usize);

impl Log for Count {
    fn impact(&mut self, _: Impact) {
        self.0 += 1;
    }
    fn mode(&mut self, _: ModeChange) {}
    fn finding(&mut self, _: Finding) {}
}

/// A motion that is advanced step by step, with impacts if the model has contacts.
enum Motion {
    Free(Box<Stepper>),
    Contacts(Box<ContactStepper>, Box<Life>, Count),
}

pub struct Runner {
    motion: Motion,
    h: f64,
    steps: u64,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

impl Runner {
    pub fn new(
        model: &Model,
        method: &Method,
        formulation: Formulation,
        jump: JumpKind,
        h: f64,
    ) -> Result<Self, Failure> {
        let contacts = ContactOptions { jump, ..ContactOptions::default() };
        let options = Options { formulation, contacts, ..Options::default() };
        let (dynamics, q, v) = (model.system.dynamics(), model.initial.q.clone(), model.initial.v.clone());
        let motion = if model.system.contacts().is_empty() {
            let mut stepper = Stepper::new(&dynamics, method, options)?;
            stepper.start(0.0, &q, &v)?;
            Motion::Free(Box::new(stepper))
        } else {
            let mut stepper = ContactStepper::new(dynamics, method, options)?;
            let mut life = Life::new(&model.system, contacts)?;
            let (mut log, closed) = (Count::default(), vec![false; model.system.contacts().len()]);
            life.begin(&mut stepper, (0.0, &q, &v), &closed, &mut log)?;
            Motion::Contacts(Box::new(stepper), Box::new(life), log)
        };
        Ok(Self { motion, h, steps: 0, q, v })
    }

    /// One step, whose impacts happen where they are.
    pub fn step(&mut self) -> Result<(), Failure> {
        self.steps += 1;
        match &mut self.motion {
            Motion::Free(stepper) => stepper.step(self.h)?,
            Motion::Contacts(stepper, life, log) => life.advance(&mut **stepper, self.steps as f64 * self.h, log)?,
        }
        Ok(())
    }

    /// Reads the state; the energy, and the residual of the constraints at this node.
    pub fn observe(&mut self) -> Result<(f64, f64), Failure> {
        match &mut self.motion {
            Motion::Free(stepper) => {
                self.q.copy_from_slice(&stepper.state().q);
                self.v.copy_from_slice(stepper.velocity()?);
            }
            Motion::Contacts(stepper, ..) => stepper.state(&mut self.q, &mut self.v)?,
        }
        let (q, v) = (self.q.clone(), self.v.clone());
        let legendre = self.stepper().legendre();
        Ok((legendre.energy(&q, &v, 0.0), legendre.constraint_error(&q, &v)))
    }

    /// `omega((qa + qb)/2) (qb - qa)`, relative to the sizes of both: the chord of the last step.
    pub fn chord(&mut self, before: &[f64]) -> f64 {
        let mean: Vec<f64> = self.q.iter().zip(before).map(|(b, a)| 0.5 * (a + b)).collect();
        let chord: Vec<f64> = self.q.iter().zip(before).map(|(b, a)| b - a).collect();
        self.stepper().legendre().constraint_error(&mean, &chord)
    }

    pub fn impacts(&self) -> usize {
        match &self.motion {
            Motion::Free(_) => 0,
            Motion::Contacts(_, _, log) => log.0,
        }
    }

    pub fn stepper(&mut self) -> &mut Stepper {
        match &mut self.motion {
            Motion::Free(stepper) => stepper,
            Motion::Contacts(stepper, ..) => stepper.stepper(),
        }
    }
}

/// Least-squares line through errors over time.
#[derive(Default)]
pub struct Line {
    n: f64,
    t: f64,
    e: f64,
    tt: f64,
    te: f64,
}

impl Line {
    pub fn add(&mut self, t: f64, e: f64) {
        self.n += 1.0;
        self.t += t;
        self.e += e;
        self.tt += t * t;
        self.te += t * e;
    }

    pub fn slope(&self) -> f64 {
        (self.n * self.te - self.t * self.e) / (self.n * self.tt - self.t * self.t)
    }
}

/// What a long run came to; energies are relative to the first one.
pub struct Outcome {
    pub steps: u64,
    pub impacts: usize,
    /// Largest error within the first [`FIRST`] steps, and within all.
    pub early: f64,
    pub largest: f64,
    /// Half the range of the errors within the first steps.
    pub oscillation: f64,
    /// Slope of the line through all errors times the duration.
    pub drift: f64,
    /// Largest residuals: of the velocities at nodes, and of chords at midpoints.
    pub nodes: f64,
    pub chords: f64,
    pub seconds: f64,
    /// Why it ended early; empty if it did not.
    pub end: String,
}

/// Steps within which the oscillation shows, and each of which is looked at.
pub const FIRST: u64 = 10_000;
/// Later, every node of this number is looked at; a prime, so that no period is missed.
const EVERY: u64 = 5;

/// A motion with this energy error is none.
const BLOWN_UP: f64 = 1e3;

/// Runs `steps` steps, or as many as there are.
pub fn run(runner: &mut Runner, steps: u64) -> Result<Outcome, Failure> {
    let h = runner.h;
    let (start, mut nodes) = runner.observe()?;
    let (mut line, mut early, mut largest, mut chords) = (Line::default(), 0.0_f64, 0.0_f64, 0.0_f64);
    let (mut low, mut high, mut end) = (0.0_f64, 0.0_f64, String::new());
    let (clock, mut done, mut before) = (Instant::now(), 0, runner.q.clone());
    while done < steps && end.is_empty() {
        let impacts = runner.impacts();
        if let Err(error) = runner.step() {
            end = error.to_string();
            break;
        }
        done += 1;
        if done > FIRST && !done.is_multiple_of(EVERY) {
            continue;
        }
        let (energy, residual) = runner.observe()?;
        let error = energy / start - 1.0;
        if error.is_nan() || error.abs() >= BLOWN_UP {
            end = format!("energy {BLOWN_UP:.0e} times too large at t = {:.0}", done as f64 * h);
        }
        line.add(done as f64 * h, error);
        (largest, nodes) = (largest.max(error.abs()), nodes.max(residual));
        if done <= FIRST {
            (early, low, high) = (largest, low.min(error), high.max(error));
            // A step with an impact is no chord.
            if runner.impacts() == impacts {
                chords = chords.max(runner.chord(&before));
            }
            before.copy_from_slice(&runner.q);
        }
    }
    Ok(Outcome {
        steps: done,
        impacts: runner.impacts(),
        early,
        largest,
        oscillation: 0.5 * (high - low),
        drift: line.slope() * done as f64 * h,
        nodes,
        chords,
        seconds: clock.elapsed().as_secs_f64(),
        end,
    })
}
