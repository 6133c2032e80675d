//! From the velocity before an impact to the velocity after it.
//!
//! One contact: its law. Several at once (an event set): either one after the other, or all together.
//!
//! - *sequential*: the first contact of the model that still closes takes its impact, alone, until none
//!   closes. A cradle passes the momentum on, ball by ball.
//! - *simultaneous*: all impulses at once, `0 <= Lambda  _|_  u+ + e u- >= 0` with friction
//!   ([`crate::simultaneous`]). Plastic impacts are always resolved like this.

use crate::contact_law::ContactLaw;
use crate::energy_balance::keep_energy;
use crate::error::ImpactError;
use crate::geometry::Geometry;
use crate::laws::{Outcome, Single};
use crate::simultaneous;
use crate::space::{ContactSpace, Saddle};
use carom_linalg::{dot, max_abs};
use carom_model::{Legendre, Quasivelocities};

/// How several contacts at once are resolved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Multiple {
    /// One after the other.
    #[default]
    Sequential,
    /// All together.
    Simultaneous,
}

impl Multiple {
    /// Its name in model files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sequential => "sequential",
            Self::Simultaneous => "simultaneous",
        }
    }

    /// The way called `name`.
    pub fn by_name(name: &str) -> Option<Self> {
        [Self::Sequential, Self::Simultaneous].into_iter().find(|way| way.name() == name)
    }
}

/// The impulses of one surface.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceImpulse {
    /// Index of the surface.
    pub surface: usize,
    /// Normal impulse, then tangential ones.
    pub values: Vec<f64>,
}

/// A resolved impact.
#[derive(Clone, Debug, PartialEq)]
pub struct Resolved {
    /// Configuration after the impact.
    pub q_plus: Vec<f64>,
    /// Velocity after the impact.
    pub v_plus: Vec<f64>,
    /// Impulses of the surfaces that took part.
    pub impulses: Vec<SurfaceImpulse>,
    /// Sum of the given impulses `F_q`.
    pub push: Vec<f64>,
    /// Energy that force fields took.
    pub loss: f64,
    /// Impacts one after the other.
    pub rounds: usize,
}

/// Most impacts of one event set.
const MAX_ROUNDS: usize = 10_000;
/// Rates below this part of the largest one are zero.
const NEGLIGIBLE: f64 = 1e-13;

/// Everything that is needed to resolve impacts.
#[derive(Clone)]
pub struct Resolver {
    /// Laws of the contacts.
    pub laws: Vec<ContactLaw>,
    /// Names of the contacts.
    pub names: Vec<String>,
    /// Contact of each surface.
    pub contact_of: Vec<usize>,
    /// False if the mass matrix depends on the velocity.
    pub is_quadratic: bool,
    /// How several contacts at once are resolved.
    pub multiple: Multiple,
    /// The frame that jumps are taken in; coordinates if there is none.
    pub frame: Option<Quasivelocities>,
}

/// The state before an impact.
#[derive(Clone, Copy, Debug)]
pub struct Before<'a> {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocity.
    pub v: &'a [f64],
}

/// Rows of the surfaces of an event set: which rows belong to which surface.
struct Rows {
    space: ContactSpace,
    /// Rows of each participant, normal first.
    of: Vec<Vec<usize>>,
}

impl Resolver {
    /// Resolves the impact of the surfaces `set`; `geometry` is evaluated at the state.
    pub fn resolve(
        &mut self,
        before: Before<'_>,
        set: &[usize],
        geometry: &Geometry,
        legendre: &mut Legendre,
    ) -> Result<Resolved, ImpactError> {
        let Before { t, q, v } = before;
        if let [only] = set
            && let Some((q_plus, v_plus)) = self.laws[self.contact_of[*only]].map(q, v, t)
        {
            let impulses = vec![SurfaceImpulse { surface: *only, values: vec![0.0] }];
            return Ok(Resolved { q_plus, v_plus, impulses, push: vec![0.0; q.len()], loss: 0.0, rounds: 1 });
        }
        let law = |&surface: &usize| &self.laws[self.contact_of[surface]].law;
        if let Some(reset) = set.iter().find(|surface| law(surface).outcome() == Outcome::Reset) {
            let law = law(reset).name().to_owned();
            return Err(ImpactError::NotForSeveral { time: t, contacts: self.list(set), law });
        }
        let rows = self.rows(before, set, geometry, legendre)?;
        let law = |&surface: &usize| &self.laws[self.contact_of[surface]].law;
        let is_plastic = set.iter().any(|surface| law(surface).is_plastic());
        if set.len() == 1 || self.multiple == Multiple::Sequential && !is_plastic {
            return self.one_after_the_other(before, set, &rows, legendre);
        }
        if let Some(surface) = set.iter().find(|surface| !law(surface).is_for_several()) {
            let (contacts, law) = (self.list(set), law(surface).name().to_owned());
            return Err(ImpactError::NotForSeveral { time: t, contacts, law });
        }
        self.all_together(before, set, &rows)
    }

    /// The rows of all surfaces of the set.
    fn rows(
        &mut self,
        Before { t, q, v }: Before<'_>,
        set: &[usize],
        geometry: &Geometry,
        legendre: &mut Legendre,
    ) -> Result<Rows, ImpactError> {
        let n = q.len();
        let (mut rows, mut of) = (Vec::new(), Vec::new());
        for &surface in set {
            let contact = self.contact_of[surface];
            if max_abs(geometry.gradient(surface)) == 0.0 {
                return Err(ImpactError::NoNormal { time: t, contact: self.names[contact].clone() });
            }
            let first = rows.len() / n;
            rows.extend(geometry.gradient(surface));
            let tangents = if self.laws[contact].law.has_friction() { geometry.tangent_count(surface) } else { 0 };
            (0..tangents).for_each(|tangent| rows.extend(geometry.tangent(surface, tangent)));
            of.push((first..=first + tangents).collect());
        }
        // In a frame velocity constraints have gone.
        let count = if self.frame.is_some() { legendre.holonomic_count() } else { legendre.constraint_count() };
        let constraints = if count > 0 { legendre.constraints(q).1[..count * n].to_vec() } else { Vec::new() };
        let mass = legendre.mass(q, v, t);
        let space = match &mut self.frame {
            Some(frame) => ContactSpace::in_frame(n, frame.fields(q), mass, &constraints, rows),
            None => ContactSpace::new(n, mass, &constraints, rows),
        };
        let degenerate = carom_model::LegendreError::Degenerate { time: t, constrained: !constraints.is_empty() };
        Ok(Rows { space: space.map_err(|_| degenerate)?, of })
    }

    fn one_after_the_other(
        &mut self,
        before: Before<'_>,
        set: &[usize],
        rows: &Rows,
        legendre: &mut Legendre,
    ) -> Result<Resolved, ImpactError> {
        let n = before.q.len();
        let mut v = before.v.to_vec();
        let mut impulses: Vec<Vec<f64>> = rows.of.iter().map(|rows| vec![0.0; rows.len()]).collect();
        let (mut push, mut loss) = (vec![0.0; n], 0.0);
        let normal_rate = |v: &[f64], i: usize| {
            let row = rows.of[i][0];
            dot(&rows.space.rows[row * n..(row + 1) * n], v)
        };
        let fastest = (0..set.len()).map(|i| normal_rate(&v, i).abs()).fold(0.0, f64::max);
        for round in 0..MAX_ROUNDS {
            let closing = |&i: &usize| normal_rate(&v, i) < -NEGLIGIBLE * fastest;
            // In a set of one the impact has been found; its rate may be as small as it likes.
            let next = if set.len() == 1 && round == 0 { Some(0) } else { (0..set.len()).find(closing) };
            let Some(i) = next else {
                let each = set.iter().zip(impulses);
                let impulses = each.map(|(&surface, values)| SurfaceImpulse { surface, values }).collect();
                let q_plus = before.q.to_vec();
                return Ok(Resolved { q_plus, v_plus: v, impulses, push, loss, rounds: round });
            };
            let part = (set.len() > 1).then(|| rows.space.part(&rows.of[i]));
            let space = part.as_ref().unwrap_or(&rows.space);
            let step = self.single(Before { v: &v, ..before }, set[i], space, legendre)?;
            impulses[i].iter_mut().zip(&step.impulses).for_each(|(sum, value)| *sum += value);
            push.iter_mut().zip(&step.push).for_each(|(sum, value)| *sum += value);
            loss += step.loss;
            v = step.v;
        }
        let rate = (0..set.len()).map(|i| normal_rate(&v, i)).fold(0.0, f64::min);
        Err(ImpactError::Endless { time: before.t, contacts: self.list(set), rounds: MAX_ROUNDS, rate })
    }

    /// The law of one contact, by itself.
    fn single(
        &mut self,
        Before { t, q, v }: Before<'_>,
        surface: usize,
        space: &ContactSpace,
        legendre: &mut Legendre,
    ) -> Result<SingleStep, ImpactError> {
        let contact = self.contact_of[surface];
        let law = &mut self.laws[contact];
        let mut after = v.to_vec();
        let (mut push, mut loss, mut taken) = (vec![0.0; q.len()], 0.0, 0.0);
        if let Some((lost, force)) = law.force_field(q, v, t) {
            // What the given impulse does by itself, before the normal impulse.
            let constraints = legendre.constraints(q).1.to_vec();
            let energy = legendre.energy(q, v, t);
            if let Ok(saddle) = Saddle::new(q.len(), legendre.mass(q, v, t), &constraints) {
                after.iter_mut().zip(saddle.lift(&force)).for_each(|(value, change)| *value += change);
            }
            taken = lost + legendre.energy(q, &after, t) - energy;
            (loss, push) = (lost, force);
        }
        let single = Single {
            u: space.rates(&after),
            w: space.w.clone(),
            restitution: law.restitution,
            friction: law.friction,
            loss: taken,
        };
        let wrap = |failure| ImpactError::Law { time: t, contact: self.names[contact].clone(), failure };
        let mut impulses = law.law.impulses(&single).map_err(wrap)?;
        if self.is_quadratic || law.law.outcome() == Outcome::Attach {
            space.apply(&impulses, &mut after);
        } else {
            let target = legendre.energy(q, v, t) - loss;
            after = keep_energy(Before { t, q, v }, space, &push, target, &mut impulses, legendre)?;
        }
        Ok(SingleStep { v: after, impulses, push, loss })
    }

    fn all_together(&self, before: Before<'_>, set: &[usize], rows: &Rows) -> Result<Resolved, ImpactError> {
        let blocks: Vec<simultaneous::Block> = set
            .iter()
            .zip(&rows.of)
            .map(|(&surface, rows)| {
                let law = &self.laws[self.contact_of[surface]];
                let restitution = if law.law.is_plastic() { 0.0 } else { law.restitution };
                simultaneous::Block { rows: rows.clone(), restitution, friction: law.friction }
            })
            .collect();
        let rates = rows.space.rates(before.v);
        let none = || ImpactError::NoImpulses { time: before.t, contacts: self.list(set) };
        let all = simultaneous::solve(&rows.space, &rates, &blocks).ok_or_else(none)?;
        let mut v_plus = before.v.to_vec();
        rows.space.apply(&all, &mut v_plus);
        let values = |rows: &Vec<usize>| rows.iter().map(|&row| all[row]).collect();
        let each = set.iter().zip(&rows.of);
        let impulses = each.map(|(&surface, rows)| SurfaceImpulse { surface, values: values(rows) }).collect();
        let (q_plus, push) = (before.q.to_vec(), vec![0.0; before.q.len()]);
        Ok(Resolved { q_plus, v_plus, impulses, push, loss: 0.0, rounds: 1 })
    }

    /// Names of the contacts of some surfaces.
    pub fn list(&self, set: &[usize]) -> String {
        let mut names: Vec<&str> = set.iter().map(|&surface| self.names[self.contact_of[surface]].as_str()).collect();
        names.dedup();
        names.join(", ")
    }
}

/// The outcome of one law.
struct SingleStep {
    v: Vec<f64>,
    impulses: Vec<f64>,
    push: Vec<f64>,
    loss: f64,
}
