//! What was covered of all there is.

/// How much of something was covered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CoverageReport {
    /// The objective that wanted it, by id; none where coverage only steered.
    pub objective: Option<String>,
    /// What was to be covered: `states`, `transitions`, `abstract-transitions`, `labels`.
    pub of: String,
    /// How many elements could be covered, if the system helped; as far as is known.
    pub elements: usize,
    /// How many of them were.
    pub covered: usize,
    /// Those that were not, in words.
    pub never: Vec<String>,
    /// What no run that keeps the specification covers, in words.
    pub cannot: Vec<String>,
    /// Whether these are all elements there are, and not only those that are known so far.
    pub complete: bool,
}

impl CoverageReport {
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
            false => format!("{covered} of {elements} {of} known so far"),
        }
    }
}
