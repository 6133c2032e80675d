//! The equations of a jump as expressions.

use super::conditions::{Condition, Participant};
use crate::contact_law::{force_field, reset_map};
use crate::laws::{Jump, Law, Poisson};
use carom_expr::{Expr, Graph, Id, Scope, ids};
use carom_model::Dynamics;

/// Unknowns, inputs, residual and results of a jump.
pub(super) struct JumpEquations {
    pub(super) graph: Graph,
    pub(super) unknowns: Vec<Id>,
    pub(super) inputs: Vec<Id>,
    pub(super) residual: Vec<Id>,
    pub(super) outputs: Vec<Id>,
}

/// What the equations are written with.
struct Writer<'s, 'd> {
    scope: &'s Scope,
    dynamics: &'d Dynamics,
    laws: &'d [String],
    v: Vec<Expr<'s>>,
    v_plus: Vec<Expr<'s>>,
    constraints: Vec<Expr<'s>>,
}

impl JumpEquations {
    pub(super) fn new(
        dynamics: &Dynamics,
        kept: &[String],
        laws: &[String],
        coordinates: &[String],
        participants: &[Participant],
    ) -> Self {
        let mut graph = dynamics.graph.clone();
        let kept: Vec<Id> = kept.iter().map(|name| graph.variable(name)).collect();
        let inputs = [&dynamics.q[..], &dynamics.v, &[dynamics.time], &kept].concat();
        if let [Participant { contact, normal: Condition::Reset, .. }] = participants {
            let find = finder(dynamics, *contact);
            let outputs = reset_map(dynamics, coordinates, &find);
            return Self { graph, unknowns: Vec::new(), inputs, residual: Vec::new(), outputs };
        }
        let scope = Scope::new(graph);
        let n = dynamics.dimension();
        let writer = Writer {
            laws,
            v: scope.exprs(&dynamics.v),
            v_plus: scope.variables("[v+]", n),
            constraints: scope.exprs(&scope.with(|graph| dynamics.jacobian(graph))),
            scope: &scope,
            dynamics,
        };
        let (unknowns, residual, outputs) = writer.write(participants);
        let (unknowns, residual, outputs) = (ids(&unknowns), ids(&residual), ids(&outputs));
        Self { graph: scope.into_graph(), unknowns, inputs, residual, outputs }
    }
}

/// Finds the parameters of a law.
fn finder(dynamics: &Dynamics, contact: usize) -> impl Fn(&str) -> Option<Id> + '_ {
    move |name| dynamics.law_parameters[contact].iter().find(|p| p.name == name).map(|p| p.id)
}

impl<'s> Writer<'s, '_> {
    /// Unknowns, residual and results.
    fn write(&self, participants: &[Participant]) -> (Vec<Expr<'s>>, Vec<Expr<'s>>, Vec<Expr<'s>>) {
        let (scope, n) = (self.scope, self.v.len());
        let m = self.constraints.len() / n;
        let kappa = scope.variables("[kappa]", m);
        let momentum = ids(&self.momentum());
        let after = self.after(&momentum);
        let mut balance: Vec<Expr<'s>> =
            after.iter().zip(&momentum).map(|(after, &p)| *after - scope.expr(p)).collect();
        let (mut impulses, mut conditions, mut lifts) = (Vec::new(), Vec::new(), Vec::new());
        for participant in participants {
            let surface = &self.dynamics.surfaces[participant.surface];
            let places = std::iter::once(&surface.gap).chain(&surface.tangents).take(1 + participant.tangents.len());
            let rows: Vec<Vec<Expr<'s>>> =
                places.map(|&place| scope.exprs(&scope.with(|g| g.gradient(place, &self.dynamics.q)))).collect();
            let own: Vec<Expr<'s>> =
                (0..rows.len()).map(|row| scope.variable(&format!("[Lambda {} {row}]", participant.surface))).collect();
            let push = self.push(participant);
            for k in 0..n {
                let sum = scope.sum(rows.iter().zip(&own).map(|(row, impulse)| row[k] * *impulse));
                balance[k] = balance[k] - sum - push[k + 1];
            }
            let (more, own_lifts) = self.conditions(participant, &rows, &own, push[0]);
            conditions.extend(more);
            lifts.extend(own_lifts);
            impulses.extend(own);
        }
        for (k, balance) in balance.iter_mut().enumerate() {
            let sum = scope.sum((0..m).map(|row| self.constraints[row * n + k] * kappa[row]));
            *balance = *balance - sum;
        }
        let held = self.constraints.chunks(n).map(|row| dot(scope, row, &self.v_plus));
        let residual: Vec<Expr<'s>> = balance.into_iter().chain(held).chain(conditions).collect();
        let unknowns = [&self.v_plus[..], &impulses, &kappa, &lifts].concat();
        let outputs = [&self.v_plus[..], &impulses].concat();
        (unknowns, residual, outputs)
    }

    fn momentum(&self) -> Vec<Expr<'s>> {
        self.scope.exprs(&self.scope.with(|graph| self.dynamics.momentum(graph)))
    }

    /// Expressions of the velocity, after the impact.
    fn after(&self, roots: &[Id]) -> Vec<Expr<'s>> {
        let places: Vec<(Id, Id)> = self.dynamics.v.iter().copied().zip(ids(&self.v_plus)).collect();
        self.scope.exprs(&self.scope.with(|graph| graph.substitute(roots, &places)))
    }

    /// `F_t`, then `F_q`.
    fn push(&self, participant: &Participant) -> Vec<Expr<'s>> {
        let (contact, law) = (participant.contact, self.laws[participant.contact].as_str());
        let find = finder(self.dynamics, contact);
        let field = self.scope.with(|graph| force_field(graph, self.dynamics, law, &find));
        match field {
            Some(field) => self.scope.exprs(&field),
            None => vec![self.scope.constant(0.0); self.v.len() + 1],
        }
    }

    fn parameter(&self, contact: usize, name: &str, otherwise: f64) -> Expr<'s> {
        match finder(self.dynamics, contact)(name) {
            Some(id) => self.scope.expr(id),
            None => self.scope.constant(otherwise),
        }
    }

    /// One equation per impulse, and the lifts of Routh's process with theirs at the end.
    fn conditions(
        &self,
        participant: &Participant,
        rows: &[Vec<Expr<'s>>],
        own: &[Expr<'s>],
        loss: Expr<'s>,
    ) -> (Vec<Expr<'s>>, Vec<Expr<'s>>) {
        let scope = self.scope;
        let rates = |row: &[Expr<'s>]| [dot(scope, row, &self.v), dot(scope, row, &self.v_plus)];
        let friction = self.parameter(participant.contact, "friction", 0.0);
        let is_plastic = matches!(self.laws[participant.contact].as_str(), "plastic" | "transition");
        let restitution = match is_plastic {
            true => scope.constant(0.0),
            false => self.parameter(participant.contact, "restitution", 1.0),
        };
        if participant.normal == Condition::Process {
            return self.process(rows, own, (restitution, friction));
        }
        let slips: Vec<Expr<'s>> = rows[1..].iter().map(|row| rates(row)[1]).collect();
        let mut all = vec![match participant.normal {
            Condition::Energy => self.energy_change() + loss,
            Condition::Restitution => rates(&rows[0])[1] + restitution * rates(&rows[0])[0],
            _ => own[0],
        }];
        for (k, condition) in participant.tangents.iter().enumerate() {
            all.push(match condition {
                Condition::Stick => slips[k],
                Condition::Slide(direction) => own[k + 1] + *direction * friction * own[0],
                Condition::SlideInPlane => {
                    let speed = scope.sum(slips.iter().map(|slip| *slip * *slip)).sqrt();
                    own[k + 1] * speed + friction * own[0] * slips[k]
                }
                _ => own[k + 1],
            });
        }
        (all, Vec::new())
    }

    fn energy_change(&self) -> Expr<'s> {
        let energy = self.scope.with(|graph| self.dynamics.energy(graph));
        self.after(&[energy])[0] - self.scope.expr(energy)
    }

    /// Routh's process needs Delassus' matrix: the lifts `M L + A^T kappa = row`, `A L = 0` become unknowns.
    fn process(
        &self,
        rows: &[Vec<Expr<'s>>],
        own: &[Expr<'s>],
        (restitution, friction): (Expr<'s>, Expr<'s>),
    ) -> (Vec<Expr<'s>>, Vec<Expr<'s>>) {
        let (scope, n) = (self.scope, self.v.len());
        let m = self.constraints.len() / n;
        let momentum = ids(&self.momentum());
        let mass = scope.exprs(&scope.with(|g| g.jacobian(&momentum, &self.dynamics.v).dense(g)));
        let (mut unknowns, mut equations, mut lifts) = (Vec::new(), Vec::new(), Vec::new());
        for (index, row) in rows.iter().enumerate() {
            let lift = scope.variables(&format!("[lift {index}]"), n);
            let kappa = scope.variables(&format!("[lift kappa {index}]"), m);
            for k in 0..n {
                let normal = scope.sum((0..m).map(|c| self.constraints[c * n + k] * kappa[c]));
                equations.push(dot(scope, &mass[k * n..(k + 1) * n], &lift) + normal - row[k]);
            }
            equations.extend(self.constraints.chunks(n).map(|row| dot(scope, row, &lift)));
            unknowns.extend(lift.iter().chain(&kappa).copied());
            lifts.push(lift);
        }
        let rates = |row: &[Expr<'s>]| [dot(scope, row, &self.v), dot(scope, row, &self.v_plus)];
        let jump = Jump {
            u: rates(&rows[0]),
            slip: rows[1..].iter().map(|row| rates(row)).collect(),
            normal: own[0],
            tangential: own[1..].to_vec(),
            energy_change: scope.constant(0.0),
            loss: scope.constant(0.0),
            w: rows.iter().flat_map(|row| lifts.iter().map(|lift| dot(scope, row, lift)).collect::<Vec<_>>()).collect(),
            restitution,
            friction,
        };
        equations.extend(Poisson.conditions(&jump));
        (equations, unknowns)
    }
}

fn dot<'s>(scope: &'s Scope, a: &[Expr<'s>], b: &[Expr<'s>]) -> Expr<'s> {
    scope.sum(a.iter().zip(b).map(|(x, y)| *x * *y))
}
