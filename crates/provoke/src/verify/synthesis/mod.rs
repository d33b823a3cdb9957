//! Bounded synthesis: a machine that keeps what is asked of it, or why there is none.
//!
//! Finkbeiner and Schewe (2013): a machine keeps a promise exactly when no run of the Büchi automaton of its negation is
//! accepting again and again; with a bound on how often it may be, that is a safety game on counters, one for each
//! state of the automaton (Filiot, Jin and Raskin 2011). Each conjunct of what is promised has an automaton of its own,
//! all of them followed at once; conjuncts that share no outputs are synthesised apart from each other. The game is
//! followed forwards from its start as far as it must be known, with what is below a position known to win and what is
//! above one known to lose. Bounds grow, and so does what is looked at for each. That there is no machine is known where
//! the environment can break a promise for good, or where the same game with changed sides finds a strategy for the
//! environment.

mod join;
mod letters;
mod machine;
mod problem;
mod search;
mod situations;
mod spoiler;
#[cfg(test)]
mod tests;
mod universal;

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use self::letters::Letters;
use self::problem::Part;
use self::search::{Allowance, Arena, Chooser, Solved};
use self::universal::{Forbidden, Kind, Universal, guards};
use crate::automaton::{Automaton, TranslationError};
use crate::ltl::until;
use crate::machine::Machine;

pub use self::problem::{Problem, Promise, Property};
pub use self::spoiler::{Foreseen, Play, Spoiler, Turn};

/// How far synthesis goes.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The largest bound on how often a run of the negation's automaton may be accepting.
    pub bound: u8,
    /// The most positions that are looked at: work that is counted, so that the same question has the same answer.
    pub positions: usize,
    /// When to stop looking.
    pub deadline: Option<Instant>,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { bound: 16, positions: MOST_POSITIONS, deadline: None }
    }
}

impl Bounds {
    fn time(&self) -> Time {
        Time(self.deadline)
    }
}

/// How long there is time.
#[derive(Clone, Copy, Debug)]
struct Time(Option<Instant>);

impl Time {
    fn is_up(self) -> bool {
        self.0.is_some_and(|deadline| Instant::now() > deadline)
    }
}

/// What came of synthesis.
#[non_exhaustive]
pub enum Answer {
    /// A machine that keeps every promise, and the bound it was found with.
    Machine(Box<Machine>, u8),
    /// There is no such machine. Where the environment can break a promise for good, or keep one waiting for longer than
    /// the bound, it is said how.
    Unrealisable(Option<Box<Spoiler>>, u8),
    /// It was not found out. Where no machine keeps the bound, it is said how the environment prevents it.
    Unknown(Option<Box<Spoiler>>, u8),
}

/// So many positions are looked at in the first round, and eight times as many in each after it.
const POSITIONS: usize = 400;
/// The most positions that are looked at.
const MOST_POSITIONS: usize = 2_000_000;

/// The least time for the game with changed sides.
const LEAST: Duration = Duration::from_secs(2);

/// A machine that keeps the promises of a problem, or why there is none.
///
/// The deadline is kept, but for what a moment takes that is not looked at the clock in: at most about a second.
pub fn synthesise(problem: &Problem, bounds: Bounds) -> Result<Answer, TranslationError> {
    match until(bounds.deadline, || answer(problem, bounds)) {
        // What is not translated in time is not known to be too large.
        Err(TranslationError::TooLarge) if bounds.time().is_up() => Ok(Answer::Unknown(None, 0)),
        answer => answer,
    }
}

fn answer(problem: &Problem, bounds: Bounds) -> Result<Answer, TranslationError> {
    let (time, mut dual) = (bounds.time(), Dual::new());
    let parts = problem.parts();
    let mut groups = Vec::new();
    for group in grouped(problem, &parts) {
        match Group::new(problem, &group, time)? {
            Some(group) => groups.push(group),
            None => return Ok(Answer::Unknown(None, 0)),
        }
    }
    problem.space.bdds().within_bounds()?;
    let mut positions = POSITIONS.min(bounds.positions);
    loop {
        for group in &mut groups {
            group.search(positions, bounds);
            if group.is_unrealisable {
                let bound = group.lost.unwrap_or(0);
                return Ok(Answer::Unrealisable(group.spoiler.take(), bound));
            }
        }
        if groups.iter().all(|group| group.strategy.is_some()) {
            let bound =
                groups.iter().filter_map(|group| group.strategy.as_ref()).map(|(_, bound)| *bound).max();
            let strategies = groups
                .iter()
                .filter_map(|group| Some((&group.letters, &group.strategy.as_ref()?.0, &group.outputs)));
            let made = machine::combined(&problem.space, &strategies.collect::<Vec<_>>(), time);
            return Ok(match made {
                Some(machine) => Answer::Machine(Box::new(machine), bound.unwrap_or(0)),
                None => Answer::Unknown(None, bound.unwrap_or(0)),
            });
        }
        let bound = groups.iter().filter_map(|group| group.lost).max().unwrap_or(0);
        let spoiler = |groups: &mut [Group]| groups.iter_mut().find_map(|group| group.spoiler.take());
        // It takes the automaton of everything at once: not before some more has been looked at without it.
        if positions > POSITIONS && dual.finds(problem, positions, bounds) {
            return Ok(Answer::Unrealisable(spoiler(&mut groups), bound));
        }
        let given_up = groups.iter().any(|group| group.lost == Some(bounds.bound)) && dual.is_done(bounds);
        if time.is_up() || given_up || positions >= bounds.positions {
            return Ok(Answer::Unknown(spoiler(&mut groups), bound));
        }
        positions = (positions * 8).min(bounds.positions);
    }
}

/// Parts that share outputs, together.
fn grouped<'a>(problem: &Problem, parts: &'a [Part]) -> Vec<(Vec<&'a Part>, BTreeSet<usize>)> {
    let apart = problem.space.interface().is_boolean() && problem.environment_decides();
    let mut groups: Vec<(Vec<&Part>, BTreeSet<usize>)> = Vec::new();
    for part in parts {
        // Where the system can keep the environment from keeping its word, every output matters to every part.
        let space = &problem.space;
        let all = space.input_bits()..space.input_bits() + space.output_bits();
        let mut joined = (vec![part], if apart { part.outputs.clone() } else { all.collect() });
        let shares = |group: &(Vec<&Part>, BTreeSet<usize>)| !apart || !group.1.is_disjoint(&part.outputs);
        let (near, far) = groups.into_iter().partition::<Vec<_>, _>(shares);
        groups = far;
        for (members, outputs) in near.into_iter().rev() {
            joined.0.splice(0..0, members);
            joined.1.extend(outputs);
        }
        groups.push(joined);
    }
    groups
}

/// The bounds that are tried.
fn ladder(most: u8) -> impl Iterator<Item = u8> {
    [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128]
        .into_iter()
        .filter(move |&bound| bound < most)
        .chain([most])
}

/// Parts that share outputs, as a game.
struct Group {
    letters: Letters,
    universal: Universal,
    monitors: Vec<Automaton>,
    exact: bool,
    counts: bool,
    outputs: BTreeSet<usize>,
    strategy: Option<(Vec<search::Node>, u8)>,
    /// The largest bound within which there is no strategy.
    lost: Option<u8>,
    /// The safety part was played to its end.
    is_safe: bool,
    is_unrealisable: bool,
    spoiler: Option<Box<Spoiler>>,
}

impl Group {
    fn new(
        problem: &Problem,
        (parts, outputs): &(Vec<&Part>, BTreeSet<usize>),
        time: Time,
    ) -> Result<Option<Group>, TranslationError> {
        let avoided = problem.avoided(parts)?;
        let game = game(problem, &avoided.forbidden, &avoided.monitors, time);
        let Some((letters, universal)) = game else { return Ok(None) };
        let counts = avoided.forbidden.iter().any(|part| matches!(part.kind, Kind::Runs(_)));
        Ok(Some(Group {
            letters,
            universal,
            monitors: avoided.monitors,
            exact: avoided.exact,
            counts,
            outputs: outputs.clone(),
            strategy: None,
            lost: None,
            is_safe: false,
            is_unrealisable: false,
            spoiler: None,
        }))
    }

    fn solve(&self, bound: Option<u8>, allowance: Allowance) -> Solved {
        let Group { letters, universal, monitors, .. } = self;
        Arena { letters, universal, monitors, chooser: Chooser::System, bound }.solve(allowance)
    }

    fn search(&mut self, positions: usize, bounds: Bounds) {
        if self.strategy.is_some() {
            return;
        }
        let allowance = Allowance { positions, time: bounds.time() };
        if !self.is_safe {
            match self.solve(None, allowance) {
                Solved::Lost(losses) => {
                    self.spoiler = Spoiler::new(&self.letters, &self.universal, &self.monitors, losses, None);
                    self.lost = Some(bounds.bound);
                    self.is_unrealisable = self.exact;
                    return;
                }
                Solved::Won(strategy) if !self.counts => {
                    self.strategy = Some((strategy, 0));
                    return;
                }
                Solved::Won(_) => self.is_safe = true,
                Solved::Open => {}
            }
        }
        for bound in ladder(bounds.bound)
            .filter(|&bound| self.counts && self.lost.is_none_or(|lost| bound > lost))
            .collect::<Vec<_>>()
        {
            if allowance.time.is_up() {
                return;
            }
            match self.solve(Some(bound), allowance) {
                Solved::Won(strategy) => {
                    self.strategy = Some((strategy, bound));
                    return;
                }
                Solved::Lost(losses) => {
                    self.spoiler =
                        Spoiler::new(&self.letters, &self.universal, &self.monitors, losses, Some(bound));
                    self.lost = Some(bound);
                }
                Solved::Open => {}
            }
        }
    }
}

/// The letters and the table of what must not happen; none where there are too many letters, or too little time.
fn game(
    problem: &Problem,
    forbidden: &[Forbidden],
    monitors: &[Automaton],
    time: Time,
) -> Option<(Letters, Universal)> {
    let automata: Vec<&Automaton> = forbidden.iter().map(Forbidden::automaton).chain(monitors).collect();
    let letters = Letters::new(&problem.space, guards(&automata).into_iter(), time)?;
    let universal = Universal::new(forbidden, &letters, time)?;
    Some((letters, universal))
}

/// The game with changed sides: the environment keeps the assumptions and breaks a promise.
struct Dual {
    game: Option<(Letters, Universal)>,
    asked: bool,
    lost: Option<u8>,
    /// When the game with the right sides was begun.
    started: Instant,
}

impl Dual {
    fn new() -> Dual {
        Dual { game: None, asked: false, lost: None, started: Instant::now() }
    }

    /// Whether there is nothing more to be found.
    fn is_done(&self, bounds: Bounds) -> bool {
        self.asked && (self.game.is_none() || self.lost == Some(bounds.bound))
    }

    fn finds(&mut self, problem: &Problem, positions: usize, bounds: Bounds) -> bool {
        // As much time again as everything has taken so far, so that neither side is kept waiting for long.
        // Without a deadline nothing depends on time.
        let share = Instant::now() + self.started.elapsed().max(LEAST);
        let time = Time(bounds.deadline.map(|deadline| deadline.min(share)));
        if !self.asked {
            let forbidden = until(time.0, || problem.avoided_by_environment());
            self.game = forbidden.and_then(|forbidden| game(problem, &forbidden, &[], time));
            self.asked = self.game.is_some() || !time.is_up();
        }
        let Some((letters, universal)) = &self.game else { return false };
        let allowance = Allowance { positions, time };
        for bound in ladder(bounds.bound)
            .filter(|&bound| self.lost.is_none_or(|lost| bound > lost))
            .collect::<Vec<_>>()
        {
            let arena = Arena {
                letters,
                universal,
                monitors: &[],
                chooser: Chooser::Environment,
                bound: Some(bound),
            };
            match arena.solve(allowance) {
                Solved::Won(_) => return true,
                Solved::Lost(_) => self.lost = Some(bound),
                Solved::Open => {}
            }
        }
        false
    }
}
