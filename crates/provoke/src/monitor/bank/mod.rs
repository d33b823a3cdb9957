//! All monitors of a campaign in step: one flat table for all of them.

mod gather;
mod make;

use std::sync::Arc;

use self::gather::{Gather, NONE, Words};
use self::make::Making;
use super::{Monitor, Verdict};
use crate::diagnostic::SpecError;
use crate::trace::{RequirementNumber, Step};

/// The monitors of all requirements, following one run together.
///
/// Says what its monitors would say one by one, several times faster: most requirements have few states and read few
/// signals, so that where they go can be written down for every valuation of these. A monitor too large for that, or
/// one of very few, follows the run by itself. What is written down is shared between clones; what a clone owns is where it is.
#[derive(Clone, Debug)]
pub struct Monitors {
    bank: Arc<Bank>,
    /// Where the monitors in the bank are.
    lanes: Vec<Lanes>,
    /// The others.
    apart: Vec<Apart>,
}

/// A monitor that follows the run by itself.
#[derive(Clone, Debug)]
struct Apart {
    monitor: Monitor,
    /// Whether an obligation can be open.
    obligations: bool,
    /// For how many steps one has been open.
    open: u32,
    /// Whether its violation has been taken.
    taken: bool,
}

/// Fewer monitors than this are not worth the gathering.
const FEW: usize = 4;
/// How many monitors are in a group: a few vectors of any machine.
const LANES: usize = 16;
/// The row of all monitors whose violation is new, as long as the longest; it leads to itself.
const VIOLATED: u32 = 0;
/// The row of those whose violation has been taken.
const TAKEN: u32 = 1 << make::MOST_BITS;

/// Where the monitors of one group are.
#[derive(Clone, Debug)]
struct Lanes {
    /// Where their rows begin; [`VIOLATED`] or [`TAKEN`] for those that are violated.
    rows: [u32; LANES],
    /// For how many steps an obligation had been open before the last step. So that what was just written need not
    /// be read at once, which is slow.
    open: [u32; LANES],
}

impl Lanes {
    /// Counts the last step.
    #[inline(always)]
    fn age(&mut self, closed: &[u32; LANES]) {
        for ((open, &row), &closed) in self.open.iter_mut().zip(&self.rows).zip(closed) {
            // All ones where one is open, and without a branch: many are counted at once.
            let still = u32::from(row < closed).wrapping_neg();
            *open = open.wrapping_add(1) & still;
        }
    }
}

/// What clones share.
#[derive(Debug)]
struct Bank {
    /// For each requirement, its monitor by itself and where it is looked after.
    alone: Vec<Monitor>,
    places: Vec<Place>,
    groups: Vec<Group>,
    words: Words,
    /// For each row and each valuation of the bits that its monitor reads, where the next row begins.
    table: Vec<u32>,
}

/// Monitors that are followed together.
#[derive(Debug)]
struct Group {
    /// How many there are.
    count: usize,
    gather: Gather,
    start: Lanes,
    /// Whether an obligation can be open.
    obligations: bool,
    /// Rows before these say that an obligation is open.
    closed: [u32; LANES],
}

#[derive(Debug)]
enum Place {
    Bank {
        lane: usize,
        /// Where its rows begin, how long they are (as a power of two), and what they say.
        first: u32,
        bits: u32,
        verdicts: Vec<Verdict>,
    },
    Apart(usize),
}

impl Monitors {
    /// Takes monitors in, in the order of their requirements.
    pub fn new(monitors: &[Monitor]) -> Monitors {
        let mut making = Making::default();
        let mut apart = Vec::new();
        let mut place = |monitor: &Monitor| {
            let taken = match monitor {
                _ if monitors.len() < FEW => None,
                Monitor::Automaton(monitor) => making.take(monitor),
                Monitor::Program(_) => None,
            };
            taken.unwrap_or_else(|| {
                let obligations = monitor.may_say(Verdict::SoFarBad);
                apart.push(Apart { monitor: monitor.clone(), obligations, open: 0, taken: false });
                Place::Apart(apart.len() - 1)
            })
        };
        let places = monitors.iter().map(&mut place).collect();
        let Making { groups, words, table } = making;
        let lanes = groups.iter().map(|group| group.start.clone()).collect();
        let mut made = Monitors {
            bank: Arc::new(Bank { alone: monitors.to_vec(), places, groups, words, table }),
            lanes,
            apart,
        };
        made.reset();
        made
    }

    /// How many monitors.
    pub fn len(&self) -> usize {
        self.bank.places.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.bank.places.is_empty()
    }

    /// Back to the start of a run.
    pub fn reset(&mut self) {
        for (group, lanes) in self.bank.groups.iter().zip(&mut self.lanes) {
            lanes.clone_from(&group.start);
        }
        for apart in &mut self.apart {
            apart.monitor.reset();
            (apart.open, apart.taken) = (0, false);
        }
    }

    /// Follows one exchange and says whether a requirement is violated that was not, or whose violation has not been
    /// [taken](Monitors::take).
    #[inline]
    pub fn violates(&mut self, step: &Step) -> bool {
        let mut violated = !self.lanes.is_empty() && self.follow(step);
        if self.apart.is_empty() {
            return violated;
        }
        for Apart { monitor, obligations, open, taken } in &mut self.apart {
            violated |= monitor.violates(step) && !*taken;
            if *obligations {
                *open = if monitor.verdict() == Verdict::SoFarBad { *open + 1 } else { 0 };
            }
        }
        violated
    }

    /// The requirements that are violated and were not when this was last asked in this run, in order.
    pub fn take(&mut self) -> Vec<RequirementNumber> {
        let Monitors { bank, lanes, apart } = self;
        let is_new = |&requirement: &usize| match &bank.places[requirement] {
            Place::Apart(at) => {
                let Apart { monitor, taken, .. } = &mut apart[*at];
                monitor.verdict() == Verdict::Violated && !std::mem::replace(taken, true)
            }
            Place::Bank { lane, .. } => {
                let row = &mut lanes[lane / LANES].rows[lane % LANES];
                let is_new = *row == VIOLATED;
                *row = if is_new { TAKEN } else { *row };
                is_new
            }
        };
        let mut is_new = is_new;
        let new = (0..bank.places.len()).filter(|requirement| is_new(requirement));
        new.map(RequirementNumber).collect()
    }

    /// The same for the monitors in the bank.
    #[inline(never)]
    fn follow(&mut self, step: &Step) -> bool {
        let Bank { groups, words, table, .. } = &*self.bank;
        let mut nibbles = NONE;
        words.split(step, &mut nibbles);
        let mut lowest = u32::MAX;
        for (group, lanes) in groups.iter().zip(&mut self.lanes) {
            if group.obligations {
                lanes.age(&group.closed);
            }
            let valuations = group.gather.valuations(&nibbles);
            for (row, valuation) in lanes.rows[..group.count].iter_mut().zip(valuations) {
                *row = table[*row as usize + usize::from(valuation)];
                lowest = lowest.min(*row);
            }
        }
        lowest == VIOLATED
    }

    /// What a requirement says of the run so far.
    pub fn verdict(&self, requirement: RequirementNumber) -> Verdict {
        match &self.bank.places[requirement.0] {
            Place::Apart(at) => self.apart[*at].monitor.verdict(),
            Place::Bank { lane, first, bits, verdicts } => {
                match self.lanes[lane / LANES].rows[lane % LANES] {
                    VIOLATED | TAKEN => Verdict::Violated,
                    row => verdicts[((row - first) >> bits) as usize],
                }
            }
        }
    }

    /// What is wrong with a model that is followed; nothing that was found with it counts then.
    pub fn fault(&self) -> Option<SpecError> {
        self.apart.iter().find_map(|apart| apart.monitor.fault())
    }

    /// Whether some monitor blames the end of a run; see [`Monitor::blames_the_end`].
    pub fn blame_the_end(&self) -> bool {
        self.bank.alone.iter().any(Monitor::blames_the_end)
    }

    /// Where every monitor is, by numbers that mean nothing else. A monitor that is no automaton is nowhere.
    pub fn places(&self) -> impl Iterator<Item = u32> {
        self.bank.places.iter().map(|place| match place {
            Place::Apart(at) => self.apart[*at].monitor.state().unwrap_or(u32::MAX),
            Place::Bank { lane, .. } => self.lanes[lane / LANES].rows[lane % LANES],
        })
    }

    /// The same as numbers that tell places apart as well as hashing does, for a monitor that is no automaton as well; none where
    /// its place is not known.
    pub fn fingerprints(&self) -> impl Iterator<Item = Option<u64>> {
        self.bank.places.iter().map(|place| match place {
            Place::Apart(at) => self.apart[*at].monitor.place(),
            Place::Bank { lane, .. } => Some(self.lanes[lane / LANES].rows[lane % LANES].into()),
        })
    }

    /// Whether some requirement may be satisfied for good by what a run does.
    pub fn can_settle(&self) -> bool {
        self.bank.alone.iter().any(|monitor| monitor.may_say(Verdict::Satisfied))
    }

    /// The first step of a run that put a requirement to the test; see [`Monitor::first_test`].
    pub fn first_test(&self, requirement: RequirementNumber, trace: &[Step]) -> Option<usize> {
        self.bank.alone[requirement.0].first_test(trace)
    }

    /// For how many steps, without a break, an obligation of a requirement has been open.
    pub fn open_for(&self, requirement: RequirementNumber) -> u32 {
        match self.bank.places[requirement.0] {
            _ if self.verdict(requirement) != Verdict::SoFarBad => 0,
            Place::Apart(at) => self.apart[at].open,
            Place::Bank { lane, .. } => self.lanes[lane / LANES].open[lane % LANES].wrapping_add(1),
        }
    }

    /// The requirements that say this of the run so far.
    pub fn all(&self, verdict: Verdict) -> impl Iterator<Item = RequirementNumber> {
        (0..self.len())
            .map(RequirementNumber)
            .filter(move |&requirement| self.verdict(requirement) == verdict)
    }
}

impl Default for Monitors {
    fn default() -> Monitors {
        Monitors::new(&[])
    }
}

impl FromIterator<Monitor> for Monitors {
    fn from_iter<I: IntoIterator<Item = Monitor>>(monitors: I) -> Monitors {
        Monitors::new(&monitors.into_iter().collect::<Vec<_>>())
    }
}
