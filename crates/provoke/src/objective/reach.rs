//! Goals of games: test purposes, states of requirements, violations that are wanted.

use std::sync::Arc;

use super::{Arena, Now, Objective, Progress};
use crate::game::{Game, Guide, Next, State};
use crate::monitor::Judge;
use crate::trace::{RequirementNumber, Step};

/// Goals to be reached, one or many, each solved on its arena.
///
/// They are pursued in their order, and all are followed all the time: a goal that is passed on the way to another one is
/// covered. Goals that share an arena share the position in it.
pub struct Reach {
    games: Vec<Position>,
    goals: Vec<Goal>,
    /// The first goal that is neither covered nor given up.
    pursued: usize,
}

struct Position {
    game: Arc<dyn Game>,
    /// Where the run is; none once it has left the arena.
    at: Option<State>,
}

struct Goal {
    position: usize,
    guide: Arc<dyn Guide>,
    covered: bool,
    /// Not pursued any more; covered all the same if it is passed.
    given_up: bool,
}

impl Reach {
    /// One goal.
    pub fn one(game: Arc<dyn Game>, guide: Arc<dyn Guide>) -> Reach {
        Reach::all([(game, guide)])
    }

    /// Several goals, in the order in which they are pursued; there must be at least one.
    pub fn all(goals: impl IntoIterator<Item = (Arc<dyn Game>, Arc<dyn Guide>)>) -> Reach {
        let mut games: Vec<Position> = Vec::new();
        let mut goal = |(game, guide): (Arc<dyn Game>, Arc<dyn Guide>)| {
            let known = games.iter().position(|known| Arc::ptr_eq(&known.game, &game));
            let position = known.unwrap_or(games.len());
            if known.is_none() {
                games.push(Position { at: Some(game.initial()), game });
            }
            Goal { position, guide, covered: false, given_up: false }
        };
        let goals: Vec<Goal> = goals.into_iter().map(&mut goal).collect();
        assert!(!goals.is_empty(), "there must be a goal");
        Reach { games, goals, pursued: 0 }
    }

    #[inline]
    fn stands(&self) -> Now {
        let Goal { position, guide, .. } = &self.goals[self.pursued];
        let Some(at) = self.games[*position].at else {
            return Now { at: State(0), progress: Progress::Over };
        };
        let progress = match guide.distance(at) {
            Some(0) => Progress::Covered,
            Some(distance) => Progress::Open(distance),
            None if guide.rank(at) == Some(0) => Progress::Cornered,
            None => Progress::Lost,
        };
        Now { at, progress }
    }

    /// Whether the goal is reached here and now, and was not before.
    fn is_reached(&self, goal: &Goal) -> bool {
        !goal.covered && self.games[goal.position].at.is_some_and(|at| goal.guide.reached(at))
    }

    fn cover_all(&mut self, places: Vec<usize>) -> Vec<usize> {
        places.iter().for_each(|&place| self.goals[place].covered = true);
        places
    }

    fn next(&self) -> Option<usize> {
        self.goals.iter().position(|goal| !goal.covered && !goal.given_up)
    }
}

impl Objective for Reach {
    fn len(&self) -> usize {
        self.goals.len()
    }

    fn pursue(&mut self, _judge: &mut Judge) -> Option<usize> {
        let next = self.next();
        self.pursued = next.unwrap_or(self.pursued);
        next
    }

    fn arena(&self) -> Arena {
        let Goal { position, guide, .. } = &self.goals[self.pursued];
        Arena { game: self.games[*position].game.clone(), guide: guide.clone() }
    }

    fn begin_run(&mut self, _judge: &mut Judge) -> Now {
        self.games.iter_mut().for_each(|position| position.at = Some(position.game.initial()));
        self.stands()
    }

    #[inline]
    fn saw(&mut self, step: &Step, _judge: &mut Judge) -> Now {
        for Position { game, at } in &mut self.games {
            *at = match at.map(|at| game.next(at, step.input, step.output)) {
                Some(Next::To(next)) => Some(next),
                Some(Next::Violates(_) | Next::Unfair) | None => None,
            };
        }
        self.stands()
    }

    fn passes(&self) -> bool {
        self.goals.iter().any(|goal| self.is_reached(goal))
    }

    fn cover(&mut self) -> Vec<usize> {
        let reached = (0..self.goals.len()).filter(|&place| self.is_reached(&self.goals[place])).collect();
        self.cover_all(reached)
    }

    fn cover_violation(&mut self, requirement: RequirementNumber) -> Vec<usize> {
        let wanted = |goal: &Goal| !goal.covered && goal.guide.reached_by_violating(requirement);
        let wanted = (0..self.goals.len()).filter(|&place| wanted(&self.goals[place])).collect();
        self.cover_all(wanted)
    }

    fn doubt_violation(&mut self, requirement: RequirementNumber) -> Vec<usize> {
        let doubted = |goal: &Goal| goal.covered && goal.guide.reached_by_violating(requirement);
        let doubted: Vec<usize> =
            (0..self.goals.len()).filter(|&place| doubted(&self.goals[place])).collect();
        doubted.iter().for_each(|&place| self.goals[place].covered = false);
        doubted
    }

    fn give_up(&mut self) {
        if let Some(place) = self.next() {
            self.goals[place].given_up = true;
        }
    }
}
