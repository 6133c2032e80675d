//! Pictures as PNG: their size, that something is drawn, and that letters are drawn without any font of the machine.
#![cfg(feature = "png")]

use carom_report::{ReportError, png};
use resvg::tiny_skia::Pixmap;
use std::path::PathBuf;

/// A white drawing of 200 by 100 with something on it.
fn drawing(name: &str, content: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("carom-png-{name}-{}.svg", std::process::id()));
    let head = r#"<svg width="200" height="100" viewBox="0 0 200 100" xmlns="http://www.w3.org/2000/svg">"#;
    let ground = r##"<rect width="200" height="100" fill="#FFFFFF"/>"##;
    std::fs::write(&path, format!("{head}{ground}{content}</svg>")).unwrap();
    path
}

/// A label as `plot` writes it.
fn label(text: &str) -> String {
    format!(r##"<text x="20" y="50" font-family="sans-serif" font-size="20" fill="#000000">{text}</text>"##)
}

fn picture(name: &str, content: &str) -> Pixmap {
    let path = drawing(name, content);
    let bytes = png(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    Pixmap::decode_png(&bytes).unwrap()
}

fn dark(picture: &Pixmap) -> usize {
    picture.pixels().iter().filter(|pixel| pixel.alpha() > 200 && pixel.red() < 100).count()
}

#[test]
fn a_picture_has_twice_the_size_of_its_drawing() {
    let found = picture("size", "");
    assert_eq!((found.width(), found.height(), dark(&found)), (400, 200, 0));
}

#[test]
fn lines_are_where_they_belong() {
    let found = picture("line", r##"<line x1="0" y1="50" x2="200" y2="50" stroke="#000000" stroke-width="2"/>"##);
    // Two units of the drawing, of 200: four rows of 400 pixels.
    assert_eq!(dark(&found), 4 * 400);
    assert!(found.pixel(200, 100).is_some_and(|pixel| pixel.red() < 100));
}

#[test]
fn letters_are_drawn() {
    let count = |name, text| dark(&picture(name, &label(text)));
    let (one, four) = (count("one", "E"), count("four", "EEEE"));
    // A letter of 20 units is more than a speck, and four of them are four times as much ink.
    assert!(one > 100 && four.abs_diff(4 * one) < one / 2, "{one} {four}");
}

/// A letter that the font does not have is a box, which looks like any other one.
#[test]
fn greek_letters_and_signs_are_in_the_font() {
    let missing = picture("missing", &label("\u{4E00}"));
    for (index, text) in ["φ", "θ", "λ", "Δ", "²", "⁻", "₁", "−", "×", "°", "…"].iter().enumerate() {
        let found = picture(&format!("sign-{index}"), &label(text));
        assert!(dark(&found) > 0 && found.data() != missing.data(), "{text}");
    }
}

#[test]
fn what_is_no_drawing_is_refused() {
    let path = std::env::temp_dir().join(format!("carom-png-none-{}.svg", std::process::id()));
    assert!(matches!(png(&path), Err(ReportError::Read { .. })));
    std::fs::write(&path, "no drawing").unwrap();
    assert!(matches!(png(&path), Err(ReportError::Picture { .. })));
    std::fs::remove_file(path).unwrap();
}
