//! One word, two answers: whether the system is deterministic.

use crate::learn::Contradiction;
use crate::letter::Letter;
use crate::trace::{Step, Trace};

/// A word that was answered in two ways, and what came of trying it again.
#[derive(Clone, Debug, Default)]
pub(super) struct Doubt {
    found: Option<Contradiction>,
    /// How many times it is still tried.
    tries: u32,
    again: Vec<Trace>,
}

/// So often a word is tried again.
const TRIES: u32 = 4;

impl Doubt {
    /// A word was answered otherwise than before.
    pub(super) fn raise(&mut self, before: Trace, now: &[Step]) {
        if self.found.is_none() {
            let second = now[..before.len().min(now.len())].to_vec();
            self.found = Some(Contradiction { first: before, second, confirmed: false });
            (self.tries, self.again) = (TRIES, Vec::new());
        }
    }

    /// The word, as long as it is to be tried again.
    pub(super) fn word(&self) -> Option<Vec<Letter>> {
        let found = self.found.as_ref().filter(|found| !found.confirmed && self.tries > 0)?;
        Some(found.first.iter().map(|step| step.input).collect())
    }

    /// It was tried again.
    pub(super) fn saw(&mut self, trace: &[Step]) {
        self.tries = self.tries.saturating_sub(1);
        self.again.push(trace.to_vec());
        let Some(found) = &mut self.found else { return };
        // Whatever was seen to be answered in two ways since is certain; what always comes now may have changed once.
        let differs = |one: &Trace| *one != self.again[0];
        found.confirmed |= self.again.iter().any(differs)
            || self.again.len() > 1 && self.again.iter().all(|again| *again != found.first);
        if self.tries == 0 && !found.confirmed {
            // It was answered otherwise once, and never again.
            self.again.clear();
        }
    }

    pub(super) fn is_confirmed(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.confirmed)
    }

    pub(super) fn contradiction(&self) -> Option<Contradiction> {
        self.found.clone()
    }
}
