//! All tests of this crate against its public face, in one program: linking one is quicker than linking many.

mod common;
mod constraints;
mod derivative;
mod derivative_exact;
mod long;
mod order;
mod outcomes;
mod quadrature;
mod second_derivatives;
mod structure;
