//! Ctrl-C: once to end a search gracefully, twice to end the command.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The exit code of a command that Ctrl-C has ended, as shells have it: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

/// Hears of Ctrl-C.
pub struct Interrupt {
    count: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Begins to listen. Where that is not possible, Ctrl-C ends the command as usual.
    pub fn install() -> Self {
        let count = Arc::new(AtomicUsize::new(0));
        let heard = count.clone();
        let _ = ctrlc::set_handler(move || {
            if heard.fetch_add(1, Ordering::SeqCst) > 0 {
                std::process::exit(INTERRUPTED);
            }
        });
        Self { count }
    }

    /// True after the first Ctrl-C.
    pub fn is_requested(&self) -> bool {
        self.count.load(Ordering::SeqCst) > 0
    }
}
