//! Somebody wants us to stop: campaigns end at their next look, and nobody waits for a slow system any longer.

use std::sync::atomic::{AtomicU8, Ordering};

/// Why we were asked to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interrupt {
    /// Ctrl-C.
    Sigint,
    /// The polite kill.
    Sigterm,
}

impl Interrupt {
    /// The signal's name.
    pub fn word(self) -> &'static str {
        match self {
            Interrupt::Sigint => "SIGINT",
            Interrupt::Sigterm => "SIGTERM",
        }
    }
}

static REQUESTED: AtomicU8 = AtomicU8::new(0);

/// Asks every campaign of this process to stop. Says whether that had been asked before.
pub fn request(interrupt: Interrupt) -> bool {
    REQUESTED.swap(interrupt as u8 + 1, Ordering::Relaxed) != 0
}

/// What was asked for last.
#[inline]
pub fn requested() -> Option<Interrupt> {
    match REQUESTED.load(Ordering::Relaxed) {
        0 => None,
        1 => Some(Interrupt::Sigint),
        _ => Some(Interrupt::Sigterm),
    }
}
