//! `carom import`: a robot from a URDF file as a model file, and what was left out.

use crate::args::Import;
use crate::failure::Failure;
use crate::output::print;
use crate::table::Table;
use carom::model::urdf::{self, Base, ImportOptions, Remark, UrdfError, What};
use serde_json::{Value, json};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// Lines that one row of the table lists.
const LISTED: usize = 6;

/// Runs the command.
pub fn run(args: &Import) -> Result<(), Failure> {
    match import(args) {
        // The message is on standard output; the exit code stays.
        Err(Failure::Robot { error, .. }) if args.json => {
            let (code, line, message) = (error.code(), error.line(), error.to_string());
            print(&json!({ "valid": false, "error": { "code": code, "line": line, "message": message } }))?;
            Err(Failure::Reported { is_unreadable: false })
        }
        told => told,
    }
}

fn import(args: &Import) -> Result<(), Failure> {
    let text = read(&args.robot)?;
    let base = Base::ALL.into_iter().find(|base| base.name() == args.base).unwrap_or_default();
    let options = ImportOptions { base, drawings: !args.no_drawings, ..ImportOptions::default() };
    let found = urdf::import(&text, &options).map_err(|error| not_a_robot(&args.robot, error))?;
    let path = args.out.clone().unwrap_or_else(|| default_file(&args.robot));
    write(&path, &found.model, args.force)?;
    if args.json { print(&describe(&found, &path)) } else { print(&tell(&found, &path)) }
}

/// The text of a file, not much longer than what is read of it.
fn read(path: &Path) -> Result<String, Failure> {
    let unreadable =
        |why: std::io::Error| Failure::File { path: path.to_owned(), why: format!("cannot be read: {why}") };
    let file = std::fs::File::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(urdf::MAX_FILE as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|error| {
        let before = error.as_bytes().get(..error.utf8_error().valid_up_to()).unwrap_or_default();
        let after_break = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let (column, message) = (1 + after_break.len(), "it is not UTF-8 text; save it as UTF-8".to_owned());
        not_a_robot(path, UrdfError::Xml { line, column, message })
    })
}

fn not_a_robot(path: &Path, error: UrdfError) -> Failure {
    Failure::Robot { path: path.to_owned(), error: Box::new(error) }
}

/// In the current folder: that of the robot may be somebody else's.
fn default_file(robot: &Path) -> PathBuf {
    let mut name = robot.file_stem().unwrap_or_default().to_owned();
    name.push(".toml");
    PathBuf::from(name)
}

fn write(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    options.open(path).and_then(|mut file| file.write_all(text.as_bytes())).map_err(|error| {
        let why = match error.kind() {
            ErrorKind::AlreadyExists => "exists already; use --force to overwrite it, or --out".to_owned(),
            _ => format!("cannot be written: {error}"),
        };
        Failure::File { path: path.to_owned(), why }
    })
}

fn tell(found: &urdf::Import, path: &Path) -> String {
    let mut table = Table::default();
    let list = |names: &[String]| if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    table.row(["model", &path.display().to_string()]);
    table.row(["bodies", &found.bodies.len().to_string()]);
    table.row(["coordinates", &list(&found.coordinates)]);
    table.row(["inputs", &list(&found.inputs)]);
    let mut remarks = Table::default();
    remarks.row(["remark", "lines", "what"]);
    let groups = groups(&found.remarks);
    for group in &groups {
        let what = match group.as_slice() {
            [single] => format!("{}: {}", single.subject, single.what),
            [first, ..] => format!("{}: {}; {} more", first.subject, first.what, group.len() - 1),
            [] => continue,
        };
        remarks.row([group[0].what.code(), &lines(group), &what]);
    }
    let next = format!("Next: carom check {}", path.display());
    if groups.is_empty() { format!("{table}\n\n{next}") } else { format!("{table}\n\n{remarks}\n\n{next}") }
}

/// Remarks of one kind, about one kind of element, in the order of the first of each.
fn groups(remarks: &[Remark]) -> Vec<Vec<&Remark>> {
    let kind = |remark: &Remark| match &remark.what {
        What::Ignored(name) | What::Unknown(name) | What::Repeated(name) | What::Material(name) => {
            (remark.what.code(), name.clone())
        }
        what => (what.code(), String::new()),
    };
    let mut groups: Vec<((&str, String), Vec<&Remark>)> = Vec::new();
    for remark in remarks {
        let kind = kind(remark);
        match groups.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, group)) => group.push(remark),
            None => groups.push((kind, vec![remark])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn lines(group: &[&Remark]) -> String {
    let mut lines: Vec<String> = group.iter().take(LISTED).map(|remark| remark.line.to_string()).collect();
    if group.len() > LISTED {
        lines.push("...".to_owned());
    }
    lines.join(", ")
}

fn describe(found: &urdf::Import, path: &Path) -> Value {
    let remark = |remark: &Remark| {
        json!({
            "line": remark.line,
            "code": remark.what.code(),
            "subject": remark.subject,
            "message": remark.what.to_string(),
        })
    };
    json!({
        "valid": true,
        "model": path,
        "bodies": found.bodies,
        "coordinates": found.coordinates,
        "inputs": found.inputs,
        "remarks": found.remarks.iter().map(remark).collect::<Vec<_>>(),
    })
}
