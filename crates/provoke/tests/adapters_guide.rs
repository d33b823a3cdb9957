//! The guide to adapters says what the code does: its examples load, its table has every key.

#![allow(clippy::unwrap_used)]

use std::path::Path;

use provoke::diagnostic::Source;
use provoke::format::machine;
use provoke::letter::Interface;
use provoke::specification::Specification;
use provoke::system::{Protocol, Simulated};

fn guide() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide/adapters.md");
    std::fs::read_to_string(path).unwrap()
}

fn blocks(guide: &str, language: &str) -> Vec<String> {
    let opening = format!("```{language}\n");
    let blocks = guide.split(&opening).skip(1).map(|rest| rest.split("```").next().unwrap().to_owned());
    blocks.collect()
}

#[test]
fn the_examples_are_protocols() {
    let blocks = blocks(&guide(), "toml");
    assert_eq!(blocks.len(), 3);
    let challenge = Specification::from_text(Path::new("challenge.toml"), &blocks[2]).unwrap();
    let outputs = &challenge.interface().outputs;
    assert_eq!(outputs.names().collect::<Vec<_>>(), ["x", "y", "invalid", "none", "end", "crash"]);
    let protocols: Vec<Protocol> = blocks
        .iter()
        .map(|text| {
            let table: toml::Table = text.parse().unwrap();
            table["system"]["protocol"].clone().try_into().unwrap()
        })
        .collect();
    let vending = Interface::labels(["coin", "button"], ["tea", "quiet"]).unwrap();
    protocols[0].check(&vending).unwrap();
    protocols[1].check(&Interface::signals(["a"], ["x"]).unwrap()).unwrap();
}

#[test]
fn the_table_has_every_key() {
    let error = toml::from_str::<Protocol>("no-such-key = 1").unwrap_err().to_string();
    let keys: Vec<&str> = error.split('`').skip(1).step_by(2).collect();
    let guide = guide();
    assert!(keys.len() > 15, "{error}");
    for key in keys.into_iter().filter(|&key| key != "no-such-key") {
        assert!(guide.contains(&format!("`{key}`")), "`{key}` is not in the guide");
    }
}

#[test]
fn the_machine_is_a_controller() {
    let interface = Interface::signals(["bwdlimit", "fwdlimit", "cargo"], ["movefwd", "movebwd"]).unwrap();
    let blocks = blocks(&guide(), "dot");
    assert_eq!(blocks.len(), 1);
    for text in blocks {
        let machine = machine::parse_dot(&Source::new("guide", text)).unwrap();
        Simulated::new(&machine, &interface).unwrap();
    }
}
