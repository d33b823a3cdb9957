//! The fields that the guide documents, and those that were seen.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

/// What `--json` of a command printed in one situation after the other, against what a page of the guide says of it.
pub(crate) struct Fields {
    title: String,
    /// By path, as in `violations[].requirement`: what it means.
    documented: BTreeMap<String, String>,
    seen: BTreeSet<String>,
    /// Those that were seen with something in them.
    filled: BTreeSet<String>,
}

impl Fields {
    /// Reads the table below the heading for this command.
    pub(crate) fn of(page: &str, command: &str) -> Fields {
        Fields::titled(page, &format!("`provoke {command} --json`"))
    }

    /// Reads the table below the heading that ends like this.
    pub(crate) fn titled(page: &str, title: &str) -> Fields {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guide").join(page);
        let text = std::fs::read_to_string(path).unwrap();
        let title = title.to_owned();
        let headed = |line: &&str| line.starts_with('#') && line.ends_with(&title);
        let below = text.lines().skip_while(|line| !headed(line)).skip(1);
        let rows = below.take_while(|line| !line.starts_with('#')).filter(|line| line.starts_with("| `"));
        let mut documented = BTreeMap::new();
        for row in rows {
            let (names, meaning) = row.trim_matches('|').split_once('|').expect("two columns");
            for name in names.split(',') {
                let name = name.trim().trim_matches('`').to_owned();
                assert!(documented.insert(name.clone(), meaning.trim().to_owned()).is_none(), "{name} twice");
            }
        }
        assert!(!documented.is_empty(), "{page} has a table of fields below {title}");
        Fields { title, documented, seen: BTreeSet::new(), filled: BTreeSet::new() }
    }

    /// Takes note of every field of a printed object.
    pub(crate) fn see(&mut self, printed: &Value) {
        self.look(printed, "");
    }

    fn look(&mut self, value: &Value, path: &str) {
        for (name, value) in value.as_object().into_iter().flatten() {
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            // Every trace has the same steps, which are documented once.
            let path = path.rfind("trace[].").map_or(path.clone(), |from| path[from..].to_owned());
            if !value.is_null() && value.as_array().is_none_or(|array| !array.is_empty()) {
                self.filled.insert(path.clone());
            }
            self.look(value, &path);
            value.as_array().into_iter().flatten().for_each(|one| self.look(one, &format!("{path}[]")));
            self.seen.insert(path);
        }
    }

    /// Fails where guide and output differ, or where a field was never seen with something in it.
    pub(crate) fn compare(&self) {
        let Fields { title, documented, seen, filled } = self;
        let unknown: Vec<_> = seen.iter().filter(|path| !documented.contains_key(*path)).collect();
        assert!(unknown.is_empty(), "{title} prints what the guide does not document: {unknown:?}");
        let gone: Vec<_> = documented.keys().filter(|path| !seen.contains(*path)).collect();
        assert!(gone.is_empty(), "the guide documents for {title} what it never printed: {gone:?}");
        let empty = |(path, meaning): &(&String, &String)| {
            !filled.contains(*path) && !meaning.contains("always `null`")
        };
        let empty: Vec<_> = documented.iter().filter(empty).map(|(path, _)| path).collect();
        assert!(empty.is_empty(), "no situation here has {title} fill in {empty:?}");
    }
}

#[test]
fn a_field_that_is_missing_on_either_side_is_told() {
    let fails = |printed: &str, message: &str| {
        let printed = serde_json::from_str(printed).unwrap();
        let told = std::panic::catch_unwind(|| {
            let mut fields = Fields::of("verdicts.md", "replay");
            fields.documented.retain(|path, _| path == "verdict" || path == "violated");
            fields.see(&printed);
            fields.compare();
        });
        let told = told.unwrap_err();
        assert!(told.downcast_ref::<String>().unwrap().contains(message), "{message}");
    };
    fails(r#"{"verdict": 1, "violated": [{"id": 1}]}"#, "does not document: [\"violated[].id\"]");
    fails(r#"{"verdict": 1}"#, "never printed: [\"violated\"]");
    fails(r#"{"verdict": 1, "violated": []}"#, "fill in [\"violated\"]");
}
