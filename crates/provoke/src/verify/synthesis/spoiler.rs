//! An environment that wins against every system, to be played with.

use rustc_hash::FxHashMap;

use super::letters::Letters;
use super::search::{Arena, Chooser, Losses, Monitored};
use super::universal::{Counters, Universal};
use crate::automaton::Automaton;
use crate::bdd::Bdd;
use crate::letter::Letter;

/// A winning strategy of the environment in the safety game: whatever the system answers, before long a promise is broken
/// for good, or has been kept waiting for longer than the bound.
pub struct Spoiler {
    letters: Letters,
    universal: Universal,
    monitors: Vec<Automaton>,
    losses: Losses,
    bound: Option<u8>,
    at: (Monitored, Counters),
}

/// What an answer came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Play {
    /// The game goes on.
    GoesOn,
    /// These promises, by their places, are broken.
    Broken(Vec<usize>),
}

/// One moment of the environment's strategy.
#[derive(Clone, Debug)]
pub struct Turn {
    /// What the environment sends.
    pub input: Letter,
    /// What every answer leads to: a place in the list of turns, or the promises that it breaks.
    pub answers: Vec<(Foreseen, Option<usize>)>,
}

/// What some answers would come to.
#[derive(Clone, Debug)]
pub struct Foreseen {
    /// The answers.
    pub outputs: Bdd,
    /// The promises, by their places, that they break; none where the game goes on.
    pub breaks: Vec<usize>,
}

impl Spoiler {
    pub(super) fn new(
        letters: &Letters,
        universal: &Universal,
        monitors: &[Automaton],
        losses: Losses,
        bound: Option<u8>,
    ) -> Option<Box<Spoiler>> {
        let (letters, universal) = (letters.clone(), universal.clone());
        let at = losses.start.clone();
        Some(Box::new(Spoiler { letters, universal, monitors: monitors.to_vec(), losses, bound, at }))
    }

    fn arena(&self) -> Arena<'_> {
        let Spoiler { letters, universal, monitors, bound, .. } = self;
        Arena { letters, universal, monitors, chooser: Chooser::System, bound: *bound }
    }

    /// The bound that promises may be kept waiting for; none where the environment breaks one for good.
    pub fn bound(&self) -> Option<u8> {
        self.bound
    }

    /// Back to the start.
    pub fn reset(&mut self) {
        self.at = self.losses.start.clone();
    }

    fn question(&self) -> usize {
        self.losses.question(&self.at.0, &self.at.1).map_or(0, |(question, _)| question)
    }

    /// What the environment sends now.
    pub fn input(&self) -> Letter {
        self.letters.inputs.get(self.question()).map_or_else(Letter::default, |(_, letter)| *letter)
    }

    /// What every answer would come to, those that come to the same together.
    pub fn foreseen(&self) -> Vec<Foreseen> {
        let question = self.question();
        let mut found: Vec<Foreseen> = Vec::new();
        for (output, (set, _)) in self.letters.outputs.iter().enumerate() {
            let breaks = self.breaks(question, output);
            match found.iter_mut().find(|known| known.breaks == breaks) {
                Some(known) => known.outputs = &known.outputs | set,
                None => found.push(Foreseen { outputs: set.clone(), breaks }),
            }
        }
        found
    }

    fn breaks(&self, question: usize, output: usize) -> Vec<usize> {
        match Losses::follow(&self.arena(), &self.at.0, &self.at.1, question, output) {
            Some(_) => Vec::new(),
            None => self.universal.blame(&self.at.1, question, output, self.bound),
        }
    }

    /// The whole strategy, the start first; none where it has more than so many turns.
    pub fn turns(&self, most: usize) -> Option<Vec<Turn>> {
        let mut known = FxHashMap::from_iter([(self.losses.start.clone(), 0)]);
        let mut open = vec![self.losses.start.clone()];
        let mut turns = Vec::new();
        while let Some((monitored, counters)) = open.get(turns.len()).cloned() {
            let (question, _) = self.losses.question(&monitored, &counters)?;
            let mut answers: Vec<(Foreseen, Option<usize>)> = Vec::new();
            for (output, (set, _)) in self.letters.outputs.iter().enumerate() {
                let (to, breaks) =
                    match Losses::follow(&self.arena(), &monitored, &counters, question, output) {
                        Some(next) => {
                            let number = *known.entry(next.clone()).or_insert_with(|| {
                                open.push(next);
                                open.len() - 1
                            });
                            (Some(number), Vec::new())
                        }
                        None => (None, self.universal.blame(&counters, question, output, self.bound)),
                    };
                match answers.iter_mut().find(|(known, place)| *place == to && known.breaks == breaks) {
                    Some((known, _)) => known.outputs = &known.outputs | set,
                    None => answers.push((Foreseen { outputs: set.clone(), breaks }, to)),
                }
            }
            if open.len() > most {
                return None;
            }
            turns.push(Turn { input: self.letters.inputs.get(question)?.1, answers });
        }
        Some(turns)
    }

    /// The system answers.
    pub fn answer(&mut self, output: Letter) -> Play {
        let question = self.question();
        let class = self.letters.outputs.iter().position(|(set, _)| {
            let bits = self.letters.first_output;
            set.contains(|variable| variable.checked_sub(bits).is_some_and(|bit| output.get(bit)))
        });
        let class = class.unwrap_or(0);
        match Losses::follow(&self.arena(), &self.at.0, &self.at.1, question, class) {
            Some(next) => {
                self.at = next;
                Play::GoesOn
            }
            None => Play::Broken(self.universal.blame(&self.at.1, question, class, self.bound)),
        }
    }
}
