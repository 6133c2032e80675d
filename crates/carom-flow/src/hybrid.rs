//! The flow between impacts: one Taylor series per mode, events as roots of polynomials.
//!
//! Where the series holds the motion is a polynomial, and the first contact along it is found by interval
//! bounds of the gap ([`carom_impact::path`]), then by Newton's method: the gap need not be expanded, and
//! does not shorten the steps. Forces and slip velocities of closed contacts are expanded along with the
//! motion; their events are first roots of polynomials ([`carom_impact::polynomial`]).

use crate::approach::{COARSE, SHORTEST};
use crate::charts::{Chart, Charts};
use crate::error::{FlowError, FlowFailure};
use crate::options::FlowOptions;
use crate::taylor::Taylor;
use carom_expr::{Backend, Id};
use carom_impact::path::{Path, PathSearch};
use carom_impact::polynomial::{FirstRoot, RootFinder};
use carom_impact::{Arrival, Attention, ClosedContact, Geometry, Smooth, Start, Watch};
use carom_model::{Acceleration, Closed, Dynamics, Hold};
use std::sync::Arc;

/// A slip below so many roundings of the slip to come is none.
const AT_REST: f64 = 1e3;
/// Rounding of a polynomial, in parts of the sum of its terms.
const ROUNDING: f64 = 4e-16;

/// The motion in one mode and one frame.
#[derive(Clone)]
pub(crate) struct Mode {
    closed: Vec<Closed>,
    chart: Chart,
    pub(crate) taylor: Taylor,
    /// Multipliers of all constraints, where the equations do not have them.
    reactions: Option<Acceleration>,
}

/// Follows motions with contacts, mode by mode.
#[derive(Clone)]
pub struct HybridTaylor {
    pub(crate) dynamics: Arc<Dynamics>,
    options: FlowOptions,
    charts: Charts,
    pub(crate) modes: Vec<Mode>,
    pub(crate) current: usize,
    pub(crate) geometry: Geometry,
    pub(crate) search: PathSearch,
    pub(crate) path: Path,
    pub(crate) scratch: Vec<f64>,
    finder: RootFinder,
    pub(crate) touched: Vec<(usize, f64)>,
}

impl HybridTaylor {
    /// Derives and compiles the free motion; other modes and frames follow when they are met.
    pub fn new(dynamics: Arc<Dynamics>, options: FlowOptions) -> Result<Self, FlowError> {
        let geometry = Geometry::new(&dynamics, options.backend)?;
        let charts = Charts::new(&dynamics, options)?;
        let first = charts.fixed.clone();
        let mut search = PathSearch::new(&dynamics)?;
        // Newton's method does the rest; the last digits want a good guess.
        if options.tolerance > COARSE {
            search.accuracy = 1.0;
        }
        let mut all = Self {
            charts,
            search,
            path: Path::new(dynamics.dimension()),
            scratch: vec![0.0; 2 * dynamics.dimension()],
            dynamics,
            options,
            modes: Vec::new(),
            current: 0,
            geometry,
            finder: RootFinder::default(),
            touched: Vec::new(),
        };
        if let Some(chart) = first {
            all.current = all.mode(&[], &chart)?;
        }
        Ok(all)
    }

    /// Series computed so far.
    pub fn steps(&self) -> usize {
        self.modes.iter().map(|mode| mode.taylor.steps()).sum::<usize>()
    }

    /// Limits the steps of all modes, and has their ends checked.
    pub fn limit(&mut self, max_step: f64) {
        self.options.max_step = self.options.max_step.min(max_step);
        self.modes.iter_mut().for_each(|mode| mode.taylor.limit(max_step));
    }

    /// The series of the current mode.
    pub fn taylor(&mut self) -> &mut Taylor {
        &mut self.modes[self.current].taylor
    }

    /// The mode with these contacts closed, compiled if it is new.
    fn mode(&mut self, closed: &[Closed], chart: &Chart) -> Result<usize, FlowError> {
        if let Some(index) = self.modes.iter().position(|mode| mode.closed == closed && mode.chart == *chart) {
            return Ok(index);
        }
        let dynamics = if closed.is_empty() { (*self.dynamics).clone() } else { self.dynamics.with_closed(closed) };
        // The slip of contacts that slide with friction.
        let mut graph = dynamics.graph.clone();
        let along: Vec<(Id, Id)> = dynamics.q.iter().copied().zip(dynamics.v.iter().copied()).collect();
        let tangents: Vec<Id> = dynamics.rubbing.iter().map(|rubbing| rubbing.tangent).collect();
        let watched = graph.directional(&tangents, &along);
        let frame = chart.frame(&dynamics, &mut graph);
        let taylor = Taylor::watching(&dynamics, &graph, frame.as_ref(), &watched, self.options)?;
        let has_reactions = frame.is_some() && dynamics.constraint_count() > 0;
        let reactions = has_reactions.then(|| Acceleration::new(&dynamics, Backend::Interpreter)).transpose()?;
        self.modes.push(Mode { closed: closed.to_vec(), chart: chart.clone(), taylor, reactions });
        Ok(self.modes.len() - 1)
    }

    /// Goes on in another frame where the present one is about to degenerate.
    fn adapt(&mut self) -> Result<(), FlowError> {
        let Mode { closed, chart, taylor, .. } = &self.modes[self.current];
        let Some(chart) = self.charts.better(chart, taylor.t(), taylor.q())? else { return Ok(()) };
        let (closed, t, q, v) = (closed.clone(), taylor.t(), taylor.q().to_vec(), taylor.v().to_vec());
        let (position, time) = taylor.rest();
        let (position, time) = (position.to_vec(), time);
        self.current = self.mode(&closed, &chart)?;
        self.taylor().start(t, &q, &v)?;
        if self.taylor().multiplier_count() == 0 {
            self.taylor().set_rest(&position, time);
        }
        Ok(())
    }

    /// The first event within `length` of the current series.
    fn first_event(&mut self, watch: &Watch, length: f64) -> Option<(Arrival, f64)> {
        let time = self.modes[self.current].taylor.t();
        let mut first: Option<(Arrival, f64)> = None;
        if watch.surfaces.iter().any(|attention| *attention != Attention::Closed) {
            let taylor = &self.modes[self.current].taylor;
            self.path.series(taylor.q(), taylor.velocity_orders(), length);
        }
        for (surface, attention) in watch.surfaces.iter().enumerate() {
            let multiplicity = match attention {
                Attention::Closed => continue,
                Attention::Guarded => 0,
                Attention::Leaving(multiplicity) => *multiplicity,
            };
            let Some((at, bracket)) = self.contact(surface, multiplicity, length) else { continue };
            if first.is_none_or(|(_, earlier)| at < earlier) {
                let bracket = (time + bracket.0, time + bracket.1);
                first = Some((Arrival::Contact { surface, bracket, iterations: 1 }, at));
            }
        }
        let mut rubbing = 0;
        for (index, contact) in watch.closed.iter().enumerate() {
            for (arrival, mut polynomial) in self.guards(index, contact, watch.force, &mut rubbing) {
                let limit = first.map_or(length, |(_, at)| at);
                let noise = noise(&polynomial, limit);
                // A contact that begins to slip does so from rest.
                let is_at_rest = polynomial[0].abs() <= AT_REST * noise && matches!(arrival, Arrival::Halt(_));
                if is_at_rest {
                    polynomial[0] = 0.0;
                }
                let multiplicity = usize::from(is_at_rest);
                if let FirstRoot::Crossing { at, .. } = self.finder.first_root(&polynomial, limit, multiplicity, noise)
                {
                    first = Some((arrival, at));
                }
            }
        }
        first
    }

    /// Polynomials of a closed contact that stay positive as long as its mode lasts.
    fn guards(
        &self,
        index: usize,
        contact: &ClosedContact,
        force: f64,
        rubbing: &mut usize,
    ) -> Vec<(Arrival, Vec<f64>)> {
        let taylor = &self.modes[self.current].taylor;
        let push: Vec<f64> = taylor.multiplier(contact.normal).map(|lambda| -lambda).collect();
        let lifted = |mut polynomial: Vec<f64>, by: f64| {
            polynomial[0] += by;
            polynomial
        };
        let mut all = vec![(Arrival::Release(index), lifted(push.clone(), force))];
        if let (Hold::Stick, Some(mu), [place]) = (contact.closed.hold, contact.friction, &contact.tangential[..]) {
            for sign in [1.0, -1.0] {
                let edge = push.iter().zip(taylor.multiplier(*place)).map(|(push, t)| mu * push + sign * t).collect();
                all.push((Arrival::Slip(index), lifted(edge, force)));
            }
        }
        if let Hold::Slide { friction, direction } = contact.closed.hold
            && friction > 0.0
        {
            let slip = taylor.watched(*rubbing).iter().map(|slip| slip * direction).collect();
            all.push((Arrival::Halt(index), slip));
            *rubbing += 1;
        }
        all
    }
}

/// What rounding leaves undecided.
fn noise(coefficients: &[f64], length: f64) -> f64 {
    ROUNDING * coefficients.iter().rev().fold(0.0, |sum, c| sum * length + c.abs())
}

impl Smooth for HybridTaylor {
    type Error = FlowError;

    fn enter(&mut self, start: &Start, closed: &[Closed]) -> Result<(), FlowError> {
        // Impacts do not move the bodies: what rounding has taken from the position is kept.
        let old = self.modes.get(self.current).map(|mode| &mode.taylor);
        let same = old.filter(|old| old.t() == start.t && old.q() == start.q);
        let rest = same.map(|old| (old.rest().0.to_vec(), old.rest().1));
        let chart = self.charts.best(start.t, &start.q)?;
        self.current = self.mode(closed, &chart)?;
        self.taylor().start(start.t, &start.q, &start.v)?;
        if let Some((position, time)) = rest.filter(|_| self.taylor().multiplier_count() == 0) {
            self.taylor().set_rest(&position, time);
        }
        Ok(())
    }

    fn advance(&mut self, until: f64, watch: &mut Watch) -> Result<Arrival, FlowError> {
        self.taylor().refresh()?;
        loop {
            self.adapt()?;
            let taylor = &mut self.modes[self.current].taylor;
            let left = taylor.until(until);
            let rounding = f64::EPSILON * until.abs();
            if left <= rounding {
                taylor.propagate(until)?;
                return Ok(Arrival::End);
            }
            let length = taylor.length().min(left);
            let event = self.first_event(watch, length);
            let taylor = &mut self.modes[self.current].taylor;
            match event {
                // An event at once: the state stays where it is.
                Some((arrival, at)) if at <= SHORTEST * taylor.t().abs().max(1e-9) => return Ok(arrival),
                Some((arrival, at)) => {
                    // A step may end early, at a kink of the forces.
                    let is_there = match arrival {
                        Arrival::Contact { surface, .. } => self.approach(surface, at)?,
                        _ => taylor.step(at)? >= at,
                    };
                    watch.guard_again(&mut self.geometry, self.modes[self.current].taylor.q());
                    if is_there {
                        return Ok(arrival);
                    }
                }
                None => {
                    taylor.step(length)?;
                    watch.guard_again(&mut self.geometry, self.modes[self.current].taylor.q());
                }
            }
        }
    }

    fn time(&self) -> f64 {
        self.modes[self.current].taylor.t()
    }

    fn state(&mut self, q: &mut [f64], v: &mut [f64]) -> Result<(), FlowError> {
        let taylor = self.taylor();
        q.copy_from_slice(taylor.q());
        v.copy_from_slice(taylor.v());
        Ok(())
    }

    fn multipliers(&mut self) -> Result<Vec<f64>, FlowError> {
        let Mode { taylor, reactions, .. } = &mut self.modes[self.current];
        taylor.refresh()?;
        let Some(reactions) = reactions else {
            return Ok((0..taylor.multiplier_count()).filter_map(|index| taylor.multiplier(index).next()).collect());
        };
        let all = reactions.at(taylor.q(), taylor.v(), taylor.t());
        let all = all.ok_or(FlowFailure::DependentConstraints { time: taylor.t() })?;
        Ok(all[taylor.q().len()..].to_vec())
    }

    fn touched(&mut self) -> Option<(usize, f64)> {
        self.touched.pop()
    }
}

impl From<carom_impact::ImpactError> for FlowError {
    fn from(error: carom_impact::ImpactError) -> Self {
        FlowFailure::from(error).into()
    }
}

impl From<carom_model::LegendreError> for FlowError {
    fn from(error: carom_model::LegendreError) -> Self {
        FlowFailure::from(error).into()
    }
}
