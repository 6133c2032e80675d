//! The frame of a system against its velocity constraints: each must fit the other, and fields alone
//! determine the constraints.

use super::SystemError;
use crate::frame::{Frame, MAX_DUAL, is_solvable, pivots};
use crate::random::Random;
use crate::system::{Named, System};
use carom_expr::{Graph, Id};
use carom_linalg::{dot, max_abs, rank};

/// Configurations at which a frame is looked at.
const SAMPLES: usize = 8;
/// What counts as zero against the sizes of the factors.
const TOLERANCE: f64 = 1e-10;

/// Checks the frame, and derives velocity constraints from it where there are none.
pub(super) fn check(system: &mut System) -> Result<(), SystemError> {
    let Some(frame) = system.frame.clone() else { return Ok(()) };
    let n = system.dimension();
    if let Some(field) = frame.fields.iter().find(|field| field.components.len() != n) {
        let (field, found) = (field.name.clone(), field.components.len());
        return Err(SystemError::FieldSize { field, found, coordinates: n });
    }
    let (constraints, fields) = (system.velocity_constraints.len(), frame.rank);
    if fields > n || (constraints > 0 && fields + constraints != n) {
        return Err(SystemError::FrameSize { fields, constraints, coordinates: n });
    }
    let found = frame.fields.len() - frame.rank;
    if found > 0 && frame.fields.len() != n {
        return Err(SystemError::ComplementSize { found, needed: n - frame.rank });
    }
    let samples = samples(&mut system.graph.clone(), system, &frame.matrix());
    // Where no sample is in the domain of the fields, the start of a motion will tell.
    if !samples.is_empty() && samples.iter().all(|values| rank(values, n, TOLERANCE) < frame.fields.len()) {
        let names: Vec<&str> = frame.fields.iter().map(|field| field.name.as_str()).collect();
        return Err(SystemError::DependentFields { names: names.join(", ") });
    }
    if constraints > 0 {
        return check_admissible(system, &frame);
    }
    if fields < n {
        derive_constraints(system, &frame, &samples)?;
    }
    Ok(())
}

/// Values of expressions of `graph`, a copy of the graph of `system`, at random configurations.
fn samples(graph: &mut Graph, system: &System, roots: &[Id]) -> Vec<Vec<f64>> {
    let roots = system.specialise(graph, roots);
    let mut random = Random(1);
    let at = |sample| {
        // Half of the configurations are positive, as logarithms and roots want them.
        let mut place = || if sample % 2 == 0 { random.next() } else { 1.0 + 0.9 * random.next() };
        let values: Vec<(Id, f64)> = system.q.iter().map(|&q| (q, place())).collect();
        graph.evaluate(&roots, &values)
    };
    (0..SAMPLES).map(at).filter(|values| values.iter().all(|value| value.is_finite())).collect()
}

/// `omega(u_i) = 0` for the fields of the distribution.
fn check_admissible(system: &mut System, frame: &Frame) -> Result<(), SystemError> {
    let n = system.dimension();
    let ids: Vec<Id> = system.velocity_constraints.iter().map(|omega| omega.id).collect();
    let forms = system.graph.jacobian(&ids, &system.v).dense(&mut system.graph);
    let fields = &frame.matrix()[..frame.rank * n];
    for values in samples(&mut system.graph.clone(), system, &[fields, &forms].concat()) {
        let (fields, forms) = values.split_at(fields.len());
        for (field, row) in frame.span().iter().zip(fields.chunks_exact(n)) {
            for (omega, form) in system.velocity_constraints.iter().zip(forms.chunks_exact(n)) {
                let value = dot(row, form);
                if value.abs() > TOLERANCE * max_abs(row) * max_abs(form) {
                    let (field, constraint) = (field.name.clone(), omega.name.clone());
                    return Err(SystemError::NotAdmissible { field, constraint, value });
                }
            }
        }
    }
    Ok(())
}

/// One-forms that annihilate the distribution.
fn derive_constraints(system: &mut System, frame: &Frame, samples: &[Vec<f64>]) -> Result<(), SystemError> {
    let (n, k) = (system.dimension(), frame.rank);
    let is_complete = frame.fields.len() == n;
    if is_complete && n > MAX_DUAL || !is_complete && !is_solvable(n, k) {
        return Err(SystemError::TooManyFields { fields: k });
    }
    let forms = match frame.dual(&mut system.graph) {
        Some((forms, _)) => forms[k * n..].to_vec(),
        None => {
            let matrix = frame.matrix();
            let columns = best_pivots(&mut system.graph.clone(), system, &matrix, samples);
            system.graph.annihilator(&matrix, n, &columns)
        }
    };
    for (index, form) in forms.chunks_exact(n).enumerate() {
        let id = system.graph.dot(form, &system.v);
        let name = match frame.fields.get(k + index) {
            Some(field) => field.name.clone(),
            None => format!("frame{}", index + 1),
        };
        system.velocity_constraints.push(Named { name, id });
    }
    Ok(())
}

/// Of the pivots that suit one sample, those whose minor is largest where it is smallest.
fn best_pivots(graph: &mut Graph, system: &System, matrix: &[Id], samples: &[Vec<f64>]) -> Vec<usize> {
    let n = system.dimension();
    let mut candidates: Vec<Vec<usize>> = samples.iter().filter_map(|values| pivots(values, n)).collect();
    candidates.sort();
    candidates.dedup();
    let mut smallest = |columns: &Vec<usize>| {
        let minor = graph.minor(matrix, n, columns);
        let values = self::samples(graph, system, &[minor]);
        values.iter().fold(f64::INFINITY, |least, value| least.min(value[0].abs()))
    };
    let scored: Vec<(f64, Vec<usize>)> = candidates.into_iter().map(|columns| (smallest(&columns), columns)).collect();
    let best = scored.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or_else(|| (0..matrix.len() / n).collect(), |(_, columns)| columns)
}
