//! How a hypothesis is completed and put to the test.

use super::survey::Survey;
use super::{Learning, STRETCH, Task};
use crate::learn::{ENDED, Hypothesis, Learner, Splitting};
use crate::rng::Rng;
use rustc_hash::FxHashMap;

/// All of it: of equals the first is due.
const WORKS: [Work; 9] = [
    Work::Identify,
    Work::Doubt,
    Work::Beyond,
    Work::Probe,
    Work::Persist,
    Work::Trail,
    Work::Stretch,
    Work::Tour,
    Work::Roam,
];
/// As long as there are open transitions, tests have so small a part of the steps: the first where there is nothing to fall into, the
/// second where nearly everything leads there, so that tests are short.
const EARLY: [f64; 2] = [0.1, 0.02];
/// What brings least gets at least so much of what the best gets.
const LEAST_WORTH: f64 = 0.1;
/// Once no transition is open, those for which little speaks have so many times as much as other tests that brought as much.
const DOUBTFUL: f64 = 6.0;
/// What lies just beyond transitions has so many times as much, whatever it brought, and more the more leads where nothing comes any more:
/// walks that keep away from that see little, and those that do not end there.
const BEYOND: f64 = 2.0;
const FATAL: f64 = 3.0;
/// Once nothing is left to look into, trails have so many times as much as that: what is taken for a state that it is not, since nobody
/// knows of another one, shows by nothing else.
const TRAILS: f64 = 2.0;
/// In the end probes have so many times as much as other tests that brought as much, half of that after twice so many steps, and
/// nothing before: what others find they mostly find early, and what is left is more and more of the kind that only probes show.
const PROBES: f64 = 4.0;
const LATE: f64 = 50_000.0;
/// At most so many where walks end by falling into something, the more often the more leads there: that is a test too, one for each run.
const FALLS: u64 = 20;
/// No walk along what was taken least is longer.
const TOUR: usize = 1_000;
/// So many pairs of states are looked at for a word that tells two states apart.
const PAIRS: usize = 1_000;
/// So many steps of a run are left for a word that tells states apart.
const ROOM: usize = 4;
/// The chance that a test ends with an input that seems to lead where nothing comes any more: it could not go on after it.
const PLUNGE: f64 = 0.75;

/// How a hypothesis is completed and tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Work {
    /// Finding out where transitions lead.
    Identify,
    /// The same of those for which little speaks, although that seems to be known.
    Doubt,
    /// Something new just beyond a transition.
    Beyond,
    /// Where a transition leads, told from what is hard to tell from it.
    Probe,
    /// The same input again and again, where that seems to change nothing.
    Persist,
    /// A few transitions in a row, and then what seems to lead nowhere.
    Trail,
    /// A way to a state that was tested little, and a walk by chance.
    Stretch,
    /// A walk along the transitions that were taken least.
    Tour,
    /// A run by chance, from the start or from far away: where there is nothing to fall into, it comes farther than anything else.
    Roam,
}

impl Learning {
    /// Which kind of run is due: transitions that are open come first, and tests have a small part of the steps meanwhile.
    pub(super) fn next_work(&mut self, is_open: bool, roams: bool) -> Work {
        let worths = self.shares.worths().map(|worth| worth.max(LEAST_WORTH));
        let steps = self.learner.as_ref().map_or(0.0, |learner| learner.steps() as f64);
        let late = 1.0 - LATE / steps.max(LATE);
        let falls = self.survey.falls;
        let early = EARLY[0] + (EARLY[1] - EARLY[0]) * falls;
        let fatal = 1.0 + FATAL * falls;
        let is_settled =
            self.settled.is_some() && self.settled == self.learner.as_ref().map(Learner::version);
        let has_trails = is_settled && self.learner.as_ref().is_some_and(Learner::has_trails);
        let share = |at: usize| match (WORKS[at], is_open) {
            (Work::Identify, true) => 1.0,
            (Work::Beyond | Work::Persist | Work::Stretch | Work::Tour, true) => early * worths[at],
            (Work::Doubt, false) if !is_settled => DOUBTFUL * worths[at],
            (Work::Beyond, false) => BEYOND * fatal,
            (Work::Probe, false) => PROBES * late * worths[at],
            (Work::Trail, false) if has_trails => TRAILS * fatal * worths[at],
            (Work::Persist | Work::Stretch | Work::Tour, false) => worths[at],
            _ => 0.0,
        };
        let mut shares: [f64; WORKS.len()] = std::array::from_fn(share);
        if roams {
            shares[Work::Roam as usize] = self.roaming() * shares.iter().sum::<f64>();
        }
        let order = std::array::from_fn(|at| at);
        let work = self.shares.due(shares, order).map_or(Work::Stretch, |work| WORKS[work]);
        self.work = Some((work, self.learner.as_ref().map_or(0, Learner::known)));
        work
    }

    /// A test of the hypothesis, and after it a word that tells states apart.
    pub(super) fn test(&mut self, work: Work, rng: &mut Rng) {
        let Some(learner) = &mut self.learner else { return };
        let hypothesis = learner.hypothesis();
        let states = hypothesis.states();
        self.survey.update(learner);
        if work == Work::Roam {
            self.task = Task::Roam;
            if rng.chance(0.5) {
                let way = self.survey.far(rng);
                self.plan = way.into_iter().map(|place| learner.input(place)).collect();
            }
            return;
        }
        self.tested.resize(states, 0);
        let Survey { doomed, falls, ways, splitting, .. } = &mut self.survey;
        // Where all seems to be lost from the start, the hypothesis knows too little to say so.
        let avoid = rng.chance(0.9) && doomed.first() != Some(&true);
        let avoided: &[bool] = if avoid { doomed } else { &[] };
        let room = (self.steps as usize).saturating_sub(ROOM);
        // While little is known, a long walk goes round in the same few states.
        let known = (STRETCH + learner.steps() / 8) as usize;
        let found = match work {
            Work::Beyond => learner.beyond(rng),
            Work::Persist => learner.persist(room),
            Work::Trail => learner.trail(room, rng),
            Work::Tour => Some(learner.tour(room.min(TOUR).min(known), avoided)),
            Work::Probe => {
                let splitting = splitting.get_or_insert_with(|| {
                    Splitting::new(learner.hypothesis(), answers(learner, self.context.is_some()))
                });
                learner.probe(splitting, avoided, rng)
            }
            _ => None,
        };
        // Some end with what tells by themselves.
        let ends_by_itself = matches!(work, Work::Probe | Work::Trail) && found.is_some();
        let (mut word, length) = match found {
            Some(word) => (word, 0),
            None => {
                let may_be = |state: &u32| {
                    (*state == 0 || ways[*state as usize].is_some()) && !(avoid && doomed[*state as usize])
                };
                let least = (0..states as u32).filter(may_be).map(|state| self.tested[state as usize]).min();
                let least: Vec<u32> = (0..states as u32)
                    .filter(may_be)
                    .filter(|&state| Some(self.tested[state as usize]) == least)
                    .collect();
                let state = rng.pick(&least).copied().unwrap_or(0);
                self.tested[state as usize] += 1;
                let length = match rng.chance(*falls) {
                    true => 1 + rng.below(FALLS),
                    false => STRETCH / 2 + rng.below(STRETCH + 1),
                };
                (Hypothesis::word(ways, state).unwrap_or_default(), length)
            }
        };
        let hypothesis = learner.hypothesis();
        let mut end = hypothesis.after(0, &word);
        if let Some(state) =
            end.filter(|&end| !doomed[end as usize] || work != Work::Beyond || rng.chance(1.0 - PLUNGE))
        {
            let length = (length as usize).min(room.saturating_sub(word.len()));
            let stretch = hypothesis.stretch(state, length, avoided, rng);
            end = hypothesis.after(state, &stretch);
            word.extend(stretch);
        }
        self.plan = word.iter().map(|&place| learner.input(place)).collect();
        if let Some(representatives) = &mut self.representatives {
            representatives.vary(&mut self.plan, rng);
        }
        if let Some(end) = end.filter(|&end| !doomed[end as usize])
            && rng.chance(PLUNGE)
            && let Some(place) = hypothesis.plunge(end, doomed, rng)
        {
            self.plan.push_back(learner.input(place));
            return;
        }
        if let Some(end) = end.filter(|&end| !ends_by_itself && states > 1 && !doomed[end as usize]) {
            let other = ((end as usize + 1 + rng.index(states - 1)) % states) as u32;
            let word = match self.context {
                None => learner.separator(end, other),
                // What is written beside answers says nothing of where the system is.
                Some(_) => {
                    let answer = |output| learner.tree().output(output).plain();
                    let is_same = |one: u32, other: u32| {
                        one == other || one != ENDED && other != ENDED && answer(one) == answer(other)
                    };
                    let word = learner.hypothesis().separator(end, other, PAIRS, is_same);
                    word.unwrap_or_default().into_iter().map(|place| learner.input(place)).collect()
                }
            };
            self.plan.extend(word);
        }
    }
}

/// What each answer of a learner counts as: what is written beside it says nothing of where the system is.
fn answers(learner: &Learner, are_annotated: bool) -> Vec<u32> {
    let tree = learner.tree();
    let mut first = FxHashMap::default();
    let count = |output: u32| match are_annotated {
        true => *first.entry(tree.output(output).plain()).or_insert(output),
        false => output,
    };
    (0..tree.outputs() as u32).map(count).collect()
}
