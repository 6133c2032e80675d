//! Relaxed programs, solved one after the other.

use super::program::Relaxed;
use super::sequence::Sequence;
use super::start::{self, Gap};
use super::{DiscoverEvent, DiscoverOptions, RelaxedSolve, polish};
use crate::dmoc::{DiscreteReader, prepare};
use crate::error::ControlError;
use crate::extract::{extract, pick};
use crate::guess::Guess;
use crate::problem::ControlProblem;
use carom_discrete::rules::Rule;
use carom_nlp::{Observer, Options, Outcome, Status};

/// Where a search begins, and how much it is relaxed at most.
pub(super) struct Start {
    guess: Guess,
    relaxation: f64,
}

/// How much later the next contact is touched, as a share of the time between touches.
const APART: f64 = 0.2;

/// Bends towards one contact of many.
fn only(contact: usize, count: usize) -> Vec<Option<f64>> {
    (0..count).map(|i| (i == contact).then_some(0.0)).collect()
}

/// A search at work.
pub(super) struct Search<'a> {
    problem: &'a ControlProblem,
    guess: &'a Guess,
    options: &'a DiscoverOptions,
    rule: &'a dyn Rule,
    relaxed: Relaxed,
    gaps: Vec<Gap>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        problem: &'a ControlProblem,
        guess: &'a Guess,
        options: &'a DiscoverOptions,
        rule: &'a dyn Rule,
    ) -> Result<Self, ControlError> {
        let relaxed = Relaxed::new(problem, &options.contacts, rule, options.stretch, options.polish.backend)?;
        let phases = prepare(problem)?;
        let freed: Vec<f64> = problem
            .freed
            .iter()
            .enumerate()
            .map(|(index, freed)| {
                let own = phases[0].system().parameters().iter().find(|parameter| parameter.name == freed.name);
                guess.freed.get(index).copied().or(freed.guess).or(own.map(|own| own.value)).unwrap_or(0.0)
            })
            .collect();
        let gap = |contact| Gap::new(&phases[0], contact, &freed);
        let gaps = relaxed.contacts.all.iter().map(gap).collect::<Result<_, _>>()?;
        Ok(Self { problem, guess, options, rule, relaxed, gaps })
    }

    /// The guess as it is; then bent towards each contact; then towards all of them, one after the other in both orders.
    pub(super) fn starts(&mut self) -> Result<Vec<Start>, ControlError> {
        let Some(given) = self.guess.phases.first() else {
            return Err(ControlError::GuessShape { what: "no phase".to_owned() });
        };
        let (phase, count) = (&self.problem.phases[0], self.gaps.len());
        let mut bends: Vec<Vec<Option<f64>>> = (0..count).map(|i| only(i, count)).collect();
        if count > 1 {
            let late = |i: usize| APART * (i as f64 - 0.5 * (count as f64 - 1.0));
            bends.push((0..count).map(|i| Some(late(i))).collect());
            bends.push((0..count).map(|i| Some(-late(i))).collect());
        }
        let mut all = vec![Start { guess: self.guess.clone(), relaxation: f64::INFINITY }];
        for bend in bends {
            for touches in 1..=self.options.touches {
                for shift in &self.options.shifts {
                    let mut motion = given.clone();
                    for (gap, late) in self.gaps.iter_mut().zip(&bend) {
                        let Some(late) = late else { continue };
                        let touches = (touches, (shift + late).clamp(-0.4, 0.4));
                        motion = start::bent(&motion, gap, touches, phase.intervals, phase.system.inputs().len());
                    }
                    let guess = Guess { phases: vec![motion], freed: self.guess.freed.clone(), ..Guess::default() };
                    all.push(Start { guess, relaxation: self.options.touching });
                }
            }
        }
        Ok(all)
    }

    /// Solves relaxed programs one after the other; the sequence and the motion of the last one.
    pub(super) fn relax(
        &mut self,
        number: usize,
        start: &Start,
        history: &mut Vec<RelaxedSolve>,
        watch: &mut dyn FnMut(DiscoverEvent<'_>),
        observe: &mut Observer<'_>,
    ) -> Result<Option<(Sequence, Guess)>, ControlError> {
        start::apply(&mut self.relaxed, self.problem, &start.guess, &mut self.gaps)?;
        let solver = carom_nlp::solver(&self.options.polish.solver)?;
        let mut found: Option<(f64, Outcome)> = None;
        for &relaxation in self.options.relaxations.iter().filter(|&&relaxation| relaxation <= start.relaxation) {
            self.relaxed.relax(relaxation);
            let mut nlp = Options { max_iterations: self.options.iterations, ..self.options.polish.nlp.clone() };
            nlp.start = found.as_ref().map(|(_, outcome)| outcome.point.clone());
            let outcome = solver.solve(&mut self.relaxed.transcript.program, &nlp, observe);
            let impacts = self.sequence(&outcome, relaxation).impacts();
            let solved = RelaxedSolve {
                start: number,
                relaxation,
                status: outcome.status.clone(),
                cost: outcome.objective,
                impacts,
                iterations: outcome.statistics.iterations,
            };
            watch(DiscoverEvent::Relaxed(&solved));
            history.push(solved);
            if outcome.status == Status::Stopped {
                return Ok(None);
            }
            // From where a search failed nothing good can begin.
            if outcome.status.is_success() || found.is_none() && outcome.objective.is_finite() {
                found = Some((relaxation, outcome));
            }
        }
        let Some((relaxation, outcome)) = found else { return Ok(None) };
        let sequence = self.sequence(&outcome, relaxation);
        let reader = DiscreteReader { table: self.rule.table() };
        let reading = extract(self.problem, &reader, &self.relaxed.transcript.layout, &outcome)?;
        let freed = pick(&outcome.point, &self.relaxed.transcript.layout.freed);
        Ok(Some((sequence, Guess { phases: vec![reading.phases[0].guess()], freed, ..Guess::default() })))
    }

    /// The sequence that the impulses of a point show.
    fn sequence(&self, outcome: &Outcome, relaxation: f64) -> Sequence {
        let value = |variable: &Option<u32>| variable.map_or(0.0, |variable| outcome.point[variable as usize]);
        let contacts = &self.relaxed.contacts.all;
        let impulses: Vec<Vec<f64>> =
            contacts.iter().map(|contact| contact.impulses.iter().map(value).collect()).collect();
        let times = pick(&outcome.point, &self.relaxed.transcript.layout.phases[0].times);
        Sequence::read(contacts, &impulses, &times, relaxation.sqrt())
    }

    /// The problem with a fixed sequence, with or without bounds of open gaps at the nodes.
    pub(super) fn fix(&self, sequence: &Sequence, with_gaps: bool) -> Result<ControlProblem, ControlError> {
        let phases = prepare(self.problem)?;
        Ok(polish::fixed_sequence(self.problem, &phases[0], sequence, self.options.intervals, with_gaps))
    }
}
