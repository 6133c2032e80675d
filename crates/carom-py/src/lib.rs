//! The extension module `carom._carom`: what the Python package rests on.
//!
//! Only what Python cannot do stands here: expressions, models, runs, compiled functions, the command line. Names,
//! defaults, tables and pictures are in `python/carom`. Long work releases the interpreter's lock.
//!
//! | module | gives Python |
//! |---|---|
//! | `errors` | every error, in one place |
//! | `expression` | `Expr`: operators on the expression graph |
//! | `system` | `System`: a model that was read, and its runs |
//! | `motion` | `Motion`: the arrays of a run, handed over without a copy |
//! | `function` | `Function`: compiled functions of the state, and their derivatives |
//! | `sweep` | `Sweep`: many runs, in parts |
//! | `watch` | progress and Ctrl-C |
//! | `commands` | the command line, and its tables |

mod commands;
mod errors;
mod expression;
mod function;
mod motion;
mod sweep;
mod system;
mod watch;

use pyo3::prelude::*;

/// Binding code of the package `carom`.
#[pymodule]
fn _carom(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<expression::Expr>()?;
    module.add_class::<system::System>()?;
    module.add_class::<motion::Motion>()?;
    module.add_class::<function::Function>()?;
    module.add_class::<sweep::Sweep>()?;
    module.add_function(wrap_pyfunction!(expression::variable, module)?)?;
    module.add_function(wrap_pyfunction!(expression::constant, module)?)?;
    module.add_function(wrap_pyfunction!(expression::apply, module)?)?;
    module.add_function(wrap_pyfunction!(expression::parse, module)?)?;
    module.add_function(wrap_pyfunction!(expression::texts, module)?)?;
    module.add_function(wrap_pyfunction!(commands::main, module)?)?;
    module.add_function(wrap_pyfunction!(commands::schema, module)?)?;
    module.add_function(wrap_pyfunction!(commands::methods, module)?)?;
    errors::register(module)
}
