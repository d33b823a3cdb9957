//! (a) A combination lock that says only every third digit whether the last three were right.

use anyhow::Result;
use provoke::letter::Letter;
use provoke::rng::Rng;
use provoke::system::Closure;

use super::Instance;
use super::explicit::{automaton, space};
use crate::arena::Arena;

/// A lock of `depth` digits from 0 to 7. After every third digit it clicks (output 1) or, when one of the
/// three was wrong, beeps (output 2) and is back at the start. The requirement counts clicks.
pub(super) fn instance(depth: u32, seed: u64) -> Result<Instance> {
    let mut rng = Rng::stream(seed, 0x10c);
    let code: Vec<u64> = (0..depth).map(|_| rng.below(8)).collect();
    let levels = depth / 3;
    let space = space(3, 2)?;
    let requirement = automaton(&space, levels + 1, |level, _, output| match output {
        0 => Some(level),
        1 if level < levels => Some(level + 1),
        2 => Some(0),
        _ => None,
    });
    let arena = Arena::new(space, requirement, |level| level == levels)?;
    let system = move |_| {
        let code = code.clone();
        let step = move |(at, right): &mut (usize, bool), digit: Letter| {
            *right &= code.get(*at) == Some(&digit.index());
            *at += 1;
            if *at % 3 != 0 {
                return Letter::from_index(0);
            }
            if std::mem::replace(right, true) {
                return Letter::from_index(1);
            }
            *at = 0;
            Letter::from_index(2)
        };
        Box::new(Closure::new(|| (0usize, true), step)) as Box<dyn provoke::system::System>
    };
    Ok(Instance { arena, system: Box::new(system) })
}
