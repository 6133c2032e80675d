//! The system that runs backwards: `L(q, -v, -t)`, `F(q, -v, -t)`, the same constraints and gaps.
//!
//! If `q(t)` is a motion of a system, `q(-t)` is one of the reversed system. A step of a discrete Lagrangian
//! `Ld(qa, qb, h)` read backwards is a step of the adjoint rule for the reversed system, with momenta
//! `-p`: so the (-)-discrete equations of 004, (2) and Theorem 3.1 (ii), which go backwards in time, are the
//! (+)-equations of the reversed system. Elastic impacts can be undone, others cannot.

use crate::builder::SystemError;
use crate::system::{Input, Named, System};
use carom_expr::Id;
use std::sync::OnceLock;

/// Laws whose impacts read the same from both sides.
const UNDONE: [&str; 1] = ["elastic"];

impl System {
    /// The system that runs backwards; an error if an impact law cannot be undone.
    pub fn reversed(&self) -> Result<Self, SystemError> {
        if let Some(contact) = self.contacts.iter().find(|contact| !UNDONE.contains(&contact.law.as_str())) {
            let (contact, law) = (contact.name.clone(), contact.law.clone());
            return Err(SystemError::NotReversible { contact, law });
        }
        let mut graph = self.graph.clone();
        let variables = self.v.iter().chain([&self.time]);
        let backwards: Vec<(Id, Id)> = variables.map(|&id| (id, graph.neg(id))).collect();
        let mut turn = |ids: &[Id]| graph.substitute(ids, &backwards);
        let lagrangian = turn(&[self.lagrangian])[0];
        let forces = turn(&self.forces);
        let signals = turn(&self.inputs.iter().map(|input| input.signal).collect::<Vec<_>>());
        let inputs = self.inputs.iter().zip(signals).map(|(input, signal)| Input { signal, ..input.clone() }).collect();
        let definitions = turn(&self.definitions.iter().map(|definition| definition.id).collect::<Vec<_>>());
        let definitions = self.definitions.iter().zip(definitions);
        let definitions = definitions.map(|(named, id)| Named { name: named.name.clone(), id }).collect();
        let mut contacts = self.contacts.clone();
        for contact in &mut contacts {
            contact.active = contact.active.map(|active| turn(&[active])[0]);
        }
        Ok(Self {
            name: self.name.clone(),
            doc: self.doc.clone(),
            time: self.time,
            coordinates: self.coordinates.clone(),
            q: self.q.clone(),
            v: self.v.clone(),
            parameters: self.parameters.clone(),
            formulas: self.formulas.clone(),
            inputs,
            definitions,
            lagrangian,
            forces,
            constraints: self.constraints.clone(),
            velocity_constraints: self.velocity_constraints.clone(),
            frame: self.frame.clone(),
            contacts,
            dynamics: OnceLock::new(),
            graph,
        })
    }
}
