//! `REPORT.md`: a document's numbers and figures beside ours.

use super::case::names;
use super::declaration::{Case, Paper};
use super::summary::cells;
use super::verdict::Result as CaseResult;
use crate::failure::Failure;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The report in the folder of a document.
const FILE: &str = "REPORT.md";
/// Its figures.
const FIGURES: &str = "figures";

/// Writes the report of a document, and copies its figures.
pub fn write(paper: &Paper, results: &[CaseResult]) -> Result<PathBuf, Failure> {
    let mut text = format!(
        "# {}: reproduction\n\n{}\n\nWritten by `carom reproduce --all --report`; do not edit. What is wrong in print is explained in \
         [ERRATA.md](ERRATA.md), what is run and measured stands in [expected.toml](expected.toml).\n\n",
        paper.number, paper.title
    );
    text.push_str(&figures(paper));
    remove_earlier(&paper.folder.join(FIGURES))?;
    for case in &paper.cases {
        if let Some(result) = results.iter().find(|result| result.case == case.name) {
            text.push_str(&section(case, result));
            copy(paper, case, result)?;
        }
    }
    let path = paper.folder.join(FILE);
    let failed = |error| Failure::File { path: path.clone(), why: format!("cannot be written: {error}") };
    std::fs::write(&path, text).map_err(failed)?;
    Ok(path)
}

/// Which figure of the document is where.
fn figures(paper: &Paper) -> String {
    let mut text = "## Figures\n\n| in the document | ours | case |\n|---|---|---|\n".to_owned();
    for case in &paper.cases {
        for (figure, name) in case.figures.iter().zip(names(case)) {
            let link = format!("{FIGURES}/{}-{}", case.name, name.display());
            let _ =
                writeln!(text, "| {} | [{}]({link}) | {} |", escape(&figure.number), escape(&figure.shows), case.name);
        }
    }
    text.push('\n');
    if let Some(note) = &paper.note {
        let _ = writeln!(text, "{note}\n");
    }
    text
}

fn section(case: &Case, result: &CaseResult) -> String {
    let mut text = format!("## {}: {}\n\n{}\n\n", case.name, case.title, case.source);
    for run in &case.runs {
        let exit = if run.exit == 0 { String::new() } else { format!(" (ends with exit code {})", run.exit) };
        let _ = writeln!(text, "- `{}`: `carom {}`{exit}", run.name, run.words.join(" "));
    }
    text.push_str("\n| check | printed | reference | from | ours | error | tolerance | verdict |\n|---|---|---|---|---|---|---|---|\n");
    for (check, checked) in case.checks.iter().zip(&result.checks) {
        let [printed, reference, ours, error] = cells(checked).map(|cell| escape(&cell));
        let (name, from, verdict) = (escape(&checked.name), escape(&check.from), checked.verdict.name());
        let tolerance = check.tolerance;
        let _ = writeln!(
            text,
            "| {name} | {printed} | {reference} | {from} | {ours} | {error} | {tolerance:e} | {verdict} |"
        );
    }
    text.push('\n');
    for check in &case.checks {
        let shown = check.shown_by.as_ref().map(|test| format!("shown by `{test}`"));
        let said: Vec<String> = [check.note.clone(), shown].into_iter().flatten().collect();
        if !said.is_empty() {
            let _ = writeln!(text, "- {}: {}.", check.name, said.join("; "));
        }
    }
    text.push('\n');
    text
}

/// Copies the figures of a case beside the report.
fn copy(paper: &Paper, case: &Case, result: &CaseResult) -> Result<(), Failure> {
    let folder = paper.folder.join(FIGURES);
    let failed =
        |path: &Path, error| Failure::File { path: path.to_owned(), why: format!("cannot be written: {error}") };
    std::fs::create_dir_all(&folder).map_err(|error| failed(&folder, error))?;
    for file in result.figures.iter().filter(|file| file.ends_with(".svg")) {
        let name = Path::new(file).file_name().unwrap_or_default().to_string_lossy();
        let to = folder.join(format!("{}-{name}", case.name));
        std::fs::copy(file, &to).map_err(|error| failed(&to, error))?;
    }
    Ok(())
}

/// Figures of an earlier report may have had other names.
fn remove_earlier(folder: &Path) -> Result<(), Failure> {
    let Ok(found) = std::fs::read_dir(folder) else { return Ok(()) };
    for path in found.filter_map(|entry| Some(entry.ok()?.path())) {
        if path.extension().is_some_and(|extension| extension == "svg") {
            let failed = |error| Failure::File { path: path.clone(), why: format!("cannot be removed: {error}") };
            std::fs::remove_file(&path).map_err(failed)?;
        }
    }
    Ok(())
}

/// Text in a cell of a table.
fn escape(text: &str) -> String {
    text.replace('|', "\\|")
}
