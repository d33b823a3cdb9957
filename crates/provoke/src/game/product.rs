//! Several requirements played as one game: the reachable part of their product.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Game, Next, State};
use crate::automaton::{Automaton, Table};
use crate::bdd::{Bdd, OutOfNodes};
use crate::letter::{Letter, LetterSet};
use crate::space::Space;

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
/// States `0..states()` are tuples of component states; after them comes one violation state for each
/// component, so that driving a system towards a violation is an objective like any other. Where one exchange
/// violates several requirements, the first in the order of the components gets it.
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
    numbers: Numbers,
    /// Where each exchange leads from each state, for games small enough to write it all down.
    moves: Option<Moves>,
}

/// More edges than this out of one state mean that the components have little to do with each other, and that
/// their product is hopeless long before its states are counted.
const EDGES_A_STATE: usize = 4096;

/// The same for all states together: a product with more edges a state than this, after the first ones, is
/// given up early. The first ones are few where few states are allowed, because giving up costs as much as they do.
const USUAL_EDGES_A_STATE: usize = 64;
const SPARE_EDGES: usize = 50_000;
const SPARE_EDGES_AN_ALLOWED_STATE: usize = 4;

/// The component state of a purpose that can no longer be met.
const LOST: u32 = u32::MAX;

/// Why there is no product.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProductError {
    /// More states than the caller wanted to pay for.
    #[error("failed to build the product: more than {0} states")]
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
        if components.iter().any(|component| component.automaton.states.is_empty()) {
            return Err(ProductError::NoStates);
        }
        let allowed = allowed_by(&components);
        let width = components.len();
        let mut tuples: Vec<u32> = components.iter().map(|component| component.automaton.initial).collect();
        let mut numbers = Numbers::new(&components).ok_or(ProductError::TooLarge(limit))?;
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
        let product = Product::assemble(space, components, tuples, numbers, rows);
        product.space.clone().bdds().checked(Ok(product))
    }

    fn assemble(
        space: Arc<Space>,
        components: Vec<Component>,
        tuples: Vec<u32>,
        numbers: Numbers,
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
        };
        product.moves = Moves::of(&product);
        product
    }

    /// Steps every component. A broken assumption comes before a violation, the first violation before others.
    fn move_components(&self, at: State, input: Letter, output: Letter) -> Next {
        let width = self.components.len();
        let tuple = &self.tuples[at.0 as usize * width..(at.0 as usize + 1) * width];
        let mut key = 0;
        let mut violated = None;
        for (place, (table, &state)) in self.tables.iter().zip(tuple).enumerate() {
            let to = if state == LOST { Table::NOWHERE } else { table.next(state, &input, &output) };
            if to != Table::NOWHERE {
                key += self.numbers.strides[place] * u128::from(to + 1);
                continue;
            }
            match self.components[place].role {
                Role::Assumption => return Next::Unfair,
                Role::Requirement => violated = violated.or(Some(place)),
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

    /// The edges of a state: guard and target, which may be a violation state.
    pub fn edges(&self, at: State) -> &[(Bdd, u32)] {
        match self.first_edge.get(at.0 as usize + 1) {
            Some(&end) => &self.edges[self.first_edge[at.0 as usize] as usize..end as usize],
            None => &[],
        }
    }

    /// The state that stands for "this component's requirement is violated".
    pub fn violation(&self, component: usize) -> State {
        State((self.states() + component) as u32)
    }

    /// Whether the state stands for a violation.
    pub fn is_violation(&self, at: State) -> bool {
        at.0 as usize >= self.states()
    }

    /// The state of one component; none where a purpose can no longer be met or `at` is a violation.
    pub fn component_state(&self, at: State, component: usize) -> Option<u32> {
        let place = at.0 as usize * self.components.len() + component;
        self.tuples.get(place).copied().filter(|&state| state != LOST)
    }

    /// The component states' names, for reports.
    pub fn state_name(&self, at: State) -> String {
        if self.is_violation(at) {
            let component = at.0 as usize - self.states();
            let name = self.components.get(component).and_then(|component| component.automaton.name.clone());
            return format!("violates {}", name.unwrap_or_else(|| component.to_string()));
        }
        let names: Vec<String> = (0..self.components.len())
            .map(|component| match self.component_state(at, component) {
                Some(state) => self.components[component].automaton.state_name(state),
                None => "-".to_owned(),
            })
            .filter(|name| !name.is_empty())
            .collect();
        names.join(", ")
    }
}

impl Game for Product {
    fn initial(&self) -> State {
        State(0)
    }

    fn inputs(&self, at: State) -> &LetterSet {
        &self.input_sets[self.inputs[at.0 as usize] as usize]
    }

    #[inline]
    fn next(&self, at: State, input: Letter, output: Letter) -> Next {
        let Some(moves) = &self.moves else { return self.move_components(at, input, output) };
        let to = moves.to(at, input, output);
        match to.checked_sub(self.inputs.len() as u32) {
            None => Next::To(State(to)),
            Some(component) if component == self.components.len() as u32 => Next::Unfair,
            Some(component) => Next::Violates(component as usize),
        }
    }
}

/// The number of each tuple that was met: tuples are digits of one large number, [`LOST`] being digit 0.
struct Numbers {
    strides: Vec<u128>,
    known: FxHashMap<u128, u32>,
    /// The same as a list, where there cannot be many tuples; [`LOST`] where a tuple was not met.
    listed: Vec<u32>,
}

/// So many tuples are few.
const FEW_TUPLES: u128 = 1 << 12;

impl Numbers {
    /// None where the tuples do not fit into the digits.
    fn new(components: &[Component]) -> Option<Numbers> {
        let mut strides = Vec::new();
        let mut stride = 1u128;
        for component in components {
            strides.push(stride);
            stride = stride.checked_mul(component.automaton.states.len() as u128 + 1)?;
        }
        let listed = vec![LOST; if stride <= FEW_TUPLES { stride as usize } else { 0 }];
        Some(Numbers { strides, known: FxHashMap::default(), listed })
    }

    fn len(&self) -> usize {
        self.known.len()
    }

    fn number(&mut self, tuple: &[u32]) -> u32 {
        let digits = tuple.iter().map(|state| u128::from(state.wrapping_add(1)));
        let key = digits.zip(&self.strides).map(|(digit, stride)| digit * stride).sum();
        let next = self.known.len() as u32;
        let number = *self.known.entry(key).or_insert(next);
        if let Some(listed) = self.listed.get_mut(key as usize) {
            *listed = number;
        }
        number
    }

    #[inline]
    fn find(&self, key: u128) -> Option<u32> {
        if self.listed.is_empty() {
            return self.known.get(&key).copied();
        }
        self.listed.get(key as usize).copied().filter(|&number| number != LOST)
    }
}

/// All moves of a small game, written down: states times exchanges.
struct Moves {
    input_bits: u32,
    bits: u32,
    to: Vec<u32>,
}

impl Moves {
    /// How many entries are small enough to be worth it: the table should stay in the cache.
    const MOST: usize = 1 << 14;

    fn of(product: &Product) -> Option<Moves> {
        let (input_bits, output_bits) = (product.space.input_bits(), product.space.output_bits());
        let bits = input_bits + output_bits;
        if bits > 14 || product.states() << bits > Moves::MOST {
            return None;
        }
        let mut to = Vec::with_capacity(product.states() << bits);
        for entry in 0..(product.states() << bits) as u64 {
            let (at, code) = ((entry >> bits) as u32, entry & ((1 << bits) - 1));
            let (input, output) = (code & ((1 << input_bits) - 1), code >> input_bits);
            let next =
                product.move_components(State(at), Letter::from_index(input), Letter::from_index(output));
            to.push(match next {
                Next::To(next) => next.0,
                Next::Violates(component) => (product.states() + component) as u32,
                Next::Unfair => (product.states() + product.components.len()) as u32,
            });
        }
        Some(Moves { input_bits: input_bits as u32, bits: bits as u32, to })
    }

    #[inline]
    fn to(&self, at: State, input: Letter, output: Letter) -> u32 {
        let code = input.index() | output.index() << self.input_bits;
        self.to[(u64::from(at.0) << self.bits | code) as usize]
    }
}

fn component_table(space: &Space, component: &Component) -> Table {
    let states = component.automaton.states.iter();
    Table::new(space, states.map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to))))
}

/// What leaves one state of the product; `T` is a tuple while exploring and a number afterwards.
struct Row<T = u32> {
    edges: Vec<(Bdd, T)>,
    violations: Vec<(Bdd, u32)>,
    /// Inputs that the assumptions let the tester send.
    legal: Bdd,
    /// Whether one of them leaves no answer that every requirement allows.
    corner: bool,
}

/// For each component and each of its states, the exchanges it has edges for; nothing for purposes.
fn allowed_by(components: &[Component]) -> Vec<Vec<Bdd>> {
    let allowed =
        |automaton: &Automaton| (0..automaton.states.len() as u32).map(|at| automaton.allowed(at)).collect();
    let purpose = |component: &Component| component.role == Role::Purpose;
    let by = |component| if purpose(component) { Vec::new() } else { allowed(&component.automaton) };
    components.iter().map(by).collect()
}

/// What leaves a tuple; nothing where it is more than [`EDGES_A_STATE`].
fn explore(
    space: &Space,
    components: &[Component],
    allowed: &[Vec<Bdd>],
    tuple: &[u32],
) -> Option<Row<Vec<u32>>> {
    let by_role = |role: Role| {
        let all = components.iter().zip(allowed).zip(tuple).enumerate();
        all.filter(move |(_, ((component, _), _))| component.role == role)
            .map(|(place, ((_, allowed), &at))| (place, &allowed[at as usize]))
    };
    let fair = by_role(Role::Assumption).fold(space.exchanges(), |fair, (_, allowed)| &fair & allowed);
    let all = by_role(Role::Requirement).fold(fair.clone(), |all, (_, allowed)| &all & allowed);
    let legal = space.some_output(&fair);
    let corner = legal != space.some_output(&all);
    let mut open = fair;
    let mut violations = Vec::new();
    for (place, allowed) in by_role(Role::Requirement) {
        let broken = &open - allowed;
        if !broken.is_none() {
            violations.push((broken, place as u32));
            open = &open & allowed;
        }
    }
    let mut partial = vec![(all, Vec::with_capacity(tuple.len()))];
    for (component, &at) in components.iter().zip(tuple) {
        let mut extended = Vec::new();
        for (guard, prefix) in partial {
            extend(component, at, &guard, &prefix, &mut extended);
        }
        if extended.len() > EDGES_A_STATE {
            return None;
        }
        partial = extended;
    }
    Some(Row { edges: partial, violations, legal, corner })
}

fn extend(component: &Component, at: u32, guard: &Bdd, prefix: &[u32], into: &mut Vec<(Bdd, Vec<u32>)>) {
    let mut push = |guard: Bdd, to: u32| {
        if !guard.is_none() {
            into.push((guard, prefix.iter().copied().chain([to]).collect()));
        }
    };
    let mut rest = guard.clone();
    if at != LOST {
        for edge in &component.automaton.states[at as usize].edges {
            push(guard & &edge.guard, edge.to);
            if component.role == Role::Purpose {
                rest = &rest - &edge.guard;
            }
        }
    }
    if component.role == Role::Purpose {
        push(rest, LOST);
    }
}

/// Sets of input letters, each kept once.
#[derive(Default)]
pub(super) struct LetterSets {
    pub(super) sets: Vec<LetterSet>,
    known: FxHashMap<Bdd, u32>,
}

impl LetterSets {
    pub(super) fn number(&mut self, space: &Space, inputs: &Bdd) -> u32 {
        if let Some(&number) = self.known.get(inputs) {
            return number;
        }
        self.sets.push(space.input_letters(inputs));
        let number = self.sets.len() as u32 - 1;
        self.known.insert(inputs.clone(), number);
        number
    }
}
