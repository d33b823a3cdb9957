//! Machines that were published, where they are present.

mod common;

use std::path::PathBuf;

use provoke::format::machine;

fn machines() -> Option<PathBuf> {
    common::data("machines")
}

#[test]
fn every_machine_is_read() {
    let Some(folder) = machines() else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "csv") {
            continue;
        }
        let machine = machine::read(&path).unwrap_or_else(|error| panic!("{error}"));
        assert!(machine.initial().is_some(), "{}", path.display());
        count += 1;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn the_engine_status_manager_has_the_published_size() {
    let Some(folder) = machines() else { return };
    let esm = machine::read(&folder.join("esm.dot")).unwrap();
    assert_eq!((esm.states().len(), esm.inputs().len(), esm.is_complete()), (3410, 78, true));
}
