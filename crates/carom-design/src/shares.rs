//! Designs as shares of their ranges, and which of them are near.

use crate::objective::{Ask, Neighbour};
use crate::study::{Sample, Study, Variable};

/// Known designs that an evaluation may begin with, at most.
const NEIGHBOURS: usize = 3;

/// The design at shares of the ranges; the ends of a range are met exactly.
pub(crate) fn design(study: &Study, share: &[f64]) -> Vec<f64> {
    let at = |lower: f64, upper: f64, share: f64| match share {
        share if share <= 0.0 => lower,
        share if share >= 1.0 => upper,
        share => lower + share * (upper - lower),
    };
    study.variables.iter().zip(share).map(|(own, &share)| at(own.lower, own.upper, share)).collect()
}

/// A design as shares of the ranges.
pub(crate) fn share(study: &Study, design: &[f64]) -> Vec<f64> {
    let of = |(own, value): (&Variable, &f64)| (value - own.lower) / (own.upper - own.lower);
    study.variables.iter().zip(design).map(of).collect()
}

/// Squared distance of two designs, as shares of the ranges.
pub(crate) fn distance(study: &Study, a: &[f64], b: &[f64]) -> f64 {
    share(study, a).iter().zip(&share(study, b)).map(|(a, b)| (a - b) * (a - b)).sum()
}

/// The nearest samples that an evaluation can begin with.
pub(crate) fn near<'s>(study: &Study, samples: &'s [Sample], ask: &Ask) -> Vec<Neighbour<'s>> {
    let design = match ask {
        Ask::At(design) => design.clone(),
        Ask::Best(ranges) => ranges.iter().map(|range| range[2]).collect(),
    };
    let from = |sample: &Sample| distance(study, &sample.design, &design);
    let mut known: Vec<&Sample> = samples.iter().filter(|sample| sample.cost.is_some()).collect();
    // The order of the numbers decides between equals.
    known.sort_by(|a, b| from(a).total_cmp(&from(b)).then(a.number.cmp(&b.number)));
    known.truncate(NEIGHBOURS);
    // What a tangent promises here; without slopes the nearest stays first.
    if known.iter().all(|sample| sample.slope.len() == design.len()) {
        let promise = |sample: &Sample| {
            let along = sample.slope.iter().zip(design.iter().zip(&sample.design));
            sample.cost.unwrap_or(f64::INFINITY) + along.map(|(slope, (to, at))| slope * (to - at)).sum::<f64>()
        };
        known.sort_by(|a, b| promise(a).total_cmp(&promise(b)));
    }
    known.into_iter().map(|sample| Neighbour { design: &sample.design, trace: &sample.trace }).collect()
}
