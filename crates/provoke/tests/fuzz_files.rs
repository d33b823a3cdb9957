//! Damaged files give errors, never panics: specification files, machines and traces with random edits.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use proptest::prelude::*;
use provoke::diagnostic::Source;
use provoke::format::machine;
use provoke::letter::Interface;
use provoke::specification::Specification;
use provoke::system::Simulated;
use provoke::trace::read_trace;

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
        if let Ok(machine) = machine::read(&path) {
            let _ = Simulated::new(&machine, &interface);
        }
    }

    #[test]
    fn kiss2_machines(edits in edits(&[".i ", ".o ", ".s ", ".r ", "-", "1", "\n", ".e", "99999999999999999999", "s0", "#"])) {
        let text = ".i 2\n.o 1\n.p 4\n.s 2\n.r s0\n1- s0 s1 1\n0- s0 s0 0\n-1 s1 s0 0\n-0 s1 s1 1\n.e\n";
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("machine.kiss2");
        std::fs::write(&path, damaged(text, &edits)).unwrap();
        let _ = machine::read(&path);
    }

    #[test]
    fn traces(edits in edits(&["/", "=", "=1", "#", "\"", "\n", "bwdlimit=2", "\\"])) {
        let interface = Interface::signals(["a", "b"], ["x"]).unwrap();
        let text = "# provoke trace 1\na=1 b=0 / x=1\na=0 b=0 / x=0\n";
        let _ = read_trace(&interface, &Source::new("t", damaged(text, &edits)));
    }
}
