//! What the system was promised to happen some day, and the inputs that make it happen.

use std::sync::Arc;

use crate::automaton::{Automaton, FourValued, Table, Verdict};
use crate::bdd::{Bdd, OutOfNodes, Space};
use crate::letter::{Letter, LetterSet};
use crate::rng::Rng;
use crate::trace::Step;

/// How many steps a promise may be open before it is fulfilled, unless told otherwise.
pub const FAIRNESS: u32 = 20;

/// Assumptions that no finite run breaks, such as "again and again the door is opened": a tester that never opens it finds
/// nothing that counts. They are followed beside the game; once one has been open for so many steps in a row, only inputs
/// that bring it nearer to being fulfilled are sent until it is.
///
/// An input brings it nearer if every answer does or, where no input is like that, if some answer does. A promise that takes
/// several steps in a row, such as `G F (a & X b)`, counts as met when its automaton may take it to be: after `a`, so that what
/// follows is left to the strategy. Usually there are no promises. The tables are shared between clones.
#[derive(Clone, Debug, Default)]
pub struct Promises {
    followed: Vec<Followed>,
    most: u32,
}

#[derive(Clone, Debug)]
struct Followed {
    rules: Arc<Rules>,
    /// Where it is; [`Table::NOWHERE`] once it is broken, when it asks for nothing more.
    at: u32,
    /// For how many steps it has been open.
    age: u32,
}

#[derive(Debug)]
struct Rules {
    table: Table,
    initial: u32,
    /// For each state where something is open, the inputs that bring it nearer; empty where none does, or nothing is.
    inputs: Vec<LetterSet>,
}

impl Promises {
    /// Keeps these within so many steps, at least 1; each is a deterministic monitor.
    pub fn new<'a>(
        monitors: impl IntoIterator<Item = &'a FourValued>,
        most: u32,
    ) -> Result<Promises, OutOfNodes> {
        let followed = |monitor: &FourValued| {
            let FourValued { automaton, verdicts } = monitor;
            let space = &automaton.space;
            let rows =
                automaton.states.iter().map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to)));
            let is_open: Vec<bool> = verdicts.iter().map(|&verdict| verdict == Verdict::SoFarBad).collect();
            let inputs = helpful(automaton, &is_open).iter().map(|set| space.input_letters(set)).collect();
            let rules = Rules { table: Table::new(space, rows), initial: automaton.initial, inputs };
            let followed = Followed { rules: Arc::new(rules), at: automaton.initial, age: 0 };
            space.bdds().checked(Ok(followed))
        };
        let followed = monitors.into_iter().map(followed).collect::<Result<_, _>>()?;
        Ok(Promises { followed, most: most.max(1) })
    }

    /// Whether nothing was promised.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.followed.is_empty()
    }

    /// Back to the start of a run.
    pub fn reset(&mut self) {
        self.followed
            .iter_mut()
            .for_each(|followed| (followed.at, followed.age) = (followed.rules.initial, 0));
    }

    /// Follows one exchange.
    pub fn follow(&mut self, step: &Step) {
        for followed in self.followed.iter_mut().filter(|followed| followed.at != Table::NOWHERE) {
            followed.at = followed.rules.table.next(followed.at, &step.input, &step.output);
            let open = followed.wanted().is_some_and(|inputs| !inputs.is_empty());
            followed.age = if open { followed.age.saturating_add(1) } else { 0 };
        }
    }

    /// The inputs that promises ask for which have waited long enough, and at least for so many steps.
    fn due(&self, least: u32) -> impl Iterator<Item = &LetterSet> {
        let due = self.followed.iter().filter(move |followed| followed.age >= self.most.max(least));
        due.filter_map(Followed::wanted)
    }

    /// Whether sending this makes no promise wait that has waited long enough, and at least for so many steps.
    pub fn allows(&self, input: Letter, least: u32) -> bool {
        self.due(least).all(|inputs| inputs.contains(input))
    }

    /// An input for a promise that has waited long enough, the one that has waited longest first and for as many as can be
    /// had at once; only if it may be sent.
    pub fn input(&self, rng: &mut Rng, may_send: impl Fn(Letter) -> bool) -> Option<Letter> {
        const TRIES: usize = 64;
        let due = self.followed.iter().filter(|followed| followed.age >= self.most);
        let first = due.max_by_key(|followed| followed.age)?.wanted()?;
        let drawn: Vec<Letter> =
            (0..TRIES).map_while(|_| first.sample(rng)).filter(|&input| may_send(input)).collect();
        drawn.into_iter().max_by_key(|&input| self.due(0).filter(|inputs| inputs.contains(input)).count())
    }
}

impl Followed {
    fn wanted(&self) -> Option<&LetterSet> {
        self.rules.inputs.get(self.at as usize)
    }
}

/// For each state where something is open, the inputs that lead nearer to where nothing is: by force where that is possible,
/// else with a helpful system.
fn helpful(automaton: &Automaton, is_open: &[bool]) -> Vec<Bdd> {
    let space = &automaton.space;
    let mut inputs = vec![space.bdds().none(); automaton.states.len()];
    let mut near: Vec<bool> = is_open.iter().map(|open| !open).collect();
    for by_force in [true, false] {
        loop {
            let found: Vec<(usize, Bdd)> = (0..near.len())
                .filter(|&at| !near[at])
                .map(|at| (at, nearer(space, automaton, at, &near, by_force)))
                .filter(|(_, found)| !found.is_none())
                .collect();
            if found.is_empty() {
                break;
            }
            for (at, found) in found {
                (near[at], inputs[at]) = (true, found);
            }
        }
    }
    inputs
}

/// The inputs with which every answer, or some answer, leads from a state to one of these.
fn nearer(space: &Space, automaton: &Automaton, at: usize, near: &[bool], by_force: bool) -> Bdd {
    let edges = automaton.states[at].edges.iter().filter(|edge| near[edge.to as usize]);
    let led = edges.fold(space.bdds().none(), |sum, edge| &sum | &edge.guard);
    let led = &led & &space.exchanges();
    let some = space.some_output(&led);
    match by_force {
        true => &some - &space.some_output(&(&space.exchanges() - &led)),
        false => some,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::automaton::{buchi, recurring};
    use crate::letter::Interface;
    use crate::ltl::parse;

    fn promises(formula: &str, most: u32) -> Promises {
        let space = Arc::new(Space::new(Interface::signals(["a", "b"], ["x"]).unwrap()));
        let accepts = buchi(&parse(formula).unwrap().formula, &space).unwrap();
        let monitor = recurring(&accepts).unwrap();
        Promises::new([&monitor], most).unwrap()
    }

    fn step(input: u64, output: u64) -> Step {
        Step { input: Letter::from_index(input), output: Letter::from_index(output) }
    }

    #[test]
    fn what_waits_too_long_is_due_until_it_is_done() {
        let mut promises = promises("G F (a & b)", 3);
        let allowed = |promises: &Promises| -> Vec<u64> {
            (0..4).filter(|&input| promises.allows(Letter::from_index(input), 0)).collect()
        };
        for _ in 0..3 {
            assert_eq!(allowed(&promises), [0, 1, 2, 3]);
            promises.follow(&step(1, 0));
        }
        assert_eq!(allowed(&promises), [3], "a and b after three steps without");
        assert_eq!(promises.input(&mut Rng::new(1), |_| true), Some(Letter::from_index(3)));
        promises.follow(&step(3, 0));
        assert_eq!(allowed(&promises), [0, 1, 2, 3]);
    }

    #[test]
    fn what_only_the_system_can_do_is_not_asked_of_the_tester() {
        let mut promises = promises("G F x", 1);
        (0..5).for_each(|_| promises.follow(&step(0, 0)));
        assert!(
            (0..4).all(|input| promises.allows(Letter::from_index(input), 0)),
            "any input may be answered by x"
        );
    }
}
