//! Is this run still right: one monitor for each requirement. A monitor judges, it never chooses.

use std::sync::Arc;

pub use crate::automaton::Verdict;
use crate::automaton::{Automaton, Table};
use crate::letter::Letter;
use crate::trace::Step;

/// A deterministic automaton whose states carry verdicts, ready to follow a run.
///
/// The table is shared between clones; what a clone owns is where it is.
#[derive(Clone, Debug)]
pub struct Monitor {
    table: Arc<Table>,
    verdicts: Arc<[Verdict]>,
    /// For how many steps an obligation can be open at most.
    longest_open: u32,
    initial: u32,
    at: u32,
}

impl Monitor {
    /// The monitor of a deterministic safety automaton: right until an exchange has no edge.
    ///
    /// A state that allows everything for ever is [`Verdict::Satisfied`].
    pub fn safety(automaton: &Automaton) -> Monitor {
        let safe = never_violated(automaton);
        let verdict = |&safe: &bool| if safe { Verdict::Satisfied } else { Verdict::SoFarGood };
        Monitor::new(automaton, safe.iter().map(verdict).collect())
    }

    /// A monitor with a verdict for each state; an exchange without an edge violates.
    pub fn new(automaton: &Automaton, mut verdicts: Vec<Verdict>) -> Monitor {
        let states = automaton.states.len() as u32;
        assert_eq!(verdicts.len(), states as usize, "one verdict a state");
        let longest_open = longest_open(automaton, &verdicts);
        // The last row is where a violated monitor stays.
        verdicts.push(Verdict::Violated);
        let rows = automaton.states.iter().map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to)));
        let table = Arc::new(Table::new(&automaton.space, rows));
        let initial = if states == 0 { 0 } else { automaton.initial };
        Monitor { table, verdicts: verdicts.into(), longest_open, initial, at: initial }
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

    /// Follows one exchange and says whether the requirement is violated now: what a campaign asks of every
    /// monitor in every step.
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

    /// For how many steps, at the end of a run, an obligation has been open.
    pub fn open_for(&self, trace: &[Step]) -> u32 {
        let mut again = self.clone();
        again.reset();
        trace.iter().fold(0, |open, step| match again.step(step.input, step.output) {
            Verdict::SoFarBad => open + 1,
            _ => 0,
        })
    }

    /// For how many steps an obligation can be open at most: a bounded one has a deadline, and the largest number
    /// stands for none.
    pub fn longest_open(&self) -> u32 {
        self.longest_open
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

/// The most states in a row that say that an obligation is open; the largest number where they form a cycle.
fn longest_open(automaton: &Automaton, verdicts: &[Verdict]) -> u32 {
    let open: Vec<usize> = (0..verdicts.len()).filter(|&at| verdicts[at] == Verdict::SoFarBad).collect();
    let mut longest = vec![0u32; verdicts.len()];
    // In round n all chains of n states are known; a chain of more states than there are is a cycle.
    for round in 1..=open.len() as u32 + 1 {
        let after = |at: usize| {
            let edges = automaton.states[at].edges.iter();
            1 + edges.map(|edge| longest[edge.to as usize]).max().unwrap_or(0)
        };
        let next: Vec<(usize, u32)> = open.iter().map(|&at| (at, after(at))).collect();
        if next.iter().all(|&(at, value)| longest[at] == value) {
            return longest.into_iter().max().unwrap_or(0);
        }
        if round > MOST_ROUNDS {
            break;
        }
        next.into_iter().for_each(|(at, value)| longest[at] = value);
    }
    u32::MAX
}

/// Deadlines farther away than this are as good as none.
const MOST_ROUNDS: u32 = 1_000;

/// For each state, whether no continuation violates a deterministic safety automaton.
pub fn never_violated(automaton: &Automaton) -> Vec<bool> {
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
            return safe;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::judged;
    use crate::letter::Interface;
    use crate::space::Space;
    use crate::spec::ltl::parse;

    #[test]
    fn bounded_obligations_have_a_deadline() {
        let space = Arc::new(Space::new(Interface::signals(["a"], ["b"]).unwrap()));
        let longest = |text: &str| {
            let judged = judged(&parse(text).unwrap().formula, &space).unwrap();
            Monitor::new(&judged.automaton, judged.verdicts).longest_open()
        };
        assert_eq!(longest("G(a -> !b)"), 0);
        assert_eq!(longest("F[0:3] b"), 4);
        assert_eq!(longest("G(a -> F b)"), u32::MAX);
    }
}
