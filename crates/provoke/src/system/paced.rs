//! Inputs on a beat, for systems that are sampled.

use std::time::{Duration, Instant};

use super::{System, SystemError, interrupt};
use crate::letter::Letter;
use crate::trace::Step;

/// How well inputs kept to their beat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pace {
    /// How many milliseconds two beats are apart.
    pub cycle_ms: u32,
    /// Inputs that were sent.
    pub inputs: u64,
    /// Those that were sent more than a tenth of a cycle after their beat.
    pub late: u64,
    /// The most milliseconds that one was sent after its beat, rounded up.
    pub worst_ms: u64,
}

impl Pace {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Pace) -> Pace {
        Pace {
            cycle_ms: self.cycle_ms.max(other.cycle_ms),
            inputs: self.inputs + other.inputs,
            late: self.late + other.late,
            worst_ms: self.worst_ms.max(other.worst_ms),
        }
    }

    fn note(&mut self, lateness: Duration) {
        self.inputs += 1;
        self.late += u64::from(lateness * 10 > Duration::from_millis(self.cycle_ms.into()));
        self.worst_ms = self.worst_ms.max(lateness.as_micros().div_ceil(1_000) as u64);
    }
}

/// The beats of a run, counted from its first input. They stay where they are whatever an answer takes: an input that
/// missed its beat is sent at once, and the next one on the next beat that is still to come.
#[derive(Clone, Copy, Debug)]
struct Schedule {
    cycle: Duration,
    beat: u32,
}

impl Schedule {
    /// When the next input is due, and the beat after that, where so much time has passed since the first input.
    fn due(&mut self, passed: Duration) -> Duration {
        let due = self.cycle * self.beat;
        let sent = passed.max(due);
        let current = sent.as_nanos() / self.cycle.as_nanos().max(1);
        self.beat = u32::try_from(current).unwrap_or(u32::MAX).saturating_add(1);
        due
    }
}

/// A system whose inputs are sent on a beat.
pub struct Paced<S> {
    inner: S,
    schedule: Schedule,
    /// When the first input of this run was sent.
    first: Option<Instant>,
    pace: Pace,
}

/// How long to sleep before looking whether somebody wants us to stop.
const NAP: Duration = Duration::from_millis(50);

impl<S: System> Paced<S> {
    /// Sends inputs to this system so many milliseconds apart, at least one.
    pub fn new(inner: S, cycle_ms: u32) -> Paced<S> {
        let cycle_ms = cycle_ms.max(1);
        let schedule = Schedule { cycle: Duration::from_millis(cycle_ms.into()), beat: 0 };
        Paced { inner, schedule, first: None, pace: Pace { cycle_ms, ..Pace::default() } }
    }

    fn wait(&mut self) {
        let first = *self.first.get_or_insert_with(Instant::now);
        let due = self.schedule.due(first.elapsed());
        while let Some(left) = due.checked_sub(first.elapsed()).filter(|left| !left.is_zero()) {
            if interrupt::requested().is_some() {
                return;
            }
            std::thread::sleep(left.min(NAP));
        }
        self.pace.note(first.elapsed().saturating_sub(due));
    }
}

impl<S: System> System for Paced<S> {
    fn inner(&self) -> Option<&dyn System> {
        Some(&self.inner)
    }

    fn inner_mut(&mut self) -> Option<&mut dyn System> {
        Some(&mut self.inner)
    }

    fn reset(&mut self) -> Result<(), SystemError> {
        self.first = None;
        self.schedule.beat = 0;
        self.inner.reset()
    }

    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        self.wait();
        self.inner.step(input)
    }

    fn exchange(&mut self, input: Letter) -> Result<Step, SystemError> {
        self.wait();
        self.inner.exchange(input)
    }

    fn pace(&self) -> Option<Pace> {
        Some(self.pace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::Closure;

    fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn beats_stay_where_they_are() {
        let mut schedule = Schedule { cycle: ms(100), beat: 0 };
        assert_eq!(schedule.due(ms(0)), ms(0));
        assert_eq!(schedule.due(ms(30)), ms(100));
        assert_eq!(schedule.due(ms(199)), ms(200));
        // Answered too late by 20: sent at once, and the next one on its own beat.
        assert_eq!(schedule.due(ms(320)), ms(300));
        assert_eq!(schedule.due(ms(321)), ms(400));
        // Three beats are gone and do not come all at once.
        assert_eq!(schedule.due(ms(850)), ms(500));
        assert_eq!(schedule.due(ms(851)), ms(900));
    }

    #[test]
    fn what_is_late_is_counted() {
        let mut pace = Pace { cycle_ms: 100, ..Pace::default() };
        [ms(0), ms(10), ms(11), Duration::from_micros(1)].into_iter().for_each(|late| pace.note(late));
        assert_eq!(pace, Pace { cycle_ms: 100, inputs: 4, late: 1, worst_ms: 11 });
    }

    #[test]
    fn no_input_comes_before_its_beat() {
        let sent = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
        let note = sent.clone();
        let mut paced = Paced::new(
            Closure::new(
                || (),
                move |(), input| {
                    note.lock().unwrap().push(Instant::now());
                    input
                },
            ),
            5,
        );
        paced.reset().unwrap();
        let started = Instant::now();
        (0..5).for_each(|_| _ = paced.step(Letter::default()).unwrap());
        // Later is possible on a busy machine, sooner is not.
        for (at, sent) in sent.lock().unwrap().iter().enumerate() {
            assert!(*sent >= started + ms(5 * at as u64));
        }
        assert_eq!(paced.pace().unwrap().inputs, 5);
    }
}
