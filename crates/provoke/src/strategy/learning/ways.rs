//! Ways that the hypothesis says lead to a violation or to what is pursued.

use super::{Learning, Task};
use crate::learn::{Believed, Learner, Way, goal};
use crate::strategy::View;
use crate::trace::RunEnd;

/// What checking may cost, in exchanges of the hypothesis for each step of the system.
const WORK: u64 = 500;
/// What one check of everything may cost.
pub(super) const MOST_WORK: u64 = 20_000_000;

/// A hypothesis with open ends is checked for the first time after so many steps, and then after as many and a part of those that were
/// taken so far: the first part for what is as good as certain, which is mostly right, and the second for what rests on guesses, most
/// of which is wrong.
const FIRST: u64 = 100;
const OFTEN: u64 = 64;
const RARELY: u64 = 4;

/// How much of a hypothesis is believed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// What is as good as certain.
    #[default]
    Certain,
    /// Guesses as well.
    All,
}

/// The last check of the hypothesis: of which version, after how many steps, and what it cost.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Checked {
    pub(super) version: Option<u64>,
    trust: Trust,
    at: u64,
    /// When guesses were last believed.
    dared: u64,
    cost: u64,
    /// The requirement at which there was no more time for others: the first next time.
    left: Option<usize>,
    /// How often a way was cut short, and after how many steps it is looked for again.
    cut: (u32, u64),
}

/// What a way is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aim {
    Goal,
    Violation(usize),
    Lasso(usize),
}

/// What a hypothesis says of a way: see [`Way::told`].
pub(super) type Told = Option<(Vec<u32>, bool)>;

impl Learning {
    pub(super) fn play(&mut self, aim: Aim, way: Way) {
        let Some(learner) = &self.learner else { return };
        let rounds = std::iter::repeat_n(&way.round, 2).flatten();
        self.plan = way.stem.iter().chain(rounds).map(|&place| learner.input(place)).collect();
        self.task = Task::Play(aim, way);
    }

    /// The next way that is worth playing: from the last check, or a new one where the hypothesis has changed enough.
    pub(super) fn next_way(&mut self, view: &View<'_>, due: Option<Trust>) -> Option<(Aim, Way)> {
        loop {
            while let Some((aim, way, told)) = self.ways.pop() {
                if self.is_wanted(aim) && self.still_leads(&way, &told) {
                    return Some((aim, way));
                }
            }
            if !self.check(view, due?) {
                return None;
            }
        }
    }

    fn is_wanted(&self, aim: Aim) -> bool {
        match aim {
            Aim::Goal => true,
            Aim::Violation(requirement) => self.open[requirement][0],
            Aim::Lasso(requirement) => self.open[requirement][1],
        }
    }

    /// Whether the hypothesis still says of a way what it said when the way was found: it would show something else otherwise, and not
    /// surprise anybody.
    pub(super) fn still_leads(&self, way: &Way, told: &Told) -> bool {
        let Some(learner) = &self.learner else { return false };
        told.is_some() && way.told(learner.hypothesis()) == *told
    }

    /// Whether the hypothesis is to be checked again, and how much of it is to be believed: one with open ends now and then.
    pub(super) fn due(&self) -> Option<Trust> {
        let steps = self.learner.as_ref().map_or(0, Learner::steps);
        let is_due = |at: u64, part: u64| steps >= at + at / part + FIRST;
        if !self.is_open || is_due(self.checked.dared, RARELY) {
            return Some(Trust::All);
        }
        is_due(self.checked.at, OFTEN).then_some(Trust::Certain)
    }

    /// Checks the hypothesis anew where that is worth it; whether there is something to play.
    fn check(&mut self, view: &View<'_>, trust: Trust) -> bool {
        let Some(learner) = &self.learner else { return false };
        let Checked { version, trust: before, at, cost, left, cut, .. } = self.checked;
        let steps = learner.steps();
        let waited = |&(times, until): &(u32, u64)| times > 0 && (at + 1..=steps).contains(&until);
        let is_same = version == Some(learner.version())
            && trust <= before
            && left.is_none()
            && !waited(&cut)
            && !self.failed.iter().any(waited);
        let pursues = view.guide.is_about_states() && self.context.is_none();
        let is_wanted = pursues || self.open.iter().flatten().any(|&open| open);
        if !is_wanted || is_same || WORK * (steps - at.min(steps)) < cost {
            return false;
        }
        self.ways.clear();
        let certain = learner.certain();
        let all_known =
            || learner.hypothesis().edges.iter().zip(&certain).all(|(edge, &is)| is || !edge.is_known());
        let (only, all) = (Believed::only(learner, &certain), Believed::all(learner));
        let models = match trust {
            Trust::Certain => vec![only],
            Trust::All if all_known() => vec![all],
            Trust::All => vec![only, all],
        };
        let mut cost = 0;
        let mut leads: Vec<(Aim, Way)> = Vec::new();
        self.near.clear();
        if pursues {
            let mut work = MOST_WORK;
            let mut goal = |model| goal(model, view.game, view.guide, &mut work);
            let (mut found, distances) = goal(all);
            if trust == Trust::Certain {
                found = goal(only).0;
            }
            self.near = distances;
            leads.extend(found.map(|way| (Aim::Goal, way)));
            cost += MOST_WORK - work;
        }
        let mut left = None;
        for model in models {
            let mut work = MOST_WORK;
            left =
                self.look_for_violations(model, self.checked.left.unwrap_or(0), steps, &mut work, &mut leads);
            cost += MOST_WORK - work;
        }
        // The shortest is played first, so it comes last.
        leads.sort_by_key(|(aim, way)| (std::cmp::Reverse(*aim == Aim::Goal), std::cmp::Reverse(way.len())));
        self.ways.extend(leads.into_iter().map(|(aim, way)| {
            let told = way.told(learner.hypothesis());
            (aim, way, told)
        }));
        let dared = if trust == Trust::All { steps } else { self.checked.dared };
        self.checked = Checked { version: Some(learner.version()), trust, at: steps, dared, cost, left, cut };
        !self.ways.is_empty()
    }

    /// Looks for a way to violate each requirement for which none was found yet, beginning with the first of them; the one at which there
    /// was no more time for others.
    fn look_for_violations(
        &self,
        model: Believed<'_>,
        first: usize,
        steps: u64,
        work: &mut u64,
        leads: &mut Vec<(Aim, Way)>,
    ) -> Option<usize> {
        let Learning { claims, open, failed, .. } = self;
        let count = open.len();
        for requirement in (first..count).chain(0..first.min(count)) {
            let [violation, lasso] = [Aim::Violation(requirement), Aim::Lasso(requirement)];
            if leads.iter().any(|(aim, _)| *aim == violation || *aim == lasso) {
                continue;
            }
            let [finite, infinite] = open[requirement];
            // Where a round turned out to be harmless, one that begins elsewhere is looked for after a while.
            let (times, until) = failed[requirement];
            let found = finite.then(|| claims.violation(model, requirement, work)).flatten();
            leads.extend(found.map(|way| (violation, way)));
            if leads.last().is_none_or(|(aim, _)| *aim != violation) && infinite && until <= steps {
                leads.extend(claims.lasso(model, requirement, times, work).map(|way| (lasso, way)));
            }
            if *work == 0 {
                // One that takes all the time by itself must not keep others from their turn.
                let is_first = requirement == first;
                return Some(if is_first { (requirement + 1) % count } else { requirement });
            }
        }
        None
    }

    /// A way was not played to its end, or what it violates did not count: it is worth another look, later and later.
    pub(super) fn cut_short(&mut self) {
        let steps = self.learner.as_ref().map_or(0, Learner::steps);
        let (times, until) = &mut self.checked.cut;
        (*times, *until) = (*times + 1, steps + (1 << (*times).min(32)));
    }

    /// What a way showed when it was played without a surprise. A lasso may yet turn out to be none when it is tried again.
    pub(super) fn conclude(&mut self, end: &RunEnd, was_probe: bool) {
        if let RunEnd::Violated(requirement) = end
            && let Some(open) = self.open.get_mut(requirement.0)
        {
            *open = [open[0] && was_probe, false];
        }
        let Task::Play(aim, way) = std::mem::take(&mut self.task) else { return };
        if self.surprised {
            return;
        }
        let is_excused = *end == RunEnd::Inconclusive;
        if !self.plan.is_empty() && self.told < self.steps as usize {
            self.cut_short();
            return;
        }
        match aim {
            Aim::Goal => {}
            Aim::Violation(_) if is_excused => self.cut_short(),
            Aim::Violation(requirement) => self.open[requirement] = [false; 2],
            Aim::Lasso(requirement) => {
                self.open[requirement][1] = false;
                self.lasso = Some((requirement, way));
            }
        }
    }
}
