//! Learning without any reset, within one run.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Learning;
use super::leader::{Leader, findings, knowledge};
use super::repetition::{Answers, Repetition, Ruling, Suspect, Suspects};
use crate::game::State;
use crate::learn::{Claims, Contradiction, Gauge, Learnt, Patience};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::strategy::{Strategy, View};
use crate::trace::{RunEnd, Step, Trace};

/// Learns a system that is never reset: a *homing* word, whose answers tell which state it leads to, takes the place of resets.
///
/// Rivest and Schapire, "Inference of Finite Automata Using Homing Sequences" (1993): for each answer to the homing word there is
/// a learner of its own, for which the state that it leads to is the first. Where one of them sees a word answered in two ways,
/// the homing word does not home, and is made longer by that word.
///
/// Departures: the word is made longer only after the answers that do not tell, so that the other learners go on; an input of it
/// that may not be sent is left out, which is an answer too. The learner that knows all its transitions first leads: the run as a whole is
/// held against its machine, whoever chooses the inputs, and only what is new to that one is news. A machine that goes on to
/// explain less than the run is wrong, and what it does not explain makes the homing word longer. What it does not explain of
/// the beginning only, the system has left for good. Words that are answered in two ways again and again are repeated: that tells
/// whether it is chance.
pub struct Homing {
    nodes: usize,
    patience: Patience,
    gauge: Arc<Gauge>,
    /// What is sent next on the way home after these answers; nothing where they tell where it is.
    words: BTreeMap<Answers, Vec<Letter>>,
    learners: BTreeMap<Home, Learning>,
    /// The one that is believed in.
    leading: Option<Home>,
    leader: Leader,
    /// What knew most of those that were given up.
    retired: Option<Learning>,
    suspects: Suspects,
    contradiction: Option<Contradiction>,
    /// The last steps before the system had ended.
    ended: Option<Trace>,
    phase: Phase,
    /// Whether an input was chosen and not answered yet.
    is_waiting: bool,
    is_over: bool,
    last_new: u64,
    steps: u64,
    /// How many steps at the beginning of the run are not explained by what was learnt.
    unexplained: u64,
}

/// Where a learner begins: the answers on the way, and where what may be sent is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Home {
    answers: Answers,
    at: State,
}

enum Phase {
    /// On the way: the answers so far, and what is to be sent before the next turn.
    Home { answers: Answers, rest: VecDeque<Letter> },
    /// The turn of a learner, with what it found last and how many steps came before.
    Learn { home: Home, surprise: u64, since: usize },
    /// A word is sent over and over.
    Repeat(Repetition),
}

/// What comes next.
enum Next {
    Send(Letter),
    Turn,
    Over,
}

/// How long a learner may go on before it is homed again.
const STEPS: u32 = 250;
/// No longer words are looked for to tell what a machine does not explain.
const LONGEST: usize = 4_096;
/// Nobody takes so many turns in a row without sending anything, unless nothing may be sent.
const TURNS: usize = 8;
/// A machine that does not change for so long, nor for as long as it took, is wrong where the run is so often otherwise.
const SETTLED: u64 = 2_000;
const OFTEN: u32 = 3;
/// So many steps are told of where the system has ended.
const LAST: usize = 10;

impl Homing {
    /// Remembers at most so many exchanges, gives up after so long without anything new, and tells how far it is.
    pub fn new(nodes: usize, patience: Patience, gauge: Arc<Gauge>) -> Homing {
        Homing {
            nodes,
            patience,
            gauge,
            words: BTreeMap::new(),
            learners: BTreeMap::new(),
            leading: None,
            leader: Leader::default(),
            retired: None,
            suspects: Suspects::default(),
            contradiction: None,
            ended: None,
            phase: Phase::Home { answers: Answers::new(), rest: VecDeque::new() },
            is_waiting: false,
            is_over: false,
            last_new: 0,
            steps: 0,
            unexplained: 0,
        }
    }

    /// The next turn begins: the way home, unless there is something to look into.
    fn go_home(&mut self) {
        self.phase = match self.suspects.next(self.steps) {
            Some(repetition) => Phase::Repeat(repetition),
            None => Phase::Home { answers: Answers::new(), rest: VecDeque::new() },
        };
    }

    /// The next input on the way home. Where it is known where that is, the learner that begins there has its turn.
    fn homeward(&mut self, view: &View<'_>) -> Next {
        let Homing { phase: Phase::Home { answers, rest }, words, learners, nodes, .. } = self else {
            return Next::Turn;
        };
        loop {
            while let Some(&input) = rest.front() {
                if view.inputs().contains(input) {
                    return Next::Send(input);
                }
                rest.pop_front();
                answers.push(None);
            }
            match words.get(answers) {
                Some(word) => rest.extend(word),
                None => break,
            }
        }
        let home = Home { answers: std::mem::take(answers), at: view.at };
        let made = || Learning::new(Arc::new(Claims::default()), *nodes);
        let learning = learners.entry(home.clone()).or_insert_with(made);
        learning.begin_run(0, STEPS);
        let surprise = learning.learner().map_or(0, |learner| learner.last_surprise());
        self.phase = Phase::Learn { home, surprise, since: view.trace.len() };
        Next::Turn
    }

    /// What the learner whose turn it is sends next.
    fn inquire(&mut self, view: &View<'_>, rng: &mut Rng) -> Next {
        let Homing { phase: Phase::Learn { home, since, .. }, learners, .. } = self else {
            return Next::Turn;
        };
        let inner = View { trace: &view.trace[*since..], ..*view };
        if let Some(learning) = learners.get_mut(home) {
            if let Some(input) = learning.choose(&inner, rng) {
                return Next::Send(input);
            }
            learning.end_run(&RunEnd::Active, &inner);
        }
        self.note_news();
        self.elect();
        self.go_home();
        Next::Turn
    }

    /// What is sent next to find out whether it is answered by chance.
    fn repeat(&mut self, view: &View<'_>) -> Next {
        let Phase::Repeat(repetition) = &mut self.phase else { return Next::Turn };
        match repetition.next(|input| view.inputs().contains(input)) {
            Ruling::Send(input) => return Next::Send(input),
            Ruling::Harmless => self.go_home(),
            Ruling::Chance(found) => {
                self.contradiction = Some(found);
                return Next::Over;
            }
        }
        Next::Turn
    }

    /// Whether the learner whose turn it is found something new. Once one of them knows everything that it can, only what is
    /// new to that one is: what others come to know is the same system seen from elsewhere.
    fn note_news(&mut self) {
        let Homing { phase: Phase::Learn { home, surprise, .. }, learners, .. } = self else { return };
        let Some(learner) = learners.get(home).and_then(Learning::learner) else { return };
        let before = std::mem::replace(surprise, learner.last_surprise());
        if before != *surprise && (!self.leader.is_complete || self.leading.as_ref() == Some(home)) {
            self.last_new = self.steps;
        }
    }

    /// Believes in the one that knows most, unless there is one that knows everything.
    fn elect(&mut self) {
        if self.leader.is_complete {
            self.look_at_leader();
        }
        if !self.leader.is_complete {
            let best = self.learners.iter().max_by_key(|(_, learning)| knowledge(learning));
            self.follow(best.map(|(home, _)| home.clone()));
        }
        if let Some(learner) =
            self.leading.as_ref().and_then(|home| self.learners.get(home)).and_then(Learning::learner)
        {
            self.gauge.note(learner);
            self.gauge.since_surprise.store(self.steps - self.last_new, Ordering::Relaxed);
        }
    }

    fn follow(&mut self, home: Option<Home>) {
        if self.leading != home {
            (self.leading, self.leader) = (home, Leader::default());
        }
        self.look_at_leader();
    }

    fn look_at_leader(&mut self) {
        let was_complete = self.leader.is_complete;
        let Some(learner) =
            self.leading.as_ref().and_then(|home| self.learners.get(home)).and_then(Learning::learner)
        else {
            return;
        };
        self.leader.look_at(learner, self.steps);
        if self.leader.is_complete && !was_complete {
            self.last_new = self.steps;
        }
    }

    /// Holds a step against the machine that is believed in. Where it says something else, whoever has found more may know better;
    /// where nobody does for long, the answers on the way to it did not tell where it is.
    fn hold_against_leader(&mut self, step: &Step, run: &[Step]) {
        let Homing { leading: Some(leading), learners, leader, .. } = self else { return };
        let Some(learner) = learners.get(leading).and_then(Learning::learner) else { return };
        if leader.explains(learner, step, self.steps) || learner.tree().is_full() {
            return;
        }
        self.last_new = self.steps;
        let is_settled = self.steps - leader.since >= leader.since.max(SETTLED) && leader.misfits >= OFTEN;
        let best = learners.iter().max_by_key(|(_, learning)| findings(learning)).map(|(home, _)| home);
        if best != Some(leading) {
            let best = best.cloned();
            self.follow(best);
        } else if is_settled && let Some(word) = self.unexplained_word(run) {
            self.lead_no_more(word);
        }
    }

    /// The shortest last part of a run that the machine does not explain, wherever it begins.
    fn unexplained_word(&self, run: &[Step]) -> Option<Vec<Letter>> {
        let learner = self.learners.get(self.leading.as_ref()?)?.learner()?;
        let last = |length: usize| &run[run.len() - length..];
        let shortest = (1..=run.len().min(LONGEST)).find(|&length| learner.misfit(last(length)).is_some())?;
        Some(last(shortest).iter().map(|step| step.input).collect())
    }

    /// What was believed in is wrong as this word shows: the answers on the way to it do not tell where it is.
    fn lead_no_more(&mut self, word: Vec<Letter>) {
        if let Some(home) = self.leading.clone() {
            self.last_new = self.steps;
            self.go_on_from(home.answers, word);
        }
    }

    /// Whether what was learnt explains the run since something was last new.
    fn explains(&mut self, run: &[Step]) -> bool {
        let recent = run.len().saturating_sub((self.steps - self.last_new) as usize);
        let Some(learner) =
            self.leading.as_ref().and_then(|home| self.learners.get(home)).and_then(Learning::learner)
        else {
            return true;
        };
        if let Some(length) = learner.misfit(&run[recent..])
            && let Some(word) = self.unexplained_word(&run[..recent + length])
        {
            self.lead_no_more(word);
            return false;
        }
        let mut explained = 0;
        while let Some(length) = learner.misfit(&run[explained..]) {
            explained += length;
        }
        self.unexplained = explained as u64;
        true
    }

    /// These answers do not tell where it is: from now on a word follows them on the way home.
    fn go_on_from(&mut self, answers: Answers, word: Vec<Letter>) {
        let gone: Vec<Home> = self.learners.keys().filter(|home| home.answers == answers).cloned().collect();
        for home in gone {
            let Some(learning) = self.learners.remove(&home) else { continue };
            if self.leading.as_ref() == Some(&home) {
                (self.leading, self.leader) = (None, Leader::default());
            }
            if self.retired.as_ref().is_none_or(|known| knowledge(known) <= knowledge(&learning)) {
                self.retired = Some(learning);
            }
        }
        if !self.leader.is_complete {
            self.last_new = self.steps;
        }
        self.words.insert(answers, word);
        self.elect();
        self.go_home();
    }

    /// A learner saw one word answered in two ways: it was homed to two states, or the system is not deterministic.
    fn contradict(&mut self, home: &Home, found: &Contradiction) {
        let (sent, way) = self.way(&home.answers);
        let inputs: Vec<Letter> = found.first.iter().map(|step| step.input).collect();
        let after_way = |trace: &Trace| way.iter().chain(trace).copied().collect();
        let found = Contradiction {
            first: after_way(&found.first),
            second: after_way(&found.second),
            confirmed: false,
        };
        self.suspects.add(Suspect { word: [sent.as_slice(), inputs.as_slice()].concat(), found });
        self.go_on_from(home.answers.clone(), inputs);
    }

    /// The inputs on the way home that has these answers, and what was exchanged.
    fn way(&self, answers: &Answers) -> (Vec<Letter>, Trace) {
        let mut sent: Vec<Letter> = Vec::new();
        while sent.len() < answers.len()
            && let Some(word) = self.words.get(&answers[..sent.len()]).filter(|word| !word.is_empty())
        {
            sent.extend(word);
        }
        let exchanges = sent.iter().zip(answers);
        let exchange =
            |(&input, output): (&Letter, &Option<Letter>)| Some(Step { input, output: (*output)? });
        let trace = exchanges.filter_map(exchange).collect();
        (sent, trace)
    }

    /// The one that knows most; of those that were given up only where nobody is left or nothing can be learnt.
    fn best(&mut self) -> Option<&mut Learning> {
        let Homing { leading, leader, learners, retired, contradiction, .. } = self;
        if let Some(home) = leading.as_ref().filter(|_| leader.is_complete) {
            return learners.get_mut(home);
        }
        let is_left = learners.values().any(|learning| learning.learner().is_some());
        let retired = retired.as_mut().filter(|_| contradiction.is_some() || !is_left);
        learners.values_mut().chain(retired).max_by_key(|learning| knowledge(learning))
    }
}

impl Strategy for Homing {
    fn begin_run(&mut self, _run: u64, _steps: u32) -> bool {
        !self.is_over
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if self.patience.is_over(self.steps, self.last_new) && self.explains(view.trace) {
            return None;
        }
        for _ in 0..TURNS {
            let next = match &self.phase {
                Phase::Home { .. } => self.homeward(view),
                Phase::Learn { .. } => self.inquire(view, rng),
                Phase::Repeat(_) => self.repeat(view),
            };
            match next {
                Next::Send(input) => {
                    self.is_waiting = true;
                    return Some(input);
                }
                Next::Over => return None,
                Next::Turn => {}
            }
        }
        None
    }

    fn observe(&mut self, step: &Step, now: &View<'_>) {
        self.is_waiting = false;
        self.steps += 1;
        let found = match &mut self.phase {
            Phase::Home { answers, rest } => {
                rest.pop_front();
                answers.push(Some(step.output));
                None
            }
            Phase::Repeat(repetition) => {
                repetition.saw(step.output);
                self.suspects.spend();
                None
            }
            Phase::Learn { home, since, .. } => {
                let inner = View { trace: &now.trace[*since..], ..*now };
                self.learners.get_mut(home).and_then(|learning| {
                    learning.observe(step, &inner);
                    Some((home.clone(), learning.doubts()?))
                })
            }
        };
        self.note_news();
        self.hold_against_leader(step, now.trace);
        // Whoever led and was given up just now is not asked again.
        if let Some((home, found)) = found.filter(|(home, _)| self.learners.contains_key(home)) {
            self.contradict(&home, &found);
        }
    }

    fn end_run(&mut self, end: &RunEnd, last: &View<'_>) {
        self.is_over = true;
        if let Phase::Learn { home, since, .. } = &self.phase
            && let Some(learning) = self.learners.get_mut(home)
        {
            learning.end_run(end, &View { trace: &last.trace[*since..], ..*last });
        }
        if self.is_waiting && *end == RunEnd::Active {
            self.ended = Some(last.trace[last.trace.len().saturating_sub(LAST)..].to_vec());
        }
    }

    fn memory(&self) -> usize {
        self.learners.values().map(Strategy::memory).sum()
    }

    fn learnt(&mut self) -> Option<Learnt> {
        let mut learnt = self.best()?.learnt()?;
        learnt.unexplained = self.unexplained;
        learnt.since_surprise = self.steps - self.last_new;
        learnt.is_over = self.patience.is_over(self.steps, self.last_new) && self.ended.is_none();
        learnt.contradiction = self.contradiction.clone();
        learnt.ended = self.ended.clone();
        Some(learnt)
    }
}
