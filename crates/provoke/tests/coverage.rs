//! Coverage against brute force: what can be covered, what can not, and that a tour covers it.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use provoke::campaign::{Campaign, Limits, Outcome};
use provoke::coverage::{Cover, Coverage};
use provoke::game::{Game, Guide, Next, State};
use provoke::letter::Letter;
use provoke::objective::CoverAll;
use provoke::rng::Rng;
use provoke::specification::{Guidance, Objective, STATE_LIMIT, Specification};
use provoke::strategy::{CATALOGUE, Needs, Options, find};
use provoke::system::{System, SystemError};
use provoke::trace::Step;

/// Where each of the four exchanges of `a` and `x` leads from each state: input first, then output.
type Table = Vec<[[Option<usize>; 2]; 2]>;

/// Random tables; in every state some exchange is allowed for each input, and the last one goes on to the next state.
fn tables(connected: bool) -> impl Strategy<Value = Table> {
    let row = |states: usize| {
        let to = || proptest::option::of(0..states);
        ((0..states), to(), (0..states), to()).prop_map(|(a, b, c, d)| [[Some(a), b], [Some(c), d]])
    };
    (2usize..7).prop_flat_map(move |states| {
        proptest::collection::vec(row(states), states).prop_map(move |mut table| {
            if connected {
                let next = |at: usize| (at + 1) % table.len();
                let ring: Vec<usize> = (0..table.len()).map(next).collect();
                table.iter_mut().zip(ring).for_each(|(row, to)| row[1][1] = Some(to));
            }
            table
        })
    })
}

fn hoa(table: &Table) -> String {
    let mut text = format!(
        "HOA: v1\nStates: {}\nStart: 0\nAP: 2 \"a\" \"x\"\ncontrollable-AP: 1\nacc-name: all\nAcceptance: 0 t\n--BODY--\n",
        table.len()
    );
    for (at, row) in table.iter().enumerate() {
        text += &format!("State: {at}\n");
        for (input, answers) in row.iter().enumerate() {
            for (output, to) in answers.iter().enumerate() {
                if let Some(to) = to {
                    let sign = |value: usize| if value == 1 { "" } else { "!" };
                    text += &format!("[{}0&{}1] {to}\n", sign(input), sign(output));
                }
            }
        }
    }
    text + "--END--\n"
}

/// The specification of one requirement, the automaton of a table.
fn specification(table: &Table) -> (tempfile::TempDir, Specification) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("r.hoa"), hoa(table)).unwrap();
    let text = "[signals]\ninputs = ['a']\noutputs = ['x']\n[[requirement]]\nid = 'R'\nautomaton = 'r.hoa'\n\
        [[objective]]\nid = 'states'\nrequirement = 'R'\ncover = 'states'\n\
        [[objective]]\nid = 'transitions'\nrequirement = 'R'\ncover = 'transitions'\n\
        [[objective]]\nid = 'classes'\nrequirement = 'R'\ncover = 'abstract-transitions'\n";
    let specification = Specification::from_text(&folder.path().join("spec.toml"), text).unwrap();
    (folder, specification)
}

fn reachable(table: &Table) -> BTreeSet<usize> {
    let mut known = BTreeSet::from([0]);
    loop {
        let next = known.iter().flat_map(|&at| table[at].iter().flatten().flatten().copied());
        let all: BTreeSet<usize> = known.iter().copied().chain(next).collect();
        if all == known {
            return known;
        }
        known = all;
    }
}

/// What brute force says is there: states, pairs of states, and states with inputs of different effect.
fn by_force(table: &Table, states: &BTreeSet<usize>) -> [usize; 3] {
    let pairs = |at: &usize| table[*at].iter().flatten().flatten().map(|to| (*at, *to)).collect::<Vec<_>>();
    let edges: BTreeSet<(usize, usize)> = states.iter().flat_map(pairs).collect();
    let classes = |at: &usize| if table[*at][0] == table[*at][1] { 1 } else { 2 };
    [states.len(), edges.len(), states.iter().map(classes).sum()]
}

/// Answers at random among what is allowed; a helpful one goes where something new is, or nearer to it.
struct Answering {
    game: Arc<dyn Game>,
    helps: Option<Arc<Coverage>>,
    at: State,
    rng: Rng,
}

impl System for Answering {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.at = self.game.initial();
        Ok(())
    }

    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        let allowed: Vec<Letter> = self.game.outputs(self.at, input).iter().collect();
        let to = |output: Letter| match self.game.next(self.at, input, output) {
            Next::To(to) => to,
            other => panic!("{other:?}"),
        };
        let output = match &self.helps {
            None => *self.rng.pick(&allowed).unwrap(),
            Some(coverage) => {
                let far = |output: &Letter| {
                    let new = coverage.would_cover(self.at, &Step { input, output: *output }, to(*output));
                    (!new, coverage.distance(to(*output)).unwrap_or(u32::MAX))
                };
                *allowed.iter().min_by_key(|output| far(output)).unwrap()
            }
        };
        self.at = to(output);
        Ok(output)
    }
}

fn tour(
    specification: &Specification,
    guidance: &Guidance,
    name: &str,
    helps: bool,
    limits: Limits,
) -> Outcome {
    let coverage = guidance.coverage.clone().unwrap();
    let mut all = CoverAll::new(coverage.clone());
    // With a system that helps, resets are out of the question.
    let reset_cost = if helps { 1 << 20 } else { 1 };
    let options = Options { idle: specification.idle, reset_cost, ..Options::default() };
    let mut strategy = (find(name).unwrap().build)(&options);
    let (game, helps) = (guidance.game.clone(), helps.then_some(coverage));
    // Another seed than the campaign: with the same one, inputs and answers would be drawn alike.
    let mut system = Answering { at: game.initial(), game, helps, rng: Rng::new(8) };
    Campaign::new(&mut all, specification.judge(), &mut system, &mut *strategy, limits, 7)
        .run(&mut ())
        .unwrap()
}

const LONG: Limits = Limits { runs: 20_000, steps: 200, grow: 0, total_steps: 40_000, time: None };

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// What is to be covered is what brute force reaches, what can not be is the rest, and a tour covers it all when the
    /// system answers whatever is allowed, sooner or later.
    #[test]
    fn all_that_can_be_reached_is_covered(table in tables(false)) {
        let (_folder, specification) = specification(&table);
        let reached = reachable(&table);
        let (there, everywhere) = (by_force(&table, &reached), by_force(&table, &(0..table.len()).collect()));
        for (at, objective) in specification.objectives.iter().enumerate() {
            let guidance = specification.guidance(Some(objective), STATE_LIMIT).unwrap();
            let before = guidance.coverage.clone().unwrap().found();
            prop_assert!(before.complete);
            prop_assert_eq!(before.elements, there[at]);
            prop_assert_eq!(before.cannot.len(), everywhere[at] - there[at]);
            let outcome = tour(&specification, &guidance, "tour", false, LONG);
            prop_assert!(outcome.objectives[0].covered.is_some(), "{:?}", guidance.coverage.unwrap().found());
            let after = guidance.coverage.unwrap().found();
            prop_assert_eq!((after.covered, after.never.len()), (there[at], 0));
        }
    }

    /// With a system that helps, each element costs at most as many steps as there are states.
    #[test]
    fn a_tour_with_help_is_short(table in tables(true)) {
        let (_folder, specification) = specification(&table);
        for objective in &specification.objectives {
            let guidance = specification.guidance(Some(objective), STATE_LIMIT).unwrap();
            let limits = Limits { runs: 1, steps: u32::MAX, grow: 0, total_steps: 100_000, time: None };
            let outcome = tour(&specification, &guidance, "tour", true, limits);
            prop_assert!(outcome.objectives[0].covered.is_some());
            let elements = guidance.coverage.unwrap().found().elements;
            prop_assert!(outcome.steps as usize <= elements * table.len(), "{} steps", outcome.steps);
        }
    }
}

#[test]
fn every_strategy_that_plays_any_game_covers_a_ring() {
    // Four states in a ring; `a` goes on, and `x` is answered or not as one likes.
    let ring = |at: usize| [[Some(at), Some(at)], [Some((at + 1) % 4), Some((at + 1) % 4)]];
    let table: Table = (0..4).map(ring).collect();
    let (_folder, specification) = specification(&table);
    for entry in CATALOGUE.iter().filter(|entry| entry.needs == Needs::Nothing) {
        let guidance = specification.guidance(Some(&specification.objectives[1]), STATE_LIMIT).unwrap();
        let outcome = tour(&specification, &guidance, entry.name, false, LONG);
        assert!(outcome.objectives[0].covered.is_some(), "{}", entry.name);
        assert_eq!(guidance.coverage.unwrap().found().covered, 8);
    }
}

fn program(text: &str) -> (tempfile::TempDir, Specification) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.model"), text).unwrap();
    let spec = "[[requirement]]\nid = 'P'\nprogram = 'p.model'\n";
    let specification = Specification::from_text(&folder.path().join("spec.toml"), spec).unwrap();
    (folder, specification)
}

#[test]
fn the_elements_of_a_program_are_counted() {
    let (_folder, counter) = program(
        "const MOST = 3\nvar k : 0..MOST = 0\ncontrollable Up(n in {1, 2})\n  when k + n <= MOST\n  k := k + n\n\
         observable Drop\n  when k > 0\n  k := 0\n",
    );
    // From 0 and 1 by one and by two, from 2 by one; and down from 1, 2 and 3.
    for (cover, elements) in [(Cover::States, 4), (Cover::Transitions, 8), (Cover::Labels, 3)] {
        let guidance = counter.guidance(Some(&Objective::cover(cover)), STATE_LIMIT).unwrap();
        let outcome = tour(&counter, &guidance, "tour", false, LONG);
        let found = guidance.coverage.unwrap().found();
        assert!(found.complete && outcome.objectives[0].covered.is_some(), "{found:?}");
        assert_eq!((found.elements, found.covered), (elements, elements), "{found:?}");
        assert!(found.cannot.is_empty());
    }
}

#[test]
fn a_program_without_end_is_covered_as_far_as_it_is_known() {
    let (_folder, counter) = program("var k : int = 0\ncontrollable Up\n  k := k + 1\n");
    let guidance = counter.guidance(Some(&Objective::cover(Cover::States)), STATE_LIMIT).unwrap();
    let limits = Limits { runs: 3, steps: 50, ..Limits::default() };
    let outcome = tour(&counter, &guidance, "tour", true, limits);
    let found = guidance.coverage.unwrap().found();
    assert!(!found.complete && outcome.objectives[0].covered.is_none());
    assert_eq!(found.covered, 51);
}

#[test]
fn a_word_that_nothing_is_covered_by_is_shown() {
    let text = "[signals]\ninputs = ['a']\noutputs = ['x']\n[[objective]]\nid = 'all'\ncover = 'sates'\n";
    let Err(error) = Specification::from_text(Path::new("spec.toml"), text) else { panic!() };
    assert_eq!(error.message(), "`sates` is nothing that can be covered");
    assert_eq!(error.help_text(), Some("did you mean `states`?"));
    assert_eq!(error.line_column(), Some((6, 9)));
}
