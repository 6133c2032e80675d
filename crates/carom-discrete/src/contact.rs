//! Steps through impacts: every gap is watched along the path of the step, and where one vanishes the step
//! ends there.
//!
//! The path is the rule's own polynomial where it has internal nodes, and the cubic through positions
//! and velocities at both ends otherwise. Contacts along it are found by interval bounds
//! ([`carom_impact::path`]); the segment that ends at the contact is then solved with its duration
//! unknown. Forces of closed contacts are looked at at the ends of steps, and events between them are
//! located by repeating the step.

use crate::error::StepError;
use crate::landing::Landing;
use crate::method::Method;
use crate::newton::Effort;
use crate::quadrature::monomials;
use crate::segment::{Closure, Opening};
use crate::stepper::{Options, Stepper};
use crate::tape::{Piece, Tape};
use carom_expr::{FunctionError, Interval};
use carom_impact::path::{Path, PathSearch};
use carom_impact::{Arrival, Departed, Departure, Geometry, Smooth, Start, Watch};
use carom_model::{Closed, Dynamics};
use std::sync::{Arc, Mutex, PoisonError};

/// The stepper of one mode, and the segments around its impacts.
#[derive(Clone)]
pub(crate) struct Mode {
    closed: Vec<Closed>,
    pub(crate) dynamics: Arc<Dynamics>,
    pub(crate) stepper: Stepper,
    pub(crate) landings: Vec<Landing>,
}

/// What was derived when it was first met, as it was then: copies of a stepper share it, so that none derives it again.
#[derive(Default)]
struct Derived {
    modes: Vec<(Arc<Dynamics>, Vec<Closed>, Stepper)>,
    landings: Vec<(Vec<Closed>, Landing)>,
}

/// Steps with contacts.
#[derive(Clone)]
pub struct ContactStepper {
    pub(crate) dynamics: Arc<Dynamics>,
    derived: Arc<Mutex<Derived>>,
    method: Method,
    pub(crate) options: Options,
    pub(crate) modes: Vec<Mode>,
    pub(crate) current: usize,
    pub(crate) search: PathSearch,
    pub(crate) geometry: Geometry,
    pub(crate) path: Path,
    /// Coefficients of the interpolation of the control nodes; empty if the cubic is better.
    pub(crate) basis: Vec<Vec<f64>>,
    pub(crate) box_: Vec<Interval>,
    departure: Option<Departure>,
    pub(crate) departed: Option<Departed>,
    /// Duration of the last step.
    duration: f64,
    /// Discrete energy of the last segment.
    pub(crate) energy: f64,
    pub(crate) touched: Vec<(usize, f64)>,
    /// What the run is made of, if somebody wants to know.
    pub(crate) pieces: Option<Vec<Piece>>,
}

impl ContactStepper {
    /// Derives and compiles the free motion; other modes follow when they are met.
    pub fn new(dynamics: Arc<Dynamics>, method: &Method, options: Options) -> Result<Self, FunctionError> {
        let n = dynamics.dimension();
        let mut all = Self {
            derived: Arc::default(),
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
            pieces: None,
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
        let (dynamics, mut stepper) = self.derived_mode(closed)?;
        stepper.tape = self.pieces.as_ref().map(|_| Tape::default());
        self.modes.push(Mode { closed: closed.to_vec(), dynamics, stepper, landings: Vec::new() });
        Ok(self.modes.len() - 1)
    }

    /// The stepper of a mode that is new to this one, as it is before its first step.
    fn derived_mode(&self, closed: &[Closed]) -> Result<(Arc<Dynamics>, Stepper), FunctionError> {
        let mut derived = self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((dynamics, _, stepper)) = derived.modes.iter().find(|(_, known, _)| known == closed) {
            return Ok((dynamics.clone(), stepper.clone()));
        }
        let free = closed.is_empty();
        let dynamics = if free { self.dynamics.clone() } else { Arc::new(self.dynamics.with_closed(closed)) };
        let stepper = Stepper::new(&dynamics, &self.method, self.options)?;
        derived.modes.push((dynamics.clone(), closed.to_vec(), stepper.clone()));
        Ok((dynamics, stepper))
    }

    fn guard_again(&mut self, watch: &mut Watch) {
        watch.guard_again(&mut self.geometry, &self.modes[self.current].stepper.state().q);
    }

    /// Durations on a grid differ by rounding; steps, and what is kept from one to the next, should not.
    fn regular(&mut self, h: f64, until: f64) -> f64 {
        let is_regular = (h - self.duration).abs() <= 4.0 * f64::EPSILON * until.abs();
        if !is_regular {
            self.duration = h;
        }
        self.duration
    }

    /// The solver of a segment at an impact, compiled if it is new.
    pub(crate) fn landing(&mut self, ends: (Opening, Closure)) -> Result<usize, StepError> {
        let options = self.options;
        let mode = &mut self.modes[self.current];
        if let Some(index) = mode.landings.iter().position(|landing| landing.ends == ends) {
            return Ok(index);
        }
        let mut derived = self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known =
            derived.landings.iter().filter(|(closed, landing)| *closed == mode.closed && landing.ends == ends);
        let landing = match known.next() {
            Some((_, landing)) => landing.clone(),
            None => {
                let (rule, _) = self.method.substeps().swap_remove(0);
                let table = rule.table();
                let landing = Landing::new(&mode.dynamics, &table, ends, options.formulation, options.backend)?;
                derived.landings.push((mode.closed.clone(), landing.clone()));
                landing
            }
        };
        mode.landings.push(landing);
        Ok(mode.landings.len() - 1)
    }

    /// One step, or what there is of it up to the first contact.
    pub(crate) fn step_or_land(&mut self, watch: &Watch, h: f64) -> Result<Arrival, StepError> {
        self.stepper().step(h)?;
        let Some(found) = self.first_contact(watch, h)? else { return Ok(Arrival::End) };
        if let Some(arrival) = self.land(found, watch, h)? {
            return Ok(arrival);
        }
        // The one that was grazed is passed; there may be another.
        self.draw(h)?;
        match self.along_path(watch, h, Some(found.surface)) {
            Some(other) => Ok(self.land(other, watch, h)?.unwrap_or(Arrival::End)),
            None => Ok(Arrival::End),
        }
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
        if let Some(pieces) = &mut self.pieces {
            let (t, q, v, closed) = (start.t, start.q.clone(), start.v.clone(), closed.to_vec());
            pieces.push(Piece::Enter { t, q, v, closed });
        }
        self.stepper().start(start.t, &start.q, &start.v)
    }

    fn advance(&mut self, until: f64, watch: &mut Watch) -> Result<Arrival, StepError> {
        let arrival = self.move_on(until, watch)?;
        let tape = &mut self.modes[self.current].stepper.tape;
        if let (Some(pieces), Some(tape)) = (&mut self.pieces, tape) {
            pieces.push(Piece::Motion { solved: tape.take(), arrival });
        }
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

impl ContactStepper {
    /// Moves on to `until`, or to the first event.
    fn move_on(&mut self, until: f64, watch: &mut Watch) -> Result<Arrival, StepError> {
        let h = self.regular(until - self.time(), until);
        // What is left of a step may be rounding.
        if h <= 4.0 * f64::EPSILON * until.abs() {
            self.stepper().set_time(until);
            return Ok(Arrival::End);
        }
        let departure = self.departure.take();
        let departed = departure.map(|departure| self.depart(&departure, watch, h)).transpose()?.flatten();
        let arrival = match departed {
            Some(arrival) => arrival,
            None => self.step_or_land(watch, h)?,
        };
        if !watch.closed.is_empty()
            && let Some(arrival) = self.closed_event(watch)?
        {
            self.guard_again(watch);
            return Ok(arrival);
        }
        if arrival == Arrival::End {
            self.stepper().set_time(until);
        }
        self.guard_again(watch);
        Ok(arrival)
    }

    /// Notes from now on what the run is made of.
    pub(crate) fn note(&mut self) {
        self.pieces = Some(Vec::new());
        self.modes.iter_mut().for_each(|mode| mode.stepper.tape = Some(Tape::default()));
    }
}
