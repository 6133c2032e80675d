//! The geometry of all surfaces at one state: gaps, gradients, curvatures.
//!
//! ```text
//! phi(q),   G = dphi/dq,   phi' = G v,   phi'' = G a + v^T phi_qq v,   s(q),   S = ds/dq
//! ```

use carom_expr::{Backend, Evaluator, Function, FunctionError, Group, Id};
use carom_linalg::dot;
use carom_model::Dynamics;

/// Evaluates the surfaces of one system.
#[derive(Clone)]
pub struct Geometry {
    n: usize,
    /// Number of tangents of each surface, and where its values begin.
    places: Vec<(usize, usize)>,
    gaps: Evaluator,
    /// Gap and rate of each surface.
    closings: Vec<Evaluator>,
    all: Evaluator,
    input: Vec<f64>,
    values: Vec<f64>,
}

impl Geometry {
    /// Derives and compiles the geometry of the surfaces of `dynamics`.
    pub fn new(dynamics: &Dynamics, backend: Backend) -> Result<Self, FunctionError> {
        let n = dynamics.dimension();
        let mut graph = dynamics.graph.clone();
        let along: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(dynamics.v.iter().copied()).collect();
        let (mut all, mut places, mut closings) = (Vec::new(), Vec::new(), Vec::new());
        for surface in &dynamics.surfaces {
            places.push((surface.tangents.len(), all.len()));
            let rate = graph.directional(&[surface.gap], &along);
            closings.push([surface.gap, rate[0]]);
            let curvature = graph.directional(&rate, &along);
            let active = surface.active.unwrap_or_else(|| graph.constant(1.0));
            all.extend([surface.gap, curvature[0], active]);
            all.extend(graph.gradient(surface.gap, &dynamics.q));
            for &tangent in &surface.tangents {
                let rate = graph.directional(&[tangent], &along);
                all.extend(graph.directional(&rate, &along));
                all.extend(graph.gradient(tangent, &dynamics.q));
            }
        }
        let time = [dynamics.time];
        let gaps: Vec<Id> = dynamics.surfaces.iter().map(|surface| surface.gap).collect();
        let state = [Group::new("q", &dynamics.q), Group::new("v", &dynamics.v), Group::new("t", &time)];
        let compile = |inputs: &[Group<'_>], name, ids: &[Id]| {
            Function::compile(&graph, inputs, &[Group::new(name, ids)], backend)
        };
        let closing = |ids: &[Id; 2]| Ok(compile(&state[..2], "closing", ids)?.evaluator());
        Ok(Self {
            n,
            closings: closings.iter().map(closing).collect::<Result<_, FunctionError>>()?,
            gaps: compile(&state[..1], "gaps", &gaps)?.evaluator(),
            all: compile(&state, "geometry", &all)?.evaluator(),
            input: vec![0.0; 2 * n + 1],
            values: vec![0.0; all.len()],
            places,
        })
    }

    /// Number of surfaces.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True if there is no surface.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The gaps of all surfaces.
    pub fn gaps(&mut self, q: &[f64], gaps: &mut [f64]) {
        self.gaps.eval(q, gaps);
    }

    /// Gap and rate of one surface at a state.
    pub fn closing(&mut self, surface: usize, q: &[f64], v: &[f64]) -> (f64, f64) {
        let n = self.n;
        self.input[..n].copy_from_slice(q);
        self.input[n..2 * n].copy_from_slice(v);
        let mut values = [0.0; 2];
        self.closings[surface].eval(&self.input[..2 * n], &mut values);
        (values[0], values[1])
    }

    /// Evaluates everything at a state; the other methods refer to it.
    pub fn at(&mut self, q: &[f64], v: &[f64], t: f64) {
        let n = self.n;
        self.input[..n].copy_from_slice(q);
        self.input[n..2 * n].copy_from_slice(v);
        self.input[2 * n] = t;
        self.all.eval(&self.input, &mut self.values);
    }

    /// Gap of a surface.
    pub fn gap(&self, surface: usize) -> f64 {
        self.values[self.places[surface].1]
    }

    /// `v^T phi_qq v`
    pub fn curvature(&self, surface: usize) -> f64 {
        self.values[self.places[surface].1 + 1]
    }

    /// True if the surface exists in this state.
    pub fn is_active(&self, surface: usize) -> bool {
        self.values[self.places[surface].1 + 2] > 0.0
    }

    /// `G`
    pub fn gradient(&self, surface: usize) -> &[f64] {
        let begin = self.places[surface].1 + 3;
        &self.values[begin..begin + self.n]
    }

    /// `phi' = G v` for any velocity.
    pub fn rate(&self, surface: usize, v: &[f64]) -> f64 {
        dot(self.gradient(surface), v)
    }

    /// Number of tangents of a surface.
    pub fn tangent_count(&self, surface: usize) -> usize {
        self.places[surface].0
    }

    /// `v^T s_qq v` of a tangent.
    pub fn tangent_curvature(&self, surface: usize, tangent: usize) -> f64 {
        self.values[self.tangent_place(surface, tangent)]
    }

    /// `S`, the gradient of a tangential position.
    pub fn tangent(&self, surface: usize, tangent: usize) -> &[f64] {
        let begin = self.tangent_place(surface, tangent) + 1;
        &self.values[begin..begin + self.n]
    }

    fn tangent_place(&self, surface: usize, tangent: usize) -> usize {
        self.places[surface].1 + 3 + self.n + tangent * (self.n + 1)
    }
}
