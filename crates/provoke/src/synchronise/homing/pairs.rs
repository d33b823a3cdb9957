//! How far any two states are from being told apart or merged.

use crate::machine::{Machine, UNDEFINED};
use crate::synchronise::core::Core;
use crate::synchronise::pairs::{Before, FAR, Pairs};
use crate::synchronise::watch::Watch;

/// For each pair of states the first input of a shortest word after which they answered differently or are one.
pub(super) struct Resolvable(Pairs);

impl Resolvable {
    /// Breadth-first search backwards from pairs that one input resolves; none where the budget runs out.
    pub(super) fn new(machine: &Machine, watch: &mut Watch<'_>) -> Option<Resolvable> {
        let core = Core::with_all_inputs(machine);
        let mut pairs = Pairs::far(&core);
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
                    pairs.reach(low, high, input as usize, 1, &mut queue);
                }
            }
        }
        pairs.spread(&core, &Before::new(&core), queue, watch).then_some(Resolvable(pairs))
    }

    /// Two states that nothing resolves.
    pub(super) fn alike(&self, machine: &Machine) -> Option<(u32, u32)> {
        self.0.unreached(machine.states().len())
    }

    /// The inputs that resolve the pair of `set` that is resolved soonest.
    pub(super) fn nearest(&self, machine: &Machine, set: &[u32]) -> Vec<u32> {
        let mut best = (FAR, 0, 0);
        for (place, &left) in set.iter().enumerate() {
            for &right in &set[place + 1..] {
                let distance = self.0.distance(left, right);
                if distance < best.0 {
                    best = (distance, left, right);
                }
            }
        }
        let (mut left, mut right) = (best.1, best.2);
        let mut word = Vec::new();
        for _ in 0..if best.0 == FAR { 0 } else { best.0 } {
            let input = self.0.letter(left, right);
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
