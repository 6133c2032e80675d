//! What a dataset says of its points.

use crate::simulation::{COMPLETED, ENDING};
use crate::{Dataset, Kind, SweepError};
use std::collections::BTreeMap;

/// Points of a dataset, and those that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Points that are there.
    pub points: usize,
    /// Those that failed.
    pub failed: usize,
    /// The commonest message, and how often it is there.
    pub commonest: Option<(String, usize)>,
}

impl Summary {
    /// Reads the dataset.
    pub fn of(dataset: &Dataset) -> Result<Self, SweepError> {
        let mut summary = Self::default();
        let mut messages: BTreeMap<String, usize> = BTreeMap::new();
        for part in (0..dataset.sweep().parts()).filter(|part| dataset.has(*part)) {
            let reader = dataset.read(part)?;
            let wrong = |error: carom_report::ReportError| SweepError::File {
                path: dataset.path(part),
                action: "read",
                source: std::io::Error::other(error),
            };
            summary.points += reader.rows();
            let failed: Vec<bool> = match dataset.sweep().kind {
                Kind::Simulation => {
                    let endings = reader.maybe_texts(ENDING).map_err(wrong)?;
                    endings.into_iter().map(|ending| ending.as_deref() != Some(COMPLETED)).collect()
                }
                Kind::Optimisation | Kind::Design => {
                    reader.maybe_texts("message").map_err(wrong)?.into_iter().map(|message| message.is_some()).collect()
                }
            };
            summary.failed += failed.iter().filter(|failed| **failed).count();
            for message in reader.maybe_texts("message").map_err(wrong)?.into_iter().flatten() {
                *messages.entry(message).or_default() += 1;
            }
        }
        // Of messages that are equally common, the first in the alphabet.
        summary.commonest = messages.into_iter().rev().max_by_key(|(_, count)| *count);
        Ok(summary)
    }
}
