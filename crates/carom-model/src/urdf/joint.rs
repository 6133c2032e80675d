//! The element `joint`.

use super::error::UrdfError;
use super::remark::What;
use super::robot::{Joint, Kind, Limits, Mimic, remark_others};
use super::xml::{Reading, shown};
use crate::reading::suggest;
use roxmltree::Node;
use std::collections::HashMap;

/// The axis of a joint that does not say.
const AXIS: [f64; 3] = [1.0, 0.0, 0.0];
/// How far the length of an axis may be from one before it is said: files have few digits.
const UNIT: f64 = 1e-4;

/// Reads a joint; `links` says where each link stands.
pub(super) fn read(
    reading: &mut Reading,
    node: Node<'_, '_>,
    links: &HashMap<String, usize>,
) -> Result<Joint, UrdfError> {
    let (name, line) = (reading.text(node, "name")?, reading.line(node));
    let kind = kind(reading, node, name)?;
    let [parent, child] = ["parent", "child"].map(|role| end(reading, node, name, role, links));
    let (parent, child) = (parent?, child?);
    let mut joint = Joint {
        name: name.to_owned(),
        line,
        kind,
        parent,
        child,
        pose: Default::default(),
        axis: AXIS,
        damping: 0.0,
        limits: None,
        mimic: None,
    };
    let subject = joint.subject();
    joint.pose = reading.pose(node, &subject)?;
    if !matches!(kind, Kind::Fixed | Kind::Floating) {
        joint.axis = axis(reading, node, &joint)?;
    }
    dynamics(reading, node, &mut joint)?;
    limit(reading, node, &mut joint)?;
    mimic(reading, node, &mut joint)?;
    let known = ["origin", "parent", "child", "axis", "dynamics", "limit", "mimic"];
    remark_others(reading, node, &subject, &known, &["calibration", "safety_controller"]);
    Ok(joint)
}

fn kind(reading: &Reading, node: Node<'_, '_>, joint: &str) -> Result<Kind, UrdfError> {
    let found = reading.text(node, "type")?;
    Kind::named(found).ok_or_else(|| {
        let found = shown(found);
        let help = suggest(&found, "types", &Kind::names());
        UrdfError::UnknownJointType { line: reading.line(node), joint: shown(joint), found, help }
    })
}

/// The link at one end.
fn end(
    reading: &mut Reading,
    node: Node<'_, '_>,
    joint: &str,
    role: &'static str,
    links: &HashMap<String, usize>,
) -> Result<usize, UrdfError> {
    let subject = format!("joint `{}`", shown(joint));
    let line = reading.line(node);
    let missing = || UrdfError::MissingElement { line, subject: subject.clone(), element: role };
    let node = reading.child(node, role, &subject).ok_or_else(missing)?;
    let name = reading.text(node, "link")?;
    links.get(name).copied().ok_or_else(|| {
        let mut known: Vec<String> = links.keys().map(|link| shown(link)).collect();
        known.sort();
        let name = shown(name);
        let help = suggest(&name, "links", &known);
        UrdfError::UnknownLink { line: reading.line(node), joint: shown(joint), role, name, help }
    })
}

/// The unit vector of the axis.
fn axis(reading: &mut Reading, node: Node<'_, '_>, joint: &Joint) -> Result<[f64; 3], UrdfError> {
    let Some(node) = reading.child(node, "axis", &joint.subject()) else { return Ok(AXIS) };
    reading.text(node, "xyz")?;
    let given: [f64; 3] = reading.numbers(node, "xyz")?.unwrap_or(AXIS);
    let line = reading.line(node);
    // Scaled first, so that no square is too large or too small.
    let size = given.iter().fold(0.0_f64, |most, part| part.abs().max(most));
    if size == 0.0 {
        return Err(UrdfError::ZeroAxis { line, joint: shown(&joint.name) });
    }
    let scaled = given.map(|part| part / size);
    let length = scaled.iter().map(|part| part * part).sum::<f64>().sqrt();
    if (length * size - 1.0).abs() > UNIT {
        reading.remark(line, &joint.subject(), What::AxisLength(length * size));
    }
    // Rounded in the file: the digits stay as they are, and the reader of the model does the rest.
    let is_unit = (length * size - 1.0).abs() <= UNIT;
    Ok(if is_unit { given } else { scaled.map(|part| part / length) })
}

/// Damping, and friction that is left out.
fn dynamics(reading: &mut Reading, node: Node<'_, '_>, joint: &mut Joint) -> Result<(), UrdfError> {
    let subject = joint.subject();
    let Some(node) = reading.child(node, "dynamics", &subject) else { return Ok(()) };
    let (line, damping) = (reading.line(node), reading.optional(node, "damping")?.unwrap_or(0.0));
    let friction = reading.optional(node, "friction")?.unwrap_or(0.0);
    if joint.kind.is_single() {
        joint.damping = damping;
    } else if damping != 0.0 && joint.kind != Kind::Fixed {
        reading.remark(line, &subject, What::Ignored("dynamics".to_owned()));
    }
    if friction != 0.0 && joint.kind != Kind::Fixed {
        reading.remark(line, &subject, What::Friction);
    }
    Ok(())
}

/// Limits; the one of the effort tells whether there is a motor.
fn limit(reading: &mut Reading, node: Node<'_, '_>, joint: &mut Joint) -> Result<(), UrdfError> {
    let subject = joint.subject();
    let Some(node) = reading.child(node, "limit", &subject) else { return Ok(()) };
    if !joint.kind.is_single() {
        return Ok(());
    }
    let value = |name| reading.limit(node, name);
    let [lower, upper] = [value("lower")?, value("upper")?];
    // Joints that turn on and on have limits of effort and speed only.
    let is_range = joint.kind != Kind::Continuous && (lower.is_some() || upper.is_some());
    let range = is_range.then(|| [lower.unwrap_or(0.0), upper.unwrap_or(0.0)]);
    joint.limits = Some(Limits { range, velocity: value("velocity")?, effort: value("effort")? });
    let line = reading.line(node);
    reading.remark(line, &subject, What::Limits);
    Ok(())
}

fn mimic(reading: &mut Reading, node: Node<'_, '_>, joint: &mut Joint) -> Result<(), UrdfError> {
    let subject = joint.subject();
    let Some(node) = reading.child(node, "mimic", &subject) else { return Ok(()) };
    let line = reading.line(node);
    if !joint.kind.is_single() {
        reading.remark(line, &subject, What::Ignored("mimic".to_owned()));
        return Ok(());
    }
    let multiplier = reading.optional(node, "multiplier")?.unwrap_or(1.0);
    let offset = reading.optional(node, "offset")?.unwrap_or(0.0);
    joint.mimic = Some(Mimic { line, other: reading.text(node, "joint")?.to_owned(), multiplier, offset });
    Ok(())
}
