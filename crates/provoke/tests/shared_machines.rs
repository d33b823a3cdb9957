//! Machines that were published, where they are present.

mod common;

use std::path::PathBuf;

use provoke::format::machine;
use provoke::format::machine::{MachineFormat, write_machine};

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

/// Tables are written with about as many rows as they had: the tool that wrote them is not ours.
#[test]
fn tables_are_written_with_as_few_rows_as_they_had() {
    let Some(folder) = machines() else { return };
    let rows = |text: &str| {
        let said = text.lines().find_map(|line| line.strip_prefix(".p "));
        said.unwrap().trim().parse::<usize>().unwrap()
    };
    let (mut theirs, mut ours, mut same) = (0, 0, 0);
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "kiss2") {
            continue;
        }
        let before = rows(&std::fs::read_to_string(&path).unwrap());
        let machine = machine::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let after = rows(&write_machine(&machine, MachineFormat::Kiss2).unwrap());
        (theirs, ours, same) = (theirs + before, ours + after, same + usize::from(before == after));
    }
    assert_eq!((theirs, ours, same), (7_219, 7_172, 83));
}
