//! Quick proofs that there is no synchronising word, linear in the size of the machine.

use std::cell::Cell;
use std::ops::ControlFlow;

use super::answer::Impossible;
use super::core::Core;
use super::watch::Watch;
use crate::connected::visit;
use crate::machine::UNDEFINED;

/// Two questions answered before any search, on complete and partial machines alike.
///
/// The first letter of a word must be defined in every state, so some letter must be. And states of two bottom
/// components (sets of states that are never left) can never meet. None also where the time runs out.
pub(crate) fn screen(core: &Core<'_>, watch: &mut Watch<'_>) -> Option<Impossible> {
    if core.states < 2 {
        return None;
    }
    let mut total = vec![true; core.letters];
    if !core.complete {
        for row in core.next.chunks_exact(core.letters.max(1)) {
            for (total, &to) in total.iter_mut().zip(row) {
                *total &= to != UNDEFINED;
            }
        }
    }
    if !total.contains(&true) {
        return Some(Impossible::NoTotalInput);
    }
    two_bottoms(core, watch).map(|(one, other)| Impossible::TwoBottoms { one, other })
}

/// A state of each of two bottom components, if there are two.
fn two_bottoms(core: &Core<'_>, watch: &mut Watch<'_>) -> Option<(u32, u32)> {
    let spent = Cell::new(false);
    let defined = |state: u32| core.row(state).iter().copied().filter(|&to| to != UNDEFINED);
    let successors = |state: u32| {
        spent.set(spent.get() || watch.spent(core.letters));
        defined(state)
    };
    let mut first = None;
    let found = visit(core.states, successors, |members, component| {
        if spent.get() {
            return ControlFlow::Break(None);
        }
        let own = component[members[0] as usize];
        // The component that is met first leads nowhere.
        let stays = |&state: &u32| defined(state).all(|to| component[to as usize] == own);
        match first {
            None => first = Some(members[0]),
            Some(first) if members.iter().all(stays) => return ControlFlow::Break(Some((first, members[0]))),
            Some(_) => {}
        }
        ControlFlow::Continue(())
    });
    found.break_value().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Machine, Names};
    use crate::rng::Rng;

    fn machine(states: usize, inputs: usize, next: Vec<u32>) -> Machine {
        Machine::from_table(Names::numbered("", states), Names::numbered("", inputs), next).unwrap()
    }

    /// Bottom components by definition: what a state reaches, reaches it back.
    fn bottoms(core: &Core<'_>) -> usize {
        let reach = |from: u32| {
            let mut seen = vec![false; core.states];
            let mut queue = vec![from];
            seen[from as usize] = true;
            while let Some(state) = queue.pop() {
                for &to in core.row(state).iter().filter(|&&to| to != UNDEFINED) {
                    if !std::mem::replace(&mut seen[to as usize], true) {
                        queue.push(to);
                    }
                }
            }
            seen
        };
        let all: Vec<Vec<bool>> = (0..core.states as u32).map(reach).collect();
        let is_first = |state: usize| {
            (0..core.states).all(|other| !all[state][other] || (all[other][state] && other >= state))
        };
        (0..core.states).filter(|&state| is_first(state)).count()
    }

    #[test]
    fn bottom_components_agree_with_the_definition() {
        let mut rng = Rng::new(2);
        for _ in 0..3000 {
            let (states, inputs) = (1 + rng.index(9), 1 + rng.index(3));
            let share = rng.unit();
            let entry = |rng: &mut Rng| if rng.chance(share) { UNDEFINED } else { rng.index(states) as u32 };
            let next: Vec<u32> = (0..states * inputs).map(|_| entry(&mut rng)).collect();
            let machine = machine(states, inputs, next);
            let core = Core::new(&machine);
            assert_eq!(
                two_bottoms(&core, &mut Watch::new(None, None)).is_some(),
                bottoms(&core) > 1,
                "{:?}",
                core.next
            );
        }
    }

    #[test]
    fn an_input_must_be_defined_everywhere() {
        let partial = machine(2, 2, vec![1, UNDEFINED, UNDEFINED, 0]);
        assert_eq!(screen(&Core::new(&partial), &mut Watch::new(None, None)), Some(Impossible::NoTotalInput));
        let idle = machine(2, 1, vec![0, 1]);
        assert_eq!(screen(&Core::new(&idle), &mut Watch::new(None, None)), Some(Impossible::NoTotalInput));
    }
}
