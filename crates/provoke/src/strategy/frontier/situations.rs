//! Which place to go back to: situations, by requirement state and recent exchanges.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rustc_hash::FxHashMap;

use super::NONE;
use super::memory::{Memory, Trail};
use crate::game::State;

/// The situations of every requirement state that was seen, and an order in which to explore from them.
///
/// A situation is a requirement state and the last few exchanges; it stands for all runs that look alike. How
/// many exchanges count depends on the state: none at first, one more whenever everything has been tried
/// in all of its situations. States of one distance and one refinement share a purse. With `turn` for 1 + how many
/// distances are smaller + twice how often they have been refined, a purse is spent in proportion to 1 / turn²: the states
/// nearest to the objective get most, and none starves where the near ones are doomed or guidance deceives. A
/// purse that is new has spent nothing, so it comes first until it has caught up.
#[derive(Debug, Default)]
pub(super) struct Situations {
    states: Vec<StateRecord>,
    /// The record of each state of the game, or [`NONE`].
    number: Vec<u32>,
    /// By distance, the smallest first.
    classes: Vec<Class>,
}

/// The states of one distance.
#[derive(Debug, Default)]
struct Class {
    distance: u32,
    /// The (level, record) of those that are not used up.
    open: BTreeSet<(u32, u32)>,
    /// Steps and resets spent so far, by level.
    spent: Vec<u64>,
}

/// Even levels explore helpful inputs only, odd levels all; each pair of levels looks one exchange further back.
#[derive(Debug, Default)]
struct StateRecord {
    distance: u32,
    level: u32,
    used_up: bool,
    /// Every node of the memory in this state, with as many exchanges as the level says.
    trails: Vec<Trail>,
    /// By signature, the (depth, trail) of the shallowest node.
    shallowest: FxHashMap<u64, (u32, u32)>,
    /// The same, shallowest first. May hold trails that have been replaced by shallower ones.
    open: BinaryHeap<Reverse<(u32, u32)>>,
}

/// Where to go back to, and from which purse that is paid.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    pub(super) node: u32,
    pub(super) distance: u32,
    level: u32,
}

impl Default for Target {
    /// No place at all: nothing is farther.
    fn default() -> Target {
        Target { node: NONE, distance: u32::MAX, level: 0 }
    }
}

impl Target {
    /// Whether any input will do there or only a helpful one.
    pub(super) fn all_inputs(&self) -> bool {
        self.level % 2 == 1
    }
}

impl Situations {
    /// Remembers a node; true where its situation is new or was never reached so cheaply.
    pub(super) fn store(&mut self, memory: &Memory, node: u32, distance: u32) -> bool {
        let number = self.record(memory.get(node).state, distance);
        let record = &mut self.states[number as usize];
        if std::mem::take(&mut record.used_up) {
            let opened = (record.level, number);
            self.class(distance).open.insert(opened);
        }
        let record = &mut self.states[number as usize];
        let mut trail = memory.trail(node);
        (0..record.level / 2).for_each(|_| memory.look_back(&mut trail));
        record.trails.push(trail);
        record.admit(record.trails.len() as u32 - 1)
    }

    fn record(&mut self, state: State, distance: u32) -> u32 {
        let at = state.0 as usize;
        if self.number.len() <= at {
            self.number.resize(at + 1, NONE);
        }
        if self.number[at] == NONE {
            self.number[at] = self.states.len() as u32;
            // Not in the order yet: the first node puts it there.
            self.states.push(StateRecord { distance, used_up: true, ..StateRecord::default() });
        }
        self.number[at]
    }

    /// The place to explore from next; none where everything has been tried everywhere. `is_open` says
    /// whether a place has inputs left to try, given how many exchanges tell it from others.
    pub(super) fn target(
        &mut self,
        memory: &Memory,
        mut is_open: impl FnMut(&Target, u32) -> bool,
    ) -> Option<Target> {
        loop {
            let number = self.next_state()?;
            let record = &mut self.states[number as usize];
            let (distance, level) = (record.distance, record.level);
            while let Some(Reverse(first)) = record.open.peek() {
                let trail = record.trails[first.1 as usize];
                let target = Target { node: trail.node, distance, level };
                if record.shallowest.get(&trail.signature) == Some(first) && is_open(&target, level / 2) {
                    return Some(target);
                }
                record.open.pop();
            }
            let alive = record.refine(memory);
            let after = (record.level, number);
            let class = self.class(distance);
            class.open.remove(&(level, number));
            if alive {
                class.open.insert(after);
            }
        }
    }

    /// The state whose purse is due: the one with the least spent for its share.
    fn next_state(&self) -> Option<u32> {
        let share = |turn: u64| turn.saturating_mul(turn);
        let mut best: Option<(u64, u32)> = None;
        let open = self.classes.iter().filter_map(|class| Some((class, class.open.first()?)));
        for (place, (class, &(level, number))) in (1..).zip(open) {
            // Farther ones are not due either, even with nothing spent.
            if best.is_some_and(|(least, _)| least <= share(place)) {
                break;
            }
            let spent = class.spent.get(level as usize).copied().unwrap_or(0);
            let due = (spent + 1).saturating_mul(share(place + 2 * u64::from(level)));
            if best.is_none_or(|(least, _)| due < least) {
                best = Some((due, number));
            }
        }
        best.map(|(_, number)| number)
    }

    /// Pays for a run to a target.
    pub(super) fn pay(&mut self, target: &Target, cost: u64) {
        let (spent, level) = (&mut self.class(target.distance).spent, target.level as usize);
        if spent.len() <= level {
            spent.resize(level + 1, 0);
        }
        spent[level] += cost;
    }

    fn class(&mut self, distance: u32) -> &mut Class {
        let place = self.classes.partition_point(|class| class.distance < distance);
        if self.classes.get(place).is_none_or(|class| class.distance != distance) {
            self.classes.insert(place, Class { distance, ..Class::default() });
        }
        &mut self.classes[place]
    }

    /// The shallowest node of every state, the nearest to the objective first.
    pub(super) fn cheapest(&self) -> Vec<u32> {
        let shallowest = |record: &StateRecord| {
            record.trails.iter().map(|trail| (record.distance, trail.depth, trail.node)).min()
        };
        let mut cheapest: Vec<(u32, u32, u32)> = self.states.iter().filter_map(shallowest).collect();
        cheapest.sort_unstable();
        cheapest.into_iter().map(|(.., node)| node).collect()
    }

    pub(super) fn memory(&self) -> usize {
        let of_record = |record: &StateRecord| {
            size_of::<StateRecord>()
                + record.trails.capacity() * size_of::<Trail>()
                + record.shallowest.capacity() * (size_of::<(u64, (u32, u32))>() + 1)
                + record.open.capacity() * size_of::<(u32, u32)>()
        };
        let of_class = |class: &Class| size_of::<Class>() + class.spent.capacity() * size_of::<u64>();
        self.states.iter().map(of_record).sum::<usize>()
            + self.number.capacity() * size_of::<u32>()
            + self.classes.iter().map(of_class).sum::<usize>()
    }
}

impl StateRecord {
    /// Makes a trail stand for its situation where it is the first or the shallowest.
    fn admit(&mut self, number: u32) -> bool {
        let trail = &self.trails[number as usize];
        let holder = self.shallowest.entry(trail.signature).or_insert((u32::MAX, NONE));
        if holder.0 <= trail.depth {
            return false;
        }
        *holder = (trail.depth, number);
        self.open.push(Reverse(*holder));
        true
    }

    /// Looks at more inputs or further back; false where that makes no difference any more.
    fn refine(&mut self, memory: &Memory) -> bool {
        self.level += 1;
        if self.level % 2 == 1 {
            // All inputs instead of the helpful ones, from the same situations.
            self.open = self.shallowest.values().copied().map(Reverse).collect();
            return true;
        }
        if self.shallowest.len() == self.trails.len() {
            self.level -= 1;
            self.used_up = true;
            return false;
        }
        self.shallowest.clear();
        self.open.clear();
        self.trails.iter_mut().for_each(|trail| memory.look_back(trail));
        for number in 0..self.trails.len() as u32 {
            self.admit(number);
        }
        true
    }
}

#[cfg(test)]
mod tests;
