//! Tests of where transitions lead, with words that tell apart what is hard to tell apart.

use super::{Learner, NOWHERE};
use crate::learn::Splitting;
use crate::learn::hypothesis::UNKNOWN;
use crate::learn::tree::ROOT;
use crate::rng::Rng;

/// So many words are drawn until one is new.
const TRIES: usize = 16;
/// After so many of them, those with one input between have come to an end, more or less.
const SHORT: usize = 12;
/// The chance that one more input comes between.
const ONE_MORE: f64 = 0.25;
/// The chance that an input is taken which seems to change nothing.
const STAYS: f64 = 0.2;
/// What seems to change nothing is probed so many times less often.
const SELDOM: u16 = 8;
/// So often an input is drawn that changes something and keeps away from what is avoided.
const DRAWS: usize = 20;

impl Learner {
    /// A word that puts to the test where a transition leads: the one that was put to it least; an input or two beyond it, rarely more; and a
    /// shortest word that tells the state after them from another one. None where nothing new is found.
    ///
    /// This is the Wp method of Fujiwara and others (1991) for one or two states more than are known, in a random order: what is
    /// taken for a state that it is like mostly shows after an input or two, where it leads to something that is known
    /// to be different but takes a long word to tell. What was seen before is left out.
    pub fn probe(&mut self, splitting: &Splitting, avoid: &[bool], rng: &mut Rng) -> Option<Vec<usize>> {
        let entry = self.least_probed(avoid, rng)?;
        self.frontier[entry].probes = self.frontier[entry].probes.saturating_add(1);
        let (node, to) = (self.frontier[entry].node, self.hypothesis.edges[entry].to);
        let mut drawn = (0..TRIES).filter_map(|attempt| {
            let (mut word, at) = self.between(to, attempt, avoid, rng);
            if at != UNKNOWN {
                word.extend(splitting.closing(&self.hypothesis, at, rng)?);
            }
            Some(word)
        });
        let way = self.way_over(entry);
        let numbers = |word: &[usize]| word.iter().map(|&place| self.alphabet[place]).collect::<Vec<u32>>();
        let is_new = |word: &Vec<usize>| match self.tree.stays(node) {
            // What was seen after something that changes nothing is not written down there.
            true => self.tree().follow(ROOT, &numbers(&[&way[..], word].concat())).is_none(),
            false => self.tree.follow(node, &numbers(word)).is_none(),
        };
        let beyond = drawn.find(is_new)?;
        Some([way, beyond].concat())
    }

    /// A transition that was probed least, of those that lead to nothing that is avoided and are not how a state was found.
    fn least_probed(&self, avoid: &[bool], rng: &mut Rng) -> Option<usize> {
        let (mut least, mut found) = (u16::MAX, Vec::new());
        for (entry, border) in self.frontier.iter().enumerate() {
            let to = self.hypothesis.edges[entry].to;
            if border.node == NOWHERE
                || to == UNKNOWN
                || avoid.get(to as usize) == Some(&true)
                || self.tree.is_end(border.node)
                || self.states.contains_key(&border.node)
            {
                continue;
            }
            // What seems to change nothing is put to it more seldom: there is mostly much of that.
            let stays = self.tree.stays(border.node);
            let probes = if stays { (border.probes + 1).saturating_mul(SELDOM) } else { border.probes };
            if probes > least {
                continue;
            }
            if probes < least {
                least = probes;
                found.clear();
            }
            found.push(entry);
        }
        rng.pick(&found).copied()
    }

    /// Inputs that come between a transition and the word that ends a probe, the more the more were tried in vain; and the state
    /// after them. Those that change something come more often: that is where one mistake leads to the next.
    fn between(&self, from: u32, attempt: usize, avoid: &[bool], rng: &mut Rng) -> (Vec<usize>, u32) {
        let least = match attempt {
            0 => 0,
            1..SHORT => 1,
            _ => 2,
        };
        let (mut word, mut at) = (Vec::new(), from);
        while word.len() < least || least > 0 && rng.chance(ONE_MORE) {
            let mut place = rng.index(self.hypothesis.inputs);
            for _ in 0..DRAWS {
                let to = self.hypothesis.edge(at, place).to;
                let is_fine = avoid.get(to as usize) != Some(&true) && (to != at || rng.chance(STAYS));
                if to == UNKNOWN || is_fine {
                    break;
                }
                place = rng.index(self.hypothesis.inputs);
            }
            word.push(place);
            at = self.hypothesis.edge(at, place).to;
            if at == UNKNOWN {
                break;
            }
        }
        (word, at)
    }
}
