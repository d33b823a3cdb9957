//! Model checking of what was learnt so far: words that would violate a requirement or reach a goal, if the hypothesis is right.

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Hypothesis, Learner};
use crate::automaton::{Classes, Cubes, Table};
use crate::connected::Components;
use crate::game::{Game, Guide, Next, State};
use crate::trace::Step;

/// What is asked of a hypothesis, as tables that are looked up while a campaign runs.
#[derive(Debug, Default)]
pub struct Claims {
    /// What the requirements say, in their order.
    pub requirements: Vec<Claim>,
    /// What the environment keeps.
    pub assumptions: Vec<Rule>,
    /// Whether every run is settled after so many steps at most, whatever comes.
    pub soon_settled: bool,
    /// The inputs that requirements tell apart, where there are too many to try each.
    pub classes: Vec<Arc<Classes>>,
}

/// One requirement.
#[derive(Debug, Default)]
pub struct Claim {
    /// What no finite run may do; none where there is no automaton.
    pub safety: Option<Rule>,
    /// Whether some run breaks it of which no beginning does.
    pub lasts: bool,
    /// The runs that keep the assumptions and break the requirement, where only infinite runs do; none where they are too many to be
    /// followed.
    pub breaks: Option<Arc<Cubes>>,
}

impl Claim {
    /// Whether all that breaks it is looked for.
    pub fn is_checked(&self) -> bool {
        self.safety.is_some() && (self.breaks.is_some() || !self.lasts)
    }
}

/// A deterministic automaton: an exchange without an edge breaks it.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its edges.
    pub table: Arc<Table>,
    /// Where reading starts.
    pub initial: u32,
}

impl Rule {
    fn next(&self, at: u32, step: &Step) -> Option<u32> {
        Some(self.table.next(at, &step.input, &step.output)).filter(|&to| to != Table::NOWHERE)
    }
}

/// A way to something that is wanted, as places of inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Way {
    /// The inputs before the rounds, or all of them.
    pub stem: Vec<usize>,
    /// The inputs of one round; empty where nothing goes round.
    pub round: Vec<usize>,
}

impl Way {
    /// How many inputs tell it.
    pub fn len(&self) -> usize {
        self.stem.len() + self.round.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What a hypothesis says of it: the answers, and whether a round leads back to where it began. None where it does not know.
    pub fn told(&self, hypothesis: &Hypothesis) -> Option<(Vec<u32>, bool)> {
        let answers = hypothesis.answers(0, self.stem.iter().chain(&self.round).copied())?;
        let knot = hypothesis.after(0, &self.stem)?;
        Some((answers, hypothesis.after(knot, &self.round)? == knot))
    }
}

/// What of a hypothesis is believed: all of it, or only the transitions that are as good as certain.
#[derive(Clone, Copy, Debug)]
pub struct Believed<'a> {
    learner: &'a Learner,
    certain: Option<&'a [bool]>,
}

impl<'a> Believed<'a> {
    /// All of it, guesses among it.
    pub fn all(learner: &'a Learner) -> Believed<'a> {
        Believed { learner, certain: None }
    }

    /// Only the transitions that are named as certain, as [`Learner::certain`] does.
    pub fn only(learner: &'a Learner, certain: &'a [bool]) -> Believed<'a> {
        Believed { learner, certain: Some(certain) }
    }

    fn inputs(self) -> usize {
        self.learner.hypothesis().inputs
    }

    /// Whether that is all of it.
    fn is_all(self) -> bool {
        self.certain.is_none()
    }

    /// The exchange that is expected, and the state after it.
    fn exchange(self, state: u32, input: usize) -> Option<(Step, u32)> {
        let entry = state as usize * self.inputs() + input;
        if self.certain.is_some_and(|certain| !certain[entry]) {
            return None;
        }
        let step = self.learner.exchange(state, input)?;
        Some((step, self.learner.hypothesis().edge(state, input).to))
    }
}

/// A pair of a state of the hypothesis and something that follows the exchanges.
type Ways = FxHashMap<(u32, u32), Option<((u32, u32), usize)>>;

fn word(ways: &Ways, mut at: (u32, u32)) -> Vec<usize> {
    let mut word = Vec::new();
    while let Some(&Some((before, input))) = ways.get(&at) {
        word.push(input);
        at = before;
    }
    word.reverse();
    word
}

impl Claims {
    /// Whether only some of the requirements are checked that infinite runs can break.
    pub fn are_partial(&self) -> bool {
        self.requirements.iter().any(|claim| claim.lasts && claim.breaks.is_none())
    }

    /// A shortest word that violates a requirement in finitely many steps and keeps the assumptions, if the hypothesis is
    /// right. `work` is what it may cost and is counted down.
    pub fn violation(&self, model: Believed<'_>, requirement: usize, work: &mut u64) -> Option<Way> {
        let rule = self.requirements[requirement].safety.as_ref()?;
        // Where the assumptions are, as one number.
        let mut assumed: Vec<Vec<u32>> = vec![self.assumptions.iter().map(|rule| rule.initial).collect()];
        let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::from_iter([(assumed[0].clone(), 0)]);
        let mut pairs: FxHashMap<(u32, u32), u32> = FxHashMap::from_iter([((rule.initial, 0), 0)]);
        let mut places = vec![(rule.initial, 0u32)];
        let mut ways: Ways = FxHashMap::from_iter([((0, 0), None)]);
        let mut open = VecDeque::from([(0u32, 0u32)]);
        while let Some((state, place)) = open.pop_front() {
            let (at, fair) = places[place as usize];
            *work = work.saturating_sub(model.inputs() as u64);
            if *work == 0 {
                return None;
            }
            for input in 0..model.inputs() {
                let Some((step, next)) = model.exchange(state, input) else { continue };
                let mut next_fair = fair;
                if !self.assumptions.is_empty() {
                    let rules = self.assumptions.iter().zip(&assumed[fair as usize]);
                    let Some(after) =
                        rules.map(|(rule, &at)| rule.next(at, &step)).collect::<Option<Vec<u32>>>()
                    else {
                        continue;
                    };
                    next_fair = *numbers.entry(after.clone()).or_insert_with(|| {
                        assumed.push(after);
                        assumed.len() as u32 - 1
                    });
                }
                let Some(after) = rule.next(at, &step) else {
                    let mut stem = word(&ways, (state, place));
                    stem.push(input);
                    return Some(Way { stem, round: Vec::new() });
                };
                let next_place = *pairs.entry((after, next_fair)).or_insert_with(|| {
                    places.push((after, next_fair));
                    places.len() as u32 - 1
                });
                let to = (next, next_place);
                ways.entry(to).or_insert_with(|| {
                    open.push_back(to);
                    Some(((state, place), input))
                });
            }
        }
        None
    }

    /// A stem and a round that violate a requirement if they go on for ever and the hypothesis is right: the shortest
    /// stem, and then the shortest round. Where so many turned out to be harmless, the next one, and the first again after the last.
    pub fn lasso(
        &self,
        model: Believed<'_>,
        requirement: usize,
        harmless: u32,
        work: &mut u64,
    ) -> Option<Way> {
        let breaks = self.requirements[requirement].breaks.as_deref()?;
        if breaks.states.is_empty() {
            return None;
        }
        // The product, nodes in the order in which they are met.
        let start = (0u32, breaks.initial);
        let mut nodes = vec![start];
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::from_iter([(start, 0)]);
        let mut rows: Vec<Vec<(u32, usize)>> = Vec::new();
        let mut ways: Ways = FxHashMap::from_iter([(start, None)]);
        while let Some(&(state, at)) = nodes.get(rows.len()) {
            let mut row = Vec::new();
            for input in 0..model.inputs() {
                let Some((step, to)) = model.exchange(state, input) else { continue };
                let edges = breaks.edges_of(at);
                *work = work.saturating_sub(1 + breaks.states[at as usize].edges.len() as u64);
                for (_, edge) in edges.filter(|(_, edge)| edge.takes(&step)) {
                    let next = (to, edge.to);
                    let number = *numbers.entry(next).or_insert_with(|| {
                        nodes.push(next);
                        ways.insert(next, Some(((state, at), input)));
                        nodes.len() as u32 - 1
                    });
                    row.push((number, input));
                }
            }
            rows.push(row);
            if *work == 0 {
                return None;
            }
        }
        let components = Components::new(rows.len(), |at| {
            rows[at as usize].iter().map(|&(to, _)| to).collect::<Vec<_>>().into_iter()
        });
        let goes_round =
            |at: usize| rows[at].iter().any(|&(to, _)| components.of[to as usize] == components.of[at]);
        let is_accepting = |at: &usize| breaks.states[nodes[*at].1 as usize].accepting && goes_round(*at);
        let mut knots: Vec<usize> = (0..rows.len()).filter(is_accepting).collect();
        if harmless > 0 {
            // Those that are on one round with others come last.
            let mut met = vec![false; components.count];
            knots.sort_by_key(|&at| std::mem::replace(&mut met[components.of[at] as usize], true));
        }
        // Where all were harmless, what is less certain may not be.
        let turn = harmless as usize;
        let knot = *knots.get(if model.is_all() { turn.checked_rem(knots.len())? } else { turn })?;
        // The shortest way from the knot back to it.
        let mut before: FxHashMap<u32, (u32, usize)> = FxHashMap::default();
        let mut open = VecDeque::from([knot as u32]);
        'search: while let Some(at) = open.pop_front() {
            for &(to, input) in &rows[at as usize] {
                if components.of[to as usize] != components.of[knot] || before.contains_key(&to) {
                    continue;
                }
                before.insert(to, (at, input));
                if to == knot as u32 {
                    break 'search;
                }
                open.push_back(to);
            }
        }
        let mut round = Vec::new();
        let mut at = knot as u32;
        loop {
            let &(from, input) = before.get(&at)?;
            round.push(input);
            at = from;
            if at == knot as u32 {
                break;
            }
        }
        round.reverse();
        Some(Way { stem: word(&ways, nodes[knot]), round })
    }
}

/// A shortest word that reaches the goal of a guide, if the hypothesis is right; and for each state of the hypothesis, how
/// near it comes to the goal (the largest number where it is not met).
pub fn goal(
    model: Believed<'_>,
    game: &dyn Game,
    guide: &dyn Guide,
    work: &mut u64,
) -> (Option<Way>, Vec<u32>) {
    let mut near = vec![u32::MAX; model.learner.hypothesis().states()];
    let start = (0u32, game.initial().0);
    let mut ways: Ways = FxHashMap::from_iter([(start, None)]);
    let mut open = VecDeque::from([start]);
    while let Some((state, at)) = open.pop_front() {
        let inputs = game.inputs(State(at));
        for input in 0..model.inputs() {
            *work = work.saturating_sub(1);
            let exchange = model.exchange(state, input).filter(|(step, _)| inputs.contains(step.input));
            let Some((step, after)) = exchange else { continue };
            let Next::To(next) = game.next(State(at), step.input, step.output) else { continue };
            let Some(distance) = guide.distance(next) else { continue };
            let to = (after, next.0);
            if ways.contains_key(&to) {
                continue;
            }
            ways.insert(to, Some(((state, at), input)));
            let nearest = &mut near[to.0 as usize];
            *nearest = distance.min(*nearest);
            if distance == 0 {
                return (Some(Way { stem: word(&ways, to), round: Vec::new() }), near);
            }
            open.push_back(to);
        }
        if *work == 0 || next_is_passing(&open) {
            break;
        }
    }
    (None, near)
}

/// States without a number of their own cannot be searched.
fn next_is_passing(open: &VecDeque<(u32, u32)>) -> bool {
    open.front().is_some_and(|&(_, at)| State(at).is_passing())
}
