//! Model programs against the definitions: random small models, followed as sets of states by hand.

#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use proptest::prelude::*;
use provoke::action::{Direction, ModelProgram, Stepper, Survey};
use provoke::game::unfolded::Unfolded;
use provoke::game::{Game, Next, State};
use provoke::letter::{Conflict, Letter};
use provoke::monitor::Verdict;
use provoke::specification::Specification;
use provoke::system::{Modelled, Protocol, System};
use provoke::trace::Step;

const STATES: u8 = 4;
const ACTIONS: [(&str, Direction); 4] = [
    ("In(0)", Direction::Controllable),
    ("In(1)", Direction::Controllable),
    ("Out(0)", Direction::Observable),
    ("Out(1)", Direction::Observable),
];

/// Where each action leads from each state; nowhere where it is not enabled.
#[derive(Clone, Debug)]
struct Small {
    initial: Vec<u8>,
    leads: Vec<[BTreeSet<u8>; 4]>,
}

impl ModelProgram for Small {
    type State = u8;
    type Action = usize;

    fn symbols(&self) -> Vec<(String, Direction)> {
        vec![("In".into(), Direction::Controllable), ("Out".into(), Direction::Observable)]
    }

    fn initial(&self) -> u8 {
        self.initial[0]
    }

    fn initials(&self) -> Vec<u8> {
        self.initial.clone()
    }

    fn enabled(&self, direction: Direction, &state: &u8, actions: &mut Vec<usize>) {
        let is_enabled =
            |at: &usize| ACTIONS[*at].1 == direction && !self.leads[usize::from(state)][*at].is_empty();
        actions.extend((0..4).filter(is_enabled));
    }

    fn step(&self, &state: &u8, &action: &usize) -> Option<u8> {
        self.leads[usize::from(state)][action].first().copied()
    }

    fn steps(&self, &state: &u8, &action: &usize, to: &mut Vec<u8>) -> bool {
        to.extend(&self.leads[usize::from(state)][action]);
        !self.leads[usize::from(state)][action].is_empty()
    }

    fn may_reset(&self, &state: &u8) -> bool {
        state != 3
    }

    fn restricts_reset(&self) -> bool {
        true
    }

    fn show(&self, &action: &usize) -> String {
        ACTIONS[action].0.to_owned()
    }

    fn read(&self, text: &str) -> Option<usize> {
        ACTIONS.iter().position(|(name, _)| *name == text)
    }
}

fn small() -> impl Strategy<Value = Small> {
    let targets = prop_oneof![
        3 => Just(BTreeSet::new()),
        4 => (0..STATES).prop_map(|to| BTreeSet::from([to])),
        2 => proptest::collection::btree_set(0..STATES, 2..3),
    ];
    let row = proptest::array::uniform4(targets);
    let initial = proptest::collection::btree_set(0..STATES, 1..3);
    (initial, proptest::collection::vec(row, usize::from(STATES)))
        .prop_map(|(initial, leads)| Small { initial: initial.into_iter().collect(), leads })
}

/// What is said of a run by the definition.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    MayBe(BTreeSet<u8>),
    Violated,
    Nothing,
}

/// Alternating refinement, set by set: `sent` and `said` are actions, nothing for waiting and for silence.
fn follow(
    model: &Small,
    from: &BTreeSet<u8>,
    sent: Option<usize>,
    said: Option<usize>,
    refused: bool,
    conflict: Conflict,
) -> Said {
    let leads = |state: u8, action: usize| &model.leads[usize::from(state)][action];
    let enabled = |state: u8, action: usize| !leads(state, action).is_empty();
    let through = |from: &BTreeSet<u8>, action: usize| {
        from.iter().flat_map(|&state| leads(state, action).clone()).collect()
    };
    let may_be = |to: BTreeSet<u8>| if to.is_empty() { Said::Violated } else { Said::MayBe(to) };
    if refused {
        let refuses = |state: &u8| sent.is_some_and(|action| !enabled(*state, action));
        return may_be(from.iter().copied().filter(refuses).collect());
    }
    let all_take = |action: usize| from.iter().all(|&state| enabled(state, action));
    match (sent, said, conflict) {
        (None, None, _) => Said::MayBe(from.clone()),
        (None, Some(said), _) | (Some(_), Some(said), Conflict::Output) => may_be(through(from, said)),
        (Some(sent), _, _) if !all_take(sent) => Said::Nothing,
        (Some(sent), None, _) | (Some(sent), Some(_), Conflict::Input) => may_be(through(from, sent)),
        (Some(sent), Some(said), Conflict::Fair) => {
            let either: BTreeSet<u8> = through(from, sent);
            may_be(either.union(&through(from, said)).copied().collect())
        }
        (Some(sent), Some(said), Conflict::Answer) => may_be(through(&through(from, sent), said)),
    }
}

const CONFLICTS: [Conflict; 4] = [Conflict::Output, Conflict::Input, Conflict::Fair, Conflict::Answer];

fn specification(model: &Small, conflict: Conflict) -> Specification {
    let protocol = Protocol { refusal: Some("no".into()), conflict, ..Protocol::default() };
    Specification::of_model("small", model.clone(), protocol).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn monitors_and_games_follow_the_definition(
        model in small(),
        conflict in 0usize..4,
        words in proptest::collection::vec((0usize..3, 0usize..4), 1..25),
        room in prop_oneof![Just(1usize), Just(1 << 10)],
    ) {
        let conflict = CONFLICTS[conflict];
        let specification = specification(&model, conflict);
        let (interface, idle) = (specification.interface(), specification.idle.unwrap());
        let letter = |at: usize| match ACTIONS[at] {
            (name, Direction::Controllable) => interface.inputs.label(name).unwrap(),
            (name, Direction::Observable) => interface.outputs.label(name).unwrap(),
        };
        let game = Unfolded::new(interface, idle, conflict, room).program(Arc::new(model.clone()));
        let mut monitors = specification.monitors();
        let mut stand = Said::MayBe(model.initial.iter().copied().collect());
        let mut at = Some(game.initial());
        let mut numbers: BTreeMap<State, BTreeSet<u8>> = BTreeMap::new();
        for (sent, said) in words {
            let sent = (sent < 2).then_some(sent);
            let (said, refused) = match said { 0 => (None, false), 1 => (None, true), said => (Some(said), false) };
            let output = match (said, refused) {
                (_, true) => idle.refusal.unwrap(),
                (Some(said), _) => letter(said),
                (None, _) => idle.quiet,
            };
            let step = Step { input: sent.map_or(idle.wait, letter), output };
            let Said::MayBe(from) = stand.clone() else { break };
            if let Some(at) = at {
                // The tester may do what every state enables; silence is no action, and neither is waiting.
                let all = |action: &usize| from.iter().all(|&state| !model.leads[usize::from(state)][*action].is_empty());
                let mut expected: BTreeSet<Letter> = (0..2).filter(all).map(letter).collect();
                expected.insert(idle.wait);
                prop_assert_eq!(game.inputs(at).iter().collect::<BTreeSet<_>>(), expected);
                let some = |action: &usize| from.iter().any(|&state| !model.leads[usize::from(state)][*action].is_empty());
                prop_assert_eq!(game.expects_output(at), (2..4).any(|action| some(&action)));
                prop_assert_eq!(game.may_reset(at), !from.contains(&3));
                if !at.is_passing() {
                    prop_assert_eq!(numbers.entry(at).or_insert_with(|| from.clone()), &from, "one number for two");
                }
            }
            // Silence after an input is an answer as well where answers are expected, and a model lets it be.
            stand = follow(&model, &from, sent, said, refused, conflict);
            let violated = monitors.violates(&step);
            prop_assert_eq!(violated, stand == Said::Violated, "{:?}", step);
            let verdict = if violated { Verdict::Violated } else { Verdict::SoFarGood };
            prop_assert_eq!(monitors.verdict(provoke::trace::RequirementNumber(0)), verdict);
            let next = at.map(|at| game.next(at, step.input, step.output));
            match (&stand, next) {
                (Said::MayBe(_), Some(Next::To(next))) => at = Some(next),
                (Said::Violated, Some(Next::Violates(_))) | (Said::Nothing, Some(Next::Unfair)) => at = None,
                (stand, next) => prop_assert!(false, "{stand:?} {next:?}"),
            }
        }
    }

    #[test]
    fn a_system_that_does_what_the_model_says_is_never_convicted(model in small(), seed in 0u64..1000, choices in proptest::collection::vec(0usize..3, 1..60)) {
        let specification = specification(&model, Conflict::Output);
        let (interface, idle) = (specification.interface(), specification.idle.unwrap());
        let mut system = Modelled::new(Arc::new(model.clone()), interface, idle, seed);
        let mut monitors = specification.monitors();
        system.reset().unwrap();
        for choice in choices {
            let input = match choice { 2 => idle.wait, at => interface.inputs.label(ACTIONS[at].0).unwrap() };
            let step = system.exchange(input).unwrap();
            prop_assert!(!monitors.violates(&step));
        }
    }

    #[test]
    fn a_survey_of_all_states_knows_what_is_never_enabled(model in small()) {
        let survey = Survey::of(&model, 10_000);
        let mut reached: BTreeSet<u8> = model.initial.iter().copied().collect();
        loop {
            let more: BTreeSet<u8> = reached.iter().flat_map(|&at| model.leads[usize::from(at)].iter().flatten().copied()).collect();
            if more.is_subset(&reached) {
                break;
            }
            reached.extend(more);
        }
        let enabled = |actions: std::ops::Range<usize>| reached.iter().any(|&at| actions.clone().any(|action| !model.leads[usize::from(at)][action].is_empty()));
        let mut never = Vec::new();
        if !enabled(0..2) { never.push("In".to_owned()); }
        if !enabled(2..4) { never.push("Out".to_owned()); }
        prop_assert!(survey.complete);
        prop_assert_eq!((survey.states, survey.never_enabled), (reached.len(), never));
    }
}

#[test]
fn a_stepper_walks_and_refuses_what_is_not_enabled() {
    let mut leads = vec![<[BTreeSet<u8>; 4]>::default(); 4];
    leads[0][0] = BTreeSet::from([1]);
    leads[1][2] = BTreeSet::from([3]);
    let model = Small { initial: vec![0], leads };
    let mut stepper = Stepper::new(&model);
    assert_eq!((stepper.enabled_controllables(), stepper.enabled_observables()), (vec![0], vec![]));
    assert!(!stepper.do_step(&1) && stepper.do_step(&0));
    assert!(stepper.reset_enabled() && stepper.do_step(&2));
    assert_eq!((*stepper.state(), stepper.reset_enabled()), (3, false));
    stepper.reset();
    assert_eq!(*stepper.state(), 0);
}
