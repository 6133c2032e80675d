//! Evaluations: from the journal where they are known, in parallel where several are asked for.
//!
//! ```text
//! for a wave of designs, in parallel:     evaluate, beginning with the designs that were known before the wave
//! for those that failed, one by one:      evaluate again, beginning with the nearest of all that are known now
//! ```
//!
//! A batch is one wave. Only the first batch of an objective that continues solutions grows from the design next to the guess: waves
//! of 1, 2, 4, ... designs, the nearest ones first, since solutions far from any that is known are hard to find and may belong
//! to another local optimum. Of the three nearest known designs the one comes first whose tangent promises the smallest cost,
//! for the same reason.
//!
//! So what comes out depends on the designs alone, not on the number of threads and not on what the journal knew.

use crate::error::DesignError;
use crate::journal::Journal;
use crate::objective::{Answer, Ask, Objective};
use crate::shares::{design, distance, near};
use crate::study::{Event, Sample, Study, best};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Instant;

/// Why a method cannot go on asking.
#[derive(Clone, Debug, PartialEq)]
pub enum Halt {
    /// All evaluations are used up.
    Budget,
    /// The study was stopped.
    Stopped,
    /// Something is wrong.
    Failed(DesignError),
}

impl From<DesignError> for Halt {
    fn from(error: DesignError) -> Self {
        Self::Failed(error)
    }
}

/// Whom methods ask.
pub struct Evaluator<'a> {
    study: &'a Study,
    objective: &'a dyn Objective,
    journal: &'a mut Journal,
    stop: &'a (dyn Fn() -> bool + Sync),
    observe: &'a mut dyn FnMut(Event<'_>),
    samples: Vec<Sample>,
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(
        study: &'a Study,
        objective: &'a dyn Objective,
        journal: &'a mut Journal,
        stop: &'a (dyn Fn() -> bool + Sync),
        observe: &'a mut dyn FnMut(Event<'_>),
    ) -> Self {
        Self { study, objective, journal, stop, observe, samples: Vec::new() }
    }

    pub(crate) fn into_samples(self) -> Vec<Sample> {
        self.samples
    }

    /// What is evaluated.
    pub fn objective(&self) -> &dyn Objective {
        self.objective
    }

    /// Everything that was evaluated so far.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    /// The cheapest sample so far.
    pub fn best(&self) -> Option<&Sample> {
        best(&self.samples)
    }

    /// Evaluates one design given as shares of the ranges.
    pub fn one(&mut self, phase: &str, share: &[f64]) -> Result<Sample, Halt> {
        let first = self.samples.len();
        self.batch(phase, &[share.to_vec()])?;
        self.samples.get(first).cloned().ok_or(Halt::Budget)
    }

    /// Evaluates designs given as shares of the ranges, as many of them as there are evaluations left.
    pub fn batch(&mut self, phase: &str, shares: &[Vec<f64>]) -> Result<(), Halt> {
        let asks: Vec<Ask> = shares.iter().map(|share| Ask::At(design(self.study, share))).collect();
        self.ask(phase, &asks)
    }

    /// Asks for the best design at once.
    pub fn free(&mut self, phase: &str) -> Result<(), Halt> {
        let range = self.study.variables.iter().map(|own| [own.lower, own.upper, own.first()]);
        self.ask(phase, &[Ask::Best(range.collect())])
    }

    fn ask(&mut self, phase: &str, asks: &[Ask]) -> Result<(), Halt> {
        let left = self.study.max_evaluations.saturating_sub(self.samples.len());
        let first = self.samples.len();
        let (mut used, mut done) = (0, Ok(()));
        for mut wave in self.waves(asks) {
            // The last evaluations may be fewer than a wave; what is evaluated is the same as if there were more.
            let is_cut = wave.len() > left - used;
            wave.truncate(left - used);
            used += wave.len();
            let mut found: Vec<Option<Sample>> = Vec::new();
            let numbered: Vec<(usize, &Ask)> = wave.iter().map(|&index| (first + index, &asks[index])).collect();
            for (number, ask) in &numbered {
                found.push(self.journal.known(*number, ask)?);
            }
            done = self.evaluate_all(phase, &numbered, &mut found);
            if done.is_ok() && !is_cut {
                done = self.evaluate_failed(phase, &numbered, &mut found);
            }
            self.keep(found, done.is_ok());
            if done.is_err() {
                break;
            }
        }
        // As they were asked for.
        self.samples.sort_by_key(|sample| sample.number);
        done?;
        if used < asks.len() { Err(Halt::Budget) } else { Ok(()) }
    }

    /// Takes over what was found; of a wave that was stopped only what is written.
    fn keep(&mut self, found: Vec<Option<Sample>>, is_complete: bool) {
        for sample in found.into_iter().flatten() {
            if is_complete || self.journal.has(sample.number) {
                (self.observe)(Event::Sample(&sample));
                self.samples.push(sample);
            }
        }
    }

    /// Places of what is asked for, in the order in which it is evaluated.
    fn waves(&self, asks: &[Ask]) -> Vec<Vec<usize>> {
        let mut order: Vec<usize> = (0..asks.len()).collect();
        if !self.objective.is_continued() || self.samples.iter().any(|sample| sample.cost.is_some()) {
            return vec![order];
        }
        let guess: Vec<f64> = self.study.variables.iter().map(|variable| variable.first()).collect();
        let from = |index: usize| match &asks[index] {
            Ask::At(design) => distance(self.study, design, &guess),
            Ask::Best(_) => 0.0,
        };
        order.sort_by(|&a, &b| from(a).total_cmp(&from(b)).then(a.cmp(&b)));
        let (mut waves, mut rest, mut size) = (Vec::new(), &order[..], 1);
        while !rest.is_empty() {
            let (wave, later) = rest.split_at(size.min(rest.len()));
            waves.push(wave.to_vec());
            (rest, size) = (later, 2 * size);
        }
        waves
    }

    /// In parallel; what succeeds is written at once.
    fn evaluate_all(&mut self, phase: &str, asks: &[(usize, &Ask)], found: &mut [Option<Sample>]) -> Result<(), Halt> {
        let open: Vec<usize> = (0..asks.len()).filter(|&index| found[index].is_none()).collect();
        let (study, objective, stop) = (self.study, self.objective, self.stop);
        let (samples, next) = (&self.samples, AtomicUsize::new(0));
        let (sender, receiver) = mpsc::channel();
        let journal = &mut *self.journal;
        let mut result = Ok(());
        std::thread::scope(|scope| {
            for _ in 0..study.threads.clamp(1, open.len().max(1)) {
                let (sender, next, open) = (sender.clone(), &next, &open);
                scope.spawn(move || {
                    while let Some(&index) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if stop() {
                            break;
                        }
                        let begin = Instant::now();
                        let answer = objective.evaluate(asks[index].1, &near(study, samples, asks[index].1), stop);
                        if sender.send((index, answer, begin.elapsed().as_secs_f64())).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            for (index, answer, seconds) in receiver {
                if answer.is_stopped {
                    continue;
                }
                let sample = sample(asks[index].0, phase, answer, seconds);
                // A failure is not the last word yet.
                if sample.cost.is_some() && result.is_ok() {
                    result = journal.append(&sample);
                }
                found[index] = Some(sample);
            }
        });
        result?;
        if found.iter().any(Option::is_none) { Err(Halt::Stopped) } else { Ok(()) }
    }

    /// What failed is tried once more, with what is known now.
    fn evaluate_failed(
        &mut self,
        phase: &str,
        asks: &[(usize, &Ask)],
        found: &mut [Option<Sample>],
    ) -> Result<(), Halt> {
        let known: Vec<Sample> = self.samples.iter().chain(found.iter().flatten()).cloned().collect();
        let is_helped = asks.len() > 1 && known[self.samples.len()..].iter().any(|sample| sample.cost.is_some());
        for (index, &(number, ask)) in asks.iter().enumerate() {
            let Some(failed) = found[index].clone().filter(|sample| sample.cost.is_none() && !sample.is_cached) else {
                continue;
            };
            let mut last = failed.clone();
            let near = near(self.study, &known, ask);
            if is_helped && near.iter().any(|neighbour| !neighbour.trace.is_empty()) {
                let begin = Instant::now();
                let answer = self.objective.evaluate(ask, &near, self.stop);
                if answer.is_stopped {
                    return Err(Halt::Stopped);
                }
                last = sample(number, phase, answer, failed.seconds + begin.elapsed().as_secs_f64());
                last.solves += failed.solves;
                last.iterations += failed.iterations;
            }
            self.journal.append(&last)?;
            found[index] = Some(last);
        }
        Ok(())
    }
}

fn sample(number: usize, phase: &str, answer: Answer, seconds: f64) -> Sample {
    let Answer { design, cost, slope, trace, solves, iterations, note, .. } = answer;
    // A cost that is not a number is none.
    let cost = cost.filter(|cost| cost.is_finite());
    let phase = phase.to_owned();
    Sample { number, phase, design, cost, slope, solves, iterations, note, seconds, is_cached: false, trace }
}
