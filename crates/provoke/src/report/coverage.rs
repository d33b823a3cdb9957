//! What was covered of all there is.

use crate::automaton::Classes;

/// How much of something was covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverageReport {
    /// The objective that wanted it, by id; none where coverage only steered.
    pub objective: Option<String>,
    /// What was to be covered: `states`, `transitions`, `abstract-transitions`, `labels`, `input-classes`.
    pub of: String,
    /// How many elements could be covered, if the system helped; as far as is known.
    pub elements: usize,
    /// How many of them were.
    pub covered: usize,
    /// Those that were not, in words.
    pub never: Vec<String>,
    /// What no run that keeps the specification covers, in words.
    pub cannot: Vec<String>,
    /// Whether these are all elements there are, and not only those that are known so far; of `input-classes`, whether each of
    /// them can be covered, and not only none of the others.
    pub complete: bool,
}

impl CoverageReport {
    /// What is covered where coverage only steers.
    const INPUT_CLASSES: &str = "input-classes";

    /// What was sent of the inputs that requirements tell apart, each with its id; none where there are no such inputs.
    ///
    /// What was sent counts as possible, whatever was known before: after a violation more is.
    pub fn of_classes<'a>(
        requirements: impl IntoIterator<Item = (&'a str, &'a Classes)>,
    ) -> Option<CoverageReport> {
        let mut report = CoverageReport {
            objective: None,
            of: Self::INPUT_CLASSES.to_owned(),
            elements: 0,
            covered: 0,
            never: Vec::new(),
            cannot: Vec::new(),
            complete: true,
        };
        for (id, classes) in requirements {
            report.complete &= classes.are_exact();
            for goal in classes.goals() {
                let name = || format!("{id}, state {}", goal.name);
                report.elements += usize::from(goal.covered || goal.possible);
                report.covered += usize::from(goal.covered);
                match (goal.covered, goal.possible) {
                    (false, true) => report.never.push(name()),
                    (false, false) => report.cannot.push(name()),
                    (true, _) => {}
                }
            }
        }
        (report.elements > 0).then_some(report)
    }

    /// What both cover together. Where they know different numbers of elements, the larger stands.
    pub(super) fn merge(&mut self, other: CoverageReport) {
        self.never.retain(|name| other.never.contains(name));
        self.elements = self.elements.max(other.elements);
        let left = self.elements.saturating_sub(self.never.len());
        self.covered = self.covered.max(other.covered).max(left);
        self.complete &= other.complete;
        self.cannot.retain(|name| other.cannot.contains(name));
    }

    /// How much was covered, in words.
    pub fn sentence(&self) -> String {
        let CoverageReport { of, elements, covered, .. } = self;
        match self.complete {
            true => format!("{covered} of {elements} {of}"),
            false if of == Self::INPUT_CLASSES => format!("{covered} of at most {elements} {of}"),
            false => format!("{covered} of {elements} {of} known so far"),
        }
    }
}
