//! Everything that was ever exchanged, as one tree: what is known need not be run again, and places that look
//! alike are found in it.

use std::collections::VecDeque;

use crate::letter::{Letter, Outline};
use crate::strategy::letters::Letters;
use crate::trace::Step;

/// Where every run starts.
pub(super) const ROOT: u32 = 0;

/// The most places that are remembered.
const FULL: usize = 1 << 19;

/// An input that was refused in so many places and accepted in none is given up.
const REFUSALS: u32 = 3;

/// What came back for an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// An output, by number.
    Output(u32),
    /// An output with which the wanted requirement is violated.
    Violation(u32),
    /// The run ended without it: the input may not be sent here, or ends the run otherwise.
    Refused,
}

/// What the tree knows of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known {
    /// The requirement is violated with this many inputs.
    Violates(usize),
    /// It is not violated.
    Spared,
    /// Nobody tried.
    No,
}

#[derive(Debug)]
struct Place {
    parent: u32,
    input: u32,
    answer: Answer,
    depth: u32,
    /// Inputs tried from here and where they led, ordered by input.
    children: Vec<(u32, u32)>,
}

/// A tree of exchanges; see the module.
#[derive(Debug)]
pub(super) struct Seen {
    places: Vec<Place>,
    inputs: Letters,
    outputs: Letters,
    /// For each input how often it was refused; none once it was accepted.
    refusals: Vec<Option<u32>>,
    /// Whether the same inputs were always answered in the same way.
    steady: bool,
    /// What must be the same for that.
    outline: Outline,
}

impl Seen {
    pub(super) fn new(outline: Outline) -> Seen {
        let root = Place {
            parent: ROOT,
            input: u32::MAX,
            answer: Answer::Output(u32::MAX),
            depth: 0,
            children: Vec::new(),
        };
        Seen {
            places: vec![root],
            inputs: Letters::default(),
            outputs: Letters::default(),
            refusals: Vec::new(),
            steady: true,
            outline,
        }
    }

    /// Whether the tree can be trusted: the system answered alike whenever it was asked alike, and nothing
    /// was left out for lack of room.
    pub(super) fn is_sure(&self) -> bool {
        self.steady && self.places.len() < FULL
    }

    /// Adds a run: the inputs that were meant, the exchanges that took place, and whether the last of them
    /// is the violation.
    pub(super) fn add(&mut self, inputs: &[Letter], trace: &[Step], violated: bool) {
        let mut at = ROOT;
        for (place, step) in trace.iter().enumerate() {
            let output = self.outputs.number(self.outline.of(step.output));
            let answer = match violated && place + 1 == trace.len() {
                true => Answer::Violation(output),
                false => Answer::Output(output),
            };
            match self.child(at, step.input, answer) {
                Some(next) => at = next,
                None => return,
            }
        }
        if let Some(&refused) = inputs.get(trace.len())
            && !violated
        {
            self.child(at, refused, Answer::Refused);
        }
    }

    fn child(&mut self, at: u32, input: Letter, answer: Answer) -> Option<u32> {
        let input = self.inputs.number(input);
        match self.places[at as usize].children.binary_search_by_key(&input, |&(input, _)| input) {
            Ok(found) => {
                let next = self.places[at as usize].children[found].1;
                self.steady &= self.places[next as usize].answer == answer;
                self.steady.then_some(next)
            }
            Err(_) if self.places.len() >= FULL => None,
            Err(gap) => {
                let next = self.places.len() as u32;
                self.refusals.resize(self.refusals.len().max(input as usize + 1), Some(0));
                let refusals = &mut self.refusals[input as usize];
                *refusals = refusals.filter(|_| answer == Answer::Refused).map(|times| times + 1);
                let depth = self.places[at as usize].depth + 1;
                self.places.push(Place { parent: at, input, answer, depth, children: Vec::new() });
                self.places[at as usize].children.insert(gap, (input, next));
                Some(next)
            }
        }
    }

    /// Whether an input was refused in several places and accepted in none.
    pub(super) fn is_given_up(&self, input: u32) -> bool {
        self.refusals.get(input as usize).is_some_and(|times| times.is_some_and(|times| times >= REFUSALS))
    }

    /// The number of an input.
    pub(super) fn input(&mut self, letter: Letter) -> u32 {
        self.inputs.number(letter)
    }

    /// The inputs with these numbers.
    pub(super) fn letters(&self, word: &[u32]) -> Vec<Letter> {
        word.iter().map(|&input| self.inputs.get(input)).collect()
    }

    /// What is known of a word.
    pub(super) fn known(&self, word: &[Letter]) -> Known {
        let mut at = ROOT;
        for (place, &input) in word.iter().enumerate() {
            match self.inputs.number_of(input).and_then(|input| self.next(at, input)) {
                Some(next) => at = next,
                None => return Known::No,
            }
            match self.answer(at) {
                Answer::Violation(_) => return Known::Violates(place + 1),
                Answer::Refused => return Known::Spared,
                Answer::Output(_) => {}
            }
        }
        Known::Spared
    }

    /// Where an input led from a place, if it was tried there.
    pub(super) fn next(&self, at: u32, input: u32) -> Option<u32> {
        let children = &self.places[at as usize].children;
        children.binary_search_by_key(&input, |&(input, _)| input).ok().map(|found| children[found].1)
    }

    /// Where a word leads from a place, as far as it was tried.
    pub(super) fn follow(&self, at: u32, word: &[u32]) -> Option<u32> {
        word.iter().try_fold(at, |at, &input| self.next(at, input))
    }

    /// The inputs tried from a place, and where they led.
    pub(super) fn children(&self, at: u32) -> &[(u32, u32)] {
        &self.places[at as usize].children
    }

    /// What was answered last on the way to a place.
    pub(super) fn answer(&self, at: u32) -> Answer {
        self.places[at as usize].answer
    }

    pub(super) fn parent(&self, at: u32) -> u32 {
        self.places[at as usize].parent
    }

    pub(super) fn depth(&self, at: u32) -> usize {
        self.places[at as usize].depth as usize
    }

    /// The inputs that lead to a place.
    pub(super) fn word(&self, mut at: u32) -> Vec<u32> {
        let mut word = Vec::with_capacity(self.depth(at));
        while at != ROOT {
            word.push(self.places[at as usize].input);
            at = self.parent(at);
        }
        word.reverse();
        word
    }

    /// Whether the same inputs are known to be answered differently after the one place and after the other.
    pub(super) fn apart(&self, one: u32, other: u32) -> bool {
        one != other && self.witness(one, other).is_some()
    }

    /// A shortest word that is answered differently after the one place and after the other.
    pub(super) fn witness(&self, one: u32, other: u32) -> Option<Vec<u32>> {
        // Pairs of places, each with the pair before it and the input that led here.
        let mut pairs = vec![(one, other, 0, u32::MAX)];
        let mut open = VecDeque::from([0]);
        while let Some(pair) = open.pop_front() {
            let (one, other, ..) = pairs[pair];
            let (few, many) = match self.children(one).len() <= self.children(other).len() {
                true => (one, other),
                false => (other, one),
            };
            for &(input, after_few) in self.children(few) {
                let Some(after_many) = self.next(many, input) else { continue };
                if self.answer(after_few) != self.answer(after_many) {
                    let mut word = vec![input];
                    let mut at = pair;
                    while at != 0 {
                        word.push(pairs[at].3);
                        at = pairs[at].2;
                    }
                    word.reverse();
                    return Some(word);
                }
                if !self.children(after_few).is_empty() && !self.children(after_many).is_empty() {
                    open.push_back(pairs.len());
                    pairs.push((after_few, after_many, pair, input));
                }
            }
        }
        None
    }
}
