//! One pair of axes with curves.

use super::axis::Axis;
use super::canvas::{Anchor, Canvas, Font, Stroke};
use super::colour::{FRAME, GRID, INK, QUIET};
use super::curve::{Place, stretches};
use plotters::style::RGBColor;

/// Pixels between ticks at least.
const TICK_SPACE: [f64; 2] = [60.0, 34.0];

/// Height of a line of a legend.
pub(super) const LEGEND_LINE: f64 = 15.0;

/// A rectangle of the sheet.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    pub left: f64,
    pub top: f64,
    pub width: f64,
    pub height: f64,
}

impl Frame {
    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    pub fn right(&self) -> f64 {
        self.left + self.width
    }
}

/// Axes on a frame.
pub(super) struct Panel {
    pub frame: Frame,
    pub x: Axis,
    pub y: Axis,
}

/// A curve with its colour.
pub(super) struct Curve {
    pub points: Vec<Place>,
    pub color: RGBColor,
    pub width: f64,
}

/// Draws the mark of an entry of a legend: its number, its place, its colour.
pub type Mark = dyn Fn(&mut Canvas<'_>, usize, [f64; 2], RGBColor);

impl Panel {
    /// Pixels of a point.
    pub fn pixel(&self, [x, y]: Place) -> [f64; 2] {
        let frame = &self.frame;
        [frame.left + self.x.place(x) * frame.width, frame.bottom() - self.y.place(y) * frame.height]
    }

    /// The point at a pixel.
    pub fn point(&self, [x, y]: [f64; 2]) -> Place {
        let frame = &self.frame;
        [self.x.value((x - frame.left) / frame.width), self.y.value((frame.bottom() - y) / frame.height)]
    }

    /// Grid, frame and tick texts; a panel above others leaves the texts of `x` to the lowest.
    pub fn axes(&self, canvas: &mut Canvas<'_>, x_texts: bool) {
        self.spaced_axes(canvas, x_texts, TICK_SPACE);
    }

    /// The same with other distances between ticks, for small panels.
    pub fn spaced_axes(&self, canvas: &mut Canvas<'_>, x_texts: bool, space: [f64; 2]) {
        let Frame { left, top, width, height } = self.frame;
        let (right, bottom) = (self.frame.right(), self.frame.bottom());
        let grid = Stroke { color: GRID, width: 0.75 };
        for (place, text) in self.x.ticks((width / space[0]) as usize) {
            let x = left + place * width;
            canvas.path(&[[x, top], [x, bottom]], grid);
            if x_texts {
                canvas.text(&text, [x, bottom + 13.0], &Font::new(11.0, Anchor::Center));
            }
        }
        for (place, text) in self.y.ticks(((height / space[1]) as usize).max(2)) {
            let y = bottom - place * height;
            canvas.path(&[[left, y], [right, y]], grid);
            canvas.text(&text, [left - 7.0, y], &Font::new(11.0, Anchor::Right));
        }
        let corners = [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]];
        canvas.path(&corners, Stroke { color: FRAME, width: 0.75 });
    }

    /// What the axes mean.
    pub fn labels(&self, canvas: &mut Canvas<'_>, x: Option<&str>, y: &str, y_distance: f64) {
        let (middle, height) = (self.frame.top + self.frame.height / 2.0, self.frame.bottom() + 33.0);
        // A long label shrinks to the height of the panel, as far as it stays readable.
        let room = (self.frame.height + 20.0) / (0.56 * y.chars().count().max(1) as f64);
        let upwards = Font { upwards: true, ..Font::new(room.clamp(8.5, 12.5), Anchor::Center) };
        canvas.text(y, [self.frame.left - y_distance, middle], &upwards);
        if let Some(x) = x {
            let center = self.frame.left + self.frame.width / 2.0;
            canvas.text(x, [center, height], &Font::new(12.5, Anchor::Center));
        }
    }

    /// A remark above the right end of the frame.
    pub fn remark(&self, canvas: &mut Canvas<'_>, text: &str) {
        if text.is_empty() {
            return;
        }
        let font = Font { color: QUIET, ..Font::new(11.0, Anchor::Right) };
        canvas.text(text, [self.frame.right(), self.frame.top - 9.0], &font);
    }

    /// A remark below the right end of the frame, beside the label.
    pub fn note(&self, canvas: &mut Canvas<'_>, text: &str) {
        if text.is_empty() {
            return;
        }
        let font = Font { color: QUIET, ..Font::new(11.0, Anchor::Right) };
        canvas.text(text, [self.frame.right(), self.frame.bottom() + 33.0], &font);
    }

    /// Coloured names above the frame, one for each curve, in as many lines as they need.
    pub fn legend(&self, canvas: &mut Canvas<'_>, names: &[(String, RGBColor)]) {
        self.legend_with(canvas, names, &|canvas, _, [x, y], color| {
            canvas.path(&[[x, y], [x + 14.0, y]], Stroke { color, width: 2.0 });
        });
    }

    /// The same with other marks than lines: `mark` draws that of an entry, by its number, 14 pixels wide from a place on.
    pub fn legend_with(&self, canvas: &mut Canvas<'_>, names: &[(String, RGBColor)], mark: &Mark) {
        let lines = legend_lines(names, self.frame.width);
        let mut number = 0;
        for (index, line) in lines.iter().enumerate() {
            let y = self.frame.top - 9.0 - LEGEND_LINE * (lines.len() - 1 - index) as f64;
            let mut x = self.frame.left;
            for (name, color) in line {
                mark(canvas, number, [x, y], *color);
                number += 1;
                canvas.text(name, [x + 19.0, y], &Font { color: INK, ..Font::new(11.0, Anchor::Left) });
                x += legend_width(name);
            }
        }
    }

    /// The curve; a stretch of one point is a dot.
    pub fn curve(&self, canvas: &mut Canvas<'_>, curve: &Curve) {
        for stretch in stretches(curve.points.iter().copied()) {
            let pixels: Vec<[f64; 2]> = stretch.into_iter().map(|point| self.pixel(point)).collect();
            match pixels[..] {
                [only] => canvas.dot(only, 1.5 * curve.width, curve.color),
                _ => canvas.path(&pixels, Stroke { color: curve.color, width: curve.width }),
            }
        }
    }
}

/// Names of a legend in lines not longer than `width`.
pub(super) fn legend_lines(names: &[(String, RGBColor)], width: f64) -> Vec<Vec<&(String, RGBColor)>> {
    let mut lines = vec![Vec::new()];
    let mut used = 0.0;
    for entry in names {
        used += legend_width(&entry.0);
        if used > width {
            lines.push(Vec::new());
            used = legend_width(&entry.0);
        }
        lines.last_mut().into_iter().for_each(|line| line.push(entry));
    }
    lines
}

/// Widths of texts are not known here; 7 pixels hold most letters of this size.
fn legend_width(name: &str) -> f64 {
    34.0 + 7.0 * name.chars().count() as f64
}
