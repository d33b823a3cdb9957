//! Broken HOA files: whatever is in them, the reader answers with an automaton or a positioned error.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use proptest::prelude::*;
use proptest::sample::{Index, select};
use provoke::automaton::{purpose, read_hoa, requirement, write_hoa};
use provoke::bdd::Space;
use provoke::diagnostic::Source;
use provoke::letter::Interface;

const SEEDS: [&str; 4] = [
    include_str!("../../../examples/carriage/figure3.hoa"),
    include_str!("../../../examples/first/first.hoa"),
    "HOA: v1\nname: \"all of it\" /* with /* nested */ comments */\nStates: 3 Start: 0 Start: 2
AP: 2 \"a\" \"movefwd\" controllable-AP: 1 Alias: @x 0 & !1 Alias: @y (@x | t)
Acceptance: 2 Inf(0) & (Inf(1)) acc-name: generalized-Buchi 2 properties: trans-acc tool: \"x\" \"1\"
--BODY-- State: 0 \"s \\\"0\\\"\" {0} [@y & !(0|1)] 1 {1} [f] 2 State: [!@x] 1 0 {0 1} 2 State: 2 0 1 2 0 --END--",
    "HOA: v1 AP: 1 \"a\" Start: 0 Acceptance: 1 Inf(0) --BODY-- State: 0 {0} [0] 0 [!0] 1 State: 1 [t] 1 --END--",
];

/// Words of the format, to be put where they do not belong.
const WORDS: [&str; 44] = [
    "HOA:",
    "v1",
    "States:",
    "Start:",
    "AP:",
    "Alias:",
    "Acceptance:",
    "acc-name:",
    "name:",
    "State:",
    "controllable-AP:",
    "properties:",
    "--BODY--",
    "--END--",
    "--ABORT--",
    "Inf",
    "Fin",
    "t",
    "f",
    "@x",
    "@",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "&",
    "|",
    "!",
    "0",
    "1",
    "99",
    "4294967295",
    "99999999999999999999",
    "\"",
    "\"a\"",
    "/*",
    "*/",
    "\\",
    "\u{0}",
    "é",
    "-",
    "\n",
];

#[derive(Clone, Debug)]
enum Change {
    Insert(Index, &'static str),
    Delete(Index, usize),
    Double(Index, usize),
    Put(Index, char),
    Cut(Index),
}

fn changes() -> impl Strategy<Value = Change> {
    prop_oneof![
        4 => (any::<Index>(), select(&WORDS[..])).prop_map(|(at, word)| Change::Insert(at, word)),
        2 => (any::<Index>(), 1usize..12).prop_map(|(at, length)| Change::Delete(at, length)),
        2 => (any::<Index>(), 1usize..40).prop_map(|(at, length)| Change::Double(at, length)),
        1 => (any::<Index>(), any::<char>()).prop_map(|(at, c)| Change::Put(at, c)),
        1 => any::<Index>().prop_map(Change::Cut),
    ]
}

fn mutate(seed: &str, changes: &[Change]) -> String {
    let mut text: Vec<char> = seed.chars().collect();
    for change in changes {
        if text.is_empty() {
            break;
        }
        let range = |at: &Index, length: usize| {
            let start = at.index(text.len());
            start..(start + length).min(text.len())
        };
        match change {
            Change::Insert(at, word) => {
                let start = range(at, 0).start;
                text.splice(start..start, format!(" {word} ").chars());
            }
            Change::Delete(at, length) => {
                text.drain(range(at, *length));
            }
            Change::Double(at, length) => {
                let range = range(at, *length);
                let again = text[range.clone()].to_vec();
                text.splice(range.start..range.start, again);
            }
            Change::Put(at, c) => {
                let start = range(at, 0).start;
                text[start] = *c;
            }
            Change::Cut(at) => text.truncate(range(at, 0).start),
        }
    }
    text.into_iter().collect()
}

fn spaces() -> [Option<Arc<Space>>; 3] {
    let signals = Interface::signals(["bwdlimit", "fwdlimit", "cargo", "a"], ["movefwd", "movebwd"]).unwrap();
    let labels = Interface::labels(["a", "b", "c"], ["0", "1"]).unwrap();
    [None, Some(Arc::new(Space::new(signals))), Some(Arc::new(Space::new(labels)))]
}

/// Reads a text in every way there is; errors must have a message, a place and help.
fn survive(text: &str) {
    let source = Source::new("mutant.hoa", text);
    for space in spaces() {
        let (automaton, spans) = match read_hoa(&source, space.as_ref()) {
            Ok(read) => read,
            Err(error) => {
                assert!(!error.message().is_empty() && error.help_text().is_some(), "{error}");
                assert!(error.to_string().contains("mutant.hoa"), "{error}");
                continue;
            }
        };
        for fault in [requirement(&automaton).err(), purpose(&automaton).err()].into_iter().flatten() {
            assert!(fault.at(&automaton, &spans).to_string().contains("mutant.hoa"));
        }
        let again =
            read_hoa(&Source::new("again.hoa", write_hoa(&automaton).unwrap()), Some(&automaton.space));
        assert_eq!(again.unwrap().0.edge_count(), automaton.edge_count());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn mutated_files_are_read_or_turned_down(
        seed in select(&SEEDS[..]), changes in prop::collection::vec(changes(), 1..6)
    ) {
        survive(&mutate(seed, &changes));
    }

    #[test]
    fn words_in_any_order_are_read_or_turned_down(words in prop::collection::vec(select(&WORDS[..]), 0..60)) {
        survive(&words.join(" "));
        survive(&format!("HOA: v1 {}", words.join(" ")));
        survive(&format!("HOA: v1 AP: 1 \"a\" Start: 0 Acceptance: 1 Inf(0) --BODY-- {} --END--", words.join(" ")));
    }

    #[test]
    fn any_text_is_turned_down(text in any::<String>()) {
        survive(&text);
    }
}

#[test]
fn the_seeds_themselves_are_sound() {
    for seed in SEEDS {
        let read =
            spaces().iter().any(|space| read_hoa(&Source::new("seed.hoa", seed), space.as_ref()).is_ok());
        assert!(read, "{seed}");
        survive(seed);
    }
}
