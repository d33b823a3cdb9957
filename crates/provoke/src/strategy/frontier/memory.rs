//! Every exchange seen so far, as a tree: what a deterministic system answers along it is known for good.

use super::{NONE, OVER};
use crate::game::{Game, Next, State};
use crate::letter::Letter;
use crate::strategy::letters::{Letters, mix};

/// One exchange, after those of its parents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) parent: u32,
    input: u32,
    output: u32,
    /// Where the game was then.
    pub(super) state: State,
    pub(super) depth: u32,
    first_child: u32,
    sibling: u32,
    /// How many different exchanges have followed it.
    pub(super) tried: u32,
    /// Which inputs have followed it, by their place in the state's shape; only where these are few.
    pub(super) tried_mask: u64,
    /// How often a run came back to explore from here.
    pub(super) chosen: u32,
}

const _: () = assert!(size_of::<Node>() <= 64);

/// What tells a node from others of the same state: its last few exchanges, hashed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trail {
    pub(super) node: u32,
    pub(super) depth: u32,
    /// The node before the oldest exchange that counts.
    from: u32,
    pub(super) signature: u64,
}

/// The tree; node 0 is the start of every run. Its letters are its own, so that forgetting forgets them too.
#[derive(Debug, Default)]
pub(super) struct Memory {
    nodes: Vec<Node>,
    letters: Letters,
}

impl Memory {
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn get(&self, at: u32) -> &Node {
        &self.nodes[at as usize]
    }

    pub(super) fn get_mut(&mut self, at: u32) -> &mut Node {
        &mut self.nodes[at as usize]
    }

    pub(super) fn memory(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>() + self.letters.memory()
    }

    pub(super) fn input(&self, at: u32) -> Letter {
        self.letters.get(self.nodes[at as usize].input)
    }

    pub(super) fn output(&self, at: u32) -> Letter {
        self.letters.get(self.nodes[at as usize].output)
    }

    /// The start, where every run begins.
    pub(super) fn plant(&mut self, state: State) -> u32 {
        self.link(NONE, NONE, NONE, state)
    }

    /// Adds an exchange that has not followed the parent yet.
    pub(super) fn add(&mut self, parent: u32, input: Letter, output: Letter, state: State) -> u32 {
        let (input, output) = (self.letters.number(input), self.letters.number(output));
        self.link(parent, input, output, state)
    }

    fn link(&mut self, parent: u32, input: u32, output: u32, state: State) -> u32 {
        let number = self.nodes.len() as u32;
        let (mut depth, mut sibling) = (0, NONE);
        if let Some(parent) = self.nodes.get_mut(parent as usize) {
            depth = parent.depth + 1;
            parent.tried += 1;
            sibling = std::mem::replace(&mut parent.first_child, number);
        }
        self.nodes.push(Node {
            parent,
            input,
            output,
            state,
            depth,
            first_child: NONE,
            sibling,
            tried: 0,
            tried_mask: 0,
            chosen: 0,
        });
        number
    }

    /// The exchanges that have followed a node, newest first.
    pub(super) fn children(&self, at: u32) -> impl Iterator<Item = (u32, &Node)> {
        let mut next = self.nodes[at as usize].first_child;
        std::iter::from_fn(move || {
            let number = next;
            let child = self.nodes.get(number as usize)?;
            next = child.sibling;
            Some((number, child))
        })
    }

    /// The node this exchange leads to, where it has been seen.
    pub(super) fn child(&self, at: u32, input: Letter, output: Letter) -> Option<u32> {
        let letters = &self.letters;
        let same = |child: &Node| letters.get(child.input) == input && letters.get(child.output) == output;
        self.children(at).find(|(_, child)| same(child)).map(|(number, _)| number)
    }

    /// The nodes from `to` back to the start, which is left out.
    pub(super) fn path(&self, to: u32, into: &mut Vec<u32>) {
        into.clear();
        let mut at = to;
        while self.nodes[at as usize].parent != NONE {
            into.push(at);
            at = self.nodes[at as usize].parent;
        }
    }

    /// The trail of a node that looks at none of its exchanges yet.
    pub(super) fn trail(&self, node: u32) -> Trail {
        Trail { node, depth: self.get(node).depth, from: node, signature: 0 }
    }

    /// Lets a trail look at one more exchange; at the start there are none left.
    pub(super) fn look_back(&self, trail: &mut Trail) {
        let node = self.get(trail.from);
        if node.parent != NONE {
            trail.signature = mix(trail.signature, u64::from(node.input) << 32 | u64::from(node.output));
            trail.from = node.parent;
        }
    }

    /// Plays everything that was seen in another game, from the start; what had been chosen and tried counts anew.
    pub(super) fn replay(&mut self, game: &dyn Game) {
        for at in 0..self.nodes.len() {
            let parent = self.nodes.get(self.nodes[at].parent as usize).map(|parent| parent.state);
            let state = match parent {
                None => game.initial(),
                Some(OVER) => OVER,
                // Parents come before their children, so they know their states already.
                Some(from) => match game.next(from, self.input(at as u32), self.output(at as u32)) {
                    Next::To(to) => to,
                    Next::Violates(_) | Next::Unfair => OVER,
                },
            };
            let node = &mut self.nodes[at];
            (node.state, node.tried_mask, node.chosen) = (state, 0, 0);
        }
    }

    /// Forgets everything but these nodes and the ways to them; of the nodes, as many as fit into `room`.
    pub(super) fn keep(&mut self, wanted: impl Iterator<Item = u32>, room: usize) {
        let mut number = vec![NONE; self.nodes.len()];
        let mut kept = 0;
        for node in wanted {
            let mut at = node;
            while at != NONE && number[at as usize] == NONE {
                number[at as usize] = 0;
                kept += 1;
                at = self.nodes[at as usize].parent;
            }
            if kept >= room {
                break;
            }
        }
        let old = std::mem::take(self);
        // Parents come before their children, so they have their new numbers already.
        for (at, node) in old.nodes.iter().enumerate() {
            if number[at] == NONE {
                continue;
            }
            number[at] = match number.get(node.parent as usize) {
                Some(&parent) => {
                    let letter = |number: u32| old.letters.get(number);
                    self.add(parent, letter(node.input), letter(node.output), node.state)
                }
                None => self.plant(node.state),
            };
        }
    }
}

#[cfg(test)]
mod tests;
