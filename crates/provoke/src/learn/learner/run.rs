//! What every exchange of a run means to what is learnt.

use super::Learner;
use super::idle::Raw;
use crate::learn::hypothesis::Edge;
use crate::learn::tree::{Added, ROOT, Tree};
use crate::letter::Letter;
use crate::trace::Step;

/// What an exchange meant to the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The hypothesis said so, or nothing.
    Expected,
    /// The hypothesis said something else.
    Surprise,
    /// The same word was answered otherwise before; this is the node of that answer.
    Contradiction(u32),
}

impl Learner {
    /// A run begins.
    pub fn begin(&mut self) {
        (self.node, self.state) = (Some(ROOT), Some(0));
        if let Some(raw) = &mut self.raw {
            raw.begin();
        }
        self.is_held = false;
        self.trails.begin();
    }

    /// An exchange was seen.
    pub fn saw(&mut self, step: &Step) -> Seen {
        self.steps += 1;
        let had_ended = self.raw.as_ref().is_some_and(Raw::is_end);
        match self.raw.as_mut().map(|raw| raw.saw(step)) {
            None | Some(Added::At(_)) => {}
            Some(Added::Contradiction(other)) => {
                (self.node, self.state) = (None, None);
                return Seen::Contradiction(other);
            }
            Some(Added::Full) => (self.node, self.state) = (None, None),
        }
        let Some(at) = self.node else { return Seen::Expected };
        // Where the hypothesis says something of this, if it does.
        let here = self.state.zip(self.place_of(step.input));
        let expected = here.and_then(|(state, place)| {
            let visits = &mut self.frontier[state as usize * self.hypothesis.inputs + place].visits;
            *visits = visits.saturating_add(1);
            Some(self.hypothesis.edge(state, place)).filter(Edge::is_known)
        });
        if self.tree.is_end(at) && self.raw.is_some() && !had_ended {
            // It had ended after what is taken to have changed nothing.
            self.doubt_idle();
            return Seen::Surprise;
        }
        if self.tree.is_end(at) && self.states.contains_key(&at) {
            self.revive(at);
        }
        let is_barred = |number: u32| self.tree.barred(at).contains(&number);
        if self.raw.is_some() && self.tree.known_input(step.input).is_some_and(is_barred) {
            // It may be sent after what is taken to have changed nothing, and not before that.
            self.doubt_idle();
            return Seen::Surprise;
        }
        let next = match self.tree.add(at, step) {
            Added::At(next) => next,
            Added::Contradiction(_) if self.raw.is_some() => {
                self.doubt_idle();
                return Seen::Surprise;
            }
            Added::Contradiction(other) => {
                (self.node, self.state) = (None, None);
                return Seen::Contradiction(other);
            }
            Added::Full => {
                (self.node, self.state) = (None, None);
                return Seen::Expected;
            }
        };
        self.node = Some(self.tree.after(at, next));
        self.watch(at, next);
        if self.tree.stays(next) {
            self.note_idle(at, next);
        }
        match expected {
            Some(edge) if edge.output == self.tree.answer(next) => {
                if let Some((state, place)) = here {
                    self.note_trail(state, place, edge);
                }
                self.state = Some(edge.to);
                Seen::Expected
            }
            Some(_) => {
                self.note_surprise();
                self.state = None;
                self.conflicts.push_back(next);
                Seen::Surprise
            }
            None => {
                let is_withheld = |(state, place): (u32, usize)| {
                    self.is_withheld(state as usize * self.hypothesis.inputs + place)
                };
                if here.is_some_and(is_withheld) {
                    self.conflicts.push_back(next);
                }
                self.trails.begin();
                self.state = self.node.and_then(|node| self.states.get(&node)).copied();
                Seen::Expected
            }
        }
    }

    /// The system did not answer any more: it has ended here.
    pub fn ended(&mut self) {
        self.stop(Tree::end);
    }

    /// The run may not go on here.
    pub fn forbidden(&mut self) {
        self.stop(Tree::forbid);
    }

    /// Runs do not go on here.
    fn stop(&mut self, mark: fn(&mut Tree, u32)) {
        if let Some(raw) = &mut self.raw {
            let is_first = raw.stop(mark);
            if is_first && self.node.is_some_and(|node| !self.tree.is_leaf(node)) {
                // It answered here before, to what is taken to have changed nothing.
                return self.doubt_idle();
            }
        }
        let Some(node) = self.node.filter(|&node| self.tree.is_leaf(node)) else { return };
        if !self.tree.is_end(node) {
            mark(&mut self.tree, node);
            if self.state.is_some() {
                self.conflicts.push_back(node);
            }
        }
    }

    /// What may be sent where is something else from now on.
    pub fn unbar(&mut self) {
        if let Some(raw) = &mut self.raw {
            raw.unbar();
        }
        if self.tree.unbar() {
            self.start_over();
        }
    }

    /// Something is otherwise than it seemed. Where there is no room to remember that, it will be so again and again: that is not new.
    pub(super) fn note_surprise(&mut self) {
        if !self.tree().is_full() {
            self.surprise = self.steps;
        }
    }

    /// An input may not be sent where the run is.
    pub fn withheld(&mut self, input: Letter) {
        let Some((at, number)) = self.node.zip(self.tree.known_input(input)) else { return };
        if self.tree.child(at, number).is_some() {
            // It was sent here after what is taken to have changed nothing.
            if self.raw.is_some() {
                self.doubt_idle();
            }
            return;
        }
        self.tree.bar(at, number);
        if let Some(raw) = &mut self.raw {
            raw.bar(number);
        }
        let is_known = |(state, place): (u32, usize)| self.hypothesis.edge(state, place).is_known();
        if self.state.zip(self.place_of_number(number)).is_some_and(is_known) {
            self.conflicts.push_back(at);
        }
    }

    /// What was taken for an end is none.
    fn revive(&mut self, node: u32) {
        let (state, inputs) = (self.states[&node] as usize, self.hypothesis.inputs);
        self.hypothesis.edges[state * inputs..(state + 1) * inputs].fill(Edge::NONE);
        self.change();
    }

    /// The run is over: what stands at the frontier that it passed is looked at anew.
    pub fn finish(&mut self) {
        if std::mem::take(&mut self.is_refuted) || self.believes_more() {
            return self.start_over();
        }
        let Some(last) = self.node else { return };
        self.hold(last);
        // From the end back to the node whose parent is in the basis.
        let mut at = last;
        while let Some(before) = self.tree.before(at) {
            if let Some(&state) = self.states.get(&before) {
                if !self.states.contains_key(&at)
                    && let Some(place) = self.place_of_number(self.tree.sent(at))
                {
                    // What seems certain is left to conflicts: comparing all that was seen of two states takes a while.
                    let entry = state as usize * self.hypothesis.inputs + place;
                    if self.frontier[entry].candidates.len() != 1 {
                        self.refresh(state, place, true);
                    }
                }
                break;
            }
            at = before;
        }
        self.begin();
    }

    /// Takes in a run that was made for something else, and whether it may not go on where it ended.
    pub fn absorb(&mut self, trace: &[Step], is_forbidden: bool) -> Option<u32> {
        self.begin();
        let mut contradiction = None;
        for step in trace {
            if let Seen::Contradiction(other) = self.saw(step) {
                contradiction = Some(other);
                break;
            }
        }
        if is_forbidden {
            self.forbidden();
        }
        self.finish();
        contradiction
    }
}
