//! Pictures of what is too large to be drawn state by state: groups of states by distance.

use std::collections::{BTreeMap, VecDeque};

use super::machine::transitions;
use super::show::{
    FORCING, HELPFUL, OTHER, VIOLATION, dress, figures, legend, place_of, violations, without_idle_violations,
};
use super::{Colour, Graph, Link, Node, Note, Shape};
use crate::automaton::Automaton;
use crate::bdd::{Bdd, OutOfNodes};
use crate::game::explicit::{Product, Solved};
use crate::game::{Guide, Next, State, Tier};
use crate::machine::Machine;

/// Up to so many states a picture shows each of them; beyond, an overview says more.
pub const OVERVIEW: usize = 60;

/// The most groups of states in an overview, about; where there are more, distances are put together.
const GROUPS: usize = 36;
/// The most edges in an overview; where there are more, those against its order are left out.
const EDGES: usize = 90;

/// One state of what an overview is made of.
#[derive(Clone, Default)]
struct Dot {
    /// How far it is from what the overview is ordered by; nothing where it is not connected to it.
    distance: Option<u32>,
    rank: Option<u32>,
    fill: Option<Colour>,
    shape: Shape,
    is_violation: bool,
}

/// One edge: from, to, colour, and whether it leads to a violation.
type Stroke = (usize, usize, Option<Colour>, bool);

/// An overview of an automaton: how many states are how many steps from the start, and how many edges lead
/// where.
pub fn automaton_overview(automaton: &Automaton) -> Graph {
    let edges = automaton.states.iter().enumerate();
    let edges =
        edges.flat_map(|(at, state)| state.edges.iter().map(move |edge| (at, edge.to as usize, None, false)));
    let title = automaton.name.clone().unwrap_or_default();
    let start = automaton.initial as usize;
    let blank = vec![Dot::default(); automaton.states.len()];
    from_start(&title, blank, start, edges.collect(), automaton.states.len())
}

/// An overview of a machine: how many states are how many steps from the start, and how many transitions lead where.
pub fn machine_overview(machine: &Machine, title: &str) -> Graph {
    let states = machine.states().len();
    let from = |at: usize| transitions(machine, at as u32).map(move |(to, _)| (at, to, None, false));
    let start = machine.initial().unwrap_or(0) as usize;
    from_start(title, vec![Dot::default(); states], start, (0..states).flat_map(from).collect(), states)
}

/// An overview of a product: how many states are how many steps from the start, and how many edges lead where.
pub fn product_overview(product: &Product, title: &str) -> Result<Graph, OutOfNodes> {
    let edges = strokes(product, |_| vec![(product.space().bdds().all(), None)]);
    Ok(from_start(title, dots(product), 0, edges?, product.states()))
}

/// An overview of a solved game: how many states are how far from the objective, how often the system must
/// help there, and how many edges lead where.
pub fn game_overview(solved: &Solved, title: &str) -> Result<Graph, OutOfNodes> {
    let product = solved.product();
    let mut dots = dots(product);
    let states = (0..product.states() as u32).map(|at| Next::To(State(at)));
    let all = states.chain(violations(product).map(Next::Violates));
    for (dot, what) in dots.iter_mut().zip(all) {
        let mut node = Node { shape: dot.shape, ..Node::default() };
        dress(&mut node, solved, what);
        let (distance, rank) = figures(solved, what);
        *dot = Dot { distance, rank, fill: node.fill, shape: node.shape, ..dot.clone() };
    }
    let edges = strokes(product, |at| {
        let part = |tier| product.space().with_inputs(solved.inputs(at, tier));
        let (forcing, helpful) = (part(Tier::Forcing), part(Tier::Helpful));
        let other = !&(&forcing | &helpful);
        vec![(forcing, Some(FORCING)), (helpful, Some(HELPFUL)), (other, Some(OTHER))]
    })?;
    let order = Order {
        words: |from, to| match (from, to) {
            (0, 0) => "objective reached".to_owned(),
            _ if from == to => format!("distance {from}"),
            _ => format!("distance {from} to {to}"),
        },
        apart: "out of reach",
        is_against: |before, after| after > before,
        against: "edges that lead to greater distances are left out",
    };
    let mut graph = overview(title, &dots, 0, &edges, &order);
    graph.legend = legend(&graph);
    Ok(say(graph, product.states(), "by distance to the objective"))
}

fn dots(product: &Product) -> Vec<Dot> {
    let violation = Dot { fill: Some(VIOLATION), shape: Shape::Box, is_violation: true, ..Dot::default() };
    let mut dots = vec![Dot::default(); product.states()];
    dots.extend(vec![violation; product.components().len()]);
    dots
}

/// The edges of a product, each in the colours of those parts of its state's exchanges that it has a share in.
fn strokes(
    product: &Product,
    parts: impl Fn(State) -> Vec<(Bdd, Option<Colour>)>,
) -> Result<Vec<Stroke>, OutOfNodes> {
    let mut strokes = Vec::new();
    for at in (0..product.states() as u32).map(State) {
        let parts = parts(at);
        for (guard, next) in product.edges(at) {
            let (to, dashed) = place_of(product, next);
            let shares = parts.iter().filter(|(part, _)| part.meets(guard));
            strokes.extend(shares.map(|(_, colour)| (at.0 as usize, to, *colour, dashed)));
        }
    }
    product.space().bdds().checked(Ok(strokes))
}

/// An overview by steps from the start.
fn from_start(title: &str, mut dots: Vec<Dot>, start: usize, edges: Vec<Stroke>, states: usize) -> Graph {
    let mut next = vec![Vec::new(); dots.len()];
    edges.iter().for_each(|&(from, to, ..)| next[from].push(to));
    let mut queue = VecDeque::new();
    if let Some(first) = dots.get_mut(start) {
        first.distance = Some(0);
        queue.push_back((start, 0));
    }
    while let Some((at, steps)) = queue.pop_front() {
        for &to in &next[at] {
            if dots[to].distance.is_none() && !dots[to].is_violation {
                dots[to].distance = Some(steps + 1);
                queue.push_back((to, steps + 1));
            }
        }
    }
    let order = Order {
        words: |from, to| match (from, to) {
            (0, 0) => "the start".to_owned(),
            (1, 1) => "1 step from the start".to_owned(),
            _ if from == to => format!("{from} steps from the start"),
            _ => format!("{from} to {to} steps from the start"),
        },
        apart: "not reached",
        is_against: |before, after| after < before,
        against: "edges that lead back to smaller distances are left out",
    };
    let graph = overview(title, &dots, start, &edges, &order);
    say(graph, states, "by steps from the start")
}

/// What distances mean in an overview.
struct Order {
    /// A range of distances in words.
    words: fn(u32, u32) -> String,
    /// What states without a distance are called.
    apart: &'static str,
    /// Whether an edge from one range to another is less telling than others, and what is said where such edges
    /// are left out.
    is_against: fn(u32, u32) -> bool,
    against: &'static str,
}

/// States that are drawn as one: violation or not, range of distances, looks.
type Key = (bool, Option<u32>, Option<Colour>);

fn key(dot: &Dot, width: u32) -> Key {
    // What is at distance 0 is never put together with what is not.
    let range = dot.distance.map(|distance| distance.div_ceil(width));
    (dot.is_violation, range, dot.fill)
}

fn overview(title: &str, dots: &[Dot], start: usize, edges: &[Stroke], order: &Order) -> Graph {
    let groups = |width: u32| {
        let mut groups: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        dots.iter().enumerate().for_each(|(at, dot)| groups.entry(key(dot, width)).or_default().push(at));
        groups
    };
    let widths = [1, 2, 5].into_iter().cycle().zip(0u32..27).map(|(digit, at)| digit * 10u32.pow(at / 3));
    let all = widths.map(groups).find(|groups| groups.len() <= GROUPS).unwrap_or_else(|| groups(u32::MAX));
    let mut place = vec![0; dots.len()];
    let mut graph = Graph { title: title.to_owned(), ..Graph::default() };
    let mut ranges = Vec::new();
    for ((is_violation, range, _), members) in &all {
        members.iter().for_each(|&member| place[member] = graph.nodes.len());
        ranges.push(if *is_violation { None } else { *range });
        let dot = &dots[members[0]];
        let mut label = match (is_violation, extent(members, |at| dots[at].distance)) {
            (true, None) => "violation".to_owned(),
            (true, Some(_)) => "objective reached: a violation".to_owned(),
            (_, Some((from, to))) => (order.words)(from, to),
            (_, None) => order.apart.to_owned(),
        };
        if !is_violation {
            let states = if members.len() == 1 { "state" } else { "states" };
            label = format!("{label}\n{} {states}", members.len());
        }
        match extent(members, |at| dots[at].rank) {
            Some((from, to)) if from == to => label.push_str(&format!(", rank {from}")),
            Some((from, to)) => label.push_str(&format!(", rank {from} to {to}")),
            None => {}
        }
        graph.nodes.push(Node { label, tooltip: String::new(), fill: dot.fill, shape: dot.shape });
    }
    graph.starts = place.get(start).copied().into_iter().collect();
    let mut counts: BTreeMap<Stroke, usize> = BTreeMap::new();
    for &(from, to, colour, dashed) in edges {
        *counts.entry((place[from], place[to], colour, dashed)).or_default() += 1;
    }
    if counts.len() > EDGES {
        counts.retain(|&(from, to, ..), _| match (ranges[from], ranges[to]) {
            (Some(before), Some(after)) => !(order.is_against)(before, after),
            _ => true,
        });
        graph.notes.push(Note::plain(order.against));
    }
    for ((from, to, colour, dashed), count) in counts {
        graph.edges.push(Link { from, to, label: count.to_string(), colour, dashed });
    }
    // Violations are the last groups.
    let states = all.keys().filter(|(is_violation, ..)| !is_violation).count();
    without_idle_violations(graph, states)
}

fn extent(members: &[usize], of: impl Fn(usize) -> Option<u32>) -> Option<(u32, u32)> {
    let mut known = members.iter().filter_map(|&at| of(at));
    let first = known.next()?;
    Some(known.fold((first, first), |(from, to), next| (from.min(next), to.max(next))))
}

/// Says that this is an overview, above and below it.
fn say(mut graph: Graph, states: usize, order: &str) -> Graph {
    let what = format!("overview of {states} states {order}");
    graph.title = if graph.title.is_empty() { what } else { format!("{}: {what}", graph.title) };
    let how = "numbers count edges; `provoke show --whole` draws every state";
    graph.notes.insert(0, Note::plain(how));
    graph
}
