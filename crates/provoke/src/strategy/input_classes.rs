//! Every kind of input in every state of every requirement.

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
/// again, and that with some signals changed) the one is sent that is new to the most requirements, then the one
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
    /// Runs that showed nothing new since the last that did.
    idle: u32,
    news: bool,
}

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
    fn worth(&self, input: Letter) -> (usize, u32) {
        let is_new = |(classes, at): (&Arc<Classes>, &Option<u32>)| {
            at.is_some_and(|at| classes.class(at, input).is_some_and(|class| classes.times(at, class) == 0))
        };
        let new = self.classes.iter().zip(&self.at).filter(|&pair| is_new(pair)).count();
        (new, self.here.map_or(0, |here| self.seen.times(here, input)))
    }

    fn drawn(&self, view: &View<'_>, rng: &mut Rng) -> Vec<Letter> {
        let mut drawn: Vec<Letter> = Vec::new();
        for (classes, at) in self.classes.iter().zip(&self.at) {
            let Some(at) = *at else { continue };
            drawn.extend(classes.open(at).take(4).filter_map(|inputs| inputs.sample(rng)));
        }
        drawn.extend((0..DRAWN).filter_map(|_| view.inputs().sample(rng)));
        drawn.extend(self.recent.last().map(|step| step.input));
        drawn.retain(|&input| view.inputs().contains(input));
        drawn
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
        let drawn = self.drawn(view, rng);
        let order = |&input: &Letter| {
            let (new, times) = self.worth(input);
            (std::cmp::Reverse(new), times)
        };
        let best = drawn.iter().map(order).min()?;
        let ties: Vec<Letter> = drawn.iter().copied().filter(|input| order(input) == best).collect();
        if best.0.0 == 0 && best.1 > 0 && rng.chance(0.75) {
            // Nothing new here. What is few is complete, so a situation with all of them has nothing new either.
            let all =
                view.inputs().count().to_u64().map_or(ENOUGH, |count| count.min(ENOUGH as u64 * 8) as usize);
            let seen = &self.seen;
            let way = self.here.and_then(|here| seen.way(here, |at| seen.inputs(at) < all));
            if let Some(mut way) = way {
                let first = way.pop().filter(|input| view.inputs().contains(*input));
                self.way = way;
                if first.is_some() {
                    return first;
                }
            }
        }
        rng.pick(&ties).copied()
    }

    fn observe(&mut self, step: &Step, _now: &View<'_>) {
        let (new, times) = self.worth(step.input);
        self.news |= new > 0 || times == 0;
        for (classes, at) in self.classes.iter().zip(&mut self.at) {
            let Some(from) = *at else { continue };
            if let Some(class) = classes.class(from, step.input) {
                classes.note(from, class);
            }
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

    fn memory(&self) -> usize {
        self.seen.bytes()
    }
}
