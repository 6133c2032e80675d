//! The section `[gait]`: one step of a biped, which becomes a phase, a transition and costs.

use super::costs::{NO_STATE, PARTS};
use super::formulas::{PhaseFormulas, value_text};
use super::numbers::Scope;
use super::phases::ReadPhase;
use super::ranges::unknown_key;
use super::schema::keys;
use super::words::word;
use super::{ProblemFile, Reader};
use crate::error::ControlError;
use crate::gait::{Gait, GaitOptions};
use crate::guess::Guess;
use crate::phase::MAX_INTERVALS;
use crate::problem::{ClosedContact, Cost, FreedParameter, WorkPart};
use carom_model::System;
use carom_model::reading::{Entry, Place, entries};
use std::sync::Arc;
use toml::de::DeValue;

/// Most starts that may be asked for.
const MAX_STARTS: usize = 10_000;
/// Limit of iterations of a start, unless the file says another: one that wanders is not worth waiting for.
const MAX_ITERATIONS: usize = 1000;
/// Solver of several starts, unless the file says another.
const SEVERAL: &str = "interior";
/// Name of the phase of a step.
const STEP: &str = "step";

/// How gaits are searched.
#[derive(Clone, Debug, PartialEq)]
pub struct GaitSettings {
    /// Number of starts.
    pub starts: usize,
    /// Seed of their variations.
    pub seed: usize,
    /// How far they vary.
    pub spread: f64,
    /// True if the effort alone is minimised before the work.
    pub effort_first: bool,
    /// True if net work is minimised before positive or absolute work.
    pub net_first: bool,
    /// Intervals of a coarser mesh that is solved first, if any.
    pub coarse: Option<usize>,
    /// Hops from each of the cheapest optima.
    pub hops: usize,
}

impl Default for GaitSettings {
    fn default() -> Self {
        let GaitOptions { starts, spread, effort_first, net_first, coarse, hops, .. } = GaitOptions::default();
        Self { starts, seed: 1, spread, effort_first, net_first, coarse, hops }
    }
}

impl ProblemFile {
    /// How the gait is searched; nothing if the problem is none.
    pub fn gait_options(&self) -> Option<GaitOptions> {
        let GaitSettings { starts, seed, spread, effort_first, net_first, coarse, hops } =
            self.settings.gait.clone()?;
        let mut solve = self.options();
        let is_given = |name: &str| self.settings.given.iter().any(|given| given == name);
        if !is_given("max_iterations") {
            solve.nlp.max_iterations = solve.nlp.max_iterations.min(MAX_ITERATIONS);
        }
        // Nor is a second solver behind the first, unless all starts fail: there are other starts.
        let own = (starts > 1 && !is_given("solver")).then(|| std::mem::replace(&mut solve.solver, SEVERAL.to_owned()));
        let seed = seed as u64;
        Some(GaitOptions {
            starts,
            seed,
            spread,
            effort_first,
            net_first,
            coarse,
            hops,
            solve,
            otherwise: own.filter(|solver| solver != SEVERAL),
            ..GaitOptions::default()
        })
    }

    /// Where searches of the gait begin: the guess of the file, if it has one, and motions by
    /// inverse kinematics around the initial posture of the model.
    pub fn gait_starts(&self) -> Result<Vec<Guess>, ControlError> {
        let (Some(gait), Some(options)) = (&self.gait, self.gait_options()) else { return Ok(Vec::new()) };
        let posture = self.models.first().map_or(&[][..], |model| &model.initial.q);
        let own: Vec<Guess> = self.has_guess.then(|| self.guess.clone()).into_iter().collect();
        let made = gait.starts(posture, options.starts, options.seed, options.spread)?;
        Ok(own.into_iter().chain(made).take(options.starts.max(1)).collect())
    }
}

/// A gait as far as it could be read, and its phase.
pub(super) struct ReadGait<'a> {
    pub phase: ReadPhase<'a>,
    pub gait: Option<Gait>,
}

impl Reader<'_> {
    /// `[gait]`.
    pub(super) fn gait<'d>(&mut self, section: &Entry<'d>, freed: &[FreedParameter]) -> ReadGait<'d> {
        self.places.gait = Some(section.key_place);
        let fields = self.report.table(section).unwrap_or_default();
        self.places.gait_keys = fields.iter().map(|field| (field.key.clone(), field.place)).collect();
        for field in fields.iter().filter(|field| !keys("gait").contains(&field.key.as_str())) {
            unknown_key(&mut self.report, field, "[gait]", &keys("gait"));
        }
        let field = |name: &str| fields.iter().find(|field| field.key == name);
        let system = self.model.and_then(|model| self.models.list.get(model)).map(|model| model.system.clone());
        let [stance, swing] = ["stance", "swing"].map(|foot| self.foot(section, field(foot), foot, system.as_ref()));
        let stands: Vec<ClosedContact> =
            stance.iter().map(|contact| ClosedContact { contact: contact.clone(), sticks: true }).collect();
        let phase = self.phase_of(STEP, section.key_place, &fields, &stands);
        self.places
            .transitions
            .push(("strike".to_owned(), field("relabel").map_or(section.key_place, |own| own.place)));
        let relabel = match field("relabel") {
            Some(given) => self.map(given, &phase, &phase),
            None => {
                let help = "write `relabel = { th1 = \"th1 + th2 + th3 + th4\", th2 = \"-th4\" }`: the configuration with the legs exchanged";
                self.missing(section.key_place, "relabel", help);
                None
            }
        };
        let length = self.expression(section, field("length"), system.as_deref(), ("length", "0.5"), true);
        let weight = self.expression(section, field("weight"), system.as_deref(), ("weight", "\"m*g\""), true);
        let width = self.expression(section, field("width"), system.as_deref(), ("width", "0.2"), false);
        let own = self.freed.clone();
        let scope = Scope { system: system.as_deref(), freed: &own };
        let mut number = |name: &str, default: f64| {
            field(name).map_or(Some(default), |given| self.at_least_zero(&scope, given, name))
        };
        let (clearance, effort) = (number("clearance", 0.0), number("effort", 1.0));
        let normal_force = field("normal_force").map(|_| number("normal_force", 0.0));
        let friction = field("friction").map(|given| scope.positive(&mut self.report, given, "`friction` of [gait]"));
        let work = field("work").map(|given| word(&mut self.report, given, &PARTS));
        self.gait_settings(&fields, &scope);
        self.ways_to_work(&fields, work);
        let gait = (|| {
            Some(Gait {
                name: String::new(),
                step: phase.phase.clone()?,
                stance: stance?,
                swing: swing?,
                relabel: relabel?,
                length: length?,
                width,
                clearance: clearance?,
                normal_force: normal_force.map_or(Some(None), |force| force.map(Some))?,
                friction: friction.map_or(Some(None), |friction| friction.map(Some))?,
                weight: weight?,
                work: work.map_or(Some(None), |work| work.map(Some))?,
                effort: effort?,
                costs: Vec::new(),
                freed: freed.to_vec(),
            })
        })();
        ReadGait { phase, gait }
    }

    /// The problem of a gait with further costs; what is wrong with it was reported.
    pub(super) fn gait_problem(&mut self, mut gait: Gait, name: &str, costs: Vec<Cost>) -> Option<Gait> {
        (gait.name, gait.costs) = (name.to_owned(), costs);
        let posture = self.model.and_then(|model| self.models.list.get(model)).map(|model| model.initial.q.clone());
        match gait.check(&posture.unwrap_or_default()) {
            Ok(()) => Some(gait),
            Err(error) => {
                let place = self.places.in_gait(&error);
                let help = matches!(error, ControlError::Gait { key: "relabel", .. }).then(|| exchange(&gait.swing));
                self.report.error("gait", place, error.to_string(), help);
                None
            }
        }
    }

    fn foot(
        &mut self,
        section: &Entry<'_>,
        given: Option<&Entry<'_>>,
        foot: &str,
        system: Option<&Arc<System>>,
    ) -> Option<String> {
        let Some(given) = given else {
            let help = format!("write `{foot} = \"name of a contact\"`");
            self.missing(section.key_place, foot, &help);
            return None;
        };
        let name = self.report.string(given)?;
        self.contact(&name, given.place, system.map(|system| &**system)).then_some(name)
    }

    fn missing(&mut self, place: Place, key: &str, help: &str) {
        self.report.error("missing-key", place, format!("[gait] has no `{key}`"), Some(help.to_owned()));
    }

    /// An expression of parameters.
    fn expression(
        &mut self,
        section: &Entry<'_>,
        given: Option<&Entry<'_>>,
        system: Option<&System>,
        (key, example): (&str, &str),
        is_required: bool,
    ) -> Option<String> {
        let Some(given) = given else {
            if is_required {
                self.missing(section.key_place, key, &format!("write `{key} = {example}`"));
            }
            return None;
        };
        let text = value_text(&mut self.report, given)?;
        let freed = self.freed.clone();
        let mut formulas = PhaseFormulas::new(STEP, system, &freed);
        formulas.check(&mut self.report, &mut self.places, &text, Some(NO_STATE)).then_some(text.string)
    }

    fn at_least_zero(&mut self, scope: &Scope<'_>, given: &Entry<'_>, name: &str) -> Option<f64> {
        let number = scope.number(&mut self.report, given, &format!("`{name}` of [gait]"))?;
        if number >= 0.0 {
            return Some(number);
        }
        let message = format!("`{name}` of [gait] is {number}, but must not be negative");
        self.report.error("out-of-range", given.place, message, Some("write zero or a positive number".to_owned()));
        None
    }

    fn gait_settings(&mut self, fields: &[Entry<'_>], scope: &Scope<'_>) {
        let mut settings = GaitSettings::default();
        for field in fields {
            let what = format!("`{}` of [gait]", field.key);
            match field.key.as_str() {
                "starts" => {
                    let count = scope.count(&mut self.report, field, &what, MAX_STARTS);
                    settings.starts = count.unwrap_or(settings.starts);
                }
                "seed" => {
                    let seed = scope.count(&mut self.report, field, &what, usize::MAX >> 12);
                    settings.seed = seed.unwrap_or(settings.seed);
                }
                "spread" => {
                    let spread = scope.positive(&mut self.report, field, &what);
                    settings.spread = spread.unwrap_or(settings.spread);
                }
                "coarse" => settings.coarse = scope.count(&mut self.report, field, &what, MAX_INTERVALS),
                "hops" => {
                    let count = scope.count_or_none(&mut self.report, field, &what, MAX_STARTS);
                    settings.hops = count.unwrap_or(settings.hops);
                }
                "effort_first" => settings.effort_first = self.report.boolean(field).unwrap_or(false),
                "net_first" => settings.net_first = self.report.boolean(field).unwrap_or(false),
                _ => {}
            }
        }
        self.settings.gait = Some(settings);
    }

    /// Refuses ways to a work that is none, or that they do not lead to.
    fn ways_to_work(&mut self, fields: &[Entry<'_>], work: Option<Option<WorkPart>>) {
        let Some(settings) = self.settings.gait.clone() else { return };
        let refused = match work {
            Some(None) => return,
            None => [("effort_first", settings.effort_first), ("net_first", settings.net_first)],
            Some(Some(part)) => [("effort_first", false), ("net_first", settings.net_first && part == WorkPart::Net)],
        };
        for (key, _) in refused.into_iter().filter(|(_, is_given)| *is_given) {
            let Some(field) = fields.iter().find(|field| field.key == key) else { continue };
            let message = format!("`{key}` leads to a work of the joints that the gait does not ask for");
            let help = "give `work = \"absolute\"` or `\"positive\"`, or leave it out".to_owned();
            self.report.error("conflict", field.place, message, Some(help));
        }
    }

    /// Sections that a gait takes the place of.
    pub(super) fn refuse_beside_gait(&mut self, document: &[Entry<'_>]) {
        let taken = ["phases", "transitions", "discover", "plan"];
        for entry in document.iter().filter(|entry| taken.contains(&entry.key.as_str())) {
            let message = format!("the problem has both [gait] and [{}]", entry.key);
            let help = "keep one of them: a gait is a phase with a transition back to itself".to_owned();
            self.report.error("conflict", entry.key_place, message, Some(help));
        }
    }
}

/// True if a gait says itself how it begins.
pub(super) fn has_guess(document: &[Entry<'_>]) -> bool {
    let own = |entry: &Entry<'_>| match entry.value {
        DeValue::Table(table) => entries(table).iter().any(|field| field.key == "guess"),
        _ => false,
    };
    document.iter().any(|entry| entry.key == "guess" || entry.key == "gait" && own(entry))
}

/// What a relabelling must do.
fn exchange(swing: &str) -> String {
    format!(
        "the stance leg takes the angles of the swing leg and the other way round; places count from the new stance foot: \
         `x1 = 0, y1 = 0` where they are coordinates of the stance foot, else such as `x = \"x - tangent_{swing}\"`"
    )
}
