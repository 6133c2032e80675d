//! Planning with impacts that nobody has counted (002, sections III and IV).
//!
//! A fully actuated system and one gap. In normal-form coordinates a smooth path `z(t)` that crosses `z_0 = 0` is a motion
//! with an impact there, so that descent over smooth splines adds and removes impacts as it likes. That is the method
//! of the document; splines pay for every impact with a spike of force, which is why more follows here:
//!
//! ```text
//! 1. descent      BFGS over constant-jerk splines from the constant path, final condition relaxed to K_F |e_F|^2
//! 2. free knots   z'' may jump at crossings; K_F is raised
//! 3. search       impacts put in and taken out of motions whose impact times are unknowns of a nonlinear program
//! 4. polish       the best motion with each number of impacts on a finer mesh, with its conditions of optimality
//! ```
//!
//! ```
//! use carom_control::ProblemFile;
//! use carom_control::planner::{PlanOptions, PlanStart, SearchOptions, plan};
//!
//! let text = r#"
//! [model]
//! lagrangian = "0.5*(x'^2 + y'^2) - 10*y"
//! coordinates = { x = 0, y = 2 }
//! inputs = { fx = 0, fy = 0 }
//! forces = { x = "fx", y = "fy" }
//! [model.contacts.floor]
//! gap = "y"
//! law = "elastic"
//! [phases.move]
//! duration = 1.6
//! intervals = 8
//! start = { x = 0, y = 2, "x'" = 0, "y'" = 0 }
//! end = { x = 2, y = 2, "x'" = 0, "y'" = 0 }
//! [costs]
//! effort = { integral = "fx^2 + fy^2" }
//! "#;
//! let file = ProblemFile::from_text(text, "bounce.toml", &[], &|_| unreachable!())?;
//! let search = SearchOptions { impacts: 1, beam: 2, times: 8, ..SearchOptions::default() };
//! let options = PlanOptions { search: Some(search), ..PlanOptions::default() };
//! let found = plan(&file.problem, &PlanStart::default(), &options, &mut |_| true)?;
//!
//! // Falling and bouncing is cheaper than being held up, and the motion is an optimum.
//! let best = found.best().expect("a motion");
//! assert_eq!(best.times.len(), 1);
//! assert!(best.cost < 30.0 && best.certificate.worst() < 1e-8);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | thought | file |
//! |---|---|
//! | what is to be planned; inputs of a path | `task`, `actuation` |
//! | cost of a path in normal-form coordinates | `projected` |
//! | where a cubic crosses zero | `crossing` |
//! | the path, and its pieces between stage ends and crossings | `spline` |
//! | cost of a path and its exact gradient | `objective` |
//! | in which numbers a path is varied | `variables` |
//! | descent to a path of least cost | `descent`, one step of it by argmin in `engine` |
//! | motions with a number of impacts, and moves between them | `flights`, `moves`, `touch`, `search` |
//! | conditions of optimality | `certificate`, `conditions`, `line` |
//! | all of it, one after the other | `splines`, `plan`, `polish` |

mod actuation;
mod certificate;
mod conditions;
mod crossing;
mod descent;
mod engine;
mod flights;
mod line;
mod moves;
mod objective;
mod options;
mod plan;
mod polish;
mod projected;
mod search;
mod snapshot;
mod spline;
mod splines;
mod task;
#[cfg(test)]
mod tests;
mod touch;
mod variables;

pub use certificate::{Certificate, Corner};
pub use descent::{DescentOptions, DescentStatus, Iteration};
pub use engine::{LineSearch, Method as DescentMethod};
pub use flights::Flight;
pub use objective::Costs;
pub use options::PlanOptions;
pub use plan::{Plan, PlanEvent, PlanStart, PlannedMotion, certify, plan, plannable};
pub use search::{SearchEvent, SearchOptions, SearchState};
pub use snapshot::Snapshot;
pub use variables::Variables as DescentVariables;
