//! What carom understood of a model, before anything is simulated.

mod contacts;
mod equations;
mod frame;
mod remarks;

pub use contacts::ContactState;
pub use frame::{FrameState, StructureFunction};

use crate::conserved::{Conserved, conserved};
use crate::degenerate::defect;
use crate::distribution::Distribution;
use crate::dynamics::Dynamics;
use crate::file::{Diagnostic, InitialState, Model};
use crate::legendre::Legendre;
use crate::random::Random;
use crate::system::{Coordinate, Input, Parameter};
use carom_expr::{Backend, Graph, Id};
use carom_linalg::rank;
use contacts::contact_states;
use frame::frame_state;
use remarks::remarks;

/// Pivots below this, against the largest row, count as zero.
const TOLERANCE: f64 = 1e-10;

/// Nearby states at which the mass matrix is looked at.
const NEARBY: usize = 4;

/// Everything worth knowing about a model at its initial state.
#[derive(Clone, Debug)]
pub struct Understanding {
    /// Name of the system.
    pub name: String,
    /// What it is.
    pub doc: Option<String>,
    /// The coordinates, in order.
    pub coordinates: Vec<Coordinate>,
    /// Where it starts.
    pub initial: InitialState,
    /// The parameters with their values.
    pub parameters: Vec<Parameter>,
    /// The control inputs.
    pub inputs: Vec<Input>,
    /// Names of the holonomic constraints.
    pub constraints: Vec<String>,
    /// Names of the velocity constraints.
    pub velocity_constraints: Vec<String>,
    /// The contacts.
    pub contacts: Vec<ContactState>,
    /// Directions left free by all constraints.
    pub degrees_of_freedom: usize,
    /// Independent holonomic constraints.
    pub constraint_rank: usize,
    /// Velocity constraints that are independent of each other and of the holonomic ones.
    pub velocity_constraint_rank: usize,
    /// What the velocity constraints are, if there are any.
    pub distribution: Option<Distribution>,
    /// The frame, if there is one.
    pub frame: Option<FrameState>,
    /// Rank of the mass matrix at the initial state.
    pub mass_rank: usize,
    /// How momenta determine velocities.
    pub regularity: Regularity,
    /// True if the Lagrangian is a polynomial of degree two (at most) in the rates.
    pub is_quadratic: bool,
    /// True if the Lagrangian or a force depends on time.
    pub is_time_dependent: bool,
    /// True if a generalised force acts.
    pub is_forced: bool,
    /// Energy `v . dL/dv - L` at the initial state.
    pub energy: f64,
    /// What the motion conserves.
    pub conserved: Vec<Conserved>,
    /// The graph of the expressions in `conserved`.
    pub graph: Graph,
    /// What is doubtful, those of the model included.
    pub warnings: Vec<Diagnostic>,
}

/// Whether the mass matrix, restricted to admissible velocities, can be inverted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regularity {
    /// At the initial state.
    Regular,
    /// Not at the initial state, but nearby: a singularity of the coordinates.
    SingularHere,
    /// At none of these states: the Lagrangian is degenerate.
    Degenerate,
    /// The mass matrix is too large to be evaluated.
    Unknown,
}

/// Looks at a model.
pub fn understand(model: &Model) -> Understanding {
    let system = &model.system;
    let dynamics = system.dynamics();
    let mut graph = dynamics.graph.clone();
    let geometry = Geometry::new(&dynamics, &model.initial, &mut graph);
    let (q, v) = (&model.initial.q, &model.initial.v);
    let n = system.dimension();
    let constraint_rank = rank(&geometry.holonomic, n, TOLERANCE);
    let all_constraints = [&geometry.holonomic[..], &geometry.velocity].concat();
    let total_rank = rank(&all_constraints, n, TOLERANCE);
    let mut legendre = Legendre::new(&dynamics, Backend::Interpreter).ok();
    let mass = legendre.as_mut().map_or(Vec::new(), |legendre| legendre.mass(q, v, 0.0).to_vec());
    let regularity = legendre.as_mut().map_or(Regularity::Unknown, |l| regularity(l, &all_constraints, &model.initial));
    let contacts = contact_states(model, &dynamics, &mut graph);
    let conserved = conserved(system, &mut graph);
    // What is derived here is not needed later.
    let mut scratch = graph.clone();
    let distribution = Distribution::new(&dynamics, q, legendre.as_mut(), &mut scratch);
    let warnings = remarks(model, &geometry, regularity, &mass, distribution.as_ref());
    Understanding {
        name: system.name().to_owned(),
        doc: system.doc().map(str::to_owned),
        coordinates: system.coordinates().to_vec(),
        initial: model.initial.clone(),
        parameters: system.parameters().to_vec(),
        inputs: system.inputs().to_vec(),
        constraints: system.constraints().iter().map(|g| g.name.clone()).collect(),
        velocity_constraints: system.velocity_constraints().iter().map(|g| g.name.clone()).collect(),
        contacts,
        degrees_of_freedom: n - total_rank,
        constraint_rank,
        velocity_constraint_rank: total_rank - constraint_rank,
        distribution,
        frame: frame_state(model, &dynamics, &mut scratch),
        mass_rank: rank(&mass, n, TOLERANCE),
        regularity,
        is_quadratic: is_quadratic(&dynamics, &mut graph),
        is_time_dependent: dynamics.is_time_dependent(),
        is_forced: dynamics.is_forced(),
        energy: legendre.as_mut().map_or(f64::NAN, |legendre| legendre.energy(q, v, 0.0)),
        conserved,
        graph,
        warnings,
    }
}

/// Jacobians of the constraints at the initial state, row by row.
struct Geometry {
    /// `G = dg/dq`
    holonomic: Vec<f64>,
    /// `omega`
    velocity: Vec<f64>,
}

impl Geometry {
    fn new(dynamics: &Dynamics, initial: &InitialState, graph: &mut Graph) -> Self {
        let values = state_values(dynamics, initial);
        let holonomic = graph.jacobian(&dynamics.constraints, &dynamics.q).dense(graph);
        let velocity = graph.jacobian(&dynamics.velocity_constraints, &dynamics.v).dense(graph);
        Self { holonomic: graph.evaluate(&holonomic, &values), velocity: graph.evaluate(&velocity, &values) }
    }
}

fn state_values(dynamics: &Dynamics, initial: &InitialState) -> Vec<(Id, f64)> {
    let q = dynamics.q.iter().copied().zip(initial.q.iter().copied());
    let v = dynamics.v.iter().copied().zip(initial.v.iter().copied());
    q.chain(v).chain([(dynamics.time, 0.0)]).collect()
}

/// The mass matrix does not depend on the rates.
fn is_quadratic(dynamics: &Dynamics, graph: &mut Graph) -> bool {
    let mass = graph.hessian(dynamics.lagrangian, &dynamics.v).expressions();
    !graph.free_variables(&mass).iter().any(|variable| dynamics.v.contains(variable))
}

fn regularity(legendre: &mut Legendre, constraints: &[f64], initial: &InitialState) -> Regularity {
    let n = initial.q.len();
    let mut random = Random(1);
    let mut shifted = |values: &[f64]| values.iter().map(|x| x + 0.1 * random.next()).collect::<Vec<f64>>();
    if defect(legendre.mass(&initial.q, &initial.v, 0.0), constraints, n) == 0 {
        return Regularity::Regular;
    }
    for _ in 0..NEARBY {
        let (q, v) = (shifted(&initial.q), shifted(&initial.v));
        if defect(legendre.mass(&q, &v, 0.0), constraints, n) == 0 {
            return Regularity::SingularHere;
        }
    }
    Regularity::Degenerate
}
