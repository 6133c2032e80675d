//! `System`: a model that was read, and its runs.

use crate::errors;
use crate::function::{Function, NAMES};
use crate::motion::Motion;
use crate::watch::Watch;
use carom::model::urdf::{Base, ImportOptions, import};
use carom::run::{Plan, Prepared, RunError, Start, backward, inspect};
use carom::{Backend, Model, Understanding, understand};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Runs that are ready to be started again; older ones are forgotten.
const MAX_READY: usize = 16;

/// Pairs of names and texts, as `--set` has them.
type Overrides = Vec<(String, String)>;

/// A model with what its runs need.
#[pyclass(frozen, module = "carom._carom")]
pub struct System {
    text: String,
    file: String,
    set: Overrides,
    model: Arc<Model>,
    ready: Mutex<HashMap<(Overrides, bool), Arc<Ready>>>,
}

/// A run that can be started at once.
struct Ready {
    model: Arc<Model>,
    plan: Plan,
    prepared: Mutex<Prepared<'static>>,
}

/// A run that ended, with what stopped it.
struct Ended {
    outcome: carom::run::Outcome,
    raised: Option<PyErr>,
}

impl System {
    /// The model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    fn read(py: Python<'_>, text: String, file: String, set: Overrides) -> PyResult<Self> {
        let model = py.detach(|| Model::from_text(&text, &file, &set)).map_err(|found| errors::model(&found))?;
        Ok(Self { text, file, set, model: Arc::new(model), ready: Mutex::default() })
    }

    /// The run with these settings, derived and compiled at the first call.
    fn ready(&self, py: Python<'_>, options: Overrides, interpret: bool) -> PyResult<Arc<Ready>> {
        // Errors are made after all locks are free: Python code runs then.
        py.detach(|| self.prepared(options, interpret)).map_err(errors::run)
    }

    fn prepared(&self, options: Overrides, interpret: bool) -> Result<Arc<Ready>, RunError> {
        let mut known = self.ready.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (options, interpret);
        if let Some(ready) = known.get(&key) {
            return Ok(ready.clone());
        }
        let model = if key.0.is_empty() { self.model.clone() } else { Arc::new(self.with(&key.0)?) };
        let backend = if interpret { Backend::Interpreter } else { Backend::fastest() };
        let plan = Plan::new(&model, backend)?;
        plan.check_size(&model)?;
        let prepared = Prepared::new(&plan.integrator, &model.system, &plan)?;
        let ready = Arc::new(Ready { model, plan, prepared: Mutex::new(prepared) });
        if known.len() >= MAX_READY {
            known.clear();
        }
        known.insert(key, ready.clone());
        Ok(ready)
    }

    fn with(&self, more: &[(String, String)]) -> Result<Model, RunError> {
        let set: Overrides = self.set.iter().chain(more).cloned().collect();
        Model::from_text(&self.text, &self.file, &set).map_err(RunError::Model)
    }
}

#[pymethods]
impl System {
    /// Reads the text of a model file.
    #[staticmethod]
    fn from_text(py: Python<'_>, text: String, file: String, set: Overrides) -> PyResult<Self> {
        Self::read(py, text, file, set)
    }

    /// Reads a model file; the text of a robot becomes that of a model first.
    #[staticmethod]
    fn from_urdf(path: &str, base: &str) -> PyResult<String> {
        let base = Base::ALL.into_iter().find(|known| known.name() == base).ok_or_else(|| {
            let known = Base::ALL.map(Base::name).join(", ");
            errors::settings(&format!("base `{base}` is not one of: {known}"))
        })?;
        let text = std::fs::read_to_string(path).map_err(|error| errors::settings(&format!("`{path}`: {error}")))?;
        let import = import(&text, &ImportOptions { base, ..ImportOptions::default() });
        import.map(|import| import.model).map_err(|error| errors::settings(&format!("`{path}`: {error}")))
    }

    /// The text, the name of the file and what was set: everything that another process needs.
    #[getter]
    fn parts(&self) -> (String, String, Overrides) {
        (self.text.clone(), self.file.clone(), self.set.clone())
    }

    #[getter]
    fn name(&self) -> &str {
        self.model.system.name()
    }

    #[getter]
    fn doc(&self) -> Option<&str> {
        self.model.system.doc()
    }

    #[getter]
    fn coordinates(&self) -> Vec<String> {
        self.model.system.coordinate_names()
    }

    /// Units of coordinates, parameters, inputs and quasivelocities, by name.
    #[getter]
    fn units(&self) -> HashMap<String, String> {
        let system = &self.model.system;
        let coordinates = system.coordinates().iter().map(|c| (&c.name, &c.unit));
        let parameters = system.parameters().iter().map(|p| (&p.name, &p.unit));
        let known = |(name, unit): (&String, &Option<String>)| Some((name.clone(), unit.clone()?));
        let inputs = system.inputs().iter().map(|input| (&input.name, &input.unit));
        let quasivelocities = self.model.quasivelocities.iter().map(|w| (&w.name, &w.unit));
        coordinates.chain(parameters).chain(inputs).chain(quasivelocities).filter_map(known).collect()
    }

    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for parameter in self.model.system.parameters() {
            all.set_item(&parameter.name, parameter.value)?;
        }
        Ok(all)
    }

    #[getter]
    fn contacts(&self) -> Vec<(String, String)> {
        self.model.system.contacts().iter().map(|c| (c.name.clone(), c.law.clone())).collect()
    }

    #[getter]
    fn inputs(&self) -> Vec<String> {
        self.model.system.inputs().iter().map(|input| input.name.clone()).collect()
    }

    /// The initial configuration and velocity.
    #[getter]
    fn initial(&self) -> (Vec<f64>, Vec<f64>) {
        (self.model.initial.q.clone(), self.model.initial.v.clone())
    }

    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        errors::diagnostics(py, &self.model.warnings)
    }

    /// What carom understands of the model.
    fn check<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let understood = py.detach(|| understand(&self.model));
        describe(py, &understood)
    }

    /// A compiled function of the state.
    fn function(&self, py: Python<'_>, name: &str) -> PyResult<Function> {
        py.detach(|| Function::new(&self.model, name)).map_err(|message| errors::settings(&message))
    }

    /// Names of functions.
    #[staticmethod]
    fn function_names() -> Vec<&'static str> {
        NAMES.to_vec()
    }

    /// The settings of a run, completed, as JSON.
    fn plan(&self, py: Python<'_>, options: Overrides, interpret: bool) -> PyResult<String> {
        let ready = self.ready(py, options, interpret)?;
        Ok(ready.plan.describe(&ready.model.system).to_string())
    }

    /// The shortest time of `count` runs as `simulate` has them, without Python: what its calls are measured against.
    fn best_seconds(&self, py: Python<'_>, options: Overrides, inspected: bool, count: usize) -> PyResult<f64> {
        let ready = self.ready(py, options, false)?;
        py.detach(|| ready.best_seconds(count, inspected)).map_err(errors::run)
    }

    /// Runs the model: the motion, and what stopped it early (a message, an exception) if something did.
    #[pyo3(signature = (options, q, v, interpret, backward, inspected, report))]
    #[allow(clippy::too_many_arguments)] // the settings of a run, one by one
    fn simulate(
        &self,
        py: Python<'_>,
        options: Overrides,
        q: Option<Vec<f64>>,
        v: Option<Vec<f64>>,
        interpret: bool,
        backward: bool,
        inspected: bool,
        report: Option<Py<PyAny>>,
    ) -> PyResult<(Motion, Option<String>, Option<PyErr>)> {
        let ready = self.ready(py, options, interpret)?;
        let q = q.unwrap_or_else(|| ready.model.initial.q.clone());
        let v = v.unwrap_or_else(|| ready.model.initial.v.clone());
        let mut watch = Watch::new(report);
        let ended = py.detach(|| {
            let outcome = match backward {
                true => ready.backward(&q, &v, &mut watch),
                false => ready.forward(&q, &v, inspected, &mut watch),
            };
            outcome.map(|outcome| Ended { outcome, raised: watch.raised.take() })
        });
        let Ended { outcome, raised } = ended.map_err(errors::run)?;
        Ok((Motion::new(py, outcome.trajectory)?, outcome.error, raised))
    }
}

impl Ready {
    /// The shortest time of several runs.
    fn best_seconds(&self, count: usize, inspected: bool) -> Result<f64, RunError> {
        let (q, v) = (&self.model.initial.q, &self.model.initial.v);
        let mut best = f64::INFINITY;
        for _ in 0..count {
            let clock = Instant::now();
            let outcome = self.forward(q, v, inspected, &mut Watch::new(None))?;
            best = best.min(clock.elapsed().as_secs_f64());
            drop(outcome);
        }
        Ok(best)
    }

    fn forward(
        &self,
        q: &[f64],
        v: &[f64],
        inspected: bool,
        watch: &mut Watch,
    ) -> Result<carom::run::Outcome, RunError> {
        let prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner).copy();
        let mut outcome = prepared.run(q, v, &self.plan, &mut |time| watch.observe(time))?;
        if inspected && !self.model.system.contacts().is_empty() {
            // Findings are remarks: a motion is there all the same.
            let _ = inspect(Start { system: &self.model.system, q, v }, &mut outcome);
        }
        Ok(outcome)
    }

    fn backward(&self, q: &[f64], v: &[f64], watch: &mut Watch) -> Result<carom::run::Outcome, RunError> {
        let reversed = backward::Reversed::new(&self.model)?;
        let v: Vec<f64> = v.iter().map(|v| -v).collect();
        let start = Start { system: &reversed.system, q, v: &v };
        let adjoint = self.plan.integrator.adjoint();
        let outcome = adjoint.run(start, &self.plan, None, &mut |time| watch.observe(time))?;
        Ok(backward::turn(outcome, &self.plan.integrator))
    }
}

fn describe<'py>(py: Python<'py>, understood: &Understanding) -> PyResult<Bound<'py, PyDict>> {
    let all = PyDict::new(py);
    all.set_item("name", &understood.name)?;
    all.set_item("degrees_of_freedom", understood.degrees_of_freedom)?;
    all.set_item("energy", understood.energy)?;
    all.set_item("constraints", &understood.constraints)?;
    all.set_item("velocity_constraints", &understood.velocity_constraints)?;
    all.set_item("contacts", understood.contacts.iter().map(|contact| contact.name.clone()).collect::<Vec<_>>())?;
    all.set_item("mass_rank", understood.mass_rank)?;
    all.set_item("regularity", format!("{:?}", understood.regularity).to_lowercase())?;
    all.set_item("is_quadratic", understood.is_quadratic)?;
    all.set_item("is_time_dependent", understood.is_time_dependent)?;
    all.set_item("is_forced", understood.is_forced)?;
    let conserved = understood.conserved.iter().map(|c| (c.name.clone(), understood.graph.display(c.id)));
    all.set_item("conserved", conserved.collect::<HashMap<_, _>>())?;
    all.set_item("warnings", errors::diagnostics(py, &understood.warnings)?)?;
    Ok(all)
}
