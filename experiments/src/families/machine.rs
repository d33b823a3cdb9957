//! (c) A random Mealy machine against a random requirement with a deep objective.

use std::collections::{HashMap, HashSet, VecDeque};

use anyhow::{Result, bail};
use provoke::letter::Letter;
use provoke::rng::Rng;
use provoke::system::Closure;

use super::Instance;
use super::explicit::{automaton, space};
use crate::arena::Arena;

const STATES: u64 = 200;
const INPUTS: u64 = 4;
const OUTPUTS: u64 = 4;

/// Draws machines and requirements until the objective is reachable and deep.
///
/// From state r of the requirement one exchange in 8 goes on to r + 1, half stay, the others fall back to a random
/// lower state. Exchanges that the machine never makes are forbidden half of the time.
pub(super) fn instance(rules: u32, deep: u32, seed: u64) -> Result<Instance> {
    for try_ in 0..1000 {
        let mut rng = Rng::stream(seed, 0x3ea1 + try_);
        let machine: Vec<(u32, u64)> =
            (0..STATES * INPUTS).map(|_| (rng.below(STATES) as u32, rng.below(OUTPUTS))).collect();
        let mut moves: HashMap<(u32, u64, u64), u32> = HashMap::new();
        for at in 0..rules {
            for input in 0..INPUTS {
                for output in 0..OUTPUTS {
                    let to = match rng.below(8) {
                        0 => (at + 1).min(rules - 1),
                        1..=4 => at,
                        _ => rng.below(u64::from(at) + 1) as u32,
                    };
                    moves.insert((at, input, output), to);
                }
            }
        }
        let (depth, made) = explore(rules, &machine, &moves);
        if depth.is_none_or(|depth| depth < deep) {
            continue;
        }
        for at in 0..rules {
            for (input, output) in (0..INPUTS * OUTPUTS).map(|pair| (pair / OUTPUTS, pair % OUTPUTS)) {
                if !made.contains(&(at, input, output)) && rng.chance(0.5) {
                    moves.remove(&(at, input, output));
                }
            }
        }
        let space = space(2, 2)?;
        let requirement =
            automaton(&space, rules, |at, input, output| moves.get(&(at, input, output)).copied());
        let arena = Arena::new(space, requirement, |at| at == rules - 1)?;
        let system = move |_| {
            let machine = machine.clone();
            let step = move |at: &mut u32, input: Letter| {
                let (to, output) = machine[(u64::from(*at) * INPUTS + input.index()) as usize];
                *at = to;
                Letter::from_index(output)
            };
            Box::new(Closure::new(|| 0u32, step)) as Box<dyn provoke::system::System>
        };
        return Ok(Instance { arena, system: Box::new(system) });
    }
    bail!("no machine with an objective at depth {deep} was found for seed {seed}")
}

type Exchanges = HashSet<(u32, u64, u64)>;

/// How deep the objective is, and which exchanges the machine makes in which state of the requirement.
fn explore(
    rules: u32,
    machine: &[(u32, u64)],
    moves: &HashMap<(u32, u64, u64), u32>,
) -> (Option<u32>, Exchanges) {
    let mut depths = HashMap::from([((0u32, 0u32), 0u32)]);
    let mut open = VecDeque::from([(0u32, 0u32)]);
    let mut made = HashSet::new();
    let mut objective = None;
    while let Some((at, rule)) = open.pop_front() {
        let depth = depths[&(at, rule)];
        if rule == rules - 1 {
            objective = objective.or(Some(depth));
            continue;
        }
        for input in 0..INPUTS {
            let (next, output) = machine[(u64::from(at) * INPUTS + input) as usize];
            made.insert((rule, input, output));
            let to = (next, moves[&(rule, input, output)]);
            depths.entry(to).or_insert_with(|| {
                open.push_back(to);
                depth + 1
            });
        }
    }
    (objective, made)
}
