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
    /// How often a word was answered in two ways.
    times: u32,
    /// Whether the first answer is only remembered from before.
    is_remembered: bool,
}

/// So often a word is tried again.
const TRIES: u32 = 4;
/// Where so many words were answered in two ways nobody needs to see one of them do so again: a system that is deterministic never
/// does.
const OFTEN: u32 = 3;

impl Doubt {
    /// A word was answered otherwise than before.
    pub(super) fn raise(&mut self, before: Trace, now: &[Step], is_remembered: bool) {
        if self.is_confirmed() {
            return;
        }
        // A system that has changed contradicts much of what is remembered.
        self.times += u32::from(!is_remembered);
        if self.tries == 0 || self.found.is_none() {
            let second = now[..before.len().min(now.len())].to_vec();
            self.found = Some(Contradiction { first: before, second, confirmed: false });
            (self.tries, self.again) = (TRIES, Vec::new());
            self.is_remembered = is_remembered;
        }
        if let Some(found) = &mut self.found {
            found.confirmed = self.times >= OFTEN;
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
            || !self.is_remembered
                && self.again.len() > 1
                && self.again.iter().all(|again| *again != found.first);
        if self.tries == 0 && !found.confirmed && self.changed().is_none() {
            // It was answered otherwise once, and never again.
            self.again.clear();
        }
    }

    /// What is remembered to have been answered otherwise, where what was answered now came every time that it was tried again: the
    /// system has changed.
    pub(super) fn changed(&self) -> Option<Contradiction> {
        let found = self.found.as_ref().filter(|found| self.is_remembered && !found.confirmed)?;
        let is_new = |again: &Trace| *again == self.again[0] && *again != found.first;
        let always = self.again.len() == TRIES as usize && self.again.iter().all(is_new);
        always.then(|| Contradiction { confirmed: true, ..found.clone() })
    }

    pub(super) fn is_confirmed(&self) -> bool {
        self.found.as_ref().is_some_and(|found| found.confirmed)
    }

    pub(super) fn contradiction(&self) -> Option<Contradiction> {
        self.found.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trace(outputs: &[u64]) -> Trace {
        let step = |&output: &u64| Step { input: Letter::default(), output: Letter::from_index(output) };
        outputs.iter().map(step).collect()
    }

    #[test]
    fn once_is_chance_and_three_times_is_not() {
        let mut doubt = Doubt::default();
        for times in 1..=OFTEN {
            doubt.raise(trace(&[0, 1]), &trace(&[0, 2]), false);
            assert_eq!(doubt.is_confirmed(), times == OFTEN);
            while doubt.word().is_some() {
                doubt.saw(&trace(&[0, 1]));
            }
        }
        assert!(doubt.is_confirmed());
    }

    #[test]
    fn what_is_only_remembered_may_have_changed_or_not() {
        for (answer, has_changed) in [(2, true), (1, false)] {
            let mut doubt = Doubt::default();
            doubt.raise(trace(&[0, 1]), &trace(&[0, 2]), true);
            while doubt.word().is_some() {
                assert!(doubt.changed().is_none());
                doubt.saw(&trace(&[0, answer]));
            }
            assert!(!doubt.is_confirmed() && doubt.changed().is_some() == has_changed);
        }
    }

    #[test]
    fn what_comes_again_is_certain() {
        let mut doubt = Doubt::default();
        doubt.raise(trace(&[0, 1]), &trace(&[0, 2]), false);
        doubt.saw(&trace(&[0, 1]));
        assert!(!doubt.is_confirmed());
        doubt.saw(&trace(&[0, 2]));
        assert!(doubt.is_confirmed());
    }
}
