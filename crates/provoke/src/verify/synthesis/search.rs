//! The safety game of synthesis, solved as far as it must be known.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::Time;
use super::letters::Letters;
pub(super) use super::situations::Monitored;
use super::situations::{Situations, below};
use super::universal::{Counters, Run, Universal};
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
    pub(super) time: Time,
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

/// Where the chooser has won.
const WON: u32 = u32::MAX;
/// What stands for a question that has no answer yet.
const OPEN: u32 = u32::MAX;
/// Where a monitor has no edge.
const NOWHERE: u32 = u32::MAX;

struct Position {
    situation: u32,
    /// For each question the choice, and for each reply to it the position that it leads to.
    choices: Box<[u32]>,
    targets: Box<[u32]>,
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
        let (monitored, counters) = self.start();
        let mut search = Search {
            arena: self,
            situations: Situations::default(),
            positions: Vec::new(),
            rows: FxHashMap::default(),
            losses: 0,
            room: counters.clone(),
            ways: Vec::new(),
        };
        let place = search.situations.place(&monitored);
        let first = search.situations.meet(place, &counters);
        let start = search.position(first);
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            search.positions[at as usize].waiting = false;
            if search.is_lost(at) {
                continue;
            }
            let in_time = search.decide(at, &mut open, allowance.time);
            if search.is_lost(start) {
                break;
            }
            let used_up = search.positions.len() > allowance.positions || search.situations.are_too_many();
            if !in_time || used_up {
                return Solved::Open;
            }
        }
        match search.is_lost(start) {
            true => Solved::Lost(Losses { start: (monitored, counters), lost: search.situations.losses() }),
            false => Solved::Won(search.strategy(start)),
        }
    }
}

/// Where a monitor goes from one of its states, for each pair of letters.
type Row = Rc<[u32]>;

struct Search<'a> {
    arena: &'a Arena<'a>,
    situations: Situations,
    positions: Vec<Position>,
    /// For each monitor and each of its states that was met.
    rows: FxHashMap<(usize, u32), Row>,
    /// How many positions were lost for want of an option so far.
    losses: usize,
    /// Room for counters, and for where the replies to an option lead.
    room: Counters,
    ways: Vec<u32>,
}

impl Search<'_> {
    fn position(&mut self, situation: u32) -> u32 {
        let number = self.positions.len() as u32;
        self.situations.begin(situation, number);
        let questions = self.arena.questions();
        self.positions.push(Position {
            situation,
            choices: vec![OPEN; questions].into(),
            targets: vec![WON; questions * self.arena.replies()].into(),
            before: Vec::new(),
            waiting: true,
        });
        number
    }

    fn is_lost(&self, at: u32) -> bool {
        self.situations.is_given_up(self.positions[at as usize].situation)
    }

    /// Finds a choice for every question of a position that has none, or gives it up; false where time is up.
    fn decide(&mut self, at: u32, open: &mut Vec<u32>, time: Time) -> bool {
        let (arena, situation) = (self.arena, self.positions[at as usize].situation);
        if self.situations.is_lost(situation) {
            self.lose(at, None, open);
            return true;
        }
        let monitored = self.situations.monitored(situation).clone();
        let rows: Vec<Row> = monitored.iter().enumerate().map(|(place, &at)| self.row(place, at)).collect();
        let place = self.situations.place(&monitored);
        let runs = arena.universal.runs(self.situations.counters(situation));
        let replies = arena.replies();
        for question in 0..arena.questions() {
            let targets = question * replies..(question + 1) * replies;
            let position = &self.positions[at as usize];
            let fine = |&to: &u32| to == WON || !self.is_lost(to);
            if position.choices[question] != OPEN && position.targets[targets.clone()].iter().all(fine) {
                continue;
            }
            if time.is_up() {
                return false;
            }
            let after = From { place, rows: &rows, runs: &runs };
            let Some((option, ways)) = self.best(&after, question) else {
                self.lose(at, Some(question), open);
                return true;
            };
            for (target, way) in targets.zip(&ways) {
                let to = if *way == WON { WON } else { self.go(*way, at, open) };
                self.positions[at as usize].targets[target] = to;
            }
            self.positions[at as usize].choices[question] = option;
            self.ways = ways;
        }
        true
    }

    /// The position that stands for a situation that is gone to: one that is at least as hard, or a new one.
    fn go(&mut self, situation: u32, from: u32, open: &mut Vec<u32>) -> u32 {
        let to = self.situations.above(situation).unwrap_or_else(|| {
            let to = self.position(situation);
            open.push(to);
            to
        });
        self.positions[to as usize].before.push(from);
        to
    }

    /// Where a monitor goes from a state.
    fn row(&mut self, place: usize, at: u32) -> Row {
        let Arena { letters, monitors, .. } = self.arena;
        let row = || {
            let none = Vec::new();
            let edges = monitors[place].states.get(at as usize).map_or(&none, |state| &state.edges);
            let mut row = vec![NOWHERE; letters.pairs()];
            // The first edge that takes a letter is the one.
            for edge in edges.iter().rev() {
                letters.each_taken(&edge.guard, |pair| row[pair] = edge.to);
            }
            row.into()
        };
        self.rows.entry((place, at)).or_insert_with(row).clone()
    }

    /// The most promising option for a question of which no reply is known to lose, with the situations that the replies
    /// lead to; none where there is none.
    fn best(&mut self, from: &From<'_>, question: usize) -> Option<(u32, Vec<u32>)> {
        let arena = self.arena;
        let (mut best, mut chosen) = (None::<(usize, usize)>, Vec::new());
        'options: for option in 0..arena.options() {
            self.ways.clear();
            let mut cost = 0;
            for reply in 0..arena.replies() {
                let (input, output) = arena.exchange(question, option, reply);
                let pair = input * arena.letters.outputs.len() + output;
                match self.after(from, pair) {
                    None => continue 'options,
                    Some(WON) => self.ways.push(WON),
                    Some(to) => {
                        let Some(price) = self.situations.price(to) else { continue 'options };
                        cost += price;
                        self.ways.push(to);
                    }
                }
                if best.is_some_and(|(least, _)| cost >= least) {
                    continue 'options;
                }
            }
            best = Some((cost, option));
            std::mem::swap(&mut chosen, &mut self.ways);
            if cost == 0 {
                break;
            }
        }
        best.map(|(_, option)| (option as u32, chosen))
    }

    /// The situation after an exchange; none where it loses.
    fn after(&mut self, from: &From<'_>, pair: usize) -> Option<u32> {
        let place = match from.rows {
            [] => from.place,
            rows => {
                let to: Vec<u32> = rows.iter().map(|row| row[pair]).collect();
                if to.contains(&NOWHERE) {
                    return Some(WON);
                }
                self.situations.place(&to)
            }
        };
        let Arena { universal, bound, .. } = self.arena;
        let goes_on = universal.follow(from.runs, pair, *bound, &mut self.room);
        goes_on.then(|| self.situations.meet(place, &self.room))
    }

    fn lose(&mut self, at: u32, question: Option<usize>, open: &mut Vec<u32>) {
        let situation = self.positions[at as usize].situation;
        if let Some(question) = question {
            self.losses += 1;
            self.situations.lose(situation, question, self.losses);
        }
        self.situations.give_up(situation);
        for from in std::mem::take(&mut self.positions[at as usize].before) {
            if !self.is_lost(from) && !self.positions[from as usize].waiting {
                self.positions[from as usize].waiting = true;
                open.push(from);
            }
        }
    }

    fn strategy(&self, start: u32) -> Vec<Node> {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::from_iter([(start, 0)]);
        let mut order = vec![start];
        let mut nodes = Vec::new();
        while let Some(&at) = order.get(nodes.len()) {
            let Position { choices, targets, .. } = &self.positions[at as usize];
            let mut number = |&to: &u32| {
                (to != WON).then(|| {
                    *numbers.entry(to).or_insert_with(|| {
                        order.push(to);
                        order.len() as u32 - 1
                    })
                })
            };
            let replies = targets.chunks(self.arena.replies());
            let choices = choices.iter().zip(replies).map(|(&option, to)| match option {
                OPEN => (0, Vec::new()),
                option => (option as usize, to.iter().map(&mut number).collect()),
            });
            let choices = choices.collect();
            nodes.push(Node { choices });
        }
        nodes
    }
}

/// Where exchanges are followed from.
struct From<'a> {
    place: u32,
    rows: &'a [Row],
    runs: &'a [Run<'a>],
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
