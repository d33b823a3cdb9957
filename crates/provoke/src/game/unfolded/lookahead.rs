//! The way to an objective in a game without end: as far as one can see.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::{FxHashMap, FxHashSet};

use super::Unfolded;
use super::solved::{Edge, Solved};
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
/// number. A rank counts how many times the system must help on the ways that are in sight. Where it need not help at all,
/// the inputs of every tier are those that force the objective: a system that keeps the model cannot get out of it, so there
/// is nothing to explore.
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
    rank: u32,
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
            return Sight { far: Far::Steps(1), rank: 1, tiers: [None; 3] };
        }
        {
            let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(sight) = known.sights.get(&at.0) {
                return *sight;
            }
            if at.is_passing() {
                // Its successors would take its place in memory.
                return if (self.reached)(at) { THERE } else { OUT };
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
            return THERE;
        }
        // Where each state that was met is, and the exchanges between them.
        let mut places = FxHashMap::from_iter([(at, 0)]);
        let mut states = vec![at];
        let mut depths = vec![0u32];
        let mut edges: Vec<Edge> = Vec::new();
        let mut goals = Vec::new();
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        let (mut nearest, mut cut_off) = (None, false);
        // Inputs of which not every consequence is in sight.
        let mut doubtful = FxHashSet::default();
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
                    let fresh = states.len();
                    let nameless = to.is_passing();
                    if nameless && !(self.reached)(to) {
                        (cut_off, _) = (true, doubtful.insert((place, input)));
                        continue;
                    }
                    let to_place = if nameless { fresh } else { *places.entry(to).or_insert(fresh) };
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
            None => Sight { far: Far::Never, rank: 0, tiers: [None; 3] },
            Some(far) => self.tiers(far, &Solved::new(states.len(), &edges, &goals, &doubtful), &edges),
        }
    }

    /// The inputs of the first state by how much they help.
    fn tiers(&self, far: u32, solved: &Solved, edges: &[Edge]) -> Sight {
        let own = || edges.iter().take_while(|(from, ..)| *from == 0);
        let of = |keep: &dyn Fn(&Letter) -> bool| {
            let mut letters: Vec<Letter> = own().map(|(_, input, _)| *input).filter(keep).collect();
            letters.sort_unstable();
            letters.dedup();
            let bits = self.game.interface.inputs.bits();
            Some(self.sets.place(LetterSet::of(bits, &letters)))
        };
        let all = |input: &Letter, good: &dyn Fn(usize) -> bool| {
            own().filter(|(_, one, _)| one == input).all(|(.., to)| good(*to))
        };
        let rank = solved.levels[0].map_or(1, |(rank, _)| rank);
        if let Some((0, level)) = solved.levels[0] {
            let good = |to: usize| matches!(solved.levels[to], Some((0, other)) if other < level);
            let forcing = of(&|input| !solved.doubtful.contains(&(0, *input)) && all(input, &good));
            return Sight { far: Far::Steps(far), rank, tiers: [forcing; 3] };
        }
        let closer = |to: usize| solved.distances[to].is_some_and(|distance| distance < far);
        let forcing = of(&|input| !solved.doubtful.contains(&(0, *input)) && all(input, &closer));
        let helpful = of(&|input| own().any(|(_, one, to)| one == input && closer(*to)));
        Sight { far: Far::Steps(far), rank, tiers: [forcing, helpful, None] }
    }
}

const THERE: Sight = Sight { far: Far::Steps(0), rank: 0, tiers: [None; 3] };
const OUT: Sight = Sight { far: Far::OutOfSight, rank: 1, tiers: [None; 3] };

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
        let Sight { far, rank, .. } = self.sight(at);
        (far != Far::Never).then_some(rank)
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
