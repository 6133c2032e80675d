//! The element `link`.

use super::error::UrdfError;
use super::inertia::{Tensor, is_semidefinite, moments, turned};
use super::remark::What;
use super::robot::{Link, remark_others};
use super::visual::{self, Materials};
use super::xml::{LocalName, Reading, shown};
use roxmltree::Node;

/// Reads a link.
pub(super) fn read(reading: &mut Reading, node: Node<'_, '_>, materials: &Materials) -> Result<Link, UrdfError> {
    let name = reading.text(node, "name")?;
    let line = reading.line(node);
    let mut link = Link {
        name: name.to_owned(),
        line,
        mass: 0.0,
        centre: [0.0; 3],
        inertia: [0.0; 6],
        unsound: None,
        visuals: Vec::new(),
    };
    let subject = link.subject();
    if let Some(inertial) = reading.child(node, "inertial", &subject) {
        load(reading, inertial, &mut link, &subject)?;
    }
    for node in node.children().filter(|child| child.has_tag_name_of("visual")) {
        link.visuals.extend(visual::read(reading, node, &subject, materials)?);
    }
    if let Some(collision) = node.children().find(|child| child.has_tag_name_of("collision")) {
        let line = reading.line(collision);
        reading.remark(line, &subject, What::Collision);
    }
    remark_others(reading, node, &subject, &["inertial", "visual", "collision"], &["sensor"]);
    Ok(link)
}

/// Mass, centre and tensor of a link.
fn load(reading: &mut Reading, node: Node<'_, '_>, link: &mut Link, subject: &str) -> Result<(), UrdfError> {
    let line = reading.line(node);
    let pose = reading.pose(node, subject)?;
    let missing = || UrdfError::MissingElement { line, subject: format!("`inertial` of {subject}"), element: "mass" };
    let mass = reading.child(node, "mass", subject).ok_or_else(missing)?;
    let value = reading.number(mass, "value")?;
    if value < 0.0 {
        return Err(UrdfError::NegativeMass { line: reading.line(mass), link: shown(&link.name), mass: value });
    }
    (link.mass, link.centre) = (value, pose.xyz);
    match reading.child(node, "inertia", subject) {
        Some(inertia) => {
            let found = turned(tensor(reading, inertia)?, pose.rpy);
            if is_semidefinite(found) {
                link.inertia = found;
            } else {
                link.unsound = Some(found);
                let line = reading.line(inertia);
                reading.remark(line, subject, What::Indefinite(moments(found)[0]));
            }
        }
        None if value > 0.0 => reading.remark(line, subject, What::PointMass),
        None => {}
    }
    remark_others(reading, node, subject, &["origin", "mass", "inertia"], &[]);
    Ok(())
}

/// Moments must be there; products are often left out.
fn tensor(reading: &Reading, node: Node<'_, '_>) -> Result<Tensor, UrdfError> {
    let moment = |name| reading.number(node, name);
    let product = |name| reading.optional(node, name).map(Option::unwrap_or_default);
    Ok([moment("ixx")?, moment("iyy")?, moment("izz")?, product("ixy")?, product("ixz")?, product("iyz")?])
}
