//! What can be reached, and forced, in the part of a game that is in sight.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::letter::Letter;

/// From a state, by an input and one of the answers to it, to another.
pub(super) type Edge = (usize, Letter, usize);

/// How states stand towards goals.
pub(super) struct Solved<'a> {
    /// How far each is from the nearest goal, if the system helps.
    pub(super) distances: Vec<Option<u32>>,
    /// How many times the system must help, and how many steps it takes at worst until it helps next or the goal is reached.
    pub(super) levels: Vec<Option<(u32, u32)>>,
    /// Inputs of states of which not every consequence is known.
    pub(super) doubtful: &'a FxHashSet<(usize, Letter)>,
}

impl<'a> Solved<'a> {
    /// Solves a game of so many states.
    pub(super) fn new(
        states: usize,
        edges: &[Edge],
        goals: &[usize],
        doubtful: &'a FxHashSet<(usize, Letter)>,
    ) -> Solved<'a> {
        // For each input of each state, how many of its answers are not known to lead on.
        let mut open: FxHashMap<(usize, Letter), usize> = FxHashMap::default();
        let mut before = vec![Vec::new(); states];
        for &(from, input, to) in edges {
            *open.entry((from, input)).or_insert(0) += 1;
            before[to].push((from, input));
        }
        let mut levels: Vec<Option<(u32, u32)>> = vec![None; states];
        let mut queue: VecDeque<usize> = goals.iter().copied().collect();
        goals.iter().for_each(|&goal| levels[goal] = Some((0, 0)));
        let mut rank = 0;
        // States from which a system that helps once leads on.
        let mut helped: Vec<usize> = Vec::new();
        loop {
            while let Some(at) = queue.pop_front() {
                let level = levels[at].map_or(0, |(_, level)| level);
                for &(from, input) in &before[at] {
                    let Some(count) = open.get_mut(&(from, input)) else { continue };
                    *count -= 1;
                    if levels[from].is_some() {
                        continue;
                    }
                    helped.push(from);
                    if *count == 0 && !doubtful.contains(&(from, input)) {
                        levels[from] = Some((rank, level + 1));
                        queue.push_back(from);
                    }
                }
            }
            rank += 1;
            for at in helped.drain(..) {
                if levels[at].is_none() {
                    levels[at] = Some((rank, 0));
                    queue.push_back(at);
                }
            }
            if queue.is_empty() {
                break;
            }
        }
        Solved { distances: distances(&before, goals), levels, doubtful }
    }
}

fn distances(before: &[Vec<(usize, Letter)>], goals: &[usize]) -> Vec<Option<u32>> {
    let mut distances = vec![None; before.len()];
    let mut queue: VecDeque<usize> = goals.iter().copied().collect();
    goals.iter().for_each(|&goal| distances[goal] = Some(0));
    while let Some(place) = queue.pop_front() {
        let next = distances[place].map(|distance: u32| distance + 1);
        for &(from, _) in &before[place] {
            if distances[from].is_none() {
                distances[from] = next;
                queue.push_back(from);
            }
        }
    }
    distances
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Ranks and distances straight from their definitions, by rounds over all states.
    fn plain(states: usize, edges: &[Edge], goals: &[usize]) -> (Vec<Option<u32>>, Vec<Option<u32>>) {
        let mut distances: Vec<Option<u32>> =
            (0..states).map(|at| goals.contains(&at).then_some(0)).collect();
        let mut ranks = distances.clone();
        for _ in 0..states * 2 {
            for &(from, _, to) in edges {
                if let Some(next) = distances[to] {
                    distances[from] =
                        Some(distances[from].map_or(next + 1, |known: u32| known.min(next + 1)));
                }
            }
        }
        for rank in 0..states as u32 {
            loop {
                let mut changed = false;
                for &(from, input, _) in edges {
                    let own = || edges.iter().filter(|(at, one, _)| (*at, *one) == (from, input));
                    let is_in = |to: usize| ranks[to].is_some_and(|known| known <= rank);
                    if ranks[from].is_none() && own().all(|(.., to)| is_in(*to)) {
                        ranks[from] = Some(rank);
                        changed = true;
                    }
                }
                if !changed {
                    break;
                }
            }
            let helped: Vec<usize> = edges
                .iter()
                .filter(|(from, _, to)| ranks[*from].is_none() && ranks[*to].is_some())
                .map(|(from, ..)| *from)
                .collect();
            helped.into_iter().for_each(|at| ranks[at] = Some(rank + 1));
        }
        (distances, ranks)
    }

    proptest! {
        #[test]
        fn what_is_solved_is_what_is_defined(
            raw in proptest::collection::vec((0usize..7, 0u64..3, 0usize..7), 0..25),
            goals in proptest::collection::btree_set(0usize..7, 1..3),
        ) {
            let edges: Vec<Edge> = raw.into_iter().map(|(from, input, to)| (from, Letter::from_index(input), to)).collect();
            let goals: Vec<usize> = goals.into_iter().collect();
            let doubtful = FxHashSet::default();
            let solved = Solved::new(7, &edges, &goals, &doubtful);
            let (distances, ranks) = plain(7, &edges, &goals);
            prop_assert_eq!(&solved.distances, &distances);
            prop_assert_eq!(solved.levels.iter().map(|level| level.map(|(rank, _)| rank)).collect::<Vec<_>>(), ranks);
            for (at, level) in solved.levels.iter().enumerate().filter(|(at, _)| !goals.contains(at)) {
                // A state that need not be helped now has an input that leads to smaller levels only.
                if let Some((rank, level)) = level.filter(|(_, level)| *level > 0) {
                    let smaller = |to: usize| solved.levels[to].is_some_and(|other| other.0 < rank || other.0 == rank && other.1 < level);
                    let forces = |input: Letter| {
                        let mut own = edges.iter().filter(|(from, one, _)| (*from, *one) == (at, input)).peekable();
                        own.peek().is_some() && own.all(|(.., to)| smaller(*to))
                    };
                    prop_assert!((0..3).map(Letter::from_index).any(forces));
                }
            }
        }
    }
}
