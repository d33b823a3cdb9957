//! A circuit that stands for a system.

use std::path::Path;

use super::{System, SystemError};
use crate::diagnostic::{SpecError, did_you_mean};
use crate::format::aiger::{self, Circuit, Literal};
use crate::letter::{Interface, Letter};

/// A circuit as a system: its inputs and outputs are the signals of the same names.
#[derive(Clone, Debug)]
pub struct CircuitSystem {
    circuit: Circuit,
    /// For each input of the circuit, the bit of the input letter.
    inputs: Vec<Option<usize>>,
    /// For each bit of the output letter, its value.
    outputs: Vec<(usize, Literal)>,
    latches: Vec<bool>,
    values: Vec<bool>,
}

impl CircuitSystem {
    /// Reads a circuit from an AIGER file and wires it to an interface: an output of the system is the circuit's output of
    /// that name, or of that name behind `controllable_`.
    pub fn read(path: &Path, interface: &Interface) -> Result<CircuitSystem, SpecError> {
        let (circuit, source) = aiger::read_file(path)?;
        let wrong = |message: String| SpecError::whole(&source, format!("{}: {message}", source.name));
        if let Some(at) = circuit.latches.iter().position(|latch| latch.reset.is_none()) {
            let message = format!("latch l{at} has no reset value, so nobody knows where a run starts");
            return Err(wrong(message).help("give it the reset value 0 or 1"));
        }
        let read = circuit.read_by(
            circuit
                .outputs
                .iter()
                .map(|output| output.value)
                .chain(circuit.latches.iter().map(|latch| latch.next)),
        );
        let mut inputs = Vec::new();
        for (at, name) in circuit.inputs.iter().enumerate() {
            let field = interface.inputs.field(name).filter(|field| field.is_boolean());
            if field.is_none() && read[1 + at] {
                let error = wrong(format!("its input `{name}` is no input of the specification"));
                return Err(error.maybe_help(did_you_mean(name, interface.inputs.names())));
            }
            inputs.push(field.map(|field| field.bits().start));
        }
        let mut outputs = Vec::new();
        for field in interface.outputs.fields() {
            let name = field.name();
            let is_it = |known: &str| known == name || known.strip_prefix("controllable_") == Some(name);
            let found = circuit.outputs.iter().find(|output| output.name.as_deref().is_some_and(is_it));
            let Some(found) = found.filter(|_| field.is_boolean()) else {
                let names = circuit.outputs.iter().filter_map(|output| output.name.as_deref());
                let error = wrong(format!("it has no output `{name}`"));
                return Err(error.maybe_help(did_you_mean(name, names)));
            };
            outputs.push((field.bits().start, found.value));
        }
        if interface.outputs.as_labels().is_some() {
            return Err(wrong("a circuit has signals, and the specification labels".to_owned()));
        }
        let latches = reset(&circuit);
        let values = vec![false; circuit.nodes()];
        Ok(CircuitSystem { circuit, inputs, outputs, latches, values })
    }
}

fn reset(circuit: &Circuit) -> Vec<bool> {
    circuit.latches.iter().map(|latch| latch.reset == Some(true)).collect()
}

impl System for CircuitSystem {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.latches = reset(&self.circuit);
        Ok(())
    }

    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        for (value, bit) in self.values[1..].iter_mut().zip(&self.inputs) {
            *value = bit.is_some_and(|bit| input.get(bit));
        }
        let first = 1 + self.inputs.len();
        self.values[first..first + self.latches.len()].copy_from_slice(&self.latches);
        self.circuit.evaluate(&mut self.values);
        let get = |value: Literal| self.values[value.node()] ^ value.is_negated();
        let outputs = self.outputs.iter();
        let output = outputs.fold(Letter::default(), |letter, &(bit, value)| letter.with(bit, get(value)));
        for (held, latch) in self.latches.iter_mut().zip(&self.circuit.latches) {
            *held = get(latch.next);
        }
        Ok(output)
    }
}
