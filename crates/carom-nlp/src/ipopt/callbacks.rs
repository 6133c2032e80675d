//! The functions that Ipopt calls; see [`super::library`] for why this is sound.
#![allow(unsafe_code)]

use super::library::{Bool, Data, Index, Number, truth};
use super::problem::State;
use crate::nlp::Pattern;
use crate::quiet::contained;
use crate::solver::Progress;
use std::ptr::null_mut;
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// Runs a callback; failures and panics are reported to Ipopt as zero.
unsafe fn answer(data: Data, work: impl FnOnce(&mut State<'_>) -> bool) -> Bool {
    // SAFETY: `data` is the state of the running `solve`, see the top.
    let state = unsafe { &mut *data.cast::<State<'_>>() };
    if state.panic.is_some() {
        return 0;
    }
    match contained(|| work(state)) {
        Ok(done) => Bool::from(done),
        Err(payload) => {
            state.panic = Some(payload);
            0
        }
    }
}

unsafe fn slice<'s, T>(pointer: *const T, length: Index) -> &'s [T] {
    // SAFETY: the caller passes a pointer and a length of Ipopt's.
    if length > 0 { unsafe { from_raw_parts(pointer, length as usize) } } else { &[] }
}

unsafe fn slice_mut<'s, T>(pointer: *mut T, length: Index) -> &'s mut [T] {
    // SAFETY: the same, and Ipopt's output arrays do not overlap its inputs.
    if length > 0 { unsafe { from_raw_parts_mut(pointer, length as usize) } } else { &mut [] }
}

pub(super) unsafe extern "C" fn eval_f(n: Index, x: *const Number, _: Bool, value: *mut Number, data: Data) -> Bool {
    unsafe {
        answer(data, |state| {
            let objective = state.bridge.objective(slice(x, n));
            *value = objective.unwrap_or(Number::NAN);
            objective.is_some()
        })
    }
}

pub(super) unsafe extern "C" fn eval_g(
    n: Index,
    x: *const Number,
    _: Bool,
    m: Index,
    rows: *mut Number,
    data: Data,
) -> Bool {
    unsafe { answer(data, |state| state.bridge.rows(slice(x, n), slice_mut(rows, m))) }
}

pub(super) unsafe extern "C" fn eval_grad_f(
    n: Index,
    x: *const Number,
    _: Bool,
    gradient: *mut Number,
    data: Data,
) -> Bool {
    unsafe { answer(data, |state| state.bridge.gradient(slice(x, n), slice_mut(gradient, n))) }
}

pub(super) unsafe extern "C" fn eval_jac_g(
    n: Index,
    x: *const Number,
    _: Bool,
    _m: Index,
    entries: Index,
    rows: *mut Index,
    columns: *mut Index,
    values: *mut Number,
    data: Data,
) -> Bool {
    unsafe {
        answer(data, |state| {
            if values.is_null() {
                fill(state.bridge.nlp.jacobian_pattern(), slice_mut(rows, entries), slice_mut(columns, entries))
            } else {
                let values = slice_mut(values, entries);
                let (used, spare) = values.split_at_mut(state.bridge.nlp.jacobian_pattern().len());
                spare.fill(0.0);
                state.bridge.jacobian(slice(x, n), used)
            }
        })
    }
}

pub(super) unsafe extern "C" fn eval_h(
    n: Index,
    x: *const Number,
    _: Bool,
    weight: Number,
    m: Index,
    y: *const Number,
    _: Bool,
    entries: Index,
    rows: *mut Index,
    columns: *mut Index,
    values: *mut Number,
    data: Data,
) -> Bool {
    unsafe {
        answer(data, |state| {
            if values.is_null() {
                fill(state.bridge.nlp.hessian_pattern(), slice_mut(rows, entries), slice_mut(columns, entries))
            } else {
                state.bridge.hessian(slice(x, n), weight, slice(y, m), slice_mut(values, entries))
            }
        })
    }
}

pub(super) unsafe extern "C" fn intermediate(
    _mode: Index,
    iteration: Index,
    objective: Number,
    infeasibility: Number,
    stationarity: Number,
    barrier: Number,
    _norm: Number,
    _regularisation: Number,
    _step_dual: Number,
    step: Number,
    _trials: Index,
    data: Data,
) -> Bool {
    unsafe {
        answer(data, |state| {
            let mut point = vec![0.0; state.bridge.point.len()];
            let shown = state.iterate.is_some_and(|iterate| {
                let (none, n) = (null_mut(), point.len() as Index);
                truth(iterate(state.handle, 0, n, point.as_mut_ptr(), none, none, 0, none, none))
            });
            state.bridge.progress(Progress {
                solver: "",
                iteration: iteration.max(0) as usize,
                objective,
                infeasibility,
                stationarity,
                barrier,
                step,
                point: if shown { &point } else { &[] },
            })
        })
    }
}

/// Fills in the pattern; an entry that is there for Ipopt's sake only stands at the beginning.
fn fill(pattern: &Pattern, rows: &mut [Index], columns: &mut [Index]) -> bool {
    rows.fill(0);
    columns.fill(0);
    for (k, (row, column)) in pattern.entries().enumerate() {
        (rows[k], columns[k]) = (row as Index, column as Index);
    }
    true
}
