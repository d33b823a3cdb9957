//! Circuits as requirements: small ones written down and the same ones played symbolically are the same game, state by
//! state, and monitors say what evaluating the circuit says.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use proptest::prelude::*;
use provoke::automaton::{Automaton, hoa_interface, read_requirement};
use provoke::bdd::Space;
use provoke::circuit::{Roles, Wired, circuit_of, enumerated, interface, roles, verilog_of};
use provoke::diagnostic::Source;
use provoke::format::aiger::{Circuit, CircuitBuilder, Literal};
use provoke::game::explicit::{Component, Product, Role, solve};
use provoke::game::symbolic::{Aim, Body, Depth, Effort, Part, Symbolic, Wanted, Way, tester_can_force};
use provoke::game::{Game, Guide, Next, Place, State, Tier};
use provoke::letter::Letter;
use provoke::monitor::{Monitor, Verdict};
use provoke::specification::Specification;

const INPUTS: usize = 2;
const OUTPUTS: usize = 2;

/// A circuit made of numbers, with an error, an objective and sometimes a constraint.
fn made(latches: usize, picks: &[(u16, u16)], constrained: bool) -> Circuit {
    let names = ["a", "b", "controllable_x", "controllable_y"];
    let states: Vec<String> = (0..latches).map(|at| format!("s{at}")).collect();
    let resets = states.iter().enumerate().map(|(at, name)| (name.as_str(), at % 2 == 1));
    let mut builder = CircuitBuilder::new(names, resets);
    let mut known = vec![Literal::TRUE];
    known.extend((0..4).map(|at| builder.input(at)).chain((0..latches).map(|at| builder.latch(at))));
    let pick = |known: &[Literal], number: u16| {
        let value = known[number as usize / 2 % known.len()];
        if number % 2 == 1 { !value } else { value }
    };
    for &(left, right) in picks {
        let gate = builder.and(pick(&known, left), pick(&known, right));
        known.push(gate);
    }
    let numbers: Vec<u16> = picks.iter().map(|(left, right)| left ^ right.rotate_left(5)).collect();
    let number = |at: usize| numbers.get(at).copied().unwrap_or(7 * at as u16 + 3);
    for at in 0..latches {
        let next = pick(&known, number(at));
        builder.next(at, next);
    }
    let error = (pick(&known, number(latches)), pick(&known, number(latches + 1)));
    let error = builder.and(error.0, error.1);
    builder.output("error", error);
    let objective = pick(&known, number(latches + 2));
    builder.output("objective", objective);
    if constrained {
        let constraint = builder.or(pick(&known, number(latches + 3)), pick(&known, number(latches + 4)));
        builder.constraint("fine", constraint);
    }
    builder.finish()
}

fn circuits() -> impl Strategy<Value = Circuit> {
    let picks = prop::collection::vec(any::<(u16, u16)>(), 4..18);
    (1usize..4, picks, any::<bool>())
        .prop_map(|(latches, picks, constrained)| made(latches, &picks, constrained))
}

#[allow(clippy::type_complexity)]
fn wired(circuit: &Circuit) -> (Arc<Space>, Vec<(Arc<Wired>, Role)>, Literal) {
    let space = Arc::new(Space::new(interface(circuit).unwrap()));
    let (required, objectives, assumed) = roles(circuit, space.interface(), &Roles::default()).unwrap();
    let assumed = assumed.into_iter().map(|wired| (Arc::new(wired), Role::Assumption));
    let parts = [(Arc::new(required), Role::Requirement)].into_iter().chain(assumed).collect();
    (space, parts, objectives[0].value)
}

fn letters(count: usize) -> impl Iterator<Item = Letter> {
    (0..1u64 << count).map(Letter::from_index)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn symbolic_and_explicit_games_are_the_same(circuit in circuits(), violate in any::<bool>()) {
        let (space, parts, objective) = wired(&circuit);
        let component = |(wired, role): &(Arc<Wired>, Role)| {
            let (automaton, states) = enumerated(wired, &space).unwrap();
            (Component { automaton: Arc::new(automaton), role: *role }, states)
        };
        let (components, states): (Vec<_>, Vec<_>) = parts.iter().map(component).unzip();
        let product = Arc::new(Product::new(space.clone(), components, 10_000).unwrap());
        let mut walk = parts[0].0.walk();
        let there: BTreeSet<u32> = (0..states[0].len() as u32)
            .filter(|&at| walk.holds(&parts[0].0, &states[0][at as usize], objective))
            .collect();
        let solved = solve(product.clone(), |next| match next {
            Next::To(at) => !violate && product.component_state(at, Place(0)).is_some_and(|at| there.contains(&at)),
            Next::Violates(_) => violate,
            Next::Unfair => false,
        }).unwrap();
        let bodies = parts.iter().map(|(wired, role)| Part { body: Body::Circuit(wired.clone()), role: *role });
        let game = Arc::new(Symbolic::new(space.clone(), bodies.collect(), 1 << 20).unwrap());
        let aim = match violate {
            true => Aim::Violation(Place(0)),
            false => Aim::States(vec![(Place(0), Wanted::Holds(objective))]),
        };
        let way = Way::new(game.clone(), aim);
        prop_assert_eq!(way.depth(), Depth::Full);
        let mut pairs = vec![(product.initial(), game.initial())];
        let mut open = 0;
        while open < pairs.len() {
            let (at, here) = pairs[open];
            open += 1;
            prop_assert_eq!(solved.distance(at), way.distance(here));
            prop_assert_eq!(solved.rank(at), way.rank(here));
            prop_assert!(product.inputs(at) == game.inputs(here));
            for tier in Tier::ALL {
                prop_assert!(solved.inputs(at, tier) == way.inputs(here, tier), "{:?}", tier);
            }
            for input in letters(INPUTS) {
                if product.inputs(at).contains(input) {
                    prop_assert!(product.outputs(at, input) == game.outputs(here, input));
                }
                for output in letters(OUTPUTS) {
                    match (product.next(at, input, output), game.next(here, input, output)) {
                        (Next::To(at), Next::To(here)) => {
                            let known = pairs.iter().find(|(known, other)| *known == at || *other == here);
                            match known {
                                Some(known) => prop_assert_eq!(*known, (at, here)),
                                None => pairs.push((at, here)),
                            }
                        }
                        (found, other) => prop_assert_eq!(found, other),
                    }
                }
            }
        }
        prop_assert_eq!(pairs.len(), product.states());
        // The plain safety game, solved by other means.
        let values = |signals: &[provoke::format::aiger::Signal]| signals.iter().map(|signal| signal.value).collect::<Vec<_>>();
        let effort = Effort { time: std::time::Duration::from_secs(60), nodes: 1 << 20 };
        let outputs = |at: usize| circuit.inputs[at].starts_with("controllable_");
        let answer = tester_can_force(&circuit, &outputs, &values(&circuit.outputs)[..1], &values(&circuit.constraints), effort);
        let safety = solve(product.clone(), |_| false).unwrap();
        // Latches that are wrong by themselves are seen one step later in the plain game, and never where a constraint
        // breaks first.
        if circuit.constraints.is_empty() {
            prop_assert_eq!(answer.can, Some(safety.can_be_forced()));
        } else {
            prop_assert!(answer.can.is_some());
        }
    }

    #[test]
    fn monitors_say_what_the_circuit_says(circuit in circuits(), run in prop::collection::vec((0u64..4, 0u64..4), 1..12)) {
        let (space, parts, _) = wired(&circuit);
        let (automaton, _) = enumerated(&parts[0].0, &space).unwrap();
        let mut table = Monitor::safety(&automaton).unwrap();
        let mut evaluating = Monitor::circuit(parts[0].0.clone());
        // By hand: every node of every step.
        let mut latches: Vec<bool> = circuit.latches.iter().map(|latch| latch.reset == Some(true)).collect();
        let mut wrong = false;
        let error = circuit.outputs[0].value;
        let later = circuit.is_of_latches(error);
        for (input, output) in run {
            let mut values = vec![false; circuit.nodes()];
            (0..2).for_each(|at| values[1 + at] = input >> at & 1 == 1);
            (0..2).for_each(|at| values[3 + at] = output >> at & 1 == 1);
            values[5..5 + latches.len()].copy_from_slice(&latches);
            circuit.evaluate(&mut values);
            let get = |values: &[bool], value: Literal| values[value.node()] ^ value.is_negated();
            wrong |= get(&values, error);
            latches = circuit.latches.iter().map(|latch| get(&values, latch.next)).collect();
            if later {
                values[5..5 + latches.len()].copy_from_slice(&latches);
                circuit.evaluate(&mut values);
                wrong |= get(&values, error);
            }
            let (input, output) = (Letter::from_index(input), Letter::from_index(output));
            prop_assert_eq!(evaluating.step(input, output) == Verdict::Violated, wrong);
            prop_assert_eq!(table.step(input, output) == Verdict::Violated, wrong);
        }
    }
}

fn specification(folder: &Path, circuit: &Circuit, text: &str) -> Specification {
    std::fs::write(folder.join("req.aag"), circuit.to_ascii()).unwrap();
    let path = folder.join("spec.toml");
    std::fs::write(&path, text).unwrap();
    Specification::load(&path).unwrap()
}

/// A parity of 64 inputs must be answered one step later; a register remembers them all, so no product can be written
/// down.
fn parity() -> Circuit {
    let names: Vec<String> =
        (0..64).map(|at| format!("i{at}")).chain(["controllable_p".to_owned()]).collect();
    let held: Vec<String> = (0..64).map(|at| format!("r{at}")).collect();
    let mut builder =
        CircuitBuilder::new(names.iter().map(String::as_str), held.iter().map(|name| (name.as_str(), false)));
    let mut sum = Literal::FALSE;
    for at in 0..64 {
        let input = builder.input(at);
        builder.next(at, input);
        sum = builder.xor(sum, builder.latch(at));
    }
    let error = builder.xor(sum, builder.input(64));
    builder.output("error", error);
    let objective = builder.and(sum, builder.latch(0));
    builder.output("objective", objective);
    builder.finish()
}

#[test]
fn a_parity_of_64_bits_is_played_symbolically() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[[requirement]]\nid = \"parity\"\naiger = \"req.aag\"\n";
    let specification = specification(folder.path(), &parity(), text);
    let objective = specification.objective("objective").unwrap();
    let guidance = specification.guidance(Some(objective), 1_000).unwrap();
    assert!(guidance.notes[0].contains("64 state bits"), "{:?}", guidance.notes);
    let start = guidance.game.initial();
    assert_eq!(guidance.guide.distance(start), Some(1));
    assert_eq!(guidance.guide.rank(start), Some(0));
    // Odd parity with the first bit on: a quarter of all inputs.
    let forcing = guidance.guide.inputs(start, Tier::Forcing);
    assert_eq!(forcing.count().to_u64(), Some(1 << 62));
    let mut rng = provoke::rng::Rng::new(3);
    for _ in 0..50 {
        let input = forcing.sample(&mut rng).unwrap();
        assert!(input.get(0) && input.index().count_ones() % 2 == 1);
        let Next::To(next) = guidance.game.next(start, input, Letter::default()) else { panic!("goes on") };
        assert!(guidance.guide.reached(next));
        // The parity is odd now, and the answer must say so.
        assert_eq!(guidance.game.next(next, input, Letter::default()), Next::Violates(Place(0)));
        assert_ne!(next, State(0));
    }
}

/// The examples that ship as automata, as AIGER and as Verilog: file, module, and how the names of the objective's states
/// begin.
const SHIPPED: [(&str, &str, &str); 6] = [
    ("first/signals", "first", "o"),
    ("carriage/r1", "r1", "-"),
    ("carriage/r2", "r2", "-"),
    ("carriage/r3", "r3", "-"),
    ("passageway/rooms-3", "passageway", "room 3,"),
    ("passageway/rooms-10", "passageway", "room 10,"),
];

fn example(file: &str) -> Arc<Automaton> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(format!("{file}.hoa"));
    let source = Source::read(&path).unwrap();
    let space = Arc::new(Space::new(hoa_interface(&source).unwrap()));
    Arc::new(read_requirement(&source, &space).unwrap())
}

fn named(automaton: &Automaton, start: &str) -> Vec<u32> {
    (0..automaton.states.len() as u32).filter(|&at| automaton.state_name(at).starts_with(start)).collect()
}

#[test]
fn the_examples_ship_as_circuits() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for (file, module, start) in SHIPPED {
        let automaton = example(file);
        let objective = named(&automaton, start);
        for (ending, text) in [
            ("aag", circuit_of(&automaton, &objective).to_ascii()),
            ("v", verilog_of(&automaton, module, &objective)),
        ] {
            let path = examples.join(format!("{file}.{ending}"));
            if std::env::var_os("PROVOKE_WRITE").is_some() {
                std::fs::write(&path, &text).unwrap();
            }
            let found = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                found == text,
                "{} is not what its automaton is; PROVOKE_WRITE=1 writes it",
                path.display()
            );
        }
    }
}

/// The automaton and its circuit are the same game: ranks, distances, inputs of every tier, wherever a run may be.
fn same_game(automaton: &Arc<Automaton>, circuit: &Circuit, objective: &[u32]) {
    let space = automaton.space.clone();
    let product = Arc::new(
        Product::new(space.clone(), vec![Component::requirement(automaton.clone())], 10_000).unwrap(),
    );
    let solved = solve(product.clone(), |next| match next {
        Next::To(at) => product.component_state(at, Place(0)).is_some_and(|at| objective.contains(&at)),
        _ => false,
    })
    .unwrap();
    let roles = roles(circuit, space.interface(), &Roles::default()).unwrap();
    let part = Part { body: Body::Circuit(Arc::new(roles.0)), role: Role::Requirement };
    let game = Arc::new(Symbolic::new(space.clone(), vec![part], 1 << 20).unwrap());
    let value = roles.1.first().map_or(Literal::FALSE, |named| named.value);
    let way = Way::new(game.clone(), Aim::States(vec![(Place(0), Wanted::Holds(value))]));
    let mut pairs = vec![(product.initial(), game.initial())];
    let mut open = 0;
    while open < pairs.len() {
        let (at, here) = pairs[open];
        open += 1;
        assert_eq!((solved.distance(at), solved.rank(at)), (way.distance(here), way.rank(here)));
        assert!(solved.greedy_inputs(at) == way.greedy_inputs(here));
        assert!(Tier::ALL.into_iter().all(|tier| solved.inputs(at, tier) == way.inputs(here, tier)));
        for (guard, next) in product.edges(at) {
            let (input, output) = space.first_exchange(guard).unwrap();
            match (next, game.next(here, input, output)) {
                (Next::To(at), Next::To(here)) if !pairs.contains(&(at, here)) => {
                    assert!(!pairs.iter().any(|(known, other)| *known == at || *other == here));
                    pairs.push((at, here));
                }
                (Next::To(_), Next::To(_)) => {}
                (found, other) => assert_eq!(found, other),
            }
        }
    }
    assert_eq!(pairs.len(), product.states());
}

#[test]
fn examples_are_the_same_games_as_circuits() {
    for (file, _, start) in SHIPPED.into_iter().chain([("carriage/figure3", "figure3", "")]) {
        let automaton = example(file);
        let mut objective = named(&automaton, start);
        if objective.len() > 3 || objective.is_empty() {
            objective = vec![automaton.states.len() as u32 - 1];
        }
        same_game(&automaton, &circuit_of(&automaton, &objective), &objective);
    }
}

/// The circuit of Fig. 1 of paper 1, played symbolically, beside the automaton with its letters.
#[test]
fn figure_1_has_its_ranks_and_distances_as_a_circuit() {
    let automaton = example("first/signals");
    let circuit = circuit_of(&automaton, &[2]);
    let roles = roles(&circuit, automaton.space.interface(), &Roles::default()).unwrap();
    let part = Part { body: Body::Circuit(Arc::new(roles.0)), role: Role::Requirement };
    let game = Arc::new(Symbolic::new(automaton.space.clone(), vec![part], 1 << 20).unwrap());
    let way = Way::new(game.clone(), Aim::States(vec![(Place(0), Wanted::Holds(roles.1[0].value))]));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/first/first.toml");
    let letters = Specification::load(&path).unwrap();
    let guidance = letters.guidance(letters.objectives.first(), 100).unwrap();
    // a, b, c as signals; 0 and 1 as the answer.
    let bits = [0b01, 0b10, 0b00];
    let mut pairs = vec![(guidance.game.initial(), game.initial())];
    let mut open = 0;
    while open < pairs.len() {
        let (at, here) = pairs[open];
        open += 1;
        assert_eq!(guidance.guide.distance(at), way.distance(here));
        assert_eq!(guidance.guide.rank(at), way.rank(here));
        for (letter, &signals) in bits.iter().enumerate() {
            let (letter, signals) = (Letter::from_index(letter as u64), Letter::from_index(signals));
            for tier in Tier::ALL {
                let found = guidance.guide.inputs(at, tier).contains(letter);
                assert_eq!(found, way.inputs(here, tier).contains(signals), "{tier:?}");
            }
            let greedy = guidance.guide.greedy_inputs(at).contains(letter);
            assert_eq!(greedy, way.greedy_inputs(here).contains(signals));
            for answer in [0, 1].map(Letter::from_index) {
                match (guidance.game.next(at, letter, answer), game.next(here, signals, answer)) {
                    (Next::To(at), Next::To(here)) if !pairs.contains(&(at, here)) => pairs.push((at, here)),
                    (Next::To(_), Next::To(_)) => {}
                    (found, other) => assert_eq!(found, other),
                }
            }
        }
    }
    assert_eq!(pairs.len(), 4);
    assert_eq!((way.distance(game.initial()), way.rank(game.initial())), (Some(2), Some(2)));
}

/// A number of eight bits that counts up where the tester asks for it and the system lets it, and starts over where the
/// tester says so; the aim is a number far away. Little to write down, and many distances.
fn counter() -> Circuit {
    let names: Vec<String> = (0..8).map(|at| format!("l{at}")).collect();
    let latches = names.iter().map(|name| (name.as_str(), false));
    let mut builder = CircuitBuilder::new(["up", "clear", "controllable_x"], latches);
    let mut carry = builder.and(builder.input(0), builder.input(2));
    let mut there = Literal::TRUE;
    for at in 0..8 {
        let bit = builder.latch(at);
        let sum = builder.xor(bit, carry);
        let next = builder.and(sum, !builder.input(1));
        builder.next(at, next);
        carry = builder.and(bit, carry);
        there = builder.and(there, bit.negated_if(181 >> at & 1 == 0));
    }
    builder.output("error", Literal::FALSE);
    builder.output("objective", there);
    builder.finish()
}

/// With less and less room guidance gets weaker step by step, and every step is right about what it still knows.
#[test]
fn guidance_gets_weaker_step_by_step() {
    let circuit = counter();
    let space = Arc::new(Space::new(interface(&circuit).unwrap()));
    let found = roles(&circuit, space.interface(), &Roles::default()).unwrap();
    let (wired, value) = (Arc::new(found.0), found.1[0].value);
    let mut depths = Vec::new();
    let mut full: Option<(Arc<Symbolic>, Way)> = None;
    let rooms =
        std::iter::successors(Some(1usize << 15), |room| Some(room * 4 / 5)).take_while(|room| *room > 30);
    for nodes in rooms {
        let part = Part { body: Body::Circuit(wired.clone()), role: Role::Requirement };
        let game = Arc::new(Symbolic::new(space.clone(), vec![part], nodes).unwrap());
        let solved = || Way::new(game.clone(), Aim::States(vec![(Place(0), Wanted::Holds(value))]));
        let way = solved();
        let depth = match way.depth() {
            Depth::Full => 0,
            Depth::Distances => 1,
            Depth::Abstraction { dropped } => {
                assert!(dropped > 0);
                2
            }
            Depth::Nothing => 3,
        };
        depths.push(depth);
        // Along a run: distances are right, and in an abstraction never too large; the aim is known when it is reached.
        let (known_game, known) = full.get_or_insert_with(|| (game.clone(), solved()));
        if depth == 0 {
            continue;
        }
        let (mut at, mut here) = (known_game.initial(), game.initial());
        for step in 0..40u64 {
            let expected = known.distance(at);
            match depth {
                1 => assert_eq!(way.distance(here), expected),
                2 => {
                    assert!(expected.is_none_or(|steps| way.distance(here).is_some_and(|less| less <= steps)))
                }
                _ => {}
            }
            assert_eq!(known.reached(at), way.reached(here));
            let (input, output) = (
                Letter::from_index(u64::from(step != 23) + 2 * u64::from(step == 23)),
                Letter::from_index(u64::from(step % 5 != 0)),
            );
            match (known_game.next(at, input, output), game.next(here, input, output)) {
                (Next::To(next), Next::To(other)) => (at, here) = (next, other),
                (found, other) => {
                    assert_eq!(found, other);
                    break;
                }
            }
        }
    }
    assert_eq!((depths.first(), depths.last()), (Some(&0), Some(&3)), "{depths:?}");
    assert!([0, 1, 2, 3].iter().all(|depth| depths.contains(depth)), "{depths:?}");
}

#[test]
fn verilog_of_the_passageway_is_the_same_game() {
    if !provoke::system::yosys::is_installed() {
        eprintln!("skipped: yosys is not installed");
        return;
    }
    let automaton = example("passageway/rooms-3");
    let objective = named(&automaton, "room 3,");
    let source = Source::new("passageway.v", verilog_of(&automaton, "passageway", &objective));
    let made = provoke::system::yosys::to_aiger(Path::new("passageway.v"), &source).unwrap();
    let (circuit, _) = provoke::format::aiger::read("passageway.aag", &made).unwrap();
    same_game(&automaton, &circuit, &objective);
}
