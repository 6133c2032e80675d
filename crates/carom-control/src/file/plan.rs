//! The section `[plan]`: a motion with impacts that nobody has counted, by descent over smooth paths and a search.

use super::numbers::Scope;
use super::phases::ReadPhase;
use super::ranges::unknown_key;
use super::schema::keys;
use super::words::{one_of, word};
use super::{ProblemFile, Reader};
use crate::phase::MAX_INTERVALS;
use crate::planner::{LineSearch, PlanOptions, SearchOptions};
use crate::problem::Transition;
use carom_model::projection::ProjectionOptions;
use carom_model::reading::{Entry, Place, entries, items};
use toml::de::DeValue;

/// Largest numbers that may be asked for.
const MAX_STAGES: usize = 10_000;
const MAX_ITERATIONS: usize = 1_000_000;
const MAX_IMPACTS: usize = 100;
const MAX_BEAM: usize = 1000;
const MAX_TIMES: usize = 10_000;
/// A larger share of the decrease that the slope promises is brought by no step of a parabola.
const MAX_ARMIJO: f64 = 0.5;

const LINE_SEARCHES: [(&str, LineSearch); 2] =
    [("halving", LineSearch::Halving), ("more-thuente", LineSearch::MoreThuente)];

/// Keys about the search over numbers of impacts.
const OF_SEARCH: [&str; 6] = ["impacts", "beam", "times", "seconds", "intervals", "flight_intervals"];

/// How a motion is planned.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanSettings {
    /// The projection.
    pub projection: ProjectionOptions,
    /// Stages of the spline.
    pub stages: usize,
    /// Limit of iterations of the descent.
    pub iterations: usize,
    /// Price of missing the end.
    pub penalty: f64,
    /// Prices of the descents with free knots.
    pub penalties: Vec<f64>,
    /// Limit of iterations of each of these.
    pub free_iterations: usize,
    /// The first inverse Hessian is so many times the identity.
    pub scale: f64,
    /// Share of the promised decrease that a step must bring.
    pub armijo: f64,
    /// How far to go along a direction.
    pub line_search: LineSearch,
    /// How numbers of impacts are searched; splines only if absent.
    pub search: Option<SearchOptions>,
    /// Intervals of each flight in the end.
    pub intervals: usize,
    /// Intervals of each flight in the search.
    pub flight_intervals: usize,
}

impl Default for PlanSettings {
    fn default() -> Self {
        let options = PlanOptions::default();
        Self {
            projection: options.projection,
            stages: options.stages,
            iterations: options.descent.max_iterations,
            penalty: options.penalty,
            penalties: options.penalties,
            free_iterations: options.free_iterations,
            scale: options.descent.scale,
            armijo: options.descent.armijo,
            line_search: options.descent.search,
            search: options.search,
            intervals: options.intervals,
            flight_intervals: options.flight_intervals,
        }
    }
}

impl ProblemFile {
    /// How a motion is planned; nothing if that is not asked for.
    pub fn plan_options(&self) -> Option<PlanOptions> {
        let settings = self.settings.plan.clone()?;
        let mut options = PlanOptions {
            projection: settings.projection,
            stages: settings.stages,
            penalty: settings.penalty,
            penalties: settings.penalties,
            free_iterations: settings.free_iterations,
            search: settings.search,
            intervals: self.settings.intervals.unwrap_or(settings.intervals),
            flight_intervals: settings.flight_intervals,
            ..PlanOptions::default()
        };
        options.descent.max_iterations = settings.iterations;
        options.descent.scale = settings.scale;
        options.descent.armijo = settings.armijo;
        options.descent.search = settings.line_search;
        // The end is solved as the problem says, where it says so.
        let (given, own) = (self.options(), &mut options.polish);
        for name in &self.settings.given {
            match name.as_str() {
                "method" => own.transcription.clone_from(&given.transcription),
                "solver" => own.solver.clone_from(&given.solver),
                "tolerance" => {
                    (own.nlp.tolerance, own.nlp.acceptable) = (given.nlp.tolerance, given.nlp.acceptable);
                }
                "max_iterations" => own.nlp.max_iterations = given.nlp.max_iterations,
                "max_seconds" => own.nlp.max_seconds = given.nlp.max_seconds,
                "backend" => own.backend = given.backend,
                _ => {}
            }
        }
        Some(options)
    }
}

impl Reader<'_> {
    /// `[plan]`; coordinates are those of the only phase.
    pub(super) fn plan(&mut self, section: &Entry<'_>, phases: &[ReadPhase<'_>], links: &[Transition]) {
        self.places.plan = Some(section.key_place);
        let DeValue::Table(table) = section.value else {
            self.report.wrong_type(section, "a table", "[plan]");
            return;
        };
        self.alone(section.key_place, phases, links);
        let mut settings = PlanSettings::default();
        let (mut search, mut is_searched) = (SearchOptions::default(), true);
        let system = phases.first().and_then(|phase| self.system(phase));
        let freed = self.freed.clone();
        let scope = Scope { system: system.as_deref(), freed: &freed };
        let fields = entries(table);
        for field in &fields {
            let key = field.key.as_str();
            let what = format!("`{key}` of [plan]");
            let whole: Option<(&mut usize, usize)> = match key {
                "stages" => Some((&mut settings.stages, MAX_STAGES)),
                "iterations" => Some((&mut settings.iterations, MAX_ITERATIONS)),
                "free_iterations" => Some((&mut settings.free_iterations, MAX_ITERATIONS)),
                "beam" => Some((&mut search.beam, MAX_BEAM)),
                "times" => Some((&mut search.times, MAX_TIMES)),
                "intervals" => Some((&mut settings.intervals, MAX_INTERVALS)),
                "flight_intervals" => Some((&mut settings.flight_intervals, MAX_INTERVALS)),
                _ => None,
            };
            if let Some((value, limit)) = whole {
                *value = scope.count(&mut self.report, field, &what, limit).unwrap_or(*value);
                continue;
            }
            let positive: Option<&mut f64> = match key {
                "penalty" => Some(&mut settings.penalty),
                "scale" => Some(&mut settings.scale),
                "armijo" => Some(&mut settings.armijo),
                "seconds" => Some(&mut search.max_seconds),
                _ => None,
            };
            if let Some(value) = positive {
                *value = scope.positive(&mut self.report, field, &what).unwrap_or(*value);
                if key == "armijo" && *value > MAX_ARMIJO {
                    let message = format!("{what} is {value}, but must not be greater than {MAX_ARMIJO}");
                    let help =
                        "it is the share of the promised decrease that a step must bring; 1e-4 is usual".to_owned();
                    self.report.error("out-of-range", field.place, message, Some(help));
                }
                continue;
            }
            match key {
                "impacts" => search.impacts = self.impacts(field, &scope, &what).unwrap_or(search.impacts),
                "penalties" => settings.penalties = self.penalties(field, &scope),
                "line_search" => {
                    settings.line_search = word(&mut self.report, field, &LINE_SEARCHES).unwrap_or_default();
                }
                "k" => settings.projection.k = scope.positive(&mut self.report, field, &what),
                "coordinate" => settings.projection.coordinate = self.replaced(field, &scope),
                "domain" => settings.projection.domain = self.domain(field, &scope),
                "search" => is_searched = self.switch(field),
                _ => unknown_key(&mut self.report, field, "[plan]", &keys("plan")),
            }
        }
        if !is_searched {
            self.unbounded(section.key_place, phases);
            for field in fields.iter().filter(|field| OF_SEARCH.contains(&field.key.as_str())) {
                let message = format!("`{}` has no effect: nothing is searched", field.key);
                let help = "remove it, or `search = false`".to_owned();
                self.report.warning("no-effect", field.key_place, message, Some(help));
            }
        }
        settings.search = is_searched.then_some(search);
        self.settings.plan = Some(settings);
    }

    /// A plan finds the phases and the impacts itself.
    fn alone(&mut self, place: Place, phases: &[ReadPhase<'_>], links: &[Transition]) {
        let mut refuse = |message: String, help: &str| {
            self.report.error("conflict", place, message, Some(help.to_owned()));
        };
        if self.settings.discover.is_some() {
            refuse("the problem has both [plan] and [discover]".to_owned(), "keep one of them: both find the impacts");
        }
        if phases.len() > 1 {
            let names: Vec<&str> = phases.iter().map(|phase| phase.name.as_str()).collect();
            let message = format!("[plan] needs one phase, and there are {}: {}", names.len(), names.join(", "));
            refuse(message, "give the whole motion as one phase: a plan divides it at the impacts that it finds");
        } else if !links.is_empty() {
            let message = "[plan] finds the impacts, but the problem has transitions".to_owned();
            refuse(message, "remove [transitions], or [plan]");
        }
    }

    /// Splines know the start and the end only.
    fn unbounded(&mut self, place: Place, phases: &[ReadPhase<'_>]) {
        let phases = phases.iter().filter_map(|phase| phase.phase.as_ref());
        if phases.into_iter().any(|phase| !phase.bounds.is_empty() || !phase.path.is_empty()) {
            let message = "the descent does not know bounds and conditions on the way, and nothing else is asked for";
            let help = "remove them, or `search = false`: motions that are searched keep to them".to_owned();
            self.report.error("not-supported", place, message, Some(help));
        }
    }

    /// A number that may be zero.
    fn impacts(&mut self, entry: &Entry<'_>, scope: &Scope<'_>, what: &str) -> Option<usize> {
        let number = scope.number(&mut self.report, entry, what)?;
        if number >= 0.0 && number.fract() == 0.0 && number <= MAX_IMPACTS as f64 {
            return Some(number as usize);
        }
        let message = format!("{what} is {number}, but must be an integer from 0 to {MAX_IMPACTS}");
        let help = "write the most impacts that a motion may have".to_owned();
        self.report.error("out-of-range", entry.place, message, Some(help));
        None
    }

    fn penalties(&mut self, entry: &Entry<'_>, scope: &Scope<'_>) -> Vec<f64> {
        let Some(list) = items(entry) else {
            self.report.wrong_type(entry, "a list of numbers", "penalties = [3e3, 3e4]");
            return Vec::new();
        };
        let price = |item: &Entry<'_>| scope.positive(&mut self.report, item, "an entry of `penalties` of [plan]");
        list.iter().filter_map(price).collect()
    }

    fn switch(&mut self, entry: &Entry<'_>) -> bool {
        let DeValue::Boolean(value) = entry.value else {
            self.report.wrong_type(entry, "true or false", &format!("{} = false", entry.key));
            return true;
        };
        *value
    }

    fn replaced(&mut self, entry: &Entry<'_>, scope: &Scope<'_>) -> Option<String> {
        let name = self.report.string(entry)?;
        self.is_coordinate(&name, entry.place, scope).then_some(name)
    }

    fn is_coordinate(&mut self, name: &str, place: Place, scope: &Scope<'_>) -> bool {
        // Without a model, which was reported, nothing is known.
        scope
            .system
            .is_none_or(|system| one_of(&mut self.report, name, place, "coordinate", &system.coordinate_names()))
    }

    /// `{ x = [from, to] }`
    fn domain(&mut self, entry: &Entry<'_>, scope: &Scope<'_>) -> Vec<(String, [f64; 2])> {
        let DeValue::Table(table) = entry.value else {
            self.report.wrong_type(entry, "a table of ranges", "domain = { x = [-1, 1] }");
            return Vec::new();
        };
        let mut found = Vec::new();
        for field in entries(table) {
            let what = format!("the domain of `{}`", field.key);
            let is_known = self.is_coordinate(&field.key, field.key_place, scope);
            let Some(bounded) = scope.range(&mut self.report, &field, &what, &[]) else { continue };
            let [from, to] = [bounded.range.lower, bounded.range.upper];
            if !(from < to && from.is_finite() && to.is_finite()) {
                let message = format!("{what} is [{from}, {to}]; it must be finite and not empty");
                let help = format!("write `{} = [from, to]`", field.key);
                self.report.error("out-of-range", field.place, message, Some(help));
            } else if is_known {
                found.push((field.key.clone(), [from, to]));
            }
        }
        found
    }
}
