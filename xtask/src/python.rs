//! The tests of the Python package: a virtual environment of their own, the package installed there, pytest.

use crate::root;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the tests need; the environment is made again if this list or the interpreter changes.
const NEEDS: [&str; 13] = [
    "maturin>=1.9,<2",
    "numpy",
    "pandas",
    "pyarrow",
    "xarray",
    "matplotlib",
    "tqdm",
    "dask",
    "distributed",
    "ipykernel",
    "nbclient",
    "pytest",
    "sympy",
];

/// Builds the package as its users do, and runs its tests.
pub fn test() -> Result<(), String> {
    let environment = root().join("target").join("python");
    let python = prepare(&environment)?;
    // The features of the workspace's tests: nothing is compiled twice.
    let wheels = environment.join("wheels");
    let _ = std::fs::remove_dir_all(&wheels);
    let maturin = python.with_file_name("maturin");
    let mut build = Command::new(maturin);
    build.args(["build", "--quiet", "--release", "--features", "ipopt", "--out"]).arg(&wheels);
    run(build.arg("--interpreter").arg(&python))?;
    let wheel = std::fs::read_dir(&wheels).map_err(|error| error.to_string())?.filter_map(Result::ok).next();
    let wheel = wheel.ok_or("maturin has built no wheel")?.path();
    let pip = ["-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"];
    run(Command::new(&python).args(pip).arg(wheel))?;
    run(Command::new(&python).args(["-m", "pytest", "python/tests"]))
}

/// A virtual environment with what the tests need; its interpreter.
fn prepare(environment: &Path) -> Result<PathBuf, String> {
    let python = environment.join("bin").join("python");
    let (stamp, needs) = (environment.join("needs"), NEEDS.join("\n"));
    let is_ready = std::fs::read_to_string(&stamp).ok().as_ref() == Some(&needs) && python.exists();
    if !is_ready {
        run(Command::new("python3").args(["-m", "venv", "--clear"]).arg(environment))?;
        run(Command::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"])
            .args(NEEDS))?;
        std::fs::write(stamp, needs).map_err(|error| error.to_string())?;
    }
    Ok(python)
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.current_dir(root()).status();
    let status = status.map_err(|error| format!("{:?} cannot be started: {error}", command.get_program()))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?} ended with {status}")) }
}
