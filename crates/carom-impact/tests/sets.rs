//! Several contacts at once: one after the other, and all together.

use crate::common;

use carom_impact::{ImpactError, Multiple, Resolved};
use carom_linalg::{dot, max_abs};
use carom_model::{Contact, System};
use common::{Noise, closing_walls, free_system, plane, quadratic, resolve, unit_mass};

const BOTH: [Multiple; 2] = [Multiple::Sequential, Multiple::Simultaneous];

/// Planes through the origin with Newton's law each.
fn walls(mass: &[f64], normals: &[Vec<f64>], restitution: &[f64]) -> System {
    free_system(mass, normals[0].len(), |scope, q| {
        let each = normals.iter().zip(restitution).enumerate();
        let contact = |(k, (normal, e)): (usize, (&Vec<f64>, &f64))| {
            let contact = Contact::new(&format!("wall{k}"), plane(scope, q, normal).id(), "newton");
            contact.with("restitution", scope.constant(*e).id())
        };
        each.map(contact).collect()
    })
}

/// Equal balls in a row that touch each other.
fn cradle(count: usize, restitution: f64) -> System {
    let gap = |i: usize| {
        (0..count)
            .map(|k| {
                if k == i {
                    -1.0
                } else if k == i + 1 {
                    1.0
                } else {
                    0.0
                }
            })
            .collect()
    };
    let normals: Vec<Vec<f64>> = (0..count - 1).map(gap).collect();
    walls(&unit_mass(count), &normals, &vec![restitution; count - 1])
}

/// No contact pulls, none closes; the change of momentum is what the impulses say.
fn assert_admissible(normals: &[Vec<f64>], mass: &[f64], v: &[f64], resolved: &Resolved) {
    let speed = max_abs(v);
    let impulses: Vec<f64> = resolved.impulses.iter().map(|impulse| impulse.values[0]).collect();
    let largest = max_abs(&impulses);
    for (normal, impulse) in normals.iter().zip(&impulses) {
        let rate = dot(normal, &resolved.v_plus);
        assert!(rate >= -1e-10 * speed.max(largest), "closes at {rate:e}: {normals:?} {v:?} {resolved:?}");
        assert!(*impulse >= -1e-10 * largest, "pulls with {impulse:e}: {normals:?} {v:?} {resolved:?}");
    }
    let n = v.len();
    for i in 0..n {
        let change: f64 = (0..n).map(|j| mass[i * n + j] * (resolved.v_plus[j] - v[j])).sum();
        let push: f64 = normals.iter().zip(&impulses).map(|(normal, impulse)| normal[i] * impulse).sum();
        assert!((change - push).abs() <= 1e-10 * largest.max(1.0), "{change} is not {push}");
    }
}

#[test]
fn random_sets_are_left_without_pulling_and_without_energy() {
    let mut noise = Noise::new(11);
    for sample in 0..200 {
        let n = 2 + sample % 3;
        let (mass, v) = (noise.definite(n, 0.3), noise.vector(n));
        let normals = closing_walls(&mut noise, n, 1 + sample % n, &v);
        let e = noise.between(0.0, 1.0);
        let system = walls(&mass, &normals, &vec![e; normals.len()]);
        for multiple in BOTH {
            let resolved = resolve(&system, &v, multiple).unwrap_or_else(|error| panic!("{error} {normals:?} {v:?}"));
            assert_admissible(&normals, &mass, &v, &resolved);
            let change = 0.5 * quadratic(&resolved.v_plus, &mass, &resolved.v_plus) - 0.5 * quadratic(&v, &mass, &v);
            // With one coefficient for all: E+ - E- = -(1 - e) / (1 + e) Lambda^T W Lambda / 2.
            assert!(change <= 1e-12 * quadratic(&v, &mass, &v), "{multiple:?} {change:e}: {normals:?} {v:?}");
        }
    }
}

#[test]
fn random_elastic_sets_keep_the_energy() {
    let mut noise = Noise::new(12);
    for sample in 0..200 {
        let n = 2 + sample % 3;
        let (mass, v) = (noise.definite(n, 0.3), noise.vector(n));
        let normals = closing_walls(&mut noise, n, 1 + sample % n, &v);
        let system = walls(&mass, &normals, &vec![1.0; normals.len()]);
        for multiple in BOTH {
            let resolved = resolve(&system, &v, multiple).unwrap_or_else(|error| panic!("{error} {normals:?} {v:?}"));
            assert_admissible(&normals, &mass, &v, &resolved);
            let (before, after) =
                (0.5 * quadratic(&v, &mass, &v), 0.5 * quadratic(&resolved.v_plus, &mass, &resolved.v_plus));
            // Rounding adds up from impact to impact.
            assert!((after - before).abs() <= 1e-13 * before * (10.0 + resolved.rounds as f64), "{multiple:?}");
        }
    }
}

/// One ball comes in. One after the other: it stops, and the last one leaves with its velocity. All together:
/// `W Lambda = -2 u-` with the second difference `W`, so that `Lambda_i = 2 (n - i) / n`: the first ball comes back
/// with `1 - 2 (n - 1) / n`, and all others move on together with `2 / n`.
#[test]
fn cradles_of_three_and_five_balls() {
    for count in [3, 5] {
        let mut v = vec![0.0; count];
        v[0] = 1.0;
        let system = cradle(count, 1.0);
        let sequential = resolve(&system, &v, Multiple::Sequential).expect("an answer").v_plus;
        let simultaneous = resolve(&system, &v, Multiple::Simultaneous).expect("an answer").v_plus;
        let share = 2.0 / count as f64;
        for k in 0..count {
            assert_eq!(sequential[k], if k == count - 1 { 1.0 } else { 0.0 });
            let expected = if k == 0 { share - 1.0 } else { share };
            assert!((simultaneous[k] - expected).abs() < 1e-14, "{simultaneous:?}");
        }
        for after in [sequential, simultaneous] {
            assert!((after.iter().sum::<f64>() - 1.0).abs() < 1e-14, "momentum {after:?}");
            assert!((dot(&after, &after) - 1.0).abs() < 1e-14, "energy {after:?}");
        }
    }
}

/// Two come in, two leave; with losses the momentum is still kept, and the row spreads.
#[test]
fn cradles_pass_on_as_many_balls_as_come_in() {
    let resolved = resolve(&cradle(5, 1.0), &[1.0, 1.0, 0.0, 0.0, 0.0], Multiple::Sequential).expect("an answer");
    assert!(resolved.v_plus.iter().zip([0.0, 0.0, 0.0, 1.0, 1.0]).all(|(v, expected)| (v - expected).abs() < 1e-14));
    for multiple in BOTH {
        let after = resolve(&cradle(5, 0.7), &[1.0, 0.0, 0.0, 0.0, 0.0], multiple).expect("an answer").v_plus;
        assert!((after.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{after:?}");
        assert!(dot(&after, &after) < 1.0 && after.windows(2).all(|pair| pair[0] <= pair[1] + 1e-12), "{after:?}");
    }
}

/// A ball rolls against another one that lies at a wall: it comes back as it came, whatever is resolved first.
#[test]
fn two_balls_and_a_wall_do_not_double_the_energy() {
    let (ball, wall) = (vec![-1.0, 1.0], vec![0.0, -1.0]);
    for normals in [[ball.clone(), wall.clone()], [wall, ball]] {
        let system = walls(&unit_mass(2), &normals, &[1.0, 1.0]);
        let one = resolve(&system, &[1.0, 0.0], Multiple::Sequential).expect("an answer");
        assert_eq!(one.v_plus, [-1.0, 0.0]);
        // All together: W = [[2, -1], [-1, 1]], Lambda = (2, 2), the same result.
        let all = resolve(&system, &[1.0, 0.0], Multiple::Simultaneous).expect("an answer");
        assert_eq!(all.v_plus, [-1.0, 0.0]);
        assert_eq!((one.rounds, dot(&all.v_plus, &all.v_plus)), (3, 1.0));
    }
}

/// A right angle sends a particle back; in an angle of 60 degrees the bisector sends it back after three reflections.
#[test]
fn corners_of_two_walls() {
    let right = walls(&unit_mass(2), &[vec![1.0, 0.0], vec![0.0, 1.0]], &[1.0, 1.0]);
    let (sine, cosine) = (60_f64.to_radians().sin(), 60_f64.to_radians().cos());
    let sharp = walls(&unit_mass(2), &[vec![0.0, 1.0], vec![sine, -cosine]], &[1.0, 1.0]);
    for multiple in BOTH {
        assert_eq!(resolve(&right, &[-0.6, -0.8], multiple).expect("an answer").v_plus, [0.6, 0.8]);
        let v = [-30_f64.to_radians().cos(), -30_f64.to_radians().sin()];
        let back = resolve(&sharp, &v, multiple).expect("an answer");
        assert!((back.v_plus[0] + v[0]).abs() < 1e-14 && (back.v_plus[1] + v[1]).abs() < 1e-14, "{back:?}");
        assert!(multiple == Multiple::Simultaneous || back.rounds == 3);
    }
}

/// The same wall twice, thrice, and as the sum of others: impulses are not unique, motion is.
#[test]
fn redundant_rows_have_one_motion() {
    let mut noise = Noise::new(13);
    for e in [0.0, 0.4, 1.0] {
        for _ in 0..100 {
            let (mass, v) = (noise.definite(3, 0.3), noise.vector(3));
            let own = closing_walls(&mut noise, 3, 2, &v);
            let twice: Vec<f64> = own[0].iter().map(|slope| 2.0 * slope).collect();
            let sum: Vec<f64> = own[0].iter().zip(&own[1]).map(|(a, b)| a + 0.3 * b).collect();
            let all = [&own[..], &[own[0].clone(), twice, sum]].concat();
            for multiple in BOTH {
                let few = resolve(&walls(&mass, &own, &[e; 2]), &v, multiple).expect("an answer");
                let many = resolve(&walls(&mass, &all, &[e; 5]), &v, multiple).expect("an answer");
                assert_admissible(&all, &mass, &v, &many);
                let change: Vec<f64> = few.v_plus.iter().zip(&many.v_plus).map(|(a, b)| a - b).collect();
                assert!(
                    max_abs(&change) <= 1e-8 * max_abs(&few.v_plus).max(1.0),
                    "{multiple:?} e = {e}: {few:?} {many:?}"
                );
            }
        }
    }
}

/// A particle between two walls with friction, in the plane.
fn rough_corner(noise: &mut Noise, v: &[f64], e: f64, mu: f64) -> (System, Vec<Vec<f64>>) {
    let normals = closing_walls(noise, 2, 2, v);
    let system = free_system(&unit_mass(2), 2, |scope, q| {
        let contact = |(k, normal): (usize, &Vec<f64>)| {
            let contact = Contact::new(&format!("wall{k}"), plane(scope, q, normal).id(), "moreau");
            let along = plane(scope, q, &[-normal[1], normal[0]]).id();
            let contact = contact.with("restitution", scope.constant(e).id()).tangent(along);
            contact.with("friction", scope.constant(mu).id())
        };
        normals.iter().enumerate().map(contact).collect()
    });
    (system, normals)
}

/// Without restitution there is always an answer. With it two cones that point at each other may jam: then impulses
/// balance each other whatever their size, and bring no rebound. Walls at an obtuse angle with `mu < 1` do not.
#[test]
fn rough_corners_are_left_inside_every_cone() {
    let mut noise = Noise::new(14);
    for sample in 0..300 {
        let (v, mu, e) = (noise.vector(2), noise.between(0.0, 1.0), if sample % 2 == 0 { 0.0 } else { 0.3 });
        let (system, normals) = rough_corner(&mut noise, &v, e, mu);
        if e > 0.0 && dot(&normals[0], &normals[1]) < 0.0 {
            continue;
        }
        for multiple in BOTH {
            let error = |error| panic!("{error} {multiple:?} {normals:?} v = {v:?} mu = {mu} e = {e}");
            let resolved = resolve(&system, &v, multiple).unwrap_or_else(error);
            let largest = resolved.impulses.iter().map(|impulse| impulse.values[0]).fold(0.0, f64::max);
            for (normal, impulse) in normals.iter().zip(&resolved.impulses) {
                let [push, friction] = impulse.values[..] else { panic!("{impulse:?}") };
                assert!(push >= -1e-10 * largest && friction.abs() <= mu * push + 1e-10 * largest, "{impulse:?}");
                assert!(dot(normal, &resolved.v_plus) >= -1e-10 * largest, "{normals:?} {v:?} {resolved:?}");
            }
        }
    }
}

/// Laws that speak of one contact say so, instead of giving any answer.
#[test]
fn laws_of_one_contact_refuse_several_together() {
    for law in ["lossful", "reset", "poisson"] {
        let corner = free_system(&unit_mass(2), 2, |scope, q| {
            let add = |contact: Contact| contact.with("friction", scope.constant(0.5).id());
            vec![add(Contact::new("floor", q[1].id(), law)), add(Contact::new("wall", q[0].id(), law))]
        });
        let found = resolve(&corner, &[-1.0, -1.0], Multiple::Simultaneous).expect_err("no answer");
        assert!(matches!(&found, ImpactError::NotForSeveral { law: named, .. } if named == law), "{found}");
    }
}

/// A reset has no impulse, so that the contact would close for ever.
#[test]
fn resets_among_several_contacts_are_refused() {
    let corner = free_system(&unit_mass(2), 2, |_, q| {
        vec![Contact::new("floor", q[1].id(), "elastic"), Contact::new("exchange", q[0].id(), "reset")]
    });
    for multiple in BOTH {
        let found = resolve(&corner, &[-1.0, -1.0], multiple).expect_err("no answer");
        assert!(matches!(found, ImpactError::NotForSeveral { .. }), "{multiple:?}: {found}");
    }
}
