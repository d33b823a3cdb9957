//! Time that a busy machine does not blur, and memory that was asked for.

use std::alloc::System;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

/// The allocator of the `experiments` program: the system's own, with counters.
pub type Counting = &'static StatsAlloc<System>;

/// What the program must declare as its global allocator for [`allocations`] to count.
pub const COUNTING: Counting = &INSTRUMENTED_SYSTEM;

/// The processor time this thread has used. In-process experiments never wait, so on an idle machine this is the
/// wall time.
pub fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// The processor time that all threads of this process have used.
pub fn process_time() -> Duration {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// How often memory has been asked for so far, and how often an allocation has grown.
pub fn allocations() -> usize {
    let stats = COUNTING.stats();
    stats.allocations + stats.reallocations
}
