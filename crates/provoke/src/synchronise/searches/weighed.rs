//! Machines of moderate size: how small an image is, and how well its states will merge with others.

use super::beam::Kernel;
use crate::machine::UNDEFINED;
use crate::synchronise::core::Core;
use crate::synchronise::sets::image::{NOWHERE, mix};

/// The cost of an average state: a set costs about this much a state.
const AVERAGE: f64 = 256.0;

/// Costs are near the average: any one state costs less than any two.
const COSTS: (f64, f64) = (192.0, 352.0);

/// How much cheaper a state is that merges with more states than others do, by one standard deviation.
const CHEAPER: f64 = 0.04;

/// No successor; no state has this number.
const NONE: u32 = 0xffff;

/// A machine's table with the cost of each successor beside it.
///
/// Of two sets of one size, that one merges sooner whose states share their successors with many states. So a state costs
/// less the more states go where it goes, over all letters together; a set costs what its states cost
/// together. The cost stands in the same word as the successor and takes no time to fetch.
pub(crate) struct Weighed {
    states: usize,
    // invariant: letter by letter; the successor in the lower half of a word, its cost in the upper.
    columns: Vec<u32>,
}

impl Weighed {
    /// The table; none for machines too large for it.
    pub(crate) fn new(core: &Core<'_>) -> Option<Weighed> {
        if core.columns.is_empty() || core.states >= NONE as usize {
            return None;
        }
        let costs = costs(core);
        let entry = |&to: &u32| if to == UNDEFINED { NONE } else { costs[to as usize] << 16 | to };
        Some(Weighed { states: core.states, columns: core.columns.iter().map(entry).collect() })
    }

    fn column(&self, letter: usize) -> &[u32] {
        &self.columns[letter * self.states..(letter + 1) * self.states]
    }
}

fn costs(core: &Core<'_>) -> Vec<u32> {
    let mut together = vec![0u32; core.states];
    let mut arriving = vec![0u32; core.states];
    for column in core.columns.chunks_exact(core.states) {
        arriving.fill(0);
        let defined = || column.iter().enumerate().filter(|(_, to)| **to != UNDEFINED);
        defined().for_each(|(_, &to)| arriving[to as usize] += 1);
        defined().for_each(|(state, &to)| together[state] += arriving[to as usize]);
    }
    let count = core.states as f64;
    let mean = together.iter().map(|&with| f64::from(with)).sum::<f64>() / count;
    let variance = together.iter().map(|&with| (f64::from(with) - mean).powi(2)).sum::<f64>() / count;
    let scale = if variance > 0.0 { CHEAPER / variance.sqrt() } else { 0.0 };
    let cost = |&with: &u32| AVERAGE * (1.0 - scale * (f64::from(with) - mean));
    together.iter().map(|with| cost(with).clamp(COSTS.0, COSTS.1) as u32).collect()
}

/// One byte per state, equal to `call` where marked in this call.
pub(crate) struct Stamps {
    // A number of 16 bits always lies inside, which spares a comparison where all the time is spent.
    bytes: Box<[u8; 1 << 16]>,
    states: usize,
    call: u8,
}

impl Stamps {
    /// The bytes, and a number that none of them holds.
    #[inline]
    fn call(&mut self) -> (&mut [u8; 1 << 16], u8) {
        if self.call == u8::MAX {
            self.bytes[..self.states].fill(0);
            self.bytes[NONE as usize] = 0;
            self.call = 0;
        }
        self.call += 1;
        (&mut self.bytes, self.call)
    }
}

impl Kernel for Weighed {
    type State = u16;
    type Room = Stamps;

    const SHIFT: u32 = 3;

    fn room(&self) -> Stamps {
        let bytes = vec![0; 1 << 16].into_boxed_slice().try_into();
        Stamps { bytes: bytes.expect("as long as it was made"), states: self.states, call: 0 }
    }

    fn everything(&self) -> Vec<u16> {
        (0..self.states).map(|state| state as u16).collect()
    }

    #[inline]
    fn scores(&self, marks: &mut Stamps, set: &[u16], scores: &mut [u32]) {
        for (score, column) in scores.iter_mut().zip(self.columns.chunks_exact(self.states)) {
            let (bytes, call) = marks.call();
            let mut sum = 0;
            for &state in set {
                let entry = column[usize::from(state)];
                let mark = &mut bytes[(entry & NONE) as usize];
                sum += if *mark == call { 0 } else { entry >> 16 };
                *mark = call;
            }
            *score = if bytes[NONE as usize] == call { NOWHERE } else { sum };
        }
    }

    #[inline]
    fn apply(&self, marks: &mut Stamps, set: &[u16], letter: u32, images: &mut Vec<u16>) -> u64 {
        let (bytes, call) = marks.call();
        let column = self.column(letter as usize);
        let start = images.len();
        images.resize(start + set.len(), 0);
        let image = &mut images[start..];
        let (mut size, mut print) = (0, 0u64);
        for &state in set {
            let to = column[usize::from(state)] & NONE;
            let mark = &mut bytes[to as usize];
            let fresh = u64::from(*mark != call);
            *mark = call;
            image[size] = to as u16;
            size += fresh as usize;
            print = print.wrapping_add(mix(to) & fresh.wrapping_neg());
        }
        images.truncate(start + size);
        print
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Machine, Names};
    use crate::rng::Rng;
    use crate::synchronise::sets::image::print;

    #[test]
    fn images_and_costs_agree_with_sorted_lists() {
        let mut rng = Rng::new(5);
        for states in [1usize, 2, 65, 700] {
            let entry = |rng: &mut Rng| if rng.chance(0.001) { UNDEFINED } else { rng.index(states) as u32 };
            let next = (0..states * 3).map(|_| entry(&mut rng)).collect();
            let names = (Names::numbered("", states), Names::numbered("", 3));
            let machine = Machine::from_table(names.0, names.1, next).unwrap();
            let core = Core::with_all_inputs(&machine);
            let (table, costs) = (Weighed::new(&core).unwrap(), costs(&core));
            let (mut marks, mut scores) = (table.room(), vec![0; core.letters]);
            // More than 255 calls, so that the byte that numbers them starts over.
            for share in [1.0, 0.5, 0.1, 0.01].into_iter().cycle().take(260) {
                let set: Vec<u16> = (0..states as u16).filter(|_| rng.chance(share)).collect();
                table.scores(&mut marks, &set, &mut scores);
                for (letter, &score) in (0..).zip(&scores) {
                    let mut expected: Vec<u32> =
                        set.iter().map(|&state| core.step(u32::from(state), letter)).collect();
                    expected.sort_unstable();
                    expected.dedup();
                    if expected.last() == Some(&UNDEFINED) {
                        assert_eq!(score, NOWHERE);
                        continue;
                    }
                    assert_eq!(score, expected.iter().map(|&to| costs[to as usize]).sum::<u32>());
                    let mut image = Vec::new();
                    assert_eq!(table.apply(&mut marks, &set, letter, &mut image), print(&expected));
                    image.sort_unstable();
                    assert!(image.iter().map(|&to| u32::from(to)).eq(expected));
                }
            }
        }
    }

    #[test]
    fn states_that_go_where_many_go_are_cheaper() {
        // Letter 0 sends 0, 1 and 2 to 0; letter 1 moves all states around.
        let next = vec![0, 1, 0, 2, 0, 3, 1, 4, 2, 0];
        let machine = Machine::from_table(Names::numbered("", 5), Names::numbered("", 2), next).unwrap();
        let costs = costs(&Core::new(&machine));
        assert!(costs[..3].iter().all(|&cost| cost < 256) && costs[3..].iter().all(|&cost| cost > 256));
    }
}
