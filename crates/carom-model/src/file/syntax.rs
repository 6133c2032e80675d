//! Mistakes in the TOML itself.

use super::source::{Place, Report};

/// Most errors that are reported.
const MAX_ERRORS: usize = 20;

/// Longest value that is repeated in a message.
const MAX_QUOTED: usize = 80;

impl Report {
    /// Reports the errors of the TOML parser, one per line: more are consequences.
    pub fn toml_errors(&mut self, errors: &[toml::de::Error]) {
        let mut lines = Vec::new();
        for error in errors {
            let place = Place::in_file(error.span().unwrap_or(0..0));
            let line = self.line(place);
            if lines.contains(&line) || lines.len() >= MAX_ERRORS {
                continue;
            }
            lines.push(line);
            let help = match error.message() {
                "duplicate key" => "a section can have each key once; remove or rename one of them".to_owned(),
                _ => self.toml_help(place),
            };
            self.error("toml", place, error.message().to_owned(), Some(help));
        }
    }

    /// The usual mistake is an expression without quotes.
    fn toml_help(&self, place: Place) -> String {
        let text = self.sources.first().map_or("", |file| file.text.as_str());
        let before = text.get(..place.start).unwrap_or("");
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let line = text.get(line..).and_then(|rest| rest.lines().next()).unwrap_or("");
        match line.split_once('=') {
            Some((key, value)) if is_unquoted(value) => {
                format!("expressions are written in quotes: `{} = \"{}\"`", key.trim(), value.trim())
            }
            _ => "the file is TOML: `key = 1.0`, `key = \"expression\"`, `[section]`".to_owned(),
        }
    }
}

fn is_unquoted(value: &str) -> bool {
    let value = value.trim();
    (1..MAX_QUOTED).contains(&value.len()) && !value.contains('"') && !value.starts_with(['\'', '[', '{', '#'])
}
