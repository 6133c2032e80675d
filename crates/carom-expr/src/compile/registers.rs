//! Register files that are used again.
//!
//! A file has the fixed size that makes 16-bit addresses safe, half a megabyte: to clear one takes longer than most
//! programs. So every thread keeps the files of evaluators that are gone for those that come. What is left in a file does
//! not matter: constants are put in their places again, and every other register is written before it is read.

use super::interpret::{File, register_file};
use super::program::Program;
use std::cell::RefCell;

/// Most files that a thread keeps.
const KEPT: usize = 32;

thread_local! {
    static SPARE: RefCell<Vec<File<f64>>> = const { RefCell::new(Vec::new()) };
}

/// The registers of an evaluator, taken when they are needed; a copy takes its own.
pub(super) struct Registers(Option<File<f64>>);

impl Registers {
    /// None yet: machine code has no use for them.
    #[cfg(feature = "jit")]
    pub fn none() -> Self {
        Self(None)
    }

    /// Registers for a program.
    pub fn new(program: &Program) -> Self {
        Self(Some(take(program)))
    }

    /// The registers, with the constants of the program in place.
    #[inline]
    pub fn of(&mut self, program: &Program) -> &mut File<f64> {
        self.0.get_or_insert_with(|| take(program))
    }
}

impl Clone for Registers {
    fn clone(&self) -> Self {
        Self(None)
    }
}

impl Drop for Registers {
    fn drop(&mut self) {
        let Some(file) = self.0.take() else { return };
        // A thread that ends keeps nothing.
        let _ = SPARE.try_with(|spare| {
            if let Ok(mut spare) = spare.try_borrow_mut()
                && spare.len() < KEPT
            {
                spare.push(file);
            }
        });
    }
}

fn take(program: &Program) -> File<f64> {
    let spare = SPARE.try_with(|spare| spare.try_borrow_mut().ok()?.pop()).ok().flatten();
    let Some(mut file) = spare else { return register_file(program) };
    file[program.inputs..].iter_mut().zip(&program.constants).for_each(|(place, value)| *place = *value);
    file
}
