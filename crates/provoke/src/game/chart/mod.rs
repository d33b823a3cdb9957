//! A game as rows of numbers: for searches that come back to the same states again and again.

mod backward;

use rustc_hash::FxHashMap;

use super::{Game, Next, State};
use crate::letter::{Letter, LetterSet, Letters};
use crate::rng::Rng;

pub use backward::{Backward, Forced, NEVER};

/// How many of too many letters are drawn.
const DRAWN: usize = 64;
/// How many exchanges there is room for, besides those that every chart has room for, for each state.
const EXCHANGES_A_STATE: usize = 16;
const SPARE_EXCHANGES: usize = 4096;
/// How many there is room for in all: writing them down may take microseconds each.
const MOST_EXCHANGES: usize = 1 << 21;
/// The state of an arena that has no number for it: nothing may be remembered of it.
const PASSING: State = State(u32::MAX);

/// A game, written down as far as it was asked for: for each state its inputs, and for each of them where the answers lead.
///
/// States have places, from 0 in the order in which they are met, whatever their numbers in the arena are. Where there are too
/// many letters to list, some are drawn and the chart knows those alone. Memory is bounded: beyond so many states and
/// exchanges nothing more is written down, and what leads there leads [`BEYOND`](Chart::BEYOND).
#[derive(Clone, Debug)]
pub struct Chart {
    most: usize,
    places: FxHashMap<State, u32>,
    states: Vec<State>,
    rows: Vec<Row>,
    choices: Vec<Choice>,
    answers: Vec<Answer>,
    /// The letters that were drawn from sets that are too large, by the ids of these.
    drawn: FxHashMap<u64, Vec<Letter>>,
    letters: Letters,
    whole: bool,
}

/// The choices of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Unknown,
    /// There was no room for them.
    CutOff,
    At(u32, u32),
}

/// An input of a state.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The number of what is sent.
    pub input: u32,
    first: u32,
    end: u32,
}

/// An answer to an input.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// The number of what is answered.
    pub output: u32,
    /// The place of the state that it leads to, or [`Chart::BEYOND`].
    pub to: u32,
}

impl Chart {
    /// Where what there is no room for leads.
    pub const BEYOND: u32 = u32::MAX;

    /// A chart with nothing on it, and room for so many states.
    pub fn new(most: usize) -> Chart {
        Chart {
            most: most.min(u32::MAX as usize / 2),
            places: FxHashMap::default(),
            states: Vec::new(),
            rows: Vec::new(),
            choices: Vec::new(),
            answers: Vec::new(),
            drawn: FxHashMap::default(),
            letters: Letters::default(),
            whole: true,
        }
    }

    /// Everything that can be reached from the start of a game, as far as there is room. Chance decides only where there are
    /// too many letters to list.
    pub fn of(game: &dyn Game, most: usize, rng: &mut Rng) -> Chart {
        Chart::from(game, game.initial(), most, rng)
    }

    /// The same from another state, which is in place 0.
    pub fn from(game: &dyn Game, start: State, most: usize, rng: &mut Rng) -> Chart {
        let mut chart = Chart::new(most);
        chart.meet(start);
        let mut place = 0;
        while place < chart.len() as u32 {
            chart.expand(place, game, rng);
            place += 1;
        }
        chart
    }

    /// How many states were met.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Whether none was.
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Whether nothing was cut off or left out.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// The state in a place.
    pub fn state(&self, place: u32) -> State {
        self.states[place as usize]
    }

    /// The place of a state that was met.
    pub fn place(&self, state: State) -> Option<u32> {
        self.places.get(&state).copied()
    }

    /// The place of a state, which may be new; [`BEYOND`](Chart::BEYOND) where there is no room.
    pub fn meet(&mut self, state: State) -> u32 {
        if let Some(&place) = self.places.get(&state) {
            return place;
        }
        if self.states.len() >= self.most || state == PASSING {
            self.whole = false;
            return Chart::BEYOND;
        }
        let place = self.states.len() as u32;
        self.places.insert(state, place);
        self.states.push(state);
        self.rows.push(Row::Unknown);
        place
    }

    /// Whether the choices of a state are known.
    #[inline]
    pub fn is_known(&self, place: u32) -> bool {
        self.rows.get(place as usize).is_some_and(|row| matches!(row, Row::At(..)))
    }

    /// Whether nobody has asked for the choices of a state.
    #[inline]
    pub fn is_unknown(&self, place: u32) -> bool {
        self.rows.get(place as usize) == Some(&Row::Unknown)
    }

    /// Writes the choices of a state down, where there is room.
    pub fn expand(&mut self, place: u32, game: &dyn Game, rng: &mut Rng) {
        if !self.is_unknown(place) {
            return;
        }
        let room = SPARE_EXCHANGES + EXCHANGES_A_STATE.saturating_mul(self.most).min(MOST_EXCHANGES);
        if self.answers.len() >= room {
            self.whole = false;
            self.rows[place as usize] = Row::CutOff;
            return;
        }
        let at = self.state(place);
        let mut inputs = Vec::new();
        if !game.list_inputs(at, &mut inputs) {
            inputs = self.draw(game.inputs(at), rng);
        }
        let first = self.choices.len() as u32;
        for input in inputs {
            let outputs = game.outputs(at, input);
            let few = outputs.count().to_u64().is_some_and(|count| count <= DRAWN as u64);
            let outputs = if few { outputs.iter().collect() } else { self.draw(&outputs, rng) };
            let before = self.answers.len() as u32;
            for output in outputs {
                if let Next::To(next) = game.next(at, input, output) {
                    let (to, output) = (self.meet(next), self.letters.number(output));
                    self.answers.push(Answer { output, to });
                }
            }
            let input = self.letters.number(input);
            self.choices.push(Choice { input, first: before, end: self.answers.len() as u32 });
        }
        self.rows[place as usize] = Row::At(first, self.choices.len() as u32);
    }

    /// Some letters of a set, the same each time.
    fn draw(&mut self, set: &LetterSet, rng: &mut Rng) -> Vec<Letter> {
        self.whole = false;
        let draw = || {
            let mut letters: Vec<Letter> = (0..DRAWN).map_while(|_| set.sample(rng)).collect();
            letters.sort_unstable();
            letters.dedup();
            letters
        };
        self.drawn.entry(set.id()).or_insert_with(draw).clone()
    }

    /// The choices of a state; none where they are not known.
    #[inline]
    pub fn choices(&self, place: u32) -> &[Choice] {
        &self.choices[self.choice_numbers(place)]
    }

    /// The numbers of these choices among all of the chart.
    #[inline]
    pub fn choice_numbers(&self, place: u32) -> std::ops::Range<usize> {
        match self.rows.get(place as usize) {
            Some(&Row::At(first, end)) => first as usize..end as usize,
            _ => 0..0,
        }
    }

    /// How many choices there are in all.
    pub fn choices_in_all(&self) -> usize {
        self.choices.len()
    }

    /// A choice by its number.
    pub fn choice(&self, number: u32) -> &Choice {
        &self.choices[number as usize]
    }

    /// The letter with this number.
    #[inline]
    pub fn letter(&self, number: u32) -> Letter {
        self.letters.get(number)
    }

    /// The number of a letter that was met.
    pub fn letter_number(&self, letter: Letter) -> Option<u32> {
        self.letters.number_of(letter)
    }

    /// Where the answers to an input lead.
    #[inline]
    pub fn answers(&self, choice: &Choice) -> &[Answer] {
        &self.answers[choice.first as usize..choice.end as usize]
    }

    /// Whether nothing happens here any more: every exchange leads back, or there is none. A terminal state in paper 4.
    #[inline]
    pub fn is_terminal(&self, place: u32) -> bool {
        self.is_known(place)
            && self
                .choices(place)
                .iter()
                .flat_map(|choice| self.answers(choice))
                .all(|answer| answer.to == place)
    }

    /// How much memory it takes, in bytes.
    pub fn memory(&self) -> usize {
        let drawn: usize = self.drawn.values().map(|letters| letters.capacity() * size_of::<Letter>()).sum();
        self.places.capacity() * (size_of::<(State, u32)>() + 1)
            + self.states.capacity() * size_of::<State>()
            + self.rows.capacity() * size_of::<Row>()
            + self.choices.capacity() * size_of::<Choice>()
            + self.answers.capacity() * size_of::<Answer>()
            + self.letters.memory()
            + drawn
    }
}
