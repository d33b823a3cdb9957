//! Deterministic guards compiled for speed: a look into a dense table where the bits that matter are few,
//! otherwise a short walk of masked comparisons.

mod compile;
mod gather;

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use self::compile::{Compiler, Joiner, Layout, Node, Test, support};
use self::gather::Gather;
use crate::bdd::{Bdd, Space};
use crate::letter::{Letter, MAX_SIGNALS};

/// For each row, a function from exchanges to numbers; rows share what they have in common.
///
/// Monitors, products and simulated machines are tables: rows are states, numbers are where they go.
#[derive(Clone, Debug, Default)]
pub struct Table {
    tests: Vec<Test>,
    layout: Layout,
    roots: Vec<u32>,
    dense: Option<Dense>,
    sparse: Vec<Row>,
    /// The answers of all sparse rows; small numbers only, and [`NOWHERE`].
    numbers: Vec<u16>,
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

/// Every answer of one row, by the bits of the exchange that it looks at.
#[derive(Clone, Copy, Debug)]
struct Row {
    gather: Gather,
    /// Where its answers begin; [`VALUE`] where the row is walked.
    first: u32,
}

/// Set in `bit` for bits of the output letter.
const OUTPUT: u32 = MAX_SIGNALS as u32;
/// Set in an edge that ends in a number.
const VALUE: u32 = 1 << 31;
/// What [`Table::NOWHERE`] is in sparse rows.
const NOWHERE: u16 = u16::MAX;
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
        let mut compiler = Compiler::new(space);
        let mut edges = Vec::new();
        for row in rows {
            let guards: Vec<(Bdd, u32)> = row
                .into_iter()
                .filter(|(guard, _)| !guard.is_none())
                .map(|(guard, to)| (guard.clone(), to))
                .collect();
            edges.push(compiler.compile(guards, &mut FxHashMap::default()));
        }
        let layout = Layout::new(space);
        let mut joiner = Joiner::new(&compiler.nodes, layout);
        let roots = edges.iter().map(|&root| joiner.join(root)).collect();
        let mut table = Table { tests: joiner.tests, layout, roots, ..Table::default() };
        table.dense = table.tabulate(space);
        if table.dense.is_none() {
            table.gather_rows(&compiler.nodes, &edges);
        }
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

    /// Writes down the answers of rows that look at few bits, as long as there is room; `edges` are the decisions
    /// that rows begin with.
    fn gather_rows(&mut self, nodes: &[Node], edges: &[u32]) {
        let mut known: FxHashMap<u32, Row> = FxHashMap::default();
        let mut gathers: FxHashMap<Vec<u32>, Option<Gather>> = FxHashMap::default();
        for (row, &edge) in edges.iter().enumerate() {
            if let Some(&known) = known.get(&edge) {
                self.sparse.push(known);
                continue;
            }
            let bits = support(nodes, edge, gather::BITS);
            let gather =
                bits.and_then(|bits| *gathers.entry(bits).or_insert_with_key(|bits| Gather::new(bits)));
            let gather = gather.filter(|gather| self.numbers.len() + gather.size() <= DENSE);
            let first = gather.as_ref().and_then(|gather| self.fill(row as u32, gather)).unwrap_or(VALUE);
            let made = Row { gather: gather.unwrap_or_default(), first };
            known.insert(edge, made);
            self.sparse.push(made);
        }
    }

    /// Writes down the answers of one row and says where they begin; nothing where a number is too large.
    fn fill(&mut self, row: u32, gather: &Gather) -> Option<u32> {
        let mut answers = vec![NOWHERE; gather.size()];
        for (input, output) in gather.exchanges() {
            answers[gather.number(&input, &output)] = match self.walk(row, &input, &output) {
                Table::NOWHERE => NOWHERE,
                number => u16::try_from(number).ok().filter(|&number| number != NOWHERE)?,
            };
        }
        let first = self.numbers.len() as u32;
        self.numbers.extend(answers);
        Some(first)
    }

    /// Where this exchange leads from a row; [`Table::NOWHERE`] if nowhere.
    #[inline(always)]
    pub fn next(&self, row: u32, input: &Letter, output: &Letter) -> u32 {
        let Some(dense) = &self.dense else { return self.next_sparse(row, input, output) };
        let low =
            (input.index() & dense.input_mask) | (output.index() & dense.output_mask) << dense.input_bits;
        dense.numbers[(u64::from(row) << dense.bits | low) as usize]
    }

    #[inline(always)]
    fn next_sparse(&self, row: u32, input: &Letter, output: &Letter) -> u32 {
        let sparse = &self.sparse[row as usize];
        if sparse.first == VALUE {
            return self.walk(row, input, output);
        }
        match self.numbers[sparse.first as usize + sparse.gather.number(input, output)] {
            NOWHERE => Table::NOWHERE,
            number => u32::from(number),
        }
    }

    #[inline(never)]
    fn walk(&self, row: u32, input: &Letter, output: &Letter) -> u32 {
        let root = self.roots[row as usize];
        match self.layout {
            Layout::Packed { input_bits } => {
                let input = input.index() & ((1 << input_bits) - 1);
                let exchange = input | output.index() << input_bits;
                self.walk_words(root, |_| exchange)
            }
            Layout::Apart => {
                let letter = |word: u32| if word < 4 { input } else { output };
                self.walk_words(root, |word| letter(word).word(word as usize))
            }
        }
    }

    #[inline(always)]
    fn walk_words(&self, root: u32, word: impl Fn(u32) -> u64) -> u32 {
        let mut at = root;
        while at & VALUE == 0 {
            let test = &self.tests[at as usize];
            at = if word(test.word) & test.mask == test.want { test.hit } else { test.miss };
        }
        at & !VALUE
    }

    /// The bits of an exchange that some row looks at, those of the output counted from [`MAX_SIGNALS`] on; none
    /// where there are more than `most`.
    pub(crate) fn support(&self, most: usize) -> Option<Vec<u32>> {
        let mut bits = BTreeSet::new();
        for test in &self.tests {
            let places = (0..u64::BITS).filter(|place| test.mask >> place & 1 == 1);
            bits.extend(places.map(|place| self.layout.bit(test.word, place)));
        }
        (bits.len() <= most).then(|| bits.into_iter().collect())
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.roots.len()
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
                assert_eq!(table.next(row as u32, &input, &output), expected, "row {row}, code {code}");
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
        assert!(table.tests.len() <= 10, "{} tests", table.tests.len());
        for room in 0..100 {
            let expected = if [3, 4, 70].contains(&room) { room as u32 } else { Table::NOWHERE };
            let hot = Letter::default().with(room, true);
            assert_eq!(table.next(0, &Letter::default(), &hot), expected, "room {room}");
            assert_eq!(table.next(0, &Letter::default(), &hot.with(99, true)), Table::NOWHERE);
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
                proptest::prop_assert_eq!(table.next(0, &input, &output), expected);
            }
        }
    }
}
