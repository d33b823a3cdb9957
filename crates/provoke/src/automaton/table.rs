//! Deterministic guards compiled for speed: a look into a dense table where an exchange has few bits, otherwise
//! a short walk of masked comparisons.

use rustc_hash::FxHashMap;

use crate::bdd::Bdd;
use crate::letter::Letter;
use crate::space::Space;

/// For each row, a function from exchanges to numbers; rows share what they have in common.
///
/// Monitors, products and simulated machines are tables: rows are states, numbers are where they go.
#[derive(Clone, Debug, Default)]
pub struct Table {
    tests: Vec<Test>,
    roots: Vec<u32>,
    dense: Option<Dense>,
}

/// A comparison of some bits of one word of the exchange: most guards are conjunctions, and a conjunction of any
/// length over one word is one test.
#[derive(Clone, Copy, Debug)]
struct Test {
    mask: u64,
    want: u64,
    hit: u32,
    miss: u32,
    /// 0 to 3 for words of the input, 4 to 7 for words of the output.
    word: u32,
}

/// Every answer, by row and then by the bits of the exchange.
#[derive(Clone, Debug)]
struct Dense {
    input_bits: u32,
    bits: u32,
    input_mask: u64,
    output_mask: u64,
    numbers: Vec<u32>,
}

/// A decision on one bit, while the table is being made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    /// The bit to look at: of the input below [`OUTPUT`], of the output from there on.
    bit: u32,
    low: u32,
    high: u32,
}

/// Set in `bit` for bits of the output letter.
const OUTPUT: u32 = 256;
/// Set in an edge that ends in a number.
const VALUE: u32 = 1 << 31;
/// A dense table has at most so many entries: it should stay in the cache.
const DENSE: usize = 1 << 14;

impl Table {
    /// What no guard of a row takes.
    pub const NOWHERE: u32 = VALUE - 1;

    /// Compiles rows of (guard, number) pairs. Guards of one row must not overlap unless they agree; numbers
    /// must be below [`Table::NOWHERE`].
    pub fn new<'a, R>(space: &Space, rows: impl IntoIterator<Item = R>) -> Table
    where
        R: IntoIterator<Item = (&'a Bdd, u32)>,
    {
        let mut compiler = Compiler { space, nodes: Vec::new(), known: FxHashMap::default() };
        let mut roots = Vec::new();
        for row in rows {
            let guards: Vec<(Bdd, u32)> = row
                .into_iter()
                .filter(|(guard, _)| !guard.is_none())
                .map(|(guard, to)| (guard.clone(), to))
                .collect();
            roots.push(compiler.compile(guards, &mut FxHashMap::default()));
        }
        let mut joiner = Joiner { nodes: &compiler.nodes, known: FxHashMap::default(), tests: Vec::new() };
        let roots = roots.into_iter().map(|root| joiner.join(root)).collect();
        let mut table = Table { tests: joiner.tests, roots, dense: None };
        table.dense = table.tabulate(space);
        table
    }

    fn tabulate(&self, space: &Space) -> Option<Dense> {
        let (input_bits, bits) = (space.input_bits(), space.input_bits() + space.output_bits());
        let entries = 1usize.checked_shl(bits as u32)?.checked_mul(self.roots.len())?;
        if bits >= usize::BITS as usize || entries > DENSE {
            return None;
        }
        let (input_mask, output_mask) = ((1 << input_bits) - 1, (1 << (bits - input_bits)) - 1);
        let numbers = (0..entries as u64).map(|at| {
            let input = Letter::from_index(at & input_mask);
            let output = Letter::from_index(at >> input_bits & output_mask);
            self.walk((at >> bits) as u32, &input, &output)
        });
        let numbers = numbers.collect();
        Some(Dense { input_bits: input_bits as u32, bits: bits as u32, input_mask, output_mask, numbers })
    }

    /// Where this exchange leads from a row; [`Table::NOWHERE`] if nowhere.
    #[inline(always)]
    pub fn next(&self, row: u32, input: Letter, output: Letter) -> u32 {
        let Some(dense) = &self.dense else { return self.walk(row, &input, &output) };
        let low =
            (input.index() & dense.input_mask) | (output.index() & dense.output_mask) << dense.input_bits;
        dense.numbers[(u64::from(row) << dense.bits | low) as usize]
    }

    fn walk(&self, row: u32, input: &Letter, output: &Letter) -> u32 {
        let mut at = self.roots[row as usize];
        while at & VALUE == 0 {
            let test = &self.tests[at as usize];
            let letter = if test.word < 4 { input } else { output };
            let hit = letter.word(test.word as usize) & test.mask == test.want;
            at = if hit { test.hit } else { test.miss };
        }
        at & !VALUE
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.roots.len()
    }

    /// How many comparisons all rows take together.
    pub fn test_count(&self) -> usize {
        self.tests.len()
    }
}

/// Joins decisions into comparisons: as long as one side of the next decision leads to where a side of the
/// last ones led, and the word is the same.
struct Joiner<'a> {
    nodes: &'a [Node],
    known: FxHashMap<u32, u32>,
    tests: Vec<Test>,
}

impl Joiner<'_> {
    fn join(&mut self, edge: u32) -> u32 {
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
        let mut node = self.nodes[edge as usize];
        let mut test = Test { mask: 0, want: 0, hit: 0, miss: exit, word: node.bit / 64 };
        loop {
            let bit = 1 << (node.bit % 64);
            test.mask |= bit;
            test.want |= if high { bit } else { 0 };
            test.hit = if high { node.high } else { node.low };
            match self.nodes.get(test.hit as usize) {
                Some(next) if next.bit / 64 == test.word && next.low == exit => high = true,
                Some(next) if next.bit / 64 == test.word && next.high == exit => high = false,
                _ => return test,
            }
            node = self.nodes[test.hit as usize];
        }
    }
}

struct Compiler<'a> {
    space: &'a Space,
    nodes: Vec<Node>,
    known: FxHashMap<Node, u32>,
}

impl Compiler<'_> {
    /// The edge for a list of guards without empty ones. `known` is shared within one row: the same list of
    /// cofactors means the same function.
    fn compile(&mut self, guards: Vec<(Bdd, u32)>, known: &mut FxHashMap<Vec<(Bdd, u32)>, u32>) -> u32 {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::letter::Interface;

    #[test]
    fn a_table_agrees_with_its_guards() {
        let space = Space::new(Interface::signals(["a", "b"], ["x", "y"]).unwrap());
        let [a, b, x, y] = ["a", "b", "x", "y"].map(|name| space.proposition(name).unwrap());
        let first = [(&(&a & &x), 7), (&(&!&a & &y), 8)].map(|(guard, to)| (guard.clone(), to));
        let second = [(space.bdds().all(), 3)];
        let third = [(&b ^ &y, 1), (!&(&b ^ &y), 2)];
        let rows: Vec<Vec<(Bdd, u32)>> = vec![first.to_vec(), second.to_vec(), third.to_vec(), vec![]];
        let table = Table::new(&space, rows.iter().map(|row| row.iter().map(|(guard, to)| (guard, *to))));
        assert_eq!(table.rows(), 4);
        for (row, guards) in rows.iter().enumerate() {
            for code in 0..16u64 {
                let (input, output) = (Letter::from_index(code & 3), Letter::from_index(code >> 2));
                let expected = guards
                    .iter()
                    .find(|(guard, _)| guard.contains(space.value(input, output)))
                    .map_or(Table::NOWHERE, |&(_, to)| to);
                assert_eq!(table.next(row as u32, input, output), expected, "row {row}, code {code}");
            }
        }
    }

    #[test]
    fn a_wide_conjunction_is_one_test_a_word() {
        let names: Vec<String> = (0..100).map(|at| format!("x{at}")).collect();
        let space = Space::new(Interface::signals(vec!["a".to_owned()], names).unwrap());
        let one_hot = |room: usize| {
            (0..100).fold(space.bdds().all(), |hot, at| {
                let signal = space.proposition(&format!("x{at}")).unwrap();
                &hot & &if at == room { signal } else { !&signal }
            })
        };
        let rows = [[(one_hot(3), 3), (one_hot(4), 4), (one_hot(70), 70)]];
        let table = Table::new(&space, rows.iter().map(|row| row.iter().map(|(guard, to)| (guard, *to))));
        // Without joining there would be some 280 decisions.
        assert!(table.test_count() <= 10, "{} tests", table.test_count());
        for room in 0..100 {
            let expected = if [3, 4, 70].contains(&room) { room as u32 } else { Table::NOWHERE };
            let hot = Letter::default().with(room, true);
            assert_eq!(table.next(0, Letter::default(), hot), expected, "room {room}");
            assert_eq!(table.next(0, Letter::default(), hot.with(99, true)), Table::NOWHERE);
        }
    }

    proptest::proptest! {
        #[test]
        fn joined_tests_agree_with_guards(
            clauses in proptest::collection::vec(proptest::collection::vec((0usize..70, proptest::bool::ANY), 1..6), 1..5),
            letters in proptest::collection::vec(proptest::array::uniform4(proptest::num::u64::ANY), 20),
        ) {
            let names: Vec<String> = (0..66).map(|at| format!("x{at}")).collect();
            let inputs = ["a", "b", "c", "d"].map(str::to_owned);
            let space = Space::new(Interface::signals(inputs.to_vec(), names).unwrap());
            let guard = clauses.iter().fold(space.bdds().none(), |sum, clause| {
                let product = clause.iter().fold(space.bdds().all(), |product, &(at, value)| {
                    &product & &space.bdds().literal(at, value)
                });
                &sum | &product
            });
            let row = [(guard.clone(), 1), (!&guard, 2)];
            let table = Table::new(&space, [row.iter().map(|(guard, to)| (guard, *to))]);
            for [a, x, y, sparse] in letters {
                // Few bits set as well as many, so that conjunctions are met.
                let bits = if sparse % 2 == 0 { (x, y) } else { (x & sparse & y, y & sparse & x) };
                let input = Letter::from_index(a % 16);
                let mut output = Letter::from_index(bits.0);
                output = output.with(64, bits.1 & 1 == 1).with(65, bits.1 & 2 == 2);
                let expected = if guard.contains(space.value(input, output)) { 1 } else { 2 };
                proptest::prop_assert_eq!(table.next(0, input, output), expected);
            }
        }
    }
}
