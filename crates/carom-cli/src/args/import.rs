//! What may be written after `carom import`.

use carom::model::urdf::Base;
use clap::Args;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

pub(super) const IMPORT: &str = "\
Examples:
  carom import examples/two-arms.urdf
  carom import robot.urdf --base floating --out models/robot.toml
  carom import robot.urdf --json --force

Links become [bodies], joints their coordinates, motors inputs, primitives of `visual` drawings. What is left out is listed:
meshes, collision geometry, limits, friction of joints, transmissions. No file that the robot names is opened. Loops, contacts, the
ground, springs and the initial state are added to the model file by hand; its first lines show how.

Exit codes: 0 done, 1 usage or files, 2 not a robot.";

/// Arguments of `carom import`.
#[derive(Debug, Args)]
pub struct Import {
    /// The URDF file
    pub robot: PathBuf,
    /// How the root of the robot hangs on the world
    #[arg(long, value_name = "BASE", default_value = "fixed", value_parser = PossibleValuesParser::new(Base::ALL.map(Base::name)))]
    pub base: String,
    /// The model file [default: <name of the URDF file>.toml, in the current folder]
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite the model file
    #[arg(long)]
    pub force: bool,
    /// Leave out the primitives of `visual`: every body is drawn as a rod
    #[arg(long)]
    pub no_drawings: bool,
    /// Print one JSON object, also for a file that is not a robot
    #[arg(long)]
    pub json: bool,
}
