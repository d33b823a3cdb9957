//! What becomes of a run that goes round for ever: the only evidence against a requirement that no finite run violates.

use std::sync::Arc;

use super::Judge;
use super::recorded::Propositions;
use crate::automaton::Cubes;
use crate::letter::{Interface, Outline};
use crate::ltl::Formula;
use crate::trace::{RequirementNumber, Step, Trace};

/// Whether some system could keep a requirement, whatever a tester sends that keeps the assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keepable {
    /// Some system could.
    Yes,
    /// No system could: the tester can see to it that it is violated.
    No,
    /// It was not found out.
    Unknown,
}

/// Says which requirements a run violates that goes round for ever.
///
/// # What a lasso shows
/// Let a deterministic system have at most `n` states, and let a run be a stem and then `n` rounds of the same inputs, in
/// which the outputs are the same round by round. Before, between and after these rounds the system is in `n + 1` states, so
/// two of them are the same: after `i` rounds and after `j > i`. From the first of them the inputs of rounds `i + 1` to `j`
/// lead back to it, with outputs that were seen. As the system is deterministic, it does so as often as these inputs are
/// sent: the stem and then the round, for ever, is a run of the system. Whether that infinite run keeps a requirement is
/// evaluated as it is defined, so an obligation that is met once a round is no violation, and one that is left open is.
/// Nothing follows from `n - 1` rounds: a counter up to `n` that then answers otherwise shows them too.
#[derive(Clone, Debug)]
pub struct LongRun {
    interface: Interface,
    /// What must be the same round by round.
    outline: Outline,
    /// Those that some infinite run violates of which no beginning does.
    requirements: Vec<Option<Word>>,
    /// The same of the assumptions.
    assumptions: Vec<Word>,
}

/// What decides whether an infinite run is right.
#[derive(Clone, Debug)]
pub enum Word {
    /// A formula.
    Formula(Formula),
    /// A Büchi automaton.
    Automaton(Arc<Cubes>),
}

impl Word {
    fn holds(&self, interface: &Interface, stem: &[Step], round: &[Step]) -> bool {
        match self {
            Word::Formula(formula) => Propositions::new(interface).hold_for_ever(formula, stem, round),
            Word::Automaton(cubes) => cubes.accepts_for_ever(stem, round),
        }
    }
}

impl LongRun {
    /// Of these requirements, each of which may be left out, under these assumptions.
    pub fn new(interface: Interface, requirements: Vec<Option<Word>>, assumptions: Vec<Word>) -> LongRun {
        LongRun { outline: Outline::new(&interface.outputs), interface, requirements, assumptions }
    }

    /// What must be the same round by round: all that the system says, and nothing that is measured.
    pub fn outline(&self) -> &Outline {
        &self.outline
    }

    /// Whether there is nothing to be found.
    pub fn is_empty(&self) -> bool {
        self.requirements.iter().all(Option::is_none)
    }

    /// Whether this requirement may be violated by a run of which no beginning violates it.
    pub fn is_about(&self, requirement: RequirementNumber) -> bool {
        self.requirements[requirement.0].is_some()
    }

    /// The requirements that the run `stem round round ...` violates. None where it does not keep the assumptions: then
    /// it is not the system's turn.
    pub fn violated(&self, stem: &[Step], round: &[Step]) -> Vec<RequirementNumber> {
        self.violated_of(stem, round, |_| true)
    }

    /// The same of some requirements: the others are not looked at.
    pub fn violated_of(
        &self,
        stem: &[Step],
        round: &[Step],
        wanted: impl Fn(RequirementNumber) -> bool,
    ) -> Vec<RequirementNumber> {
        if round.is_empty() || !self.assumptions.iter().all(|word| word.holds(&self.interface, stem, round)) {
            return Vec::new();
        }
        let violated =
            |word: &Option<Word>| word.as_ref().is_some_and(|word| !word.holds(&self.interface, stem, round));
        let asked = self.requirements.iter().enumerate().filter(|(at, _)| wanted(RequirementNumber(*at)));
        let places = asked.filter(|(_, word)| violated(word));
        places.map(|(at, _)| RequirementNumber(at)).collect()
    }

    /// The requirements that a run shows to be violated if it goes on as it ends: after `stem` steps there are rounds of
    /// `round` steps and nothing else, all with the same answers, and the assumptions hold however often that is repeated.
    pub fn shown(
        &self,
        judge: &mut Judge,
        trace: &[Step],
        stem: usize,
        round: usize,
    ) -> Vec<RequirementNumber> {
        let rounds = match trace.get(stem..) {
            Some(rounds) if round > 0 && rounds.len() >= round && rounds.len() % round == 0 => rounds,
            _ => return Vec::new(),
        };
        let seen = |step: &Step| step.outlined(&self.outline);
        let first = || rounds[..round].iter().map(seen);
        if rounds.chunks(round).any(|again| !again.iter().map(seen).eq(first())) {
            return Vec::new();
        }
        judge.reset();
        let (before, after) = trace.split_at(stem);
        before.iter().for_each(|step| _ = judge.follow(&seen(step)));
        let round: Trace = after[..round].iter().map(seen).collect();
        if !judge.is_fair_for_ever(&round) {
            return Vec::new();
        }
        self.violated(before, &rounds[..round.len()])
    }
}
