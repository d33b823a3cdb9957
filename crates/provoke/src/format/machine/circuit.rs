//! A machine as a circuit: AIGER in its ASCII form.

use rustc_hash::FxHashMap;

use super::write::{WriteError, rows};
use crate::machine::{Machine, Row};

/// Writes a machine over signals as a circuit with the same inputs and outputs. The number of the state is in the
/// latches, the lowest bit first, with the initial state as number 0.
pub(super) fn write(machine: &Machine) -> Result<String, WriteError> {
    let rows = rows(machine)?;
    let initial = machine.initial().ok_or(WriteError::NoStart)?;
    if !machine.is_complete() {
        return Err(WriteError::Partial);
    }
    let (inputs, outputs) = (machine.input_signals(), machine.output_signals());
    let states = machine.states().len() as u32;
    let latches = (u32::BITS - states.saturating_sub(1).leading_zeros()) as usize;
    // The initial state changes places with state 0: latches start as zeros.
    let code = |state: u32| match state {
        state if state == initial => 0,
        0 => initial,
        state => state,
    };
    let mut gates = Gates {
        first: 1 + inputs.len() as u32 + latches as u32,
        gates: Vec::new(),
        known: FxHashMap::default(),
    };
    let input = |at: usize| 2 * (1 + at as u32);
    let latch = |at: usize| 2 * (1 + (inputs.len() + at) as u32);
    let mut next = vec![0; latches];
    let mut answer = vec![0; outputs.len()];
    for Row { state, cube, to, output } in &rows {
        let mut term = 1;
        for bit in 0..latches {
            term = gates.and(term, latch(bit) ^ u32::from(code(*state) >> bit & 1 == 0));
        }
        for (at, value) in cube.iter().enumerate() {
            if let Some(value) = value {
                term = gates.and(term, input(at) ^ u32::from(!value));
            }
        }
        for (bit, function) in next.iter_mut().enumerate() {
            if code(*to) >> bit & 1 == 1 {
                *function = gates.or(*function, term);
            }
        }
        let bits = machine.outputs().name(output.unwrap_or(0));
        for (function, bit) in answer.iter_mut().zip(bits.chars()) {
            if bit == '1' {
                *function = gates.or(*function, term);
            }
        }
    }
    let ands = gates.gates.len();
    let most = inputs.len() + latches + ands;
    let mut text = format!("aag {most} {} {latches} {} {ands}\n", inputs.len(), outputs.len());
    let mut lines: Vec<String> = (0..inputs.len()).map(|at| input(at).to_string()).collect();
    lines.extend(next.iter().enumerate().map(|(bit, function)| format!("{} {function}", latch(bit))));
    lines.extend(answer.iter().map(u32::to_string));
    let gate = |(at, (left, right)): (u32, &(u32, u32))| format!("{} {left} {right}", 2 * (gates.first + at));
    lines.extend((0..).zip(&gates.gates).map(gate));
    lines.extend(inputs.iter().enumerate().map(|(at, name)| format!("i{at} {name}")));
    lines.extend((0..latches).map(|bit| format!("l{bit} state{bit}")));
    lines.extend(outputs.iter().enumerate().map(|(at, name)| format!("o{at} {name}")));
    lines.iter().for_each(|line| text.extend([line.as_str(), "\n"]));
    Ok(text)
}

/// And-gates, each once. Functions are literals: twice a variable, plus one where negated.
struct Gates {
    first: u32,
    gates: Vec<(u32, u32)>,
    known: FxHashMap<(u32, u32), u32>,
}

impl Gates {
    fn and(&mut self, left: u32, right: u32) -> u32 {
        let (right, left) = (left.min(right), left.max(right));
        match (left, right) {
            (_, 0) => return 0,
            (left, 1) => return left,
            (left, right) if left == right => return left,
            (left, right) if left == right ^ 1 => return 0,
            _ => {}
        }
        let Gates { first, gates, known } = self;
        *known.entry((left, right)).or_insert_with(|| {
            gates.push((left, right));
            2 * (*first + gates.len() as u32 - 1)
        })
    }

    fn or(&mut self, left: u32, right: u32) -> u32 {
        self.and(left ^ 1, right ^ 1) ^ 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::{MachineFormat, parse_hoa_machine, parse_kiss2, write_machine};
    use crate::diagnostic::Source;
    use crate::machine::Machine;

    const TABLE: &str = ".i 2\n.o 2\n# .ilb a b\n# .ob x y\n.r s1\n0- s0 s1 01\n1- s0 s0 10\n-0 s1 s2 00\n-1 s1 s0 11\n\
        -- s2 s1 10\n.e\n";

    fn machine() -> Machine {
        parse_kiss2(&Source::new("m.kiss2", TABLE)).unwrap()
    }

    /// What a circuit answers to inputs, one number for each step; evaluated gate by gate as the format defines.
    fn run(circuit: &str, inputs: &[u32]) -> Vec<u32> {
        let mut lines = circuit
            .lines()
            .map(|line| line.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<u32>>());
        let head = lines.next().unwrap();
        let [most, input_count, latch_count, output_count, and_count] = head[..] else { panic!("{circuit}") };
        let mut take = |count: u32| (0..count).map(|_| lines.next().unwrap()).collect::<Vec<_>>();
        let (ins, latches) = (take(input_count), take(latch_count));
        let (outs, ands) = (take(output_count), take(and_count));
        let mut values = vec![false; most as usize + 1];
        let mut answers = Vec::new();
        for &letter in inputs {
            for (at, line) in ins.iter().enumerate() {
                values[line[0] as usize / 2] = letter >> at & 1 == 1;
            }
            let value = |values: &[bool], literal: u32| values[literal as usize / 2] ^ (literal & 1 == 1);
            for gate in &ands {
                values[gate[0] as usize / 2] = value(&values, gate[1]) & value(&values, gate[2]);
            }
            let answer =
                (0..).zip(&outs).fold(0, |all, (at, line)| all | u32::from(value(&values, line[0])) << at);
            answers.push(answer);
            let next: Vec<bool> = latches.iter().map(|line| value(&values, line[1])).collect();
            latches.iter().zip(next).for_each(|(line, next)| values[line[0] as usize / 2] = next);
        }
        answers
    }

    #[test]
    fn a_circuit_answers_as_its_machine_does() {
        let machine = machine();
        let circuit = write_machine(&machine, MachineFormat::Aiger).unwrap();
        for word in 0..1u32 << 12 {
            let inputs: Vec<u32> = (0..6).map(|at| word >> (2 * at) & 3).collect();
            let mut state = machine.initial().unwrap();
            let mut answers = Vec::new();
            for &input in &inputs {
                let bits = machine.outputs().name(machine.output(state, input).unwrap());
                answers.push(
                    (0..).zip(bits.chars()).fold(0, |all, (at, bit)| all | u32::from(bit == '1') << at),
                );
                state = machine.next(state, input).unwrap();
            }
            assert_eq!(run(&circuit, &inputs), answers, "{inputs:?}\n{circuit}");
        }
    }

    #[test]
    fn what_is_written_is_read_again() {
        let machine = machine();
        let small = machine.minimised();
        let written = |format| write_machine(&machine, format).unwrap();
        let again = parse_kiss2(&Source::new("m.kiss2", written(MachineFormat::Kiss2))).unwrap();
        assert_eq!(again.minimised().table(), small.table());
        let again = parse_hoa_machine(&Source::new("m.hoa", written(MachineFormat::Hoa))).unwrap();
        assert_eq!(again.minimised().table(), small.table());
        assert_eq!(
            (again.input_signals(), again.output_signals()),
            (machine.input_signals(), machine.output_signals())
        );
        assert!(written(MachineFormat::Dot).contains("\"s0\" -> \"s1\" [label=\"!a / x=0 y=1\"];"));
    }
}
