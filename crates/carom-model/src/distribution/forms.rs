//! The one-forms of all constraints at the initial configuration and near it.

use super::samples::{Row, independent, measure, nearby};
use crate::dynamics::Dynamics;
use crate::frame::{Frame, pivots};
use crate::legendre::Legendre;
use carom_expr::{Graph, Id};

/// Configurations near the initial one.
const NEARBY: usize = 8;
/// With more one-forms than this, no frame is adapted to them: minors would be too many.
const MAX_FORMS: usize = 6;

/// A configuration and the one-forms there.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub q: Vec<f64>,
    pub rows: Vec<Row>,
}

/// The one-forms `[dg; omega]`, row by row.
pub(super) struct Forms {
    n: usize,
    /// How many of them are holonomic.
    holonomic: usize,
    ids: Vec<Id>,
    /// The initial configuration, then others.
    pub samples: Vec<Sample>,
}

/// Forms that are independent at almost all configurations and say as much as all, at samples where they do.
pub(super) struct Regular {
    n: usize,
    has_holonomic: bool,
    /// The forms, row by row.
    pub ids: Vec<Id>,
    pub samples: Vec<Sample>,
}

impl Forms {
    /// None if the forms are not finite at the initial configuration `q`.
    pub fn new(dynamics: &Dynamics, q: &[f64], legendre: Option<&mut Legendre>, graph: &mut Graph) -> Option<Self> {
        let (n, holonomic, ids) = (q.len(), dynamics.constraints.len(), dynamics.jacobian(graph));
        let mut points = nearby(q, NEARBY);
        if holonomic > 0 {
            // Off the surface `g = 0` the constraints may say something else.
            let others = points.split_off(1);
            if let Some(legendre) = legendre {
                let onto = |mut q: Vec<f64>| legendre.project_configuration(&mut q).ok().map(|()| q);
                points.extend(others.into_iter().filter_map(onto));
            }
        }
        let values = measure(graph, &dynamics.q, &points, &ids);
        values.first()?.as_ref()?;
        let known = points.into_iter().zip(values).filter_map(|(q, values)| Some((q, values?)));
        let samples = known.map(|(q, values)| Sample { q, rows: values.chunks_exact(n).map(Row::new).collect() });
        Some(Self { n, holonomic, ids, samples: samples.collect() })
    }

    /// Number of coordinates.
    pub fn dimension(&self) -> usize {
        self.n
    }

    /// Rank of the holonomic constraints at almost all configurations.
    pub fn holonomic_rank(&self) -> usize {
        let ranks = self.samples.iter().map(|sample| independent(&sample.rows[..self.holonomic]).len());
        ranks.max().unwrap_or(0)
    }

    /// Leaves out forms and configurations that disturb.
    pub fn regular(&self) -> Regular {
        let bases = self.samples.iter().map(|sample| independent(&sample.rows));
        // Of several the first, so that the initial configuration counts most.
        let mut chosen = bases.rev().max_by_key(Vec::len).unwrap_or_default();
        chosen.sort_unstable();
        let ids = chosen.iter().flat_map(|&row| self.ids[row * self.n..(row + 1) * self.n].to_vec()).collect();
        let pick = |sample: &Sample| Sample {
            q: sample.q.clone(),
            rows: chosen.iter().map(|&row| sample.rows[row].clone()).collect(),
        };
        let samples = self.samples.iter().map(pick).filter(|sample| independent(&sample.rows).len() == chosen.len());
        Regular { n: self.n, has_holonomic: self.holonomic > 0, ids, samples: samples.collect() }
    }
}

impl Regular {
    /// Number of forms.
    pub fn rank(&self) -> usize {
        self.ids.len() / self.n
    }

    /// The configurations.
    pub fn points(&self) -> Vec<Vec<f64>> {
        self.samples.iter().map(|sample| sample.q.clone()).collect()
    }

    /// Fields that span the distribution at almost all configurations, the first sample among them.
    pub fn fields(&self, graph: &mut Graph, dynamics: &Dynamics) -> Option<Vec<Vec<Id>>> {
        let frame = match self.declared(graph, dynamics) {
            Some(frame) => frame,
            None if self.rank() > MAX_FORMS => return None,
            None => {
                let matrix: Vec<f64> = self.samples.first()?.rows.iter().flat_map(|row| row.values.clone()).collect();
                Frame::adapted(graph, &self.ids, self.n, &pivots(&matrix, self.n)?)
            }
        };
        Some(frame.span().iter().map(|field| field.components.clone()).collect())
    }

    /// The frame of the model, if its fields span the distribution at all samples.
    fn declared(&self, graph: &Graph, dynamics: &Dynamics) -> Option<Frame> {
        let frame =
            dynamics.frame.as_ref().filter(|frame| !self.has_holonomic && frame.rank + self.rank() == self.n)?;
        let span = &frame.matrix()[..frame.rank * self.n];
        let spans = |values: Option<Vec<_>>| {
            let rows: Vec<Row> = values?.chunks_exact(self.n).map(Row::new).collect();
            (independent(&rows).len() == frame.rank).then_some(())
        };
        measure(graph, &dynamics.q, &self.points(), span).into_iter().map(spans).collect::<Option<Vec<()>>>()?;
        Some(frame.clone())
    }
}
