//! Gradient and full Hessian of discrete Lagrangians: carom against dual numbers.
//!
//! The Lagrangians are written once and evaluated with plain numbers, with the
//! scalar types of `num-dual`, and with expressions of which the derivatives
//! are compiled. Prints a table, or one JSON object per kernel with `--json`.
#![allow(clippy::print_stdout)] // a benchmark reports on standard output

mod lagrangians;
mod scalar;

use carom_expr::{Backend, Evaluator, Function, Group, Id, LANES, Scope, ids};
use lagrangians::{Chain3d, Lagrangian, Planar6, midpoint};
use num_dual::{Dual2_64, HyperDual64};
use serde_json::{Value, json};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Windows whose fastest counts, and the least length of each: the machine may be busy, the minimum is not.
const WINDOWS: usize = 300;
const WINDOW: Duration = Duration::from_micros(500);
/// The step size, and the distance of `q1` from `q0` in every coordinate.
const STEP: f64 = 0.01;

fn main() {
    let as_json = std::env::args().any(|argument| argument == "--json");
    let targets = [
        json!({ "native_ns": 300.0, "interpreted_ns": 1000.0, "ratio": 40.0 }),
        json!({ "native_ns": 2500.0, "compile_native_s": 0.1 }),
    ];
    let rows = [measure::<Planar6, 6>("planar6"), measure::<Chain3d, 11>("chain3d")];
    for (mut row, targets) in rows.into_iter().zip(targets) {
        row["targets"] = targets;
        if as_json {
            println!("{row}");
        } else {
            print_table(&row);
        }
    }
}

/// The compiled kernel and what it cost.
struct Kernel {
    native: Function,
    interpreted: Function,
    operations: [usize; 3],
    nonzeros: usize,
    build: f64,
    compile_interpreted: f64,
    compile_native: f64,
    /// Places of the stored entries in the lower triangle, row by row.
    places: Vec<usize>,
}

/// Builds the graph of the gradient and the Hessian, and compiles it.
fn build<L: Lagrangian<N>, const N: usize>() -> Kernel {
    let (build, (graph, inputs, step, outputs)) = timed(|| {
        let scope = Scope::default();
        let (ends, h) = (scope.variables("q", 2 * N), scope.variable("h"));
        let value = midpoint::<L, _, N>(&ends, h).id();
        let (inputs, step) = (ids(&ends), h.id());
        let mut graph = scope.into_graph();
        let (gradient, hessian) = graph.gradient_and_hessian(value, &inputs);
        (graph, inputs, step, (value, gradient, hessian))
    });
    let (value, gradient, hessian) = outputs;
    let entries = hessian.expressions();
    let all: Vec<Id> = gradient.iter().chain(&entries).copied().collect();
    let compile = |backend| {
        let groups = [Group::new("gradient", &gradient), Group::new("hessian", &entries)];
        Function::compile(&graph, &[Group::new("q", &inputs), Group::new("h", &[step])], &groups, backend)
            .unwrap_or_else(|error| unreachable!("{error}"))
    };
    let (compile_interpreted, interpreted) = timed(|| compile(Backend::Interpreter));
    let (compile_native, native) = timed(|| compile(Backend::Native));
    let operations = [&[value][..], &gradient, &all].map(|roots| graph.operation_count(roots));
    let places = hessian.pattern().iter().map(|(row, column)| row * (row + 1) / 2 + column).collect();
    Kernel {
        native,
        interpreted,
        operations,
        nonzeros: entries.len(),
        build,
        compile_interpreted,
        compile_native,
        places,
    }
}

fn measure<L: Lagrangian<N>, const N: usize>(name: &str) -> Value {
    let kernel = build::<L, N>();
    let point = point::<N>();
    let inputs: Vec<f64> = point.iter().copied().chain([STEP]).collect();
    let mut out = vec![0.0; kernel.native.output_len()];

    // Values first: everything must agree before anything is timed.
    let mut dual = vec![0.0; 2 * N + N * (2 * N + 1)];
    let expected = kernel.spread(&kernel.native.evaluator().values(&inputs), 2 * N);
    let mut errors = serde_json::Map::new();
    let mut check = |name: &str, found: &[f64]| {
        let error = relative_error(&expected, found, 2 * N);
        assert!(error < 1e-12, "{name} differs by {error:e}");
        errors.insert(name.to_owned(), json!(error));
    };
    check("interpreted", &kernel.spread(&kernel.interpreted.evaluator().values(&inputs), 2 * N));
    let lanes: Vec<[f64; LANES]> = inputs.iter().map(|&x| [x; LANES]).collect();
    let mut lanes_out = vec![[0.0; LANES]; out.len()];
    let mut evaluator = kernel.interpreted.evaluator();
    evaluator.eval_lanes(&lanes, &mut lanes_out);
    check("lanes", &kernel.spread(&lanes_out.iter().map(|lane| lane[LANES - 1]).collect::<Vec<_>>(), 2 * N));
    pairs::<L, N>(&point, STEP, &mut dual);
    check("hyper_dual", &dual);
    squares::<L, N>(&point, STEP, &mut dual);
    check("dual2", &dual);

    let mut run = |mut evaluator: Evaluator| nanoseconds(|| evaluator.eval(black_box(&inputs), black_box(&mut out)));
    let native = run(kernel.native.evaluator());
    let interpreted = run(kernel.interpreted.evaluator());
    let lanes_time = nanoseconds(|| evaluator.eval_lanes(black_box(&lanes), black_box(&mut lanes_out))) / LANES as f64;
    let plain = nanoseconds(|| {
        black_box(midpoint::<L, f64, N>(black_box(&point), black_box(STEP)));
    });
    let hyper_dual = nanoseconds(|| pairs::<L, N>(black_box(&point), black_box(STEP), black_box(&mut dual)));
    let dual2 = nanoseconds(|| squares::<L, N>(black_box(&point), black_box(STEP), black_box(&mut dual)));
    json!({
        "kernel": name,
        "variables": 2 * N,
        "operations": { "value": kernel.operations[0], "gradient": kernel.operations[1], "all": kernel.operations[2] },
        "instructions": kernel.native.operations(),
        "runs": kernel.interpreted.runs(),
        "nonzeros": kernel.nonzeros,
        "build_s": kernel.build,
        "compile_interpreted_s": kernel.compile_interpreted,
        "compile_native_s": kernel.compile_native,
        "plain_value_ns": plain,
        "native_ns": native,
        "interpreted_ns": interpreted,
        "lanes_ns": lanes_time,
        "hyper_dual_ns": hyper_dual,
        "dual2_ns": dual2,
        "ratio": hyper_dual.min(dual2) / native,
        "errors": errors,
    })
}

impl Kernel {
    /// Gradient and packed lower triangle, structural zeros written out.
    fn spread(&self, values: &[f64], variables: usize) -> Vec<f64> {
        let mut full = vec![0.0; variables + variables * (variables + 1) / 2];
        full[..variables].copy_from_slice(&values[..variables]);
        for (&place, &value) in self.places.iter().zip(&values[variables..]) {
            full[variables + place] = value;
        }
        full
    }
}

/// One evaluation with hyper-dual numbers per pair of directions.
fn pairs<L: Lagrangian<N>, const N: usize>(point: &[f64], h: f64, out: &mut [f64]) {
    let mut ends: Vec<HyperDual64> = point.iter().map(|&x| HyperDual64::from_re(x)).collect();
    let (gradient, hessian) = out.split_at_mut(2 * N);
    let mut place = 0;
    for i in 0..2 * N {
        ends[i].eps1 = 1.0;
        for j in 0..=i {
            ends[j].eps2 = 1.0;
            let value = midpoint::<L, _, N>(&ends, h);
            (gradient[i], hessian[place]) = (value.eps1, value.eps1eps2);
            ends[j].eps2 = 0.0;
            place += 1;
        }
        ends[i].eps1 = 0.0;
    }
}

/// Second derivatives along `e_i` and `e_i + e_j`, of which the mixed ones follow: fewer parts per number.
fn squares<L: Lagrangian<N>, const N: usize>(point: &[f64], h: f64, out: &mut [f64]) {
    let mut ends: Vec<Dual2_64> = point.iter().map(|&x| Dual2_64::from_re(x)).collect();
    let (gradient, hessian) = out.split_at_mut(2 * N);
    let diagonal = |i: usize| i * (i + 1) / 2 + i;
    for i in 0..2 * N {
        ends[i].v1 = 1.0;
        let value = midpoint::<L, _, N>(&ends, h);
        (gradient[i], hessian[diagonal(i)]) = (value.v1, value.v2);
        for j in 0..i {
            ends[j].v1 = 1.0;
            let both = midpoint::<L, _, N>(&ends, h).v2;
            hessian[i * (i + 1) / 2 + j] = 0.5 * (both - value.v2 - hessian[diagonal(j)]);
            ends[j].v1 = 0.0;
        }
        ends[i].v1 = 0.0;
    }
}

/// A configuration in general position, and one step away from it.
fn point<const N: usize>() -> Vec<f64> {
    let q0 = (0..N).map(|i| 0.3 + 0.37 * ((i * i) as f64).sin());
    let q1 = (0..N).map(|i| 0.3 + 0.37 * ((i * i) as f64).sin() + STEP * (0.5 + i as f64).cos());
    q0.chain(q1).collect()
}

/// Largest difference over the largest entry, gradient and Hessian apart.
fn relative_error(expected: &[f64], found: &[f64], variables: usize) -> f64 {
    let part = |a: &[f64], b: &[f64]| {
        let scale = a.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        a.iter().zip(b).fold(0.0_f64, |most, (x, y)| most.max((x - y).abs())) / scale
    };
    let ((g, s), (gradient, second)) = (expected.split_at(variables), found.split_at(variables));
    part(g, gradient).max(part(s, second))
}

/// Least nanoseconds per call over many short windows.
fn nanoseconds(mut work: impl FnMut()) -> f64 {
    let mut window = |calls: u32| {
        let clock = Instant::now();
        (0..calls).for_each(|_| work());
        clock.elapsed()
    };
    let mut calls = 1;
    while window(calls) < WINDOW {
        calls *= 2;
    }
    let least = (0..WINDOWS).map(|_| window(calls)).min().unwrap_or_default();
    1e9 * least.as_secs_f64() / f64::from(calls)
}

/// Seconds of the fastest of a few calls, and the last result.
fn timed<R>(mut work: impl FnMut() -> R) -> (f64, R) {
    let mut once = || {
        let clock = Instant::now();
        let result = work();
        (clock.elapsed().as_secs_f64(), result)
    };
    let first = once();
    (0..9).fold(first, |best, _| {
        let next = once();
        (best.0.min(next.0), next.1)
    })
}

fn print_table(row: &Value) {
    let number = |key: &str| row[key].as_f64().unwrap_or(f64::NAN);
    let (native, count) = (number("native_ns"), &row["operations"]);
    println!("{}: {} variables", row["kernel"].as_str().unwrap_or(""), row["variables"]);
    println!(
        "  operations: {} value, {} gradient, {} gradient + Hessian",
        count["value"], count["gradient"], count["all"]
    );
    println!("  {} instructions, {} runs, {} nonzeros", row["instructions"], row["runs"], row["nonzeros"]);
    println!(
        "  graph {:.3} ms, interpreter {:.3} ms, native {:.1} ms",
        1e3 * number("build_s"),
        1e3 * number("compile_interpreted_s"),
        1e3 * number("compile_native_s"),
    );
    let lines = [
        ("native", "native_ns"),
        ("interpreted", "interpreted_ns"),
        ("interpreted, 8 lanes, per point", "lanes_ns"),
        ("num-dual, hyper-dual pairs", "hyper_dual_ns"),
        ("num-dual, squares", "dual2_ns"),
        ("(value alone, plain Rust)", "plain_value_ns"),
    ];
    for (label, key) in lines {
        println!("  {label:34}{:12.1} ns{:10.2} x native", number(key), number(key) / native);
    }
    let largest = row["errors"].as_object().into_iter().flatten().filter_map(|(_, e)| e.as_f64()).fold(0.0, f64::max);
    println!("  largest relative difference {largest:.1e}; num-dual/native {:.1}", number("ratio"));
}
