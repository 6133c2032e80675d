//! A sheet to draw on, in pixels with fractions.

use plotters::backend::{DrawingBackend, SVGBackend};
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{Color, FontStyle, FontTransform, IntoFont, RGBColor, ShapeStyle, TextStyle};
use std::fmt::Display;

/// The back end knows whole units only; eight of them per pixel keep curves smooth.
const UNITS: f64 = 8.0;
/// The back end divides font sizes by this number.
const FONT_FACTOR: f64 = 1.24;

/// A sheet of pixels; the first failure is kept until the end.
pub(super) struct Canvas<'a> {
    backend: SVGBackend<'a>,
    failure: Option<String>,
}

/// How a line looks.
#[derive(Clone, Copy)]
pub(super) struct Stroke {
    pub color: RGBColor,
    pub width: f64,
}

/// Where a text stands relative to its point.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Anchor {
    Left,
    Center,
    Right,
}

/// How a text looks; it is centred vertically on its point.
#[derive(Clone, Copy)]
pub(super) struct Font {
    pub size: f64,
    pub anchor: Anchor,
    pub color: RGBColor,
    pub bold: bool,
    pub upwards: bool,
}

impl Font {
    pub fn new(size: f64, anchor: Anchor) -> Self {
        Self { size, anchor, color: super::colour::INK, bold: false, upwards: false }
    }

    fn style(&self) -> TextStyle<'_> {
        let weight = if self.bold { FontStyle::Bold } else { FontStyle::Normal };
        let mut font = ("sans-serif", self.size * UNITS * FONT_FACTOR).into_font().style(weight);
        if self.upwards {
            font = font.transform(FontTransform::Rotate270);
        }
        let horizontal = match self.anchor {
            Anchor::Left => HPos::Left,
            Anchor::Center => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        TextStyle::from(font).color(&self.color).pos(Pos::new(horizontal, VPos::Center))
    }
}

impl Canvas<'_> {
    /// The SVG text of what `paint` draws on a white sheet; `layer`, elements in pixels, lies on top.
    pub fn draw(size: [f64; 2], layer: &str, paint: impl FnOnce(&mut Canvas<'_>)) -> Result<String, String> {
        let mut text = String::new();
        let [width, height] = size.map(|length| (length * UNITS) as u32);
        let mut canvas = Canvas { backend: SVGBackend::with_string(&mut text, (width, height)), failure: None };
        canvas.polygon(&[[0.0, 0.0], [size[0], 0.0], size, [0.0, size[1]]], RGBColor(255, 255, 255));
        paint(&mut canvas);
        let presented = canvas.backend.present();
        canvas.note(presented);
        let failure = canvas.failure.take();
        drop(canvas);
        // Back to pixels on the page; ends and corners are round everywhere.
        let head = format!("<svg width=\"{width}\" height=\"{height}\"");
        let shape = "stroke-linecap=\"round\" stroke-linejoin=\"round\"";
        let page = format!("<svg width=\"{}\" height=\"{}\" {shape}", size[0], size[1]);
        let mut text = text.replacen(&head, &page, 1);
        if let (false, Some(end)) = (layer.is_empty(), text.rfind("</svg>")) {
            text.insert_str(end, &format!("<g transform=\"scale({UNITS})\">\n{layer}</g>\n"));
        }
        failure.map_or(Ok(text), Err)
    }

    /// Joins points by straight lines.
    pub fn path(&mut self, points: &[[f64; 2]], stroke: Stroke) {
        let points: Vec<(i32, i32)> = points.iter().map(|&point| units(point)).collect();
        let drawn = self.backend.draw_path(points, &shape(stroke));
        self.note(drawn);
    }

    /// Fills a polygon.
    pub fn polygon(&mut self, points: &[[f64; 2]], color: RGBColor) {
        let points: Vec<(i32, i32)> = points.iter().map(|&point| units(point)).collect();
        let drawn = self.backend.fill_polygon(points, &color.to_rgba());
        self.note(drawn);
    }

    /// Fills a polygon; what is below shines through.
    pub fn shade(&mut self, points: &[[f64; 2]], color: RGBColor, opacity: f64) {
        let points: Vec<(i32, i32)> = points.iter().map(|&point| units(point)).collect();
        let drawn = self.backend.fill_polygon(points, &color.mix(opacity));
        self.note(drawn);
    }

    /// Fills a circle.
    pub fn dot(&mut self, center: [f64; 2], radius: f64, color: RGBColor) {
        let style = color.filled();
        let drawn = self.backend.draw_circle(units(center), (radius * UNITS) as u32, &style, true);
        self.note(drawn);
    }

    /// Writes a text.
    pub fn text(&mut self, text: &str, at: [f64; 2], font: &Font) {
        let drawn = self.backend.draw_text(text, &font.style(), units(at));
        self.note(drawn);
    }

    fn note<E: Display>(&mut self, drawn: Result<(), E>) {
        if let Err(error) = drawn {
            self.failure.get_or_insert(error.to_string());
        }
    }
}

fn units([x, y]: [f64; 2]) -> (i32, i32) {
    ((x * UNITS).round() as i32, (y * UNITS).round() as i32)
}

fn shape(stroke: Stroke) -> ShapeStyle {
    ShapeStyle { color: stroke.color.to_rgba(), filled: false, stroke_width: (stroke.width * UNITS).round() as u32 }
}
