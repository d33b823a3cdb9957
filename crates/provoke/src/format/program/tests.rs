mod bad;
mod paper;

use super::*;
use crate::expression::{Machine, parse};
use crate::rng::Rng;

const GUIDE: &str = include_str!("../../../../../docs/guide/programs.md");

/// The models of the guide, in order.
fn samples() -> Vec<&'static str> {
    GUIDE.split("```model\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

pub(super) fn read(text: &str) -> Result<Program, SpecError> {
    Program::read(&Source::new("test.model", text))
}

/// The robots of paper 2, with the semantics that reproduce its tables, written out once more.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Robots {
    most: i64,
    robots: Vec<(i64, i64)>,
}

impl Robots {
    fn enabled(&self, direction: Direction) -> Vec<(&'static str, i64)> {
        let of = |name, holds: fn(i64) -> bool| {
            let with_power = move |&(_, &(power, _)): &(usize, &(i64, i64))| holds(power);
            self.robots.iter().enumerate().filter(with_power).map(move |(number, _)| (name, number as i64))
        };
        if direction == Direction::Observable {
            return of("Recharge", |power| power < 100).collect();
        }
        let next = self.robots.len() as i64;
        let start = (next < self.most).then_some(("Start", next));
        start
            .into_iter()
            .chain(of("Search", |power| power > 30))
            .chain(of("Wait", |power| power <= 50))
            .collect()
    }

    fn step(&mut self, (name, robot): (&str, i64)) {
        let at = robot as usize;
        match name {
            "Start" => self.robots.push((0, 0)),
            "Search" => self.robots[at] = (self.robots[at].0 - 30, self.robots[at].1 + 2),
            "Wait" => self.robots[at].1 += 1,
            _ => self.robots[at].0 = 100,
        }
    }

    fn words(&self) -> Vec<i64> {
        let field = |of: fn(&(i64, i64)) -> i64| {
            (0..self.most as usize).map(move |at| self.robots.get(at).map_or(0, of))
        };
        [self.robots.len() as i64]
            .into_iter()
            .chain(field(|robot| robot.0))
            .chain(field(|robot| robot.1))
            .collect()
    }
}

fn robots(most: i64) -> Program {
    Program::read_with(&Source::new("robots.model", samples()[0]), &[("MOST", most)]).unwrap()
}

#[test]
fn the_robots_of_the_guide_are_those_of_the_paper() {
    for most in [1, 2, 5, 10] {
        let program = robots(most);
        assert!(program.is_deterministic());
        let (mut work, mut actions, mut states) = (Workspace::new(), Actions::new(), States::new());
        let mut rng = Rng::new(most as u64);
        for _ in 0..20 {
            let mut oracle = Robots { most, robots: Vec::new() };
            let mut state = program.initial().get(0).to_vec();
            for _ in 0..100 {
                assert_eq!(state, oracle.words());
                let mut all = Vec::new();
                for direction in [Direction::Controllable, Direction::Observable] {
                    program.enabled(direction, &state, &mut work, &mut actions).unwrap();
                    let found: Vec<(&str, i64)> = actions
                        .iter()
                        .map(|action| (&*program.rules()[action.rule].name, action.arguments[0]))
                        .collect();
                    assert_eq!(found, oracle.enabled(direction));
                    all.extend(actions.iter().map(|action| (action.rule, action.arguments[0])));
                }
                let (rule, robot) = all[rng.index(all.len())];
                let action = Action { rule, arguments: &[robot] };
                assert!(program.step(&state, action, &mut work, &mut states).unwrap());
                assert_eq!(states.len(), 1);
                oracle.step((&program.rules()[rule].name, robot));
                state = states.get(0).to_vec();
                // What is not enabled is rejected.
                for rule in 0..program.rules().len() {
                    for robot in -1..=most {
                        let action = Action { rule, arguments: &[robot] };
                        let name = (&*program.rules()[rule].name, robot);
                        let expected = oracle.enabled(program.rules()[rule].direction).contains(&name);
                        assert_eq!(
                            program.is_enabled(&state, action, &mut work).unwrap(),
                            expected,
                            "{name:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_robot_that_acts_is_what_counts() {
    let program = robots(2);
    let mut work = Workspace::new();
    let of = |state: &[i64], text: &str, work: &mut Workspace| {
        let mut arguments = Vec::new();
        let rule = program.read_action(text, &mut arguments).unwrap();
        let action = Action { rule, arguments: &arguments };
        let (mut abstract_state, mut abstract_action) = (Vec::new(), Vec::new());
        program.abstract_state(state, action, work, &mut abstract_state).unwrap();
        program.abstract_action(state, action, work, &mut abstract_action).unwrap();
        assert_eq!(program.weight(state, action, work).unwrap(), 1);
        (abstract_state, abstract_action)
    };
    let state = [2, 40, 40, 7, 7];
    let search = of(&state, "Search(0)", &mut work);
    assert_eq!(search, of(&state, "Search(1)", &mut work));
    let wait = of(&state, "Wait(1)", &mut work);
    assert_eq!(search.0, wait.0);
    assert_ne!(search.1, wait.1);
    let start = of(&[0; 5], "Start(0)", &mut work);
    assert_eq!(start.0, of(&[1, 0, 0, 0, 0], "Start(1)", &mut work).0);
    assert_ne!(start.0, of(&[2, 0, 0, 0, 0], "Wait(0)", &mut work).0);
}

#[test]
fn every_sample_of_the_guide_is_read() {
    let programs: Vec<Program> = samples().into_iter().map(|text| read(text).unwrap()).collect();
    assert_eq!(programs.len(), 3);
    let channel = &programs[1];
    assert!(!channel.is_deterministic());
    let mut work = Workspace::new();
    assert!(channel.may_reset(&[0], &mut work).unwrap());
    assert!(!channel.may_reset(&[0b10], &mut work).unwrap());
}

#[test]
fn every_expression_of_the_guide_has_its_value() {
    let program = read(samples()[2]).unwrap();
    let table = GUIDE.split("| expression | value |").nth(1).unwrap().split("\n\n").next().unwrap();
    let mut count = 0;
    for line in table.lines().filter(|line| line.starts_with("| `")) {
        let line = line.replace("\\|", "|");
        let parts: Vec<&str> = line.split('`').collect();
        let (text, expected) = (parts[1], parts[3]);
        let source = Source::new("guide", text);
        let code = parse(text).unwrap().compile(&source, program.scope(), None).unwrap();
        let mut machine = Machine::new();
        let words = code.evaluate(&mut machine, program.initial().get(0), &[]).unwrap();
        assert_eq!(code.of().show(words).to_string(), expected, "{text}");
        count += 1;
    }
    assert_eq!(count, 18);
}

/// The states that an action leads to, as text.
fn leads(program: &Program, state: &[i64], action: &str) -> Option<Vec<String>> {
    let (mut work, mut states, mut arguments) = (Workspace::new(), States::new(), Vec::new());
    let rule = program.read_action(action, &mut arguments).unwrap();
    let stepped = program.step(state, Action { rule, arguments: &arguments }, &mut work, &mut states);
    stepped.unwrap().then(|| states.iter().map(|state| program.show_state(state).to_string()).collect())
}

#[test]
fn choices_lead_to_each_state_once() {
    let channel = read(samples()[1]).unwrap();
    let empty = channel.initial().get(0);
    assert_eq!(leads(&channel, empty, "Send(data)").unwrap(), ["way = {data}", "way = {}"]);
    assert_eq!(leads(&channel, &[0b11], "Send(hello)").unwrap(), ["way = {hello, data}"]);
    assert_eq!(leads(&channel, empty, "Arrive(data)"), None);
    assert_eq!(leads(&channel, &[0b11], "Arrive(data)").unwrap(), ["way = {hello}"]);

    let text = "var x : 0..9 in {2, 4}  var y : 0..9 = x + 1
                var m : map 0..1 to 0..9 = [i in 0..1 : 0]
                controllable A(i in 0..1, j in i..1)
                  choose v in x..x + 1
                  m[i] :in {v, 9}
                  x := v; y := x";
    let program = read(text).unwrap();
    let initial: Vec<String> =
        program.initial().iter().map(|state| program.show_state(state).to_string()).collect();
    assert_eq!(initial, ["x = 2, y = 3, m = [0: 0, 1: 0]", "x = 4, y = 5, m = [0: 0, 1: 0]"]);
    let from = program.initial().get(0);
    assert_eq!(
        leads(&program, from, "A(0, 1)").unwrap(),
        [
            "x = 2, y = 2, m = [0: 2, 1: 0]",
            "x = 3, y = 3, m = [0: 3, 1: 0]",
            "x = 2, y = 2, m = [0: 9, 1: 0]",
            "x = 3, y = 3, m = [0: 9, 1: 0]",
        ]
    );
    assert_eq!(leads(&program, from, "A(1, 0)"), None);
}

#[test]
fn a_run_may_be_in_several_states() {
    let channel = read(samples()[1]).unwrap();
    let mut work = Workspace::new();
    let mut follow = |from: &States, action: &str| {
        let mut arguments = Vec::new();
        let rule = channel.read_action(action, &mut arguments).unwrap();
        let mut to = States::new();
        let enabled =
            channel.follow(from, Action { rule, arguments: &arguments }, &mut work, &mut to).unwrap();
        (enabled, to)
    };
    let (enabled, sent) = follow(channel.initial(), "Send(data)");
    assert_eq!((enabled, sent.len()), (1, 2));
    let (enabled, both) = follow(&sent, "Send(bye)");
    assert_eq!((enabled, both.len()), (2, 4));
    // The other way round leads to the same.
    let (_, other) = follow(channel.initial(), "Send(bye)");
    assert_eq!(follow(&other, "Send(data)").1, both);
    // Only the states in which it is on its way go on.
    let (enabled, arrived) = follow(&both, "Arrive(bye)");
    assert_eq!((enabled, &arrived), (2, &sent));
    assert_eq!(follow(&arrived, "Arrive(bye)").0, 0);
}

#[test]
fn nested_maps_and_sets_in_maps_are_updated() {
    let text = "enum E { a, b }
                var m : map E to map bool to set of 0..70 = [e in E : [x in bool : {}]]
                controllable Add(e in E, x in bool, i in 0..70)
                  when i not in m[e][x]
                  m[e][x] := m[e][x] union {i}
                controllable Copy  m[b] := m[a]";
    let program = read(text).unwrap();
    let (mut work, mut states) = (Workspace::new(), States::new());
    let mut state = program.initial().get(0).to_vec();
    for action in ["Add(a, true, 70)", "Add(a, true, 3)", "Copy", "Add(b, false, 64)"] {
        let mut arguments = Vec::new();
        let rule = program.read_action(action, &mut arguments).unwrap();
        assert!(
            program.step(&state, Action { rule, arguments: &arguments }, &mut work, &mut states).unwrap()
        );
        state = states.get(0).to_vec();
    }
    let shown = "m = [a: [false: {}, true: {3, 70}], b: [false: {64}, true: {3, 70}]]";
    assert_eq!(program.show_state(&state).to_string(), shown);
    assert_eq!(leads(&program, &state, "Add(a, true, 70)"), None);
}

#[test]
fn actions_are_read_as_they_are_shown() {
    let text = "enum E { \"a b\", c } controllable \"Go on\"(e in E, x in bool, i in -5..5)
                observable Done  observable Gone";
    let program = read(text).unwrap();
    let mut arguments = Vec::new();
    for shown in ["\"Go on\"(\"a b\", true, -3)", "Done"] {
        let rule = program.read_action(shown, &mut arguments).unwrap();
        assert_eq!(program.show_action(Action { rule, arguments: &arguments }).to_string(), shown);
    }
    assert_eq!(program.read_action("Done()", &mut arguments), Ok(1));
    let mut message = |text: &str| program.read_action(text, &mut arguments).unwrap_err().to_string();
    assert_eq!(message("Don"), "there is no action `Don`; did you mean `Done`?");
    assert_eq!(message("Done(1)"), "`Done(1)` is not of the form `Done`");
    assert_eq!(message("\"Go on\"(c, 1, 2)"), "`\"Go on\"(c, 1, 2)` is not of the form `Go on(e, x, i)`");
    assert_eq!(message("?"), "`?` is not an action");
}

#[test]
fn a_state_is_met_once_however_it_is_reached() {
    // Robots 0 and 1 with power 0 wait in any order: (i, j) waits reach one state, so n steps give a triangle.
    let program = robots(2);
    let mut pool = Pool::new(program.width(), 1_000_000);
    let (mut work, mut actions, mut states) = (Workspace::new(), Actions::new(), States::new());
    let mut front = vec![vec![2, 0, 0, 0, 0]];
    for _ in 0..20 {
        let mut next = Vec::new();
        for state in &front {
            program.enabled(Direction::Controllable, state, &mut work, &mut actions).unwrap();
            for action in actions.iter() {
                assert!(program.step(state, action, &mut work, &mut states).unwrap());
                if pool.meet(states.get(0)).unwrap().1 {
                    next.push(states.get(0).to_vec());
                }
            }
        }
        front = next;
    }
    assert_eq!(pool.len(), (1..=20).map(|n| n + 1).sum::<usize>());
}

proptest::proptest! {
    #[test]
    fn no_text_is_too_strange(
        text in "(const |type |enum |var |controllable |observable |reset |when |choose |abstract (state|action) |weight |\
                 [a-cA-C]|[0-9]{1,3}|in | = | : |:=|:in |\\(|\\)|\\{|\\}|\\[|\\]|,|\\.\\.|set of |map | to |int|bool|;|\\+|-|/|\n){0,60}"
    ) {
        if let Ok(program) = read(&text) {
            walk(&program);
        }
    }

    #[test]
    fn no_damage_is_too_great(sample in 0usize..3, from in 0usize..1500, length in 0usize..8, put in "[a-z0-9(){}\\[\\]:=.,+/ -]{0,6}") {
        let mut text = samples()[sample].to_owned();
        let bound = |text: &str, at: usize| (0..=at.min(text.len())).rev().find(|&at| text.is_char_boundary(at)).unwrap();
        let start = bound(&text, from);
        let end = bound(&text, start + length).max(start);
        text.replace_range(start..end, &put);
        match read(&text) {
            Ok(program) => walk(&program),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Takes a few steps; errors in the model end it.
fn walk(program: &Program) {
    let (mut work, mut actions, mut states) = (Workspace::new(), Actions::new(), States::new());
    let mut state = program.initial().get(0).to_vec();
    let mut rng = Rng::new(1);
    for step in 0..20 {
        let direction = if step % 2 == 0 { Direction::Controllable } else { Direction::Observable };
        if program.enabled(direction, &state, &mut work, &mut actions).is_err() {
            return;
        }
        let Some(action) = rng.pick(&actions.iter().collect::<Vec<_>>()).copied() else { continue };
        match program.step(&state, action, &mut work, &mut states) {
            Ok(accepted) => assert!(accepted && !states.is_empty()),
            Err(_) => return,
        }
        state = states.get(rng.index(states.len())).to_vec();
    }
}
