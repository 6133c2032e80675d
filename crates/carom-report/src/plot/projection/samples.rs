//! What becomes of configurations: samples of a window of the plane.

use super::super::curve::Place;
use super::super::panel::Panel;
use carom_model::projection::{ProjectionError, ProjectionMap};

/// Pixels between samples.
const SPACE: f64 = 10.0;
/// Gaps of images above minus this are feasible.
const ROUNDING: f64 = 1e-9;

/// How the plane shows configurations: its directions are the coordinate that stays, and the other or the gap.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    /// The coordinate to the right.
    pub stay: usize,
    /// The coordinate that the gap replaces.
    pub replaced: usize,
    /// Upwards goes the gap.
    pub is_normal: bool,
}

impl View {
    /// The configuration at a place.
    pub fn configuration(&self, map: &mut ProjectionMap, [right, up]: Place) -> Result<Vec<f64>, ProjectionError> {
        let mut u = vec![0.0; 2];
        u[self.stay] = right;
        if self.is_normal {
            return map.along(&u, self.replaced, up);
        }
        u[self.replaced] = up;
        Ok(u)
    }

    /// Where a configuration is shown.
    pub fn place(&self, map: &mut ProjectionMap, u: &[f64]) -> Place {
        [u[self.stay], if self.is_normal { map.gap(u) } else { u[self.replaced] }]
    }
}

/// Samples of one panel.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// Infeasible, with feasible images.
    pub projected: Vec<Place>,
    /// The images.
    pub images: Vec<Place>,
    /// Infeasible, and so are their images.
    pub lost: Vec<Place>,
}

impl Samples {
    /// Looks at a lattice of places of a panel, as fine as pixels allow.
    pub fn of(map: &mut ProjectionMap, view: View, panel: &Panel) -> Self {
        let frame = panel.frame;
        let [columns, rows] = [frame.width, frame.height].map(|length| (length / SPACE).floor().max(1.0) as usize);
        let mut found = Self::default();
        for (j, i) in (0..rows).flat_map(|j| (0..columns).map(move |i| (j, i))) {
            let pixel = [
                frame.left + frame.width * (i as f64 + 0.5) / columns as f64,
                frame.top + frame.height * (j as f64 + 0.5) / rows as f64,
            ];
            let place = panel.point(pixel);
            // A place without a configuration is nothing to look at.
            let Ok(u) = view.configuration(map, place) else { continue };
            if map.gap(&u) >= 0.0 {
                continue;
            }
            match map.outer(&u) {
                Ok((image, _)) if map.gap(&image) >= -ROUNDING => {
                    found.projected.push(place);
                    found.images.push(view.place(map, &image));
                }
                _ => found.lost.push(place),
            }
        }
        found
    }

    /// How many of the infeasible ones are lost, in words.
    pub fn tell(&self) -> String {
        let (lost, all) = (self.lost.len(), self.lost.len() + self.projected.len());
        match lost {
            0 => format!("all {all} infeasible samples are projected"),
            _ => format!("{lost} of {all} infeasible samples are not projected"),
        }
    }
}
