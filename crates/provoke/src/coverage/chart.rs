//! A graph with items on its arcs, and how far the nearest uncovered item is.

use std::collections::VecDeque;

/// An item of a [`Chart`], by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Item(pub u32);

/// A directed graph that may grow, with items on its arcs.
///
/// The distance of a node is the number of arcs to, and including, the nearest one with an uncovered item. It is kept up to
/// date as items are covered: only nodes whose nearest item is gone are looked at again (Even and Shiloach 1981), and
/// where these turn out to be many, all distances are worked out anew, breadth first and backwards. So covering an item
/// never costs more than a few looks at each arc, and usually a few arcs are looked at.
#[derive(Clone, Debug, Default)]
pub struct Chart {
    arcs: Vec<Arc>,
    leaving: Vec<Vec<u32>>,
    entering: Vec<Vec<u32>>,
    items: Vec<ItemRecord>,
    covered: usize,
    /// Exact, unless there is something in `loose` or all is `stale`.
    distances: Vec<u32>,
    /// Nodes whose distance may have grown.
    loose: VecDeque<u32>,
    stale: bool,
    /// How many arcs are left aside, and after how many tries in vain one is.
    aside: usize,
    patience: u32,
    version: u64,
}

#[derive(Clone, Copy, Debug)]
struct Arc {
    from: u32,
    to: u32,
    /// The item, or [`NONE`].
    item: u32,
    label: u32,
    /// How often it was tried in vain since it was taken last.
    vain: u32,
    aside: bool,
}

#[derive(Clone, Debug, Default)]
struct ItemRecord {
    covered: bool,
    /// The arcs that have it.
    arcs: Vec<u32>,
}

const NONE: u32 = u32::MAX;
const NEVER: u32 = u32::MAX;

/// So often an arc is tried in vain before it is left aside for the first time.
const PATIENCE: u32 = 4;

impl Chart {
    /// A chart without nodes.
    pub fn new() -> Chart {
        Chart { patience: PATIENCE, stale: true, ..Chart::default() }
    }

    /// Adds a node; nodes have numbers from 0.
    pub fn node(&mut self) -> u32 {
        self.leaving.push(Vec::new());
        self.entering.push(Vec::new());
        self.distances.push(NEVER);
        self.distances.len() as u32 - 1
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.distances.len()
    }

    /// How many arcs there are.
    pub fn arcs(&self) -> usize {
        self.arcs.len()
    }

    /// Adds an item that is not covered yet.
    pub fn item(&mut self) -> Item {
        self.items.push(ItemRecord::default());
        Item(self.items.len() as u32 - 1)
    }

    /// How many items there are.
    pub fn items(&self) -> usize {
        self.items.len()
    }

    /// How many of them are covered.
    pub fn covered(&self) -> usize {
        self.covered
    }

    /// Whether an item is covered.
    pub fn is_covered(&self, item: Item) -> bool {
        self.items[item.0 as usize].covered
    }

    /// Changes whenever a distance may have.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Adds an arc between two nodes, with an item on it or none, and a label that means what the caller wants.
    pub fn arc(&mut self, from: u32, to: u32, item: Option<Item>, label: u32) {
        let number = self.arcs.len() as u32;
        let item = item.map_or(NONE, |item| item.0);
        self.arcs.push(Arc { from, to, item, label, vain: 0, aside: false });
        self.leaving[from as usize].push(number);
        self.entering[to as usize].push(number);
        if let Some(record) = self.items.get_mut(item as usize) {
            record.arcs.push(number);
        }
        self.version += 1;
        if self.stale {
            return;
        }
        self.tighten();
        // Distances can only fall: from here backwards.
        let mut queue = VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            let distance = self.worked_out(node);
            if distance < self.distances[node as usize] {
                self.distances[node as usize] = distance;
                let before = self.entering[node as usize].iter().map(|&arc| self.arcs[arc as usize]);
                queue.extend(before.filter(|arc| !arc.aside).map(|arc| arc.from));
            }
        }
    }

    /// Covers an item; false where it was covered before.
    pub fn cover(&mut self, item: Item) -> bool {
        let record = &mut self.items[item.0 as usize];
        if std::mem::replace(&mut record.covered, true) {
            return false;
        }
        self.covered += 1;
        self.version += 1;
        if !self.stale {
            let arcs = &self.arcs;
            self.loose.extend(record.arcs.iter().map(|&arc| arcs[arc as usize].from));
        }
        true
    }

    /// Takes back that an item was covered.
    pub fn uncover(&mut self, item: Item) {
        let record = &mut self.items[item.0 as usize];
        if std::mem::replace(&mut record.covered, false) {
            self.covered -= 1;
            self.version += 1;
            self.stale = true;
        }
    }

    /// How many arcs it is to the nearest uncovered item, its own included; none where there is no way.
    pub fn distance(&mut self, node: u32) -> Option<u32> {
        self.tighten();
        let distance = self.distances[node as usize];
        (distance != NEVER).then_some(distance)
    }

    /// The largest distance of any node that has one.
    pub fn farthest(&mut self) -> Option<u32> {
        self.tighten();
        self.distances.iter().copied().filter(|&distance| distance != NEVER).max()
    }

    /// The labels of the arcs that lead closer to an uncovered item, or have one.
    pub fn closer(&mut self, node: u32) -> impl Iterator<Item = u32> {
        self.tighten();
        let leaving = self.leaving[node as usize].iter().map(|&arc| &self.arcs[arc as usize]);
        leaving.filter(|arc| self.leads_closer(arc)).map(|arc| arc.label)
    }

    /// Says that a node was left for `to`, having covered `seen`, with something that arcs with these labels might have
    /// been taken by. Arcs that lead closer and were not taken have been tried in vain; after several such tries in a row
    /// they are left aside until [`Chart::forgive`].
    pub fn tried(&mut self, node: u32, to: u32, seen: &[Item], might: impl Fn(u32) -> bool) {
        self.tighten();
        for place in 0..self.leaving[node as usize].len() {
            let number = self.leaving[node as usize][place] as usize;
            let arc = self.arcs[number];
            if !self.leads_closer(&arc) || !might(arc.label) {
                continue;
            }
            let taken = arc.to == to && (arc.item == NONE || self.is_known(arc.item, seen));
            let vain = if taken { 0 } else { arc.vain + 1 };
            self.arcs[number].vain = vain;
            if vain >= self.patience {
                self.arcs[number].aside = true;
                self.aside += 1;
                self.version += 1;
                self.loose.push_back(node);
            }
        }
    }

    fn is_known(&self, item: u32, seen: &[Item]) -> bool {
        self.items[item as usize].covered || seen.contains(&Item(item))
    }

    /// Takes arcs that were left aside into account again, and is more patient with them; false where there was none.
    pub fn forgive(&mut self) -> bool {
        if self.aside == 0 {
            return false;
        }
        for arc in &mut self.arcs {
            (arc.aside, arc.vain) = (false, 0);
        }
        self.patience = self.patience.saturating_mul(2);
        (self.aside, self.stale) = (0, true);
        self.version += 1;
        true
    }

    /// How much memory it takes, in bytes.
    pub fn memory(&self) -> usize {
        let of_arc = size_of::<Arc>() + 3 * size_of::<u32>();
        let of_node = 2 * size_of::<Vec<u32>>() + size_of::<u32>();
        self.arcs.capacity() * of_arc
            + self.nodes() * of_node
            + self.items.capacity() * size_of::<ItemRecord>()
    }

    fn is_wanted(&self, arc: &Arc) -> bool {
        self.items.get(arc.item as usize).is_some_and(|item| !item.covered)
    }

    fn leads_closer(&self, arc: &Arc) -> bool {
        let distance = self.distances[arc.from as usize];
        let beyond = self.distances[arc.to as usize];
        !arc.aside
            && match distance {
                NEVER => false,
                1 => self.is_wanted(arc),
                distance => beyond < distance,
            }
    }

    /// What the distance of a node is if those of its neighbours are right.
    fn worked_out(&self, node: u32) -> u32 {
        let mut nearest = NEVER;
        for &arc in &self.leaving[node as usize] {
            let arc = &self.arcs[arc as usize];
            if arc.aside {
                continue;
            }
            if self.is_wanted(arc) {
                return 1;
            }
            nearest = nearest.min(self.distances[arc.to as usize].saturating_add(1));
        }
        nearest
    }

    /// Brings the distances up to date.
    fn tighten(&mut self) {
        // As much as working all of them out anew takes.
        let mut allowance = self.arcs.len() + self.nodes();
        while let (Some(node), false) = (self.loose.pop_front(), self.stale) {
            let distance = self.worked_out(node);
            if distance <= self.distances[node as usize] {
                continue;
            }
            self.distances[node as usize] = distance;
            let entering = &self.entering[node as usize];
            let cost = self.leaving[node as usize].len() + entering.len();
            let arcs = &self.arcs;
            self.loose.extend(entering.iter().map(|&arc| arcs[arc as usize].from));
            match allowance.checked_sub(cost) {
                Some(left) => allowance = left,
                None => self.stale = true,
            }
        }
        if std::mem::take(&mut self.stale) {
            self.work_out_all();
        }
    }

    #[cold]
    fn work_out_all(&mut self) {
        self.loose.clear();
        self.distances.fill(NEVER);
        let mut queue = VecDeque::new();
        for arc in &self.arcs {
            if !arc.aside && self.is_wanted(arc) && self.distances[arc.from as usize] == NEVER {
                self.distances[arc.from as usize] = 1;
                queue.push_back(arc.from);
            }
        }
        while let Some(node) = queue.pop_front() {
            let next = self.distances[node as usize] + 1;
            for &arc in &self.entering[node as usize] {
                let arc = &self.arcs[arc as usize];
                if !arc.aside && self.distances[arc.from as usize] == NEVER {
                    self.distances[arc.from as usize] = next;
                    queue.push_back(arc.from);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Distances by trying: the fewest steps forwards to an arc that is wanted.
    fn by_trying(nodes: u32, arcs: &[(u32, u32, usize)], covered: &[bool], from: u32) -> Option<u32> {
        let mut seen = vec![false; nodes as usize];
        let (mut layer, mut distance) = (vec![from], 1);
        while !layer.is_empty() {
            let mut next = Vec::new();
            for &node in &layer {
                for &(_, to, item) in arcs.iter().filter(|(source, ..)| *source == node) {
                    if !covered[item] {
                        return Some(distance);
                    }
                    if !std::mem::replace(&mut seen[to as usize], true) {
                        next.push(to);
                    }
                }
            }
            (layer, distance) = (next, distance + 1);
        }
        None
    }

    proptest! {
        /// While items are covered and arcs are added in any order, every distance is what trying gives.
        #[test]
        fn distances_are_those_of_trying(
            arcs in proptest::collection::vec((0u32..8, 0u32..8, 0usize..12), 1..40),
            deeds in proptest::collection::vec((any::<bool>(), 0u32..12), 0..60),
        ) {
            let mut chart = Chart::new();
            for _ in 0..8 {
                chart.node();
            }
            let items: Vec<Item> = (0..12).map(|_| chart.item()).collect();
            let mut covered = vec![false; 12];
            let (mut known, mut left) = (Vec::new(), arcs.into_iter());
            for (grows, item) in deeds {
                match left.next().filter(|_| grows) {
                    Some((from, to, item)) => {
                        chart.arc(from, to, Some(items[item]), 0);
                        known.push((from, to, item));
                    }
                    None => {
                        let new = !std::mem::replace(&mut covered[item as usize], true);
                        prop_assert_eq!(chart.cover(items[item as usize]), new);
                    }
                }
                for node in 0..8 {
                    prop_assert_eq!(chart.distance(node), by_trying(8, &known, &covered, node));
                }
            }
        }
    }

    #[test]
    fn an_arc_tried_in_vain_is_left_aside_until_forgiven() {
        let mut chart = Chart::new();
        let (here, there) = (chart.node(), chart.node());
        let (shy, far) = (chart.item(), chart.item());
        chart.arc(here, there, Some(shy), 7);
        chart.arc(here, here, None, 8);
        chart.arc(there, here, Some(far), 9);
        for _ in 0..PATIENCE {
            assert_eq!(chart.distance(here), Some(1));
            assert_eq!(chart.closer(here).collect::<Vec<_>>(), [7]);
            chart.tried(here, here, &[], |label| label == 7);
        }
        assert_eq!(chart.distance(here), None);
        assert!(chart.forgive());
        assert_eq!(chart.distance(here), Some(1));
        chart.tried(here, there, &[shy], |label| label == 7);
        assert!(chart.cover(shy));
        assert_eq!(chart.distance(here), Some(2));
        assert!(!chart.forgive());
    }

    #[test]
    fn a_long_ring_is_toured_with_few_looks() {
        // Each cover moves the nearest item on by one; a thousand nodes, a thousand covers, one look each.
        const LENGTH: u32 = 1000;
        let mut chart = Chart::new();
        for _ in 0..LENGTH {
            chart.node();
        }
        for node in 0..LENGTH {
            let item = chart.item();
            chart.arc(node, (node + 1) % LENGTH, Some(item), 0);
        }
        for node in 0..LENGTH {
            assert_eq!(chart.distance(node), Some(1));
            chart.cover(Item(node));
        }
        assert_eq!(chart.distance(0), None);
        assert_eq!(chart.covered(), 1000);
    }
}
