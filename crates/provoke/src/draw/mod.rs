//! Pictures: automata, products and games as DOT and as SVG.
//!
//! A [`Graph`] is what they have in common; [`Graph::to_dot`] writes it for Graphviz, [`Graph::to_svg`] lays
//! it out and draws it here, so that no other program is needed.

mod below;
mod dot;
mod explain;
mod layers;
mod loops;
mod machine;
mod order;
mod overview;
mod place;
mod show;
mod sketch;
mod svg;
pub(crate) mod text;

pub use explain::{explain_components, explain_states};
pub use machine::machine_graph;
pub use overview::{OVERVIEW, automaton_overview, game_overview, machine_overview, product_overview};
pub use show::{automaton_graph, game_graph, product_graph};
pub use sketch::sketch_graph;

/// A graph to be drawn.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// What it shows; may be empty.
    pub title: String,
    /// The nodes; a node's number is its place here.
    pub nodes: Vec<Node>,
    /// The edges, between node numbers; edges to nodes that do not exist are not drawn.
    pub edges: Vec<Link>,
    /// The nodes an arrow from nowhere leads to.
    pub starts: Vec<usize>,
    /// What the colours mean.
    pub legend: Vec<(Colour, String)>,
    /// Lines below the drawing, after the colours.
    pub notes: Vec<Note>,
}

/// One line below a drawing; what is very long is cut.
#[derive(Clone, Debug, Default)]
pub struct Note {
    /// What it is about, such as the name of a state; may be empty.
    pub about: String,
    /// What it says.
    pub text: String,
}

impl Note {
    /// A line about nothing in particular.
    fn plain(text: &str) -> Note {
        Note { about: String::new(), text: text.to_owned() }
    }
}

/// One node of a [`Graph`].
#[derive(Clone, Debug, Default)]
pub struct Node {
    /// Its text; may have several lines.
    pub label: String,
    /// What is shown when the pointer rests on it; may be empty.
    pub tooltip: String,
    /// Its colour; white where there is none.
    pub fill: Option<Colour>,
    /// Its outline.
    pub shape: Shape,
}

/// One edge of a [`Graph`].
#[derive(Clone, Debug, Default)]
pub struct Link {
    /// Where it begins.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
    /// Its text; may have several lines or be empty.
    pub label: String,
    /// Its colour; dark grey where there is none.
    pub colour: Option<Colour>,
    /// Whether its line is broken.
    pub dashed: bool,
}

/// The outline of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// One line, round ends.
    #[default]
    Round,
    /// Two lines, round ends: an accepting state.
    Double,
    /// One line, corners: what is no state, such as a violation.
    Box,
}

/// Red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Colour(pub u8, pub u8, pub u8);

impl std::fmt::Display for Colour {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

impl Graph {
    /// The edges that are drawn.
    fn links(&self) -> impl Iterator<Item = &Link> {
        self.edges.iter().filter(|edge| edge.from < self.nodes.len() && edge.to < self.nodes.len())
    }
}
