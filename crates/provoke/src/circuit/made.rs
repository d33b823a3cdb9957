//! Automata as circuits: the other way round.

use rustc_hash::FxHashMap;

use crate::automaton::Automaton;
use crate::bdd::Bdd;
use crate::format::aiger::{Circuit, CircuitBuilder, Literal};
use crate::letter::Interface;

/// The circuit of a deterministic safety automaton over Boolean signals: its states in bits, an output `error` that is true
/// once an exchange had no edge, and an output `objective` that is true in these states, where there are any.
pub fn circuit_of(automaton: &Automaton, objective: &[u32]) -> Circuit {
    let Interface { inputs, outputs } = automaton.space.interface();
    let names: Vec<String> = inputs
        .names()
        .map(str::to_owned)
        .chain(outputs.names().map(|name| format!("controllable_{name}")))
        .collect();
    let (error, bits) = (automaton.states.len(), bits_of(automaton));
    let latches: Vec<(String, bool)> =
        (0..bits).map(|bit| (format!("state[{bit}]"), automaton.initial >> bit & 1 == 1)).collect();
    let mut builder = CircuitBuilder::new(
        names.iter().map(String::as_str),
        latches.iter().map(|(name, reset)| (name.as_str(), *reset)),
    );
    let mut known = FxHashMap::default();
    let at = |builder: &mut CircuitBuilder, state: usize| {
        let bits: Vec<Literal> =
            (0..bits).map(|bit| builder.latch(bit).negated_if(state >> bit & 1 == 0)).collect();
        builder.all(bits)
    };
    let mut next = vec![Literal::FALSE; bits];
    let mut taken = Literal::FALSE;
    for (state, info) in automaton.states.iter().enumerate() {
        let here = at(&mut builder, state);
        for edge in &info.edges {
            let guard = value(&mut builder, &mut known, &edge.guard);
            let leads = builder.and(here, guard);
            taken = builder.or(taken, leads);
            for (_, next) in next.iter_mut().enumerate().filter(|(bit, _)| edge.to >> bit & 1 == 1) {
                *next = builder.or(*next, leads);
            }
        }
    }
    for (bit, next) in next.into_iter().enumerate() {
        let next = if error >> bit & 1 == 1 { builder.or(next, !taken) } else { next };
        builder.next(bit, next);
    }
    let wrong = at(&mut builder, error);
    builder.output("error", wrong);
    if !objective.is_empty() {
        let there: Vec<Literal> = objective.iter().map(|&state| at(&mut builder, state as usize)).collect();
        let there = builder.any(there);
        builder.output("objective", there);
    }
    builder.finish()
}

/// How many bits tell the states and the error apart.
fn bits_of(automaton: &Automaton) -> usize {
    (usize::BITS - automaton.states.len().leading_zeros()) as usize
}

/// The gates of a set of exchanges, whose variables are the inputs in order.
fn value(builder: &mut CircuitBuilder, known: &mut FxHashMap<Bdd, Literal>, set: &Bdd) -> Literal {
    let Some((variable, low, high)) = set.split() else {
        return Literal::FALSE.negated_if(set.is_all());
    };
    if let Some(&value) = known.get(set) {
        return value;
    }
    let (low, high) = (value(builder, known, &low), value(builder, known, &high));
    let decision = builder.choose(builder.input(variable), high, low);
    known.insert(set.clone(), decision);
    decision
}

/// The same as a Verilog module of this name.
pub fn verilog_of(automaton: &Automaton, module: &str, objective: &[u32]) -> String {
    let Interface { inputs, outputs } = automaton.space.interface();
    let names: Vec<&str> = inputs.names().chain(outputs.names()).collect();
    let (error, bits) = (automaton.states.len(), bits_of(automaton));
    let ports = names.iter().map(|name| format!("    input {name},\n")).collect::<String>();
    let shown =
        if objective.is_empty() { "    output error\n" } else { "    output error,\n    output objective\n" };
    let mut text = format!("module {module} (\n    input clk,\n{ports}{shown});\n");
    text += &format!("    reg [{}:0] state = {};\n", bits - 1, automaton.initial);
    text += &format!("    assign error = state == {error};\n");
    if !objective.is_empty() {
        let states: Vec<String> = objective.iter().map(|state| format!("state == {state}")).collect();
        text += &format!("    assign objective = {};\n", states.join(" || "));
    }
    text += "    always @(posedge clk)\n        case (state)\n";
    for (at, info) in automaton.states.iter().enumerate() {
        let name = info.name.as_ref().map_or(String::new(), |name| format!(" // {name}"));
        text += &format!("            {at}:{name}\n");
        for edge in &info.edges {
            text += &format!(
                "                if ({}) state <= {};\n                else",
                condition(&names, &edge.guard),
                edge.to
            );
        }
        if info.edges.is_empty() {
            text += "               ";
        }
        text += &format!(" state <= {error};\n");
    }
    text.replace("else                 if", "else if")
        + &format!("            default: state <= {error};\n        endcase\nendmodule\n")
}

fn condition(names: &[&str], guard: &Bdd) -> String {
    let product = |product: Vec<(usize, bool)>| {
        let literals: Vec<String> = product
            .into_iter()
            .map(|(variable, value)| format!("{}{}", if value { "" } else { "!" }, names[variable]))
            .collect();
        if literals.is_empty() { "1".to_owned() } else { literals.join(" && ") }
    };
    let products: Vec<String> = guard.products().into_iter().map(product).collect();
    if products.is_empty() { "0".to_owned() } else { products.join(" || ") }
}
