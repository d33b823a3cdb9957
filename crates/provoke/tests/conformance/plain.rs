//! A game written down letter by letter, and the definitions of paper 1 applied to it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use proptest::prelude::*;
use provoke::game::{Next, Place, State};
use provoke::letter::Letter;

pub(crate) const INPUTS: u64 = 3;
pub(crate) const OUTPUTS: u64 = 2;

/// Where each (state, input, output) leads; the number of states stands for "no edge".
pub(crate) type Moves = Vec<[[usize; OUTPUTS as usize]; INPUTS as usize]>;

/// A random automaton. Some edges are missing, but not so many that little is left to play.
pub(crate) fn moves(states: usize, missing: u32) -> impl Strategy<Value = Moves> {
    let target = prop_oneof![12 => 0..states, missing => Just(states)];
    let row = proptest::array::uniform3(proptest::array::uniform2(target));
    proptest::collection::vec(row, states)
}

/// What is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// This state of the first requirement.
    State(usize),
    /// A violation of this requirement.
    Violation(usize),
}

/// Requirements and assumptions, played together.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) requirements: Vec<Moves>,
    pub(crate) assumptions: Vec<Moves>,
    pub(crate) goal: Goal,
}

/// The state of each requirement, then of each assumption.
pub(crate) type Tuple = Vec<usize>;

/// What is true of one state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Truth {
    pub(crate) distance: Option<u32>,
    pub(crate) rank: Option<u32>,
    pub(crate) forcing: BTreeSet<u64>,
    pub(crate) helpful: BTreeSet<u64>,
    pub(crate) hopeful: BTreeSet<u64>,
}

/// Where an exchange leads by the definitions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum After {
    To(Tuple),
    Violates(usize),
    Unfair,
}

pub(crate) fn plain() -> impl Strategy<Value = Plain> {
    let requirements = proptest::collection::vec((2usize..5).prop_flat_map(|states| moves(states, 2)), 1..3);
    let assumptions = proptest::collection::vec((1usize..3).prop_flat_map(|states| moves(states, 1)), 0..2);
    (requirements, assumptions, any::<prop::sample::Index>(), any::<bool>()).prop_map(
        |(requirements, assumptions, index, wants_state)| {
            let goal = match wants_state {
                true => Goal::State(index.index(requirements[0].len())),
                false => Goal::Violation(index.index(requirements.len())),
            };
            Plain { requirements, assumptions, goal }
        },
    )
}

pub(crate) fn exchanges() -> impl Iterator<Item = (u64, u64)> {
    (0..INPUTS).flat_map(|input| (0..OUTPUTS).map(move |output| (input, output)))
}

impl Plain {
    pub(crate) fn initial(&self) -> Tuple {
        vec![0; self.requirements.len() + self.assumptions.len()]
    }

    fn parts(&self) -> impl Iterator<Item = &Moves> {
        self.requirements.iter().chain(&self.assumptions)
    }

    /// What may be sent: what every assumption has some edge for, together.
    pub(crate) fn legal(&self, at: &Tuple) -> BTreeSet<u64> {
        let fair = |&input: &u64| (0..OUTPUTS).any(|output| self.after(at, input, output) != After::Unfair);
        (0..INPUTS).filter(fair).collect()
    }

    pub(crate) fn after(&self, at: &Tuple, input: u64, output: u64) -> After {
        let to: Vec<(usize, bool)> = self
            .parts()
            .zip(at)
            .map(|(moves, &state)| {
                let to = moves[state][input as usize][output as usize];
                (to, to < moves.len())
            })
            .collect();
        let (requirements, assumptions) = to.split_at(self.requirements.len());
        if assumptions.iter().any(|(_, kept)| !kept) {
            return After::Unfair;
        }
        match requirements.iter().position(|(_, kept)| !kept) {
            Some(place) => After::Violates(place),
            None => After::To(to.iter().map(|(to, _)| *to).collect()),
        }
    }

    fn is_goal(&self, after: &After) -> bool {
        match (self.goal, after) {
            (Goal::State(wanted), After::To(tuple)) => tuple[0] == wanted,
            (Goal::Violation(wanted), After::Violates(place)) => *place == wanted,
            _ => false,
        }
    }

    pub(crate) fn wants(&self, next: Next, tuple_of: impl Fn(State) -> Tuple) -> bool {
        match next {
            Next::To(at) => self.is_goal(&After::To(tuple_of(at))),
            Next::Violates(Place(place)) => self.is_goal(&After::Violates(place)),
            Next::Unfair => false,
        }
    }

    pub(crate) fn reachable(&self) -> Vec<Tuple> {
        let mut known = BTreeSet::from([self.initial()]);
        let mut order = vec![self.initial()];
        let mut open = VecDeque::from([self.initial()]);
        while let Some(at) = open.pop_front() {
            for (input, output) in exchanges() {
                if let After::To(next) = self.after(&at, input, output)
                    && known.insert(next.clone())
                {
                    order.push(next.clone());
                    open.push_back(next);
                }
            }
        }
        order
    }

    /// Distances, ranks and the inputs of each tier, of every state.
    pub(crate) fn truths(&self) -> BTreeMap<Tuple, Truth> {
        let states = self.reachable();
        let mut truths: BTreeMap<Tuple, Truth> =
            states.iter().map(|at| (at.clone(), Truth::default())).collect();
        self.distances(&mut truths);
        self.ranks(&mut truths);
        truths
    }

    /// Goals are 0 away, other states one step more than the nearest state that a helpful system leads to.
    fn distances(&self, truths: &mut BTreeMap<Tuple, Truth>) {
        let away = |truths: &BTreeMap<Tuple, Truth>, after: &After| match after {
            after if self.is_goal(after) => Some(0),
            After::To(next) => truths[next].distance,
            _ => None,
        };
        loop {
            let before = truths.clone();
            for (at, truth) in truths.iter_mut() {
                let next =
                    exchanges().map(|(input, output)| (input, away(&before, &self.after(at, input, output))));
                let near: Vec<(u64, u32)> =
                    next.filter_map(|(input, distance)| Some((input, distance?))).collect();
                truth.hopeful = near.iter().map(|(input, _)| *input).collect();
                truth.distance = match self.is_goal(&After::To(at.clone())) {
                    true => Some(0),
                    false => near.iter().map(|(_, distance)| distance + 1).min(),
                };
            }
            if truths.iter().all(|(at, truth)| truth.distance == before[at].distance) {
                return;
            }
        }
    }

    /// W_0, Coop_1, W_1, ...: a violation is a win for the tester, an answer that breaks an assumption is none.
    fn ranks(&self, truths: &mut BTreeMap<Tuple, Truth>) {
        for (at, truth) in truths.iter_mut() {
            truth.rank = self.is_goal(&After::To(at.clone())).then_some(0);
        }
        for rank in 0.. {
            loop {
                let before = truths.clone();
                let wins = |after: After| match after {
                    After::To(next) => before[&next].rank.is_some(),
                    After::Violates(_) => true,
                    After::Unfair => false,
                };
                let forces =
                    |at: &Tuple, input: u64| (0..OUTPUTS).all(|output| wins(self.after(at, input, output)));
                let mut changed = false;
                for (at, truth) in truths.iter_mut().filter(|(_, truth)| truth.rank.is_none()) {
                    let inputs: BTreeSet<u64> =
                        self.legal(at).into_iter().filter(|&input| forces(at, input)).collect();
                    if !inputs.is_empty() {
                        (truth.rank, truth.forcing, changed) = (Some(rank), inputs, true);
                    }
                }
                if !changed {
                    break;
                }
            }
            let before = truths.clone();
            let helps = |after: After| match &after {
                after if self.is_goal(after) => true,
                After::To(next) => before[next].rank.is_some(),
                After::Violates(_) | After::Unfair => false,
            };
            let mut changed = false;
            for (at, truth) in truths.iter_mut().filter(|(_, truth)| truth.rank.is_none()) {
                let help = exchanges().filter(|&(input, output)| helps(self.after(at, input, output)));
                let inputs: BTreeSet<u64> = help.map(|(input, _)| input).collect();
                if !inputs.is_empty() {
                    (truth.rank, truth.helpful, changed) = (Some(rank + 1), inputs, true);
                }
            }
            if !changed {
                return;
            }
        }
    }
}

pub(crate) fn letters(letters: &BTreeSet<u64>) -> Vec<Letter> {
    letters.iter().copied().map(Letter::from_index).collect()
}
