//! Values as TOML writes them.

use super::xml::shown;

/// A letter with its sign, or three numbers.
pub(super) fn direction(axis: [f64; 3]) -> String {
    let letters = [("x", [1.0, 0.0, 0.0]), ("y", [0.0, 1.0, 0.0]), ("z", [0.0, 0.0, 1.0])];
    for (letter, unit) in letters {
        if axis == unit {
            return format!("\"{letter}\"");
        }
        if axis == unit.map(|part: f64| -part) {
            return format!("\"-{letter}\"");
        }
    }
    list(&axis)
}

/// Two slides across an axis, and the turn about it.
pub(super) fn plane(axis: [f64; 3]) -> String {
    match direction(axis).as_str() {
        "\"x\"" => return "\"yzx\"".to_owned(),
        "\"y\"" => return "\"xzy\"".to_owned(),
        "\"z\"" => return "\"xyz\"".to_owned(),
        _ => {}
    }
    // The first is across the letter that is farthest from the axis.
    let farthest = (0..3).min_by(|&i, &k| axis[i].abs().total_cmp(&axis[k].abs())).unwrap_or(0);
    let mut letter = [0.0; 3];
    letter[farthest] = 1.0;
    let first = unit(cross(letter, axis));
    let axes = [first, unit(cross(axis, first)), axis];
    format!("[{}]", axes.map(|axis| list(&axis)).join(", "))
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = vector.iter().map(|part| part * part).sum::<f64>().sqrt();
    vector.map(|part| part / length)
}

/// A number with all its digits.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:?}");
    match text.strip_suffix(".0") {
        Some("-0") => "0".to_owned(),
        Some(whole) => whole.to_owned(),
        None => text,
    }
}

/// Numbers in brackets.
pub(super) fn list(values: &[f64]) -> String {
    let numbers: Vec<String> = values.iter().map(|value| number(*value)).collect();
    format!("[{}]", numbers.join(", "))
}

/// One name, or a list of names.
pub(super) fn names(names: &[String]) -> String {
    match names {
        [name] => format!("\"{name}\""),
        _ => format!("[{}]", names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")),
    }
}

/// A text in quotes, as TOML writes it.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in shown(text).chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
