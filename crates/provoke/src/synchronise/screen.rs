//! Quick proofs that there is no synchronising word, linear in the size of the machine.

use super::answer::Impossible;
use super::core::Core;
use super::watch::Watch;
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
///
/// Tarjan's algorithm without recursion: a component is a bottom one if no transition leaves it.
fn two_bottoms(core: &Core<'_>, watch: &mut Watch<'_>) -> Option<(u32, u32)> {
    const DONE: u32 = u32::MAX;
    let mut order = vec![0u32; core.states]; // 0: not visited; DONE: in a finished component
    let mut low = vec![0u32; core.states];
    let mut open: Vec<u32> = Vec::new();
    let mut calls: Vec<(u32, u32)> = Vec::new(); // state, next letter
    let mut leaves: Vec<bool> = Vec::new(); // per call: a transition into a finished component was seen
    let mut counter = 0;
    let mut first = None;
    for root in 0..core.states as u32 {
        if order[root as usize] != 0 {
            continue;
        }
        calls.push((root, 0));
        leaves.push(false);
        counter += 1;
        (order[root as usize], low[root as usize]) = (counter, counter);
        open.push(root);
        while let Some(&mut (state, ref mut letter)) = calls.last_mut() {
            if (*letter as usize) < core.letters {
                let to = core.next[state as usize * core.letters + *letter as usize];
                *letter += 1;
                if to == UNDEFINED {
                    continue;
                }
                match order[to as usize] {
                    0 => {
                        counter += 1;
                        (order[to as usize], low[to as usize]) = (counter, counter);
                        open.push(to);
                        calls.push((to, 0));
                        leaves.push(false);
                    }
                    DONE => mark_last(&mut leaves),
                    seen => low[state as usize] = low[state as usize].min(seen),
                }
                continue;
            }
            if watch.spent(core.letters) {
                return None;
            }
            calls.pop();
            let left = leaves.pop().unwrap_or(false);
            let closes = low[state as usize] == order[state as usize];
            if closes {
                while let Some(member) = open.pop() {
                    order[member as usize] = DONE;
                    if member == state {
                        break;
                    }
                }
                if !left {
                    if let Some(other) = first {
                        return Some((other, state));
                    }
                    first = Some(state);
                }
            }
            if let Some(&(parent, _)) = calls.last() {
                low[parent as usize] = low[parent as usize].min(low[state as usize]);
                // What the child left, its component's root leaves; a finished child is itself left for.
                if closes || left {
                    mark_last(&mut leaves);
                }
            }
        }
    }
    None
}

fn mark_last(leaves: &mut [bool]) {
    if let Some(last) = leaves.last_mut() {
        *last = true;
    }
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
