//! Mistakes in the TOML itself.

use super::source::{Place, Report};

impl Report {
    /// Reports the errors of the TOML parser, one per line: more are consequences.
    pub(super) fn toml_errors(&mut self, errors: &[toml::de::Error]) {
        let mut lines = Vec::new();
        for error in errors {
            let place = Place::in_file(error.span().unwrap_or(0..0));
            let line = self.line(place);
            if lines.contains(&line) {
                continue;
            }
            lines.push(line);
            self.error("toml", place, error.message().to_owned(), Some(self.toml_help(place)));
        }
    }

    /// The usual mistake is an expression without quotes.
    fn toml_help(&self, place: Place) -> String {
        let text = self.sources.first().map_or("", |file| file.text.as_str());
        let before = text.get(..place.start).unwrap_or("");
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let line = text.get(line..).and_then(|rest| rest.lines().next()).unwrap_or("");
        match line.split_once('=') {
            Some((key, value)) if !value.contains(['"', '\'']) && !value.trim().is_empty() => {
                format!("expressions are written in quotes: `{} = \"{}\"`", key.trim(), value.trim())
            }
            _ => "a model file is TOML: `key = 1.0`, `key = \"expression\"`, `[section]`".to_owned(),
        }
    }
}
