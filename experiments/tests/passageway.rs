//! The passageway of paper 1, pinned: states, ranks, greedy inputs, and the shortest way to the fault.

use std::collections::{HashMap, VecDeque};

use experiments::arena::Arena;
use experiments::passageway::{Door, Grid, Robot, arena, files, letter};
use provoke::game::{Game, Guide, Next, Place, State, Tier};
use provoke::letter::Letter;

const LEFT_DOWN: u64 = 0;
const RIGHT_DOWN: u64 = 1;
const LEFT_UP: u64 = 2;
const RIGHT_UP: u64 = 3;

/// The product state of a place (0 for m0, ...) in a room, counted from 1.
fn state(arena: &Arena, room: u32, place: u32) -> State {
    let number = 3 * (room - 1) + place;
    let all = (0..arena.product.states() as u32).map(State);
    all.into_iter()
        .find(|&at| arena.product.component_state(at, Place(0)) == Some(number))
        .expect("every place is reachable")
}

#[test]
fn three_states_a_room_and_one_for_collisions() {
    for rooms in [2, 3, 10, 40] {
        assert_eq!(arena(rooms).unwrap().product.states() as u32, 3 * rooms + 1);
    }
    let arena = arena(10).unwrap();
    assert_eq!(arena.product.state_name(State(0)), "room 1, m0");
    assert!(arena.guide.distance(state(&arena, 10, 0)) == Some(0));
}

#[test]
fn ranks_count_the_doors() {
    let arena = arena(10).unwrap();
    for room in 1..10 {
        for (place, more) in [(0, 1), (1, 1), (2, 0)] {
            let at = state(&arena, room, place);
            assert_eq!(arena.guide.rank(at), Some(10 - room + more), "room {room}, m{place}");
            assert_eq!(arena.guide.distance(at), Some(10 - room + more));
        }
    }
    for place in 0..3 {
        assert_eq!(arena.guide.rank(state(&arena, 10, place)), Some(0));
    }
    assert_eq!(arena.guide.farthest(), Some(10));
    let collision =
        (0..31).map(State).find(|&at| arena.product.component_state(at, Place(0)) == Some(30)).unwrap();
    assert_eq!(arena.guide.rank(collision), None);
}

#[test]
fn greedy_inputs_head_for_the_door() {
    let arena = arena(10).unwrap();
    let greedy = |room: u32, place: u32| -> Vec<u64> {
        let at = state(&arena, room, place);
        assert!(arena.guide.inputs(at, Tier::Forcing).is_empty(), "a collision is always possible");
        let mut inputs: Vec<u64> = arena.guide.greedy_inputs(at).iter().map(Letter::index).collect();
        inputs.sort_unstable();
        inputs
    };
    for room in 1..10 {
        let towards_open = if room % 2 == 1 { [LEFT_DOWN, RIGHT_DOWN] } else { [LEFT_UP, RIGHT_UP] };
        assert_eq!(greedy(room, 0), towards_open, "room {room}, m0");
        assert_eq!(greedy(room, 1), [RIGHT_DOWN, RIGHT_UP], "room {room}, m1");
        assert_eq!(greedy(room, 2), [RIGHT_DOWN, RIGHT_UP], "room {room}, m2");
    }
}

/// The inputs of a shortest trace that violates the requirement, breadth-first over requirement and robot.
fn shortest_fault(grid: Grid) -> Option<Vec<u64>> {
    type Place = (State, Robot);
    let arena = arena(grid.rooms).expect("the generated requirement is right");
    let start = (arena.product.initial(), grid.start());
    let mut from: HashMap<Place, Option<(Place, u64)>> = HashMap::from([(start, None)]);
    let mut open = VecDeque::from([start]);
    while let Some((at, robot)) = open.pop_front() {
        for input in 0..4 {
            let next = grid.step(robot, input & 1 == 1, input & 2 == 2);
            match arena.product.next(at, Letter::from_index(input), letter(grid.rooms, grid.show(next))) {
                Next::To(to) => {
                    from.entry((to, next)).or_insert_with(|| {
                        open.push_back((to, next));
                        Some(((at, robot), input))
                    });
                }
                Next::Unfair => unreachable!("nothing is assumed"),
                Next::Violates(_) => {
                    let mut inputs = vec![input];
                    let mut place = (at, robot);
                    while let Some((before, input)) = from[&place] {
                        inputs.push(input);
                        place = before;
                    }
                    inputs.reverse();
                    return Some(inputs);
                }
            }
        }
    }
    None
}

#[test]
fn the_fault_is_as_deep_as_the_passageway_is_long() {
    for rooms in [3, 5, 10, 20] {
        let fault = shortest_fault(Grid::faulty(rooms)).unwrap();
        // Three moves to the door and one through it, in every room but the last.
        assert_eq!(fault.len() as u32, 4 * (rooms - 1), "{rooms} rooms");
    }
    let wide = Grid { size: 6, ..Grid::faulty(10) };
    assert_eq!(shortest_fault(wide).unwrap().len(), 6 * 9);
}

#[test]
fn without_the_fault_the_passageway_is_right() {
    for size in [2, 4, 6] {
        for last_door in [Door::Open, Door::Wall] {
            assert_eq!(shortest_fault(Grid { rooms: 6, size, last_door }), None, "size {size}");
        }
    }
}

#[test]
fn a_shortest_trace_to_the_fault() {
    // From (0, 1): down to the open row of room 1, along it to the doorstep, through the door, and so on.
    let fault = shortest_fault(Grid::faulty(3)).unwrap();
    assert_eq!(fault.len(), 8);
    let (grid, arena) = (Grid::faulty(3), arena(3).unwrap());
    let mut robot = grid.start();
    let mut names = Vec::new();
    let mut at = arena.product.initial();
    for &input in &fault {
        robot = grid.step(robot, input & 1 == 1, input & 2 == 2);
        match arena.product.next(at, Letter::from_index(input), letter(3, grid.show(robot))) {
            Next::To(next) => {
                at = next;
                names.push(arena.product.state_name(at));
            }
            _ => names.push("error".to_owned()),
        }
    }
    assert_eq!(
        names,
        [
            "room 1, m1",
            "room 1, m0",
            "room 1, m2",
            "room 2, m0",
            "room 2, m0",
            "room 2, m0",
            "room 2, m2",
            "error"
        ]
    );
}

#[test]
fn the_committed_example_is_what_the_generator_writes() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/passageway");
    for rooms in [3, 10] {
        for (name, text) in files(rooms, 4) {
            let committed = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
            assert!(
                committed == text,
                "{name}: run `cargo run -p experiments -- passageway-files --rooms {rooms} examples/passageway`"
            );
        }
    }
}
