//! Whatever a command prints: a number on its last line.

use crate::objective::{Answer, Ask, Neighbour, Objective};
use std::io::Read;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

/// How often a running command is looked at.
const PATIENCE: Duration = Duration::from_millis(5);
/// Most bytes of output that are looked at.
const MAX_OUTPUT: u64 = 1 << 24;

/// A command whose arguments have places `{name}` for the design variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandObjective {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// Names of the design variables.
    pub names: Vec<String>,
    /// Where it is run.
    pub folder: PathBuf,
}

impl CommandObjective {
    /// The program and its arguments at a design. Numbers are written with all their digits.
    pub fn at(&self, design: &[f64]) -> Vec<String> {
        let fill = |word: &String| {
            let pairs = self.names.iter().zip(design);
            pairs.fold(word.clone(), |word, (name, value)| word.replace(&format!("{{{name}}}"), &format!("{value:?}")))
        };
        self.words.iter().map(fill).collect()
    }

    fn run(&self, design: &[f64], stop: &(dyn Fn() -> bool + Sync)) -> Result<Option<f64>, String> {
        let words = self.at(design);
        let (program, arguments) = words.split_first().ok_or("there is no command")?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        if !self.folder.as_os_str().is_empty() {
            command.current_dir(&self.folder);
        }
        let mut child = command.spawn().map_err(|error| format!("`{program}` cannot be run: {error}"))?;
        // What it prints is read while it runs, so that it never waits for a reader.
        let output = child.stdout.take();
        let reader = std::thread::spawn(move || {
            let mut text = Vec::new();
            output.map(|output| output.take(MAX_OUTPUT).read_to_end(&mut text)).transpose().map(|_| text)
        });
        let status = loop {
            match child.try_wait().map_err(|error| format!("`{program}`: {error}"))? {
                Some(status) => break status,
                None if stop() => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Ok(None);
                }
                None => std::thread::sleep(PATIENCE),
            }
        };
        // Ctrl-C in a terminal reaches the command too, perhaps before it reaches us.
        if status.code().is_none() {
            std::thread::sleep(10 * PATIENCE);
        }
        if !status.success() {
            return Err(format!("`{program}` ended with {status}"));
        }
        let text = reader.join().map_err(|_| "its output was lost".to_owned())?.map_err(|error| error.to_string())?;
        last_number(&String::from_utf8_lossy(&text)).map(Some)
    }
}

/// The number on the last line that is not empty.
fn last_number(text: &str) -> Result<f64, String> {
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty()).ok_or("it printed nothing")?;
    match line.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => {
            Err(format!("its last line is `{}`, which is no finite number", line.chars().take(80).collect::<String>()))
        }
    }
}

impl Objective for CommandObjective {
    fn kind(&self) -> &'static str {
        "a command"
    }

    fn evaluate(&self, ask: &Ask, _near: &[Neighbour<'_>], stop: &(dyn Fn() -> bool + Sync)) -> Answer {
        let Ask::At(design) = ask else { return Answer::failed(&[], "a command does not know its best design") };
        match self.run(design, stop) {
            Ok(Some(cost)) => Answer::of(design, cost),
            Ok(None) => Answer { is_stopped: true, ..Answer::failed(design, "stopped") },
            Err(why) => Answer { is_stopped: stop(), ..Answer::failed(design, why) },
        }
    }
}
