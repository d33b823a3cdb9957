//! Many sets of states, one after another in memory.

/// The sets of one level of a beam.
pub(super) struct Level<S> {
    sets: Vec<S>,
    ends: Vec<usize>,
}

impl<S: Copy> Level<S> {
    pub(super) fn new() -> Level<S> {
        Level { sets: Vec::new(), ends: Vec::new() }
    }

    pub(super) fn push(&mut self, set: &[S]) {
        self.sets.extend_from_slice(set);
        self.ends.push(self.sets.len());
    }

    /// Adds the set that is appended to those here, unless it is said not to be wanted.
    pub(super) fn push_if(&mut self, append: impl FnOnce(&mut Vec<S>) -> bool) -> bool {
        let start = self.sets.len();
        let wanted = append(&mut self.sets);
        if wanted {
            self.ends.push(self.sets.len());
        } else {
            self.sets.truncate(start);
        }
        wanted
    }

    pub(super) fn clear(&mut self) {
        self.sets.clear();
        self.ends.clear();
    }

    /// How many sets there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub(super) fn set(&self, index: usize) -> &[S] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.sets[start..self.ends[index]]
    }

    /// Where the second half begins, counted in states; there must be two sets or more.
    pub(super) fn middle(&self) -> usize {
        let half = self.sets.len() / 2;
        self.ends.partition_point(|&end| end < half).clamp(1, self.ends.len() - 1)
    }

    /// The states of all sets.
    pub(super) fn sets(&self) -> &[S] {
        &self.sets
    }
}
