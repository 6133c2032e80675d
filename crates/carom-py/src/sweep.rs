//! `Sweep`: many runs, in parts that any process can compute.

use crate::errors::{self, sweep as refused};
use carom::sweep::{Dataset, Summary, SweepError, Worker, run};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// How often the interpreter is asked while threads work.
const PAUSE: Duration = Duration::from_millis(50);

/// A sweep, ready to compute its parts.
#[pyclass(frozen, module = "carom._carom")]
pub struct Sweep {
    worker: Worker,
}

impl Sweep {
    fn dataset(&self, folder: &Path, fresh: bool) -> PyResult<Dataset> {
        let open = if fresh { Dataset::fresh } else { Dataset::open };
        open(folder, self.worker.sweep()).map_err(refused)
    }
}

#[pymethods]
impl Sweep {
    /// A sweep from its JSON; its names and measures are checked.
    #[new]
    fn new(py: Python<'_>, json: &str) -> PyResult<Self> {
        let sweep = carom::sweep::Sweep::from_json(json).map_err(refused)?;
        let worker = py.detach(|| sweep.prepare()).map_err(refused)?;
        Ok(Self { worker })
    }

    /// The JSON of a sweep of one point over a model, a problem or a study file, with all that the file names.
    #[staticmethod]
    fn of_file(path: PathBuf, set: Vec<(String, String)>) -> PyResult<String> {
        carom::sweep::Sweep::from_path(&path, &set).map(|sweep| sweep.to_json()).map_err(refused)
    }

    /// The same JSON with a choice of rows per part, which depends on the kind of sweep only.
    #[staticmethod]
    fn with_part_rows(json: &str) -> PyResult<String> {
        let mut sweep = carom::sweep::Sweep::from_json(json).map_err(refused)?;
        sweep.choose_part_rows();
        Ok(sweep.to_json())
    }

    /// Number of points.
    #[getter]
    fn points(&self) -> usize {
        self.worker.points()
    }

    /// Number of parts.
    #[getter]
    fn parts(&self) -> usize {
        self.worker.parts()
    }

    /// Names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.worker.columns()
    }

    /// Points of a part, as `(first, end)`.
    fn range(&self, part: usize) -> (usize, usize) {
        let range = self.worker.sweep().part(part);
        (range.start, range.end)
    }

    /// Computes a part: the bytes of a Parquet file.
    fn part<'py>(&self, py: Python<'py>, part: usize) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| self.worker.part(part, &|| false)).map_err(refused)?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Parts that a folder does not have yet; the folder is made if need be.
    fn missing(&self, folder: PathBuf, fresh: bool) -> PyResult<Vec<usize>> {
        Ok(self.dataset(&folder, fresh)?.missing())
    }

    /// Keeps a part.
    fn store(&self, py: Python<'_>, folder: PathBuf, part: usize, bytes: &[u8]) -> PyResult<()> {
        let dataset = self.dataset(&folder, false)?;
        py.detach(|| dataset.store(part, bytes)).map_err(refused)
    }

    /// Where the table is.
    fn table(&self, folder: PathBuf) -> PyResult<PathBuf> {
        Ok(self.dataset(&folder, false)?.table())
    }

    /// Computes what is missing on the cores of this machine; `report` hears the number of points that are done.
    /// The number of parts that are still missing, and what a signal has raised.
    fn run(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        fresh: bool,
        threads: Option<usize>,
        report: Option<Py<PyAny>>,
    ) -> PyResult<(usize, Option<PyErr>)> {
        let dataset = self.dataset(&folder, fresh)?;
        let (stop, done) = (AtomicBool::new(false), AtomicUsize::new(0));
        let (ran, raised) = py.detach(|| {
            std::thread::scope(|scope| {
                let work = scope.spawn(|| {
                    let observe = |progress: carom::sweep::Progress| {
                        done.store(progress.known + progress.done, Ordering::Relaxed);
                    };
                    run(&self.worker, &dataset, threads, &|| stop.load(Ordering::Relaxed), &observe)
                });
                let mut raised = None;
                while !work.is_finished() {
                    std::thread::sleep(PAUSE);
                    if raised.is_none() {
                        raised = ask(report.as_ref(), done.load(Ordering::Relaxed)).err();
                        stop.store(raised.is_some(), Ordering::Relaxed);
                    }
                }
                (work.join(), raised)
            })
        });
        let ran = ran.map_err(|_| errors::failure("a thread of the sweep has ended unexpectedly"))?;
        match ran {
            Ok(ran) => Ok((ran.missing, raised)),
            Err(SweepError::Stopped) => Ok((dataset.missing().len(), raised)),
            Err(error) => Err(refused(error)),
        }
    }

    /// Points, those that failed, and the commonest reason.
    fn summary<'py>(&self, py: Python<'py>, folder: PathBuf) -> PyResult<Bound<'py, PyDict>> {
        let dataset = self.dataset(&folder, false)?;
        let summary = py.detach(|| Summary::of(&dataset)).map_err(refused)?;
        let all = PyDict::new(py);
        all.set_item("points", summary.points)?;
        all.set_item("failed", summary.failed)?;
        all.set_item("commonest", summary.commonest)?;
        Ok(all)
    }
}

/// Looks at signals, and reports.
fn ask(report: Option<&Py<PyAny>>, done: usize) -> PyResult<()> {
    Python::attach(|py| {
        py.check_signals()?;
        report.map_or(Ok(()), |report| report.call1(py, (done,)).map(|_| ()))
    })
}
