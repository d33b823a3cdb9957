//! Decision diagrams whose variables are put into better orders while they grow.
//!
//! The crate that other diagrams are made with neither reorders by itself nor stops when time is over. Games of circuits
//! need both, in the middle of an operation; so they are solved with diagrams of their own: shared, with complemented
//! edges, and nodes that keep their numbers when variables move (Brace, Rudell and Bryant 1990; Rudell 1993).
//!
//! Whoever computes keeps a list of the functions that are needed. Only those survive `collect` and `sift`, which only run
//! between operations.

mod apply;
mod order;

use super::Until;

/// A function: the number of a node, and in the lowest bit whether it is the opposite of what is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Edge(u32);

impl Edge {
    /// The function that is always true.
    pub(super) const TRUE: Edge = Edge(0);
    /// The function that is never true.
    pub(super) const FALSE: Edge = Edge(1);

    fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_opposite(self) -> bool {
        self.0 & 1 == 1
    }

    pub(super) fn opposite_if(self, opposite: bool) -> Edge {
        Edge(self.0 ^ u32::from(opposite))
    }

    pub(super) fn is_constant(self) -> bool {
        self.0 < 2
    }
}

impl std::ops::Not for Edge {
    type Output = Edge;
    fn not(self) -> Edge {
        Edge(self.0 ^ 1)
    }
}

/// Why an operation went no further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// There are more nodes than there should be before the forest is tidied.
    Tidy,
    /// Time is over.
    Late,
}

/// The variable of the constant, below all others.
const CONSTANT: u32 = u32::MAX;
/// The variable of nodes that are not in use.
const FREE: u32 = u32::MAX - 1;
/// No node.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Node {
    variable: u32,
    // invariant: not the opposite of anything.
    high: Edge,
    low: Edge,
    /// The next node in the same row of the variable's table, or the next free one.
    next: u32,
}

/// The nodes of one variable, in rows.
struct Table {
    rows: Vec<u32>,
    count: usize,
}

/// What an operation gave.
#[derive(Clone, Copy)]
struct Known {
    operation: u32,
    operands: [Edge; 3],
    result: Edge,
}

const UNKNOWN: Known = Known { operation: u32::MAX, operands: [Edge::TRUE; 3], result: Edge::TRUE };

/// Diagrams over variables in an order that changes.
pub(super) struct Forest {
    nodes: Vec<Node>,
    free: u32,
    in_use: usize,
    tables: Vec<Table>,
    /// Where each variable is in the order.
    level: Vec<u32>,
    /// The variable at each place of the order.
    order: Vec<u32>,
    known: Vec<Known>,
    /// What an operation that was stopped had found so far.
    pending: Vec<Edge>,
    /// How many nodes there may be before the forest is tidied.
    pub(super) threshold: usize,
    pub(super) until: Until,
    /// How many nodes were made so far, those included that are gone.
    pub(super) made: u64,
}

fn scatter(high: Edge, low: Edge) -> u32 {
    let mixed = (u64::from(high.0) << 32 | u64::from(low.0)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 32) as u32
}

impl Forest {
    /// A forest of nothing yet, whose operations stop at this time.
    pub(super) fn new(variables: usize, until: Until) -> Forest {
        let constant = Node { variable: CONSTANT, high: Edge::TRUE, low: Edge::TRUE, next: NONE };
        Forest {
            nodes: vec![constant],
            free: NONE,
            in_use: 0,
            tables: (0..variables).map(|_| Table { rows: vec![NONE; 16], count: 0 }).collect(),
            level: (0..variables as u32).collect(),
            order: (0..variables as u32).collect(),
            known: vec![UNKNOWN; 1 << 14],
            pending: Vec::new(),
            threshold: usize::MAX,
            until,
            made: 0,
        }
    }

    /// How many nodes there are, needed or not.
    pub(super) fn len(&self) -> usize {
        self.in_use
    }

    fn level_of(&self, edge: Edge) -> u32 {
        let variable = self.nodes[edge.node()].variable;
        if variable == CONSTANT { u32::MAX } else { self.level[variable as usize] }
    }

    /// What is left of a function when a variable, at or above its first, is true and when it is false.
    fn cofactors(&self, edge: Edge, variable: u32) -> (Edge, Edge) {
        let node = &self.nodes[edge.node()];
        if node.variable != variable {
            return (edge, edge);
        }
        (node.high.opposite_if(edge.is_opposite()), node.low.opposite_if(edge.is_opposite()))
    }

    /// A variable as a function.
    pub(super) fn variable(&mut self, variable: usize) -> Result<Edge, Stop> {
        self.make(variable as u32, Edge::TRUE, Edge::FALSE)
    }

    fn make(&mut self, variable: u32, high: Edge, low: Edge) -> Result<Edge, Stop> {
        if high == low {
            return Ok(high);
        }
        let opposite = high.is_opposite();
        let (high, low) = (high.opposite_if(opposite), low.opposite_if(opposite));
        let table = &self.tables[variable as usize];
        let row = scatter(high, low) as usize & (table.rows.len() - 1);
        let mut at = table.rows[row];
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.high == high && node.low == low {
                return Ok(Edge(at << 1).opposite_if(opposite));
            }
            at = node.next;
        }
        if self.in_use >= self.threshold {
            return Err(Stop::Tidy);
        }
        self.made += 1;
        if self.made & 0x3FFF == 0 && self.until.is_over() {
            return Err(Stop::Late);
        }
        let at = self.add(variable, high, low);
        Ok(Edge(at << 1).opposite_if(opposite))
    }

    /// Adds a node that is not there.
    fn add(&mut self, variable: u32, high: Edge, low: Edge) -> u32 {
        let node = Node { variable, high, low, next: NONE };
        let at = match self.free {
            NONE => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
            at => {
                self.free = self.nodes[at as usize].next;
                self.nodes[at as usize] = node;
                at
            }
        };
        self.in_use += 1;
        self.insert(at);
        at
    }

    /// Puts a node into the table of its variable.
    fn insert(&mut self, at: u32) {
        let Node { variable, high, low, .. } = self.nodes[at as usize];
        let table = &self.tables[variable as usize];
        if table.count >= 2 * table.rows.len() {
            let rows = 4 * table.rows.len();
            self.resize(variable as usize, rows);
        }
        let table = &mut self.tables[variable as usize];
        let row = scatter(high, low) as usize & (table.rows.len() - 1);
        self.nodes[at as usize].next = table.rows[row];
        table.rows[row] = at;
        table.count += 1;
    }

    /// Gives a table so many rows.
    fn resize(&mut self, variable: usize, rows: usize) {
        let old = std::mem::replace(&mut self.tables[variable].rows, vec![NONE; rows]);
        let rows = &mut self.tables[variable].rows;
        for mut at in old {
            while at != NONE {
                let node = &mut self.nodes[at as usize];
                let row = scatter(node.high, node.low) as usize & (rows.len() - 1);
                let next = std::mem::replace(&mut node.next, rows[row]);
                rows[row] = at;
                at = next;
            }
        }
    }

    /// Frees every node that these functions, and what a stopped operation had found, do not need.
    pub(super) fn collect(&mut self, roots: &[Edge]) {
        let mut needed = vec![false; self.nodes.len()];
        needed[0] = true;
        let mut open: Vec<u32> = Vec::new();
        for root in roots.iter().chain(&self.pending) {
            open.push(root.0 >> 1);
            while let Some(at) = open.pop() {
                if !std::mem::replace(&mut needed[at as usize], true) {
                    let node = &self.nodes[at as usize];
                    open.extend([node.high.0 >> 1, node.low.0 >> 1]);
                }
            }
        }
        for variable in 0..self.tables.len() {
            let mut count = 0;
            for row in 0..self.tables[variable].rows.len() {
                let mut at = self.tables[variable].rows[row];
                let mut kept = NONE;
                while at != NONE {
                    let next = self.nodes[at as usize].next;
                    if needed[at as usize] {
                        self.nodes[at as usize].next = kept;
                        kept = at;
                        count += 1;
                    } else {
                        self.release(at);
                    }
                    at = next;
                }
                self.tables[variable].rows[row] = kept;
            }
            self.tables[variable].count = count;
            if self.tables[variable].rows.len() > 16 + 4 * count {
                self.resize(variable, count.next_power_of_two().max(16));
            }
        }
        self.forget(|at| !needed[at]);
    }

    /// Makes a node that is in no table free.
    fn release(&mut self, at: u32) {
        self.nodes[at as usize] = Node { variable: FREE, high: Edge::TRUE, low: Edge::TRUE, next: self.free };
        self.free = at;
        self.in_use -= 1;
    }

    /// Forgets results about nodes that are gone.
    fn forget(&mut self, is_gone: impl Fn(usize) -> bool) {
        for known in &mut self.known {
            if known.operation != u32::MAX
                && (is_gone(known.result.node()) || known.operands.iter().any(|edge| is_gone(edge.node())))
            {
                *known = UNKNOWN;
            }
        }
    }

    /// What a stopped operation had found is not needed any more.
    pub(super) fn drop_pending(&mut self) {
        self.pending.clear();
    }

    /// Makes room to remember results for so many nodes.
    pub(super) fn remember(&mut self, nodes: usize) {
        let wanted = nodes.next_power_of_two().clamp(1 << 14, 1 << 22);
        if wanted > self.known.len() {
            let old = std::mem::replace(&mut self.known, vec![UNKNOWN; wanted]);
            for known in old {
                if known.operation != u32::MAX {
                    let place = self.place(known.operation, known.operands);
                    self.known[place] = known;
                }
            }
        }
    }

    fn place(&self, operation: u32, operands: [Edge; 3]) -> usize {
        let [a, b, c] = operands.map(|edge| u64::from(edge.0));
        let mixed = (a ^ c.rotate_left(40) ^ u64::from(operation) << 50)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(b)
            .wrapping_mul(0xD6E8_FEB8_6659_FD93);
        (mixed >> 32) as usize & (self.known.len() - 1)
    }

    fn recall(&self, operation: u32, operands: [Edge; 3]) -> Option<Edge> {
        let known = &self.known[self.place(operation, operands)];
        (known.operation == operation && known.operands == operands).then_some(known.result)
    }

    fn note(&mut self, operation: u32, operands: [Edge; 3], result: Edge) {
        let place = self.place(operation, operands);
        self.known[place] = Known { operation, operands, result };
    }

    /// Whether a valuation of the variables is in the set.
    pub(super) fn contains(&self, mut edge: Edge, value: impl Fn(usize) -> bool) -> bool {
        while !edge.is_constant() {
            let node = &self.nodes[edge.node()];
            let next = if value(node.variable as usize) { node.high } else { node.low };
            edge = next.opposite_if(edge.is_opposite());
        }
        edge == Edge::TRUE
    }
}
