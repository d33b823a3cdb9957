//! Circuits and automata played together as one game that is never written down.

use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

use super::encode::Encoded;
use crate::automaton::{Automaton, Table};
use crate::bdd::{OutOfNodes, Space};
use crate::circuit::{Walk, Wired};
use crate::format::program::Pool;
use crate::game::explicit::Role;
use crate::game::{Game, Next, Place, State};
use crate::letter::{Letter, LetterSet, LetterSets};

/// One component of a symbolic game.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it is.
    pub body: Body,
    /// What an exchange means that it does not allow.
    pub role: Role,
}

/// What a component of a symbolic game is.
#[derive(Clone, Debug)]
pub enum Body {
    /// A circuit.
    Circuit(Arc<Wired>),
    /// A deterministic automaton; its states are encoded in bits.
    Automaton(Arc<Automaton>),
}

/// The most states that get numbers.
const MOST_STATES: usize = 1 << 21;

/// The most exchanges whose results are remembered.
const MOST_MOVES: usize = 1 << 20;

/// Circuits and automata played together. States are numbered when they are met; sets of letters are cofactors of
/// diagrams at the state, made when they are first asked for.
pub struct Symbolic {
    space: Arc<Space>,
    parts: Vec<Part>,
    /// For each part, where its words begin in a state; one more for the end.
    first: Vec<usize>,
    /// For each automaton, its table.
    tables: Vec<Option<Table>>,
    /// The game as diagrams, where there was room for them.
    encoded: Option<Encoded>,
    met: Mutex<Met>,
    pub(super) sets: LetterSets,
    /// For each state, where its inputs stand.
    inputs: Mutex<FxHashMap<u32, usize>>,
}

struct Met {
    pool: Pool,
    /// The state that was met last and has no number of its own.
    beyond: Vec<i64>,
    words: Vec<i64>,
    walks: Vec<Option<Walk>>,
    moves: FxHashMap<(u32, Letter, Letter), Next>,
}

/// The number of the state that was met last and has none of its own.
const BEYOND: State = State(u32::MAX);

impl Symbolic {
    /// The game of these parts, in at most so many decision-diagram nodes. Where they are not enough the game is played
    /// all the same, by evaluating its parts: then every input may be sent, and every answer given.
    pub fn new(space: Arc<Space>, parts: Vec<Part>, nodes: usize) -> Result<Symbolic, OutOfNodes> {
        let mut first = vec![0];
        let mut start = Vec::new();
        for part in &parts {
            match &part.body {
                Body::Circuit(wired) => start.extend(wired.initial()),
                Body::Automaton(automaton) => start.push(i64::from(automaton.initial)),
            }
            first.push(start.len());
        }
        let encoded = Encoded::new(&space, &parts, &first, nodes).ok();
        let table = |part: &Part| match &part.body {
            Body::Circuit(_) => None,
            Body::Automaton(automaton) => {
                let rows = automaton.states.iter();
                Some(Table::new(
                    &space,
                    rows.map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to))),
                ))
            }
        };
        let tables = parts.iter().map(table).collect();
        let walk = |part: &Part| match &part.body {
            Body::Circuit(wired) => Some(wired.walk()),
            Body::Automaton(_) => None,
        };
        let walks = parts.iter().map(walk).collect();
        let mut pool = Pool::new(start.len(), MOST_STATES);
        pool.meet(&start);
        let met = Met { pool, beyond: Vec::new(), words: Vec::new(), walks, moves: FxHashMap::default() };
        space.bdds().within_bounds()?;
        Ok(Symbolic {
            space,
            parts,
            first,
            tables,
            encoded,
            met: Mutex::new(met),
            sets: LetterSets::new(),
            inputs: Mutex::default(),
        })
    }

    /// The variables of the letters.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
    }

    /// What it is made of.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// How many bits a state has.
    pub fn state_bits(&self) -> usize {
        let bits = |part: &Part| match &part.body {
            Body::Circuit(wired) => wired.circuit.latches.len(),
            Body::Automaton(automaton) => {
                (u32::BITS - (automaton.states.len() as u32).leading_zeros()) as usize
            }
        };
        self.parts.iter().map(bits).sum()
    }

    /// Whether there was room for the game as diagrams.
    pub fn is_encoded(&self) -> bool {
        self.encoded.is_some()
    }

    pub(super) fn encoded(&self) -> Option<&Encoded> {
        self.encoded.as_ref()
    }

    pub(super) fn first_word(&self, place: Place) -> usize {
        self.first[place.0]
    }

    /// The words of one part.
    pub(super) fn words_of<'a>(&self, place: Place, words: &'a [i64]) -> &'a [i64] {
        &words[self.first[place.0]..self.first[place.0 + 1]]
    }

    /// How many states were met.
    pub fn met(&self) -> usize {
        self.lock().pool.len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Met> {
        self.met.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a state is made of: the words of all parts.
    pub(super) fn words(&self, at: State) -> Vec<i64> {
        let met = self.lock();
        if at == BEYOND { met.beyond.clone() } else { met.pool.get(at.0).to_vec() }
    }

    /// Whether a state has a number of its own, so that what is known of it can be kept.
    pub(super) fn is_kept(&self, at: State) -> bool {
        at != BEYOND
    }

    /// Steps every part. A broken assumption comes before a violation, the first violation before others.
    fn step(&self, met: &mut Met, input: &Letter, output: &Letter) -> Next {
        let mut violated = None;
        for (place, part) in self.parts.iter().enumerate() {
            let words = &mut met.words[self.first[place]..self.first[place + 1]];
            let allowed = match (&part.body, &mut met.walks[place], &self.tables[place]) {
                (Body::Circuit(wired), Some(walk), _) => !walk.step(wired, words, input, output),
                (Body::Automaton(automaton), _, Some(table)) => {
                    let lost = automaton.states.len() as i64;
                    let to = match words[0] == lost {
                        true => Table::NOWHERE,
                        false => table.next(words[0] as u32, input, output),
                    };
                    words[0] = if to == Table::NOWHERE { lost } else { i64::from(to) };
                    to != Table::NOWHERE
                }
                _ => true,
            };
            match (allowed, part.role) {
                (false, Role::Assumption) => return Next::Unfair,
                (false, Role::Requirement) => violated = violated.or(Some(Place(place))),
                _ => {}
            }
        }
        if let Some(place) = violated {
            return Next::Violates(place);
        }
        match met.pool.meet(&met.words) {
            Some((number, _)) => Next::To(State(number)),
            None => {
                std::mem::swap(&mut met.beyond, &mut met.words);
                Next::To(BEYOND)
            }
        }
    }
}

impl Game for Symbolic {
    fn initial(&self) -> State {
        State(0)
    }

    fn inputs(&self, at: State) -> &LetterSet {
        let known = self.inputs.lock().unwrap_or_else(PoisonError::into_inner).get(&at.0).copied();
        if let Some(place) = known.filter(|_| at != BEYOND) {
            return self.sets.get(place);
        }
        let legal = match &self.encoded {
            Some(encoded) => encoded.at(&self.space, &encoded.legal, &self.words(at)),
            None => self.space.input_letters(self.space.valid_inputs()),
        };
        let place = self.sets.place(legal);
        self.inputs.lock().unwrap_or_else(PoisonError::into_inner).insert(at.0, place);
        self.sets.get(place)
    }

    fn outputs(&self, at: State, input: Letter) -> LetterSet {
        match &self.encoded {
            Some(encoded) => encoded.answers(&self.space, &self.words(at), input),
            None => self.space.output_letters(self.space.valid_outputs()),
        }
    }

    fn next(&self, at: State, input: Letter, output: Letter) -> Next {
        let met = &mut *self.lock();
        let key = (at.0, input, output);
        if let Some(next) = met.moves.get(&key).filter(|_| at != BEYOND) {
            return *next;
        }
        let from = if at == BEYOND { &met.beyond } else { met.pool.get(at.0) };
        met.words.clear();
        met.words.extend_from_slice(from);
        let next = self.step(met, &input, &output);
        if at != BEYOND && next != Next::To(BEYOND) && met.moves.len() < MOST_MOVES {
            met.moves.insert(key, next);
        }
        next
    }
}

impl std::fmt::Debug for Symbolic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Symbolic").field("parts", &self.parts.len()).finish_non_exhaustive()
    }
}
