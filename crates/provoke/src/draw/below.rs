//! What stands below a drawing: what the colours mean, and notes.

use std::fmt::Write;

use super::Graph;
use super::text::{clip, escape, width};

/// The longest text of a note, in characters; the whole is in its tooltip.
const NOTE: usize = 120;
/// The longest name that a note is about, and the longest tooltip, in characters.
const ABOUT: usize = 40;
const TOOLTIP: usize = 4_000;
const LINE: f64 = 20.0;
const SIZE: f64 = 12.0;

/// How wide and how high all of it is.
pub(super) fn size(graph: &Graph) -> (f64, f64) {
    let colours = graph.legend.iter().map(|(_, text)| width(text, SIZE) + 30.0);
    let column = column(graph);
    let notes = graph.notes.iter().map(|note| {
        let indent = if note.about.is_empty() { 0.0 } else { column };
        indent + width(&clip(&note.text, NOTE), SIZE)
    });
    let lines = graph.legend.len() + graph.notes.len();
    (colours.chain(notes).fold(0.0, f64::max), lines as f64 * LINE)
}

/// Draws it from this place down.
pub(super) fn draw(graph: &Graph, svg: &mut String, left: f64, top: f64) {
    let mut y = top;
    for (colour, text) in &graph.legend {
        let _ = writeln!(
            svg,
            "<rect class=\"node\" x=\"{left}\" y=\"{:.1}\" width=\"22\" height=\"12\" rx=\"6\" fill=\"{colour}\"/><text class=\"legend\" x=\"{}\" y=\"{:.1}\">{}</text>",
            y - 6.0,
            left + 30.0,
            y + 4.0,
            escape(text)
        );
        y += LINE;
    }
    let column = column(graph);
    for note in &graph.notes {
        let (text, whole) = (escape(&clip(&note.text, NOTE)), escape(&clip(&note.text, TOOLTIP)));
        if note.about.is_empty() {
            let _ = writeln!(
                svg,
                "<text class=\"legend\" x=\"{left}\" y=\"{:.1}\"><title>{whole}</title>{text}</text>",
                y + 4.0
            );
        } else {
            let _ = writeln!(
                svg,
                "<text class=\"legend about\" x=\"{left}\" y=\"{:.1}\">{}</text><text class=\"legend formula\" x=\"{:.1}\" y=\"{:.1}\"><title>{whole}</title>{text}</text>",
                y + 4.0,
                escape(&clip(&note.about, ABOUT)),
                left + column,
                y + 4.0
            );
        }
        y += LINE;
    }
}

/// Where the texts of notes about something begin.
fn column(graph: &Graph) -> f64 {
    let abouts = graph.notes.iter().filter(|note| !note.about.is_empty());
    abouts.map(|note| width(&clip(&note.about, ABOUT), SIZE) + 18.0).fold(0.0, f64::max)
}

/// The notes for Graphviz: lines of one node without an outline, adjusted to the left. `quoted` makes a DOT
/// string.
pub(super) fn to_dot(graph: &Graph, text: &mut String, quoted: impl Fn(&str) -> String) {
    if graph.notes.is_empty() {
        return;
    }
    text.push_str("  { rank=sink; notes [shape=plaintext, style=\"\", label=\"");
    for note in &graph.notes {
        let gap = if note.about.is_empty() { "" } else { ":  " };
        let line = format!("{}{gap}{}", clip(&note.about, ABOUT), clip(&note.text, NOTE));
        let line = quoted(&line);
        text.push_str(&line[1..line.len() - 1]);
        text.push_str("\\l");
    }
    text.push_str("\"]; }\n");
}
