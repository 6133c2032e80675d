//! Which contacts are hit, held and left, read off a relaxed motion.
//!
//! Nodes with an impulse form runs. A run of a contact that rebounds is one impact, at the mean of its times weighted by
//! the impulses. A run of a plastic contact is a stretch during which it is closed; it ends one node after its last
//! impulse, where the force has vanished.

use super::contacts::Touchable;

/// Impulses below this share of the largest one are none.
const SMALLEST_SHARE: f64 = 1e-3;
/// Runs of a plastic contact with fewer intervals are impacts from which it leaves at once.
const SHORTEST_REST: usize = 2;

/// A stretch of time with one set of closed contacts.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Segment {
    pub(crate) closed: Vec<String>,
    pub(crate) begins: f64,
    pub(crate) ends: f64,
}

/// Stretches, and the contacts that are hit between them.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Sequence {
    pub(crate) segments: Vec<Segment>,
    /// One list less than there are segments; empty where contacts are left without impact.
    pub(crate) hits: Vec<Vec<String>>,
}

/// Something that happens to a contact.
#[derive(Clone, Debug)]
struct Happening {
    time: f64,
    contact: String,
    /// True if bodies collide.
    hits: bool,
    /// Whether the contact is closed afterwards, if that changes.
    closes: Option<bool>,
}

impl Sequence {
    /// Reads the sequence off impulses at the nodes, one list per contact; smaller ones than `least` are none.
    pub(super) fn read(contacts: &[Touchable], impulses: &[Vec<f64>], times: &[f64], least: f64) -> Self {
        let last = times.len() - 1;
        let mut happenings = Vec::new();
        let mut closed: Vec<String> = Vec::new();
        for (contact, impulses) in contacts.iter().zip(impulses) {
            let largest = impulses.iter().copied().fold(0.0, f64::max);
            let mut touched: Vec<bool> =
                impulses.iter().map(|&impulse| impulse > least && impulse > SMALLEST_SHARE * largest).collect();
            let rests = contact.restitution == 0.0;
            if rests {
                // A single node without force does not open a contact.
                for k in 1..last {
                    touched[k] |= touched[k - 1] && touched[k + 1];
                }
            }
            let name = &contact.surface.name;
            for (first, end) in runs(&touched) {
                let happening = |time: f64, hits: bool, closes: Option<bool>| Happening {
                    time,
                    contact: name.clone(),
                    hits,
                    closes,
                };
                if rests && (end - first >= SHORTEST_REST || first <= 1 || end >= last - 1) {
                    if first <= 1 {
                        closed.push(name.clone());
                    } else {
                        happenings.push(happening(times[first], true, Some(true)));
                    }
                    if end < last - 1 {
                        happenings.push(happening(times[end + 1], false, Some(false)));
                    }
                } else {
                    let total: f64 = impulses[first..=end].iter().sum();
                    let mean = (first..=end).map(|k| impulses[k] * times[k]).sum::<f64>() / total;
                    happenings.push(happening(mean, true, None));
                }
            }
        }
        happenings.sort_by(|a, b| a.time.total_cmp(&b.time));
        Self::from(closed, happenings, times[last])
    }

    fn from(mut closed: Vec<String>, happenings: Vec<Happening>, end: f64) -> Self {
        let mut own = Self::default();
        let mut begins = 0.0;
        for happening in happenings {
            let is_together = own.segments.last().is_some_and(|segment| segment.ends == happening.time);
            if !is_together {
                own.segments.push(Segment { closed: closed.clone(), begins, ends: happening.time });
                own.hits.push(Vec::new());
                begins = happening.time;
            }
            match happening.closes {
                Some(true) => closed.push(happening.contact.clone()),
                Some(false) => closed.retain(|name| *name != happening.contact),
                None => {}
            }
            if let (Some(hits), true) = (own.hits.last_mut(), happening.hits) {
                hits.push(happening.contact);
            }
        }
        own.segments.push(Segment { closed, begins, ends: end });
        own
    }

    /// Number of impacts.
    pub(super) fn impacts(&self) -> usize {
        self.hits.iter().map(Vec::len).sum()
    }

    /// In words: closed contacts in brackets, impacts by name.
    pub(crate) fn name(&self) -> String {
        let mut words = Vec::new();
        for (k, segment) in self.segments.iter().enumerate() {
            words.push(if segment.closed.is_empty() {
                "free".to_owned()
            } else {
                segment.closed.join(" and ") + " closed"
            });
            if let Some(hits) = self.hits.get(k) {
                words.push(if hits.is_empty() { "release".to_owned() } else { format!("{} hit", hits.join(" and ")) });
            }
        }
        words.join(", ")
    }
}

/// First and last place of each run of true values.
fn runs(touched: &[bool]) -> Vec<(usize, usize)> {
    let mut all: Vec<(usize, usize)> = Vec::new();
    for k in (0..touched.len()).filter(|&k| touched[k]) {
        match all.last_mut() {
            Some(run) if run.1 + 1 == k => run.1 = k,
            _ => all.push((k, k)),
        }
    }
    all
}
