//! What a search remembers of the states it came through.

use crate::game::chart::Chart;
use crate::rng::Rng;

/// A state in the tree: what was tried there, and what came of it.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// One for each input, in the order of the chart.
    pub(super) inputs: Vec<Tried>,
    /// One for each output that any input may be answered with, by the number of its letter.
    pub(super) outputs: Vec<(u32, Tried)>,
    /// One for each exchange, where they are counted together; see [`Selection::RegretMatching`](super::Selection).
    pub(super) pairs: Vec<Tried>,
    /// Where the exchanges of each input begin among all.
    pub(super) first: Vec<u32>,
    /// For each input its regret, and how much of the mixed strategies of all visits it had.
    pub(super) regrets: Vec<(f64, f64)>,
    /// The exchanges that were not tried: places of input and answer.
    untried: Vec<(u32, u32)>,
}

/// What came of trying something.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tried {
    pub(super) visits: u32,
    pub(super) total: f64,
}

impl Tried {
    pub(super) fn update(&mut self, score: f64) {
        self.visits += 1;
        self.total += score;
    }

    /// The average; 0 where nothing was tried.
    #[inline]
    pub(super) fn average(&self) -> f64 {
        if self.visits == 0 { 0.0 } else { self.total / f64::from(self.visits) }
    }
}

impl Node {
    /// The state in a place, of which nothing was tried.
    pub(super) fn new(chart: &Chart, place: u32, keeps_pairs: bool, rng: &mut Rng) -> Node {
        let choices = chart.choices(place);
        let mut untried = Vec::new();
        let mut outputs: Vec<(u32, Tried)> = Vec::new();
        let mut first = Vec::new();
        for (input, choice) in choices.iter().enumerate() {
            first.push(untried.len() as u32);
            for (at, answer) in chart.answers(choice).iter().enumerate() {
                untried.push((input as u32, at as u32));
                if !outputs.iter().any(|(known, _)| *known == answer.output) {
                    outputs.push((answer.output, Tried::default()));
                }
            }
        }
        let pairs = if keeps_pairs { vec![Tried::default(); untried.len()] } else { Vec::new() };
        let regrets = if keeps_pairs { vec![(0.0, 0.0); choices.len()] } else { Vec::new() };
        rng.shuffle(&mut untried);
        Node { inputs: vec![Tried::default(); choices.len()], outputs, pairs, first, regrets, untried }
    }

    /// An exchange that was not tried, which it is from now on.
    pub(super) fn untried(&mut self) -> Option<(usize, usize)> {
        self.untried.pop().map(|(input, answer)| (input as usize, answer as usize))
    }

    /// What came of an output, whatever the input.
    pub(super) fn output(&self, letter: u32) -> Tried {
        self.outputs.iter().find(|(known, _)| *known == letter).map(|(_, tried)| *tried).unwrap_or_default()
    }

    /// An exchange brought this.
    pub(super) fn update(&mut self, input: usize, answer: usize, letter: u32, score: f64) {
        self.inputs[input].update(score);
        if let Some((_, tried)) = self.outputs.iter_mut().find(|(known, _)| *known == letter) {
            tried.update(score);
        }
        if let Some(pair) = self.pairs.get_mut(self.first[input] as usize + answer) {
            pair.update(score);
        }
    }

    pub(super) fn memory(&self) -> usize {
        size_of::<Node>()
            + self.inputs.capacity() * size_of::<Tried>()
            + self.outputs.capacity() * size_of::<(u32, Tried)>()
            + self.pairs.capacity() * size_of::<Tried>()
            + self.first.capacity() * size_of::<u32>()
            + self.regrets.capacity() * size_of::<(f64, f64)>()
            + self.untried.capacity() * size_of::<(u32, u32)>()
    }
}
