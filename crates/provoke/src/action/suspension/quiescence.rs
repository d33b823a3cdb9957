//! Internal steps: what they reach, and where a system rests.

use crate::connected::Components;
use crate::format::lts::{Label, Lts};

/// A transition system by state: internal steps apart from the others.
#[derive(Clone, Debug)]
pub struct Steps {
    /// Internal steps of state `at` are `internal[first_internal[at]..first_internal[at + 1]]`; the same for others.
    internal: Vec<u32>,
    first_internal: Vec<u32>,
    visible: Vec<(Label, u32)>,
    first_visible: Vec<u32>,
    quiescent: Vec<bool>,
    /// The first state on a cycle of internal steps.
    pub(super) divergence: Option<u32>,
}

impl Steps {
    /// The steps of a transition system.
    pub fn of(lts: &Lts) -> Steps {
        let states = lts.states.len();
        let is_internal = |label: Label| label == Label::Internal;
        let mut sorted: Vec<(u32, bool, Label, u32)> =
            lts.transitions.iter().map(|one| (one.from, is_internal(one.label), one.label, one.to)).collect();
        sorted.sort_unstable();
        sorted.dedup();
        let mut steps = Steps {
            internal: Vec::new(),
            first_internal: vec![0],
            visible: Vec::new(),
            first_visible: vec![0],
            quiescent: Vec::new(),
            divergence: None,
        };
        let mut rest = &sorted[..];
        for state in 0..states as u32 {
            let count = rest.iter().take_while(|(from, ..)| *from == state).count();
            let (own, others) = rest.split_at(count);
            rest = others;
            for &(_, internal, label, to) in own {
                match internal {
                    true => steps.internal.push(to),
                    false => steps.visible.push((label, to)),
                }
            }
            steps.first_internal.push(steps.internal.len() as u32);
            steps.first_visible.push(steps.visible.len() as u32);
        }
        steps.find_quiescent(states);
        steps
    }

    /// Where internal steps of a state lead, in order.
    pub fn internal(&self, state: u32) -> &[u32] {
        let at = state as usize;
        &self.internal[self.first_internal[at] as usize..self.first_internal[at + 1] as usize]
    }

    /// The other steps of a state, in order.
    pub fn visible(&self, state: u32) -> &[(Label, u32)] {
        let at = state as usize;
        &self.visible[self.first_visible[at] as usize..self.first_visible[at + 1] as usize]
    }

    /// Whether the system may be silent for ever in a state; see [`Suspension::of`](super::Suspension::of).
    pub fn quiescent(&self, state: u32) -> bool {
        self.quiescent[state as usize]
    }

    /// A system rests where internal steps lead round and round, or nowhere, and no output is possible on the way.
    fn find_quiescent(&mut self, states: usize) {
        let components = Components::new(states, |state| self.internal(state).iter().copied());
        let of = |state: u32| components.of[state as usize];
        let mut rests = vec![true; components.count];
        for state in 0..states as u32 {
            let says = |(label, _): &(Label, u32)| matches!(label, Label::Output(_));
            let leaves = |to: &u32| of(*to) != of(state);
            if self.visible(state).iter().any(says) || self.internal(state).iter().any(leaves) {
                rests[of(state) as usize] = false;
            }
            // A step inside a component goes round.
            if self.divergence.is_none() && self.internal(state).iter().any(|to| of(*to) == of(state)) {
                self.divergence = Some(state);
            }
        }
        self.quiescent = (0..states as u32).map(|state| rests[of(state) as usize]).collect();
    }

    /// Adds what internal steps reach; the states are in order afterwards, each once. `seen` is all false, and is left so.
    pub(crate) fn close(&self, set: &mut Vec<u32>, seen: &mut [bool]) {
        set.retain(|&state| !std::mem::replace(&mut seen[state as usize], true));
        let mut at = 0;
        while let Some(&state) = set.get(at) {
            at += 1;
            for &to in self.internal(state) {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    set.push(to);
                }
            }
        }
        set.iter().for_each(|&state| seen[state as usize] = false);
        set.sort_unstable();
    }
}
