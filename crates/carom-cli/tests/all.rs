//! All tests of this crate against its public face, in one program: linking one is quicker than linking many.

mod backward;
mod common;
mod contacts;
mod derive;
mod design;
mod discover;
mod errata;
mod feedback;
mod gaits;
mod import;
mod mistakes;
mod optimise;
mod orbit;
mod others;
mod plan;
mod problem_mistakes;
mod project;
mod reproduce;
mod simulate;
mod solve;
mod stream;
mod sweep;
