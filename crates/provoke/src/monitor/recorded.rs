//! What a requirement makes of a run that was recorded.

use super::{Monitor, Verdict};
use crate::letter::{Alphabet, Interface, Letter};
use crate::ltl::{Formula, holds_on};
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
    holds_on(formula, trace, |step, name| proposition(interface, step, name))
}

/// Whether a signal is true in a step, or a label is said in it.
pub(crate) fn proposition(interface: &Interface, step: &Step, name: &str) -> bool {
    let said =
        |alphabet: &Alphabet, letter: Letter| alphabet.proposition(name).map(|codes| codes.contain(letter));
    let input = said(&interface.inputs, step.input);
    input == Some(true) || input.is_none() && said(&interface.outputs, step.output) == Some(true)
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
        assert!(proposition(&interface, &step, "coin") && !proposition(&interface, &step, "open"));
    }
}
