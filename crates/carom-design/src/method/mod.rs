//! Outer methods: where the next evaluation is worth its price.

#[cfg(feature = "egobox")]
mod egobox;
mod gradient;
mod kriging;
mod simultaneous;
mod smf;
mod strawman;

#[cfg(feature = "egobox")]
pub use egobox::Egobox;
pub use gradient::Gradient;
pub use kriging::Kriging;
pub use simultaneous::Simultaneous;
pub use smf::Smf;
pub use strawman::Strawman;

use crate::error::DesignError;
use crate::evaluator::{Evaluator, Halt};
use crate::shares::share;
use crate::study::{Reason, Sample, Study};
use crate::surrogate::{CubicSpline, Prediction, Process, ProcessOptions, latin_hypercube};

/// Designs closer than this, as a share of the ranges, are the same.
pub(crate) const SAME: f64 = 1e-9;

/// How a method ends.
#[derive(Clone, Debug, PartialEq)]
pub struct End {
    /// Why.
    pub reason: Reason,
}

impl End {
    /// Found.
    pub(crate) fn converged(why: impl Into<String>) -> Self {
        Self { reason: Reason::Converged(why.into()) }
    }

    /// It cannot go on.
    pub(crate) fn stalled(why: impl Into<String>) -> Self {
        Self { reason: Reason::Stalled(why.into()) }
    }
}

/// An outer method. What it asks for depends on the study and on the answers alone.
pub trait Method: Send + Sync {
    /// Its name in files and on the command line.
    fn name(&self) -> &'static str;

    /// One line for tables.
    fn summary(&self) -> &'static str;

    /// Searches.
    fn search(&self, study: &Study, evaluator: &mut Evaluator<'_>) -> Result<End, Halt>;
}

/// Every outer method.
pub fn methods() -> Vec<Box<dyn Method>> {
    vec![
        Box::new(Strawman),
        Box::new(Kriging),
        Box::new(Smf),
        Box::new(Gradient),
        Box::new(Simultaneous),
        #[cfg(feature = "egobox")]
        Box::new(Egobox),
    ]
}

/// The outer method called `name`.
pub fn method(name: &str) -> Result<Box<dyn Method>, DesignError> {
    let known = || methods().iter().map(|method| method.name()).collect::<Vec<_>>().join(", ");
    methods()
        .into_iter()
        .find(|method| method.name() == name)
        .ok_or_else(|| DesignError::UnknownMethod { name: name.to_owned(), known: known() })
}

/// Designs of the samples with a cost, as shares, and their costs.
pub(crate) fn known(study: &Study, samples: &[Sample]) -> (Vec<Vec<f64>>, Vec<f64>) {
    samples.iter().filter_map(|sample| Some((share(study, &sample.design), sample.cost?))).unzip()
}

/// Designs of the samples that failed, as shares.
pub(crate) fn failed(study: &Study, samples: &[Sample]) -> Vec<Vec<f64>> {
    let failed = samples.iter().filter(|sample| sample.cost.is_none() && !sample.design.is_empty());
    failed.map(|sample| share(study, &sample.design)).collect()
}

/// A process through the samples with a cost.
pub(crate) fn process(study: &Study, samples: &[Sample]) -> Option<Process> {
    let (points, costs) = known(study, samples);
    let options = &study.options;
    Process::fit(&points, &costs, ProcessOptions { kernel: options.kernel, mean: options.mean, seed: study.seed })
}

/// `[mean, deviation]` of a design in shares of the ranges.
pub type Surrogate = Box<dyn Fn(&[f64]) -> [f64; 2]>;

/// What a study looks at when it decides, as `[mean, deviation]` of a design in shares of the ranges: for pictures. The spline
/// of `strawman`, a Gaussian process for all others; nothing if there are too few samples.
pub fn surrogate(study: &Study, samples: &[Sample]) -> Option<Surrogate> {
    let (points, costs) = known(study, samples);
    if study.method == "strawman" {
        let points: Vec<[f64; 2]> = points.iter().zip(&costs).map(|(point, &cost)| [point[0], cost]).collect();
        let spline = CubicSpline::new(&points)?;
        return Some(Box::new(move |share| [spline.value(share[0]), 0.0]));
    }
    let process = process(study, samples).filter(|_| points.len() > 2)?;
    Some(Box::new(move |share| {
        let Prediction { mean, deviation } = process.predict(share);
        [mean, deviation]
    }))
}

/// Largest distance along an axis.
pub(crate) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// How many initial designs a Gaussian process of so many variables is begun with; as in egobox.
pub(crate) fn few(dimension: usize) -> usize {
    (dimension + 1).max(5)
}

/// The initial designs: those that are given, or a Latin hypercube of so many, with the guess among them.
pub(crate) fn initial(study: &Study, count: usize) -> Vec<Vec<f64>> {
    if !study.options.designs.is_empty() {
        return study.options.designs.iter().map(|design| share(study, design)).collect();
    }
    let count = study.options.initial.unwrap_or(count);
    let mut designs = latin_hypercube(count, study.variables.len(), study.seed);
    // A guess takes the place of the nearest of them.
    if study.variables.iter().any(|variable| variable.guess.is_some()) {
        let guess: Vec<f64> = study.variables.iter().map(|variable| variable.first()).collect();
        let guess = share(study, &guess);
        let nearest = designs.iter_mut().min_by(|a, b| distance(a, &guess).total_cmp(&distance(b, &guess)));
        nearest.into_iter().for_each(|nearest| *nearest = guess.clone());
    }
    designs
}
