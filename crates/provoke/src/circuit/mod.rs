//! Circuits as requirements: which of their inputs are whose, which of their outputs say that something is wrong, and
//! where they go step by step.

mod enumerate;
mod made;
mod roles;
mod walk;

use crate::format::aiger::{Circuit, Literal};

pub use enumerate::{WRITTEN_STATES, enumerated};
pub use made::{circuit_of, verilog_of};
pub use roles::{Named, Roles, RolesError, conventions, interface, is_systems, roles};
pub use walk::{At, Bits, Paths, Walk};

/// A circuit wired to the signals of an interface: it watches every exchange, and says when one is wrong.
///
/// Something wrong that is known from the latches alone is seen as soon as the latches are there, behind the step that led
/// there; anything else in the step in which it shows. So an automaton written as a circuit, with an error state, is
/// violated by the same step as the automaton.
#[derive(Clone, Debug)]
pub struct Wired {
    /// The circuit.
    pub circuit: Circuit,
    /// For each of its inputs, which bit of an exchange it reads; none where nothing reads the input.
    pub wires: Vec<Option<Wire>>,
    /// What is wrong where one of these is true in a step.
    pub in_step: Vec<Literal>,
    /// What is wrong where one of these is true of the latches.
    pub on_entry: Vec<Literal>,
}

/// Where the value of a signal stands in an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wire {
    /// A bit of the input letter.
    Input(usize),
    /// A bit of the output letter.
    Output(usize),
}

impl Wired {
    /// A circuit with these wires, in which these values are violations.
    pub fn new(circuit: Circuit, wires: Vec<Option<Wire>>, violations: &[Literal]) -> Wired {
        let (on_entry, in_step) = violations.iter().partition(|&&value| circuit.is_of_latches(value));
        Wired { circuit, wires, in_step, on_entry }
    }

    /// The bits of exchanges that it reads.
    pub fn reads(&self) -> impl Iterator<Item = Wire> + '_ {
        let violations = self.in_step.iter().chain(&self.on_entry).copied();
        let nexts = self.circuit.latches.iter().map(|latch| latch.next);
        let read = self.circuit.read_by(violations.chain(nexts));
        self.wires.iter().enumerate().filter(move |(at, _)| read[1 + at]).filter_map(|(_, wire)| *wire)
    }
}
