//! Automata and systems that talk when they like: what came first is not always known.

use std::collections::VecDeque;

use super::follow::{Follow, forget_twins};
use super::{TableMonitor, Verdict};
use crate::letter::{Idle, Letter};
use crate::trace::Step;

/// The most inputs that are known to be under way. Of those before them it is no longer known whether they arrived.
const MOST_SENT: usize = 64;

/// Follows an automaton through every order in which what was sent and what was said may have happened.
///
/// An output that comes after an input may have been on its way before the input arrived. So each state goes together with
/// how many of the inputs it has taken, until silence is seen: by then every input has arrived. A violation is what no
/// order allows. This is to automata what `Orders` is to model programs.
#[derive(Clone, Debug)]
pub(super) struct Delayed {
    table: TableMonitor,
    idle: Idle,
    /// The states that the run may be in, each once, with how many of the inputs below it has taken.
    may_be: Vec<(u32, usize)>,
    /// Inputs that some of these have not taken yet.
    sent: VecDeque<Letter>,
    stand: Verdict,
}

impl Delayed {
    pub(super) fn new(table: TableMonitor, idle: Idle) -> Delayed {
        let mut made =
            Delayed { table, idle, may_be: Vec::new(), sent: VecDeque::new(), stand: Verdict::SoFarGood };
        made.reset();
        made
    }

    /// Where an exchange leads; nowhere where it violates.
    fn next(&self, from: u32, input: Letter, output: Letter) -> Option<u32> {
        let violated = self.table.verdicts.len() as u32 - 1;
        let to = self.table.table.next(from, &input, &output);
        (to < violated).then_some(to)
    }

    /// Adds every state in which more of the inputs that are under way were taken.
    fn arrive(&self, places: &mut Vec<(u32, usize)>) {
        let mut at = 0;
        while let Some(&(state, taken)) = places.get(at) {
            at += 1;
            let Some(&input) = self.sent.get(taken) else { continue };
            let to = self.next(state, input, self.idle.quiet).map(|to| (to, taken + 1));
            // Places are few: a state and a number of inputs.
            places.extend(to.filter(|to| !places.contains(to)));
        }
    }

    /// Forgets what every order has taken, and what was sent too long ago.
    fn settle(&mut self) {
        let mut least = self.may_be.iter().map(|&(_, taken)| taken).min().unwrap_or(0);
        if self.sent.len() - least > MOST_SENT {
            // It may never arrive, for all we know: that allows more, and convicts nobody.
            let late = self.may_be.iter().filter(|(_, taken)| *taken == least);
            let skipped: Vec<(u32, usize)> = late.map(|&(state, taken)| (state, taken + 1)).collect();
            self.may_be.retain(|(_, taken)| *taken > least);
            self.may_be.extend(skipped);
            forget_twins(&mut self.may_be);
            least += 1;
        }
        self.sent.drain(..least);
        self.may_be.iter_mut().for_each(|(_, taken)| *taken -= least);
    }

    /// What the states that the run may be in say together.
    fn judged(&self) -> Verdict {
        let verdict = |&(state, _): &(u32, usize)| self.table.verdicts[state as usize];
        let in_order = self.may_be.iter().filter(|(_, taken)| *taken == self.sent.len());
        if self.may_be.iter().all(|place| verdict(place) == Verdict::Satisfied) {
            Verdict::Satisfied
        } else if in_order.clone().any(|place| verdict(place) == Verdict::SoFarBad) {
            Verdict::SoFarBad
        } else {
            Verdict::SoFarGood
        }
    }
}

impl Follow for Delayed {
    fn copy(&self) -> Box<dyn Follow> {
        Box::new(self.clone())
    }

    fn reset(&mut self) {
        self.sent.clear();
        self.may_be.clear();
        self.may_be.push((self.table.initial, 0));
        let violated = self.table.verdicts.len() as u32 - 1;
        self.stand = if self.table.initial >= violated { Verdict::Violated } else { self.judged() };
    }

    fn violates(&mut self, step: &Step) -> bool {
        if self.stand == Verdict::Violated {
            return true;
        }
        let Idle { wait, quiet, .. } = self.idle;
        let is_sent = step.input != wait && step.output == quiet;
        if is_sent {
            self.sent.push_back(step.input);
        }
        let mut next = self.may_be.clone();
        self.arrive(&mut next);
        if !is_sent {
            if step.input == wait && step.output == quiet {
                next.retain(|(_, taken)| *taken == self.sent.len());
            }
            let given = next
                .iter()
                .filter_map(|&(state, taken)| Some((self.next(state, step.input, step.output)?, taken)));
            next = given.collect();
            forget_twins(&mut next);
            self.arrive(&mut next);
        }
        if next.is_empty() {
            self.stand = Verdict::Violated;
            return true;
        }
        self.may_be = next;
        self.settle();
        self.stand = self.judged();
        false
    }

    fn verdict(&self) -> Verdict {
        self.stand
    }

    fn allowed(&self) -> Vec<String> {
        Vec::new()
    }

    fn first_test(&self, trace: &[Step]) -> Option<usize> {
        self.table.first_test(trace)
    }

    fn state(&self) -> Option<u32> {
        let mut in_order = self.may_be.iter().filter(|(_, taken)| *taken == self.sent.len());
        let one = in_order.next().filter(|_| in_order.next().is_none() && self.stand != Verdict::Violated);
        one.map(|&(state, _)| state)
    }

    fn may_say(&self, verdict: Verdict) -> bool {
        self.table.verdicts.contains(&verdict)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Monitor;
    use super::*;
    use crate::specification::Specification;

    fn specification(formula: &str, mode: &str) -> Specification {
        let text = format!(
            "[labels]\ninputs = [\"a\", \"b\", \"mu\"]\noutputs = [\"x\", \"y\", \"delta\"]\n[system]\nmode = \"{mode}\"\n\
             [[requirement]]\nid = \"R\"\nltl = \"{formula}\"\n"
        );
        Specification::from_text(std::path::Path::new("spec.toml"), &text).unwrap()
    }

    const A: u64 = 0;
    const B: u64 = 1;
    const WAIT: u64 = 2;
    const X: u64 = 0;
    const Y: u64 = 1;
    const QUIET: u64 = 2;

    fn steps(pairs: &[(u64, u64)]) -> Vec<Step> {
        let step = |&(input, output): &(u64, u64)| Step {
            input: Letter::from_index(input),
            output: Letter::from_index(output),
        };
        pairs.iter().map(step).collect()
    }

    fn violates(monitor: &Monitor, trace: &[Step]) -> Option<usize> {
        let mut monitor = monitor.clone();
        monitor.reset();
        trace.iter().position(|step| monitor.violates(step))
    }

    #[test]
    fn an_output_may_have_been_on_its_way() {
        let answered = specification("G(a -> X x)", "asynchronous");
        let monitor = &answered.requirements[0].demand.monitor;
        let seen = |pairs: &[(u64, u64)]| violates(monitor, &steps(pairs));
        // y may have come before a; then silence shows that x did not come after it.
        assert_eq!(seen(&[(A, QUIET), (WAIT, Y), (WAIT, X)]), None);
        assert_eq!(seen(&[(A, QUIET), (WAIT, Y), (WAIT, QUIET)]), Some(2));
        assert_eq!(seen(&[(A, QUIET), (WAIT, QUIET)]), Some(1));
        assert_eq!(seen(&[(A, QUIET), (WAIT, X), (WAIT, QUIET), (WAIT, Y)]), None);
        // The state is that of what was seen, in its order, as long as that is one.
        let states = |pairs: &[(u64, u64)]| {
            let mut monitor = monitor.clone();
            monitor.reset();
            steps(pairs)
                .iter()
                .map(|step| (!monitor.violates(step)).then(|| monitor.state()).flatten())
                .collect::<Vec<_>>()
        };
        let (rest, owed) = (states(&[(WAIT, Y)])[0], states(&[(A, QUIET)])[0]);
        assert!(rest.is_some() && owed.is_some() && rest != owed, "{rest:?} {owed:?}");
        assert_eq!(states(&[(WAIT, Y), (A, QUIET), (WAIT, QUIET)]), [rest, owed, None]);
        assert_eq!(states(&[(WAIT, QUIET), (B, QUIET), (WAIT, QUIET)]), [rest; 3]);
        // Without a doubt about the order, the last output is what convicts.
        let never = specification("G !y", "asynchronous");
        assert_eq!(
            violates(&never.requirements[0].demand.monitor, &steps(&[(A, QUIET), (WAIT, Y)])),
            Some(1)
        );
        // More inputs under way than are kept.
        let many: Vec<(u64, u64)> = (0..200).map(|_| (B, QUIET)).chain([(WAIT, Y)]).collect();
        assert_eq!(violates(&never.requirements[0].demand.monitor, &steps(&many)), Some(200));
        assert_eq!(seen(&many), None);
    }

    /// Every order of what was observed: outputs may move before inputs, not across silence.
    fn orders(trace: &[Step]) -> Vec<Vec<Step>> {
        let silence = |step: &Step| step.input.index() == WAIT && step.output.index() == QUIET;
        let mut done = vec![Vec::new()];
        for part in trace.split_inclusive(silence) {
            let (part, end) = match part.split_last() {
                Some((last, rest)) if silence(last) => (rest, Some(*last)),
                _ => (part, None),
            };
            let mut words = vec![part.to_vec()];
            let mut at = 0;
            while at < words.len() {
                for place in 1..part.len() {
                    let (before, after) = (words[at][place - 1], words[at][place]);
                    if before.input.index() != WAIT && after.input.index() == WAIT {
                        let mut word = words[at].clone();
                        word.swap(place - 1, place);
                        if !words.contains(&word) {
                            words.push(word);
                        }
                    }
                }
                at += 1;
            }
            let join = |before: &Vec<Step>| {
                let joined =
                    |word: &Vec<Step>| before.iter().chain(word).copied().chain(end).collect::<Vec<_>>();
                words.iter().map(joined).collect::<Vec<_>>()
            };
            done = done.iter().flat_map(join).collect();
        }
        done
    }

    proptest! {
        #[test]
        fn a_violation_is_what_no_order_allows(
            which in 0usize..7,
            choices in proptest::collection::vec(0usize..5, 0..7),
        ) {
            let formula = [
                "G(a -> X x)", "G !y", "G(x -> X !y)", "G(a -> X(x | X x))", "!x U a | G !x", "G(mu & delta -> X !delta)",
                "G(b -> X(y | delta))",
            ][which];
            let letters = [(A, QUIET), (B, QUIET), (WAIT, X), (WAIT, Y), (WAIT, QUIET)];
            let trace: Vec<Step> = steps(&choices.iter().map(|&at| letters[at]).collect::<Vec<_>>());
            let plain = specification(formula, "synchronous");
            let delayed = specification(formula, "asynchronous");
            let (plain, delayed) =
                (&plain.requirements[0].demand.monitor, &delayed.requirements[0].demand.monitor);
            // An input that has not arrived convicts nobody: an order is what has arrived, as far as it has.
            let arrived = |order: &[Step]| {
                let mut word = order.to_vec();
                let last = word.iter().rposition(|step| step.input.index() == WAIT).map_or(0, |at| at + 1);
                word.truncate(last);
                word
            };
            for length in 0..=trace.len() {
                let expected = orders(&trace[..length]).iter().all(|order| violates(plain, &arrived(order)).is_some());
                prop_assert_eq!(violates(delayed, &trace[..length]).is_some(), expected, "{}", formula);
            }
        }
    }
}
