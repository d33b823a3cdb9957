//! Machines drawn in DOT, as LearnLib, AALpy and the AutomataWiki write them.

use super::label;
use crate::diagnostic::{Source, SpecError};
use crate::format::dot::Graph;
use crate::machine::{Builder, Machine};

/// Reads a DOT graph as a machine.
///
/// Nodes are states, in the order in which they first appear; edges carry `input/output` or only `input`
/// (see the guide for the forms). The initial state is where the edge from `__start0` points, or from any node
/// without a label that is drawn as nothing (`shape=none`, `point` or `plaintext`, `style=invis`).
/// Attributes other than these are skipped, but for `provoke_input` and `provoke_output`: where they stand, they say in JSON
/// strings what the label, which cannot be split, says.
pub fn parse(source: &Source) -> Result<Machine, SpecError> {
    let graph = Graph::read(source)?;
    let mut builder = Builder::new();
    let states: Vec<u32> = graph.states.iter().map(|name| builder.state(name)).collect();
    if let Some(initial) = graph.initial {
        builder.initial(states[initial]);
    }
    let mut spans = Vec::new();
    for edge in &graph.edges {
        let exact = |key: &str| match edge.attribute(key).map(serde_json::from_str::<String>) {
            Some(Err(_)) => Err(graph.error(edge, format!("`{key}` of this transition is no JSON string"))),
            found => Ok(found.and_then(Result::ok)),
        };
        let (inputs, output) = match (exact(label::INPUT)?, edge.label()) {
            (Some(input), _) => (vec![input], exact(label::OUTPUT)?),
            (None, Some((text, html))) => label::split(text, html),
            (None, None) => {
                return Err(graph
                    .error(edge, "this transition has no input")
                    .help("label it: [label=\"input\"] or [label=\"input/output\"]"));
            }
        };
        let output = output.map(|output| builder.output(&output));
        for input in inputs {
            let input = builder.input(&input);
            builder.add(states[edge.from], input, output, states[edge.to]);
            spans.push(edge.span.clone());
        }
    }
    super::build(source, builder, |transition| spans[transition].clone())
}

#[cfg(test)]
mod tests;
