//! The solved game against the definitions of paper 1 applied letter by letter to small random automata.

#![allow(clippy::unwrap_used)]

use std::sync::Arc;

use proptest::prelude::*;
use provoke::automaton::{Acceptance, Automaton, Edge, StateInfo};
use provoke::bdd::Space;
use provoke::game::explicit::{Component, Product, solve};
use provoke::game::{Game, Guide, Next, Place, State, Tier};
use provoke::letter::{Interface, Letter};

const INPUTS: u64 = 3;
const OUTPUTS: u64 = 2;

/// Where each (state, input, output) leads; the number of states stands for "no edge".
type Moves = Vec<[[usize; OUTPUTS as usize]; INPUTS as usize]>;

fn moves(states: usize) -> impl Strategy<Value = Moves> {
    // Some missing edges, but not so many that little is left to play.
    let target = prop_oneof![4 => 0..states, 1 => Just(states)];
    let row = proptest::array::uniform3(proptest::array::uniform2(target));
    proptest::collection::vec(row, states)
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

fn space() -> Arc<Space> {
    let names = |prefix: &str, count| (0..count).map(|at| format!("{prefix}{at}")).collect::<Vec<_>>();
    Arc::new(Space::new(Interface::labels(names("i", INPUTS), names("o", OUTPUTS)).unwrap()))
}

fn product(space: &Arc<Space>, parts: &[&Moves]) -> Arc<Product> {
    let component = |moves: &&Moves| Component::requirement(automaton(space, moves));
    Arc::new(Product::new(space.clone(), parts.iter().map(component).collect(), 10_000).unwrap())
}

fn exchanges() -> impl Iterator<Item = (Letter, Letter)> {
    (0..INPUTS).flat_map(|i| (0..OUTPUTS).map(move |o| (Letter::from_index(i), Letter::from_index(o))))
}

/// For each state and input, where each answer leads.
type Plain = Vec<Vec<(Letter, Vec<Option<usize>>)>>;

/// Successors under each input, `None` for a violation: the game as a plain table.
fn table(game: &Product) -> Plain {
    let after = |at, input, output| match game.next(at, input, output) {
        Next::To(next) => Some(next.0 as usize),
        Next::Violates(_) | Next::Unfair => None,
    };
    (0..game.states() as u32)
        .map(|at| {
            (0..INPUTS)
                .map(Letter::from_index)
                .map(|input| {
                    let answers = (0..OUTPUTS).map(|o| after(State(at), input, Letter::from_index(o)));
                    (input, answers.collect::<Vec<_>>())
                })
                .collect()
        })
        .collect()
}

/// W_0, Coop_1, W_1, ... by the definitions: the rank and the greedy inputs of each state.
fn hierarchy(table: &Plain, goal: impl Fn(usize) -> bool) -> Vec<Option<(usize, Vec<Letter>)>> {
    let mut found: Vec<Option<(usize, Vec<Letter>)>> =
        (0..table.len()).map(|at| goal(at).then(|| (0, Vec::new()))).collect();
    for rank in 0.. {
        loop {
            let forced: Vec<(usize, Vec<Letter>)> = (0..table.len())
                .filter(|&at| found[at].is_none())
                .map(|at| {
                    let wins = |answers: &[Option<usize>]| {
                        answers.iter().all(|next| next.is_none_or(|next| found[next].is_some()))
                    };
                    let inputs = table[at].iter().filter(|(_, answers)| wins(answers));
                    (at, inputs.map(|(input, _)| *input).collect::<Vec<_>>())
                })
                .filter(|(_, inputs)| !inputs.is_empty())
                .collect();
            if forced.is_empty() {
                break;
            }
            forced.into_iter().for_each(|(at, inputs)| found[at] = Some((rank, inputs)));
        }
        let helped: Vec<(usize, Vec<Letter>)> = (0..table.len())
            .filter(|&at| found[at].is_none())
            .map(|at| {
                let may = |answers: &[Option<usize>]| {
                    answers.iter().any(|next| next.is_some_and(|next| found[next].is_some()))
                };
                (at, table[at].iter().filter(|(_, answers)| may(answers)).map(|(input, _)| *input).collect())
            })
            .filter(|(_, inputs): &(usize, Vec<Letter>)| !inputs.is_empty())
            .collect();
        if helped.is_empty() {
            return found;
        }
        helped.into_iter().for_each(|(at, inputs)| found[at] = Some((rank + 1, inputs)));
    }
    unreachable!("ranks end when nothing is added")
}

proptest! {
    #[test]
    fn a_product_is_its_parts_side_by_side(left in moves(4), right in moves(3)) {
        let space = space();
        let game = product(&space, &[&left, &right]);
        for at in (0..game.states() as u32).map(State) {
            let [a, b] = [0, 1].map(|part| game.component_state(at, Place(part)).unwrap() as usize);
            for (input, output) in exchanges() {
                let (i, o) = (input.index() as usize, output.index() as usize);
                let allowed = |o: usize| left[a][i][o] < left.len() && right[b][i][o] < right.len();
                prop_assert!(game.inputs(at).contains(input), "nothing is assumed");
                match game.next(at, input, output) {
                    Next::To(next) => {
                        prop_assert_eq!(game.component_state(next, Place(0)), Some(left[a][i][o] as u32));
                        prop_assert_eq!(game.component_state(next, Place(1)), Some(right[b][i][o] as u32));
                    }
                    Next::Violates(part) => {
                        prop_assert!(!allowed(o));
                        prop_assert_eq!(part.0, usize::from(left[a][i][o] < left.len()));
                    }
                    Next::Unfair => prop_assert!(false, "nothing was assumed"),
                }
            }
        }
    }

    #[test]
    fn ranks_distances_and_inputs_follow_the_definitions(moves in moves(7), goal in 0u32..7) {
        let space = space();
        let game = product(&space, &[&moves]);
        let is_goal = |at: State| game.component_state(at, Place(0)) == Some(goal);
        let guide = solve(game.clone(), |next| matches!(next, Next::To(at) if is_goal(at))).unwrap();
        let table = table(&game);
        let expected = hierarchy(&table, |at| is_goal(State(at as u32)));
        for at in 0..game.states() {
            let state = State(at as u32);
            let rank = expected[at].as_ref().map(|(rank, _)| *rank as u32);
            prop_assert_eq!(guide.rank(state), rank);
            prop_assert!(guide.distance(state).is_none() || rank.is_some());
            if let Some((_, inputs)) = &expected[at] && !is_goal(state) {
                let greedy: Vec<Letter> = guide.greedy_inputs(state).iter().collect();
                let mut inputs = inputs.clone();
                inputs.sort_by_key(|letter| greedy.iter().position(|known| known == letter));
                prop_assert_eq!(greedy, inputs);
            }
            // Distance classes: 0 at the goal, otherwise one more than the best successor's.
            let next = |(_, answers): &(Letter, Vec<Option<usize>>)| {
                answers.iter().filter_map(|next| guide.distance(State((*next)? as u32))).min()
            };
            let best = table[at].iter().filter_map(next).min();
            let distance = if is_goal(state) { Some(0) } else { best.map(|best| best + 1) };
            prop_assert_eq!(guide.distance(state), distance);
            for (input, answers) in &table[at] {
                let may_reach = |next: usize| guide.distance(State(next as u32)).is_some();
                let hopeful = answers.iter().any(|next| next.is_some_and(may_reach));
                prop_assert_eq!(guide.inputs(state, Tier::Hopeful).contains(*input), hopeful);
            }
        }
    }

    #[test]
    fn driving_towards_a_violation(moves in moves(5)) {
        let space = space();
        let game = product(&space, &[&moves]);
        let guide = solve(game.clone(), |next| next == Next::Violates(Place(0))).unwrap();
        for at in (0..game.states() as u32).map(State) {
            let one_step = exchanges().any(|(input, output)| {
                game.inputs(at).contains(input) && game.next(at, input, output) == Next::Violates(Place(0))
            });
            prop_assert_eq!(guide.distance(at) == Some(1), one_step);
        }
    }
}
