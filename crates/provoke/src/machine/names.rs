//! Names of states and letters that cost nothing when they are only numbers.

use std::borrow::Cow;

/// The names of a machine's states, inputs or outputs, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names(Kind);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Kind {
    /// `prefix0`, `prefix1`, ...
    Numbered { prefix: String, count: usize },
    /// All names in one text; name `k` ends at `ends[k]`.
    Listed { text: String, ends: Vec<usize> },
}

impl Names {
    /// `prefix0`, `prefix1`, ... up to `count` names.
    pub fn numbered(prefix: impl Into<String>, count: usize) -> Names {
        Names(Kind::Numbered { prefix: prefix.into(), count })
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        match &self.0 {
            Kind::Numbered { count, .. } => *count,
            Kind::Listed { ends, .. } => ends.len(),
        }
    }

    /// True where there is no name at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The name of a number; numbers out of range show as `?number`.
    pub fn name(&self, number: u32) -> Cow<'_, str> {
        let index = number as usize;
        match &self.0 {
            Kind::Numbered { prefix, count } if index < *count => Cow::Owned(format!("{prefix}{number}")),
            Kind::Listed { text, ends } if index < ends.len() => {
                let start = if index == 0 { 0 } else { ends[index - 1] };
                Cow::Borrowed(&text[start..ends[index]])
            }
            _ => Cow::Owned(format!("?{number}")),
        }
    }

    /// The number of a name.
    pub fn find(&self, name: &str) -> Option<u32> {
        match &self.0 {
            Kind::Numbered { prefix, count } => {
                let digits = name.strip_prefix(prefix.as_str())?;
                let canonical = digits == "0" || !digits.starts_with(['0', '+']);
                let number: u32 = digits.parse().ok().filter(|_| canonical)?;
                ((number as usize) < *count).then_some(number)
            }
            Kind::Listed { ends, .. } => (0..ends.len() as u32).find(|&number| self.name(number) == name),
        }
    }

    /// All names in order.
    pub fn iter(&self) -> impl Iterator<Item = Cow<'_, str>> {
        (0..self.len() as u32).map(|number| self.name(number))
    }

    /// Adds one name at the end.
    pub fn push(&mut self, name: &str) {
        if let Kind::Numbered { prefix, count } = &mut self.0 {
            if name == format!("{prefix}{count}") {
                *count += 1;
                return;
            }
            let mut listed = Names::listed(std::iter::empty());
            for known in self.iter() {
                listed.push(&known);
            }
            *self = listed;
        }
        if let Kind::Listed { text, ends } = &mut self.0 {
            text.push_str(name);
            ends.push(text.len());
        }
    }

    fn listed<'a>(names: impl Iterator<Item = &'a str>) -> Names {
        let (mut text, mut ends) = (String::new(), Vec::new());
        for name in names {
            text.push_str(name);
            ends.push(text.len());
        }
        Names(Kind::Listed { text, ends })
    }
}

impl<'a> FromIterator<&'a str> for Names {
    /// Names in order; `s0 s1 s2 ...` is recognised and stored as a prefix and a count.
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Names {
        let names: Vec<&str> = names.into_iter().collect();
        let prefix = names.first().and_then(|first| first.strip_suffix('0'));
        match prefix {
            Some(prefix) if names.iter().enumerate().all(|(k, name)| numbers(name, prefix, k)) => {
                Names::numbered(prefix, names.len())
            }
            _ => Names::listed(names.into_iter()),
        }
    }
}

fn numbers(name: &str, prefix: &str, number: usize) -> bool {
    let digits = name.strip_prefix(prefix).unwrap_or("");
    (digits == "0" || !digits.starts_with(['0', '+'])) && digits.parse() == Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbered_names_are_recognised_and_found() {
        let names: Names = ["s0", "s1", "s2"].into_iter().collect();
        assert_eq!(names, Names::numbered("s", 3));
        assert_eq!(names.name(2), "s2");
        assert_eq!(names.find("s2"), Some(2));
        for absent in ["s3", "s02", "s+2", "2", "s", "", "s99999999999"] {
            assert_eq!(names.find(absent), None, "{absent}");
        }
    }

    #[test]
    fn other_names_are_listed() {
        let mut names: Names = ["s0", "s01", ""].into_iter().collect();
        assert_eq!((names.name(1).as_ref(), names.find("")), ("s01", Some(2)));
        names.push("last");
        assert_eq!((names.len(), names.find("last"), names.name(9).as_ref()), (4, Some(3), "?9"));
    }

    #[test]
    fn a_number_too_many_turns_into_a_list() {
        let mut names = Names::numbered("", 2);
        names.push("2");
        assert_eq!(names, Names::numbered("", 3));
        names.push("sink");
        assert_eq!(names.iter().collect::<Vec<_>>(), ["0", "1", "2", "sink"]);
    }
}
