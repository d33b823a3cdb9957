//! Deterministic guards compiled for speed: one walk down a flat decision diagram tells where an exchange
//! leads.

use rustc_hash::FxHashMap;

use crate::bdd::Bdd;
use crate::letter::Letter;
use crate::space::Space;

/// For each row, a function from exchanges to numbers; rows share what they have in common.
///
/// Monitors, products and simulated machines are tables: rows are states, numbers are where they go.
#[derive(Clone, Debug, Default)]
pub struct Table {
    nodes: Vec<Node>,
    roots: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Node {
    /// The bit to look at: of the input below [`OUTPUT`], of the output from there on.
    bit: u32,
    low: u32,
    high: u32,
}

/// Set in `bit` for bits of the output letter.
const OUTPUT: u32 = 1 << 31;
/// Set in an edge that ends in a number.
const VALUE: u32 = 1 << 31;

impl Table {
    /// What no guard of a row takes.
    pub const NOWHERE: u32 = VALUE - 1;

    /// Compiles rows of (guard, number) pairs. Guards of one row must not overlap unless they agree; numbers
    /// must be below [`Table::NOWHERE`].
    pub fn new<'a, R>(space: &Space, rows: impl IntoIterator<Item = R>) -> Table
    where
        R: IntoIterator<Item = (&'a Bdd, u32)>,
    {
        let mut compiler = Compiler { space, table: Table::default(), nodes: FxHashMap::default() };
        for row in rows {
            let guards: Vec<(Bdd, u32)> = row
                .into_iter()
                .filter(|(guard, _)| !guard.is_none())
                .map(|(guard, to)| (guard.clone(), to))
                .collect();
            let root = compiler.compile(guards, &mut FxHashMap::default());
            compiler.table.roots.push(root);
        }
        compiler.table
    }

    /// Where this exchange leads from a row; [`Table::NOWHERE`] if nowhere.
    #[inline]
    pub fn next(&self, row: u32, input: Letter, output: Letter) -> u32 {
        let mut at = self.roots[row as usize];
        while at & VALUE == 0 {
            let node = &self.nodes[at as usize];
            let value = if node.bit & OUTPUT == 0 {
                input.get(node.bit as usize)
            } else {
                output.get((node.bit & !OUTPUT) as usize)
            };
            at = if value { node.high } else { node.low };
        }
        at & !VALUE
    }

    /// How many rows.
    pub fn rows(&self) -> usize {
        self.roots.len()
    }

    /// How many decision nodes all rows take together.
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }
}

struct Compiler<'a> {
    space: &'a Space,
    table: Table,
    nodes: FxHashMap<Node, u32>,
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
            Some(at) => at as u32 | OUTPUT,
        };
        let node = Node { bit, low, high };
        *self.nodes.entry(node).or_insert_with(|| {
            self.table.nodes.push(node);
            (self.table.nodes.len() - 1) as u32
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
}
