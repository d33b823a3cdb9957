//! Tester and child on one core: a round trip over a pipe is then several times faster.

use std::thread::ThreadId;

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// The calling thread stays on its core until this is dropped. Children started meanwhile inherit that.
///
/// Where the operating system does not allow it nothing happens: it is about speed alone.
#[derive(Debug)]
pub(super) struct Pin {
    thread: ThreadId,
    #[cfg(target_os = "linux")]
    before: Option<CpuSet>,
}

impl Pin {
    #[cfg(target_os = "linux")]
    pub(super) fn here() -> Pin {
        let pin = || {
            let before = sched_getaffinity(None).ok()?;
            let mut here = CpuSet::new();
            here.set(sched_getcpu());
            sched_setaffinity(None, &here).ok().map(|()| before)
        };
        Pin { thread: std::thread::current().id(), before: pin() }
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn here() -> Pin {
        Pin { thread: std::thread::current().id() }
    }

    /// Makes sure that the calling thread is pinned.
    pub(super) fn renew(pin: &mut Option<Pin>) {
        if !pin.as_ref().is_some_and(Pin::is_ours) {
            *pin = Some(Pin::here());
        }
    }

    /// Whether it is the calling thread that is pinned.
    fn is_ours(&self) -> bool {
        self.thread == std::thread::current().id()
    }
}

#[cfg(target_os = "linux")]
impl Drop for Pin {
    fn drop(&mut self) {
        if let (true, Some(before)) = (self.is_ours(), &self.before) {
            let _ = sched_setaffinity(None, before);
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_pin_is_taken_out_again() {
        let before = sched_getaffinity(None).unwrap();
        let pin = Pin::here();
        assert_eq!(sched_getaffinity(None).unwrap().count(), 1);
        drop(pin);
        assert_eq!(sched_getaffinity(None).unwrap(), before);
    }
}
