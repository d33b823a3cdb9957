//! Backward induction as equations: the values do not depend on the order in which states are visited.

use super::Plan;
use crate::game::chart::{Answer, Backward, Chart, NEVER};

/// Values that differ by less are the same.
const SAME: f64 = 1e-9;
/// A value that rises by less in one sweep has arrived.
const ARRIVED: f64 = 1e-13;
/// How many answers are looked at before values are taken as they are: below the true ones, if anything.
const ANSWERS: usize = 50_000_000;
/// How often the states that are sure to arrive are looked through, before only their values are trusted.
const PASSES: usize = 64;

/// The least solution of the equations of paper 4, Algorithm 1: a goal is worth 1, and another state the most that any input is
/// worth, which is the mean over its answers. So a value is the chance of arriving if every answer is as likely as any
/// other. Only the nearest `most` states from which a goal can be reached are looked at; others are worth 0.
///
/// Among inputs of the same value, one that forces a goal whatever is answered comes first, by the fewest steps; then one
/// with an answer that leads nearer. So waiting, which is worth as much as acting later, is never preferred.
pub fn fixpoint(chart: &Chart, backward: &Backward, goals: &[u32], most: usize) -> Plan {
    let (distances, region) = backward.distances(goals, most);
    let forced = backward.forced(chart, goals);
    let mut plan = Plan::new(chart.len(), region.len());
    for &place in &region {
        let sure = distances[place as usize] == 0 || forced[place as usize].is_some();
        plan.values[place as usize] = if sure { 1.0 } else { 0.0 };
    }
    let is_open = |place: &u32| forced[*place as usize].is_none();
    let open: Vec<u32> = region.iter().copied().filter(is_open).collect();
    if !open.is_empty() {
        for place in certain(chart, backward, goals, &region) {
            plan.values[place as usize] = 1.0;
        }
        sweep(chart, &open, &mut plan.values);
    }
    choose(chart, backward, goals, &mut plan);
    for (place, forced) in forced.iter().enumerate() {
        if let Some(forced) = forced.filter(|_| distances[place] != NEVER && plan.choices[place] != NEVER) {
            (plan.choices[place], plan.steps[place]) = (forced.choice, forced.steps);
        }
    }
    plan
}

/// The states from which a goal is reached with probability 1 if every answer is possible: found as a set, because their
/// values may rise to 1 for ever. None where it takes too long to find out.
fn certain(chart: &Chart, backward: &Backward, goals: &[u32], region: &[u32]) -> Vec<u32> {
    let mut inside = vec![false; chart.len()];
    region.iter().for_each(|&place| inside[place as usize] = true);
    let mut members = region.to_vec();
    for _ in 0..PASSES {
        let mut arrives = vec![false; chart.len()];
        let mut order: Vec<u32> = goals.to_vec();
        goals.iter().for_each(|&goal| arrives[goal as usize] = true);
        let mut at = 0;
        while at < order.len() {
            for &choice in backward.into(order[at]) {
                let from = backward.owner(choice) as usize;
                let stays = || {
                    let mut answers = chart.answers(chart.choice(choice)).iter();
                    answers.all(|answer| inside.get(answer.to as usize).copied().unwrap_or(false))
                };
                if inside[from] && !arrives[from] && stays() {
                    arrives[from] = true;
                    order.push(from as u32);
                }
            }
            at += 1;
        }
        if order.len() == members.len() {
            return members;
        }
        inside = arrives;
        members = order;
    }
    Vec::new()
}

/// Raises the values of these states until they stay.
fn sweep(chart: &Chart, open: &[u32], values: &mut [f64]) {
    let mut left = ANSWERS;
    loop {
        let mut risen: f64 = 0.0;
        for &place in open {
            let old = values[place as usize];
            if old == 1.0 {
                continue;
            }
            let mut best = old;
            for choice in chart.choices(place) {
                let answers = chart.answers(choice);
                left = left.saturating_sub(answers.len());
                best = best.max(mean(answers.iter().map(|answer| value(values, answer.to))));
            }
            values[place as usize] = best;
            risen = risen.max(best - old);
        }
        if risen < ARRIVED || left == 0 {
            return;
        }
    }
}

/// Goes from the goals backwards along inputs that are worth as much as any. Each state gets one that may lead nearest; of
/// several, one whose other answers lead least far away: all answers may turn out to be that one.
fn choose(chart: &Chart, backward: &Backward, goals: &[u32], plan: &mut Plan) {
    let mut order: Vec<u32> = goals.to_vec();
    let mut is_met = vec![false; chart.len()];
    goals.iter().for_each(|&goal| is_met[goal as usize] = true);
    plan.steps = vec![NEVER; chart.len()];
    goals.iter().for_each(|&goal| plan.steps[goal as usize] = 0);
    let mut at = 0;
    while at < order.len() {
        let steps = plan.steps[order[at] as usize] + 1;
        for &number in backward.into(order[at]) {
            let from = backward.owner(number) as usize;
            if is_met[from] || plan.values[from] == 0.0 {
                continue;
            }
            let answers = chart.answers(chart.choice(number)).iter();
            let worth = mean(answers.map(|answer| value(&plan.values, answer.to)));
            if worth >= plan.values[from] * (1.0 - SAME) {
                is_met[from] = true;
                (plan.choices[from], plan.steps[from]) = (number, steps);
                order.push(from as u32);
            }
        }
        at += 1;
    }
    for &place in &order[goals.len()..] {
        let best = chart.choice_numbers(place).map(|number| number as u32).filter_map(|number| {
            let answers = chart.answers(chart.choice(number)).iter();
            let worth = mean(answers.clone().map(|answer| value(&plan.values, answer.to)));
            let steps = |answer: &Answer| plan.steps.get(answer.to as usize).copied().unwrap_or(NEVER);
            let span = (answers.clone().map(steps).min()?, answers.map(steps).max()?);
            (worth >= plan.values[place as usize] * (1.0 - SAME)).then_some((span, number))
        });
        if let Some((_, number)) = best.min() {
            plan.choices[place as usize] = number;
        }
    }
}

fn value(values: &[f64], place: u32) -> f64 {
    values.get(place as usize).copied().unwrap_or(0.0)
}

/// The mean; 0 of nothing.
pub(super) fn mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len();
    if count == 0 { 0.0 } else { values.sum::<f64>() / count as f64 }
}
