//! The way to one state of a game that is written down: exact, and cheap enough to be made for each of 846 goals.

use std::sync::Arc;

use provoke::game::chart::{Answer, Backward, Chart, Forced, NEVER};
use provoke::game::{Guide, State, Tier};
use provoke::letter::{Letter, LetterSet, LetterSets};

/// The way to one place of a chart. The rank is 0 where the goal can be forced, and 1 elsewhere.
pub struct Towards {
    chart: Arc<Chart>,
    goal: u32,
    distances: Vec<u32>,
    forced: Vec<Option<Forced>>,
    bits: usize,
    sets: LetterSets,
}

impl Towards {
    /// Towards this place; letters of inputs have so many bits.
    pub fn new(chart: Arc<Chart>, backward: &Backward, goal: u32, bits: usize) -> Towards {
        let (distances, _) = backward.distances(&[goal], usize::MAX);
        let forced = backward.forced(&chart, &[goal]);
        Towards { chart, goal, distances, forced, bits, sets: LetterSets::new() }
    }

    /// The place.
    pub fn goal(&self) -> u32 {
        self.goal
    }

    fn kept(&self, place: u32, wanted: impl Fn(&[Answer]) -> bool) -> &LetterSet {
        let choices = self.chart.choices(place).iter();
        let leads = choices.filter(|choice| {
            let answers = self.chart.answers(choice);
            !answers.is_empty() && wanted(answers)
        });
        let letters: Vec<Letter> = leads.map(|choice| self.chart.letter(choice.input)).collect();
        self.sets.keep(LetterSet::of(self.bits, &letters))
    }
}

impl Guide for Towards {
    fn reached(&self, at: State) -> bool {
        self.chart.place(at) == Some(self.goal)
    }

    fn distance(&self, at: State) -> Option<u32> {
        let place = self.chart.place(at)?;
        Some(self.distances[place as usize]).filter(|&distance| distance != NEVER)
    }

    fn rank(&self, at: State) -> Option<u32> {
        let place = self.chart.place(at)?;
        self.distance(at).map(|_| u32::from(self.forced[place as usize].is_none()))
    }

    fn inputs(&self, at: State, tier: Tier) -> &LetterSet {
        let Some(place) = self.chart.place(at) else { return self.sets.keep(LetterSet::empty()) };
        let steps = |to: u32| self.forced[to as usize].map_or(NEVER, |forced| forced.steps);
        let (distance, own) = (self.distances[place as usize], steps(place));
        let is_forced = own != NEVER;
        match tier {
            Tier::Forcing => {
                self.kept(place, |answers| is_forced && answers.iter().all(|answer| steps(answer.to) < own))
            }
            Tier::Helpful => self.kept(place, |answers| {
                !is_forced && answers.iter().any(|answer| self.distances[answer.to as usize] < distance)
            }),
            Tier::Hopeful => self.kept(place, |answers| {
                answers.iter().any(|answer| self.distances[answer.to as usize] != NEVER)
            }),
        }
    }

    fn farthest(&self) -> Option<u32> {
        self.distances.iter().copied().filter(|&distance| distance != NEVER).max()
    }
}
