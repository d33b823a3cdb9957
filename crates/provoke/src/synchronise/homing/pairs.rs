//! How far any two states are from being told apart or merged.

use crate::machine::{Machine, UNDEFINED};
use crate::synchronise::core::Core;
use crate::synchronise::pairs::{Before, index};
use crate::synchronise::watch::Watch;

const FAR: u32 = u32::MAX;

/// For each pair of states the first input of a shortest word after which they answered differently or are one.
pub(super) struct Resolvable {
    input: Vec<u32>,
    distance: Vec<u32>,
}

impl Resolvable {
    /// Breadth-first search backwards from pairs that one input resolves; none where the budget runs out.
    pub(super) fn new(machine: &Machine, watch: &mut Watch<'_>) -> Option<Resolvable> {
        let core = Core::with_all_inputs(machine);
        let count = core.states * core.states.saturating_sub(1) / 2;
        let mut pairs = Resolvable { input: vec![0; count], distance: vec![FAR; count] };
        let mut queue: Vec<(u32, u32)> = Vec::new();
        for high in 1..core.states as u32 {
            if watch.spent(high as usize * core.letters) {
                return None;
            }
            for low in 0..high {
                let resolves = |&input: &u32| match (machine.next(low, input), machine.next(high, input)) {
                    (Some(a), Some(b)) => a == b || machine.output(low, input) != machine.output(high, input),
                    _ => false,
                };
                if let Some(input) = (0..core.letters as u32).find(resolves) {
                    pairs.reach(low, high, input, 1, &mut queue);
                }
            }
        }
        let before = Before::new(&core);
        let mut at = 0;
        while at < queue.len() {
            if watch.spent(2 * core.letters) {
                return None;
            }
            let (left, right) = queue[at];
            at += 1;
            let distance = pairs.distance[index(left, right)] + 1;
            for input in 0..core.letters {
                for &a in before.of(left, input) {
                    for &b in before.of(right, input) {
                        pairs.reach(a, b, input as u32, distance, &mut queue);
                    }
                }
            }
        }
        Some(pairs)
    }

    fn reach(&mut self, a: u32, b: u32, input: u32, distance: u32, queue: &mut Vec<(u32, u32)>) {
        let pair = index(a, b);
        if self.distance[pair] == FAR {
            self.distance[pair] = distance;
            self.input[pair] = input;
            queue.push((a, b));
        }
    }

    /// Two states that nothing resolves.
    pub(super) fn alike(&self, machine: &Machine) -> Option<(u32, u32)> {
        let states = machine.states().len() as u32;
        (1..states).find_map(|high| {
            (0..high).find(|&low| self.distance[index(low, high)] == FAR).map(|low| (low, high))
        })
    }

    /// The inputs that resolve the pair of `set` that is resolved soonest.
    pub(super) fn nearest(&self, machine: &Machine, set: &[u32]) -> Vec<u32> {
        let mut best = (FAR, 0, 0);
        for (place, &left) in set.iter().enumerate() {
            for &right in &set[place + 1..] {
                let distance = self.distance[index(left, right)];
                if distance < best.0 {
                    best = (distance, left, right);
                }
            }
        }
        let (mut left, mut right) = (best.1, best.2);
        let mut word = Vec::new();
        for _ in 0..if best.0 == FAR { 0 } else { best.0 } {
            let input = self.input[index(left, right)];
            word.push(input);
            let next = |state| machine.next(state, input).unwrap_or(UNDEFINED);
            (left, right) = (next(left), next(right));
            if left == right {
                break;
            }
        }
        word
    }
}
