//! Gaits of two-legged robots: one step, periodic through the exchange of the legs.
//!
//! ```text
//! minimise   (E + eps h sum_k |u_k|^2) / (W L)                     the cost of transport, made regular
//! such that  the stance foot stands, the swing foot keeps above the ground and lands at the end, L ahead,
//!            (q, v) at the start = relabelling of (q, v+) after the impact,
//!            the ground pushes and holds:  N >= 0,  |T| <= mu N
//! ```
//!
//! (Thesis 4.2.1.) The relabelling exchanges the legs: in the plane by their names, in space with the mirror of
//! left and right. It is given as formulas of the coordinates, and [`Gait::check`] holds it to account: it must
//! keep the energy of states whose swing foot stands, and exchange the feet.
//!
//! The thesis does not define the energy `E` exerted by the controls. Net, positive and absolute work of the joints
//! are all here ([`WorkPart`]). Work alone is no sound objective: a torque that holds a joint is free, so that every
//! joint is limp or locked, and errors of the mesh pay the loss of the impact. Hence the effort, and an audit.
//!
//! ```text
//! Gait -> problem() -> ControlProblem          the step, in the language of all other problems
//!      -> starts()  -> guesses                 inverse kinematics of swing feet on arcs, around varied postures
//!      -> search()  -> GaitSearch              every start solved, hops from the cheapest, the cheapest that passes its audit taken
//! ```

mod check;
mod conditions;
mod hopping;
mod kinematics;
mod measures;
mod run;
mod search;
mod settle;
mod solving;
mod starts;

pub use measures::GaitMeasures;
pub use search::{GaitCandidate, GaitEvent, GaitOptions, GaitSearch};

use crate::error::ControlError;
use crate::formula::{Formulas, axis_suffix};
use crate::problem::{
    ClosedContact, Condition, ControlProblem, Cost, CostKind, FreedParameter, Phase, Transition, WorkPart,
};
use carom_model::{Contact, System};
use carom_nlp::Range;

/// A step of a biped, periodic through the exchange of the legs.
#[derive(Clone, Debug)]
pub struct Gait {
    /// What it is called.
    pub name: String,
    /// The step: system, duration, mesh, bounds of joints, conditions of its own. What follows is added to it.
    pub step: Phase,
    /// Contact of the foot that stands.
    pub stance: String,
    /// Contact of the foot that swings, and lands at the end.
    pub swing: String,
    /// The configuration after the exchange of the legs, in the coordinates before it.
    pub relabel: Vec<String>,
    /// Where the swing foot lands ahead of the stance foot: an expression of parameters, freed ones among them.
    pub length: String,
    /// Where it lands beside it, along the second tangent, if the contacts have one.
    pub width: Option<String>,
    /// Height of an arc `c (1 - (x/L)^2)` that the swing foot keeps above; zero for the ground alone.
    pub clearance: f64,
    /// Least normal force of the stance foot, if it is bounded.
    pub normal_force: Option<f64>,
    /// Coefficient of friction of the stance foot, if its force must stay in the cone.
    pub friction: Option<f64>,
    /// Weight of the robot, in newtons: an expression of parameters.
    pub weight: String,
    /// Which work of the joints is minimised, if any.
    pub work: Option<WorkPart>,
    /// Factor of the squared torques.
    pub effort: f64,
    /// Further costs.
    pub costs: Vec<Cost>,
    /// Parameters that are to be found too.
    pub freed: Vec<FreedParameter>,
}

impl Gait {
    /// A gait with the smooth cost `sum |u|^2 / (W L)` and no limits of contact forces.
    pub fn new(
        name: &str,
        step: Phase,
        [stance, swing]: [&str; 2],
        relabel: &[&str],
        length: &str,
        weight: &str,
    ) -> Self {
        Self {
            name: name.to_owned(),
            step,
            stance: stance.to_owned(),
            swing: swing.to_owned(),
            relabel: relabel.iter().map(|&formula| formula.to_owned()).collect(),
            length: length.to_owned(),
            width: None,
            clearance: 0.0,
            normal_force: None,
            friction: None,
            weight: weight.to_owned(),
            work: None,
            effort: 1.0,
            costs: Vec::new(),
            freed: Vec::new(),
        }
    }

    /// The system.
    pub fn system(&self) -> &System {
        &self.step.system
    }

    /// The problem that it is.
    pub fn problem(&self) -> Result<ControlProblem, ControlError> {
        let [stance, swing] = self.feet()?;
        let mut step = self.step.clone();
        step.closed.retain(|closed| closed.contact != self.stance);
        step.closed.push(ClosedContact { contact: self.stance.clone(), sticks: true });
        // Where it stands is a matter of convention: at 0, where the relabelling puts it (`check`). Where that is a
        // coordinate, it is held there; a row for any other place would depend on those of the relabelling.
        for tangent in &stance.tangents {
            if let Some(index) = self.system().q().iter().position(|q| q == tangent) {
                step.start.push(Condition::new(&self.system().coordinates()[index].name, Range::fixed(0.0)));
            }
        }
        let ahead = self.tangents(swing).into_iter().zip(self.tangents(stance));
        let wanted = [("step length", Some(&self.length)), ("step width", self.width.as_ref())];
        for ((own, other), (name, wanted)) in ahead.zip(wanted) {
            let Some(wanted) = wanted else { continue };
            let formula = format!("({own} - {other}) - ({wanted})");
            step.end.push(Condition { name: name.to_owned(), formula, range: Range::fixed(0.0) });
        }
        step.path.extend(self.conditions());
        let strike = Transition {
            name: "strike".to_owned(),
            map: self.relabel.clone(),
            ..Transition::impact(0, 0, &[&self.swing])
        };
        let costs = [self.transport(), self.costs.clone()].concat();
        let problem = ControlProblem { costs, freed: self.freed.clone(), ..ControlProblem::new(&self.name) };
        Ok(problem.phase(step).transition(strike))
    }

    /// The regularised cost of transport.
    fn transport(&self) -> Vec<Cost> {
        let per = Some(format!("({})*({})", self.weight, self.length));
        let cost = |name: &str, weight: f64, kind: CostKind| Cost {
            name: name.to_owned(),
            weight,
            phases: Vec::new(),
            kind,
            per: per.clone(),
        };
        let mut found = Vec::new();
        if let Some(part) = self.work {
            found.push(cost("work", 1.0, CostKind::Work { inputs: Vec::new(), part }));
        }
        if self.effort != 0.0 {
            let squares: Vec<String> = self.system().inputs().iter().map(|input| format!("{}^2", input.name)).collect();
            found.push(cost("effort", self.effort, CostKind::Integral(squares.join(" + "))));
        }
        found
    }

    /// Names of the tangents of a contact in formulas.
    fn tangents(&self, contact: &Contact) -> Vec<String> {
        (0..contact.tangents.len()).map(|axis| format!("tangent_{}{}", contact.name, axis_suffix(axis))).collect()
    }

    fn contact(&self, name: &str) -> Option<&Contact> {
        self.system().contacts().iter().find(|contact| contact.name == name)
    }

    /// The contacts of both feet, which need tangents.
    fn feet(&self) -> Result<[&Contact; 2], ControlError> {
        let foot = |key: &'static str, name: &str| {
            let known: Vec<&str> = self.system().contacts().iter().map(|contact| contact.name.as_str()).collect();
            let contact = self.contact(name).ok_or_else(|| {
                crate::phase::unknown(&self.step, "contact", name, known.iter().map(|&name| name.to_owned()).collect())
            })?;
            if contact.tangents.is_empty() {
                let why = format!("contact `{name}` has no tangent, so that a step has no length; give it one");
                return Err(ControlError::Gait { key, why });
            }
            Ok(contact)
        };
        let feet = [foot("stance", &self.stance)?, foot("swing", &self.swing)?];
        if self.stance == self.swing {
            let why = format!("`{}` cannot both stand and swing", self.stance);
            return Err(ControlError::Gait { key: "swing", why });
        }
        if self.width.is_some() && feet.iter().any(|foot| foot.tangents.len() < 2) {
            let why =
                "a step has a `width`, but the feet have one tangent; leave it out, or give them a second tangent";
            return Err(ControlError::Gait { key: "width", why: why.to_owned() });
        }
        Ok(feet)
    }

    /// The number behind an expression of parameters, with the values that freed ones have in `freed`.
    fn number(&self, key: &'static str, formula: &str, freed: &[(String, f64)]) -> Result<f64, ControlError> {
        let mut graph = self.system().graph().clone();
        let names: Vec<String> = freed.iter().map(|(name, _)| name.clone()).collect();
        let formulas = Formulas::new(self.system(), &[], &names, (&self.step.name, true));
        let (id, system) = (formulas.read(&mut graph, "a number of the gait", formula)?, self.system());
        let state = [system.q(), system.v(), &[system.time()]].concat();
        let why = ("a number of the gait", formula, "varies along the motion; use parameters only");
        formulas.refuse(&graph, id, &state, why)?;
        let at: Vec<_> = freed.iter().map(|(name, value)| (graph.variable(name), *value)).collect();
        let value = graph.evaluate(&[id], &at)[0];
        // The swing foot lands ahead, and to the left or to the right.
        let (is_sound, kind) = match key {
            "width" => (value.is_finite(), "finite"),
            _ => (value.is_finite() && value > 0.0, "positive"),
        };
        if is_sound {
            return Ok(value);
        }
        Err(ControlError::Gait { key, why: format!("`{key}` is {value}, but must be a {kind} number") })
    }

    /// Values of the freed parameters before anything is found.
    fn guessed(&self) -> Vec<(String, f64)> {
        let own = |name: &str| {
            let parameter = self.system().parameters().iter().find(|parameter| parameter.name == name);
            parameter.map_or(0.0, |parameter| parameter.value)
        };
        let value = |freed: &FreedParameter| freed.guess.unwrap_or_else(|| own(&freed.name));
        self.freed.iter().map(|freed| (freed.name.clone(), value(freed))).collect()
    }
}
