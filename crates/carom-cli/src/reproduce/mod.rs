//! The examples of documents, run and compared with what is printed there.
//!
//! | step | module |
//! |---|---|
//! | what is run, measured and expected: `expected.toml` of a document | [`declaration`], `reader` |
//! | runs, as commands of their own | `runner` |
//! | numbers of a run | `measure`, `formula` |
//! | ours against the print and against the reference | `verdict` |
//! | a whole case, kept when it has ended | [`case`], `kept` |
//! | tables, JSON, `REPORT.md` | `summary`, `report` |
//!
//! Every number comes from a command that can be typed: nothing here integrates or optimises.

mod case;
pub mod declaration;
mod formula;
mod kept;
mod measure;
mod reader;
mod report;
mod runner;
mod summary;
mod verdict;

pub use case::{Options, reproduce};
pub use reader::read_all;
pub use report::write as write_report;
pub use summary::{counts, json, list, table};
pub use verdict::Result as CaseResult;
