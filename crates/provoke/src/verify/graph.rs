//! A machine together with automata: the runs that all of them can follow, as a graph.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::automaton::Automaton;
use crate::bdd::{Bdd, Space};
use crate::letter::Letter;
use crate::machine::Reactions;
use crate::trace::Step;

/// There is more to look at than was allowed.
pub(super) struct TooLarge;

/// Sets of exchanges that are taken alike, each known by its number: some inputs with one answer.
pub(super) struct Pool {
    pub(super) space: Arc<Space>,
    classes: Vec<Class>,
    known: FxHashMap<(Bdd, Letter), u32>,
    cubes: FxHashMap<Letter, Bdd>,
}

struct Class {
    inputs: Bdd,
    output: Letter,
}

impl Pool {
    pub(super) fn new(space: Arc<Space>) -> Pool {
        Pool { space, classes: Vec::new(), known: FxHashMap::default(), cubes: FxHashMap::default() }
    }

    fn class(&mut self, inputs: Bdd, output: Letter) -> u32 {
        let Pool { classes, known, .. } = self;
        *known.entry((inputs.clone(), output)).or_insert_with(|| {
            classes.push(Class { inputs, output });
            classes.len() as u32 - 1
        })
    }

    /// One exchange of a class, always the same.
    pub(super) fn step(&self, class: u32) -> Option<Step> {
        let Class { inputs, output } = &self.classes[class as usize];
        self.space.input_letters(inputs).iter().next().map(|input| Step { input, output: *output })
    }

    /// The inputs that a guard takes where the output is this.
    fn answered(&mut self, guard: &Bdd, output: Letter) -> Bdd {
        let space = &self.space;
        let cube = self.cubes.entry(output).or_insert_with(|| space.output(output));
        guard.restrict(cube)
    }
}

/// One way to go on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrow {
    /// The exchanges that go there.
    pub(super) class: u32,
    pub(super) to: u32,
    pub(super) marks: u64,
}

/// What a machine and some automata can do together; node 0 is the start.
pub(super) struct Graph {
    pub(super) rows: Vec<Vec<Arrow>>,
    /// For each node, the inputs of which the machine does not say what it answers; none where there are none.
    pub(super) gaps: Vec<Option<Bdd>>,
    /// The marks that a run must see again and again, so many of the lowest.
    pub(super) marks: u32,
}

impl Graph {
    /// The machine alone.
    pub(super) fn of_machine(pool: &mut Pool, machine: &Reactions) -> Graph {
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::from_iter([(machine.initial, 0)]);
        let mut open = vec![machine.initial];
        let mut graph = Graph { rows: Vec::new(), gaps: Vec::new(), marks: 0 };
        while let Some(&state) = open.get(graph.rows.len()) {
            let row = machine.rows[state as usize].iter().map(|reaction| {
                let to = *numbers.entry(reaction.to).or_insert_with(|| {
                    open.push(reaction.to);
                    open.len() as u32 - 1
                });
                Arrow { class: pool.class(reaction.inputs.clone(), reaction.output), to, marks: 0 }
            });
            let row = row.collect();
            let gap = pool.space.valid_inputs() - &machine.known(state);
            graph.rows.push(row);
            graph.gaps.push((!gap.is_none()).then_some(gap));
        }
        graph
    }

    /// All marks together.
    pub(super) fn wanted(&self) -> u64 {
        if self.marks >= 64 { u64::MAX } else { (1 << self.marks) - 1 }
    }

    /// What this graph and an automaton can do together, unless that is more than so many arrows.
    pub(super) fn with(
        &self,
        pool: &mut Pool,
        automaton: &Automaton,
        limit: usize,
    ) -> Result<Graph, TooLarge> {
        let own = automaton.acceptance.marks().count_ones();
        let marks = self.marks + own;
        if marks > 64 {
            return Err(TooLarge);
        }
        let mut graph = Graph { rows: Vec::new(), gaps: Vec::new(), marks };
        if automaton.states.is_empty() || self.rows.is_empty() {
            return Ok(graph);
        }
        let mut follower = Follower::new(automaton);
        let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::from_iter([((0, automaton.initial), 0)]);
        let mut open = vec![(0, automaton.initial)];
        let mut arrows = 0;
        while let Some(&(node, at)) = open.get(graph.rows.len()) {
            let mut row = Vec::new();
            for arrow in &self.rows[node as usize] {
                for taken in follower.arrows(pool, arrow.class, at).iter() {
                    let to = *numbers.entry((arrow.to, taken.to)).or_insert_with(|| {
                        open.push((arrow.to, taken.to));
                        open.len() as u32 - 1
                    });
                    row.push(Arrow {
                        class: taken.class,
                        to,
                        marks: arrow.marks | taken.marks << self.marks,
                    });
                }
            }
            arrows += row.len();
            if arrows > limit {
                return Err(TooLarge);
            }
            let gap = self.gaps[node as usize].as_ref();
            graph.gaps.push(gap.map(|gap| gap & &follower.inputs(at)).filter(|gap| !gap.is_none()));
            graph.rows.push(row);
        }
        Ok(graph)
    }
}

/// An automaton that reads classes of exchanges, and remembers where they led.
pub(super) struct Follower<'a> {
    automaton: &'a Automaton,
    known: FxHashMap<(u32, u32), Rc<[Arrow]>>,
    missing: FxHashMap<(u32, u32), Option<u32>>,
    inputs: FxHashMap<u32, Bdd>,
}

impl<'a> Follower<'a> {
    pub(super) fn new(automaton: &'a Automaton) -> Follower<'a> {
        let (known, missing, inputs) = Default::default();
        Follower { automaton, known, missing, inputs }
    }

    /// Where a class leads from a state, split into the classes that go different ways.
    pub(super) fn arrows(&mut self, pool: &mut Pool, class: u32, at: u32) -> Rc<[Arrow]> {
        if let Some(known) = self.known.get(&(class, at)) {
            return known.clone();
        }
        let state = &self.automaton.states[at as usize];
        let all = self.automaton.acceptance.marks();
        let Class { inputs, output } = &pool.classes[class as usize];
        let (inputs, output) = (inputs.clone(), *output);
        let mut found = Vec::new();
        for edge in &state.edges {
            let taken = &inputs & &pool.answered(&edge.guard, output);
            if !taken.is_none() {
                let marks = u64::from((state.marks | edge.marks) & all);
                found.push(Arrow { class: pool.class(taken, output), to: edge.to, marks });
            }
        }
        let found: Rc<[Arrow]> = found.into();
        self.known.insert((class, at), found.clone());
        found
    }

    /// The part of a class that no edge of a state takes.
    pub(super) fn missing(&mut self, pool: &mut Pool, class: u32, at: u32) -> Option<u32> {
        if let Some(known) = self.missing.get(&(class, at)) {
            return *known;
        }
        let Class { inputs, output } = &pool.classes[class as usize];
        let (inputs, output) = (inputs.clone(), *output);
        let edges = &self.automaton.states[at as usize].edges;
        let rest = edges.iter().fold(inputs, |rest, edge| &rest - &pool.answered(&edge.guard, output));
        let found = (!rest.is_none()).then(|| pool.class(rest, output));
        self.missing.insert((class, at), found);
        found
    }

    /// The inputs that a state takes with some answer.
    fn inputs(&mut self, at: u32) -> Bdd {
        let automaton = self.automaton;
        self.inputs.entry(at).or_insert_with(|| automaton.space.some_output(&automaton.allowed(at))).clone()
    }
}
