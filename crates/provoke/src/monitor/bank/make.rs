//! Writes down where monitors go.

use super::gather::{Gather, Words};
use super::{Group, LANES, Lanes, Place, TAKEN, VIOLATED};
use crate::letter::{Letter, MAX_SIGNALS};
use crate::monitor::{TableMonitor, Verdict};
use crate::trace::Step;

/// A monitor reads at most so many bits.
pub(super) const MOST_BITS: usize = 10;
/// Entries of one monitor, and of all: they should stay in the cache.
const MOST_ENTRIES: usize = 1 << 13;
const MOST_ENTRIES_IN_ALL: usize = 1 << 17;

/// A bank while monitors are taken in.
pub(super) struct Making {
    pub(super) groups: Vec<Group>,
    pub(super) words: Words,
    pub(super) table: Vec<u32>,
}

impl Default for Making {
    fn default() -> Making {
        let mut table = vec![VIOLATED; 1 << MOST_BITS];
        table.resize(2 << MOST_BITS, TAKEN);
        Making { groups: Vec::new(), words: Words::default(), table }
    }
}

impl Making {
    /// Takes a monitor in; nothing where there is too much to write down.
    pub(super) fn take(&mut self, monitor: &TableMonitor) -> Option<Place> {
        let bits = monitor.table.support(MOST_BITS)?;
        // The last state is the violated one.
        let states = monitor.verdicts.len() - 1;
        let entries = states << bits.len();
        if entries > MOST_ENTRIES || self.table.len() + entries > MOST_ENTRIES_IN_ALL {
            return None;
        }
        // States with an open obligation come first.
        let (mut order, closed): (Vec<u32>, Vec<u32>) =
            (0..states as u32).partition(|&state| monitor.verdicts[state as usize] == Verdict::SoFarBad);
        let open = order.len() as u32;
        order.extend(closed);
        let first = self.table.len() as u32;
        let mut rows = vec![VIOLATED; states];
        for (&state, place) in order.iter().zip(0..) {
            rows[state as usize] = first + (place << bits.len());
        }
        for &state in &order {
            self.table.extend((0..1 << bits.len()).map(|valuation| {
                let step = exchange(&bits, valuation);
                let to = monitor.table.next(state, &step.input, &step.output);
                rows.get(to as usize).copied().unwrap_or(VIOLATED)
            }));
        }
        if self.groups.last().is_none_or(|group| group.count == LANES) {
            self.groups.push(Group::empty());
        }
        let group_number = self.groups.len() - 1;
        let group = &mut self.groups[group_number];
        let lane = group.count;
        group.count += 1;
        group.start.rows[lane] = rows.get(monitor.initial as usize).copied().unwrap_or(VIOLATED);
        group.closed[lane] = first + (open << bits.len());
        group.obligations |= open > 0;
        // An obligation that is open from the start is as old as the first step.
        group.start.open[lane] = if group.start.rows[lane] < group.closed[lane] { u32::MAX } else { 0 };
        for (place, &bit) in bits.iter().enumerate() {
            self.words.read(bit);
            group.gather.read(lane, bit, place);
        }
        let verdicts = order.iter().map(|&state| monitor.verdicts[state as usize]).collect();
        Some(Place::Bank { lane: LANES * group_number + lane, first, bits: bits.len() as u32, verdicts })
    }
}

impl Group {
    /// Lanes that no monitor has are never violated and have nothing open.
    fn empty() -> Group {
        let start = Lanes { rows: [u32::MAX; LANES], open: [0; LANES] };
        Group { count: 0, gather: Gather::default(), start, obligations: false, closed: [0; LANES] }
    }
}

/// The exchange in which these bits have this valuation and all others are false.
fn exchange(bits: &[u32], valuation: u32) -> Step {
    let set = bits.iter().enumerate().filter(|(place, _)| valuation >> place & 1 == 1);
    let nothing = Step { input: Letter::default(), output: Letter::default() };
    set.fold(nothing, |step, (_, &bit)| match (bit as usize).checked_sub(MAX_SIGNALS) {
        None => Step { input: step.input.with(bit as usize, true), ..step },
        Some(bit) => Step { output: step.output.with(bit, true), ..step },
    })
}
