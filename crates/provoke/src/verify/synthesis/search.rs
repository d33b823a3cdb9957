//! The safety game of synthesis, solved as far as it must be known.

use std::time::Instant;

use rustc_hash::FxHashMap;

use super::letters::Letters;
use super::universal::{Counters, Universal};
use crate::automaton::Automaton;

/// Who must avoid what must not happen, and when they choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chooser {
    /// The system, which answers each input.
    System,
    /// The environment, which chooses the input before it knows the answer.
    Environment,
}

/// The game of one problem.
pub(super) struct Arena<'a> {
    pub(super) letters: &'a Letters,
    pub(super) universal: &'a Universal,
    /// Deterministic automata: once an exchange has no edge in one of them, the chooser has won.
    pub(super) monitors: &'a [Automaton],
    pub(super) chooser: Chooser,
    /// How often a run may be accepting; without a bound only what is broken for good counts.
    pub(super) bound: Option<u8>,
}

/// How far a search may go.
#[derive(Clone, Copy)]
pub(super) struct Allowance {
    pub(super) positions: usize,
    pub(super) deadline: Option<Instant>,
}

/// What came of a search.
pub(super) enum Solved {
    /// The chooser wins; this is how.
    Won(Vec<Node>),
    /// The chooser loses; these are the positions that the other side wins from, the nearest to its end first.
    Lost(Losses),
    /// The allowance was used up.
    Open,
}

/// A position of a winning strategy: for each question that is asked there, the choice and where each reply to it leads.
pub(super) struct Node {
    pub(super) choices: Vec<(usize, Vec<Option<u32>>)>,
}

/// Positions from which the chooser loses.
pub(super) struct Losses {
    pub(super) start: (Monitored, Counters),
    lost: Vec<(Monitored, Counters, usize)>,
}

/// Where the monitors are.
pub(super) type Monitored = Box<[u32]>;

/// Where the replies to an option lead; none where the chooser has won.
type Ways = Vec<Option<(Monitored, Counters)>>;

const WON: u32 = u32::MAX;

struct Position {
    monitored: Monitored,
    counters: Counters,
    /// For each question, the choice and the positions that the replies lead to.
    choices: Vec<Option<(usize, Box<[u32]>)>>,
    lost: bool,
    /// The positions whose choices lead here.
    before: Vec<u32>,
    waiting: bool,
}

/// What an exchange leads to.
enum After {
    Won,
    Lost,
    To(Monitored, Counters),
}

impl Arena<'_> {
    fn questions(&self) -> usize {
        if self.chooser == Chooser::System { self.letters.inputs.len() } else { 1 }
    }

    fn options(&self) -> usize {
        if self.chooser == Chooser::System { self.letters.outputs.len() } else { self.letters.inputs.len() }
    }

    fn replies(&self) -> usize {
        if self.chooser == Chooser::System { 1 } else { self.letters.outputs.len() }
    }

    fn exchange(&self, question: usize, option: usize, reply: usize) -> (usize, usize) {
        if self.chooser == Chooser::System { (question, option) } else { (option, reply) }
    }

    pub(super) fn start(&self) -> (Monitored, Counters) {
        (self.monitors.iter().map(|monitor| monitor.initial).collect(), self.universal.initial())
    }

    fn after(&self, monitored: &Monitored, counters: &Counters, input: usize, output: usize) -> After {
        let Some(monitored) = self.watch(monitored, input, output) else { return After::Won };
        match self.universal.after(counters, input, output, self.bound) {
            Some(counters) => After::To(monitored, counters),
            None => After::Lost,
        }
    }

    /// Where the monitors are after an exchange; none where one of them has no edge for it.
    fn watch(&self, monitored: &Monitored, input: usize, output: usize) -> Option<Monitored> {
        let step = |(monitor, &at): (&Automaton, &u32)| {
            let edges = &monitor.states.get(at as usize)?.edges;
            edges.iter().find(|edge| self.letters.takes(&edge.guard, input, output)).map(|edge| edge.to)
        };
        self.monitors.iter().zip(monitored).map(step).collect()
    }

    /// Follows the game from its start, choosing well and going back where that turns out to lose.
    ///
    /// Positions with larger counters are harder: what wins from one wins from those below, so a position is not looked
    /// at where one above it is; and where one is lost, so are all above.
    pub(super) fn solve(&self, allowance: Allowance) -> Solved {
        let mut search = Search {
            arena: self,
            positions: Vec::new(),
            known: FxHashMap::default(),
            places: FxHashMap::default(),
            losses: 0,
        };
        let (monitored, counters) = self.start();
        let start = search.position(monitored, counters);
        let mut open = vec![start];
        let mut work = 0usize;
        while let Some(at) = open.pop() {
            search.positions[at as usize].waiting = false;
            if search.positions[at as usize].lost {
                continue;
            }
            search.decide(at, &mut open);
            if search.positions[start as usize].lost {
                break;
            }
            work += 1;
            let late = || {
                work.is_multiple_of(16)
                    && allowance.deadline.is_some_and(|deadline| Instant::now() > deadline)
            };
            if search.positions.len() > allowance.positions || late() {
                return Solved::Open;
            }
        }
        match search.positions[start as usize].lost {
            true => search.losses(start),
            false => Solved::Won(search.strategy(start)),
        }
    }
}

/// Positions with the same monitors.
#[derive(Default)]
struct Place {
    open: Vec<(Hint, u32)>,
    /// The smallest counters that are lost.
    lost: Vec<(Hint, Counters)>,
    /// All counters that were found to be lost, with the question that loses and when that was found.
    log: Vec<(Counters, usize, usize)>,
}

/// What rules out quickly that counters are below others: where runs are, folded into a word, and the sum.
#[derive(Clone, Copy)]
struct Hint {
    places: u64,
    sum: u32,
}

impl Hint {
    fn of(counters: &Counters) -> Hint {
        let mut hint = Hint { places: 0, sum: 0 };
        for (at, &value) in counters.iter().enumerate().filter(|(_, value)| **value > 0) {
            hint.places |= 1 << (at % 64);
            hint.sum += u32::from(value);
        }
        hint
    }

    fn may_be_below(self, other: Hint) -> bool {
        self.places & !other.places == 0 && self.sum <= other.sum
    }
}

struct Search<'a> {
    arena: &'a Arena<'a>,
    positions: Vec<Position>,
    known: FxHashMap<(Monitored, Counters), u32>,
    places: FxHashMap<Monitored, Place>,
    /// How many positions were lost for want of an option so far.
    losses: usize,
}

fn below(left: &Counters, right: &Counters) -> bool {
    // Whole chunks at a time, which compilers make fast.
    left.chunks(32).zip(right.chunks(32)).all(|(left, right)| {
        !left.iter().zip(right).fold(false, |above, (left, right)| above | (left > right))
    })
}

/// How many positions are looked at for one above another.
const LOOKED_AT: usize = 400;

impl Search<'_> {
    fn position(&mut self, monitored: Monitored, counters: Counters) -> u32 {
        let number = self.positions.len() as u32;
        self.known.insert((monitored.clone(), counters.clone()), number);
        let hint = Hint::of(&counters);
        self.places.entry(monitored.clone()).or_default().open.push((hint, number));
        let choices = (0..self.arena.questions()).map(|_| None).collect();
        self.positions.push(Position {
            monitored,
            counters,
            choices,
            lost: false,
            before: Vec::new(),
            waiting: true,
        });
        number
    }

    /// A position that is at least as hard and not known to be lost.
    fn above(&self, monitored: &Monitored, counters: &Counters) -> Option<u32> {
        if let Some(&known) = self.known.get(&(monitored.clone(), counters.clone()))
            && !self.positions[known as usize].lost
        {
            return Some(known);
        }
        let place = self.places.get(monitored)?;
        let hint = Hint::of(counters);
        let harder = |&&(known, at): &&(Hint, u32)| {
            let position = &self.positions[at as usize];
            hint.may_be_below(known) && !position.lost && below(counters, &position.counters)
        };
        place.open.iter().rev().take(LOOKED_AT).find(harder).map(|(_, at)| *at)
    }

    fn is_lost(&self, monitored: &Monitored, counters: &Counters) -> bool {
        let Some(place) = self.places.get(monitored) else { return false };
        let hint = Hint::of(counters);
        place.lost.iter().any(|(known, lost)| known.may_be_below(hint) && below(lost, counters))
    }

    /// Finds a choice for every question of a position that has none, or gives it up.
    fn decide(&mut self, at: u32, open: &mut Vec<u32>) {
        let position = &self.positions[at as usize];
        let (monitored, counters) = (position.monitored.clone(), position.counters.clone());
        if self.is_lost(&monitored, &counters) {
            return self.lose(at, None, open);
        }
        for question in 0..self.arena.questions() {
            let fine = |to: &u32| *to == WON || !self.positions[*to as usize].lost;
            let chosen = &self.positions[at as usize].choices[question];
            if chosen.as_ref().is_some_and(|(_, to)| to.iter().all(fine)) {
                continue;
            }
            let Some((option, ways)) = self.best(&monitored, &counters, question) else {
                return self.lose(at, Some(question), open);
            };
            let mut targets = Vec::with_capacity(ways.len());
            for way in ways {
                let Some((monitored, counters)) = way else {
                    targets.push(WON);
                    continue;
                };
                let to = match self.above(&monitored, &counters) {
                    Some(to) => to,
                    None => {
                        let to = self.position(monitored, counters);
                        open.push(to);
                        to
                    }
                };
                self.positions[to as usize].before.push(at);
                targets.push(to);
            }
            self.positions[at as usize].choices[question] = Some((option, targets.into()));
        }
    }

    /// The most promising option for a question of which no reply is known to lose, with where the replies lead; none
    /// where there is none.
    fn best(&self, monitored: &Monitored, counters: &Counters, question: usize) -> Option<(usize, Ways)> {
        let arena = self.arena;
        let mut best: Option<(usize, usize, Ways)> = None;
        let mut seen: FxHashMap<(Monitored, Counters), Option<usize>> = FxHashMap::default();
        'options: for option in 0..arena.options() {
            let (mut ways, mut cost) = (Vec::with_capacity(arena.replies()), 0);
            for reply in 0..arena.replies() {
                let (input, output) = arena.exchange(question, option, reply);
                match arena.after(monitored, counters, input, output) {
                    After::Lost => continue 'options,
                    After::Won => ways.push(None),
                    After::To(monitored, counters) => {
                        let key = (monitored, counters);
                        let price = match seen.get(&key) {
                            Some(price) => *price,
                            None => {
                                let price = self.price(&key.0, &key.1);
                                seen.insert(key.clone(), price);
                                price
                            }
                        };
                        let Some(price) = price else { continue 'options };
                        cost += price;
                        ways.push(Some(key));
                    }
                }
                if best.as_ref().is_some_and(|(least, ..)| cost >= *least) {
                    continue 'options;
                }
            }
            best = Some((cost, option, ways));
            if cost == 0 {
                break;
            }
        }
        best.map(|(_, option, ways)| (option, ways))
    }

    /// What it seems to cost to go somewhere: next to nothing where we have been, and more the more is followed there;
    /// none where it is lost.
    fn price(&self, monitored: &Monitored, counters: &Counters) -> Option<usize> {
        if self.is_lost(monitored, counters) {
            return None;
        }
        let known = self.known.get(&(monitored.clone(), counters.clone()));
        if known.is_some_and(|&known| !self.positions[known as usize].lost) {
            return Some(1);
        }
        if self.above(monitored, counters).is_some() {
            return Some(2);
        }
        Some(3 + counters.iter().map(|&value| usize::from(value)).sum::<usize>())
    }

    fn lose(&mut self, at: u32, question: Option<usize>, open: &mut Vec<u32>) {
        let position = &mut self.positions[at as usize];
        position.lost = true;
        let (monitored, counters) = (position.monitored.clone(), position.counters.clone());
        let before = std::mem::take(&mut position.before);
        if let Some(question) = question {
            self.losses += 1;
            let when = self.losses;
            let place = self.places.entry(monitored).or_default();
            place.lost.retain(|(_, lost)| !below(&counters, lost));
            place.lost.push((Hint::of(&counters), counters.clone()));
            place.log.push((counters, question, when));
        }
        for from in before {
            let position = &mut self.positions[from as usize];
            if !position.lost && !position.waiting {
                position.waiting = true;
                open.push(from);
            }
        }
    }

    fn losses(self, start: u32) -> Solved {
        let position = &self.positions[start as usize];
        let start = (position.monitored.clone(), position.counters.clone());
        let mut lost: Vec<(usize, Monitored, Counters, usize)> = Vec::new();
        for (monitored, Place { log, .. }) in self.places {
            lost.extend(
                log.into_iter()
                    .map(|(counters, question, when)| (when, monitored.clone(), counters, question)),
            );
        }
        lost.sort();
        let lost = lost.into_iter().map(|(_, monitored, counters, question)| (monitored, counters, question));
        Solved::Lost(Losses { start, lost: lost.collect() })
    }

    fn strategy(&self, start: u32) -> Vec<Node> {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::from_iter([(start, 0)]);
        let mut order = vec![start];
        let mut nodes = Vec::new();
        while let Some(&at) = order.get(nodes.len()) {
            let choices = self.positions[at as usize].choices.iter().map(|choice| {
                let Some((option, to)) = choice else { return (0, Vec::new()) };
                let number = |&to: &u32| {
                    (to != WON).then(|| {
                        *numbers.entry(to).or_insert_with(|| {
                            order.push(to);
                            order.len() as u32 - 1
                        })
                    })
                };
                (*option, to.iter().map(number).collect())
            });
            let choices = choices.collect();
            nodes.push(Node { choices });
        }
        nodes
    }
}

impl Losses {
    /// The question that loses from a position, and how many positions there are that are nearer to the end; none where
    /// the position is not lost.
    pub(super) fn question(&self, monitored: &Monitored, counters: &Counters) -> Option<(usize, usize)> {
        let from =
            |(known, lost, _): &(Monitored, Counters, usize)| known == monitored && below(lost, counters);
        let place = self.lost.iter().position(from)?;
        Some((self.lost[place].2, place))
    }

    /// What an exchange leads to from a lost position: the next one, or none where the end is reached.
    pub(super) fn follow(
        arena: &Arena<'_>,
        monitored: &Monitored,
        counters: &Counters,
        input: usize,
        output: usize,
    ) -> Option<(Monitored, Counters)> {
        match arena.after(monitored, counters, input, output) {
            After::To(monitored, counters) => Some((monitored, counters)),
            After::Won | After::Lost => None,
        }
    }
}
