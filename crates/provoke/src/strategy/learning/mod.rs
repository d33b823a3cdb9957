//! Learns the system while testing it.

mod alphabet;
mod comparison;
mod context;
mod doubt;
mod gradual;
mod homing;
mod leader;
mod recall;
mod repetition;
mod roam;
mod survey;
mod ways;
mod work;

use std::collections::VecDeque;
use std::sync::Arc;

use rustc_hash::FxHashSet;

use self::alphabet::Representatives;
use self::comparison::Comparison;
use self::context::{Context, plain};
use self::doubt::Doubt;
use self::gradual::Gradual;
pub use self::homing::Homing;
use self::recall::Recall;
use self::roam::Roam;
use self::survey::Survey;
use self::ways::{Aim, Checked, MOST_WORK, Told, Trust};
use self::work::Work;
use super::shares::Shares;
use super::{Strategy, Suspicion, View};
use crate::automaton::Classes;
use crate::game::{Game, Guide};
use crate::learn::{
    Believed, Claims, Contradiction, Gauge, Inquiry, Learner, Learnt, Meaning, Old, Patience, Tree, Way, Wish,
};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::{RunEnd, Step, Trace};

/// Black-box checking (Peled, Vardi, Yannakakis 1999) with L#: learns a machine from the exchanges and plays what it says
/// would violate a requirement or reach the objective.
///
/// In this order: what the hypothesis says violates an open requirement or reaches what is pursued, the shortest first; what
/// would violate one if it went on for ever, two rounds first; then the frontier, where the guide's distance is least; then
/// tests of the hypothesis, of several kinds by what each brought lately: a shortest way to the state that was tested least and
/// about thirty inputs by chance; something new just beyond a transition; a long walk along the transitions that were taken
/// least; where a transition leads, told from what is hard to tell from it; and runs by chance from the start, half of them
/// after a way to a state that is far away, as long as they come to what is not known. They keep away from what is doomed nine
/// times of ten and end with a word that tells states apart. Each is either found or refutes the hypothesis, which is progress
/// too. Verdicts come from what was seen alone. A system that answers one word in two ways is tried again; once that is certain,
/// nothing more is learnt, and inputs are drawn by chance.
pub struct Learning {
    claims: Arc<Claims>,
    nodes: usize,
    learner: Option<Learner>,
    representatives: Option<Representatives>,
    /// Which sets of inputs were met.
    met: FxHashSet<u64>,
    /// What is written beside answers.
    context: Option<Context>,
    /// Inputs that are learnt later.
    gradual: Gradual,
    /// For each requirement, whether a violation of it is still looked for, finite and infinite.
    open: Vec<[bool; 2]>,
    /// For each, how often a round turned out to be harmless, and after how many steps others are looked for.
    failed: Vec<(u32, u64)>,
    /// Ways that are still to be played, the shortest last, and what the hypothesis said of each when it was found.
    ways: Vec<(Aim, Way, Told)>,
    checked: Checked,
    near: Vec<u32>,
    plan: VecDeque<Letter>,
    task: Task,
    /// How many exchanges of the run the learner knows.
    told: usize,
    waiting: bool,
    /// The input that was chosen last.
    sent: Option<Letter>,
    steps: u32,
    tested: Vec<u32>,
    /// What runs are for that complete or test the hypothesis, by what each kind brought; what this run is for, and how much was
    /// known before it.
    shares: Shares<9>,
    work: Option<(Work, u64)>,
    /// The version of the hypothesis of which nothing is left to look into.
    settled: Option<u64>,
    /// Whether some transition was open when that was last asked.
    is_open: bool,
    roam: Roam,
    /// How many answers were known before this run.
    outputs: usize,
    survey: Survey,
    lasso: Option<(usize, Way)>,
    doubt: Doubt,
    surprised: bool,
    /// So many steps are left for what is pursued in a run that surprised.
    beyond: u32,
    /// A lasso was offered.
    probing: bool,
    /// After so long without anything new there is nothing left to try; none for never.
    patience: Option<Patience>,
    /// What was remembered from before.
    recall: Recall,
    recordings: Vec<Trace>,
    /// An older machine that the system is held against.
    comparison: Option<Comparison>,
    gauge: Option<Arc<Gauge>>,
}

/// What a run is for.
#[derive(Clone, Debug, Default)]
enum Task {
    /// The answers to a word.
    #[default]
    Word,
    /// What stands at the frontier.
    Identify(Inquiry),
    /// A way: what it is for.
    Play(Aim, Way),
    /// A word that was answered in two ways.
    Confirm,
    /// A word of what was remembered from before.
    Check,
    /// By chance, for so many steps.
    Chance(u32),
    /// By chance, as long as that may lead somewhere.
    Roam,
}

/// No run by chance goes on where the last so many answers were the same.
const MONOTONOUS: usize = 16;

/// After more rounds than this nobody takes a lasso for harmless.
const HARMLESS: usize = 3;
/// After a harmless round no others are looked for during so many steps, after the next twice as many, and so on.
const WAIT: u64 = 100;
/// No more sets of inputs are looked at for inputs that are new.
const MOST_MET: usize = 4_096;
/// About how many inputs of a test are drawn by chance.
const STRETCH: u64 = 30;

impl Learning {
    /// A strategy that checks these claims and remembers at most so many exchanges.
    pub fn new(claims: Arc<Claims>, nodes: usize) -> Learning {
        Learning {
            open: claims
                .requirements
                .iter()
                .map(|claim| [claim.safety.is_some(), claim.breaks.is_some()])
                .collect(),
            failed: vec![(0, 0); claims.requirements.len()],
            claims,
            nodes,
            learner: None,
            representatives: None,
            met: FxHashSet::default(),
            context: None,
            gradual: Gradual::default(),
            ways: Vec::new(),
            checked: Checked::default(),
            near: Vec::new(),
            plan: VecDeque::new(),
            task: Task::Word,
            told: 0,
            waiting: false,
            sent: None,
            steps: u32::MAX,
            tested: Vec::new(),
            shares: Shares::default(),
            work: None,
            settled: None,
            is_open: true,
            roam: Roam::default(),
            outputs: 0,
            survey: Survey::default(),
            lasso: None,
            doubt: Doubt::default(),
            surprised: false,
            beyond: 0,
            probing: false,
            patience: None,
            recall: Recall::default(),
            recordings: Vec::new(),
            comparison: None,
            gauge: None,
        }
    }

    /// What was learnt so far.
    pub fn learner(&self) -> Option<&Learner> {
        self.learner.as_ref()
    }

    /// Whether every transition is known, by every input.
    pub fn is_complete(&self) -> bool {
        self.gradual.is_over() && self.learner.as_ref().is_some_and(Learner::is_complete)
    }

    /// Learns the system together with where these requirements are; none where there are none.
    pub fn beside(self, requirements: &[Arc<Classes>]) -> Option<Learning> {
        Some(Learning { context: Some(Context::new(requirements)?), ..self })
    }

    /// Whether it learns the system together with requirements.
    pub fn knows_requirements(&self) -> bool {
        self.context.is_some()
    }

    /// Tells somebody outside how far it is.
    #[must_use]
    pub fn watched(mut self, gauge: Arc<Gauge>) -> Learning {
        self.gauge = Some(gauge);
        self
    }

    /// Gives up after so long without anything new.
    #[must_use]
    pub fn patient(mut self, patience: Patience) -> Learning {
        self.patience = Some(patience);
        self
    }

    /// Holds the system against an older machine: plays the shortest words on which they seem to differ.
    #[must_use]
    pub fn against(mut self, old: Arc<Old>) -> Learning {
        self.comparison = Some(Comparison::new(old));
        self
    }

    /// Goes on from what was seen before. Some of it is tried again first, and where the system answers otherwise, all of it
    /// is forgotten: the system has changed.
    #[must_use]
    pub fn resume(mut self, memory: Tree) -> Learning {
        self.recall = Recall::new(memory);
        self
    }

    /// How much is known: grows with everything new.
    pub fn known(&self) -> u64 {
        self.learner.as_ref().map_or(0, Learner::known) + self.roam.met()
    }

    /// Leaves it to somebody else when inputs are drawn by chance from the start.
    #[must_use]
    pub fn led(mut self) -> Learning {
        self.roam.is_led = true;
        self
    }

    /// How many steps such runs should have, beside one step of everything else.
    pub fn roaming(&self) -> f64 {
        match self.open.iter().flatten().any(|&open| open) && !self.doubt.is_confirmed() {
            true => self.roam.share(self.is_open),
            false => 0.0,
        }
    }

    /// How much of what is known leads to where nothing comes any more, of one, as long as some transition is open.
    pub fn falls(&self) -> f64 {
        if self.is_open { self.survey.falls } else { 0.0 }
    }

    /// The next run is one.
    pub fn roam(&mut self) {
        self.roam.is_next = true;
    }

    /// Whether words that are remembered from before are still to be tried again.
    pub fn is_checking(&self) -> bool {
        self.recall.is_checking()
    }

    /// Whether some word was answered in two ways, confirmed or not.
    fn doubts(&self) -> Option<Contradiction> {
        self.doubt.contradiction()
    }

    /// Whether the system was found to answer one word in two ways, so that nothing more is learnt.
    pub fn has_stopped(&self) -> bool {
        self.doubt.is_confirmed()
    }

    /// Takes in runs that were recorded, once there are inputs to learn with.
    pub fn take_in(&mut self, recordings: Vec<Trace>) {
        self.recordings = recordings;
    }

    /// Whether nothing new came for as long as it has patience.
    fn has_enough(&self) -> bool {
        self.patience.zip(self.learner.as_ref()).is_some_and(|(patience, learner)| {
            self.doubt.is_confirmed()
                || self.gradual.is_over() && patience.is_over(learner.steps(), learner.last_surprise())
        })
    }

    /// Whether the system is to be asked about something else on which it seems to differ from an older machine. What there is no room
    /// to remember would be asked again and again.
    fn has_more_to_compare(&mut self) -> bool {
        let Learning { comparison: Some(comparison), learner: Some(learner), .. } = self else {
            return false;
        };
        let is_of_use = !self.doubt.is_confirmed() && !learner.tree().is_full();
        is_of_use && comparison.has_last(learner, self.steps)
    }

    /// The next input after a surprise, where something is pursued: the run may be near it, and would be given up in the same place
    /// again where nothing else is to be learnt from the surprise.
    fn nearer(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if !view.guide.is_about_states() || matches!(self.task, Task::Confirm) {
            return None;
        }
        self.beyond = self.beyond.checked_sub(1)?;
        view.guide.greedy_inputs(view.at).sample(rng)
    }

    /// Gives up a run for a lasso that was offered, where there was no room for so many rounds.
    pub fn give_up_probe(&mut self) {
        if std::mem::take(&mut self.probing) {
            self.lasso = None;
        }
    }

    /// Takes in a run that somebody else chose, and how it ended.
    pub fn absorb(&mut self, trace: &[Step], end: &RunEnd) {
        let annotated = self.context.as_mut().map(|context| context.annotated_run(trace));
        let Some(learner) = self.learner.as_mut().filter(|_| !self.doubt.is_confirmed()) else { return };
        if let Some(other) = learner.absorb(annotated.as_deref().unwrap_or(trace), *end == RunEnd::Unfair) {
            self.contradict(other, trace);
        }
    }

    /// A word was answered otherwise than it was at a node. Words of what is remembered that are tried again say at once that the
    /// system has changed; others are tried again.
    fn contradict(&mut self, node: u32, trace: &[Step]) {
        let Some(learner) = &self.learner else { return };
        let before = plain(learner.tree().trace(node));
        let is_remembered = self.recall.is_about(node);
        if is_remembered && matches!(self.task, Task::Check) {
            let second = trace[..before.len().min(trace.len())].to_vec();
            return self.forget(Contradiction { first: before, second, confirmed: true });
        }
        self.doubt.raise(before, trace, is_remembered);
    }

    /// The system has changed since it was remembered: what was learnt is forgotten.
    fn forget(&mut self, by: Contradiction) {
        let Some(learner) = &mut self.learner else { return };
        let inputs: Vec<Letter> = learner.inputs().collect();
        *learner = Learner::new(inputs, self.nodes);
        let seen = by.second.clone();
        self.recall.refute(by);
        // All that refers to what was learnt.
        (self.doubt, self.survey) = (Doubt::default(), Survey::default());
        (self.checked, self.settled, self.lasso) = (Checked::default(), None, None);
        self.failed.fill((0, 0));
        self.near.clear();
        self.tested.clear();
        self.ways.clear();
        self.gradual.wait_anew();
        if let (Some(comparison), Some(learner)) = (&mut self.comparison, &self.learner) {
            comparison.distrust(learner);
        }
        self.absorb(&seen, &RunEnd::Active);
    }

    /// Begins to learn, unless that was begun.
    fn begin_to_learn(&mut self, view: &View<'_>, rng: &mut Rng) {
        if self.learner.is_some() {
            return;
        }
        let inputs = self.fresh_inputs(view, rng);
        self.learner = Some(match self.recall.take() {
            Some(tree) => Learner::of_tree(tree, inputs),
            None => Learner::new(inputs, self.nodes),
        });
    }

    /// Takes inputs into the alphabet that could not be sent where the run has been before: they are learnt as well.
    fn meet_inputs(&mut self, view: &View<'_>, rng: &mut Rng) {
        if self.learner.is_none() || self.met.contains(&view.inputs().id()) || self.met.len() >= MOST_MET {
            return;
        }
        let fresh = self.fresh_inputs(view, rng);
        if let Some(learner) = &mut self.learner {
            fresh.into_iter().for_each(|input| learner.grow(input));
        }
    }

    /// Inputs that may be sent here and are not known: those to begin with.
    fn fresh_inputs(&mut self, view: &View<'_>, rng: &mut Rng) -> Vec<Letter> {
        self.met.insert(view.inputs().id());
        let mut inputs = Vec::new();
        let are_few = view.game.list_inputs(view.at, &mut inputs) && self.representatives.is_none();
        let Learning { learner, claims, gradual, representatives, .. } = self;
        let is_fresh =
            |input: &Letter| learner.as_ref().is_none_or(|learner| learner.place_of(*input).is_none());
        inputs.retain(is_fresh);
        match are_few {
            true => gradual.meet(inputs, &claims.classes, rng),
            false => {
                let representatives =
                    representatives.get_or_insert_with(|| Representatives::new(&claims.classes));
                let mut chosen = representatives.meet(view.inputs(), rng);
                chosen.retain(is_fresh);
                chosen
            }
        }
    }

    /// Decides what the run that begins here is for.
    fn decide(&mut self, view: &View<'_>, rng: &mut Rng) {
        self.plan.clear();
        self.task = Task::Word;
        let roams = std::mem::take(&mut self.roam.is_next);
        if self.doubt.is_confirmed() {
            self.task = Task::Chance(u32::MAX);
            return;
        }
        if let Some(word) = self.doubt.word() {
            self.plan = word.into();
            self.task = Task::Confirm;
            return;
        }
        let is_first = self.learner.is_none();
        self.begin_to_learn(view, rng);
        std::mem::take(&mut self.recordings)
            .iter()
            .for_each(|recording| self.absorb(recording, &RunEnd::Active));
        let Some(learner) = &mut self.learner else { return };
        if let Some(comparison) = self.comparison.as_mut().filter(|_| is_first) {
            comparison.distrust(learner);
        }
        learner.begin();
        self.survey.follow(learner);
        self.outputs = learner.tree().outputs();
        if let Some(word) = self.recall.word(learner.tree()) {
            self.plan = word.into();
            self.task = Task::Check;
            return;
        }
        if roams {
            return self.test(Work::Roam, rng);
        }
        let is_explained = !learner.has_conflict();
        if let Some(comparison) = &mut self.comparison
            && (is_explained || comparison.is_all_that_is_left())
            && let Some(word) = comparison.next(learner, self.steps, false)
        {
            self.plan = word.into();
            return;
        }
        let due = self.due();
        if is_explained
            && (due.is_some() || !self.ways.is_empty())
            && let Some((aim, way)) = self.next_way(view, due)
        {
            self.play(aim, way);
            return;
        }
        let Learning { learner: Some(learner), near, .. } = self else { return };
        let rank = |state: u32| near.get(state as usize).copied().unwrap_or(0);
        let mut wish = learner.wish(&rank, false);
        if wish.is_none() {
            // The hypothesis may have become complete just now.
            if let Some((aim, way)) = self.next_way(view, Some(Trust::All)) {
                self.play(aim, way);
                return;
            }
            wish = self.learn_more_inputs();
        }
        self.is_open = wish.is_some();
        if let (None, Some(learner), Some(comparison)) = (&wish, &self.learner, &mut self.comparison)
            && let Some(word) = comparison.next(learner, self.steps, true)
        {
            self.plan = word.into();
            return;
        }
        if !matches!(wish, Some(Wish::Word(_))) {
            // Where something is pursued, chance is no guide.
            let roams = !self.roam.is_led && !view.guide.is_about_states();
            let work = self.next_work(wish.is_some(), roams);
            let Learning { learner: Some(learner), near, .. } = self else { return };
            let rank = |state: u32| near.get(state as usize).copied().unwrap_or(0);
            if !matches!(work, Work::Identify | Work::Doubt) {
                return self.test(work, rng);
            }
            // What is left of the frontier takes turns with tests.
            wish = wish.or_else(|| learner.wish(&rank, true));
            self.settled = Some(learner.version()).filter(|_| wish.is_none());
        }
        let Some(learner) = &mut self.learner else { return };
        match wish {
            Some(Wish::Word(word)) => self.plan = word.into(),
            Some(Wish::Identify { word, open }) => {
                self.task = Task::Identify(learner.inquire(open));
                self.plan = word.into();
            }
            None => self.test(Work::Beyond, rng),
        }
    }

    /// Goes on with inputs that were left for later, where there are any: all that the others do is known.
    fn learn_more_inputs(&mut self) -> Option<Wish> {
        let Learning { learner: Some(learner), gradual, near, .. } = self else { return None };
        let more = gradual.next(learner.inputs().len(), learner.steps());
        if more.is_empty() {
            return None;
        }
        more.into_iter().for_each(|input| learner.grow(input));
        learner.wish(&|state| near.get(state as usize).copied().unwrap_or(0), false)
    }

    /// Whether a run by chance is at its end, or has come to where nothing comes any more: as far as is known, or as it seems where
    /// nothing is.
    fn is_stuck(&mut self, trace: &[Step]) -> bool {
        let Some(learner) = &self.learner else { return false };
        let state = learner.state();
        let is_doomed = state.is_some_and(|state| self.survey.is_doomed(state));
        self.roam.is_over(trace.len(), learner.steps(), is_doomed) || state.is_none() && is_monotonous(trace)
    }

    /// Whether a run of somebody else has come to where nothing comes any more, as it seems and as far as is known.
    pub fn is_lost(&self, trace: &[Step]) -> bool {
        let Some(learner) = &self.learner else { return false };
        if !trace.len().is_multiple_of(MONOTONOUS) || !is_monotonous(trace) {
            return false;
        }
        let places: Option<Vec<usize>> = trace.iter().map(|step| learner.place_of(step.input)).collect();
        let state = places.and_then(|places| learner.hypothesis().after(0, &places));
        state.is_some_and(|state| self.survey.is_doomed(state))
    }

    /// The next input, once the plan is empty.
    fn adapt(&mut self) -> Option<Letter> {
        let Learning { learner: Some(learner), task: Task::Identify(inquiry), plan, .. } = self else {
            return None;
        };
        *plan = learner.ask(inquiry).into();
        plan.pop_front()
    }

    /// Tells the learner of exchanges that it does not know.
    fn tell(&mut self, trace: &[Step]) {
        let confirmed = self.doubt.is_confirmed();
        while let Some(step) = trace.get(self.told) {
            self.told += 1;
            self.waiting = false;
            if matches!(self.task, Task::Confirm) {
                continue;
            }
            let Some(learner) = self.learner.as_mut().filter(|_| !confirmed) else { continue };
            if let Some(context) = self.context.as_mut().filter(|_| self.told == 1) {
                context.begin();
            }
            let step = &self.context.as_mut().map_or(*step, |context| context.annotated(step));
            if let Some(representatives) = &mut self.representatives {
                representatives.note(learner, step);
            }
            match learner.saw(step) {
                Meaning::Expected => {}
                // A guess that is wrong is no reason to stop looking into what is not certain.
                Meaning::Surprise => self.surprised |= !matches!(self.task, Task::Identify(_) | Task::Roam),
                Meaning::Contradiction(other) => {
                    self.surprised = true;
                    self.contradict(other, &trace[..self.told]);
                    // What comes after it says nothing, and whoever learns anew is at the start.
                    self.told = usize::MAX;
                    break;
                }
            }
            if let Task::Identify(inquiry) = &mut self.task {
                learner.heard(inquiry, step);
            }
        }
    }
}

impl Strategy for Learning {
    fn turn_to(&mut self, _game: &dyn Game, _guide: &dyn Guide) {
        self.checked = Checked::default();
        self.near.clear();
        self.ways.retain(|(aim, ..)| *aim != Aim::Goal);
        if let Some(learner) = &mut self.learner {
            learner.unbar();
        }
        self.met.clear();
    }

    fn begin_run(&mut self, _run: u64, steps: u32) -> bool {
        (self.told, self.waiting, self.surprised, self.steps) = (0, false, false, steps);
        self.beyond = STRETCH as u32;
        self.plan.clear();
        self.task = Task::Word;
        self.work = None;
        self.give_up_probe();
        !self.has_enough() || self.has_more_to_compare()
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        self.meet_inputs(view, rng);
        if view.trace.is_empty() {
            self.decide(view, rng);
        }
        if self.surprised {
            self.sent = self.nearer(view, rng);
            return self.sent;
        }
        if let Task::Chance(left) = &mut self.task {
            *left = left.saturating_sub(1);
            self.sent = if *left == 0 { None } else { view.inputs().sample(rng) };
            return self.sent;
        }
        if matches!(self.task, Task::Roam) {
            if self.is_stuck(view.trace) {
                return None;
            }
            let planned = self.plan.pop_front().filter(|&input| view.inputs().contains(input));
            self.sent = planned.or_else(|| view.inputs().sample(rng));
            return self.sent;
        }
        let next = self.plan.pop_front().or_else(|| self.adapt());
        let chosen = match next {
            Some(input) if view.inputs().contains(input) => Some(input),
            // What may not be sent here is not asked for: chance takes over, so that the run is not for nothing.
            Some(input) => {
                if let Some(learner) = &mut self.learner {
                    learner.withheld(input);
                }
                self.plan.clear();
                self.task = Task::Chance(STRETCH as u32);
                view.inputs().sample(rng)
            }
            None if view.trace.is_empty() => {
                self.task = Task::Chance(STRETCH as u32);
                view.inputs().sample(rng)
            }
            None => None,
        };
        self.waiting = chosen.is_some();
        self.sent = chosen;
        chosen
    }

    fn observe(&mut self, step: &Step, now: &View<'_>) {
        self.tell(now.trace);
        if self.sent != Some(step.input) {
            // Another input was sent, to keep a promise: what was planned leads elsewhere from here.
            self.plan.clear();
            if matches!(self.task, Task::Play(..)) {
                self.cut_short();
            }
            if !matches!(self.task, Task::Confirm) {
                self.task = Task::Chance(STRETCH as u32);
            }
        }
    }

    fn end_run(&mut self, end: &RunEnd, last: &View<'_>) {
        let probe = self.lasso.take_if(|_| self.probing);
        let was_probe = probe.is_some();
        if let Some((requirement, way)) = probe {
            // The rounds that the rules for lassos demand were made.
            self.probing = false;
            if let Some(learner) = &mut self.learner {
                learner.begin();
            }
            self.tell(last.trace);
            // It is over for good where all rounds were made, for this requirement or one that was shown before. Where it turned
            // out to be harmless or something came between, another is looked for, later and later.
            let rounds = last.trace.len().saturating_sub(way.stem.len()) / way.round.len().max(1);
            let is_shown = !self.surprised && (matches!(end, RunEnd::Violated(_)) || rounds > HARMLESS);
            self.open[requirement][1] = !is_shown;
            if !is_shown && !self.surprised {
                let steps = self.learner.as_ref().map_or(0, Learner::steps);
                let (times, until) = &mut self.failed[requirement];
                (*times, *until) = (*times + 1, steps + (WAIT << (*times).min(32)));
            }
            self.checked.version = None;
        }
        self.tell(last.trace);
        if matches!(self.task, Task::Confirm) {
            self.doubt.saw(last.trace);
            if let Some(changed) = self.doubt.changed() {
                self.forget(changed);
            }
        } else if let Some(learner) = self.learner.as_mut().filter(|_| !self.doubt.is_confirmed()) {
            if self.waiting && *end == RunEnd::Active && last.trace.len() < self.steps as usize {
                learner.ended();
            }
            if *end == RunEnd::Unfair {
                learner.forbidden();
            }
            let mut met = 0;
            if matches!(self.task, Task::Roam) {
                met = learner.node().map_or(0, |node| learner.strange(node));
                let is_news = matches!(end, RunEnd::Violated(_)) || learner.tree().outputs() > self.outputs;
                self.roam.book(met, last.trace.len(), is_news);
            }
            if let Task::Identify(inquiry) = &self.task {
                learner.conclude(inquiry);
            }
            learner.finish();
            self.recall.note(learner.known());
            if let Some(comparison) = &mut self.comparison {
                comparison.note(learner, last.trace);
            }
            if let Some(gauge) = &self.gauge {
                gauge.note(learner);
            }
            if let Some((work, before)) = self.work.take() {
                let news = learner.known().saturating_sub(before) + met;
                self.shares.book(work as usize, news, last.trace.len() as u64);
            }
        }
        self.conclude(end, was_probe);
    }

    fn memory(&self) -> usize {
        self.learner.as_ref().map_or(0, Learner::bytes)
    }

    fn goes_by_what_was_sent(&self) -> bool {
        true
    }

    fn overruled(&mut self) {
        self.waiting = false;
    }

    fn goes_on_when_all_is_settled(&self) -> bool {
        // The system alone can be learnt whatever the requirements say, and what a run is for often lies beyond. Where all is settled
        // after a few steps anyway, nothing else matters.
        !self.claims.soon_settled
            && !self.knows_requirements()
            && self.learner.as_ref().is_some_and(|learner| !learner.tree().is_full())
            && !matches!(self.task, Task::Chance(_) | Task::Roam)
    }

    fn suspicion(&mut self) -> Suspicion {
        let Some(learner) = self.learner.as_ref().filter(|_| !self.doubt.is_confirmed()) else {
            return Suspicion::Unasked;
        };
        let spell = |word: &[usize]| word.iter().map(|&place| learner.input(place)).collect();
        match &self.lasso {
            Some((requirement, way)) => {
                if !way.told(learner.hypothesis()).is_some_and(|(_, leads_back)| leads_back) {
                    // What was seen since says otherwise.
                    self.open[*requirement][1] = true;
                    self.lasso = None;
                    return Suspicion::Nothing;
                }
                let offered = Suspicion::Try(spell(&way.stem), spell(&way.round));
                (self.told, self.waiting, self.surprised, self.probing) = (0, false, false, true);
                self.task = Task::Word;
                offered
            }
            // What it cannot check is left to others.
            None if self.claims.are_partial() => Suspicion::Unasked,
            None => Suspicion::Nothing,
        }
    }

    fn learnt(&mut self) -> Option<Learnt> {
        // Where there was no time for a step, what is remembered is known all the same.
        if self.learner.is_none()
            && let Some(tree) = self.recall.take().filter(|tree| !tree.is_empty())
        {
            let inputs: Vec<Letter> = (0..tree.inputs() as u32).map(|number| tree.input(number)).collect();
            let learner = Learner::of_tree(tree, inputs);
            self.comparison.iter_mut().for_each(|comparison| comparison.distrust(&learner));
            self.learner = Some(learner);
        }
        let learner = self.learner.as_ref()?;
        let mut learnt = Learnt::of(learner);
        let mut work = MOST_WORK / 10;
        let holds = |requirement: usize| {
            let claim = &self.claims.requirements[requirement];
            if !claim.is_checked() {
                return None;
            }
            let kept = self.claims.violation(Believed::all(learner), requirement, &mut work).is_none()
                && self.claims.lasso(Believed::all(learner), requirement, 0, &mut work).is_none();
            (work > 0).then_some(kept)
        };
        learnt.holds = (0..self.claims.requirements.len()).map(holds).collect();
        learnt.inputs_in_all = self.representatives.as_ref().and_then(|all| all.beyond(learnt.inputs));
        learnt.contradiction = self.doubt.contradiction();
        learnt.changed = self.recall.changed().cloned();
        let is_settled = |comparison: &Comparison| comparison.is_settled(learner);
        learnt.is_over = self.has_enough() && self.comparison.as_ref().is_none_or(is_settled);
        learnt.differences = self.comparison.as_ref().map(|comparison| comparison.seen(learner));
        Some(learnt)
    }
}

/// Whether the last answers were all the same.
fn is_monotonous(trace: &[Step]) -> bool {
    let last = &trace[trace.len().saturating_sub(MONOTONOUS)..];
    last.len() == MONOTONOUS && last.iter().all(|step| step.output == last[0].output)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_that_would_show_something_else_by_now_is_not_played() {
        let step = |output| Step { input: Letter::from_index(0), output: Letter::from_index(output) };
        let mut learning = Learning::new(Arc::new(Claims::default()), 1 << 10);
        learning.learner = Some(Learner::new([Letter::from_index(0)], 1 << 10));
        learning.absorb(&[step(0)], &RunEnd::Active);
        let way = Way { stem: vec![0], round: vec![0] };
        let told = way.told(learning.learner.as_ref().unwrap().hypothesis());
        assert_eq!(told, Some((vec![0, 0], true)), "it seems to answer alike for ever");
        assert!(learning.still_leads(&way, &told));
        learning.absorb(&[step(0), step(1)], &RunEnd::Active);
        // What refutes the hypothesis is looked into before anything else.
        learning.learner.as_mut().unwrap().wish(&|_| 0, false);
        assert!(!learning.still_leads(&way, &told));
        assert!(!learning.still_leads(&way, &None), "nor one of which nothing was known");
    }
}
