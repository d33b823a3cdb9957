//! Which words tell the states of a hypothesis apart: shortest ones, for every two states at once.

use rustc_hash::FxHashMap;

use super::hypothesis::{Hypothesis, UNKNOWN};
use crate::rng::Rng;

/// The states of a hypothesis in classes: those that words of one input tell apart, those that words of two do, and so on
/// (Moore 1956).
///
/// Most states are told apart by one input, which any test shows by the way. The longer a word must be that tells two apart,
/// the fewer random words do, and the likelier it is that something else was taken for one of them.
#[derive(Clone, Debug, Default)]
pub struct Splitting {
    /// What each answer counts as.
    answers: Vec<u32>,
    /// For words of at most one input, two, and so on, the class of each state.
    // invariant: each splits the one before it.
    classes: Vec<Vec<u32>>,
}

/// No longer words are looked for.
const LONGEST: usize = 64;

impl Splitting {
    /// Of all states, given what each answer counts as. What was not tried is an answer of its own.
    pub fn new(hypothesis: &Hypothesis, answers: Vec<u32>) -> Splitting {
        let states = hypothesis.states();
        let mut made = Splitting { answers, classes: Vec::new() };
        let mut count = 1;
        while made.classes.len() < LONGEST && count < states {
            let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
            let class = |state: u32| {
                let shown = (0..hypothesis.inputs).map(|input| made.shown(hypothesis, state, input));
                let before = made.classes.last().map_or(0, |classes| classes[state as usize]);
                let fresh = numbers.len() as u32;
                *numbers.entry(shown.chain([before]).collect()).or_insert(fresh)
            };
            let classes: Vec<u32> = (0..states as u32).map(class).collect();
            if numbers.len() == count {
                break;
            }
            count = numbers.len();
            made.classes.push(classes);
        }
        made
    }

    /// What an input shows of a state by words as long as were looked at so far, and one more.
    fn shown(&self, hypothesis: &Hypothesis, state: u32, input: usize) -> u32 {
        self.shown_by(self.classes.len(), hypothesis, state, input)
    }

    /// What an input and so many more show of a state.
    fn shown_by(&self, more: usize, hypothesis: &Hypothesis, state: u32, input: usize) -> u32 {
        let edge = hypothesis.edge(state, input);
        match more.checked_sub(1) {
            _ if !edge.is_known() => UNKNOWN,
            None => self.answers.get(edge.output as usize).copied().unwrap_or(edge.output),
            Some(last) => self.classes[last][edge.to as usize],
        }
    }

    /// How long a shortest word is that tells two states apart; none where there is none.
    pub fn length(&self, one: u32, other: u32) -> Option<usize> {
        let alike = self.classes.partition_point(|class| class[one as usize] == class[other as usize]);
        (alike < self.classes.len()).then_some(alike + 1)
    }

    /// A shortest word that tells two states apart, any of those that there are; none where there is none.
    pub fn separator(
        &self,
        hypothesis: &Hypothesis,
        one: u32,
        other: u32,
        rng: &mut Rng,
    ) -> Option<Vec<usize>> {
        let (mut one, mut other) = (one, other);
        let length = self.length(one, other)?;
        let mut word = Vec::with_capacity(length);
        for more in (0..length).rev() {
            let shown = |state: u32, input: usize| self.shown_by(more, hypothesis, state, input);
            let splits = |input: &usize| shown(one, *input) != shown(other, *input);
            let inputs: Vec<usize> = (0..hypothesis.inputs).filter(splits).collect();
            let &input = rng.pick(&inputs)?;
            word.push(input);
            (one, other) = (hypothesis.edge(one, input).to, hypothesis.edge(other, input).to);
            if one == UNKNOWN || other == UNKNOWN {
                break;
            }
        }
        Some(word)
    }

    /// A shortest word that tells a state from another: how long it must be is drawn first, the longer the likelier, and then
    /// one of the states that words of that length tell from it. So the few that are hard to tell from it are not drowned by the many
    /// that are easy. None where nothing tells it from any other.
    pub fn closing(&self, hypothesis: &Hypothesis, state: u32, rng: &mut Rng) -> Option<Vec<usize>> {
        let mut drawn: Vec<(u64, u32)> = Vec::new();
        let mut sum = 0;
        let mut alike: Vec<u32> = (0..hypothesis.states() as u32).collect();
        for (shorter, classes) in self.classes.iter().enumerate() {
            let is_alike = |other: &u32| classes[*other as usize] == classes[state as usize];
            let (still, apart): (Vec<u32>, Vec<u32>) = alike.iter().partition(|other| is_alike(other));
            alike = still;
            if let Some(&other) = rng.pick(&apart) {
                sum += shorter as u64 + 1;
                drawn.push((sum, other));
            }
        }
        let at = if sum == 0 { 0 } else { rng.below(sum) };
        let (_, other) = drawn.into_iter().find(|(up_to, _)| at < *up_to)?;
        self.separator(hypothesis, state, other, rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::Edge;

    /// Counts `states` up with input 0 and stays with input 1; only the last answers 0 otherwise, and stays.
    fn counter(states: u32) -> Hypothesis {
        let row = |at: u32| {
            let is_last = at + 1 == states;
            let up = Edge { to: if is_last { at } else { at + 1 }, output: u32::from(is_last) };
            [up, Edge { to: at, output: 0 }]
        };
        Hypothesis { inputs: 2, edges: (0..states).flat_map(row).collect() }
    }

    #[test]
    fn states_of_a_counter_are_told_apart_by_counting_to_its_end() {
        let hypothesis = counter(5);
        let splitting = Splitting::new(&hypothesis, vec![0, 1]);
        let mut rng = Rng::new(1);
        for (one, other, length) in [(3, 4, 1), (2, 3, 2), (0, 3, 2), (0, 1, 4), (0, 4, 1)] {
            assert_eq!(splitting.length(one, other), Some(length));
            assert_eq!(splitting.separator(&hypothesis, one, other, &mut rng), Some(vec![0; length]));
        }
        assert_eq!(splitting.length(2, 2), None);
        // From the others the first state is told by words of one to four inputs, the longest of them four times of ten.
        let lengths: Vec<usize> = (0..1_000)
            .filter_map(|_| splitting.closing(&hypothesis, 0, &mut rng))
            .map(|word| word.len())
            .collect();
        let often = |length: usize| lengths.iter().filter(|&&one| one == length).count();
        assert_eq!(lengths.len(), 1_000);
        assert!((1..4).all(|length| often(length) < often(length + 1)) && often(4) > 300);
    }

    #[test]
    fn what_counts_as_the_same_answer_tells_nothing_apart() {
        let hypothesis = counter(3);
        let splitting = Splitting::new(&hypothesis, vec![7, 7]);
        assert_eq!(splitting.length(0, 2), None);
        assert_eq!(splitting.closing(&hypothesis, 0, &mut Rng::new(1)), None);
    }
}
