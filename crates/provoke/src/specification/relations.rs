//! How requirements relate: their classes, contradictions, what follows from what, and what is vacuous.

use std::sync::Arc;

use super::{Demand, Requirement, Specification, numbers};
use crate::automaton::{Automaton, TranslationError, buchi, common_word, safety_automaton, safety_closure};
use crate::bdd::{OutOfNodes, Space};
use crate::ltl::{Formula, Op};
use crate::monitor::never_violated;
use crate::trace::RequirementNumber;

/// How many combinations of edges a question may cost before it is left open.
const BUDGET: usize = 20_000;

/// What kind of property a requirement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Violated, if at all, after finitely many steps.
    Safety,
    /// Satisfied, if at all, after finitely many steps.
    CoSafety,
    /// Both: decided after finitely many steps either way.
    Bounded,
    /// Never violated after finitely many steps.
    Liveness,
    /// A safety and a liveness part.
    Mixed,
}

impl Class {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Class::Safety => "safety",
            Class::CoSafety => "co-safety",
            Class::Bounded => "safety and co-safety",
            Class::Liveness => "liveness",
            Class::Mixed => "mixed",
        }
    }
}

/// What was found out about the requirements together.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Relations {
    /// The class of each requirement; none where it would have been too costly to tell.
    pub classes: Vec<Option<Class>>,
    /// A smallest set of requirements (by number) that no run keeps together under the assumptions.
    pub conflict: Option<Vec<RequirementNumber>>,
    /// The assumptions contradict each other.
    pub assumptions_conflict: bool,
    /// Requirements that follow from others, with a smallest set of those.
    pub implied: Vec<(RequirementNumber, Vec<RequirementNumber>)>,
    /// Requirements `G(p -> ...)` whose `p` can never hold under the assumptions and the other requirements.
    pub vacuous: Vec<(RequirementNumber, Formula)>,
    /// Some question was left open because it would have been too costly.
    pub undecided: bool,
}

/// The words a requirement allows, and those it forbids.
#[derive(Default)]
struct Sides {
    class: Option<Class>,
    /// None where it is not made of an automaton: left out, it can only make fewer things impossible.
    keeps: Option<Arc<Automaton>>,
    breaks: Option<Automaton>,
}

impl Specification {
    /// A smallest set of requirements that no run keeps together under the assumptions; nothing where there is a run,
    /// or where it would be too costly to tell.
    pub fn conflict(&self) -> Result<Option<Vec<RequirementNumber>>, OutOfNodes> {
        if self.requirements.len() + self.assumptions.len() < 2 {
            return Ok(None);
        }
        let keeps = |all: &[Requirement]| all.iter().map(keeps).collect::<Vec<_>>();
        let (assumed, required) = (keeps(&self.assumptions), keeps(&self.requirements));
        let mut work = Work { assumed: &assumed, required: &required, found: Relations::default() };
        work.find_conflict();
        self.space.bdds().checked(Ok(work.found.conflict))
    }

    /// The class of each requirement; none where it would be too costly to tell.
    pub fn property_classes(&self) -> Result<Vec<Option<Class>>, OutOfNodes> {
        let classes = self.requirements.iter().map(|requirement| sides(requirement).class).collect();
        self.space.bdds().checked(Ok(classes))
    }

    /// Asks how the requirements relate to each other under the assumptions.
    pub fn relations(&self) -> Result<Relations, OutOfNodes> {
        let sides = |all: &[Requirement]| all.iter().map(sides).collect::<Vec<_>>();
        let (assumed, required) = (sides(&self.assumptions), sides(&self.requirements));
        let mut work = Work { assumed: &assumed, required: &required, found: Relations::default() };
        work.found.classes = required.iter().map(|side| side.class).collect();
        work.found.assumptions_conflict = work.conflicting(&[]);
        if !work.found.assumptions_conflict {
            work.find_conflict();
        }
        if work.found.conflict.is_none() && !work.found.assumptions_conflict {
            work.find_implied();
            work.find_vacuous(&self.requirements, &self.space);
        }
        self.space.bdds().checked(Ok(work.found))
    }
}

struct Work<'a> {
    assumed: &'a [Sides],
    required: &'a [Sides],
    found: Relations,
}

impl Work<'_> {
    /// Whether some run keeps the assumptions and these requirements and is accepted by `extra`.
    fn together(&mut self, requirements: &[RequirementNumber], extra: Option<&Automaton>) -> Option<bool> {
        let kept = requirements.iter().map(|&at| &self.required[at.0]);
        let sides = self.assumed.iter().chain(kept).filter_map(|side| side.keeps.as_deref());
        let automata: Vec<&Automaton> = extra.into_iter().chain(sides).collect();
        let answer = common_word(&automata, BUDGET);
        self.found.undecided |= answer.is_none();
        answer
    }

    fn conflicting(&mut self, requirements: &[RequirementNumber]) -> bool {
        self.together(requirements, None) == Some(false)
    }

    fn find_conflict(&mut self) {
        let all: Vec<RequirementNumber> = numbers(self.required.len()).collect();
        if self.conflicting(&all) {
            let undecided = self.found.undecided;
            self.found.conflict = Some(smallest(all, |subset| self.conflicting(subset)));
            self.found.undecided = undecided;
        }
    }

    fn find_implied(&mut self) {
        for at in numbers(self.required.len()) {
            let Some(breaks) = &self.required[at.0].breaks else { continue };
            if common_word(&[breaks], BUDGET) == Some(false) {
                // A tautology follows from nothing at all, and is reported as never violated.
                continue;
            }
            let others: Vec<RequirementNumber> =
                numbers(self.required.len()).filter(|&other| other != at).collect();
            let mut follows = |from: &[RequirementNumber]| self.together(from, Some(breaks)) == Some(false);
            if follows(&others) {
                let reason = smallest(others, follows);
                self.found.implied.push((at, reason));
            }
        }
    }

    fn find_vacuous(&mut self, requirements: &[Requirement], space: &Arc<Space>) {
        for (at, requirement) in numbers(requirements.len()).zip(requirements) {
            let Some(condition) = requirement.demand.formula.as_ref().and_then(condition) else { continue };
            let Ok(holds) = buchi(&condition.clone().finally(), space) else {
                continue;
            };
            let others: Vec<RequirementNumber> =
                numbers(requirements.len()).filter(|&other| other != at).collect();
            if self.together(&others, Some(&holds)) == Some(false) {
                self.found.vacuous.push((at, condition.clone()));
            }
        }
    }
}

/// The most questions that looking for one or two members may take.
const PAIRS: usize = 1_500;

/// A smallest subset for which the question is still answered with yes: one member or two where that is enough,
/// otherwise one of which no member can be spared.
pub(super) fn smallest(
    mut set: Vec<RequirementNumber>,
    mut still: impl FnMut(&[RequirementNumber]) -> bool,
) -> Vec<RequirementNumber> {
    if set.is_empty() || still(&[]) {
        return Vec::new();
    }
    if let Some(&one) = set.iter().find(|&&one| still(&[one])) {
        return vec![one];
    }
    if set.len() > 2 && set.len() * set.len() / 2 <= PAIRS {
        for (at, &second) in set.iter().enumerate() {
            if let Some(&first) = set[..at].iter().find(|&&first| still(&[first, second])) {
                return vec![first, second];
            }
        }
    }
    let mut place = 0;
    while place < set.len() {
        let member = set.remove(place);
        if !still(&set) {
            set.insert(place, member);
            place += 1;
        }
    }
    set
}

/// The `p` of `G(p -> q)`.
fn condition(formula: &Formula) -> Option<&Formula> {
    match (formula.op(), formula.args()) {
        (Op::Globally, [inside]) => match (inside.op(), inside.args()) {
            (Op::Implies, [condition, _]) => Some(condition),
            _ => None,
        },
        _ => None,
    }
}

/// The words a requirement allows, without asking what else there is to know about it. Where it never opens an
/// obligation its safety automaton says it all.
fn keeps(requirement: &Requirement) -> Sides {
    let Some(automaton) = requirement.demand.automaton() else { return Sides::default() };
    let formula =
        requirement.demand.formula.as_ref().filter(|_| requirement.demand.monitor.has_obligations());
    let positive = formula.and_then(|formula| buchi(formula, &automaton.space).ok());
    let keeps = positive.map_or_else(|| automaton.clone(), Arc::new);
    Sides { class: None, keeps: Some(keeps), breaks: None }
}

fn sides(requirement: &Requirement) -> Sides {
    let Demand { formula, omega, .. } = &requirement.demand;
    let Some(automaton) = requirement.demand.automaton() else { return Sides::default() };
    let unknown = || Sides { class: None, keeps: Some(automaton.clone()), breaks: None };
    match (formula, omega) {
        (Some(formula), _) => sides_of_formula(formula, automaton).unwrap_or_else(|_| unknown()),
        (None, Some(omega)) => match &omega.rejects {
            Some(negative) => {
                let surely_broken = safety_closure(negative);
                let positive = omega.accepts.clone();
                let sides = |surely: Automaton| classified(automaton, positive, negative.clone(), &surely);
                surely_broken.map_or_else(|_| unknown(), sides)
            }
            None => {
                let class = is_never_violated(automaton).then_some(Class::Liveness);
                Sides { class, keeps: Some(Arc::new(omega.accepts.clone())), breaks: None }
            }
        },
        (None, None) => Sides {
            class: Some(Class::Safety),
            keeps: Some(automaton.clone()),
            breaks: Some(automaton.breaking()),
        },
    }
}

fn sides_of_formula(formula: &Formula, automaton: &Arc<Automaton>) -> Result<Sides, TranslationError> {
    let space = &automaton.space;
    let negation = formula.clone().not();
    let (positive, negative) = (buchi(formula, space)?, buchi(&negation, space)?);
    let surely_broken = safety_automaton(&negation, space)?;
    Ok(classified(automaton, positive, negative, &surely_broken))
}

/// The class and the sides of a property, given what it accepts and rejects and the safety part of both.
fn classified(
    automaton: &Arc<Automaton>,
    positive: Automaton,
    negative: Automaton,
    surely_broken: &Automaton,
) -> Sides {
    let none = |automata: &[&Automaton]| common_word(automata, BUDGET).map(|found| !found);
    let safety = none(&[&**automaton, &negative]);
    let class = match (safety, none(&[surely_broken, &positive])) {
        (Some(true), Some(true)) => Some(Class::Bounded),
        (Some(true), _) => Some(Class::Safety),
        (Some(false), Some(true)) => Some(Class::CoSafety),
        (Some(false), Some(false)) if is_never_violated(automaton) => Some(Class::Liveness),
        (Some(false), Some(false)) => Some(Class::Mixed),
        _ => None,
    };
    let keeps = if safety == Some(true) { automaton.clone() } else { Arc::new(positive) };
    Sides { class, keeps: Some(keeps), breaks: Some(negative) }
}

/// Whether no run violates the automaton. What it says where nodes run out is not used.
fn is_never_violated(automaton: &Automaton) -> bool {
    never_violated(automaton).is_ok_and(|safe| safe.get(automaton.initial as usize) == Some(&true))
}
