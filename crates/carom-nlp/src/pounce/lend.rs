//! Lends a borrowed program to code that asks for `'static`.
//!
//! POUNCE takes its problem as `Rc<RefCell<dyn TNLP>>`, hence `'static`, where ours is a borrow. What POUNCE
//! gets is a [`Lent`]: a cell with a pointer that is emptied before the borrow ends.
#![allow(unsafe_code)]

use crate::bridge::Bridge;
use std::cell::Cell;
use std::ptr::NonNull;
use std::rc::Rc;

type Slot = Rc<Cell<Option<NonNull<Bridge<'static>>>>>;

/// Access to a program for as long as [`lend`] runs.
pub(super) struct Lent(Slot);

/// Empties the slot, also when the stack unwinds.
struct Return(Slot);

impl Drop for Return {
    fn drop(&mut self) {
        self.0.set(None);
    }
}

/// Runs `work` with access to `bridge`.
pub(super) fn lend<R>(bridge: &mut Bridge<'_>, work: impl FnOnce(Lent) -> R) -> R {
    let slot = Rc::new(Cell::new(Some(NonNull::from(bridge).cast())));
    let _return = Return(Rc::clone(&slot));
    work(Lent(slot))
}

impl Lent {
    /// Works with the program; nothing happens if it has been returned, or is in use further up the stack.
    pub(super) fn with<R>(&self, work: impl for<'b> FnOnce(&mut Bridge<'b>) -> R) -> Option<R> {
        let mut pointer = self.0.take()?;
        // SAFETY: The pointer comes from the `&mut Bridge` that `lend` holds until it returns, and `lend`
        // empties the slot before, so the bridge is alive and nobody but us uses it. The slot is empty while
        // `work` runs, so there is no second reference. `Rc` keeps all of this on one thread, so that `lend`
        // cannot return while `work` runs. The true lifetime of the bridge was erased by the cast; `work` is
        // generic over it and can neither keep nor plant a reference.
        let result = work(unsafe { pointer.as_mut() });
        self.0.set(Some(pointer));
        Some(result)
    }
}
