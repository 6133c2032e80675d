//! All tests of this crate against its public face, in one program: linking one is quicker than linking many.

mod coincidences;
mod common;
mod jump_tangent;
mod laws;
mod paths;
mod roots;
mod sets;
mod verify;
