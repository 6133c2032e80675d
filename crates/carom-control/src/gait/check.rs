//! The relabelling of the legs, held to account.
//!
//! At configurations whose feet both stand, with velocities that keep the swing foot in place, the exchange of the legs
//! changes names and nothing else:
//!
//! ```text
//! T(q', v') = T(q, v),   V(q') = V(q)   with  q' = A(q),  v' = DA(q) v,
//! the stance foot is where it should be, the swing foot one step behind it, on its own side
//! ```

use super::Gait;
use super::kinematics::Kinematics;
use crate::error::ControlError;
use crate::extract::numbers;
use crate::phase::PreparedPhase;
use carom_expr::Backend;
use carom_linalg::{Lu, dot, gram, max_abs};
use carom_model::{Legendre, Random};

/// States that are looked at.
const STATES: usize = 5;
/// How far postures vary around the given one.
const SPREAD: f64 = 0.2;
/// Feet that are off by more are not where a posture should have them: such a posture says nothing.
const MISPLACED: f64 = 1e-6;
/// Differences below this, relative to the energies, are rounding.
const ROUNDING: f64 = 1e-8;

impl Gait {
    /// Refuses a relabelling that does not exchange the legs; `posture` is a configuration of the robot to begin with.
    pub fn check(&self, posture: &[f64]) -> Result<(), ControlError> {
        let problem = self.problem()?;
        let phase = PreparedPhase::new(&problem, 0)?;
        let freed = self.guessed();
        let length = self.number("length", &self.length, &freed)?;
        let width = self.width.as_ref().map(|width| self.number("width", width, &freed)).transpose()?;
        self.number("weight", &self.weight, &freed)?;
        let values: Vec<f64> = freed.iter().map(|(_, value)| *value).collect();
        let mut legendre = Legendre::new(&numbers(&phase, &values), Backend::Interpreter)?;
        let mut kinematics = Kinematics::new(self, &freed)?;
        let (mut random, mut looked_at) = (Random(1), 0);
        for _ in 0..STATES {
            let around: Vec<f64> = posture.iter().map(|q| q + SPREAD * random.next()).collect();
            let (q, off) = kinematics.reach(&around, [length, 0.0], width);
            // A posture that is not reached says nothing.
            if off.is_nan() || off >= MISPLACED {
                continue;
            }
            let v: Vec<f64> = posture.iter().map(|_| random.next()).collect();
            let v = self.standing(&mut kinematics, &q, v);
            let ((new_q, slopes), n) = (kinematics.relabel(&q), q.len());
            let new_v: Vec<f64> = (0..n).map(|i| dot(&slopes[i * n..(i + 1) * n], &v)).collect();
            self.same_energy(&mut legendre, (&q, &v), (&new_q, &new_v))?;
            self.exchanged(&mut kinematics, &new_q, (length, width))?;
            looked_at += 1;
        }
        if looked_at > 0 {
            return Ok(());
        }
        let why = format!(
            "no posture near the initial one of the model has both feet on the ground, one {length} ahead of the other: the \
             step is too long, or the posture is far from walking"
        );
        Err(ControlError::Gait { key: "length", why })
    }

    /// The nearest velocity that leaves the swing foot where it is.
    fn standing(&self, kinematics: &mut Kinematics, q: &[f64], mut v: Vec<f64>) -> Vec<f64> {
        let (_, slopes) = kinematics.feet(q);
        let rows: Vec<&[f64]> = slopes.chunks_exact(q.len()).skip(kinematics.stance_rows).collect();
        let mut slip: Vec<f64> = rows.iter().map(|row| dot(row, &v)).collect();
        let mut lu = Lu::new(rows.len());
        if lu.factor(&gram(&rows)).is_ok() {
            lu.solve(&mut slip);
            v.iter_mut()
                .enumerate()
                .for_each(|(k, v)| *v -= rows.iter().zip(&slip).map(|(row, y)| row[k] * y).sum::<f64>());
        }
        v
    }

    fn same_energy(
        &self,
        legendre: &mut Legendre,
        old: (&[f64], &[f64]),
        new: (&[f64], &[f64]),
    ) -> Result<(), ControlError> {
        let rest = vec![0.0; old.0.len()];
        let mut energies = |(q, v): (&[f64], &[f64])| {
            let potential = legendre.energy(q, &rest, 0.0);
            [potential, legendre.energy(q, v, 0.0) - potential]
        };
        let (before, after) = (energies(old), energies(new));
        let size = max_abs(&before).max(max_abs(&after));
        for (name, k) in [("potential", 0), ("kinetic", 1)] {
            let off = (before[k] - after[k]).abs();
            if off.is_nan() || off > ROUNDING * size.max(1.0) {
                let why = format!(
                    "the relabelling changes the {name} energy from {:.6} to {:.6}, where both feet stand: it does not \
                     exchange the legs",
                    before[k], after[k]
                );
                return Err(ControlError::Gait { key: "relabel", why });
            }
        }
        Ok(())
    }

    /// After the exchange the swing foot is one step behind the stance foot, and as far beside it as it will land.
    fn exchanged(
        &self,
        kinematics: &mut Kinematics,
        q: &[f64],
        (length, width): (f64, Option<f64>),
    ) -> Result<(), ControlError> {
        let (places, _) = kinematics.feet(q);
        let (stance, swing) = places.split_at(kinematics.stance_rows);
        let off = [stance[0], swing[0], swing[1] - stance[1] + length];
        let elsewhere = max_abs(&stance[1..]);
        if elsewhere > MISPLACED {
            let why = format!("after the relabelling the stance foot is {elsewhere:.6} away from 0, where steps begin");
            return Err(ControlError::Gait { key: "relabel", why });
        }
        if max_abs(&off) <= MISPLACED.max(ROUNDING * length) {
            return self.beside(stance, swing, width);
        }
        let why = format!(
            "after the relabelling the stance foot is at height {:.6}, the swing foot at height {:.6} and {:.6} ahead; a step \
             of {length} needs 0, 0 and {:.6}",
            stance[0],
            swing[0],
            swing[1] - stance[1],
            -length
        );
        Err(ControlError::Gait { key: "relabel", why })
    }

    /// Feet that should stay on their sides do.
    fn beside(&self, stance: &[f64], swing: &[f64], width: Option<f64>) -> Result<(), ControlError> {
        let (Some(width), Some(stance), Some(swing)) = (width, stance.get(2), swing.get(2)) else { return Ok(()) };
        let found = swing - stance;
        if (found - width).abs() <= MISPLACED.max(ROUNDING * width.abs()) {
            return Ok(());
        }
        let why = format!(
            "after the relabelling the swing foot is {found:.6} beside the stance foot, where it lands {width:.6} beside it: \
             left and right are not mirrored"
        );
        Err(ControlError::Gait { key: "relabel", why })
    }
}
