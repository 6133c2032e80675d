//! `carom reproduce`: the examples of the source documents, against what is printed there.

use crate::args::Reproduce;
use crate::failure::Failure;
use crate::output::{complain, print};
use crate::reproduce::declaration::{Case, Paper, Verdict};
use crate::reproduce::{self, CaseResult, Options};
use carom::model::reading::suggest_from;
use serde_json::{Value, json};

/// Runs the command.
pub fn run(args: &Reproduce) -> Result<(), Failure> {
    if args.report && !args.all {
        let message = "--report writes the reports of all documents, and needs --all";
        return Err(Failure::Settings(message.to_owned()));
    }
    if args.cases.is_empty() && !args.all && !args.list {
        let message = "reproduce what? Give names of cases (--list shows them), or --all";
        return Err(Failure::Usage(message.to_owned()));
    }
    let papers = reproduce::read_all(&args.papers)?;
    if args.list {
        return if args.json { print(&list(&papers)) } else { print(&reproduce::list(&papers)) };
    }
    let wanted = select(args, &papers)?;
    let options = Options {
        out: &args.out,
        is_quick: args.quick,
        is_fresh: args.fresh,
        no_plots: args.no_plots,
        is_quiet: args.quiet,
    };
    let (results, failures) = run_all(args, &wanted, options)?;
    if args.json {
        print(&if !args.all && wanted.len() == 1 { reproduce::json(&results) } else { array(&results) })?;
    } else if !args.quiet {
        print(&reproduce::counts(&results))?;
    }
    if args.report && failures.is_empty() {
        for paper in &papers {
            let path = reproduce::write_report(paper, &results)?;
            complain(&path.display());
        }
    }
    verdict(&results, failures)
}

/// What a case came to, or why it came to nothing.
type Outcomes<'a> = (Vec<CaseResult>, Vec<(&'a str, Failure)>);

/// Runs the cases; one that fails does not keep the others from running.
fn run_all<'a>(
    args: &Reproduce,
    wanted: &[(&'a Paper, &'a Case)],
    options: Options<'_>,
) -> Result<Outcomes<'a>, Failure> {
    let (mut results, mut failures) = (Vec::new(), Vec::new());
    for (number, (paper, case)) in wanted.iter().enumerate() {
        if !args.quiet {
            complain(&format!("[{}/{}] {}: {}", number + 1, wanted.len(), case.name, case.title));
        }
        match reproduce::reproduce(paper, case, options) {
            Ok((result, is_kept)) => {
                if !args.json && !args.quiet {
                    print(&reproduce::table(&result, is_kept))?;
                }
                results.push(result);
            }
            Err(failure) => {
                complain(&format!("{}: {failure}", case.name));
                failures.push((case.name.as_str(), failure));
            }
        }
    }
    Ok((results, failures))
}

/// The cases that were asked for.
fn select<'a>(args: &Reproduce, papers: &'a [Paper]) -> Result<Vec<(&'a Paper, &'a Case)>, Failure> {
    let all: Vec<_> = papers.iter().flat_map(|paper| paper.cases.iter().map(move |case| (paper, case))).collect();
    if args.all {
        return Ok(all);
    }
    let one = |name: &String| {
        let found = all.iter().find(|(_, case)| case.name == *name);
        found.copied().ok_or_else(|| {
            let names: Vec<&str> = all.iter().map(|(_, case)| case.name.as_str()).collect();
            Failure::Settings(format!("there is no case `{name}`; {}", suggest_from(name, "cases", &names)))
        })
    };
    // A case that is named twice is run once.
    let first = |(index, name): &(usize, &String)| !args.cases[..*index].contains(name);
    args.cases.iter().enumerate().filter(first).map(|(_, name)| one(name)).collect()
}

fn list(papers: &[Paper]) -> Value {
    let one = |paper: &Paper, case: &Case| {
        json!({
            "case": case.name, "document": paper.number, "source": case.source, "title": case.title,
            "long": case.runs.iter().any(|run| run.is_long),
        })
    };
    papers.iter().flat_map(|paper| paper.cases.iter().map(|case| one(paper, case))).collect()
}

fn array(results: &[CaseResult]) -> Value {
    results.iter().map(CaseResult::json).collect()
}

/// What the exit code says: what failed first, then what disagrees.
fn verdict(results: &[CaseResult], failures: Vec<(&str, Failure)>) -> Result<(), Failure> {
    if let Some((name, failure)) = failures.into_iter().next() {
        return Err(match failure {
            Failure::Run(message) => Failure::Run(format!("{name}: {message}")),
            other => other,
        });
    }
    let wrong = results.iter().flat_map(|result| {
        let wrong = result.checks.iter().filter(|check| check.verdict == Verdict::Disagrees);
        wrong.map(|check| format!("{}: {}", result.case, check.name))
    });
    let wrong: Vec<String> = wrong.collect();
    match wrong.is_empty() {
        true => Ok(()),
        false => Err(Failure::Disagrees(format!("{} checks disagree: {}", wrong.len(), wrong.join("; ")))),
    }
}
