//! Is this run still right: one monitor for each requirement. A monitor judges, it never chooses.

mod bank;
mod circuit;
mod delayed;
mod follow;
mod judge;
mod long_run;
mod orders;
mod published;
mod recorded;
mod table;
mod testing;

pub use self::bank::Monitors;
use self::delayed::Delayed;
pub use self::follow::{Follow, Following};
pub use self::judge::{Judge, Ruling};
pub use self::long_run::{Keepable, LongRun, Word};
pub use self::published::PublishedOracle;
pub(crate) use self::recorded::Propositions;
pub use self::recorded::{Standing, holds, standing};
pub use self::table::TableMonitor;
use crate::automaton::Automaton;
pub use crate::automaton::Verdict;
use crate::bdd::OutOfNodes;
use crate::diagnostic::SpecError;
use crate::letter::{Idle, Letter};
use crate::trace::Step;

/// Follows a run and says what one requirement makes of it.
#[derive(Debug)]
#[non_exhaustive]
pub enum Monitor {
    /// By a deterministic automaton whose states carry verdicts.
    Automaton(TableMonitor),
    /// By the states that the run may be in: of a model program, or of an automaton where the order of things is not known;
    /// or by evaluating a circuit.
    Program(Box<dyn Follow>),
}

impl Clone for Monitor {
    fn clone(&self) -> Monitor {
        match self {
            Monitor::Automaton(monitor) => Monitor::Automaton(monitor.clone()),
            Monitor::Program(monitor) => Monitor::Program(monitor.copy()),
        }
    }
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
    pub fn new(automaton: &Automaton, verdicts: Vec<Verdict>) -> Result<Monitor, OutOfNodes> {
        let monitor = Monitor::Automaton(TableMonitor::new(automaton, verdicts));
        automaton.space.bdds().checked(Ok(monitor))
    }

    /// The same requirement of a system that talks when it likes: what came first is not always known, and a violation is
    /// what no order allows.
    #[must_use]
    pub fn in_any_order(self, idle: Idle) -> Monitor {
        match self {
            Monitor::Automaton(monitor) => Monitor::Program(Box::new(Delayed::new(monitor, idle))),
            Monitor::Program(monitor) => Monitor::Program(monitor),
        }
    }

    /// The place of the first step of a run that put the requirement to the test: an answer could have violated it
    /// there, or an obligation was opened.
    pub fn first_test(&self, trace: &[Step]) -> Option<usize> {
        match self {
            Monitor::Automaton(monitor) => monitor.first_test(trace),
            Monitor::Program(monitor) => monitor.first_test(trace),
        }
    }

    /// Whether it may ever say this.
    pub fn may_say(&self, verdict: Verdict) -> bool {
        match self {
            Monitor::Automaton(monitor) => monitor.verdicts.contains(&verdict),
            Monitor::Program(monitor) => monitor.may_say(verdict),
        }
    }

    /// Whether an obligation can be open.
    pub fn has_obligations(&self) -> bool {
        self.may_say(Verdict::SoFarBad)
    }

    /// Whether a run that ends with an obligation open is the system's fault: with the published oracle alone.
    pub fn blames_the_end(&self) -> bool {
        matches!(self, Monitor::Program(monitor) if monitor.blames_the_end())
    }

    /// Back to the start of a run.
    #[inline]
    pub fn reset(&mut self) {
        match self {
            Monitor::Automaton(monitor) => monitor.reset(),
            Monitor::Program(monitor) => monitor.reset(),
        }
    }

    /// Follows one exchange and says what the requirement makes of the run.
    #[inline]
    pub fn step(&mut self, input: Letter, output: Letter) -> Verdict {
        self.violates(&Step { input, output });
        self.verdict()
    }

    /// Follows one exchange and says whether the requirement is violated now.
    #[inline]
    pub fn violates(&mut self, step: &Step) -> bool {
        match self {
            Monitor::Automaton(monitor) => monitor.violates(step),
            Monitor::Program(monitor) => monitor.violates(step),
        }
    }

    /// What the requirement says of the run so far.
    #[inline]
    pub fn verdict(&self) -> Verdict {
        match self {
            Monitor::Automaton(monitor) => monitor.verdict(),
            Monitor::Program(monitor) => monitor.verdict(),
        }
    }

    /// What is wrong with the model that it follows; nothing that it said counts then.
    pub fn fault(&self) -> Option<SpecError> {
        match self {
            Monitor::Automaton(_) => None,
            Monitor::Program(monitor) => monitor.fault(),
        }
    }

    /// The state of its automaton that it is in; none once it is violated, where there is no automaton, and where that is not known.
    pub fn state(&self) -> Option<u32> {
        match self {
            Monitor::Automaton(monitor) => monitor.state(),
            Monitor::Program(monitor) => monitor.state(),
        }
    }

    /// Where the run is, as a number that tells places apart as well as hashing does; none once it is violated, and where that is
    /// not known.
    pub fn place(&self) -> Option<u64> {
        match self {
            Monitor::Automaton(monitor) => monitor.state().map(u64::from),
            Monitor::Program(monitor) => monitor.place(),
        }
    }

    /// The same for a reader.
    pub fn show_place(&self) -> String {
        match self {
            Monitor::Automaton(monitor) => monitor.state().map_or(String::new(), |state| state.to_string()),
            Monitor::Program(monitor) => monitor.show_place(),
        }
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
