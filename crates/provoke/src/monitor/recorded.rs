//! What a requirement makes of a run that was recorded.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use super::{Monitor, Verdict};
use crate::atom::{Atom, Atoms};
use crate::letter::{Alphabet, Interface, Letter};
use crate::ltl::{Formula, holds_for_ever, holds_on};
use crate::trace::Step;

/// A requirement's view of a recorded run. Steps are counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// What the monitor says at the end of the run.
    pub verdict: Verdict,
    /// The step that decided it, where it is decided for good; 0 where it was before the first step.
    pub decided: Option<usize>,
    /// The step since which an obligation is open, where one is; 0 where it was open from the start.
    pub pending: Option<usize>,
}

impl Standing {
    /// For how many steps an obligation has been open, where one is.
    pub fn age(&self, steps: usize) -> Option<usize> {
        self.pending.map(|since| steps - since)
    }

    /// The same, given whether the formula, where there is one, holds on the run taken as a whole. Where it does not
    /// and nothing is open, it is the end of the run alone that makes it so: so far bad, but pending since no step.
    #[must_use]
    pub fn at_the_end(self, holds: Option<bool>) -> Standing {
        match (self.verdict, holds) {
            (Verdict::SoFarGood, Some(false)) => Standing { verdict: Verdict::SoFarBad, ..self },
            _ => self,
        }
    }
}

/// Follows a run with a monitor.
pub fn standing(monitor: &Monitor, trace: &[Step]) -> Standing {
    let mut monitor = monitor.clone();
    monitor.reset();
    let mut standing = Standing { verdict: monitor.verdict(), decided: None, pending: None };
    standing.note(0);
    for (at, step) in trace.iter().enumerate() {
        if standing.decided.is_some() {
            break;
        }
        standing.verdict = monitor.step(step.input, step.output);
        standing.note(at + 1);
    }
    standing
}

impl Standing {
    fn note(&mut self, step: usize) {
        match self.verdict {
            Verdict::Satisfied | Verdict::Violated => {
                self.decided = Some(step);
                self.pending = None;
            }
            Verdict::SoFarGood => self.pending = None,
            Verdict::SoFarBad => self.pending = self.pending.or(Some(step)),
        }
    }
}

/// Whether a formula holds on a recorded run taken as a whole: FLTL, see [`holds_on`].
pub fn holds(formula: &Formula, interface: &Interface, trace: &[Step]) -> bool {
    let propositions = Propositions::new(interface);
    holds_on(formula, &with_before(trace), |pair, name| propositions.holds(pair, name))
}

/// Each step behind the one before it; the first stands behind itself.
fn with_before(trace: &[Step]) -> Vec<(Step, Step)> {
    trace.iter().enumerate().map(|(at, &step)| (trace[at.saturating_sub(1)], step)).collect()
}

/// What propositions mean, straight on letters.
pub(crate) struct Propositions<'a> {
    interface: &'a Interface,
    atoms: Option<Atoms>,
    /// The atoms that were met.
    known: RefCell<FxHashMap<Box<str>, Option<Atom>>>,
}

impl<'a> Propositions<'a> {
    pub(crate) fn new(interface: &'a Interface) -> Propositions<'a> {
        Propositions { interface, atoms: Atoms::new(interface), known: RefCell::default() }
    }

    /// Whether a formula holds on a run that goes round for ever.
    pub(crate) fn hold_for_ever(&self, formula: &Formula, stem: &[Step], round: &[Step]) -> bool {
        // The first step of the round follows the stem once and the last step of the round ever after.
        let pairs = with_before(&[stem, round, round].concat());
        let (stem, round) = pairs.split_at(stem.len() + round.len());
        holds_for_ever(formula, stem, round, |pair, name| self.holds(pair, name))
    }

    /// Whether a signal is true in a step, a label is said in it, or an expression is true of it and of the one before.
    pub(crate) fn holds(&self, (before, step): &(Step, Step), name: &str) -> bool {
        let Interface { inputs, outputs } = self.interface;
        let said = |alphabet: &Alphabet, letter: Letter| {
            alphabet.proposition(name).map(|codes| codes.contain(letter))
        };
        let known = said(inputs, step.input).or_else(|| said(outputs, step.output));
        known.unwrap_or_else(|| self.atom(*before, *step, name))
    }

    fn atom(&self, before: Step, step: Step, text: &str) -> bool {
        let Some(atoms) = &self.atoms else { return false };
        let mut known = self.known.borrow_mut();
        if !known.contains_key(text) {
            known.insert(text.into(), atoms.find(text));
        }
        let atom = known.get(text).and_then(Option::as_ref);
        atom.is_some_and(|atom| atoms.holds(atom, before, step))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::read_hoa;
    use crate::diagnostic::Source;
    use crate::ltl;
    use crate::trace::read_trace;

    /// A request is answered one step later or two, and then never again.
    const REQUEST: &str = "HOA: v1 States: 3 Start: 0 AP: 2 \"r\" \"g\" controllable-AP: 1 acc-name: all \
        Acceptance: 0 t --BODY-- State: 0 [!0] 0 [0] 1 State: 1 [!1] 1 [1] 2 State: 2 [t] 2 --END--";

    #[test]
    fn decisions_and_open_obligations_have_their_step() {
        let (automaton, _) = read_hoa(&Source::new("r.hoa", REQUEST), None).unwrap();
        let verdicts = vec![Verdict::SoFarGood, Verdict::SoFarBad, Verdict::Satisfied];
        let monitor = Monitor::new(&automaton, verdicts).unwrap();
        let interface = automaton.space.interface().clone();
        let run = |text: &str| read_trace(&interface, &Source::new("t", text)).unwrap();
        let of = |text: &str| standing(&monitor, &run(text));
        let quiet = Standing { verdict: Verdict::SoFarGood, decided: None, pending: None };
        assert_eq!(of(""), quiet);
        assert_eq!(of("r=0 / g=0"), quiet);
        let open = of("r=0 / g=0\nr=1 / g=0\nr=0 / g=0");
        assert_eq!(open, Standing { verdict: Verdict::SoFarBad, decided: None, pending: Some(2) });
        assert_eq!(open.age(3), Some(1));
        let done = of("r=1 / g=0\nr=0 / g=1\nr=1 / g=0");
        assert_eq!(done, Standing { verdict: Verdict::Satisfied, decided: Some(2), pending: None });
        let formula = ltl::parse("G(r -> X g)").unwrap().formula;
        assert!(holds(&formula, &interface, &run("r=1 / g=0\nr=0 / g=1")));
        assert!(!holds(&formula, &interface, &run("r=1 / g=0\nr=1 / g=1")));
    }

    #[test]
    fn labels_are_propositions() {
        let interface = Interface::labels(["coin", "push"], ["open", "push"]).unwrap();
        let step = Step { input: Letter::from_index(0), output: Letter::from_index(1) };
        let propositions = Propositions::new(&interface);
        assert!(propositions.holds(&(step, step), "coin") && !propositions.holds(&(step, step), "open"));
    }
}
