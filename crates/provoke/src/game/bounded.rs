//! Can a player see to it that an automaton is in accepting states only so often?

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::automaton::Automaton;
use crate::bdd::{Bdd, OutOfNodes};

/// Who is to see to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// The system, which answers.
    System,
    /// The tester, which sends.
    Tester,
}

/// No more positions are looked at.
const POSITIONS: usize = 3_000;
/// No more guards are combined.
const WORK: usize = 300_000;

/// Where all runs of the automaton may be, and how many accepting states each has been through at most.
type Position = BTreeMap<u32, u32>;

/// Exchanges, and the number of the position that they lead to; none where no run is left.
type Moves = Vec<(Bdd, Option<usize>)>;

/// Whether a player can play so that no run of a Büchi automaton, whatever it guesses, is in accepting states more than
/// `most` times: then no word that comes of it is accepted. False means nothing: a larger number may do.
///
/// Bounded synthesis (Finkbeiner and Schewe 2007) without the machine: the automaton is read as a universal co-Büchi
/// automaton, and its runs with their counters make a safety game.
pub fn avoids(automaton: &Automaton, player: Player, most: u32) -> Result<bool, OutOfNodes> {
    let space = &automaton.space;
    if automaton.states.is_empty() {
        return Ok(true);
    }
    let counted = |at: u32, before: u32| before + u32::from(automaton.states[at as usize].marks != 0);
    let start = Position::from([(automaton.initial, counted(automaton.initial, 0))]);
    let mut numbers: FxHashMap<Position, usize> = FxHashMap::from_iter([(start.clone(), 0)]);
    let mut positions = vec![start];
    // For each position, where exchanges lead; those that lead nowhere are won by the player, others may be lost.
    let mut moves: Vec<Option<Moves>> = Vec::new();
    let mut work = 0;
    while let Some(position) = positions.get(moves.len()).cloned() {
        let over = position.values().any(|&count| count > most);
        if over || positions.len() > POSITIONS || work > WORK {
            moves.push(None);
            continue;
        }
        let mut parts: Vec<(Bdd, Position)> = vec![(space.exchanges(), Position::new())];
        for (&at, &count) in &position {
            for edge in &automaton.states[at as usize].edges {
                work += parts.len();
                let count = counted(edge.to, count);
                let mut split = Vec::with_capacity(parts.len() + 1);
                for (guard, to) in parts {
                    let (taken, rest) = (&guard & &edge.guard, &guard - &edge.guard);
                    if !taken.is_none() {
                        let mut with = to.clone();
                        let known = with.entry(edge.to).or_insert(count);
                        *known = count.max(*known);
                        split.push((taken, with));
                    }
                    if !rest.is_none() {
                        split.push((rest, to));
                    }
                }
                parts = split;
            }
        }
        let mut number = |to: Position| match to.is_empty() {
            true => None,
            false => Some(*numbers.entry(to).or_insert_with_key(|to| {
                positions.push(to.clone());
                positions.len() - 1
            })),
        };
        moves.push(Some(parts.into_iter().map(|(guard, to)| (guard, number(to))).collect()));
    }
    let mut wins: Vec<bool> = moves.iter().map(Option::is_some).collect();
    loop {
        let mut changed = false;
        for at in 0..moves.len() {
            let Some(moves) = moves[at].as_ref().filter(|_| wins[at]) else { continue };
            let kept = moves.iter().filter(|(_, to)| to.is_none_or(|to| wins[to]));
            let good = kept.fold(space.bdds().none(), |good, (guard, _)| &good | guard);
            let is_won = match player {
                Player::System => space.valid_inputs().is_within(&space.some_output(&good)),
                Player::Tester => {
                    let bad = space.some_output(&(&space.exchanges() - &good));
                    !space.valid_inputs().is_within(&bad)
                }
            };
            wins[at] = is_won;
            changed |= !is_won;
        }
        if !changed {
            return space.bdds().checked(Ok(wins[0]));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::automaton::buchi;
    use crate::bdd::Space;
    use crate::letter::Interface;
    use crate::ltl::parse;

    #[test]
    fn who_can_keep_what() {
        let space = Arc::new(Space::new(Interface::signals(["a"], ["x"]).unwrap()));
        let of = |text: &str| buchi(&parse(text).unwrap().formula, &space).unwrap();
        // What some system keeps, whatever it is sent.
        for text in ["G(a -> F x)", "G F x", "F G x", "G(a -> X x)", "(G F a) -> G F x", "G(a <-> x)"] {
            assert!(avoids(&of(&format!("!({text})")), Player::System, 2).unwrap(), "{text}");
            assert!(!avoids(&of(text), Player::Tester, 2).unwrap(), "{text}");
        }
        // What the tester can spoil: it need not send `a`, and nobody foretells what it sends.
        for text in ["F a", "G F a", "F G !a", "G(x -> X a)  & G F x", "G(x <-> X a)", "x <-> F a"] {
            assert!(!avoids(&of(&format!("!({text})")), Player::System, 2).unwrap(), "{text}");
            assert!(avoids(&of(text), Player::Tester, 2).unwrap(), "{text}");
        }
    }
}
