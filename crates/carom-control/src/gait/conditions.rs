//! Conditions of a step: the swing foot keeps above the ground, the ground pushes and holds.
//!
//! ```text
//! gap - c (1 - (x/L)^2) >= 0,    N >= N_0,    |T| <= mu N
//! ```

use super::Gait;
use crate::problem::{Condition, PathCondition, Where};
use carom_nlp::Range;

/// Name of the condition that keeps the swing foot above the ground.
pub(super) const CLEARANCE: &str = "clearance";

impl Gait {
    /// The foot that the impact lets go does not begin by moving into the ground, or below the arc. It mostly does not:
    /// this is asked for where it does.
    ///
    /// ```text
    /// d/dt (gap - c (1 - (x/L)^2)) = gap' - 2 c x'/L >= 0    at x = -L
    /// ```
    pub(super) fn lift_off(&self) -> Condition {
        let (stance, swing) = (&self.stance, &self.swing);
        let formula = match self.clearance {
            0.0 => format!("gap_{swing}'"),
            height => {
                format!("gap_{swing}' - {:?}*(tangent_{swing}' - tangent_{stance}')/({})", 2.0 * height, self.length)
            }
        };
        Condition { name: "lift-off".to_owned(), formula, range: Range::at_least(0.0) }
    }

    /// Conditions along the way: clearance of the swing foot, forces of the stance foot.
    pub(super) fn conditions(&self) -> Vec<PathCondition> {
        let (stance, swing) = (&self.stance, &self.swing);
        let ask = |name: &str, formula: String, least: f64| {
            let condition = Condition { name: name.to_owned(), formula, range: Range::at_least(least) };
            PathCondition { condition, at: Where::Nodes }
        };
        let arc = match self.clearance {
            0.0 => format!("gap_{swing}"),
            height => {
                let ahead = format!("(tangent_{swing} - tangent_{stance})/({})", self.length);
                format!("gap_{swing} - {height:?}*(1 - ({ahead})^2)")
            }
        };
        let mut found = vec![ask(CLEARANCE, arc, 0.0)];
        // Forces are seen in parts of the weight: rows of the size of one.
        let weight = &self.weight;
        if let Some(least) = self.normal_force {
            found.push(ask("normal force", format!("(force_{stance} - {least:?})/({weight})"), 0.0));
        }
        let is_spatial = self.contact(stance).is_some_and(|contact| contact.tangents.len() > 1);
        match self.friction {
            None => {}
            Some(mu) if is_spatial => {
                // The tip of the cone is rounded, by a thousandth of the weight, to the safe side.
                let across = format!("force_{stance}_t^2 + force_{stance}_t2^2 + (1e-3*({weight}))^2");
                found.push(ask("friction cone", format!("({mu:?}*force_{stance} - sqrt({across}))/({weight})"), 0.0));
            }
            Some(mu) => {
                for (name, sign) in [("friction forward", "-"), ("friction backward", "+")] {
                    let cone = format!("({mu:?}*force_{stance} {sign} force_{stance}_t)/({weight})");
                    found.push(ask(name, cone, 0.0));
                }
            }
        }
        found
    }
}

#[cfg(test)]
mod tests;
