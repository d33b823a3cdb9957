//! Games of model programs, unfolded as they are met: their state spaces may have no end.

mod acts;
mod belief;
mod lookahead;

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use self::belief::{Belief, Led, Part};
use super::{Game, Next, Place, State, Transition};
use crate::action::ModelProgram;
use crate::automaton::{Automaton, Table};
use crate::format::program::Pool;
use crate::letter::{Conflict, Idle, Interface, Letter, LetterSet, LetterSets};
use crate::trace::Step;

pub use acts::Act;
pub use lookahead::Lookahead;

/// The most states that a game has numbers for, unless told otherwise.
pub const MOST_STATES: usize = 1 << 21;

/// Model programs played together, with automata that watch.
///
/// The tester may send what every program that knows it enables for sure, or wait. Programs that know an action take it
/// together; the others stay where they are. An automaton that has no edge for an exchange is out of the game from then on.
///
/// Memory is bounded: beyond [`most`](Unfolded::new) states, states are followed one at a time and forgotten when they are
/// left. Runs go on as before, but searches look no further.
pub struct Unfolded {
    interface: Interface,
    idle: Idle,
    conflict: Conflict,
    most: usize,
    parts: Vec<Box<dyn Part>>,
    watching: Vec<(Table, u32)>,
    /// Numbers for states of several components together; none where there is only one.
    tuples: Option<Mutex<Tuples>>,
    initial: State,
    sets: LetterSets,
    /// For each state, where its inputs stand.
    inputs: Mutex<FxHashMap<u32, usize>>,
}

struct Tuples {
    pool: Pool,
    /// The state that was met last and has no number of its own.
    beyond: Vec<i64>,
    tuple: Vec<i64>,
}

/// The number of the state that was met last and has none of its own.
const BEYOND: State = State(u32::MAX);

/// Where an automaton is that is out of the game.
const OUT: u32 = Table::NOWHERE;

impl Unfolded {
    /// A game without components, of at most so many states.
    pub fn new(interface: &Interface, idle: Idle, conflict: Conflict, most: usize) -> Unfolded {
        Unfolded {
            interface: interface.clone(),
            idle,
            conflict,
            most,
            parts: Vec::new(),
            watching: Vec::new(),
            tuples: None,
            initial: State(0),
            sets: LetterSets::new(),
            inputs: Mutex::default(),
        }
    }

    /// Adds a model program; programs have places in the order in which they are added.
    pub fn program<M: ModelProgram + 'static>(mut self, model: Arc<M>) -> Unfolded {
        let belief = Belief::new(model, &self.interface, self.idle, self.conflict, self.most);
        self.parts.push(Box::new(belief));
        self.begin()
    }

    /// Adds an automaton that watches.
    pub fn watched_by(mut self, automaton: &Automaton) -> Unfolded {
        let rows = automaton.states.iter().map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to)));
        let table = Table::new(&automaton.space, rows);
        let initial = if automaton.states.is_empty() { OUT } else { automaton.initial };
        self.watching.push((table, initial));
        self.begin()
    }

    fn begin(mut self) -> Unfolded {
        let programs = self.parts.iter().map(|part| i64::from(part.initial()));
        let start: Vec<i64> = programs.chain(self.watching.iter().map(|(_, at)| i64::from(*at))).collect();
        if let [only] = start[..] {
            self.initial = State(only as u32);
            return self;
        }
        let mut pool = Pool::new(start.len(), self.most);
        pool.meet(&start);
        self.initial = State(0);
        self.tuples = Some(Mutex::new(Tuples { pool, beyond: Vec::new(), tuple: Vec::new() }));
        self
    }

    /// How many states were met.
    pub fn met(&self) -> usize {
        match &self.tuples {
            Some(tuples) => tuples.lock().unwrap_or_else(PoisonError::into_inner).pool.len(),
            None => self.parts.iter().map(|part| part.met()).sum(),
        }
    }

    /// The letters for doing nothing.
    pub fn idle(&self) -> Idle {
        self.idle
    }

    /// The names of the letters.
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// Whether this is the state that was met last and has no number of its own.
    pub fn is_beyond(&self, at: State) -> bool {
        at == BEYOND
    }

    /// A state in words: those of the programs.
    pub fn state_name(&self, at: State) -> String {
        let names = self.parts.iter().enumerate().map(|(place, part)| part.name(self.part_state(at, place)));
        names.collect::<Vec<_>>().join("; ")
    }

    /// Where a watching automaton is; none once it is out of the game.
    pub fn watched(&self, at: State, place: usize) -> Option<u32> {
        let place = self.parts.len() + place;
        let state = self.with_tuple(at, |tuple| tuple.get(place).copied())?;
        Some(state as u32).filter(|&state| state != OUT)
    }

    fn with_tuple<T>(&self, at: State, work: impl FnOnce(&[i64]) -> T) -> T {
        match &self.tuples {
            None => work(&[i64::from(at.0)]),
            Some(tuples) => {
                let tuples = tuples.lock().unwrap_or_else(PoisonError::into_inner);
                work(if at == BEYOND { &tuples.beyond } else { tuples.pool.get(at.0) })
            }
        }
    }

    /// What the system may do by itself, whatever the tester does.
    fn observables(&self, at: State, into: &mut Vec<Letter>) {
        for (place, part) in self.parts.iter().enumerate() {
            part.observables(self.part_state(at, place), into);
        }
        into.sort_unstable();
        into.dedup();
    }

    fn part_state(&self, at: State, place: usize) -> u32 {
        if self.tuples.is_none() { at.0 } else { self.with_tuple(at, |tuple| tuple[place] as u32) }
    }

    /// Everything that may be exchanged after an input.
    fn answers(&self, at: State, input: Letter, into: &mut Vec<Letter>) {
        let mut outputs = Vec::new();
        if self.conflict == Conflict::Answer && input != self.idle.wait {
            // What may be said once the input was taken.
            for (place, part) in self.parts.iter().enumerate() {
                let from = self.part_state(at, place);
                let taken = Step { input, output: self.idle.quiet };
                if let Led::To(after) = part.next(from, &taken) {
                    part.observables(after, &mut outputs);
                }
            }
            outputs.sort_unstable();
            outputs.dedup();
        } else {
            self.observables(at, &mut outputs);
        }
        outputs.push(self.idle.quiet);
        into.extend(
            outputs.into_iter().filter(|&output| matches!(self.next(at, input, output), Next::To(_))),
        );
    }
}

impl Game for Unfolded {
    fn initial(&self) -> State {
        self.initial
    }

    fn inputs(&self, at: State) -> &LetterSet {
        let known = self.inputs.lock().unwrap_or_else(PoisonError::into_inner).get(&at.0).copied();
        if let Some(place) = known.filter(|_| at != BEYOND) {
            return self.sets.get(place);
        }
        let mut letters = Vec::new();
        self.list_inputs(at, &mut letters);
        let place = self.sets.place(LetterSet::of(self.interface.inputs.bits(), &letters));
        self.inputs.lock().unwrap_or_else(PoisonError::into_inner).insert(at.0, place);
        self.sets.get(place)
    }

    fn outputs(&self, at: State, input: Letter) -> LetterSet {
        let mut letters = Vec::new();
        self.answers(at, input, &mut letters);
        LetterSet::of(self.interface.outputs.bits(), &letters)
    }

    fn next(&self, at: State, input: Letter, output: Letter) -> Next {
        let step = Step { input, output };
        let Some(tuples) = &self.tuples else {
            return match self.parts.first().map(|part| part.next(at.0, &step)) {
                Some(Led::To(next)) => Next::To(State(next)),
                Some(Led::Violates) => Next::Violates(Place(0)),
                Some(Led::Lost) => Next::Unfair,
                None => Next::To(at),
            };
        };
        let tuples = &mut *tuples.lock().unwrap_or_else(PoisonError::into_inner);
        let from = if at == BEYOND { &tuples.beyond } else { tuples.pool.get(at.0) };
        tuples.tuple.clear();
        tuples.tuple.extend_from_slice(from);
        for (place, part) in self.parts.iter().enumerate() {
            match part.next(tuples.tuple[place] as u32, &step) {
                Led::To(next) => tuples.tuple[place] = i64::from(next),
                Led::Violates => return Next::Violates(Place(place)),
                Led::Lost => return Next::Unfair,
            }
        }
        for (word, (table, _)) in tuples.tuple[self.parts.len()..].iter_mut().zip(&self.watching) {
            if *word != i64::from(OUT) {
                *word = i64::from(table.next(*word as u32, &input, &output));
            }
        }
        match tuples.pool.meet(&tuples.tuple) {
            Some((number, _)) => Next::To(State(number)),
            None => {
                std::mem::swap(&mut tuples.beyond, &mut tuples.tuple);
                Next::To(BEYOND)
            }
        }
    }

    fn list_inputs(&self, at: State, into: &mut Vec<Letter>) -> bool {
        match &self.parts[..] {
            [only] => only.inputs(self.part_state(at, 0), into),
            parts => {
                let mut all = Vec::new();
                for (place, part) in parts.iter().enumerate() {
                    part.inputs(self.part_state(at, place), &mut all);
                }
                all.sort_unstable();
                all.dedup();
                // One that knows an action and does not enable it has the last word.
                let quiet = self.idle.quiet;
                let allows = |input: &Letter| !matches!(self.next(at, *input, quiet), Next::Unfair);
                into.extend(all.into_iter().filter(allows));
            }
        }
        into.push(self.idle.wait);
        true
    }

    fn expects_output(&self, at: State) -> bool {
        let mut outputs = Vec::new();
        self.observables(at, &mut outputs);
        !outputs.is_empty()
    }

    fn transition(&self, at: State, step: &Step) -> Transition {
        let of_part =
            |(place, part): (usize, &Box<dyn Part>)| part.transition(self.part_state(at, place), step);
        let counted = self.parts.iter().enumerate().find_map(of_part);
        counted.unwrap_or_else(|| Transition::of(at, step.input))
    }
}

impl std::fmt::Debug for Unfolded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unfolded").field("programs", &self.parts.len()).finish_non_exhaustive()
    }
}
