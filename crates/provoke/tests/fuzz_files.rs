//! Damaged files give errors, never panics: specification files, machines and traces with random edits.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use proptest::prelude::*;
use provoke::diagnostic::Source;
use provoke::format::machine;
use provoke::letter::{Interface, Letter};
use provoke::specification::Specification;
use provoke::system::{Simulated, System};
use provoke::trace::{read_trace, write_trace};

/// One edit at a relative place: remove, replace, insert a piece of the format, or repeat a part.
#[derive(Clone, Debug)]
enum Edit {
    Remove(usize),
    Insert(&'static str),
    Replace(char),
    Repeat(usize),
    Cut,
}

fn edits(pieces: &'static [&'static str]) -> impl Strategy<Value = Vec<(f64, Edit)>> {
    let edit = prop_oneof![
        (1usize..30).prop_map(Edit::Remove),
        prop::sample::select(pieces).prop_map(Edit::Insert),
        any::<char>().prop_map(Edit::Replace),
        (1usize..60).prop_map(Edit::Repeat),
        Just(Edit::Cut),
    ];
    prop::collection::vec((0.0..1.0, edit), 1..5)
}

fn damaged(text: &str, edits: &[(f64, Edit)]) -> String {
    let mut text: Vec<char> = text.chars().collect();
    for (place, edit) in edits {
        let at = (place * text.len() as f64) as usize;
        let until = |count: usize| (at + count).min(text.len());
        match edit {
            Edit::Remove(count) => drop(text.drain(at..until(*count))),
            Edit::Insert(piece) => drop(text.splice(at..at, piece.chars())),
            Edit::Replace(with) => drop(text.splice(at..until(1), [*with])),
            Edit::Repeat(count) => {
                let part = text[at..until(*count)].to_vec();
                drop(text.splice(at..at, part));
            }
            Edit::Cut => text.truncate(at),
        }
    }
    text.into_iter().collect()
}

fn examples(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn specification_files(edits in edits(&["[", "]", "[[", "\"", "=", "id", "[[requirement]]\n", "[system]\n", "states = [\"s9\"]\n",
        "ltl = \"G(\"\n", "reset = { synchronise = 3 }\n", "= { }", "\u{0}", "\u{feff}", "9999999999999999999999"])) {
        let path = examples("carriage/hunt.toml");
        let text = std::fs::read_to_string(&path).unwrap();
        if let Err(error) = Specification::from_text(&path, &damaged(&text, &edits)) {
            prop_assert!(!error.to_string().is_empty());
        }
    }

    #[test]
    fn machines(edits in edits(&["->", "[label=\"", "/", "\"", "{", "}", ";", "__start0", "//", "/*", "s9999999999", "&", "!", "(", "\u{0}", "-"]),
        which in 0usize..2) {
        let file = ["carriage/both-ways.dot", "first/figure6.dot"][which];
        let text = std::fs::read_to_string(examples(file)).unwrap();
        let interface = match which {
            0 => Interface::signals(["bwdlimit", "fwdlimit", "cargo"], ["movefwd", "movebwd"]).unwrap(),
            _ => Interface::labels(["a", "b", "c"], ["0", "1"]).unwrap(),
        };
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("machine.dot");
        std::fs::write(&path, damaged(&text, &edits)).unwrap();
        let inputs = [8, 3][which];
        // A machine that is taken has an answer to everything, wherever it is.
        match Simulated::read(&path, &interface) {
            Ok(mut system) => {
                system.reset().unwrap();
                for at in 0..30 {
                    let output = system.step(Letter::from_index(at * 5 % inputs)).unwrap();
                    prop_assert!(output.index() < [4, 2][which]);
                }
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn kiss2_machines(edits in edits(&[".i ", ".o ", ".s ", ".r ", "-", "1", "\n", ".e", "99999999999999999999", "s0", "#"])) {
        let text = ".i 2\n.o 1\n.p 4\n.s 2\n.r s0\n1- s0 s1 1\n0- s0 s0 0\n-1 s1 s0 0\n-0 s1 s1 1\n.e\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("machine.kiss2");
        std::fs::write(&path, damaged(text, &edits)).unwrap();
        match machine::read(&path) {
            Ok(machine) => {
                let (states, inputs) = (machine.states().len() as u32, machine.inputs().len() as u32);
                for (state, input) in (0..states).flat_map(|state| (0..inputs).map(move |input| (state, input))) {
                    prop_assert!(machine.next(state, input).is_none_or(|next| next < states));
                }
                prop_assert!(machine.initial().is_none_or(|initial| initial < states));
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }

    #[test]
    fn traces(edits in edits(&["/", "=", "=1", "#", "\"", "\n", "bwdlimit=2", "\\"])) {
        let interface = Interface::signals(["a", "b"], ["x"]).unwrap();
        let text = "# provoke trace 1\na=1 b=0 / x=1\na=0 b=0 / x=0\n";
        match read_trace(&interface, &Source::new("t", damaged(text, &edits))) {
            Ok(trace) => {
                let written = write_trace(&interface, &trace, &[]);
                prop_assert_eq!(read_trace(&interface, &Source::new("t", written)).unwrap(), trace);
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}
