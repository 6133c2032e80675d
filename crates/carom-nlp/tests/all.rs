//! All tests of this crate against its public face, in one program: linking one is quicker than linking many.

mod backends;
mod chain;
mod degenerate;
mod dump;
mod formulas;
mod general;
mod hock_schittkowski;
mod interior;
mod judge;
mod large;
mod mutations;
mod random;
#[path = "hock_schittkowski/reader.rs"]
mod reader;
