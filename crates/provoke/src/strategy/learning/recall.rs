//! What is remembered from before: where learning starts from, until the system answers otherwise.

use crate::learn::{Contradiction, Tree};
use crate::letter::Letter;
use crate::rng::Rng;

/// What earlier campaigns have seen of the system, as far as it is still believed.
///
/// Some of its words are tried again first. More of them are tried whenever something turns out otherwise than it seemed: a
/// system that has changed in a few places looks at first like one that was not known well enough.
#[derive(Debug, Default)]
pub(super) struct Recall {
    /// Everything, until there are inputs to learn it with.
    tree: Option<Tree>,
    /// So many nodes of what is known come from before.
    nodes: u32,
    /// Nodes to which runs led that are tried again next, and later.
    next: Vec<u32>,
    later: Vec<u32>,
    /// How much was known when that was last looked at.
    known: u64,
    /// What the system answered otherwise.
    changed: Option<Contradiction>,
}

/// So many words are tried again at first.
const FIRST: usize = 20;
/// And so many for each thing that is new or otherwise than it seemed.
const MORE: u64 = 2;

impl Recall {
    /// Of everything that was seen before.
    pub(super) fn new(tree: Tree) -> Recall {
        let nodes = tree.len() as u32;
        let mut later: Vec<u32> = (1..nodes).filter(|&node| tree.is_leaf(node)).collect();
        // The last that was seen, and others by chance.
        let last = later.pop();
        Rng::new(0).shuffle(&mut later);
        let mut next = later.split_off(later.len().saturating_sub(FIRST - 1));
        next.extend(last);
        Recall { tree: Some(tree), nodes, next, later, known: 0, changed: None }
    }

    /// What is to be learnt from the start.
    pub(super) fn take(&mut self) -> Option<Tree> {
        self.tree.take()
    }

    /// Whether words are to be tried again now.
    pub(super) fn is_checking(&self) -> bool {
        !self.next.is_empty()
    }

    /// The next of them.
    pub(super) fn word(&mut self, seen: &Tree) -> Option<Vec<Letter>> {
        let node = self.next.pop()?;
        Some(seen.trace(node).iter().map(|step| step.input).collect())
    }

    /// So much is known by now.
    pub(super) fn note(&mut self, known: u64) {
        let news = known.saturating_sub(std::mem::replace(&mut self.known, known));
        if self.nodes > 0 && self.next.is_empty() {
            let more = (MORE * news).min(self.later.len() as u64) as usize;
            self.next = self.later.split_off(self.later.len() - more);
        }
    }

    /// Whether a node was seen by earlier campaigns, as far as they are believed.
    pub(super) fn is_about(&self, node: u32) -> bool {
        node < self.nodes
    }

    /// The system has answered otherwise: nothing of this is believed any more.
    pub(super) fn refute(&mut self, by: Contradiction) {
        *self = Recall { changed: Some(by), ..Recall::default() };
    }

    /// How the system showed that it has changed, if it did.
    pub(super) fn changed(&self) -> Option<&Contradiction> {
        self.changed.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Added, ROOT};
    use crate::trace::Step;

    #[test]
    fn more_is_tried_again_where_something_is_new() {
        let mut tree = Tree::new(1_000);
        for word in 0..100 {
            let mut at = ROOT;
            for place in 0..7 {
                let step = Step { input: Letter::from_index(word >> place & 1), output: Letter::default() };
                let Added::At(next) = tree.add(at, &step) else { panic!() };
                at = next;
            }
        }
        let mut recall = Recall::new(tree.clone());
        assert!(recall.is_about(5) && !recall.is_about(tree.len() as u32));
        recall.note(0);
        let mut words: Vec<Vec<Letter>> = std::iter::from_fn(|| recall.word(&tree)).collect();
        assert_eq!(words.len(), FIRST);
        recall.note(0);
        assert!(!recall.is_checking(), "nothing is new");
        for known in 1..=60 {
            recall.note(known);
            words.extend(std::iter::from_fn(|| recall.word(&tree)));
        }
        words.sort();
        words.dedup();
        assert_eq!(words.len(), 100, "each once");
        recall.refute(Contradiction { first: Vec::new(), second: Vec::new(), confirmed: true });
        assert!(!recall.is_about(5) && recall.changed().is_some());
    }
}
