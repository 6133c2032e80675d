//! The Taylor integrator: one series per step, its length chosen from its own coefficients.
//!
//! With coefficients `x[k]` up to order `P` the radius of convergence is about
//! `rho = min_k (|x| / |x[k]|)^(1/k)` over the last two orders, and a step of
//!
//! ```text
//! h = rho tolerance^(1/(P-1)) exp(-0.7/(P-1))
//! ```
//!
//! leaves an error of the size of the tolerance, relative to `max(1, |x|)`. The
//! order that costs least is `P = 1 - ln(tolerance)/2` (Jorba and Zou 2005).
//!
//! A series knows nothing of what lies beyond its radius: kinks, jumps, or a
//! short pulse in the middle of a rest. Steps are therefore limited
//! ([`FlowOptions::max_step`]), and the acceleration that a series predicts for
//! its end is compared with the one that holds there. Where they differ the step
//! is halved until it ends on the discontinuity, and a new series goes on.

use crate::equations::{MAX_NODES, expand};
use crate::error::{FlowError, FlowFailure};
use crate::options::FlowOptions;
use carom_expr::{Backend, Evaluator, Function, FunctionError, Graph, Group, Id};
use carom_linalg::max_abs;
use carom_model::{Dynamics, Frame, Legendre, Quasivelocities};

/// Lowest order that makes sense for the step control.
pub(crate) const MIN_ORDER: usize = 4;
/// Highest order.
pub(crate) const MAX_ORDER: usize = 60;
/// Where a motion fails, a one-form below this is to blame.
const VANISHING: f64 = 1e-3;
/// Where a motion fails, fields that span less than this are to blame: quasivelocities grow without bound
/// before the fields are dependent.
const DEGENERATE: f64 = 1e-2;

/// Integrates the equations of motion of one system: Euler and Lagrange's, or Hamel's in a frame.
#[derive(Clone)]
pub struct Taylor {
    pub(crate) n: usize,
    /// Number of speeds: velocities, or quasivelocities in a frame.
    pub(crate) k: usize,
    pub(crate) m: usize,
    pub(crate) order: usize,
    /// The frame, if the motion is expanded in one.
    pub(crate) frame: Option<Quasivelocities>,
    /// Where `w[1]` stands in the output.
    pub(crate) speeds: usize,
    /// Where the multipliers stand in the output.
    pub(crate) multipliers: usize,
    /// Logarithm of `tolerance^(1/(P-1)) exp(-0.7/(P-1))`.
    log_factor: f64,
    pub(crate) series: Evaluator,
    legendre: Legendre,
    /// Position, speeds, time at the start of the current series.
    pub(crate) state: Vec<f64>,
    /// Rounding errors of position and speeds, and of time.
    pub(crate) rest: Vec<f64>,
    pub(crate) time_rest: f64,
    /// `v[0..=P]`, in a frame `w[1..=P]`, then `lambda[0..P]`, then `x[0..=P]` of each watched expression `x`.
    pub(crate) output: Vec<f64>,
    /// The series at the end of a step that is tried, and that end.
    pub(crate) next_output: Vec<f64>,
    pub(crate) next: Vec<f64>,
    pub(crate) tolerance: f64,
    pub(crate) max_step: f64,
    /// True if steps are checked at their ends.
    pub(crate) is_checked: bool,
    /// Discontinuities met since a time.
    pub(crate) kinks: (usize, f64),
    /// Change of position and speeds over the step.
    pub(crate) change: Vec<f64>,
    pub(crate) length: f64,
    steps: usize,
    /// The state has moved beyond the series; only its velocity is known.
    pub(crate) is_stale: bool,
}

impl Taylor {
    /// Derives and compiles the series of a system.
    pub fn new(dynamics: &Dynamics, options: FlowOptions) -> Result<Self, FlowError> {
        Self::watching(dynamics, &dynamics.graph, None, &[], options)
    }

    /// The same, in a frame if one is given, and with the series of expressions of the state. Frame and
    /// expressions stand in `graph`, a copy of the graph of `dynamics`.
    pub fn watching(
        dynamics: &Dynamics,
        graph: &Graph,
        frame: Option<&Frame>,
        watched: &[Id],
        options: FlowOptions,
    ) -> Result<Self, FlowError> {
        let n = dynamics.dimension();
        let (k, m) = match frame {
            Some(frame) => (frame.rank, dynamics.constraints.len()),
            None => (n, dynamics.constraint_count()),
        };
        if !(options.tolerance > 0.0 && options.tolerance < 1.0) {
            let expected = "between 0 and 1";
            return Err(FlowError::BadSetting { name: "tolerance", value: options.tolerance, expected });
        }
        if options.max_step.is_nan() || options.max_step <= 0.0 {
            return Err(FlowError::BadSetting { name: "max_step", value: options.max_step, expected: "positive" });
        }
        let cheapest = (1.0 - 0.5 * options.tolerance.ln()).ceil() as usize;
        let wanted = options.order.unwrap_or(cheapest).clamp(MIN_ORDER, MAX_ORDER);
        let (series, order) = compile(dynamics, graph, frame, watched, wanted, options.backend)?;
        let mut expressions = [&[dynamics.lagrangian][..], &dynamics.forces, &dynamics.constraints].concat();
        expressions.extend(&dynamics.velocity_constraints);
        let after = n * (order + 1);
        let compile_frame = |frame| Quasivelocities::new(dynamics, graph, frame, options.backend);
        Ok(Self {
            n,
            k,
            m,
            order,
            speeds: if frame.is_some() { after } else { n },
            multipliers: if frame.is_some() { after + k * order } else { after },
            frame: frame.map(compile_frame).transpose()?,
            log_factor: (options.tolerance.ln() - 0.7) / (order as f64 - 1.0),
            output: vec![0.0; series.output_len()],
            next_output: vec![0.0; series.output_len()],
            next: vec![0.0; n + k + 1],
            tolerance: options.tolerance.max(f64::EPSILON),
            max_step: options.max_step,
            is_checked: options.max_step.is_finite() || dynamics.graph.has_switches(&expressions),
            kinks: (0, f64::NEG_INFINITY),
            series: series.evaluator(),
            legendre: Legendre::new(dynamics, options.backend)?,
            state: vec![0.0; n + k + 1],
            rest: vec![0.0; n + k],
            time_rest: 0.0,
            change: vec![0.0; n + k],
            length: 0.0,
            steps: 0,
            is_stale: false,
        })
    }

    /// Order of the series.
    pub fn order(&self) -> usize {
        self.order
    }

    /// Limits the steps and has their ends checked.
    pub fn limit(&mut self, max_step: f64) {
        self.max_step = self.max_step.min(max_step);
        self.is_checked |= self.max_step.is_finite();
    }

    /// Number of multipliers.
    pub fn multiplier_count(&self) -> usize {
        self.m
    }

    /// Series computed so far.
    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Sets the state; position and velocity are moved onto the constraints.
    pub fn start(&mut self, t: f64, q: &[f64], v: &[f64]) -> Result<(), FlowFailure> {
        let n = self.n;
        self.state[..n].copy_from_slice(q);
        self.state[n + self.k] = t;
        self.set_velocity(v)?;
        self.rest.fill(0.0);
        self.time_rest = 0.0;
        self.kinks = (0, f64::NEG_INFINITY);
        if self.m > 0 {
            self.project(v.to_vec())?;
        }
        self.expand()
    }

    /// The speeds of a velocity.
    fn set_velocity(&mut self, v: &[f64]) -> Result<(), FlowFailure> {
        let (time, (q, rest)) = (self.t(), self.state.split_at_mut(self.n));
        let is_found = match &mut self.frame {
            None => {
                rest[..self.k].copy_from_slice(v);
                true
            }
            Some(frame) => frame.of(q, v, &mut rest[..self.k]),
        };
        if is_found { Ok(()) } else { Err(FlowFailure::DependentFields { time }) }
    }

    /// What rounding has taken from position and time, to be given to a motion that goes on from here.
    pub fn rest(&self) -> (&[f64], f64) {
        (&self.rest[..self.n], self.time_rest)
    }

    /// Adds what rounding had taken from position and time before.
    pub fn set_rest(&mut self, position: &[f64], time: f64) {
        self.rest[..self.n].copy_from_slice(position);
        self.time_rest = time;
    }

    /// Position at the start of the current series.
    pub fn q(&self) -> &[f64] {
        &self.state[..self.n]
    }

    /// Velocity at the start of the current series.
    pub fn v(&self) -> &[f64] {
        &self.output[..self.n]
    }

    /// Time at the start of the current series.
    pub fn t(&self) -> f64 {
        self.state[self.n + self.k]
    }

    /// Time from the start of the current series to `time`, free of the rounding of either.
    pub fn until(&self, time: f64) -> f64 {
        (time - self.t()) - self.time_rest
    }

    /// Duration for which the current series holds.
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Momenta, energies and constraints of the same system.
    pub fn legendre(&mut self) -> &mut Legendre {
        &mut self.legendre
    }

    /// Coefficients and step length at the current state.
    pub(crate) fn expand(&mut self) -> Result<(), FlowFailure> {
        self.is_stale = false;
        self.series.eval(&self.state, &mut self.output);
        self.measure()
    }

    /// The length for which the coefficients are good.
    pub(crate) fn measure(&mut self) -> Result<(), FlowFailure> {
        let (n, width, time) = (self.n, self.k, self.t());
        self.steps += 1;
        if !max_abs(&self.output).is_finite() || !max_abs(&self.state).is_finite() {
            return Err(self.failure(FlowFailure::NotFinite { time }));
        }
        // Both last orders, of speeds w[k] and of position q[k] = v[k-1]/k.
        let scale = max_abs(&self.state[..n + width]).max(1.0).ln();
        let watched = &self.output[self.multipliers + self.order * self.m..];
        let last = |k: usize| watched.chunks_exact(self.order + 1).map(|x| x[k].abs()).fold(0.0, f64::max);
        let speed = |k: usize| max_abs(&self.output[self.speeds + (k - 1) * width..self.speeds + k * width]);
        let velocity = |k: usize| max_abs(&self.output[k * n..(k + 1) * n]);
        let order = |k: usize| speed(k).max(velocity(k - 1) / k as f64).max(last(k)).max(last(k - 1) / k as f64);
        let log_radius = |k: usize| (scale - order(k).ln()) / k as f64;
        let log_rho = log_radius(self.order).min(log_radius(self.order - 1));
        self.length = (log_rho + self.log_factor).exp().min(self.max_step);
        if self.length.is_nan() { Err(FlowFailure::NotFinite { time }) } else { Ok(()) }
    }

    /// A failure where the frame degenerates is the frame's.
    pub(crate) fn failure(&mut self, failure: FlowFailure) -> FlowFailure {
        let (time, n, q) = (self.t(), self.n, &self.state[..self.n]);
        let first = self.legendre.holonomic_count() * n;
        let forms = &self.legendre.constraints(q).1[first..];
        if forms.chunks_exact(n).any(|row| max_abs(row) < VANISHING) {
            return FlowFailure::DependentConstraints { time };
        }
        let is_degenerate = self.frame.as_mut().is_some_and(|frame| frame.regularity(q) < DEGENERATE);
        if is_degenerate { FlowFailure::DependentFields { time } } else { failure }
    }

    /// Back onto the constraints `g = 0` and `G v = 0`.
    pub(crate) fn project(&mut self, mut v: Vec<f64>) -> Result<(), FlowFailure> {
        let (n, t) = (self.n, self.t());
        let (mut p, mut mu) = (vec![0.0; n], vec![0.0; self.legendre.constraint_count()]);
        let q = &mut self.state[..n];
        self.legendre.project_configuration(q)?;
        self.legendre.momentum(q, &v, t, &mut p);
        self.legendre.velocity(q, t, &mut p, &mut v, &mut mu)?;
        self.rest.fill(0.0);
        self.set_velocity(&v)
    }
}

/// The series as a function; orders that are too large for a back end are lowered.
fn compile(
    dynamics: &Dynamics,
    graph: &Graph,
    frame: Option<&Frame>,
    watched: &[Id],
    wanted: usize,
    backend: Backend,
) -> Result<(Function, usize), FunctionError> {
    let mut order = wanted;
    loop {
        let expansion = expand(dynamics, graph, frame, watched, order);
        let time = [dynamics.time];
        let inputs = [Group::new("q", &dynamics.q), Group::new("w", &expansion.state), Group::new("t", &time)];
        let outputs = [
            Group::new("velocity", &expansion.velocity),
            Group::new("speeds", &expansion.speeds),
            Group::new("multipliers", &expansion.multipliers),
            Group::new("watched", &expansion.watched),
        ];
        match Function::compile(&expansion.graph, &inputs, &outputs, backend) {
            Err(FunctionError::TooLarge { .. }) if expansion.order > MIN_ORDER => {
                order = (expansion.order * 3 / 4).max(MIN_ORDER);
            }
            // A cut series is too short for the step control.
            Ok(_) if expansion.order < MIN_ORDER => {
                return Err(FunctionError::TooLarge { needed: expansion.graph.len(), limit: MAX_NODES });
            }
            result => return result.map(|function| (function, expansion.order)),
        }
    }
}
