//! The way to an objective in a game without end: as far as one can see.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::Unfolded;
use crate::game::{Game, Guide, Next, State, Tier};
use crate::letter::{Letter, LetterSet, LetterSets};
use crate::trace::RequirementNumber;

/// How many exchanges are tried when one looks ahead.
const EXCHANGES: usize = 1 << 13;
/// What the distance is said to be where nothing is in sight.
const OUT_OF_SIGHT: u32 = 1 << 16;
/// After looking in vain, so many states at most are passed before the next look.
const LONGEST_PAUSE: u32 = 64;

/// A guide that looks ahead from the states that are met.
///
/// A distance is exact where the objective is in sight, and where a whole space without it is; elsewhere it is a large
/// number. The rank is 0 where some input helps whatever the system does, and 1 elsewhere.
pub struct Lookahead {
    game: Arc<Unfolded>,
    reached: Box<dyn Fn(State) -> bool + Send + Sync>,
    violates: Option<RequirementNumber>,
    known: Mutex<Known>,
    sets: LetterSets,
}

#[derive(Default)]
struct Known {
    sights: FxHashMap<u32, Sight>,
    /// How many states are passed before the next look, and how many are left of those.
    pause: u32,
    left: u32,
}

/// What is seen from a state.
#[derive(Clone, Copy)]
struct Sight {
    far: Far,
    /// Where the inputs of each tier stand; none for all that may be sent.
    tiers: [Option<usize>; 3],
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Far {
    Steps(u32),
    OutOfSight,
    Never,
}

impl Lookahead {
    /// Towards the states of which this is true.
    pub fn new(game: Arc<Unfolded>, reached: impl Fn(State) -> bool + Send + Sync + 'static) -> Lookahead {
        let (known, sets) = (Mutex::default(), LetterSets::new());
        Lookahead { game, reached: Box::new(reached), violates: None, known, sets }
    }

    /// Towards a violation of a requirement: no way is known to be better than another.
    pub fn towards_violating(game: Arc<Unfolded>, requirement: RequirementNumber) -> Lookahead {
        Lookahead { violates: Some(requirement), ..Lookahead::new(game, |_| false) }
    }

    fn sight(&self, at: State) -> Sight {
        if self.violates.is_some() {
            return Sight { far: Far::Steps(1), tiers: [None; 3] };
        }
        {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(sight) = known.sights.get(&at.0).filter(|_| at != super::BEYOND) {
                return *sight;
            }
            if known.left > 0 && !(self.reached)(at) {
                known.left -= 1;
                return OUT;
            }
        }
        let sight = self.look(at);
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.pause = match sight.far {
            Far::OutOfSight => (2 * known.pause).clamp(1, LONGEST_PAUSE),
            _ => 0,
        };
        known.left = known.pause;
        known.sights.insert(at.0, sight);
        sight
    }

    /// Looks ahead from a state: breadth first, until the objective is met or enough was tried.
    fn look(&self, at: State) -> Sight {
        if (self.reached)(at) {
            return Sight { far: Far::Steps(0), tiers: [None; 3] };
        }
        // Where each state that was met is, and the exchanges between them.
        let mut places = FxHashMap::from_iter([(at, 0)]);
        let mut states = vec![at];
        let mut depths = vec![0u32];
        let mut edges: Vec<(usize, Letter, usize)> = Vec::new();
        let mut goals = Vec::new();
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let (mut nearest, mut cut_off) = (None, false);
        let mut place = 0;
        while place < states.len() {
            let (from, depth) = (states[place], depths[place]);
            if nearest.is_some_and(|nearest| depth >= nearest) {
                break;
            }
            if edges.len() > EXCHANGES {
                cut_off = true;
                break;
            }
            inputs.clear();
            self.game.list_inputs(from, &mut inputs);
            for &input in &inputs {
                outputs.clear();
                self.game.answers(from, input, &mut outputs);
                for &output in &outputs {
                    let Next::To(to) = self.game.next(from, input, output) else { continue };
                    cut_off |= to == super::BEYOND;
                    let fresh = states.len();
                    let to_place = *places.entry(to).or_insert(fresh);
                    if to_place == fresh {
                        states.push(to);
                        depths.push(depth + 1);
                        if (self.reached)(to) {
                            goals.push(fresh);
                            nearest = nearest.or(Some(depth + 1));
                        }
                    }
                    edges.push((place, input, to_place));
                }
            }
            place += 1;
        }
        match nearest {
            None if cut_off => OUT,
            None => Sight { far: Far::Never, tiers: [None; 3] },
            Some(far) => self.tiers(far, &backwards(states.len(), &edges, &goals), &edges),
        }
    }

    /// The inputs of the first state by how much they help.
    fn tiers(&self, far: u32, distances: &[Option<u32>], edges: &[(usize, Letter, usize)]) -> Sight {
        let own = || edges.iter().take_while(|(from, ..)| *from == 0);
        let closer = |to: usize| distances[to].is_some_and(|distance| distance < far);
        let mut helpful: Vec<Letter> =
            own().filter(|(.., to)| closer(*to)).map(|(_, input, _)| *input).collect();
        helpful.sort_unstable();
        helpful.dedup();
        let forces = |input: &Letter| own().filter(|(_, one, _)| one == input).all(|(.., to)| closer(*to));
        let forcing: Vec<Letter> = helpful.iter().copied().filter(forces).collect();
        let keep = |letters: &[Letter]| {
            let bits = self.game.interface.inputs.bits();
            Some(self.sets.place(LetterSet::of(bits, letters)))
        };
        Sight { far: Far::Steps(far), tiers: [keep(&forcing), keep(&helpful), None] }
    }
}

const OUT: Sight = Sight { far: Far::OutOfSight, tiers: [None; 3] };

/// How far each state is from the nearest goal, along these edges.
fn backwards(states: usize, edges: &[(usize, Letter, usize)], goals: &[usize]) -> Vec<Option<u32>> {
    let mut before = vec![Vec::new(); states];
    edges.iter().for_each(|(from, _, to)| before[*to].push(*from));
    let mut distances = vec![None; states];
    let mut queue: VecDeque<usize> = goals.iter().copied().collect();
    goals.iter().for_each(|&goal| distances[goal] = Some(0));
    while let Some(place) = queue.pop_front() {
        let next = distances[place].map(|distance: u32| distance + 1);
        for &from in &before[place] {
            if distances[from].is_none() {
                distances[from] = next;
                queue.push_back(from);
            }
        }
    }
    distances
}

impl Guide for Lookahead {
    fn reached(&self, at: State) -> bool {
        (self.reached)(at)
    }

    fn distance(&self, at: State) -> Option<u32> {
        match self.sight(at).far {
            Far::Steps(steps) => Some(steps),
            Far::OutOfSight => Some(OUT_OF_SIGHT),
            Far::Never => None,
        }
    }

    fn rank(&self, at: State) -> Option<u32> {
        let Sight { far, tiers } = self.sight(at);
        let forcing = tiers[0].is_some_and(|place| !self.sets.get(place).is_empty());
        match far {
            Far::Never => None,
            Far::Steps(0) => Some(0),
            _ => Some(u32::from(!forcing)),
        }
    }

    fn inputs(&self, at: State, tier: Tier) -> &LetterSet {
        match self.sight(at).tiers[tier as usize] {
            Some(place) => self.sets.get(place),
            None => self.game.inputs(at),
        }
    }

    fn is_about_states(&self) -> bool {
        self.violates.is_none()
    }

    fn reached_by_violating(&self, requirement: RequirementNumber) -> bool {
        self.violates == Some(requirement)
    }

    fn farthest(&self) -> Option<u32> {
        None
    }
}
