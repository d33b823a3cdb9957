//! The way to an aim in a symbolic game.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::arena::{Body, Symbolic};
use super::solve::{Aim, Solution, Wanted, solve};
use super::{Depth, Part};
use crate::game::{Game, Guide, State, Tier};
use crate::letter::LetterSet;
use crate::trace::RequirementNumber;

/// An aim solved on a symbolic game. What is known of a state is a cofactor of diagrams, made when it is first asked for.
///
/// As deep as there was room for: see [`Depth`].
pub struct Way {
    game: Arc<Symbolic>,
    aim: Aim,
    solution: Option<Solution>,
    known: Mutex<FxHashMap<u32, Known>>,
    wanted: Option<RequirementNumber>,
}

/// What is known of one state.
#[derive(Clone, Copy)]
struct Known {
    distance: Option<u32>,
    rank: Option<u32>,
    /// Places in the game's sets, one a tier.
    inputs: [usize; 3],
}

impl Way {
    /// Solves an aim as deeply as there is room for.
    pub fn new(game: Arc<Symbolic>, aim: Aim) -> Way {
        let solution = game.encoded().and_then(|encoded| solve(&game, encoded, &aim));
        Way { game, aim, solution, known: Mutex::default(), wanted: None }
    }

    /// The same, known to be about the violation of this requirement, by its number in the campaign.
    pub fn towards_violating(self, requirement: RequirementNumber) -> Way {
        Way { wanted: Some(requirement), ..self }
    }

    /// How much is known.
    pub fn depth(&self) -> Depth {
        self.solution.as_ref().map_or(Depth::Nothing, |solution| solution.depth)
    }

    fn get(&self, at: State) -> Known {
        if self.game.is_kept(at)
            && let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&at.0)
        {
            return *known;
        }
        let known = self.look(at);
        if self.game.is_kept(at) {
            self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(at.0, known);
        }
        known
    }

    fn look(&self, at: State) -> Known {
        let words = self.game.words(at);
        let (Some(solution), Some(encoded)) = (&self.solution, self.game.encoded()) else {
            // Nothing is known but whether it is reached.
            let reached = u32::from(!self.is_there(&words));
            let any = self.game.sets.place(self.game.inputs(at).clone());
            return Known { distance: Some(reached), rank: Some(reached), inputs: [any; 3] };
        };
        let nearer = solution.nearer.partition_point(|set| !encoded.contains(set, &words));
        let ranked = solution.ranked.partition_point(|(_, set)| !encoded.contains(set, &words));
        let inputs =
            |tier: &crate::bdd::Bdd| self.game.sets.place(encoded.at(self.game.space(), tier, &words));
        Known {
            distance: (nearer < solution.nearer.len()).then_some(nearer as u32),
            rank: solution.ranked.get(ranked).map(|(rank, _)| *rank),
            inputs: [0, 1, 2].map(|tier| inputs(&solution.tiers[tier])),
        }
    }

    /// Whether the aim is reached, worked out part by part.
    fn is_there(&self, words: &[i64]) -> bool {
        let Aim::States(places) = &self.aim else { return false };
        places.iter().all(|(place, wanted)| {
            let words = self.game.words_of(*place, words);
            match (&self.game.parts()[place.0], wanted) {
                (Part { body: Body::Circuit(wired), .. }, Wanted::Holds(value)) => {
                    wired.walk().holds(wired, words, *value)
                }
                (Part { body: Body::Automaton(_), .. }, Wanted::States(states)) => {
                    states.iter().any(|&state| i64::from(state) == words[0])
                }
                _ => false,
            }
        })
    }
}

impl Guide for Way {
    fn distance(&self, at: State) -> Option<u32> {
        let known = self.get(at);
        // In an abstraction a state may look as if it were there.
        match (known.distance, self.depth()) {
            (Some(0), Depth::Abstraction { .. }) if !self.is_there(&self.game.words(at)) => Some(1),
            (distance, _) => distance,
        }
    }

    fn rank(&self, at: State) -> Option<u32> {
        self.get(at).rank
    }

    fn inputs(&self, at: State, tier: Tier) -> &LetterSet {
        self.game.sets.get(self.get(at).inputs[tier as usize])
    }

    fn reached_by_violating(&self, requirement: RequirementNumber) -> bool {
        self.wanted == Some(requirement)
    }

    fn farthest(&self) -> Option<u32> {
        self.solution.as_ref().map(|solution| solution.nearer.len() as u32 - 1)
    }
}
