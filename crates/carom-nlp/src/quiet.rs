//! Panics inside foreign code, contained and silent.

use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Foreign code at work, on any thread.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    /// True while foreign code runs on this thread.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work`; a panic comes back as its payload, and nothing is printed for it.
pub(crate) fn contained<R>(work: impl FnOnce() -> R) -> Result<R, Box<dyn Any + Send>> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let previous = take_hook();
        set_hook(Box::new(move |info| {
            if !QUIET.get() && !of_a_helper(info) {
                previous(info);
            }
        }));
    });
    let before = QUIET.replace(true);
    RUNNING.fetch_add(1, Ordering::SeqCst);
    let result = catch_unwind(AssertUnwindSafe(work));
    RUNNING.fetch_sub(1, Ordering::SeqCst);
    QUIET.set(before);
    result
}

/// True for a panic in a thread that foreign code started: it is passed on to the one we watch.
fn of_a_helper(info: &PanicHookInfo<'_>) -> bool {
    let foreign = |part: &str| part.starts_with("feral-") || part.starts_with("pounce-");
    let file = info.location().map_or("", |location| location.file());
    RUNNING.load(Ordering::SeqCst) > 0 && file.split(['/', '\\']).any(foreign)
}

/// Runs `work` of our own inside foreign code: its panics are reported as usual.
pub(crate) fn reported<R>(work: impl FnOnce() -> R) -> R {
    let before = QUIET.replace(false);
    let result = work();
    QUIET.set(before);
    result
}

/// What a panic said.
#[cfg(feature = "pounce")]
pub(crate) fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned())
}
