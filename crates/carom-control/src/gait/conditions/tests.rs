//! Lift-off is the rate of the clearance.

use super::CLEARANCE;
use crate::file::ProblemFile;
use crate::formula::Formulas;

/// The planar gait of the thesis with an arc of this height.
fn gait(clearance: &str) -> ProblemFile {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../papers/001");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let text = read("planar-gait-contact.toml").replace("effort = 1e-2", &format!("effort = 1e-2\n{clearance}"));
    ProblemFile::from_text(&text, "gait.toml", &[], &|name| Ok(read(name))).unwrap_or_else(|found| panic!("{found}"))
}

/// At the start the foot is one step behind: there, with any rates that leave the stance foot in
/// place, the formula is the change of the clearance over time.
#[test]
fn lift_off_is_the_rate_of_the_clearance() {
    for clearance in ["", "clearance = 0.07"] {
        let file = gait(clearance);
        let (own, start) = (file.gait.as_ref().unwrap(), &file.gait_starts().unwrap()[0]);
        let (system, q) = (own.system(), &start.phases[0].q[0]);
        let conditions = own.conditions();
        let height = &conditions.iter().find(|path| path.condition.name == CLEARANCE).unwrap().condition.formula;
        let v = [0.0, 0.0, 0.7, -1.1, 0.4, 2.3];
        let mut graph = system.graph().clone();
        let formulas = Formulas::new(system, &[], &[], ("step", true));
        let [height, rate] =
            [height, &own.lift_off().formula].map(|formula| formulas.read(&mut graph, "a test", formula).unwrap());
        let at = |id, by: f64| {
            let places = system.q().iter().zip(q).zip(&v).map(|((id, q), v)| (*id, q + by * v));
            let rates = system.v().iter().copied().zip(v);
            graph.evaluate(&[id], &places.chain(rates).collect::<Vec<_>>())[0]
        };
        let expected = (at(height, 1e-5) - at(height, -1e-5)) / 2e-5;
        let found = at(rate, 0.0);
        assert!(expected.abs() > 0.1 && (found - expected).abs() < 1e-7, "{clearance}: {found} {expected}");
    }
}
