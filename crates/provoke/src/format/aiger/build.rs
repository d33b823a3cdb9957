//! Making circuits gate by gate.

use rustc_hash::FxHashMap;

use super::{Circuit, Latch, Literal, Signal};

/// A circuit while it is made. Inputs and latches come before the first gate. Equal gates are made once.
#[derive(Clone, Debug, Default)]
pub struct CircuitBuilder {
    circuit: Circuit,
    known: FxHashMap<[Literal; 2], Literal>,
}

impl CircuitBuilder {
    /// With these inputs, and with latches that have these names and hold these values at the start.
    pub fn new<'a>(
        inputs: impl IntoIterator<Item = &'a str>,
        latches: impl IntoIterator<Item = (&'a str, bool)>,
    ) -> CircuitBuilder {
        let latch = |(name, reset): (&str, bool)| Latch {
            name: Some(name.to_owned()),
            next: Literal::FALSE,
            reset: Some(reset),
        };
        let circuit = Circuit {
            inputs: inputs.into_iter().map(str::to_owned).collect(),
            latches: latches.into_iter().map(latch).collect(),
            ..Circuit::default()
        };
        CircuitBuilder { circuit, known: FxHashMap::default() }
    }

    /// An input.
    pub fn input(&self, at: usize) -> Literal {
        self.circuit.input(at)
    }

    /// A latch.
    pub fn latch(&self, at: usize) -> Literal {
        self.circuit.latch(at)
    }

    /// Both.
    pub fn and(&mut self, left: Literal, right: Literal) -> Literal {
        let (left, right) = (left.min(right), left.max(right));
        if left == Literal::FALSE || left == !right {
            return Literal::FALSE;
        }
        if left == Literal::TRUE || left == right {
            return right;
        }
        let circuit = &mut self.circuit;
        *self.known.entry([left, right]).or_insert_with(|| {
            circuit.gates.push([left, right]);
            Literal::of(circuit.nodes() - 1)
        })
    }

    /// Either.
    pub fn or(&mut self, left: Literal, right: Literal) -> Literal {
        !self.and(!left, !right)
    }

    /// One and not the other.
    pub fn xor(&mut self, left: Literal, right: Literal) -> Literal {
        let (both, neither) = (self.and(left, right), self.and(!left, !right));
        self.and(!both, !neither)
    }

    /// `then` where the condition holds, `other` where it does not.
    pub fn choose(&mut self, condition: Literal, then: Literal, other: Literal) -> Literal {
        let (then, other) = (self.and(condition, then), self.and(!condition, other));
        self.or(then, other)
    }

    /// All of them.
    pub fn all(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        literals.into_iter().fold(Literal::TRUE, |all, literal| self.and(all, literal))
    }

    /// Any of them.
    pub fn any(&mut self, literals: impl IntoIterator<Item = Literal>) -> Literal {
        literals.into_iter().fold(Literal::FALSE, |any, literal| self.or(any, literal))
    }

    /// What a latch holds after the next step.
    pub fn next(&mut self, latch: usize, next: Literal) {
        self.circuit.latches[latch].next = next;
    }

    /// Shows a value.
    pub fn output(&mut self, name: &str, value: Literal) {
        self.circuit.outputs.push(Signal { name: Some(name.to_owned()), value });
    }

    /// Takes a value for granted.
    pub fn constraint(&mut self, name: &str, value: Literal) {
        self.circuit.constraints.push(Signal { name: Some(name.to_owned()), value });
    }

    /// The circuit.
    pub fn finish(self) -> Circuit {
        self.circuit
    }
}
