//! A plan: descent, search and polish, of which the best motion takes the place of the problem.

use super::watch::Watch;
use super::{explain, settings};
use crate::args::Optimise;
use crate::failure::Failure;
use crate::output::{complain, diagnostics, print};
use crate::plan_summary;
use carom::control::planner::{DescentStatus, Iteration, Plan, PlanEvent, PlanOptions, PlanStart, PlannedMotion, plan};
use carom::control::{Audit, AuditOptions, ProblemFile, Solution, StoredPlan, audit};
use carom::report::ReportError;
use carom::report::optimum::{self, Planned, SplinePlan};
use std::path::Path;

/// What a plan came to.
pub(super) struct Found {
    pub planned: Planned,
    /// The motion that is taken, with its audit; nothing if there is none.
    pub motion: Option<(Solution, Option<Audit>)>,
    /// True if the search did not get to its end.
    pub is_cut: bool,
}

/// Plans; the problem of the file becomes the one with the impacts that are taken, its guess the motion.
pub(super) fn search(
    args: &Optimise,
    file: &mut ProblemFile,
    mut options: PlanOptions,
    watch: &Watch,
) -> Result<Found, Failure> {
    if args.discover {
        let message = "the problem has a section [plan], which finds the impacts itself; leave --discover away";
        return Err(Failure::Settings(message.to_owned()));
    }
    let earlier = args.resume.as_deref().map(stored).transpose()?;
    let start = match (&earlier, &args.resume) {
        (Some(earlier), Some(folder)) => earlier
            .resume(&file.problem, &mut options)
            .map_err(|why| Failure::Settings(format!("`{}` does not fit the problem: {why}", folder.display())))?,
        _ => PlanStart::default(),
    };
    let done = earlier.as_ref().map_or(0, StoredPlan::iterations);
    let mut lines = Lines { is_wanted: watch.is_wanted(), done, heading: "" };
    let found = plan(&file.problem, &start, &options, &mut |event| {
        lines.tell(&event);
        !watch.is_stopped()
    });
    let mut found = found.map_err(|error| explain(file, &error))?;
    let phase = file.problem.phases.first().map_or(String::new(), |phase| phase.name.clone());
    let mut plan = StoredPlan::of(&found, &file.problem, earlier.as_ref());
    let is_cut = options.search.is_some() && !plan.search.as_ref().is_some_and(|search| search.is_finished());
    let motion = take(args, &mut found, watch).map(|(number, audit)| {
        plan.taken = Some(number);
        let PlannedMotion { problem, solution, .. } = found.motions.swap_remove(number);
        let model = file.phase_models.first().copied().unwrap_or(0);
        file.guess = solution.guess();
        file.phase_models = vec![model; problem.phases.len()];
        file.problem = problem;
        (solution, audit)
    });
    Ok(Found { planned: Planned { plan, phase }, motion, is_cut })
}

/// The plan in a folder.
fn stored(folder: &Path) -> Result<StoredPlan, Failure> {
    if !folder.is_dir() {
        return Err(ReportError::NoFolder { folder: folder.to_owned() }.into());
    }
    let why = || {
        Failure::Settings(format!("`{}` has no `{}`: it is no plan to go on from", folder.display(), StoredPlan::FILE))
    };
    optimum::read_plan(folder)?.ok_or_else(why)
}

/// The cheapest motion that passes its audit; otherwise the cheapest one, or the first that is at least something.
fn take(args: &Optimise, found: &mut Plan, watch: &Watch) -> Option<(usize, Option<Audit>)> {
    let mut order: Vec<usize> = (0..found.motions.len()).collect();
    let rank = |&number: &usize| !found.motions[number].is_motion();
    order.sort_by(|a, b| {
        let costs = found.motions[*a].cost.total_cmp(&found.motions[*b].cost);
        rank(a).cmp(&rank(b)).then(costs)
    });
    let mut first = None;
    for number in order {
        let motion = &found.motions[number];
        let is_wanted = !args.no_audit && motion.is_motion() && !watch.is_stopped();
        let audited =
            is_wanted.then(|| audit(&motion.problem, &motion.solution, &AuditOptions::default()).ok()).flatten();
        if !is_wanted || audited.as_ref().is_some_and(|audit| audit.passed) {
            return first.or(Some((number, audited)));
        }
        first = first.or(Some((number, audited)));
    }
    first
}

/// Writes and reports a plan that has no motion.
pub(super) fn report(args: &Optimise, file: &ProblemFile, options: &PlanOptions, found: &Found) -> Result<(), Failure> {
    let plan = &found.planned.plan;
    let spline = SplinePlan { file, plan, settings: settings(args, file, &options.polish) };
    let folder = super::folder(args);
    let mut files = spline.write(&folder)?;
    if !args.no_plots {
        match spline.draw(&folder) {
            Ok(drawn) => files.extend(drawn),
            Err(error) => complain(&format!("warning: {error}")),
        }
    }
    if args.json {
        let mut object = spline.summary();
        object["files"] = files.iter().map(|file| file.to_string_lossy()).collect();
        object["warnings"] = diagnostics(&file.warnings);
        print(&object)?;
    } else if !args.quiet {
        print(&plan_summary::spline(&spline, &files))?;
    }
    verdict(options, plan)
}

/// What the exit code says about a plan without a motion.
fn verdict(options: &PlanOptions, plan: &StoredPlan) -> Result<(), Failure> {
    let cost = plan.descent.last().map_or(f64::NAN, |last| last.costs.total);
    let why = match plan.status {
        _ if !cost.is_finite() => "the descent found no path whose cost is a finite number",
        Some(DescentStatus::Limit) if options.search.is_none() => {
            "the descent reached its limit of iterations; raise `iterations` of [plan], or go on with --resume"
        }
        Some(DescentStatus::Stopped) | None => "the descent was stopped; go on with --resume",
        _ if plan.is_stopped => "the plan was stopped before a motion was found; go on with --resume",
        _ if options.search.is_some() => "the search found no motion; raise `impacts`, `times` or `beam` of [plan]",
        _ => return Ok(()),
    };
    Err(Failure::Run(why.to_owned()))
}

/// Tells what happens, a line for each iteration and each motion.
struct Lines {
    is_wanted: bool,
    /// Iterations of earlier runs.
    done: usize,
    heading: &'static str,
}

impl Lines {
    fn tell(&mut self, event: &PlanEvent<'_>) {
        if !self.is_wanted {
            return;
        }
        match event {
            PlanEvent::Descent { iteration, is_free } => self.descent(iteration, *is_free),
            PlanEvent::Search(event) => {
                self.head(" search  impacts               cost  programs");
                complain(&format!("{:7}  {:>7}  {:>17.9e}  {:>8}", "", event.impacts, event.cost, event.solved));
            }
            PlanEvent::Polished(motion) => {
                self.head(" polish  impacts               cost     depth  optimality  status");
                let (impacts, cost, depth) = (motion.times.len(), motion.cost, motion.depth);
                let (worst, status) = (motion.certificate.worst(), &motion.solution.outcome.status);
                complain(&format!("{:7}  {impacts:>7}  {cost:>17.9e}  {depth:>8.1e}  {worst:>10.1e}  {status}", ""));
            }
            PlanEvent::Solving(_) => {}
        }
    }

    fn descent(&mut self, iteration: &Iteration, is_free: bool) {
        self.head(match is_free {
            true => "   free               cost           integral       error  impacts",
            false => "descent               cost           integral       error  impacts",
        });
        let costs = &iteration.costs;
        let number = iteration.number + if is_free { 0 } else { self.done };
        let (total, integral, error) = (costs.total, costs.integral, costs.miss.max(0.0).sqrt());
        let impacts = iteration.crossings.len();
        complain(&format!("{number:>7}  {total:>17.9e}  {integral:>17.9e}  {error:>10.2e}  {impacts:>7}"));
    }

    /// Names of columns, when they change.
    fn head(&mut self, heading: &'static str) {
        if self.heading != heading {
            self.heading = heading;
            complain(&heading);
        }
    }
}
