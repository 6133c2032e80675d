//! The element `visual`: primitives that can be drawn, and their colours.

use super::error::UrdfError;
use super::remark::What;
use super::robot::remark_others;
use super::xml::{LocalName, Pose, Reading, shown};
use roxmltree::Node;
use std::collections::HashMap;

/// A primitive of a link.
pub(super) struct Visual {
    /// In the frame of the link.
    pub pose: Pose,
    pub solid: Solid,
    /// `#rrggbb`.
    pub colour: Option<String>,
}

/// The primitives of URDF; their frames are in their middles.
pub(super) enum Solid {
    Box([f64; 3]),
    Cylinder {
        radius: f64,
        length: f64,
    },
    Ball {
        radius: f64,
    },
    /// Something that is not drawn.
    Unseen,
}

/// Colours under names.
pub(super) struct Materials {
    colours: HashMap<String, String>,
}

impl Materials {
    /// Those of the robot, then those that visuals define; the first of a name counts.
    pub fn new(reading: &mut Reading, robot: Node<'_, '_>) -> Result<Self, UrdfError> {
        let named = |node: &Node<'_, '_>| node.has_tag_name_of("material");
        let links = robot.children().filter(|node| node.has_tag_name_of("link"));
        let visuals = links.flat_map(|link| link.children()).filter(|node| node.has_tag_name_of("visual"));
        let local = visuals.flat_map(|visual| visual.children()).filter(named);
        let mut colours = HashMap::new();
        for node in robot.children().filter(named).chain(local) {
            if let (Some(name), Some(colour)) = (node.attribute("name"), colour(reading, node)?) {
                colours.entry(name.to_owned()).or_insert(colour);
            }
        }
        Ok(Self { colours })
    }
}

/// Reads a visual; nothing if it has no geometry.
pub(super) fn read(
    reading: &mut Reading,
    node: Node<'_, '_>,
    subject: &str,
    materials: &Materials,
) -> Result<Option<Visual>, UrdfError> {
    let pose = reading.pose(node, subject)?;
    let Some(geometry) = reading.child(node, "geometry", subject) else { return Ok(None) };
    let Some(shape) = geometry.children().find(Node::is_element) else { return Ok(None) };
    let solid = solid(reading, shape)?;
    if matches!(solid, Solid::Unseen) {
        let what = if shape.has_tag_name_of("mesh") { What::Mesh } else { What::NotDrawn };
        let line = reading.line(shape);
        reading.remark(line, subject, what);
    }
    let colour = match reading.child(node, "material", subject) {
        Some(material) => look_up(reading, material, subject, materials)?,
        None => None,
    };
    remark_others(reading, node, subject, &["origin", "geometry", "material"], &[]);
    Ok(Some(Visual { pose, solid, colour }))
}

fn solid(reading: &Reading, shape: Node<'_, '_>) -> Result<Solid, UrdfError> {
    let solid = match shape.tag_name().name() {
        "box" => {
            reading.text(shape, "size")?;
            Solid::Box(reading.numbers(shape, "size")?.unwrap_or_default())
        }
        "cylinder" => {
            Solid::Cylinder { radius: reading.number(shape, "radius")?, length: reading.number(shape, "length")? }
        }
        "sphere" => Solid::Ball { radius: reading.number(shape, "radius")? },
        _ => Solid::Unseen,
    };
    let has_extent = match &solid {
        Solid::Box(size) => size.iter().all(|length| *length > 0.0),
        Solid::Cylinder { radius, length } => *radius > 0.0 && *length > 0.0,
        Solid::Ball { radius } => *radius > 0.0,
        Solid::Unseen => false,
    };
    Ok(if has_extent { solid } else { Solid::Unseen })
}

/// A colour of its own, or that of the name.
fn look_up(
    reading: &mut Reading,
    material: Node<'_, '_>,
    subject: &str,
    materials: &Materials,
) -> Result<Option<String>, UrdfError> {
    if let Some(own) = colour(reading, material)? {
        return Ok(Some(own));
    }
    let Some(name) = material.attribute("name") else { return Ok(None) };
    let found = materials.colours.get(name).cloned();
    if found.is_none() {
        let line = reading.line(material);
        reading.remark(line, subject, What::Material(shown(name)));
    }
    Ok(found)
}

/// The colour that a material defines; how transparent it is is left out.
fn colour(reading: &mut Reading, material: Node<'_, '_>) -> Result<Option<String>, UrdfError> {
    let Some(node) = material.children().find(|child| child.has_tag_name_of("color")) else { return Ok(None) };
    reading.text(node, "rgba")?;
    let [red, green, blue, _] = reading.numbers(node, "rgba")?.unwrap_or_default();
    let byte = |part: f64| (part.clamp(0.0, 1.0) * 255.0).round() as u8;
    Ok(Some(format!("#{:02x}{:02x}{:02x}", byte(red), byte(green), byte(blue))))
}
