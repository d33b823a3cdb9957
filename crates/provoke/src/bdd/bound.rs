//! How many nodes diagrams may take, and whether they were enough.

use std::sync::atomic::{AtomicBool, Ordering};

/// How many nodes one manager may hold unless told otherwise: full, it takes about 400 MB.
pub const NODES: usize = 1 << 24;

/// What a node takes, its place in the table of all nodes included.
const BYTES_A_NODE: usize = 24;

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

/// The bound of one manager, shared by all its diagrams.
#[derive(Debug)]
pub(super) struct Bound {
    nodes: usize,
    exhausted: AtomicBool,
}

impl Bound {
    /// At least one node, and no more than the crate can number.
    pub(super) fn new(nodes: usize) -> Bound {
        Bound { nodes: nodes.clamp(1, 1 << 30), exhausted: AtomicBool::new(false) }
    }

    pub(super) fn nodes(&self) -> usize {
        self.nodes
    }

    // The flag guards no other memory: diagrams and answers that pass from one thread to another bring it along.
    pub(super) fn is_exhausted(&self) -> bool {
        self.exhausted.load(Ordering::Relaxed)
    }

    pub(super) fn exhaust(&self) {
        self.exhausted.store(true, Ordering::Relaxed);
    }

    pub(super) fn check(&self) -> Result<(), OutOfNodes> {
        if self.is_exhausted() { Err(OutOfNodes { nodes: self.nodes }) } else { Ok(()) }
    }
}
