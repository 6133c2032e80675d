//! What a drawing traces, for a motion and for the smooth path behind it, over the ground.

use super::super::canvas::Canvas;
use super::super::curve::Place;
use super::super::panel::{Curve, Frame, Panel};
use super::scene::{Scene, node_state};
use super::{ground, sheet, trace};
use crate::Run;
use crate::error::ReportError;
use carom_model::Trajectory;
use plotters::style::RGBColor;

/// A part of the plane with both curves.
pub(in super::super) struct Plane {
    panel: Panel,
    grounds: Vec<ground::Ground>,
    /// Of the path and of the motion.
    curves: [Vec<Vec<Place>>; 2],
}

impl Plane {
    /// The plane below `top`; none if nothing is traced, or if the path is not made of all coordinates.
    pub fn new(run: &Run<'_>, top: f64) -> Result<Option<Self>, ReportError> {
        let Some(path) = run.path.filter(|path| path.names == run.trajectory.coordinates) else { return Ok(None) };
        let mut scene = Scene::new(run.system, run.drawing)?;
        let smooth = Trajectory { t: path.t.clone(), q: path.z.clone(), v: path.dz.clone(), ..run.trajectory.header() };
        let mut curves = |motion: &Trajectory| -> Vec<Vec<Place>> {
            trace::traces(&mut scene, motion, f64::INFINITY).into_iter().map(|trace| trace.points).collect()
        };
        let curves = [curves(&smooth), curves(run.trajectory)];
        if curves[0].is_empty() {
            return Ok(None);
        }
        let panel = sheet::Sheet::around(curves.iter().flatten().flatten().copied()).panel();
        let panel = Panel { frame: Frame { top, ..panel.frame }, ..panel };
        let state = node_state(run.trajectory, run.trajectory.len() - 1);
        let grounds = ground::grounds(run.system, run.drawing, &state, &panel)?;
        Ok(Some(Self { panel, grounds, curves }))
    }

    /// Where it ends.
    pub fn bottom(&self) -> f64 {
        self.panel.frame.bottom()
    }

    /// Draws the ground, the path and the motion.
    pub fn draw(&self, canvas: &mut Canvas<'_>, looks: [(RGBColor, f64); 2]) {
        self.panel.axes(canvas, true);
        self.grounds.iter().for_each(|ground| ground.draw(canvas));
        for (curves, (color, width)) in self.curves.iter().zip(looks) {
            for points in curves {
                self.panel.curve(canvas, &Curve { points: points.clone(), color, width });
            }
        }
        self.panel.remark(canvas, &super::powers(&self.panel));
    }
}
