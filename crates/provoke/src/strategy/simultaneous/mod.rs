//! Simultaneous-move Monte Carlo tree search: paper 4, section 6.2.

mod regret;
mod score;
mod search;
mod select;
#[cfg(test)]
mod tests;
mod tree;

use std::sync::Arc;

use super::{Strategy, Uniform, View};
use crate::game::chart::Chart;
use crate::game::{Game, Guide};
use crate::letter::{Idle, Letter};
use crate::rng::Rng;
use crate::trace::RunEnd;

pub use score::Score;
pub(super) use score::Scores;
pub use search::Search;
pub use select::Selection;

/// How much is searched, and how.
#[derive(Clone, Copy, Debug)]
pub struct SimultaneousSettings {
    /// The most steps of a roll-out.
    pub roll_out_bound: u32,
    /// The most steps through the tree.
    pub depth: u32,
    /// How often the search goes from the start to a leaf before a run.
    pub iterations: u32,
    /// How an exchange is picked in the tree.
    pub selection: Selection,
    /// The constant of [`Selection::Duct`].
    pub exploration: f64,
    /// What a state is worth.
    pub score: Score,
    /// Whether any input that does something is preferred to waiting, once the search is over (SM-MCTS_mu).
    pub prefer_acting: bool,
    /// The letters for doing nothing, where there are some.
    pub idle: Option<Idle>,
    /// The most states that are remembered.
    pub nodes: usize,
}

/// Searches before it plays: many times from the start of the game through a tree of exchanges, at random from its leaves
/// on, and the scores that were met are averaged into the exchanges on the way. Then it sends the best input of every
/// state in the tree; in others it is undefined, and the run ends.
///
/// This is Algorithm 2 of paper 4: states are nodes of a graph, not of a tree, and each is there once; a search ends at goals and
/// at terminal states; waiting in the first state always scores 0. Departures: which untried exchange of a state comes
/// first is drawn; a run that did not arrive is followed by as many iterations more, so that later runs know more (the
/// paper runs each strategy once). Where a violation is wanted, or nothing, there is nothing to search for, and every hopeful input
/// is as good as any other.
pub struct Simultaneous {
    settings: SimultaneousSettings,
    chart: Option<Arc<Chart>>,
    search: Option<Search>,
    /// Whether the search shall go on before the next run.
    is_due: bool,
}

impl Simultaneous {
    /// A search that has not begun.
    pub fn new(settings: SimultaneousSettings) -> Simultaneous {
        Simultaneous { settings, chart: None, search: None, is_due: true }
    }

    /// A search in a game that is written down already, which many searches may share.
    pub fn on(chart: Arc<Chart>, settings: SimultaneousSettings) -> Simultaneous {
        Simultaneous { chart: Some(chart), ..Simultaneous::new(settings) }
    }

    /// Searches, unless that is done: the creation of the strategy.
    pub fn create(&mut self, game: &dyn Game, guide: &dyn Guide, rng: &mut Rng) {
        if !std::mem::take(&mut self.is_due) {
            return;
        }
        let search = self.search.get_or_insert_with(|| {
            let settings = &self.settings;
            let chart = self.chart.take().unwrap_or_else(|| match settings.score {
                // How near a goal is can be said only of a game that is known.
                Score::Proximity => Arc::new(Chart::of(game, settings.nodes, rng)),
                Score::Goal | Score::Specification => Arc::new(Chart::new(settings.nodes)),
            });
            let scores = Scores::new(settings.score, &chart, guide);
            Search::new(chart, scores, game.initial(), settings)
        });
        for _ in 0..self.settings.iterations {
            search.iterate(game, guide, &self.settings, rng);
        }
    }

    /// The search, once it has begun.
    pub fn search(&self) -> Option<&Search> {
        self.search.as_ref()
    }
}

impl Strategy for Simultaneous {
    fn turn_to(&mut self, _game: &dyn Game, _guide: &dyn Guide) {
        *self = Simultaneous::new(self.settings);
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if !view.guide.is_about_states() {
            return Uniform.choose(view, rng);
        }
        if view.trace.is_empty() {
            self.create(view.game, view.guide, rng);
        }
        self.search.as_ref()?.best(view.at, &self.settings, rng)
    }

    fn end_run(&mut self, _end: &RunEnd, _last: &View<'_>) {
        self.is_due = true;
    }

    fn memory(&self) -> usize {
        self.search.as_ref().map_or(0, Search::memory)
    }
}
