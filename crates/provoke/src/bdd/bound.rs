//! How many nodes diagrams may take, and whether they were enough.

use oxidd::bcdd::{BCDDManagerRef, new_manager};

use super::exhausted;

/// How many nodes one manager may hold unless told otherwise: full, it takes about 400 MB.
pub const NODES: usize = 1 << 24;

/// What a node takes, its place in the table of all nodes included.
const BYTES_A_NODE: usize = 24;

/// How many results of operations are remembered; no more than there are nodes.
const CACHE: usize = 1 << 16;

/// How many nodes fit into so many megabytes.
pub fn nodes_within(megabytes: usize) -> usize {
    megabytes.saturating_mul(1 << 20) / BYTES_A_NODE
}

/// A computation needs more decision-diagram nodes than there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the specification needs more than {nodes} decision-diagram nodes")]
pub struct OutOfNodes {
    /// How many there may be.
    pub nodes: usize,
}

impl OutOfNodes {
    /// What can be done about it.
    pub const HELP: &str = "split it into smaller requirements, or move signals that are compared with each other \
                            next to each other in the list of signals";
}

/// One manager and its bound, shared by all handles to it. Its diagrams know their manager only.
pub(super) struct Bound {
    pub(super) manager: BCDDManagerRef,
    pub(super) nodes: usize,
}

impl Bound {
    /// At least one node, and no more than the crate can number.
    pub(super) fn new(nodes: usize) -> Bound {
        Bound::with_cache(nodes, CACHE.min(nodes))
    }

    /// The same, remembering so many results of operations.
    pub(super) fn with_cache(nodes: usize, cache: usize) -> Bound {
        let nodes = nodes.clamp(1, 1 << 30);
        Bound { manager: new_manager(nodes, cache.max(1), 1), nodes }
    }

    pub(super) fn check(&self) -> Result<(), OutOfNodes> {
        match exhausted::are_there_any() && exhausted::has(&self.manager) {
            true => Err(OutOfNodes { nodes: self.nodes }),
            false => Ok(()),
        }
    }
}

impl Drop for Bound {
    fn drop(&mut self) {
        if exhausted::are_there_any() {
            exhausted::remove(&self.manager);
        }
    }
}
