//! The life of contacts: free, impact, rebound or attach, slide or stick, release.
//!
//! [`Life`] drives any integrator that is [`Smooth`]. Between events the integrator has the word; at an
//! event the set of contacts that meet is resolved ([`Resolver`]), and the modes that follow are found
//! ([`crate::settle`]).

use crate::contact_law::ContactLaw;
use crate::geometry::Geometry;
use crate::initial::{AT_FIRST, consistent, inside};
use crate::options::{ContactOptions, JumpKind};
use crate::redundant::Redundant;
use crate::resolver::Resolver;
use crate::smooth::{Arrival, Attention, Log, Smooth, Start, Watch};
use carom_expr::FunctionError;
use carom_linalg::max_abs;
use carom_model::{
    Acceleration, Closed, ContactMode, Dynamics, Finding, FindingKind, Impact, Legendre, Quasivelocities, System,
};
use std::sync::{Arc, Mutex};

/// Accelerations with some contacts closed.
pub(crate) type Accelerations = Vec<(Vec<Closed>, Acceleration)>;

/// The contacts of a system along a motion.
#[derive(Clone)]
pub struct Life {
    pub(crate) dynamics: Arc<Dynamics>,
    pub(crate) legendre: Legendre,
    pub(crate) geometry: Geometry,
    pub(crate) resolver: Resolver,
    pub(crate) options: ContactOptions,
    /// Mode of each surface, and the direction of its slip.
    pub(crate) modes: Vec<(ContactMode, f64)>,
    /// What the integrator looks out for.
    pub(crate) watch: Watch,
    /// Modes that have been reported, and when and why the next report happens.
    pub(crate) told: Vec<ContactMode>,
    pub(crate) reasons: Vec<Option<(f64, &'static str)>>,
    /// The size of the forces at the last event.
    pub(crate) force_scale: f64,
    pub(crate) redundant: Vec<Redundant>,
    pub(crate) accelerations: Accelerations,
    /// Those that any copy of this one has derived, so that none derives them again.
    pub(crate) derived: Arc<Mutex<Accelerations>>,
    /// True if the energy changes at impacts only.
    pub(crate) is_conservative: bool,
    /// The energy that the motion has, as far as it is known.
    pub(crate) ledger: Option<f64>,
    pub(crate) impacts: usize,
    /// Impacts since time last moved on, and that time.
    pub(crate) storm: (usize, f64),
    /// Changes of closed contacts since time last moved on, and that time.
    pub(crate) changes: (usize, f64),
    /// Contacts that opened where they were found, and since when.
    pub(crate) passes: (usize, f64),
    /// An impact whose departure is not known yet.
    pub(crate) pending: Option<Impact>,
    pub(crate) state: (Vec<f64>, Vec<f64>),
}

impl Life {
    /// The contacts of `system`.
    pub fn new(system: &System, options: ContactOptions) -> Result<Self, FunctionError> {
        let dynamics = system.dynamics();
        let (n, count) = (dynamics.dimension(), dynamics.surfaces.len());
        let mut graph = dynamics.graph.clone();
        let momentum = dynamics.momentum(&mut graph);
        let mass = graph.jacobian(&momentum, &dynamics.v).dense(&mut graph);
        let resolver = Resolver {
            laws: ContactLaw::all(system, &dynamics, options.backend)?,
            names: system.contacts().iter().map(|contact| contact.name.clone()).collect(),
            contact_of: dynamics.surfaces.iter().map(|surface| surface.contact).collect(),
            is_quadratic: !graph.any_depends_on(&mass, &dynamics.v),
            multiple: options.multiple,
            frame: match dynamics.frame.as_ref().filter(|_| options.in_frame) {
                Some(frame) => Some(Quasivelocities::new(&dynamics, &dynamics.graph, frame, options.backend)?),
                None => None,
            },
        };
        Ok(Self {
            legendre: Legendre::new(&dynamics, options.backend)?,
            geometry: Geometry::new(&dynamics, options.backend)?,
            resolver,
            options,
            modes: vec![(ContactMode::Free, 0.0); count],
            watch: Watch { surfaces: vec![Attention::Guarded; count], ..Watch::default() },
            told: vec![ContactMode::Free; count],
            reasons: vec![None; count],
            force_scale: 0.0,
            redundant: vec![Redundant::Nothing; count],
            accelerations: Vec::new(),
            derived: Arc::default(),
            is_conservative: !dynamics.is_forced() && !dynamics.is_time_dependent(),
            ledger: None,
            impacts: 0,
            storm: (0, f64::NEG_INFINITY),
            changes: (0, f64::NEG_INFINITY),
            passes: (0, f64::NEG_INFINITY),
            pending: None,
            state: (vec![0.0; n], vec![0.0; n]),
            dynamics,
        })
    }

    /// Impacts so far.
    pub fn impacts(&self) -> usize {
        self.impacts
    }

    /// Gaps of the contacts, and their normal forces as multipliers say.
    pub fn gaps_and_forces<S: Smooth>(&mut self, smooth: &mut S) -> Result<(Vec<f64>, Vec<f64>), S::Error> {
        let contacts = self.resolver.names.len();
        let (mut gaps, mut forces) = (vec![f64::INFINITY; contacts], vec![0.0; contacts]);
        let (mut q, mut v) = std::mem::take(&mut self.state);
        smooth.state(&mut q, &mut v)?;
        let mut each = vec![0.0; self.geometry.len()];
        self.geometry.gaps(&q, &mut each);
        self.state = (q, v);
        for (surface, gap) in each.into_iter().enumerate() {
            let contact = self.resolver.contact_of[surface];
            gaps[contact] = gaps[contact].min(gap);
        }
        if !self.watch.closed.is_empty() {
            let multipliers = smooth.multipliers()?;
            for contact in &self.watch.closed {
                forces[self.resolver.contact_of[contact.closed.surface]] -= multipliers[contact.normal];
            }
        }
        Ok((gaps, forces))
    }

    /// Sets the initial state; contacts that touch are closed or open as the forces say.
    pub fn begin<S: Smooth>(
        &mut self,
        smooth: &mut S,
        (t, q, v): (f64, &[f64], &[f64]),
        closed: &[bool],
        log: &mut dyn Log,
    ) -> Result<(), S::Error> {
        let (q, v) = consistent(&mut self.legendre, (t, q, v))?;
        self.geometry.at(&q, &v, t);
        (self.impacts, self.storm, self.pending) = (0, (0, f64::NEG_INFINITY), None);
        self.changes = (0, f64::NEG_INFINITY);
        self.told.fill(ContactMode::Free);
        self.force_scale = 0.0;
        let scale = max_abs(&q).max(1.0);
        let mut striking = None;
        for surface in 0..self.geometry.len() {
            let (gap, rate) = (self.geometry.gap(surface), self.geometry.rate(surface, &v));
            let rest = self.rest_rate(surface, &v);
            let is_active = self.geometry.is_active(surface);
            let touches = gap.abs() <= AT_FIRST * scale && is_active;
            if gap < -AT_FIRST * scale && is_active {
                let contact = self.resolver.names[self.resolver.contact_of[surface]].clone();
                return Err(inside((&mut self.geometry, &self.dynamics), contact, surface, (t, &q)).into());
            }
            self.modes[surface] = (ContactMode::Free, 0.0);
            self.watch.surfaces[surface] = Attention::Guarded;
            let is_closed = closed[self.resolver.contact_of[surface]];
            if is_closed && gap.abs() <= AT_FIRST * scale || touches && rate.abs() <= rest {
                self.close(surface, &v);
            } else if touches && rate > 0.0 {
                self.watch.surfaces[surface] = Attention::Leaving(1);
            } else if touches {
                striking = Some(surface);
            }
        }
        self.ledger = self.is_conservative.then(|| self.legendre.energy(&q, &v, t));
        let start = Start { t, q, v, departure: None };
        match striking {
            Some(surface) => {
                smooth.enter(&start, &[])?;
                self.strike(smooth, surface, (t, t), 0, log)
            }
            None => self.settle(smooth, start, log),
        }
    }

    /// Moves on to the time `until`, through all events on the way.
    pub fn advance<S: Smooth>(&mut self, smooth: &mut S, until: f64, log: &mut dyn Log) -> Result<(), S::Error> {
        loop {
            let arrival = smooth.advance(until, &mut self.watch);
            self.conclude(smooth, log);
            let outcome = match arrival? {
                Arrival::End => return Ok(()),
                Arrival::Contact { surface, bracket, iterations } => {
                    self.strike(smooth, surface, bracket, iterations, log)
                }
                Arrival::Release(index) => self.release(smooth, index, log),
                Arrival::Slip(index) => self.slip(smooth, index, log),
                Arrival::Halt(index) => self.halt(smooth, index, log),
            };
            if outcome.is_err() {
                // The impact that nothing follows is not lost.
                self.conclude(smooth, log);
                return outcome;
            }
        }
    }

    /// Completes what was waiting for the integrator to move on.
    pub(crate) fn conclude<S: Smooth>(&mut self, smooth: &mut S, log: &mut dyn Log) {
        let departed = smooth.departed();
        if let Some(mut impact) = self.pending.take() {
            let is_balanced = departed.is_some();
            if let Some(departed) = departed {
                impact.balance.energies = departed.energies;
                if departed.is_report {
                    // The law leaves nothing to balance: the energies say what it takes (3.4.4).
                    impact.balance.loss = departed.energies.0 - departed.energies.1;
                } else {
                    let energy = self.legendre.energy(&impact.q_plus, &departed.v, impact.t);
                    (impact.p_plus, impact.v_plus) = (departed.p, departed.v);
                    impact.energy_change = energy - impact.energy_minus;
                }
            }
            if !is_balanced && impact.balance.kind == JumpKind::Variational.name() {
                // No segment balanced the energies: the law holds for the state.
                impact.balance.kind = JumpKind::Pointwise.name();
            }
            log.impact(impact);
        }
        while let Some((surface, t)) = smooth.touched() {
            let contact = self.resolver.contact_of[surface];
            let name = &self.resolver.names[contact];
            let message = format!("the bodies of `{name}` touch at t = {t} without an impact, to rounding");
            log.finding(Finding { t, contact, kind: FindingKind::Grazing, value: 0.0, message });
        }
    }
}
