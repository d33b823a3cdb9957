//! From a HOA file to an automaton over an interface.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::omega::settled;
use super::{Acceptance, Automaton, Edge, Marks, StateInfo};
use crate::bdd::{Bdd, OutOfNodes, Space};
use crate::diagnostic::{Source, SpecError};
use crate::format::hoa::{Hoa, HoaState, Label, LabelOp, parse_hoa};
use crate::letter::Interface;

/// Where the states and edges of an automaton stand in the file it was read from.
#[derive(Clone, Debug)]
pub struct Spans {
    /// The file.
    pub source: Source,
    states: Vec<Range<usize>>,
    edges: Vec<Vec<Range<usize>>>,
}

impl Spans {
    /// Where the state's line stands.
    pub fn state(&self, at: u32) -> Range<usize> {
        self.states.get(at as usize).cloned().unwrap_or(0..0)
    }

    /// Where the edge (by its position at the state) stands, label and acceptance sets included.
    pub fn edge(&self, at: u32, edge: usize) -> Range<usize> {
        let edges = self.edges.get(at as usize);
        edges.and_then(|edges| edges.get(edge)).cloned().unwrap_or_else(|| self.state(at))
    }
}

/// Reads a HOA file as an automaton, and where its states and edges stand.
///
/// With a space, the propositions must be names that it knows: signals, or labels. Without one, the interface
/// comes from the file: the propositions of `controllable-AP:` are the system's outputs, as in the synthesis
/// competition, all others its inputs.
///
/// States keep their numbers. Where there are several initial states, one more state is added that does what
/// any of them does. Edges that nothing can take are left out. A co-Büchi automaton becomes a Büchi automaton that
/// guesses: its states are followed by those of runs that see no mark any more.
pub fn read_hoa(source: &Source, space: Option<&Arc<Space>>) -> Result<(Automaton, Spans), SpecError> {
    let Marked { automaton, spans, ceasing } = read_marked(source, space)?;
    Ok((if ceasing { settled(&automaton) } else { automaton }, spans))
}

/// The interface that the propositions of a HOA file are by themselves, as in [`read_hoa`] without a space.
pub fn hoa_interface(source: &Source) -> Result<Interface, SpecError> {
    interface(source, &parse_hoa(source)?)
}

/// The result of reading a source, unless that ran out of nodes; then that.
pub(super) fn checked<T>(
    source: &Source,
    space: &Space,
    result: Result<T, SpecError>,
) -> Result<T, SpecError> {
    space.bdds().within_bounds().map_err(|full| out_of_nodes(SpecError::whole(source, ""), full))?;
    result
}

/// The error of what needs too many nodes, at the place of `at`.
pub(crate) fn out_of_nodes(at: SpecError, full: OutOfNodes) -> SpecError {
    at.saying(full.to_string()).help(OutOfNodes::HELP)
}

/// An automaton with the marks of its file.
pub(super) struct Marked {
    pub(super) automaton: Automaton,
    pub(super) spans: Spans,
    /// Whether the one mark must not be seen again and again, whatever the automaton says.
    pub(super) ceasing: bool,
}

/// The same, but a co-Büchi automaton keeps its marks.
pub(super) fn read_marked(source: &Source, space: Option<&Arc<Space>>) -> Result<Marked, SpecError> {
    let hoa = parse_hoa(source)?;
    let space = match space {
        Some(space) => {
            check_directions(source, &hoa, space)?;
            space.clone()
        }
        None => Arc::new(Space::new(interface(source, &hoa)?)),
    };
    let propositions: Result<Vec<Bdd>, SpecError> = hoa
        .propositions
        .iter()
        .map(|(name, span)| {
            space.proposition(name).ok_or_else(|| unknown_proposition(source, &space, name, span.clone()))
        })
        .collect();
    let labels = Labels { space: &space, propositions: propositions?, aliases: Vec::new() };
    let (automaton, spans) = Builder::new(source, &hoa, labels).finish(&hoa);
    checked(source, &space, Ok(()))?;
    Ok(Marked { automaton, spans, ceasing: !hoa.ceasing.is_empty() })
}

/// The interface that `AP:` and `controllable-AP:` describe.
fn interface(source: &Source, hoa: &Hoa) -> Result<Interface, SpecError> {
    let mut outputs = vec![false; hoa.propositions.len()];
    for (number, _) in hoa.controllable.iter().flatten() {
        outputs[*number as usize] = true;
    }
    let side = |output: bool| {
        let names = hoa.propositions.iter().zip(&outputs).filter(move |(_, is)| **is == output);
        names.map(|((name, _), _)| name.clone())
    };
    Interface::signals(side(false), side(true)).map_err(|error| {
        let first = hoa.propositions.first().map_or(0, |(_, span)| span.start);
        let last = hoa.propositions.last().map_or(0, |(_, span)| span.end);
        source.error(first..last, error.to_string()).help("split the requirement into smaller ones")
    })
}

/// `controllable-AP:` must not contradict the signal lists of the spec file.
fn check_directions(source: &Source, hoa: &Hoa, space: &Space) -> Result<(), SpecError> {
    for (number, span) in hoa.controllable.iter().flatten() {
        let (name, _) = &hoa.propositions[*number as usize];
        let Interface { inputs, outputs } = space.interface();
        if inputs.proposition(name).is_some() && outputs.proposition(name).is_none() {
            let message =
                format!("proposition {number}, `{name}`, is controllable here but an input in the spec file");
            let error = source.error(span.clone(), message);
            return Err(error.help("controllable propositions are what the system answers: its outputs"));
        }
    }
    Ok(())
}

fn unknown_proposition(source: &Source, space: &Space, name: &str, span: Range<usize>) -> SpecError {
    let error = source.error(span, format!("unknown proposition `{name}`"));
    error.help(space.help_for(name))
}

/// What propositions and aliases mean.
struct Labels<'a> {
    space: &'a Arc<Space>,
    propositions: Vec<Bdd>,
    aliases: Vec<Bdd>,
}

impl Labels<'_> {
    fn meaning(&self, label: &Label) -> Bdd {
        let bdds = self.space.bdds();
        let mut stack: Vec<Bdd> = Vec::new();
        let pop = |stack: &mut Vec<Bdd>| stack.pop().expect("operands precede their operator");
        for (op, _) in &label.postfix {
            let value = match *op {
                LabelOp::Constant(true) => bdds.all(),
                LabelOp::Constant(false) => bdds.none(),
                LabelOp::Proposition(at) => self.propositions[at as usize].clone(),
                LabelOp::Alias(at) => self.aliases[at as usize].clone(),
                LabelOp::Not => !&pop(&mut stack),
                LabelOp::And => &pop(&mut stack) & &pop(&mut stack),
                LabelOp::Or => &pop(&mut stack) | &pop(&mut stack),
            };
            stack.push(value);
        }
        pop(&mut stack)
    }

    /// The guards of edges without labels: edge `i` is taken where the propositions have the bits of `i`,
    /// proposition 0 the least significant. `groups` tells which edges are joined into one.
    fn implicit(&self, groups: &[usize], bits: usize) -> BTreeMap<usize, Bdd> {
        let Some(bit) = bits.checked_sub(1) else {
            return groups.iter().map(|&group| (group, self.space.bdds().all())).collect();
        };
        let (low, high) = groups.split_at(groups.len() / 2);
        let proposition = &self.propositions[bit];
        let mut joined = self.implicit(low, bit);
        joined.values_mut().for_each(|guard| *guard = &*guard - proposition);
        for (group, guard) in self.implicit(high, bit) {
            let guard = &guard & proposition;
            joined.entry(group).and_modify(|low| *low = &*low | &guard).or_insert(guard);
        }
        joined
    }
}

struct Builder<'a> {
    labels: Labels<'a>,
    exchanges: Bdd,
    automaton: Automaton,
    spans: Spans,
}

impl<'a> Builder<'a> {
    fn new(source: &Source, hoa: &Hoa, mut labels: Labels<'a>) -> Builder<'a> {
        for (_, label) in &hoa.aliases {
            let meaning = labels.meaning(label);
            labels.aliases.push(meaning);
        }
        let count = hoa.state_count as usize;
        let acceptance = match hoa.recurring.len() {
            0 if hoa.ceasing.is_empty() => Acceptance::All,
            0 => Acceptance::Buchi(1),
            marks => Acceptance::Buchi(marks as u32),
        };
        Builder {
            exchanges: labels.space.exchanges(),
            automaton: Automaton {
                space: labels.space.clone(),
                name: hoa.name.clone(),
                states: vec![StateInfo::default(); count],
                initial: 0,
                acceptance,
            },
            spans: Spans {
                source: source.clone(),
                states: vec![0..0; count],
                edges: vec![Vec::new(); count],
            },
            labels,
        }
    }

    fn finish(mut self, hoa: &Hoa) -> (Automaton, Spans) {
        for state in &hoa.states {
            self.state(hoa, state);
        }
        self.start(hoa);
        (self.automaton, self.spans)
    }

    fn state(&mut self, hoa: &Hoa, state: &HoaState) {
        let at = state.number as usize;
        let implicit = state.label.is_none() && state.edges.iter().all(|edge| edge.label.is_none());
        let edges = if implicit { self.implicit_edges(hoa, state) } else { self.labelled_edges(hoa, state) };
        let info = &mut self.automaton.states[at];
        info.name = state.name.clone();
        info.marks = marks(hoa, &state.sets);
        self.spans.states[at] = state.span.clone();
        for (mut edge, span) in edges {
            edge.guard = &edge.guard & &self.exchanges;
            if !edge.guard.is_none() {
                info.edges.push(edge);
                self.spans.edges[at].push(span);
            }
        }
    }

    fn labelled_edges(&self, hoa: &Hoa, state: &HoaState) -> Vec<(Edge, Range<usize>)> {
        let shared = state.label.as_ref().map(|label| self.labels.meaning(label));
        let edges = state.edges.iter().map(|edge| {
            let own = edge.label.as_ref().map(|label| self.labels.meaning(label));
            let guard =
                own.or_else(|| shared.clone()).expect("the parser checked that each edge is labelled");
            (Edge { guard, to: edge.to, marks: marks(hoa, &edge.sets) }, edge.span.clone())
        });
        edges.collect()
    }

    /// Edges to the same state with the same marks become one, placed where the first of them stands.
    fn implicit_edges(&self, hoa: &Hoa, state: &HoaState) -> Vec<(Edge, Range<usize>)> {
        let mut known: FxHashMap<(u32, Marks), usize> = FxHashMap::default();
        let mut groups = Vec::with_capacity(state.edges.len());
        for (position, edge) in state.edges.iter().enumerate() {
            groups.push(*known.entry((edge.to, marks(hoa, &edge.sets))).or_insert(position));
        }
        if groups.is_empty() {
            return Vec::new();
        }
        let guards = self.labels.implicit(&groups, self.labels.propositions.len());
        let edges = guards.into_iter().map(|(first, guard)| {
            let edge = &state.edges[first];
            (Edge { guard, to: edge.to, marks: marks(hoa, &edge.sets) }, edge.span.clone())
        });
        edges.collect()
    }

    fn start(&mut self, hoa: &Hoa) {
        let mut starts: Vec<u32> = Vec::new();
        for (state, _) in &hoa.starts {
            if !starts.contains(state) {
                starts.push(*state);
            }
        }
        self.automaton.initial = match starts[..] {
            [one] => one,
            // No initial state: nothing is accepted, so nothing is left.
            [] => {
                self.automaton.states.clear();
                0
            }
            _ => self.merge(&starts, &hoa.starts[0].1),
        };
    }

    fn merge(&mut self, starts: &[u32], span: &Range<usize>) -> u32 {
        let mut fresh = StateInfo::default();
        let mut spans = Vec::new();
        for &start in starts {
            let info = &self.automaton.states[start as usize];
            fresh.marks |= info.marks;
            fresh.edges.extend(info.edges.iter().cloned());
            spans.extend(self.spans.edges[start as usize].iter().cloned());
        }
        self.automaton.states.push(fresh);
        self.spans.states.push(span.clone());
        self.spans.edges.push(spans);
        self.automaton.states.len() as u32 - 1
    }
}

/// The marks of a list of acceptance sets; sets that the condition does not name have none.
fn marks(hoa: &Hoa, sets: &[u32]) -> Marks {
    if sets.iter().any(|set| hoa.ceasing.contains(set)) {
        return 1;
    }
    let mark = |set: &u32| hoa.recurring.binary_search(set).map_or(0, |mark| 1 << mark);
    sets.iter().map(mark).fold(0, |all, mark| all | mark)
}
