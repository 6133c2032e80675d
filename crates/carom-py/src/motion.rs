//! `Motion`: the arrays of a run.
//!
//! The vectors of a trajectory become NumPy arrays without a copy: NumPy owns them from then on. What is no long
//! column (names, events, statistics) stays in a trajectory here, and is told as dictionaries.

use crate::errors;
use carom::model::{Ending, Impact};
use carom::{Run, Trajectory};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::PathBuf;

/// The columns, with the number of values per node (none: one, without a dimension of its own).
type Column<'t> = (&'static str, &'t mut Vec<f64>, Option<usize>);

/// A motion: arrays, and what happened on the way.
#[pyclass(frozen, module = "carom._carom")]
pub struct Motion {
    /// Everything but the columns.
    rest: Trajectory,
    columns: Py<PyDict>,
}

impl Motion {
    /// Takes a trajectory apart.
    pub fn new(py: Python<'_>, mut trajectory: Trajectory) -> PyResult<Self> {
        let columns = PyDict::new(py);
        let nodes = trajectory.t.len();
        for (name, values, width) in columns_of(&mut trajectory) {
            columns.set_item(name, array(py, std::mem::take(values), nodes, width)?)?;
        }
        let invariants = PyDict::new(py);
        for invariant in &mut trajectory.invariants {
            let values = std::mem::take(&mut invariant.values);
            invariants.set_item(&invariant.name, array(py, values, nodes, None)?)?;
        }
        columns.set_item("invariants", invariants)?;
        Ok(Self { rest: trajectory, columns: columns.unbind() })
    }

    /// The trajectory again; its columns are copied.
    pub fn trajectory(&self, py: Python<'_>) -> PyResult<Trajectory> {
        let mut trajectory = self.rest.clone();
        let columns = self.columns.bind(py);
        for (name, values, _) in columns_of(&mut trajectory) {
            *values = flat(&columns.as_any().get_item(name)?)?;
        }
        let invariants = columns.as_any().get_item("invariants")?;
        for invariant in &mut trajectory.invariants {
            invariant.values = flat(&invariants.get_item(&invariant.name)?)?;
        }
        Ok(trajectory)
    }
}

fn columns_of(trajectory: &mut Trajectory) -> [Column<'_>; 10] {
    let (n, contacts) = (trajectory.coordinates.len(), trajectory.contacts.len());
    let (constraints, fields) = (trajectory.constraints.len(), trajectory.quasivelocities.len());
    [
        ("t", &mut trajectory.t, None),
        ("q", &mut trajectory.q, Some(n)),
        ("v", &mut trajectory.v, Some(n)),
        ("p", &mut trajectory.p, Some(n)),
        ("w", &mut trajectory.w, Some(fields)),
        ("multipliers", &mut trajectory.multipliers, Some(constraints)),
        ("constraint_error", &mut trajectory.constraint_error, None),
        ("energy", &mut trajectory.energy, None),
        ("gaps", &mut trajectory.gaps, Some(contacts)),
        ("contact_forces", &mut trajectory.contact_forces, Some(contacts)),
    ]
}

/// Hands a vector over to NumPy; the array cannot be written to.
fn array<'py>(py: Python<'py>, values: Vec<f64>, nodes: usize, width: Option<usize>) -> PyResult<Bound<'py, PyAny>> {
    let flat = PyArray1::from_vec(py, values);
    let shaped = match width {
        Some(width) => flat.reshape([nodes, width])?.into_any(),
        None => flat.into_any(),
    };
    let options = PyDict::new(py);
    options.set_item("write", false)?;
    shaped.call_method("setflags", (), Some(&options))?;
    Ok(shaped)
}

/// The values of an array, row by row.
fn flat(array: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    array.call_method0("ravel")?.cast::<PyArray1<f64>>()?.readonly().to_vec().map_err(Into::into)
}

#[pymethods]
impl Motion {
    /// The arrays by name.
    #[getter]
    fn columns(&self, py: Python<'_>) -> Py<PyDict> {
        self.columns.clone_ref(py)
    }

    /// Names: coordinates, constraints, contacts, quasivelocities.
    #[getter]
    fn names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let names = PyDict::new(py);
        names.set_item("coordinates", &self.rest.coordinates)?;
        names.set_item("constraints", &self.rest.constraints)?;
        names.set_item("contacts", &self.rest.contacts)?;
        names.set_item("quasivelocities", &self.rest.quasivelocities)?;
        Ok(names)
    }

    /// Name of the method that computed it.
    #[getter]
    fn method(&self) -> &str {
        &self.rest.method
    }

    /// Why it ended early; none if it did not.
    #[getter]
    fn failure(&self) -> Option<&str> {
        match &self.rest.ending {
            Ending::Completed => None,
            Ending::Failed { message, .. } => Some(message),
        }
    }

    /// Work: steps, iterations, seconds.
    #[getter]
    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (all, statistics) = (PyDict::new(py), &self.rest.statistics);
        all.set_item("steps", statistics.steps)?;
        all.set_item("iterations", statistics.iterations)?;
        all.set_item("factorisations", statistics.factorisations)?;
        all.set_item("retries", statistics.retries)?;
        all.set_item("wall_seconds", statistics.wall_seconds)?;
        all.set_item("setup_seconds", statistics.setup_seconds)?;
        Ok(all)
    }

    /// Impacts, in order, as dictionaries.
    #[getter]
    fn impacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for impact in &self.rest.impacts {
            list.append(self.impact(py, impact)?)?;
        }
        Ok(list)
    }

    /// Changes of mode of the contacts, as dictionaries.
    #[getter]
    fn modes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for change in &self.rest.modes {
            let one = PyDict::new(py);
            one.set_item("t", change.t)?;
            one.set_item("contact", self.rest.contacts.get(change.contact))?;
            one.set_item("before", change.from.name())?;
            one.set_item("after", change.to.name())?;
            one.set_item("reason", change.reason)?;
            list.append(one)?;
        }
        Ok(list)
    }

    /// What should be looked at, as dictionaries.
    #[getter]
    fn findings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for finding in &self.rest.findings {
            let one = PyDict::new(py);
            one.set_item("t", finding.t)?;
            one.set_item("contact", self.rest.contacts.get(finding.contact))?;
            one.set_item("kind", finding.kind.name())?;
            one.set_item("value", finding.value)?;
            one.set_item("message", &finding.message)?;
            list.append(one)?;
        }
        Ok(list)
    }

    /// Writes tables and pictures as `carom simulate` does; the files.
    #[pyo3(signature = (system, folder, settings, csv, plots))]
    fn write(
        &self,
        py: Python<'_>,
        system: &crate::system::System,
        folder: PathBuf,
        settings: &str,
        csv: bool,
        plots: bool,
    ) -> PyResult<Vec<PathBuf>> {
        let trajectory = self.trajectory(py)?;
        let settings = serde_json::from_str(settings).unwrap_or_default();
        let model = system.model();
        let run = Run {
            system: &model.system,
            drawing: &model.drawing,
            quasivelocities: &model.quasivelocities,
            source: &model.source,
            trajectory: &trajectory,
            path: None,
            settings,
            caption: None,
        };
        let written = py.detach(|| {
            let mut files = carom::report::write(&run, &folder, carom::report::WriteOptions { csv })?;
            if plots {
                files.extend(carom::report::plot::draw_all(&run, &folder)?);
            }
            Ok(files)
        });
        written.map_err(|error| errors::report(&error))
    }
}

impl Motion {
    fn impact<'py>(&self, py: Python<'py>, impact: &Impact) -> PyResult<Bound<'py, PyDict>> {
        let name = |contact: usize| self.rest.contacts.get(contact).cloned().unwrap_or_default();
        let one = PyDict::new(py);
        one.set_item("t", impact.t)?;
        one.set_item("contacts", impact.impulses.iter().map(|i| name(i.contact)).collect::<Vec<_>>())?;
        one.set_item("law", &impact.law)?;
        one.set_item("q", PyArray1::from_slice(py, &impact.q))?;
        one.set_item("q_plus", PyArray1::from_slice(py, &impact.q_plus))?;
        one.set_item("v_minus", PyArray1::from_slice(py, &impact.v_minus))?;
        one.set_item("v_plus", PyArray1::from_slice(py, &impact.v_plus))?;
        one.set_item("p_minus", PyArray1::from_slice(py, &impact.p_minus))?;
        one.set_item("p_plus", PyArray1::from_slice(py, &impact.p_plus))?;
        one.set_item("impulses", impact.impulses.iter().map(|i| i.normal).collect::<Vec<_>>())?;
        one.set_item("tangential", impact.impulses.iter().map(|i| i.tangential.clone()).collect::<Vec<_>>())?;
        one.set_item("energy_minus", impact.energy_minus)?;
        one.set_item("energy_change", impact.energy_change)?;
        one.set_item("iterations", impact.iterations)?;
        Ok(one)
    }
}
