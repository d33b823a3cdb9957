//! One word over and over: whether the system answers as something deterministic would.

use rustc_hash::FxHashMap;

use crate::learn::Contradiction;
use crate::letter::Letter;

/// The answers to a word; none where an input could not be sent.
pub(super) type Answers = Vec<Option<Letter>>;

/// A word after which it was seen that the system answers in two ways, from as far back as it was homed.
#[derive(Clone, Debug)]
pub(super) struct Suspect {
    pub(super) word: Vec<Letter>,
    pub(super) found: Contradiction,
}

/// Words that may show that the system is not deterministic, and what it cost to look.
///
/// Without resets, one word that was answered in two ways shows nothing: the homing word may have led to two states. But whatever
/// is deterministic and has *n* states goes round within *n* repetitions of any word, wherever it begins. So such a word is sent over
/// and over: where its answers do not go round in any of many lengths, and do not by far, they are chance.
#[derive(Clone, Debug, Default)]
pub(super) struct Suspects {
    waiting: Vec<Suspect>,
    spent: u64,
}

/// At most so many words wait, the shortest of them.
const MOST_WAITING: usize = 16;
/// No more than one of so many steps are spent on this, and one of so many of those on one word, as long as it looks harmless.
const SHARE: u64 = 4;
const PART: u64 = 8;
/// A word is sent at least so often, and at most so often, before its answers are looked at.
const FEW: usize = 64;
const MOST: usize = 1 << 14;
/// So often it is sent before anything is said of the system.
const CERTAIN: usize = 4_096;
/// In so many places answers must differ from those a round before for it to be sent more often, and for something to be said.
const SOME: usize = 4;
const MANY: usize = 16;

impl Suspects {
    /// One more.
    pub(super) fn add(&mut self, suspect: Suspect) {
        self.waiting.push(suspect);
        self.waiting.sort_by_key(|suspect| suspect.word.len());
        self.waiting.truncate(MOST_WAITING);
    }

    /// The shortest of them, once so many steps were taken that it may be looked into.
    pub(super) fn next(&mut self, steps: u64) -> Option<Repetition> {
        let budget = (steps / SHARE).saturating_sub(self.spent);
        let length = self.waiting.first()?.word.len();
        if length == 0 || budget < (FEW * length) as u64 {
            return None;
        }
        let times = (budget / PART) as usize / length;
        Some(Repetition::new(self.waiting.remove(0), times.clamp(FEW, MOST)))
    }

    /// It took one step.
    pub(super) fn spend(&mut self) {
        self.spent += 1;
    }
}

/// A word that is sent over and over.
#[derive(Clone, Debug)]
pub(super) struct Repetition {
    suspect: Suspect,
    answers: Answers,
    /// What came of each time, by number.
    times: Vec<u32>,
    numbers: FxHashMap<Answers, u32>,
    /// After how many times it is looked at.
    enough: usize,
}

/// What comes of it.
pub(super) enum Ruling {
    /// It goes on with this input.
    Send(Letter),
    /// Its answers may well be those of something deterministic.
    Harmless,
    /// They are not.
    Chance(Contradiction),
}

impl Repetition {
    fn new(suspect: Suspect, enough: usize) -> Repetition {
        Repetition {
            suspect,
            answers: Answers::new(),
            times: Vec::new(),
            numbers: FxHashMap::default(),
            enough,
        }
    }

    /// The next input, of those that may be sent, or what was found.
    pub(super) fn next(&mut self, may_send: impl Fn(Letter) -> bool) -> Ruling {
        loop {
            while let Some(&input) = self.suspect.word.get(self.answers.len()) {
                if may_send(input) {
                    return Ruling::Send(input);
                }
                self.answers.push(None);
            }
            let answers = std::mem::take(&mut self.answers);
            if answers.iter().all(Option::is_none) {
                return Ruling::Harmless;
            }
            let fresh = self.numbers.len() as u32;
            self.times.push(*self.numbers.entry(answers).or_insert(fresh));
            if self.times.len() < self.enough {
                continue;
            }
            let is_last = self.times.len() >= CERTAIN;
            if !is_irregular(&self.times, if is_last { MANY } else { SOME }) {
                return Ruling::Harmless;
            }
            if is_last {
                return Ruling::Chance(Contradiction { confirmed: true, ..self.suspect.found.clone() });
            }
            self.enough = (2 * self.enough).min(CERTAIN);
        }
    }

    /// What the system answered.
    pub(super) fn saw(&mut self, output: Letter) {
        self.answers.push(Some(output));
    }
}

/// Whether the second half does not go round in any length up to half of its own, in so many places at least.
fn is_irregular(times: &[u32], places: usize) -> bool {
    let late = &times[times.len() / 2..];
    let differs_often = |round: usize| {
        let pairs = late.iter().zip(&late[round..]);
        pairs.filter(|(one, other)| one != other).nth(places - 1).is_some()
    };
    (1..=late.len() / 2).all(differs_often)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn only_chance_is_irregular() {
        let regular: [fn(u32) -> bool; 3] = [
            |time| time % 1_023 == 0,
            |time| [7, 11, 13].iter().any(|round| time % round == 0),
            |time| time == 3_000,
        ];
        for answer in regular {
            let times: Vec<u32> = (0..CERTAIN as u32).map(|time| u32::from(answer(time))).collect();
            assert!(!is_irregular(&times, MANY), "the second goes round in 1,001; once is nothing");
        }
        let mut rng = Rng::new(0);
        for (times, chance, places) in [(4 * FEW, 0.5, SOME), (CERTAIN, 0.5, MANY), (CERTAIN, 0.02, MANY)] {
            let coin: Vec<u32> = (0..times).map(|_| u32::from(rng.chance(chance))).collect();
            assert!(is_irregular(&coin, places));
        }
    }

    #[test]
    fn what_may_not_be_sent_is_left_out() {
        let letters: Vec<Letter> = (0..2).map(Letter::from_index).collect();
        let found = Contradiction { first: Vec::new(), second: Vec::new(), confirmed: false };
        let mut suspects = Suspects::default();
        suspects.add(Suspect { word: letters.clone(), found });
        assert!(suspects.next(511).is_none(), "too few steps were taken");
        let mut repetition = suspects.next(512).unwrap();
        for _ in 0..FEW {
            let Ruling::Send(input) = repetition.next(|input| input == letters[1]) else { panic!() };
            assert_eq!(input, letters[1]);
            repetition.saw(letters[0]);
        }
        assert!(matches!(repetition.next(|_| true), Ruling::Harmless));
        assert!(suspects.next(512).is_none(), "each is looked into once");
    }
}
