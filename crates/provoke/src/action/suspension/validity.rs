//! What is wrong with a suspension automaton as such.

use std::collections::VecDeque;
use std::fmt;

use rustc_hash::FxHashSet;

use super::Suspension;
use crate::format::lts::Label;

/// The most pairs of states that are compared.
const MOST_PAIRS: usize = 1 << 18;

/// What was found out about a suspension automaton: it should be one that some transition system has (Willemse 2006).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Validity {
    /// A state in which the system may neither speak nor be silent, so that nothing it does is right.
    pub blocking: Option<String>,
    /// What no transition system would do, at most one of each kind. Tests can be run all the same.
    pub anomalies: Vec<Anomaly>,
}

/// Something that no transition system does.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Anomaly {
    /// After silence, the system may speak without having been spoken to.
    SpeaksAfterSilence {
        /// The state in which it is silent.
        state: String,
        /// Where silence leads.
        to: String,
        /// What may be said there.
        output: String,
    },
    /// After silence, something is possible that was not possible before (it is not quiescence reducible).
    MoreAfterSilence {
        /// The state in which it is silent.
        state: String,
        /// What is possible after silence alone, one label after another.
        labels: Vec<String>,
    },
    /// Silence once and silence twice are not the same (it is not stable).
    Unstable {
        /// The state in which it is silent.
        state: String,
        /// What is possible after one of them alone, one label after another.
        labels: Vec<String>,
    },
}

impl fmt::Display for Anomaly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Anomaly::SpeaksAfterSilence { state, to, output } => {
                write!(
                    f,
                    "silence in state `{state}` leads to `{to}`, where the system may still say `{output}`"
                )
            }
            Anomaly::MoreAfterSilence { state, labels } => {
                let labels = labels.join(" ");
                write!(f, "after silence in state `{state}`, {labels} is possible, and without it is not")
            }
            Anomaly::Unstable { state, labels } => {
                let labels = labels.join(" ");
                write!(
                    f,
                    "silence in state `{state}` is not the same once and twice: {labels} is possible after one of them only"
                )
            }
        }
    }
}

impl Suspension {
    /// Looks for what is wrong. What was made of a transition system without `delta` is always in order.
    pub fn validity(&self) -> Validity {
        if !self.given {
            return Validity::default();
        }
        let states = || 0..self.states() as u32;
        let speaks = |label: &Label| matches!(label, Label::Output(_) | Label::Quiet);
        let blocks = |state: &u32| !self.moves(*state).iter().any(|(label, _)| speaks(label));
        let silent = || states().filter_map(|state| Some((state, self.next(state, Label::Quiet)?)));
        let name = |state: u32| self.state_name(state).to_owned();
        let said = |(state, to): (u32, u32)| {
            let output = self.moves(to).iter().find(|(label, _)| matches!(label, Label::Output(_)));
            output.map(|(label, _)| Anomaly::SpeaksAfterSilence {
                state: name(state),
                to: name(to),
                output: self.show_label(*label),
            })
        };
        let mut compared = Compared { automaton: self, seen: FxHashSet::default() };
        let more = silent().find_map(|(state, to)| {
            let labels = compared.beyond(state, to)?;
            Some(Anomaly::MoreAfterSilence { state: name(state), labels })
        });
        compared.seen.clear();
        let unstable = silent().find_map(|(state, once)| {
            let twice = self.next(once, Label::Quiet);
            let labels = match twice {
                Some(twice) => compared.beyond(once, twice).or_else(|| compared.beyond(twice, once))?,
                None => vec!["delta".to_owned()],
            };
            Some(Anomaly::Unstable { state: name(state), labels })
        });
        Validity {
            blocking: states().find(blocks).map(name),
            anomalies: silent().find_map(said).into_iter().chain(more).chain(unstable).collect(),
        }
    }

    /// A label as it stands in a file.
    fn show_label(&self, label: Label) -> String {
        let name = |names: &[String], at: u32| names.get(at as usize).cloned().unwrap_or_default();
        match label {
            Label::Input(at) => format!("?{}", name(&self.inputs, at)),
            Label::Output(at) => format!("!{}", name(&self.outputs, at)),
            Label::Internal => "tau".to_owned(),
            Label::Quiet => "delta".to_owned(),
        }
    }
}

/// Pairs of states whose labels were compared: everything that the second does, the first does too.
struct Compared<'a> {
    automaton: &'a Suspension,
    seen: FxHashSet<(u32, u32)>,
}

impl Compared<'_> {
    /// The shortest labels that are possible from `other` and not from `state`, as far as was looked. Pairs that were
    /// compared before are passed over.
    fn beyond(&mut self, state: u32, other: u32) -> Option<Vec<String>> {
        if state == other || self.seen.len() >= MOST_PAIRS || !self.seen.insert((state, other)) {
            return None;
        }
        // Each pair with the place of the one before it and the label between them.
        let mut pairs: Vec<(u32, u32, usize, Label)> = vec![(state, other, 0, Label::Quiet)];
        let mut open = VecDeque::from([0]);
        while let Some(at) = open.pop_front() {
            let (state, other, ..) = pairs[at];
            for &(label, to) in self.automaton.moves(other) {
                match self.automaton.next(state, label) {
                    None => return Some(self.labels(&pairs, at, label)),
                    Some(next)
                        if next != to && self.seen.len() < MOST_PAIRS && self.seen.insert((next, to)) =>
                    {
                        pairs.push((next, to, at, label));
                        open.push_back(pairs.len() - 1);
                    }
                    Some(_) => {}
                }
            }
        }
        None
    }

    fn labels(&self, pairs: &[(u32, u32, usize, Label)], mut at: usize, last: Label) -> Vec<String> {
        let mut labels = vec![last];
        while at > 0 {
            labels.push(pairs[at].3);
            at = pairs[at].2;
        }
        labels.into_iter().rev().map(|label| self.automaton.show_label(label)).collect()
    }
}
