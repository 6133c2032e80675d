//! Contacts at the initial state: gaps that are functions of the configuration, none of them
//! negative, and zero where the bodies stay together.

use super::ContactOrigin;
use super::state::{State, UNREMARKABLE};
use carom_expr::Id;
use carom_linalg::max_abs;

/// What a contact does at the initial state.
struct Touch {
    index: usize,
    name: String,
    place: ContactOrigin,
    gap: f64,
    /// Gaps smaller than this are rounding.
    limit: f64,
    is_closed: bool,
}

impl State<'_> {
    /// Gaps and tangents depend on coordinates, and no two contacts are the same.
    pub fn check_geometry(&mut self) {
        let names: Vec<String> = self.parts.system.contacts().iter().map(|contact| contact.name.clone()).collect();
        let (dynamics, places, active) = (self.dynamics.clone(), self.parts.origin.contacts.clone(), self.active());
        for (index, (name, place)) in names.iter().zip(&places).enumerate() {
            if !self.graph.depends_on(dynamics.gaps[index], &dynamics.q) {
                let gap = self.evaluate(&dynamics.gaps[index..=index])[0];
                let message = format!("the gap of `{name}` is {gap} everywhere: it depends on no coordinate");
                let help = "write an expression of coordinates, as in `gap = \"y - r\"`".to_owned();
                self.report.error("constant", place.gap, message, Some(help));
                continue;
            }
            // The same gap may stand twice, if each has its own region.
            let is_same = |other: &usize| {
                let shares = active[*other].is_none() || active[index].is_none() || active[*other] == active[index];
                dynamics.gaps[*other] == dynamics.gaps[index] && shares
            };
            if let Some(other) = (0..index).find(is_same) {
                let message = format!("contact `{name}` has the same gap as contact `{}`", names[other]);
                let line = self.report.line(places[other].gap);
                let help = format!("remove one of them, or give each its own `active`; the other is on line {line}");
                self.report.error("redundant", place.gap, message, Some(help));
            }
        }
        self.check_tangents(&names, &places);
    }

    fn check_tangents(&mut self, names: &[String], places: &[ContactOrigin]) {
        for (index, (name, place)) in names.iter().zip(places).enumerate() {
            let tangents = self.parts.system.contacts()[index].tangents.clone();
            if tangents.is_empty() {
                continue;
            }
            let tangents = self.parts.system.specialise(&mut self.graph, &tangents);
            let constant = tangents.iter().position(|&tangent| !self.graph.depends_on(tangent, &self.dynamics.q));
            let at = |index: usize| place.tangents.get(index).copied().unwrap_or(place.gap);
            if let Some(which) = constant {
                let message = format!("the tangent of `{name}` is constant: it depends on no coordinate");
                let help = "write the position along the surface, as in `tangent = \"x\"`".to_owned();
                self.report.error("constant", at(which), message, Some(help));
            } else if tangents.len() == 2 && tangents[0] == tangents[1] {
                let message = format!("the two tangents of `{name}` are the same");
                let help = "remove one, or write the position along the other direction".to_owned();
                self.report.error("redundant", at(1), message, Some(help));
            }
        }
    }

    /// Where each contact exists, with numbers for the parameters.
    pub fn active(&mut self) -> Vec<Option<Id>> {
        let contacts = self.parts.system.contacts();
        let given: Vec<Id> = contacts.iter().filter_map(|contact| contact.active).collect();
        let mut given = self.parts.system.specialise(&mut self.graph, &given).into_iter();
        contacts.iter().map(|contact| contact.active.and_then(|_| given.next())).collect()
    }

    /// Which contacts exist at a state.
    pub fn existing(&mut self, q: &[f64], v: &[f64]) -> Vec<bool> {
        let active = self.active();
        active.iter().map(|id| id.is_none_or(|id| self.evaluate_at(&[id], q, v)[0] > 0.0)).collect()
    }

    /// Gaps below this are rounding.
    pub fn smallest_gap(&self) -> f64 {
        UNREMARKABLE * max_abs(&self.parts.initial.q).max(1.0)
    }

    /// No contact is violated, and those that are closed stay so.
    pub fn check_gaps(&mut self) {
        let (q, v) = (self.parts.initial.q.clone(), self.parts.initial.v.clone());
        let exists = self.existing(&q, &v);
        let gaps = self.evaluate(&self.dynamics.gaps);
        let limit = self.smallest_gap();
        for (index, gap) in gaps.into_iter().enumerate() {
            let contact = &self.parts.system.contacts()[index];
            let (name, is_closed) = (contact.name.clone(), contact.is_closed);
            let place = self.parts.origin.contacts[index].clone();
            if exists[index] || is_closed {
                self.check_touch(&Touch { index, name, place, gap, limit, is_closed });
            }
        }
    }

    fn check_touch(&mut self, touch: &Touch) {
        let Touch { index, name, place, gap, limit, is_closed } = touch;
        if *is_closed && gap.abs() > *limit {
            let message = format!("contact `{name}` is closed, but its gap is {gap:.3e} instead of 0");
            let help = format!("{}, or remove `closed`", self.suggest_state(*index));
            self.report.error("not-closed", place.closed, message, Some(help));
        } else if *gap < -limit {
            let message = format!(
                "the initial state is inside the obstacle of contact `{name}`: the gap is {gap:.3e}, the limit -{limit:.0e}"
            );
            let help = self.suggest_state(*index);
            self.report.error("overlap", place.gap, message, Some(help));
        } else if *gap <= *limit {
            self.check_gradient(touch);
        }
    }

    /// Where bodies touch, the gap has a direction, and a rate of zero if they stay together.
    fn check_gradient(&mut self, touch: &Touch) {
        let Touch { index, name, place, gap, is_closed, .. } = touch;
        let dynamics = self.dynamics.clone();
        let gradient = self.graph.gradient(dynamics.gaps[*index], &dynamics.q);
        let gradient = self.evaluate(&gradient);
        let steepest = max_abs(&gradient);
        if !(steepest > UNREMARKABLE && steepest.is_finite()) {
            let message = format!(
                "the bodies of contact `{name}` touch at first (gap {gap:.1e}), but the gradient of the gap is \
                 {steepest:.1e} there, and must not vanish"
            );
            let help = "write a gap that grows with the distance, not with its square; or start apart".to_owned();
            self.report.error("no-direction", place.gap, message, Some(help));
            return;
        }
        let v = &self.parts.initial.v;
        let rate = carom_linalg::dot(&gradient, v);
        if *is_closed && rate.abs() > UNREMARKABLE * (1.0 + v.iter().fold(0.0, |sum, v| sum + v.abs())) {
            let message = format!("contact `{name}` is closed, but the rate of its gap is {rate:.3e} instead of 0");
            let help = "change the initial velocities in [coordinates], or remove `closed`".to_owned();
            self.report.error("not-closed", place.closed, message, Some(help));
        }
    }
}
