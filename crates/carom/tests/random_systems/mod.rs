//! Random systems with contacts: masses, potentials, gaps, constraints and laws of every kind.
#![allow(dead_code)] // each test file uses a part

pub mod checks;

use carom::expr::{Expr, Scope};
use carom::flow::{Flow, FlowOptions, FlowSchedule};
use carom::impact::{ContactOptions, JumpKind};
use carom::model::Contact;
use carom::{Method, Options, Schedule, Simulation, System, SystemBuilder, Trajectory};

/// A reproducible stream of numbers.
pub struct Noise {
    state: u64,
}

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1) }
    }

    /// In `(low, high)`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() as f64 / (1_u64 << 53) as f64)
    }

    /// In `0..limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.bits() as usize % limit
    }

    /// `count` numbers in `(-1, 1)`.
    pub fn vector(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.between(-1.0, 1.0)).collect()
    }

    /// A vector of length one.
    pub fn direction(&mut self, count: usize) -> Vec<f64> {
        let vector = self.vector(count);
        let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        vector.into_iter().map(|x| x / length).collect()
    }

    fn bits(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state >> 11
    }
}

/// A law with its numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law {
    Elastic,
    Newton(f64),
    /// Restitution and friction.
    Moreau(f64, f64),
    Poisson(f64, f64),
}

impl Law {
    pub const ALL: [Self; 5] =
        [Self::Elastic, Self::Newton(0.3), Self::Newton(0.8), Self::Moreau(0.5, 0.3), Self::Poisson(0.5, 0.3)];

    fn contact(self, scope: &Scope, name: &str, gap: Expr<'_>, tangent: Expr<'_>) -> Contact {
        let number = |value: f64| scope.constant(value).id();
        let rough = |law: &str, e: f64, mu: f64| {
            let contact = Contact::new(name, gap.id(), law).tangent(tangent.id());
            contact.with("restitution", number(e)).with("friction", number(mu))
        };
        match self {
            Self::Elastic => Contact::new(name, gap.id(), "elastic"),
            Self::Newton(e) => Contact::new(name, gap.id(), "newton").with("restitution", number(e)),
            Self::Moreau(e, mu) => rough("moreau", e, mu),
            Self::Poisson(e, mu) => rough("poisson", e, mu),
        }
    }
}

/// A system with an initial state outside of all obstacles.
pub struct Case {
    pub name: String,
    pub system: System,
    pub law: Law,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

/// What a random system is made of: everything else comes from the seed.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub law: Law,
    pub is_constrained: bool,
    pub contacts: usize,
}

/// The system of a seed: two to four coordinates in a bowl, in the middle at the start.
pub fn random_case(seed: u64, kind: Kind) -> Case {
    let mut noise = Noise::new(seed);
    let n = if kind.is_constrained { 3 + noise.below(2) } else { 2 + noise.below(3) };
    let scope = Scope::default();
    let names: Vec<String> = (0..n).map(|k| format!("x{k}")).collect();
    let q: Vec<Expr<'_>> = names.iter().map(|name| scope.variable(name)).collect();
    let v: Vec<Expr<'_>> = names.iter().map(|name| scope.variable(&format!("{name}'"))).collect();
    let is_pendulum = noise.below(2) == 0;
    let kinetic = if is_pendulum { pendulum(&scope, &q, &v) } else { constant_mass(&scope, &mut noise, &v) };
    let lagrangian = (kinetic - bowl(&scope, &mut noise, &q)).id();
    let start: Vec<f64> = noise.vector(n).iter().map(|x| 0.1 * x).collect();
    let mut builder = names.iter().fold(SystemBuilder::new("random"), |builder, name| builder.coordinate(name));
    let mut words = Vec::new();
    for index in 0..kind.contacts {
        let (gap, word) = obstacle(&scope, &mut noise, &q);
        let tangent = linear(&scope, &q, &noise.direction(n));
        builder = builder.contact(kind.law.contact(&scope, &format!("contact{index}"), gap, tangent));
        words.push(word);
    }
    if kind.is_constrained {
        builder = builder.constraint("manifold", manifold(&scope, &mut noise, &q, &start).id());
    }
    let mass = if is_pendulum { "pendulum" } else { "constant mass" };
    let name = format!("seed {seed}, n = {n}, {mass}, {words:?}, {kind:?}");
    let v0 = noise.direction(n).iter().map(|x| 2.0 * x).collect();
    let system = builder.lagrangian(lagrangian).build(scope.into_graph()).expect("a system");
    Case { name, system, law: kind.law, q: start, v: v0 }
}

fn linear<'s>(scope: &'s Scope, q: &[Expr<'s>], slopes: &[f64]) -> Expr<'s> {
    scope.sum(q.iter().zip(slopes).map(|(q, &slope)| slope * *q))
}

/// `v^T (A A^T + 1/2) v / 2` with a random `A`.
fn constant_mass<'s>(scope: &'s Scope, noise: &mut Noise, v: &[Expr<'s>]) -> Expr<'s> {
    let rows = (0..v.len()).map(|_| linear(scope, v, &noise.vector(v.len())).square());
    let all: Vec<Expr<'s>> = rows.chain(v.iter().map(|v| 0.5 * v.square())).collect();
    0.5 * scope.sum(all)
}

/// A planar double pendulum in its angles, and unit masses beside it.
fn pendulum<'s>(scope: &'s Scope, q: &[Expr<'s>], v: &[Expr<'s>]) -> Expr<'s> {
    let joint = v[0].square() + 0.5 * v[1].square() + 0.6 * v[0] * v[1] * (q[0] - q[1]).cos();
    joint + scope.sum(v[2..].iter().map(|v| 0.5 * v.square()))
}

/// A potential that keeps the motion near the origin: quadratic and quartic.
fn bowl<'s>(scope: &'s Scope, noise: &mut Noise, q: &[Expr<'s>]) -> Expr<'s> {
    let tilted = linear(scope, q, &noise.vector(q.len())).square();
    let walls = q.iter().map(|q| q.square() + 0.5 * q.square().square());
    tilted + scope.sum(walls)
}

/// A gap that is positive near the origin, and reached within a bowl.
fn obstacle<'s>(scope: &'s Scope, noise: &mut Noise, q: &[Expr<'s>]) -> (Expr<'s>, &'static str) {
    let (n, distance) = (q.len(), noise.between(0.2, 0.4));
    let away = noise.direction(n);
    match noise.below(4) {
        0 => (linear(scope, q, &away) + distance, "plane"),
        1 => {
            let radius = noise.between(0.4, 1.0);
            let shifted = q.iter().zip(&away).map(|(q, side)| (*q - (distance + radius) * side).square());
            (scope.sum(shifted) - radius * radius, "sphere")
        }
        2 => (4.0 * distance * distance - scope.sum(q.iter().map(|q| q.square())), "inside of a sphere"),
        _ => (q[1] + distance - 0.1 * (4.0 * q[0]).sin(), "waves"),
    }
}

/// A sphere around a random point, or a paraboloid, through the initial configuration.
fn manifold<'s>(scope: &'s Scope, noise: &mut Noise, q: &[Expr<'s>], start: &[f64]) -> Expr<'s> {
    let last = q.len() - 1;
    if noise.below(2) == 0 {
        let centre: Vec<f64> = noise.direction(q.len()).iter().map(|x| 1.5 * x).collect();
        let radius: f64 = centre.iter().zip(start).map(|(c, x)| (x - c) * (x - c)).sum();
        scope.sum(q.iter().zip(centre).map(|(q, c)| (*q - c).square())) - radius
    } else {
        let height = start[last] - 0.4 * start[0] * start[0] - 0.3 * start[1];
        q[last] - 0.4 * q[0].square() - 0.3 * q[1] - height
    }
}

impl Case {
    /// A run with steps `h`, all of them recorded; errors come with their message.
    pub fn run(&self, method: &str, jump: JumpKind, h: f64, until: f64) -> Result<Trajectory, String> {
        self.run_from((&self.q, &self.v), method, jump, h, until)
    }

    pub fn run_from(
        &self,
        (q, v): (&[f64], &[f64]),
        method: &str,
        jump: JumpKind,
        h: f64,
        until: f64,
    ) -> Result<Trajectory, String> {
        let options = Options { contacts: options(jump), ..Options::default() };
        let method = Method::parse(method).expect("a method");
        let simulation = Simulation::new(&self.system, &method, options).expect("compiles");
        let schedule = Schedule { start: 0.0, until, step: h, every: 1 };
        simulation.run(q, v, schedule, &mut |_| true).map_err(|error| error.to_string())
    }

    /// The exact motion, recorded in intervals of `output`.
    pub fn flow(&self, output: f64, until: f64) -> Result<Trajectory, String> {
        let flow = Flow::new(&self.system, FlowOptions::default()).expect("compiles");
        let schedule = FlowSchedule { start: 0.0, until, output, max_step: f64::INFINITY };
        flow.run(&self.q, &self.v, schedule, &mut |_| true).map_err(|error| error.to_string())
    }
}

pub fn options(jump: JumpKind) -> ContactOptions {
    ContactOptions { jump, ..ContactOptions::default() }
}
