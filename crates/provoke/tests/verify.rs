//! Model checking of whole specifications: public machines that are known to be right, and strict TLSF files.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};

use provoke::specification::{Specification, Verification};
use provoke::verify::Outcome;

fn data() -> Option<PathBuf> {
    let folder = std::env::var_os("PROVOKE_DATA").map(PathBuf::from).filter(|folder| folder.is_dir());
    if folder.is_none() {
        eprintln!("skipped: PROVOKE_DATA does not say in which folder public data is");
    }
    folder
}

fn verify(specification: &Path, machine: &Path) -> Verification {
    let specification = Specification::load(specification).unwrap();
    let machine = specification.machine(machine).unwrap();
    specification.verify(&machine).unwrap()
}

#[test]
fn public_machines_keep_their_specifications() {
    let Some(data) = data() else { return };
    let paths = std::fs::read_dir(data.join("tlsf")).unwrap().map(|entry| entry.unwrap().path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "tlsf")).collect();
    paths.sort();
    assert_eq!(paths.len(), 91);
    // Every ninth, to be quick; `experiments mutants` looks at all.
    for path in paths.iter().step_by(9) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let machine = data.join("machines").join(format!("{name}.kiss2"));
        let found = verify(path, &machine);
        assert_eq!(found.holds(), Some(true), "{name}: {found:?}");
        assert!(!found.vacuous, "{name}");
    }
}

const STRICT: &str = "INFO {\n TITLE: \"t\"\n DESCRIPTION: \"d\"\n SEMANTICS: Mealy,Strict\n TARGET: Mealy\n}\n\
    MAIN {\n INPUTS { a; }\n OUTPUTS { x; y; }\n REQUIRE { !y; }\n ASSERT { !x; }\n}\n";

#[test]
fn strict_specifications_hold_until_the_environment_has_broken_its_word() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    // After x the machine itself has the environment break its word; strictly, that is no excuse for the x before.
    let machine = "digraph { __start0 -> p; p -> q [label=\"true / x\"]; q -> q [label=\"true / y\"]; }";
    let machine = write("m.dot", machine);
    let strict = verify(&write("strict.tlsf", STRICT), &machine);
    let [Outcome::Violated(found)] = &strict.outcomes[..] else { panic!("{strict:?}") };
    assert_eq!((found.stem.len(), found.cycle.len()), (1, 0));
    let standard = write("standard.tlsf", &STRICT.replace(",Strict", ""));
    let standard = verify(&standard, &machine);
    assert!(standard.vacuous && standard.holds() == Some(true), "{standard:?}");
}
