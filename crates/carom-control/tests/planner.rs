//! Plans: impacts that are found, put in and taken out.

use carom_control::ProblemFile;
use carom_control::planner::{PlanEvent, PlanOptions, PlanStart, plan};
use std::path::Path;

fn problem(path: &str) -> ProblemFile {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    ProblemFile::read(&path, &[]).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_particle_of_002() {
    let file = problem("papers/002/plan.toml");
    let begin = std::time::Instant::now();
    let mut watch = |event: PlanEvent<'_>| {
        match event {
            PlanEvent::Search(found) => eprintln!("{:.2?} {found:?}", begin.elapsed()),
            PlanEvent::Descent { iteration, is_free } if iteration.number % 20 == 0 => {
                eprintln!(
                    "{:.2?} {is_free} {} {:?} {:?}",
                    begin.elapsed(),
                    iteration.number,
                    iteration.costs,
                    iteration.crossings
                );
            }
            PlanEvent::Polished(motion) => {
                eprintln!(
                    "{:.2?} {} {} {:?} depth {:.1e} violation {:.1e}",
                    begin.elapsed(),
                    motion.times.len(),
                    motion.cost,
                    motion.certificate,
                    motion.depth,
                    motion.violation
                );
            }
            _ => {}
        }
        true
    };
    let found = plan(&file.problem, &PlanStart::default(), &PlanOptions::default(), &mut watch).expect("plans");
    eprintln!("{:.2?} solved {}", begin.elapsed(), found.solved);
}
