//! What may be written on the command line.

mod derive;
#[cfg(feature = "optimal-control")]
mod design;
#[cfg(feature = "optimal-control")]
mod feedback;
mod import;
#[cfg(feature = "optimal-control")]
mod optimise;
#[cfg(feature = "optimal-control")]
mod orbit;
mod project;
mod reproduce;
mod settings;
#[cfg(feature = "optimal-control")]
mod solve;
mod sweep;

pub use derive::Derive;
#[cfg(feature = "optimal-control")]
pub use design::DesignStudy;
#[cfg(feature = "optimal-control")]
pub use feedback::Feedback;
pub use import::Import;
#[cfg(feature = "optimal-control")]
pub use optimise::Optimise;
#[cfg(feature = "optimal-control")]
pub use orbit::Orbit;
pub use project::{Design, Project};
pub use reproduce::Reproduce;
pub use settings::Settings;
#[cfg(feature = "optimal-control")]
pub use solve::Solve;
pub use sweep::Sweep;

use clap::{Arg, Args, Parser, Subcommand};
use derive::DERIVE;
#[cfg(feature = "optimal-control")]
use design::STUDY;
#[cfg(feature = "optimal-control")]
use feedback::FEEDBACK;
use import::IMPORT;
#[cfg(feature = "optimal-control")]
use optimise::OPTIMISE;
#[cfg(feature = "optimal-control")]
use orbit::ORBIT;
use project::{DESIGN, PROJECT};
use reproduce::REPRODUCE;
#[cfg(feature = "optimal-control")]
use solve::SOLVE;
use std::path::PathBuf;
use sweep::SWEEP;

const EXIT_CODES: &str = "\
Exit codes:
  0  done
  1  wrong usage, or a file that cannot be read or written
  2  a mistake in the model or in its settings
  3  the run failed, or a search did not converge; what was computed until then is kept
  4  an optimum did not pass its audit (it is kept), or a projection its verification";

const EXAMPLES: &str = "\
Examples:
  carom simulate examples/double-pendulum.toml
  carom sweep examples/kepler.toml --over e=0:0.9:10
  carom check examples/double-pendulum.toml
  carom optimise examples/optimal/swing-up.toml
  carom orbit examples/compass-gait.toml
  carom design papers/001/knee-design.toml
  carom reproduce --all --quick
  carom methods";

/// Variational mechanics: simulate and control systems that are described by their Lagrangian.
#[derive(Debug, Parser)]
#[command(name = "carom", version, after_help = format!("{EXAMPLES}\n\n{EXIT_CODES}"))]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Simulate a model, write its motion and its pictures
    #[command(after_help = SIMULATE, mut_args(for_projected))]
    Simulate(Box<Simulate>),
    /// Run a model, a problem or a study at many points, and write a table of what came out
    #[command(after_help = SWEEP)]
    Sweep(Box<Sweep>),
    /// Solve an optimal control problem, audit it, write its motion and its pictures
    #[cfg(feature = "optimal-control")]
    #[command(visible_alias = "optimize", after_help = OPTIMISE)]
    Optimise(Box<Optimise>),
    /// Stabilise an optimal motion by feedback: gains, multipliers, recovery from pushes
    #[cfg(feature = "optimal-control")]
    #[command(after_help = FEEDBACK)]
    Feedback(Feedback),
    /// Find a periodic motion with impacts, its multipliers, its branch in a parameter, its basin
    #[cfg(feature = "optimal-control")]
    #[command(after_help = ORBIT)]
    Orbit(Box<Orbit>),
    /// Search the design that makes an optimal motion, a simulation or any command cheapest
    #[cfg(feature = "optimal-control")]
    #[command(after_help = STUDY)]
    Design(Box<DesignStudy>),
    /// Solve a nonlinear program that `carom optimise --dump` has written
    #[cfg(feature = "optimal-control")]
    #[command(after_help = SOLVE)]
    Solve(Solve),
    /// Differentiate the end of a run by its start and by parameters, through impacts
    #[command(after_help = DERIVE)]
    Derive(Derive),
    /// Tell what carom understands of a model or a problem, without simulating or solving it
    #[command(after_help = CHECK)]
    Check(Check),
    /// Derive the projection onto the feasible set, prove and sample what is claimed of it, draw it
    #[command(after_help = PROJECT)]
    Project(Project),
    /// Turn a robot from a URDF file into a model file
    #[command(after_help = IMPORT)]
    Import(Import),
    /// Draw the pictures of a result folder again
    #[command(after_help = PLOT)]
    Plot(Plot),
    /// Run the examples of the source documents, and compare with what is printed there
    #[command(after_help = REPRODUCE)]
    Reproduce(Reproduce),
    /// List the methods of integration and what they promise
    #[command(after_help = METHODS)]
    Methods(Methods),
}

/// What describes a projection is of no use without one.
fn for_projected(arg: Arg) -> Arg {
    if DESIGN.contains(&arg.get_id().as_str()) { arg.requires("projected") } else { arg }
}

const SIMULATE: &str = "\
Examples:
  carom simulate examples/double-pendulum.toml
  carom simulate examples/kepler.toml --method gauss3 --step 0.1 --until '200*pi' --every 10
  carom simulate examples/kepler.toml --method 'suzuki(midpoint)' --set e=0.8
  carom simulate examples/kepler.toml --method taylor --json --no-plots
  carom simulate examples/bouncing-ball.toml --jump variational --max-impacts 1000
  carom simulate examples/chaotic-bouncer.toml --stream --until 1e6 --every 1000
  carom simulate examples/double-pendulum.toml --backward --until 5
  carom simulate papers/000/sinusoid.toml --projected --method taylor

Numbers may be expressions of the model's parameters. What is not given here is taken from the
section [simulation] of the model, else: method midpoint, step 0.01, until 10.

--backward computes what leads to the initial state, by the (-) scheme of discrete mechanics: steps of
the adjoint method in the reversed system. From the end of a run it comes back to its start, to rounding,
if `until` is a whole number of fixed steps, nothing depends on time, and impacts are elastic and taken by
--jump variational or pointwise; `modified` jumps, and `gni` under velocity constraints, to their order only.
Nodes are in the order of computation, with decreasing times; impacts are described as they happen in
forward time, `v_minus` being the earlier velocity.

--projected follows a smooth path z(t) through the impacts: `carom project` says which systems have one. Results are those of the
motion q = P(z), and the path as a table of its own. There are no jumps, so --jump, --multiple and --max-impacts say nothing.

Exit codes: 0 done, 1 usage or files, 2 wrong model or settings, 3 the run failed (results are kept).";

/// Arguments of `carom simulate`.
#[derive(Debug, Args)]
pub struct Simulate {
    /// The model file
    pub model: PathBuf,
    #[command(flatten)]
    pub settings: Settings,
    /// Replace a parameter, an initial value (`x`), an initial rate (`x'`) or a setting
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// Run back in time from the initial state, from t = 0 to minus the final time; undoes a forward run
    #[arg(long, conflicts_with = "stream")]
    pub backward: bool,
    /// Follow a smooth path whose projection onto the feasible set is the motion, instead of impacts
    #[arg(long, conflicts_with_all = ["stream", "backward", "jump", "multiple", "max_impacts"])]
    pub projected: bool,
    #[command(flatten)]
    pub design: Design,
    /// Folder of the results [default: runs/<name of the model file>]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Also write the nodes as text
    #[arg(long)]
    pub csv: bool,
    /// Draw no pictures
    #[arg(long)]
    pub no_plots: bool,
    /// Write results while the run goes on, in little memory; no pictures (`carom plot` draws them later)
    #[arg(long, conflicts_with = "csv")]
    pub stream: bool,
    /// Print one JSON object instead of the summary
    #[arg(long)]
    pub json: bool,
    /// Print neither summary nor progress
    #[arg(long)]
    pub quiet: bool,
    /// Interpret functions instead of compiling them to machine code
    #[arg(long)]
    pub interpret: bool,
}

const CHECK: &str = "\
Examples:
  carom check examples/double-pendulum.toml
  carom check examples/kepler.toml --set e=0.9 --json
  carom check examples/optimal/swing-up.toml

Exit codes: 0 usable (perhaps with warnings), 1 usage or files, 2 mistakes in the model or problem.";

/// Arguments of `carom check`.
#[derive(Debug, Args)]
pub struct Check {
    /// The model file, or the problem file: what has `[phases]` or `[gait]` is a problem
    pub model: PathBuf,
    /// Replace a parameter, an initial value (`x`), an initial rate (`x'`) or a setting
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    pub set: Vec<(String, String)>,
    /// Start with the nearest velocity that the velocity constraints admit, if the given one violates them
    #[arg(long)]
    pub project: bool,
    /// Print one JSON object, also for a model with mistakes
    #[arg(long)]
    pub json: bool,
}

const PLOT: &str = "\
Examples:
  carom plot runs/double-pendulum
  carom plot runs/double-pendulum --out pictures

Exit codes: 0 done, 1 usage or files.";

/// Arguments of `carom plot`.
#[derive(Debug, Args)]
pub struct Plot {
    /// A folder that `carom simulate` or `carom optimise` has written
    pub folder: PathBuf,
    /// Folder of the pictures [default: the same folder]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Draw the costates of an optimum too
    #[cfg(feature = "optimal-control")]
    #[arg(long)]
    pub costates: bool,
}

const METHODS: &str = "\
Examples:
  carom methods
  carom methods --json";

/// Arguments of `carom methods`.
#[derive(Debug, Args)]
pub struct Methods {
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Reads `name=value`.
pub(crate) fn assignment(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim().to_owned(), value.to_owned())),
        _ => Err("write NAME=VALUE, such as `m=2`".to_owned()),
    }
}

/// Reads a whole number that is not below `least`.
pub(crate) fn whole<T: TryFrom<u64>>(least: u64) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text: &str| {
        let number = text.trim().parse::<u64>().ok().filter(|number| *number >= least);
        number.and_then(|number| T::try_from(number).ok()).ok_or_else(|| format!("write a whole number from {least}"))
    }
}

impl Simulate {
    /// Options of the command line are settings of the model, given from outside.
    pub fn overrides(&self) -> Vec<(String, String)> {
        self.settings.overrides(&self.set)
    }

    /// What decides where the run starts: enough to read the model again.
    pub fn state(&self) -> Vec<(String, String)> {
        self.settings.state(&self.set)
    }
}

impl Check {
    /// What the command line says about the model.
    pub fn overrides(&self) -> Vec<(String, String)> {
        with_projection(&self.set, self.project)
    }
}

fn with_projection(set: &[(String, String)], project: bool) -> Vec<(String, String)> {
    let project = project.then(|| (format!("{SETTING}project"), "true".to_owned()));
    set.iter().cloned().chain(project).collect()
}

/// Stands before the names of settings.
pub const SETTING: &str = "simulation.";
