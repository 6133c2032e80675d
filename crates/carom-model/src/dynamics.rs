//! The expressions that steppers and flows work with: parameters are numbers,
//! inputs are their signals, and only `q`, `v` and `t` are left as variables.

use crate::state_functions::Kept;
use crate::system::System;
use carom_expr::{Graph, Id};

/// A system ready for discretisation or for its equations of motion.
#[derive(Clone, Debug)]
pub struct Dynamics {
    /// The graph that holds everything below.
    pub graph: Graph,
    /// The variable of time.
    pub time: Id,
    /// Variables of the coordinates.
    pub q: Vec<Id>,
    /// Variables of the rates.
    pub v: Vec<Id>,
    /// `L(q, v, t)`
    pub lagrangian: Id,
    /// Generalised forces `F(q, v, t)`, one per coordinate.
    pub forces: Vec<Id>,
    /// Holonomic constraints `g(q)`.
    pub constraints: Vec<Id>,
    /// Velocity constraints `omega(q) . v`.
    pub velocity_constraints: Vec<Id>,
    /// Gaps of contacts.
    pub gaps: Vec<Id>,
    pub(crate) kept: Kept,
}

impl Dynamics {
    pub(crate) fn new(system: &System) -> Self {
        let mut graph = system.graph().clone();
        let roots = [
            &[system.lagrangian()][..],
            system.forces(),
            &system.constraints().iter().map(|g| g.id).collect::<Vec<_>>(),
            &system.velocity_constraints().iter().map(|g| g.id).collect::<Vec<_>>(),
            &system.contacts().iter().map(|c| c.gap).collect::<Vec<_>>(),
        ];
        let sizes = roots.map(<[Id]>::len);
        let flat = system.specialise(&mut graph, &roots.concat());
        let mut rest = &flat[..];
        let mut parts = sizes.map(|size| {
            let (part, tail) = rest.split_at(size);
            rest = tail;
            part.to_vec()
        });
        Self {
            time: system.time(),
            q: system.q().to_vec(),
            v: system.v().to_vec(),
            lagrangian: parts[0][0],
            forces: std::mem::take(&mut parts[1]),
            constraints: std::mem::take(&mut parts[2]),
            velocity_constraints: std::mem::take(&mut parts[3]),
            gaps: std::mem::take(&mut parts[4]),
            graph,
            kept: Kept::default(),
        }
    }

    /// Number of coordinates.
    pub fn dimension(&self) -> usize {
        self.q.len()
    }

    /// True if any generalised force acts.
    pub fn is_forced(&self) -> bool {
        self.forces.iter().any(|&force| !self.graph.is_zero(force))
    }

    /// True if the Lagrangian or a force depends on time explicitly.
    pub fn is_time_dependent(&self) -> bool {
        let mut roots = self.forces.clone();
        roots.push(self.lagrangian);
        roots.iter().any(|&root| self.graph.depends_on(root, &[self.time]))
    }

    /// The momentum `p = dL/dv` as expressions of `graph`, a copy of this graph.
    pub fn momentum(&self, graph: &mut Graph) -> Vec<Id> {
        graph.gradient(self.lagrangian, &self.v)
    }

    /// The energy `E = v . dL/dv - L` as an expression of `graph`, a copy of this graph.
    pub fn energy(&self, graph: &mut Graph) -> Id {
        let momentum = self.momentum(graph);
        let action = graph.dot(&momentum, &self.v);
        graph.sub(action, self.lagrangian)
    }
}

impl System {
    /// Replaces parameters by their values and inputs by their signals.
    pub fn specialise(&self, graph: &mut Graph, roots: &[Id]) -> Vec<Id> {
        let mut numbers = Vec::new();
        for parameter in self.parameters() {
            numbers.push((graph.variable(&parameter.name), graph.constant(parameter.value)));
        }
        let signals: Vec<Id> = self.inputs().iter().map(|input| input.signal).collect();
        let signals = graph.substitute(&signals, &numbers);
        for (input, signal) in self.inputs().iter().zip(signals) {
            numbers.push((graph.variable(&input.name), signal));
        }
        graph.substitute(roots, &numbers)
    }
}
