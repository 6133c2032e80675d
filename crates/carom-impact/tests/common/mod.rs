//! Random numbers, vectors and matrices for property tests, and systems that are given by their contacts.
#![allow(dead_code)] // each test file uses a part

use carom_expr::{Backend, Expr, Scope};
use carom_impact::{Before, ContactLaw, Geometry, ImpactError, Multiple, Resolved, Resolver};
use carom_linalg::dot;
use carom_model::{Contact, Legendre, System, SystemBuilder};

/// A reproducible stream of numbers.
pub struct Noise {
    state: u64,
}

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1) }
    }

    /// In `(-1, 1)`.
    pub fn next(&mut self) -> f64 {
        self.bits() as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// In `(low, high)`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        0.5 * (low + high) + 0.5 * (high - low) * self.next()
    }

    /// In `0..limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.bits() as usize % limit
    }

    /// `count` numbers in `(-1, 1)`.
    pub fn vector(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.next()).collect()
    }

    /// A positive definite matrix, row by row: `A A^T + shift`.
    pub fn definite(&mut self, n: usize, shift: f64) -> Vec<f64> {
        let a = self.vector(n * n);
        let entry = |i: usize, j: usize| (0..n).map(|k| a[i * n + k] * a[j * n + k]).sum::<f64>();
        (0..n * n).map(|e| entry(e / n, e % n) + if e / n == e % n { shift } else { 0.0 }).collect()
    }

    fn bits(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state >> 11
    }
}

/// `a^T M b`
pub fn quadratic(a: &[f64], matrix: &[f64], b: &[f64]) -> f64 {
    let n = b.len();
    (0..a.len()).map(|i| a[i] * (0..n).map(|j| matrix[i * n + j] * b[j]).sum::<f64>()).sum()
}

/// `u^T Lambda + Lambda^T W Lambda / 2`: the energy that impulses bring.
pub fn energy_change(u: &[f64], w: &[f64], impulses: &[f64]) -> f64 {
    let work: f64 = u.iter().zip(impulses).map(|(u, impulse)| u * impulse).sum();
    work + 0.5 * quadratic(impulses, w, impulses)
}

/// `u + W Lambda`
pub fn after(u: &[f64], w: &[f64], impulses: &[f64]) -> Vec<f64> {
    let n = u.len();
    (0..n).map(|i| u[i] + (0..n).map(|j| w[i * n + j] * impulses[j]).sum::<f64>()).collect()
}

/// A system of coordinates `x0, x1, ...` with the kinetic energy `v^T M v / 2` and no potential; `contacts` makes
/// the contacts from the coordinates.
pub fn free_system(mass: &[f64], n: usize, contacts: impl FnOnce(&Scope, &[Expr<'_>]) -> Vec<Contact>) -> System {
    let scope = Scope::default();
    let names: Vec<String> = (0..n).map(|k| format!("x{k}")).collect();
    let q: Vec<Expr<'_>> = names.iter().map(|name| scope.variable(name)).collect();
    let v: Vec<Expr<'_>> = names.iter().map(|name| scope.variable(&format!("{name}'"))).collect();
    let pairs = (0..n * n).map(|e| 0.5 * mass[e] * v[e / n] * v[e % n]);
    let lagrangian = scope.sum(pairs).id();
    let mut builder = names.iter().fold(SystemBuilder::new("free"), |builder, name| builder.coordinate(name));
    for contact in contacts(&scope, &q) {
        builder = builder.contact(contact);
    }
    builder.lagrangian(lagrangian).build(scope.into_graph()).expect("a system")
}

/// `normal . q`, as an expression.
pub fn plane<'s>(scope: &'s Scope, q: &[Expr<'s>], normal: &[f64]) -> Expr<'s> {
    scope.sum(q.iter().zip(normal).map(|(q, &slope)| slope * *q))
}

/// The identity matrix, row by row.
pub fn unit_mass(n: usize) -> Vec<f64> {
    (0..n * n).map(|e| if e / n == e % n { 1.0 } else { 0.0 }).collect()
}

/// Resolves the impact of all contacts of a system at the origin.
pub fn resolve(system: &System, v: &[f64], multiple: Multiple) -> Result<Resolved, ImpactError> {
    let (dynamics, backend) = (system.dynamics(), Backend::Interpreter);
    let mut resolver = Resolver {
        frame: None,
        laws: ContactLaw::all(system, &dynamics, backend).expect("compiles"),
        names: system.contacts().iter().map(|contact| contact.name.clone()).collect(),
        contact_of: (0..dynamics.surfaces.len()).collect(),
        is_quadratic: true,
        multiple,
    };
    let mut geometry = Geometry::new(&dynamics, backend).expect("compiles");
    let mut legendre = Legendre::new(&dynamics, backend).expect("compiles");
    let q = vec![0.0; v.len()];
    geometry.at(&q, v, 0.0);
    let set: Vec<usize> = (0..dynamics.surfaces.len()).collect();
    resolver.resolve(Before { t: 0.0, q: &q, v }, &set, &geometry, &mut legendre)
}

/// Random walls that all close.
pub fn closing_walls(noise: &mut Noise, n: usize, count: usize, v: &[f64]) -> Vec<Vec<f64>> {
    let each = (0..count).map(|_| {
        let normal = noise.vector(n);
        let sign = -dot(&normal, v).signum();
        normal.iter().map(|slope| sign * slope).collect()
    });
    each.collect()
}
