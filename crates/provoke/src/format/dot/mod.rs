//! Graphs in the DOT language, as far as machines and transition systems are drawn in it.

use std::ops::Range;

use crate::diagnostic::{Source, SpecError};
use crate::format::html::plain;

mod token;

use token::{Token, Tokens};

/// A directed graph: nodes in the order in which they first appear.
///
/// The initial state is where the edge from `__start0` points, or from any node without a label that is drawn as nothing
/// (`shape=none`, `point` or `plaintext`, `style=invis`). Attributes other than these and labels of edges are skipped.
pub(super) struct Graph<'a> {
    /// The names of the states.
    pub(super) states: Vec<String>,
    /// Where the graph says that it begins.
    pub(super) initial: Option<usize>,
    /// The edges between states; the one to the initial state is none.
    pub(super) edges: Vec<Edge>,
    source: &'a Source,
}

/// An edge between two states.
pub(super) struct Edge {
    pub(super) from: usize,
    pub(super) to: usize,
    label: Option<(String, bool)>,
    /// Attributes that are our own.
    own: Vec<(String, String)>,
    pub(super) span: Range<usize>,
}

impl Edge {
    /// The text of an attribute that is our own.
    pub(super) fn attribute(&self, key: &str) -> Option<&str> {
        self.own.iter().find(|(known, _)| known == key).map(|(_, text)| &**text)
    }

    /// What stands on it, and whether that is HTML; none where it is blank.
    pub(super) fn label(&self) -> Option<(&str, bool)> {
        self.label
            .as_ref()
            .filter(|(label, _)| !label.trim().is_empty())
            .map(|(label, html)| (&**label, *html))
    }
}

impl<'a> Graph<'a> {
    /// Reads a graph.
    pub(super) fn read(source: &'a Source) -> Result<Graph<'a>, SpecError> {
        let mut reader = Reader {
            tokens: Tokens::new(source)?,
            source,
            nodes: Vec::new(),
            numbers: rustc_hash::FxHashMap::default(),
            edges: Vec::new(),
        };
        reader.graph()?;
        reader.finish()
    }

    /// An error about an edge.
    pub(super) fn error(&self, edge: &Edge, message: impl Into<String>) -> SpecError {
        self.source.error(edge.span.clone(), message)
    }
}

/// How attributes begin that are our own.
const OWN: &str = "provoke_";

struct Node {
    name: String,
    drawn_as_nothing: bool,
}

#[derive(Clone, Default)]
struct Attributes {
    label: Option<(String, bool)>,
    own: Vec<(String, String)>,
    invisible: bool,
}

struct Reader<'a> {
    tokens: Tokens<'a>,
    source: &'a Source,
    nodes: Vec<Node>,
    numbers: rustc_hash::FxHashMap<String, usize>,
    edges: Vec<Edge>,
}

impl<'a> Reader<'a> {
    fn graph(&mut self) -> Result<(), SpecError> {
        if self.tokens.is_word("strict") {
            self.tokens.take();
        }
        let (keyword, span) = self.tokens.take();
        match keyword {
            Token::Word(word) if word.eq_ignore_ascii_case("digraph") => {}
            Token::Word(word) if word.eq_ignore_ascii_case("graph") => {
                return Err(self.source.error(span, "a machine is a directed graph").help("write `digraph`"));
            }
            _ => return Err(self.source.error(span, "expected `digraph`")),
        }
        if matches!(self.tokens.peek(), Token::Word(_) | Token::Quoted(_)) {
            self.tokens.take();
        }
        self.tokens.expect('{')?;
        self.statements()?;
        let (rest, span) = self.tokens.take();
        match rest {
            Token::End => Ok(()),
            _ => Err(self.source.error(span, "expected nothing after the graph's closing `}`")),
        }
    }

    /// Everything up to and with the closing brace. Groups only bracket statements: they are counted, so that
    /// no depth of nesting needs a deep stack.
    fn statements(&mut self) -> Result<(), SpecError> {
        let mut open = 1usize;
        loop {
            match self.tokens.peek() {
                Token::Symbol('}') => {
                    self.tokens.take();
                    open -= 1;
                    if open == 0 {
                        return Ok(());
                    }
                }
                Token::Symbol(';' | ',') => {
                    self.tokens.take();
                }
                Token::Symbol('{') => {
                    self.tokens.take();
                    open += 1;
                }
                Token::Word(word) if word.eq_ignore_ascii_case("subgraph") => {
                    self.tokens.take();
                    if !matches!(self.tokens.peek(), Token::Symbol('{')) {
                        self.tokens.take();
                    }
                    self.tokens.expect('{')?;
                    open += 1;
                }
                Token::Word(word)
                    if ["graph", "node", "edge"].iter().any(|kind| word.eq_ignore_ascii_case(kind)) =>
                {
                    self.tokens.take();
                    self.attributes()?;
                }
                Token::End => {
                    let (_, span) = self.tokens.take();
                    return Err(self
                        .source
                        .error(span, "the file ends before the graph does")
                        .help("add a closing `}`"));
                }
                _ => self.node_or_edge()?,
            }
        }
    }

    fn node_or_edge(&mut self) -> Result<(), SpecError> {
        let (first, start) = self.name("a state, `->` or `}`")?;
        if matches!(self.tokens.peek(), Token::Symbol('=')) {
            self.tokens.take();
            self.name("a value")?;
            return Ok(());
        }
        let mut chain = vec![(self.node(&first), start)];
        while matches!(self.tokens.peek(), Token::Arrow) {
            self.tokens.take();
            let (target, span) = self.name("the state that this transition leads to")?;
            chain.push((self.node(&target), span));
        }
        let attributes = self.attributes()?;
        if let [(node, _)] = chain[..] {
            let nameless = attributes.label.as_ref().is_none_or(|(label, _)| label.trim().is_empty());
            self.nodes[node].drawn_as_nothing |= attributes.invisible && nameless;
        }
        for pair in chain.windows(2) {
            let span = pair[0].1.start..self.tokens.previous_end();
            let Attributes { label, own, .. } = attributes.clone();
            self.edges.push(Edge { from: pair[0].0, to: pair[1].0, label, own, span });
        }
        Ok(())
    }

    fn name(&mut self, expected: &str) -> Result<(String, Range<usize>), SpecError> {
        let (token, span) = self.tokens.take();
        match token {
            Token::Word(word) => Ok((word.to_owned(), span)),
            Token::Quoted(text) => Ok((text, span)),
            Token::Html(text) => Ok((plain(text), span)),
            _ => Err(self.source.error(span, format!("expected {expected}"))),
        }
    }

    /// Any number of `[key=value, ...]` lists.
    fn attributes(&mut self) -> Result<Attributes, SpecError> {
        let mut found = Attributes::default();
        while matches!(self.tokens.peek(), Token::Symbol('[')) {
            self.tokens.take();
            loop {
                match self.tokens.peek() {
                    Token::Symbol(']') => {
                        self.tokens.take();
                        break;
                    }
                    Token::Symbol(',' | ';') => {
                        self.tokens.take();
                    }
                    _ => self.attribute(&mut found)?,
                }
            }
        }
        Ok(found)
    }

    fn attribute(&mut self, found: &mut Attributes) -> Result<(), SpecError> {
        let (key, _) = self.name("an attribute or `]`")?;
        if !matches!(self.tokens.peek(), Token::Symbol('=')) {
            return Ok(());
        }
        self.tokens.take();
        let (value, span) = self.tokens.take();
        let (text, html) = match value {
            Token::Word(word) => (word.to_owned(), false),
            Token::Quoted(text) => (text, false),
            Token::Html(text) => (text.to_owned(), true),
            _ => return Err(self.source.error(span, format!("expected the value of `{key}`"))),
        };
        match key.as_str() {
            "label" => found.label = Some((text, html)),
            "shape" => found.invisible |= ["none", "point", "plaintext"].contains(&text.as_str()),
            own if own.starts_with(OWN) => found.own.push((key, text)),
            "style" => found.invisible |= text.contains("invis"),
            _ => {}
        }
        Ok(())
    }

    fn node(&mut self, name: &str) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        self.nodes.push(Node { name: name.to_owned(), drawn_as_nothing: false });
        self.numbers.insert(name.to_owned(), self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    /// Tells states from what only marks the initial one.
    fn finish(self) -> Result<Graph<'a>, SpecError> {
        let mut entered = vec![false; self.nodes.len()];
        for edge in &self.edges {
            entered[edge.to] = true;
        }
        let is_start = |node: usize| {
            let Node { name, drawn_as_nothing } = &self.nodes[node];
            name.starts_with("__start") || *drawn_as_nothing && !entered[node]
        };
        let marks: Vec<bool> = (0..self.nodes.len()).map(is_start).collect();
        if let Some(edge) = self.edges.iter().find(|edge| marks[edge.to]) {
            let message = format!("`{}` only marks the initial state", self.nodes[edge.to].name);
            return Err(self.source.error(edge.span.clone(), message).help("lead to a state instead"));
        }
        let mut graph = Graph { states: Vec::new(), initial: None, edges: Vec::new(), source: self.source };
        let mut numbers = Vec::with_capacity(self.nodes.len());
        for (node, is_mark) in self.nodes.into_iter().zip(&marks) {
            numbers.push(graph.states.len());
            if !is_mark {
                graph.states.push(node.name);
            }
        }
        for edge in self.edges {
            let to = numbers[edge.to];
            if !marks[edge.from] {
                graph.edges.push(Edge { from: numbers[edge.from], to, ..edge });
            } else if graph.initial.is_some_and(|earlier| earlier != to) {
                let message = "a second initial state: a machine starts in one";
                return Err(self.source.error(edge.span, message));
            } else {
                graph.initial = Some(to);
            }
        }
        Ok(graph)
    }
}
