//! Every kind of input in every state of every requirement.

use std::cmp::Reverse;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rustc_hash::FxHasher;

use super::{Strategy, View};
use crate::automaton::Classes;
use crate::learn::Seen;
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::{RunEnd, Step};

/// Sends what has not been sent: in each state of each requirement, an input of each class that the requirement tells apart.
///
/// Not in the paper, whose strategies choose edges and leave inputs that do not matter false: a constant false never raises a
/// request. Here inputs are chosen. Of several that are drawn (from classes that were never sent, by chance, the last one
/// again, and that with one signal changed, each in its turn) the one is sent that is new to the most requirements, then the one
/// that was sent least often in this situation: the states of the requirements and the last answers. Where nothing is new, it
/// goes by what was observed to the nearest situation where something is. Once everything it knows of was tried, situations
/// are told apart by one more exchange before.
pub struct InputClasses {
    classes: Arc<Vec<Arc<Classes>>>,
    seen: Seen,
    nodes: usize,
    /// How many of the last exchanges tell situations apart.
    depth: usize,
    at: Vec<Option<u32>>,
    recent: Vec<Step>,
    here: Option<u32>,
    /// The inputs of the way to something new, the first last.
    way: Vec<Letter>,
    /// Whether no way to something new was known here or before in this run, and nothing was learnt since.
    barren: bool,
    /// What may be sent next and what that is worth; kept for its memory alone.
    drawn: Vec<(Worth, Letter)>,
    /// The signal that is changed next.
    turn: usize,
    /// Runs that showed nothing new since the last that did.
    idle: u32,
    news: bool,
}

/// How many requirements an input is nothing new to, and how often it was sent in this situation: the less, the better.
type Worth = (Reverse<usize>, u32);

/// So many inputs are drawn by chance.
const DRAWN: usize = 6;
/// A situation in which fewer inputs than this were sent has something new.
const ENOUGH: usize = 8;

impl InputClasses {
    /// Covers these automata and remembers at most so many inputs.
    pub fn new(classes: Arc<Vec<Arc<Classes>>>, nodes: usize) -> InputClasses {
        let mut made = InputClasses {
            classes,
            seen: Seen::new(nodes),
            nodes,
            depth: 1,
            at: Vec::new(),
            recent: Vec::new(),
            here: None,
            way: Vec::new(),
            barren: false,
            drawn: Vec::new(),
            turn: 0,
            idle: 0,
            news: true,
        };
        made.restart();
        made
    }

    fn restart(&mut self) {
        self.at = self.classes.iter().map(|classes| Some(classes.initial())).collect();
        self.recent.clear();
        self.way.clear();
        self.barren = false;
        self.here = self.situation();
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

    /// How many requirements have not been sent anything like this where they are, and how often this was sent here.
    fn worth(&self, input: Letter) -> Worth {
        let is_new =
            |(classes, at): &(&Arc<Classes>, &Option<u32>)| at.is_some_and(|at| classes.is_new(at, input));
        let new = self.classes.iter().zip(&self.at).filter(is_new).count();
        (Reverse(new), self.here.map_or(0, |here| self.seen.times(here, input)))
    }

    /// Draws inputs that may be sent, and says what the best of them are worth.
    fn draw(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Worth> {
        let mut drawn = std::mem::take(&mut self.drawn);
        drawn.clear();
        self.turn = self.turn.wrapping_add(1);
        let mut take = |input: Letter| {
            if view.inputs().contains(input) {
                drawn.push((self.worth(input), input));
            }
        };
        for (classes, at) in self.classes.iter().zip(&self.at) {
            let Some(at) = *at else { continue };
            classes.open(at).take(4).filter_map(|inputs| inputs.sample(rng)).for_each(&mut take);
        }
        (0..DRAWN).filter_map(|_| view.inputs().sample(rng)).for_each(&mut take);
        if let Some(last) = self.recent.last().map(|step| step.input) {
            take(last);
            let bits = self.classes.first().map_or(0, |classes| classes.input_bits());
            if let Some(changed) = self.turn.checked_rem(bits) {
                take(last.with(changed, !last.get(changed)));
            }
        }
        let best = drawn.iter().map(|(worth, _)| *worth).min();
        drawn.retain(|(worth, _)| Some(*worth) == best);
        self.drawn = drawn;
        best
    }
}

impl Strategy for InputClasses {
    fn begin_run(&mut self, _run: u64, _steps: u32) -> bool {
        self.idle = if std::mem::take(&mut self.news) { 0 } else { self.idle + 1 };
        if self.idle >= 3 && self.depth < 8 {
            // Everything was tried in every situation: they are told apart more finely.
            self.depth += 1;
            self.idle = 0;
            self.seen = Seen::new(self.nodes);
        }
        self.restart();
        true
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if let Some(input) = self.way.pop().filter(|input| view.inputs().contains(*input)) {
            return Some(input);
        }
        self.way.clear();
        let (Reverse(new), times) = self.draw(view, rng)?;
        if new == 0 && times > 0 && !self.barren && rng.chance(0.75) {
            // Nothing new here. What is few is complete, so a situation with all of them has nothing new either.
            let all =
                view.inputs().count().to_u64().map_or(ENOUGH, |count| count.min(ENOUGH as u64 * 8) as usize);
            let seen = &self.seen;
            let way = self.here.and_then(|here| seen.way(here, |at| seen.inputs(at) < all));
            // What can be reached from here is all that can be reached later, until a new way is found.
            self.barren = way.is_none();
            if let Some(mut way) = way {
                let first = way.pop().filter(|input| view.inputs().contains(*input));
                self.way = way;
                if first.is_some() {
                    return first;
                }
            }
        }
        rng.pick(&self.drawn).map(|(_, input)| *input)
    }

    fn observe(&mut self, step: &Step, _now: &View<'_>) {
        let (Reverse(new), times) = self.worth(step.input);
        self.news |= new > 0 || times == 0;
        self.barren &= times > 0;
        for (classes, at) in self.classes.iter().zip(&mut self.at) {
            let Some(from) = *at else { continue };
            classes.note(from, step.input);
            *at = classes.next(from, step);
        }
        self.recent.push(*step);
        if self.recent.len() > 64 {
            self.recent.drain(..32);
        }
        let from = self.here;
        self.here = self.situation();
        if let (Some(from), Some(to)) = (from, self.here) {
            self.seen.note(from, step.input, to);
        }
    }

    fn end_run(&mut self, _end: &RunEnd, _last: &View<'_>) {
        self.restart();
    }

    fn goes_by_what_was_sent(&self) -> bool {
        true
    }

    fn memory(&self) -> usize {
        self.seen.bytes()
    }
}
