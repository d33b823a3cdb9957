use proptest::prelude::*;

use super::*;
use crate::machine::Names;

fn machine(states: usize, inputs: usize, next: Vec<u32>, output: Vec<u32>) -> Machine {
    Machine::from_table(Names::numbered("s", states), Names::numbered("i", inputs), next)
        .unwrap()
        .with_outputs(Names::numbered("o", 2), output)
        .unwrap()
}

/// Follows a homing sequence on the machine from a hidden state; what it says the state is, and what it is.
fn follow(machine: &Machine, homing: &Homing, hidden: u32) -> (Vec<u32>, u32) {
    let mut state = hidden;
    let mut tracker = Tracker::new(machine);
    let mut send = |input: u32| {
        let answer = machine.output(state, input);
        assert!(tracker.observe(input, answer));
        state = machine.next(state, input).expect("a homing input is defined wherever the system may be");
        answer.unwrap_or(UNDEFINED)
    };
    match homing {
        Homing::Preset(word) => word.iter().for_each(|&input| {
            send(input);
        }),
        Homing::Adaptive(tree) => {
            let mut at = tree.root();
            let said = loop {
                match tree.node(at) {
                    Node::Known(said) => break *said,
                    Node::Ask { input, answers } => {
                        let answer = send(*input);
                        at = answers.iter().find(|(output, _)| *output == answer).expect("an answer").1;
                    }
                }
            };
            assert_eq!(tracker.states(), [said]);
        }
    }
    (tracker.states().to_vec(), state)
}

/// True where two states answer alike to every word of up to `states^2` inputs and never meet.
fn some_pair_alike(machine: &Machine) -> bool {
    let states = machine.states().len() as u32;
    let mut apart = vec![vec![false; states as usize]; states as usize];
    for _ in 0..states * states {
        for a in 0..states {
            for b in 0..states {
                apart[a as usize][b as usize] |= a == b
                    || (0..machine.inputs().len() as u32).any(|input| {
                        match (machine.next(a, input), machine.next(b, input)) {
                            (Some(x), Some(y)) => {
                                machine.output(a, input) != machine.output(b, input)
                                    || apart[x as usize][y as usize]
                            }
                            _ => false,
                        }
                    });
            }
        }
    }
    apart.iter().flatten().any(|apart| !apart)
}

fn some_machine(partial: bool) -> impl Strategy<Value = Machine> {
    (1usize..7, 1usize..4).prop_flat_map(move |(states, inputs)| {
        let next = if partial {
            prop_oneof![8 => 0..states as u32, 1 => Just(UNDEFINED)].boxed()
        } else {
            (0..states as u32).boxed()
        };
        let cells = states * inputs;
        (proptest::collection::vec(next, cells), proptest::collection::vec(0u32..2, cells))
            .prop_map(move |(next, output)| machine(states, inputs, next, output))
    })
}

proptest! {
    #[test]
    fn complete_machines_are_homed_exactly_when_no_pair_is_alike(machine in some_machine(false)) {
        match homing(&machine, None) {
            Ok(homing) => {
                prop_assert!(!some_pair_alike(&machine));
                for hidden in 0..machine.states().len() as u32 {
                    let (said, is) = follow(&machine, &homing, hidden);
                    prop_assert_eq!(said, vec![is]);
                }
            }
            Err(reason) => {
                prop_assert!(matches!(reason, Unhomed::Alike(..)), "{:?}", reason);
                prop_assert!(some_pair_alike(&machine));
            }
        }
    }

    #[test]
    fn partial_machines_are_homed_soundly(machine in some_machine(true)) {
        if let Ok(homing) = homing(&machine, None) {
            for hidden in 0..machine.states().len() as u32 {
                let (said, is) = follow(&machine, &homing, hidden);
                prop_assert_eq!(said, vec![is]);
            }
        }
    }
}

#[test]
fn a_circle_that_rings_once_is_homed_by_waiting() {
    // Four states in a circle, one input; the answer is 1 only on the way from 3 to 0.
    let circle = machine(4, 1, vec![1, 2, 3, 0], vec![0, 0, 0, 1]);
    assert_eq!(homing(&circle, None), Ok(Homing::Preset(vec![0, 0, 0])));
    let silent = machine(4, 1, vec![1, 2, 3, 0], vec![0; 4]);
    assert_eq!(homing(&silent, None), Err(Unhomed::Alike(0, 1)));
}
