//! Moreau's law: Newton's restitution and Coulomb's cone, both exact.
//!
//! ```text
//! u+ = -e u-,    |Lambda_T| <= mu Lambda_N,    w+ != 0  =>  Lambda_T = -mu Lambda_N w+/|w+|
//! ```
//!
//! The slip that counts is the one after the impact. With one tangent: try to stick; where that leaves
//! the cone, slide in the direction that comes out. With two tangents that direction is found as a root.
//!
//! Restitution refers to the gap rate and friction to impulses, and together they may create energy:
//! Kane's paradox. The book shows an example beside Routh's law, which does not.

use super::{Jump, Law, LawFailure, Outcome, Single, clamp};
use carom_expr::Expr;
use std::f64::consts::TAU;

/// Restitution of velocities with friction.
#[derive(Clone, Copy, Debug)]
pub struct Moreau;

/// Directions that are looked at before the root is refined.
const DIRECTIONS: usize = 480;

/// Slip below this part of the largest rate is none.
const STILL: f64 = 1e-11;

impl Law for Moreau {
    fn name(&self) -> &'static str {
        "moreau"
    }

    fn conditions<'s>(&self, jump: &Jump<'s>) -> Vec<Expr<'s>> {
        let [before, after] = jump.u;
        let mut all = vec![after + jump.restitution * before];
        all.extend(friction_conditions(jump));
        all
    }

    fn impulses(&self, contact: &Single) -> Result<Vec<f64>, LawFailure> {
        let target = -contact.restitution * contact.u[0];
        with_friction(contact, target, contact.friction.unwrap_or(0.0))
    }

    fn outcome(&self) -> Outcome {
        Outcome::Attach
    }

    fn has_friction(&self) -> bool {
        true
    }
}

/// `Lambda_T` is the point of the cone nearest to `Lambda_T - w+`: sticking inside, sliding on its edge.
pub(super) fn friction_conditions<'s>(jump: &Jump<'s>) -> Vec<Expr<'s>> {
    let bound = jump.friction * jump.normal;
    let ahead: Vec<Expr<'s>> =
        jump.slip.iter().zip(&jump.tangential).map(|(slip, impulse)| *impulse - slip[1]).collect();
    match &ahead[..] {
        [x] => vec![jump.tangential[0] - clamp(*x, bound)],
        [x, y] => {
            // Shrink the vector to the radius of the cone.
            let length = (*x * *x + *y * *y).sqrt();
            let share = bound / length.max(bound).max(1e-300);
            vec![jump.tangential[0] - share * *x, jump.tangential[1] - share * *y]
        }
        _ => Vec::new(),
    }
}

/// Impulses with a given gap rate after the impact.
pub(super) fn with_friction(contact: &Single, target: f64, mu: f64) -> Result<Vec<f64>, LawFailure> {
    let k = contact.u.len();
    let mut after = vec![0.0; k];
    after[0] = target;
    if let Some(impulses) = contact.impulses_for(&after) {
        let tangential = impulses[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
        // Tangents that constraints hold may slip all the same.
        let slip = |row: usize| contact.u[row] + (0..k).map(|j| contact.w(row, j) * impulses[j]).sum::<f64>();
        let still = STILL * contact.u.iter().fold(0.0_f64, |largest, rate| largest.max(rate.abs()));
        if tangential <= mu * impulses[0] && (1..k).all(|row| slip(row).abs() <= still) {
            return Ok(impulses);
        }
    }
    match k {
        1 => super::normal_impulse(contact, 1.0 - target / contact.u[0]),
        2 => slide_along_line(contact, target, mu),
        _ => slide_in_plane(contact, target, mu),
    }
}

/// The sliding impulse in a direction of slip, and the slip after.
fn sliding(contact: &Single, target: f64, mu: f64, direction: &[f64]) -> Result<(Vec<f64>, Vec<f64>), LawFailure> {
    let k = contact.u.len();
    let ratio: Vec<f64> = std::iter::once(1.0).chain(direction.iter().map(|d| -mu * d)).collect();
    let speed = |row: usize| (0..k).map(|j| contact.w(row, j) * ratio[j]).sum::<f64>();
    let factor = speed(0);
    if factor <= 0.0 || factor.is_nan() {
        return Err(LawFailure::Painleve { factor });
    }
    let normal = (target - contact.u[0]) / factor;
    let slip = (1..k).map(|row| contact.u[row] + speed(row) * normal).collect();
    Ok((ratio.iter().map(|r| r * normal).collect(), slip))
}

fn slide_along_line(contact: &Single, target: f64, mu: f64) -> Result<Vec<f64>, LawFailure> {
    let mut failure = LawFailure::Stuck;
    // The direction before the impact is the likely one.
    let first = if contact.u[1] < 0.0 { -1.0 } else { 1.0 };
    for direction in [first, -first] {
        match sliding(contact, target, mu, &[direction]) {
            Ok((impulses, slip)) if slip[0] * direction >= 0.0 => return Ok(impulses),
            Ok(_) => {}
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

/// The direction is a root of the slip across it, which is defined everywhere once it is multiplied by the
/// factor of the normal impulse.
fn slide_in_plane(contact: &Single, target: f64, mu: f64) -> Result<Vec<f64>, LawFailure> {
    let k = contact.u.len();
    let across = |angle: f64| {
        let ratio = [1.0, -mu * angle.cos(), -mu * angle.sin()];
        let speed = |row: usize| (0..k).map(|j| contact.w(row, j) * ratio[j]).sum::<f64>();
        let slip = |row: usize| contact.u[row] * speed(0) + speed(row) * (target - contact.u[0]);
        slip(2) * angle.cos() - slip(1) * angle.sin()
    };
    let angle = |i: usize| TAU * i as f64 / DIRECTIONS as f64;
    for i in 0..DIRECTIONS {
        let (mut low, mut high) = (angle(i), angle(i + 1));
        let left = across(low);
        if left * across(high) > 0.0 {
            continue;
        }
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if across(middle) * left > 0.0 { low = middle } else { high = middle }
        }
        let (sine, cosine) = (0.5 * (low + high)).sin_cos();
        if let Ok((impulses, slip)) = sliding(contact, target, mu, &[cosine, sine])
            && slip[0] * cosine + slip[1] * sine >= 0.0
        {
            return Ok(impulses);
        }
    }
    Err(LawFailure::Painleve { factor: f64::NAN })
}
