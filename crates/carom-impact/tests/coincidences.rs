//! Impact laws that say the same in special cases, where they differ, and where they have no answer.

use crate::common;

use carom_impact::laws::{self, LawFailure, Single};
use carom_linalg::max_abs;
use common::{Noise, after, energy_change};

const SAMPLES: usize = 1000;

fn impulses(law: &str, contact: &Single) -> Vec<f64> {
    let law = laws::by_name(law).expect("a law");
    law.impulses(contact).unwrap_or_else(|error| panic!("{}: {error}\n{contact:?}", law.name()))
}

fn failure(law: &str, contact: &Single) -> LawFailure {
    let law = laws::by_name(law).expect("a law");
    law.impulses(contact).expect_err("no answer")
}

/// A closing contact with one tangent.
fn closing(noise: &mut Noise) -> Single {
    let u = vec![-noise.between(1e-3, 1.0), noise.next()];
    let (restitution, friction) = (noise.between(0.0, 1.0), Some(noise.between(0.0, 2.0)));
    Single { u, w: noise.definite(2, 0.05), restitution, friction, loss: 0.0 }
}

fn assert_same(a: &str, b: &str, contact: &Single) {
    let (left, right) = (impulses(a, contact), impulses(b, contact));
    let difference: Vec<f64> = left.iter().zip(&right).map(|(x, y)| x - y).collect();
    assert!(max_abs(&difference) <= 1e-12 * max_abs(&left).max(1.0), "{a} {left:?}, {b} {right:?}: {contact:?}");
}

#[test]
fn without_friction_moreau_and_poisson_are_newton() {
    let mut noise = Noise::new(1);
    for _ in 0..SAMPLES {
        let contact = Single { friction: Some(0.0), ..closing(&mut noise) };
        assert_same("newton", "moreau", &contact);
        assert_same("newton", "poisson", &contact);
    }
}

#[test]
fn without_coupling_moreau_is_poisson() {
    let mut noise = Noise::new(2);
    for _ in 0..SAMPLES {
        let mut contact = closing(&mut noise);
        // A centred contact: friction does not change the gap rate, nor the push the slip.
        (contact.w[1], contact.w[2]) = (0.0, 0.0);
        assert_same("moreau", "poisson", &contact);
        assert!((impulses("moreau", &contact)[0] - impulses("newton", &contact)[0]).abs() < 1e-12);
    }
}

#[test]
fn special_cases_of_one_law_are_another() {
    let mut noise = Noise::new(3);
    for _ in 0..SAMPLES {
        let contact = closing(&mut noise);
        assert_same("newton", "elastic", &Single { restitution: 1.0, ..contact.clone() });
        assert_same("lossful", "elastic", &contact);
        assert_same("moreau", "plastic", &Single { restitution: 0.0, ..contact.clone() });
        assert_same("transition", "plastic", &contact);
        // Newton's law takes (1 - e^2) u^2 / (2 W).
        let loss = (1.0 - contact.restitution.powi(2)) * contact.u[0].powi(2) / (2.0 * contact.w[0]);
        assert_same("lossful", "newton", &Single { loss, ..contact });
    }
}

/// Kane's paradox. With `W = [[1, -0.8], [-0.8, 1]]`, `e = 0.9`, `mu = 0.5` and `u = -1`, `w = 0.6`:
///
/// Moreau: the bodies slip backwards in the end, so friction is `+mu Lambda_N` all along, and
/// `Lambda_N = (1 + e) / (W_nn + mu W_nt) = 1.9 / 0.6 = 19/6`, `Lambda_T = 19/12`. The slip after is
/// `0.6 - 0.8 * 19/6 + 19/12 = -0.35`, and the change of energy is
/// `(u- + u+) Lambda_N / 2 + (w- + w+) Lambda_T / 2 = -0.1 * 19/12 + 0.25 * 19/24 = +0.0395833`.
///
/// Routh: friction is against the slip at every instant. It holds back first (`f = -0.5`, `du/dp = 1.4`,
/// `dw/dp = -1.3`, until `p = 6/13`), then pushes (`f = 0.5`, `du/dp = 0.6`, `dw/dp = -0.3`).
#[test]
fn kane_moreau_creates_energy_where_poisson_does_not() {
    let kane =
        Single { u: vec![-1.0, 0.6], w: vec![1.0, -0.8, -0.8, 1.0], restitution: 0.9, friction: Some(0.5), loss: 0.0 };
    let moreau = impulses("moreau", &kane);
    assert!((moreau[0] - 19.0 / 6.0).abs() < 1e-14 && (moreau[1] - 19.0 / 12.0).abs() < 1e-14, "{moreau:?}");
    assert!((after(&kane.u, &kane.w, &moreau)[1] + 0.35).abs() < 1e-14);
    let gained = energy_change(&kane.u, &kane.w, &moreau);
    assert!((gained - (-0.1 * 19.0 / 12.0 + 0.25 * 19.0 / 24.0)).abs() < 1e-14 && gained > 0.039, "{gained}");

    let poisson = impulses("poisson", &kane);
    // Compression: 6/13 of impulse bring u to -1 + 1.4 * 6/13 = -46/130, the rest takes 46/130 / 0.6.
    let compression = 6.0 / 13.0 + 46.0 / 78.0;
    let total = 1.9 * compression;
    assert!((poisson[0] - total).abs() < 1e-14, "{poisson:?}");
    assert!((poisson[1] - 0.5 * (total - 2.0 * 6.0 / 13.0)).abs() < 1e-14, "{poisson:?}");
    let lost = energy_change(&kane.u, &kane.w, &poisson);
    assert!(lost < -0.1, "{lost}");
}

#[test]
fn more_loss_than_there_is_energy_is_an_error() {
    // Across the gap there is u^2 / (2 W) = 1/4.
    let contact = |loss| Single { u: vec![-1.0], w: vec![2.0], restitution: 1.0, friction: None, loss };
    for law in ["lossful", "literal"] {
        assert_eq!(impulses(law, &contact(0.25)), [0.5]);
        match failure(law, &contact(0.26)) {
            LawFailure::TooLossful { loss, available } => assert_eq!((loss, available), (0.26, 0.25)),
            other => panic!("{other}"),
        }
    }
}

/// With a definite `W` there is always an answer: as the ratio of friction to push runs through the cone, the slip
/// after the impact grows from minus infinity where the push becomes infinite. Where `W` is singular along the
/// edge of the cone, and the slip is none that such a `W` can have, the push only wedges the bodies together.
#[test]
fn painleve_is_an_error() {
    let wedged =
        |w: Vec<f64>, friction| Single { u: vec![-1.0, 1.0], w, restitution: 0.5, friction: Some(friction), loss: 0.0 };
    for law in ["moreau", "poisson", "plastic"] {
        for contact in [wedged(vec![1.0, 1.0, 1.0, 1.0], 1.0), wedged(vec![1.0, 2.0, 2.0, 4.0], 0.5)] {
            let found = failure(law, &contact);
            assert!(matches!(found, LawFailure::Painleve { factor } if factor <= 0.0), "{law}: {found}");
        }
    }
}

#[test]
fn contacts_that_nothing_moves_are_an_error() {
    for law in ["elastic", "newton", "lossful", "moreau", "poisson", "plastic"] {
        for w in [0.0, f64::NAN] {
            let held = Single { u: vec![-1.0], w: vec![w], restitution: 0.5, friction: Some(0.5), loss: 0.1 };
            assert!(matches!(failure(law, &held), LawFailure::Stuck), "{law}");
        }
    }
}
