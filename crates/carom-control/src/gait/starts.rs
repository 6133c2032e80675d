//! Where searches for gaits begin.
//!
//! ```text
//! q_0      a posture near the given one, its feet put on the ground, the swing foot one step behind
//! q(s)     (1 - s) q_0 + s relabel(q_0) + sin(pi s) b,   with bent joints b
//!          then changed as little as possible so that the stance foot stands
//!          and the swing foot is on an arc to one step ahead
//! ```
//!
//! Every start has bends of its own. The first has the given posture; the
//! others vary posture, height and timing of the arc.

use super::Gait;
use super::kinematics::Kinematics;
use crate::error::ControlError;
use crate::guess::{Guess, PhaseGuess};
use carom_model::Random;
use carom_nlp::Range;
use std::f64::consts::PI;

/// Postures of a start.
const POSTURES: usize = 11;
/// Height of the arc of the first start, in parts of the length of a step.
const ARC: f64 = 0.1;
/// Bend in the first start of joints that have one limit, or are nearer than this to one of two.
const BEND: f64 = 0.4;

/// What is varied from start to start.
struct Style {
    posture: Vec<f64>,
    bends: Vec<f64>,
    /// Height of the arc.
    height: f64,
    /// How much later the swing foot moves: a share of the duration.
    late: f64,
}

impl Gait {
    /// Motions to begin with, the first around `posture`, the others around variations of it by about `spread`.
    pub fn starts(&self, posture: &[f64], count: usize, seed: u64, spread: f64) -> Result<Vec<Guess>, ControlError> {
        let freed = self.guessed();
        let mut kinematics = Kinematics::new(self, &freed)?;
        let length = self.number("length", &self.length, &freed)?;
        let width = self.width.as_ref().map(|width| self.number("width", width, &freed)).transpose()?;
        let weight = self.number("weight", &self.weight, &freed)?;
        let mut random = Random(seed.wrapping_mul(2).wrapping_add(1));
        let mut starts = Vec::new();
        for number in 0..count.max(1) {
            let style = self.style(&kinematics, posture, (length, spread, number == 0), &mut random);
            let q = postures(&mut kinematics, &style, length, width);
            starts.push(self.guess(q, weight));
        }
        Ok(starts)
    }

    fn style(
        &self,
        kinematics: &Kinematics,
        posture: &[f64],
        (length, spread, is_first): (f64, f64, bool),
        random: &mut Random,
    ) -> Style {
        let mut vary = || spread * random.next();
        // The first start keeps the posture. Its joints bend all the same: straight legs are singular.
        let keep = if is_first { 0.0 } else { 1.0 };
        let bounds = kinematics.bounds();
        let inside = |(q, range): (&f64, &Range)| (q + keep * vary()).max(range.lower).min(range.upper);
        let posture: Vec<f64> = posture.iter().zip(bounds).map(inside).collect();
        Style {
            bends: posture.iter().zip(bounds).map(|(q, range)| bend(*q, range, vary())).collect(),
            posture,
            height: ARC * length * (1.0 + 2.0 * keep * vary()).abs(),
            late: keep * vary().clamp(-0.6, 0.6),
        }
    }

    /// A guess through postures at even times; the ground carries the weight.
    fn guess(&self, q: Vec<Vec<f64>>, weight: f64) -> Guess {
        let last = q.len() - 1;
        let system = self.system();
        let normal =
            system.constraints().len() + self.step.closed.iter().filter(|own| own.contact != self.stance).count();
        let gaps = normal + 1;
        let tangents: usize = self.contact(&self.stance).map_or(0, |contact| contact.tangents.len());
        let is_plain =
            self.step.closed.iter().all(|own| own.contact == self.stance) && system.velocity_constraints().is_empty();
        let mut forces = vec![0.0; gaps + tangents];
        forces[normal] = weight;
        let phase = PhaseGuess {
            duration: self.step.duration.guess(),
            times: (0..=last).map(|k| k as f64 / last as f64).collect(),
            forces: if is_plain { vec![forces; q.len()] } else { Vec::new() },
            q,
            ..PhaseGuess::default()
        };
        Guess { phases: vec![phase], ..Guess::default() }
    }
}

/// How far a joint bends on the way: away from its only limit, or from one of two that is near, else to either side.
fn bend(q: f64, range: &Range, own: f64) -> f64 {
    let (below, above) = (q - range.lower, range.upper - q);
    let is_limited = (range.lower.is_finite() != range.upper.is_finite()) || below.min(above) < BEND;
    match is_limited {
        true if below < above => BEND * (1.0 + own).abs(),
        true => -BEND * (1.0 + own).abs(),
        false => own,
    }
}

/// Postures at even times.
fn postures(kinematics: &mut Kinematics, style: &Style, length: f64, width: Option<f64>) -> Vec<Vec<f64>> {
    let (first, _) = kinematics.reach(&style.posture, [-length, 0.0], width);
    let (last, _) = kinematics.relabel(&first);
    let mut all = Vec::new();
    for k in 0..POSTURES {
        let s = k as f64 / (POSTURES - 1) as f64;
        let around = first.iter().zip(&last).zip(&style.bends);
        let around: Vec<f64> =
            around.map(|((first, last), bend)| (1.0 - s) * first + s * last + (PI * s).sin() * bend).collect();
        // The foot leaves and lands at rest.
        let clock = s - style.late * (2.0 * PI * s).sin() / (2.0 * PI);
        let share = clock - (2.0 * PI * clock).sin() / (2.0 * PI);
        let height = style.height * (PI * share).sin();
        let (q, _) = kinematics.reach(&around, [length * (2.0 * share - 1.0), height], width);
        all.push(if q.iter().all(|value| value.is_finite()) { q } else { around });
    }
    all
}
