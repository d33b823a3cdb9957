//! Games of model programs, unfolded as they are met: their state spaces may have no end.

mod acts;
mod belief;
mod kept;
mod lookahead;
mod ring;
mod solved;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use self::belief::{Belief, Led, Part};
use self::ring::{Ring, is_passing};
use super::{Game, Guide, Next, Place, State, Transition};
use crate::action::ModelProgram;
use crate::automaton::{Automaton, Table};
use crate::format::program::Pool;
use crate::letter::{Conflict, Idle, Interface, Letter, LetterSet, LetterSets};
use crate::trace::Step;

pub use acts::Act;
pub use lookahead::Lookahead;

/// The most states that a game has numbers for, unless told otherwise.
pub const MOST_STATES: usize = 1 << 21;

/// Model programs played together, with automata that watch or demand.
///
/// The tester may send what every program that knows it enables for sure, or wait. Programs that know an action take it
/// together; the others stay where they are. An automaton that watches and has no edge for an exchange is out of the game
/// from then on; for one that demands, the exchange is a violation.
///
/// Memory is bounded: beyond [`most`](Unfolded::new) states, states are followed one at a time and forgotten a few steps
/// after they are left. Runs go on as before, but searches look no further. [`Unfolded::is_full`] says whether it came to that.
pub struct Unfolded {
    interface: Interface,
    idle: Idle,
    conflict: Conflict,
    most: usize,
    parts: Vec<Box<dyn Part>>,
    automata: Vec<Watching>,
    /// Numbers for states of several components together; none where there is only one.
    tuples: Option<Mutex<Tuples>>,
    initial: State,
    sets: LetterSets,
    /// For each state, where its inputs stand.
    inputs: Mutex<FxHashMap<u32, usize>>,
    full: AtomicBool,
    forgets: AtomicBool,
}

struct Watching {
    table: Table,
    initial: u32,
    demands: bool,
}

struct Tuples {
    pool: Pool,
    /// Those that have no number of their own.
    passing: Ring<Vec<i64>>,
    tuple: Vec<i64>,
}

impl Tuples {
    fn get(&self, at: State) -> &[i64] {
        if is_passing(at.0) { self.passing.get(at.0) } else { self.pool.get(at.0) }
    }
}

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
            automata: Vec::new(),
            tuples: None,
            initial: State(0),
            sets: LetterSets::new(),
            inputs: Mutex::default(),
            full: AtomicBool::new(false),
            forgets: AtomicBool::new(false),
        }
    }

    /// Adds a model program; programs have places in the order in which they are added.
    pub fn program<M: ModelProgram + 'static>(mut self, model: Arc<M>) -> Unfolded {
        let belief = Belief::new(model, &self.interface, self.idle, self.conflict, self.most);
        self.parts.push(Box::new(belief));
        self.begin()
    }

    /// Adds an automaton that watches. Automata have places in the order in which they are added.
    pub fn watched_by(self, automaton: &Automaton) -> Unfolded {
        self.with(automaton, false)
    }

    /// Adds an automaton without an edge for what it forbids. Its place among the components is behind all programs.
    pub fn required_by(self, automaton: &Automaton) -> Unfolded {
        self.with(automaton, true)
    }

    fn with(mut self, automaton: &Automaton, demands: bool) -> Unfolded {
        let rows = automaton.states.iter().map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to)));
        let table = Table::new(&automaton.space, rows);
        let initial = if automaton.states.is_empty() { OUT } else { automaton.initial };
        self.automata.push(Watching { table, initial, demands });
        self.begin()
    }

    fn begin(mut self) -> Unfolded {
        let programs = self.parts.iter().map(|part| i64::from(part.initial()));
        let automata = self.automata.iter().map(|watching| i64::from(watching.initial));
        let start: Vec<i64> = programs.chain(automata).collect();
        if let ([only], [_]) = (&start[..], &self.parts[..]) {
            self.initial = State(*only as u32);
            return self;
        }
        let mut pool = Pool::new(start.len(), self.most.max(1));
        pool.meet(&start);
        self.initial = State(0);
        let (passing, tuple) = (Ring::default(), Vec::new());
        self.tuples = Some(Mutex::new(Tuples { pool, passing, tuple }));
        self
    }

    /// How many states were met.
    pub fn met(&self) -> usize {
        match &self.tuples {
            Some(tuples) => tuples.lock().unwrap_or_else(PoisonError::into_inner).pool.len(),
            None => self.parts.iter().map(|part| part.met()).sum(),
        }
    }

    /// Whether there was no room for some state.
    pub fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
    }

    /// The letters for doing nothing.
    pub fn idle(&self) -> Idle {
        self.idle
    }

    /// The names of the letters.
    pub fn interface(&self) -> &Interface {
        &self.interface
    }

    /// Whether this is a state that has no number of its own.
    pub fn is_beyond(&self, at: State) -> bool {
        at.is_passing()
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
            Some(tuples) => work(tuples.lock().unwrap_or_else(PoisonError::into_inner).get(at)),
        }
    }

    #[inline]
    fn part_state(&self, at: State, place: usize) -> u32 {
        if self.tuples.is_none() { at.0 } else { self.with_tuple(at, |tuple| tuple[place] as u32) }
    }

    /// Whether an exchange would break a rule, and whose.
    fn try_out(&self, at: State, step: &Step) -> Led<()> {
        for (place, part) in self.parts.iter().enumerate() {
            match part.try_out(self.part_state(at, place), step) {
                Led::To(()) => {}
                broken => return broken,
            }
        }
        for (place, Watching { table, demands, .. }) in self.automata.iter().enumerate() {
            if *demands
                && let Some(state) = self.watched(at, place)
                && table.next(state, &step.input, &step.output) == OUT
            {
                return Led::Violates;
            }
        }
        Led::To(())
    }

    /// Everything that may be exchanged after an input.
    fn answers(&self, at: State, input: Letter, into: &mut Vec<Letter>) {
        let mut outputs = vec![self.idle.quiet];
        for (place, part) in self.parts.iter().enumerate() {
            let from = self.part_state(at, place);
            match self.conflict {
                // What may be said once the input was taken.
                Conflict::Answer if input != self.idle.wait => {
                    part.observables_after(from, &Step { input, output: self.idle.quiet }, &mut outputs);
                }
                _ => part.observables(from, &mut outputs),
            }
        }
        outputs.sort_unstable();
        outputs.dedup();
        let goes_on = |output: &Letter| self.try_out(at, &Step { input, output: *output }) == Led::To(());
        into.extend(outputs.into_iter().filter(goes_on));
    }
}

impl Game for Unfolded {
    fn initial(&self) -> State {
        self.initial
    }

    fn inputs(&self, at: State) -> &LetterSet {
        let known = || self.inputs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(place) = known().get(&at.0).copied().filter(|_| !at.is_passing()) {
            return self.sets.get(place);
        }
        let mut letters = Vec::new();
        self.list_inputs(at, &mut letters);
        let place = self.sets.place(LetterSet::of(self.interface.inputs.bits(), &letters));
        if !at.is_passing() {
            known().insert(at.0, place);
        }
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
                Some(Led::To(next)) => {
                    if is_passing(next) && !self.full.load(Ordering::Relaxed) {
                        self.full.store(!self.forgets.load(Ordering::Relaxed), Ordering::Relaxed);
                    }
                    Next::To(State(next))
                }
                Some(Led::Violates) => Next::Violates(Place(0)),
                Some(Led::Lost) => Next::Unfair,
                None => Next::To(at),
            };
        };
        let tuples = &mut *tuples.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tuple = std::mem::take(&mut tuples.tuple);
        tuple.clear();
        tuple.extend_from_slice(tuples.get(at));
        let next = self.moved(&mut tuple, &step).unwrap_or_else(|| {
            let nameless = tuple[..self.parts.len()].iter().any(|&part| is_passing(part as u32));
            let room = !nameless && !self.forgets.load(Ordering::Relaxed);
            let number = if room { tuples.pool.meet(&tuple) } else { None };
            let number = number.map_or_else(
                || {
                    self.full.fetch_or(!self.forgets.load(Ordering::Relaxed), Ordering::Relaxed);
                    tuples.passing.put(|slot| slot.clone_from(&tuple))
                },
                |(number, _)| number,
            );
            Next::To(State(number))
        });
        tuples.tuple = tuple;
        next
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
                let allows = |(place, part): (usize, &dyn Part), input: &Letter| {
                    let taken = Step { input: *input, output: quiet };
                    part.try_out(self.part_state(at, place), &taken) != Led::Lost
                };
                into.extend(all.into_iter().filter(|input| {
                    parts.iter().enumerate().all(|(place, part)| allows((place, &**part), input))
                }));
            }
        }
        into.push(self.idle.wait);
        true
    }

    fn may_wait(&self, _at: State, wait: Letter) -> bool {
        wait == self.idle.wait
    }

    fn expects_output(&self, at: State) -> bool {
        if let ([only], None) = (&self.parts[..], &self.tuples) {
            return only.expects_output(at.0);
        }
        let mut parts = self.parts.iter().enumerate();
        parts.any(|(place, part)| part.expects_output(self.part_state(at, place)))
    }

    fn choose_input(
        &self,
        at: State,
        _idle: Option<Idle>,
        pick: &mut dyn FnMut(&[Transition]) -> Option<usize>,
    ) -> Option<Letter> {
        if let [only] = &self.parts[..] {
            return only.choose(self.part_state(at, 0), pick);
        }
        let mut inputs = Vec::new();
        self.list_inputs(at, &mut inputs);
        inputs.retain(|&input| input != self.idle.wait);
        let output = self.idle.quiet;
        let counted: Vec<Transition> =
            inputs.iter().map(|&input| self.transition(at, &Step { input, output })).collect();
        pick(&counted).and_then(|place| inputs.get(place).copied())
    }

    fn transition(&self, at: State, step: &Step) -> Transition {
        let mut parts = self.parts.iter().enumerate();
        let counted = parts.find_map(|(place, part)| part.transition(self.part_state(at, place), step));
        counted.unwrap_or_else(|| Transition::of(at, step.input))
    }

    fn may_reset(&self, at: State) -> bool {
        let mut parts = self.parts.iter().enumerate();
        parts.all(|(place, part)| part.may_reset(self.part_state(at, place)))
    }

    fn way_home(self: Arc<Self>) -> Option<Arc<dyn Guide>> {
        let game = self.clone();
        Some(Arc::new(Lookahead::new(self, move |at| game.may_reset(at))))
    }

    fn forget_states(&self) {
        self.forgets.store(true, Ordering::Relaxed);
        self.parts.iter().for_each(|part| part.forget());
    }
}

impl Unfolded {
    /// Moves every component; gives where that ends the game.
    fn moved(&self, tuple: &mut [i64], step: &Step) -> Option<Next> {
        let (programs, automata) = tuple.split_at_mut(self.parts.len());
        for (place, (part, word)) in self.parts.iter().zip(programs).enumerate() {
            match part.next(*word as u32, step) {
                Led::To(next) => *word = i64::from(next),
                Led::Violates => return Some(Next::Violates(Place(place))),
                Led::Lost => return Some(Next::Unfair),
            }
        }
        for (place, (watching, word)) in self.automata.iter().zip(automata).enumerate() {
            if *word == i64::from(OUT) {
                continue;
            }
            let next = watching.table.next(*word as u32, &step.input, &step.output);
            if next == OUT && watching.demands {
                return Some(Next::Violates(Place(self.parts.len() + place)));
            }
            *word = i64::from(next);
        }
        None
    }
}

impl std::fmt::Debug for Unfolded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Unfolded").field("programs", &self.parts.len()).finish_non_exhaustive()
    }
}
