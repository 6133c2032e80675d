//! A projection in numbers.

use super::arc::Arc;
use super::error::ProjectionError;
use super::roots::RootSolver;
use super::simple::Simple;
use super::{Projection, ProjectionKind};
use carom_expr::{Backend, Evaluator, Function, FunctionError, Group, Id};

/// What the inverse needs to know of a projection.
#[derive(Clone)]
pub(super) enum Kind {
    /// The coordinate that the gap replaces.
    Global(usize),
    Circle(Arc),
    Local,
}

/// Evaluates a projection: `P`, `P'`, the inverse off the feasible set, and what it all is in the coordinates of the system.
pub struct ProjectionMap {
    simple: Simple,
    pub(super) n: usize,
    /// Limits of the coordinates that were given.
    limits: Vec<Option<[f64; 2]>>,
    gap: Evaluator,
    /// `(u, roots) -> P, P'`
    image: Evaluator,
    roots: RootSolver,
    /// `(u, u') -> q, v`
    embedding: Evaluator,
    pub(super) kind: Kind,
    input: Vec<f64>,
    output: Vec<f64>,
}

impl ProjectionMap {
    pub(super) fn new(projection: &Projection) -> Result<Self, ProjectionError> {
        let simple = projection.simple.clone();
        let mut graph = simple.graph.clone();
        let (u, du) = (&simple.u, &simple.du);
        let n = u.len();
        let unknowns: Vec<Id> = projection.roots.iter().map(|root| root.variable).collect();
        let compile = |graph: &_, inputs: &[Id], outputs: &[Id]| -> Result<Evaluator, FunctionError> {
            let (inputs, outputs) = ([Group::new("in", inputs)], [Group::new("out", outputs)]);
            Ok(Function::compile(graph, &inputs, &outputs, Backend::Interpreter)?.evaluator())
        };
        let mut slope = vec![simple.gap];
        slope.extend(graph.gradient(simple.gap, u));
        let along: Vec<(Id, Id)> = u.iter().copied().zip(du.iter().copied()).collect();
        let rates = graph.directional(&simple.embedding, &along);
        let embedding = compile(&graph, &[&u[..], du].concat(), &[&simple.embedding[..], &rates].concat())?;
        let image = [&projection.image[..], &projection.jacobian].concat();
        let kind = match &projection.kind {
            ProjectionKind::Global(normal) => Kind::Global(normal.monotonic.coordinate),
            ProjectionKind::Circle(arc) => Kind::Circle(arc.clone()),
            ProjectionKind::Local(_) => Kind::Local,
        };
        Ok(Self {
            n,
            gap: compile(&graph, u, &slope)?,
            image: compile(&graph, &[&u[..], &unknowns].concat(), &image)?,
            embedding,
            input: Vec::new(),
            output: vec![0.0; n + n * n],
            roots: RootSolver::new(&graph, &projection.roots, u)?,
            kind,
            limits: projection.limits.clone(),
            simple,
        })
    }

    /// Number of coordinates.
    pub fn dimension(&self) -> usize {
        self.n
    }

    /// The gap; positive where `u` is feasible.
    pub fn gap(&mut self, u: &[f64]) -> f64 {
        self.gap.values(u)[0]
    }

    /// The gap and its gradient.
    pub fn slope(&mut self, u: &[f64]) -> (f64, Vec<f64>) {
        let mut values = self.gap.values(u);
        let slope = values.split_off(1);
        (values[0], slope)
    }

    /// A point in words.
    pub fn point(&self, u: &[f64]) -> String {
        self.simple.point(u)
    }

    /// `P(u)`: `u` itself where it is feasible (within one turn), its image otherwise.
    pub fn apply(&mut self, u: &[f64]) -> Result<Vec<f64>, ProjectionError> {
        if self.gap(u) >= 0.0 {
            return Ok(self.wrapped(u, true));
        }
        self.evaluate(u)?;
        Ok(self.output[..self.n].to_vec())
    }

    /// The image and the Jacobian of the outer branch at `u`, which may lie on the boundary.
    pub fn outer(&mut self, u: &[f64]) -> Result<(Vec<f64>, Vec<f64>), ProjectionError> {
        self.evaluate(u)?;
        Ok((self.output[..self.n].to_vec(), self.output[self.n..].to_vec()))
    }

    /// What is observed of a smooth path: configuration `q = P(z)` and velocity `P'(z) z'` of the system. On the boundary
    /// `is_outside` says which branch is meant.
    pub fn observed(
        &mut self,
        z: &[f64],
        dz: &[f64],
        is_outside: bool,
    ) -> Result<(Vec<f64>, Vec<f64>), ProjectionError> {
        let n = self.n;
        let mut state = vec![0.0; 2 * n];
        if is_outside {
            self.evaluate(z)?;
            state[..n].copy_from_slice(&self.output[..n]);
            carom_linalg::multiply(&self.output[n..], dz, &mut state[n..]);
        } else {
            state[..n].copy_from_slice(&self.wrapped(z, true));
            state[n..].copy_from_slice(dz);
        }
        let mut values = self.embedding.values(&state);
        let v = values.split_off(values.len() / 2);
        Ok((values, v))
    }

    /// The period of the circle, if it is one.
    pub fn period(&self) -> Option<f64> {
        self.arc().map(|arc| arc.period)
    }

    fn arc(&self) -> Option<&Arc> {
        match &self.kind {
            Kind::Circle(arc) => Some(arc),
            _ => None,
        }
    }

    /// Refuses points beyond the limits that were given: nothing is claimed there.
    pub fn check_limits(&self, u: &[f64]) -> Result<(), ProjectionError> {
        for ((coordinate, limit), &value) in self.simple.coordinates.iter().zip(&self.limits).zip(u) {
            if let Some([from, to]) = limit.filter(|[from, to]| !(*from..=*to).contains(&value)) {
                return Err(ProjectionError::OutsideDomain { name: coordinate.name.clone(), value, from, to });
            }
        }
        Ok(())
    }

    /// Within the turn of the circle in which the formulas hold.
    pub fn wrapped(&self, u: &[f64], is_feasible: bool) -> Vec<f64> {
        let Some(arc) = self.arc() else { return u.to_vec() };
        let middle = if is_feasible { arc.centre } else { arc.opposite() };
        vec![u[0] - arc.period * arc.turns(u[0], middle)]
    }

    /// A state that has reached the boundary to rounding, on the boundary as the map has it: the end of an arc, in the same
    /// turn, with the same observed velocity `P'(z) z'`. A narrow arc bends the map so sharply that the rounding of a gap
    /// would show.
    pub fn on_boundary(
        &mut self,
        z: Vec<f64>,
        dz: Vec<f64>,
        is_outside: bool,
    ) -> Result<(Vec<f64>, Vec<f64>), ProjectionError> {
        let Some(arc) = self.arc() else { return Ok((z, dz)) };
        let from_centre = self.wrapped(&z, true)[0] - arc.centre;
        let end = arc.centre + arc.half.copysign(from_centre);
        let place = vec![end + arc.period * arc.turns(z[0], end)];
        if !is_outside {
            return Ok((place, dz));
        }
        let (before, after) = (self.outer(&z)?.1[0], self.outer(&place)?.1[0]);
        Ok((place, vec![dz[0] * before / after]))
    }

    /// The outer branch: roots first, then image and Jacobian.
    fn evaluate(&mut self, u: &[f64]) -> Result<(), ProjectionError> {
        let u = self.wrapped(u, false);
        self.input.clone_from(&u);
        // On the boundary a point is its own image.
        self.roots.begin_at(&u);
        if !self.roots.append(&mut self.input) {
            return Err(ProjectionError::NoImage {
                point: self.point(&u),
                why: "the gap does not take the mirrored value",
            });
        }
        self.image.eval(&self.input, &mut self.output);
        if self.output.iter().all(|value| value.is_finite()) {
            return Ok(());
        }
        Err(ProjectionError::NoImage { point: self.point(&u), why: "a value is not finite" })
    }
}
