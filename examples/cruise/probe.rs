//! What watches the cruise controller from inside: which branches it took, and which one of its mutants it is.

use std::cell::Cell;

/// What is changed in a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A condition: negated, always true, always false.
    Condition,
    /// A value that a condition reads: negated, always true, always false.
    Reading,
    /// An operator between two truth values: the other one, either side alone, exactly one, and two that negate.
    Logic,
    /// A comparison: each of the five others.
    Comparison,
    /// A number: one or two more or less.
    Constant,
    /// A sum or a product: the difference, the other one, either side alone.
    Arithmetic,
    /// An assignment: dropped.
    Assignment,
    /// An assignment of a constant truth: the other one.
    Truth,
}

/// The kinds, how many places of each the controller has, and how many ways there are to change one of them.
pub const KINDS: [(Kind, u32, u32); 8] = [
    (Kind::Condition, BRANCHES / 2, 3),
    (Kind::Reading, 16, 3),
    (Kind::Logic, 5, 6),
    (Kind::Comparison, 19, 5),
    (Kind::Constant, 43, 4),
    (Kind::Arithmetic, 5, 4),
    (Kind::Assignment, 35, 1),
    (Kind::Truth, 11, 1),
];

/// How many branches the controller has: two for each condition.
pub const BRANCHES: u32 = 60;

/// Everything that computes is clamped to this, so that no mutant counts for ever.
const MOST: i32 = 9;

/// One change of the controller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// What is changed.
    pub kind: Kind,
    /// Which of the places of that kind.
    pub site: u32,
    /// Which of the ways to change it.
    pub way: u32,
}

/// How many mutants there are.
pub const MUTANTS: u32 = {
    let (mut sum, mut at) = (0, 0);
    while at < KINDS.len() {
        sum += KINDS[at].1 * KINDS[at].2;
        at += 1;
    }
    sum
};

impl Change {
    /// The mutant with this number, counted from 1; none where there are not so many.
    pub fn numbered(number: u32) -> Option<Change> {
        let mut rest = number.checked_sub(1)?;
        for (kind, sites, ways) in KINDS {
            if rest < sites * ways {
                return Some(Change { kind, site: rest / ways, way: rest % ways });
            }
            rest -= sites * ways;
        }
        None
    }
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    Less,
    AtMost,
    Equal,
    Unequal,
    AtLeast,
    More,
}

const RELATIONS: [Relation; 6] =
    [Relation::Less, Relation::AtMost, Relation::Equal, Relation::Unequal, Relation::AtLeast, Relation::More];

/// Goes through the controller with it. Every method has a place's number of its kind first.
#[derive(Clone, Debug, Default)]
pub struct Probe {
    change: Option<Change>,
    taken: Cell<u64>,
}

impl Probe {
    /// The controller as it is, or changed.
    pub fn new(change: Option<Change>) -> Probe {
        Probe { change, taken: Cell::default() }
    }

    /// One bit for each branch that was taken.
    pub fn taken(&self) -> u64 {
        self.taken.get()
    }

    fn way(&self, kind: Kind, site: u32) -> Option<u32> {
        self.change.filter(|change| (change.kind, change.site) == (kind, site)).map(|change| change.way)
    }

    /// A condition that something depends on.
    pub fn decide(&self, site: u32, condition: bool) -> bool {
        let decided = changed(condition, self.way(Kind::Condition, site));
        self.taken.set(self.taken.get() | 1 << (2 * site + u32::from(decided)));
        decided
    }

    /// A value that is read.
    pub fn read(&self, site: u32, value: bool) -> bool {
        changed(value, self.way(Kind::Reading, site))
    }

    /// Both.
    pub fn and(&self, site: u32, left: bool, right: bool) -> bool {
        match self.way(Kind::Logic, site) {
            None => left && right,
            Some(0) => left || right,
            Some(way) => one_of(way, left, right),
        }
    }

    /// Either.
    pub fn or(&self, site: u32, left: bool, right: bool) -> bool {
        match self.way(Kind::Logic, site) {
            None => left || right,
            Some(0) => left && right,
            Some(way) => one_of(way, left, right),
        }
    }

    /// Whether two numbers stand in a relation.
    pub fn is(&self, site: u32, left: i32, relation: Relation, right: i32) -> bool {
        let mut relation = relation;
        if let Some(way) = self.way(Kind::Comparison, site) {
            let others = RELATIONS.iter().filter(|&&other| other != relation);
            relation = others.copied().nth(way as usize).unwrap_or(relation);
        }
        match relation {
            Relation::Less => left < right,
            Relation::AtMost => left <= right,
            Relation::Equal => left == right,
            Relation::Unequal => left != right,
            Relation::AtLeast => left >= right,
            Relation::More => left > right,
        }
    }

    /// A number that is written in the program.
    pub fn number(&self, site: u32, value: i32) -> i32 {
        value + [0, 1, -1, 2, -2][self.way(Kind::Constant, site).map_or(0, |way| way as usize + 1)]
    }

    /// A sum.
    pub fn add(&self, site: u32, left: i32, right: i32) -> i32 {
        let all = [left + right, left - right, left * right, left, right];
        clamped(all[self.way(Kind::Arithmetic, site).map_or(0, |way| way as usize + 1)])
    }

    /// A product.
    pub fn multiply(&self, site: u32, left: i32, right: i32) -> i32 {
        let all = [left * right, left - right, left + right, left, right];
        clamped(all[self.way(Kind::Arithmetic, site).map_or(0, |way| way as usize + 1)])
    }

    /// An assignment.
    pub fn set<T>(&self, site: u32, place: &mut T, value: T) {
        if self.way(Kind::Assignment, site).is_none() {
            *place = value;
        }
    }

    /// A truth value that is written in the program.
    pub fn truth(&self, site: u32, value: bool) -> bool {
        value != self.way(Kind::Truth, site).is_some()
    }
}

fn one_of(way: u32, left: bool, right: bool) -> bool {
    match way {
        1 => left,
        2 => right,
        3 => left != right,
        4 => !(left && right),
        _ => !(left || right),
    }
}

fn changed(value: bool, way: Option<u32>) -> bool {
    match way {
        None => value,
        Some(0) => !value,
        Some(way) => way == 1,
    }
}

fn clamped(value: i32) -> i32 {
    value.clamp(-MOST, MOST)
}
