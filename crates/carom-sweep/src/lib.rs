//! Sweeps and ensembles: one model, problem or study at many points.
//!
//! A [`Sweep`] says everything that decides the result, as a value that goes to and from JSON. Its points are divided into
//! parts; the bytes of a part depend on the sweep and on the number of the part, and on nothing else. So parts can be
//! computed by threads ([`run`]), by other processes or on other machines ([`Worker::part`]), in any order, and the
//! [`Dataset`] that collects them is the same bit for bit. What was interrupted is completed later.
//!
//! ```
//! use carom_sweep::{Axis, Kind, Points, Sweep};
//!
//! let text = r#"
//! lagrangian = "0.5*m*x'^2 - 0.5*x^2"
//! [parameters]
//! m = 1.0
//! [coordinates]
//! x = 0.5
//! "#;
//! let mut sweep = Sweep::new(Kind::Simulation, "oscillator.toml", text);
//! sweep.points = Points::Grid(vec![Axis::parse("m=1:2:3")?, Axis::parse("x=0:pi/2:4")?]);
//! let worker = sweep.prepare()?;
//! assert_eq!((worker.points(), worker.columns()[..3].join(" ")), (12, "point m x".to_owned()));
//! let part = worker.part(0, &|| false)?;
//! assert!(part.starts_with(b"PAR1"));
//! # Ok::<(), carom_sweep::SweepError>(())
//! ```
//!
//! | | |
//! |---|---|
//! | what is swept, and over what | [`Sweep`], [`Points`], [`Axis`] |
//! | the parts | [`Worker`], [`Dataset`], [`run`] |
//! | what came out | [`Summary`] |

mod axis;
#[cfg(feature = "optimal-control")]
mod beside;
mod cells;
mod dataset;
#[cfg(feature = "optimal-control")]
mod design;
mod error;
mod json;
mod measure;
mod number;
#[cfg(feature = "optimal-control")]
mod optimisation;
mod points;
mod run;
mod simulation;
mod source;
mod summary;
mod sweep;
mod table;
mod worker;

pub use axis::{Axis, Range, Value, Values};
pub use dataset::Dataset;
pub use error::SweepError;
pub use measure::NamedMeasure;
pub use points::Points;
pub use run::{Progress, Ran, run};
pub use summary::Summary;
pub use sweep::{Kind, Sweep};
pub use worker::Worker;
