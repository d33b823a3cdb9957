//! Circuits from files.

use std::ops::Range;
use std::path::Path;

use flussab_aiger::aig::AndGate;
use flussab_aiger::{InnerParseError, ParseError, ascii, binary};
use rustc_hash::FxHashMap;

use super::{Circuit, Latch, Literal, Signal, symbols};
use crate::diagnostic::{Source, SpecError};

/// Whether a file is a circuit, by its ending.
pub fn is_circuit(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "aag" || ending == "aig")
}

/// Reads a circuit from a file.
pub fn read_file(path: &Path) -> Result<(Circuit, Source), SpecError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|error| {
        SpecError::whole(&Source::new(&*name, ""), format!("cannot read {name}: {error}"))
    })?;
    read(&name, &bytes)
}

/// Reads a circuit, ASCII or binary. The source that comes with it stands for the bytes one to one.
pub fn read(name: &str, bytes: &[u8]) -> Result<(Circuit, Source), SpecError> {
    let file = File::new(name, bytes);
    file.header()?;
    let raw = if file.is_binary { file.binary()? } else { file.ascii()? };
    let mut circuit = raw.circuit(&file)?;
    let start = file.table()?;
    symbols::read(&mut circuit, &bytes[start..])
        .map_err(|(place, message)| file.error(start + place.start..start + place.end, message))?;
    Ok((circuit, file.source))
}

/// A file while it is read.
struct File<'a> {
    bytes: &'a [u8],
    source: Source,
    is_binary: bool,
    /// The numbers of the first line, as far as they are numbers.
    counts: Vec<u64>,
}

/// A circuit with the literals of the file.
#[derive(Default)]
struct Raw {
    inputs: Vec<u32>,
    latches: Vec<(u32, u32, Option<bool>)>,
    outputs: Vec<u32>,
    bad: Vec<u32>,
    constraints: Vec<u32>,
    left_aside: usize,
    gates: Vec<AndGate<u32>>,
}

/// Reads what both forms have between their latches and their gates. The parsers of the two forms are different types, with
/// methods of the same names.
macro_rules! behind_latches {
    ($part:ident, $raw:ident) => {{
        let mut part = $part.outputs()?;
        while let Some(output) = part.next_output()? {
            $raw.outputs.push(output);
        }
        let mut part = part.bad_state_properties()?;
        while let Some(bad) = part.next_bad_state_property()? {
            $raw.bad.push(bad);
        }
        let mut part = part.invariant_constraints()?;
        while let Some(constraint) = part.next_invariant_constraint()? {
            $raw.constraints.push(constraint);
        }
        let mut part = part.justice_properties()?;
        while part.next_justice_property_size()?.is_some() {
            $raw.left_aside += 1;
        }
        let mut part = part.justice_property_local_fairness_constraints()?.fairness_constraints()?;
        while part.next_fairness_constraint()?.is_some() {
            $raw.left_aside += 1;
        }
        part.and_gates()?
    }};
}

impl File<'_> {
    fn new<'a>(name: &str, bytes: &'a [u8]) -> File<'a> {
        let is_binary = bytes.starts_with(b"aig");
        let text = match (is_binary, std::str::from_utf8(bytes)) {
            (false, Ok(text)) => text.to_owned(),
            // Each byte is a character, so that different files have different texts.
            _ => bytes.iter().map(|&byte| char::from(byte)).collect(),
        };
        let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let words = first.split(|&byte| byte == b' ').skip(1);
        let number = |word: &[u8]| std::str::from_utf8(word).ok()?.trim_end().parse().ok();
        File { bytes, source: Source::new(name, text), is_binary, counts: words.map_while(number).collect() }
    }

    /// An error at some bytes. A binary file is not shown, so its error names the place.
    fn error(&self, place: Range<usize>, message: impl Into<String>) -> SpecError {
        let message = message.into();
        if self.is_binary || self.source.text.len() != self.bytes.len() {
            let (line, column) = line_column(self.bytes, place.start);
            let (name, byte) = (&self.source.name, place.start);
            return SpecError::whole(
                &self.source,
                format!("{name}:{line}:{column} (byte {byte}): {message}"),
            );
        }
        self.source.error(place, message)
    }

    /// Refuses promises that the file cannot keep, before anyone makes room for them.
    fn header(&self) -> Result<(), SpecError> {
        let end = self.bytes.iter().position(|&byte| byte == b'\n').unwrap_or(self.bytes.len());
        if !self.bytes.starts_with(b"aag ") && !self.bytes.starts_with(b"aig ") {
            return Err(self
                .error(0..end.min(80), "this is not an AIGER file")
                .help("it starts with `aag` or `aig` and five to nine numbers"));
        }
        let [most, inputs, rest @ ..] = &self.counts[..] else { return Ok(()) };
        let lines = rest
            .iter()
            .fold(if self.is_binary { 0 } else { *inputs }, |sum, &count| sum.saturating_add(count));
        let nodes =
            rest.iter().take(1).chain(rest.get(2)).fold(*inputs, |sum, &count| sum.saturating_add(count));
        if lines > self.bytes.len() as u64 || *inputs > 1 << 24 {
            return Err(self.error(0..end, "the header promises more than there is in the file"));
        }
        if nodes > *most || *most >= 1 << 30 {
            let message = format!("the header says that variables go up to {most}, and there are {nodes}");
            return Err(self.error(0..end, message));
        }
        Ok(())
    }

    fn wrong(&self, error: &InnerParseError) -> SpecError {
        match error {
            InnerParseError::SyntaxError(error) => {
                let starts =
                    self.bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at + 1);
                let line = [0].into_iter().chain(starts).nth(error.location.line.saturating_sub(1));
                let at = (line.unwrap_or(self.bytes.len()) + error.location.column.saturating_sub(1))
                    .min(self.bytes.len());
                let length =
                    self.bytes[at..].iter().take_while(|byte| byte.is_ascii_graphic()).count().max(1);
                // What was expected there is the reader's own business, and need not be what is missing.
                let message = if at >= self.bytes.len() { "the file ends too early" } else { &error.msg };
                self.error(at..at + length, message)
            }
            other => SpecError::whole(&self.source, format!("{}: {other}", self.source.name)),
        }
    }

    fn ascii(&self) -> Result<Raw, SpecError> {
        self.ascii_parts().map_err(|error| self.wrong(&error))
    }

    fn ascii_parts(&self) -> Result<Raw, ParseError> {
        let mut raw = Raw::default();
        let mut part = ascii::Parser::<u32>::from_read(self.bytes, ascii::Config::default())?.inputs()?;
        while let Some(input) = part.next_input()? {
            raw.inputs.push(input);
        }
        let mut part = part.latches()?;
        while let Some(latch) = part.next_latch()? {
            raw.latches.push((latch.state, latch.next_state, latch.initialization));
        }
        let mut part = behind_latches!(part, raw);
        while let Some(gate) = part.next_and_gate()? {
            raw.gates.push(gate);
        }
        Ok(raw)
    }

    fn binary(&self) -> Result<Raw, SpecError> {
        self.binary_parts().map_err(|error| self.wrong(&error))
    }

    fn binary_parts(&self) -> Result<Raw, ParseError> {
        let mut raw = Raw::default();
        let parser = binary::Parser::<u32>::from_read(self.bytes, binary::Config::default())?;
        let inputs = parser.header().input_count as u32;
        raw.inputs.extend((1..=inputs).map(|at| 2 * at));
        let mut part = parser.latches()?;
        while let Some(latch) = part.next_latch()? {
            let state = 2 * (1 + inputs + raw.latches.len() as u32);
            raw.latches.push((state, latch.next_state, latch.initialization));
        }
        let mut part = behind_latches!(part, raw);
        let first = 1 + inputs + raw.latches.len() as u32;
        while let Some(gate) = part.next_and_gate()? {
            let output = 2 * (first + raw.gates.len() as u32);
            raw.gates.push(AndGate { inputs: gate.inputs, output });
        }
        Ok(raw)
    }

    /// Where the symbol table begins. The circuit itself was read already.
    fn table(&self) -> Result<usize, SpecError> {
        let count = |at: usize| self.counts.get(at).map_or(0, |&count| count as usize);
        let [inputs, latches, outputs, gates] = [1, 2, 3, 4].map(count);
        let [bad, constraints, justice, fairness] = [5, 6, 7, 8].map(count);
        let mut at = 0;
        let skip = |at: &mut usize, lines: usize| {
            for _ in 0..lines {
                let rest = self.bytes.get(*at..).unwrap_or_default();
                *at += rest.iter().position(|&byte| byte == b'\n').map_or(rest.len(), |end| end + 1);
            }
        };
        skip(&mut at, 1 + if self.is_binary { 0 } else { inputs } + latches + outputs + bad + constraints);
        let mut within = 0;
        for _ in 0..justice {
            let start = at;
            skip(&mut at, 1);
            let line = String::from_utf8_lossy(&self.bytes[start..at]);
            within += line.trim().parse::<usize>().unwrap_or(0);
        }
        skip(&mut at, within + fairness);
        if !self.is_binary {
            skip(&mut at, gates);
            return Ok(at.min(self.bytes.len()));
        }
        // Two numbers a gate, seven bits a byte; the last byte of each is below 128.
        for _ in 0..2 * gates {
            while self.bytes.get(at).is_some_and(|&byte| byte >= 128) {
                at += 1;
            }
            at += 1;
        }
        match at > self.bytes.len() {
            true => Err(self.error(self.bytes.len()..self.bytes.len(), "the file ends within the gates")),
            false => Ok(at),
        }
    }

    /// Where the line with this number is, from 0.
    fn line(&self, number: usize) -> Range<usize> {
        let mut starts = [0]
            .into_iter()
            .chain(self.bytes.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(at, _)| at + 1));
        let start = starts.nth(number).unwrap_or(self.bytes.len());
        let length = self.bytes[start..].iter().take_while(|&&byte| byte != b'\n').count();
        start..start + length
    }
}

impl Raw {
    /// The circuit with nodes in order.
    fn circuit(&self, file: &File<'_>) -> Result<Circuit, SpecError> {
        let numbers = self.numbers(file)?;
        let mut circuit = Circuit {
            inputs: (0..self.inputs.len()).map(|at| format!("i{at}")).collect(),
            left_aside: self.left_aside,
            ..Circuit::default()
        };
        let mut line = 1 + self.inputs.len() * usize::from(!file.is_binary);
        let mut value = |literal: u32, what: &str| match numbers.get(&(literal >> 1)) {
            Some(&node) => {
                line += 1;
                Ok(Literal::of(node).negated_if(literal & 1 == 1))
            }
            None => {
                let message = format!("{what} reads literal {literal}, which nothing defines");
                Err(file.error(file.line(line), message))
            }
        };
        for &(_, next, reset) in &self.latches {
            circuit.latches.push(Latch { name: None, next: value(next, "this latch")?, reset });
        }
        for (from, to, what) in [
            (&self.outputs, &mut circuit.outputs, "this output"),
            (&self.bad, &mut circuit.bad, "this bad state property"),
            (&self.constraints, &mut circuit.constraints, "this constraint"),
        ] {
            for &literal in from {
                to.push(Signal { name: None, value: value(literal, what)? });
            }
        }
        let first = 1 + self.inputs.len() + self.latches.len();
        circuit.gates = vec![[Literal::FALSE; 2]; self.gates.len()];
        for gate in &self.gates {
            let node = numbers[&(gate.output >> 1)];
            circuit.gates[node - first] =
                gate.inputs.map(|literal| Literal::of(numbers[&(literal >> 1)]).negated_if(literal & 1 == 1));
        }
        Ok(circuit)
    }

    /// The node of every variable: inputs, latches, and gates behind what they read.
    fn numbers(&self, file: &File<'_>) -> Result<FxHashMap<u32, usize>, SpecError> {
        let lines_before_gates = || {
            let count = |at: usize| file.counts.get(at).map_or(0, |&count| count as usize);
            let end = file.table().unwrap_or(file.bytes.len());
            let all = file.bytes[..end].iter().filter(|&&byte| byte == b'\n').count();
            all.saturating_sub(count(4))
        };
        let place_of_gate = |at: usize| match file.is_binary {
            true => file.bytes.len()..file.bytes.len(),
            false => file.line(lines_before_gates() + at),
        };
        let mut numbers: FxHashMap<u32, usize> = FxHashMap::default();
        numbers.insert(0, 0);
        let states = self.latches.iter().map(|&(state, ..)| state);
        for (at, literal) in self.inputs.iter().copied().chain(states).enumerate() {
            let fresh = numbers.len();
            if literal & 1 == 1 || numbers.insert(literal >> 1, fresh).is_some() {
                return Err(
                    file.error(file.line(1 + at), format!("literal {literal} is defined a second time"))
                );
            }
        }
        let mut gates: FxHashMap<u32, usize> = FxHashMap::default();
        for (at, gate) in self.gates.iter().enumerate() {
            let variable = gate.output >> 1;
            if numbers.contains_key(&variable) || gates.insert(variable, at).is_some() {
                let message = format!("literal {} is defined a second time", gate.output);
                return Err(file.error(place_of_gate(at), message));
            }
        }
        // Depth first; a gate on the way that is met again reads itself.
        let mut on_the_way = vec![false; self.gates.len()];
        for root in 0..self.gates.len() {
            let mut open = vec![root];
            while let Some(&at) = open.last() {
                let gate = &self.gates[at];
                if numbers.contains_key(&(gate.output >> 1)) {
                    open.pop();
                    continue;
                }
                on_the_way[at] = true;
                let unknown = gate.inputs.iter().find(|&&literal| !numbers.contains_key(&(literal >> 1)));
                let Some(&literal) = unknown else {
                    let fresh = numbers.len();
                    numbers.insert(gate.output >> 1, fresh);
                    on_the_way[at] = false;
                    open.pop();
                    continue;
                };
                match gates.get(&(literal >> 1)) {
                    None => {
                        let message = format!("this gate reads literal {literal}, which nothing defines");
                        return Err(file.error(place_of_gate(at), message));
                    }
                    Some(&below) if on_the_way[below] => {
                        let message =
                            format!("literal {literal} depends on itself: the definitions are cyclic");
                        return Err(file.error(place_of_gate(at), message));
                    }
                    Some(&below) => open.push(below),
                }
            }
        }
        Ok(numbers)
    }
}

fn line_column(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = &bytes[..at.min(bytes.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    (line, before.len() - start + 1)
}
