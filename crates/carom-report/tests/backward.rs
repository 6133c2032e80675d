//! Runs backward in time: told in forward time, and drawn like others.

use crate::common;

use carom_model::{Ending, Trajectory};
use carom_report::{WriteOptions, plot, read, write};
use common::bounce::bounce;
use common::sleigh::sleigh;
use common::{Case, folder};
use std::fs;

/// The case as the result of a reversed system.
fn backward(case: Case) -> Case {
    Case { trajectory: case.trajectory.backward(), ..case }
}

fn negated(values: &[f64]) -> Vec<f64> {
    values.iter().map(|value| -value).collect()
}

#[test]
fn states_and_impacts_are_told_in_forward_time() {
    let (there, back) = (sleigh(40, 0.1).trajectory, backward(sleigh(40, 0.1)).trajectory);
    assert!(back.is_backward() && !there.is_backward());
    assert_eq!((back.q.clone(), back.gaps.clone(), back.multipliers.clone()), (there.q, there.gaps, there.multipliers));
    let turned = [(&back.t, &there.t), (&back.v, &there.v), (&back.p, &there.p), (&back.w, &there.w)];
    assert!(turned.into_iter().all(|(found, given)| *found == negated(given)));
    // The earliest node is at zero, without a sign.
    assert!(back.t[0].is_sign_positive());
    let (found, given) = (&back.impacts[0], &there.impacts[0]);
    assert_eq!((found.t, found.bracket), (-given.t, (-given.bracket.1, -given.bracket.0)));
    assert_eq!((&found.v_minus, &found.v_plus), (&negated(&given.v_plus), &negated(&given.v_minus)));
    assert_eq!((&found.impulses, &found.p_plus), (&given.impulses, &negated(&given.p_minus)));
}

#[test]
fn energies_modes_and_endings_are_turned() {
    let mut case = bounce(300, 0.01);
    case.trajectory.ending = Ending::Failed { time: 3.0, message: "at t = 3 it ends".to_owned() };
    let there = case.trajectory.clone();
    let back = backward(case).trajectory;
    for (found, given) in back.impacts.iter().zip(&there.impacts) {
        assert!((found.energy_minus - given.energy_minus - given.energy_change).abs() < 1e-14);
        assert_eq!(found.energy_change, -given.energy_change);
        assert_eq!(found.balance.energies, (given.balance.energies.1, given.balance.energies.0));
    }
    assert_eq!((back.modes[0].from, back.modes[0].to), (there.modes[0].to, there.modes[0].from));
    assert_eq!((back.modes[0].t, back.findings[0].t), (-there.modes[0].t, -0.5));
    let Ending::Failed { time, message } = back.ending else { panic!("it has failed") };
    assert_eq!((time, message.as_str()), (-3.0, "backward in time, where the clock shows -t: at t = 3 it ends"));
}

#[test]
fn the_order_of_time_is_the_order_of_nodes_reversed() {
    let back = backward(bounce(300, 0.01)).trajectory;
    let ordered = back.in_order_of_time().into_owned();
    let last = back.len() - 1;
    assert!(ordered.t.windows(2).all(|pair| pair[0] < pair[1]));
    for k in 0..=last {
        assert_eq!(ordered.node(k), back.node(last - k));
        assert_eq!(ordered.gaps[2 * k..2 * k + 2], back.gaps[2 * (last - k)..2 * (last - k) + 2]);
    }
    assert!(ordered.impacts.windows(2).all(|pair| pair[0].t < pair[1].t));
    // Partial runs are completed.
    let partial = Trajectory { p: back.p[..10].to_vec(), ..back };
    assert!(partial.in_order_of_time().p[0].is_nan());
}

#[test]
fn results_keep_the_order_of_the_run() {
    let (case, folder) = (backward(sleigh(40, 0.1)), folder("backward"));
    write(&case.run(), &folder, WriteOptions::default()).unwrap();
    assert_eq!(read(&folder).unwrap().trajectory, case.trajectory);
}

/// The lines of a picture, whichever end they were drawn from and in whichever order.
fn lines(text: &str) -> Vec<Vec<&str>> {
    let tags = text.split("points=\"").skip(1);
    let words = tags.map(|tag| tag.split('"').next().unwrap().split_whitespace().collect::<Vec<_>>());
    let mut lines: Vec<Vec<&str>> =
        words.map(|line| line.iter().rev().copied().collect::<Vec<_>>().min(line)).collect();
    lines.sort();
    lines
}

#[test]
fn pictures_are_those_of_the_motion_in_forward_time() {
    for (name, case) in [("bounce", bounce(300, 0.01)), ("sleigh", sleigh(40, 0.1))] {
        let back = backward(case);
        let ordered = back.trajectory.in_order_of_time().into_owned();
        let draw = |trajectory: &Trajectory, place: &str| {
            let run = carom_report::Run { trajectory, ..back.run() };
            let files = plot::draw_all(&run, &folder(&format!("{place}_{name}"))).unwrap();
            files
                .into_iter()
                .map(|file| (file.file_name().unwrap().to_owned(), fs::read_to_string(file).unwrap()))
                .collect()
        };
        let pairs: [Vec<_>; 2] = [draw(&back.trajectory, "turned"), draw(&ordered, "ordered")];
        for ((file, found), (_, wanted)) in pairs[0].iter().zip(&pairs[1]) {
            match file.to_str().unwrap() {
                // Errors are measured from the start of the run, which is its end in time.
                "energy.svg" => assert_eq!(lines(found).len(), lines(wanted).len()),
                "gaps.svg" | "motion.svg" => assert!(found == wanted, "{name} {file:?}"),
                _ => assert!(lines(found) == lines(wanted), "{name} {file:?}"),
            }
        }
    }
}
