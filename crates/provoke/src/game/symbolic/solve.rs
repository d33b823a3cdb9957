//! Who can force what, on sets of states: distances, the winning and cooperative hierarchy, and the inputs of each tier.

use super::Depth;
use super::arena::{Body, Symbolic};
use super::diagrams::{Board, values};
use super::encode::{Encoded, Leaf};
use super::work::{Spent, Work};
use crate::bdd::Bdd;
use crate::circuit::Wire;
use crate::format::aiger::Literal;
use crate::game::Place;

/// What is to be reached.
#[derive(Clone, Debug)]
pub enum Aim {
    /// All of these parts are where they should be.
    States(Vec<(Place, Wanted)>),
    /// A violation of this part.
    Violation(Place),
}

/// Where a part should be.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// An automaton, in one of these states.
    States(Vec<u32>),
    /// A circuit, where this is true of its latches.
    Holds(Literal),
}

/// A solved objective as diagrams.
pub(super) struct Solution {
    /// C_0, C_0 + C_1, ...: states that are so near or nearer.
    pub(super) nearer: Vec<Bdd>,
    /// The hierarchy, each set with those before it.
    pub(super) ranked: Vec<(u32, Bdd)>,
    /// For each tier, a relation between states and inputs.
    pub(super) tiers: [Bdd; 3],
    pub(super) depth: Depth,
}

/// Solves an aim as deeply as there is room for.
pub(super) fn solve(game: &Symbolic, encoded: &Encoded, aim: &Aim) -> Option<Solution> {
    let fresh = || Solving::new(game, encoded, aim);
    let full = fresh().and_then(|mut solving| solving.hierarchy());
    let near = || fresh().and_then(|mut solving| solving.distances_only());
    let mut found = full.or_else(|Spent| near()).ok();
    let mut kept = encoded.next.len() / 2;
    while found.is_none() && kept > 0 {
        found = fresh().and_then(|mut solving| solving.abstraction(kept)).ok();
        kept /= 2;
    }
    found
}

struct Solving<'a> {
    encoded: &'a Encoded,
    work: Work,
    next: Vec<(usize, usize)>,
    all: usize,
    fair: usize,
    legal: usize,
    valid_outputs: usize,
    goal: usize,
    /// Exchanges that are the violation that is wanted.
    wanted: usize,
    has_assumptions: bool,
}

impl<'a> Solving<'a> {
    fn new(game: &Symbolic, encoded: &'a Encoded, aim: &Aim) -> Result<Solving<'a>, Spent> {
        let (none, every) = (encoded.bdds.none(), encoded.bdds.all());
        let (wanted, goal) = match aim {
            Aim::Violation(place) => (&encoded.violated[place.0], &none),
            Aim::States(_) => (&none, &every),
        };
        let first = [&encoded.all, &encoded.fair, &encoded.legal, &encoded.valid_outputs, wanted, goal];
        let functions = encoded.next.iter().map(|(_, set)| set);
        let diagrams: Vec<&Bdd> = first.into_iter().chain(functions).collect();
        let mut work = Work::copying(&encoded.bdds, &diagrams, encoded.most);
        let [all, fair, legal, valid_outputs, wanted, mut goal] = [0, 1, 2, 3, 4, 5];
        let next =
            encoded.next.iter().zip(first.len()..).map(|((variable, _), at)| (*variable, at)).collect();
        if let Aim::States(places) = aim {
            for (place, states) in places {
                let part = states_of(&mut work, game, encoded, *place, states)?;
                let both = work.attempt(|_, roots| &roots[goal] & &roots[part])?;
                goal = work.keep(both);
            }
        }
        let is_assumption = |part: &super::Part| part.role == crate::game::explicit::Role::Assumption;
        let has_assumptions = game.parts().iter().any(is_assumption);
        Ok(Solving { encoded, work, next, all, fair, legal, valid_outputs, goal, wanted, has_assumptions })
    }

    /// Where a set is after the next step, as a set of exchanges.
    fn after(&mut self, set: usize) -> Result<usize, Spent> {
        let next = &self.next;
        let after = self.work.attempt(|_, roots| {
            roots[set].substitute(next.iter().map(|&(variable, place)| (variable, &roots[place])))
        })?;
        Ok(self.work.keep(after))
    }

    /// States and inputs with an answer that leads into a set or is the violation that is wanted (Pre, with its inputs).
    fn may(&mut self, set: usize, forgotten: &[usize]) -> Result<usize, Spent> {
        let after = self.after(set)?;
        let (all, wanted) = (self.all, self.wanted);
        let outputs = self.encoded.variables(|leaf| matches!(leaf, Leaf::Output(_)));
        let inputs = self.work.attempt(|bdds, roots| {
            let cube = bdds.cube(outputs.iter().chain(forgotten).copied());
            let into = roots[after].and_exists(&roots[all], &cube);
            &into | &roots[wanted].exists(&cube)
        })?;
        self.work.forget(after);
        Ok(self.work.keep(inputs))
    }

    /// States and inputs after which every answer leads into a set or is a violation (CPre, with its inputs).
    fn must(&mut self, set: usize) -> Result<usize, Spent> {
        let after = self.after(set)?;
        let (all, fair, legal, valid) = (self.all, self.fair, self.legal, self.valid_outputs);
        let has_assumptions = self.has_assumptions;
        let outputs = self.encoded.variables(|leaf| matches!(leaf, Leaf::Output(_)));
        let forcing = self.work.attempt(|bdds, roots| {
            let cube = bdds.cube(outputs.iter().copied());
            let escapes = (&roots[all] - &roots[after]).exists(&cube);
            let escapes = match has_assumptions {
                // An answer that breaks an assumption ends the run and wins nothing.
                true => &escapes | &(&roots[valid] - &roots[fair]).exists(&cube),
                false => escapes,
            };
            &roots[legal] - &escapes
        })?;
        self.work.forget(after);
        Ok(self.work.keep(forcing))
    }

    /// The states of a relation that are not in a set.
    fn new_states(&mut self, relation: usize, known: usize) -> Result<usize, Spent> {
        let inputs = self.encoded.variables(|leaf| matches!(leaf, Leaf::Input(_)));
        let states = self.work.attempt(|bdds, roots| {
            &roots[relation].exists(&bdds.cube(inputs.iter().copied())) - &roots[known]
        })?;
        Ok(self.work.keep(states))
    }

    fn union(&mut self, left: usize, right: usize) -> Result<usize, Spent> {
        let both = self.work.attempt(|_, roots| &roots[left] | &roots[right])?;
        Ok(self.work.keep(both))
    }

    /// Adds the inputs of a relation in some states to a strategy.
    fn extend(&mut self, strategy: usize, relation: usize, states: usize) -> Result<(), Spent> {
        self.work.set(strategy, |_, roots| &roots[strategy] | &(&roots[relation] & &roots[states]))
    }

    /// C_0, C_1, ...: places of the growing sets, and the inputs that bring the goal nearer with a system that helps.
    fn distances(&mut self, nearing: Option<usize>, forgotten: &[usize]) -> Result<Vec<usize>, Spent> {
        let mut nearer = vec![self.goal];
        loop {
            let known = nearer[nearer.len() - 1];
            let into = self.may(known, forgotten)?;
            let states = self.new_states(into, known)?;
            if self.work.roots[states].is_none() {
                return Ok(nearer);
            }
            if let Some(nearing) = nearing {
                self.extend(nearing, into, states)?;
            }
            self.work.forget(into);
            nearer.push(self.union(known, states)?);
            self.work.forget(states);
        }
    }

    fn empty(&mut self) -> usize {
        let none = self.work.bdds.none();
        self.work.keep(none)
    }

    fn hierarchy(&mut self) -> Result<Solution, Spent> {
        let nearer = self.distances(None, &[])?;
        let reachable = nearer[nearer.len() - 1];
        let hopeful = self.may(reachable, &[])?;
        let (forcing, helpful) = (self.empty(), self.empty());
        let mut known = self.goal;
        let mut ranked = vec![(0, known)];
        let mut rank = 0;
        loop {
            loop {
                let relation = self.must(known)?;
                let states = self.new_states(relation, known)?;
                if self.work.roots[states].is_none() {
                    break;
                }
                self.extend(forcing, relation, states)?;
                known = self.union(known, states)?;
                ranked.push((rank, known));
                self.work.forget(relation);
            }
            rank += 1;
            let relation = self.may(known, &[])?;
            let states = self.new_states(relation, known)?;
            if self.work.roots[states].is_none() {
                break;
            }
            self.extend(helpful, relation, states)?;
            known = self.union(known, states)?;
            ranked.push((rank, known));
            self.work.forget(relation);
        }
        Ok(self.solution(&nearer, &ranked, [forcing, helpful, hopeful], Depth::Full))
    }

    /// Without the hierarchy: what forces anything is not known.
    fn distances_only(&mut self) -> Result<Solution, Spent> {
        let (forcing, helpful) = (self.empty(), self.empty());
        let nearer = self.distances(Some(helpful), &[])?;
        let reachable = nearer[nearer.len() - 1];
        let hopeful = self.may(reachable, &[])?;
        let ranked = [(0, self.goal), (1, reachable)];
        Ok(self.solution(&nearer, &ranked, [forcing, helpful, hopeful], Depth::Distances))
    }

    /// Distances in a game that knows only some bits of the state, those nearest to the goal; the others may be anything,
    /// and so may the answers be. No distance is too large in it, and nothing that can be reached is missing.
    fn abstraction(&mut self, kept: usize) -> Result<Solution, Spent> {
        let bits: Vec<usize> = self.next.iter().map(|(variable, _)| *variable).collect();
        let mut near: Vec<usize> = Vec::new();
        let mut open = vec![self.goal, self.wanted];
        while let Some(root) = open.pop() {
            for variable in self.work.roots[root].support() {
                if near.len() < kept && bits.contains(&variable) && !near.contains(&variable) {
                    near.push(variable);
                    let place =
                        self.next.iter().find(|(known, _)| *known == variable).map(|(_, place)| *place);
                    open.splice(0..0, place);
                }
            }
        }
        let forgotten: Vec<usize> = bits.into_iter().filter(|bit| !near.contains(bit)).collect();
        let (goal, wanted) = (self.goal, self.wanted);
        for place in [goal, wanted] {
            let dropped = forgotten.clone();
            self.work.set(place, |bdds, roots| roots[place].exists(&bdds.cube(dropped.iter().copied())))?;
        }
        self.next.retain(|(variable, _)| near.contains(variable));
        let (legal, valid) = (self.legal, self.valid_outputs);
        let anything = self.work.attempt(|_, roots| &roots[legal] & &roots[valid])?;
        self.all = self.work.keep(anything);
        let (forcing, helpful) = (self.empty(), self.empty());
        let nearer = self.distances(Some(helpful), &forgotten)?;
        let reachable = nearer[nearer.len() - 1];
        let hopeful = self.may(reachable, &forgotten)?;
        let ranked = [(0, self.goal), (1, reachable)];
        let depth = Depth::Abstraction { dropped: forgotten.len() };
        Ok(self.solution(&nearer, &ranked, [forcing, helpful, hopeful], depth))
    }

    fn solution(
        &self,
        nearer: &[usize],
        ranked: &[(u32, usize)],
        tiers: [usize; 3],
        depth: Depth,
    ) -> Solution {
        let get = |&place: &usize| self.work.roots[place].clone();
        Solution {
            nearer: nearer.iter().map(get).collect(),
            ranked: ranked.iter().map(|(rank, place)| (*rank, get(place))).collect(),
            tiers: tiers.map(|place| get(&place)),
            depth,
        }
    }
}

/// The states in which a part is where it should be.
fn states_of(
    work: &mut Work,
    game: &Symbolic,
    encoded: &Encoded,
    place: Place,
    wanted: &Wanted,
) -> Result<usize, Spent> {
    let first = game.first_word(place);
    let variable = |leaf: Leaf| encoded.leaves.iter().position(|known| *known == leaf);
    match (&game.parts()[place.0].body, wanted) {
        (Body::Circuit(wired), Wanted::Holds(value)) => {
            let inputs = wired.circuit.inputs.len();
            let of_node = |node: usize| match node.checked_sub(1 + inputs) {
                Some(latch) => variable(Leaf::State(first + latch / 64, latch % 64)),
                None => match wired.wires.get(node.wrapping_sub(1)).copied().flatten()? {
                    Wire::Input(bit) => variable(Leaf::Input(bit)),
                    Wire::Output(bit) => variable(Leaf::Output(bit)),
                },
            };
            Ok(values(work, &wired.circuit, &[*value], &of_node)?[0])
        }
        (Body::Automaton(_), Wanted::States(states)) => {
            let bits: Vec<(usize, usize)> =
                (0..64).map_while(|bit| Some((bit, variable(Leaf::State(first, bit))?))).collect();
            let set = work.attempt(|bdds, _| {
                let number = |state: u32| {
                    bdds.cube_of(bits.iter().map(|&(bit, variable)| (variable, state >> bit & 1 == 1)))
                };
                states.iter().fold(bdds.none(), |sum, &state| &sum | &number(state))
            })?;
            Ok(work.keep(set))
        }
        _ => {
            let none = work.bdds.none();
            Ok(work.keep(none))
        }
    }
}
