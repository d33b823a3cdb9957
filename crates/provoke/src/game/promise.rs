//! What the system was promised to happen some day, and the inputs that make it happen.

use std::sync::Arc;

use crate::automaton::{Automaton, Cubes, TranslationError};
use crate::bdd::Bdd;
use crate::letter::{Letter, LetterSet};
use crate::rng::Rng;
use crate::trace::Step;

/// How many steps a promise may be open before it is fulfilled, unless told otherwise.
pub const FAIRNESS: u32 = 20;

/// Assumptions that no finite run breaks, such as "again and again the door is opened": a tester that never opens it finds
/// nothing that counts. They are followed beside the game; once one has been open for so many steps in a row, only inputs
/// are sent that lead to where it is met, the shortest way.
///
/// A promise is a Büchi automaton, which may guess, and it is met where a guess is in an accepting state. Every guess is
/// followed with its age, the steps since it was met last. A guess is worth something as long as it can be met again in time, from
/// there on again, and so on; an input may be sent if a guess is left after it that is. So `G F (a & X b)` is not met
/// by `a` alone: the guess that `b` follows is lost without it, and the one that waits for another `a` has grown too old.
/// What the tester can force whatever is answered comes first, and where there is no such thing, what some answers allow. A tester that
/// always kept to what it can force would never send `a` where `G (a -> F x)` is promised, since only the system can keep that
/// afterwards; so there are runs that [dare](Promises::allows) to.
///
/// Usually there are no promises. The tables are shared between clones.
#[derive(Clone, Debug, Default)]
pub struct Promises {
    kept: Vec<Kept>,
    most: u32,
}

#[derive(Clone, Debug)]
struct Kept {
    rules: Arc<Rules>,
    /// Where it may be, and for how many steps it has been open if it is there. Empty once it is broken, when it asks for
    /// nothing more.
    guesses: Vec<(u32, u32)>,
    next: Vec<(u32, u32)>,
    /// Where it may be, and how often it was met on the way there since that is counted; empty where nothing is.
    met: Vec<(u32, u32)>,
}

#[derive(Debug)]
struct Rules {
    automaton: Cubes,
    /// By force, and with a helpful system.
    ways: [Ways; 2],
}

/// How promises are met from each state, again and again.
#[derive(Debug)]
struct Ways {
    /// How many steps that takes; the largest number where it cannot be done.
    steps: Vec<u32>,
    /// The most of these.
    longest: u32,
    /// For each state, and each number of steps up to the longest, the inputs that meet it or lead to where it takes no more.
    inputs: Vec<Vec<LetterSet>>,
}

impl Promises {
    /// Keeps these within so many steps, at least 1; each is a Büchi automaton with accepting states.
    pub fn new<'a>(
        automata: impl IntoIterator<Item = &'a Automaton>,
        most: u32,
    ) -> Result<Promises, TranslationError> {
        let kept = |automaton: &Automaton| {
            // What is too large fails here, before anything is made of it.
            let cubes = Cubes::new(automaton)?;
            let ways = [Ways::new(automaton, true), Ways::new(automaton, false)];
            let rules = Arc::new(Rules { automaton: cubes, ways });
            let kept = Kept { guesses: rules.start(), rules, next: Vec::new(), met: Vec::new() };
            automaton.space.bdds().checked(Ok(kept))
        };
        let kept = automata.into_iter().map(kept).collect::<Result<_, TranslationError>>()?;
        Ok(Promises { kept, most: most.max(1) })
    }

    /// Whether nothing was promised.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Back to the start of a run.
    pub fn reset(&mut self) {
        for kept in &mut self.kept {
            kept.guesses = kept.rules.start();
            kept.met.clear();
        }
    }

    /// Follows one exchange.
    pub fn follow(&mut self, step: &Step) {
        self.kept.iter_mut().for_each(|kept| kept.follow(step));
    }

    /// Whether every promise can be kept in time after sending this, where each may wait for so many steps longer. Who dares may leave
    /// it to the system to keep one that is not late.
    pub fn allows(&self, input: Letter, longer: u32, dares: bool) -> bool {
        self.kept.iter().all(|kept| {
            kept.allows(input, self.most + longer) || dares && kept.may_be_kept(input, self.most + longer)
        })
    }

    /// Whether the tester could have kept a promise by itself, and cannot any more: it is in the hands of the system.
    pub fn are_lent(&self) -> bool {
        self.kept.iter().any(Kept::is_lent)
    }

    /// From now on it is counted how often each promise is met.
    pub fn count_meetings(&mut self) {
        for kept in &mut self.kept {
            kept.met = kept.guesses.iter().map(|&(at, _)| (at, 0)).collect();
        }
    }

    /// How often what is in the hands of the system must still be met until it was met so many times since that is counted, in each
    /// of the places where it can be met. Nothing where nothing is in its hands any more.
    ///
    /// One guess is counted, and not whether some guess was met: who guesses anew at each step what is to stay so for ever is right
    /// at each of them and never for good. Whoever is in the same state of the system and of the automaton twice, and met it in
    /// between, can go on like that for ever.
    pub fn meetings_left(&self, times: u32) -> u64 {
        self.kept.iter().map(|kept| kept.meetings_left(times)).sum()
    }

    /// Whether one of them is broken: whatever comes, it is not kept in this run.
    pub fn are_broken(&self) -> bool {
        self.kept.iter().any(|kept| kept.guesses.is_empty())
    }

    /// An input after which promises can be kept, the one that has waited longest first and as many as can be had at once;
    /// only if it may be sent.
    pub fn input(&self, rng: &mut Rng, may_send: impl Fn(Letter) -> bool) -> Option<Letter> {
        const TRIES: usize = 64;
        let first = self.kept.iter().max_by_key(|kept| kept.age())?;
        let inputs: Vec<&LetterSet> = first.duty(self.most).collect();
        let drawn: Vec<Letter> = (0..TRIES)
            .filter_map(|_| rng.pick(&inputs)?.sample(rng))
            .filter(|&input| may_send(input))
            .collect();
        let met = |input: Letter| self.kept.iter().filter(|kept| kept.allows(input, self.most)).count();
        drawn.into_iter().max_by_key(|&input| met(input))
    }
}

impl Rules {
    fn start(&self) -> Vec<(u32, u32)> {
        self.automaton.start().into_iter().map(|at| (at, 0)).collect()
    }

    /// Where one may be after an exchange, with a number for each place: what it is after a step, and which of two is kept.
    fn follow(
        &self,
        places: &mut Vec<(u32, u32)>,
        next: &mut Vec<(u32, u32)>,
        step: &Step,
        after: impl Fn(u32, bool) -> u32,
        better: impl Fn(u32, u32) -> u32,
    ) {
        next.clear();
        for &(at, number) in places.iter() {
            for (_, edge) in self.automaton.edges_of(at).filter(|(_, edge)| edge.takes(step)) {
                let number = after(number, self.automaton.states[edge.to as usize].accepting);
                match next.iter_mut().find(|(known, _)| *known == edge.to) {
                    Some((_, known)) => *known = better(*known, number),
                    None => next.push((edge.to, number)),
                }
            }
        }
        std::mem::swap(places, next);
    }
}

impl Kept {
    /// For how many steps it has been open at least.
    fn age(&self) -> u32 {
        self.guesses.iter().map(|&(_, age)| age).min().unwrap_or(0)
    }

    fn follow(&mut self, step: &Step) {
        let Kept { rules, guesses, next, met } = self;
        rules.follow(
            guesses,
            next,
            step,
            |age, is_met| if is_met { 0 } else { age.saturating_add(1) },
            u32::min,
        );
        if !met.is_empty() {
            rules.follow(met, next, step, |times, is_met| times.saturating_add(u32::from(is_met)), u32::max);
        }
    }

    fn meetings_left(&self, times: u32) -> u64 {
        if !self.is_lent() {
            return 0;
        }
        let places = self.rules.automaton.states.iter().filter(|state| state.accepting).count() as u64;
        let met = self.met.iter().map(|&(_, met)| u64::from(met)).max().unwrap_or(0);
        (u64::from(times) * places + 1).saturating_sub(met)
    }

    /// The inputs after which a guess is left that can be met in time, for each guess. None where nothing can be done.
    fn duty(&self, most: u32) -> impl Iterator<Item = &LetterSet> {
        let can = |ways: &&Ways| self.guesses.iter().any(|&(at, _)| ways.steps[at as usize] != u32::MAX);
        let ways = self.rules.ways.iter().find(can);
        // Where all are late, each is due.
        let in_time = ways.map(|ways| {
            let limit = most.saturating_add(ways.longest);
            let is = |&(at, age): &(u32, u32)| age.saturating_add(ways.steps[at as usize]) <= limit;
            (ways, limit, self.guesses.iter().any(is))
        });
        self.guesses.iter().filter_map(move |&(at, age)| {
            let (ways, limit, some_in_time) = in_time?;
            let steps = ways.steps[at as usize];
            let left = match age.saturating_add(steps) <= limit {
                true => limit - age - 1,
                false if some_in_time || steps == u32::MAX => return None,
                false => steps - 1,
            };
            ways.inputs[at as usize].get(left.min(ways.longest) as usize)
        })
    }

    fn is_lent(&self) -> bool {
        let [forced, _] = &self.rules.ways;
        let can = |&(at, _): &(u32, u32)| forced.steps[at as usize] != u32::MAX;
        self.rules.start().iter().any(can) && !self.guesses.is_empty() && !self.guesses.iter().any(can)
    }

    /// Whether nothing is late yet, and some answers to this leave it possible that the promise is kept.
    fn may_be_kept(&self, input: Letter, most: u32) -> bool {
        let [_, helped] = &self.rules.ways;
        let mut early = self.guesses.iter().filter(|(_, age)| *age < most);
        early.any(|&(at, _)| helped.inputs[at as usize].last().is_some_and(|inputs| inputs.contains(input)))
    }

    fn allows(&self, input: Letter, most: u32) -> bool {
        let mut duty = self.duty(most).peekable();
        duty.peek().is_none() || duty.any(|inputs| inputs.contains(input))
    }
}

impl Ways {
    fn new(automaton: &Automaton, by_force: bool) -> Ways {
        let count = automaton.states.len();
        let mut lasts = vec![true; count];
        // Whoever meets it must be able to meet it again: what cannot falls away until nothing more does.
        let steps = loop {
            let steps = met_in(automaton, &lasts, by_force);
            let still: Vec<bool> = steps.iter().map(|&steps| steps != u32::MAX).collect();
            if still == lasts {
                break steps;
            }
            lasts = still;
        };
        let longest = steps.iter().copied().filter(|&steps| steps != u32::MAX).max().unwrap_or(0);
        let inputs = |at: usize| {
            let within = |most: u32| {
                let is_goal = |to: usize| lasts[to] && (accepts(automaton, to) || steps[to] <= most);
                automaton.space.input_letters(&leading(automaton, at, is_goal, by_force))
            };
            if lasts[at] { (0..=longest).map(within).collect() } else { Vec::new() }
        };
        Ways { inputs: (0..count).map(inputs).collect(), steps, longest }
    }
}

fn accepts(automaton: &Automaton, at: usize) -> bool {
    automaton.states[at].marks != 0
}

/// For each of these states, how many steps it takes to an accepting one of them, at least 1.
fn met_in(automaton: &Automaton, among: &[bool], by_force: bool) -> Vec<u32> {
    let mut steps = vec![u32::MAX; among.len()];
    for round in 1.. {
        let is_goal = |to: usize| among[to] && (accepts(automaton, to) || steps[to] != u32::MAX);
        let is_new = |at: &usize| {
            among[*at] && steps[*at] == u32::MAX && !leading(automaton, *at, is_goal, by_force).is_none()
        };
        let new: Vec<usize> = (0..among.len()).filter(is_new).collect();
        if new.is_empty() {
            break;
        }
        new.into_iter().for_each(|at| steps[at] = round);
    }
    steps
}

/// The inputs with which every answer, or some answer, may lead from a state to one that is wanted.
fn leading(automaton: &Automaton, at: usize, is_goal: impl Fn(usize) -> bool, by_force: bool) -> Bdd {
    let space = &automaton.space;
    let edges = automaton.states[at].edges.iter().filter(|edge| is_goal(edge.to as usize));
    let led = edges.fold(space.bdds().none(), |sum, edge| &sum | &edge.guard);
    let led = &led & &space.exchanges();
    let some = space.some_output(&led);
    match by_force {
        true => &some - &space.some_output(&(&space.exchanges() - &led)),
        false => some,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::automaton::{buchi, conjunction};
    use crate::bdd::Space;
    use crate::letter::Interface;
    use crate::ltl::parse;

    fn promises(formula: &str, most: u32) -> Promises {
        let space = Arc::new(Space::new(Interface::signals(["a", "b"], ["x"]).unwrap()));
        let accepts = buchi(&parse(formula).unwrap().formula, &space).unwrap();
        let accepts = conjunction(&space, &[&accepts], 1_000).unwrap();
        Promises::new([&accepts], most).unwrap()
    }

    fn step(input: u64, output: u64) -> Step {
        Step { input: Letter::from_index(input), output: Letter::from_index(output) }
    }

    #[test]
    fn what_waits_too_long_is_due_until_it_is_done() {
        let mut promises = promises("G F (a & b)", 3);
        let allowed = |promises: &Promises| -> Vec<u64> {
            (0..4).filter(|&input| promises.allows(Letter::from_index(input), 0, false)).collect()
        };
        for _ in 0..3 {
            assert_eq!(allowed(&promises), [0, 1, 2, 3]);
            promises.follow(&step(1, 0));
        }
        assert_eq!(allowed(&promises), [3], "a and b after three steps without");
        assert_eq!(promises.input(&mut Rng::new(1), |_| true), Some(Letter::from_index(3)));
        promises.follow(&step(3, 0));
        assert_eq!(allowed(&promises), [0, 1, 2, 3]);
    }

    #[test]
    fn what_only_the_system_can_do_is_not_asked_of_the_tester() {
        let mut promises = promises("G F x", 1);
        (0..5).for_each(|_| promises.follow(&step(0, 0)));
        assert!(
            (0..4).all(|input| promises.allows(Letter::from_index(input), 0, false)),
            "any input may be answered by x"
        );
    }

    #[test]
    fn what_the_system_must_keep_then_is_left_to_it_by_who_dares() {
        let mut promises = promises("G (a -> F x)", 3);
        let allowed = |promises: &Promises, dares: bool| -> Vec<u64> {
            (0..4).filter(|&input| promises.allows(Letter::from_index(input), 0, dares)).collect()
        };
        assert_eq!(allowed(&promises, false), [0, 2], "it can be forced without `a` alone");
        assert_eq!(allowed(&promises, true), [0, 1, 2, 3]);
        promises.follow(&step(1, 0));
        // From now on only the system can do anything.
        assert_eq!(allowed(&promises, false), [0, 1, 2, 3]);
        assert!(promises.are_lent());
        promises.follow(&step(0, 1));
        assert!(!promises.are_lent() && !self::promises("G F x", 3).are_lent(), "that was never its own");
        // What the tester can keep by itself is due for who dares, too.
        let mut promises = self::promises("G F b", 3);
        (0..3).for_each(|_| promises.follow(&step(1, 0)));
        assert_eq!(allowed(&promises, true), [2, 3]);
    }

    #[test]
    fn one_guess_is_met_over_and_over() {
        let mut promises = promises("G (a -> X F x)", 3);
        promises.follow(&step(1, 0));
        promises.count_meetings();
        let left = promises.meetings_left(2);
        assert!(left > 2, "nothing was met");
        (0..5).for_each(|_| promises.follow(&step(0, 0)));
        assert_eq!(promises.meetings_left(2), left);
        // Every step keeps it and makes it anew.
        (0..4 * left).for_each(|_| promises.follow(&step(1, 1)));
        assert!(promises.are_lent() && !promises.are_broken());
        assert_eq!(promises.meetings_left(2), 0);
    }

    /// What is sent in so many steps by somebody who picks inputs that keep the promise away, as long as they may be sent.
    fn kept(formula: &str, most: u32, picks: &[u64], steps: usize) -> Vec<u64> {
        let mut promises = promises(formula, most);
        let mut rng = Rng::new(7);
        let mut sent = Vec::new();
        for at in 0..steps {
            let picked = Letter::from_index(picks[at % picks.len()]);
            let input = match promises.allows(picked, 0, false) {
                true => picked,
                false => promises.input(&mut rng, |_| true).unwrap(),
            };
            sent.push(input.index());
            // The system answers by chance.
            promises.follow(&Step { input, output: Letter::from_index(rng.below(2)) });
        }
        sent
    }

    /// The longest stretch in which no piece of the run is wanted.
    fn longest_wait(sent: &[u64], is_wanted: impl Fn(&[u64]) -> bool) -> usize {
        let met: Vec<usize> = (0..sent.len()).filter(|&at| is_wanted(&sent[at..])).collect();
        let ends = met.iter().copied().chain([sent.len()]);
        let begins = std::iter::once(0).chain(met.iter().map(|at| at + 1));
        begins.zip(ends).map(|(begin, end)| end.saturating_sub(begin)).max().unwrap()
    }

    #[test]
    fn promises_over_several_steps_are_kept_whatever_is_picked() {
        let (a, b) = (1, 2);
        let then = |letters: &'static [u64]| {
            move |rest: &[u64]| {
                rest.len() >= letters.len()
                    && rest.iter().zip(letters).all(|(sent, want)| sent & want == *want)
            }
        };
        // `a` alone again and again, then nothing: never `b` after `a`, unless it is kept.
        for picks in [&[0][..], &[a], &[a, 0], &[b, a], &[a, a, 0, b]] {
            for most in [1, 3, 10] {
                let sent = kept("G F (a & X b)", most, picks, 200);
                let wait = longest_wait(&sent, then(&[1, 2]));
                assert!(wait <= most as usize + 2, "{picks:?} within {most}: waits {wait}");
                let sent = kept("G F (a & X (b & X (a & b)))", most, picks, 200);
                let wait = longest_wait(&sent, then(&[1, 2, 3]));
                assert!(wait <= most as usize + 4, "{picks:?} within {most}: waits {wait}");
            }
        }
        assert!(longest_wait(&[a, 0, a, 0], then(&[1, 2])) == 4, "the oracle tells");
    }

    #[test]
    fn what_is_to_stay_stays_and_one_of_two_promises_is_enough() {
        // From some step on for ever: not only now and then.
        let sent = kept("F G a", 5, &[0], 100);
        assert!(sent[10..].iter().all(|input| input & 1 == 1), "{sent:?}");
        // Whoever picks `b` for ever keeps this without anybody's help.
        assert_eq!(kept("(G F a) | (F G b)", 5, &[2], 50), vec![2; 50]);
        let sent = kept("(G F a) | (F G b)", 5, &[0], 100);
        let keeps = |rest: &[u64]| rest[0] & 1 == 1 || rest[0] & 2 == 2;
        assert!(longest_wait(&sent, keeps) <= 7, "{sent:?}");
    }

    #[test]
    fn two_promises_are_kept_together() {
        let sent = kept("(G F (a & X !a)) & (G F (!a & !b & X b))", 4, &[1], 200);
        let down = |rest: &[u64]| rest.len() > 1 && rest[0] & 1 == 1 && rest[1] & 1 == 0;
        let up = |rest: &[u64]| rest.len() > 1 && rest[0] == 0 && rest[1] & 2 == 2;
        assert!(longest_wait(&sent, down) <= 20 && longest_wait(&sent, up) <= 20, "{sent:?}");
    }
}
