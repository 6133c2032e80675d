//! Sequences of impacts that nobody told.

use crate::systems;

use carom_control::{ControlProblem, CostKind, DiscoverOptions, Discovery, Duration, Guess, Phase, discover};
use carom_nlp::Range;
use systems::bouncer::{GRAVITY, corner, exact, over_a_cosine, transfer};
use systems::hopper::{MASSES, at_rest, jump, jump_anyhow, jumping, with_leg};
use systems::particle;
use systems::pendulum::swing;
use systems::solved::from_guess;

fn show(discovery: &Discovery) {
    for entry in &discovery.history {
        eprintln!(
            "  {} {:.0e} {:?} {:.6} {} ({})",
            entry.start, entry.relaxation, entry.status, entry.cost, entry.impacts, entry.iterations
        );
    }
    for found in &discovery.candidates {
        eprintln!(
            "{} depth {:.1e} {} {:?} {:?} {:.9}",
            found.start, found.depth, found.sequence, found.status, found.impacts, found.cost
        );
    }
}

/// Number and times of the impacts of the cheapest transfer, and its cost, are those of the closed form.
#[test]
fn transfers_by_the_floor() {
    let fall = (2.0 / GRAVITY).sqrt();
    for (duration, impacts) in [(0.25 * fall, 0), (2.3 * fall, 1), (3.8 * fall, 2)] {
        let problem = transfer(1.0, 0.5, duration, 24);
        let guess = Guess::interpolate(&problem, &[]);
        let discovery = discover(&problem, &guess, &DiscoverOptions::default(), &mut |_| true).unwrap();
        show(&discovery);
        let best = discovery.best().unwrap();
        let (expected, times) = exact(1.0, 0.5, duration, impacts);
        assert_eq!(best.impacts.len(), impacts, "{}", best.sequence);
        assert!((best.cost - expected).abs() < 1e-7 * expected, "{} {expected}", best.cost);
        for ((contact, time), exact) in best.impacts.iter().zip(&times) {
            assert_eq!(contact, "floor");
            assert!((time - exact).abs() < 1e-4, "{time} {exact}");
        }
    }
}

/// The foot is on the ground at first: the search finds stance and flight, and the same optimum as when they are told.
#[test]
fn jump_of_a_hopper() {
    let told = from_guess(&jump(20), &jumping(), "gauss2");
    let free = Duration::Free { range: Range::new(0.2, 1.0), guess: 0.5 };
    for duration in [Duration::Fixed(told.duration()), free] {
        let problem = jump_anyhow(duration, 24);
        let guess = Guess::interpolate(&problem, &[]);
        let options = DiscoverOptions { intervals: 20, touches: 1, ..DiscoverOptions::default() };
        let discovery = discover(&problem, &guess, &options, &mut |_| true).unwrap();
        show(&discovery);
        let (best, expected) = (discovery.best().unwrap(), told.outcome.objective);
        assert_eq!(best.sequence, "foot closed, release, free");
        assert!((best.cost - expected).abs() < 1e-6 * expected, "{} {expected}", best.cost);
    }
}

/// From the top of a jump to rest on the ground: flight, a plastic impact of the foot, stance.
#[test]
fn landing_of_a_hopper() {
    let phase = with_leg("land", Duration::Fixed(0.7), 28);
    let phase = at_rest(at_rest(phase, 0.3, true), 0.0, false);
    let problem = ControlProblem::new("land").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()));
    let guess = Guess::interpolate(&problem, &[]);
    let discovery = discover(&problem, &guess, &DiscoverOptions::default(), &mut |_| true).unwrap();
    show(&discovery);
    let best = discovery.best().unwrap();
    assert_eq!(best.sequence, "free, foot hit, foot closed");
    let landing = &best.solution.transitions[0];
    assert!(landing.v_plus[1].abs() < 1e-8 && landing.energies[1] <= landing.energies[0] + 1e-9);
    // In flight the centre of mass falls freely.
    let [m1, m2] = MASSES;
    let fallen = (m1 * landing.q[0] + m2 * landing.q[1]) / (m1 + m2) - (0.3 + m1 * 0.8 / (m1 + m2));
    assert!((fallen + 0.5 * 9.81 * landing.time.powi(2)).abs() < 1e-7, "{fallen}");
    let forces = &best.solution.phases[1].forces;
    assert!(forces[1..forces.len() - 1].iter().all(|force| force[0] > -1e-6));
}

/// With restitution one half a ball loses speed at each impact.
#[test]
fn restitution_below_one() {
    let phase = Phase::new("fall", particle(0.5), Duration::Fixed(1.0), 20)
        .start("y", Range::fixed(1.0))
        .start("y'", Range::fixed(-4.0))
        .end("y", Range::fixed(1.0))
        .end("y'", Range::fixed(2.0));
    let problem = ControlProblem::new("fall").phase(phase).cost("effort", 1.0, CostKind::Integral("u^2".to_owned()));
    let guess = Guess::interpolate(&problem, &[]);
    let discovery = discover(&problem, &guess, &DiscoverOptions::default(), &mut |_| true).unwrap();
    show(&discovery);
    let best = discovery.best().unwrap();
    // Down in a quarter of a second with speed 4, up again in half a second with speed 2: a little too fast.
    assert_eq!(best.impacts.len(), 1, "{}", best.sequence);
    let impact = &best.solution.transitions[0];
    assert!((impact.v_plus[0] + 0.5 * impact.v_minus[0]).abs() < 1e-8);
    assert!(best.cost < 10.0, "{}", best.cost);
}

/// Two contacts, each of which is hit once, in the right order.
#[test]
fn into_a_corner() {
    let problem = corner(24);
    let guess = Guess::interpolate(&problem, &[]);
    let options = DiscoverOptions { touches: 1, ..DiscoverOptions::default() };
    let discovery = discover(&problem, &guess, &options, &mut |_| true).unwrap();
    show(&discovery);
    let best = discovery.best().unwrap();
    assert_eq!(best.sequence, "free, wall hit, free, floor hit, free");
    assert!(best.cost.abs() < 1e-8, "{}", best.cost);
    assert!((best.impacts[0].1 - 2.0 / 3.0).abs() < 1e-4 && (best.impacts[1].1 - 5.0 / 6.0).abs() < 1e-4);
}

#[test]
fn what_cannot_be_searched() {
    let refused = |problem: &ControlProblem, options: &DiscoverOptions| {
        discover(problem, &Guess::interpolate(problem, &[]), options, &mut |_| true).unwrap_err().to_string()
    };
    let options = DiscoverOptions::default();
    assert!(refused(&jump(5), &options).contains("several phases"));
    assert!(refused(&swing(5), &options).contains("constraints"));
    let tight = DiscoverOptions { stretch: 0.5, ..DiscoverOptions::default() };
    assert!(refused(&transfer(1.0, 0.5, 1.0, 5), &tight).contains("stretch"));
    let wall = DiscoverOptions { contacts: vec!["wall".to_owned()], ..options };
    let error = refused(&transfer(1.0, 0.5, 1.0, 5), &wall);
    assert!(error.contains("wall") && error.contains("floor"), "{error}");
}

/// The particle of 002: the best motion with one impact costs 185.721064562, without impact 585.055083; with more
/// impacts it is cheaper still.
#[test]
fn paper_002_particle() {
    let problem = over_a_cosine(40);
    let guess = Guess::interpolate(&problem, &[]);
    let shifts = vec![-0.1, -0.05];
    let options = DiscoverOptions { touches: 2, shifts, intervals: 20, ..DiscoverOptions::default() };
    let discovery = discover(&problem, &guess, &options, &mut |_| true).unwrap();
    show(&discovery);
    let with = |impacts: usize| discovery.candidates.iter().find(|found| found.impacts.len() == impacts).unwrap();
    assert!((with(0).cost - 585.055083).abs() < 1e-5, "{}", with(0).cost);
    assert!((with(1).cost - 185.721064562).abs() < 1e-6, "{}", with(1).cost);
    assert!((with(1).impacts[0].1 - 1.944345667).abs() < 1e-6, "{:?}", with(1).impacts);
    assert!(discovery.best().unwrap().cost < 185.7211);
}

#[test]
fn a_search_that_is_stopped_keeps_what_it_found() {
    let problem = transfer(1.0, 0.5, 1.0, 12);
    let mut left = 300;
    let mut observe = |_: &carom_nlp::Progress<'_>| {
        left -= 1;
        left > 0
    };
    let guess = Guess::interpolate(&problem, &[]);
    let discovery = discover(&problem, &guess, &DiscoverOptions::default(), &mut observe).unwrap();
    assert_eq!(discovery.history.last().unwrap().status, carom_nlp::Status::Stopped);
    assert!(discovery.best().is_some());
}
