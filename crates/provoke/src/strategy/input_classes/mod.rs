//! Every kind of input in every state of every requirement.

mod edges;
mod kinds;

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use self::edges::Edges;
use self::kinds::{Catalogue, Kinds, States};
use super::{Learning, Strategy, Suspicion, View};
use crate::automaton::Classes;
use crate::game::{Game, Guide};
use crate::learn::{Learnt, Seen};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::{RunEnd, Step};

/// Sends what has not been sent: in each state of each requirement, an input of each class that the requirement tells apart.
///
/// Not in the paper, whose strategies choose edges and leave inputs that do not matter false: a constant false never raises a
/// request. Here inputs are chosen. Inputs are of one kind where no requirement tells them apart in the state it is in. First
/// comes what is new to the most requirements, then a kind that was never sent in this situation (the states of the
/// requirements and the last answer); which input of the kind is left to chance. Where nothing is new, it goes by what was
/// observed to the nearest situation where something is; and once there is none, the same with single inputs. Then
/// situations are told apart by one more exchange before.
///
/// Where nothing new can be reached any more, the run ends soon.
///
/// What a requirement does not tell apart the system may: a counter that nobody sees. So a part of the steps is left to those
/// who [learn](Learning) beside it, and later some runs keep to one input for a while before they take the next, which is what
/// counters count. What such runs show is learnt from as well.
pub struct InputClasses {
    classes: Arc<Vec<Arc<Classes>>>,
    catalogue: Catalogue,
    seen: Seen,
    /// What was sent in each situation.
    sent: Vec<Sent>,
    /// Inputs at edges of classes, which are sent where inputs are too many to be listed.
    edges: Edges,
    nodes: usize,
    /// How many inputs there are, as far as they could be listed.
    inputs: usize,
    /// How many of the last exchanges tell situations apart.
    depth: usize,
    at: States,
    recent: Vec<Step>,
    here: Option<u32>,
    /// Where runs begin.
    start: Option<u32>,
    /// Whether situations are told apart otherwise than when the run began.
    deepened: bool,
    /// Steps that are left of a run that has nothing new to come to.
    tail: Option<u32>,
    /// The inputs of the way to something new, the first last.
    way: Vec<Letter>,
    /// Runs that showed nothing new since the last that did.
    idle: u32,
    news: bool,
    /// Whether this run keeps to its inputs, what it keeps to, and for how long.
    is_steady: bool,
    held: Option<(Letter, u32)>,
    /// For how long nothing has changed, and how many inputs in a row changed nothing.
    still: u32,
    stuck: u32,
    /// How many runs kept to their inputs.
    rotation: usize,
    /// Those who learn beside it, and the steps that each of them has had.
    learners: Vec<(Learning, u64)>,
    /// Whose turn the run is; its own where nobody's.
    learns: Option<usize>,
    /// Who offered a run for a lasso.
    probing: Option<usize>,
    /// Steps of its own, and of runs that kept to their inputs among them.
    own: u64,
    steadily: u64,
}

/// Which kinds of inputs were sent in a situation.
struct Sent {
    kinds: Arc<Kinds>,
    tried: Vec<bool>,
    open: usize,
}

/// While there is something new, learners have so many steps for so many; and later.
const LEARNING: [(u64, u64); 2] = [(1, 2), (2, 1)];
/// Where there are more inputs than this, learners have so many times fewer steps at first: they ask for every input in every
/// state, while requirements tell most of them not apart.
const MANY: u64 = 16;
/// The shares of those who learn the system alone and together with requirements.
const SHARES: [u64; 2] = [3, 2];
/// Situations are told apart by no more exchanges.
const DEEPEST: usize = 8;
/// An input is kept to for so many steps, at first; and for at most so many later.
const HELD: [u32; 2] = [32, 24];
/// After so many steps in which nothing changes, the next input is taken.
const STILL: u32 = 3;
/// After so many inputs that changed nothing, a run that keeps to its inputs is over.
const STUCK: u32 = 8;
/// So many of the last answers are looked at to see what an input may bring to an end.
const ANSWERS: usize = 4;
/// Runs that keep to their inputs have one step for so many others.
const STEADY: u64 = 2;
/// A run that has nothing new to come to goes on for so many steps: what it did last may show later.
const TAIL: u32 = 6;

impl InputClasses {
    /// Covers these automata, remembers at most so many inputs, and leaves a part of the steps to those who learn: the system
    /// alone, and the system [together with](Learning::beside) the requirements.
    pub fn new(classes: Arc<Vec<Arc<Classes>>>, learners: Vec<Learning>, nodes: usize) -> InputClasses {
        let mut made = InputClasses {
            classes,
            catalogue: Catalogue::default(),
            seen: Seen::new(nodes),
            sent: Vec::new(),
            nodes,
            inputs: 0,
            depth: 1,
            at: Vec::new(),
            recent: Vec::new(),
            here: None,
            start: None,
            deepened: false,
            tail: None,
            way: Vec::new(),
            idle: 0,
            news: true,
            is_steady: false,
            held: None,
            still: 0,
            stuck: 0,
            rotation: 0,
            edges: Edges::default(),
            // Its own runs come as far as any by chance.
            learners: learners.into_iter().map(|learning| (learning.led(), 0)).collect(),
            learns: None,
            probing: None,
            own: 0,
            steadily: 0,
        };
        made.restart();
        made
    }

    fn restart(&mut self) {
        self.at = self.classes.iter().map(|classes| Some(classes.initial())).collect();
        self.recent.clear();
        self.way.clear();
        self.here = None;
        self.held = None;
        (self.tail, self.deepened) = (None, false);
        (self.still, self.stuck) = (0, 0);
    }

    fn situation(&mut self) -> Option<u32> {
        let mut hasher = FxHasher::default();
        self.at.hash(&mut hasher);
        let recent = &self.recent[self.recent.len().saturating_sub(self.depth)..];
        if let Some((last, before)) = recent.split_last() {
            before.hash(&mut hasher);
            last.output.hash(&mut hasher);
        }
        self.seen.situation(hasher.finish())
    }

    /// Where the run is, and what was sent there before.
    fn arrive(&mut self, view: &View<'_>, rng: &mut Rng) -> Arc<Kinds> {
        let from = self.here;
        self.here = self.situation();
        if view.trace.is_empty() {
            self.start = self.here;
        }
        if let (Some(from), Some(to), Some(step)) = (from, self.here, self.recent.last()) {
            self.seen.note(from, step.input, to);
            self.still = if from == to { self.still + 1 } else { 0 };
        }
        let known = self.here.and_then(|here| self.sent.get(here as usize));
        if let Some(known) = known {
            return known.kinds.clone();
        }
        let kinds = self.catalogue.kinds(&self.classes, &self.at, view, rng);
        self.inputs = self.inputs.max(kinds.all.unwrap_or(0));
        if self.here.is_some() {
            let count = kinds.members.len();
            self.sent.push(Sent { kinds: kinds.clone(), tried: vec![false; count], open: count });
        }
        kinds
    }

    /// To how many requirements an input would be new where they are.
    fn worth(&self, input: Letter) -> usize {
        let is_new =
            |(classes, at): &(&Arc<Classes>, &Option<u32>)| at.is_some_and(|at| classes.is_new(at, input));
        self.classes.iter().zip(&self.at).filter(is_new).count()
    }

    /// How many requirements an input would bring to an end, as far as the last answers tell: after it they say nothing any more.
    fn settles(&self, input: Letter) -> usize {
        let answers = &self.recent[self.recent.len().saturating_sub(ANSWERS)..];
        let is_settled = |(classes, at): &(&Arc<Classes>, &Option<u32>)| {
            let Some(at) = at.filter(|&at| !classes.is_over(at)) else { return false };
            let ends = |last: &Step| {
                classes.next(at, &Step { input, ..*last }).is_some_and(|to| classes.is_over(to))
            };
            !answers.is_empty() && answers.iter().all(ends)
        };
        self.classes.iter().zip(&self.at).filter(is_settled).count()
    }

    /// An input that is new here: to a requirement, or of a kind that was not sent in this situation.
    fn new_here(&self, kinds: &Kinds, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        let sent = self.here.and_then(|here| self.sent.get(here as usize));
        let mut best = ((std::cmp::Reverse(usize::MAX), 0), Vec::new());
        for (number, members) in kinds.members.iter().enumerate() {
            if sent.is_some_and(|sent| sent.tried.get(number) == Some(&true)) {
                continue;
            }
            let Some(&input) = rng.pick(members).filter(|input| view.inputs().contains(**input)) else {
                continue;
            };
            let worth = (std::cmp::Reverse(self.settles(input)), self.worth(input));
            if worth > best.0 {
                best = (worth, Vec::new());
            }
            if worth == best.0 {
                best.1.push(input);
            }
        }
        rng.pick(&best.1).copied()
    }

    /// The first input of a way to a situation that is wanted, by what was sent there and how many inputs that were.
    fn towards(&mut self, view: &View<'_>, wanted: impl Fn(&Sent, usize) -> bool) -> Option<Letter> {
        let InputClasses { seen, sent, here, .. } = self;
        let wanted = |at: u32, inputs: usize| sent.get(at as usize).is_some_and(|sent| wanted(sent, inputs));
        let mut way = seen.way((*here)?, wanted)?;
        let first = way.pop().filter(|input| view.inputs().contains(*input));
        self.way = way;
        first
    }

    /// An input that was never sent in this situation, whatever its kind.
    fn unsent(&self, kinds: &Kinds, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        let here = self.here?;
        let fresh = |input: &&Letter| self.seen.times(here, **input) == 0 && view.inputs().contains(**input);
        let unsent: Vec<Letter> = kinds.members.iter().flatten().filter(fresh).copied().collect();
        rng.pick(&unsent).copied()
    }

    /// The input that is kept to, or another one where it was kept to for long enough.
    fn steadily(&mut self, kinds: &Kinds, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if let Some((input, left)) = &mut self.held
            && *left > 0
            && self.still < STILL
            && view.inputs().contains(*input)
        {
            *left -= 1;
            return Some(*input);
        }
        self.stuck = if self.still >= STILL { self.stuck + 1 } else { 0 };
        if self.stuck >= STUCK {
            return None;
        }
        self.still = 0;
        let next = match self.held {
            // Each run begins with another one.
            None => {
                self.rotation += 1;
                kinds.members.iter().flatten().nth(self.rotation - 1).copied().map(|input| (input, HELD[0]))
            }
            Some(_) => None,
        };
        let (input, times) = match next.filter(|(input, _)| view.inputs().contains(*input)) {
            Some(next) => next,
            None => (view.inputs().sample(rng)?, 1 + rng.below(HELD[1].into()) as u32),
        };
        self.held = Some((input, times - 1));
        Some(input)
    }

    /// Tells situations apart by one more exchange: everything is new again.
    fn deepen(&mut self) {
        self.depth += 1;
        self.seen = Seen::new(self.nodes);
        self.sent.clear();
        (self.here, self.start, self.deepened) = (None, None, true);
    }

    /// Whether something new is known that no way leads to from here, but one from where runs begin.
    fn is_new_elsewhere(&mut self) -> bool {
        if self.deepened {
            return true;
        }
        let InputClasses { seen, sent, start, here, .. } = self;
        let is_new = |at: u32, inputs: usize| {
            let sent = sent.get(at as usize);
            sent.is_some_and(|sent| sent.open > 0 || sent.kinds.all.is_some_and(|all| inputs < all))
        };
        let Some(start) = *start else { return false };
        start != here.unwrap_or(start)
            && (is_new(start, seen.inputs(start)) || seen.way(start, is_new).is_some())
    }

    /// The last steps of a run that has nothing new to come to: by chance, and often the same again.
    fn tail(&mut self, left: u32, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        self.tail = Some(left.checked_sub(1)?);
        let again = view.trace.last().map(|step| step.input).filter(|input| view.inputs().contains(*input));
        again.filter(|_| rng.chance(0.5)).or_else(|| view.inputs().sample(rng))
    }

    /// Which learner's turn it is, if it is that of one of them: of those who have had least the first.
    fn next_learner(&self) -> Option<usize> {
        let is_late = self.depth > 1 || self.idle > 0;
        let (steps, of) = LEARNING[usize::from(is_late)];
        let fewer = if is_late { 1 } else { (self.inputs as u64 / MANY).max(1) };
        let learnt: u64 = self.learners.iter().map(|(_, steps)| steps).sum();
        let able = self.learners.iter().enumerate().filter(|(_, (learning, _))| !learning.has_stopped());
        let had = |at: usize, steps: u64| steps * SHARES[1] / SHARES[at.min(1)];
        let next = able.min_by_key(|(at, (_, steps))| had(*at, *steps)).map(|(at, _)| at);
        next.filter(|_| learnt * of * fewer < self.own * steps)
    }
}

impl Strategy for InputClasses {
    fn turn_to(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.learners.iter_mut().for_each(|(learning, _)| learning.turn_to(game, guide));
    }

    fn begin_run(&mut self, run: u64, steps: u32) -> bool {
        if self.learns.is_none() {
            self.idle = if std::mem::take(&mut self.news) { 0 } else { self.idle + 1 };
        }
        if let Some(at) = self.probing.take() {
            self.learners[at].0.give_up_probe();
        }
        self.learns = self.next_learner();
        self.restart();
        self.is_steady = (self.depth > 1 || self.idle > 0) && self.steadily * (STEADY + 1) < self.own;
        self.learns.is_none_or(|at| self.learners[at].0.begin_run(run, steps))
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if let Some(at) = self.learns {
            return self.learners[at].0.choose(view, rng);
        }
        let mut kinds = self.arrive(view, rng);
        if self.is_steady {
            return self.steadily(&kinds, view, rng);
        }
        // Where values lie side by side, every other step is spent at edges as long as there are any that are new.
        if kinds.all.is_none()
            && self.own.is_multiple_of(2)
            && let Some(input) = self.edges.next(&self.classes, &self.at, view, rng)
        {
            self.way.clear();
            return Some(input);
        }
        if let Some(input) = self.new_here(&kinds, view, rng) {
            self.way.clear();
            self.tail = None;
            return Some(input);
        }
        if let Some(input) = self.way.pop().filter(|input| view.inputs().contains(*input)) {
            return Some(input);
        }
        self.way.clear();
        if let Some(left) = self.tail {
            return self.tail(left, view, rng);
        }
        // What was observed may not come again: now and then chance decides.
        if rng.chance(0.1) {
            return view.inputs().sample(rng);
        }
        if kinds.all.is_none()
            && let Some(input) = self.edges.next(&self.classes, &self.at, view, rng)
        {
            return Some(input);
        }
        if let Some(input) = self.towards(view, |sent, _| sent.open > 0) {
            return Some(input);
        }
        if let Some(input) = self.unsent(&kinds, view, rng) {
            return Some(input);
        }
        if let Some(input) = self.towards(view, |sent, inputs| sent.kinds.all.is_some_and(|all| inputs < all))
        {
            return Some(input);
        }
        if self.is_new_elsewhere() {
            return self.tail(TAIL, view, rng);
        }
        if self.depth < DEEPEST {
            self.deepen();
            kinds = self.arrive(view, rng);
        }
        self.new_here(&kinds, view, rng).or_else(|| view.inputs().sample(rng))
    }

    fn observe(&mut self, step: &Step, now: &View<'_>) {
        if let Some(at) = self.learns {
            let (learning, steps) = &mut self.learners[at];
            *steps += 1;
            learning.observe(step, now);
        } else {
            self.own += 1;
            self.steadily += u64::from(self.is_steady);
            if let Some(here) = self.here {
                let sent = &mut self.sent[here as usize];
                let number = sent.kinds.number(&self.classes, &self.at, step.input);
                if let Some(tried) = number.and_then(|number| sent.tried.get_mut(number as usize))
                    && !std::mem::replace(tried, true)
                {
                    sent.open -= 1;
                    self.news = true;
                }
            }
            self.recent.push(*step);
            if self.recent.len() > 64 {
                self.recent.drain(..32);
            }
        }
        for (classes, at) in self.classes.iter().zip(&mut self.at) {
            let Some(from) = *at else { continue };
            classes.note(from, step.input);
            *at = classes.next(from, step);
        }
    }

    fn end_run(&mut self, end: &RunEnd, last: &View<'_>) {
        let teller = self.probing.take().or(self.learns);
        for (at, (learning, _)) in self.learners.iter_mut().enumerate() {
            match teller == Some(at) {
                true => learning.end_run(end, last),
                false if *end != RunEnd::Lost => learning.absorb(last.trace, end),
                false => {}
            }
        }
        self.restart();
    }

    fn goes_by_what_was_sent(&self) -> bool {
        true
    }

    fn overruled(&mut self) {
        if let Some(at) = self.learns {
            self.learners[at].0.overruled();
        }
    }

    fn goes_on_when_all_is_settled(&self) -> bool {
        self.learns.is_some_and(|at| self.learners[at].0.goes_on_when_all_is_settled())
    }

    fn suspicion(&mut self) -> Suspicion {
        for (at, (learning, _)) in self.learners.iter_mut().enumerate() {
            if let offered @ Suspicion::Try(..) = learning.suspicion() {
                self.probing = Some(at);
                return offered;
            }
        }
        Suspicion::Unasked
    }

    fn learnt(&mut self) -> Option<Learnt> {
        // The first learns the system alone.
        self.learners.first_mut()?.0.learnt()
    }

    fn memory(&self) -> usize {
        self.seen.bytes() + self.learners.iter().map(|(learning, _)| learning.memory()).sum::<usize>()
    }
}
