//! Machines to synchronise: random, partial with a planted word, and slow ones.

use provoke::machine::{Machine, Names, UNDEFINED};
use provoke::rng::Rng;

/// A machine with numbered states and inputs.
fn machine(states: usize, inputs: usize, next: Vec<u32>) -> Machine {
    Machine::from_table(Names::numbered("s", states), Names::numbered("i", inputs), next)
        .expect("every generator fills the table with states")
}

/// The complete machines of paper 5 (its set S1): every successor uniformly random.
///
/// The paper throws away those without a word; at its sizes there are practically none.
pub fn random(states: usize, inputs: usize, rng: &mut Rng) -> Machine {
    let next = (0..states * inputs).map(|_| rng.below(states as u64) as u32).collect();
    machine(states, inputs, next)
}

/// Partial machines that have a word, in place of the paper's set S2.
///
/// There, each state has `k` inputs, `k` uniform in `1..=inputs`, and machines without a word are thrown away.
/// But a word needs an input that is defined in every state, and already with 32 states and 10 inputs fewer
/// than one machine in a million has one. So a word is planted first: random inputs are
/// drawn one by one, and wherever the next one is undefined on the set of states reached so far, it is defined
/// there, into a random half of that set; until one state is left. Then each state gets random
/// further transitions until it has its `k` inputs.
pub fn planted(states: usize, inputs: usize, rng: &mut Rng) -> Machine {
    let mut next = vec![UNDEFINED; states * inputs];
    let mut set: Vec<u32> = (0..states as u32).collect();
    while set.len() > 1 {
        let input = rng.index(inputs);
        rng.shuffle(&mut set);
        let half = set[..set.len() / 2].to_vec();
        let mut image = Vec::with_capacity(set.len());
        for &state in &set {
            let entry = &mut next[state as usize * inputs + input];
            if *entry == UNDEFINED {
                *entry = half[rng.index(half.len())];
            }
            image.push(*entry);
        }
        image.sort_unstable();
        image.dedup();
        set = image;
    }
    for row in next.chunks_exact_mut(inputs) {
        let wanted = 1 + rng.index(inputs);
        let mut open: Vec<usize> = (0..inputs).filter(|&input| row[input] == UNDEFINED).collect();
        rng.shuffle(&mut open);
        let defined = inputs - open.len();
        for input in open.into_iter().take(wanted.saturating_sub(defined)) {
            row[input] = rng.below(states as u64) as u32;
        }
    }
    machine(states, inputs, next)
}

/// A family of slowly synchronising machines with two inputs.
pub struct Family {
    /// Its usual name.
    pub name: &'static str,
    /// The machine with this many states, at least 4.
    pub machine: fn(u32) -> Machine,
    /// The length of a shortest word, as proved in the literature.
    pub shortest: fn(u64) -> u64,
}

/// Cerny's machines and relatives (Ananichev, Gusev, Volkov: Slowly synchronizing automata and digraphs, 2010).
pub const FAMILIES: &[Family] = &[
    Family { name: "Cerny C", machine: cerny, shortest: |n| (n - 1) * (n - 1) },
    Family { name: "Wielandt W", machine: wielandt, shortest: |n| n * n - 3 * n + 3 },
    Family { name: "D'", machine: d_prime, shortest: |n| n * n - 3 * n + 4 },
    Family { name: "D''", machine: d_double_prime, shortest: |n| n * n - 3 * n + 2 },
];

fn two_inputs(states: u32, first: impl Fn(u32) -> u32, second: impl Fn(u32) -> u32) -> Machine {
    machine(states as usize, 2, (0..states).flat_map(|state| [first(state), second(state)]).collect())
}

/// One input turns the circle, the other moves one state on.
pub fn cerny(states: u32) -> Machine {
    two_inputs(states, |state| if state == 0 { 1 } else { state }, |state| (state + 1) % states)
}

fn wielandt(states: u32) -> Machine {
    let turn = |state: u32| (state + 1) % states;
    two_inputs(states, turn, |state| if state == states - 1 { 1 } else { state + 1 })
}

fn d_prime(states: u32) -> Machine {
    let last = states - 1;
    let turn = |state: u32| (state + 1) % states;
    two_inputs(states, turn, |state| match state {
        state if state == last => 1,
        state if state == last - 1 => 0,
        state => state + 1,
    })
}

fn d_double_prime(states: u32) -> Machine {
    let last = states - 1;
    two_inputs(
        states,
        |state| if state == last { 1 } else { state + 1 },
        |state| if state >= last - 1 { 0 } else { state + 1 },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use provoke::synchronise::{Answer, Method, Query, synchronise};

    fn length(machine: &Machine, method: Method) -> u64 {
        match synchronise(machine, &Query { method, ..Query::default() }, None) {
            Answer::Found(found) => found.word.len() as u64,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_families_are_as_slow_as_published() {
        for family in FAMILIES {
            for states in 5..=12u32 {
                let found = length(&(family.machine)(states), Method::Exact);
                assert_eq!(found, (family.shortest)(u64::from(states)), "{} {states}", family.name);
            }
        }
    }

    #[test]
    fn planted_machines_are_partial_and_have_a_word() {
        for stream in 0..5 {
            let machine = planted(64, 10, &mut Rng::stream(1, stream));
            assert!(!machine.is_complete());
            assert!(length(&machine, Method::Auto) > 0);
        }
    }
}
