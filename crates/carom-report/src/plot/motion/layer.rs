//! Elements of SVG that move by themselves (SMIL): attributes with a list of values over time.

use super::super::label::minus;
use super::frames::Frame;
use plotters::style::RGBColor;

/// Seconds that the last frame stands, so that the end is seen.
const HOLD: f64 = 0.6;

/// When the frames are shown.
pub(super) struct Clock {
    /// Shares of the period, one per frame; the last frame stands until 1.
    keys: Vec<f64>,
    key_times: String,
    period: f64,
}

impl Clock {
    /// All frames within `seconds`, over and over.
    pub fn new(frames: &[Frame], seconds: f64) -> Self {
        let [start, end] = [frames.first(), frames.last()].map(|frame| frame.map_or(0.0, |frame| frame.time));
        let period = seconds + HOLD;
        let share = |frame: &Frame| (frame.time - start) / (end - start) * seconds / period;
        let keys: Vec<f64> = frames.iter().map(share).collect();
        let mut texts: Vec<String> = keys.iter().map(|key| short(*key, 4)).collect();
        texts.push("1".to_owned());
        Self { keys, key_times: texts.join(";"), period }
    }

    /// Attributes of a list of values, one per frame.
    fn timing(&self, values: &[String]) -> String {
        let last = values.last().map_or("", String::as_str);
        let (values, keys, period) = (values.join(";"), &self.key_times, short(self.period, 2));
        format!("dur=\"{period}s\" repeatCount=\"indefinite\" keyTimes=\"{keys}\" values=\"{values};{last}\"")
    }

    /// An element whose attributes have one value per frame; those that never change stand still.
    pub fn element(&self, tag: &str, fixed: &str, tracks: &[(&str, Vec<String>)]) -> String {
        let (mut first, mut moving) = (String::new(), String::new());
        for (name, values) in tracks {
            first += &format!(" {name}=\"{}\"", values.first().map_or("", String::as_str));
            if changes(values) {
                moving += &format!("<animate attributeName=\"{name}\" {}/>", self.timing(values));
            }
        }
        format!("<{tag} {fixed}{first}>{moving}</{tag}>\n")
    }

    /// An element or a group that is moved by a transformation: its beginning, until its content.
    pub fn transformed(&self, tag: &str, attributes: &str, kind: &str, values: &[String]) -> String {
        let first = values.first().map_or("", String::as_str);
        let moving = match changes(values) {
            true => format!("<animateTransform attributeName=\"transform\" type=\"{kind}\" {}/>", self.timing(values)),
            false => String::new(),
        };
        format!("<{tag} {attributes}transform=\"{kind}({first})\">{moving}")
    }

    /// A text that is seen while a frame is shown.
    pub fn caption(&self, frame: usize, [x, y]: [f64; 2], color: RGBColor, text: &str) -> String {
        let from = self.keys[frame];
        let until = self.keys.get(frame + 1).copied().unwrap_or(1.0);
        let (mut keys, mut values, mut first) = (vec!["0".to_owned()], vec!["visible"], "visible");
        if frame > 0 {
            (values, first) = (vec!["hidden", "visible"], "hidden");
            keys.push(short(from, 4));
        }
        if frame + 1 < self.keys.len() {
            values.push("hidden");
            keys.push(short(until, 4));
        }
        let (keys, values, period) = (keys.join(";"), values.join(";"), short(self.period, 2));
        let style = format!("font-size=\"11\" font-family=\"sans-serif\" fill=\"{}\"", hex(color));
        format!(
            "<text x=\"{}\" y=\"{}\" {style} visibility=\"{first}\">{text}<animate attributeName=\"visibility\" \
             calcMode=\"discrete\" dur=\"{period}s\" repeatCount=\"indefinite\" keyTimes=\"{keys}\" values=\"{values}\"/></text>\n",
            short(x, 1),
            short(y, 1)
        )
    }

    /// True if a frame is never seen: another one follows at once.
    pub fn is_skipped(&self, frame: usize) -> bool {
        self.keys.get(frame + 1).is_some_and(|next| short(*next, 4) == short(self.keys[frame], 4))
    }
}

fn changes(values: &[String]) -> bool {
    values.iter().any(|value| Some(value) != values.first())
}

/// A number with few digits.
pub(super) fn short(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// A time among others that span `span`.
pub(super) fn time(value: f64, span: f64) -> String {
    let decimals = (2.0 - span.log10().floor()).clamp(0.0, 9.0) as usize;
    minus(&format!("{value:.decimals$}"))
}

/// A colour as `#rrggbb`.
pub(super) fn hex(RGBColor(red, green, blue): RGBColor) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
