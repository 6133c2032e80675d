//! Hops from optima of searches, and searches that begin near an optimum and stay there.

use crate::systems::block;
use crate::systems::solved::solved;
use crate::walking::{gait, own, replaced, text};

use carom_control::{
    CostKind, GaitEvent, GaitOptions, GaitSearch, ProblemFile, SolveOptions, WorkPart, solve, transcription,
};
use carom_expr::Backend;
use carom_nlp::{Nlp, Status};

/// The gait of least absolute work on a mesh that is too coarse for it, and quick.
fn coarse() -> ProblemFile {
    gait(
        "planar-gait-work-midpoint.toml",
        &[("intervals = 80", "intervals = 45"), ("net_first = true\nstarts = 8", "starts = 3")],
    )
}

fn searched(file: &ProblemFile, options: &GaitOptions, observe: &mut dyn FnMut(GaitEvent<'_>) -> bool) -> GaitSearch {
    own(file).search(&file.gait_starts().unwrap(), options, observe).unwrap()
}

/// Costs of what was found, with starts and hops: to be compared bit by bit.
fn numbers(found: &GaitSearch) -> Vec<(usize, usize, u64)> {
    found.candidates.iter().map(|own| (own.start, own.hops, own.cost().to_bits())).collect()
}

#[test]
fn hops_lead_to_cheaper_gaits_whatever_the_number_of_threads() {
    let file = coarse();
    let with =
        |hops: usize, threads: usize| GaitOptions { hops, threads, is_audited: false, ..file.gait_options().unwrap() };
    let mut told = Vec::new();
    let found = searched(&file, &with(4, 1), &mut |event| {
        if let GaitEvent::Hopped { start, hop, cost } = event {
            told.push((start, hop, cost));
        }
        true
    });
    let plain = searched(&file, &with(0, 2), &mut |_| true);
    assert!(plain.candidates.iter().all(|candidate| candidate.hops == 0));
    let [before, after] = [&plain, &found].map(|search| search.candidates[0].cost());
    eprintln!("{before} {after} {told:?}");
    assert!(after < 0.995 * before, "{before} {after}");
    assert!(found.candidates[0].hops > 0 && found.candidates.len() > plain.candidates.len());
    // Every hop was told, in order; what a chain begins with is kept.
    let starts: Vec<usize> = plain.candidates.iter().map(|own| own.start).collect();
    for start in &starts {
        let hops: Vec<usize> = told.iter().filter(|told| told.0 == *start).map(|told| told.1).collect();
        assert!(hops.is_empty() || hops == [1, 2, 3, 4], "{told:?}");
    }
    assert!(numbers(&plain).iter().all(|own| numbers(&found).contains(own)));
    // Candidates are optima that a hop has led to.
    for candidate in found.candidates.iter().filter(|own| own.hops > 0) {
        assert!(told.contains(&(candidate.start, candidate.hops, Some(candidate.cost()))));
        assert_eq!(candidate.solution.outcome.status, Status::Converged);
    }
    assert_eq!(numbers(&found), numbers(&searched(&file, &with(4, 4), &mut |_| true)));
}

#[test]
fn a_search_that_is_stopped_while_it_hops_keeps_what_it_has() {
    let file = coarse();
    let options = GaitOptions { hops: 50, threads: 2, ..file.gait_options().unwrap() };
    let mut hops = 0;
    let found = searched(&file, &options, &mut |event| {
        hops += usize::from(matches!(event, GaitEvent::Hopped { .. }));
        hops < 3
    });
    assert!(found.is_stopped && found.candidates.len() >= 3 && hops < 10, "{hops}");
    assert!(found.candidates.iter().all(|candidate| candidate.audit.is_none()));
}

/// The limit of time is that of the whole search: nothing begins when it is spent, and what is there is kept.
#[test]
fn a_search_without_time_left_begins_nothing() {
    let file = coarse();
    let mut options = GaitOptions { hops: 50, threads: 2, ..file.gait_options().unwrap() };
    options.solve.nlp.max_seconds = 1e-9;
    let mut hops = 0;
    let found = searched(&file, &options, &mut |event| {
        hops += usize::from(matches!(event, GaitEvent::Hopped { .. }));
        true
    });
    assert_eq!((found.candidates.len(), found.candidates[0].start, hops), (1, 0, 0));
    assert_eq!(found.candidates[0].solution.outcome.status, Status::TimeLimit);
    assert!(!found.is_stopped && found.candidates[0].audit.is_none());
}

/// If no start converges, all are tried with the other solver.
#[test]
fn another_solver_stands_behind_all_starts() {
    let file = gait("planar-gait-contact.toml", &[("starts = 10", "starts = 2")]);
    let mut options = GaitOptions { is_audited: false, ..file.gait_options().unwrap() };
    assert_eq!(options.solve.solver, "interior");
    options.solve.nlp.max_iterations = 2;
    let cut = searched(&file, &GaitOptions { otherwise: None, ..options.clone() }, &mut |_| true);
    assert!(cut.candidates.iter().all(|own| !own.solution.outcome.status.is_success()));
    (options.solve.solver, options.otherwise) = ("nobody".to_owned(), Some("interior".to_owned()));
    options.solve.nlp.max_iterations = 1000;
    let found = searched(&file, &options, &mut |_| true);
    assert!((found.candidates[0].cost() / 3.555017603e-3 - 1.0).abs() < 1e-6, "{}", found.candidates[0].cost());
    assert!(found.failures.is_empty(), "{:?}", found.failures);
}

/// A guess with controls knows the work: what splits it into parts is satisfied before the search begins.
#[test]
fn guesses_split_what_is_split() {
    let problem = block(3).cost("work", 0.1, CostKind::Work { inputs: Vec::new(), part: WorkPart::Absolute });
    let solution = solved(&problem, "gauss2");
    let mut transcript = transcription("gauss2").unwrap().transcribe(&problem, Backend::Interpreter).unwrap();
    solution.guess().apply(&problem, &mut transcript).unwrap();
    let start = transcript.program.start().to_vec();
    let mut rows = vec![0.0; transcript.program.row_ranges().len()];
    transcript.program.values(&start, &mut rows);
    let splits = &transcript.layout.phases[0].splits;
    assert_eq!(splits.len(), 6);
    for split in splits {
        let [plus, minus] = [split.plus, split.minus].map(|part| start[part as usize]);
        assert!(rows[split.row as usize].abs() < 1e-15 && plus.min(minus) == 0.0, "{plus} {minus}");
    }
    let largest = splits.iter().map(|split| start[split.plus as usize]).fold(0.0, f64::max);
    assert!(largest > 0.1, "{largest}");
}

/// From an optimum, a small barrier stays with it.
#[test]
fn small_barriers_stay_near() {
    let file = coarse();
    let options = GaitOptions { hops: 2, is_audited: false, ..file.gait_options().unwrap() };
    let best = searched(&file, &options, &mut |_| true).candidates[0].solution.clone();
    let mut near: SolveOptions = file.options();
    near.nlp.near = true;
    let again = |barrier: f64| {
        let mut options = near.clone();
        options.nlp.barrier = Some(barrier);
        solve(&file.problem, &best.guess(), &options, &mut |_| true).unwrap().outcome
    };
    let (stays, cost) = (again(1e-7), best.outcome.objective);
    assert!(stays.status.is_success() && stays.objective < 1.001 * cost, "{} {cost}", stays.objective);
    for wrong in [0.0, -1.0, f64::NAN] {
        let refused = again(wrong).status.to_string();
        assert!(refused.contains("the first barrier is"), "{refused}");
    }
}

/// Files ask for hops as they do for starts, or for none.
#[test]
fn hops_are_read() {
    let count = |lines: &str| {
        let text = replaced(&text("planar-gait-contact.toml"), &[("starts = 10", lines)]);
        crate::walking::read(&text).map(|file| file.gait_options().unwrap().hops)
    };
    assert_eq!(count("starts = 10").unwrap(), 0);
    assert_eq!(count("hops = 7").unwrap(), 7);
    assert_eq!(count("hops = 0").unwrap(), 0);
    let refused = count("hops = -1").unwrap_err();
    assert!(refused.to_string().contains("`hops` of [gait]"), "{refused}");
}
