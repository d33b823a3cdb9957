//! The shortest way to the violation in a machine made of what was seen.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use super::candidates::{Candidates, Stop};
use super::seen::{Answer, ROOT, Seen};
use crate::rng::Rng;

/// A contradiction is given up after so many questions; halving needs far fewer.
const MOST_HALVINGS: usize = 100;

/// How many runs try to prove the machine wrong, besides one for each of its edges. Runs that were known before and that it
/// explains have tried that too.
const CHALLENGES: usize = 400;

/// Joins places that look alike to states, asks the system where two states could be meant, and tries the shortest
/// way to the violation, until there is none shorter than the best story.
///
/// States and edges are found as in L# (Vaandrager, Garhewal, Rot and Wissmann 2022): states are places known to
/// be apart; an edge leads to the one state from which its end is not known to be apart. Departures: only
/// states nearer than the violation are looked at; a question is continued by the end of the story, so
/// that it may become the answer; and where the machine explains all that was seen, it is challenged by words that
/// should violate the requirement, and by random ones.
pub(super) fn search(candidates: &mut Candidates<'_>) -> Result<(), Stop> {
    let mut model = Model::new(candidates);
    let mut rng = Rng::new(0);
    let mut before = None;
    while candidates.seen.is_sure() {
        // Without a new run or state nothing would change any more.
        let now = (candidates.allowance.runs, model.states.len(), candidates.best().len());
        if before.replace(now) == Some(now) {
            break;
        }
        model.explore(candidates)?;
        if let Some(place) = model.contradiction(&candidates.seen) {
            if !model.refine(candidates, place)? {
                break;
            }
            continue;
        }
        let shortest = model.ways(&candidates.seen);
        match shortest[0] {
            Some((len, _)) if len < candidates.best().len() => {
                let word = model.way_from(&candidates.seen, 0, &shortest);
                candidates.try_out(&candidates.seen.letters(&word))?;
            }
            _ if model.challenge(candidates, &shortest, &mut rng)? => {}
            _ => break,
        }
    }
    Ok(())
}

/// For each state how many steps there are to the violation, and the input that leads there.
type Ways = Vec<Option<(usize, u32)>>;

struct Model {
    /// The states: places that are pairwise apart. The first is where every run starts.
    states: Vec<u32>,
    number: FxHashMap<u32, u32>,
    letters: Vec<u32>,
    /// For each end of an edge, the states that it may be, and how many states have been considered.
    may_be: FxHashMap<u32, (Vec<u32>, u32)>,
    /// The length of the best story: from states too far for a shorter one, nothing is asked.
    reach: usize,
}

impl Model {
    fn new(candidates: &mut Candidates<'_>) -> Model {
        Model {
            states: vec![ROOT],
            number: FxHashMap::from_iter([(ROOT, 0)]),
            letters: candidates.letters(),
            may_be: FxHashMap::default(),
            reach: 0,
        }
    }

    /// Asks until every edge of a state that is near enough leads to exactly one state.
    fn explore(&mut self, candidates: &mut Candidates<'_>) -> Result<(), Stop> {
        loop {
            let known = self.states.len();
            let mut state = 0;
            while state < self.states.len() {
                let place = self.states[state];
                for at in 0..self.letters.len() {
                    self.reach = candidates.best().len();
                    if !self.is_near(&candidates.seen, place) {
                        break;
                    }
                    let letter = self.letters[at];
                    if candidates.seen.is_given_up(letter) {
                        continue;
                    }
                    if let Some(end) = self.edge(candidates, place, letter)? {
                        self.identify(candidates, end)?;
                    }
                    if !candidates.seen.is_sure() {
                        return Ok(());
                    }
                }
                state += 1;
            }
            if self.states.len() == known {
                return Ok(());
            }
        }
    }

    /// Whether an edge from a place could be part of a shorter story.
    fn is_near(&self, seen: &Seen, place: u32) -> bool {
        seen.depth(place) + 2 <= self.reach
    }

    /// Where a letter leads from a place, tried now if it was not; none where the run ends with it.
    fn edge(&self, candidates: &mut Candidates<'_>, place: u32, letter: u32) -> Result<Option<u32>, Stop> {
        if candidates.seen.next(place, letter).is_none() {
            let mut word = candidates.seen.word(place);
            word.push(letter);
            let mut word = candidates.seen.letters(&word);
            let story = candidates.word();
            word.extend_from_slice(story.get(word.len() + 1..).unwrap_or(&[]));
            candidates.try_out(&word)?;
        }
        let end = candidates.seen.next(place, letter);
        Ok(end.filter(|&end| matches!(candidates.seen.answer(end), Answer::Output(_))))
    }

    /// Asks until a place can be one state only; a new one where it can be none.
    fn identify(&mut self, candidates: &mut Candidates<'_>, place: u32) -> Result<(), Stop> {
        if self.number.contains_key(&place) {
            return Ok(());
        }
        loop {
            let may_be = self.filter(&candidates.seen, place);
            let before = may_be.len();
            let (one, other) = match *may_be {
                [] => {
                    self.number.insert(place, self.states.len() as u32);
                    self.states.push(place);
                    return Ok(());
                }
                [_] => return Ok(()),
                [one, .., other] => (one, other),
            };
            let [one, other] = [one, other].map(|state| self.states[state as usize]);
            let Some(witness) = candidates.seen.witness(one, other) else { return Ok(()) };
            let word = [candidates.seen.word(place), witness].concat();
            candidates.try_out(&candidates.seen.letters(&word))?;
            if !candidates.seen.is_sure() || self.filter(&candidates.seen, place).len() == before {
                return Ok(());
            }
        }
    }

    /// The states that a place may be.
    fn filter(&mut self, seen: &Seen, place: u32) -> &[u32] {
        let (may_be, considered) = self.may_be.entry(place).or_default();
        may_be.extend(*considered..self.states.len() as u32);
        *considered = self.states.len() as u32;
        may_be.retain(|&state| !seen.apart(self.states[state as usize], place));
        may_be
    }

    /// Where the edge of a state ends.
    fn end(&self, seen: &Seen, state: u32, letter: u32) -> Option<u32> {
        let place = self.states[state as usize];
        if self.is_near(seen, place) { seen.next(place, letter) } else { None }
    }

    /// The state where an edge of a state ends, as far as known.
    fn state_of(&self, end: u32) -> Option<u32> {
        let known = || self.may_be.get(&end).and_then(|(may_be, _)| may_be.first());
        self.number.get(&end).or_else(known).copied()
    }

    /// A place that was reached with an answer other than the machine's.
    fn contradiction(&self, seen: &Seen) -> Option<u32> {
        let mut open = vec![(ROOT, 0)];
        while let Some((place, state)) = open.pop() {
            for &(letter, next) in seen.children(place) {
                let Some(end) = self.end(seen, state, letter) else { continue };
                if seen.answer(next) != seen.answer(end) {
                    return Some(next);
                }
                if let (Answer::Output(_), Some(to)) = (seen.answer(end), self.state_of(end)) {
                    open.push((next, to));
                }
            }
        }
        None
    }

    /// Finds the edge that is to blame for a contradiction, by halving the way to it. False where there is none: the
    /// system did not answer as before.
    fn refine(&mut self, candidates: &mut Candidates<'_>, place: u32) -> Result<bool, Stop> {
        let mut word = candidates.seen.word(place);
        let mut rest = word.split_off(word.len() - 1);
        for _ in 0..MOST_HALVINGS {
            let seen = &candidates.seen;
            let Some(at) = seen.follow(ROOT, &word) else { return Ok(false) };
            if self.number.contains_key(&at) {
                return Ok(false);
            }
            if self.number.contains_key(&seen.parent(at)) {
                // The end of an edge: it is another state than it seemed.
                return Ok(self.may_be.get(&at).is_none_or(|(may_be, _)| {
                    may_be.iter().any(|&state| seen.apart(self.states[state as usize], at))
                }));
            }
            let Some(edge) = self.last_state(seen, &word) else { return Ok(false) };
            let half = (edge + 1 + word.len()) / 2;
            let Some(middle) = self.follow(seen, &word[..half]) else { return Ok(false) };
            let shorter = [&seen.word(self.states[middle as usize]), &word[half..]].concat();
            let question = [&shorter[..], &rest].concat();
            candidates.try_out(&candidates.seen.letters(&question))?;
            let Some(halfway) = candidates.seen.follow(ROOT, &word[..half]) else { return Ok(false) };
            match candidates.seen.witness(self.states[middle as usize], halfway) {
                Some(witness) => {
                    word.truncate(half);
                    rest = witness;
                }
                None => word = shorter,
            }
            if !candidates.seen.is_sure() {
                return Ok(false);
            }
        }
        Ok(false)
    }

    /// How long the word stays within the states.
    fn last_state(&self, seen: &Seen, word: &[u32]) -> Option<usize> {
        (0..word.len()).rev().find(|&len| {
            seen.follow(ROOT, &word[..len]).is_some_and(|place| self.number.contains_key(&place))
        })
    }

    /// The state after a word.
    fn follow(&self, seen: &Seen, word: &[u32]) -> Option<u32> {
        word.iter().try_fold(0, |state: u32, &letter| self.state_of(self.end(seen, state, letter)?))
    }

    /// The way to the violation from every state, backwards from the violation.
    fn ways(&self, seen: &Seen) -> Ways {
        let mut into: Vec<Vec<(u32, u32)>> = vec![Vec::new(); self.states.len()];
        let mut ways: Ways = vec![None; self.states.len()];
        let mut open = VecDeque::new();
        for (state, &place) in (0..).zip(&self.states) {
            if !self.is_near(seen, place) {
                continue;
            }
            for &(letter, end) in seen.children(place) {
                match (seen.answer(end), self.state_of(end)) {
                    (Answer::Violation(_), _) if ways[state as usize].is_none() => {
                        ways[state as usize] = Some((1, letter));
                        open.push_back(state);
                    }
                    (Answer::Output(_), Some(to)) => into[to as usize].push((state, letter)),
                    _ => {}
                }
            }
        }
        while let Some(to) = open.pop_front() {
            let Some((len, _)) = ways[to as usize] else { continue };
            for &(from, letter) in &into[to as usize] {
                if ways[from as usize].is_none() {
                    ways[from as usize] = Some((len + 1, letter));
                    open.push_back(from);
                }
            }
        }
        ways
    }

    /// The inputs from a state to the violation.
    fn way_from(&self, seen: &Seen, mut state: u32, ways: &Ways) -> Vec<u32> {
        let mut word = Vec::new();
        while let Some((left, letter)) = ways[state as usize] {
            word.push(letter);
            let end = self.end(seen, state, letter);
            match end.and_then(|end| self.state_of(end)) {
                Some(next) if left > 1 => state = next,
                _ => break,
            }
        }
        word
    }

    /// Tries words for which the machine predicts the violation, each edge on one of them, then random ones; true as
    /// soon as the system answers otherwise, or the story got shorter.
    fn challenge(&self, candidates: &mut Candidates<'_>, ways: &Ways, rng: &mut Rng) -> Result<bool, Stop> {
        let before = candidates.best().len();
        let mut tried = FxHashSet::default();
        let most = (self.states.len() * self.letters.len() + CHALLENGES).saturating_sub(candidates.observed);
        for state in 0..self.states.len() as u32 {
            for &letter in &self.letters {
                if tried.len() < most && self.ask(candidates, state, &[letter], ways, &mut tried)? {
                    return Ok(true);
                }
            }
        }
        for _ in 0..CHALLENGES.min(most.saturating_sub(tried.len())) {
            let state = rng.index(self.states.len()) as u32;
            let detour: Vec<u32> =
                (0..2 + rng.index(3)).filter_map(|_| rng.pick(&self.letters).copied()).collect();
            if self.ask(candidates, state, &detour, ways, &mut tried)? {
                return Ok(true);
            }
        }
        Ok(candidates.best().len() < before)
    }

    /// Sends the inputs to a state, a detour, and the way to the violation from where that should lead. True where
    /// something else comes of it.
    fn ask(
        &self,
        candidates: &mut Candidates<'_>,
        state: u32,
        detour: &[u32],
        ways: &Ways,
        tried: &mut FxHashSet<Vec<u32>>,
    ) -> Result<bool, Stop> {
        let mut word = candidates.seen.word(self.states[state as usize]);
        word.extend_from_slice(detour);
        let Some(after) = self.follow(&candidates.seen, &word) else { return Ok(false) };
        word.extend(self.way_from(&candidates.seen, after, ways));
        if !tried.insert(word.clone()) {
            return Ok(false);
        }
        candidates.try_out(&candidates.seen.letters(&word))?;
        Ok(!self.agrees(&candidates.seen, &word))
    }

    /// Whether what was seen of a word is what the machine says.
    fn agrees(&self, seen: &Seen, word: &[u32]) -> bool {
        let (mut place, mut state) = (ROOT, 0);
        for &letter in word {
            let (Some(next), Some(end)) = (seen.next(place, letter), self.end(seen, state, letter)) else {
                return true;
            };
            if seen.answer(next) != seen.answer(end) {
                return false;
            }
            match self.state_of(end) {
                Some(to) => (place, state) = (next, to),
                None => return true,
            }
        }
        true
    }
}
