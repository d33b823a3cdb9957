//! Deterministic HOA automata as machines: an input is a valuation of the propositions.

use std::ops::Range;

use crate::diagnostic::{Source, SpecError};
use crate::format::hoa::{Hoa, HoaEdge, HoaState, Label, LabelOp, parse_hoa};
use crate::machine::{Builder, Machine};

/// The most propositions: 2^16 letters.
const MOST_PROPOSITIONS: usize = 16;

/// The most operators that are evaluated, 64 valuations at a time.
const MOST_EVALUATIONS: usize = 1 << 28;

/// How many valuations are looked at together: one bit each.
const BLOCK: u32 = u64::BITS;

/// Reads a HOA automaton as a machine; acceptance is of no interest here.
///
/// Without `controllable-AP:` every valuation of the propositions is an input. With it, the controllable
/// propositions are outputs, and each input must have one answer and one successor in each state. Letters are
/// written as bits, the first proposition first.
pub fn parse(source: &Source) -> Result<Machine, SpecError> {
    let hoa = parse_hoa(source)?;
    let count = hoa.propositions.len();
    if count > MOST_PROPOSITIONS {
        let span = hoa.propositions[MOST_PROPOSITIONS].1.clone();
        let message =
            format!("{count} propositions are 2^{count} letters; at most 2^{MOST_PROPOSITIONS} fit");
        return Err(source.error(span, message));
    }
    if effort(&hoa) > MOST_EVALUATIONS {
        return Err(SpecError::whole(
            source,
            format!("{}: too large to write out as a machine", source.name),
        ));
    }
    let is_output = |at: u32| hoa.controllable.iter().flatten().any(|(output, _)| *output == at);
    let (outputs, inputs): (Vec<u32>, Vec<u32>) = (0..count as u32).partition(|&at| is_output(at));
    let mut builder = Builder::new();
    for letter in 0..1u32 << inputs.len() {
        builder.input(&bits(letter, inputs.len()));
    }
    let states = state_numbers(source, &hoa, &mut builder)?;
    let mut spans: Vec<Range<usize>> = Vec::new();
    for first in (0..1u32 << count).step_by(BLOCK as usize) {
        let block = Block::new(&hoa, first);
        for state in &hoa.states {
            let taken: Vec<u64> = (0..state.edges.len()).map(|place| block.takes(state, place)).collect();
            for valuation in first..(first + BLOCK).min(1 << count) {
                let takes = |taken: &u64| taken >> (valuation - first) & 1 == 1;
                for place in (0..taken.len()).filter(|&place| takes(&taken[place])) {
                    let edge = &state.edges[place];
                    let input = gather(valuation, &inputs);
                    let answer = gather(valuation, &outputs);
                    let answer = (!outputs.is_empty()).then(|| builder.output(&bits(answer, outputs.len())));
                    builder.add(states[state.number as usize], input, answer, states[edge.to as usize]);
                    spans.push(edge.span.clone());
                }
            }
        }
    }
    match hoa.starts[..] {
        [] => {}
        [(start, _)] => builder.initial(states[start as usize]),
        [_, (_, ref second), ..] => {
            return Err(source.error(second.clone(), "a second initial state: a machine starts in one"));
        }
    }
    let names = |which: &[u32]| which.iter().map(|&at| hoa.propositions[at as usize].0.clone()).collect();
    let machine = super::build(source, builder, |transition| spans[transition].clone())?;
    Ok(machine.with_signals(names(&inputs), names(&outputs)))
}

/// The builder's number of each state; a name that two states share is an error.
fn state_numbers(source: &Source, hoa: &Hoa, builder: &mut Builder) -> Result<Vec<u32>, SpecError> {
    let mut names: Vec<String> = (0..hoa.state_count).map(|number| number.to_string()).collect();
    let mut spans: Vec<Range<usize>> = vec![0..1; names.len()];
    for state in &hoa.states {
        if let Some(name) = &state.name {
            names[state.number as usize] = name.clone();
        }
        spans[state.number as usize] = state.span.clone();
    }
    let mut numbers = Vec::new();
    for (name, span) in names.iter().zip(spans) {
        let number = builder.state(name);
        if number as usize != numbers.len() {
            return Err(source.error(span, format!("a second state is called `{name}`")));
        }
        numbers.push(number);
    }
    Ok(numbers)
}

/// How many operators are evaluated in all: each label once for every block of valuations.
fn effort(hoa: &Hoa) -> usize {
    let labels = hoa.aliases.iter().map(|(_, label)| label);
    let of_states = hoa.states.iter().flat_map(|state| {
        let own = |edge: &HoaEdge| {
            edge.label.as_ref().or(state.label.as_ref()).map_or(1, |label| label.postfix.len())
        };
        state.edges.iter().map(own)
    });
    let operators: usize = labels.map(|label| label.postfix.len()).chain(of_states).sum();
    operators.saturating_mul((1usize << hoa.propositions.len()).div_ceil(BLOCK as usize))
}

/// Valuations that follow one another, bit `k` of each being proposition `k`, and what the aliases say of them.
/// An alias is evaluated once, however often others name it.
struct Block {
    first: u32,
    aliases: Vec<u64>,
}

impl Block {
    fn new(hoa: &Hoa, first: u32) -> Block {
        let mut block = Block { first, aliases: Vec::new() };
        for (_, label) in &hoa.aliases {
            let value = block.holds(label);
            block.aliases.push(value);
        }
        block
    }

    /// The valuations on which a state's edge is taken.
    fn takes(&self, state: &HoaState, place: usize) -> u64 {
        match state.edges[place].label.as_ref().or(state.label.as_ref()) {
            Some(label) => self.holds(label),
            None => (place as u32).checked_sub(self.first).and_then(|at| 1u64.checked_shl(at)).unwrap_or(0),
        }
    }

    /// The valuations on which a label holds; an alias names only aliases before it.
    fn holds(&self, label: &Label) -> u64 {
        let mut stack: Vec<u64> = Vec::new();
        for (op, _) in &label.postfix {
            let value = match op {
                LabelOp::Constant(value) => {
                    if *value {
                        u64::MAX
                    } else {
                        0
                    }
                }
                LabelOp::Proposition(at) => self.proposition(*at),
                LabelOp::Alias(at) => self.aliases[*at as usize],
                LabelOp::Not => !stack.pop().unwrap_or(0),
                LabelOp::And => stack.pop().unwrap_or(0) & stack.pop().unwrap_or(0),
                LabelOp::Or => stack.pop().unwrap_or(0) | stack.pop().unwrap_or(0),
            };
            stack.push(value);
        }
        stack.pop().unwrap_or(0)
    }

    fn proposition(&self, at: u32) -> u64 {
        (0..BLOCK).filter(|bit| (self.first + bit) >> at & 1 == 1).fold(0, |all, bit| all | 1 << bit)
    }
}

/// The bits of a valuation at these places, pushed together.
fn gather(valuation: u32, places: &[u32]) -> u32 {
    (0u32..).zip(places).fold(0, |letter, (bit, &place)| letter | (valuation >> place & 1) << bit)
}

fn bits(letter: u32, width: usize) -> String {
    (0..width).map(|bit| if letter >> bit & 1 == 1 { '1' } else { '0' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOGGLE: &str = "HOA: v1\nStates: 2\nStart: 0\nAP: 2 \"press\" \"light\"\ncontrollable-AP: 1\n\
        Acceptance: 0 t\n--BODY--\nState: 0 \"off\"\n[0 & 1] 1\n[!0 & !1] 0\n\
        State: 1 \"on\"\n[0 & !1] 0\n[!0 & 1] 1\n--END--\n";

    #[test]
    fn controllable_propositions_are_outputs() {
        let machine = parse(&Source::new("toggle.hoa", TOGGLE)).unwrap();
        assert_eq!(
            (machine.input_signals(), machine.output_signals()),
            (&["press".into()][..], &["light".into()][..])
        );
        assert_eq!(machine.table(), [0, 1, 1, 0]);
        assert_eq!(machine.states().name(1), "on");
        assert_eq!(machine.output(0, 1).map(|out| machine.outputs().name(out).into_owned()).unwrap(), "1");
    }

    #[test]
    fn without_outputs_every_valuation_is_an_input() {
        let text = TOGGLE.replace("controllable-AP: 1\n", "");
        let machine = parse(&Source::new("toggle.hoa", text)).unwrap();
        assert_eq!(machine.inputs().iter().collect::<Vec<_>>(), ["00", "10", "01", "11"]);
        assert_eq!(machine.next(0, 3), Some(1));
        assert_eq!(machine.next(0, 1), None);
    }

    #[test]
    fn an_answer_left_open_is_an_error_at_its_edge() {
        let error = parse(&Source::new("toggle.hoa", TOGGLE.replace("[0 & 1] 1", "[0] 1"))).unwrap_err();
        assert_eq!(error.line_column(), Some((9, 1)));
        let two = TOGGLE.replace("Start: 0", "Start: 0\nStart: 1");
        assert_eq!(parse(&Source::new("toggle.hoa", two)).unwrap_err().line_column(), Some((4, 8)));
    }
}
