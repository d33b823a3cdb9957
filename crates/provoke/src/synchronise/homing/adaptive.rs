//! Adaptive homing: the next input depends on the answers.

use rustc_hash::FxHashMap;

use super::pairs::Resolvable;
use super::{Blocks, split};
use crate::machine::Machine;
use crate::synchronise::watch::Watch;

/// What to do when this much is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The system is in this state.
    Known(u32),
    /// Send an input and go on by the answer: pairs of an output (or [`crate::machine::UNDEFINED`] for
    /// none) and a node. Any other answer is not the machine's.
    Ask {
        /// What to send.
        input: u32,
        /// Where to go on.
        answers: Vec<(u32, usize)>,
    },
}

/// A decision tree whose equal branches are shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree {
    nodes: Vec<Node>,
    root: usize,
    depth: usize,
}

impl Tree {
    /// Where to begin.
    pub fn root(&self) -> usize {
        self.root
    }

    /// A node.
    pub fn node(&self, number: usize) -> &Node {
        &self.nodes[number]
    }

    /// How many nodes there are, shared ones counted once.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// A tree always has a node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The most inputs on any branch.
    pub fn depth(&self) -> usize {
        self.depth
    }
}

/// Builds the tree from the set of all states; none where the search gets stuck or runs out of budget.
pub(super) fn tree(machine: &Machine, pairs: &Resolvable, watch: &mut Watch<'_>) -> Option<Tree> {
    let all: Vec<u32> = (0..machine.states().len() as u32).collect();
    let mut growing =
        Growing { machine, pairs, nodes: Vec::new(), depths: Vec::new(), known: FxHashMap::default() };
    let root = growing.node(all, watch)?;
    let depth = growing.depths[root];
    Some(Tree { nodes: growing.nodes, root, depth })
}

struct Growing<'a> {
    machine: &'a Machine,
    pairs: &'a Resolvable,
    nodes: Vec<Node>,
    depths: Vec<usize>,
    known: FxHashMap<Vec<u32>, usize>,
}

/// A set that is being worked on: what will be asked, and what is still missing.
struct Task {
    set: Vec<u32>,
    input: u32,
    blocks: Blocks,
}

impl Growing<'_> {
    /// The node for a set, with everything below it. Children are smaller sets or nearer to a smaller one, so
    /// this ends; it keeps its own stack, because trees may be deep.
    fn node(&mut self, root: Vec<u32>, watch: &mut Watch<'_>) -> Option<usize> {
        let mut tasks: Vec<Task> = Vec::new();
        self.begin(root.clone(), &mut tasks, watch)?;
        while let Some(task) = tasks.last() {
            let missing = task.blocks.iter().find(|(_, block)| !self.known.contains_key(block));
            match missing {
                Some((_, block)) => {
                    let block = block.clone();
                    self.begin(block, &mut tasks, watch)?;
                }
                None => {
                    let Some(task) = tasks.pop() else { break };
                    let answers: Vec<(u32, usize)> =
                        task.blocks.iter().map(|(answer, block)| (*answer, self.known[block])).collect();
                    let depth = answers.iter().map(|&(_, node)| self.depths[node] + 1).max().unwrap_or(0);
                    self.add(task.set, Node::Ask { input: task.input, answers }, depth);
                }
            }
        }
        self.known.get(&root).copied()
    }

    fn add(&mut self, set: Vec<u32>, node: Node, depth: usize) {
        self.known.insert(set, self.nodes.len());
        self.nodes.push(node);
        self.depths.push(depth);
    }

    /// Starts on a set: a leaf at once, otherwise a task, or several along the way to an input that helps.
    fn begin(&mut self, set: Vec<u32>, tasks: &mut Vec<Task>, watch: &mut Watch<'_>) -> Option<()> {
        if let [only] = set[..] {
            self.add(set, Node::Known(only), 0);
            return Some(());
        }
        if watch.spent(set.len() * self.machine.inputs().len()) {
            return None;
        }
        if let Some((input, blocks)) = self.best_split(&set) {
            tasks.push(Task { set, input, blocks });
            return Some(());
        }
        // Nothing helps now: go the shortest way to an input that resolves some pair.
        let mut current = set;
        for input in self.pairs.nearest(self.machine, &current) {
            let blocks = split(self.machine, &current, input)?;
            let next = blocks.first()?.1.clone();
            let helps = blocks.len() > 1 || next.len() < current.len();
            tasks.push(Task { set: current, input, blocks });
            if helps || self.known.contains_key(&next) {
                return Some(());
            }
            current = next;
        }
        None
    }

    /// The input that leaves fewest states in expectation, if one leaves fewer than there are.
    fn best_split(&self, set: &[u32]) -> Option<(u32, Blocks)> {
        let mut best: Option<(usize, u32, Blocks)> = None;
        for input in 0..self.machine.inputs().len() as u32 {
            let Some(blocks) = split(self.machine, set, input) else { continue };
            let largest = blocks.iter().map(|(_, block)| block.len()).max().unwrap_or(0);
            if largest == set.len() {
                continue;
            }
            let cost = blocks.iter().map(|(_, block)| block.len() * block.len()).sum();
            if best.as_ref().is_none_or(|(least, _, _)| cost < *least) {
                best = Some((cost, input, blocks));
            }
        }
        best.map(|(_, input, blocks)| (input, blocks))
    }
}
