//! From guards to decisions on bits, and from these to comparisons of words.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{OUTPUT, Table, VALUE};
use crate::bdd::{Bdd, Space};

/// A comparison of some bits of one word of the exchange: most guards are conjunctions, and a conjunction of any
/// length over one word is one test.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    pub(super) mask: u64,
    pub(super) want: u64,
    pub(super) hit: u32,
    pub(super) miss: u32,
    /// 0 to 3 for words of the input, 4 to 7 for words of the output; 0 where the exchange is packed.
    pub(super) word: u32,
}

/// How the bits of an exchange lie in words.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Layout {
    /// Each letter in words of its own.
    #[default]
    Apart,
    /// All in one word, those of the output after so many of the input.
    Packed { input_bits: u32 },
}

impl Layout {
    pub(super) fn new(space: &Space) -> Layout {
        let (inputs, outputs) = (space.input_bits() as u32, space.output_bits() as u32);
        if inputs + outputs < u64::BITS { Layout::Packed { input_bits: inputs } } else { Layout::Apart }
    }

    /// The word of a bit, and its place there.
    fn place(self, bit: u32) -> (u32, u32) {
        match self {
            Layout::Apart => (bit / 64, bit % 64),
            Layout::Packed { .. } if bit < OUTPUT => (0, bit),
            Layout::Packed { input_bits } => (0, input_bits + bit - OUTPUT),
        }
    }

    /// The bit at a place of a word.
    pub(super) fn bit(self, word: u32, place: u32) -> u32 {
        match self {
            Layout::Packed { input_bits } if place >= input_bits => OUTPUT + place - input_bits,
            _ => word * 64 + place,
        }
    }
}

/// A decision on one bit, while the table is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Node {
    /// The bit to look at: of the input below [`OUTPUT`], of the output from there on.
    bit: u32,
    low: u32,
    high: u32,
}

/// Joins decisions into comparisons: as long as one side of the next decision leads to where a side of the
/// last ones led, and the word is the same.
pub(super) struct Joiner<'a> {
    nodes: &'a [Node],
    layout: Layout,
    known: FxHashMap<u32, u32>,
    pub(super) tests: Vec<Test>,
}

impl<'a> Joiner<'a> {
    pub(super) fn new(nodes: &'a [Node], layout: Layout) -> Joiner<'a> {
        Joiner { nodes, layout, known: FxHashMap::default(), tests: Vec::new() }
    }

    pub(super) fn join(&mut self, edge: u32) -> u32 {
        if edge & VALUE != 0 {
            return edge;
        }
        if let Some(&known) = self.known.get(&edge) {
            return known;
        }
        let node = self.nodes[edge as usize];
        let chains = [(node.low, true), (node.high, false)].map(|(exit, high)| self.chain(edge, exit, high));
        let [mut test, other] = chains;
        if other.mask.count_ones() > test.mask.count_ones() {
            test = other;
        }
        test.hit = self.join(test.hit);
        test.miss = self.join(test.miss);
        self.tests.push(test);
        let number = self.tests.len() as u32 - 1;
        self.known.insert(edge, number);
        number
    }

    /// The longest run of decisions from `edge` on that all leave to `exit`; first along the high or the low side.
    fn chain(&self, edge: u32, exit: u32, mut high: bool) -> Test {
        let place = |node: &Node| self.layout.place(node.bit);
        let mut node = &self.nodes[edge as usize];
        let mut test = Test { mask: 0, want: 0, hit: 0, miss: exit, word: place(node).0 };
        loop {
            let bit = 1 << place(node).1;
            test.mask |= bit;
            test.want |= if high { bit } else { 0 };
            test.hit = if high { node.high } else { node.low };
            node = match self.nodes.get(test.hit as usize) {
                Some(next) if place(next).0 == test.word && [next.low, next.high].contains(&exit) => next,
                _ => return test,
            };
            high = node.low == exit;
        }
    }
}

pub(super) struct Compiler<'a> {
    space: &'a Space,
    pub(super) nodes: Vec<Node>,
    known: FxHashMap<Node, u32>,
}

impl<'a> Compiler<'a> {
    pub(super) fn new(space: &'a Space) -> Compiler<'a> {
        Compiler { space, nodes: Vec::new(), known: FxHashMap::default() }
    }

    /// The edge for a list of guards without empty ones. `known` is shared within one row: the same list of
    /// cofactors means the same function.
    pub(super) fn compile(
        &mut self,
        guards: Vec<(Bdd, u32)>,
        known: &mut FxHashMap<Vec<(Bdd, u32)>, u32>,
    ) -> u32 {
        let Some(variable) = guards.iter().filter_map(|(guard, _)| guard.top()).min() else {
            return VALUE | guards.first().map_or(Table::NOWHERE, |&(_, to)| to);
        };
        if let Some((_, to)) = guards.iter().find(|(guard, _)| guard.is_all()) {
            return VALUE | to;
        }
        if let Some(&edge) = known.get(&guards) {
            return edge;
        }
        let (mut lows, mut highs) = (Vec::new(), Vec::new());
        for (guard, to) in &guards {
            let (low, high) = match guard.split() {
                Some((top, low, high)) if top == variable => (low, high),
                _ => (guard.clone(), guard.clone()),
            };
            lows.extend((!low.is_none()).then_some((low, *to)));
            highs.extend((!high.is_none()).then_some((high, *to)));
        }
        let low = self.compile(lows, known);
        let high = self.compile(highs, known);
        let edge = if low == high { low } else { self.node(variable, low, high) };
        known.insert(guards, edge);
        edge
    }

    fn node(&mut self, variable: usize, low: u32, high: u32) -> u32 {
        let bit = match variable.checked_sub(self.space.input_bits()) {
            None => variable as u32,
            Some(at) => at as u32 + OUTPUT,
        };
        let node = Node { bit, low, high };
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            (self.nodes.len() - 1) as u32
        })
    }
}

/// The bits that a decision and those after it look at; none where there are more than `most`.
pub(super) fn support(nodes: &[Node], edge: u32, most: usize) -> Option<Vec<u32>> {
    let (mut bits, mut seen, mut open) = (Vec::new(), FxHashSet::default(), vec![edge]);
    while let Some(edge) = open.pop() {
        let Some(node) = nodes.get(edge as usize).filter(|_| seen.insert(edge)) else { continue };
        if !bits.contains(&node.bit) {
            bits.push(node.bit);
        }
        if bits.len() > most {
            return None;
        }
        open.extend([node.low, node.high]);
    }
    bits.sort_unstable();
    Some(bits)
}
