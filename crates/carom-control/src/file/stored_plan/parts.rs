//! Parts of a stored plan: iterations, motions, snapshots.

use super::StoredMotion;
use crate::file::json::Fields;
use crate::planner::{Certificate, Corner, Costs, DescentStatus, Iteration, Snapshot};
use serde_json::{Map, Value, json};

/// Significant digits of snapshots, which are pictures only.
const DIGITS: usize = 8;

pub(super) const STATUSES: [(&str, DescentStatus); 4] = [
    ("converged", DescentStatus::Converged),
    ("stalled", DescentStatus::Stalled),
    ("limit", DescentStatus::Limit),
    ("stopped", DescentStatus::Stopped),
];

pub(super) fn status_name(status: DescentStatus) -> Option<&'static str> {
    STATUSES.iter().find(|(_, known)| *known == status).map(|(name, _)| *name)
}

pub(super) fn iteration_json(iteration: &Iteration) -> Value {
    let Costs { total, integral, ending, miss } = iteration.costs;
    json!({
        "iteration": iteration.number, "cost": total, "integral": integral, "ending": ending, "miss": miss,
        "crossings": iteration.crossings, "step": iteration.step, "gradient": iteration.gradient_norm,
        "restarts": iteration.restarts,
    })
}

pub(super) fn iteration(fields: Fields<'_>) -> Result<Iteration, String> {
    Ok(Iteration {
        number: whole(fields, "iteration")?,
        costs: Costs {
            total: fields.number("cost")?,
            integral: fields.number("integral")?,
            ending: fields.number("ending")?,
            miss: fields.number("miss")?,
        },
        crossings: fields.numbers("crossings")?,
        step: fields.0["step"].as_f64(),
        gradient_norm: fields.number("gradient")?,
        restarts: whole(fields, "restarts")?,
    })
}

pub(super) fn whole(fields: Fields<'_>, key: &str) -> Result<usize, String> {
    let number = fields.0[key].as_u64().ok_or_else(|| format!("`{key}` is no whole number"))?;
    usize::try_from(number).map_err(|error| error.to_string())
}

pub(super) fn motion_json(motion: &StoredMotion) -> Value {
    let impact = |(t, q): &(f64, Vec<f64>)| {
        let named = motion.coordinates.iter().zip(q).map(|(name, value)| (name.clone(), Value::from(*value)));
        json!({ "t": t, "q": named.collect::<Map<_, _>>() })
    };
    let corner = |corner: &Corner| {
        json!({
            "t": corner.time, "velocity": corner.velocity, "energy": corner.energy, "place": corner.place,
            "printed": corner.printed,
        })
    };
    json!({
        "impacts": motion.impacts.iter().map(impact).collect::<Vec<_>>(),
        "cost": motion.cost,
        "status": motion.status,
        "motion": motion.is_motion,
        "depth": motion.depth,
        "violation": motion.violation,
        "corners": motion.certificate.corners.iter().map(corner).collect::<Vec<_>>(),
        "flights": motion.certificate.flights,
        "end": motion.certificate.end,
    })
}

pub(super) fn motion(fields: Fields<'_>) -> Result<StoredMotion, String> {
    let names = fields.0["impacts"][0]["q"].as_object().map(|places| places.keys().cloned().collect());
    let coordinates: Vec<String> = names.unwrap_or_default();
    let impact = |fields: Fields<'_>| {
        let place = |name: &String| fields.inner("q").number(name);
        Ok((fields.number("t")?, coordinates.iter().map(place).collect::<Result<_, String>>()?))
    };
    let impacts = fields.list("impacts", impact)?;
    let corner = |fields: Fields<'_>| {
        Ok(Corner {
            time: fields.number("t")?,
            velocity: fields.number("velocity")?,
            energy: fields.number("energy")?,
            place: fields.number("place")?,
            printed: fields.number("printed")?,
        })
    };
    Ok(StoredMotion {
        coordinates,
        impacts,
        cost: fields.number("cost")?,
        status: fields.text("status")?,
        is_motion: fields.0["motion"].as_bool().unwrap_or_default(),
        depth: fields.number("depth")?,
        violation: fields.number("violation")?,
        certificate: Certificate {
            corners: fields.list("corners", corner)?,
            flights: fields.number("flights")?,
            end: fields.number("end")?,
        },
    })
}

/// Snapshots with as many digits as pictures show.
pub(super) fn rounded(snapshot: &Snapshot) -> Snapshot {
    let short = |value: f64| format!("{value:.*e}", DIGITS - 1).parse().unwrap_or(value);
    let list = |values: &[f64]| values.iter().map(|value| short(*value)).collect::<Vec<f64>>();
    let rows = |rows: &[Vec<f64>]| rows.iter().map(|row| list(row)).collect::<Vec<_>>();
    Snapshot {
        t: list(&snapshot.t),
        z: rows(&snapshot.z),
        unprojected: rows(&snapshot.unprojected),
        q: rows(&snapshot.q),
        u: rows(&snapshot.u),
        ..snapshot.clone()
    }
}

pub(super) fn snapshot_json(snapshot: &Snapshot) -> Value {
    let Snapshot { iteration, cost, t, z, unprojected, q, u, impacts } = snapshot;
    json!({
        "iteration": iteration, "cost": cost, "impacts": impacts, "t": t, "z": z, "unprojected": unprojected, "q": q,
        "u": u,
    })
}

pub(super) fn snapshot(fields: Fields<'_>) -> Result<Snapshot, String> {
    Ok(Snapshot {
        iteration: whole(fields, "iteration")?,
        cost: fields.number("cost")?,
        t: fields.numbers("t")?,
        z: fields.rows("z")?,
        unprojected: fields.rows("unprojected")?,
        q: fields.rows("q")?,
        u: fields.rows("u")?,
        impacts: fields.numbers("impacts")?,
    })
}
