//! Steps as maps: what undoes them, and what they do to volumes.

use crate::nonholonomic_models::{WAYS, Way, name_of};
use crate::nonholonomic_run::Failure;
use carom::{Formulation, Method, Model, Options, Stepper};
use serde_json::json;

fn stepper(model: &Model, method: &Method, formulation: Formulation) -> Result<Stepper, Failure> {
    let options = Options { formulation, ..Options::default() };
    Ok(Stepper::new(&model.system.dynamics(), method, options)?)
}

/// The largest difference, relative to the largest number of the motion, after steps and steps back.
pub fn there_and_back(model: &Model, way: &Way, h: f64, steps: usize) -> Result<f64, Failure> {
    let method = way.method()?;
    let mut forward = stepper(model, &method, way.formulation)?;
    let mut backward = stepper(model, &method.adjoint(), way.formulation)?;
    forward.start(0.0, &model.initial.q, &model.initial.v)?;
    for _ in 0..steps {
        forward.step(h)?;
    }
    let (t, q, v) = (forward.state().t, forward.state().q.clone(), forward.velocity()?.to_vec());
    // Reflected momenta are more than a state: their stepper turns round.
    let back = if method.reflects() { &mut forward } else { &mut backward };
    if !method.reflects() {
        back.start(t, &q, &v)?;
    }
    for _ in 0..steps {
        back.step(-h)?;
    }
    let (old_q, old_v) = (back.state().q.clone(), back.velocity()?.to_vec());
    let pairs = old_q.iter().zip(&model.initial.q).chain(old_v.iter().zip(&model.initial.v));
    let size = q.iter().chain(&v).chain(&model.initial.q).fold(1.0, |most: f64, x| most.max(x.abs()));
    Ok(pairs.fold(0.0, |most: f64, (a, b)| most.max((a - b).abs())) / size)
}

/// A gear `b' + f(c) a' = 0` with unit masses. In `(a, b, c, a', c')` the flow keeps the measure with the
/// density `sqrt(1 + f(c)^2)`: (1 + f^2) a'' + f f' c' a' and c'' are functions of the configuration alone.
struct Gear {
    path: &'static str,
    step: f64,
    /// Places of `a`, `b` and `c` among the coordinates.
    places: [usize; 3],
    ratio: fn(f64) -> f64,
}

const GEARS: [Gear; 3] = [
    Gear { path: "examples/nonholonomic-particle", step: 0.1, places: [0, 2, 1], ratio: |y| -y },
    Gear { path: "examples/continuously-variable-transmission", step: 0.1, places: [2, 0, 1], ratio: |y| y },
    Gear { path: "examples/cvt-unbiased", step: 0.1, places: [0, 1, 2], ratio: f64::sin },
];

/// Steps along which volumes are followed.
const STEPS: usize = 10_000;
/// Distance of the points that a derivative is made of; with four of them its error is some 1e-12.
const DISTANCE: f64 = 2e-3;
const SIZE: usize = 5;

/// How much a step changes the invariant measure: at most, and over all steps together.
pub fn measures(is_json: bool) -> Result<(), Failure> {
    if !is_json {
        println!("\n| model | method | measure, one step | measure, at most in {STEPS} steps | at the end |");
        println!("|---|---|---|---|---|");
    }
    for gear in GEARS {
        for way in WAYS {
            // `gni` has no map of admissible states: its momenta around a reflection are not admissible.
            let Some(model) = way.model(gear.path)?.filter(|_| way.method != "gni") else { continue };
            let (name, title) = (name_of(gear.path), way.name());
            let mut stepper = stepper(&model, &way.method()?, way.formulation)?;
            let (one, most, end) = gear.follow(&mut stepper, &model)?;
            match is_json {
                true => println!(
                    "{}",
                    json!({ "model": name, "method": title, "measure_step": one, "measure_most": most, "measure_end": end })
                ),
                false => println!("| {name} | {title} | {one:.1e} | {most:.1e} | {end:.1e} |"),
            }
        }
    }
    Ok(())
}

impl Gear {
    /// The state in the coordinates of the reduced space.
    fn reduced(&self, q: &[f64], v: &[f64]) -> [f64; SIZE] {
        let [a, b, c] = self.places;
        [q[a], q[b], q[c], v[a], v[c]]
    }

    fn step(&self, stepper: &mut Stepper, x: &[f64; SIZE]) -> Result<[f64; SIZE], Failure> {
        let [a, b, c] = self.places;
        let (mut q, mut v) = ([0.0; 3], [0.0; 3]);
        (q[a], q[b], q[c], v[a], v[c]) = (x[0], x[1], x[2], x[3], x[4]);
        v[b] = -(self.ratio)(x[2]) * x[3];
        stepper.start(0.0, &q, &v)?;
        stepper.step(self.step)?;
        let q = stepper.state().q.clone();
        Ok(self.reduced(&q, stepper.velocity()?))
    }

    /// Logarithm of the density.
    fn density(&self, x: &[f64; SIZE]) -> f64 {
        0.5 * (self.ratio)(x[2]).powi(2).ln_1p()
    }

    /// Changes of the logarithm of the measure: the largest of one step, the largest sum, the last sum.
    fn follow(&self, stepper: &mut Stepper, model: &Model) -> Result<(f64, f64, f64), Failure> {
        let mut x = self.reduced(&model.initial.q, &model.initial.v);
        let (mut one, mut most, mut sum) = (0.0_f64, 0.0_f64, 0.0_f64);
        for _ in 0..STEPS {
            let next = self.step(stepper, &x)?;
            let volume = determinant(self.jacobian(stepper, &x)?).ln();
            let change = volume + self.density(&next) - self.density(&x);
            sum += change;
            (one, most) = (one.max(change.abs()), most.max(sum.abs()));
            x = next;
        }
        Ok((one, most, sum))
    }

    /// Column by column, by differences of fourth order.
    fn jacobian(&self, stepper: &mut Stepper, x: &[f64; SIZE]) -> Result<[[f64; SIZE]; SIZE], Failure> {
        let mut columns = [[0.0; SIZE]; SIZE];
        for (k, column) in columns.iter_mut().enumerate() {
            for (places, weight) in [(1.0, 8.0), (-1.0, -8.0), (2.0, -1.0), (-2.0, 1.0)] {
                let mut moved = *x;
                moved[k] += places * DISTANCE;
                let image = self.step(stepper, &moved)?;
                column.iter_mut().zip(image).for_each(|(sum, value)| *sum += weight * value / (12.0 * DISTANCE));
            }
        }
        Ok(columns)
    }
}

/// By elimination with row pivoting.
fn determinant(mut rows: [[f64; SIZE]; SIZE]) -> f64 {
    let mut product = 1.0;
    for k in 0..SIZE {
        let best = (k..SIZE).max_by(|&a, &b| rows[a][k].abs().total_cmp(&rows[b][k].abs())).unwrap_or(k);
        if best != k {
            rows.swap(best, k);
            product = -product;
        }
        let pivot = rows[k];
        product *= pivot[k];
        for row in &mut rows[k + 1..] {
            let factor = row[k] / pivot[k];
            row.iter_mut().zip(pivot).for_each(|(value, entry)| *value -= factor * entry);
        }
    }
    product
}
