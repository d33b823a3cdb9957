//! Preset homing: one word whose answers tell the state.

use super::pairs::Resolvable;
use super::split;
use crate::machine::Machine;
use crate::synchronise::watch::Watch;

/// A word of at most `longest` inputs after which any two states have answered differently or are one.
pub(super) fn word(
    machine: &Machine,
    pairs: &Resolvable,
    longest: usize,
    watch: &mut Watch<'_>,
) -> Option<Vec<u32>> {
    let all: Vec<u32> = (0..machine.states().len() as u32).collect();
    // What is still possible for each sequence of answers; single states need no more telling apart.
    let mut blocks: Vec<Vec<u32>> = if all.len() > 1 { vec![all] } else { Vec::new() };
    let mut singles: Vec<u32> = Vec::new();
    let mut word = Vec::new();
    while !blocks.is_empty() {
        let open: usize = blocks.iter().map(Vec::len).sum();
        if word.len() >= longest || watch.spent((open + singles.len()) * machine.inputs().len()) {
            return None;
        }
        let left = |input: u32| -> Option<usize> {
            defined(machine, &singles, input)?;
            let mut sum = 0;
            for block in &blocks {
                sum += split(machine, block, input)?.iter().map(|(_, part)| part.len() - 1).sum::<usize>();
            }
            Some(sum)
        };
        let now: usize = blocks.iter().map(|block| block.len() - 1).sum();
        let best = (0..machine.inputs().len() as u32)
            .filter_map(|input| left(input).map(|sum| (sum, input)))
            .min()
            .filter(|&(sum, _)| sum < now);
        let inputs = match best {
            Some((_, input)) => vec![input],
            None => pairs.nearest(machine, blocks.iter().min_by_key(|block| block.len())?),
        };
        if inputs.is_empty() {
            return None;
        }
        for input in inputs {
            defined(machine, &singles, input)?;
            singles.iter_mut().for_each(|state| *state = machine.next(*state, input).unwrap_or(*state));
            let mut next = Vec::new();
            for block in &blocks {
                for (_, part) in split(machine, block, input)? {
                    if part.len() > 1 { next.push(part) } else { singles.extend(part) }
                }
            }
            singles.sort_unstable();
            singles.dedup();
            next.sort();
            next.dedup();
            blocks = next;
            word.push(input);
        }
    }
    (word.len() <= longest).then_some(word)
}

/// None where the input is undefined in one of the states.
fn defined(machine: &Machine, states: &[u32], input: u32) -> Option<()> {
    states.iter().all(|&state| machine.next(state, input).is_some()).then_some(())
}
