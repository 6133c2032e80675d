//! Impacts of a random system, resolved in coordinates and in frames.

use super::dense::{dot, null_space};
use super::{Case, admissible};
use crate::random_systems::Noise;
use carom::expr::Graph;
use carom::impact::{Before, ContactLaw, Geometry, ImpactError, Multiple, Resolved, Resolver};
use carom::model::{Frame, Legendre, Quasivelocities, pivots};
use carom::{Backend, System};

pub const BACKEND: Backend = Backend::Interpreter;

/// Everything that resolves impacts of one system.
pub struct Bench {
    pub n: usize,
    pub resolver: Resolver,
    pub geometry: Geometry,
    pub legendre: Legendre,
    /// None, the frame of the model, one that is adapted to its constraints.
    frames: Vec<Option<Quasivelocities>>,
}

impl Bench {
    pub fn new(system: &System, q: &[f64]) -> Self {
        let dynamics = system.dynamics();
        let mut graph: Graph = dynamics.graph.clone();
        let forms = dynamics.one_forms(&mut graph);
        let values: Vec<_> = dynamics.q.iter().copied().zip(q.iter().copied()).collect();
        let columns = pivots(&graph.evaluate(&forms, &values), q.len()).expect("independent forms");
        let adapted = Frame::adapted(&mut graph, &forms, q.len(), &columns);
        let compile = |frame: &Frame| Quasivelocities::new(&dynamics, &graph, frame, BACKEND).expect("compiles");
        let frames =
            [None].into_iter().chain(dynamics.frame.iter().chain([&adapted]).map(|frame| Some(compile(frame))));
        let resolver = Resolver {
            laws: ContactLaw::all(system, &dynamics, BACKEND).expect("compiles"),
            names: system.contacts().iter().map(|contact| contact.name.clone()).collect(),
            contact_of: dynamics.surfaces.iter().map(|surface| surface.contact).collect(),
            is_quadratic: true,
            multiple: Multiple::Sequential,
            frame: None,
        };
        Self {
            n: q.len(),
            resolver,
            geometry: Geometry::new(&dynamics, BACKEND).expect("compiles"),
            legendre: Legendre::new(&dynamics, BACKEND).expect("compiles"),
            frames: frames.collect(),
        }
    }

    /// The jump of the first `count` surfaces by every frame.
    pub fn resolve(
        &mut self,
        (q, v): (&[f64], &[f64]),
        count: usize,
        multiple: Multiple,
    ) -> Vec<Result<Resolved, ImpactError>> {
        self.geometry.at(q, v, 0.2);
        self.resolver.multiple = multiple;
        let set: Vec<usize> = (0..count).collect();
        let mut all = Vec::new();
        for frame in &mut self.frames {
            std::mem::swap(&mut self.resolver.frame, frame);
            all.push(self.resolver.resolve(Before { t: 0.2, q, v }, &set, &self.geometry, &mut self.legendre));
            std::mem::swap(&mut self.resolver.frame, frame);
        }
        all
    }
}

/// A random configuration and an admissible velocity that closes the first contact; of the seed.
pub fn approach(case: &Case, bench: &mut Bench, noise: &mut Noise) -> (Vec<f64>, Vec<f64>) {
    let mut q: Vec<f64> = noise.vector(case.kind.n).iter().map(|x| 0.4 * x).collect();
    bench.legendre.project_configuration(&mut q).expect("on the surface");
    let wish = noise.direction(case.kind.n);
    let mut v = admissible(&case.system, &q, &wish);
    bench.geometry.at(&q, &v, 0.2);
    if bench.geometry.rate(0, &v) > 0.0 {
        v.iter_mut().for_each(|x| *x = -*x);
    }
    (q, v)
}

/// The length of a gradient against its part along the admissible directions: what rounding is multiplied by.
pub fn condition(bench: &mut Bench, q: &[f64], contacts: usize) -> f64 {
    let basis = null_space(bench.legendre.constraints(q).1, bench.n);
    let ratio = |surface: usize| {
        let g = bench.geometry.gradient(surface);
        let part: Vec<f64> = basis.iter().map(|b| dot(b, g)).collect();
        (dot(g, g) / dot(&part, &part)).sqrt()
    };
    (0..contacts).map(ratio).fold(1.0, f64::max)
}
