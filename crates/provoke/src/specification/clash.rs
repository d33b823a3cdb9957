//! Requirements that leave a system no answer together, though each of them alone leaves one.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::relations::smallest;
use super::{Requirement, Specification};
use crate::bdd::{Bdd, OutOfNodes};
use crate::game::explicit::{Component, Product, solve};
use crate::game::{Game, Next, State};
use crate::letter::Letter;
use crate::trace::{RequirementNumber, Step, Trace};

/// A moment at which no answer satisfies some requirements together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Clash {
    /// A smallest set of requirements that leaves no answer.
    pub requirements: Vec<RequirementNumber>,
    /// The shortest exchanges before the input.
    pub after: Trace,
    /// The input to which there is no answer.
    pub input: Letter,
    /// Whether a system can avoid getting there; otherwise no system keeps the requirements.
    pub avoidable: bool,
}

/// The answer to "can these requirements be realised?".
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Realisability {
    /// Whether the tester can force a violation when nothing but the assumptions holds it back; none where that would
    /// have been too costly to tell.
    pub tester_can_force_violation: Option<bool>,
    /// The clash with the shortest story: one that no system can avoid, or else one that a system can.
    pub clash: Option<Clash>,
}

impl Specification {
    /// Plays the safety game of all requirements: can the tester force a violation, and where do they clash?
    ///
    /// Requirements that share no outputs are answered apart from each other. A game with more than `limit` states is
    /// not played.
    pub fn realisability(&self, limit: usize) -> Result<Realisability, OutOfNodes> {
        let restricted = !self.restrictions()?.is_empty();
        self.space.bdds().checked(Ok(self.played(restricted, limit)))
    }

    fn played(&self, restricted: bool, limit: usize) -> Realisability {
        let mut avoidable: Option<Clash> = None;
        let mut undecided = false;
        for group in self.groups() {
            match self.clash_of(&group, limit) {
                None => undecided = true,
                Some(Some(clash)) if clash.avoidable => {
                    let longer = |known: &Clash| known.after.len() > clash.after.len();
                    if avoidable.as_ref().is_none_or(longer) {
                        avoidable = Some(clash);
                    }
                }
                Some(Some(clash)) => return self.realisability_with(clash, limit),
                Some(None) => {}
            }
        }
        // A requirement that restricts the environment can be broken by an input alone.
        let forced = if restricted { Some(true) } else { (!undecided).then_some(false) };
        Realisability { tester_can_force_violation: forced, clash: avoidable }
    }

    fn realisability_with(&self, clash: Clash, limit: usize) -> Realisability {
        let forced = |subset: &[RequirementNumber]| {
            let clash = self.clash_of(subset, limit).flatten();
            clash.is_some_and(|clash| !clash.avoidable)
        };
        let fewest = smallest(clash.requirements.clone(), forced);
        let clash = self.clash_of(&fewest, limit).flatten().unwrap_or(clash);
        Realisability { tester_can_force_violation: Some(true), clash: Some(clash) }
    }

    /// The requirements that no answer to the last input of a run could have kept together; nothing where some answer
    /// could. What was violated before does not count.
    pub fn no_answer_at(&self, trace: &[Step]) -> Result<Option<Vec<RequirementNumber>>, OutOfNodes> {
        self.space.bdds().checked(Ok(self.left_without_answer(trace)))
    }

    fn left_without_answer(&self, trace: &[Step]) -> Option<Vec<RequirementNumber>> {
        let (last, before) = trace.split_last()?;
        let input = self.space.input(last.input);
        let allowed = |requirement: &Requirement| {
            let automaton = requirement.demand.automaton()?;
            Some(&automaton.allowed(automaton.after(before)?) & &input)
        };
        let kept: Vec<(RequirementNumber, Bdd)> =
            self.numbers().filter_map(|at| Some((at, allowed(self.requirement(at))?))).collect();
        let exchanges = &self.space.exchanges() & &input;
        let fair =
            self.assumptions.iter().filter_map(allowed).fold(exchanges.clone(), |all, one| &all & &one);
        let no_answer = |subset: &[RequirementNumber]| {
            let bound = kept.iter().filter(|(at, _)| subset.contains(at));
            bound.fold(exchanges.clone(), |all, (_, one)| &all & one).is_none()
        };
        let all: Vec<RequirementNumber> = kept.iter().map(|(at, _)| *at).collect();
        // An answer that breaks an assumption is no violation.
        (fair == exchanges && no_answer(&all)).then(|| smallest(all, no_answer))
    }

    /// Requirements by the outputs that they share, directly, through others or through assumptions.
    fn groups(&self) -> Vec<Vec<RequirementNumber>> {
        let outputs = |demand: &Requirement| -> Vec<usize> {
            let variables = demand.demand.variables().into_iter();
            variables.filter(|&variable| variable >= self.space.input_bits()).collect()
        };
        let mut groups: Vec<(Vec<RequirementNumber>, Vec<usize>)> = Vec::new();
        let required = self.numbers().map(|at| (vec![at], outputs(self.requirement(at))));
        let assumed = self.assumptions.iter().map(|one| (Vec::new(), outputs(one)));
        for (mut members, mut shared) in required.chain(assumed) {
            groups.retain(|(others, outputs)| {
                let apart = outputs.iter().all(|output| !shared.contains(output));
                if !apart {
                    members.extend(others);
                    shared.extend(outputs);
                }
                apart
            });
            groups.push((members, shared));
        }
        let mut groups: Vec<Vec<RequirementNumber>> =
            groups.into_iter().map(|(members, _)| members).collect();
        groups.iter_mut().for_each(|members| members.sort_unstable());
        groups.retain(|members| !members.is_empty());
        groups.sort();
        groups
    }

    /// The nearest clash of some requirements: nothing where there is none, none where the game is too large.
    fn clash_of(&self, requirements: &[RequirementNumber], limit: usize) -> Option<Option<Clash>> {
        let automaton = |&at: &RequirementNumber| self.requirement(at).demand.automaton().cloned();
        let required = requirements.iter().filter_map(automaton).map(Component::requirement);
        let demanded = self.restrictions().ok()?.iter().map(|restriction| &restriction.automaton);
        let assumed = self.assumed().chain(demanded).cloned().map(Component::assumption);
        let product = Product::new(self.space.clone(), required.chain(assumed).collect(), limit).ok()?;
        if product.corners().is_empty() {
            return Some(None);
        }
        let solved = solve(Arc::new(product), |_| false).ok()?;
        let product = solved.product();
        let avoidable = !solved.can_be_forced();
        let nearest = nearest_corner(product);
        Some(nearest.and_then(|(after, input)| {
            let together = if avoidable {
                let whole: Trace =
                    after.iter().copied().chain([Step { input, output: Letter::default() }]).collect();
                self.left_without_answer(&whole)?
            } else {
                requirements.to_vec()
            };
            // One requirement alone that an input can break is the system's own doing.
            (!avoidable || together.len() > 1).then_some(Clash {
                requirements: together,
                after,
                input,
                avoidable,
            })
        }))
    }
}

/// The shortest way to a state with an input that leaves no answer, and the input.
fn nearest_corner(product: &Product) -> Option<(Trace, Letter)> {
    let space = product.space();
    let mut from: FxHashMap<u32, Option<(u32, Step)>> = FxHashMap::default();
    let mut open = VecDeque::from([product.initial().0]);
    from.insert(product.initial().0, None);
    while let Some(at) = open.pop_front() {
        let sum = |violations: bool| {
            let edges = product.edges(State(at));
            let wanted = edges.filter(|(_, next)| matches!(next, Next::Violates(_)) == violations);
            wanted.fold(space.bdds().none(), |sum, (guard, _)| &sum | guard)
        };
        let (wrong, right) = (sum(true), sum(false));
        let unfair = &(&space.exchanges() & &space.some_output(&(&wrong | &right))) - &(&wrong | &right);
        let cornered = &space.some_output(&wrong) - &space.some_output(&(&right | &unfair));
        if let Some(input) = space.input_letters(&cornered).iter().next() {
            let mut after = Trace::new();
            let mut back = at;
            while let Some(Some((before, step))) = from.get(&back) {
                after.push(*step);
                back = *before;
            }
            after.reverse();
            return Some((after, input));
        }
        for (guard, next) in product.edges(State(at)) {
            if let Next::To(State(to)) = next
                && !from.contains_key(&to)
                && let Some((input, output)) = space.first_exchange(guard)
            {
                from.insert(to, Some((at, Step { input, output })));
                open.push_back(to);
            }
        }
    }
    None
}
