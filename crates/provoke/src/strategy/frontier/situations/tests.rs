//! The order of situations against one that looks at everything each time.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;
use crate::letter::Letter;

/// Small letters, the last exchange first.
type Exchanges = Vec<(u64, u64)>;

/// One state of the game, as plainly as can be.
#[derive(Default)]
struct Plain {
    distance: u32,
    level: u32,
    used_up: bool,
    /// Depth, exchanges and number of each node, in the order in which they came.
    nodes: Vec<(u32, Exchanges, u32)>,
    /// Those in which nothing was left to try at this level.
    closed: BTreeSet<usize>,
}

impl Plain {
    /// The places in `nodes` that stand for their situations: the shallowest, the first among equals.
    fn holders(&self) -> Vec<usize> {
        let seen = |at: usize| {
            let (_, exchanges, _) = &self.nodes[at];
            &exchanges[..exchanges.len().min(self.level as usize / 2)]
        };
        let best = |at: &usize| {
            let alike = (0..self.nodes.len()).filter(|other| seen(*other) == seen(*at));
            alike.min_by_key(|&other| (self.nodes[other].0, other)) == Some(*at)
        };
        (0..self.nodes.len()).filter(best).collect()
    }

    /// Looks at more inputs or further back, or is used up.
    fn refine(&mut self) {
        if self.level % 2 == 1 && self.holders().len() == self.nodes.len() {
            self.used_up = true;
            return;
        }
        self.level += 1;
        self.closed.clear();
    }
}

#[derive(Default)]
struct Oracle {
    /// In the order in which they were met.
    states: Vec<(State, Plain)>,
    spent: BTreeMap<(u32, u32), u64>,
}

impl Oracle {
    fn store(&mut self, state: State, distance: u32, depth: u32, exchanges: Exchanges, node: u32) -> bool {
        let at = self.states.iter().position(|(known, _)| *known == state).unwrap_or_else(|| {
            self.states.push((state, Plain { distance, ..Plain::default() }));
            self.states.len() - 1
        });
        let plain = &mut self.states[at].1;
        plain.used_up = false;
        plain.nodes.push((depth, exchanges, node));
        plain.holders().last() == Some(&(plain.nodes.len() - 1))
    }

    fn target(&mut self, mut is_open: impl FnMut(u32, u32) -> bool) -> Option<(u32, u32, u32)> {
        loop {
            let open = || self.states.iter().enumerate().filter(|(_, (_, plain))| !plain.used_up);
            let distances: BTreeSet<u32> = open().map(|(_, (_, plain))| plain.distance).collect();
            let due = |(place, distance): (u64, u32)| {
                let first = open().filter(|(_, (_, plain))| plain.distance == distance);
                let (at, (_, plain)) = first.min_by_key(|(at, (_, plain))| (plain.level, *at)).unwrap();
                let spent = self.spent.get(&(distance, plain.level)).copied().unwrap_or(0);
                let turn = place + 2 * u64::from(plain.level);
                ((spent + 1) * turn * turn, place, at)
            };
            let (.., at) = (1..).zip(distances.iter().copied()).map(due).min()?;
            let plain = &mut self.states[at].1;
            let mut holders = plain.holders();
            holders.sort_by_key(|&at| (plain.nodes[at].0, at));
            for at in holders {
                let node = plain.nodes[at].2;
                if !plain.closed.contains(&at) {
                    if is_open(node, plain.level) {
                        return Some((node, plain.distance, plain.level));
                    }
                    plain.closed.insert(at);
                }
            }
            plain.refine();
        }
    }
}

#[derive(Clone, Debug)]
enum Act {
    /// A run went on from a node with an exchange.
    Store(prop::sample::Index, (u64, u64)),
    /// A run goes back somewhere, for so many steps.
    Target(u64),
}

fn acts() -> impl proptest::strategy::Strategy<Value = Vec<Act>> {
    let store =
        (any::<prop::sample::Index>(), (0..2u64, 0..2u64)).prop_map(|(at, step)| Act::Store(at, step));
    vec(prop_oneof![store, (1..20u64).prop_map(Act::Target)], 0..80)
}

/// Few states, of three distances.
fn state(exchanges: &[(u64, u64)]) -> State {
    State((exchanges.iter().map(|(input, output)| 2 * input + output).sum::<u64>() % 5) as u32)
}

const DISTANCES: [u32; 5] = [4, 2, 4, 9, 2];

proptest! {
    #[test]
    fn the_order_is_that_of_looking_at_everything(acts in acts(), patience in 1..4u32) {
        let mut memory = Memory::default();
        let (mut situations, mut oracle) = (Situations::default(), Oracle::default());
        let mut nodes: Vec<Exchanges> = vec![Vec::new()];
        let mut chosen = BTreeMap::new();
        memory.plant(state(&[]));
        situations.store(&memory, 0, DISTANCES[state(&[]).0 as usize]);
        oracle.store(state(&[]), DISTANCES[state(&[]).0 as usize], 0, Vec::new(), 0);
        for act in acts {
            match act {
                Act::Store(parent, (input, output)) => {
                    let parent = parent.index(nodes.len());
                    let (sent, said) = (Letter::from_index(input), Letter::from_index(output));
                    if memory.child(parent as u32, sent, said).is_some() {
                        continue;
                    }
                    let mut exchanges = vec![(input, output)];
                    exchanges.extend(&nodes[parent]);
                    let (at, depth) = (state(&exchanges), exchanges.len() as u32);
                    let node = memory.add(parent as u32, sent, said, at);
                    let distance = DISTANCES[at.0 as usize];
                    let is_new = situations.store(&memory, node, distance);
                    prop_assert_eq!(is_new, oracle.store(at, distance, depth, exchanges.clone(), node));
                    nodes.push(exchanges);
                }
                Act::Target(cost) => {
                    // A node is worth coming back to a few times, and again whenever more is looked at.
                    let is_open = |node: u32, level: u32| {
                        chosen.get(&node).copied().unwrap_or(0) < patience * (1 + level)
                    };
                    let expected = oracle.target(is_open);
                    let target = situations.target(&memory, |target, look_back| {
                        assert_eq!(look_back, target.level / 2);
                        is_open(target.node, target.level)
                    });
                    prop_assert_eq!(target.map(|target| (target.node, target.distance, target.level)), expected);
                    let Some(target) = target else { continue };
                    prop_assert_eq!(target.all_inputs(), target.level % 2 == 1);
                    *chosen.entry(target.node).or_default() += 1;
                    situations.pay(&target, cost);
                    *oracle.spent.entry((target.distance, target.level)).or_default() += cost;
                }
            }
            let mut cheapest: Vec<_> = oracle.states.iter().map(|(_, plain)| {
                let (depth, node) = plain.nodes.iter().map(|(depth, _, node)| (*depth, *node)).min().unwrap();
                (plain.distance, depth, node)
            }).collect();
            cheapest.sort_unstable();
            prop_assert_eq!(situations.cheapest(), cheapest.iter().map(|(.., node)| *node).collect::<Vec<_>>());
        }
    }
}

/// A memory in which each of these states follows the start once, with its distance.
fn fan(distances: &[u32]) -> (Memory, Situations) {
    let (mut memory, mut situations) = (Memory::default(), Situations::default());
    memory.plant(State(0));
    for (at, &distance) in (1..).zip(distances) {
        let node = memory.add(0, Letter::from_index(at), Letter::from_index(0), State(at as u32));
        situations.store(&memory, node, distance);
    }
    (memory, situations)
}

#[test]
fn purses_are_spent_by_the_square_of_their_turn() {
    let (memory, mut situations) = fan(&[30, 10, 20]);
    let mut runs = BTreeMap::new();
    for _ in 0..490 {
        let target = situations.target(&memory, |_, _| true).unwrap();
        situations.pay(&target, 10);
        *runs.entry(target.distance).or_insert(0) += 1;
    }
    // 1 : 1/4 : 1/9 of 490.
    assert_eq!(runs, BTreeMap::from([(10, 360), (20, 90), (30, 40)]));
}

#[test]
fn a_new_purse_comes_first_until_it_has_caught_up() {
    let (mut memory, mut situations) = fan(&[10, 20]);
    let go = |situations: &mut Situations, memory: &Memory| {
        let target = situations.target(memory, |_, _| true).unwrap();
        situations.pay(&target, 10);
        target.distance
    };
    (0..100).for_each(|_| {
        go(&mut situations, &memory);
    });
    let node = memory.add(0, Letter::from_index(9), Letter::from_index(0), State(9));
    situations.store(&memory, node, 5);
    let next: Vec<u32> = (0..80).map(|_| go(&mut situations, &memory)).collect();
    assert!(next.iter().all(|&distance| distance == 5), "{next:?}");
}

#[test]
fn a_shallower_way_takes_the_place_of_a_deeper_one() {
    let (mut memory, mut situations) = (Memory::default(), Situations::default());
    let letter = Letter::from_index;
    memory.plant(State(0));
    let first = memory.add(0, letter(0), letter(0), State(1));
    let deep = memory.add(first, letter(1), letter(0), State(2));
    assert!(situations.store(&memory, deep, 3));
    assert_eq!(situations.target(&memory, |_, _| true).unwrap().node, deep);
    let shallow = memory.add(0, letter(1), letter(0), State(2));
    assert!(situations.store(&memory, shallow, 3));
    assert_eq!(situations.target(&memory, |_, _| true).unwrap().node, shallow);
    assert_eq!(situations.cheapest(), [shallow]);
    // As deep as the one that is known: nothing new.
    let other = memory.add(0, letter(2), letter(0), State(2));
    assert!(!situations.store(&memory, other, 3));
    // Looking back one exchange tells them apart: three nodes, of which two look alike.
    let mut seen = Vec::new();
    while let Some(target) = situations.target(&memory, |target, look_back| {
        look_back == 1 && !target.all_inputs() && !seen.contains(&target.node)
    }) {
        seen.push(target.node);
    }
    assert_eq!(seen, [shallow, other]);
}

#[test]
fn where_everything_was_tried_there_is_no_place_until_one_is_new() {
    let (mut memory, mut situations) = fan(&[1, 2, 3]);
    assert!(situations.target(&memory, |_, _| false).is_none());
    let node = memory.add(0, Letter::from_index(9), Letter::from_index(0), State(2));
    situations.store(&memory, node, 2);
    assert_eq!(situations.target(&memory, |_, _| true).unwrap().distance, 2);
}
