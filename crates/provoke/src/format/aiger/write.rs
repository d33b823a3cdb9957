//! Circuits as files.

use std::io::Write as _;

use flussab::DeferredWriter;
use flussab_aiger::aig::{Aig, AndGate, OrderedAig, OrderedAndGate, OrderedLatch, Symbol, SymbolTarget};
use flussab_aiger::{aig, ascii, binary};

use super::{Circuit, Literal, Signal};

impl Circuit {
    /// The circuit as an ASCII file (`aag`).
    pub fn to_ascii(&self) -> String {
        let latches = self.latches.iter().enumerate().map(|(at, latch)| aig::Latch {
            state: self.latch(at).0,
            next_state: latch.next.0,
            initialization: latch.reset,
        });
        let gates = self.gates.iter().enumerate().map(|(at, gate)| AndGate {
            inputs: gate.map(|literal| literal.0),
            output: Literal::of(self.first_gate() + at).0,
        });
        let whole = Aig {
            max_var_index: self.nodes() - 1,
            inputs: (0..self.inputs.len()).map(|at| self.input(at).0).collect(),
            latches: latches.collect(),
            outputs: values(&self.outputs),
            bad_state_properties: values(&self.bad),
            invariant_constraints: values(&self.constraints),
            and_gates: gates.collect(),
            symbols: self.symbols(),
            comment: self.written_comment(),
            ..Aig::default()
        };
        let mut text = Vec::new();
        let mut writer = DeferredWriter::from_write(&mut text);
        ascii::Writer::<u32>::new(&mut writer).write_aig(&whole);
        // Writing into memory does not fail.
        let _ = writer.flush();
        drop(writer);
        String::from_utf8_lossy(&text).into_owned()
    }

    /// The circuit as a binary file (`aig`).
    pub fn to_binary(&self) -> Vec<u8> {
        let latch =
            |latch: &super::Latch| OrderedLatch { next_state: latch.next.0, initialization: latch.reset };
        // The format wants the greater literal first.
        let gate =
            |&[left, right]: &[Literal; 2]| OrderedAndGate { inputs: [left.max(right).0, left.min(right).0] };
        let whole = OrderedAig {
            max_var_index: self.nodes() - 1,
            input_count: self.inputs.len(),
            latches: self.latches.iter().map(latch).collect(),
            outputs: values(&self.outputs),
            bad_state_properties: values(&self.bad),
            invariant_constraints: values(&self.constraints),
            and_gates: self.gates.iter().map(gate).collect(),
            symbols: self.symbols(),
            comment: self.written_comment(),
            ..OrderedAig::default()
        };
        let mut bytes = Vec::new();
        let mut writer = binary::Writer::<u32>::new(DeferredWriter::from_write(&mut bytes));
        writer.write_ordered_aig(&whole);
        let _ = writer.writer.flush();
        drop(writer);
        bytes
    }

    fn written_comment(&self) -> Option<String> {
        (!self.comment.is_empty()).then(|| self.comment.clone())
    }

    fn symbols(&self) -> Vec<Symbol<'static>> {
        let inputs = self.inputs.iter().cloned().map(Some).enumerate();
        let latches = self.latches.iter().map(|latch| latch.name.clone()).enumerate();
        let names = |signals: &[Signal]| signals.iter().map(|signal| signal.name.clone()).collect::<Vec<_>>();
        let of = |target: SymbolTarget, name: Option<String>| Some(Symbol { target, name: name?.into() });
        let mut symbols: Vec<Symbol<'static>> =
            inputs.filter_map(|(at, name)| of(SymbolTarget::Input(at), name)).collect();
        symbols.extend(latches.filter_map(|(at, name)| of(SymbolTarget::Latch(at), name)));
        for (signals, target) in [
            (&self.outputs, SymbolTarget::Output as fn(usize) -> SymbolTarget),
            (&self.bad, SymbolTarget::BadStateProperty),
            (&self.constraints, SymbolTarget::InvariantConstraint),
        ] {
            symbols
                .extend(names(signals).into_iter().enumerate().filter_map(|(at, name)| of(target(at), name)));
        }
        symbols
    }
}

fn values(signals: &[Signal]) -> Vec<u32> {
    signals.iter().map(|signal| signal.value.0).collect()
}
