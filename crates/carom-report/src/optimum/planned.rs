//! Plans: what is written beside the motion that was taken, and a plan that is a spline only.

use super::manifest::{VERSION, sources};
use crate::Caption;
use crate::error::ReportError;
use crate::file::{Written, create_folder, write_file};
use crate::plot::{self, PlanFigure};
use crate::results::{MANIFEST, check_presence, remove_earlier};
use carom_control::planner::DescentStatus;
use carom_control::{PhaseSolution, ProblemFile, ProblemModel, StoredPlan};
use carom_model::Diagnostics;
use serde_json::{Value, json};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// What tells the manifest of a plan without motions from others.
const FORMAT: &str = "carom-plan";

/// What was planned.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan.
    pub plan: StoredPlan,
    /// Name of the phase that was divided.
    pub phase: String,
}

/// A plan that found no motion, or did not look for one: its result is the path of the descent.
#[derive(Clone, Debug)]
pub struct SplinePlan<'a> {
    /// The problem.
    pub file: &'a ProblemFile,
    /// The plan.
    pub plan: &'a StoredPlan,
    /// The settings as they were used.
    pub settings: Value,
}

impl SplinePlan<'_> {
    /// What is wrong with it, in a word or two; a spline always misses its end a little.
    pub fn label(&self) -> String {
        let word = match self.plan.status {
            Some(DescentStatus::Converged | DescentStatus::Stalled) => "",
            Some(DescentStatus::Limit) => "limit of iterations; ",
            Some(DescentStatus::Stopped) | None => "stopped; ",
        };
        let miss = self.plan.descent.last().map_or(f64::NAN, |last| last.costs.miss.max(0.0).sqrt());
        format!("{word}misses its end by {miss:.1e}")
    }

    /// What the command line prints with `--json`.
    pub fn summary(&self) -> Value {
        let last = self.plan.descent.last();
        json!({
            "problem": self.file.problem.name,
            "converged": self.plan.has_descended(),
            "optimum": false,
            "label": self.label(),
            "objective": last.map(|last| last.costs.total),
            "integral": last.map(|last| last.costs.integral),
            "final_error": last.map(|last| last.costs.miss.max(0.0).sqrt()),
            "impacts": last.map(|last| &last.crossings),
            "plan": self.plan.summary(),
        })
    }

    /// What stands above its pictures.
    fn caption(&self) -> Caption {
        Caption { title: format!("{}, spline", self.file.problem.name), warning: self.label() }
    }

    /// Writes the plan and its manifest into `folder`, and says which files there are now.
    pub fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
        create_folder(folder)?;
        remove_earlier(folder)?;
        let mut files = vec![write_plan(self.plan, folder)?];
        let mut manifest = json!({
            "format": FORMAT,
            "format_version": VERSION,
            "carom_version": env!("CARGO_PKG_VERSION"),
            "settings": self.settings,
            "result": shortened(self.summary()),
        });
        if let (Value::Object(all), Value::Object(sources)) = (&mut manifest, sources(self.file, &files)) {
            all.extend(sources);
        }
        let text = format!("{manifest:#}\n");
        files.push(write_file(folder, MANIFEST, |writer| writer.write_all(text.as_bytes()))?);
        Ok(files.into_iter().map(|file| file.path).collect())
    }

    /// Draws its pictures into `folder`.
    pub fn draw(&self, folder: &Path) -> Result<Vec<PathBuf>, ReportError> {
        draw_plan(self.file, &self.file.models, self.plan, (&[], self.caption()), folder)
    }
}

/// A summary without what `plan.json` has at length.
pub(super) fn shortened(mut summary: Value) -> Value {
    if let Some(plan) = summary.get_mut("plan").and_then(Value::as_object_mut) {
        plan.remove("descent");
        plan.remove("parameters");
    }
    summary
}

/// Writes `plan.json`.
pub(super) fn write_plan(plan: &StoredPlan, folder: &Path) -> Result<Written, ReportError> {
    let text = format!("{}\n", plan.json());
    write_file(folder, StoredPlan::FILE, |writer| writer.write_all(text.as_bytes()))
}

/// The pictures of a plan, with the motion that was taken.
pub fn draw_plan(
    file: &ProblemFile,
    models: &[ProblemModel],
    plan: &StoredPlan,
    (motion, caption): (&[PhaseSolution], Caption),
    folder: &Path,
) -> Result<Vec<PathBuf>, ReportError> {
    let Some(model) = file.phase_models.first().and_then(|&model| models.get(model)) else { return Ok(Vec::new()) };
    let duration = plan.snapshots.first().and_then(|snapshot| snapshot.t.last().copied());
    let unforced = duration.and_then(|duration| file.unforced(duration));
    let figure = PlanFigure { plan, system: &model.system, motion, unforced: unforced.as_ref(), caption };
    plot::plan(&figure, folder)
}

/// The plan of a result; nothing if it was not planned.
pub fn read_plan(folder: &Path) -> Result<Option<StoredPlan>, ReportError> {
    let path = folder.join(StoredPlan::FILE);
    if !path.is_file() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).map_err(|source| ReportError::Read { path: path.clone(), source })?;
    StoredPlan::from_text(&text).map(Some).map_err(|found| ReportError::NotAManifest { path, found })
}

/// True if `folder` has a plan without a motion.
pub fn is_spline_plan(folder: &Path) -> bool {
    let text = fs::read(folder.join(MANIFEST)).unwrap_or_default();
    serde_json::from_slice::<Value>(&text).is_ok_and(|manifest| manifest["format"] == FORMAT)
}

/// Draws the pictures of a plan without a motion once more.
pub fn redraw_spline_plan(folder: &Path, out: &Path) -> Result<Result<Vec<PathBuf>, ReportError>, Diagnostics> {
    let plan = check_presence(folder, StoredPlan::FILE).and_then(|()| read_plan(folder));
    let plan = match plan {
        Ok(plan) => plan.unwrap_or_default(),
        Err(error) => return Ok(Err(error)),
    };
    let text = fs::read_to_string(folder.join(MANIFEST)).unwrap_or_default();
    let manifest: Value = serde_json::from_str(&text).unwrap_or_default();
    let file = super::stored::problem(&manifest, "{}")?;
    let spline = SplinePlan { file: &file, plan: &plan, settings: Value::Null };
    Ok(spline.draw(out))
}
