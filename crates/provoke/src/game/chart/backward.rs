//! A chart read backwards: which choices lead to a state.

use super::Chart;

/// Stands for "never" in distances.
pub const NEVER: u32 = u32::MAX;

/// For each state of a chart, the choices with an answer that leads there.
#[derive(Clone, Debug)]
pub struct Backward {
    /// Those of a place are `into[first[place]..first[place + 1]]`, one entry an answer.
    first: Vec<u32>,
    into: Vec<u32>,
    /// For each choice the place it is made in.
    owners: Vec<u32>,
}

impl Backward {
    /// Reads a chart backwards, as far as it is written.
    pub fn of(chart: &Chart) -> Backward {
        let places = 0..chart.len() as u32;
        let mut first = vec![0u32; chart.len() + 1];
        let mut owners = vec![0; chart.choices_in_all()];
        for place in places.clone() {
            for (number, choice) in chart.choice_numbers(place).zip(chart.choices(place)) {
                owners[number] = place;
                let inside = chart.answers(choice).iter().filter(|answer| answer.to != Chart::BEYOND);
                inside.for_each(|answer| first[answer.to as usize + 1] += 1);
            }
        }
        for place in 1..first.len() {
            first[place] += first[place - 1];
        }
        let mut into = vec![0; first.last().map_or(0, |&all| all as usize)];
        let mut next = first.clone();
        for place in places {
            for (number, choice) in chart.choice_numbers(place).zip(chart.choices(place)) {
                for answer in chart.answers(choice).iter().filter(|answer| answer.to != Chart::BEYOND) {
                    into[next[answer.to as usize] as usize] = number as u32;
                    next[answer.to as usize] += 1;
                }
            }
        }
        Backward { first, into, owners }
    }

    /// The numbers of the choices with an answer that leads here; one with several such answers stands there as often.
    #[inline]
    pub fn into(&self, place: u32) -> &[u32] {
        &self.into[self.first[place as usize] as usize..self.first[place as usize + 1] as usize]
    }

    /// The place in which a choice is made.
    #[inline]
    pub fn owner(&self, choice: u32) -> u32 {
        self.owners[choice as usize]
    }

    /// For each state the steps to the nearest goal with a system that helps; and the states from which there is a way, the
    /// nearest first. At most so many of them.
    pub fn distances(&self, goals: &[u32], most: usize) -> (Vec<u32>, Vec<u32>) {
        let mut distances = vec![NEVER; self.first.len() - 1];
        let mut order = Vec::new();
        for &goal in goals.iter().take(most) {
            distances[goal as usize] = 0;
            order.push(goal);
        }
        let mut at = 0;
        while at < order.len() {
            let place = order[at];
            for &choice in self.into(place) {
                let from = self.owner(choice);
                if distances[from as usize] == NEVER && order.len() < most {
                    distances[from as usize] = distances[place as usize] + 1;
                    order.push(from);
                }
            }
            at += 1;
        }
        (distances, order)
    }

    /// For each state the steps in which the tester can force a goal, whatever is answered; and the choice that does.
    pub fn forced(&self, chart: &Chart, goals: &[u32]) -> Vec<Option<Forced>> {
        let mut left: Vec<u32> = vec![0; self.owners.len()];
        let mut forced: Vec<Option<Forced>> = vec![None; self.first.len() - 1];
        let mut order: Vec<u32> = goals.to_vec();
        goals.iter().for_each(|&goal| forced[goal as usize] = Some(Forced { steps: 0, choice: NEVER }));
        let mut at = 0;
        while at < order.len() {
            let place = order[at];
            let steps = forced[place as usize].map_or(0, |forced| forced.steps) + 1;
            for &choice in self.into(place) {
                left[choice as usize] += 1;
                let from = self.owner(choice) as usize;
                let all = chart.answers(chart.choice(choice)).len() as u32;
                if left[choice as usize] == all && forced[from].is_none() {
                    forced[from] = Some(Forced { steps, choice });
                    order.push(from as u32);
                }
            }
            at += 1;
        }
        forced
    }

    /// How much memory it takes, in bytes.
    pub fn memory(&self) -> usize {
        (self.first.capacity() + self.into.capacity() + self.owners.capacity()) * size_of::<u32>()
    }
}

/// How a goal is forced from a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forced {
    /// In so many steps at most; 0 at a goal.
    pub steps: u32,
    /// The number of the choice that does; [`NEVER`] at a goal.
    pub choice: u32,
}
