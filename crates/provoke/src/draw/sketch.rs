//! Model programs: their first states, with what the tester does in full lines and what the system does in broken ones.

use super::{Graph, Link, Node, Note};
use crate::action::{Direction, Sketch};

/// A sketch of a model program as a graph. Actions between the same two states share a line.
pub fn sketch_graph(sketch: &Sketch, title: &str) -> Graph {
    let node = |state: &String| Node { label: state.replace(", ", "\n"), ..Node::default() };
    let mut edges: Vec<Link> = Vec::new();
    for (from, action, direction, to) in &sketch.edges {
        let dashed = *direction == Direction::Observable;
        let same = |link: &&mut Link| link.from == *from && link.to == *to && link.dashed == dashed;
        match edges.iter_mut().find(same) {
            Some(link) => link.label = format!("{}\n{action}", link.label),
            None => {
                edges.push(Link { from: *from, to: *to, label: action.clone(), dashed, ..Link::default() })
            }
        }
    }
    let mut notes = vec![Note::plain("full lines: what the tester does; broken lines: what the system does")];
    if !sketch.complete {
        notes.push(Note::plain("there are more states than these"));
    }
    let nodes = sketch.states.iter().map(node).collect();
    let starts = sketch.initial.clone();
    Graph { title: title.to_owned(), nodes, edges, starts, notes, ..Graph::default() }
}
