//! The labels that stand for a system ending by itself.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::Ending;
use super::error::SIGNALS;

/// `"end"` for every way of ending, or a label for each: `{ 0 = "end", signal = "killed", other = "crash" }`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ends {
    codes: BTreeMap<i32, String>,
    signals: BTreeMap<i32, String>,
    /// Any other signal.
    signal: Option<String>,
    /// Everything else.
    other: Option<String>,
}

const WAYS: &str =
    "a label, or a table of labels such as { 0 = \"end\", SIGABRT = \"abort\", other = \"crash\" }";

impl Ends {
    /// The label for a way of ending; none where the table has none.
    pub fn label(&self, how: &Ending) -> Option<&str> {
        let known = match how {
            Ending::Exited(code) => self.codes.get(code),
            Ending::Killed(signal) => self.signals.get(signal).or(self.signal.as_ref()),
            Ending::HungUp | Ending::Panicked(_) | Ending::Failed(_) => None,
        };
        known.or(self.other.as_ref()).map(String::as_str)
    }

    /// All labels, in no particular order and perhaps more than once.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        let tables = self.codes.values().chain(self.signals.values());
        tables.chain(&self.signal).chain(&self.other).map(String::as_str)
    }

    fn add(&mut self, way: &str, label: String) -> Result<(), String> {
        match way {
            "other" => self.other = Some(label),
            "signal" => self.signal = Some(label),
            _ => match (way.parse(), SIGNALS.iter().find(|(_, name)| *name == way)) {
                (Ok(code), _) => drop(self.codes.insert(code, label)),
                (_, Some((signal, _))) => drop(self.signals.insert(*signal, label)),
                _ => {
                    return Err(format!(
                        "`{way}` is no way to end: expected an exit code, a signal such as SIGABRT, `signal` or `other`"
                    ));
                }
            },
        }
        Ok(())
    }
}

impl<'de> Deserialize<'de> for Ends {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Ends, D::Error> {
        deserializer.deserialize_any(EndsVisitor)
    }
}

struct EndsVisitor;

impl<'de> Visitor<'de> for EndsVisitor {
    type Value = Ends;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WAYS)
    }

    fn visit_str<E: Error>(self, label: &str) -> Result<Ends, E> {
        Ok(Ends { other: Some(label.to_owned()), ..Ends::default() })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Ends, A::Error> {
        let mut ends = Ends::default();
        while let Some((way, label)) = table.next_entry::<String, String>()? {
            ends.add(&way, label).map_err(A::Error::custom)?;
        }
        if ends == Ends::default() {
            return Err(A::Error::custom(format!("expected {WAYS}")));
        }
        Ok(ends)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Protocol;
    use super::*;

    #[test]
    fn each_way_of_ending_has_its_label() {
        let read = |text: &str| toml::from_str::<Protocol>(text).map(|protocol| protocol.ends.unwrap());
        let one = read("ends = \"end\"").unwrap();
        let ways =
            [Ending::Exited(0), Ending::Exited(1), Ending::Killed(6), Ending::Killed(11), Ending::HungUp];
        assert_eq!(ways.each_ref().map(|how| one.label(how)), [Some("end"); 5]);
        let many =
            read("ends = { 0 = \"end\", SIGABRT = \"abort\", signal = \"killed\", other = \"crash\" }")
                .unwrap();
        let labels = ["end", "crash", "abort", "killed", "crash"].map(Some);
        assert_eq!(ways.each_ref().map(|how| many.label(how)), labels);
        let few = read("ends = { 0 = \"end\" }").unwrap();
        assert_eq!(ways.each_ref().map(|how| few.label(how)), [Some("end"), None, None, None, None]);
        let wrong = |text: &str| read(text).unwrap_err().message().to_owned();
        assert!(wrong("ends = { crash = \"x\" }").starts_with("`crash` is no way to end"));
        assert!(wrong("ends = 3").contains("expected a label, or a table"));
        assert!(wrong("ends = {}").contains("expected a label, or a table"));
    }
}
