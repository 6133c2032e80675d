//! Steps through impacts: every gap is watched along the path of the step, and where one vanishes the step
//! ends there.
//!
//! The path is the rule's own polynomial where it has internal nodes, and the cubic through positions
//! and velocities at both ends otherwise. Contacts along it are found by interval bounds
//! ([`carom_impact::path`]); the segment that ends at the contact is then solved with its duration
//! unknown. Forces of closed contacts are looked at at the ends of steps, and events between them are
//! located by repeating the step.

use crate::error::StepError;
use crate::landing::{Given, Landing};
use crate::method::Method;
use crate::newton::Effort;
use crate::quadrature::monomials;
use crate::segment::{Closure, Opening};
use crate::stepper::{Options, Stepper};
use carom_expr::{FunctionError, Interval};
use carom_impact::path::{Path, PathSearch};
use carom_impact::polynomial::FirstRoot;
use carom_impact::{Arrival, Attention, Departed, Departure, Geometry, Smooth, Start, Watch};
use carom_model::{Closed, Dynamics};
use std::sync::Arc;

/// Contacts within this part of a step from its end are at its end.
pub(crate) const AT_THE_END: f64 = 1e-6;
/// How often the surface that is reached first is found to be another one.
const MAX_REPETITIONS: usize = 20;

/// The stepper of one mode, and the segments around its impacts.
pub(crate) struct Mode {
    closed: Vec<Closed>,
    pub(crate) dynamics: Arc<Dynamics>,
    pub(crate) stepper: Stepper,
    pub(crate) landings: Vec<Landing>,
}

/// A contact along a step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) surface: usize,
    /// As a part of the step.
    pub(crate) at: f64,
    pub(crate) bracket: (f64, f64),
}

/// Steps with contacts.
pub struct ContactStepper {
    dynamics: Arc<Dynamics>,
    method: Method,
    pub(crate) options: Options,
    pub(crate) modes: Vec<Mode>,
    pub(crate) current: usize,
    search: PathSearch,
    pub(crate) geometry: Geometry,
    path: Path,
    /// Coefficients of the interpolation of the control nodes; empty if the cubic is better.
    basis: Vec<Vec<f64>>,
    box_: Vec<Interval>,
    departure: Option<Departure>,
    pub(crate) departed: Option<Departed>,
    /// Duration of the last step.
    duration: f64,
    /// Discrete energy of the last segment.
    pub(crate) energy: f64,
    touched: Vec<(usize, f64)>,
}

impl ContactStepper {
    /// Derives and compiles the free motion; other modes follow when they are met.
    pub fn new(dynamics: Arc<Dynamics>, method: &Method, options: Options) -> Result<Self, FunctionError> {
        let n = dynamics.dimension();
        let mut all = Self {
            method: method.clone(),
            options,
            modes: Vec::new(),
            current: 0,
            search: PathSearch::new(&dynamics)?,
            geometry: Geometry::new(&dynamics, options.backend)?,
            path: Path::new(n),
            basis: Vec::new(),
            box_: vec![Interval::point(0.0); n],
            departure: None,
            departed: None,
            duration: f64::NAN,
            energy: f64::NAN,
            touched: Vec::new(),
            dynamics,
        };
        all.current = all.mode(&[])?;
        if let Some(nodes) = all.stepper().nodes().filter(|nodes| nodes.len() > 1) {
            all.basis = monomials(nodes);
        }
        Ok(all)
    }

    /// The stepper of the current mode.
    pub fn stepper(&mut self) -> &mut Stepper {
        &mut self.modes[self.current].stepper
    }

    /// Work so far, in all modes.
    pub fn effort(&self) -> Effort {
        self.modes.iter().fold(Effort::default(), |sum, mode| {
            let effort = mode.stepper.effort();
            let landings: usize = mode.landings.iter().map(Landing::iterations).sum();
            Effort {
                iterations: sum.iterations + effort.iterations + landings,
                factorisations: sum.factorisations + effort.factorisations,
            }
        })
    }

    /// Steps that were divided, in all modes.
    pub fn divided(&self) -> usize {
        self.modes.iter().map(|mode| mode.stepper.divided()).sum()
    }

    fn mode(&mut self, closed: &[Closed]) -> Result<usize, FunctionError> {
        if let Some(index) = self.modes.iter().position(|mode| mode.closed == closed) {
            return Ok(index);
        }
        let free = closed.is_empty();
        let dynamics = if free { self.dynamics.clone() } else { Arc::new(self.dynamics.with_closed(closed)) };
        let stepper = Stepper::new(&dynamics, &self.method, self.options)?;
        self.modes.push(Mode { closed: closed.to_vec(), dynamics, stepper, landings: Vec::new() });
        Ok(self.modes.len() - 1)
    }

    /// Durations on a grid differ by rounding; steps, and what is kept from one to the next, should not.
    fn regular(&mut self, h: f64, until: f64) -> f64 {
        let is_regular = (h - self.duration).abs() <= 4.0 * f64::EPSILON * until.abs();
        if !is_regular {
            self.duration = h;
        }
        self.duration
    }

    /// The first contact along the step that was just taken.
    pub(crate) fn first_contact(&mut self, watch: &Watch, h: f64) -> Result<Option<Found>, StepError> {
        let is_polynomial = self.set_box();
        let (mut first, mut is_drawn): (Option<Found>, bool) = (None, false);
        for (surface, attention) in watch.surfaces.iter().enumerate() {
            let multiplicity = match attention {
                Attention::Closed => continue,
                Attention::Guarded => 0,
                Attention::Leaving(multiplicity) => *multiplicity,
            };
            let is_clear = multiplicity == 0 && is_polynomial && self.search.is_clear(surface, &self.box_);
            if is_clear || multiplicity == 0 && self.is_behind(surface) {
                continue;
            }
            if !is_drawn {
                self.draw(h)?;
                is_drawn = true;
            }
            if let Some(found) = self.along_path(surface, multiplicity)
                && first.is_none_or(|first| found.at < first.at)
                && self.is_live(found, h)
            {
                first = Some(found);
            }
        }
        Ok(first)
    }

    /// Contacts that do not exist everywhere may be passed.
    fn is_live(&mut self, found: Found, h: f64) -> bool {
        if self.dynamics.surfaces[found.surface].active.is_none() {
            return true;
        }
        let n = self.dynamics.dimension();
        let (mut q, mut v) = (vec![0.0; n], vec![0.0; n]);
        self.path.at(found.at, &mut q, &mut v);
        v.iter_mut().for_each(|rate| *rate /= h);
        let time = self.modes[self.current].stepper.state_before().t + found.at * h;
        self.geometry.at(&q, &v, time);
        self.geometry.is_active(found.surface)
    }

    /// True if a contact that does not exist everywhere was passed, and comes back from behind.
    fn is_behind(&mut self, surface: usize) -> bool {
        if self.dynamics.surfaces[surface].active.is_none() {
            return false;
        }
        let mut gaps = vec![0.0; self.geometry.len()];
        self.geometry.gaps(&self.modes[self.current].stepper.state_before().q, &mut gaps);
        gaps[surface] <= 0.0
    }

    /// The first contact of one surface along the path.
    fn along_path(&mut self, surface: usize, multiplicity: usize) -> Option<Found> {
        let root = self.search.first_root(surface, &self.path, multiplicity);
        if let Some(at) = self.search.touched {
            self.touched.push((surface, at));
        }
        match root {
            FirstRoot::None => None,
            FirstRoot::Crossing { at, bracket } => Some(Found { surface, at, bracket }),
        }
    }

    /// A box around the step: the two ends, and as much again as the displacement has changed since the
    /// last step, which is eight times what a smooth path bends away from its chord. False if that is
    /// not known.
    fn set_box(&mut self) -> bool {
        let (n, stepper) = (self.path_dimension(), &self.modes[self.current].stepper);
        let (before, after) = (&stepper.state_before().q, &stepper.state().q);
        if !stepper.is_whole() || !self.basis.is_empty() || stepper.nodes().is_none() {
            return false;
        }
        let Some(earlier) = stepper.earlier_displacement() else { return false };
        for k in 0..n {
            let margin = (after[k] - before[k] - earlier[k]).abs();
            let (low, high) = (before[k].min(after[k]), before[k].max(after[k]));
            self.box_[k] = Interval { lo: low - margin, hi: high + margin };
        }
        true
    }

    fn path_dimension(&self) -> usize {
        self.dynamics.dimension()
    }

    /// The path of the step that was just taken.
    pub(crate) fn draw(&mut self, h: f64) -> Result<(), StepError> {
        let stepper = &mut self.modes[self.current].stepper;
        if !self.basis.is_empty() && stepper.is_whole() {
            let count = self.basis.len() * stepper.state().q.len();
            self.path.displaced(&stepper.state_before().q, stepper.solution(count), &self.basis);
            return Ok(());
        }
        let v0 = stepper.velocity_before()?;
        let v1 = stepper.velocity()?.to_vec();
        self.path.hermite([&stepper.state_before().q, &stepper.state().q], [&v0, &v1], h);
        Ok(())
    }

    /// Ends the step at the contact that was found, or at an earlier one.
    pub(crate) fn land(&mut self, mut found: Found, watch: &Watch, h: f64) -> Result<Arrival, StepError> {
        for _ in 0..MAX_REPETITIONS {
            let (duration, iterations) = self.reach(found, h)?;
            match self.earlier(found.surface, watch, duration)? {
                Some(other) => {
                    // As a part of the whole step.
                    found = Found { at: other.at * duration / h, ..other };
                    self.stepper().undo();
                }
                None => {
                    let start = self.stepper().state_before().t;
                    let bracket = (start + found.bracket.0 * h, start + found.bracket.1 * h);
                    return Ok(Arrival::Contact { surface: found.surface, bracket, iterations });
                }
            }
        }
        Err(self.no_landing(found.surface))
    }

    /// Another contact before the end of the segment that has just landed.
    fn earlier(&mut self, landed: usize, watch: &Watch, duration: f64) -> Result<Option<Found>, StepError> {
        if watch.surfaces.len() == 1 {
            return Ok(None);
        }
        let v0 = self.stepper().velocity_before()?;
        let stepper = &mut self.modes[self.current].stepper;
        let v1 = stepper.velocity()?.to_vec();
        self.path.hermite([&stepper.state_before().q, &stepper.state().q], [&v0, &v1], duration);
        let mut first: Option<Found> = None;
        for (surface, attention) in watch.surfaces.iter().enumerate() {
            let multiplicity = match attention {
                Attention::Closed => continue,
                _ if surface == landed => continue,
                Attention::Guarded => 0,
                Attention::Leaving(multiplicity) => *multiplicity,
            };
            if let Some(found) = self.along_path(surface, multiplicity)
                && found.at < 1.0 - AT_THE_END
                && first.is_none_or(|first| found.at < first.at)
            {
                first = Some(found);
            }
        }
        Ok(first)
    }

    /// Takes the step back and repeats it up to the contact; its duration, and iterations.
    pub(crate) fn reach(&mut self, found: Found, h: f64) -> Result<(f64, usize), StepError> {
        let nodes = self.modes[self.current].stepper.nodes().map(<[f64]>::to_vec);
        let guess = nodes.map(|nodes| self.guess(&nodes, found.at));
        self.stepper().undo();
        if let Some(guess) = guess
            && let Some(landed) = self.solve_landing(found, &guess, h)?
        {
            return Ok(landed);
        }
        self.repeat_until_contact(found, h)
    }

    /// Displacements at the nodes of a shorter step, from the path; multipliers start from zero.
    pub(crate) fn guess(&mut self, nodes: &[f64], part: f64) -> Vec<f64> {
        let n = self.path_dimension();
        let m = self.modes[self.current].dynamics.constraints.len();
        let mut guess = Vec::with_capacity(nodes.len() * (n + m));
        for node in nodes {
            let tau = node * part;
            let orders = self.path.coefficients.chunks_exact(n).skip(1).rev();
            let displacement = orders.fold(vec![0.0; n], |sum, order| {
                sum.iter().zip(order).map(|(sum, c)| (sum + c) * tau).collect()
            });
            guess.extend(displacement);
        }
        guess.resize(nodes.len() * (n + m), 0.0);
        guess
    }

    /// One Newton solve for the segment and its duration; none if it fails or leaves the step.
    fn solve_landing(&mut self, found: Found, guess: &[f64], h: f64) -> Result<Option<(f64, usize)>, StepError> {
        let ends = (Opening::Smooth, Closure::Contact(found.surface));
        let index = self.landing(ends)?;
        let tolerance = self.options.tolerance;
        let Mode { stepper, landings, .. } = &mut self.modes[self.current];
        let landing = &mut landings[index];
        let before = landing.iterations();
        let given = Given { state: stepper.state(), duration: found.at * h, energy: 0.0, direction: &[] };
        let solved = landing.solve(&given, guess, tolerance);
        let duration = landing.duration();
        let is_inside = duration > 0.0 && duration <= h * (1.0 + AT_THE_END);
        if solved.is_err() || !is_inside {
            return Ok(None);
        }
        stepper.mark();
        stepper.arrive(landing.displacement(), landing.impulses(), &landing.change, duration)?;
        Ok(Some((duration, landing.iterations() - before)))
    }

    /// Repeats the step with other durations until it ends at the contact: for compositions.
    pub(crate) fn repeat_until_contact(&mut self, found: Found, h: f64) -> Result<(f64, usize), StepError> {
        let mut duration = found.at * h;
        let (mut last_change, mut iterations) = (f64::INFINITY, 0);
        loop {
            iterations += 1;
            self.stepper().step(duration)?;
            let (q, v, t) = self.here()?;
            self.geometry.at(&q, &v, t);
            let change = self.geometry.gap(found.surface) / self.geometry.rate(found.surface, &v);
            let is_rounding = change.abs() <= 4.0 * f64::EPSILON * duration.max(t.abs());
            if is_rounding || iterations > 8 && change.abs() >= last_change {
                return Ok((duration, iterations));
            }
            if iterations > 60 || !change.is_finite() {
                return Err(self.no_landing(found.surface));
            }
            self.stepper().undo();
            last_change = change.abs();
            duration = (duration - change).clamp(0.0, 2.0 * h);
        }
    }

    fn no_landing(&self, surface: usize) -> StepError {
        StepError::NoLanding { time: self.time(), contact: self.dynamics.surfaces[surface].name.clone() }
    }

    /// The solver of a segment at an impact, compiled if it is new.
    pub(crate) fn landing(&mut self, ends: (Opening, Closure)) -> Result<usize, StepError> {
        let options = self.options;
        let mode = &mut self.modes[self.current];
        if let Some(index) = mode.landings.iter().position(|landing| landing.ends == ends) {
            return Ok(index);
        }
        let (rule, _) = self.method.substeps().swap_remove(0);
        let table = rule.table();
        mode.landings.push(Landing::new(&mode.dynamics, &table, ends, options.formulation, options.backend)?);
        Ok(mode.landings.len() - 1)
    }

    pub(crate) fn here(&mut self) -> Result<(Vec<f64>, Vec<f64>, f64), StepError> {
        let stepper = self.stepper();
        let v = stepper.velocity()?.to_vec();
        Ok((stepper.state().q.clone(), v, stepper.state().t))
    }
}

impl Smooth for ContactStepper {
    type Error = StepError;

    fn enter(&mut self, start: &Start, closed: &[Closed]) -> Result<(), StepError> {
        self.energy = self.stepper().state().discrete_energy;
        self.current = self.mode(closed)?;
        self.departure = start.departure.clone();
        self.stepper().start(start.t, &start.q, &start.v)
    }

    fn advance(&mut self, until: f64, watch: &mut Watch) -> Result<Arrival, StepError> {
        let h = self.regular(until - self.time(), until);
        // What is left of a step may be rounding.
        if h <= 4.0 * f64::EPSILON * until.abs() {
            self.stepper().set_time(until);
            return Ok(Arrival::End);
        }
        if let Some(departure) = self.departure.take()
            && let Some(arrival) = self.depart(&departure, watch, h)?
        {
            watch.guard_again();
            if arrival == Arrival::End {
                self.stepper().set_time(until);
            }
            return Ok(arrival);
        }
        self.stepper().step(h)?;
        let arrival = match self.first_contact(watch, h)? {
            Some(found) => self.land(found, watch, h)?,
            None => Arrival::End,
        };
        if !watch.closed.is_empty()
            && let Some(arrival) = self.closed_event(watch)?
        {
            watch.guard_again();
            return Ok(arrival);
        }
        if arrival == Arrival::End {
            self.stepper().set_time(until);
        }
        watch.guard_again();
        Ok(arrival)
    }

    fn time(&self) -> f64 {
        self.modes[self.current].stepper.state().t
    }

    fn state(&mut self, q: &mut [f64], v: &mut [f64]) -> Result<(), StepError> {
        let stepper = self.stepper();
        v.copy_from_slice(stepper.velocity()?);
        q.copy_from_slice(&stepper.state().q);
        Ok(())
    }

    fn multipliers(&mut self) -> Result<Vec<f64>, StepError> {
        self.stepper().multipliers()
    }

    fn departed(&mut self) -> Option<Departed> {
        self.departed.take()
    }

    fn touched(&mut self) -> Option<(usize, f64)> {
        self.touched.pop()
    }
}
