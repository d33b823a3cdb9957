//! What changed between two versions of a system: shortest words on which a learnt model and a machine differ.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::hypothesis::UNKNOWN;
use super::tree::{ENDED, ROOT, Tree};
use super::{Edge, Learner};
use crate::letter::{Letter, LetterSet};
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

/// An older machine that a system is held against while it is learnt: what its states answer, without diagrams.
#[derive(Debug)]
pub struct Old {
    rows: Vec<Vec<(LetterSet, Letter, u32)>>,
    initial: u32,
}

/// What an older machine says of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said {
    /// This answer, and the state after it.
    Answer(Letter, u32),
    /// It has ended.
    Ended,
    /// Nothing: it was never tried, or may not be sent.
    Nothing,
}

impl Old {
    /// What a machine does.
    pub fn new(machine: &Reactions) -> Old {
        let row = |row: &Vec<crate::machine::Reaction>| {
            row.iter().map(|one| (machine.space.input_letters(&one.inputs), one.output, one.to)).collect()
        };
        Old { rows: machine.rows.iter().map(row).collect(), initial: machine.initial }
    }

    /// The state it begins in.
    pub fn initial(&self) -> u32 {
        self.initial
    }

    fn says(&self, state: u32, input: Letter) -> Said {
        let row = &self.rows[state as usize];
        match row.iter().find(|(inputs, ..)| inputs.contains(input)) {
            Some(&(_, output, to)) => Said::Answer(output, to),
            None if row.is_empty() => Said::Ended,
            None => Said::Nothing,
        }
    }
}

/// So many pairs of states are looked at.
const MOST_PAIRS: usize = 1 << 20;

/// Shortest words on which an older machine answers otherwise than what a system seems to be, the shortest first, at most so many.
/// They are to be played: what was never tried says nothing, and what is said of the rest may be wrong.
pub fn suspects(learner: &Learner, old: &Old, most: usize) -> Vec<Vec<Letter>> {
    let meet = |(state, at): (u32, u32), place: usize| {
        let edge = learner.hypothesis().edge(state, place);
        if !edge.is_known() {
            return Meeting::Nothing;
        }
        match (answer(learner, edge), old.says(at, learner.input(place))) {
            (_, Said::Nothing) | (None, Said::Ended) => Meeting::Nothing,
            (Some(new), Said::Answer(output, to)) if new == output => Meeting::Same((edge.to, to)),
            _ => Meeting::Differs,
        }
    };
    let found = meetings(learner, old.initial, most, MOST_PAIRS, meet);
    let spell = |(word, _): (Vec<usize>, _)| word.into_iter().map(|place| learner.input(place)).collect();
    found.into_iter().map(spell).collect()
}

/// What a state of a learnt model and one of a machine say of an input.
enum Meeting {
    /// The same, and the states after it.
    Same((u32, u32)),
    Differs,
    /// Nothing can be said.
    Nothing,
}

/// Words that lead a learnt model and a machine to where they differ, the shortest first, at most so many, and the states in which they
/// differ by the last input. No more pairs of states are looked at than so many.
fn meetings(
    learner: &Learner,
    initial: u32,
    most: usize,
    most_pairs: usize,
    meet: impl Fn((u32, u32), usize) -> Meeting,
) -> Vec<(Vec<usize>, (u32, u32))> {
    let mut found = Vec::new();
    let start = (0u32, initial);
    let mut ways: Ways = FxHashMap::from_iter([(start, None)]);
    let mut open = VecDeque::from([start]);
    while let Some(pair) = open.pop_front() {
        for place in 0..learner.hypothesis().inputs {
            match meet(pair, place) {
                Meeting::Nothing => {}
                Meeting::Same(next) => {
                    if ways.len() < most_pairs && !ways.contains_key(&next) {
                        ways.insert(next, Some((pair, place)));
                        open.push_back(next);
                    }
                }
                Meeting::Differs => {
                    let (mut word, mut at) = (vec![place], pair);
                    while let Some(&Some((from, place))) = ways.get(&at) {
                        word.push(place);
                        at = from;
                    }
                    word.reverse();
                    found.push((word, pair));
                    if found.len() >= most {
                        return found;
                    }
                }
            }
        }
    }
    found
}

/// The answer of a transition; none where the system has ended.
fn answer(learner: &Learner, edge: Edge) -> Option<Letter> {
    (edge.output != ENDED).then(|| learner.output(edge.output))
}

/// Where all of a word was seen, or the system ended before: the last node of it.
pub fn played(tree: &Tree, word: &[Letter]) -> Option<u32> {
    let mut at = ROOT;
    for &input in word {
        if tree.has_ended(at) {
            break;
        }
        at = tree.child(at, tree.known_input(input)?)?;
    }
    Some(at)
}

/// The shortest words on which a system was seen to answer otherwise than an older machine from one of its states, at most so many: one for each pair of
/// states and each input. Only nodes count that are said to be seen by now.
pub fn seen_differences(
    learner: &Learner,
    old: &Old,
    from: u32,
    most: usize,
    is_seen: impl Fn(u32) -> bool,
) -> Vec<Difference> {
    let tree = learner.tree();
    let mut found = Vec::new();
    let mut told: FxHashSet<(u32, u32, Letter)> = FxHashSet::default();
    let mut open = VecDeque::from([(ROOT, from, 0u32)]);
    while let Some((node, at, state)) = open.pop_front() {
        if found.len() >= most {
            break;
        }
        if tree.has_ended(node) && is_seen(node) {
            let goes_on = |&input: &Letter| matches!(old.says(at, input), Said::Answer(..));
            if let Some(input) = learner.inputs().find(goes_on)
                && told.insert((state, at, input))
                && let Said::Answer(output, _) = old.says(at, input)
            {
                found.push(Difference { before: tree.trace(node), input, old: Some(output), new: None });
            }
            continue;
        }
        let mut children: Vec<u32> = tree.children(node).collect();
        children.reverse();
        for child in children {
            let (input, new) = (tree.input(tree.sent(child)), tree.output(tree.answer(child)));
            let old = match old.says(at, input) {
                Said::Nothing => continue,
                Said::Answer(output, to) if output == new => {
                    open.push_back((child, to, learner.leads(state, input)));
                    continue;
                }
                Said::Answer(output, _) => Some(output),
                Said::Ended => None,
            };
            if is_seen(child) && told.insert((state, at, input)) {
                found.push(Difference { before: tree.trace(node), input, old, new: Some(new) });
            }
        }
    }
    found.truncate(most);
    found
}

impl Learner {
    /// The state of the hypothesis after an input; [`UNKNOWN`] where that is not known.
    fn leads(&self, state: u32, input: Letter) -> u32 {
        let known = self.place_of(input).filter(|_| state != UNKNOWN);
        known.map_or(UNKNOWN, |place| self.hypothesis().edge(state, place).to)
    }
}

/// For each pair of states, the pair before it and the place of the input between; none at the start.
type Ways = FxHashMap<(u32, u32), Option<((u32, u32), usize)>>;

/// Shortest words on which a learnt model and a machine differ, the shortest first, at most so many: one for each pair of
/// states that can be reached together and each input that they answer differently.
pub fn differences(learner: &Learner, old: &Reactions, most: usize) -> Vec<Difference> {
    let meet = |(state, at): (u32, u32), place: usize| match (
        learner.exchange(state, place),
        old.react(at, learner.input(place)),
    ) {
        (Some(step), Some((output, to))) if step.output == output => {
            Meeting::Same((learner.hypothesis().edge(state, place).to, to))
        }
        (None, None) => Meeting::Nothing,
        _ => Meeting::Differs,
    };
    let told = |(word, (state, at)): (Vec<usize>, (u32, u32))| {
        let (&last, before) = word.split_last()?;
        let mut here = 0;
        let mut step = |&place: &usize| {
            let step = learner.exchange(here, place)?;
            here = learner.hypothesis().edge(here, place).to;
            Some(step)
        };
        let before = before.iter().map(&mut step).collect::<Option<Vec<Step>>>()?;
        let input = learner.input(last);
        let old = old.react(at, input).map(|(output, _)| output);
        Some(Difference { before, input, old, new: learner.exchange(state, last).map(|step| step.output) })
    };
    meetings(learner, old.initial, most, usize::MAX, meet).into_iter().filter_map(told).collect()
}

/// The same where nobody knows in which state the old machine was when what was learnt began: none where some state of it answers
/// everything that was seen, and otherwise of the state that does so for longest. Only what was seen counts, not what the learnt
/// model makes of it: every state but one is ruled out by a word alone.
pub fn differences_from_anywhere(learner: &Learner, old: &Old, most: usize) -> Vec<Difference> {
    let is_there = |state: &u32| !old.rows[*state as usize].is_empty() || *state == old.initial;
    let mut best: Vec<Difference> = Vec::new();
    for state in (0..old.rows.len() as u32).filter(is_there) {
        let found = seen_differences(learner, old, state, most, |_| true);
        let Some(first) = found.first() else { return found };
        if best.first().is_none_or(|known| known.before.len() < first.before.len()) {
            best = found;
        }
    }
    best
}
