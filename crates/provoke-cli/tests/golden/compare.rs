//! Golden files: compared, or recorded anew.

use std::path::{Path, PathBuf};

/// Where they are.
pub(crate) fn golden_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// Fails at the first line that differs; with `UPDATE_GOLDEN` set, records what is told now.
pub(crate) fn compare(name: &str, told: &str) {
    let path = golden_folder().join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, told).unwrap();
        return;
    }
    let recorded = std::fs::read_to_string(&path).unwrap_or_default();
    if let Some(difference) = first_difference(&recorded, told) {
        panic!(
            "{} differs from what the binary does now:\n{difference}\nif this is meant, \
             `UPDATE_GOLDEN=1 cargo test -p provoke-cli --test golden` records it; the commit says why",
            path.display()
        );
    }
}

/// The section, the line's number and the two lines; nothing where the texts are equal.
fn first_difference(recorded: &str, told: &str) -> Option<String> {
    let (mut before, mut after) = (recorded.lines(), told.lines());
    let mut section = "";
    for number in 1.. {
        let (old, new) = (before.next(), after.next());
        if old.or(new).is_none() {
            break;
        }
        if old != new {
            let [old, new] = [old, new].map(|line| line.unwrap_or("(the end)"));
            return Some(format!("line {number}, in `{section}`\n  recorded: {old}\n  now:      {new}"));
        }
        section = old.filter(|line| line.starts_with("####")).unwrap_or(section);
    }
    (recorded != told).then(|| "only in line ends".to_owned())
}

#[test]
fn a_difference_is_shown_with_its_place() {
    assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
    assert_eq!(first_difference("a\n", "a").as_deref(), Some("only in line ends"));
    let changed = first_difference("#### one\na\n#### two\nb\n", "#### one\na\n#### two\nc\n").unwrap();
    assert_eq!(changed, "line 4, in `#### two`\n  recorded: b\n  now:      c");
    let longer = first_difference("a\n", "a\nb\n").unwrap();
    assert_eq!(longer, "line 2, in ``\n  recorded: (the end)\n  now:      b");
}
