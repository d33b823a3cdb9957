//! What was learnt of a system, as a report tells it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Difference, ENDED, Learner};
use crate::letter::Count;
use crate::trace::Trace;

/// What a campaign has learnt of the system. It guides; it never convicts and never acquits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Learnt {
    /// So many states the system has at least: each was seen to behave unlike all others.
    pub states: usize,
    /// In how many of them the system has ended.
    pub ends: usize,
    /// How many transitions were tried, of how many that may be.
    pub transitions: (usize, usize),
    /// Those beside them that there may not be: assumptions, or requirements on the environment, withhold their inputs.
    pub withheld: usize,
    /// How many inputs are told apart.
    pub inputs: usize,
    /// Of how many, where there are too many to try each: they stand for the others.
    pub inputs_in_all: Option<Count>,
    /// Without resets, how many steps at the beginning of the run the machine does not explain: the system has left for good what it
    /// did then.
    pub unexplained: u64,
    /// Without resets, the last steps before the system had ended: no more can be learnt then.
    pub ended: Option<Trace>,
    /// How many hypotheses were refuted.
    pub rounds: u64,
    /// How many steps were taken since something was last found to be new, or otherwise than it seemed.
    pub since_surprise: u64,
    /// Whether nothing new came for as long as there was patience.
    pub is_over: bool,
    /// For each requirement, whether the learnt model keeps it; none where that was not checked.
    pub holds: Vec<Option<bool>>,
    /// Everything that was seen, and the machine.
    pub learner: Arc<Learner>,
    /// Whether what was remembered from before was found to be another system.
    pub changed: Option<Contradiction>,
    /// The word that was answered in two ways, where the system is not deterministic.
    pub contradiction: Option<Contradiction>,
    /// Where the system was held against an older machine: words that it was seen to answer otherwise.
    pub differences: Option<Vec<Difference>>,
}

/// How far learning has come, for whoever watches it from outside.
#[derive(Debug, Default)]
pub struct Gauge {
    /// States that were told apart.
    pub states: AtomicU64,
    /// Transitions that were tried.
    pub transitions: AtomicU64,
    /// Hypotheses that were refuted.
    pub rounds: AtomicU64,
    /// Steps since something was last new.
    pub since_surprise: AtomicU64,
}

impl Gauge {
    /// Notes how far a learner is.
    pub fn note(&self, learner: &Learner) {
        let hypothesis = learner.hypothesis();
        let tried = hypothesis.edges.iter().filter(|edge| edge.is_known()).count();
        self.states.store(hypothesis.states() as u64, Ordering::Relaxed);
        self.transitions.store(tried as u64, Ordering::Relaxed);
        self.rounds.store(learner.rounds(), Ordering::Relaxed);
        self.since_surprise.store(learner.steps() - learner.last_surprise(), Ordering::Relaxed);
    }
}

/// How long nothing new must come for learning to be over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// So many steps.
    Steps(u64),
    /// Three times as many steps as came before the last that was new, and never fewer than a few: what took long to come may not
    /// be the last.
    AsLongAsItTook,
}

/// Nobody gives up sooner of its own accord.
const A_FEW: u64 = 10_000;

impl Patience {
    /// Whether it is over after so many steps, if the last that was new came then.
    pub fn is_over(self, steps: u64, last_new: u64) -> bool {
        let enough = match self {
            Patience::Steps(steps) => steps,
            Patience::AsLongAsItTook => (3 * last_new).max(A_FEW),
        };
        steps - last_new.min(steps) >= enough
    }
}

/// One word, two answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// The exchanges with the answer that came first.
    pub first: Trace,
    /// The same inputs with another answer to the last.
    pub second: Trace,
    /// Whether it is certain: both answers came again when it was tried again, or other words were answered in two ways as well.
    pub confirmed: bool,
}

impl Learnt {
    /// Whether every input was tried in every state, and there was room to remember that.
    pub fn is_complete(&self) -> bool {
        let has_room = !self.learner.tree().is_full();
        self.transitions.0 == self.transitions.1 && self.inputs_in_all.is_none() && has_room
    }

    /// What a learner knows; nothing of requirements, nor of contradictions.
    pub fn of(learner: &Learner) -> Learnt {
        let hypothesis = learner.hypothesis();
        let tried = hypothesis.edges.iter().filter(|edge| edge.is_known() && edge.output != ENDED).count();
        let ended = hypothesis.edges.iter().filter(|edge| edge.is_known() && edge.output == ENDED).count();
        Learnt {
            states: hypothesis.states(),
            ends: ended / hypothesis.inputs.max(1),
            transitions: (tried, hypothesis.edges.len() - ended - learner.withheld_transitions()),
            withheld: learner.withheld_transitions(),
            inputs: hypothesis.inputs,
            inputs_in_all: None,
            unexplained: 0,
            ended: None,
            rounds: learner.rounds(),
            since_surprise: learner.steps() - learner.last_surprise(),
            is_over: false,
            holds: Vec::new(),
            learner: Arc::new(learner.clone()),
            changed: None,
            contradiction: None,
            differences: None,
        }
    }
}
