//! The budget of a search and the eyes on it.

use std::time::{Duration, Instant};

/// How far a search is, for a progress bar.
#[derive(Clone, Copy, Debug)]
pub struct Stage {
    /// What is being done now.
    pub phase: &'static str,
    /// Letters of the word being built.
    pub length: usize,
    /// States the system may still be in after it.
    pub size: usize,
    /// The shortest word found so far.
    pub best: Option<usize>,
    /// The length of a word found just now: the first, or one shorter than those before.
    pub found: Option<usize>,
}

/// Counts a search's work, stops it when its time is over, and shows how far it is.
pub(crate) struct Watch<'a> {
    deadline: Option<Instant>,
    report: Option<&'a mut dyn FnMut(Stage)>,
    reported: Instant,
    phase: &'static str,
    pub(crate) best: Option<usize>,
    /// How many nodes a learning method made.
    pub(crate) nodes: Option<usize>,
    /// States moved by one letter so far: the measure of work that is the same on every machine.
    moves: u64,
    /// Moves at which the search has to stop.
    most_moves: u64,
    next_look: u64,
    /// Work since the last look at the clock that is accounted for otherwise.
    unlooked: u64,
    spent: bool,
}

/// Moves between two looks at the clock: some hundred microseconds.
const BETWEEN_LOOKS: u64 = 1 << 17;

impl<'a> Watch<'a> {
    pub(crate) fn new(deadline: Option<Instant>, report: Option<&'a mut dyn FnMut(Stage)>) -> Watch<'a> {
        Watch {
            deadline,
            report,
            reported: Instant::now(),
            phase: "",
            best: None,
            nodes: None,
            moves: 0,
            most_moves: u64::MAX,
            next_look: 0,
            unlooked: 0,
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

    /// Accounts for work already done, by a search that looks at the budget elsewhere.
    pub(crate) fn account(&mut self, moves: usize) {
        self.moves = self.moves.saturating_add(moves as u64);
    }

    /// Looks at the clock now and then, for work that is accounted for otherwise; true when time is over.
    pub(crate) fn late(&mut self, moves: u64) -> bool {
        self.unlooked = self.unlooked.saturating_add(moves);
        if self.unlooked >= BETWEEN_LOOKS {
            self.unlooked = 0;
            self.spent |= self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        }
        self.spent
    }

    /// True where time is bounded.
    pub(crate) fn has_deadline(&self) -> bool {
        self.deadline.is_some()
    }

    /// Moves that are left to the search at hand.
    pub(crate) fn left(&self) -> u64 {
        self.most_moves.saturating_sub(self.moves)
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

    /// Tells at once of a word found, if it is the first or shorter than any before.
    pub(crate) fn found(&mut self, length: usize) {
        if self.best.is_none_or(|best| length < best) {
            self.best = Some(length);
            if let Some(report) = &mut self.report {
                report(Stage { phase: self.phase, length, size: 1, best: self.best, found: self.best });
            }
        }
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
            report(Stage { phase: self.phase, length, size, best: self.best, found: None });
        }
    }
}
