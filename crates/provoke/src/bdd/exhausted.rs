//! The managers that have run out of nodes, in one list for the whole process.
//!
//! Every operation asks whether its manager is among them. There are nearly always none, and then asking is one look at a
//! number; a flag that each diagram leads to would make every diagram larger, and slower to copy and to drop.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use oxidd::bcdd::BCDDManagerRef;

// invariant: COUNT is the length of the list whenever nobody holds its lock.
static EXHAUSTED: Mutex<Vec<BCDDManagerRef>> = Mutex::new(Vec::new());
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Whether there is any exhausted manager.
///
/// The number guards no other memory: whoever hands a diagram to another thread hands on what is known of its manager.
#[inline]
pub(super) fn are_there_any() -> bool {
    COUNT.load(Ordering::Relaxed) > 0
}

/// Whether this one is exhausted.
#[cold]
pub(super) fn has(manager: &BCDDManagerRef) -> bool {
    list().contains(manager)
}

/// From now on the manager is exhausted, until its last handle is gone.
pub(super) fn add(manager: BCDDManagerRef) {
    let mut list = list();
    if !list.contains(&manager) {
        list.push(manager);
    }
    COUNT.store(list.len(), Ordering::Relaxed);
}

/// Forgets a manager that nobody can ask any more.
pub(super) fn remove(manager: &BCDDManagerRef) {
    let mut list = list();
    list.retain(|known| known != manager);
    COUNT.store(list.len(), Ordering::Relaxed);
}

fn list() -> MutexGuard<'static, Vec<BCDDManagerRef>> {
    EXHAUSTED.lock().unwrap_or_else(PoisonError::into_inner)
}
