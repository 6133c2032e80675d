//! What impact laws ask of gap rates, as far as equations can say it.

use crate::error::ControlError;
use crate::phase::PreparedPhase;

/// What a law asks of the gap rate: `u+ = -e u-`.
pub(crate) struct GapLaw {
    /// `e`
    pub(crate) restitution: f64,
    /// True if the energy is kept by definition.
    pub(crate) is_elastic: bool,
    /// True if the tangents are held after the impact.
    pub(crate) sticks: bool,
}

impl GapLaw {
    /// The law of a contact of a phase; `transition` is named in messages.
    pub(crate) fn of(phase: &PreparedPhase<'_>, contact: &str, transition: &str) -> Result<Self, ControlError> {
        let contacts = phase.system().contacts();
        let index = contacts.iter().position(|known| known.name == contact).unwrap_or(0);
        let contact = &contacts[index];
        let parameters = &phase.dynamics.law_parameters[index];
        let number = |name: &str| {
            let found = parameters.iter().find(|parameter| parameter.name == name);
            found.and_then(|parameter| phase.dynamics.graph.value(parameter.id))
        };
        let refuse = |why: &'static str| ControlError::Law {
            transition: transition.to_owned(),
            contact: contact.name.clone(),
            law: contact.law.clone(),
            why,
        };
        let law = |restitution: f64, is_elastic: bool, sticks: bool| Self { restitution, is_elastic, sticks };
        match contact.law.as_str() {
            "elastic" => Ok(law(1.0, true, false)),
            "newton" => number("restitution")
                .map(|e| law(e, false, false))
                .ok_or_else(|| refuse("its restitution is no number")),
            "plastic" | "transition" if contact.parameter("friction").is_none() => {
                Ok(law(0.0, false, !contact.tangents.is_empty()))
            }
            "plastic" | "transition" => Ok(law(0.0, false, false)),
            "reset" => Err(refuse(
                "give the new state as the map of the transition, without guards, and the gap as a condition at the end",
            )),
            _ => Err(refuse("whether it slips or sticks is decided by inequalities; use `newton` or `plastic`")),
        }
    }
}
