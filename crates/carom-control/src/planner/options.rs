//! How a motion is planned.

use super::descent::DescentOptions;
use super::search::SearchOptions;
use crate::error::ControlError;
use crate::solve::SolveOptions;
use carom_model::projection::ProjectionOptions;

/// Most impacts that may be searched.
const MAX_IMPACTS: usize = 50;

/// How a motion is planned.
#[derive(Clone, Debug)]
pub struct PlanOptions {
    /// The projection.
    pub projection: ProjectionOptions,
    /// Stages of the spline.
    pub stages: usize,
    /// Gauss points of each piece of the spline.
    pub points: usize,
    /// `K_F`, the price of missing the end.
    pub penalty: f64,
    /// The descent over splines.
    pub descent: DescentOptions,
    /// Prices of missing the end, one after the other, with free knots at the crossings; no such descent if empty.
    pub penalties: Vec<f64>,
    /// Limit of iterations of each descent with free knots.
    pub free_iterations: usize,
    /// The search over numbers of impacts; splines only if absent.
    pub search: Option<SearchOptions>,
    /// How programs of the search are solved.
    pub flights: SolveOptions,
    /// Intervals of a flight in the search.
    pub flight_intervals: usize,
    /// How the best motions are solved in the end.
    pub polish: SolveOptions,
    /// Intervals of a flight in the end.
    pub intervals: usize,
}

impl Default for PlanOptions {
    fn default() -> Self {
        let mut flights = SolveOptions { transcription: "gauss2".to_owned(), ..SolveOptions::default() };
        flights.solver = "interior".to_owned();
        flights.nlp.max_iterations = 60;
        let mut polish = SolveOptions { transcription: "gauss3".to_owned(), ..SolveOptions::default() };
        polish.nlp.tolerance = 1e-10;
        Self {
            projection: ProjectionOptions::default(),
            stages: 50,
            points: 6,
            penalty: 3000.0,
            descent: DescentOptions { max_iterations: 40, ..DescentOptions::default() },
            penalties: vec![3e3, 3e4],
            free_iterations: 30,
            search: Some(SearchOptions::default()),
            flights,
            flight_intervals: 3,
            polish,
            intervals: 8,
        }
    }
}

impl PlanOptions {
    /// The method as printed: descent over splines that are twice continuously differentiable, and nothing else.
    pub fn printed(iterations: usize) -> Self {
        let descent = DescentOptions { max_iterations: iterations, ..DescentOptions::default() };
        Self { descent, penalties: Vec::new(), search: None, ..Self::default() }
    }

    /// Refuses numbers that make no sense.
    pub(super) fn check(&self) -> Result<(), ControlError> {
        let refuse = |why: &str| Err(ControlError::Plan { why: why.to_owned() });
        let is_price = |price: f64| price > 0.0 && price.is_finite();
        if self.stages == 0 || self.stages > 10_000 {
            return refuse("there must be from 1 to 10000 stages");
        }
        if self.points == 0 || self.points > 20 {
            return refuse("there must be from 1 to 20 points on each piece");
        }
        if !is_price(self.penalty) || !self.penalties.iter().all(|&price| is_price(price)) {
            return refuse("prices of missing the end must be positive numbers");
        }
        let is_share = self.descent.armijo > 0.0 && self.descent.armijo < 0.9;
        if !is_share || !is_price(self.descent.scale) {
            return refuse("the share of Armijo's rule must lie between 0 and 0.9, and the scale must be positive");
        }
        if let Some(search) = &self.search {
            let is_time = search.max_seconds > 0.0;
            if search.impacts > MAX_IMPACTS || search.beam == 0 || search.times == 0 || !is_time {
                return refuse("a search has at most 50 impacts, at least one motion and one time, and some seconds");
            }
        }
        if self.flight_intervals == 0 || self.intervals == 0 {
            return refuse("a flight has at least one interval");
        }
        Ok(())
    }
}
