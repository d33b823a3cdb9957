//! The methods by name: one line each.

/// How a reset word is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The fast method's word, then ever shorter ones.
    Auto,
    /// Picks by size and shape, then shortens.
    Fast,
    /// Merges most now, else the nearest.
    Greedy,
    /// Many sets at once, from both ends.
    Beam,
    /// The shortest word.
    Exact,
    /// The nearest pair first.
    Eppstein,
    /// Q-Synch, mended where it is lost.
    QLearning,
    /// Q-Synch as published.
    QSynch,
}

/// A line of the catalogue.
pub struct Entry {
    /// The method.
    pub method: Method,
    /// As written on the command line.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// Where it comes from.
    pub source: &'static str,
    /// True where it also works on partial machines.
    pub partial: bool,
}

const fn entry(
    method: Method,
    name: &'static str,
    about: &'static str,
    source: &'static str,
    partial: bool,
) -> Entry {
    Entry { method, name, about, source, partial }
}

/// Every method, the default first.
pub const METHODS: &[Entry] = &[
    entry(
        Method::Auto,
        "auto",
        "a first word by `fast`, then shorter ones for about a second or --seconds",
        "ours; Roman and Szykula 2015",
        true,
    ),
    entry(Method::Fast, "fast", "picks a method by size and shape, then shortens its word", "ours", true),
    entry(Method::Greedy, "greedy", "applies what merges most now, else the nearest merge", "ours", true),
    entry(Method::Beam, "beam", "follows many sets of states at once, forwards and backwards", "ours", true),
    entry(
        Method::Exact,
        "exact",
        "a shortest word, by search from both ends",
        "Kisielewicz et al. 2013",
        true,
    ),
    entry(
        Method::Eppstein,
        "eppstein",
        "merges the nearest pair, over the pair automaton",
        "paper 5 [26]",
        false,
    ),
    entry(
        Method::QLearning,
        "q-learning",
        "Q-Synch, mended: learns which input to apply to which set",
        "after paper 5",
        true,
    ),
    entry(
        Method::QSynch,
        "q-synch",
        "Q-Synch as published: 1,000,000 episodes, undefined inputs are drawn again",
        "paper 5, Algorithm 1",
        true,
    ),
];

impl Method {
    /// The method's line.
    pub fn entry(self) -> &'static Entry {
        METHODS.iter().find(|entry| entry.method == self).unwrap_or(&METHODS[0])
    }

    /// The method of a name.
    pub fn named(name: &str) -> Option<Method> {
        METHODS.iter().find(|entry| entry.name == name).map(|entry| entry.method)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_method_has_one_line_and_its_own_name() {
        for entry in METHODS {
            assert_eq!(Method::named(entry.name), Some(entry.method));
            assert_eq!(entry.method.entry().name, entry.name);
        }
    }
}
