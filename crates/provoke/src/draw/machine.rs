//! Machines: simulated, synthesised or learnt.

use super::{Graph, Link, Node};
use crate::machine::Machine;

/// So many labels stand on one line; the rest are counted.
const LABELS: usize = 6;

/// A machine: what it is told and what it answers, `input / output`. Transitions between the same two states share a line.
pub fn machine_graph(machine: &Machine, title: &str) -> Graph {
    let node = |name| Node { label: name, ..Node::default() };
    let mut edges: Vec<Link> = Vec::new();
    for from in 0..machine.states().len() {
        let first = edges.len();
        let mut more: Vec<usize> = Vec::new();
        for (to, label) in transitions(machine, from as u32) {
            match edges[first..].iter().position(|link| link.to == to) {
                Some(place) => {
                    more[place] += 1;
                    if more[place] < LABELS {
                        edges[first + place].label += &format!("\n{label}");
                    }
                }
                None => {
                    more.push(0);
                    edges.push(Link { from, to, label, ..Link::default() });
                }
            }
        }
        for (link, more) in edges[first..].iter_mut().zip(more) {
            if more >= LABELS {
                link.label += &format!("\nand {} more", more + 1 - LABELS);
            }
        }
    }
    Graph {
        title: title.to_owned(),
        nodes: machine.states().iter().map(|name| node(name.into_owned())).collect(),
        edges,
        starts: machine.initial().map(|start| start as usize).into_iter().collect(),
        ..Graph::default()
    }
}

/// Where a state's inputs lead, in words.
pub(super) fn transitions(machine: &Machine, from: u32) -> impl Iterator<Item = (usize, String)> + use<'_> {
    (0..machine.inputs().len() as u32).filter_map(move |input| {
        let to = machine.next(from, input)? as usize;
        let said = machine.inputs().name(input);
        let label = match machine.output(from, input) {
            Some(output) => format!("{said} / {}", machine.outputs().name(output)),
            None => said.into_owned(),
        };
        Some((to, label))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Source;
    use crate::format::machine::parse_dot;

    #[test]
    fn transitions_between_two_states_share_a_line() {
        let text = "digraph { __start0 -> p; p -> q [label=\"a / x\"]; p -> q [label=\"b / y\"]; p -> p [label=\"c / x\"]; q -> p [label=\"a / y\"]; }";
        let machine = parse_dot(&Source::new("m.dot", text)).unwrap();
        let graph = machine_graph(&machine, "m");
        let drawn: Vec<(usize, usize, &str)> =
            graph.edges.iter().map(|link| (link.from, link.to, &*link.label)).collect();
        assert_eq!(drawn, [(0, 1, "a / x\nb / y"), (0, 0, "c / x"), (1, 0, "a / y")]);
        assert_eq!(graph.starts, [0]);
        let labels: Vec<String> = (0..9).map(|at| format!("p -> p [label=\"i{at} / x\"];")).collect();
        let many = format!("digraph {{ __start0 -> p; {} }}", labels.join(" "));
        let graph = machine_graph(&parse_dot(&Source::new("m.dot", many)).unwrap(), "m");
        assert!(graph.edges[0].label.ends_with("i5 / x\nand 3 more"), "{}", graph.edges[0].label);
    }
}
