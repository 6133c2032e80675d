//! `carom project`: the projection onto the feasible set of a model, what is proved of it, and its picture.

mod describe;
mod json;
mod report;

use super::load;
use crate::args::Project;
use crate::failure::Failure;
use crate::output::{complain, print};
use crate::projection::{derive, number};
use carom::Model;
use carom::model::projection::{Projection, ProjectionKind, Verification, VerifyOptions};
use carom::report::plot::{ProjectionFigure, projection as draw};
use report::Report;
use serde_json::json;
use std::path::PathBuf;

/// Runs the command.
pub fn run(args: &Project) -> Result<(), Failure> {
    match report(args) {
        // The message is on standard output; the exit code stays.
        Err(Failure::Projection(error)) if args.json => {
            print(&json!({ "valid": false, "error": { "code": error.code(), "message": error.to_string() } }))?;
            Err(Failure::Reported { is_unreadable: false })
        }
        told => told,
    }
}

fn report(args: &Project) -> Result<(), Failure> {
    let model = load(&args.model, &args.set)?;
    let projection = derive(&model, &args.design)?;
    let options = VerifyOptions { samples: args.samples as usize, ..VerifyOptions::default() };
    let verification = projection.verify(&model.system, &options).map_err(Failure::Projection)?;
    let impact = impact(args, &model, &projection)?;
    let mut files = Vec::new();
    if !args.no_plots {
        match picture(args, &model, &projection, impact.as_deref())? {
            Some(file) => files.push(file),
            None => complain(&no_picture(&projection)),
        }
    }
    let report = Report::new(&model, &projection, &verification);
    match args.json {
        true => print(&json::object(&report, impact.as_deref(), &files))?,
        false => print(&describe::text(&report, impact.as_deref(), &files))?,
    }
    passed(args, &verification)
}

/// A map that does not do what it should is no result to go on with.
fn passed(args: &Project, verification: &Verification) -> Result<(), Failure> {
    match verification.require() {
        Err(error) if args.json => {
            complain(&Failure::Projection(error));
            Err(Failure::Unverified)
        }
        outcome => outcome.map_err(Failure::Projection),
    }
}

/// The impact of the local projection, for systems of which samples are drawn.
fn impact(args: &Project, model: &Model, projection: &Projection) -> Result<Option<Vec<f64>>, Failure> {
    let simple = projection.simple();
    let normal = match projection.kind() {
        ProjectionKind::Global(normal) if simple.dimension() == 2 => normal,
        _ if args.impact.is_empty() => return Ok(None),
        _ => {
            let why = "--impact: the local projection is drawn for two coordinates only".to_owned();
            return Err(Failure::Settings(why));
        }
    };
    let mut at: Vec<f64> = simple.places.iter().map(|&place| model.initial.q[place]).collect();
    let names: Vec<&str> = simple.coordinates.iter().map(|coordinate| coordinate.name.as_str()).collect();
    let mut is_whole = false;
    for (name, value) in &args.impact {
        let place = names.iter().position(|known| known == name).ok_or_else(|| {
            Failure::Settings(format!("--impact: there is no coordinate `{name}`; coordinates: {}", names.join(", ")))
        })?;
        at[place] = number(model, "--impact", value)?;
        is_whole |= place == normal.monotonic.coordinate;
    }
    // A place that was given must touch by itself.
    if is_whole {
        return Ok(Some(at));
    }
    let mut map = projection.map().map_err(Failure::Projection)?;
    match map.along(&at, normal.monotonic.coordinate, 0.0) {
        // Nobody has asked for this place: the picture does without it.
        Err(_) if args.impact.is_empty() => Ok(None),
        found => found.map(Some).map_err(Failure::Projection),
    }
}

fn picture(
    args: &Project,
    model: &Model,
    projection: &Projection,
    impact: Option<&[f64]>,
) -> Result<Option<PathBuf>, Failure> {
    let local = impact.map(|impact| Projection::local(&model.system, impact)).transpose();
    let local = local.map_err(Failure::Projection)?;
    let title = format!("{}: projection onto the feasible set", model.system.name());
    let figure = ProjectionFigure { title: &title, projection, local: local.as_ref() };
    let folder = args.out.clone().unwrap_or_else(|| super::default_folder(&args.model));
    Ok(draw(&figure, &folder)?)
}

fn no_picture(projection: &Projection) -> String {
    let count = projection.simple().dimension();
    format!("note: no picture is drawn: samples of {count} coordinates do not fit on a plane")
}
