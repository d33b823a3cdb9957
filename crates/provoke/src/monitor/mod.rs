//! Is this run still right: one monitor for each requirement. A monitor judges, it never chooses.

mod bank;
mod judge;
mod testing;

use std::sync::Arc;

pub use self::bank::Monitors;
pub use self::judge::{Judge, Ruling};
pub use crate::automaton::Verdict;
use crate::automaton::{Automaton, Table};
use crate::bdd::OutOfNodes;
use crate::letter::Letter;
use crate::trace::Step;

/// A deterministic automaton whose states carry verdicts, ready to follow a run.
///
/// The table is shared between clones; what a clone owns is where it is.
#[derive(Clone, Debug)]
pub struct Monitor {
    table: Arc<Table>,
    verdicts: Arc<[Verdict]>,
    /// For each state, the exchanges that put the requirement to the test there; none where none ever does.
    tests: Option<Arc<Table>>,
    initial: u32,
    at: u32,
}

impl Monitor {
    /// The monitor of a deterministic safety automaton: right until an exchange has no edge.
    ///
    /// A state that allows everything for ever is [`Verdict::Satisfied`].
    pub fn safety(automaton: &Automaton) -> Result<Monitor, OutOfNodes> {
        let safe = never_violated(automaton)?;
        let verdict = |&safe: &bool| if safe { Verdict::Satisfied } else { Verdict::SoFarGood };
        Monitor::new(automaton, safe.iter().map(verdict).collect())
    }

    /// A monitor with a verdict for each state; an exchange without an edge violates.
    pub fn new(automaton: &Automaton, mut verdicts: Vec<Verdict>) -> Result<Monitor, OutOfNodes> {
        let states = automaton.states.len() as u32;
        assert_eq!(verdicts.len(), states as usize, "one verdict a state");
        let tests = testing::tests(automaton, &verdicts).map(Arc::new);
        // The last row is where a violated monitor stays.
        verdicts.push(Verdict::Violated);
        let rows = automaton.states.iter().map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to)));
        let table = Arc::new(Table::new(&automaton.space, rows));
        let initial = if states == 0 { 0 } else { automaton.initial };
        let monitor = Monitor { table, verdicts: verdicts.into(), tests, initial, at: initial };
        automaton.space.bdds().checked(Ok(monitor))
    }

    /// Whether a run put the requirement to the test: at some step an answer could have violated it, or an obligation
    /// was opened.
    pub fn is_tested_by(&self, trace: &[Step]) -> bool {
        let Some(tests) = &self.tests else { return false };
        let mut at = self.initial;
        for step in trace {
            if tests.next(at, &step.input, &step.output) != Table::NOWHERE {
                return true;
            }
            at = self.table.next(at, &step.input, &step.output);
            if at == Table::NOWHERE {
                return false;
            }
        }
        false
    }

    /// Whether an obligation can be open.
    pub fn has_obligations(&self) -> bool {
        self.verdicts.contains(&Verdict::SoFarBad)
    }

    /// Back to the start of a run.
    #[inline]
    pub fn reset(&mut self) {
        self.at = self.initial;
    }

    /// Follows one exchange and says what the requirement makes of the run.
    #[inline]
    pub fn step(&mut self, input: Letter, output: Letter) -> Verdict {
        self.violates(&Step { input, output });
        self.verdicts[self.at as usize]
    }

    /// Follows one exchange and says whether the requirement is violated now.
    #[inline]
    pub fn violates(&mut self, step: &Step) -> bool {
        let violated = self.verdicts.len() as u32 - 1;
        if self.at != violated {
            let to = self.table.next(self.at, &step.input, &step.output);
            self.at = to.min(violated);
        }
        self.at == violated
    }

    /// What the requirement says of the run so far.
    #[inline]
    pub fn verdict(&self) -> Verdict {
        self.verdicts[self.at as usize]
    }

    /// Whether an exchange would violate the requirement here, without taking it.
    pub fn forbids(&self, input: Letter, output: Letter) -> bool {
        let mut ahead = self.clone();
        ahead.step(input, output) == Verdict::Violated
    }

    /// The state the monitor is in; none once it is violated.
    pub fn state(&self) -> Option<u32> {
        (self.at as usize + 1 < self.verdicts.len()).then_some(self.at)
    }
}

/// For each state, whether no continuation violates a deterministic safety automaton.
pub fn never_violated(automaton: &Automaton) -> Result<Vec<bool>, OutOfNodes> {
    let exchanges = automaton.space.exchanges();
    let mut safe: Vec<bool> =
        (0..automaton.states.len() as u32).map(|at| exchanges.is_within(&automaton.allowed(at))).collect();
    loop {
        let mut changed = false;
        for at in 0..safe.len() {
            if safe[at] && automaton.states[at].edges.iter().any(|edge| !safe[edge.to as usize]) {
                safe[at] = false;
                changed = true;
            }
        }
        if !changed {
            return automaton.space.bdds().checked(Ok(safe));
        }
    }
}

#[cfg(test)]
mod tests;
