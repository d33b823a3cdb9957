//! Sifting: moving variables to where diagrams are smallest (Rudell).

use super::{Edge, Forest, NONE, Node};

/// A variable is not moved further once diagrams are so many times as large as they were at best.
const GROWTH: f64 = 1.2;

/// What moving variables needs to know.
struct Moving {
    /// How many nodes and roots read each node.
    readers: Vec<u32>,
    /// Nodes that went, even where there is another now: what was known of them no longer holds.
    gone: Vec<bool>,
    /// For each variable, those that some function depends on together with it, as bits.
    together: Vec<Vec<u64>>,
}

impl Moving {
    fn are_together(&self, one: u32, other: u32) -> bool {
        self.together[one as usize][other as usize / 64] >> (other % 64) & 1 == 1
    }
}

impl Forest {
    /// Moves each variable to where diagrams are smallest, those with the most nodes first, until time is over. What these
    /// functions, and what a stopped operation had found, do not need is freed first.
    pub(in super::super) fn sift(&mut self, roots: &[Edge], most: usize) {
        self.collect(roots);
        let mut moving = self.moving(roots, most);
        self.sift_once(&mut moving);
        self.pending.clear();
        self.forget(|at| moving.gone.get(at) == Some(&true));
    }

    fn sift_once(&mut self, moving: &mut Moving) {
        let mut by_size: Vec<(usize, u32)> =
            self.tables.iter().enumerate().map(|(at, table)| (table.count, at as u32)).collect();
        by_size.sort_unstable_by(|a, b| b.cmp(a));
        for (_, variable) in by_size {
            if self.until.is_over() {
                break;
            }
            self.sift_one(variable, moving);
        }
    }

    fn sift_one(&mut self, variable: u32, moving: &mut Moving) {
        let start = self.level[variable as usize] as usize;
        let last = self.order.len() - 1;
        let (mut best, mut best_at) = (self.in_use, start);
        let mut at = start;
        let ends = if start > last / 2 { [last, 0] } else { [0, last] };
        for end in ends {
            // Only levels that are still ahead, and the variable's own, can get smaller.
            let ahead = if end > at { at + 1..last + 1 } else { 0..at };
            let mut ahead: usize = self.order[ahead]
                .iter()
                .filter(|&&other| moving.are_together(variable, other))
                .map(|&other| self.tables[other as usize].count)
                .sum();
            while at != end {
                if self.in_use >= best + ahead + self.tables[variable as usize].count {
                    break;
                }
                let to = if end > at { at + 1 } else { at - 1 };
                let other = self.order[to];
                if moving.are_together(variable, other) {
                    ahead -= self.tables[other as usize].count;
                }
                self.swap(at.min(to), moving);
                at = to;
                if self.in_use < best {
                    (best, best_at) = (self.in_use, at);
                }
                if self.in_use as f64 > GROWTH * best as f64 {
                    break;
                }
            }
        }
        while at != best_at {
            let to = if best_at > at { at + 1 } else { at - 1 };
            self.swap(at.min(to), moving);
            at = to;
        }
    }

    /// Where what depends on what would take more words than there may be nodes, everything may depend on everything.
    fn moving(&self, roots: &[Edge], most: usize) -> Moving {
        let all = self.tables.len().div_ceil(64);
        let is_known = all * self.nodes.len() <= most;
        let words = if is_known { all } else { 0 };
        let mut readers = vec![0u32; self.nodes.len()];
        let mut together = vec![vec![if is_known { 0 } else { u64::MAX }; all]; self.tables.len()];
        // What each node depends on, from the last variable to the first.
        let mut depends = vec![0u64; self.nodes.len() * words];
        for &variable in self.order.iter().rev() {
            for row in &self.tables[variable as usize].rows {
                let mut at = *row;
                while at != NONE {
                    let node = self.nodes[at as usize];
                    for below in [node.high.node(), node.low.node()] {
                        readers[below] += 1;
                        for word in 0..words {
                            let bits = depends[below * words + word];
                            depends[at as usize * words + word] |= bits;
                        }
                    }
                    if is_known {
                        depends[at as usize * words + variable as usize / 64] |= 1 << (variable % 64);
                    }
                    at = node.next;
                }
            }
        }
        for (at, node) in self.nodes.iter().enumerate().skip(1) {
            if !is_known || readers[at] > 0 || node.variable == super::FREE {
                continue;
            }
            let of = &depends[at * words..(at + 1) * words];
            for variable in 0..self.tables.len() {
                if of[variable / 64] >> (variable % 64) & 1 == 1 {
                    together[variable].iter_mut().zip(of).for_each(|(known, bits)| *known |= bits);
                }
            }
        }
        for root in roots.iter().chain(&self.pending) {
            readers[root.node()] += 1;
        }
        readers[0] = u32::MAX / 2;
        let gone = vec![false; self.nodes.len()];
        Moving { readers, gone, together }
    }

    /// Exchanges the variables of a level and of the next.
    fn swap(&mut self, level: usize, moving: &mut Moving) {
        let (upper, lower) = (self.order[level], self.order[level + 1]);
        self.order.swap(level, level + 1);
        self.level[upper as usize] = level as u32 + 1;
        self.level[lower as usize] = level as u32;
        if !moving.are_together(upper, lower) {
            return;
        }
        // Nodes of the upper variable that do not read the lower one stay; the others become nodes of the lower one.
        let mut changed: Vec<u32> = Vec::new();
        for row in 0..self.tables[upper as usize].rows.len() {
            let mut at = self.tables[upper as usize].rows[row];
            let mut kept = NONE;
            while at != NONE {
                let Node { high, low, next, .. } = self.nodes[at as usize];
                let reads = |edge: Edge| self.nodes[edge.node()].variable == lower;
                if reads(high) || reads(low) {
                    changed.push(at);
                } else {
                    self.nodes[at as usize].next = kept;
                    kept = at;
                }
                at = next;
            }
            self.tables[upper as usize].rows[row] = kept;
        }
        self.tables[upper as usize].count -= changed.len();
        for at in changed {
            let Node { high, low, .. } = self.nodes[at as usize];
            let (high_high, high_low) = self.cofactors(high, lower);
            let (low_high, low_low) = self.cofactors(low, lower);
            let new_high = self.moved(upper, high_high, low_high, moving);
            let new_low = self.moved(upper, high_low, low_low, moving);
            self.unread(high, moving);
            self.unread(low, moving);
            let node = &mut self.nodes[at as usize];
            (node.variable, node.high, node.low) = (lower, new_high, new_low);
            self.insert(at);
        }
    }

    /// A node of the variable that moves down, read once more.
    fn moved(&mut self, variable: u32, high: Edge, low: Edge, moving: &mut Moving) -> Edge {
        if high == low {
            moving.readers[high.node()] += 1;
            return high;
        }
        let opposite = high.is_opposite();
        let (high, low) = (high.opposite_if(opposite), low.opposite_if(opposite));
        let table = &self.tables[variable as usize];
        let mut at = table.rows[super::scatter(high, low) as usize & (table.rows.len() - 1)];
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.high == high && node.low == low {
                break;
            }
            at = node.next;
        }
        if at == NONE {
            at = self.add(variable, high, low);
            if moving.readers.len() < self.nodes.len() {
                moving.readers.resize(self.nodes.len(), 0);
                moving.gone.resize(self.nodes.len(), false);
            }
            moving.readers[at as usize] = 0;
            moving.readers[high.node()] += 1;
            moving.readers[low.node()] += 1;
        }
        moving.readers[at as usize] += 1;
        Edge(at << 1).opposite_if(opposite)
    }

    /// A node is read once less; where nothing reads it any more, it goes.
    fn unread(&mut self, edge: Edge, moving: &mut Moving) {
        let mut open = vec![edge.node()];
        while let Some(at) = open.pop() {
            moving.readers[at] -= 1;
            if moving.readers[at] > 0 {
                continue;
            }
            let Node { variable, high, low, .. } = self.nodes[at];
            self.take_out(at as u32, variable, high, low);
            self.release(at as u32);
            moving.gone[at] = true;
            open.extend([high.node(), low.node()]);
        }
    }

    /// Takes a node out of its variable's table.
    fn take_out(&mut self, at: u32, variable: u32, high: Edge, low: Edge) {
        let table = &mut self.tables[variable as usize];
        let row = super::scatter(high, low) as usize & (table.rows.len() - 1);
        table.count -= 1;
        if table.rows[row] == at {
            table.rows[row] = self.nodes[at as usize].next;
            return;
        }
        let mut before = table.rows[row];
        while before != NONE {
            let next = self.nodes[before as usize].next;
            if next == at {
                self.nodes[before as usize].next = self.nodes[at as usize].next;
                return;
            }
            before = next;
        }
    }
}
