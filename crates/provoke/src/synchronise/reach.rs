//! Which states can be reached from a state, and how.

use crate::machine::{Machine, UNDEFINED};

/// How many states can be reached from `from`, itself included, and whether `wanted` is one of them.
pub fn reachable(machine: &Machine, from: u32, wanted: Option<u32>) -> (usize, bool) {
    let mut seen = vec![0u64; machine.states().len().div_ceil(64)];
    let mut queue = vec![from];
    seen[from as usize >> 6] |= 1 << (from & 63);
    let mut at = 0;
    while at < queue.len() {
        for &to in machine.row(queue[at]) {
            if to != UNDEFINED && seen[to as usize >> 6] >> (to & 63) & 1 == 0 {
                seen[to as usize >> 6] |= 1 << (to & 63);
                queue.push(to);
            }
        }
        at += 1;
    }
    let found = wanted.is_some_and(|state| seen[state as usize >> 6] >> (state & 63) & 1 == 1);
    (queue.len(), found)
}

/// A shortest word from a state to the nearest one that is wanted, and that state.
pub fn path(machine: &Machine, from: u32, wanted: impl Fn(u32) -> bool) -> Option<(Vec<u32>, u32)> {
    if wanted(from) {
        return Some((Vec::new(), from));
    }
    let mut before = vec![(UNDEFINED, 0u32); machine.states().len()];
    before[from as usize] = (from, 0);
    let mut queue = vec![from];
    let mut at = 0;
    while at < queue.len() {
        let state = queue[at];
        at += 1;
        for (input, &to) in machine.row(state).iter().enumerate() {
            if to == UNDEFINED || before[to as usize].0 != UNDEFINED {
                continue;
            }
            before[to as usize] = (state, input as u32);
            if wanted(to) {
                let mut word = Vec::new();
                let mut back = to;
                while back != from {
                    word.push(before[back as usize].1);
                    back = before[back as usize].0;
                }
                word.reverse();
                return Some((word, to));
            }
            queue.push(to);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Names;

    #[test]
    fn reach_and_path_on_a_line_with_a_shortcut() {
        // 0 -a-> 1 -a-> 2 -a-> 3; 0 -b-> 2; nothing leaves 3.
        let next = vec![1, 2, 2, UNDEFINED, 3, UNDEFINED, UNDEFINED, UNDEFINED];
        let machine = Machine::from_table(Names::numbered("", 4), Names::numbered("", 2), next).unwrap();
        assert_eq!(reachable(&machine, 0, Some(3)), (4, true));
        assert_eq!(reachable(&machine, 2, Some(0)), (2, false));
        assert_eq!(path(&machine, 0, |state| state == 3), Some((vec![1, 0], 3)));
        assert_eq!(path(&machine, 0, |state| state == 0), Some((vec![], 0)));
        assert_eq!(path(&machine, 3, |state| state == 0), None);
    }
}
