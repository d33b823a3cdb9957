//! Monte Carlo tree search, as published and with scaled values.

mod tree;
mod value;

use self::tree::Tree;
use self::value::Valuation;
use super::{Strategy, View};
use crate::game::{Game, Guide, Tier};
use crate::letter::{Letter, LetterSet};
use crate::rng::Rng;
use crate::trace::{RunEnd, Step};

pub use value::Reward;

/// What a [`Mcts`] is set to.
#[derive(Clone, Debug)]
pub struct MctsSettings {
    /// What a run is worth.
    pub reward: Reward,
    /// The discount of [`Reward::Discounted`], in (0, 1).
    pub gamma: f64,
    /// The constant of UCT: how much rarely tried inputs are favoured. At 0 the search is no longer complete.
    pub exploration: f64,
    /// Whether the values of a place's inputs are scaled so that the worst is 1 above the best. The constant c then
    /// means the same everywhere: in n visits the worst input is tried about c^2 ln n times, wherever the
    /// place is and whatever the distances are.
    pub scaled: bool,
    /// For how many visits of a place only greedy inputs are tried there (M in paper 1); 0 for none.
    pub greedy_visits: u32,
    /// Where there are more inputs than this, a new one is tried only when the place has been visited as
    /// often as the square of the number tried: the tree gets deep although it can never be broad enough.
    pub broad: u64,
    /// The most nodes the tree may have; beyond them it learns, but grows no more.
    pub nodes: usize,
}

/// Monte Carlo tree search: a tree of what has been tried, a roll-out beyond it, one run a playout.
///
/// Paper 1, sections 4.2 and 5.5: selection by UCT for minimisation, expansion by one input, simulation by a
/// roll-out strategy, propagation of the run's value. A run that ends with a violation is worth as much as one that reached
/// the objective where that violation is the objective, and as little as one that lost it otherwise. Inputs from which the objective cannot be reached are never
/// sent. Departures: K bounds the whole run, not the roll-out alone; children are kept by input and then by
/// answer, so that a system need not be deterministic (section 5.6); an alphabet that is too large to be
/// tried one by one is widened progressively (Couetoux et al. 2011).
pub struct Mcts {
    roll_out: Box<dyn Strategy>,
    settings: MctsSettings,
    tree: Tree,
    /// The inputs of this run that are in the tree.
    path: Vec<u32>,
    within: Within,
    valuation: Valuation,
    steps: u32,
    observed: usize,
}

/// Where a run is, seen from the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Within {
    /// At a place of the tree.
    Place(u32),
    /// After an input of the tree, waiting for the answer.
    Move(u32),
    /// Beyond the tree.
    RollOut,
}

impl Mcts {
    /// A search that knows nothing yet.
    pub fn new(roll_out: Box<dyn Strategy>, settings: MctsSettings) -> Mcts {
        let valuation = Valuation::new(settings.reward, settings.gamma);
        let tree = Tree::new(settings.nodes);
        let within = Within::Place(0);
        Mcts { roll_out, settings, tree, path: Vec::new(), within, valuation, steps: 0, observed: 0 }
    }

    /// How many places and inputs the tree holds.
    pub fn nodes(&self) -> usize {
        self.tree.nodes()
    }

    /// A step led to this distance; where it was a step of the tree, the roll-out begins there at the earliest.
    #[inline]
    fn see(&mut self, distance: Option<u32>, in_tree: bool) {
        if in_tree {
            self.valuation.begin_roll_out();
        }
        self.valuation.see(distance);
    }

    /// Selection, or expansion where an input is left to be tried.
    fn descend(&mut self, place: u32, view: &View<'_>, rng: &mut Rng) -> Option<u32> {
        let known = *self.tree.place(place);
        self.tree.place_mut(place).visits += 1;
        let greedy = known.visits < self.settings.greedy_visits;
        let (guide, at) = (view.guide, view.at);
        let inputs = if greedy { guide.greedy_inputs(at) } else { guide.inputs(at, Tier::Hopeful) };
        if self.may_widen(known.tried, known.visits, inputs)
            && let Some(input) = self.untried(place, inputs, rng)
        {
            return Some(self.tree.add_move(place, input));
        }
        self.best_move(place, known.visits + 1)
    }

    fn may_widen(&self, tried: u32, visits: u32, inputs: &LetterSet) -> bool {
        if !self.tree.has_room() {
            return false;
        }
        match inputs.count().to_u64() {
            Some(count) if count <= self.settings.broad => u64::from(tried) < count,
            _ => u64::from(tried) * u64::from(tried) <= u64::from(visits),
        }
    }

    /// One of the inputs that have not been tried from the place, each with the same chance.
    fn untried(&self, place: u32, inputs: &LetterSet, rng: &mut Rng) -> Option<Letter> {
        let input = inputs.sample(rng)?;
        if !self.tree.has_tried(place, input) {
            return Some(input);
        }
        let mut left = inputs.clone();
        for (tried, _) in self.tree.moves(place) {
            left.remove(self.tree.input(tried));
        }
        left.sample(rng)
    }

    /// UCT for minimisation: r - c sqrt(ln n / n_i).
    fn best_move(&self, place: u32, visits: u32) -> Option<u32> {
        let log = f64::from(visits).ln();
        let bonus = |tried: u32| self.settings.exploration * (log / f64::from(tried.max(1))).sqrt();
        let scale = if self.settings.scaled { self.scale(place) } else { 1.0 };
        let scored =
            self.tree.moves(place).map(|(number, tried)| (tried.value * scale - bonus(tried.visits), number));
        scored.reduce(|best, other| if other.0 < best.0 { other } else { best }).map(|(_, number)| number)
    }

    /// What makes the values at a place lie at most 1 apart. Values that differ by rounding alone are the same: scaled
    /// up, the last digit would decide everything.
    fn scale(&self, place: u32) -> f64 {
        let range = |(low, high): (f64, f64), value: f64| (low.min(value), high.max(value));
        let values = self.tree.moves(place).map(|(_, tried)| tried.value);
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), range);
        if high - low > 1e-9 * high.abs() { 1.0 / (high - low) } else { 1.0 }
    }
}

impl Strategy for Mcts {
    /// What its tree holds are values of runs, and these were about something else.
    fn turn_to(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.tree = Tree::new(self.settings.nodes);
        self.valuation = Valuation::new(self.settings.reward, self.settings.gamma);
        self.roll_out.turn_to(game, guide);
    }

    fn look_anew(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.turn_to(game, guide);
    }

    fn begin_run(&mut self, run: u64, steps: u32) -> bool {
        (self.steps, self.observed) = (steps, 0);
        self.path.clear();
        self.within = Within::Place(0);
        self.roll_out.begin_run(run, steps)
    }

    #[inline]
    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if view.trace.is_empty() {
            self.valuation.begin(view.guide.farthest());
        }
        // As somebody's roll-out it is first asked in the middle of a run, where its tree knows nothing.
        if self.within == Within::Place(0) && !view.trace.is_empty() {
            self.within = Within::RollOut;
        }
        if let Within::Place(place) = self.within {
            if let Some(chosen) = self.descend(place, view, rng) {
                self.path.push(chosen);
                self.within = Within::Move(chosen);
                return Some(self.tree.input(chosen));
            }
            self.within = Within::RollOut;
        }
        self.roll_out.choose(view, rng)
    }

    #[inline]
    fn observe(&mut self, step: &Step, now: &View<'_>) {
        self.observed += 1;
        let in_tree = self.within != Within::RollOut;
        if let Within::Move(chosen) = self.within {
            self.within = match self.tree.find_place(chosen, step.output) {
                Some(place) => Within::Place(place),
                None => {
                    // With a full tree, an answer that differs from last time is not remembered.
                    if self.tree.has_room() || self.tree.move_mut(chosen).visits == 0 {
                        self.tree.add_place(chosen, step.output);
                    }
                    Within::RollOut
                }
            };
        }
        self.see(now.guide.distance(now.at), in_tree);
        self.roll_out.observe(step, now);
    }

    fn end_run(&mut self, end: &RunEnd, last: &View<'_>) {
        if self.observed < last.trace.len() {
            // The last step ended the game: in vain, unless the violation was the objective.
            let reached =
                matches!(end, RunEnd::Violated(violated) if last.guide.reached_by_violating(*violated));
            self.see(reached.then_some(0), self.within != Within::RollOut);
        }
        let value = self.valuation.value(self.steps);
        for &chosen in &self.path {
            let node = self.tree.move_mut(chosen);
            node.visits += 1;
            node.value += (value - node.value) / f64::from(node.visits);
        }
        self.roll_out.end_run(end, last);
    }

    fn memory(&self) -> usize {
        self.tree.memory() + self.path.capacity() * size_of::<u32>() + self.roll_out.memory()
    }
}
