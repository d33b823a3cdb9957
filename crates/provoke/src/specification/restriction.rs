//! Requirements that no system could keep by itself: which inputs they keep the tester from sending, and since when.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Specification, support};
use crate::automaton::{Acceptance, Automaton, Edge, StateInfo, show_guard};
use crate::bdd::{Bdd, OutOfNodes};
use crate::game::explicit::{Component, Product, Solved, solve};
use crate::game::{Game, Guide, Next, State};
use crate::letter::Interface;
use crate::trace::{RequirementNumber, Step, Trace};

/// A requirement with its assumptions may have so many states before the assumptions are left aside.
const STATES: usize = 20_000;

/// So many sets of inputs are told of.
const SHOWN: usize = 4;

/// What a requirement keeps the tester from sending, because some input would break it whatever the system answers
/// and no system could have prevented that.
///
/// Decided by the requirement's own safety game under the assumptions: as long as the run has never been in a state
/// from which some system could keep the requirement, inputs after which no answer leaves it any continuation are
/// withheld. From then on, or once the requirement is violated, nothing is.
#[non_exhaustive]
pub struct Restriction {
    /// The requirement's number.
    pub requirement: RequirementNumber,
    /// The same as an assumption: an input that is withheld has no edge.
    pub automaton: Arc<Automaton>,
    /// What is withheld, each set of inputs with the earliest moment, the earliest first.
    pub withheld: Vec<Withheld>,
    /// Whether what is withheld at the start is withheld at every step of every run.
    pub always: bool,
}

/// Inputs that are not sent at some moment of a run.
#[non_exhaustive]
pub struct Withheld {
    /// The shortest exchanges after which they are not sent.
    pub after: Trace,
    /// The inputs.
    pub inputs: Bdd,
}

impl Specification {
    /// The requirements that restrict the environment, and how.
    pub fn restrictions(&self) -> Result<&[Restriction], OutOfNodes> {
        let found = self.restrictions.get_or_init(|| {
            let found = self.numbers().filter_map(|requirement| self.restriction(requirement)).collect();
            self.space.bdds().checked(Ok(found))
        });
        found.as_deref().map_err(|&error| error)
    }

    fn restriction(&self, requirement: RequirementNumber) -> Option<Restriction> {
        let automaton = self.requirement(requirement).demand.automaton()?;
        if always_answerable(automaton) {
            return None;
        }
        let mut components = vec![Component::requirement(automaton.clone())];
        components.extend(self.assumptions_about(automaton).into_iter().map(Component::assumption));
        let product = Product::new(self.space.clone(), components, STATES).or_else(|_| {
            let alone = vec![Component::requirement(automaton.clone())];
            Product::new(self.space.clone(), alone, usize::MAX)
        });
        let game = solve(Arc::new(product.ok()?), |_| false).ok()?;
        let mut made = Making::new(&game).restriction(requirement)?;
        let title = format!("what {} leaves the tester", self.requirement(requirement).id);
        Arc::make_mut(&mut made.automaton).name = Some(title);
        Some(made)
    }

    /// The assumptions that share variables with a requirement, directly or through others.
    fn assumptions_about(&self, automaton: &Automaton) -> Vec<Arc<Automaton>> {
        let mut others: Vec<(&Arc<Automaton>, BTreeSet<usize>)> =
            self.assumed().map(|automaton| (automaton, support(automaton))).collect();
        let mut known = support(automaton);
        let mut near = Vec::new();
        while let Some(at) = others.iter().position(|(_, variables)| !variables.is_disjoint(&known)) {
            let (automaton, variables) = others.remove(at);
            known.extend(variables);
            near.push(automaton.clone());
        }
        near
    }
}

impl Specification {
    /// What a requirement keeps the tester from sending, and when, in words; empty for most.
    pub fn withheld_by(&self, requirement: RequirementNumber) -> Result<Vec<String>, OutOfNodes> {
        let Some(found) = self.restrictions()?.iter().find(|found| found.requirement == requirement) else {
            return Ok(Vec::new());
        };
        let words = |withheld: &Withheld| {
            let inputs = show_guard(&self.space, &withheld.inputs);
            match withheld.after.last() {
                None if found.always => format!("{inputs}, at every step"),
                None => format!("{inputs}, at step 1"),
                Some(last) => {
                    let Interface { inputs: names, outputs } = self.interface();
                    let (input, output) = (names.show(last.input), outputs.show(last.output));
                    let step = withheld.after.len() + 1;
                    format!("{inputs}, at step {step} at the earliest, for instance after {input} / {output}")
                }
            }
        };
        let mut words: Vec<String> = found.withheld.iter().take(SHOWN).map(words).collect();
        if found.withheld.len() > SHOWN {
            words.push(format!("{} more sets of inputs, later", found.withheld.len() - SHOWN));
        }
        self.space.bdds().checked(Ok(words))
    }
}

/// Whether every state has an answer to every input, so that any system that looks one step ahead keeps the
/// automaton.
fn always_answerable(automaton: &Automaton) -> bool {
    let space = &automaton.space;
    (0..automaton.states.len() as u32)
        .all(|at| space.valid_inputs().is_within(&space.some_output(&automaton.allowed(at))))
}

struct Making<'a> {
    game: &'a Solved,
    product: &'a Product,
    /// States from which some run keeps the requirement for ever.
    live: Vec<bool>,
}

impl<'a> Making<'a> {
    fn new(game: &'a Solved) -> Making<'a> {
        let product = &**game.product();
        let mut live: Vec<bool> = vec![true; product.states()];
        loop {
            let mut changed = false;
            for at in 0..live.len() {
                let goes_on = |next| matches!(next, Next::To(to) if live[to.0 as usize]);
                if live[at] && !product.edges(State(at as u32)).any(|(_, next)| goes_on(next)) {
                    live[at] = false;
                    changed = true;
                }
            }
            if !changed {
                return Making { game, product, live };
            }
        }
    }

    /// Whether no system could keep the requirement from here.
    fn is_lost(&self, at: State) -> bool {
        self.game.rank(at) == Some(0)
    }

    /// Whether an edge that leads there leaves the requirement a continuation.
    fn goes_on(&self, next: Next) -> bool {
        matches!(next, Next::To(to) if self.live[to.0 as usize] || !self.is_lost(to))
    }

    fn restriction(&self, requirement: RequirementNumber) -> Option<Restriction> {
        let initial = self.product.initial();
        if !self.is_lost(initial) {
            return None;
        }
        let space = self.product.space();
        // State 0 is free: nothing is withheld there. The others follow in the order in which they are met.
        let anything = Edge { guard: space.exchanges(), to: 0, marks: 0 };
        // They have no names to show: a state of the game is known by its requirements.
        let mut states = vec![StateInfo { name: Some(String::new()), marks: 0, edges: vec![anything] }];
        let mut numbers = FxHashMap::from_iter([(initial, 1u32)]);
        let mut open: Vec<(State, Trace)> = vec![(initial, Trace::new())];
        let mut withheld: Vec<Withheld> = Vec::new();
        let mut next = 0;
        while let Some((at, after)) = open.get(next).cloned() {
            next += 1;
            let sum = |wanted: &dyn Fn(Next) -> bool| {
                let edges = self.product.edges(at).filter(|(_, next)| wanted(*next));
                edges.fold(space.bdds().none(), |sum, (guard, _)| &sum | guard)
            };
            let kept = space.some_output(&sum(&|next| self.goes_on(next)));
            let inputs = &space.some_output(&sum(&|_| true)) - &kept;
            if !inputs.is_none() && withheld.iter().all(|known| known.inputs != inputs) {
                withheld.push(Withheld { after: after.clone(), inputs });
            }
            let mut row = StateInfo { name: Some(String::new()), ..StateInfo::default() };
            let mut rest = &(&kept & space.valid_inputs()) & space.valid_outputs();
            for (guard, next) in self.product.edges(at) {
                let guard = &(guard & &kept);
                let Next::To(to) = next else { continue };
                if guard.is_none() || !self.is_lost(to) {
                    continue;
                }
                let known = numbers.len() as u32 + 1;
                let number = *numbers.entry(to).or_insert(known);
                if number == known {
                    let (input, output) = space.first_exchange(guard)?;
                    open.push((to, after.iter().copied().chain([Step { input, output }]).collect()));
                }
                row.edges.push(Edge { guard: guard.clone(), to: number, marks: 0 });
                rest = &rest - guard;
            }
            if !rest.is_none() {
                row.edges.push(Edge { guard: rest, to: 0, marks: 0 });
            }
            states.push(row);
        }
        if withheld.is_empty() {
            return None;
        }
        let always = states.len() == 2 && states[1].edges.iter().all(|edge| edge.to == 1);
        let (space, acceptance) = (space.clone(), Acceptance::All);
        let automaton = Automaton { space, name: None, states, initial: 1, acceptance };
        Some(Restriction { requirement, automaton: Arc::new(automaton), withheld, always })
    }
}
