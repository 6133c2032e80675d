//! Models and folders for the tests of sweeps.
#![allow(dead_code)] // every test takes what it needs

use carom_sweep::{Axis, Dataset, Kind, Points, Sweep, Worker, run};
use std::path::{Path, PathBuf};

/// A ball that bounces on the floor.
pub const BALL: &str = r#"
[parameters]
m = 1.0
g = 9.81
e = 0.8
[coordinates]
x = { initial = 0.0, velocity = 1.0 }
y = 1.0
[energy]
kinetic = "0.5*m*(x'^2 + y'^2)"
potential = "m*g*y"
[contacts.floor]
gap = "y"
law = "newton"
restitution = "e"
[simulation]
step = 0.01
until = 1.0
"#;

/// A sweep over axes as they are written on the command line.
pub fn sweep(text: &str, over: &[&str]) -> Sweep {
    let mut sweep = Sweep::new(Kind::Simulation, "ball.toml", text);
    sweep.points = Points::Grid(over.iter().map(|axis| Axis::parse(axis).unwrap()).collect());
    sweep.part_rows = 5;
    sweep
}

/// A folder that is removed in the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("carom-sweep-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Computes a whole sweep.
pub fn complete(worker: &Worker, folder: &Path, threads: usize) -> Dataset {
    let dataset = Dataset::open(folder, worker.sweep()).unwrap();
    let ran = run(worker, &dataset, Some(threads), &|| false, &|_| {}).unwrap();
    assert_eq!(ran.missing, 0);
    dataset
}

/// Names and bytes of all files below a folder, in order.
pub fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match path.is_dir() {
            true => found.extend(contents(&path).into_iter().map(|(own, bytes)| (format!("{name}/{own}"), bytes))),
            false => found.push((name, std::fs::read(&path).unwrap())),
        }
    }
    found.sort();
    found
}

/// A column of numbers over all parts.
pub fn numbers(dataset: &Dataset, name: &str) -> Vec<Option<f64>> {
    let parts = 0..dataset.sweep().parts();
    parts.flat_map(|part| dataset.read(part).unwrap().maybe_numbers(name).unwrap()).collect()
}

/// A column of texts over all parts.
pub fn texts(dataset: &Dataset, name: &str) -> Vec<Option<String>> {
    let parts = 0..dataset.sweep().parts();
    parts.flat_map(|part| dataset.read(part).unwrap().maybe_texts(name).unwrap()).collect()
}
