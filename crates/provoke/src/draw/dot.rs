//! Graphs for Graphviz.

use std::fmt::Write;

use super::{Graph, Shape, below};

impl Graph {
    /// The graph in the DOT language.
    pub fn to_dot(&self) -> String {
        let mut text = "digraph {\n".to_owned();
        if !self.title.is_empty() {
            let _ = writeln!(text, "  label={}; labelloc=t;", quoted(&self.title));
        }
        text.push_str(
            "  node [shape=box, style=\"rounded,filled\", fillcolor=white, fontname=\"sans-serif\"];\n",
        );
        text.push_str("  edge [fontname=\"monospace\", fontsize=11];\n");
        for (at, node) in self.nodes.iter().enumerate() {
            let _ = write!(text, "  n{at} [label={}", quoted(&node.label));
            match node.shape {
                Shape::Round => {}
                Shape::Double => text.push_str(", peripheries=2"),
                Shape::Box => text.push_str(", style=filled"),
            }
            if let Some(fill) = node.fill {
                let _ = write!(text, ", fillcolor=\"{fill}\"");
            }
            if !node.tooltip.is_empty() {
                let _ = write!(text, ", tooltip={}", quoted(&node.tooltip));
            }
            text.push_str("];\n");
        }
        for (at, start) in self.starts.iter().enumerate().filter(|(_, start)| **start < self.nodes.len()) {
            let _ = writeln!(
                text,
                "  start{at} [shape=point, label=\"\", width=0.06];\n  start{at} -> n{start};"
            );
        }
        for edge in self.links() {
            let _ = write!(text, "  n{} -> n{} [label={}", edge.from, edge.to, quoted(&edge.label));
            if let Some(colour) = edge.colour {
                let _ = write!(text, ", color=\"{colour}\", fontcolor=\"{colour}\"");
            }
            text.push_str(if edge.dashed { ", style=dashed];\n" } else { "];\n" });
        }
        below::to_dot(self, &mut text, quoted);
        text.push_str("}\n");
        text
    }
}

/// A DOT string. Control characters other than line breaks would end up in the picture or break it.
fn quoted(text: &str) -> String {
    let mut quoted = "\"".to_owned();
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            character if character.is_control() => quoted.push('\u{fffd}'),
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}
