//! Learns a machine from what is seen: basis, frontier, hypothesis, and what to ask next.

mod basis;
mod conflict;
mod constant;
mod evidence;
mod frontier;
mod idle;
mod inquiry;
mod outlook;
mod probing;
mod run;
mod testing;
mod trails;
mod twin;

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

pub use self::inquiry::Inquiry;
pub use self::run::Seen;

pub use self::frontier::Open;

use self::frontier::Border;
use self::idle::Raw;
use self::outlook::Outlook;
use self::trails::Trails;
use super::hypothesis::{Edge, Hypothesis};
use super::tree::{ENDED, Notes, ROOT, Tree};
use crate::letter::{Interface, Letter};
use crate::machine::{BuildError, Machine};
use crate::trace::Step;

/// L# of Vaandrager, Garhewal, Rot and Wissmann, "A New Approach for Active Automata Learning Based on Apartness" (2022).
///
/// The *basis* are nodes of the observation tree that are pairwise apart: so many states the system has for certain. Nodes
/// one input beyond it are the *frontier*. One that is apart from the whole basis joins it; others stand for one of the
/// states that they are not apart from. Counterexamples are processed by binary search.
///
/// Departures: a transition whose target is not certain yet is given the likeliest (what its answer led to before), so that
/// there is a hypothesis at any time; and a frontier node is identified by one adaptive word that is chosen input by input,
/// the one that splits what it may be the most. What asks the system is elsewhere: the learner says which word it wants
/// ([`Learner::wish`]) and is told every exchange ([`Learner::saw`]), whoever wanted it.
#[derive(Clone, Debug)]
pub struct Learner {
    tree: Tree,
    /// The same as it was seen, where some answers are taken to say that nothing has changed; and those that turned out not to.
    raw: Option<Raw>,
    telling: Vec<u32>,
    /// The numbers in the tree of the inputs that the hypothesis has, and the places of the others in it.
    alphabet: Vec<u32>,
    places: Vec<u32>,
    basis: Vec<u32>,
    /// How long the words to them are.
    depths: Vec<u32>,
    /// The state of a node of the basis.
    states: FxHashMap<u32, u32>,
    /// For each state and input, what stands at the frontier.
    frontier: Vec<Border>,
    hypothesis: Hypothesis,
    /// Where an answer led the last time it was certain.
    usual: Vec<u32>,
    /// How often each input was answered in each way by the states, and how often in all.
    answers: FxHashMap<(u32, u32), u32>,
    totals: Vec<u32>,
    outlook: Outlook,
    trails: Trails,
    /// For each answer, whether another came after it at some time.
    followed: Vec<bool>,
    /// Whether the run came to what is taken to answer alike for ever, and whether something else was answered there.
    is_held: bool,
    is_refuted: bool,
    conflicts: VecDeque<u32>,
    working: Option<Conflict>,
    /// Where the run is: a node, as long as there is room, and a state of the hypothesis, as long as it is known.
    node: Option<u32>,
    state: Option<u32>,
    witnesses: FxHashMap<(u32, u32), Vec<u32>>,
    version: u64,
    steps: u64,
    surprise: u64,
    checked: (u64, usize),
    rounds: u64,
}

/// A word after which the hypothesis is in a state that the system is not in, and a word that shows it.
#[derive(Clone, Debug)]
struct Conflict {
    word: Vec<u32>,
    witness: Vec<u32>,
    tries: u8,
}

/// No node.
const NOWHERE: u32 = u32::MAX;

/// What a learner wants to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The answers to this word after a reset.
    Word(Vec<Letter>),
    /// The same, and after it whatever [`Learner::ask`] says.
    Identify {
        /// The word.
        word: Vec<Letter>,
        /// The transition whose target is looked for.
        open: Open,
    },
}

impl Learner {
    /// A learner of a system with these inputs that remembers at most so many nodes.
    pub fn new(inputs: impl IntoIterator<Item = Letter>, nodes: usize) -> Learner {
        let mut made = Learner {
            tree: Tree::new(nodes),
            raw: None,
            telling: Vec::new(),
            alphabet: Vec::new(),
            places: Vec::new(),
            basis: Vec::new(),
            depths: Vec::new(),
            states: FxHashMap::default(),
            frontier: Vec::new(),
            hypothesis: Hypothesis::default(),
            usual: Vec::new(),
            answers: FxHashMap::default(),
            totals: Vec::new(),
            outlook: Outlook::default(),
            trails: Trails::default(),
            followed: Vec::new(),
            is_held: false,
            is_refuted: false,
            conflicts: VecDeque::new(),
            working: None,
            node: Some(ROOT),
            state: Some(0),
            witnesses: FxHashMap::default(),
            version: 0,
            steps: 0,
            surprise: 0,
            checked: (0, 0),
            rounds: 0,
        };
        for input in inputs {
            let number = made.tree.input_number(input);
            made.place(number);
        }
        made.hypothesis.inputs = made.alphabet.len();
        made.promote(ROOT);
        made
    }

    /// The number of an input.
    fn number(&mut self, input: Letter) -> u32 {
        if let Some(raw) = &mut self.raw {
            raw.number(input);
        }
        self.tree.input_number(input)
    }

    fn place(&mut self, number: u32) {
        self.places.resize(self.places.len().max(number as usize + 1), u32::MAX);
        if self.places[number as usize] == u32::MAX {
            self.places[number as usize] = self.alphabet.len() as u32;
            self.alphabet.push(number);
        }
    }

    /// Takes an input into the alphabet of the hypothesis; nothing where it is there.
    pub fn grow(&mut self, input: Letter) {
        let number = self.number(input);
        let before = self.alphabet.len();
        self.place(number);
        if self.alphabet.len() == before {
            return;
        }
        let (old, states) = (self.hypothesis.inputs, self.basis.len());
        let widen = |state: usize| (state + 1) * old;
        for state in (0..states).rev() {
            self.hypothesis.edges.insert(widen(state), Edge::NONE);
            self.frontier.insert(widen(state), Border::unseen());
        }
        self.hypothesis.inputs = self.alphabet.len();
        // What is never left by the inputs that were known may be left by this one.
        if self.tree.release(|_| true) {
            if self.node == Some(ROOT) && self.raw.as_ref().is_none_or(Raw::is_at_start) {
                return self.start_over();
            }
            // In the middle of a run: after it.
            self.is_refuted = true;
        }
        for state in 0..states as u32 {
            self.refresh(state, self.alphabet.len() - 1, true);
        }
        self.change();
    }

    /// Everything that was seen.
    pub fn tree(&self) -> &Tree {
        self.raw.as_ref().map_or(&self.tree, Raw::tree)
    }

    /// What the system seems to be.
    pub fn hypothesis(&self) -> &Hypothesis {
        &self.hypothesis
    }

    /// The inputs of the hypothesis.
    pub fn inputs(&self) -> impl ExactSizeIterator<Item = Letter> + '_ {
        self.alphabet.iter().map(|&number| self.tree.input(number))
    }

    /// The input at a place of the hypothesis.
    pub fn input(&self, place: usize) -> Letter {
        self.tree.input(self.alphabet[place])
    }

    /// The answer with this number.
    pub fn output(&self, number: u32) -> Letter {
        self.tree.output(number)
    }

    /// The place of an input in the hypothesis; none where it has none.
    pub fn place_of(&self, input: Letter) -> Option<usize> {
        self.place_of_number(self.tree.known_input(input)?)
    }

    /// The same of an input's number in the tree.
    fn place_of_number(&self, number: u32) -> Option<usize> {
        self.places
            .get(number as usize)
            .copied()
            .filter(|&place| place != u32::MAX)
            .map(|place| place as usize)
    }

    /// The places of the inputs that lead to a transition and over it.
    fn way_over(&self, entry: usize) -> Vec<usize> {
        let access = self.tree.word(self.basis[entry / self.hypothesis.inputs]);
        let access = access.iter().map(|&number| self.places[number as usize] as usize);
        access.chain([entry % self.hypothesis.inputs]).collect()
    }

    /// The exchange that the hypothesis expects.
    pub fn exchange(&self, state: u32, place: usize) -> Option<Step> {
        let edge = self.hypothesis.edge(state, place);
        (edge.is_known() && edge.output != ENDED)
            .then(|| Step { input: self.input(place), output: self.tree.output(edge.output) })
    }

    /// The first steps of a run that no state of the hypothesis explains together, if there are any: after how many of them that is
    /// known. Where it does not know enough, anything is explained.
    pub fn misfit(&self, run: &[Step]) -> Option<usize> {
        let mut states: Vec<u32> = (0..self.basis.len() as u32).collect();
        for (at, step) in run.iter().enumerate() {
            if !self.follow(&mut states, step) {
                return None;
            }
            if states.is_empty() {
                return Some(at + 1);
            }
        }
        None
    }

    /// In which states the system may be after a step, if it was in one of these; false where too little is known to say so. In a state
    /// in which an input may not be sent it was not sent.
    pub fn follow(&self, states: &mut Vec<u32>, step: &Step) -> bool {
        let Some(place) = self.place_of(step.input) else { return false };
        let mut is_known = true;
        states.retain_mut(|state| {
            let edge = self.hypothesis.edge(*state, place);
            if !edge.is_known() {
                is_known &= self.is_withheld(*state as usize * self.hypothesis.inputs + place);
                return false;
            }
            *state = edge.to;
            edge.output != ENDED && self.tree.output(edge.output) == step.output
        });
        states.sort_unstable();
        states.dedup();
        is_known
    }

    /// The machine that it has learnt, in words of an interface.
    pub fn machine(&self, interface: &Interface) -> Result<Machine, BuildError> {
        let inputs: Vec<Letter> = self.inputs().collect();
        self.hypothesis.machine(interface, &inputs, |output| self.tree.output(output))
    }

    /// A learner that knows everything in a tree from the start.
    pub fn of_tree(tree: Tree, inputs: impl IntoIterator<Item = Letter>) -> Learner {
        let mut tree = tree;
        let Notes { idle, words } = std::mem::take(&mut tree.notes);
        let folded = if idle.is_empty() { None } else { tree.folded(&idle) };
        match folded {
            Some(folded) => Learner::of_trees(folded, Some(Raw::of(tree)), inputs, &words),
            None => Learner::of_trees(tree, None, inputs, &words),
        }
    }

    /// Everything that was seen, with what was made of it: another learner begins there.
    pub fn remembered(&self) -> Tree {
        let mut tree = self.tree().clone();
        let outputs = 0..self.tree.outputs() as u32;
        tree.notes = Notes {
            idle: outputs.filter(|&output| self.tree.is_idle(output)).collect(),
            words: self.basis.iter().map(|&node| self.tree.word(node)).collect(),
        };
        tree
    }

    /// The same of a tree in which some answers are taken to say that nothing has changed, and what was seen; and words that led to
    /// states.
    fn of_trees(
        tree: Tree,
        raw: Option<Raw>,
        inputs: impl IntoIterator<Item = Letter>,
        words: &[Vec<u32>],
    ) -> Learner {
        let mut made = Learner::new([], 1);
        (made.tree, made.raw) = (tree, raw);
        for input in inputs {
            let number = made.number(input);
            made.place(number);
        }
        made.note_what_followed();
        made.rebuild(words);
        if made.hold_all() {
            made.rebuild(words);
        }
        made
    }

    /// Changes whenever the hypothesis does.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// How many exchanges it was told.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// After how many of them something last turned out to be otherwise than it seemed, or something new was found.
    pub fn last_surprise(&self) -> u64 {
        self.surprise
    }

    /// How many hypotheses were refuted.
    pub fn rounds(&self) -> u64 {
        self.rounds
    }

    /// How much is known: grows with every state, answer and refuted hypothesis.
    pub fn known(&self) -> u64 {
        self.hypothesis.states() as u64 + self.tree.outputs() as u64 + self.rounds
    }

    /// How many transitions there are none of, since their input may not be sent in their state.
    pub fn withheld_transitions(&self) -> usize {
        let is_none = |&entry: &usize| self.is_withheld(entry) && !self.hypothesis.edges[entry].is_known();
        (0..self.frontier.len()).filter(is_none).count()
    }

    /// Whether every transition is known that there may be.
    pub fn is_complete(&self) -> bool {
        let unknown = self.hypothesis.edges.iter().filter(|edge| !edge.is_known()).count();
        unknown == self.withheld_transitions()
    }

    /// The state of the hypothesis that the run is in, as long as that is known.
    pub fn state(&self) -> Option<u32> {
        self.state
    }

    /// The node that the run is at, as long as there is room.
    pub fn node(&self) -> Option<u32> {
        self.node
    }

    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let candidates: usize = self.frontier.iter().map(|border| border.candidates.capacity() * 4).sum();
        self.tree.bytes()
            + self.raw.as_ref().map_or(0, |raw| raw.tree().bytes())
            + self.frontier.capacity() * size_of::<Border>()
            + candidates
            + self.hypothesis.edges.capacity() * size_of::<Edge>()
            + self.trails.bytes()
    }

    /// What was sent after a node, of the inputs that the hypothesis has: the nodes after it and the places of the inputs.
    fn placed(&self, node: u32) -> impl Iterator<Item = (u32, usize)> + '_ {
        let placed = |child: u32| Some((child, self.place_of_number(self.tree.sent(child))?));
        self.tree.children(node).filter_map(placed)
    }

    /// Follows the tree and the hypothesis side by side: what was sent after a node, and what the hypothesis says of it in a
    /// state, where it says something.
    fn beside(&self, node: u32, state: u32) -> impl Iterator<Item = (u32, usize, Edge)> + '_ {
        let told = move |(child, place)| (child, place, self.hypothesis.edge(state, place));
        self.placed(node).map(told).filter(|(_, _, edge)| edge.is_known())
    }

    /// Whether something that was seen contradicts the hypothesis and has not been looked into.
    pub fn has_conflict(&self) -> bool {
        self.working.is_some() || !self.conflicts.is_empty()
    }

    fn change(&mut self) {
        self.version += 1;
    }

    fn spell(&self, word: &[u32]) -> Vec<Letter> {
        word.iter().map(|&number| self.tree.input(number)).collect()
    }

    /// The largest `k` such that all words of `k` inputs were seen after the access word of every state, up to a bound.
    pub fn depth_tried(&self, most: usize) -> usize {
        let basis: Vec<Option<u32>> =
            self.basis.iter().map(|&node| self.tree().follow(ROOT, &self.tree.word(node))).collect();
        let is_tried = |node: &Option<u32>, depth: usize| node.is_some_and(|node| self.tried(node, depth));
        (1..=most).take_while(|&depth| basis.iter().all(|node| is_tried(node, depth))).count()
    }

    fn tried(&self, node: u32, depth: usize) -> bool {
        let tree = self.tree();
        let is_child_tried =
            |input: u32| tree.child(node, input).is_some_and(|child| self.tried(child, depth - 1));
        let goes_on = |&input: &u32| is_child_tried(input) || tree.barred(node).contains(&input);
        depth == 0 || tree.is_end(node) || self.alphabet.iter().all(goes_on)
    }
}
