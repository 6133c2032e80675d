//! A recorded impact against its own jump equations.
//!
//! | residual | equation |
//! |---|---|
//! | `momentum` | `P^T (p+ - p- - sum G^T Lambda - F) = 0`, `P` spanning the null space of the constraints |
//! | `constraints` | `A v+ = 0` |
//! | `law` | the conditions of the law ([`Law::conditions`]); of several contacts, the jump resolved again |
//! | `energy` | `E+ - E- + F_t = 0` in the energies that the kind of jump balances |
//! | `impulse` | no normal impulse is negative |
//! | `closing` | no contact closes after the impact |
//! | `record` | momenta and energies belong to the states, and the bodies touch |
//!
//! Every residual is relative to the size of what it balances.

use crate::contact_law::ContactLaw;
use crate::geometry::Geometry;
use crate::laws::{Jump, Law, Outcome};
use crate::life::Life;
use crate::options::{ContactOptions, JumpKind};
use crate::resolver::{Before, Resolver};
use crate::space::ContactSpace;
use carom_expr::{Backend, Evaluator, Expr, Function, FunctionError, Group, Scope, ids};
use carom_linalg::{RangeNull, dot, max_abs};
use carom_model::{Impact, Legendre, System};

/// Residuals of a recorded impact, all relative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Verification {
    /// Momentum balance along the constraints.
    pub momentum: f64,
    /// Constraints after the impact.
    pub constraints: f64,
    /// Conditions of the law.
    pub law: f64,
    /// Energy balance.
    pub energy: f64,
    /// How negative the most negative normal impulse is.
    pub impulse: f64,
    /// How fast the fastest contact still closes.
    pub closing: f64,
    /// How well the parts of the record fit together.
    pub record: f64,
}

impl Verification {
    /// The largest residual; not-a-number wins.
    pub fn largest(&self) -> f64 {
        max_abs(&[self.momentum, self.constraints, self.law, self.energy, self.impulse, self.closing, self.record])
    }
}

/// Friction that holds whatever it takes, as a number.
const NO_LIMIT: f64 = 1e200;

/// Checks impacts of one system.
pub struct Verifier {
    legendre: Legendre,
    geometry: Geometry,
    resolver: Resolver,
    /// Conditions by name of the law and number of tangents.
    conditions: Vec<((&'static str, usize), Evaluator)>,
}

impl Verifier {
    /// Prepares the check of impacts of `system`, taken with these options.
    pub fn new(system: &System, options: ContactOptions) -> Result<Self, FunctionError> {
        let Life { legendre, geometry, resolver, .. } = Life::new(system, options)?;
        Ok(Self { legendre, geometry, resolver, conditions: Vec::new() })
    }

    /// Residuals of one impact.
    pub fn verify(&mut self, impact: &Impact) -> Result<Verification, FunctionError> {
        let (q, t) = (&impact.q[..], impact.t);
        self.geometry.at(q, &impact.v_minus, t);
        let set: Vec<usize> = impact.impulses.iter().map(|impulse| impulse.surface).collect();
        if self.outcome(&set) == Outcome::Reset {
            return Ok(Verification { law: self.prescribed(impact, &set), ..Verification::default() });
        }
        let before = self.corrected(impact);
        let speed = max_abs(&impact.v_minus).max(max_abs(&impact.v_plus)).max(f64::MIN_POSITIVE);
        let constraints = self.legendre.constraints(q).1.to_vec();
        let rates: Vec<f64> = constraints.chunks_exact(q.len()).map(|row| dot(row, &impact.v_plus)).collect();
        let record = self.record(impact, &before, &set);
        let push = impact.impulses.iter().map(|impulse| impulse.normal);
        let largest = push.clone().fold(f64::MIN_POSITIVE, |a, b| a.max(b.abs()));
        let closing = set.iter().map(|&s| self.geometry.rate(s, &impact.v_plus) / max_abs(self.geometry.gradient(s)));
        Ok(Verification {
            momentum: self.momentum(impact, &constraints),
            constraints: max_abs(&rates) / speed,
            closing: (-closing.fold(0.0, f64::min) / speed).max(0.0),
            impulse: (-push.fold(0.0, f64::min) / largest).max(0.0),
            energy: energy(impact),
            record,
            law: self.law(impact, &set, &before)?,
        })
    }

    /// How well momenta, energies, gaps and configurations of the record fit together.
    fn record(&mut self, impact: &Impact, before: &[f64], set: &[usize]) -> f64 {
        let t = impact.t;
        let mut worst = Vec::new();
        let sides = [(&impact.q, &impact.v_minus, &impact.p_minus), (&impact.q_plus, &impact.v_plus, &impact.p_plus)];
        for (q, v, p) in sides {
            let mut own = vec![0.0; q.len()];
            self.legendre.momentum(q, v, t, &mut own);
            let size = max_abs(p).max(f64::MIN_POSITIVE);
            worst.extend(own.iter().zip(p).map(|(a, b)| (a - b) / size));
        }
        let [minus, plus] = sides.map(|(q, v, _)| self.legendre.energy(q, v, t));
        let size = (0.5 * dot(&impact.p_minus, &impact.v_minus)).abs().max(minus.abs()).max(f64::MIN_POSITIVE);
        worst.extend([(minus - impact.energy_minus) / size, (plus - minus - impact.energy_change) / size]);
        if impact.balance.kind != JumpKind::Variational.name() {
            let (wanted, found) = (impact.balance.energies, self.legendre.energy(&impact.q, before, t));
            worst.extend([(found - wanted.0) / size, (plus - wanted.1) / size]);
        }
        let scale = max_abs(&impact.q).max(1.0);
        // Contacts of one event set touch up to a hundred times what counts as rounding here.
        worst.extend(set.iter().map(|&surface| 1e-2 * self.geometry.gap(surface) / scale));
        worst.extend(impact.q.iter().zip(&impact.q_plus).map(|(a, b)| (a - b) / scale));
        max_abs(&worst)
    }

    fn outcome(&self, set: &[usize]) -> Outcome {
        let laws = set.iter().map(|&surface| self.resolver.laws[self.resolver.contact_of[surface]].law.outcome());
        laws.reduce(|a, b| if a == Outcome::Reset { a } else { b }).unwrap_or(Outcome::Rebound)
    }

    /// The distance to the state that a law prescribes.
    fn prescribed(&mut self, impact: &Impact, set: &[usize]) -> f64 {
        let law = &mut self.resolver.laws[self.resolver.contact_of[set[0]]];
        let Some((q, v)) = law.map(&impact.q, &impact.v_minus, impact.t) else { return f64::NAN };
        let difference = |a: &[f64], b: &[f64]| max_abs(&a.iter().zip(b).map(|(x, y)| x - y).collect::<Vec<_>>());
        difference(&q, &impact.q_plus).max(difference(&v, &impact.v_plus))
    }

    /// The velocity that the law was applied to.
    fn corrected(&mut self, impact: &Impact) -> Vec<f64> {
        let mut v = impact.v_minus.clone();
        if let Some(first) = impact.impulses.first().filter(|_| impact.balance.correction != 0.0)
            && let Some(space) = self.space(impact, self.geometry.gradient(first.surface).to_vec())
        {
            space.apply(&[impact.balance.correction], &mut v);
        }
        v
    }

    fn space(&mut self, impact: &Impact, rows: Vec<f64>) -> Option<ContactSpace> {
        let constraints = self.legendre.constraints(&impact.q).1.to_vec();
        let mass = self.legendre.mass(&impact.q, &impact.v_minus, impact.t);
        ContactSpace::new(impact.q.len(), mass, &constraints, rows).ok()
    }

    /// What impulses and constraints do not explain of the change of momentum. The variational jump has
    /// a normal impulse of its own: it is checked along the surfaces.
    fn momentum(&self, impact: &Impact, constraints: &[f64]) -> f64 {
        let n = impact.q.len();
        let is_variational = impact.balance.kind == JumpKind::Variational.name();
        let mut rows = constraints.to_vec();
        let mut rest: Vec<f64> =
            impact.p_plus.iter().zip(&impact.p_minus).map(|(after, before)| after - before).collect();
        let size = max_abs(&impact.p_minus).max(max_abs(&impact.p_plus)).max(f64::MIN_POSITIVE);
        rest.iter_mut().zip(&impact.balance.push).for_each(|(rest, push)| *rest -= push);
        for impulse in &impact.impulses {
            let normal = self.geometry.gradient(impulse.surface);
            rest.iter_mut().zip(normal).for_each(|(rest, slope)| *rest -= impulse.normal * slope);
            for (k, value) in impulse.tangential.iter().enumerate() {
                let tangent = self.geometry.tangent(impulse.surface, k);
                rest.iter_mut().zip(tangent).for_each(|(rest, slope)| *rest -= value * slope);
            }
            if is_variational {
                rows.extend(normal);
            }
        }
        let bases = RangeNull::new(&rows, n, 1e-12);
        let along: Vec<f64> = bases.null_space().chunks_exact(n).map(|p| dot(p, &rest)).collect();
        max_abs(&along) / size
    }

    /// Residual of the law.
    fn law(&mut self, impact: &Impact, set: &[usize], before: &[f64]) -> Result<f64, FunctionError> {
        let is_plastic =
            set.iter().any(|&surface| self.resolver.laws[self.resolver.contact_of[surface]].law.is_plastic());
        let is_balanced = impact.balance.kind == JumpKind::Variational.name() && !is_plastic;
        if let ([surface], false) = (set, is_balanced) {
            return self.single(impact, *surface, before);
        }
        let state = Before { t: impact.t, q: &impact.q, v: before };
        let Ok(again) = self.resolver.resolve(state, set, &self.geometry, &mut self.legendre) else {
            return Ok(f64::NAN);
        };
        // A variational jump obeys the law through its energy balance: what the law takes must be right.
        if is_balanced {
            let energies = [before, &again.v_plus].map(|v| self.legendre.energy(&impact.q, v, impact.t));
            let scale = 0.5 * dot(&impact.p_minus, before).abs() + energies[0].abs() + f64::MIN_POSITIVE;
            return Ok((energies[1] - energies[0] + impact.balance.loss).abs() / scale);
        }
        let difference: Vec<f64> = again.v_plus.iter().zip(&impact.v_plus).map(|(a, b)| a - b).collect();
        Ok(max_abs(&difference) / max_abs(before).max(f64::MIN_POSITIVE))
    }

    /// The conditions of one law, relative to rates and impulses.
    fn single(&mut self, impact: &Impact, surface: usize, before: &[f64]) -> Result<f64, FunctionError> {
        let impulse = &impact.impulses[0];
        let tangents = impulse.tangential.len();
        let (n, contact) = (impact.q.len(), self.resolver.contact_of[surface]);
        let mut rows = self.geometry.gradient(surface).to_vec();
        (0..tangents).for_each(|k| rows.extend(self.geometry.tangent(surface, k)));
        let Some(space) = self.space(impact, rows) else { return Ok(f64::NAN) };
        let energies = [before, &impact.v_plus].map(|v| self.legendre.energy(&impact.q, v, impact.t));
        let law = &mut self.resolver.laws[contact];
        let loss = law.force_field(&impact.q, before, impact.t).map_or(0.0, |(loss, _)| loss);
        let mut input = vec![impulse.normal - impact.balance.correction, energies[1] - energies[0], loss];
        input.extend([law.restitution, law.friction.unwrap_or(NO_LIMIT)]);
        for row in space.rows.chunks_exact(n) {
            input.extend([dot(row, before), dot(row, &impact.v_plus)]);
        }
        input.extend(&impulse.tangential);
        input.extend(&space.w);
        let scale = max_abs(&input[..1]).max(max_abs(&space.rates(before))).max(max_abs(&[energies[0]])).max(1e-300);
        let conditions = conditions(&mut self.conditions, law, tangents)?;
        Ok(max_abs(&conditions.values(&input)) / scale)
    }
}

/// How far the energies that were balanced are apart, against the law's loss.
fn energy(impact: &Impact) -> f64 {
    let (before, after) = impact.balance.energies;
    let kinetic = 0.5 * dot(&impact.p_minus, &impact.v_minus).abs();
    (after - before + impact.balance.loss).abs() / kinetic.max(impact.energy_minus.abs()).max(f64::MIN_POSITIVE)
}

/// The compiled conditions of a law.
fn conditions<'a>(
    known: &'a mut Vec<((&'static str, usize), Evaluator)>,
    law: &ContactLaw,
    tangents: usize,
) -> Result<&'a mut Evaluator, FunctionError> {
    let key = (law.law.name(), tangents);
    let index = match known.iter().position(|(other, _)| *other == key) {
        Some(index) => index,
        None => {
            known.push((key, compile(&*law.law, tangents)?));
            known.len() - 1
        }
    };
    Ok(&mut known[index].1)
}

/// The conditions as a function of: impulse, change of energy, loss, restitution, friction, rates before and
/// after by pairs, tangential impulses, Delassus' matrix.
fn compile(law: &dyn Law, tangents: usize) -> Result<Evaluator, FunctionError> {
    let scope = Scope::default();
    let head = scope.variables("head", 5);
    let rates = scope.variables("rate", 2 * (tangents + 1));
    let tangential = scope.variables("tangential", tangents);
    let w = scope.variables("w", (tangents + 1) * (tangents + 1));
    let jump = Jump {
        u: [rates[0], rates[1]],
        slip: rates[2..].chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
        normal: head[0],
        energy_change: head[1],
        loss: head[2],
        restitution: head[3],
        friction: head[4],
        tangential: tangential.clone(),
        w: w.clone(),
    };
    let outputs = ids(&law.conditions(&jump));
    let inputs: Vec<Expr<'_>> = [head, rates, tangential, w].concat();
    let inputs = ids(&inputs);
    let graph = scope.into_graph();
    let function = Function::compile(
        &graph,
        &[Group::new("jump", &inputs)],
        &[Group::new("conditions", &outputs)],
        Backend::Interpreter,
    )?;
    Ok(function.evaluator())
}
