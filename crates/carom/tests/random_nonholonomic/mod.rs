//! Random nonholonomic systems: masses, potentials, forces, one-forms, frames, gaps and laws of every kind.
//!
//! A distribution is the graph of a random matrix `A(q)`: with coordinates `x` (free) and `y` (dependent),
//!
//! ```text
//! omega = B(q) (dy - A dx),      u = C(q) (d/dx + A^T d/dy),
//! ```
//!
//! `B` and `C` triangular with diagonals that do not vanish: independent everywhere, and nowhere simple.
#![allow(dead_code)] // each test file uses a part

pub mod bench;
pub mod dense;
pub mod hamel;
pub mod laws;
pub mod models;
pub mod runs;

use crate::random_systems::Noise;
use carom::expr::{Expr, Id, Scope};
use carom::model::Legendre;
use carom::{Backend, System, SystemBuilder};
use laws::LawKind;

/// What acts besides the potential.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Forcing {
    Nothing,
    Damping,
    /// Damping, and a Lagrangian and forces that depend on time.
    Driven,
}

/// What the builder is told about the distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Told {
    Forms,
    Fields,
    FieldsAndComplement,
    FormsAndFields,
}

impl Told {
    pub const ALL: [Self; 4] = [Self::Forms, Self::Fields, Self::FieldsAndComplement, Self::FormsAndFields];
}

/// What a random system is made of: everything else comes from the seed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Kind {
    pub n: usize,
    /// Velocity constraints; with none, fields are a frame of all velocities.
    pub forms: usize,
    pub is_held: bool,
    pub forcing: Forcing,
    pub told: Told,
    pub contacts: usize,
    pub law: LawKind,
}

impl Kind {
    /// A kind of the seed: two to five coordinates, one constraint or more, at least one direction left.
    pub fn of_seed(seed: u64, law: LawKind, contacts: usize) -> Self {
        let mut noise = Noise::new(seed + 1000);
        let n = 2 + noise.below(4);
        let forms = 1 + noise.below(n - 1);
        let is_held = forms + 1 < n && noise.below(3) == 0;
        let forcing = [Forcing::Nothing, Forcing::Damping, Forcing::Driven][noise.below(3)];
        Self { n, forms, is_held, forcing, told: Told::ALL[noise.below(4)], contacts, law }
    }
}

/// A system with an admissible initial state outside of all obstacles.
pub struct Case {
    pub name: String,
    pub kind: Kind,
    pub system: System,
    pub q: Vec<f64>,
    pub v: Vec<f64>,
}

/// The variables of a system that is being put together.
struct Draft<'s> {
    scope: &'s Scope,
    noise: Noise,
    q: Vec<Expr<'s>>,
    v: Vec<Expr<'s>>,
}

pub fn random_case(seed: u64, kind: Kind) -> Case {
    let scope = Scope::default();
    let names: Vec<String> = (0..kind.n).map(|k| format!("x{k}")).collect();
    let q = names.iter().map(|name| scope.variable(name)).collect();
    let v = names.iter().map(|name| scope.variable(&format!("{name}'"))).collect();
    let mut draft = Draft { scope: &scope, noise: Noise::new(seed), q, v };
    let start: Vec<f64> = draft.noise.vector(kind.n).iter().map(|x| 0.1 * x).collect();
    let mut builder = names.iter().fold(SystemBuilder::new("random"), |builder, name| builder.coordinate(name));
    builder = builder.lagrangian(draft.lagrangian(kind.forcing).id());
    if kind.forcing != Forcing::Nothing {
        for (k, name) in names.iter().enumerate() {
            builder = builder.force(name, draft.force(k, kind.forcing).id());
        }
    }
    builder = draft.distribution(builder, kind);
    if kind.is_held {
        builder = builder.constraint("surface", draft.surface(&start).id());
    }
    for index in 0..kind.contacts {
        let gap = draft.gap();
        let tangent = draft.linear();
        builder = builder.contact(kind.law.contact(&draft, index, gap, tangent));
    }
    let speed = draft.noise.between(1.0, 2.0);
    let wish = draft.noise.direction(kind.n);
    let system = builder.build(scope.into_graph()).unwrap_or_else(|error| panic!("seed {seed}, {kind:?}: {error}"));
    let v = admissible(&system, &start, &wish).iter().map(|x| speed * x).collect();
    Case { name: format!("seed {seed}, {kind:?}"), kind, system, q: start, v }
}

/// The part of a velocity along the constraints, of length one.
pub fn admissible(system: &System, q: &[f64], wish: &[f64]) -> Vec<f64> {
    let mut legendre = Legendre::new(&system.dynamics(), Backend::Interpreter).expect("compiles");
    let mut v = wish.to_vec();
    let across = dense::orthonormal(legendre.constraints(q).1, q.len());
    across.iter().chain(&across).for_each(|unit| dense::remove(&mut v, unit));
    let length = dense::dot(&v, &v).sqrt();
    v.iter().map(|x| x / length).collect()
}

impl<'s> Draft<'s> {
    /// A trigonometric and polynomial function of size one.
    fn function(&mut self) -> Expr<'s> {
        let n = self.q.len();
        let (a, b, c) = (self.noise.vector(2), self.noise.between(-3.0, 3.0), self.noise.vector(2));
        let (i, j) = (self.noise.below(n), self.noise.below(n));
        let wave = (self.linear() + b).sin();
        a[0] + a[1] * wave + 0.3 * c[0] * self.q[i] * self.q[j] + 0.3 * c[1] * self.q[j]
    }

    fn linear(&mut self) -> Expr<'s> {
        let slopes = self.noise.direction(self.q.len());
        self.scope.sum(self.q.iter().zip(slopes).map(|(q, slope)| slope * *q))
    }

    /// `|R(q) v|^2/2 + |v|^2/4`, terms linear in `v`, and a bowl with waves.
    fn lagrangian(&mut self, forcing: Forcing) -> Expr<'s> {
        let n = self.q.len();
        let mut kinetic = self.scope.sum(self.v.iter().map(|v| 0.25 * v.square()));
        for _ in 0..n {
            let row: Vec<Expr<'s>> = (0..n).map(|_| 0.5 * self.function()).collect();
            kinetic = kinetic + 0.5 * self.pair(&row, &self.v).square();
        }
        let turning = 0.3 * self.function() * self.v[self.noise.below(n)];
        let walls = self.scope.sum(self.q.iter().map(|q| q.square() + 0.5 * q.square().square()));
        let potential = walls + 0.3 * self.function();
        let time = self.scope.variable("t");
        let pulse = if forcing == Forcing::Driven { 0.2 * time.sin() * self.function() } else { 0.0 * time };
        kinetic + turning - potential + pulse
    }

    fn force(&mut self, k: usize, forcing: Forcing) -> Expr<'s> {
        let drag = -0.2 * self.v[k] - 0.05 * self.v[k] * self.q[0].square();
        let time = self.scope.variable("t");
        if forcing == Forcing::Driven { drag + 0.3 * (2.0 * time).cos() * self.function() } else { drag }
    }

    fn pair(&self, a: &[Expr<'s>], b: &[Expr<'s>]) -> Expr<'s> {
        self.scope.sum(a.iter().zip(b).map(|(a, b)| *a * *b))
    }

    /// Lower triangular, with a diagonal between 0.5 and 2.5.
    fn mix(&mut self, rows: &[Vec<Expr<'s>>]) -> Vec<Vec<Expr<'s>>> {
        let mut mixed = Vec::new();
        for i in 0..rows.len() {
            let mut weights: Vec<Expr<'s>> = (0..i).map(|_| 0.5 * self.function()).collect();
            weights.push(1.5 + self.linear().sin());
            let columns = (0..self.q.len()).map(|k| rows[..=i].iter().map(|row| row[k]).collect::<Vec<_>>());
            mixed.push(columns.map(|column| self.pair(&weights, &column)).collect());
        }
        mixed
    }

    /// One-forms, fields and a complement of a random distribution.
    fn distribution(&mut self, mut builder: SystemBuilder, kind: Kind) -> SystemBuilder {
        let (n, m) = (kind.n, kind.forms);
        let number = |value: f64| self.scope.constant(value);
        let turn = self.noise.below(n);
        // The first k places are free, after a rotation of the coordinates.
        let (k, place) = (n - m, |i: usize| (i + turn) % n);
        let unit = |i: usize| (0..n).map(|c| number(f64::from(u8::from(c == place(i))))).collect::<Vec<_>>();
        let (mut fields, mut forms): (Vec<_>, Vec<_>) = ((0..k).map(unit).collect(), (k..n).map(unit).collect());
        let complement: Vec<Vec<Expr<'s>>> = (k..n).map(unit).collect();
        for (i, a) in (0..k).flat_map(|i| (0..m).map(move |a| (i, a))) {
            let entry = self.function();
            fields[i][place(k + a)] = entry;
            forms[a][place(i)] = -entry;
        }
        let (fields, forms, complement) = (self.mix(&fields), self.mix(&forms), self.mix(&complement));
        if matches!(kind.told, Told::Forms | Told::FormsAndFields) {
            for (a, form) in forms.iter().enumerate() {
                builder = builder.velocity_constraint(&format!("form{a}"), self.pair(form, &self.v).id());
            }
        }
        let of = |field: &[Expr<'s>]| field.iter().map(|entry| entry.id()).collect::<Vec<Id>>();
        if kind.told != Told::Forms {
            builder = fields.iter().enumerate().fold(builder, |b, (i, field)| b.field(&format!("w{i}"), of(field)));
        }
        if kind.told == Told::FieldsAndComplement {
            let fields = complement.iter().enumerate();
            builder = fields.fold(builder, |b, (i, field)| b.complement(&format!("z{i}"), of(field)));
        }
        builder
    }

    /// A sphere around a distant point through the start.
    fn surface(&mut self, start: &[f64]) -> Expr<'s> {
        let centre: Vec<f64> = self.noise.direction(start.len()).iter().map(|x| 1.5 * x).collect();
        let radius: f64 = centre.iter().zip(start).map(|(c, x)| (x - c) * (x - c)).sum();
        self.scope.sum(self.q.iter().zip(centre).map(|(q, c)| (*q - c).square())) - radius
    }

    /// A gap that is positive near the origin: a plane, a sphere outside or around, waves.
    fn gap(&mut self) -> Expr<'s> {
        let distance = self.noise.between(0.2, 0.4);
        match self.noise.below(4) {
            0 => self.linear() + distance,
            1 => {
                let (radius, away) = (self.noise.between(0.4, 1.0), self.noise.direction(self.q.len()));
                let far = away.iter().map(|x| (distance + radius) * x);
                self.scope.sum(self.q.iter().zip(far).map(|(q, c)| (*q - c).square())) - radius * radius
            }
            2 => 4.0 * distance * distance - self.scope.sum(self.q.iter().map(|q| q.square())),
            _ => self.linear() + distance - 0.1 * (4.0 * self.linear()).sin(),
        }
    }
}
