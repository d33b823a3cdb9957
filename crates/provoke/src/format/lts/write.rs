//! Transition systems as files again.

use std::io::{self, Write};

use super::{Label, Lts};

impl Lts {
    /// A label as it stands in a file.
    pub fn show(&self, label: Label) -> String {
        let name = |names: &[String], at: u32| names.get(at as usize).cloned().unwrap_or_default();
        match label {
            Label::Input(at) => format!("?{}", name(&self.inputs, at)),
            Label::Output(at) => format!("!{}", name(&self.outputs, at)),
            Label::Internal => "tau".into(),
            Label::Quiet => "delta".into(),
        }
    }
}

/// Writes an Aldebaran file; states have numbers in it, and their names are not kept.
pub fn write_aut(lts: &Lts, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "des ({}, {}, {})", lts.initial, lts.transitions.len(), lts.states.len())?;
    for transition in &lts.transitions {
        let label = escaped(&lts.show(transition.label));
        writeln!(out, "({}, \"{label}\", {})", transition.from, transition.to)?;
    }
    Ok(())
}

/// Writes a DOT graph.
pub fn write_dot(lts: &Lts, out: &mut dyn Write) -> io::Result<()> {
    let name = |at: u32| escaped(lts.states.get(at as usize).map_or("", String::as_str));
    writeln!(out, "digraph {{\n  __start0 [label=\"\" shape=none];")?;
    for state in 0..lts.states.len() as u32 {
        writeln!(out, "  \"{}\";", name(state))?;
    }
    writeln!(out, "  __start0 -> \"{}\";", name(lts.initial))?;
    for transition in &lts.transitions {
        let (from, to) = (name(transition.from), name(transition.to));
        writeln!(out, "  \"{from}\" -> \"{to}\" [label=\"{}\"];", escaped(&lts.show(transition.label)))?;
    }
    writeln!(out, "}}")
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ")
}
