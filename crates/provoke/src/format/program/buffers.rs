//! What steps write into, so that they need not allocate.

use crate::expression::Machine;

/// The memory that steps work in; one serves any number of them.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub(super) machine: Machine,
    /// Values of domains that are being gone through.
    pub(super) values: Vec<i64>,
    pub(super) arguments: Vec<i64>,
    /// States that are being updated, each followed by the arguments and what was chosen.
    pub(super) rows: Vec<i64>,
    pub(super) tried: u32,
}

impl Workspace {
    /// A workspace that was not used yet.
    pub fn new() -> Workspace {
        Workspace::default()
    }
}

/// A rule and its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Action<'a> {
    /// The number of the rule.
    pub rule: usize,
    /// A word for each parameter.
    pub arguments: &'a [i64],
}

/// A list of actions.
#[derive(Clone, Debug, Default)]
pub struct Actions {
    /// The rule of each, and where its arguments end.
    list: Vec<(u32, u32)>,
    arguments: Vec<i64>,
}

impl Actions {
    /// An empty list.
    pub fn new() -> Actions {
        Actions::default()
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.list.clear();
        self.arguments.clear();
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// One of them; panics where there are fewer.
    pub fn get(&self, number: usize) -> Action<'_> {
        let start = number.checked_sub(1).map_or(0, |before| self.list[before].1);
        let (rule, end) = self.list[number];
        Action { rule: rule as usize, arguments: &self.arguments[start as usize..end as usize] }
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Action<'_>> {
        (0..self.len()).map(|number| self.get(number))
    }

    /// Adds one.
    pub fn push(&mut self, action: Action<'_>) {
        self.arguments.extend_from_slice(action.arguments);
        self.list.push((action.rule as u32, self.arguments.len() as u32));
    }
}

/// A list of states of one program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct States {
    words: Vec<i64>,
    width: usize,
    count: usize,
}

impl States {
    /// An empty list.
    pub fn new() -> States {
        States::default()
    }

    /// Forgets all of them.
    pub fn clear(&mut self) {
        self.words.clear();
        self.count = 0;
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// One of them; panics where there are fewer.
    pub fn get(&self, number: usize) -> &[i64] {
        assert!(number < self.count, "there are {} states, not {number}", self.count);
        &self.words[number * self.width..(number + 1) * self.width]
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[i64]> {
        (0..self.count).map(|number| self.get(number))
    }

    /// Adds one. All states of a list are equally wide.
    pub fn push(&mut self, state: &[i64]) {
        debug_assert!(self.count == 0 || state.len() == self.width, "states of two programs");
        self.width = state.len();
        self.words.extend_from_slice(state);
        self.count += 1;
    }
    /// Puts them in order, each once.
    pub(super) fn sort(&mut self) {
        if self.count < 2 {
            return;
        }
        let mut rows: Vec<&[i64]> = self.iter().collect();
        rows.sort_unstable();
        rows.dedup();
        let (count, words) = (rows.len(), rows.concat());
        (self.count, self.words) = (count, words);
    }
}
