//! One reading reports all mistakes, but no consequences of mistakes.

use carom_model::{Diagnostics, Model};

fn read(text: &str) -> Diagnostics {
    Model::from_text(text, "wrong.toml", &[]).err().unwrap_or_else(|| panic!("this was read without an error:\n{text}"))
}

fn codes(text: &str) -> Vec<(&'static str, usize)> {
    read(text).0.iter().map(|diagnostic| (diagnostic.code, diagnostic.line)).collect()
}

#[test]
fn mistakes_of_all_sections_are_reported_together() {
    let text = r#"name = 3
lagrangian = "0.5*m*x'^2 - kk*x"
[parameters]
m = "1/0"
k = [1]
a = "b"
b = "a"
[coordinates]
x = { initial = 1, volocity = 2 }
[forces]
z = "x"
[simulation]
step = -1
[[draw]]
type = "rod"
from = [0, "q"]
to = ["x"]
"#;
    let mut found = codes(text);
    found.sort_by_key(|(_, line)| *line);
    let expected = [
        ("wrong-type", 1),
        ("unknown-name", 2),
        ("not-finite", 4),
        ("wrong-type", 5),
        ("cycle", 6),
        ("unknown-key", 9),
        ("unknown-coordinate", 11),
        ("not-positive", 13),
        ("unknown-name", 16),
        ("wrong-type", 17),
    ];
    assert_eq!(found, expected);
}

#[test]
fn consequences_are_not_reported() {
    // Everything here follows from the first mistake.
    let of_parameter = "lagrangian = \"m*x'^2\"\n[coordinates]\nx = \"m\"\n[parameters]\nm = \"1 +\"\nn = \"2*m\"\n";
    assert_eq!(codes(of_parameter), [("expression", 5)]);
    let of_definition =
        "lagrangian = \"r'^2\"\n[coordinates]\nx = 1\n[definitions]\nr = \"sin(\"\ns = \"2*r\"\n[forces]\nx = \"s\"\n";
    assert_eq!(codes(of_definition), [("expression", 5)]);
    let of_section = "lagrangian = \"m*x'^2\"\nparameters = 3\n[coordinates]\nx = \"m\"\n";
    assert_eq!(codes(of_section), [("wrong-type", 2)]);
    let of_type = "lagrangian = true\n[coordinates]\nx = 1\n";
    assert_eq!(codes(of_type), [("wrong-type", 1)]);
}

#[test]
fn several_toml_errors_are_reported() {
    let text = "lagrangian = x^2\n[coordinates]\nx = 1 2\ny = \"1\n";
    assert_eq!(codes(text), [("toml", 1), ("toml", 3), ("toml", 4)]);
}

#[test]
fn mistakes_are_shown_like_a_compiler_shows_them() {
    let text = "lagrangian = \"0.5*mass*x'^2\"\n[coordinates]\nx = 1\n[parameters]\nmas = 1\n";
    let shown = read(text).to_string();
    let expected = "\
error[unknown-name]: unknown name `mass`
 --> wrong.toml:1:19
  |
1 | lagrangian = \"0.5*mass*x'^2\"
  |                   ^^^^
  = help: did you mean `mas`?";
    assert_eq!(shown, expected);
}
