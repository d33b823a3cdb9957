//! Guidance where requirements are model programs: the game is unfolded as it is met.

use std::sync::Arc;

use super::{Demand, Goal, Guidance, GuidanceError, Inside, Model, Objective, Specification};
use crate::automaton::Automaton;
use crate::coverage::{Coverage, Walked};
use crate::game::unfolded::{Lookahead, MOST_STATES, Unfolded};
use crate::game::{Guide, State, Unguided};
use crate::letter::Idle;
use crate::trace::RequirementNumber;

impl Specification {
    /// The letters for doing nothing, where there are model programs that were not written down.
    pub(super) fn plays_programs(&self) -> Option<Idle> {
        let is_unfolded = |demand: &Demand| matches!(demand.model, Model::Program(_));
        self.idle.filter(|_| self.requirements.iter().any(|requirement| is_unfolded(&requirement.demand)))
    }

    /// The game of all model programs, with the way to an objective as far as one can see.
    pub(super) fn unfold(
        &self,
        idle: Idle,
        objective: Option<&Objective>,
    ) -> Result<Guidance, GuidanceError> {
        let is_program = |number: &RequirementNumber| self.requirement(*number).demand.program.is_some();
        let (mut requirements, automata): (Vec<_>, Vec<_>) = self.numbers().partition(is_program);
        let start = Unfolded::new(self.interface(), idle, self.system.protocol.conflict, MOST_STATES);
        let game = self.programs().fold(start, |game, model| model.clone().play(game));
        let watching: Vec<(Arc<Automaton>, Vec<u32>)> = match objective.map(|objective| &objective.goal) {
            Some(Goal::Purpose(purpose)) => {
                let states = purpose.states.iter().zip(0..).filter(|(state, _)| state.marks != 0);
                vec![(purpose.clone(), states.map(|(_, at)| at).collect())]
            }
            Some(Goal::States(places)) => {
                let automaton = |at: &RequirementNumber| self.requirement(*at).demand.automaton().cloned();
                places.iter().filter_map(|(at, states)| Some((automaton(at)?, states.clone()))).collect()
            }
            Some(Goal::Violation(_) | Goal::Cover(..) | Goal::Holds(..)) | None => Vec::new(),
        };
        let watched = watching.iter().fold(game, |game, (automaton, _)| game.watched_by(automaton));
        // What else is required bends the way to an objective; where there is none, every step would pay for it.
        let required = if objective.is_some() { &automata[..] } else { &[] };
        let required = required.iter().filter_map(|&at| Some((at, self.requirement(at).demand.automaton()?)));
        let game = required.fold(watched, |game, (at, automaton)| {
            requirements.push(at);
            game.required_by(automaton)
        });
        let game = Arc::new(game);
        let cover = objective.and_then(Objective::covers);
        let coverage = cover.map(|cover| {
            let ground = Walked::new(game.clone(), cover);
            Arc::new(Coverage::new(cover, game.clone(), Box::new(ground)))
        });
        let guide: Arc<dyn Guide> = match objective.map(|objective| &objective.goal) {
            // Programs are about labels and circuits about signals: they do not meet.
            None | Some(Goal::Cover(..) | Goal::Holds(..)) => match &coverage {
                Some(coverage) => coverage.clone(),
                None => Arc::new(Unguided(game.clone())),
            },
            Some(Goal::Violation(requirement)) => {
                Arc::new(Lookahead::towards_violating(game.clone(), *requirement))
            }
            Some(Goal::Purpose(_) | Goal::States(_)) => {
                let wanted: Vec<Vec<u32>> = watching.into_iter().map(|(_, states)| states).collect();
                let watched = game.clone();
                let is_there = move |at: State| {
                    let here = |(place, states): (usize, &Vec<u32>)| {
                        watched.watched(at, place).is_some_and(|state| states.contains(&state))
                    };
                    wanted.iter().enumerate().all(here)
                };
                Arc::new(Lookahead::new(game.clone(), is_there))
            }
        };
        let inside = Inside::Unfolded(game.clone());
        let (left_out, notes) = (Vec::new(), Vec::new());
        Ok(Guidance { game, guide, coverage, inside, gate: self.gate()?, requirements, left_out, notes })
    }
}
