//! The budget of a search and the eyes on it.

use std::time::{Duration, Instant};

/// How far a search is, for a progress bar.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// What is being done now.
    pub phase: &'static str,
    /// Letters of the word being built.
    pub length: usize,
    /// States the system may still be in after it.
    pub size: usize,
    /// The shortest word found so far.
    pub best: Option<usize>,
}

/// Counts a search's work, stops it when its time is over, and shows how far it is.
pub(crate) struct Watch<'a> {
    deadline: Option<Instant>,
    report: Option<&'a mut dyn FnMut(Progress)>,
    reported: Instant,
    phase: &'static str,
    pub(crate) best: Option<usize>,
    /// States moved by one letter so far: the measure of work that is the same on every machine.
    moves: u64,
    /// Moves at which the search has to stop.
    most_moves: u64,
    next_look: u64,
    spent: bool,
}

/// Moves between two looks at the clock: some hundred microseconds.
const BETWEEN_LOOKS: u64 = 1 << 17;

impl<'a> Watch<'a> {
    pub(crate) fn new(deadline: Option<Instant>, report: Option<&'a mut dyn FnMut(Progress)>) -> Watch<'a> {
        Watch {
            deadline,
            report,
            reported: Instant::now(),
            phase: "",
            best: None,
            moves: 0,
            most_moves: u64::MAX,
            next_look: 0,
            spent: false,
        }
    }

    /// Gives the searches to come another deadline.
    pub(crate) fn until(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
        self.next_look = self.moves;
        self.spent = false;
    }

    /// Accounts for work about to be done; true when the search has to stop.
    #[inline]
    pub(crate) fn spent(&mut self, moves: usize) -> bool {
        self.moves += moves as u64;
        if self.moves >= self.next_look {
            self.next_look = self.moves + BETWEEN_LOOKS;
            self.spent |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.spent || self.moves > self.most_moves
    }

    /// Runs a search that may do at most this much work; its phase is what the progress bar shows.
    pub(crate) fn limited<T>(
        &mut self,
        phase: &'static str,
        moves: u64,
        search: impl FnOnce(&mut Watch<'a>) -> T,
    ) -> T {
        let outer = (self.phase, self.most_moves);
        self.phase = phase;
        self.most_moves = self.moves.saturating_add(moves).min(outer.1);
        let result = search(self);
        (self.phase, self.most_moves) = outer;
        result
    }

    /// States moved by one letter so far.
    pub(crate) fn moves(&self) -> u64 {
        self.moves
    }

    /// True when time, not work, ran out.
    pub(crate) fn out_of_time(&self) -> bool {
        self.spent
    }

    /// Shows how far the search is, at most ten times a second.
    pub(crate) fn progress(&mut self, length: usize, size: usize) {
        if let Some(report) = &mut self.report
            && self.reported.elapsed() >= Duration::from_millis(100)
        {
            self.reported = Instant::now();
            report(Progress { phase: self.phase, length, size, best: self.best });
        }
    }
}
