//! The diagnostics of contacts on one piece of a motion after the other, as if it were in one piece.

use carom_expr::FunctionError;
use carom_impact::diagnose;
use carom_model::{Digest, Finding, ModeChange, System, Trajectory};

/// Looks for what is wrong with contacts.
pub struct Inspection<'a> {
    system: &'a System,
    /// The last node of the pieces before, and the modes of the contacts that had changed by then.
    before: Option<Trajectory>,
}

impl<'a> Inspection<'a> {
    /// Nothing has been looked at.
    pub fn new(system: &'a System) -> Self {
        Self { system, before: None }
    }

    /// Looks at the next piece, which `digest` has in it, and adds to the findings there.
    pub fn inspect(&mut self, piece: &Trajectory, digest: &mut Digest) -> Result<(), FunctionError> {
        if self.system.contacts().is_empty() {
            return Ok(());
        }
        let window = self.window(piece);
        let overlap = self.before.as_ref().and_then(|before| before.t.first().copied());
        for finding in diagnose(self.system, &window)? {
            // What is there at the last node of the piece before goes on from there.
            if overlap == Some(finding.t) {
                continue_with(digest, &finding);
            } else {
                digest.findings.add(&[finding]);
            }
        }
        sort(&mut digest.findings.first);
        self.before = Some(last_of(&window, digest));
        Ok(())
    }

    /// The piece with the last node before it.
    fn window(&self, piece: &Trajectory) -> Trajectory {
        let mut window = self.before.clone().unwrap_or_else(|| piece.header());
        window.t.extend(&piece.t);
        window.q.extend(&piece.q);
        window.v.extend(&piece.v);
        window.p.extend(&piece.p);
        window.modes.extend(piece.modes.iter().cloned());
        window
    }
}

/// The order of findings: by the times at which they begin.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| a.t.total_cmp(&b.t));
}

/// The last node of a window, with the modes of the contacts there.
fn last_of(window: &Trajectory, digest: &Digest) -> Trajectory {
    let mut last = window.header();
    if let Some(node) = window.last() {
        last.t.push(node.t);
        last.q.extend(node.q);
        last.v.extend(node.v);
        last.p.extend(node.p);
    }
    // A change that changes nothing tells the mode to the diagnostics.
    for (contact, mode) in digest.final_modes.iter().enumerate() {
        if let Some(mode) = *mode {
            last.modes.push(ModeChange { t: f64::NEG_INFINITY, contact, from: mode, to: mode, reason: "" });
        }
    }
    last
}

/// A finding that began in an earlier piece may get worse.
fn continue_with(digest: &mut Digest, finding: &Finding) {
    // The one that goes on is the last of its kind, if that is among those that are kept.
    if digest.findings.omitted() > 0 {
        return;
    }
    let is_same = |known: &&mut Finding| known.contact == finding.contact && known.kind == finding.kind;
    if let Some(known) = digest.findings.first.iter_mut().rev().find(is_same)
        && finding.value.abs() > known.value.abs()
    {
        (known.value, known.message) = (finding.value, finding.message.clone());
    }
}
