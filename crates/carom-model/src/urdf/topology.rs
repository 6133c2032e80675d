//! The tree that links and joints make, or why they make none.

use super::error::{Limit, UrdfError};
use super::robot::Robot;
use super::xml::shown;

/// Roots that a message lists.
const LISTED: usize = 5;

/// The links from the root on.
pub(super) struct Order {
    pub root: usize,
    /// Links, parents before children, branch after branch.
    pub order: Vec<usize>,
    /// The joint above each link; none above the root.
    pub above: Vec<Option<usize>>,
}

impl Order {
    /// Joints in the order of the links below them.
    pub fn joints(&self) -> impl Iterator<Item = usize> {
        self.order.iter().filter_map(|&link| self.above[link])
    }
}

/// Finds the tree.
pub(super) fn order(robot: &Robot) -> Result<Order, UrdfError> {
    let above = above(robot)?;
    let root = root(robot, &above)?;
    let mut below = vec![Vec::new(); robot.links.len()];
    for (place, joint) in robot.joints.iter().enumerate() {
        below[joint.parent].push(place);
    }
    let mut order = Vec::new();
    let mut waiting = vec![(root, 1)];
    while let Some((link, depth)) = waiting.pop() {
        if depth > Limit::Chain.most() {
            return Err(UrdfError::TooMuch { line: robot.links[link].line, of: Limit::Chain });
        }
        order.push(link);
        waiting.extend(below[link].iter().rev().map(|&joint| (robot.joints[joint].child, depth + 1)));
    }
    let mut is_reached = vec![false; robot.links.len()];
    order.iter().for_each(|&link| is_reached[link] = true);
    // Every link but the root has one parent: what is not reached hangs on a circle.
    match is_reached.iter().position(|is| !is) {
        Some(link) => Err(cycle(robot, &above, link)),
        None => Ok(Order { root, order, above }),
    }
}

/// The joint above each link.
fn above(robot: &Robot) -> Result<Vec<Option<usize>>, UrdfError> {
    let mut above: Vec<Option<usize>> = vec![None; robot.links.len()];
    for (place, joint) in robot.joints.iter().enumerate() {
        if let Some(first) = above[joint.child].replace(place) {
            let other = &robot.joints[first];
            return Err(UrdfError::TwoParents {
                line: joint.line,
                link: shown(&robot.links[joint.child].name),
                joint: shown(&joint.name),
                other: shown(&other.name),
                other_line: other.line,
            });
        }
    }
    Ok(above)
}

/// The one link that hangs on nothing.
fn root(robot: &Robot, above: &[Option<usize>]) -> Result<usize, UrdfError> {
    let roots: Vec<usize> = (0..above.len()).filter(|&link| above[link].is_none()).collect();
    match roots.as_slice() {
        [] => Err(cycle(robot, above, 0)),
        [root] => Ok(*root),
        [_, second, ..] => {
            let names: Vec<String> =
                roots.iter().take(LISTED).map(|&link| format!("`{}`", shown(&robot.links[link].name))).collect();
            let more = if roots.len() > LISTED { ", ..." } else { "" };
            let line = robot.links[*second].line;
            Err(UrdfError::SeveralRoots { line, count: roots.len(), roots: names.join(", ") + more })
        }
    }
}

/// The circle above a link: as many steps up as there are links end on it.
fn cycle(robot: &Robot, above: &[Option<usize>], link: usize) -> UrdfError {
    let up = |link: usize| above[link].map_or(link, |joint| robot.joints[joint].parent);
    let link = (0..above.len()).fold(link, |link, _| up(link));
    let joint = above[link].map(|joint| &robot.joints[joint]);
    let (line, joint) = joint.map_or((1, String::new()), |joint| (joint.line, shown(&joint.name)));
    UrdfError::Cycle { line, link: shown(&robot.links[link].name), joint }
}
