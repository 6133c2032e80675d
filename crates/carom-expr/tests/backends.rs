//! Both back ends, all lanes and the plain evaluation agree bit for bit on random graphs.

use crate::common;

use carom_expr::{Backend, Function, Graph, Group, Id, LANES};
use common::{Noise, random_graph};

const GRAPHS: u64 = 300;

fn compile(graph: &Graph, inputs: &[Id], outputs: &[Id], backend: Backend) -> Function {
    Function::compile(graph, &[Group::new("x", inputs)], &[Group::new("y", outputs)], backend).expect("compiles")
}

/// Equal bits, or both not-a-number (whose bits say nothing).
fn same(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn point(noise: &mut Noise, inputs: &[Id]) -> Vec<f64> {
    inputs.iter().map(|_| 3.0 * noise.next()).collect()
}

#[test]
fn interpreter_equals_plain_evaluation() {
    for seed in 0..GRAPHS {
        let (graph, inputs, outputs) = random_graph(seed, 60);
        let mut noise = Noise::new(seed + 1000);
        let x = point(&mut noise, &inputs);
        let pairs: Vec<(Id, f64)> = inputs.iter().copied().zip(x.iter().copied()).collect();
        let expected = graph.evaluate(&outputs, &pairs);
        let found = compile(&graph, &inputs, &outputs, Backend::Interpreter).evaluator().values(&x);
        for (i, (a, b)) in expected.iter().zip(&found).enumerate() {
            assert!(same(*a, *b), "graph {seed}, output {i}: {a:e} and {b:e}: {}", graph.display(outputs[i]));
        }
    }
}

#[test]
fn lanes_equal_single_points() {
    for seed in 0..GRAPHS {
        let (graph, inputs, outputs) = random_graph(seed, 60);
        let mut noise = Noise::new(seed + 2000);
        let points: Vec<Vec<f64>> = (0..LANES).map(|_| point(&mut noise, &inputs)).collect();
        let packed: Vec<[f64; LANES]> = (0..inputs.len()).map(|i| std::array::from_fn(|l| points[l][i])).collect();
        let mut evaluator = compile(&graph, &inputs, &outputs, Backend::Interpreter).evaluator();
        let mut found = vec![[0.0; LANES]; outputs.len()];
        evaluator.eval_lanes(&packed, &mut found);
        for (lane, x) in points.iter().enumerate() {
            let single = evaluator.values(x);
            assert!(single.iter().zip(&found).all(|(a, b)| same(*a, b[lane])), "graph {seed}, lane {lane}");
        }
    }
}

#[cfg(feature = "jit")]
#[test]
fn native_code_equals_the_interpreter() {
    // The larger graphs are cut into several chunks.
    for (seed, size) in (0..GRAPHS).map(|seed| (seed, 60)).chain((0..12).map(|seed| (seed, 3000))) {
        let (graph, inputs, outputs) = random_graph(seed, size);
        let mut interpreted = compile(&graph, &inputs, &outputs, Backend::Interpreter).evaluator();
        let mut native = compile(&graph, &inputs, &outputs, Backend::Native).evaluator();
        let mut noise = Noise::new(seed + 3000);
        for _ in 0..8 {
            let x = point(&mut noise, &inputs);
            let (a, b) = (interpreted.values(&x), native.values(&x));
            for (i, (a, b)) in a.iter().zip(&b).enumerate() {
                assert!(same(*a, *b), "graph {seed}, output {i}: {a:e} and {b:e}: {}", graph.display(outputs[i]));
            }
        }
    }
}

#[test]
fn functions_are_shared_between_threads() {
    let (graph, inputs, outputs) = random_graph(5, 200);
    let function = compile(&graph, &inputs, &outputs, Backend::fastest());
    let x = point(&mut Noise::new(1), &inputs);
    let expected = function.evaluator().values(&x);
    let all: Vec<Vec<f64>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4).map(|_| scope.spawn(|| function.evaluator().values(&x))).collect();
        workers.into_iter().map(|worker| worker.join().expect("no panic")).collect()
    });
    for values in all {
        assert!(values.iter().zip(&expected).all(|(a, b)| same(*a, *b)));
    }
}

#[test]
fn an_unbound_variable_is_named() {
    let mut graph = Graph::new();
    let (x, y) = (graph.variable("x"), graph.variable("speed"));
    let sum = graph.add(x, y);
    let error = Function::compile(&graph, &[Group::new("q", &[x])], &[Group::new("f", &[sum])], Backend::fastest());
    let message = error.expect_err("speed is not an input").to_string();
    assert!(message.contains("`speed`") && message.contains('q'), "{message}");
}
