//! The search itself: Algorithm 2 of paper 4.

use std::sync::Arc;

use super::tree::Node;
use super::{Scores, Selection, SimultaneousSettings};
use crate::game::chart::Chart;
use crate::game::{Game, Guide, State};
use crate::letter::Letter;
use crate::rng::Rng;

/// No node.
const NONE: u32 = u32::MAX;

/// A graph of states that were searched, one node each.
pub struct Search {
    chart: Arc<Chart>,
    scores: Scores,
    start: u32,
    /// For each place of the chart its node.
    nodes_of: Vec<u32>,
    nodes: Vec<Node>,
    most: usize,
    /// For each place whether the tree led there, and how many it did.
    led_to: Vec<bool>,
    met: usize,
    path: Vec<Move>,
}

/// An exchange on the way through the tree.
#[derive(Clone, Copy)]
struct Move {
    node: u32,
    input: usize,
    answer: usize,
    output: u32,
    to: u32,
}

impl Search {
    pub(in crate::strategy) fn new(
        mut chart: Arc<Chart>,
        scores: Scores,
        start: State,
        settings: &SimultaneousSettings,
    ) -> Search {
        let known = chart.place(start);
        let start = known.unwrap_or_else(|| Arc::make_mut(&mut chart).meet(start));
        let mut search = Search {
            chart,
            scores,
            start,
            nodes_of: Vec::new(),
            nodes: Vec::new(),
            most: settings.nodes,
            led_to: Vec::new(),
            met: 0,
            path: Vec::new(),
        };
        search.leads_to(start);
        search
    }

    /// Other scores from now on; what was averaged stays.
    pub(in crate::strategy) fn score_anew(&mut self, scores: Scores) {
        self.scores = scores;
    }

    /// How many states the tree leads to: "coverage" in paper 4, section 10.2.2.
    pub fn met(&self) -> usize {
        self.met
    }

    /// Once from the start to a leaf, and on by chance; what is met is averaged into the way.
    pub(in crate::strategy) fn iterate(
        &mut self,
        game: &dyn Game,
        guide: &dyn Guide,
        settings: &SimultaneousSettings,
        rng: &mut Rng,
    ) {
        self.path.clear();
        let mut at = self.start;
        let (mut beyond, mut is_leaf_tried) = (0.0, false);
        loop {
            self.expand(at, game, rng);
            if self.ends(at, guide) {
                break;
            }
            let Some(node) = self.node(at, settings, rng) else { break };
            let untried = self.nodes[node as usize].untried();
            let (input, answer) = match untried {
                Some(exchange) => exchange,
                None => {
                    match settings.select(&self.nodes[node as usize], &self.chart, at, at == self.start, rng)
                    {
                        Some(exchange) => exchange,
                        None => break,
                    }
                }
            };
            let choice = &self.chart.choices(at)[input];
            let answered = self.chart.answers(choice)[answer];
            is_leaf_tried = untried.is_some();
            self.path.push(Move { node, input, answer, output: answered.output, to: answered.to });
            if answered.to == Chart::BEYOND {
                break;
            }
            at = answered.to;
            self.leads_to(at);
            if untried.is_some() {
                beyond = self.roll_out(at, game, guide, settings, rng);
                break;
            }
            if self.path.len() as u32 > settings.depth {
                break;
            }
        }
        let decay = self.scores.decay();
        let mut score = beyond;
        let mut is_selected = !is_leaf_tried;
        for Move { node, input, answer, output, to } in self.path.iter().rev().copied() {
            let own = if to == Chart::BEYOND { 0.0 } else { self.scores.of(to, &self.chart, guide) };
            score = decay * f64::max(own, score);
            let node = &mut self.nodes[node as usize];
            if settings.selection == Selection::RegretMatching {
                node.regret(input, answer, score, is_selected);
            }
            node.update(input, answer, output, score);
            is_selected = true;
        }
    }

    /// At random until something ends it: the best score that was met after the first state, each step taking its part.
    fn roll_out(
        &mut self,
        from: u32,
        game: &dyn Game,
        guide: &dyn Guide,
        settings: &SimultaneousSettings,
        rng: &mut Rng,
    ) -> f64 {
        let decay = self.scores.decay();
        let (mut at, mut best, mut weight) = (from, 0.0, 1.0);
        for _ in 0..settings.roll_out_bound {
            self.expand(at, game, rng);
            if self.ends(at, guide) {
                break;
            }
            let choices = self.chart.choices(at);
            let Some(choice) = rng.pick(choices) else { break };
            let Some(answer) = rng.pick(self.chart.answers(choice)) else { break };
            if answer.to == Chart::BEYOND {
                break;
            }
            at = answer.to;
            weight *= decay;
            best = f64::max(best, weight * self.scores.of(at, &self.chart, guide));
        }
        best
    }

    /// Whether a goal or a terminal state is here, or nothing is known of what comes next.
    fn ends(&mut self, at: u32, guide: &dyn Guide) -> bool {
        !self.chart.is_known(at)
            || self.scores.of(at, &self.chart, guide) >= 1.0
            || self.chart.is_terminal(at)
    }

    #[inline]
    fn expand(&mut self, at: u32, game: &dyn Game, rng: &mut Rng) {
        if self.chart.is_unknown(at) {
            Arc::make_mut(&mut self.chart).expand(at, game, rng);
        }
    }

    fn node(&mut self, at: u32, settings: &SimultaneousSettings, rng: &mut Rng) -> Option<u32> {
        let place = at as usize;
        if place >= self.nodes_of.len() {
            self.nodes_of.resize(self.chart.len().max(place + 1), NONE);
        }
        if self.nodes_of[place] == NONE {
            if self.nodes.len() >= self.most {
                return None;
            }
            let keeps_pairs = settings.selection == Selection::RegretMatching;
            self.nodes_of[place] = self.nodes.len() as u32;
            self.nodes.push(Node::new(&self.chart, at, keeps_pairs, rng));
        }
        Some(self.nodes_of[place])
    }

    fn leads_to(&mut self, place: u32) {
        let place = place as usize;
        if place >= self.led_to.len() {
            self.led_to.resize(self.chart.len().max(place + 1), false);
        }
        self.met += usize::from(!std::mem::replace(&mut self.led_to[place], true));
    }

    /// The best input of a state; none where the search tried nothing there.
    pub(in crate::strategy) fn best(
        &self,
        at: State,
        settings: &SimultaneousSettings,
        rng: &mut Rng,
    ) -> Option<Letter> {
        let place = self.chart.place(at)?;
        let node = *self.nodes_of.get(place as usize).filter(|&&node| node != NONE)?;
        let input =
            settings.best(&self.nodes[node as usize], &self.chart, place, place == self.start, rng)?;
        Some(self.chart.letter(self.chart.choices(place)[input].input))
    }

    pub(in crate::strategy) fn memory(&self) -> usize {
        self.chart.memory()
            + self.scores.memory()
            + self.nodes_of.capacity() * size_of::<u32>()
            + self.led_to.capacity()
            + self.nodes.iter().map(Node::memory).sum::<usize>()
            + self.path.capacity() * size_of::<Move>()
    }
}
