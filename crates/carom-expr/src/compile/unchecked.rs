//! The only unsafe calls of the project: into code that was compiled for this
//! machine at run time, and into code compiled for its vector unit.
#![allow(unsafe_code)]

use super::function::LANES;
use super::interpret::execute;
use super::program::{Program, REGISTERS};

/// Executes eight lanes, with vector instructions where the machine has them.
pub(crate) fn execute_lanes(
    program: &Program,
    inputs: &[[f64; LANES]],
    outputs: &mut [[f64; LANES]],
    file: &mut [[f64; LANES]; REGISTERS],
) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the function needs AVX2 and nothing else; its presence was just established.
        return unsafe { execute_lanes_avx2(program, inputs, outputs, file) };
    }
    execute(program, inputs, outputs, file);
}

/// The same loop, compiled for AVX2 (no fused multiply-add: rounding stays the same).
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn execute_lanes_avx2(
    program: &Program,
    inputs: &[[f64; LANES]],
    outputs: &mut [[f64; LANES]],
    file: &mut [[f64; LANES]; REGISTERS],
) {
    execute(program, inputs, outputs, file);
}

#[cfg(feature = "jit")]
pub(crate) use native::Machine;

#[cfg(feature = "jit")]
mod native {
    use cranelift_jit::JITModule;
    use std::mem::ManuallyDrop;

    /// A compiled chunk: reads `inputs`, writes `outputs`, keeps values for later chunks in `scratch`.
    type Chunk = unsafe extern "C" fn(inputs: *const f64, outputs: *mut f64, scratch: *mut f64);

    /// Finished native code and the memory that holds it.
    pub(crate) struct Machine {
        module: ManuallyDrop<JITModule>,
        chunks: Vec<Chunk>,
        inputs: usize,
        outputs: usize,
        scratch: usize,
    }

    // SAFETY: after construction the code memory is only read and executed; the module is
    // touched again by `drop` alone, which has exclusive access.
    unsafe impl Send for Machine {}
    // SAFETY: as above; calls share nothing but the read-only code.
    unsafe impl Sync for Machine {}

    impl Machine {
        /// Takes over a finalised module. `entries` are the addresses of its chunks, in the
        /// order of execution, each with the signature of [`Chunk`]; none reads or writes
        /// beyond `inputs`, `outputs` and `scratch` numbers behind its three pointers.
        pub(crate) fn new(
            module: JITModule,
            entries: &[*const u8],
            inputs: usize,
            outputs: usize,
            scratch: usize,
        ) -> Self {
            // SAFETY: the code generator (`super::super::native`, the only caller) declared
            // every entry with exactly this signature and the platform's C convention.
            let chunk = |&entry: &*const u8| unsafe { std::mem::transmute::<*const u8, Chunk>(entry) };
            let chunks = entries.iter().map(chunk).collect();
            Self { module: ManuallyDrop::new(module), chunks, inputs, outputs, scratch }
        }

        /// Runs the code; panics if a buffer is shorter than the code expects.
        #[inline]
        pub(crate) fn run(&self, inputs: &[f64], outputs: &mut [f64], scratch: &mut [f64]) {
            assert!(inputs.len() >= self.inputs && outputs.len() >= self.outputs && scratch.len() >= self.scratch);
            for chunk in &self.chunks {
                // SAFETY: the buffers are as long as the code expects (asserted above), live for
                // the call and do not overlap (they are distinct borrows).
                unsafe { chunk(inputs.as_ptr(), outputs.as_mut_ptr(), scratch.as_mut_ptr()) };
            }
        }

        /// Numbers of scratch memory that [`Self::run`] needs.
        pub(crate) fn scratch(&self) -> usize {
            self.scratch
        }
    }

    impl Drop for Machine {
        fn drop(&mut self) {
            // SAFETY: nobody can call the chunks any more, and the module is taken once.
            unsafe { ManuallyDrop::take(&mut self.module).free_memory() }
        }
    }
}
