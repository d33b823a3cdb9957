//! Where inputs are many but can be listed: the most different ones first, the others once what these do is known.

use std::sync::Arc;

use crate::automaton::Classes;
use crate::letter::Letter;
use crate::rng::Rng;

/// Inputs that the learner does not know yet, in the order in which it gets to know them.
///
/// Where inputs are valuations of signals, a transition of most systems is taken by many of them alike, so a hypothesis over few of them shows most of what a system
/// does for a small part of the steps. Those come first that requirements tell apart in the most of their states; once each
/// class of each state has its representative, others of the same classes follow in the same way. In the end all are there.
#[derive(Debug, Default)]
pub(super) struct Gradual {
    /// The next last.
    later: Vec<Letter>,
    /// After how many steps everything was known about the others.
    since: Option<u64>,
}

/// So many inputs are all learnt from the start.
const FEW: usize = 16;
/// The least and the most that learning begins with.
const FIRST: [usize; 2] = [8, 12];
/// Tests have one step for so many that were made before.
const TESTS: u64 = 4;
/// Of each requirement so many states are looked at.
const STATES: usize = 64;

impl Gradual {
    /// What to begin with of all these inputs, and the rest; all of them where nothing says which are different.
    pub(super) fn new(
        inputs: Vec<Letter>,
        classes: &[Arc<Classes>],
        rng: &mut Rng,
    ) -> (Gradual, Vec<Letter>) {
        if inputs.len() <= FEW || classes.is_empty() {
            return (Gradual::default(), inputs);
        }
        let (mut ordered, first) = in_order(inputs, classes, rng);
        let mut later = ordered.split_off(first.clamp(FIRST[0], FIRST[1]));
        later.reverse();
        (Gradual { later, since: None }, ordered)
    }

    /// The same with inputs that could not be sent before: which of them to begin with.
    pub(super) fn meet(
        &mut self,
        mut inputs: Vec<Letter>,
        classes: &[Arc<Classes>],
        rng: &mut Rng,
    ) -> Vec<Letter> {
        inputs.retain(|input| !self.later.contains(input));
        let (more, first) = Gradual::new(inputs, classes, rng);
        self.later.splice(0..0, more.later);
        first
    }

    /// The others are learnt anew: it takes a while again until the next come.
    pub(super) fn wait_anew(&mut self) {
        self.since = None;
    }

    /// Whether all inputs are known.
    pub(super) fn is_over(&self) -> bool {
        self.later.is_empty()
    }

    /// The next of them, as many as are known already, now that after so many steps all is known about those: once that was put
    /// to the test for a while.
    pub(super) fn next(&mut self, known: usize, steps: u64) -> Vec<Letter> {
        let since = *self.since.get_or_insert(steps);
        if steps < since + since / TESTS {
            return Vec::new();
        }
        self.since = None;
        let mut next = self.later.split_off(self.later.len().saturating_sub(known));
        next.reverse();
        next
    }
}

/// The inputs in their order, and after how many each class of each state has one for the first time.
fn in_order(mut inputs: Vec<Letter>, classes: &[Arc<Classes>], rng: &mut Rng) -> (Vec<Letter>, usize) {
    // The first is the plainest, mostly: nothing.
    if let Some((_, others)) = inputs.split_first_mut() {
        rng.shuffle(others);
    }
    let places: Vec<(&Classes, u32)> = classes
        .iter()
        .flat_map(|of| (0..of.states().min(STATES) as u32).map(move |state| (&**of, state)))
        .collect();
    let class = |input: Letter| -> Vec<u32> {
        places
            .iter()
            .map(|(of, state)| of.class(*state, input).map_or(u32::MAX, |class| class as u32))
            .collect()
    };
    let mut left: Vec<(Letter, Vec<u32>)> = inputs.into_iter().map(|input| (input, class(input))).collect();
    let mut met: Vec<Vec<u32>> = vec![Vec::new(); places.len()];
    let (mut ordered, mut first) = (Vec::new(), None);
    while !left.is_empty() {
        let fresh = |of: &[u32]| of.iter().zip(&met).filter(|(class, met)| !met.contains(class)).count();
        let best = (0..left.len()).rev().max_by_key(|&at| fresh(&left[at].1)).unwrap_or(0);
        if fresh(&left[best].1) == 0 {
            first = first.or(Some(ordered.len()));
            if met.iter().any(|met| !met.is_empty()) {
                met.iter_mut().for_each(Vec::clear);
                continue;
            }
        }
        let (input, of) = left.remove(best);
        met.iter_mut().zip(of).for_each(|(met, class)| met.push(class));
        ordered.push(input);
    }
    let first = first.filter(|&first| first > 0).unwrap_or(ordered.len());
    (ordered, first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::safety_automaton;
    use crate::bdd::Space;
    use crate::letter::Interface;
    use crate::ltl::parse;

    #[test]
    fn few_inputs_come_at_once_and_many_little_by_little() {
        let inputs = |count: u64| (0..count).map(Letter::from_index).collect::<Vec<_>>();
        let space = Arc::new(Space::new(Interface::signals(["a", "b", "c", "d", "e", "f"], ["x"]).unwrap()));
        let automaton = safety_automaton(&parse("G(a -> x)").unwrap().formula, &space).unwrap();
        let classes = [Arc::new(Classes::alone(&automaton).unwrap())];
        for (count, classes) in [(16, &classes[..]), (64, &[])] {
            let (gradual, first) = Gradual::new(inputs(count), classes, &mut Rng::new(1));
            assert!(gradual.is_over() && first == inputs(count));
        }
        let (mut gradual, mut known) = Gradual::new(inputs(64), &classes, &mut Rng::new(1));
        assert_eq!((known.len(), known[0]), (8, Letter::from_index(0)));
        // Each class is among them.
        assert!(known.iter().any(|input| input.get(0)) && known.iter().any(|input| !input.get(0)));
        // What is known is put to the test for a quarter of the steps.
        assert!(gradual.next(8, 100).is_empty() && gradual.next(8, 124).is_empty());
        for (steps, count) in [(125, 8), (200, 0), (250, 16), (400, 0), (500, 32)] {
            let next = gradual.next(known.len(), steps);
            assert_eq!(next.len(), count, "{steps}");
            known.extend(next);
        }
        known.sort_unstable();
        assert!(gradual.is_over() && known == inputs(64));
    }
}
