//! Ways that the hypothesis says lead to a violation or to what is pursued.

use super::{Learning, Task};
use crate::learn::{Way, goal};
use crate::strategy::View;
use crate::trace::RunEnd;

/// What checking may cost, in exchanges of the hypothesis for each step of the system.
const WORK: u64 = 500;
/// What one check of everything may cost.
pub(super) const MOST_WORK: u64 = 20_000_000;

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
    pub(super) fn next_way(&mut self, view: &View<'_>, is_due: bool) -> Option<(Aim, Way)> {
        loop {
            while let Some((aim, way, told)) = self.ways.pop() {
                if self.is_wanted(aim) && self.still_leads(&way, &told) {
                    return Some((aim, way));
                }
            }
            if !is_due || !self.check(view) {
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

    /// Checks the hypothesis anew where that is worth it; whether there is something to play.
    fn check(&mut self, view: &View<'_>) -> bool {
        let Some(learner) = &self.learner else { return false };
        let (version, at, cost) = self.checked;
        let steps = learner.steps();
        if version == Some(learner.version()) || WORK * (steps - at.min(steps)) < cost {
            return false;
        }
        let mut work = MOST_WORK;
        let Learning { claims, open, ways, near, .. } = self;
        ways.clear();
        let mut leads = Vec::new();
        for (requirement, [finite, infinite]) in open.iter().enumerate() {
            let found = finite.then(|| claims.violation(learner, requirement, &mut work)).flatten();
            match found {
                Some(way) => leads.push((Aim::Violation(requirement), way)),
                None if *infinite => {
                    let found = claims.lasso(learner, requirement, &mut work);
                    leads.extend(found.map(|way| (Aim::Lasso(requirement), way)));
                }
                None => {}
            }
        }
        near.clear();
        if view.guide.is_about_states() && self.context.is_none() {
            let (found, distances) = goal(learner, view.game, view.guide, &mut work);
            *near = distances;
            leads.extend(found.map(|way| (Aim::Goal, way)));
        }
        // The shortest is played first, so it comes last.
        leads.sort_by_key(|(aim, way)| (std::cmp::Reverse(*aim == Aim::Goal), std::cmp::Reverse(way.len())));
        ways.extend(leads.into_iter().map(|(aim, way)| {
            let told = way.told(learner.hypothesis());
            (aim, way, told)
        }));
        self.checked = (Some(learner.version()), steps, MOST_WORK - work);
        !self.ways.is_empty()
    }

    /// What a way showed when it was played without a surprise. A lasso may yet turn out to be none when it is tried again.
    pub(super) fn conclude(&mut self, end: &RunEnd, was_probe: bool) {
        if let RunEnd::Violated(requirement) = end
            && let Some(open) = self.open.get_mut(requirement.0)
        {
            *open = [open[0] && was_probe, false];
        }
        let Task::Play(aim, way) = std::mem::take(&mut self.task) else { return };
        if self.surprised || !self.plan.is_empty() && self.told < self.steps as usize {
            return;
        }
        match aim {
            Aim::Goal => {}
            Aim::Violation(requirement) => self.open[requirement] = [false; 2],
            Aim::Lasso(requirement) => {
                self.open[requirement][1] = false;
                self.lasso = Some((requirement, way));
            }
        }
    }
}
