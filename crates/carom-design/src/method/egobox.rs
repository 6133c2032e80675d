//! Efficient global optimisation by the library egobox, which is asked for one design after the other. With the feature
//! `egobox`: it takes minutes to build.
//!
//! The initial designs are those of `kriging`, as many as egobox takes by default; then egobox chooses from all samples that have a
//! cost, until the budget is used. Nothing but the seed is set: a squared exponential with a constant mean, the logarithm of expected
//! improvement, SLSQP from 20 starts (`EgorConfig::default`). It has no criterion to end by itself.

use super::{End, Method, SAME, known};
use crate::evaluator::{Evaluator, Halt};
use crate::study::Study;
use egobox_ego::EgorServiceBuilder;
use ndarray::Array2;

/// Kriging by egobox.
#[derive(Clone, Copy, Debug)]
pub struct Egobox;

impl Method for Egobox {
    fn name(&self) -> &'static str {
        "egobox"
    }

    fn summary(&self) -> &'static str {
        "kriging by the library egobox, with its defaults; uses the whole budget; global"
    }

    fn search(&self, study: &Study, evaluator: &mut Evaluator<'_>) -> Result<End, Halt> {
        let dimension = study.variables.len();
        evaluator.batch("initial", &super::initial(study, super::few(dimension)))?;
        let limits = Array2::from_shape_fn((dimension, 2), |(_, side)| side as f64);
        let built = EgorServiceBuilder::optimize().configure(|config| config.seed(study.seed)).min_within(&limits);
        let Ok(service) = built else { return Ok(End::stalled("egobox refuses its settings")) };
        loop {
            let (points, costs) = known(study, evaluator.samples());
            if points.len() < 2 {
                return Ok(End::stalled("fewer than two initial samples succeeded; look at why they fail"));
            }
            let x = Array2::from_shape_fn((points.len(), dimension), |(i, j)| points[i][j]);
            let y = Array2::from_shape_fn((costs.len(), 1), |(i, _)| costs[i]);
            let next: Vec<f64> = service.suggest(&x, &y).iter().take(dimension).copied().collect();
            if points.iter().any(|point| super::distance(point, &next) < SAME) {
                return Ok(End::converged("egobox asks for a design that is known"));
            }
            evaluator.one("egobox", &next)?;
        }
    }
}
