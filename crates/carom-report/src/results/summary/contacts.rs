//! What happened at the contacts, as JSON: impacts, changes of mode and findings.

use super::super::names::contact;
use super::by_name;
use carom_model::{Balance, Digest, Finding, Impact, ModeChange, Sample, Trajectory};
use serde_json::{Value, json};

/// Adds `impact_count`, `impacts`, `modes` and `diagnostics` to an object.
pub(super) fn describe(digest: &Digest, object: &mut Value) {
    let header = &digest.header;
    object["impact_count"] = digest.impacts.sample.count.into();
    list(object, "impacts", &digest.impacts.sample, |entry| impact(header, entry));
    list(object, "modes", &digest.modes, |entry| mode(header, entry));
    list(object, "diagnostics", &digest.findings, |entry| finding(header, entry));
}

/// The first entries, and how many there are beyond them: those are in the tables only.
fn list<T: Clone>(object: &mut Value, key: &str, entries: &Sample<T>, describe: impl Fn(&T) -> Value) {
    object[key] = entries.first.iter().map(describe).collect();
    if entries.omitted() > 0 {
        object[format!("{key}_omitted")] = entries.omitted().into();
    }
}

fn impact(header: &Trajectory, impact: &Impact) -> Value {
    let impulses = &impact.impulses;
    let vector = |values: &[f64]| by_name(header, values);
    let mut object = json!({
        "t": impact.t,
        "bracket": [impact.bracket.0, impact.bracket.1],
        "contacts": impulses.iter().map(|impulse| contact(header, impulse.contact)).collect::<Vec<_>>(),
        "surfaces": impulses.iter().map(|impulse| impulse.surface).collect::<Vec<_>>(),
        "law": impact.law,
        "q": vector(&impact.q),
        "v_minus": vector(&impact.v_minus),
        "v_plus": vector(&impact.v_plus),
        "p_minus": vector(&impact.p_minus),
        "p_plus": vector(&impact.p_plus),
        // One contact is the rule, and then a number is what one wants.
        "impulse": match &impulses[..] {
            [only] => Value::from(only.normal),
            several => several.iter().map(|impulse| impulse.normal).collect(),
        },
        "energy_minus": impact.energy_minus,
        "energy_change": impact.energy_change,
        "balance": balance(header, &impact.balance),
        "iterations": impact.iterations,
    });
    if impulses.iter().any(|impulse| !impulse.tangential.is_empty()) {
        object["tangential_impulse"] = impulses.iter().map(|impulse| json!(impulse.tangential)).collect();
    }
    if impact.q_plus != impact.q {
        object["q_plus"] = vector(&impact.q_plus);
    }
    object
}

/// How the jump was taken; `push` only where the law gives something.
fn balance(header: &Trajectory, balance: &Balance) -> Value {
    let mut object = json!({
        "kind": if balance.kind.is_empty() { "pointwise" } else { balance.kind },
        "energies": [balance.energies.0, balance.energies.1],
        "loss": balance.loss,
        "correction": balance.correction,
    });
    if balance.push.iter().any(|push| *push != 0.0) {
        object["push"] = by_name(header, &balance.push);
    }
    object
}

fn mode(header: &Trajectory, change: &ModeChange) -> Value {
    json!({
        "t": change.t,
        "contact": contact(header, change.contact),
        "from": change.from.name(),
        "to": change.to.name(),
        "reason": change.reason,
    })
}

/// A finding, for the summary and for the manifest.
pub(in crate::results) fn finding(header: &Trajectory, finding: &Finding) -> Value {
    json!({
        "t": finding.t,
        "contact": contact(header, finding.contact),
        "kind": finding.kind.name(),
        "value": finding.value,
        "message": finding.message,
    })
}
