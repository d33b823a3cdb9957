//! Machines written as files: DOT, KISS2, HOA and AIGER.

use std::fmt::Write as _;

use super::{circuit, label};
use crate::machine::{Machine, Row};

/// What a machine can be written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineFormat {
    /// A graph; labels are `inputs / outputs`.
    Dot,
    /// A state table over signals.
    Kiss2,
    /// A HOA automaton whose outputs are its `controllable-AP`.
    Hoa,
    /// A circuit in the ASCII form of AIGER, with the state in latches.
    Aiger,
}

/// Why a machine cannot be written so.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The format knows Boolean signals only, and the machine's letters are labels.
    #[error("its letters are labels or values, and this format knows Boolean signals only")]
    Labels,
    /// The format says what happens on every input, and the machine does not.
    #[error("it does not say what it answers to every input, and this format must")]
    Partial,
    /// It has no initial state.
    #[error("it has no initial state")]
    NoStart,
}

/// Writes a machine.
pub fn write_machine(machine: &Machine, format: MachineFormat) -> Result<String, WriteError> {
    match format {
        MachineFormat::Dot => dot(machine),
        MachineFormat::Kiss2 => kiss2(machine),
        MachineFormat::Hoa => hoa(machine),
        MachineFormat::Aiger => circuit::write(machine),
    }
}

/// The transitions of a machine over signals as cubes.
pub(super) fn rows(machine: &Machine) -> Result<Vec<Row>, WriteError> {
    if !machine.reads_signals() || machine.output_signals().is_empty() != machine.outputs().is_empty() {
        return Err(WriteError::Labels);
    }
    Ok((0..machine.states().len() as u32).flat_map(|state| machine.rows(state)).collect())
}

fn dot(machine: &Machine) -> Result<String, WriteError> {
    let mut text = "digraph machine {\n".to_owned();
    let quoted = |name: &str| {
        let escaped = name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
        format!("\"{escaped}\"")
    };
    if let Some(initial) = machine.initial() {
        let _ = writeln!(text, "  __start0 [label=\"\" shape=none];");
        let _ = writeln!(text, "  __start0 -> {};", quoted(&machine.states().name(initial)));
    }
    let mut edge = |state: u32, to: u32, label: &str, exact: &str| {
        let names = machine.states();
        let (from, to) = (quoted(&names.name(state)), quoted(&names.name(to)));
        let _ = writeln!(text, "  {from} -> {to} [label={}{exact}];", quoted(label));
    };
    // What would be read back otherwise than it is written stands beside it once more, as JSON strings.
    let exactly = |label: &str, input: &str, output: Option<&str>| {
        let is_same = label::split(label, false) == (vec![input.to_owned()], output.map(str::to_owned));
        if is_same && !label.contains('\n') {
            return String::new();
        }
        let json = |text: &str| quoted(&serde_json::Value::from(text).to_string());
        let input = format!(" {}={}", label::INPUT, json(input));
        output.map_or(input.clone(), |output| format!("{input} {}={}", label::OUTPUT, json(output)))
    };
    match rows(machine) {
        Ok(rows) => {
            for Row { state, cube, to, output } in rows {
                let (inputs, outputs) = (guard(machine, &cube), valuation(machine, output.unwrap_or(0)));
                edge(state, to, &format!("{inputs} / {outputs}"), "");
            }
        }
        Err(_) => {
            for state in 0..machine.states().len() as u32 {
                for input in 0..machine.inputs().len() as u32 {
                    let Some(to) = machine.next(state, input) else { continue };
                    let name = machine.inputs().name(input);
                    let output = machine.output(state, input).map(|output| machine.outputs().name(output));
                    let label = match &output {
                        Some(output) => format!("{name} / {output}"),
                        None => name.to_string(),
                    };
                    edge(state, to, &label, &exactly(&label, &name, output.as_deref()));
                }
            }
        }
    }
    Ok(text + "}\n")
}

/// A cube as a guard: `a & !b`.
fn guard(machine: &Machine, cube: &[Option<bool>]) -> String {
    let literal = |(name, value): (&String, &Option<bool>)| {
        value.map(|value| if value { name.clone() } else { format!("!{name}") })
    };
    let literals: Vec<String> = machine.input_signals().iter().zip(cube).filter_map(literal).collect();
    if literals.is_empty() { "true".to_owned() } else { literals.join(" & ") }
}

/// An output as `x=1 y=0`.
fn valuation(machine: &Machine, output: u32) -> String {
    let bits = machine.outputs().name(output);
    let one = |(name, bit): (&String, char)| format!("{name}={bit}");
    machine.output_signals().iter().zip(bits.chars()).map(one).collect::<Vec<_>>().join(" ")
}

fn kiss2(machine: &Machine) -> Result<String, WriteError> {
    let rows = rows(machine)?;
    let initial = machine.initial().ok_or(WriteError::NoStart)?;
    let (inputs, outputs) = (machine.input_signals(), machine.output_signals());
    let mut text = String::new();
    for (key, names) in [(".ilb", inputs), (".ob", outputs)] {
        if !names.is_empty() {
            let _ = writeln!(text, "# {key} {}", names.join(" "));
        }
    }
    let mut used: Vec<u32> = rows.iter().flat_map(|row| [row.state, row.to]).chain([initial]).collect();
    used.sort_unstable();
    used.dedup();
    let _ = writeln!(text, ".i {}\n.o {}\n.p {}\n.s {}", inputs.len(), outputs.len(), rows.len(), used.len());
    let name = |state: u32| machine.states().name(state).replace(char::is_whitespace, "_");
    let _ = writeln!(text, ".r {}", name(initial));
    for Row { state, cube, to, output } in &rows {
        let bit = |value: &Option<bool>| match value {
            None => '-',
            Some(true) => '1',
            Some(false) => '0',
        };
        let cube: String = if cube.is_empty() { "-".to_owned() } else { cube.iter().map(bit).collect() };
        let answer =
            if outputs.is_empty() { "-".into() } else { machine.outputs().name(output.unwrap_or(0)) };
        let _ = writeln!(text, "{cube} {} {} {answer}", name(*state), name(*to));
    }
    Ok(text + ".e\n")
}

fn hoa(machine: &Machine) -> Result<String, WriteError> {
    let rows = rows(machine)?;
    let initial = machine.initial().ok_or(WriteError::NoStart)?;
    let (inputs, outputs) = (machine.input_signals(), machine.output_signals());
    let mut text = format!("HOA: v1\nStates: {}\nStart: {initial}\n", machine.states().len());
    let names: Vec<String> = inputs.iter().chain(outputs).map(|name| format!(" \"{name}\"")).collect();
    let _ = writeln!(text, "AP: {}{}", names.len(), names.concat());
    let controllable: Vec<String> = (inputs.len()..names.len()).map(|at| format!(" {at}")).collect();
    let _ = writeln!(text, "controllable-AP:{}", controllable.concat());
    text.push_str("acc-name: all\nAcceptance: 0 t\nproperties: deterministic explicit-labels\n--BODY--\n");
    let mut state = None;
    for row in &rows {
        if state != Some(row.state) {
            let _ = writeln!(text, "State: {} \"{}\"", row.state, machine.states().name(row.state));
            state = Some(row.state);
        }
        let bits = machine.outputs().name(row.output.unwrap_or(0));
        let answer = bits.chars().map(|bit| Some(bit == '1'));
        let literal = |(at, value): (usize, Option<bool>)| {
            value.map(|value| if value { at.to_string() } else { format!("!{at}") })
        };
        let answer = answer.take(outputs.len());
        let literals: Vec<String> =
            row.cube.iter().copied().chain(answer).enumerate().filter_map(literal).collect();
        let label = if literals.is_empty() { "t".to_owned() } else { literals.join("&") };
        let _ = writeln!(text, "[{label}] {}", row.to);
    }
    Ok(text + "--END--\n")
}
