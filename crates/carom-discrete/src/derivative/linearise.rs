//! From the record of a run to a chain of linear maps.

use super::{DiscreteTangent, EventDerivative, failed};
use crate::tape::{Piece, Record, Solved};
use carom_impact::{Arrival, NotDifferentiable};
use carom_linalg::max_abs;
use carom_model::{Closed, Impact};

/// Corrections of a velocity behind a momentum.
const MAX_CORRECTIONS: usize = 20;
/// Times closer than this part of themselves (at least 1) are the same.
const SAME_TIME: f64 = 1e-9;

/// A link of the chain. The linear state is `(dq, dp, dt, dE)`.
pub(super) enum Link {
    /// A segment whose duration is given, or ends at a node: `dh = -share dt`.
    Segment(SegmentLink),
    /// The projection of a momentum onto the constraints; unknowns and inputs of the map.
    Projection { mode: usize, at: Vec<f64> },
    /// A node of the grid: `dt = 0`; the state there.
    Node { mode: usize, at: Vec<f64> },
    /// A matrix of the state and the parameters, row by row.
    Dense(Vec<f64>),
}

/// A segment, with its share of the duration of its step and what has passed of it before.
pub(super) struct SegmentLink {
    pub(super) mode: usize,
    pub(super) solver: usize,
    pub(super) at: Vec<f64>,
    pub(super) share: f64,
    pub(super) elapsed: f64,
}

/// The chain of a run.
pub(super) struct Linearised {
    /// `d(q, p, t, E)/d(q0, v0, parameters)`
    pub(super) start: Vec<f64>,
    pub(super) links: Vec<Link>,
    pub(super) events: Vec<EventDerivative>,
    /// For each event the number of the link that ends at it.
    pub(super) ends: Vec<usize>,
}

/// Where the reading of a record stands.
pub(super) struct Reader<'r> {
    pub(super) impacts: std::slice::Iter<'r, Impact>,
    pub(super) mode: usize,
    pub(super) chain: Linearised,
    /// The energy that is carried along, if there is one.
    pub(super) has_ledger: bool,
    /// An impact that the next entrance completes: the contacts that were closed before.
    pub(super) event: Option<Event>,
    pub(super) t: f64,
    /// Position and momentum.
    pub(super) end: Vec<f64>,
    /// A variational jump that the next segment completes.
    pub(super) departure: Option<Departure>,
}

/// A jump whose momentum the next segment determines.
pub(super) struct Departure {
    /// Rows of `(q, p, t, E)` after the law, by columns of `(q, p, t, E, parameters)` before it.
    pub(super) rows: Vec<Vec<f64>>,
    /// Rows of the direction.
    pub(super) direction_rows: Vec<Vec<f64>>,
    /// Energy that the segment begins with, and the direction.
    pub(super) data: Vec<f64>,
}

/// An event that waits for the mode after it.
pub(super) struct Event {
    pub(super) arrival: Arrival,
    pub(super) before: usize,
    /// State `(q, v, t, parameters)` before.
    pub(super) state: Vec<f64>,
    /// The slope of the guard.
    pub(super) slope: Vec<f64>,
    /// Number of the link that ends at it.
    pub(super) link: usize,
}

impl DiscreteTangent {
    pub(super) fn linearise(&mut self, record: &Record) -> Result<Linearised, NotDifferentiable> {
        self.refuse_events(record)?;
        // Contacts may settle before the motion begins: the last entrance counts.
        let entrances = record.pieces.iter().take_while(|piece| matches!(piece, Piece::Enter { .. })).count();
        let Some(Piece::Enter { t, q, closed, .. }) = entrances.checked_sub(1).map(|last| &record.pieces[last]) else {
            return Ok(Linearised { start: Vec::new(), links: Vec::new(), events: Vec::new(), ends: Vec::new() });
        };
        if record.impacts.first().is_some_and(|impact| impact.t == *t) {
            return Err(NotDifferentiable::NotSupported {
                what: "an impact at the initial instant".to_owned(),
                advice: "begin a little earlier or later",
            });
        }
        // The position is moved onto the constraints, the velocity is the given one.
        let begin = (*t, &q[..], &record.start.2[..]);
        let mode = self.mode(closed)?;
        let start = self.start(begin, mode)?;
        let chain = Linearised { start, links: Vec::new(), events: Vec::new(), ends: Vec::new() };
        let has_ledger = self.is_conservative && !self.rubs(closed);
        let (impacts, t) = (record.impacts.iter(), *t);
        let end = self.initial_momentum(begin, mode)?;
        let mut reader = Reader { impacts, mode, chain, has_ledger, event: None, t, end, departure: None };
        for piece in &record.pieces[entrances..] {
            match piece {
                Piece::Enter { t, q, v, closed } => self.enter(&mut reader, (*t, q, v), closed)?,
                Piece::Motion { solved, arrival: Arrival::End } => self.reach_node(&mut reader, solved)?,
                Piece::Motion { solved, arrival } => self.reach_event(&mut reader, solved, *arrival)?,
                Piece::Node => self.node(&mut reader)?,
            }
        }
        Ok(reader.chain)
    }

    /// Accumulations and touches are seen without a look at the segments.
    fn refuse_events(&self, record: &Record) -> Result<(), NotDifferentiable> {
        if let Some(&(time, contact)) = record.accumulations.first() {
            return Err(NotDifferentiable::Accumulation { time, contact: self.contacts[contact].clone() });
        }
        if let Some(&(time, contact)) = record.touches.first() {
            return Err(NotDifferentiable::Grazing { time, contact: self.contacts[contact].clone(), rate: 0.0 });
        }
        Ok(())
    }

    /// True if a contact slides with friction.
    pub(super) fn rubs(&self, closed: &[Closed]) -> bool {
        let rubs =
            |hold: carom_model::Hold| matches!(hold, carom_model::Hold::Slide { friction, .. } if friction > 0.0);
        closed.iter().any(|closed| rubs(closed.hold))
    }

    /// A step, or the rest of one, up to a node of the grid.
    fn reach_node(&mut self, reader: &mut Reader<'_>, solved: &[Solved]) -> Result<(), NotDifferentiable> {
        if solved.is_empty() {
            return Err(NotDifferentiable::NotSupported {
                what: format!("an event at a node of the grid, to rounding (t = {})", reader.t),
                advice: "change the step a little",
            });
        }
        if let Some(departure) = reader.departure.take() {
            return self.depart(reader, departure, solved, None);
        }
        for link in self.segments(reader.mode, solved) {
            let projection = self.arrive(reader, &link)?;
            reader.chain.links.push(Link::Segment(link));
            reader.chain.links.extend(projection.map(|at| Link::Projection { mode: reader.mode, at }));
        }
        Ok(())
    }

    /// Moves to the end of a segment; the projection there, if there are constraints.
    pub(super) fn arrive(
        &mut self,
        reader: &mut Reader<'_>,
        link: &SegmentLink,
    ) -> Result<Option<Vec<f64>>, NotDifferentiable> {
        let place = self.time_place(link);
        reader.t = link.at[place] + link.at[place - 1];
        let maps = &mut self.modes[link.mode];
        reader.end = maps.segments[link.solver].outputs(&link.at)[..2 * self.n].to_vec();
        if !maps.is_constrained {
            return Ok(None);
        }
        let at = self.momentum_state(link.mode, &reader.end, reader.t)?;
        let tangent = self.modes[link.mode].legendre.outputs(&at)[self.n..].to_vec();
        reader.end[self.n..].copy_from_slice(&tangent);
        Ok(Some(at))
    }

    /// Where the time stands in the inputs of a segment.
    pub(super) fn time_place(&self, link: &SegmentLink) -> usize {
        link.at.len() - self.kept.len() - 1
    }

    /// The segments of a step with their shares.
    pub(super) fn segments(&mut self, mode: usize, solved: &[Solved]) -> Vec<SegmentLink> {
        let duration = |one: &Solved| one.at[one.at.len() - 2];
        let total: f64 = solved.iter().map(duration).sum();
        let mut elapsed = 0.0;
        let mut links = Vec::with_capacity(solved.len());
        for one in solved {
            let share = duration(one) / total;
            let mut at = [&one.at[..], &self.values].concat();
            // Without multipliers among the unknowns of the run they are found here: the equations are linear in them.
            let map = &mut self.modes[mode].segments[one.solver];
            if self.options.formulation != crate::null_space::Formulation::Multipliers {
                let _ = map.correct(&mut at);
            }
            links.push(SegmentLink { mode, solver: one.solver, at, share, elapsed });
            elapsed += share;
        }
        links
    }

    /// Unknowns and inputs of the map from a momentum to a velocity, at `(q, p)`.
    pub(super) fn momentum_state(&mut self, mode: usize, end: &[f64], t: f64) -> Result<Vec<f64>, NotDifferentiable> {
        let map = &mut self.modes[mode].legendre;
        let mut at = [&vec![0.0; map.unknown_count()][..], end, &[t], &self.values].concat();
        for _ in 0..MAX_CORRECTIONS {
            let change = map.correct(&mut at).map_err(|error| failed(t, error))?;
            if change <= 1e-14 * max_abs(&at[..self.n]).max(1e-300) {
                break;
            }
        }
        Ok(at)
    }

    /// A node of the grid.
    fn node(&mut self, reader: &mut Reader<'_>) -> Result<(), NotDifferentiable> {
        let at = self.momentum_state(reader.mode, &reader.end, reader.t)?;
        reader.chain.links.push(Link::Node { mode: reader.mode, at });
        Ok(())
    }

    /// The impact of the record that belongs to a time.
    pub(super) fn impact_at<'r>(reader: &mut Reader<'r>, t: f64) -> Option<&'r Impact> {
        let next = reader.impacts.as_slice().first()?;
        if (next.t - t).abs() > SAME_TIME * t.abs().max(1.0) {
            return None;
        }
        reader.impacts.next()
    }
}
