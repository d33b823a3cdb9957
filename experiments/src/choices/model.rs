//! The table as a model program.

use std::collections::BTreeMap;

use provoke::action::{Direction, ModelProgram};

use super::application::State;

/// A table of states; an action is the number of a label.
pub(super) struct Table {
    labels: Vec<(String, Direction)>,
    /// For each state, for each of its actions, where it leads.
    moves: Vec<Vec<(u32, u32)>>,
    quiet: Vec<u32>,
}

impl Table {
    pub(super) fn new(states: &[State]) -> Table {
        let mut labels: Vec<(String, Direction)> = Vec::new();
        let mut numbers: BTreeMap<String, u32> = BTreeMap::new();
        let mut number = |label: &String, direction| {
            *numbers.entry(label.clone()).or_insert_with(|| {
                labels.push((label.clone(), direction));
                labels.len() as u32 - 1
            })
        };
        let moves = states
            .iter()
            .map(|state| {
                let inputs = state.inputs.iter().map(|one| (one, Direction::Controllable));
                let outputs = state.outputs.iter().map(|one| (one, Direction::Observable));
                let all = inputs.chain(outputs);
                all.map(|((label, to), direction)| (number(label, direction), *to as u32)).collect()
            })
            .collect();
        let quiet = states.iter().map(|state| state.quiet as u32).collect();
        Table { labels, moves, quiet }
    }
}

impl ModelProgram for Table {
    type State = u32;
    type Action = u32;

    fn symbols(&self) -> Vec<(String, Direction)> {
        self.labels.clone()
    }

    fn initial(&self) -> u32 {
        0
    }

    fn enabled(&self, direction: Direction, state: &u32, actions: &mut Vec<u32>) {
        let of = |action: &u32| self.labels[*action as usize].1 == direction;
        actions.extend(self.moves[*state as usize].iter().map(|(action, _)| *action).filter(of));
    }

    fn step(&self, state: &u32, action: &u32) -> Option<u32> {
        self.moves[*state as usize].iter().find(|(known, _)| known == action).map(|(_, to)| *to)
    }

    fn silence(&self, state: &u32) -> Option<u32> {
        Some(self.quiet[*state as usize])
    }

    fn show(&self, action: &u32) -> String {
        self.labels[*action as usize].0.clone()
    }

    fn read(&self, text: &str) -> Option<u32> {
        self.labels.iter().position(|(label, _)| label == text).map(|at| at as u32)
    }
}
