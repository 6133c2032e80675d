//! Contacts of points with planes: gaps and tangents.

use super::super::assemble::Assembly;
use super::super::contacts::DeclaredContact;
use super::build::Built;
use crate::tree::{Plane, moving};
use carom_expr::Id;

/// The normal where none is given.
const UP: [f64; 3] = [0.0, 0.0, 1.0];

/// A contact of a point with a plane.
#[derive(Clone)]
pub(in super::super) struct PlaneContact {
    pub gap: Id,
    /// Positions along the plane; none for a ball.
    pub tangents: Vec<Id>,
    pub plane: Plane,
    /// The normal in numbers, of unit length.
    pub normal: [f64; 3],
}

impl Assembly<'_, '_> {
    /// For each contact, its gap and tangents if it is one of a point; without tangents on which no coordinate has an
    /// influence.
    pub fn plane_contacts(&mut self, declared: &[DeclaredContact], built: &Built) -> Vec<Option<PlaneContact>> {
        let mut all: Vec<_> = declared.iter().map(|contact| self.plane_contact(contact, built)).collect();
        let tangents =
            |contact: &Option<PlaneContact>| contact.iter().flat_map(|c| c.tangents.clone()).collect::<Vec<_>>();
        let roots: Vec<Id> = all.iter().flat_map(tangents).collect();
        let mut moves = moving(&self.expressions.graph, &roots, &self.known()).into_iter();
        for contact in all.iter_mut().flatten() {
            contact.tangents.retain(|_| moves.next().unwrap_or(true));
        }
        all
    }

    fn plane_contact(&mut self, contact: &DeclaredContact, built: &Built) -> Option<PlaneContact> {
        let name = &contact.name;
        let place = built.point(self.report, contact.point.as_ref()?, &format!("contact `{name}`"));
        let plane = contact.plane.as_ref();
        let what = format!("the normal of contact `{name}`");
        let (normal, unit) = match plane.and_then(|plane| plane.normal.as_ref()) {
            Some(values) => {
                let numbers = self.direction(values, &what)?;
                let length = numbers.iter().map(|part| part * part).sum::<f64>().sqrt();
                (self.vector(Some(values), &what), numbers.map(|part| part / length))
            }
            None => (UP.map(|part| self.expressions.graph.constant(part)), UP),
        };
        let offset =
            self.measure(plane.and_then(|plane| plane.offset.as_ref()), &format!("the offset of contact `{name}`"));
        let radius = self.not_negative(contact.radius.as_ref(), &format!("the radius of contact `{name}`"));
        let place = place.filter(|_| self.is_small(contact.place))?;
        let graph = &mut self.expressions.graph;
        let plane = Plane::new(graph, normal, offset.id);
        let gap = plane.gap(graph, place, radius.id);
        // The point of contact of a ball that rolls is no function of where the ball is.
        let tangents = match radius.value > 0.0 {
            true => Vec::new(),
            false => plane.tangents(graph, unit[0]).map(|tangent| graph.dot(&tangent, &place)).to_vec(),
        };
        Some(PlaneContact { gap, tangents, plane, normal: unit })
    }
}
