//! Several requirements played as one game: the reachable part of their product.

use std::sync::Arc;

use super::explore::{Row, allowed_by, explore};
use super::moves::Moves;
use super::sets::LetterSets;
use super::tuples::{LOST, Tuples};
use crate::automaton::{Automaton, Table};
use crate::bdd::{Bdd, OutOfNodes, Space};
use crate::game::{Game, Next, Place, State, Transition};
use crate::letter::{Conflict, Idle, Letter, LetterSet};
use crate::trace::Step;

/// One automaton of a product.
#[derive(Clone, Debug)]
pub struct Component {
    /// The deterministic automaton.
    pub automaton: Arc<Automaton>,
    /// What an exchange means that it has no edge for.
    pub role: Role,
}

/// What an exchange means that an automaton of a product has no edge for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The system violated it.
    Requirement,
    /// The environment broke it: the run is over, and nobody violated anything.
    Assumption,
    /// It can no longer be met; the game goes on.
    Purpose,
}

impl Component {
    /// A requirement of the system.
    pub fn requirement(automaton: Arc<Automaton>) -> Component {
        Component { automaton, role: Role::Requirement }
    }

    /// An assumption about the environment.
    pub fn assumption(automaton: Arc<Automaton>) -> Component {
        Component { automaton, role: Role::Assumption }
    }

    /// A test purpose.
    pub fn purpose(automaton: Arc<Automaton>) -> Component {
        Component { automaton, role: Role::Purpose }
    }
}

/// The reachable product of deterministic automata: explicit states, symbolic guards.
///
/// States are tuples of component states. Inside, one violation state for each component comes after them, so that
/// driving a system towards a violation is an objective like any other; outside, an exchange leads to a state or
/// [violates](Next::Violates) a component. Where one exchange violates several requirements, the first in the order of the
/// components gets it.
pub struct Product {
    space: Arc<Space>,
    components: Vec<Component>,
    /// Component states, [`LOST`] for a purpose that can no longer be met; one row of `components` a state.
    tuples: Vec<u32>,
    /// Edges of state `at` are `edges[first_edge[at]..first_edge[at + 1]]`, violation states included.
    first_edge: Vec<u32>,
    edges: Vec<(Bdd, u32)>,
    inputs: Vec<u32>,
    input_sets: Vec<LetterSet>,
    corners: Vec<u32>,
    /// One table a component; a purpose's goes to [`LOST`] where it has no edge.
    tables: Vec<Table>,
    numbers: Tuples,
    /// Where each exchange leads from each state, for games small enough to write it all down.
    moves: Option<Moves>,
    /// What is known of actions, where letters stand for some.
    actions: Option<Actions>,
}

/// A game of actions that need not alternate.
struct Actions {
    idle: Idle,
    conflict: Conflict,
    /// For each state, whether the system may act by itself.
    speaks: Vec<bool>,
}

/// A product with more edges a state than this, after the first ones, is given up early. The first ones are few where few
/// states are allowed, because giving up costs as much as they do: `experiments monitors` measures it.
const USUAL_EDGES_A_STATE: usize = 64;
const SPARE_EDGES: usize = 50_000;
const SPARE_EDGES_AN_ALLOWED_STATE: usize = 4;

/// Why there is no product.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProductError {
    /// More states than the caller wanted to pay for.
    #[error("failed to build the product: more than {0} state{s}; --states allows more", s = if *.0 == 1 { "" } else { "s" })]
    TooLarge(usize),
    /// An automaton without states has no game.
    #[error("failed to build the product: an automaton has no states")]
    NoStates,
    /// Its guards need more nodes than there may be.
    #[error("failed to build the product: {0}")]
    OutOfNodes(#[from] OutOfNodes),
}

impl Product {
    /// Explores the product from the initial states; gives up beyond `limit` states.
    pub fn new(space: Arc<Space>, components: Vec<Component>, limit: usize) -> Result<Product, ProductError> {
        let reached = Product::reached(space.clone(), components, limit);
        space.bdds().checked(reached)
    }

    fn reached(space: Arc<Space>, components: Vec<Component>, limit: usize) -> Result<Product, ProductError> {
        if components.iter().any(|component| component.automaton.states.is_empty()) {
            return Err(ProductError::NoStates);
        }
        let allowed = allowed_by(&components);
        let width = components.len();
        let mut tuples: Vec<u32> = components.iter().map(|component| component.automaton.initial).collect();
        let mut numbers = Tuples::new(&components).ok_or(ProductError::TooLarge(limit))?;
        numbers.number(&tuples);
        let mut rows: Vec<Row> = Vec::new();
        let mut edge_count = 0;
        let spare = SPARE_EDGES.min(limit.saturating_mul(SPARE_EDGES_AN_ALLOWED_STATE));
        while rows.len() < numbers.len() {
            space.bdds().within_bounds()?;
            let tuple = tuples[rows.len() * width..(rows.len() + 1) * width].to_vec();
            let row = explore(&space, &components, &allowed, &tuple).ok_or(ProductError::TooLarge(limit))?;
            let mut edges: Vec<(Bdd, u32)> = Vec::with_capacity(row.edges.len());
            for (guard, to) in row.edges {
                let known = numbers.len();
                let next = numbers.number(&to);
                if numbers.len() > known {
                    tuples.extend(to);
                }
                match edges.iter_mut().find(|(_, known)| *known == next) {
                    Some((known, _)) => *known = &*known | &guard,
                    None => edges.push((guard, next)),
                }
            }
            edge_count += edges.len();
            if numbers.len() > limit || edge_count > spare + USUAL_EDGES_A_STATE * rows.len() {
                return Err(ProductError::TooLarge(limit));
            }
            rows.push(Row { edges, violations: row.violations, legal: row.legal, corner: row.corner });
        }
        Ok(Product::assemble(space, components, tuples, numbers, rows))
    }

    fn assemble(
        space: Arc<Space>,
        components: Vec<Component>,
        tuples: Vec<u32>,
        numbers: Tuples,
        rows: Vec<Row<u32>>,
    ) -> Product {
        let states = rows.len() as u32;
        let mut first_edge = vec![0];
        let mut edges = Vec::new();
        let mut sets = LetterSets::default();
        let mut inputs = Vec::with_capacity(rows.len());
        let corners = (0..states).filter(|&at| rows[at as usize].corner).collect();
        for row in rows {
            inputs.push(sets.number(&space, &row.legal));
            edges.extend(row.edges);
            edges.extend(row.violations.into_iter().map(|(guard, component)| (guard, states + component)));
            first_edge.push(edges.len() as u32);
        }
        let tables = components.iter().map(|component| component_table(&space, component)).collect();
        let input_sets = sets.sets;
        let mut product = Product {
            space,
            components,
            tuples,
            first_edge,
            edges,
            inputs,
            input_sets,
            corners,
            tables,
            numbers,
            moves: None,
            actions: None,
        };
        product.moves = Moves::of(&product);
        product
    }

    /// The same as a game of actions: it knows when the system may act by itself, and what an exchange stands for.
    pub fn of_actions(mut self, idle: Idle, conflict: Conflict) -> Result<Product, OutOfNodes> {
        let acts = &self.space.input(idle.wait) - &self.space.output(idle.quiet);
        let speaks = |at: u32| {
            let mut kept = self.edges(State(at)).filter(|(_, next)| matches!(next, Next::To(_)));
            kept.any(|(guard, _)| guard.meets(&acts))
        };
        let speaks = (0..self.states() as u32).map(speaks).collect();
        self.actions = Some(Actions { idle, conflict, speaks });
        self.space.clone().bdds().checked(Ok(self))
    }

    /// Steps every component. A broken assumption comes before a violation, the first violation before others.
    pub(super) fn move_components(&self, at: State, input: Letter, output: Letter) -> Next {
        let width = self.components.len();
        let tuple = &self.tuples[at.0 as usize * width..(at.0 as usize + 1) * width];
        let mut key = 0;
        let mut violated = None;
        for (place, (table, &state)) in self.tables.iter().zip(tuple).enumerate() {
            let to = if state == LOST { Table::NOWHERE } else { table.next(state, &input, &output) };
            if to != Table::NOWHERE {
                key += self.numbers.digit(place, to);
                continue;
            }
            match self.components[place].role {
                Role::Assumption => return Next::Unfair,
                Role::Requirement => violated = violated.or(Some(Place(place))),
                Role::Purpose => {}
            }
        }
        match (violated, self.numbers.find(key)) {
            (Some(place), _) => Next::Violates(place),
            (None, Some(next)) => Next::To(State(next)),
            // Only an input that was not offered can leave the explored part.
            (None, None) => Next::Unfair,
        }
    }

    /// The variables of the guards.
    pub fn space(&self) -> &Arc<Space> {
        &self.space
    }

    /// The automata it is made of.
    pub fn components(&self) -> &[Component] {
        &self.components
    }

    /// How many states, violation states not counted.
    pub fn states(&self) -> usize {
        self.inputs.len()
    }

    /// The states in which some input leaves no answer that every requirement allows.
    pub fn corners(&self) -> &[u32] {
        &self.corners
    }

    /// Whether an answer may end the run because it breaks an assumption.
    pub(super) fn has_assumptions(&self) -> bool {
        self.components.iter().any(|component| component.role == Role::Assumption)
    }

    /// How many edges, those into violation states included.
    pub fn edge_count(&self) -> usize {
        self.edges.len()
    }

    /// The edges of a state: guard and where it leads, violations included.
    pub fn edges(&self, at: State) -> impl Iterator<Item = (&Bdd, Next)> {
        self.numbered_edges(at.0).iter().map(|(guard, to)| (guard, self.named(*to)))
    }

    /// The same with numbers of states; those of violations come after the others.
    pub(super) fn numbered_edges(&self, at: u32) -> &[(Bdd, u32)] {
        match self.first_edge.get(at as usize + 1) {
            Some(&end) => &self.edges[self.first_edge[at as usize] as usize..end as usize],
            None => &[],
        }
    }

    /// The number of a state or of the violation of a component; one more than all where the run is over.
    pub(super) fn number(&self, next: Next) -> u32 {
        match next {
            Next::To(at) => at.0,
            Next::Violates(place) => (self.states() + place.0) as u32,
            Next::Unfair => self.numbers_in_all() as u32,
        }
    }

    #[inline]
    pub(super) fn named(&self, number: u32) -> Next {
        match number.checked_sub(self.inputs.len() as u32) {
            None => Next::To(State(number)),
            Some(place) if place == self.components.len() as u32 => Next::Unfair,
            Some(place) => Next::Violates(Place(place as usize)),
        }
    }

    /// How many states, violation states included.
    pub(super) fn numbers_in_all(&self) -> usize {
        self.states() + self.components.len()
    }

    /// The state of one component; none where a purpose can no longer be met.
    pub fn component_state(&self, at: State, component: Place) -> Option<u32> {
        let place = at.0 as usize * self.components.len() + component.0;
        self.tuples.get(place).copied().filter(|&state| state != LOST)
    }

    /// The component states' names, for reports.
    pub fn state_name(&self, at: State) -> String {
        let names: Vec<String> = (0..self.components.len())
            .map(|component| match self.component_state(at, Place(component)) {
                Some(state) => self.components[component].automaton.state_name(state),
                None => "-".to_owned(),
            })
            .filter(|name| !name.is_empty())
            .collect();
        names.join(", ")
    }

    /// The name of a component, or its place.
    pub fn component_name(&self, component: Place) -> String {
        let name = self.components.get(component.0).and_then(|component| component.automaton.name.clone());
        name.unwrap_or_else(|| component.0.to_string())
    }
}

impl Game for Product {
    fn initial(&self) -> State {
        State(0)
    }

    #[inline]
    fn inputs(&self, at: State) -> &LetterSet {
        &self.input_sets[self.inputs[at.0 as usize] as usize]
    }

    fn outputs(&self, at: State, input: Letter) -> LetterSet {
        let sent = self.space.input(input);
        let kept = self.edges(at).filter(|(_, next)| matches!(next, Next::To(_)));
        let answers = kept.fold(self.space.bdds().none(), |sum, (guard, _)| &sum | &(guard & &sent));
        self.space.output_letters(&self.space.some_input(&answers))
    }

    #[inline]
    fn next(&self, at: State, input: Letter, output: Letter) -> Next {
        match &self.moves {
            Some(moves) => self.named(moves.to(at, input, output)),
            None => self.move_components(at, input, output),
        }
    }

    fn expects_output(&self, at: State) -> bool {
        self.actions.as_ref().is_none_or(|actions| actions.speaks[at.0 as usize])
    }

    fn transition(&self, at: State, step: &Step) -> Transition {
        match &self.actions {
            // The output happened, and the input did not, or only after it.
            Some(Actions { idle, conflict: Conflict::Output | Conflict::Fair, .. })
                if step.output != idle.quiet =>
            {
                Transition::said(at, step.output)
            }
            Some(Actions { idle, .. }) if step.input == idle.wait => Transition::said(at, step.output),
            _ => Transition::of(at, step.input),
        }
    }
}

fn component_table(space: &Space, component: &Component) -> Table {
    let states = component.automaton.states.iter();
    Table::new(space, states.map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to))))
}
