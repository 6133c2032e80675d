//! The branches of `--continue`.

use super::failure;
use crate::args::Orbit as Arguments;
use crate::failure::Failure;
use crate::output::complain;
use crate::progress::Progress;
use crate::projection::number;
use carom::Model;
use carom::control::orbit::{Branch, BranchOptions, Family, Kind, Orbit, OrbitChoice, double_branch, follow_branch};
use carom::flow::FlowOptions;

/// What is followed, and from where to where.
pub(super) struct Course {
    pub(super) family: Family,
    range: (f64, f64),
}

/// What `--continue`, `--from` and `--to` say; known before anything is searched.
pub(super) fn course(args: &Arguments, model: &Model) -> Result<Option<Course>, Failure> {
    let Some(parameter) = args.continue_in.clone() else { return Ok(None) };
    let family = Family {
        text: model.source.clone(),
        file: args.model.display().to_string(),
        overrides: args.set.clone(),
        parameter: parameter.clone(),
    };
    let own = family.value(model).map_err(failure)?;
    let Some(to) = &args.to else {
        return Err(Failure::Settings("--continue needs the last value of the parameter, `--to VALUE`".to_owned()));
    };
    let to = number(model, "--to", to)?;
    let from = args.from.as_deref().map_or(Ok(own), |text| number(model, "--from", text))?;
    if from == to {
        return Err(Failure::Settings(format!("the branch begins and ends at {parameter} = {to}; give another --to")));
    }
    Ok(Some(Course { family, range: (from, to) }))
}

/// The branch through the orbit, and that of twice the period.
pub(super) fn follow(
    args: &Arguments,
    choice: &OrbitChoice,
    course: &Course,
    orbit: &Orbit,
    flow: FlowOptions,
) -> Result<Vec<Branch>, Failure> {
    let Course { family, range: (from, to) } = course;
    let options = BranchOptions { max_points: args.points as usize, ..BranchOptions::default() };
    let mut progress = Progress::new((to - from).abs(), args.quiet || args.json);
    let mut observe = |parameter: f64| {
        progress.observe((parameter - from).abs());
        true
    };
    let first = follow_branch(family, choice, &orbit.state, (*from, *to), (flow, options), &mut |point| {
        observe(point.parameter)
    });
    let mut all = vec![first.map_err(failure)?];
    let doubling = all[0].of(Kind::PeriodDoubling).next().cloned();
    if let Some(doubling) = doubling.as_ref().filter(|_| args.double) {
        let second =
            double_branch(family, choice, doubling, *to, (flow, options), &mut |point| observe(point.parameter));
        all.push(second.map_err(failure)?);
    }
    progress.finish();
    if args.double && doubling.is_none() && !args.quiet {
        complain(
            &"note: --double: the branch has no period doubling, so that no orbit of twice the period begins on it",
        );
    }
    Ok(all)
}
