//! What a state would answer.

use super::{Learner, NOWHERE};
use crate::learn::hypothesis::{Edge, UNKNOWN};
use crate::learn::tree::ENDED;

/// A state that something else may be, and where what was sent since leads from it: in the tree, where that was seen, and in the
/// hypothesis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twin {
    node: Option<u32>,
    state: u32,
}

impl Learner {
    /// A state before anything was sent.
    pub(super) fn twin(&self, state: u32) -> Twin {
        Twin { node: Some(self.basis[state as usize]), state }
    }

    /// What it answers, as it was seen, or else as the hypothesis says, and where it is then. Guesses of the hypothesis never
    /// outweigh what was seen.
    pub(super) fn expected(&self, twin: Twin, place: usize) -> Option<(u32, Twin)> {
        if twin.state != UNKNOWN && twin.node == Some(self.basis[twin.state as usize]) {
            // What was seen after a state is what the hypothesis says of it.
            let entry = twin.state as usize * self.hypothesis.inputs + place;
            let edge = Some(self.hypothesis.edges[entry]).filter(Edge::is_known)?;
            let node = Some(self.frontier[entry].node).filter(|&node| node != NOWHERE);
            let node = node.map(|node| self.tree.after(self.basis[twin.state as usize], node));
            return Some((edge.output, Twin { node, state: edge.to }));
        }
        let seen = twin.node.and_then(|node| self.tree.answered(node, self.alphabet[place]));
        let edge = (twin.state != UNKNOWN).then(|| self.hypothesis.edge(twin.state, place));
        let edge = edge.filter(Edge::is_known);
        let output = seen.map(|(output, _)| output).or(edge.map(|edge| edge.output))?;
        let state =
            edge.filter(|edge| edge.output == output && output != ENDED).map_or(UNKNOWN, |edge| edge.to);
        Some((output, Twin { node: seen.map(|(_, next)| next), state }))
    }
}

impl Twin {
    /// Where it is in the tree.
    pub(super) fn node(self) -> Option<u32> {
        self.node
    }

    /// The state of the hypothesis that it is in; [`UNKNOWN`] where it does not say.
    pub(super) fn state(self) -> u32 {
        self.state
    }
}
