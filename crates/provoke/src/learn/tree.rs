//! Everything that was seen, as a tree: one node for each word of inputs that was sent after a reset.

use rustc_hash::FxHashMap;

use crate::letter::Letter;
use crate::trace::Step;

/// No node.
const NONE: u32 = u32::MAX;

/// The node of the empty word: the system after a reset.
pub const ROOT: u32 = 0;

/// The answer of a system that has ended, to whatever it is sent.
pub const ENDED: u32 = u32::MAX;

/// The same where it is the tester who must not go on.
const FORBIDDEN: u32 = ENDED - 1;

/// Everything a system has shown, as a tree of inputs with the answers to them.
///
/// Letters are known by numbers, in the order in which they were met. A node takes twenty bytes; where there is no room for
/// another, what would be new is not remembered.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    most: usize,
    inputs: Numbers,
    outputs: Numbers,
    /// Nodes that are taken to be never left, and what is answered there to everything: [`ENDED`] where the system has ended, and
    /// [`FORBIDDEN`] where a run may not go on.
    constants: FxHashMap<u32, u32>,
    /// For each output, whether what is answered like this is taken to change nothing.
    idle: Vec<bool>,
    /// Inputs that may not be sent after a node: whoever may send them somewhere is somewhere else.
    barred: FxHashMap<u32, Vec<u32>>,
    /// What was made of it.
    pub(super) notes: Notes,
}

/// What a learner made of a tree: where whoever learns from it begins. Nothing that was seen says so, and all of it may turn out to be
/// otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    /// Outputs that are taken to say that nothing has changed.
    pub(super) idle: Vec<u32>,
    /// Words that lead to states, if that is so.
    pub(super) words: Vec<Vec<u32>>,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    parent: u32,
    input: u32,
    output: u32,
    /// The last child that was added, and the one before this.
    child: u32,
    sibling: u32,
}

/// What came of adding an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It is there, and this is the node after it.
    At(u32),
    /// The same word was answered otherwise before: this is the node of that answer.
    Contradiction(u32),
    /// There is no room.
    Full,
}

/// Letters and their numbers.
#[derive(Clone, Debug, Default)]
struct Numbers {
    letters: Vec<Letter>,
    numbers: FxHashMap<Letter, u32>,
}

impl Numbers {
    fn number(&mut self, letter: Letter) -> u32 {
        let Numbers { letters, numbers } = self;
        *numbers.entry(letter).or_insert_with(|| {
            letters.push(letter);
            letters.len() as u32 - 1
        })
    }
}

impl Tree {
    /// A tree of at most so many nodes, in which nothing was seen yet.
    pub fn new(most: usize) -> Tree {
        let root = Node { parent: NONE, input: 0, output: 0, child: NONE, sibling: NONE };
        Tree {
            nodes: vec![root],
            most: most.clamp(1, NONE as usize - 1),
            inputs: Numbers::default(),
            outputs: Numbers::default(),
            constants: FxHashMap::default(),
            idle: Vec::new(),
            barred: FxHashMap::default(),
            notes: Notes::default(),
        }
    }

    /// The same tree, which grows to at most so many nodes from now on.
    #[must_use]
    pub fn bounded(mut self, most: usize) -> Tree {
        self.most = most.clamp(1, NONE as usize - 1);
        self
    }

    /// The number of an input.
    pub fn input_number(&mut self, input: Letter) -> u32 {
        self.inputs.number(input)
    }

    /// The number of an input that is known.
    pub fn known_input(&self, input: Letter) -> Option<u32> {
        self.inputs.numbers.get(&input).copied()
    }

    /// The number of an output.
    pub fn output_number(&mut self, output: Letter) -> u32 {
        self.outputs.number(output)
    }

    /// The input with this number.
    pub fn input(&self, number: u32) -> Letter {
        self.inputs.letters[number as usize]
    }

    /// The output with this number.
    pub fn output(&self, number: u32) -> Letter {
        self.outputs.letters[number as usize]
    }

    /// How many inputs are known.
    pub fn inputs(&self) -> usize {
        self.inputs.letters.len()
    }

    /// How many outputs were seen.
    pub fn outputs(&self) -> usize {
        self.outputs.letters.len()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether nothing was seen.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Whether there is no room for more.
    pub fn is_full(&self) -> bool {
        self.nodes.len() >= self.most
    }

    /// Adds an exchange after a node.
    pub fn add(&mut self, at: u32, step: &Step) -> Added {
        // Letters are remembered with what is: not for ever, and not those of answers that contradict others.
        if let Some(child) = self.known_input(step.input).and_then(|input| self.child(at, input)) {
            let is_same = self.outputs.numbers.get(&step.output) == Some(&self.answer(child));
            return if is_same { Added::At(child) } else { Added::Contradiction(child) };
        }
        if self.is_full() {
            return Added::Full;
        }
        let input = self.inputs.number(step.input);
        let output = self.outputs.number(step.output);
        // What was sent may be.
        if let Some(barred) = self.barred.get_mut(&at) {
            barred.retain(|&one| one != input);
        }
        // Whoever answers has not ended.
        if self.is_end(at) {
            self.constants.remove(&at);
        }
        let number = self.nodes.len() as u32;
        let sibling = std::mem::replace(&mut self.nodes[at as usize].child, number);
        self.nodes.push(Node { parent: at, input, output, child: NONE, sibling });
        Added::At(number)
    }

    /// Whether the input before a node is taken to have changed nothing.
    pub fn stays(&self, node: u32) -> bool {
        self.is_idle(self.answer(node))
    }

    /// Where a run is once it came from a node to one after it: still at the first where nothing is taken to have changed.
    pub fn after(&self, from: u32, node: u32) -> u32 {
        if self.stays(node) { from } else { node }
    }

    /// Whether what is answered like this is taken to change nothing.
    pub fn is_idle(&self, output: u32) -> bool {
        self.idle.get(output as usize) == Some(&true)
    }

    /// The same, in which what is answered like this is taken to change nothing: what came after it comes after the node before it.
    /// None where some word was answered in two ways then, so that it changed something after all.
    pub fn folded(&self, idle: &[u32]) -> Option<Tree> {
        let mut made =
            Tree { inputs: self.inputs.clone(), outputs: self.outputs.clone(), ..Tree::new(self.most) };
        made.idle = (0..self.outputs() as u32).map(|output| idle.contains(&output)).collect();
        // Where each node is now: nodes come after those before them.
        let mut places = vec![ROOT];
        for node in 1..self.len() as u32 {
            let from = places[self.before(node)? as usize];
            let step = Step { input: self.input(self.sent(node)), output: self.output(self.answer(node)) };
            places.push(match made.add(from, &step) {
                Added::At(to) => made.after(from, to),
                Added::Contradiction(_) | Added::Full => return None,
            });
        }
        for (&node, &output) in self.constants.iter().filter(|(_, output)| **output >= FORBIDDEN) {
            let node = places[node as usize];
            if !made.is_leaf(node) {
                return None;
            }
            made.hold(node, output);
        }
        let mut barred: Vec<(&u32, &Vec<u32>)> = self.barred.iter().collect();
        barred.sort_unstable_by_key(|(node, _)| **node);
        for (&node, inputs) in barred {
            let node = places[node as usize];
            if inputs.iter().any(|&input| made.child(node, input).is_some()) {
                return None;
            }
            inputs.iter().for_each(|&input| made.bar(node, input));
        }
        Some(made)
    }

    /// Where an input leads from a node, if it was sent there.
    #[inline]
    pub fn child(&self, at: u32, input: u32) -> Option<u32> {
        let mut child = self.nodes[at as usize].child;
        while child != NONE {
            let node = &self.nodes[child as usize];
            if node.input == input {
                return Some(child);
            }
            child = node.sibling;
        }
        None
    }

    /// The nodes after one, the last that was met first.
    pub fn children(&self, at: u32) -> impl Iterator<Item = u32> + '_ {
        let some = |child: u32| (child != NONE).then_some(child);
        std::iter::successors(some(self.nodes[at as usize].child), move |&child| {
            some(self.nodes[child as usize].sibling)
        })
    }

    /// Whether nothing was sent after a node.
    pub fn is_leaf(&self, at: u32) -> bool {
        self.nodes[at as usize].child == NONE
    }

    /// The last input before a node.
    pub fn sent(&self, at: u32) -> u32 {
        self.nodes[at as usize].input
    }

    /// The answer to it.
    pub fn answer(&self, at: u32) -> u32 {
        self.nodes[at as usize].output
    }

    /// The node before one; none before the root.
    pub fn before(&self, at: u32) -> Option<u32> {
        Some(self.nodes[at as usize].parent).filter(|&parent| parent != NONE)
    }

    /// The inputs that lead to a node.
    pub fn word(&self, mut at: u32) -> Vec<u32> {
        let mut word = Vec::new();
        while let Some(before) = self.before(at) {
            word.push(self.sent(at));
            at = before;
        }
        word.reverse();
        word
    }

    /// The exchanges that lead to a node.
    pub fn trace(&self, mut at: u32) -> Vec<Step> {
        let mut trace = Vec::new();
        while let Some(before) = self.before(at) {
            trace.push(Step { input: self.input(self.sent(at)), output: self.output(self.answer(at)) });
            at = before;
        }
        trace.reverse();
        trace
    }

    /// The node of a word after a node, if all of it was sent.
    pub fn follow(&self, at: u32, word: &[u32]) -> Option<u32> {
        word.iter().try_fold(at, |at, &input| Some(self.after(at, self.child(at, input)?)))
    }

    /// An input may not be sent after a node.
    pub fn bar(&mut self, at: u32, input: u32) {
        let barred = self.barred.entry(at).or_default();
        if !barred.contains(&input) {
            barred.push(input);
        }
    }

    /// Nothing may be sent after a node.
    pub fn forbid(&mut self, at: u32) {
        self.hold(at, FORBIDDEN);
    }

    /// Forgets what may not be sent where; whether there was anything.
    pub fn unbar(&mut self) -> bool {
        let before = self.constants.len();
        self.constants.retain(|_, output| *output != FORBIDDEN);
        !std::mem::take(&mut self.barred).is_empty() || self.constants.len() < before
    }

    /// The inputs that may not be sent after a node, as far as that is known. None of them was sent there.
    pub fn barred(&self, at: u32) -> &[u32] {
        if self.barred.is_empty() { &[] } else { self.barred.get(&at).map_or(&[], Vec::as_slice) }
    }

    /// An input that was sent after one of two nodes and may not be sent after the other, if there is one.
    pub fn barred_once(&self, one: u32, other: u32) -> Option<u32> {
        let mut barred = self.barred(one).iter().chain(self.barred(other)).copied();
        barred.find(|&input| self.is_barred_once(one, other, input))
    }

    fn is_barred_once(&self, one: u32, other: u32, input: u32) -> bool {
        let is_barred =
            |at: u32, twin: u32| self.barred(at).contains(&input) && self.child(twin, input).is_some();
        is_barred(one, other) || is_barred(other, one)
    }

    /// Runs cannot go on after a node: the system has ended there.
    pub fn end(&mut self, at: u32) {
        self.hold(at, ENDED);
    }

    /// Whether runs cannot go on after a node, or may not.
    pub fn is_end(&self, at: u32) -> bool {
        self.constant(at) == Some(ENDED)
    }

    /// Whether the system has ended after a node.
    pub fn has_ended(&self, at: u32) -> bool {
        self.constants.get(&at) == Some(&ENDED)
    }

    /// Everything that is sent after a node is taken to be answered like this, for ever.
    pub fn hold(&mut self, at: u32, output: u32) {
        self.constants.insert(at, output);
    }

    /// What is answered to everything after a node, where it is taken to be never left: [`ENDED`] where runs end.
    #[inline]
    pub fn constant(&self, at: u32) -> Option<u32> {
        let ended = |&output: &u32| if output == FORBIDDEN { ENDED } else { output };
        if self.constants.is_empty() { None } else { self.constants.get(&at).map(ended) }
    }

    /// Whether some node is taken to be never left although runs can go on there.
    pub fn has_held(&self) -> bool {
        self.constants.values().any(|&output| output < FORBIDDEN)
    }

    /// Nodes after which everything was taken to be answered like this are like others again; whether there were any.
    pub fn release(&mut self, is_meant: impl Fn(u32) -> bool) -> bool {
        let before = self.constants.len();
        self.constants.retain(|_, output| *output >= FORBIDDEN || !is_meant(*output));
        self.constants.len() < before
    }

    /// The answer to an input after a node, and the node after it, if it was sent. What is never left stays where it is, and so does
    /// what changes nothing.
    pub fn answered(&self, at: u32, input: u32) -> Option<(u32, u32)> {
        if let Some(output) = self.constant(at) {
            return Some((output, at));
        }
        let child = self.child(at, input)?;
        Some((self.answer(child), self.after(at, child)))
    }

    /// Compares the answers to a word after two nodes: how many inputs were needed to see a difference, or that one of them
    /// may not be sent after one of the two. None where there is none or not all of it was sent; the second value says whether
    /// all of it was.
    pub fn difference(&self, mut one: u32, mut other: u32, word: &[u32]) -> (Option<usize>, bool) {
        for (place, &input) in word.iter().enumerate() {
            if self.is_barred_once(one, other, input) {
                return (Some(place + 1), true);
            }
            let (Some(first), Some(second)) = (self.answered(one, input), self.answered(other, input)) else {
                return (None, false);
            };
            if first.0 != second.0 {
                return (Some(place + 1), true);
            }
            (one, other) = (first.1, second.1);
        }
        (None, true)
    }

    /// How much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        let letters = self.inputs.letters.capacity() + self.outputs.letters.capacity();
        self.nodes.capacity() * size_of::<Node>()
            + self.constants.capacity() * 8
            + self.barred.values().map(|inputs| 32 + inputs.capacity() * 4).sum::<usize>()
            + 3 * letters * size_of::<Letter>()
    }

    /// Whether two nodes are *apart*: some word was seen to be answered differently after them, so they are not the same
    /// state of the system (Vaandrager, Garhewal, Rot, Wissmann 2022, definition 2.6). Of a node that is taken to be never left
    /// all answers count as seen. What may be sent after one and not after the other tells them apart too: it is known for
    /// nothing, and what comes after it would be lost if they were taken for one.
    pub fn apart(&self, one: u32, other: u32) -> bool {
        // Most nodes at the frontier are leaves, and this is asked often.
        let is_unknown =
            |at: u32| self.is_leaf(at) && self.constant(at).is_none() && self.barred(at).is_empty();
        if is_unknown(one) || is_unknown(other) {
            return false;
        }
        let mut open = Pairs::default();
        open.push((one, other));
        while let Some((one, other)) = open.pop() {
            let (rests, at) = match (self.constant(one), self.constant(other)) {
                (None, None) => {
                    if self.barred_once(one, other).is_some() {
                        return true;
                    }
                    let mut child = self.nodes[one as usize].child;
                    while child != NONE {
                        let node = &self.nodes[child as usize];
                        if let Some(twin) = self.child(other, node.input) {
                            if self.nodes[twin as usize].output != node.output {
                                return true;
                            }
                            open.push((child, twin));
                        }
                        child = node.sibling;
                    }
                    continue;
                }
                (Some(first), Some(second)) if first != second => return true,
                (Some(_), Some(_)) => continue,
                (Some(output), None) => ((one, output), other),
                (None, Some(output)) => ((other, output), one),
            };
            for child in self.children(at) {
                if self.answer(child) != rests.1 {
                    return true;
                }
                open.push((rests.0, child));
            }
        }
        false
    }

    /// A shortest word that shows two nodes to be apart, if one was seen.
    pub fn witness(&self, one: u32, other: u32) -> Option<Vec<u32>> {
        // The nodes, the place of those before them, and the input between.
        let mut queue = vec![(one, other, 0, 0)];
        let mut at = 0;
        while let Some(&(first, second, _, _)) = queue.get(at) {
            let still = [first, second].map(|node| self.constant(node).is_some());
            // What is never left was sent everything.
            let sent = self.children(if still[0] { second } else { first }).map(|child| self.sent(child));
            let any = (still == [true; 2]).then_some(0);
            let spelled = |input: u32, queue: &[(u32, u32, usize, u32)]| {
                let (mut word, mut back) = (vec![input], at);
                while back != 0 {
                    word.push(queue[back].3);
                    back = queue[back].2;
                }
                word.reverse();
                word
            };
            if let Some(input) = self.barred_once(first, second).filter(|_| still == [false; 2]) {
                return Some(spelled(input, &queue));
            }
            for input in sent.chain(any) {
                let (Some(left), Some(right)) = (self.answered(first, input), self.answered(second, input))
                else {
                    continue;
                };
                if left.0 != right.0 {
                    return Some(spelled(input, &queue));
                }
                if (left.1, right.1) != (first, second) {
                    queue.push((left.1, right.1, at, input));
                }
            }
            at += 1;
        }
        None
    }
}

/// Pairs of nodes that are still to be looked at.
type Pairs = Vec<(u32, u32)>;

#[cfg(test)]
mod tests {
    use super::*;

    fn step(input: u64, output: u64) -> Step {
        Step { input: Letter::from_index(input), output: Letter::from_index(output) }
    }

    #[test]
    fn what_was_seen_is_there_once_and_contradictions_are_noticed() {
        let mut tree = Tree::new(3);
        let Added::At(first) = tree.add(ROOT, &step(7, 1)) else { panic!() };
        assert_eq!(tree.add(ROOT, &step(7, 1)), Added::At(first));
        assert_eq!(tree.add(ROOT, &step(7, 2)), Added::Contradiction(first));
        let Added::At(second) = tree.add(first, &step(8, 1)) else { panic!() };
        assert_eq!(tree.add(second, &step(8, 1)), Added::Full);
        assert_eq!(tree.trace(second), [step(7, 1), step(8, 1)]);
        assert_eq!(tree.follow(ROOT, &tree.word(second)), Some(second));
    }

    #[test]
    fn what_has_ended_is_apart_from_what_goes_on() {
        let mut tree = Tree::new(100);
        let Added::At(first) = tree.add(ROOT, &step(0, 0)) else { panic!() };
        tree.end(first);
        assert!(tree.apart(ROOT, first) && tree.apart(first, ROOT));
        assert_eq!(tree.witness(ROOT, first), Some(vec![0]));
    }

    #[test]
    fn what_may_be_sent_in_one_place_only_tells_it_from_another() {
        let mut tree = Tree::new(100);
        let Added::At(first) = tree.add(ROOT, &step(0, 0)) else { panic!() };
        let second = tree.input_number(Letter::from_index(1));
        tree.bar(ROOT, second);
        assert!(!tree.apart(ROOT, first), "it was not sent there");
        tree.add(first, &step(1, 0));
        assert!(tree.apart(ROOT, first) && tree.apart(first, ROOT));
        assert_eq!(tree.witness(first, ROOT), Some(vec![second]));
        assert_eq!(tree.difference(ROOT, first, &[second]), (Some(1), true));
        // An answer that leads from one to the other has changed something.
        assert!(tree.folded(&[tree.answer(first)]).is_none());
    }

    #[test]
    fn what_is_never_left_is_apart_from_what_answers_otherwise_anywhere() {
        let mut tree = Tree::new(100);
        let mut word = |from: u32, exchanges: &[(u64, u64)]| {
            exchanges.iter().fold(from, |at, &(input, output)| match tree.add(at, &step(input, output)) {
                Added::At(next) => next,
                _ => panic!(),
            })
        };
        let (still, alike, other) = (word(ROOT, &[(0, 5)]), word(ROOT, &[(1, 5)]), word(ROOT, &[(2, 5)]));
        word(still, &[(0, 5), (1, 5)]);
        word(alike, &[(2, 5), (2, 5)]);
        word(other, &[(1, 5), (2, 6)]);
        let number = tree.answer(still);
        assert!(!tree.apart(still, other), "input 2 was not sent there");
        tree.hold(still, number);
        assert!(tree.apart(still, other) && tree.apart(other, still) && !tree.apart(still, alike));
        assert_eq!(tree.witness(still, other), Some(vec![1, 2]));
        assert_eq!(tree.witness(other, still), Some(vec![1, 2]));
        assert_eq!(tree.witness(still, alike), None);
        tree.hold(alike, number);
        assert!(!tree.apart(still, alike));
        assert!(tree.release(|output| output == number) && !tree.apart(still, other));
    }
}
