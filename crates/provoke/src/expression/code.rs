//! Expressions as instructions for a machine with a stack of words.

use std::ops::Range;

use super::tree::Binary;
use super::types::Type;

/// An expression that is ready to be evaluated, many times.
#[derive(Clone, Debug)]
pub struct Code {
    pub(super) instructions: Box<[Instruction]>,
    /// Of which part each instruction is.
    pub(super) spans: Box<[Range<u32>]>,
    /// Words of constants that take several.
    pub(super) constants: Box<[i64]>,
    pub(super) locals: usize,
    pub(super) stack: usize,
    pub(super) of: Type,
    /// Where the expression stands.
    pub(super) whole: Range<usize>,
    /// Whether it has this value in every state.
    pub(super) always: Option<bool>,
}

impl Code {
    /// The type of the value.
    pub fn of(&self) -> &Type {
        &self.of
    }

    /// Byte offsets of the expression in its source.
    pub fn span(&self) -> Range<usize> {
        self.whole.clone()
    }

    /// The truth value that it is known to have in every state, where it is one.
    pub fn always(&self) -> Option<bool> {
        self.always
    }
}

/// The elements of a set in words: the least one that there may be, and the number of words.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) low: i64,
    pub(super) words: u32,
}

/// The keys of a map: the least one, how many there are, and the words of a value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys {
    pub(super) low: i64,
    pub(super) size: u32,
    pub(super) stride: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    Push(i64),
    Constants {
        from: u32,
        words: u32,
    },
    /// A word of the state.
    Word(u32),
    /// Some words of the state.
    Words {
        at: u32,
        words: u32,
    },
    Local(u32),
    Store(u32),
    Not,
    Minus,
    Abs,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Min,
    Max,
    Compare(Comparison),
    /// The same with a constant on the right.
    CompareWith {
        op: Comparison,
        word: i64,
    },
    /// Adds a constant.
    AddWith(i64),
    /// Whether two blocks of words are equal.
    Same(u32),
    /// Jumps where the top is false, and otherwise takes it away.
    AndThen(u32),
    /// Jumps where the top is true, and otherwise takes it away.
    OrElse(u32),
    Jump(u32),
    /// Takes the top away, and jumps where it is false.
    Unless(u32),
    Between,
    /// Whether the word below the top so many is one of them.
    OneOf(u32),
    Zeros(u32),
    /// Takes the top away, and adds it to the set below.
    Insert(Layout),
    /// The set of what lies between the two words on top.
    Interval(Layout),
    Member {
        layout: Layout,
        size: u32,
    },
    /// The same for a set that is a part of the state.
    MemberAt {
        at: u32,
        low: i64,
        size: u32,
    },
    Union(u32),
    Difference(u32),
    Intersection(u32),
    Subset(u32),
    Size(u32),
    Least(Layout),
    Greatest(Layout),
    /// Moves a set from one layout to another that has `size` elements.
    Rebase {
        from: Layout,
        to: Layout,
        size: u32,
    },
    Bound {
        low: i64,
        high: i64,
    },
    /// The word of the state that a map has for the key on top.
    Index {
        at: u32,
        keys: Keys,
    },
    /// The same for a key that is a local.
    IndexLocal {
        at: u32,
        local: u32,
        keys: Keys,
    },
    /// How far the value of the key on top lies behind the beginning of its map.
    Offset(Keys),
    /// The same, behind the offset below.
    Further(Keys),
    /// The words of the state so far behind a place.
    Fetch {
        at: u32,
        words: u32,
    },
    /// The value of the key on top in the map below.
    Pick(Keys),
    /// Jumps where a range, in two locals, is empty.
    Enter {
        local: u32,
        end: u32,
    },
    /// Goes to the next value of a range, and jumps where there is one.
    Next {
        local: u32,
        start: u32,
    },
    /// Takes the first element of a set, which lies in the stack; jumps where there is none.
    Scan {
        local: u32,
        at: u32,
        layout: Layout,
        end: u32,
    },
    /// Takes the next element, and jumps where there is one.
    Advance {
        local: u32,
        at: u32,
        layout: Layout,
        start: u32,
    },
    /// Takes the top away; where it is this, so is the result below, and the loop ends.
    Stop {
        when: bool,
        end: u32,
    },
    /// Takes the top away, and adds it to the number below.
    Tally,
    /// Takes the top away; where it is true, the local is an element of the set below.
    Keep {
        local: u32,
        layout: Layout,
    },
    /// Takes a value away, and puts it where the map below has the value of the local.
    Put {
        local: u32,
        keys: Keys,
    },
    /// Takes away what lies below the result.
    Squash {
        drop: u32,
        keep: u32,
    },
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Comparison {
    pub(super) fn of(op: Binary) -> Comparison {
        match op {
            Binary::Unequal => Comparison::Unequal,
            Binary::Less => Comparison::Less,
            Binary::AtMost => Comparison::AtMost,
            Binary::Greater => Comparison::Greater,
            Binary::AtLeast => Comparison::AtLeast,
            _ => Comparison::Equal,
        }
    }
}
