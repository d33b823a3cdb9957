//! The memory against the plain set of all beginnings of runs.

use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// An exchange of two small letters.
type Exchange = (u64, u64);

/// Every beginning of a run that was seen, and when it was first seen.
type Beginnings = BTreeMap<Vec<Exchange>, usize>;

fn letter(index: u64) -> Letter {
    Letter::from_index(index)
}

/// Any state will do, as long as it depends on the exchanges alone.
fn state(beginning: &[Exchange]) -> State {
    State(beginning.iter().fold(7, |state, (input, output)| (state * 31 + input * 5 + output) % 11) as u32)
}

/// Takes the runs in, one after the other.
fn remember(runs: &[Vec<Exchange>]) -> (Memory, Beginnings) {
    let (mut memory, mut beginnings) = (Memory::default(), Beginnings::new());
    memory.plant(state(&[]));
    beginnings.insert(Vec::new(), 0);
    for run in runs {
        let mut at = 0;
        for (place, &(input, output)) in run.iter().enumerate() {
            let beginning = &run[..=place];
            let (input, output) = (letter(input), letter(output));
            let known = memory.child(at, input, output);
            assert_eq!(known.is_some(), beginnings.contains_key(beginning));
            at = known.unwrap_or_else(|| memory.add(at, input, output, state(beginning)));
            let number = beginnings.len();
            beginnings.entry(beginning.to_vec()).or_insert(number);
        }
    }
    (memory, beginnings)
}

/// The node of a beginning, where all of its exchanges are known.
fn find(memory: &Memory, beginning: &[Exchange]) -> Option<u32> {
    beginning.iter().try_fold(0, |at, &(input, output)| memory.child(at, letter(input), letter(output)))
}

/// Those that are one exchange longer, newest first.
fn continuations<'a>(beginnings: &'a Beginnings, of: &[Exchange]) -> Vec<&'a Vec<Exchange>> {
    let follows = |longer: &&Vec<Exchange>| longer.len() == of.len() + 1 && longer.starts_with(of);
    let mut all: Vec<_> = beginnings.keys().filter(follows).collect();
    all.sort_by_key(|beginning| std::cmp::Reverse(beginnings[*beginning]));
    all
}

/// The way to a node as the memory tells it.
fn way(memory: &Memory, to: u32) -> Vec<Exchange> {
    let mut path = vec![NONE; 3];
    memory.path(to, &mut path);
    path.iter().rev().map(|&at| (memory.input(at).index(), memory.output(at).index())).collect()
}

fn runs() -> impl Strategy<Value = Vec<Vec<Exchange>>> {
    vec(vec((0..3u64, 0..2u64), 0..7), 0..12)
}

proptest! {
    #[test]
    fn every_beginning_is_one_node(runs in runs()) {
        let (memory, beginnings) = remember(&runs);
        prop_assert_eq!(memory.len(), beginnings.len());
        for beginning in beginnings.keys() {
            let at = find(&memory, beginning).expect("what was seen is known");
            let node = memory.get(at);
            prop_assert_eq!((node.depth as usize, node.state), (beginning.len(), state(beginning)));
            prop_assert_eq!(&way(&memory, at), beginning);
            let children: Vec<_> = memory.children(at).map(|(child, _)| way(&memory, child)).collect();
            let expected = continuations(&beginnings, beginning);
            prop_assert_eq!(node.tried as usize, expected.len());
            prop_assert_eq!(children.iter().collect::<Vec<_>>(), expected);
        }
    }

    #[test]
    fn what_is_kept_is_kept_with_its_ways_and_the_rest_is_forgotten(
        runs in runs(),
        wanted in vec(any::<prop::sample::Index>(), 0..6),
        room in 1..30usize,
    ) {
        let (mut memory, beginnings) = remember(&runs);
        let all: Vec<_> = beginnings.keys().collect();
        let wanted: Vec<_> = wanted.iter().map(|at| all[at.index(all.len())]).collect();
        let mut kept = Beginnings::new();
        for beginning in &wanted {
            for length in 0..=beginning.len() {
                let beginning = beginning[..length].to_vec();
                let number = beginnings[&beginning];
                kept.insert(beginning, number);
            }
            if kept.len() >= room {
                break;
            }
        }
        memory.get_mut(0).chosen = 3;
        let nodes: Vec<u32> = wanted.iter().map(|beginning| find(&memory, beginning).unwrap()).collect();
        memory.keep(nodes.into_iter(), room);
        prop_assert_eq!(memory.len(), kept.len());
        if kept.is_empty() {
            return Ok(());
        }
        for beginning in beginnings.keys() {
            let at = find(&memory, beginning);
            prop_assert_eq!(at.is_some(), kept.contains_key(beginning));
            let Some(node) = at.map(|at| memory.get(at)) else { continue };
            prop_assert_eq!((node.depth as usize, node.state), (beginning.len(), state(beginning)));
            // What has been forgotten may be tried again.
            let left = continuations(&kept, beginning).len();
            prop_assert_eq!((node.tried as usize, node.tried_mask, node.chosen), (left, 0, 0));
        }
    }

    #[test]
    fn trails_tell_nodes_apart_by_their_last_exchanges(runs in runs(), back in 0..4usize) {
        // Two of the at most 70 signatures that differ in their exchanges agree with p < 1e-15.
        let (memory, beginnings) = remember(&runs);
        let trails: Vec<_> = beginnings.keys().map(|beginning| {
            let node = find(&memory, beginning).unwrap();
            let mut trail = memory.trail(node);
            (0..back).for_each(|_| memory.look_back(&mut trail));
            assert_eq!((trail.node, trail.depth as usize), (node, beginning.len()));
            (&beginning[beginning.len().saturating_sub(back)..], trail.signature)
        }).collect();
        for (last, signature) in &trails {
            for (other, others) in &trails {
                prop_assert_eq!(last == other, signature == others, "{:?} and {:?}", last, other);
            }
        }
    }
}

#[test]
fn letters_are_forgotten_with_their_exchanges() {
    let (mut memory, _) = remember(&[(0..2_000).map(|at| (at, 0)).collect()]);
    let before = memory.memory();
    memory.keep(std::iter::once(1), 2);
    assert_eq!((memory.len(), memory.input(1)), (2, letter(0)));
    assert!(memory.memory() * 100 < before, "{} of {before} bytes", memory.memory());
}
