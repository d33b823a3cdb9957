//! What paper 5 shows: its example automaton, and its learning as published beside ours.

use provoke::machine::{Builder, Machine, Names, UNDEFINED};
use provoke::rng::Rng;
use provoke::synchronise::{Answer, Learning, Method, Query, ResetWord, synchronise, verify};

/// The automaton of Fig. 1, completed by loops: ceiling speed monitoring with service brake intervention.
///
/// The figure's arrows are known from its text only so far as the two words follow them: c3 applies the service brake, c5 the
/// emergency brake on top of it, c0 releases the service brake and c6 and c7 the emergency brake, in two steps or
/// in one. The arrows between the states without brakes, c1 and c2, are ours.
fn speed_monitor() -> Machine {
    let mut builder = Builder::new();
    for state in ["Normal", "Warning", "Overspeed", "S_Brake", "E_Brake"] {
        builder.state(state);
    }
    for input in ["c0", "c1", "c2", "c3", "c5", "c6", "c7"] {
        builder.input(input);
    }
    let arrows = [(0, 1, 2), (2, 2, 1), (0, 3, 3), (1, 3, 3), (2, 3, 3), (3, 4, 4), (3, 0, 0), (4, 6, 0)];
    for (from, input, to) in arrows {
        builder.add(from, input, None, to);
    }
    builder.initial(0);
    builder.build().expect("a machine").completed_by_self_loops()
}

fn word(machine: &Machine, names: &[&str]) -> Vec<u32> {
    names.iter().map(|name| machine.inputs().find(name).expect("an input")).collect()
}

fn found(machine: &Machine, query: Query) -> ResetWord {
    match synchronise(machine, &query, None) {
        Answer::Found(found) => found,
        other => panic!("{query:?}: {other:?}"),
    }
}

#[test]
fn both_words_of_the_example_reset_it_and_three_letters_are_enough() {
    let machine = speed_monitor();
    let normal = machine.states().find("Normal").expect("a state");
    for names in [&["c3", "c5", "c6", "c7"][..], &["c3", "c0", "c7"]] {
        assert_eq!(verify(&machine, &word(&machine, names)), Ok(normal), "{names:?}");
        // Both need all of their letters but c6, which the second does without.
        for left_out in (0..names.len()).filter(|&at| names[at] != "c6") {
            let shorter = [&names[..left_out], &names[left_out + 1..]].concat();
            assert_ne!(verify(&machine, &word(&machine, &shorter)), Ok(normal), "{shorter:?}");
        }
    }
    for method in [Method::Auto, Method::Fast, Method::Exact] {
        let shortest = found(&machine, Query { method, into: vec![normal], ..Query::default() });
        assert_eq!(
            (shortest.word.len(), shortest.target, shortest.shortest),
            (3, normal, true),
            "{method:?}"
        );
    }
}

fn random(states: usize, inputs: usize, seed: u64) -> Machine {
    let mut rng = Rng::new(seed);
    let next = (0..states * inputs).map(|_| rng.index(states) as u32).collect();
    Machine::from_table(Names::numbered("s", states), Names::numbered("i", inputs), next).expect("a machine")
}

#[test]
fn the_published_form_makes_the_nodes_of_all_successors() {
    assert_eq!(Learning::published().episodes, 1_000_000);
    for seed in 0..5 {
        let machine = random(64, 10, seed);
        let query = |method| Query { method, seed, learning: Learning::published(), ..Query::default() };
        let (ours, theirs) =
            (found(&machine, query(Method::QLearning)), found(&machine, query(Method::QSynch)));
        for found in [&ours, &theirs] {
            assert_eq!(verify(&machine, &found.word), Ok(found.target));
        }
        // A walk through sets of which each has up to ten successors, all of them made.
        let (ours, theirs) = (ours.nodes.expect("a graph"), theirs.nodes.expect("a graph"));
        assert!(theirs > 2 * ours, "{theirs} {ours}");
    }
}

#[test]
fn what_is_not_learnt_has_no_nodes() {
    let machine = random(40, 2, 3);
    assert_eq!(found(&machine, Query { method: Method::Beam, ..Query::default() }).nodes, None);
}

#[test]
fn the_published_form_loses_its_way_on_a_partial_machine() {
    // One input leads on along a line of 30 states, the other is defined in none but the last: at every set the walk
    // is cast back with chance one in forty, but never for its value twice, so that the word is found all the same.
    let states = 30u32;
    let row = |state: u32| [(state + 1).min(states - 1), if state + 1 < states { UNDEFINED } else { state }];
    let next = (0..states).flat_map(row).collect();
    let machine =
        Machine::from_table(Names::numbered("s", 30), Names::numbered("i", 2), next).expect("a machine");
    let query = Query { method: Method::QSynch, learning: Learning::published(), ..Query::default() };
    assert_eq!(found(&machine, query.clone()).word.len(), 29);
    // Where every way but one is undefined a million episodes are an end, not a proof.
    let few = Query { learning: Learning { episodes: 20, ..Learning::published() }, ..query };
    assert!(matches!(synchronise(&machine, &few, None), Answer::Unknown(_)));
}
