//! The README says what the catalogue says.

use provoke::strategy::{CATALOGUE, DEFAULT};

#[test]
fn the_strategy_table_is_the_catalogue() {
    let readme = include_str!("../../../README.md");
    let (_, rest) = readme.split_once("<!-- strategies").expect("the README has a strategy table");
    let (table, _) = rest.split_once("<!-- end of strategies -->").expect("the table ends");
    let table = table.split_once("-->\n").map_or("", |(_, table)| table);
    let mut expected = String::from("\n| name | what it does | from |\n|---|---|---|\n");
    for entry in CATALOGUE {
        let default = if entry.name == DEFAULT { " (default)" } else { "" };
        expected += &format!("| `{}`{default} | {} | {} |\n", entry.name, entry.sentence, entry.source);
    }
    expected.push('\n');
    assert_eq!(table, expected, "put this into the README:\n{expected}");
}
