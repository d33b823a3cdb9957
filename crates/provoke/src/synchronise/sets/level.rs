//! Many sets of states, one after another in memory.

/// The sets of one level of a beam.
pub(crate) struct Level<S> {
    sets: Vec<S>,
    ends: Vec<usize>,
}

impl<S: Copy> Level<S> {
    pub(crate) fn new() -> Level<S> {
        Level { sets: Vec::new(), ends: Vec::new() }
    }

    pub(crate) fn push(&mut self, set: &[S]) {
        self.sets.extend_from_slice(set);
        self.ends.push(self.sets.len());
    }

    /// Adds the set that is appended to those here, unless it is said not to be wanted.
    pub(crate) fn push_if(&mut self, append: impl FnOnce(&mut Vec<S>) -> bool) -> bool {
        let start = self.sets.len();
        let wanted = append(&mut self.sets);
        if wanted {
            self.ends.push(self.sets.len());
        } else {
            self.sets.truncate(start);
        }
        wanted
    }

    pub(crate) fn clear(&mut self) {
        self.sets.clear();
        self.ends.clear();
    }

    /// How many sets there are.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(crate) fn set(&self, index: usize) -> &[S] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.sets[start..self.ends[index]]
    }

    /// Where the second half begins, counted in states; there must be two sets or more.
    pub(crate) fn middle(&self) -> usize {
        let half = self.sets.len() / 2;
        self.ends.partition_point(|&end| end < half).clamp(1, self.ends.len() - 1)
    }

    /// The states of all sets.
    pub(crate) fn sets(&self) -> &[S] {
        &self.sets
    }
}
