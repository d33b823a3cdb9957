//! Partition refinement.

use rustc_hash::FxHashMap;

use crate::ltl::forest::Tree;

/// Splits classes of states until states of one class have the same signature, and returns the class of each
/// state, numbered in the order of their first states, with the number of classes.
///
/// `signature(state, classes)` must depend on the classes of the state's successors only; `before` lists the
/// predecessors of each state. Only signatures that may have changed are computed again, so a long chain costs
/// no more than a short one for each of its states.
pub(crate) fn refine(
    start: &[u32],
    before: &[Vec<u32>],
    mut signature: impl FnMut(u32, &[u32]) -> Tree,
) -> (Vec<u32>, usize) {
    let states = start.len();
    let (mut class, mut count) = renumbered(start);
    let mut signatures: Vec<Tree> = (0..states as u32).map(|at| signature(at, &class)).collect();
    let mut common: Vec<Option<Tree>> = vec![None; count];
    let mut sizes = vec![0usize; count];
    class.iter().for_each(|&own| sizes[own as usize] += 1);
    let mut dirty: Vec<u32> = (0..states as u32).collect();
    let mut waiting = vec![false; states];
    while !dirty.is_empty() {
        // The dirty states of each class, classes in order.
        dirty.sort_unstable_by_key(|&at| (class[at as usize], at));
        let mut moved: Vec<(u32, u32)> = Vec::new();
        for group in dirty.chunk_by(|&a, &b| class[a as usize] == class[b as usize]) {
            let own = class[group[0] as usize] as usize;
            // Where some states of the class are clean, theirs is the signature that stays.
            let stays = match common[own] {
                Some(common) if group.len() < sizes[own] => common,
                _ => signatures[group[0] as usize],
            };
            common[own] = Some(stays);
            let mut fresh: FxHashMap<Tree, u32> = FxHashMap::default();
            for &at in group.iter().filter(|&&at| signatures[at as usize] != stays) {
                let new = *fresh.entry(signatures[at as usize]).or_insert_with(|| {
                    common.push(Some(signatures[at as usize]));
                    sizes.push(0);
                    count += 1;
                    (count - 1) as u32
                });
                sizes[own] -= 1;
                sizes[new as usize] += 1;
                moved.push((at, new));
            }
        }
        dirty.clear();
        moved.iter().for_each(|&(at, new)| class[at as usize] = new);
        for &(at, _) in &moved {
            for &from in &before[at as usize] {
                if !std::mem::replace(&mut waiting[from as usize], true) {
                    dirty.push(from);
                }
            }
        }
        for &at in &dirty {
            waiting[at as usize] = false;
            signatures[at as usize] = signature(at, &class);
        }
    }
    renumbered(&class)
}

fn renumbered(class: &[u32]) -> (Vec<u32>, usize) {
    let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
    let number = |&class: &u32| {
        let fresh = numbers.len() as u32;
        *numbers.entry(class).or_insert(fresh)
    };
    let renumbered: Vec<u32> = class.iter().map(number).collect();
    (renumbered, numbers.len())
}
