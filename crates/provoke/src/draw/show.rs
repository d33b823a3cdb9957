//! What there is to draw: an automaton, a product, a solved game.

use super::{Colour, Graph, Link, Node, Shape};
use crate::automaton::{Acceptance, Automaton, Marks, show_guard};
use crate::bdd::{Bdd, OutOfNodes};
use crate::game::explicit::{Product, Solved};
use crate::game::{Guide, Next, Place, State, Tier};
use crate::letter::Interface;

const GOAL: Colour = Colour(0x8e, 0xc5, 0xff);
const FORCED: Colour = Colour(0xb5, 0xe5, 0xb0);
const COOPERATION: [Colour; 3] =
    [Colour(0xff, 0xf1, 0xb8), Colour(0xff, 0xdd, 0x94), Colour(0xff, 0xc4, 0x80)];
const LOST: Colour = Colour(0xe3, 0xe5, 0xe8);
pub(super) const VIOLATION: Colour = Colour(0xff, 0xb3, 0xac);
pub(super) const FORCING: Colour = Colour(0x1a, 0x7f, 0x37);
pub(super) const HELPFUL: Colour = Colour(0xb3, 0x5c, 0x00);
pub(super) const OTHER: Colour = Colour(0x8a, 0x91, 0x99);

/// The automaton: accepting states with two lines, guards with names, marks in braces.
pub fn automaton_graph(automaton: &Automaton) -> Graph {
    // One mark on states is what two lines mean; anything else is said in braces.
    let is_plain = matches!(automaton.acceptance, Acceptance::Buchi(1));
    let node = |at: u32| {
        let marks = automaton.states[at as usize].marks;
        let braces = if is_plain { String::new() } else { braces(marks) };
        Node {
            label: automaton.state_name(at) + &braces,
            shape: if marks != 0 && is_plain { Shape::Double } else { Shape::Round },
            tooltip: format!("state {at}"),
            ..Node::default()
        }
    };
    let edges = automaton.states.iter().enumerate().flat_map(|(from, state)| {
        state.edges.iter().map(move |edge| Link {
            from,
            to: edge.to as usize,
            label: show_guard(&automaton.space, &edge.guard) + &braces(edge.marks),
            ..Link::default()
        })
    });
    Graph {
        title: automaton.name.clone().unwrap_or_default(),
        nodes: (0..automaton.states.len() as u32).map(node).collect(),
        edges: edges.collect(),
        starts: vec![automaton.initial as usize],
        ..Graph::default()
    }
}

fn braces(marks: Marks) -> String {
    let marks: Vec<String> =
        (0..Marks::BITS).filter(|mark| marks >> mark & 1 == 1).map(|mark| mark.to_string()).collect();
    if marks.is_empty() { String::new() } else { format!(" {{{}}}", marks.join(" ")) }
}

/// The product: states as tuples of component states, violations as boxes.
pub fn product_graph(product: &Product, title: &str) -> Graph {
    without_idle_violations(whole_graph(product, title), product.states())
}

/// The same with violations that nothing leads to.
fn whole_graph(product: &Product, title: &str) -> Graph {
    let mut graph = Graph { title: title.to_owned(), starts: vec![0], ..Graph::default() };
    for at in (0..product.states() as u32).map(State) {
        let (label, tooltip) = (product.state_name(at), format!("state {}", at.0));
        graph.nodes.push(Node { label, tooltip, ..Node::default() });
        for (guard, next) in product.edges(at) {
            let (to, dashed) = place_of(product, next);
            let label = show_guard(product.space(), guard);
            graph.edges.push(Link { from: at.0 as usize, to, label, colour: None, dashed });
        }
    }
    for component in violations(product) {
        let label = format!("violates {}", product.component_name(component));
        graph.nodes.push(Node { label, fill: Some(VIOLATION), shape: Shape::Box, tooltip: String::new() });
    }
    graph
}

/// Where a picture has what an exchange leads to, and whether that is a violation: these come after the states.
pub(super) fn place_of(product: &Product, next: Next) -> (usize, bool) {
    match next {
        Next::To(at) => (at.0 as usize, false),
        Next::Violates(component) => (product.states() + component.0, true),
        Next::Unfair => (product.states() + product.components().len(), true),
    }
}

/// The components that can be violated, as far as a picture is concerned: all.
pub(super) fn violations(product: &Product) -> impl Iterator<Item = Place> + use<> {
    (0..product.components().len()).map(Place)
}

/// The solved game: how far each state is from the objective and how often the system must help there,
/// and which inputs the greedy strategy sends.
pub fn game_graph(solved: &Solved, title: &str) -> Result<Graph, OutOfNodes> {
    let product = solved.product();
    let mut graph = whole_graph(product, title);
    graph.edges.clear();
    for component in violations(product) {
        let node = &mut graph.nodes[product.states() + component.0];
        dress(node, solved, Next::Violates(component));
    }
    for at in (0..product.states() as u32).map(State) {
        let node = &mut graph.nodes[at.0 as usize];
        dress(node, solved, Next::To(at));
        let part = |tier| product.space().with_inputs(solved.inputs(at, tier));
        let (forcing, helpful) = (part(Tier::Forcing), part(Tier::Helpful));
        let greedy = &forcing | &helpful;
        node.tooltip = format!("{}\n{}", node.tooltip, advice(product, &forcing, &helpful));
        for (guard, next) in product.edges(at) {
            let (to, dashed) = place_of(product, next);
            let parts = [(guard & &forcing, FORCING), (guard & &helpful, HELPFUL), (guard - &greedy, OTHER)];
            for (guard, colour) in parts.into_iter().filter(|(guard, _)| !guard.is_none()) {
                let label = show_guard(product.space(), &guard);
                graph.edges.push(Link { from: at.0 as usize, to, label, colour: Some(colour), dashed });
            }
        }
    }
    let mut graph = without_idle_violations(graph, product.states());
    graph.legend = legend(&graph);
    product.space().bdds().checked(Ok(graph))
}

/// The colour, the outline and the figures of a state in a solved game.
pub(super) fn dress(node: &mut Node, solved: &Solved, what: Next) {
    let (distance, rank) = figures(solved, what);
    let is_violation = matches!(what, Next::Violates(_));
    node.fill = Some(match (distance, rank) {
        (Some(0), _) => GOAL,
        _ if is_violation => VIOLATION,
        (_, Some(0)) => FORCED,
        (_, Some(rank)) => COOPERATION[(rank as usize - 1).min(COOPERATION.len() - 1)],
        (_, None) => LOST,
    });
    if distance == Some(0) {
        node.shape = if node.shape == Shape::Box { Shape::Box } else { Shape::Double };
    }
    let figures = match (distance, rank) {
        (Some(distance), Some(rank)) => format!("distance {distance}, rank {rank}"),
        _ if is_violation => return,
        _ => "the objective is out of reach".to_owned(),
    };
    if let (Some(distance), Some(rank)) = (distance, rank) {
        node.label = format!("{}\nd {distance}  r {rank}", node.label);
    }
    node.tooltip = figures;
}

/// How far the objective is, and how often the system must help: a violation is the objective, or none comes after it.
pub(super) fn figures(solved: &Solved, what: Next) -> (Option<u32>, Option<u32>) {
    match what {
        Next::To(at) => (solved.distance(at), solved.rank(at)),
        Next::Violates(_) | Next::Unfair => {
            let reached = solved.is_goal(what).then_some(0);
            (reached, reached)
        }
    }
}

/// The greedy inputs of a state, in words.
fn advice(product: &Product, forcing: &Bdd, helpful: &Bdd) -> String {
    let shown = |set: &Bdd| show_guard(product.space(), set);
    match (forcing.is_none(), helpful.is_none()) {
        (false, _) => format!("brings the objective closer whatever the answer: {}", shown(forcing)),
        (true, false) => format!("brings the objective closer if the system helps: {}", shown(helpful)),
        (true, true) => {
            let Interface { inputs, .. } = product.space().interface();
            let few = if inputs.is_empty() { "there are no inputs" } else { "no input helps" };
            few.to_owned()
        }
    }
}

/// What the colours that occur mean.
pub(super) fn legend(graph: &Graph) -> Vec<(Colour, String)> {
    let all = [
        (GOAL, "objective reached (d distance, r rank: how often the system must help)"),
        (FORCED, "the tester can force the objective, or a violation"),
        (COOPERATION[0], "the system must help once"),
        (COOPERATION[1], "the system must help twice"),
        (COOPERATION[2], "the system must help three times or more"),
        (LOST, "the objective is out of reach"),
        (VIOLATION, "violation"),
        (FORCING, "edge: input brings the objective closer whatever the answer"),
        (HELPFUL, "edge: input brings the objective closer if the system helps"),
        (OTHER, "edge: other inputs"),
    ];
    let used = |colour: &Colour| {
        graph.nodes.iter().any(|node| node.fill == Some(*colour))
            || graph.edges.iter().any(|edge| edge.colour == Some(*colour))
    };
    all.into_iter()
        .filter(|(colour, _)| used(colour))
        .map(|(colour, text)| (colour, text.to_owned()))
        .collect()
}

/// Leaves out violations that nothing leads to; nodes from `states` on are the violations.
pub(super) fn without_idle_violations(mut graph: Graph, states: usize) -> Graph {
    let mut place: Vec<Option<usize>> = vec![None; graph.nodes.len()];
    let mut used = vec![false; graph.nodes.len()];
    used[..states].fill(true);
    graph.edges.iter().for_each(|edge| used[edge.to] = true);
    let mut kept = Vec::new();
    for (at, node) in graph.nodes.into_iter().enumerate().filter(|(at, _)| used[*at]) {
        place[at] = Some(kept.len());
        kept.push(node);
    }
    graph.nodes = kept;
    graph.edges.iter_mut().for_each(|edge| edge.to = place[edge.to].expect("targets are used"));
    graph
}
