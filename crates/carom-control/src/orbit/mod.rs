//! Periodic motions with impacts: their stability, their branches, their basins.
//!
//! An orbit is a fixed point of a step map `P`: the hybrid flow of a model up to an impact (or for a given time), then
//! perhaps a relabelling, as of legs that exchange their roles. Everything here rests on the exact derivative of `P`.
//!
//! | thought | where |
//! |---|---|
//! | what one step is | [`OrbitSetup`] |
//! | the step map and its derivative | [`StepMap`] |
//! | fixed points | [`find`], [`Orbit`] |
//! | Floquet multipliers | [`Multipliers`], [`Stability`] |
//! | branches in a parameter, folds, period doublings, Neimark-Sacker points | [`follow_branch`], [`Branch`] |
//! | which states reach the orbit | [`Basin`] |

mod admissible;
mod basin;
mod bifurcation;
mod branch;
mod error;
mod family;
mod multipliers;
mod newton;
mod relabel;
mod setup;
mod step;
mod walker;

pub use basin::{Basin, BasinAxis, BasinOptions, Fate};
pub use bifurcation::{Bifurcation, Kind};
pub use branch::{Branch, BranchOptions, BranchPoint, double_branch, follow_branch};
pub use error::OrbitError;
pub use family::{Family, matters};
pub use multipliers::{Multipliers, Stability};
pub use newton::{Iteration, Orbit, SearchOptions, find};
pub use setup::{OrbitChoice, OrbitSetup, StepEnd, state_index, state_names};
pub use step::{StepDerivative, StepImage, StepMap};
