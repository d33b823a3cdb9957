//! The rows of a layered drawing: which node is in which row, and where edges pass.

use std::collections::VecDeque;

/// Rows between a node and the next: one in between, for the edge's label.
const STEP: usize = 2;
/// How many bends all edges may have together; edges beyond that are drawn without any.
const BENDS: usize = 100_000;

/// What stands in a row: a node, or a place where an edge passes.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// How far it reaches to either side of its middle.
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) height: f64,
    pub(super) row: usize,
    pub(super) is_node: bool,
}

/// An edge to be laid out, between different nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The size of its label.
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Items in rows; items `0..nodes` are the nodes.
pub(super) struct Layers {
    pub(super) items: Vec<Item>,
    /// For each edge, the items it passes from its upper to its lower end.
    pub(super) chains: Vec<Vec<usize>>,
    /// For each edge, whether it leads upwards.
    pub(super) upwards: Vec<bool>,
    /// For each edge, the item that makes room for its label.
    pub(super) labels: Vec<Option<usize>>,
    pub(super) rows: usize,
}

/// Puts nodes into rows by their distance from the starts, so that few edges lead upwards, and gives every
/// edge a place in each row it passes.
///
/// The layered method of Sugiyama, with a breadth-first order instead of a feedback set.
pub(super) fn layers(nodes: Vec<Item>, starts: &[usize], ways: &[Way]) -> Layers {
    let order = breadth_first(nodes.len(), starts, ways);
    let mut place = vec![0; nodes.len()];
    order.iter().enumerate().for_each(|(at, &node)| place[node] = at);
    let upwards: Vec<bool> = ways.iter().map(|way| place[way.from] > place[way.to]).collect();
    let ends = |way: usize| {
        let Way { from, to, .. } = ways[way];
        if upwards[way] { (to, from) } else { (from, to) }
    };
    let mut below: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    let mut above: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for way in 0..ways.len() {
        let (upper, lower) = ends(way);
        below[upper].push(lower);
        above[lower].push(upper);
    }
    let mut row = vec![0; nodes.len()];
    for &node in &order {
        row[node] = above[node].iter().map(|&upper| row[upper] + STEP).max().unwrap_or(0);
    }
    // A node with more edges down than up hangs lower.
    for &node in order.iter().rev() {
        let lowest = below[node].iter().map(|&lower| row[lower] - STEP).min();
        if let Some(lowest) = lowest
            && below[node].len() > above[node].len()
            && !starts.contains(&node)
        {
            row[node] = row[node].max(lowest);
        }
    }
    let rows = row.iter().max().map_or(0, |last| last + 1);
    let items = nodes.into_iter().zip(&row).map(|(item, &row)| Item { row, ..item }).collect();
    let mut layers = Layers { items, chains: Vec::new(), labels: Vec::new(), upwards: Vec::new(), rows };
    for (at, way) in ways.iter().enumerate() {
        layers.chain(way, ends(at));
    }
    layers.upwards = upwards;
    layers
}

impl Layers {
    fn chain(&mut self, way: &Way, (upper, lower): (usize, usize)) {
        let (first, last) = (self.items[upper].row, self.items[lower].row);
        let mut chain = vec![upper];
        let mut label = None;
        if self.items.len() + (last - first) < BENDS {
            for row in first + 1..last {
                let is_label = row == (first + last) / 2 && way.width > 0.0;
                let (half, height) = if is_label { (way.width / 2.0, way.height) } else { (2.0, 0.0) };
                if is_label {
                    label = Some(self.items.len());
                }
                chain.push(self.items.len());
                self.items.push(Item { left: half, right: half, height, row, is_node: false });
            }
        }
        chain.push(lower);
        self.chains.push(chain);
        self.labels.push(label);
    }

    /// For each item, its neighbours in the row above and in the row below.
    pub(super) fn neighbours(&self) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
        let mut above = vec![Vec::new(); self.items.len()];
        let mut below = vec![Vec::new(); self.items.len()];
        for pair in self.chains.iter().flat_map(|chain| chain.windows(2)) {
            // An edge without bends may span many rows; it must not pull rows together.
            if self.items[pair[1]].row == self.items[pair[0]].row + 1 {
                below[pair[0]].push(pair[1]);
                above[pair[1]].push(pair[0]);
            }
        }
        (above, below)
    }
}

/// All nodes, nearest to the starts first, dead ends last.
fn breadth_first(nodes: usize, starts: &[usize], ways: &[Way]) -> Vec<usize> {
    let mut next: Vec<Vec<usize>> = vec![Vec::new(); nodes];
    ways.iter().for_each(|way| next[way.from].push(way.to));
    let mut seen = vec![false; nodes];
    let mut order = Vec::with_capacity(nodes);
    let mut queue = VecDeque::new();
    // First from all starts together, then from each node that is left.
    let groups = std::iter::once(starts.to_vec()).chain((0..nodes).map(|node| vec![node]));
    for group in groups {
        queue.extend(group.into_iter().filter(|&node| !std::mem::replace(&mut seen[node], true)));
        while let Some(node) = queue.pop_front() {
            order.push(node);
            queue.extend(next[node].iter().filter(|&&to| !std::mem::replace(&mut seen[to], true)));
        }
    }
    // Where no edge leaves, every edge can lead down.
    let (inner, ends): (Vec<usize>, Vec<usize>) = order.into_iter().partition(|&node| !next[node].is_empty());
    [inner, ends].concat()
}
