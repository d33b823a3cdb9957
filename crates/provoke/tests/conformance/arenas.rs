//! Every arena there is, made from the same plain game.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use provoke::automaton::{Acceptance, Automaton, Edge, StateInfo};
use provoke::bdd::Space;
use provoke::game::explicit::{Component, Product, Solved, solve};
use provoke::game::symbolic::{Aim, Body, Depth, Part, Symbolic, Wanted, Way};
use provoke::game::{Game, Guide, Next, Place, State, Tier};
use provoke::letter::{Interface, Letter, LetterSet, LetterSets};
use provoke::objective::Arena;

use crate::plain::{After, Goal, INPUTS, Moves, OUTPUTS, Plain, Tuple, letters};

/// The arenas, each with its name. One that is new belongs here.
pub(crate) fn arenas(plain: &Plain) -> Vec<(&'static str, Arena)> {
    let (product, solved) = explicit(plain);
    let unfolded = |is_bounded| {
        let game = Arc::new(Unfolded::new(plain.clone()));
        let solved = solved.clone();
        let guide = Arc::new(Far { game: game.clone(), solved, sets: LetterSets::new(), is_bounded });
        Arena { game, guide }
    };
    vec![
        ("unfolded", unfolded(true)),
        ("unbounded", unfolded(false)),
        ("explicit", Arena { game: product, guide: solved }),
        ("symbolic", symbolic(plain)),
    ]
}

pub(crate) fn explicit(plain: &Plain) -> (Arc<Product>, Arc<Solved>) {
    let names = |prefix: &str, count| (0..count).map(|at| format!("{prefix}{at}")).collect::<Vec<_>>();
    let interface = Interface::labels(names("i", INPUTS), names("o", OUTPUTS)).unwrap();
    let space = Arc::new(Space::new(interface));
    let required = plain.requirements.iter().map(|moves| Component::requirement(automaton(&space, moves)));
    let assumed = plain.assumptions.iter().map(|moves| Component::assumption(automaton(&space, moves)));
    let components: Vec<Component> = required.chain(assumed).collect();
    let width = components.len();
    let product = Arc::new(Product::new(space, components, 10_000).unwrap());
    let tuple_of = |at| {
        (0..width).map(|place| product.component_state(at, Place(place)).unwrap() as usize).collect::<Tuple>()
    };
    let solved = solve(product.clone(), |next| plain.wants(next, tuple_of)).unwrap();
    (product.clone(), Arc::new(solved))
}

/// The same automata, with their states encoded in bits.
fn symbolic(plain: &Plain) -> Arena {
    let (product, _) = explicit(plain);
    let body = |component: &Component| Body::Automaton(component.automaton.clone());
    let parts =
        product.components().iter().map(|component| Part { body: body(component), role: component.role });
    let game = Arc::new(Symbolic::new(product.space().clone(), parts.collect(), 1 << 20).unwrap());
    let aim = match plain.goal {
        Goal::State(wanted) => Aim::States(vec![(Place(0), Wanted::States(vec![wanted as u32]))]),
        Goal::Violation(place) => Aim::Violation(Place(place)),
    };
    let way = Way::new(game.clone(), aim);
    assert_eq!(way.depth(), Depth::Full);
    Arena { game, guide: Arc::new(way) }
}

fn automaton(space: &Arc<Space>, moves: &Moves) -> Arc<Automaton> {
    let mut states = Vec::new();
    for row in moves {
        let mut info = StateInfo::default();
        for (input, answers) in row.iter().enumerate() {
            for (output, &to) in answers.iter().enumerate() {
                if to < moves.len() {
                    let input = space.input(Letter::from_index(input as u64));
                    let guard = &input & &space.output(Letter::from_index(output as u64));
                    info.edges.push(Edge { guard, to: to as u32, marks: 0 });
                }
            }
        }
        states.push(info);
    }
    let space = space.clone();
    Arc::new(Automaton { space, name: None, states, initial: 0, acceptance: Acceptance::All })
}

/// A game whose states are numbered when they are met and whose sets of letters are made when they are asked for: what a
/// model program will be.
pub(crate) struct Unfolded {
    plain: Plain,
    met: Mutex<(BTreeMap<Tuple, u32>, Vec<Tuple>)>,
    sets: LetterSets,
}

const INPUT_BITS: usize = 2;
const OUTPUT_BITS: usize = 1;

impl Unfolded {
    fn new(plain: Plain) -> Unfolded {
        let unfolded =
            Unfolded { plain, met: Mutex::new((BTreeMap::new(), Vec::new())), sets: LetterSets::new() };
        unfolded.number(unfolded.plain.initial());
        unfolded
    }

    fn number(&self, tuple: Tuple) -> State {
        let mut met = self.met.lock().unwrap();
        let fresh = met.1.len() as u32;
        let number = *met.0.entry(tuple.clone()).or_insert(fresh);
        if number == fresh {
            met.1.push(tuple);
        }
        State(number)
    }

    fn tuple(&self, at: State) -> Tuple {
        self.met.lock().unwrap().1[at.0 as usize].clone()
    }
}

impl Game for Unfolded {
    fn initial(&self) -> State {
        State(0)
    }

    fn inputs(&self, at: State) -> &LetterSet {
        let legal = self.plain.legal(&self.tuple(at));
        self.sets.keep(LetterSet::of(INPUT_BITS, &letters(&legal)))
    }

    fn outputs(&self, at: State, input: Letter) -> LetterSet {
        let goes_on =
            |&output: &u64| matches!(self.plain.after(&self.tuple(at), input.index(), output), After::To(_));
        LetterSet::of(OUTPUT_BITS, &letters(&(0..OUTPUTS).filter(goes_on).collect()))
    }

    fn next(&self, at: State, input: Letter, output: Letter) -> Next {
        match self.plain.after(&self.tuple(at), input.index(), output.index()) {
            After::To(next) => Next::To(self.number(next)),
            After::Violates(place) => Next::Violates(Place(place)),
            After::Unfair => Next::Unfair,
        }
    }
}

/// The way through an [`Unfolded`] game, known from the product, whose states have other numbers.
struct Far {
    game: Arc<Unfolded>,
    solved: Arc<Solved>,
    sets: LetterSets,
    /// Whether it says how far anything can be; games without bounds cannot.
    is_bounded: bool,
}

impl Far {
    fn state(&self, at: State) -> State {
        let (product, tuple) = (self.solved.product(), self.game.tuple(at));
        let is_it = |at: State| {
            let mut places = tuple.iter().enumerate();
            places.all(|(place, &state)| product.component_state(at, Place(place)) == Some(state as u32))
        };
        (0..product.states() as u32).map(State).find(|&at| is_it(at)).unwrap()
    }
}

impl Guide for Far {
    fn distance(&self, at: State) -> Option<u32> {
        self.solved.distance(self.state(at))
    }

    fn rank(&self, at: State) -> Option<u32> {
        self.solved.rank(self.state(at))
    }

    fn inputs(&self, at: State, tier: Tier) -> &LetterSet {
        let inputs: Vec<Letter> = self.solved.inputs(self.state(at), tier).iter().collect();
        self.sets.keep(LetterSet::of(INPUT_BITS, &inputs))
    }

    fn farthest(&self) -> Option<u32> {
        self.solved.farthest().filter(|_| self.is_bounded)
    }
}
