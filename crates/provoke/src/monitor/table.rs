//! A monitor that looks up where an exchange leads.

use std::sync::Arc;

use super::Verdict;
use super::testing::tests;
use crate::automaton::{Automaton, Table};
use crate::trace::Step;

/// A deterministic automaton whose states carry verdicts, ready to follow a run.
///
/// The table is shared between clones; what a clone owns is where it is.
#[derive(Clone, Debug)]
pub struct TableMonitor {
    pub(super) table: Arc<Table>,
    pub(super) verdicts: Arc<[Verdict]>,
    /// For each state, the exchanges that put the requirement to the test there; none where none ever does.
    tests: Option<Arc<Table>>,
    pub(super) initial: u32,
    at: u32,
}

impl TableMonitor {
    /// A monitor with a verdict for each state; an exchange without an edge violates.
    pub(super) fn new(automaton: &Automaton, mut verdicts: Vec<Verdict>) -> TableMonitor {
        let states = automaton.states.len() as u32;
        assert_eq!(verdicts.len(), states as usize, "one verdict a state");
        let tests = tests(automaton, &verdicts).map(Arc::new);
        // The last row is where a violated monitor stays.
        verdicts.push(Verdict::Violated);
        let rows = automaton.states.iter().map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to)));
        let table = Arc::new(Table::new(&automaton.space, rows));
        let initial = if states == 0 { 0 } else { automaton.initial };
        TableMonitor { table, verdicts: verdicts.into(), tests, initial, at: initial }
    }

    /// Whether a run put the requirement to the test: at some step an answer could have violated it, or an obligation
    /// was opened.
    pub(super) fn first_test(&self, trace: &[Step]) -> Option<usize> {
        let tests = self.tests.as_ref()?;
        let mut at = self.initial;
        for (place, step) in trace.iter().enumerate() {
            if tests.next(at, &step.input, &step.output) != Table::NOWHERE {
                return Some(place);
            }
            at = self.table.next(at, &step.input, &step.output);
            if at == Table::NOWHERE {
                return None;
            }
        }
        None
    }

    /// Back to the start of a run.
    #[inline]
    pub(super) fn reset(&mut self) {
        self.at = self.initial;
    }

    /// Follows one exchange and says whether the requirement is violated now.
    #[inline]
    pub(super) fn violates(&mut self, step: &Step) -> bool {
        let violated = self.verdicts.len() as u32 - 1;
        if self.at != violated {
            let to = self.table.next(self.at, &step.input, &step.output);
            self.at = to.min(violated);
        }
        self.at == violated
    }

    /// What the requirement says of the run so far.
    #[inline]
    pub(super) fn verdict(&self) -> Verdict {
        self.verdicts[self.at as usize]
    }

    /// The state the monitor is in; none once it is violated.
    pub(super) fn state(&self) -> Option<u32> {
        (self.at as usize + 1 < self.verdicts.len()).then_some(self.at)
    }
}
