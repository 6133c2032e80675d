//! Bipeds and gaits of the thesis, with changes of their text.
#![allow(dead_code)] // no test uses all of it

use carom_control::{Gait, Guess, ProblemFile, Solution, solve};
use carom_model::{Diagnostic, Diagnostics};
use carom_nlp::Status;
use std::path::PathBuf;

/// The text of a file of the thesis.
pub fn text(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../papers/001");
    std::fs::read_to_string(folder.join(name)).unwrap()
}

/// A text with replacements, each of which must have a place.
pub fn replaced(text: &str, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(text.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "`{old}` in\n{text}");
        text.replace(old, new)
    })
}

/// Reads a problem beside the models of the thesis.
pub fn read(text: &str) -> Result<ProblemFile, Diagnostics> {
    ProblemFile::from_text(text, "gait.toml", &[], &|name| Ok(self::text(name)))
}

/// The remarks about a problem that must be refused.
pub fn refused_by(text: &str) -> Vec<Diagnostic> {
    read(text).map(|_| ()).unwrap_err().0
}

/// A gait of the thesis with changes of its text.
pub fn gait(name: &str, changes: &[(&str, &str)]) -> ProblemFile {
    read(&replaced(&text(name), changes)).unwrap_or_else(|found| panic!("{found}"))
}

/// The gait behind a file.
pub fn own(file: &ProblemFile) -> &Gait {
    file.gait.as_ref().unwrap()
}

/// The posture that searches begin with.
pub fn posture(file: &ProblemFile) -> &[f64] {
    &file.models[0].initial.q
}

/// The optimum that is found from a guess; it must be one.
pub fn solved(file: &ProblemFile, guess: &Guess) -> Solution {
    let solution = solve(&file.problem, guess, &file.options(), &mut |_| true).unwrap();
    assert_eq!(solution.outcome.status, Status::Converged, "{:?}", solution.worst);
    solution
}

/// Largest difference of two lists.
pub fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// Knee, hip, swing knee and swing foot of the planar biped: links of half a metre from foot to hip.
pub fn planar_chain(q: &[f64]) -> [[f64; 2]; 4] {
    let mut angle = 0.0;
    let mut place = [q[0], q[1]];
    let signs = [1.0, 1.0, -1.0, -1.0];
    std::array::from_fn(|link| {
        angle += q[2 + link];
        place = [place[0] - 0.5 * signs[link] * angle.sin(), place[1] + 0.5 * signs[link] * angle.cos()];
        place
    })
}

/// The same in space, by rotations written out: `Rz Ry Rz` at the stance foot, knee, `Rz Ry Rz` at the hip, knee.
pub fn spatial_chain(q: &[f64]) -> [[f64; 3]; 4] {
    let turn = |[x, y, z]: [f64; 3], (axis, angle): (char, f64)| {
        let (s, c) = angle.sin_cos();
        if axis == 'z' { [c * x - s * y, s * x + c * y, z] } else { [c * x + s * z, y, c * z - s * x] }
    };
    let axes = ['z', 'y', 'z', 'y', 'z', 'y', 'z', 'y'];
    let joints: Vec<(char, f64)> = axes.into_iter().zip(q[3..].iter().copied()).collect();
    // Direction of a link, half a metre long, after so many joints.
    let link = |count: usize| joints[..count].iter().rev().fold([0.0, 0.0, 0.5], |place, joint| turn(place, *joint));
    let links = [(link(3), 1.0), (link(4), 1.0), (link(7), -1.0), (link(8), -1.0)];
    let mut place = [q[0], q[1], q[2]];
    links.map(|(link, sign)| {
        place = std::array::from_fn(|axis| place[axis] + sign * link[axis]);
        place
    })
}

/// The exchange of legs in the plane.
pub fn planar_exchange(q: &[f64]) -> Vec<f64> {
    vec![0.0, 0.0, q[2] + q[3] + q[4] + q[5], -q[5], -q[4], -q[3]]
}
