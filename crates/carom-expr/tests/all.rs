//! All tests of this crate against its public face, in one program: linking one is quicker than linking many.

mod backends;
mod bounds;
mod common;
mod derivatives;
mod interval;
mod period;
mod series;
mod simplify;
mod supremum;
mod text;
mod text_limits;
mod written;
