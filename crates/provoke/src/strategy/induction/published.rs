//! Backward induction as it was published: Algorithm 1 of paper 4.

use super::Plan;
use crate::game::chart::{Chart, NEVER};

/// Where a visit of a state stands.
struct Visit {
    place: u32,
    /// The choice, and the answer, that are looked at now.
    choice: usize,
    answer: usize,
    sum: f64,
}

/// Depth first from a state, inputs and answers as they are listed. A state that was seen before is worth what is known of it
/// by now, which may be less than it will turn out to be: so the scores, and the inputs, depend on the order.
///
/// Written with a stack of its own instead of recursion, so that deep games do not overflow ours.
pub fn published(chart: &Chart, start: u32, is_goal: impl Fn(u32) -> bool) -> Plan {
    let mut plan = Plan::new(chart.len(), 0);
    let mut seen = vec![false; chart.len()];
    let mut stack: Vec<Visit> = Vec::new();
    let mut called = Some(start);
    let mut returned = 0.0;
    loop {
        if let Some(place) = called.take() {
            let index = place as usize;
            if place == Chart::BEYOND {
                returned = 0.0;
            } else if is_goal(place) {
                plan.met += usize::from(!std::mem::replace(&mut seen[index], true));
                plan.values[index] = 1.0;
                returned = 1.0;
            } else if seen[index] {
                returned = plan.values[index];
            } else {
                plan.met += 1;
                seen[index] = true;
                stack.push(Visit { place, choice: 0, answer: 0, sum: 0.0 });
                called = next(chart, &mut stack, &mut plan);
                if called.is_some() {
                    continue;
                }
                returned = plan.values[index];
            }
        }
        let Some(visit) = stack.last_mut() else { return plan };
        visit.sum += returned;
        visit.answer += 1;
        let place = visit.place as usize;
        called = next(chart, &mut stack, &mut plan);
        if called.is_none() {
            returned = plan.values[place];
        }
    }
}

/// What the visit on top of the stack calls next; nothing, and the visit is over, where all is done.
fn next(chart: &Chart, stack: &mut Vec<Visit>, plan: &mut Plan) -> Option<u32> {
    let visit = stack.last_mut()?;
    let choices = chart.choices(visit.place);
    while let Some(choice) = choices.get(visit.choice) {
        let answers = chart.answers(choice);
        if let Some(answer) = answers.get(visit.answer) {
            return Some(answer.to);
        }
        let score = if answers.is_empty() { 0.0 } else { visit.sum / answers.len() as f64 };
        let place = visit.place as usize;
        if plan.values[place] < score {
            plan.values[place] = score;
            plan.choices[place] = (chart.choice_numbers(visit.place).start + visit.choice) as u32;
        }
        (visit.choice, visit.answer, visit.sum) = (visit.choice + 1, 0, 0.0);
    }
    debug_assert!(plan.choices[visit.place as usize] != NEVER || plan.values[visit.place as usize] == 0.0);
    stack.pop();
    None
}
