//! Wall time, looked at often enough to stop on time and seldom enough to cost nothing.

use std::time::{Duration, Instant};

use crate::system::interrupt;

/// A deadline that is cheap to ask about in a loop of unknown speed.
#[derive(Debug)]
pub struct Clock {
    started: Instant,
    limit: Option<Duration>,
    /// Ticks between two looks, and until the next one.
    stride: u32,
    left: u32,
    looked: Instant,
}

/// About how far apart two looks at the clock should be.
const PACE: Duration = Duration::from_millis(2);

impl Clock {
    /// Starts now; no limit means for ever.
    pub fn new(limit: Option<Duration>) -> Clock {
        let now = Instant::now();
        Clock { started: now, limit, stride: 1, left: 1, looked: now }
    }

    /// Counts one turn of the loop; true when it is time to look at the clock and report.
    #[inline]
    pub fn tick(&mut self) -> bool {
        self.left -= 1;
        self.left == 0 && self.look()
    }

    fn look(&mut self) -> bool {
        let now = Instant::now();
        // Slow turns are looked at one by one, fast ones in ever larger strides.
        self.stride = match now - self.looked {
            since if since < PACE / 2 => self.stride.saturating_mul(2),
            since if since > PACE * 4 => 1,
            since if since > PACE * 2 => (self.stride / 2).max(1),
            _ => self.stride,
        };
        self.left = self.stride;
        self.looked = now;
        true
    }

    /// Whether the limit has not been reached, and nobody has asked us to stop.
    pub fn has_time(&self) -> bool {
        interrupt::requested().is_none() && self.limit.is_none_or(|limit| self.started.elapsed() < limit)
    }

    /// When the limit is reached.
    pub fn end(&self) -> Option<Instant> {
        self.limit.and_then(|limit| self.started.checked_add(limit))
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fast_loops_look_seldom() {
        let mut clock = Clock::new(None);
        let looks = (0..1_000_000).filter(|_| clock.tick()).count();
        assert!(looks < 50_000, "{looks} looks");
        assert!(clock.has_time());
        assert!(!Clock::new(Some(Duration::ZERO)).has_time());
    }
}
