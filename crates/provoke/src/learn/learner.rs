//! Learns a machine from what is seen: basis, frontier, hypothesis, and what to ask next.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

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
    /// The numbers in the tree of the inputs that the hypothesis has, and the places of the others in it.
    alphabet: Vec<u32>,
    places: Vec<u32>,
    basis: Vec<u32>,
    /// The state of a node of the basis.
    states: FxHashMap<u32, u32>,
    /// For each state and input, what stands at the frontier.
    frontier: Vec<Border>,
    hypothesis: Hypothesis,
    /// Where an answer led the last time it was certain.
    usual: Vec<u32>,
    /// The states that seem to be sinks.
    sinks: Vec<bool>,
    /// For each answer, the sink that it always led to.
    granted: Vec<Option<u32>>,
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
}

/// A word after which the hypothesis is in a state that the system is not in, and a word that shows it.
#[derive(Clone, Debug)]
struct Conflict {
    word: Vec<u32>,
    witness: Vec<u32>,
    tries: u8,
}

/// After so many times an answer that always led to one sink is taken to do so.
const ALWAYS: u32 = 3;

/// No node.
const NOWHERE: u32 = u32::MAX;

/// A frontier node is looked into so often before the likeliest state is taken for granted.
const TRIES: u16 = 6;

/// What a learner wants to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// The answers to this word after a reset.
    Word(Vec<Letter>),
    /// The same, and after it whatever [`Learner::splitter`] says.
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
            alphabet: Vec::new(),
            places: Vec::new(),
            basis: Vec::new(),
            states: FxHashMap::default(),
            frontier: Vec::new(),
            hypothesis: Hypothesis::default(),
            usual: Vec::new(),
            sinks: Vec::new(),
            granted: Vec::new(),
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

    fn place(&mut self, number: u32) {
        self.places.resize(self.places.len().max(number as usize + 1), u32::MAX);
        if self.places[number as usize] == u32::MAX {
            self.places[number as usize] = self.alphabet.len() as u32;
            self.alphabet.push(number);
        }
    }

    /// Takes an input into the alphabet of the hypothesis; nothing where it is there.
    pub fn grow(&mut self, input: Letter) {
        let number = self.tree.input_number(input);
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
        for state in 0..states as u32 {
            self.refresh(state, self.alphabet.len() - 1, true);
        }
        self.change();
    }

    /// Everything that was seen.
    pub fn tree(&self) -> &Tree {
        &self.tree
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
        let number = self.tree.known_input(input)?;
        self.places
            .get(number as usize)
            .copied()
            .filter(|&place| place != u32::MAX)
            .map(|place| place as usize)
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
        let mut made = Learner::new([], 1);
        made.tree = tree;
        made.basis.clear();
        made.states.clear();
        for input in inputs {
            let number = made.tree.input_number(input);
            made.place(number);
        }
        made.hypothesis = Hypothesis { inputs: made.alphabet.len(), edges: Vec::new() };
        made.frontier.clear();
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
            + self.frontier.capacity() * size_of::<Border>()
            + candidates
            + self.hypothesis.edges.capacity() * size_of::<Edge>()
    }

    /// A run begins.
    pub fn begin(&mut self) {
        (self.node, self.state) = (Some(ROOT), Some(0));
    }

    /// An exchange was seen.
    pub fn saw(&mut self, step: &Step) -> Seen {
        self.steps += 1;
        let Some(at) = self.node else { return Seen::Expected };
        let expected = match (self.state, self.place_of(step.input)) {
            (Some(state), Some(place)) => Some(self.hypothesis.edge(state, place)).filter(Edge::is_known),
            _ => None,
        };
        if self.tree.is_end(at) && self.states.contains_key(&at) {
            self.revive(at);
        }
        let next = match self.tree.add(at, step) {
            Added::At(next) => next,
            Added::Contradiction(other) => {
                (self.node, self.state) = (None, None);
                return Seen::Contradiction(other);
            }
            Added::Full => {
                (self.node, self.state) = (None, None);
                return Seen::Expected;
            }
        };
        self.node = Some(next);
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
                self.state = self.states.get(&next).copied();
                Seen::Expected
            }
        }
    }

    /// The system did not answer any more: it has ended here.
    pub fn ended(&mut self) {
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

    /// Whether something that was seen contradicts the hypothesis and has not been looked into.
    pub fn has_conflict(&self) -> bool {
        self.working.is_some() || !self.conflicts.is_empty()
    }

    /// The run is over: what stands at the frontier that it passed is looked at anew.
    pub fn finish(&mut self) {
        let Some(last) = self.node else { return };
        // From the end back to the node whose parent is in the basis.
        let mut at = last;
        while let Some(before) = self.tree.before(at) {
            if let Some(&state) = self.states.get(&before) {
                if !self.states.contains_key(&at)
                    && let Some(&place) = self.places.get(self.tree.sent(at) as usize)
                    && place != u32::MAX
                {
                    // What seems certain is left to conflicts: comparing all that was seen of two states takes a while.
                    let entry = state as usize * self.hypothesis.inputs + place as usize;
                    if self.frontier[entry].candidates.len() != 1 {
                        self.refresh(state, place as usize, true);
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
        self.states.insert(node, state);
        let inputs = self.hypothesis.inputs;
        let row = match self.tree.is_end(node) {
            true => Edge { to: state, output: ENDED },
            false => Edge::NONE,
        };
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
        if self.tree.is_end(from) {
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
        for state in border.up_to..states {
            if !tree.apart(node, basis[state as usize]) {
                border.candidates.push(state);
            }
        }
        border.up_to = states;
        let output = tree.answer(node);
        let before = self.hypothesis.edges[entry];
        let to = match border.candidates[..] {
            [] => self.promote(node),
            [only] => {
                let places = self.usual.len().max(output as usize + 1);
                self.usual.resize(places, UNKNOWN);
                self.usual[output as usize] = only;
                only
            }
            _ if before.is_known() && border.candidates.contains(&before.to) => before.to,
            _ => {
                let usual = self.usual.get(output as usize).copied().unwrap_or(UNKNOWN);
                if border.candidates.contains(&usual) { usual } else { border.candidates[0] }
            }
        };
        let entry = state as usize * self.hypothesis.inputs + place;
        if self.frontier[entry].candidates.is_empty() {
            self.frontier[entry].candidates.push(to);
            self.frontier[entry].up_to = to + 1;
        }
        let edge = Edge { to, output };
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

    /// What it wants to see next: what resolves a conflict first, then what stands at the frontier where the rank is least,
    /// and there the shortest. Nothing where the hypothesis is complete and agrees with everything that was seen.
    pub fn wish(&mut self, rank: &dyn Fn(u32) -> u32) -> Option<Wish> {
        loop {
            if let Some(word) = self.settle() {
                return Some(Wish::Word(self.spell(&word)));
            }
            if let Some((state, place)) = self.border(rank) {
                let mut word = self.access(state);
                word.push(self.input(place));
                return Some(Wish::Identify { word, border: (state, place) });
            }
            if !self.disagrees() {
                return None;
            }
        }
    }

    /// The next transition that is not certain.
    fn border(&mut self, rank: &dyn Fn(u32) -> u32) -> Option<(u32, usize)> {
        if self.tree.is_full() {
            return None;
        }
        let inputs = self.hypothesis.inputs;
        self.survey();
        let mut state = 0;
        let mut best: Option<((bool, u32, usize), u32)> = None;
        while (state as usize) < self.basis.len() {
            let node = self.basis[state as usize];
            let mut is_open = false;
            if !self.tree.is_end(node) {
                for place in 0..inputs {
                    let entry = state as usize * inputs + place;
                    if self.frontier[entry].up_to < self.basis.len() as u32
                        && self.frontier[entry].node != NOWHERE
                    {
                        self.refresh(state, place, false);
                    }
                    is_open |= self.is_open(entry);
                }
            }
            if is_open {
                let depth = self.depth(node);
                let key = (self.is_stale(state), rank(state), depth);
                if best.is_none_or(|(known, _)| key < known) {
                    best = Some((key, state));
                }
            }
            state += 1;
        }
        let (_, state) = best?;
        let place = (0..inputs).find(|place| self.is_open(state as usize * inputs + place))?;
        let border = &mut self.frontier[state as usize * inputs + place];
        border.tries = border.tries.saturating_add(1);
        if border.node != NOWHERE {
            self.refresh(state, place, true);
        }
        Some((state, place))
    }

    /// Which states seem to be sinks, and which answers always led to one: in all transitions that were looked into.
    fn survey(&mut self) {
        self.sinks = (0..self.basis.len() as u32).map(|state| self.hypothesis.is_sink(state)).collect();
        let mut led = vec![(UNKNOWN, 0u32, false); self.tree.outputs()];
        for border in self.frontier.iter().filter(|border| border.node != NOWHERE) {
            let &[only] = &border.candidates[..] else { continue };
            let is_sink = self.sinks[only as usize];
            let (to, times, mixed) = &mut led[self.tree.answer(border.node) as usize];
            *mixed |= !is_sink || *times > 0 && *to != only;
            if is_sink && self.untried(border.node).is_none() {
                (*to, *times) = (only, *times + 1);
            }
        }
        let always = |&(to, times, mixed): &(u32, u32, bool)| (times >= ALWAYS && !mixed).then_some(to);
        self.granted = led.iter().map(always).collect();
    }

    /// The place of an input that was not sent after a node.
    fn untried(&self, node: u32) -> Option<usize> {
        if self.tree.is_end(node) {
            return None;
        }
        (0..self.alphabet.len()).find(|&place| self.tree.child(node, self.alphabet[place]).is_none())
    }

    /// Whether it is not known where a transition leads, and may be found out. What seems to lead to a sink is one only if
    /// every input was tried there: anything that answers most inputs alike looks like one, and tests keep away from it. Where
    /// its answer always led to one sink, it is taken to do so again.
    fn is_open(&self, entry: usize) -> bool {
        let border = &self.frontier[entry];
        let tries = usize::from(border.tries);
        if border.node == NOWHERE {
            return tries < usize::from(TRIES);
        }
        let granted = self.granted.get(self.tree.answer(border.node) as usize).copied().flatten();
        if granted.is_some_and(|to| border.candidates.contains(&to)) {
            return false;
        }
        match border.candidates[..] {
            [only] => {
                self.sinks.get(only as usize) == Some(&true)
                    && tries < usize::from(TRIES) + self.alphabet.len()
                    && self.untried(border.node).is_some()
            }
            _ => tries < usize::from(TRIES) + self.alphabet.len(),
        }
    }

    /// An input to be tried at the node of a transition that seems to lead to a sink.
    pub fn unlike(&self, border: (u32, usize)) -> Option<Letter> {
        let entry = border.0 as usize * self.hypothesis.inputs + border.1;
        let node = self.frontier[entry].node;
        if node == NOWHERE || self.frontier[entry].candidates.len() != 1 || !self.is_open(entry) {
            return None;
        }
        self.untried(node).map(|place| self.input(place))
    }

    /// Whether a state seems to answer everything alike for ever: it is looked into last.
    fn is_stale(&self, state: u32) -> bool {
        self.hypothesis.row(state).iter().filter(|edge| edge.is_known()).count() >= 2
            && self.hypothesis.is_sink(state)
    }

    fn depth(&self, mut node: u32) -> usize {
        let mut depth = 0;
        while let Some(before) = self.tree.before(node) {
            depth += 1;
            node = before;
        }
        depth
    }

    /// What the node of a transition may still be, each with the node where it was told apart from others.
    pub fn suspects(&mut self, border: (u32, usize)) -> Vec<(u32, u32)> {
        let (state, place) = border;
        if self.tree.child(self.basis[state as usize], self.alphabet[place]).is_some() {
            self.refresh(state, place, true);
        }
        let entry = state as usize * self.hypothesis.inputs + place;
        if !self.is_open(entry) {
            return Vec::new();
        }
        let candidates = self.frontier[entry].candidates.iter();
        candidates.map(|&state| (state, self.basis[state as usize])).collect()
    }

    /// The input that splits these suspects the most, or one that begins a word that tells two of them apart: the
    /// first input, or a word of them.
    pub fn splitter(&mut self, suspects: &[(u32, u32)]) -> Vec<Letter> {
        if suspects.len() < 2 {
            return Vec::new();
        }
        let count = self.tree.outputs() + 1;
        let mut best = (0, 0);
        let mut counts = vec![0u32; count];
        for place in 0..self.alphabet.len() {
            counts.fill(0);
            let mut known = 0u32;
            for &(_, node) in suspects {
                if let Some((output, _)) = self.tree.answered(node, self.alphabet[place]) {
                    counts[(output as usize).min(count - 1)] += 1;
                    known += 1;
                }
            }
            let alike: u64 = counts.iter().map(|&count| u64::from(count) * u64::from(count)).sum();
            let split = u64::from(known) * u64::from(known) - alike;
            if split > best.0 {
                best = (split, place);
            }
        }
        if best.0 > 0 {
            return vec![self.input(best.1)];
        }
        for (at, &(first, one)) in suspects.iter().enumerate() {
            for &(second, other) in &suspects[at + 1..] {
                let at_basis = one == self.basis[first as usize] && other == self.basis[second as usize];
                let word = match at_basis {
                    true => self.witness(first, second),
                    false => self.tree.witness(one, other).unwrap_or_default(),
                };
                if !word.is_empty() {
                    return self.spell(&word);
                }
            }
        }
        Vec::new()
    }

    /// Follows suspects with an exchange: those that would have answered otherwise, or of which it is not known, are gone.
    pub fn follow(&self, suspects: &mut Vec<(u32, u32)>, step: &Step) {
        let Some(input) = self.tree.known_input(step.input) else { return suspects.clear() };
        suspects.retain_mut(|(_, node)| match self.tree.answered(*node, input) {
            Some((output, next)) if output != ENDED && self.tree.output(output) == step.output => {
                *node = next;
                true
            }
            _ => false,
        });
    }

    /// Goes on with a conflict between hypothesis and tree; the word that must be seen for that, if one must.
    fn settle(&mut self) -> Option<Vec<u32>> {
        loop {
            let Some(mut conflict) = self.working.take().or_else(|| self.next_conflict()) else {
                if self.conflicts.is_empty() {
                    return None;
                }
                continue;
            };
            let Conflict { word, witness, .. } = &conflict;
            let (Some(node), Some(state)) = (self.tree.follow(ROOT, word), self.state_after(word)) else {
                continue;
            };
            if self.tree.difference(node, self.basis[state as usize], witness).0.is_none() {
                continue;
            }
            // How far the word stays in the basis, and the first node beyond it.
            let mut inside = ROOT;
            let mut beyond = 0;
            while beyond < word.len()
                && let Some(next) = self.tree.child(inside, word[beyond])
            {
                beyond += 1;
                if !self.states.contains_key(&next) {
                    break;
                }
                inside = next;
            }
            let from = self.states[&inside];
            if beyond == word.len() {
                let place = self.places[word[beyond - 1] as usize] as usize;
                let entry = from as usize * self.hypothesis.inputs + place;
                self.frontier[entry].candidates.retain(|&candidate| candidate != state);
                self.refresh(from, place, true);
                continue;
            }
            let half = (beyond + word.len()) / 2;
            let (first, second) = word.split_at(half);
            let (Some(reached), Some(between)) = (self.tree.follow(ROOT, first), self.state_after(first))
            else {
                continue;
            };
            let rest: Vec<u32> = second.iter().chain(witness).copied().collect();
            let access = self.basis[between as usize];
            match self.tree.difference(reached, access, &rest) {
                (Some(length), _) => {
                    let (word, witness) = (first.to_vec(), rest[..length].to_vec());
                    self.working = Some(Conflict { word, witness, tries: 0 });
                }
                (None, true) => {
                    let mut shorter = self.tree.word(access);
                    shorter.extend_from_slice(second);
                    let witness = std::mem::take(&mut conflict.witness);
                    self.working = Some(Conflict { word: shorter, witness, tries: 0 });
                }
                (None, false) => {
                    if conflict.tries >= 3 || self.tree.is_full() {
                        continue;
                    }
                    conflict.tries += 1;
                    let mut asked = self.tree.word(access);
                    asked.extend(rest);
                    self.working = Some(conflict);
                    return Some(asked);
                }
            }
        }
    }

    /// The first place at which a run that surprised still does.
    fn next_conflict(&mut self) -> Option<Conflict> {
        let node = self.conflicts.pop_front()?;
        let word = self.tree.word(node);
        let (mut at, mut state) = (ROOT, 0);
        for (place, &input) in word.iter().enumerate() {
            let column = self.places.get(input as usize).copied().filter(|&column| column != u32::MAX)?;
            let edge = self.hypothesis.edge(state, column as usize);
            if !edge.is_known() {
                return None;
            }
            at = self.tree.child(at, input)?;
            if edge.output != self.tree.answer(at) {
                return Some(Conflict { word: word[..place].to_vec(), witness: vec![input], tries: 0 });
            }
            state = edge.to;
        }
        if self.tree.is_end(at) && !self.tree.is_end(self.basis[state as usize]) {
            let child = self.tree.children(self.basis[state as usize]).next()?;
            return Some(Conflict { word, witness: vec![self.tree.sent(child)], tries: 0 });
        }
        None
    }

    fn state_after(&self, word: &[u32]) -> Option<u32> {
        word.iter().try_fold(0, |state, &input| {
            let place = self.places.get(input as usize).copied().filter(|&place| place != u32::MAX)?;
            Some(self.hypothesis.edge(state, place as usize).to).filter(|&to| to != UNKNOWN)
        })
    }

    /// Looks whether the hypothesis disagrees with something that was seen; not more often than is worth it.
    fn disagrees(&mut self) -> bool {
        let (version, nodes) = self.checked;
        if version == self.version && nodes == self.tree.len() {
            return false;
        }
        if version == self.version && self.tree.len() < nodes + nodes / 4 {
            return false;
        }
        self.checked = (self.version, self.tree.len());
        let mut open = vec![(ROOT, 0)];
        while let Some((at, state)) = open.pop() {
            if self.tree.is_end(at) != self.tree.is_end(self.basis[state as usize])
                && self.tree.apart(at, self.basis[state as usize])
            {
                self.conflicts.push_back(at);
                return true;
            }
            for child in self.tree.children(at) {
                let Some(&place) = self.places.get(self.tree.sent(child) as usize) else { continue };
                if place == u32::MAX {
                    continue;
                }
                let edge = self.hypothesis.edge(state, place as usize);
                if !edge.is_known() {
                    continue;
                }
                if edge.output != self.tree.answer(child) {
                    self.conflicts.push_back(child);
                    return true;
                }
                open.push((child, edge.to));
            }
        }
        false
    }

    /// The largest `k` such that all words of `k` inputs were seen after the access word of every state, up to a bound.
    pub fn depth_tried(&self, most: usize) -> usize {
        let all = |node: u32, depth: usize| self.tried(node, depth);
        (1..=most).take_while(|&depth| self.basis.iter().all(|&node| all(node, depth))).count()
    }

    fn tried(&self, node: u32, depth: usize) -> bool {
        depth == 0
            || self.tree.is_end(node)
            || self
                .alphabet
                .iter()
                .all(|&input| self.tree.child(node, input).is_some_and(|child| self.tried(child, depth - 1)))
    }
}

impl Border {
    fn unseen() -> Border {
        Border { node: NOWHERE, candidates: Vec::new(), up_to: 0, tries: 0 }
    }
}
