//! What is left of a run: results on disk, summaries and pictures.
//!
//! | what | function |
//! |---|---|
//! | a folder with the nodes and a manifest | [`write()`], [`read`] |
//! | the same, in pieces while the run goes on | [`Stream`] |
//! | the object of `--json` | [`summary`], [`summarize`] |
//! | tables of any rows, as Parquet files | [`table`] |
//! | quasivelocities of a state | [`quasivelocities`] |
//! | pictures | [`plot::draw_all`], [`plot::projection`] |
//! | optimal control, with the feature `optimal-control` | `optimum` |
//!
//! Nothing is printed, and the same run gives the same bytes.

mod error;
mod file;
mod frame;
#[cfg(feature = "optimal-control")]
pub mod optimum;
mod partial;
pub mod plot;
#[cfg(feature = "png")]
mod png;
mod reserve;
pub mod results;

pub use error::ReportError;
pub use frame::quasivelocities;
#[cfg(feature = "png")]
pub use png::png;
pub use results::table;
pub use results::{Stored, Stream, WriteOptions, read, summarize, summarize_path, summary, write};

use carom_impact::ProjectedPath;
use carom_model::{Parameter, Primitive, System, Trajectory};

/// A finished run with everything that is worth keeping.
#[derive(Clone, Debug)]
pub struct Run<'a> {
    /// The system that moved.
    pub system: &'a System,
    /// How it is drawn; may be empty.
    pub drawing: &'a [Primitive],
    /// Its quasivelocities, for their units; may be empty.
    pub quasivelocities: &'a [Parameter],
    /// The text of the model file.
    pub source: &'a str,
    /// The motion.
    pub trajectory: &'a Trajectory,
    /// The smooth path whose projection the motion is, if it is one.
    pub path: Option<&'a ProjectedPath>,
    /// The settings as they were given.
    pub settings: serde_json::Value,
    /// What stands above the pictures, if it is not the system, its method and its failure.
    pub caption: Option<Caption>,
}

/// What stands above a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// What is shown.
    pub title: String,
    /// What is wrong with it; empty if nothing is.
    pub warning: String,
}
