//! Which exchange the search follows next, and which input is played in the end.

use super::SimultaneousSettings;
use super::tree::Node;
use crate::game::chart::Chart;
use crate::letter::Letter;
use crate::rng::Rng;

/// How the search picks an exchange in a state where all were tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// Each side takes what has the best average score, and chance decides among several: what paper 4, section 6.2.2,
    /// describes. Both sides want the same, so the system is taken to help.
    #[default]
    BestAverage,
    /// Decoupled UCT: each side takes what has the highest upper confidence bound. The system is taken to want the opposite, as in
    /// the games that it was made for.
    Duct,
    /// Regret matching, the proposal of section 6.2.3: an input is drawn the more often the more it was missed. Every answer is as likely as any other.
    RegretMatching,
}

impl SimultaneousSettings {
    /// The next exchange: places of input and answer.
    pub(super) fn select(
        &self,
        node: &Node,
        chart: &Chart,
        at: u32,
        is_start: bool,
        rng: &mut Rng,
    ) -> Option<(usize, usize)> {
        let choices = chart.choices(at);
        let has_answer = |input: usize| !chart.answers(&choices[input]).is_empty();
        let inputs = (0..choices.len()).filter(|&input| has_answer(input));
        let waits = |input: usize| is_start && self.is_wait(chart.letter(choices[input].input));
        let input = match self.selection {
            Selection::BestAverage => highest(
                inputs.map(|input| (input, if waits(input) { 0.0 } else { node.inputs[input].average() })),
                rng,
            )?,
            Selection::Duct => {
                let visits: u32 = node.inputs.iter().map(|tried| tried.visits).sum();
                let bound = |input: usize| {
                    let average = if waits(input) { 0.0 } else { node.inputs[input].average() };
                    average + self.bonus(visits, node.inputs[input].visits)
                };
                highest(inputs.map(|input| (input, bound(input))), rng)?
            }
            Selection::RegretMatching => node.mixed(rng).filter(|&input| has_answer(input))?,
        };
        let answers = chart.answers(&choices[input]);
        let outputs = answers.iter().enumerate();
        let answer = match self.selection {
            Selection::BestAverage => {
                highest(outputs.map(|(place, answer)| (place, node.output(answer.output).average())), rng)?
            }
            Selection::Duct => {
                let visits: u32 = outputs.clone().map(|(_, answer)| node.output(answer.output).visits).sum();
                let bound = |letter| {
                    let tried = node.output(letter);
                    self.bonus(visits, tried.visits) - tried.average()
                };
                highest(outputs.map(|(place, answer)| (place, bound(answer.output))), rng)?
            }
            Selection::RegretMatching => rng.index(answers.len()),
        };
        Some((input, answer))
    }

    /// What is played: the best input that was tried.
    pub(super) fn best(
        &self,
        node: &Node,
        chart: &Chart,
        at: u32,
        is_start: bool,
        rng: &mut Rng,
    ) -> Option<usize> {
        let choices = chart.choices(at);
        let waits = |input: usize| self.is_wait(chart.letter(choices[input].input));
        let tried = |input: &usize| node.inputs[*input].visits > 0;
        let worth = |input: usize| match self.selection {
            _ if is_start && waits(input) => 0.0,
            Selection::RegretMatching => node.share(input),
            Selection::BestAverage | Selection::Duct => node.inputs[input].average(),
        };
        let all = (0..choices.len()).filter(tried);
        if self.selection == Selection::RegretMatching {
            return mixed(all.map(|input| (input, worth(input))).collect(), rng);
        }
        if self.prefer_acting {
            let acting = all.clone().filter(|&input| !waits(input));
            let best = highest(acting.map(|input| (input, worth(input))), rng);
            if best.is_some() {
                return best;
            }
        }
        highest(all.map(|input| (input, worth(input))), rng)
    }

    fn is_wait(&self, letter: Letter) -> bool {
        self.idle.is_some_and(|idle| idle.wait == letter)
    }

    fn bonus(&self, all: u32, visits: u32) -> f64 {
        self.exploration * (f64::from(all.max(1)).ln() / f64::from(visits.max(1))).sqrt()
    }
}

/// One of those with at least half of the highest number, by their numbers: a mixed strategy without what it hardly plays.
fn mixed(items: Vec<(usize, f64)>, rng: &mut Rng) -> Option<usize> {
    let most = items.iter().map(|(_, number)| *number).fold(0.0, f64::max);
    let likely: Vec<(usize, f64)> = items.into_iter().filter(|(_, number)| 2.0 * number >= most).collect();
    let mut left = rng.unit() * likely.iter().map(|(_, number)| number).sum::<f64>();
    let reached = |(_, number): &&(usize, f64)| {
        left -= number;
        left < 0.0
    };
    likely.iter().find(reached).or(rng.pick(&likely)).map(|(item, _)| *item)
}

/// The one with the highest number; chance decides among several.
fn highest(items: impl Iterator<Item = (usize, f64)>, rng: &mut Rng) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    let mut ties = 0;
    for (item, number) in items {
        match best {
            Some((_, known)) if number < known => {}
            Some((_, known)) if number == known => {
                ties += 1;
                if rng.below(ties) == 0 {
                    best = Some((item, number));
                }
            }
            _ => (best, ties) = (Some((item, number)), 1),
        }
    }
    best.map(|(item, _)| item)
}
