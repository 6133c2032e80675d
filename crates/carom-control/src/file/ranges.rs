//! Ranges as they are written: `0`, `[0, 1]`, `{ min = 0 }`, `{ range = [0, 1], guess = 0.5 }`.

use super::numbers::Scope;
use super::schema::{UNKNOWN, names};
use carom_model::reading::{Entry, Place, Report, entries, items, suggest_from};
use carom_nlp::Range;
use toml::de::DeValue;

/// A range, and what else stands in its table.
pub(super) struct Bounded<'a> {
    pub range: Range,
    pub place: Place,
    /// Keys that are not about the range.
    pub rest: Vec<Entry<'a>>,
}

impl Scope<'_> {
    /// A range in any form; a table may have the keys `rest` as well.
    pub fn range<'a>(&self, report: &mut Report, entry: &Entry<'a>, what: &str, rest: &[&str]) -> Option<Bounded<'a>> {
        let bounded = |range: Range| Some(Bounded { range, place: entry.place, rest: Vec::new() });
        match entry.value {
            DeValue::Array(_) => self.pair(report, entry, what).and_then(bounded),
            DeValue::Table(table) => self.table(report, entry, entries(table), what, rest),
            DeValue::Integer(_) | DeValue::Float(_) | DeValue::String(_) => {
                self.number(report, entry, what).map(Range::fixed).and_then(bounded)
            }
            _ => {
                report.wrong_type(entry, "a number or a range", &format!("{} = [0, 1]", plain(&entry.key)));
                None
            }
        }
    }

    /// `[lower, upper]`
    fn pair(&self, report: &mut Report, entry: &Entry<'_>, what: &str) -> Option<Range> {
        let list = items(entry).unwrap_or_default();
        let [lower, upper] = &list[..] else {
            let message = format!("{what}: expected a lower and an upper bound, found {} numbers", list.len());
            let help = "write `[lower, upper]`, with `-inf` or `inf` where there is no bound".to_owned();
            report.error("wrong-type", entry.place, message, Some(help));
            return None;
        };
        // Both are looked at, so that both are reported.
        let bounds = [lower, upper].map(|bound| self.bound(report, bound, what));
        let [Some(lower), Some(upper)] = bounds else { return None };
        checked(report, Range::new(lower, upper), entry.place, what)
    }

    fn table<'a>(
        &self,
        report: &mut Report,
        entry: &Entry<'a>,
        fields: Vec<Entry<'a>>,
        what: &str,
        allowed: &[&str],
    ) -> Option<Bounded<'a>> {
        let (mut range, mut is_sound, mut rest, mut given) = (Range::FREE, true, Vec::new(), Vec::new());
        for field in fields {
            let number = match field.key.as_str() {
                "range" => self.range(report, &field, what, &[]).map(|bounded| range = bounded.range),
                "min" => self.bound(report, &field, what).map(|lower| range.lower = lower),
                "max" => self.bound(report, &field, what).map(|upper| range.upper = upper),
                key if allowed.contains(&key) => {
                    rest.push(field);
                    continue;
                }
                _ => {
                    let known: Vec<&str> = names(&UNKNOWN[..3]).into_iter().chain(allowed.iter().copied()).collect();
                    unknown_key(report, &field, what, &known);
                    // What was meant is not known, so nothing is missing.
                    given.push(field);
                    is_sound = false;
                    continue;
                }
            };
            is_sound &= number.is_some();
            given.push(field);
        }
        let has = |key: &str| given.iter().find(|field| field.key == key);
        if let (Some(field), Some(_)) = (has("range"), has("min").or(has("max"))) {
            let help = "keep one of them".to_owned();
            report.error(
                "conflict",
                field.key_place,
                format!("{what} has both `range` and `min` or `max`"),
                Some(help),
            );
            return None;
        }
        if given.is_empty() {
            let help = "write `range = [lower, upper]`, `min = lower` or `max = upper`".to_owned();
            report.error("missing-key", entry.place, format!("{what} has no range"), Some(help));
            return None;
        }
        if !is_sound {
            return None;
        }
        checked(report, range, entry.place, what).map(|range| Bounded { range, place: entry.place, rest })
    }
}

/// Refuses ranges without a number in them.
fn checked(report: &mut Report, range: Range, place: Place, what: &str) -> Option<Range> {
    let Range { lower, upper } = range;
    if lower <= upper && lower < f64::INFINITY && upper > f64::NEG_INFINITY {
        return Some(range);
    }
    let message = format!("{what}: no number lies between {lower} and {upper}");
    report.error("conflict", place, message, Some("the lower bound stands first".to_owned()));
    None
}

/// A key that means nothing here.
pub(super) fn unknown_key(report: &mut Report, entry: &Entry<'_>, owner: &str, allowed: &[&str]) {
    let help = suggest_from(&entry.key, "allowed keys", allowed);
    report.error("unknown-key", entry.key_place, format!("{owner} has no key `{}`", entry.key), Some(help));
}

/// A key as it is written.
fn plain(key: &str) -> String {
    let is_bare = !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if is_bare { key.to_owned() } else { format!("\"{key}\"") }
}
