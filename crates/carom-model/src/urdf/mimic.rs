//! Joints that follow others, and where the coordinates begin.

use super::error::{MimicMistake, UrdfError};
use super::remark::What;
use super::robot::{Joint, Mimic, Robot};
use super::xml::{LARGEST, Reading, shown};
use std::collections::HashMap;

/// Where the coordinate of each joint begins, and whom it follows.
pub(super) struct Starts {
    pub values: Vec<f64>,
    /// The joint that leads, by its place.
    pub leaders: Vec<Option<usize>>,
}

/// Zero, or the nearest value within the limits; followers begin where their leader says.
pub(super) fn starts(reading: &mut Reading, robot: &Robot) -> Result<Starts, UrdfError> {
    let places: HashMap<&str, usize> =
        robot.joints.iter().enumerate().map(|(place, joint)| (joint.name.as_str(), place)).collect();
    let leader = |joint: &Joint| joint.mimic.as_ref().map(|mimic| lead(robot, joint, mimic, &places)).transpose();
    let leaders = robot.joints.iter().map(leader).collect::<Result<Vec<_>, _>>()?;
    let mut values: Vec<f64> = robot.joints.iter().map(nearest).collect();
    for (joint, value) in robot.joints.iter().zip(&values) {
        if *value != 0.0 && joint.mimic.is_none() {
            reading.remark(joint.line, &joint.subject(), What::Begins(*value));
        }
    }
    for place in 0..robot.joints.len() {
        values[place] = follow(robot, &leaders, &values, place)?;
    }
    Ok(Starts { values, leaders })
}

/// The place of the joint that leads.
fn lead(robot: &Robot, joint: &Joint, mimic: &Mimic, places: &HashMap<&str, usize>) -> Result<usize, UrdfError> {
    let place = places.get(mimic.other.as_str()).copied();
    let place = place.ok_or_else(|| mistake(joint, mimic, MimicMistake::Unknown))?;
    match robot.joints[place].kind.is_single() {
        true => Ok(place),
        false => Err(mistake(joint, mimic, MimicMistake::NotOneCoordinate)),
    }
}

fn mistake(joint: &Joint, mimic: &Mimic, mistake: MimicMistake) -> UrdfError {
    UrdfError::Mimic { line: mimic.line, joint: shown(&joint.name), other: shown(&mimic.other), mistake }
}

/// The value within the limits that is nearest to zero.
fn nearest(joint: &Joint) -> f64 {
    match joint.limits.as_ref().and_then(|limits| limits.range) {
        Some([lower, upper]) if lower <= upper && lower <= LARGEST && upper >= -LARGEST => 0.0_f64.clamp(lower, upper),
        _ => 0.0,
    }
}

/// The value that the leader of all gives to a joint.
fn follow(robot: &Robot, leaders: &[Option<usize>], values: &[f64], place: usize) -> Result<f64, UrdfError> {
    let joint = &robot.joints[place];
    let Some(own) = &joint.mimic else { return Ok(values[place]) };
    // Composed from the follower to its last leader: value = multiplier * leader + offset.
    let (mut at, mut multiplier, mut offset) = (place, 1.0, 0.0);
    for _ in 0..=leaders.len() {
        let (Some(leader), Some(mimic)) = (leaders[at], &robot.joints[at].mimic) else {
            let value = multiplier * values[at] + offset;
            return if value.abs() <= LARGEST { Ok(value) } else { Err(mistake(joint, own, MimicMistake::NotFinite)) };
        };
        offset += multiplier * mimic.offset;
        multiplier *= mimic.multiplier;
        at = leader;
    }
    // So many steps end on the circle.
    let on_circle = &robot.joints[at];
    Err(mistake(on_circle, on_circle.mimic.as_ref().unwrap_or(own), MimicMistake::Circle))
}
