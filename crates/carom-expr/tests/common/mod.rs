//! Random graphs for property tests.
#![allow(dead_code)] // each test file uses a part

pub mod number;
pub mod words;

use carom_expr::{Binary, Graph, Id, Unary};

/// A reproducible stream of numbers.
pub struct Noise {
    state: u64,
}

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1) }
    }

    /// In (-1, 1).
    pub fn next(&mut self) -> f64 {
        self.bits() as f64 / (1_u64 << 52) as f64 - 1.0
    }

    /// In `0..limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        self.bits() as usize % limit
    }

    fn bits(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state >> 11
    }
}

const BINARY: [Binary; 11] = [
    Binary::Add,
    Binary::Sub,
    Binary::Mul,
    Binary::Div,
    Binary::Pow,
    Binary::Atan2,
    Binary::Min,
    Binary::Max,
    Binary::Less,
    Binary::LessEqual,
    Binary::Equal,
];

/// A graph of about `size` random operations, its variables and some of its nodes.
pub fn random_graph(seed: u64, size: usize) -> (Graph, Vec<Id>, Vec<Id>) {
    let mut noise = Noise::new(seed);
    let mut graph = Graph::new();
    let inputs = graph.variables("x", 5);
    let mut pool = inputs.clone();
    for _ in 0..size {
        let pick = |noise: &mut Noise| pool[noise.below(pool.len())];
        let new = match noise.below(10) {
            0 => {
                let value = 4.0 * noise.next();
                graph.constant(value)
            }
            1 | 2 => {
                let (op, x) = (Unary::NAMED[noise.below(Unary::NAMED.len())].1, pick(&mut noise));
                graph.unary(op, x)
            }
            3 => {
                let (c, a, b) = (pick(&mut noise), pick(&mut noise), pick(&mut noise));
                graph.select(c, a, b)
            }
            4 => {
                let (op, a, b) = (BINARY[noise.below(BINARY.len())], pick(&mut noise), pick(&mut noise));
                graph.binary(op, a, b)
            }
            _ => {
                let (op, a, b) = (BINARY[noise.below(3)], pick(&mut noise), pick(&mut noise));
                graph.binary(op, a, b)
            }
        };
        pool.push(new);
    }
    let outputs = pool.iter().rev().step_by(3).take(12).copied().chain([inputs[0]]).collect();
    (graph, inputs, outputs)
}
