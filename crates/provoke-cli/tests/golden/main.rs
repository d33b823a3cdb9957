//! What the real binary does with every example and with ten generated specifications, held against recorded files:
//! the campaign of seed 1 run by run, the report, the saved traces and the pictures.
//!
//! `UPDATE_GOLDEN=1 cargo test -p provoke-cli --test golden` records anew; say in the commit why something changed.

#![allow(clippy::unwrap_used)]

mod compare;
mod generate;
mod machine;
mod recorder;
mod subject;
mod told;
// Shared with the example, where it is public.
#[path = "../../../../examples/lift/lift.rs"]
#[allow(unreachable_pub)]
mod lift;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use compare::{compare, golden_folder};
use generate::generate;
use lift::{FLOORS, Lift};
use machine::{Answering, Interface, Machine};
use subject::Subject;

/// Every specification of `examples` but those of `key-value`, which need servers.
const SIMULATED: [&str; 13] = [
    "carriage/carriage",
    "carriage/faulty",
    "carriage/figure3",
    "carriage/hunt",
    "first/detour",
    "first/first",
    "lift-without-reset/lift",
    "lift-without-reset/stays-up",
    "lift-without-reset/stuck",
    "passageway/rooms-10-faulty",
    "passageway/rooms-10",
    "passageway/rooms-3-faulty",
    "passageway/rooms-3",
];

const SERVERS: [&str; 2] = ["key-value/memcached", "key-value/redis"];

/// Games of actions that need not alternate, and programs that have tests of their own: what is said of them without a
/// campaign.
const CHECKED: [&str; 10] = [
    "arm/arm",
    "choices/choices",
    "coffee/coffee",
    "coffee/keeps-the-coin",
    "coffee/too-eager",
    "cruise/cruise",
    "lift/lift",
    "robots/faulty",
    "robots/robots",
    "thermostat/thermostat",
];

/// Violated, covered, used up and unreachable; signals and labels, DOT and KISS2, with and without assumptions,
/// obligations and objectives.
const GENERATED: [u64; 10] = [5, 6, 11, 12, 17, 23, 32, 35, 47, 58];

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples")
}

/// The name of a golden file.
fn name(example: &str) -> String {
    example.replace('/', "-")
}

fn simulated(folder: &str) {
    for example in SIMULATED.iter().filter(|example| example.starts_with(folder)) {
        let subject = Subject::of_example(&examples(), example);
        let dot = subject.model();
        let machine = Machine::read(&dot, Interface::of(&subject.spec));
        let mut told = subject.checked();
        told += &subject.pictures();
        told += &subject.reports();
        told += &subject.campaigns(move || machine.run());
        compare(&name(example), &told);
    }
}

#[test]
fn the_carriage() {
    simulated("carriage/");
}

#[test]
fn the_first_example() {
    simulated("first/");
}

#[test]
fn the_lift_without_reset() {
    simulated("lift-without-reset/");
}

#[test]
fn the_passageway() {
    simulated("passageway/");
}

#[test]
fn the_lift() {
    let subject = Subject::of_example(&examples(), "lift/boolean");
    let mut told = subject.checked();
    told += &subject.picture(&["--automaton", "called-1"]);
    told += &subject.picture(&["--objective", "break-doors"]);
    for (is_faulty, words) in [
        (false, &["--objective", "round-trip"][..]),
        (true, &["--objective", "break-doors"]),
        (true, &["--hunt", "--keep-going", "--strategy", "mcts-greedy"]),
    ] {
        told += if is_faulty { "\n#### the faulty lift\n" } else { "\n#### the good lift\n" };
        told += &subject.campaign(words, move || lift(is_faulty));
    }
    compare("lift-boolean", &told);
}

/// The lift as the example's program has it.
fn lift(is_faulty: bool) -> Answering {
    let mut lift = Lift::new(is_faulty);
    Box::new(move |line| {
        let pressed = |floor: &u32| line.split_whitespace().any(|pair| pair == format!("b_{floor}=1"));
        let shown = lift.step((1..=FLOORS).find(pressed));
        let at = (1..=FLOORS).map(|floor| format!("at_{floor}={} ", u8::from(floor == shown.floor)));
        let [door, up, down] = [shown.door, shown.up, shown.down].map(u8::from);
        format!("{}door={door} up={up} down={down}", at.collect::<String>())
    })
}

#[test]
fn the_servers_as_far_as_they_need_not_run() {
    for example in SERVERS {
        eprintln!("SKIPPED: the campaign of {example}, whose server answers for itself");
        let subject = Subject::of_example(&examples(), example);
        let id = subject.ids("requirement").remove(0);
        compare(&name(example), &(subject.checked() + &subject.picture(&["--automaton", &id])));
    }
}

#[test]
fn what_has_no_campaign_here_is_checked() {
    for example in CHECKED {
        compare(&name(example), &Subject::of_example(&examples(), example).checked());
    }
}

fn generated(numbers: &[u64]) {
    for number in numbers {
        let made = generate(*number);
        let subject = Subject::of_files(&made.spec, &[(made.model.0, &made.model.1)]);
        let machine = Machine::read(&made.dot, Interface::of(&made.spec));
        let mut told =
            format!("#### the specification\n{}\n#### {}\n{}", made.spec, made.model.0, made.model.1);
        told += &subject.checked();
        told += &subject.pictures();
        told += &subject.reports();
        told += &subject.campaigns(move || machine.run());
        compare(&format!("generated-{number}"), &told);
    }
}

#[test]
fn generated_specifications() {
    generated(&GENERATED[..5]);
}

#[test]
fn more_generated_specifications() {
    generated(&GENERATED[5..]);
}

#[test]
fn every_example_has_its_file_and_every_file_its_example() {
    let listed = SIMULATED.iter().chain(&SERVERS).chain(&CHECKED).chain(&["lift/boolean"]);
    let mut known: BTreeSet<String> = listed.map(|example| name(example)).collect();
    let mut found = BTreeSet::new();
    for folder in std::fs::read_dir(examples()).unwrap().map(|entry| entry.unwrap()) {
        for file in std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()) {
            if file.extension().is_some_and(|ending| ending == "toml") {
                let (folder, stem) = (folder.file_name(), file.file_stem().unwrap().to_owned());
                found.insert(format!("{}-{}", folder.to_str().unwrap(), stem.to_str().unwrap()));
            }
        }
    }
    assert_eq!(known, found, "examples with golden files, and examples there are");
    known.extend(GENERATED.iter().map(|number| format!("generated-{number}")));
    let files = std::fs::read_dir(golden_folder()).unwrap().map(|entry| entry.unwrap().path());
    let texts = files.filter(|file| file.extension().is_some_and(|ending| ending == "txt"));
    for stem in texts.map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned()) {
        assert!(known.contains(&stem), "{stem}.txt is nobody's");
    }
}
