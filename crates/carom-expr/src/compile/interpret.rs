//! The interpreter, on one point or on several lanes at once.

use super::program::{Program, REGISTERS, Run};
use super::tape::Code;
use crate::op::{self, Binary, Unary};

/// A register file of the fixed size that makes 16-bit addresses safe.
pub(crate) type File<L> = Box<[L; REGISTERS]>;

/// A register: one number, or one number per lane.
pub(crate) trait Lane: Copy {
    /// All lanes equal.
    fn splat(value: f64) -> Self;
    /// Lane by lane.
    fn map(self, f: impl Fn(f64) -> f64) -> Self;
    /// Lane by lane, two operands.
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self;
    /// Lane by lane, three operands.
    fn zip3(self, b: Self, c: Self, f: impl Fn(f64, f64, f64) -> f64) -> Self;
}

impl Lane for f64 {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        f(self)
    }
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        f(self, other)
    }
    #[inline(always)]
    fn zip3(self, b: Self, c: Self, f: impl Fn(f64, f64, f64) -> f64) -> Self {
        f(self, b, c)
    }
}

impl<const N: usize> Lane for [f64; N] {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        [value; N]
    }
    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        std::array::from_fn(|i| f(self[i]))
    }
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        std::array::from_fn(|i| f(self[i], other[i]))
    }
    #[inline(always)]
    fn zip3(self, b: Self, c: Self, f: impl Fn(f64, f64, f64) -> f64) -> Self {
        std::array::from_fn(|i| f(self[i], b[i], c[i]))
    }
}

/// A register file with the program's constants in place.
pub(crate) fn register_file<L: Lane + std::fmt::Debug>(program: &Program) -> File<L> {
    let mut file: File<L> = match vec![L::splat(0.0); REGISTERS].into_boxed_slice().try_into() {
        Ok(file) => file,
        Err(_) => unreachable!("the slice has the length of the array"),
    };
    for (place, &value) in file[program.inputs..].iter_mut().zip(&program.constants) {
        *place = L::splat(value);
    }
    file
}

/// Executes the program on a file that [`register_file`] made.
#[inline(always)]
pub(crate) fn execute<L: Lane>(program: &Program, inputs: &[L], outputs: &mut [L], file: &mut [L; REGISTERS]) {
    file[..inputs.len()].copy_from_slice(inputs);
    for run in &program.runs {
        execute_run(run, file);
    }
    for (output, &register) in outputs.iter_mut().zip(&program.outputs) {
        *output = file[register as usize];
    }
}

macro_rules! unary {
    ($run:ident, $file:ident, $f:expr) => {
        for s in &$run.steps {
            $file[s.dst as usize] = $file[s.a as usize].map($f);
        }
    };
}
macro_rules! binary {
    ($run:ident, $file:ident, $f:expr) => {
        for s in &$run.steps {
            $file[s.dst as usize] = $file[s.a as usize].zip($file[s.b as usize], $f);
        }
    };
}
macro_rules! ternary {
    ($run:ident, $file:ident, $f:expr) => {
        for s in &$run.steps {
            $file[s.dst as usize] = $file[s.a as usize].zip3($file[s.b as usize], $file[s.c as usize], $f);
        }
    };
}

#[inline(always)]
fn execute_run<L: Lane>(run: &Run, file: &mut [L; REGISTERS]) {
    match run.code {
        // The frequent operations get a loop of their own.
        Code::Binary(Binary::Add) => binary!(run, file, |a, b| a + b),
        Code::Binary(Binary::Sub) => binary!(run, file, |a, b| a - b),
        Code::Binary(Binary::Mul) => binary!(run, file, |a, b| a * b),
        Code::Binary(Binary::Div) => binary!(run, file, |a, b| a / b),
        Code::MulAdd => ternary!(run, file, |a, b, c| a * b + c),
        Code::MulSub => ternary!(run, file, |a, b, c| a * b - c),
        Code::SubMul => ternary!(run, file, |a, b, c| c - a * b),
        Code::Unary(Unary::Neg) => unary!(run, file, |x: f64| -x),
        Code::Select => ternary!(run, file, op::select),
        Code::SinCos => {
            for s in &run.steps {
                let x = file[s.a as usize];
                file[s.dst as usize] = x.map(f64::sin);
                file[s.b as usize] = x.map(f64::cos);
            }
        }
        Code::Unary(op) => unary!(run, file, |x| op.apply(x)),
        Code::Binary(op) => binary!(run, file, |a, b| op.apply(a, b)),
    }
}
