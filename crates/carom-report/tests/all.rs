//! All tests of this crate against its public face, in one program: linking one is quicker than linking many.

mod animation;
mod backward;
mod common;
mod contact_plots;
mod contacts;
mod plot;
mod png;
mod quasivelocities;
mod results;
mod stream;
