//! Every impact law against its own equations, on random contacts.

use crate::common;

use carom_expr::{Backend, Evaluator, Expr, Function, Group, Scope, ids};
use carom_impact::laws::{self, Jump, Law, Outcome, Single};
use carom_linalg::max_abs;
use common::{Noise, after, energy_change};

/// Residuals of well-conditioned problems of size 1 (`W` between 0.05 and 4), in units of their largest number.
const ROUNDING: f64 = 1e-11;
const SAMPLES: u64 = 2000;

/// Laws with impulses.
fn rebounding() -> Vec<Box<dyn Law>> {
    laws::all().into_iter().filter(|law| law.outcome() != Outcome::Reset).collect()
}

/// Numbers of tangents that a law may have: Routh's process runs along a line.
fn tangents(law: &dyn Law) -> std::ops::RangeInclusive<usize> {
    match (law.has_friction(), law.name()) {
        (false, _) => 0..=0,
        (_, "poisson") => 0..=1,
        _ => 0..=2,
    }
}

/// A closing contact with a random positive definite Delassus matrix; a quarter of what can be lost, and a cone.
fn closing(noise: &mut Noise, tangents: usize) -> Single {
    let mut u = noise.vector(1 + tangents);
    u[0] = -noise.between(1e-3, 1.0);
    let w = noise.definite(1 + tangents, 0.05);
    let loss = noise.between(0.0, 0.25) * u[0] * u[0] / w[0];
    let (restitution, friction) = (noise.between(0.0, 1.0), Some(noise.between(0.0, 2.0)));
    Single { u, w, restitution, friction, loss }
}

/// The conditions of a law as a function of: impulse, change of energy, loss, restitution, friction, rates before and
/// after by pairs, tangential impulses, Delassus' matrix.
fn conditions(law: &dyn Law, tangents: usize) -> Evaluator {
    let scope = Scope::default();
    let head = scope.variables("head", 5);
    let rates = scope.variables("rate", 2 * (tangents + 1));
    let tangential = scope.variables("tangential", tangents);
    let w = scope.variables("w", (tangents + 1) * (tangents + 1));
    let jump = Jump {
        u: [rates[0], rates[1]],
        slip: rates[2..].chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
        normal: head[0],
        energy_change: head[1],
        loss: head[2],
        restitution: head[3],
        friction: head[4],
        tangential: tangential.clone(),
        w: w.clone(),
    };
    let outputs = ids(&law.conditions(&jump));
    let inputs: Vec<Expr<'_>> = [head, rates, tangential, w].concat();
    let (inputs, graph) = (ids(&inputs), scope.into_graph());
    let (inputs, outputs) = ([Group::new("jump", &inputs)], [Group::new("conditions", &outputs)]);
    Function::compile(&graph, &inputs, &outputs, Backend::Interpreter).expect("compiles").evaluator()
}

/// Values of the conditions.
fn residuals(conditions: &mut Evaluator, contact: &Single, impulses: &[f64]) -> Vec<f64> {
    let change = energy_change(&contact.u, &contact.w, impulses);
    let mut input = vec![impulses[0], change, contact.loss, contact.restitution];
    input.push(contact.friction.unwrap_or(1e200));
    let plus = after(&contact.u, &contact.w, impulses);
    contact.u.iter().zip(plus).for_each(|(before, after)| input.extend([*before, after]));
    input.extend(&impulses[1..]);
    input.extend(&contact.w);
    conditions.values(&input)
}

/// Calls `check` with every law on many random contacts, and their impulses.
fn for_every_law(mut check: impl FnMut(&dyn Law, &Single, &[f64])) {
    for law in rebounding() {
        for count in tangents(&*law) {
            let mut noise = Noise::new(100 + count as u64);
            for _ in 0..SAMPLES {
                let contact = closing(&mut noise, count);
                // That there is an answer is a test of its own.
                if let Ok(impulses) = law.impulses(&contact) {
                    check(&*law, &contact, &impulses);
                }
            }
        }
    }
}

#[test]
fn impulses_satisfy_the_conditions_of_their_law() {
    for law in rebounding() {
        for count in tangents(&*law) {
            let (mut noise, mut conditions) = (Noise::new(count as u64), conditions(&*law, count));
            for _ in 0..SAMPLES {
                let contact = closing(&mut noise, count);
                let Ok(impulses) = law.impulses(&contact) else { continue };
                let scale = max_abs(&impulses).max(1.0);
                let found = residuals(&mut conditions, &contact, &impulses);
                assert!(max_abs(&found) <= ROUNDING * scale, "{} {contact:?}: {impulses:?} {found:?}", law.name());
                // A wrong impulse does not: the conditions mean something.
                let wrong: Vec<f64> = impulses.iter().map(|x| x * 1.001).collect();
                assert!(max_abs(&residuals(&mut conditions, &contact, &wrong)) > ROUNDING * scale, "{}", law.name());
            }
        }
    }
}

/// As the ratio of friction to push runs through the cone, the push stays positive or the slip after the impact
/// grows without bound on the way: with a definite `W` some ratio fits.
#[test]
fn definite_contacts_always_have_an_answer() {
    for law in rebounding() {
        for count in tangents(&*law) {
            let mut noise = Noise::new(100 + count as u64);
            let contacts: Vec<Single> = (0..SAMPLES).map(|_| closing(&mut noise, count)).collect();
            let failed: Vec<&Single> = contacts.iter().filter(|contact| law.impulses(contact).is_err()).collect();
            assert!(
                failed.is_empty(),
                "{} {count} tangents: {} of {SAMPLES}, first {:?}",
                law.name(),
                failed.len(),
                failed[0]
            );
        }
    }
}

/// A tangent that constraints hold: along a rail the slip is a multiple `c` of the gap rate, and `W` is singular.
/// The slip does not end with a rebound, so that friction stands at the edge of its cone. (With `mu |c| > 1` it locks:
/// Moreau's law has no answer then.)
#[test]
fn tangents_that_constraints_hold_satisfy_the_conditions_too() {
    for law in rebounding().iter().filter(|law| law.has_friction()) {
        let (mut noise, mut conditions) = (Noise::new(5), conditions(&**law, 1));
        for _ in 0..100 {
            let (c, w, mut contact) = (noise.between(-2.0, 2.0), noise.between(0.5, 2.0), closing(&mut noise, 1));
            contact.friction = Some(noise.between(0.0, 0.9) / c.abs().max(1.0));
            contact.u[1] = c * contact.u[0];
            contact.w = vec![w, c * w, c * w, c * c * w];
            let impulses = law.impulses(&contact).unwrap_or_else(|error| panic!("{}: {error} {contact:?}", law.name()));
            let found = max_abs(&residuals(&mut conditions, &contact, &impulses));
            assert!(
                found <= ROUNDING * max_abs(&impulses).max(1.0),
                "{} {contact:?}: {impulses:?} {found:e}",
                law.name()
            );
        }
    }
}

#[test]
fn contacts_push_and_do_not_close_after() {
    for_every_law(|law, contact, impulses| {
        let u_plus = after(&contact.u, &contact.w, impulses)[0];
        assert!(impulses.len() == contact.u.len() && impulses[0] >= 0.0, "{} {contact:?}: {impulses:?}", law.name());
        assert!(u_plus >= -ROUNDING * max_abs(impulses), "{} {contact:?}: {u_plus:e}", law.name());
    });
}

#[test]
fn energy_is_lost_as_the_law_says() {
    for_every_law(|law, contact, impulses| {
        let change = energy_change(&contact.u, &contact.w, impulses);
        // Kinetic energy across the contact, and what impulses do along the way.
        let scale = ROUNDING * max_abs(impulses).max(1.0);
        let is_right = match law.name() {
            "moreau" => true,
            "elastic" => change.abs() <= scale,
            "lossful" | "literal" => (change + contact.loss).abs() <= scale,
            _ => change <= scale,
        };
        assert!(is_right, "{} {contact:?}: {impulses:?} change of energy {change:e}", law.name());
    });
}

#[test]
fn friction_stays_in_its_cone_and_opposes_the_slip() {
    for_every_law(|law, contact, impulses| {
        let size = impulses[1..].iter().map(|x| x * x).sum::<f64>().sqrt();
        let bound = contact.friction.unwrap_or(f64::INFINITY) * impulses[0];
        let rounding = ROUNDING * max_abs(impulses).max(1.0);
        assert!(size <= bound + rounding, "{} {contact:?}: {size} of {bound}", law.name());
        // Where Coulomb's law holds for the slip after the impact: less than the bound only where nothing slips.
        if ["moreau", "plastic", "transition"].contains(&law.name()) && impulses.len() > 1 {
            let slip = &after(&contact.u, &contact.w, impulses)[1..];
            let power: f64 = slip.iter().zip(&impulses[1..]).map(|(slip, impulse)| slip * impulse).sum();
            let speed = slip.iter().map(|x| x * x).sum::<f64>().sqrt();
            assert!((power + bound * speed).abs() <= 10.0 * rounding * bound.max(1.0), "{} {contact:?}", law.name());
        }
    });
}

#[test]
fn without_a_cone_plastic_impacts_stop_every_rate() {
    for name in ["plastic", "transition"] {
        let law = laws::by_name(name).expect("a law");
        for count in 0..=2 {
            let mut noise = Noise::new(7 + count as u64);
            for _ in 0..SAMPLES {
                let contact = Single { friction: None, ..closing(&mut noise, count) };
                let impulses = law.impulses(&contact).expect("an answer");
                let plus = after(&contact.u, &contact.w, &impulses);
                assert!(max_abs(&plus) <= ROUNDING * max_abs(&impulses).max(1.0), "{contact:?}: {plus:?}");
                assert!(energy_change(&contact.u, &contact.w, &impulses) <= 0.0, "{contact:?}");
            }
        }
    }
}
