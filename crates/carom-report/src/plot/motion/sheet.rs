//! The part of the plane that is shown, and how much of the page it takes.

use super::super::axis::Axis;
use super::super::curve::Place;
use super::super::panel::{Frame, Panel};
use super::super::{TITLE, WIDTH};

/// Room left and right of the frame.
const SIDES: [f64; 2] = [64.0, 24.0];
/// Room below the frame: tick texts, then the legend.
const BELOW: f64 = 66.0;
/// Heights of the frame, from flat to tall motions.
const HEIGHTS: [f64; 2] = [150.0, 640.0];
/// Empty part of the frame on each side.
const MARGIN: f64 = 0.1;

/// A window of the plane, in a frame of the same proportions.
pub(super) struct Sheet {
    low: Place,
    high: Place,
    frame: Frame,
}

impl Sheet {
    /// The smallest sheet with all finite points and a margin.
    pub fn around(points: impl Iterator<Item = Place>) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for point in points.filter(|point| point.iter().all(|x| x.is_finite())) {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis]);
                high[axis] = high[axis].max(point[axis]);
            }
        }
        if low[0] > high[0] {
            (low, high) = ([-1.0; 2], [1.0; 2]);
        }
        let center = [0, 1].map(|axis| low[axis] / 2.0 + high[axis] / 2.0);
        let mut half = [0, 1].map(|axis| (high[axis] / 2.0 - low[axis] / 2.0) * (1.0 + 2.0 * MARGIN));
        let largest = half[0].max(half[1]);
        // A single point gets a window of its own size.
        let least = if largest > 0.0 { 0.0 } else { center[0].abs().max(center[1].abs()).max(1.0) };
        half = half.map(|half| half.max(least).max(1e-3 * largest));
        let frame = fit(&mut half);
        let edge = |sign: f64| [center[0] + sign * half[0], center[1] + sign * half[1]];
        Self { low: edge(-1.0), high: edge(1.0), frame }
    }

    /// The axes.
    pub fn panel(&self) -> Panel {
        let axis = |axis: usize| Axis::exactly(self.low[axis], self.high[axis]);
        Panel { frame: self.frame, x: axis(0), y: axis(1) }
    }

    /// Height of the page.
    pub fn height(&self) -> f64 {
        self.frame.bottom() + BELOW
    }

    /// Where the legend's texts stand.
    pub fn legend_top(&self) -> f64 {
        self.frame.bottom() + 46.0
    }

    /// Room for the legend.
    pub fn legend_width(&self) -> f64 {
        WIDTH - SIDES[0] - SIDES[1] - 30.0
    }
}

/// A frame for a window; the window grows where the frame reaches its limits.
fn fit(half: &mut [f64; 2]) -> Frame {
    let room = WIDTH - SIDES[0] - SIDES[1];
    let height = (room * half[1] / half[0]).clamp(HEIGHTS[0], HEIGHTS[1]);
    // Tall motions get a narrower frame, but not narrower than tall.
    let width = (height * half[0] / half[1]).clamp(height.min(room), room);
    let scale = (half[0] / width).max(half[1] / height);
    *half = [scale * width, scale * height];
    Frame { left: SIDES[0] + (room - width) / 2.0, top: TITLE + 8.0, width, height }
}
