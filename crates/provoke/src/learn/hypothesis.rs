//! What a system seems to be: a Mealy machine of the states that were told apart.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::tree::ENDED;
use crate::letter::{Alphabet, Interface, Letter};
use crate::machine::{BuildError, Builder, Machine, Names, UNDEFINED};
use crate::rng::Rng;

/// The chance that a walk which holds on to its inputs sends the same again.
const HOLD: f64 = 0.875;

/// Two states, side by side.
type Pair = (u32, u32);

/// The target of a transition that is not known.
pub const UNKNOWN: u32 = u32::MAX;

/// A machine over numbers of inputs and outputs, partial where something was not tried yet; state 0 is the first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hypothesis {
    /// How many inputs there are.
    pub inputs: usize,
    /// Row by row, one transition for each input.
    pub edges: Vec<Edge>,
}

/// Where an input leads, and how it is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The state after it; [`UNKNOWN`] where it was not tried.
    pub to: u32,
    /// The number of the answer; [`ENDED`] where the system has ended.
    pub output: u32,
}

impl Edge {
    /// Nothing is known.
    pub const NONE: Edge = Edge { to: UNKNOWN, output: ENDED };

    /// Whether it was tried.
    pub fn is_known(&self) -> bool {
        self.to != UNKNOWN
    }
}

impl Hypothesis {
    /// How many states there are.
    pub fn states(&self) -> usize {
        self.edges.len().checked_div(self.inputs).unwrap_or(1)
    }

    /// Where an input leads from a state.
    #[inline]
    pub fn edge(&self, state: u32, input: usize) -> Edge {
        self.edges[state as usize * self.inputs + input]
    }

    /// The transitions of a state.
    pub fn row(&self, state: u32) -> &[Edge] {
        &self.edges[state as usize * self.inputs..(state as usize + 1) * self.inputs]
    }

    /// Whether every transition is known.
    pub fn is_complete(&self) -> bool {
        self.edges.iter().all(Edge::is_known)
    }

    /// The state after a word; none where that is not known.
    pub fn after(&self, from: u32, word: &[usize]) -> Option<u32> {
        word.iter().try_fold(from, |at, &input| Some(self.edge(at, input).to).filter(|&to| to != UNKNOWN))
    }

    /// The answers to a word; none where one is not known.
    pub fn answers(&self, from: u32, word: impl IntoIterator<Item = usize>) -> Option<Vec<u32>> {
        let mut at = from;
        let mut answer = |input: usize| {
            let edge = Some(self.edge(at, input)).filter(Edge::is_known)?;
            at = edge.to;
            Some(edge.output)
        };
        word.into_iter().map(&mut answer).collect()
    }

    /// A shortest word that two states answer in two ways, by which answers count as the same; none where none is found among so
    /// many pairs of states.
    pub fn separator(
        &self,
        one: u32,
        other: u32,
        pairs: usize,
        is_same: impl Fn(u32, u32) -> bool,
    ) -> Option<Vec<usize>> {
        let mut before: FxHashMap<Pair, Option<(Pair, usize)>> = FxHashMap::default();
        before.insert((one, other), None);
        let mut open = VecDeque::from([(one, other)]);
        while let Some(at) = open.pop_front() {
            for input in 0..self.inputs {
                let (first, second) = (self.edge(at.0, input), self.edge(at.1, input));
                if !first.is_known() || !second.is_known() {
                    continue;
                }
                if !is_same(first.output, second.output) {
                    let (mut word, mut back) = (vec![input], at);
                    while let Some(&Some((from, input))) = before.get(&back) {
                        word.push(input);
                        back = from;
                    }
                    word.reverse();
                    return Some(word);
                }
                let to = (first.to, second.to);
                if to.0 != to.1 && before.len() < pairs && !before.contains_key(&to) {
                    before.insert(to, Some((at, input)));
                    open.push_back(to);
                }
            }
        }
        None
    }

    /// Whether a state answers everything alike and is never left, as far as is known.
    pub fn is_sink(&self, state: u32) -> bool {
        let row = self.row(state);
        let first = row.iter().find(|edge| edge.is_known());
        first.is_some_and(|first| {
            row.iter().all(|edge| !edge.is_known() || edge.to == state && edge.output == first.output)
        })
    }

    /// For each state, whether it is *doomed*: every continuation comes to a sink. Whatever is not known keeps a state from it.
    pub fn doomed(&self) -> Vec<bool> {
        let states = self.states();
        let mut doomed: Vec<bool> = (0..states as u32).map(|state| self.is_sink(state)).collect();
        // How many ways out of a state do not lead into doom.
        let mut open: Vec<usize> = vec![self.inputs; states];
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); states];
        for state in 0..states as u32 {
            for edge in self.row(state).iter().filter(|edge| edge.is_known()) {
                before[edge.to as usize].push(state);
            }
        }
        let mut queue: Vec<u32> = (0..states as u32).filter(|&state| doomed[state as usize]).collect();
        while let Some(state) = queue.pop() {
            for &from in &before[state as usize] {
                open[from as usize] = open[from as usize].saturating_sub(1);
                if open[from as usize] == 0 && !std::mem::replace(&mut doomed[from as usize], true) {
                    queue.push(from);
                }
            }
        }
        doomed
    }

    /// For each state, the last transition of a shortest way to it: the state before and the input. States to be avoided are
    /// passed through only where there is no other way.
    pub fn ways(&self, avoid: &[bool]) -> Vec<Option<(u32, usize)>> {
        let mut ways: Vec<Option<(u32, usize)>> = vec![None; self.states()];
        let mut queue = VecDeque::from([0u32]);
        let mut later = VecDeque::new();
        while let Some(at) = queue.pop_front().or_else(|| later.pop_front()) {
            for (input, edge) in self.row(at).iter().enumerate() {
                if edge.is_known() && edge.to != 0 && ways[edge.to as usize].is_none() {
                    ways[edge.to as usize] = Some((at, input));
                    let waits = avoid.get(edge.to as usize) == Some(&true);
                    if waits { &mut later } else { &mut queue }.push_back(edge.to);
                }
            }
        }
        ways
    }

    /// The word of the ways to a state; none where there is none.
    pub fn word(ways: &[Option<(u32, usize)>], to: u32) -> Option<Vec<usize>> {
        let mut word = Vec::new();
        let mut at = to;
        while at != 0 {
            let (before, input) = ways[at as usize]?;
            word.push(input);
            at = before;
        }
        word.reverse();
        Some(word)
    }

    /// How many steps it takes to try every transition and to tell from its states where it leads.
    pub fn longest_test(&self) -> usize {
        let ways = self.ways(&[]);
        let goes_on =
            |&state: &u32| self.row(state).iter().any(|edge| !edge.is_known() || edge.output != ENDED);
        let depths =
            (0..self.states() as u32).filter(goes_on).filter_map(|state| Hypothesis::word(&ways, state));
        depths.map(|word| word.len()).max().unwrap_or(0) + 1 + self.longest_separator()
    }

    /// About how long words must be to tell all states apart: so often can the states be divided by what is answered, and then by
    /// where that leads.
    fn longest_separator(&self) -> usize {
        let (mut classes, mut count, mut rounds) = (vec![0u32; self.states()], 1, 0);
        loop {
            let mut numbers: FxHashMap<Vec<(u32, u32)>, u32> = FxHashMap::default();
            let class =
                |edge: &Edge| (edge.output, classes.get(edge.to as usize).copied().unwrap_or(UNKNOWN));
            let next: Vec<u32> = (0..self.states() as u32)
                .map(|state| {
                    let fresh = numbers.len() as u32;
                    *numbers.entry(self.row(state).iter().map(class).collect()).or_insert(fresh)
                })
                .collect();
            if numbers.len() <= count {
                return rounds.max(1);
            }
            (classes, count, rounds) = (next, numbers.len(), rounds + 1);
        }
    }

    /// A walk of so many random inputs that keeps away from what is to be avoided, as long as it can. Every other walk holds on
    /// to an input for a while before it draws the next: what counts or waits shows nothing else. It ends where the next state
    /// is not known, and soon after there is no way out of what is avoided.
    pub fn stretch(&self, from: u32, length: usize, avoid: &[bool], rng: &mut Rng) -> Vec<usize> {
        let mut word: Vec<usize> = Vec::with_capacity(length);
        let holds_on = rng.chance(0.5);
        let mut at = from;
        let mut fine: Vec<usize> = Vec::with_capacity(self.inputs);
        let mut left = length;
        while left > 0 && self.inputs > 0 {
            left -= 1;
            fine.clear();
            let is_fine = |edge: &Edge| !edge.is_known() || avoid.get(edge.to as usize) != Some(&true);
            fine.extend((0..self.inputs).filter(|&input| is_fine(&self.edge(at, input))));
            if avoid.get(at as usize) == Some(&true) {
                left = left.min(1);
            }
            let same = word.last().filter(|last| holds_on && fine.contains(last)).copied();
            let input = match same.filter(|_| rng.chance(HOLD)) {
                Some(same) => same,
                None => rng.pick(&fine).copied().unwrap_or_else(|| rng.index(self.inputs)),
            };
            word.push(input);
            match self.edge(at, input).to {
                UNKNOWN => break,
                to => at = to,
            }
        }
        word
    }

    /// An input that leads from a state to one that is to be avoided, any of those that do.
    pub fn plunge(&self, from: u32, avoid: &[bool], rng: &mut Rng) -> Option<usize> {
        let leads = |edge: &Edge| edge.is_known() && avoid.get(edge.to as usize) == Some(&true);
        let places: Vec<usize> = (0..self.inputs).filter(|&input| leads(&self.edge(from, input))).collect();
        rng.pick(&places).copied()
    }

    /// The machine in words of an interface, given what the numbers mean. What has ended answers nothing more: transitions
    /// that were not tried, and those after an end, are left out.
    pub fn machine(
        &self,
        interface: &Interface,
        inputs: &[Letter],
        output: impl Fn(u32) -> Letter,
    ) -> Result<Machine, BuildError> {
        if let Some(machine) = self.over_signals(interface, inputs, &output) {
            return machine;
        }
        let mut builder = Builder::new();
        for state in 0..self.states() {
            builder.state(&format!("s{state}"));
        }
        builder.initial(0);
        for &input in inputs {
            builder.input(&spelling(interface.inputs.show(input).to_string()));
        }
        for state in 0..self.states() as u32 {
            for (column, edge) in self.row(state).iter().enumerate() {
                if edge.is_known() && edge.output != ENDED {
                    let answer = spelling(interface.outputs.show(output(edge.output)).to_string());
                    let answer = builder.output(&answer);
                    builder.add(state, column as u32, Some(answer), edge.to);
                }
            }
        }
        builder.build()
    }
}

impl Hypothesis {
    /// The same over Boolean signals, where every valuation of the inputs was tried: the form that state tables have.
    fn over_signals(
        &self,
        interface: &Interface,
        inputs: &[Letter],
        output: impl Fn(u32) -> Letter,
    ) -> Option<Result<Machine, BuildError>> {
        let is_boolean = |alphabet: &Alphabet| {
            alphabet.as_labels().is_none() && alphabet.fields().iter().all(|field| field.is_boolean())
        };
        let bits = interface.inputs.len();
        let all = is_boolean(&interface.inputs) && is_boolean(&interface.outputs) && bits <= 16;
        if !all || inputs.len() != 1 << bits || interface.outputs.is_empty() {
            return None;
        }
        let mut columns = vec![None; inputs.len()];
        for (column, input) in inputs.iter().enumerate() {
            *columns.get_mut(input.index() as usize)? = Some(column);
        }
        let mut answers: Vec<u32> = Vec::new();
        let (mut next, mut outputs) = (Vec::new(), Vec::new());
        for state in 0..self.states() as u32 {
            for column in &columns {
                let edge = self.edge(state, (*column)?);
                if !edge.is_known() || edge.output == ENDED {
                    next.push(UNDEFINED);
                    outputs.push(UNDEFINED);
                    continue;
                }
                let known = answers.iter().position(|&answer| answer == edge.output);
                let place = known.unwrap_or_else(|| {
                    answers.push(edge.output);
                    answers.len() - 1
                });
                next.push(edge.to);
                outputs.push(place as u32);
            }
        }
        let bits = |alphabet: &Alphabet, letter: Letter| -> String {
            (0..alphabet.len()).map(|bit| if letter.get(bit) { '1' } else { '0' }).collect()
        };
        let names = (0..inputs.len() as u64).map(|index| bits(&interface.inputs, Letter::from_index(index)));
        let names: Vec<String> = names.collect();
        let spelt: Vec<String> =
            answers.iter().map(|&answer| bits(&interface.outputs, output(answer))).collect();
        let states = Names::numbered("s", self.states());
        let signals = |alphabet: &Alphabet| alphabet.names().map(str::to_owned).collect();
        let made = Machine::from_table(states, names.iter().map(String::as_str).collect(), next)
            .and_then(|machine| machine.with_outputs(spelt.iter().map(String::as_str).collect(), outputs))
            .and_then(|machine| machine.with_initial(0))
            .map(|machine| machine.with_signals(signals(&interface.inputs), signals(&interface.outputs)));
        Some(made)
    }
}

/// A letter without signals has no text of its own.
fn spelling(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}
