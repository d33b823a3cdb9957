//! (d) A system whose requirement promises a short way that is never there.

use anyhow::Result;
use provoke::letter::Letter;
use provoke::rng::Rng;
use provoke::system::Closure;

use super::Instance;
use super::explicit::{automaton, space};
use crate::arena::Arena;

const INPUTS: u64 = 8;

/// Six stages. The requirement lets input 0 with answer 1 go on to the next stage, but the system never
/// answers 1; the way that is there takes three steps (answers 2), each with one right input out of seven, and in the
/// requirement it first leads away from the objective. Anything else falls back to the start of the stage.
pub(super) fn instance(stages: u32, detour: u32, seed: u64) -> Result<Instance> {
    let mut rng = Rng::stream(seed, 0xdece);
    let route: Vec<u64> = (0..stages * detour).map(|_| 1 + rng.below(INPUTS - 1)).collect();
    let space = space(3, 2)?;
    // A state is a stage and how far its detour has been followed.
    let place = |stage: u32, along: u32| stage * detour + along;
    let requirement = automaton(&space, stages * detour + 1, |at, input, output| {
        let (stage, along) = (at / detour, at % detour);
        match output {
            0 => Some(place(stage, 0)),
            1 if input == 0 && along == 0 && stage < stages => Some(place(stage + 1, 0)),
            2 if input != 0 && stage < stages => Some(at + 1),
            _ => None,
        }
    });
    let arena = Arena::new(space, requirement, |at| at == stages * detour)?;
    let system = move |_| {
        let route = route.clone();
        let step = move |at: &mut usize, input: Letter| {
            let right = route.get(*at) == Some(&input.index());
            *at = if right { *at + 1 } else { *at - *at % detour as usize };
            Letter::from_index(if right { 2 } else { 0 })
        };
        Box::new(Closure::new(|| 0usize, step)) as Box<dyn provoke::system::System>
    };
    Ok(Instance { arena, system: Box::new(system) })
}
