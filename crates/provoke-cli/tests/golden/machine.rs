//! A second reading of the machines in DOT, so that what the recorder answers does not rest on the code it records.

use std::collections::BTreeMap;
use std::sync::Arc;

/// What answers one line with another.
pub(crate) type Answering = Box<dyn FnMut(&str) -> String + Send>;

/// What answers look like.
#[derive(Clone)]
pub(crate) struct Interface {
    outputs: Vec<String>,
    is_labels: bool,
}

impl Interface {
    /// Reads the outputs of `[signals]` or `[labels]`.
    pub(crate) fn of(spec: &str) -> Interface {
        let line = spec.lines().find(|line| line.starts_with("outputs")).expect("a list of outputs");
        let outputs = line.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        let is_labels = spec.lines().any(|line| line.trim() == "[labels]");
        Interface { outputs, is_labels }
    }

    /// The line that says these outputs, which a machine lists by those that are true.
    fn answer(&self, listed: &str) -> String {
        if self.is_labels {
            return listed.to_owned();
        }
        let listed: Vec<&str> = listed.split_whitespace().collect();
        let pair = |name: &String| format!("{name}={}", u8::from(listed.contains(&name.as_str())));
        self.outputs.iter().map(pair).collect::<Vec<_>>().join(" ")
    }
}

/// What leaves each state: guard, next state, outputs.
type Edges = BTreeMap<String, Vec<(String, String, String)>>;

/// A machine as its file has it.
#[derive(Clone)]
pub(crate) struct Machine {
    interface: Interface,
    start: String,
    edges: Arc<Edges>,
}

impl Machine {
    /// Reads lines `from -> to [label="guard / outputs"];`.
    pub(crate) fn read(dot: &str, interface: Interface) -> Machine {
        let (mut start, mut edges) = (String::new(), Edges::new());
        for line in dot.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let Some((from, rest)) = line.split_once("->") else { continue };
            let (from, rest) = (from.trim(), rest.trim());
            let Some((to, label)) = rest.split_once('[') else {
                rest.trim_end_matches(';').clone_into(&mut start);
                continue;
            };
            let label = label.split('"').nth(1).expect("a label in quotes");
            let (guard, outputs) = label.rsplit_once('/').expect("a slash in the label");
            let edge = [guard, to, outputs].map(|part| part.trim().to_owned());
            edges.entry(from.to_owned()).or_default().push(edge.into());
        }
        Machine { interface, start, edges: Arc::new(edges) }
    }

    /// The machine in its initial state.
    pub(crate) fn run(&self) -> Answering {
        let (edges, interface) = (self.edges.clone(), self.interface.clone());
        let mut at = self.start.clone();
        Box::new(move |line| {
            let takes = |guard: &str| match interface.is_labels {
                true => guard == line,
                false => Guard { text: guard, line }.any(),
            };
            let edge = edges[&at].iter().find(|(guard, ..)| takes(guard));
            let (_, to, outputs) = edge.unwrap_or_else(|| panic!("no answer to {line} in {at}"));
            to.clone_into(&mut at);
            interface.answer(outputs)
        })
    }
}

/// What is left of a guard, and the input it is asked about.
struct Guard<'a> {
    text: &'a str,
    line: &'a str,
}

impl Guard<'_> {
    fn any(&mut self) -> bool {
        let mut holds = self.all();
        while self.takes('|') {
            holds |= self.all();
        }
        holds
    }

    fn all(&mut self) -> bool {
        let mut holds = self.one();
        while self.takes('&') {
            holds &= self.one();
        }
        holds
    }

    fn one(&mut self) -> bool {
        if self.takes('!') {
            return !self.one();
        }
        if self.takes('(') {
            let holds = self.any();
            assert!(self.takes(')'), "no end of brackets before `{}`", self.text);
            return holds;
        }
        let end = self.text.find(|sign: char| !sign.is_alphanumeric() && sign != '_');
        let (name, rest) = self.text.split_at(end.unwrap_or(self.text.len()));
        self.text = rest;
        name == "true" || self.line.split_whitespace().any(|pair| pair.split_once('=') == Some((name, "1")))
    }

    fn takes(&mut self, sign: char) -> bool {
        let text = self.text.trim_start();
        self.text = text.strip_prefix(sign).unwrap_or(text);
        self.text.len() < text.len()
    }
}
