//! Automata as data, to be drawn when a report is made.

use serde::{Deserialize, Serialize};

use crate::automaton::Automaton;
use crate::bdd::OutOfNodes;
use crate::draw::{Graph, Link, Node, Shape, automaton_graph, sketch_graph};
use crate::specification::{Goal, Model, Requirement, Specification};
use crate::trace::RequirementNumber;

/// One picture: the automaton of a requirement, or of an objective.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct Picture {
    /// Whose automaton it is.
    pub of: String,
    /// Whether visits are counted in it.
    pub counted: bool,
    /// Whether nodes are added as they are met: there are too many to be drawn beforehand.
    pub grows: bool,
    /// How many states there are, where they are too many to be here.
    pub states: usize,
    /// The nodes.
    pub nodes: Vec<Spot>,
    /// From, to, and on which exchanges.
    pub edges: Vec<(usize, usize, String)>,
    /// Where a run begins.
    pub starts: Vec<usize>,
}

/// One node of a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Spot {
    /// Its name.
    pub label: String,
    /// What is special about it.
    pub mark: Option<Mark>,
}

/// What is special about a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// It is no state but a violation.
    Violation,
    /// An objective wants it to be reached.
    Goal,
}

/// Automata with more states are drawn as they are met.
const MOST_STATES: usize = 4_000;
/// Model programs are drawn up to this.
const SKETCHED: usize = 40;
/// The longest name of a node, and the longest guard.
const LONGEST: usize = 160;

impl Picture {
    /// The picture of a requirement; none where it is made of nothing that can be drawn.
    pub(super) fn of_requirement(
        specification: &Specification,
        number: RequirementNumber,
    ) -> Result<Option<Picture>, OutOfNodes> {
        let requirement = specification.requirement(number);
        let picture = match (requirement.demand.automaton(), &requirement.demand.model) {
            (Some(automaton), _) => {
                let mut picture = of_safety(&requirement.id, automaton);
                picture.mark_goals(specification, number);
                picture
            }
            (None, Model::Program(model)) => {
                let graph = sketch_graph(&model.sketch(SKETCHED), &requirement.id);
                Picture { counted: true, grows: true, ..Picture::of_graph(&requirement.id, graph) }
            }
            (None, Model::Circuit(_)) => Picture::as_met(&requirement.id),
            (None, _) => return Ok(None),
        };
        specification.space.bdds().checked(Ok(Some(picture)))
    }

    /// The picture of a test purpose.
    pub(super) fn of_purpose(id: &str, automaton: &Automaton) -> Picture {
        if automaton.states.len() > MOST_STATES {
            return Picture::as_met(id);
        }
        let mut picture = Picture::of_graph(id, automaton_graph(automaton));
        for (spot, state) in picture.nodes.iter_mut().zip(&automaton.states) {
            spot.mark = (state.marks != 0).then_some(Mark::Goal);
        }
        picture.counted = true;
        picture
    }

    /// A picture that begins with nothing.
    fn as_met(id: &str) -> Picture {
        Picture { of: id.to_owned(), counted: true, grows: true, starts: vec![0], ..Picture::default() }
    }

    fn of_graph(id: &str, graph: Graph) -> Picture {
        let spot = |node: &Node| Spot { label: clip(&node.label), mark: None };
        Picture {
            of: id.to_owned(),
            counted: false,
            grows: false,
            states: graph.nodes.len(),
            nodes: graph.nodes.iter().map(spot).collect(),
            edges: graph.edges.iter().map(|edge| (edge.from, edge.to, clip(&edge.label))).collect(),
            starts: graph.starts,
        }
    }

    fn mark_goals(&mut self, specification: &Specification, number: RequirementNumber) {
        let goals = specification.objectives.iter().filter_map(|objective| match &objective.goal {
            Goal::States(all) => Some(all),
            _ => None,
        });
        for state in goals.flatten().filter(|(of, _)| *of == number).flat_map(|(_, states)| states) {
            if let Some(spot) = self.nodes.get_mut(*state as usize) {
                spot.mark = Some(Mark::Goal);
            }
        }
    }

    /// The picture as a graph of the nodes that are wanted, in this order; others are left out.
    pub fn graph(&self, shown: &[usize]) -> Graph {
        let place: rustc_hash::FxHashMap<usize, usize> =
            shown.iter().enumerate().map(|(place, &at)| (at, place)).collect();
        let node = |spot: &Spot| Node {
            label: spot.label.clone(),
            shape: match spot.mark {
                Some(Mark::Violation) => Shape::Box,
                Some(Mark::Goal) => Shape::Double,
                None => Shape::Round,
            },
            ..Node::default()
        };
        let links = self.edges.iter().filter_map(|(from, to, label)| {
            let (from, to) = (*place.get(from)?, *place.get(to)?);
            let is_violation = self.nodes[shown[to]].mark == Some(Mark::Violation);
            Some(Link { from, to, label: label.clone(), dashed: is_violation, ..Link::default() })
        });
        Graph {
            nodes: shown.iter().filter_map(|&at| self.nodes.get(at)).map(node).collect(),
            edges: links.collect(),
            starts: self.starts.iter().filter_map(|start| place.get(start).copied()).collect(),
            ..Graph::default()
        }
    }
}

/// A safety automaton, and a violation wherever an exchange has no edge.
fn of_safety(id: &str, automaton: &Automaton) -> Picture {
    let states = automaton.states.len();
    if states > MOST_STATES {
        return Picture::as_met(id);
    }
    let mut picture = Picture::of_graph(id, automaton_graph(&automaton.breaking()));
    // What stays broken need not be drawn.
    picture.edges.retain(|&(from, ..)| from < states);
    let is_met = picture.edges.iter().any(|&(_, to, _)| to == states);
    match picture.nodes.get_mut(states).filter(|_| is_met) {
        Some(last) => *last = Spot { label: "violation".to_owned(), mark: Some(Mark::Violation) },
        None => picture.nodes.truncate(states),
    }
    picture.nodes.iter_mut().for_each(|spot| {
        // Marks of the automaton that accepts what is forbidden mean nothing here.
        if let Some(name) = spot.label.strip_suffix(" {0}") {
            spot.label = name.to_owned();
        }
    });
    picture.states = states;
    picture.counted = true;
    picture
}

/// Whether a requirement's monitor says where it is.
pub(super) fn is_counted(requirement: &Requirement, grows: bool) -> bool {
    let mut monitor = requirement.demand.monitor.clone();
    monitor.reset();
    monitor.place().is_some() || !grows && monitor.state().is_some()
}

pub(super) fn clip(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text.to_owned(),
    }
}
