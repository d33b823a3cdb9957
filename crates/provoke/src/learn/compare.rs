//! What changed between two versions of a system: shortest words on which a learnt model and a machine differ.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::Learner;
use crate::letter::Letter;
use crate::machine::Reactions;
use crate::trace::Step;

/// A word that two machines answer alike but for its last input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The exchanges before it, the same in both.
    pub before: Vec<Step>,
    /// The input.
    pub input: Letter,
    /// What the old machine answers; none where it does not say.
    pub old: Option<Letter>,
    /// What the learnt model answers; none where it has ended or was not tried.
    pub new: Option<Letter>,
}

/// For each pair of states, the pair before it and the exchange between; none at the start.
type Ways = FxHashMap<(u32, u32), Option<((u32, u32), Step)>>;

/// Shortest words on which a learnt model and a machine differ, the shortest first, at most so many: one for each pair of
/// states that can be reached together and each input that they answer differently.
pub fn differences(learner: &Learner, old: &Reactions, most: usize) -> Vec<Difference> {
    let mut found = Vec::new();
    let start = (0u32, old.initial);
    let mut ways: Ways = FxHashMap::from_iter([(start, None)]);
    let mut open = VecDeque::from([start]);
    while let Some(pair) = open.pop_front() {
        let (state, at) = pair;
        for place in 0..learner.hypothesis().inputs {
            let input = learner.input(place);
            let new = learner.exchange(state, place);
            let other = old.react(at, input);
            match (new, other) {
                (Some(step), Some((output, to))) if step.output == output => {
                    let next = (learner.hypothesis().edge(state, place).to, to);
                    ways.entry(next).or_insert_with(|| {
                        open.push_back(next);
                        Some((pair, step))
                    });
                }
                (None, None) => {}
                (new, other) => {
                    let mut before = Vec::new();
                    let mut at = pair;
                    while let Some(&Some((from, step))) = ways.get(&at) {
                        before.push(step);
                        at = from;
                    }
                    before.reverse();
                    let old = other.map(|(output, _)| output);
                    found.push(Difference { before, input, old, new: new.map(|step| step.output) });
                    if found.len() >= most {
                        return found;
                    }
                }
            }
        }
    }
    found
}
