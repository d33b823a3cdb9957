//! Learns a machine from what is seen: basis, frontier, hypothesis, and what to ask next.

mod conflict;
mod constant;
mod frontier;
mod idle;
mod inquiry;
mod probing;
mod testing;
mod twin;

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

pub use self::inquiry::Inquiry;

use self::frontier::Outlook;
use self::idle::Raw;
use super::hypothesis::{Edge, Hypothesis, UNKNOWN};
use super::tree::{Added, ENDED, ROOT, Tree};
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

/// What stands at the frontier for one input of one state.
#[derive(Clone, Debug)]
struct Border {
    node: u32,
    /// The states that the node is not apart from, of the first so many.
    candidates: Vec<u32>,
    up_to: u32,
    /// How often it was tried to find out which.
    tries: u16,
    /// How often it was looked into again although it seemed certain.
    again: u16,
    /// How often it was looked for what speaks for the only one, and how many states there were when that was enough.
    checks: u8,
    certain_at: u32,
    /// How often something new was tried beyond it.
    beyond: u16,
    /// How often it was put to the test where it leads.
    probes: u16,
    /// Whether, of several that it may be, the hypothesis leaves one alone, and much speaks for that.
    is_likely: bool,
    /// How many times as much speaks for it as is enough, when that was last looked at.
    odds: f64,
    /// How often a run took the transition.
    visits: u32,
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
        /// The state and the place of the input whose target is looked for.
        border: (u32, usize),
    },
}

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
            if self.node == Some(ROOT) {
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

    /// The machine that it has learnt, in words of an interface.
    pub fn machine(&self, interface: &Interface) -> Result<Machine, BuildError> {
        let inputs: Vec<Letter> = self.inputs().collect();
        self.hypothesis.machine(interface, &inputs, |output| self.tree.output(output))
    }

    /// A learner that knows everything in a tree from the start.
    pub fn of_tree(tree: Tree, inputs: impl IntoIterator<Item = Letter>) -> Learner {
        Learner::of_trees(tree, None, inputs)
    }

    /// The same of a tree in which some answers are taken to say that nothing has changed, and what was seen.
    fn of_trees(tree: Tree, raw: Option<Raw>, inputs: impl IntoIterator<Item = Letter>) -> Learner {
        let mut made = Learner::new([], 1);
        (made.tree, made.raw) = (tree, raw);
        made.basis.clear();
        made.depths.clear();
        made.states.clear();
        for input in inputs {
            let number = made.number(input);
            made.place(number);
        }
        made.hypothesis = Hypothesis { inputs: made.alphabet.len(), edges: Vec::new() };
        made.frontier.clear();
        made.note_what_followed();
        made.promote(ROOT);
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
    }

    /// A run begins.
    pub fn begin(&mut self) {
        (self.node, self.state) = (Some(ROOT), Some(0));
        if let Some(raw) = &mut self.raw {
            raw.begin();
        }
        self.is_held = false;
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
        let expected = match (self.state, self.place_of(step.input)) {
            (Some(state), Some(place)) => {
                let visits = &mut self.frontier[state as usize * self.hypothesis.inputs + place].visits;
                *visits = visits.saturating_add(1);
                Some(self.hypothesis.edge(state, place)).filter(Edge::is_known)
            }
            _ => None,
        };
        if self.tree.is_end(at) && self.raw.is_some() && !had_ended {
            // It had ended after what is taken to have changed nothing.
            self.doubt_idle();
            return Seen::Surprise;
        }
        if self.tree.is_end(at) && self.states.contains_key(&at) {
            self.revive(at);
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
                self.state = Some(edge.to);
                Seen::Expected
            }
            Some(_) => {
                self.surprise = self.steps;
                self.state = None;
                self.conflicts.push_back(next);
                Seen::Surprise
            }
            None => {
                self.state = self.node.and_then(|node| self.states.get(&node)).copied();
                Seen::Expected
            }
        }
    }

    /// The system did not answer any more: it has ended here.
    pub fn ended(&mut self) {
        if let Some(raw) = &mut self.raw {
            let is_first = raw.ended();
            if is_first && self.node.is_some_and(|node| !self.tree.is_leaf(node)) {
                // It answered here before, to what is taken to have changed nothing.
                return self.doubt_idle();
            }
        }
        let Some(node) = self.node.filter(|&node| self.tree.is_leaf(node)) else { return };
        if !self.tree.is_end(node) {
            self.tree.end(node);
            if self.state.is_some() {
                self.conflicts.push_back(node);
            }
        }
    }

    /// What was taken for an end is none.
    fn revive(&mut self, node: u32) {
        let (state, inputs) = (self.states[&node] as usize, self.hypothesis.inputs);
        self.hypothesis.edges[state * inputs..(state + 1) * inputs].fill(Edge::NONE);
        self.change();
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

    /// Takes in a run that was made for something else.
    pub fn absorb(&mut self, trace: &[Step]) -> Option<u32> {
        self.begin();
        let mut contradiction = None;
        for step in trace {
            if let Seen::Contradiction(other) = self.saw(step) {
                contradiction = Some(other);
                break;
            }
        }
        self.finish();
        contradiction
    }

    fn change(&mut self) {
        self.version += 1;
    }

    /// Adds a node to the basis.
    fn promote(&mut self, node: u32) -> u32 {
        let state = self.basis.len() as u32;
        self.basis.push(node);
        let before = self.tree.before(node).and_then(|before| self.states.get(&before));
        self.depths.push(before.map_or(0, |&before| self.depths[before as usize] + 1));
        self.states.insert(node, state);
        let inputs = self.hypothesis.inputs;
        let row = self.tree.constant(node).map_or(Edge::NONE, |output| Edge { to: state, output });
        self.hypothesis.edges.extend(std::iter::repeat_n(row, inputs));
        self.frontier.extend(std::iter::repeat_n(Border::unseen(), inputs));
        self.surprise = self.steps;
        self.change();
        for place in 0..inputs {
            self.refresh(state, place, true);
        }
        state
    }

    /// Looks at what stands at the frontier: at states that were added, and where asked at all that it may be.
    fn refresh(&mut self, state: u32, place: usize, again: bool) {
        let entry = state as usize * self.hypothesis.inputs + place;
        let from = self.basis[state as usize];
        if self.tree.constant(from).is_some() {
            return;
        }
        if self.frontier[entry].node == NOWHERE {
            let Some(child) = self.tree.child(from, self.alphabet[place]) else { return };
            self.frontier[entry].node = child;
        }
        let Learner { frontier, tree, basis, .. } = self;
        let border = &mut frontier[entry];
        let node = border.node;
        if again {
            border.candidates.retain(|&state| !tree.apart(node, basis[state as usize]));
        }
        let states = basis.len() as u32;
        let before = self.hypothesis.edges[entry];
        if tree.stays(node) {
            border.stay(state);
        }
        let known = border.candidates.len();
        for state in border.up_to..states {
            if !tree.apart(node, basis[state as usize]) {
                border.candidates.push(state);
            }
        }
        border.up_to = border.up_to.max(states);
        if !again && before.is_known() && border.candidates.len() == known {
            return;
        }
        let output = tree.answer(node);
        let to = match border.candidates[..] {
            [] => self.promote(node),
            [only] if tree.stays(node) => only,
            [only] => {
                let is_sink = self.outlook.is_sink(only);
                self.frontier[entry].is_likely = is_sink && self.likeliest(entry).is_some();
                self.frontier[entry].odds = self.odds(entry, only);
                let places = self.usual.len().max(output as usize + 1);
                self.usual.resize(places, UNKNOWN);
                self.usual[output as usize] = only;
                only
            }
            _ => {
                let usual = self.usual.get(output as usize).copied().unwrap_or(UNKNOWN);
                let likely = self.likeliest(entry);
                self.frontier[entry].is_likely = likely.is_some();
                self.frontier[entry].odds = likely.map_or(0.0, |state| self.odds(entry, state));
                let candidates = &self.frontier[entry].candidates;
                match self.outlook.guess(output, candidates).or(likely) {
                    Some(to) => to,
                    None if before.is_known() && candidates.contains(&before.to) => before.to,
                    None if candidates.contains(&usual) => usual,
                    None => candidates[0],
                }
            }
        };
        let entry = state as usize * self.hypothesis.inputs + place;
        if self.frontier[entry].candidates.is_empty() {
            self.frontier[entry].candidates.push(to);
            self.frontier[entry].up_to = to + 1;
        }
        let edge = Edge { to, output };
        if !before.is_known() {
            *self.answers.entry((place as u32, output)).or_default() += 1;
            self.totals.resize(self.totals.len().max(place + 1), 0);
            self.totals[place] += 1;
        }
        if self.hypothesis.edges[entry] != edge {
            if before.is_known() && before.to != to {
                self.rounds += 1;
                self.surprise = self.steps;
            }
            self.hypothesis.edges[entry] = edge;
            self.change();
        }
    }

    /// The word of inputs that leads to a state.
    pub fn access(&self, state: u32) -> Vec<Letter> {
        self.spell(&self.tree.word(self.basis[state as usize]))
    }

    fn spell(&self, word: &[u32]) -> Vec<Letter> {
        word.iter().map(|&number| self.tree.input(number)).collect()
    }

    /// A word that tells two states apart.
    pub fn separator(&mut self, one: u32, other: u32) -> Vec<Letter> {
        let word = self.witness(one, other);
        self.spell(&word)
    }

    fn witness(&mut self, one: u32, other: u32) -> Vec<u32> {
        let key = (one.min(other), one.max(other));
        let Learner { tree, basis, witnesses, .. } = self;
        witnesses
            .entry(key)
            .or_insert_with(|| tree.witness(basis[key.0 as usize], basis[key.1 as usize]).unwrap_or_default())
            .clone()
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
        let goes_on =
            |&input: &u32| tree.child(node, input).is_some_and(|child| self.tried(child, depth - 1));
        depth == 0 || tree.is_end(node) || self.alphabet.iter().all(goes_on)
    }
}
