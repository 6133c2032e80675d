//! Derivatives of a run with respect to its initial state and to parameters, through every impact and change of mode.
//!
//! A run is a chain of maps of `x = (q, p, t)`, each defined by equations that were solved ([`crate::segment`]):
//!
//! ```text
//! segment of duration h:     R(z, x, h) = 0,   x+ = Y(z, x, h)
//! projection of a momentum:  p(q, v) + H^T mu = p,   G v = 0
//! event:                     psi(x+(h)) = 0 determines h
//! jump:                      momentum balance and law (carom_impact::JumpTangent)
//! ```
//!
//! Each map is differentiated by the implicit function theorem on its converged equations, and the chain rule joins them.
//! *Forward*, the columns `dx/dx0` and `dx/d parameter` are carried along. *Adjoint*, a covector of the end is carried
//! back; that costs one linear solve and one gradient per segment, whatever the number of parameters.
//!
//! At an event the duration of the segment before it depends on the state: `dh = -(psi_x dx+)/(psi_x dx+/dh)`, and the
//! segment after it lasts until the next node of the grid, `dh = -dt`. So the result is the exact derivative of the
//! discrete motion, not a discretisation of the derivative. The energy that the jump `modified` restores is carried along
//! as one more component; with the jump `variational` it is the discrete energy of the segment before an impact, which the
//! segment after it balances.
//!
//! Where nearby motions do something else there is no derivative: grazing, contacts that strike at once, accumulation, the
//! edge of a cone ([`NotDifferentiable`]).

mod adjoint;
mod departures;
mod events;
mod forward;
mod jumps;
mod linearise;
mod maps;
mod second;
mod start;

use crate::method::Method;
use crate::stepper::Options;
use crate::tape::Record;
use carom_expr::FunctionError;
use carom_impact::{JumpKind, JumpTangent, NotDifferentiable};
use carom_model::{Closed, Dynamics, ImplicitMap, MapError, System};
use linearise::Linearised;
use maps::{ModeMaps, explicit};
pub use second::SecondDerivative;

/// The derivative of a run at its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Derivative {
    /// Time of the end.
    pub t: f64,
    /// Configuration at the end.
    pub q: Vec<f64>,
    /// Velocity at the end.
    pub v: Vec<f64>,
    /// `d(q, v)/d(q0, v0)`, row by row.
    pub state: Vec<f64>,
    /// `d(q, v)/d parameters`, row by row.
    pub parameters: Vec<f64>,
    /// The events on the way.
    pub events: Vec<EventDerivative>,
}

/// An event with its saltation matrix.
#[derive(Clone, Debug, PartialEq)]
pub struct EventDerivative {
    /// Time.
    pub t: f64,
    /// Index of the contact.
    pub contact: usize,
    /// What happens: `impact`, `release`, `slip` or `halt`.
    pub kind: &'static str,
    /// The saltation matrix at `(q, v)`, row by row.
    pub saltation: Vec<f64>,
    /// Derivative of its time by the initial `(q, v)`.
    pub time_state: Vec<f64>,
    /// Derivative of its time by the parameters.
    pub time_parameters: Vec<f64>,
}

/// The gradient of a function of the motion.
#[derive(Clone, Debug, PartialEq)]
pub struct Gradient {
    /// With respect to the initial configuration and velocity.
    pub state: Vec<f64>,
    /// With respect to the parameters.
    pub parameters: Vec<f64>,
}

/// Differentiates runs of one system by one method.
pub struct DiscreteTangent {
    n: usize,
    /// Names and values of the parameters.
    pub(crate) kept: Vec<String>,
    values: Vec<f64>,
    pub(crate) dynamics: Dynamics,
    method: Method,
    options: Options,
    contacts: Vec<String>,
    is_conservative: bool,
    modes: Vec<ModeMaps>,
    jumps: JumpTangent,
    /// `(q, v, t, parameters)` to momentum and energy.
    momentum: ImplicitMap,
    corrections: Vec<(usize, ImplicitMap)>,
}

impl DiscreteTangent {
    /// Prepares derivatives of runs of `system` by `method`, with the same options, with respect to the initial state and to
    /// the parameters `kept`.
    pub fn new(system: &System, kept: &[&str], method: &Method, options: Options) -> Result<Self, NotDifferentiable> {
        let values = kept.iter().map(|name| value_of(system, name)).collect::<Result<Vec<_>, _>>()?;
        let kept: Vec<String> = kept.iter().map(|name| (*name).to_owned()).collect();
        let dynamics = Dynamics::keeping(system, &|name| kept.iter().any(|k| k == name));
        refuse(system, method, options)?;
        Ok(Self {
            n: dynamics.dimension(),
            values,
            method: method.clone(),
            options,
            contacts: system.contacts().iter().map(|contact| contact.name.clone()).collect(),
            is_conservative: !dynamics.is_forced() && !dynamics.is_time_dependent(),
            modes: Vec::new(),
            jumps: JumpTangent::new(system, &kept, options.backend)?,
            momentum: explicit(&dynamics, &kept, options.backend)?,
            corrections: Vec::new(),
            kept,
            dynamics,
        })
    }

    /// The derivative of the end of a run.
    pub fn forward(&mut self, record: &Record) -> Result<Derivative, NotDifferentiable> {
        let chain = self.linearise(record)?;
        self.sweep(chain)
    }

    /// The gradient of a function of the motion whose covectors `d f/d(q, v)` are given at some nodes, by their numbers
    /// (the initial state is node 0).
    pub fn adjoint(&mut self, record: &Record, covectors: &[(usize, Vec<f64>)]) -> Result<Gradient, NotDifferentiable> {
        let chain: Linearised = self.linearise(record)?;
        self.sweep_back(&chain, covectors)
    }

    /// The maps of a mode, derived and compiled if it is new.
    fn mode(&mut self, closed: &[Closed]) -> Result<usize, FunctionError> {
        if let Some(index) = self.modes.iter().position(|mode| mode.closed == closed) {
            return Ok(index);
        }
        self.modes.push(ModeMaps::new(&self.dynamics, closed, &self.kept, &self.method, self.options)?);
        Ok(self.modes.len() - 1)
    }

    /// Width of a row: components of the state `(q, p, t, energy)`, then parameters.
    fn width(&self) -> usize {
        2 * self.n + 2 + self.kept.len()
    }
}

/// The value of a parameter.
fn value_of(system: &System, name: &str) -> Result<f64, NotDifferentiable> {
    let found = system.parameters().iter().find(|parameter| parameter.name == name);
    found.map(|parameter| parameter.value).ok_or_else(|| NotDifferentiable::NoParameter {
        name: name.to_owned(),
        known: system.parameters().iter().map(|p| p.name.as_str()).collect::<Vec<_>>().join(", "),
    })
}

/// What has no derivative here.
fn refuse(system: &System, method: &Method, options: Options) -> Result<(), NotDifferentiable> {
    let no = |what: String, advice| Err(NotDifferentiable::NotSupported { what, advice });
    if system.dynamics().degeneracy() > 0 {
        return no("a degenerate Lagrangian".to_owned(), "every admissible direction needs inertia");
    }
    if method.reflects() && !system.velocity_constraints().is_empty() {
        return no(
            format!("`{method}` with velocity constraints"),
            "use a rule that does not reflect, such as midpoint",
        );
    }
    let is_variational = options.contacts.jump == JumpKind::Variational && !system.contacts().is_empty();
    if is_variational && method.substeps().len() > 1 {
        return no(format!("variational jumps of `{method}`"), "use a single rule, or the jump `modified`");
    }
    Ok(())
}

/// A map that cannot be differentiated at some time.
fn failed(time: f64, error: MapError) -> NotDifferentiable {
    match error {
        MapError::Singular(_) => NotDifferentiable::SingularStep { time },
        MapError::Function(error) => error.into(),
    }
}
