//! How the sets of a beam were reached: a tree of letters that forgets dead branches.

/// The words of a search, sharing their prefixes.
pub(crate) struct History {
    // invariant: a node's parent stands before it; node 0 is the empty word.
    nodes: Vec<(u32, u32)>,
    most: usize,
}

impl History {
    pub(crate) fn new() -> History {
        History { nodes: vec![(0, 0)], most: 1 << 16 }
    }

    /// The word of node `parent` and one letter more.
    pub(crate) fn push(&mut self, parent: u32, letter: u32) -> u32 {
        self.nodes.push((parent, letter));
        (self.nodes.len() - 1) as u32
    }

    /// The letters from the root to a node.
    pub(crate) fn word(&self, mut at: u32) -> Vec<u32> {
        let mut word = Vec::new();
        while at != 0 {
            let (parent, letter) = self.nodes[at as usize];
            word.push(letter);
            at = parent;
        }
        word.reverse();
        word
    }

    /// Drops, once there are many, the nodes that lead to none of `alive`, and renumbers those.
    pub(crate) fn prune(&mut self, alive: &mut [u32]) {
        if self.nodes.len() < self.most {
            return;
        }
        let mut kept = vec![false; self.nodes.len()];
        kept[0] = true;
        for &at in alive.iter() {
            kept[at as usize] = true;
        }
        for at in (1..self.nodes.len()).rev() {
            if kept[at] {
                kept[self.nodes[at].0 as usize] = true;
            }
        }
        let mut number = vec![0u32; self.nodes.len()];
        let mut count = 1;
        for at in 1..self.nodes.len() {
            if kept[at] {
                let (parent, letter) = self.nodes[at];
                self.nodes[count] = (number[parent as usize], letter);
                number[at] = count as u32;
                count += 1;
            }
        }
        self.nodes.truncate(count);
        for at in alive {
            *at = number[*at as usize];
        }
        self.most = (2 * count).max(1 << 16);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pruning_keeps_the_words_of_the_living() {
        let mut history = History::new();
        history.most = 0;
        let (dead, first) = (history.push(0, 7), history.push(0, 1));
        history.push(dead, 8);
        let mut alive = [history.push(first, 2), history.push(first, 3)];
        history.prune(&mut alive);
        assert_eq!(history.nodes.len(), 4);
        assert_eq!([history.word(alive[0]), history.word(alive[1])], [vec![1, 2], vec![1, 3]]);
    }
}
