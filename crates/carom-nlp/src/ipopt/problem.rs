//! A problem handed to Ipopt; see [`super::library`] for why this is sound.
#![allow(unsafe_code)]

use super::callbacks::{eval_f, eval_g, eval_grad_f, eval_h, eval_jac_g, intermediate};
use super::library::{Data, Index, Iterate, Library, Number, truth};
use crate::bridge::Bridge;
use std::any::Any;
use std::ffi::{CString, c_void};
use std::ptr::NonNull;

/// Options that are integers; another one is recognised by a refusal as number.
const INTEGERS: [&str; 17] = [
    "accept_after_max_steps",
    "acceptable_iter",
    "file_print_level",
    "filter_reset_trigger",
    "limited_memory_max_history",
    "limited_memory_max_skipping",
    "max_filter_resets",
    "max_iter",
    "max_refinement_steps",
    "max_resto_iter",
    "max_soc",
    "min_refinement_steps",
    "mumps_mem_percent",
    "mumps_pivot_order",
    "print_level",
    "watchdog_shortened_iter_trigger",
    "watchdog_trial_iter_max",
];

/// A problem of Ipopt's, freed with us.
pub(super) struct Problem<'a> {
    library: &'static Library,
    handle: NonNull<c_void>,
    bridge: Option<Bridge<'a>>,
}

/// What callbacks work with.
pub(super) struct State<'a> {
    pub(super) bridge: Bridge<'a>,
    pub(super) iterate: Option<Iterate>,
    pub(super) handle: Data,
    pub(super) panic: Option<Box<dyn Any + Send>>,
}

impl Library {
    /// A problem for the program behind `bridge`.
    pub(super) fn problem<'a>(&'static self, bridge: Bridge<'a>) -> Result<Problem<'a>, Box<Bridge<'a>>> {
        let (variables, rows) = (bridge.nlp.variable_ranges(), bridge.nlp.row_ranges());
        let (n, m) = (variables.len(), rows.len());
        let (mut a, mut b, mut l, mut u) = (vec![0.0; n], vec![0.0; n], vec![0.0; m], vec![0.0; m]);
        Bridge::bounds(variables, &mut a, &mut b);
        Bridge::bounds(rows, &mut l, &mut u);
        // Ipopt wants an entry of the Jacobian as soon as there is a row.
        let of_jacobian = bridge.nlp.jacobian_pattern().len().max(m.min(1));
        let entries = (of_jacobian as Index, bridge.nlp.hessian_pattern().len() as Index);
        // SAFETY: see the top; Ipopt copies the bounds.
        let handle = unsafe {
            (self.create)(
                n as Index,
                a.as_ptr(),
                b.as_ptr(),
                m as Index,
                l.as_ptr(),
                u.as_ptr(),
                entries.0,
                entries.1,
                0,
                eval_f,
                eval_g,
                eval_grad_f,
                eval_jac_g,
                eval_h,
            )
        };
        match NonNull::new(handle) {
            Some(handle) => Ok(Problem { library: self, handle, bridge: Some(bridge) }),
            None => Err(Box::new(bridge)),
        }
    }
}

impl Drop for Problem<'_> {
    fn drop(&mut self) {
        // SAFETY: created by `CreateIpoptProblem`, freed once.
        unsafe { (self.library.free)(self.handle.as_ptr()) }
    }
}

impl<'a> Problem<'a> {
    /// Sets an option; false if it is refused. Ipopt prints a line for each refusal, so the type is guessed well:
    /// integers are few, and known by name.
    pub(super) fn set(&mut self, name: &str, value: &str) -> bool {
        let (Ok(tag), Ok(text)) = (CString::new(name), CString::new(value)) else { return false };
        let handle = self.handle.as_ptr();
        // SAFETY: strings end in zero and are copied.
        unsafe {
            match (value.parse::<Index>(), value.parse::<Number>()) {
                (Ok(number), _) if INTEGERS.contains(&name) => {
                    truth((self.library.set_integer)(handle, tag.as_ptr(), number))
                }
                (integer, Ok(number)) => {
                    truth((self.library.set_number)(handle, tag.as_ptr(), number))
                        || integer.is_ok_and(|value| truth((self.library.set_integer)(handle, tag.as_ptr(), value)))
                }
                _ => truth((self.library.set_string)(handle, tag.as_ptr(), text.as_ptr())),
            }
        }
    }

    /// Gives the program back.
    pub(super) fn into_bridge(mut self) -> Bridge<'a> {
        self.bridge.take().expect("present until it is given back")
    }

    /// Solves; the point and the multipliers are left in the bridge.
    pub(super) fn solve(mut self) -> (Bridge<'a>, i32) {
        let bridge = self.bridge.take().expect("present until it is given back");
        let (mut x, mut multipliers) = (bridge.point.clone(), bridge.multipliers.clone());
        let mut rows = vec![0.0; multipliers.rows.len()];
        let mut objective = 0.0;
        let handle = self.handle.as_ptr();
        let mut state = State { bridge, iterate: self.library.iterate, handle, panic: None };
        // SAFETY: see the top.
        let code = unsafe {
            (self.library.set_callback)(handle, intermediate);
            (self.library.solve)(
                handle,
                x.as_mut_ptr(),
                rows.as_mut_ptr(),
                &mut objective,
                multipliers.rows.as_mut_ptr(),
                multipliers.lower.as_mut_ptr(),
                multipliers.upper.as_mut_ptr(),
                (&raw mut state).cast(),
            )
        };
        if let Some(payload) = state.panic {
            std::panic::resume_unwind(payload);
        }
        (state.bridge.point, state.bridge.multipliers) = (x, multipliers);
        (state.bridge, code)
    }
}
