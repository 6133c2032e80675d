//! Which conditions hold at an impact, as its record shows.

use super::{JumpState, JumpTangent, rate};
use crate::error::NotDifferentiable;
use carom_linalg::{dependent_rows, max_abs};
use carom_model::{ContactImpulse, Impact};

/// A gap that closes slower than this part of the rates it is made of does not close. (An impact that is faster may graze
/// all the same: that shows in the acceleration, which is not known here.)
const GRAZING: f64 = 1e-9;
/// Slip below this part of the largest velocity is none.
const STILL: f64 = 1e-10;
/// Forces within this part of the edge of a cone are on it.
const EDGE: f64 = 1e-9;
/// Rows closer to dependent than this are dependent.
const DEPENDENT: f64 = 1e-9;

/// What closes the equations of one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Condition {
    /// `E+ - E- + F_t = 0`
    Energy,
    /// `u+ + e u- = 0`
    Restitution,
    /// `w+ = 0`
    Stick,
    /// `Lambda_T + mu sigma Lambda_N = 0`, `sigma` the sign of the slip.
    Slide(f64),
    /// `Lambda_T |w+| + mu Lambda_N w+ = 0` in a plane.
    SlideInPlane,
    /// Normal and tangential impulse are those of Routh's process.
    Process,
    /// `Lambda = 0`
    Idle,
    /// The state is replaced.
    Reset,
}

/// A contact of an impact with its conditions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Participant {
    pub(crate) contact: usize,
    pub(crate) surface: usize,
    pub(crate) normal: Condition,
    pub(crate) tangents: Vec<Condition>,
}

impl JumpTangent {
    /// The contacts of an impact with the conditions that they met.
    pub(super) fn participants(
        &self,
        impact: &Impact,
        state: JumpState<'_>,
        kept: &[f64],
    ) -> Result<Vec<Participant>, NotDifferentiable> {
        let striking = &impact.impulses[0];
        let mut all = Vec::new();
        for impulse in &impact.impulses {
            all.push(self.participant(impulse, state, kept, impact.impulses.len() > 1)?);
        }
        let fastest = impact.impulses.iter().map(|i| rate(self.numbers.row(i.surface, 0), state.v_minus));
        let closing = fastest.fold(0.0, f64::min);
        let row = self.numbers.row(striking.surface, 0);
        let scale = row.iter().zip(state.v_minus).map(|(slope, rate)| (slope * rate).abs()).fold(0.0, f64::max);
        if closing >= -GRAZING * scale {
            let contact = self.names[striking.contact].clone();
            return Err(NotDifferentiable::Grazing { time: state.t, contact, rate: closing });
        }
        self.idle_dependent(&mut all);
        Ok(all)
    }

    fn participant(
        &self,
        impulse: &ContactImpulse,
        state: JumpState<'_>,
        kept: &[f64],
        is_several: bool,
    ) -> Result<Participant, NotDifferentiable> {
        let (contact, surface) = (impulse.contact, impulse.surface);
        let law = self.laws[contact].as_str();
        let tangents = impulse.tangential.len();
        let normal = match law {
            "reset" => Condition::Reset,
            "elastic" | "lossful" | "literal" if !is_several => Condition::Energy,
            "poisson" if tangents == 1 => Condition::Process,
            _ => Condition::Restitution,
        };
        // A contact that takes part and takes no impulse is open.
        if is_several && impulse.normal == 0.0 {
            let tangents = vec![Condition::Idle; tangents];
            return Ok(Participant { contact, surface, normal: Condition::Idle, tangents });
        }
        let tangents = match law {
            "moreau" | "plastic" | "transition" => self.held(impulse, state, kept)?,
            "poisson" => vec![Condition::Process; tangents],
            _ => Vec::new(),
        };
        Ok(Participant { contact, surface, normal, tangents })
    }

    /// Stick or slide.
    fn held(
        &self,
        impulse: &ContactImpulse,
        state: JumpState<'_>,
        kept: &[f64],
    ) -> Result<Vec<Condition>, NotDifferentiable> {
        let count = impulse.tangential.len();
        let slip: Vec<f64> = (0..count).map(|k| rate(self.numbers.row(impulse.surface, k + 1), state.v_plus)).collect();
        let Some(friction) = self.numbers.friction(impulse.contact, state, kept) else {
            return Ok(vec![Condition::Stick; count]);
        };
        let still = STILL * max_abs(state.v_minus).max(max_abs(state.v_plus));
        let size = carom_linalg::dot(&impulse.tangential, &impulse.tangential).sqrt();
        let bound = friction * impulse.normal;
        match (&slip[..], max_abs(&slip) > still) {
            (_, false) if size > bound * (1.0 - EDGE) && count > 0 => {
                let contact = self.names[impulse.contact].clone();
                Err(NotDifferentiable::Edge { time: state.t, contact })
            }
            (_, false) => Ok(vec![Condition::Stick; count]),
            ([slip], true) => Ok(vec![Condition::Slide(slip.signum())]),
            _ => Ok(vec![Condition::SlideInPlane; count]),
        }
    }

    /// Tangents that constraints and other contacts hold already have no impulse of their own.
    fn idle_dependent(&self, all: &mut [Participant]) {
        let holds = |condition: &Condition| matches!(condition, Condition::Restitution | Condition::Stick);
        let mut rows: Vec<&[f64]> = self.numbers.constraints();
        let first = rows.len();
        let mut places = Vec::new();
        for (index, participant) in all.iter().enumerate().filter(|(_, p)| holds(&p.normal)) {
            rows.push(self.numbers.row(participant.surface, 0));
            places.push((index, 0));
        }
        for (index, participant) in all.iter().enumerate() {
            for (k, _) in participant.tangents.iter().enumerate().filter(|(_, condition)| holds(condition)) {
                rows.push(self.numbers.row(participant.surface, k + 1));
                places.push((index, k + 1));
            }
        }
        for dependent in dependent_rows(rows, DEPENDENT).into_iter().filter(|&row| row >= first) {
            match places[dependent - first] {
                (index, 0) => all[index].normal = Condition::Idle,
                (index, k) => all[index].tangents[k - 1] = Condition::Idle,
            }
        }
    }
}
