//! Answers that say that nothing has changed: one run tries many inputs then, since each leaves the system where it was.

use super::inquiry::Inquiry;
use super::{Border, Learner, NOWHERE};
use crate::learn::tree::{Added, ROOT, Tree};
use crate::letter::Letter;
use crate::trace::Step;

/// An answer is taken to say that nothing has changed after so many transitions with it that stay where they are, of so many
/// states, if none leads elsewhere.
const ENOUGH: u32 = 8;
const STATES: u32 = 3;

/// Where transitions lead that are certain and have one answer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ends {
    /// How many stay where they are, in how many states, and the last of these.
    stay: u32,
    states: u32,
    last: Option<u32>,
    /// How many lead elsewhere, or are in a sink.
    others: u32,
}

impl Ends {
    /// One more, in the order of the states.
    pub(super) fn count(&mut self, from: u32, to: u32, is_sink: bool) {
        if from != to || is_sink {
            self.others += 1;
            return;
        }
        self.stay += 1;
        self.states += u32::from(self.last.replace(from) != Some(from));
    }

    /// Whether there are many, and all stay where they are.
    pub(super) fn change_nothing(&self) -> bool {
        self.others == 0 && self.stay >= ENOUGH && self.states >= STATES
    }
}

/// Everything as it was seen, beside a tree in which some answers are taken to say that nothing has changed.
#[derive(Clone, Debug)]
pub(super) struct Raw {
    tree: Tree,
    node: Option<u32>,
}

impl Raw {
    /// All that was seen before.
    pub(super) fn of(tree: Tree) -> Raw {
        Raw { tree, node: Some(ROOT) }
    }

    /// What was seen.
    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// A run begins.
    pub(super) fn begin(&mut self) {
        self.node = Some(ROOT);
    }

    /// An exchange was seen.
    pub(super) fn saw(&mut self, step: &Step) -> Added {
        let Some(at) = self.node else { return Added::Full };
        let added = self.tree.add(at, step);
        self.node = if let Added::At(next) = added { Some(next) } else { None };
        added
    }

    /// Runs do not go on here; whether nothing says otherwise.
    pub(super) fn stop(&mut self, mark: fn(&mut Tree, u32)) -> bool {
        let node = self.node.filter(|&node| self.tree.is_leaf(node));
        if let Some(node) = node {
            mark(&mut self.tree, node);
        }
        node.is_some()
    }

    /// Whether the system had ended where the run is.
    pub(super) fn is_end(&self) -> bool {
        self.node.is_some_and(|node| self.tree.is_end(node))
    }

    /// Whether the run has not begun.
    pub(super) fn is_at_start(&self) -> bool {
        self.node == Some(ROOT)
    }

    /// Forgets what may not be sent where.
    pub(super) fn unbar(&mut self) {
        self.tree.unbar();
    }

    /// An input may not be sent here.
    pub(super) fn bar(&mut self, input: u32) {
        if let Some(node) = self.node {
            self.tree.bar(node, input);
        }
    }

    /// Numbers are the same in both trees.
    pub(super) fn number(&mut self, input: Letter) {
        self.tree.input_number(input);
    }
}

impl Border {
    /// It leads back to its state, for nothing has changed.
    pub(super) fn stay(&mut self, state: u32) {
        self.candidates.clear();
        self.candidates.push(state);
        (self.up_to, self.certain_at, self.odds) = (u32::MAX, u32::MAX, f64::INFINITY);
    }

    /// Whether it does so since nothing has changed.
    pub(super) fn is_idle(&self) -> bool {
        self.up_to == u32::MAX
    }
}

impl Learner {
    /// Whether some answer is taken to say that nothing has changed from now on: everything is to be learnt anew then.
    pub(super) fn believes_more(&self) -> bool {
        self.outlook.idle.iter().any(|output| !self.tree.is_idle(*output) && !self.telling.contains(output))
    }

    /// Some word was answered in two ways, if the answers that are taken to say so do say that nothing has changed: those of this run do
    /// not, or none does.
    pub(super) fn doubt_idle(&mut self) {
        (self.node, self.state) = (None, None);
        (self.is_refuted, self.surprise) = (true, self.steps);
        let mut met = Vec::new();
        if let Some(Raw { tree, node: Some(node) }) = &self.raw {
            let way = std::iter::successors(Some(*node), |&at| tree.before(at)).filter(|&at| at != ROOT);
            met.extend(way.map(|at| tree.answer(at)).filter(|&output| self.tree.is_idle(output)));
        }
        if met.is_empty() {
            met.extend((0..self.tree.outputs() as u32).filter(|&output| self.tree.is_idle(output)));
        }
        self.telling.extend(met);
    }

    /// Everything that was seen, folded by what is taken to change nothing, and as it was seen where that is something else.
    pub(super) fn fold(&mut self) -> (Tree, Option<Raw>) {
        let outputs = self.tree.outputs() as u32;
        let is_idle = |output: &u32| self.tree.is_idle(*output) || self.outlook.idle.contains(output);
        let is_meant = |output: &u32| is_idle(output) && !self.telling.contains(output);
        let idle: Vec<u32> = (0..outputs).filter(is_meant).collect();
        let seen = std::mem::replace(&mut self.tree, Tree::new(1));
        let seen = self.raw.take().map_or(seen, |raw| raw.tree);
        if idle.is_empty() {
            return (seen, None);
        }
        match seen.folded(&idle) {
            Some(folded) => (folded, Some(Raw::of(seen))),
            None => {
                self.telling.extend(idle);
                (seen, None)
            }
        }
    }

    /// An input that changes nothing was sent after a node.
    pub(super) fn note_idle(&mut self, at: u32, child: u32) {
        if let Some(&state) = self.states.get(&at)
            && let Some(place) = self.place_of_number(self.tree.sent(child))
            && self.frontier[state as usize * self.hypothesis.inputs + place].node == NOWHERE
        {
            self.refresh(state, place, true);
        }
    }

    /// What is sent next in an inquiry where the run is still in the state that it began in, since nothing has changed: another
    /// input that was not tried there; and after the last of them what tells the state from others, if it is still that.
    pub(super) fn another(&self, inquiry: &mut Inquiry) -> Option<usize> {
        let (state, inputs) = (inquiry.border.0, self.hypothesis.inputs);
        if self.node != Some(self.basis[state as usize]) {
            return None;
        }
        let row = state as usize * inputs;
        let next = (0..inputs).find(|&place| self.is_unseen(row + place));
        if next.is_some() {
            inquiry.in_a_row = Some(true);
            return next;
        }
        if inquiry.in_a_row.replace(false) == Some(false) {
            return None;
        }
        let says = |place: usize| {
            let edge = self.hypothesis.edges[row + place];
            let tells = edge.is_known() && !self.tree.is_idle(edge.output) && !self.outlook.is_sink(edge.to);
            tells.then(|| (self.rarity(place, edge.output), place))
        };
        let all = (0..inputs).filter_map(says);
        all.max_by(|one, other| one.0.total_cmp(&other.0)).map(|(_, place)| place)
    }

    /// What is sent next in an inquiry where the run is still right after its transition: an input that was not tried there and changes
    /// nothing in the state that it seems to lead to, if it leads to one. As long as nothing changes that costs a step each, and shows what
    /// only one input tells from it.
    pub(super) fn rest_of_row(&self, inquiry: &Inquiry, seems: Option<u32>) -> Option<usize> {
        let (state, place) = inquiry.border;
        let node = self.tree.child(self.basis[state as usize], self.alphabet[place])?;
        if self.raw.is_none() || self.node != Some(node) {
            return None;
        }
        let is_idle = |place: usize| {
            seems.is_none_or(|state| self.tree.is_idle(self.hypothesis.edge(state, place).output))
        };
        let is_left = |&place: &usize| self.may_try(node, place) && is_idle(place);
        (0..self.hypothesis.inputs).find(is_left)
    }
}
