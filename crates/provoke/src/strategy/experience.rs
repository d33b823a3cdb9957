//! What inputs did before in places that looked alike to the guide, wherever they were.

use super::letters::mix;
use crate::rng::Rng;

/// How many recent steps the contexts look back at most; the shortest looks at none.
const LOOK_BACK: usize = 3;
const LENGTHS: usize = LOOK_BACK + 1;
/// How many observations an estimate from a shorter context counts as.
const PRIOR: f32 = 1.0;
/// What it is worth to go on without getting closer, compared to getting closer.
const ALIVE: f32 = 0.1;
/// No estimate is ever surer than this: what has always failed, or never, keeps a chance to do otherwise.
const DOUBT: f32 = 0.01;
/// The chance of getting closer that helpful and other inputs have before anything is known.
const TRUST: [f32; 2] = [0.02, 0.5];
/// How many observations that counts as.
const TRUSTED: f32 = 2.0;

/// Learns which inputs end runs and which get closer to the objective, and chooses by it.
///
/// What is learnt is kept by context: the shape of the current state and of the last 0 to 3 steps - which
/// input, whether the distance went down, stayed or went up, and the shape of the state reached - and not by
/// where in the requirement this was. So what was learnt in one place helps in all places that look alike.
/// Estimates are mixed over the lengths: a short context is the prior of the next longer one, and counts for
/// one observation. Choices are made by Thompson sampling, first between helpful and other inputs, then
/// among them; a normal distribution stands for the posterior.
#[derive(Debug)]
pub(super) struct Experience {
    table: Table,
    /// Of all other inputs, and of all helpful ones.
    tiers: [Record; 2],
    /// The last steps, newest first.
    tokens: [u64; LOOK_BACK],
    /// The choices of this run, and how many of them have been credited with progress or are too old for it.
    choices: Vec<Choice>,
    credited: usize,
    /// Whether any input has ever ended a run or got closer.
    tells_apart: bool,
    gamma: f32,
}

/// Where a choice was made, as keys of the table without the input.
pub(super) type Contexts = [u64; LENGTHS];

#[derive(Clone, Copy, Debug)]
struct Choice {
    contexts: Contexts,
    /// The input's key.
    input: u64,
    helpful: bool,
    progress: f32,
}

/// What happened after an input in a context.
#[derive(Clone, Copy, Debug, Default)]
struct Record {
    tried: f32,
    ended: f32,
    /// Progress that followed, discounted by the steps it took.
    progress: f32,
}

/// The chances of going on and of getting closer, and how many observations stand behind them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Estimate {
    alive: f32,
    progress: f32,
    weight: f32,
}

/// How the distance to the objective changed in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Closer,
    Same,
    Farther,
}

impl Experience {
    /// No experience; `gamma` discounts progress by the steps it took, `cap` bounds what is remembered.
    pub(super) fn new(gamma: f64, cap: usize) -> Experience {
        Experience {
            table: Table::new(cap),
            tiers: [Record::default(); 2],
            tokens: [0; LOOK_BACK],
            choices: Vec::new(),
            credited: 0,
            tells_apart: false,
            gamma: gamma as f32,
        }
    }

    /// A run starts.
    pub(super) fn begin(&mut self) {
        self.tokens = [0; LOOK_BACK];
        self.choices.clear();
        self.credited = 0;
    }

    /// A step was made, whoever chose it.
    #[inline]
    pub(super) fn step(&mut self, input: u64, change: Change, shape: u32) {
        self.tokens.copy_within(0..LOOK_BACK - 1, 1);
        self.tokens[0] = mix(input, u64::from(shape) << 2 | change as u64);
    }

    #[inline]
    pub(super) fn contexts(&self, shape: u32) -> Contexts {
        let mut contexts = [mix(u64::from(shape), 0); LENGTHS];
        for at in 0..LOOK_BACK {
            contexts[at + 1] = mix(contexts[at], self.tokens[at]);
        }
        contexts
    }

    /// Whether to choose among the helpful inputs rather than among the others.
    #[inline]
    pub(super) fn prefers_helpful(&self, rng: &mut Rng) -> bool {
        let [other, helpful] = [false, true].map(|helpful| self.tier(helpful).sample(rng));
        helpful >= other
    }

    /// Whether there is anything to tell inputs apart by; until then all scores are the same up to chance.
    #[inline]
    pub(super) fn tells_apart(&self) -> bool {
        self.tells_apart
    }

    /// How good an input looks this time, given what is known of its tier: the largest one is chosen.
    ///
    /// From the longest context to shorter ones, for as long as these still count.
    #[inline]
    pub(super) fn score(&self, contexts: &Contexts, input: u64, tier: Estimate, rng: &mut Rng) -> f32 {
        let mut estimate = Estimate { alive: 0.0, progress: 0.0, weight: PRIOR };
        let mut share = 1.0;
        for &context in contexts.iter().rev() {
            let Some(record) = self.table.get(mix(context, input)) else { continue };
            if share == 1.0 {
                estimate.weight = record.tried + PRIOR;
            }
            share *= (record.tried + PRIOR).recip();
            estimate.alive += share * (record.tried - record.ended);
            estimate.progress += share * record.progress;
            share *= PRIOR;
            if share < DOUBT {
                break;
            }
        }
        estimate.alive += share * tier.alive;
        estimate.progress += share * tier.progress;
        estimate.sample(rng)
    }

    /// What is known of helpful inputs, or of others, whatever the context.
    #[inline]
    pub(super) fn tier(&self, helpful: bool) -> Estimate {
        let seen = self.tiers[usize::from(helpful)];
        let weight = seen.tried + TRUSTED;
        let share = weight.recip();
        Estimate {
            alive: (seen.tried - seen.ended + TRUSTED * 0.9) * share,
            progress: (seen.progress + TRUSTED * TRUST[usize::from(helpful)]) * share,
            weight,
        }
    }

    /// The input was sent.
    #[inline]
    pub(super) fn chose(&mut self, contexts: Contexts, input: u64, helpful: bool) {
        self.choices.push(Choice { contexts, input, helpful, progress: 0.0 });
    }

    /// The run is closer to the objective than it ever was: everything chosen since the last time helped.
    pub(super) fn progress(&mut self) {
        let mut credit = 1.0;
        for choice in self.choices[self.credited..].iter_mut().rev() {
            choice.progress = credit;
            credit *= self.gamma;
        }
        self.credited = self.choices.len();
    }

    /// The run is over; where the objective was lost, the last input did it.
    pub(super) fn end(&mut self, lost: bool) {
        let last = self.choices.len().wrapping_sub(1);
        for (at, choice) in self.choices.iter().enumerate() {
            let ended = if lost && at == last { 1.0 } else { 0.0 };
            let observed = Record { tried: 1.0, ended, progress: choice.progress };
            self.tells_apart |= ended + choice.progress > 0.0;
            self.tiers[usize::from(choice.helpful)].add(observed);
            for context in choice.contexts {
                if let Some(record) = self.table.get_mut(mix(context, choice.input)) {
                    record.add(observed);
                }
            }
        }
        self.choices.clear();
        self.credited = 0;
    }

    pub(super) fn memory(&self) -> usize {
        self.table.slots.capacity() * size_of::<Slot>() + self.choices.capacity() * size_of::<Choice>()
    }
}

impl Record {
    fn add(&mut self, other: Record) {
        self.tried += other.tried;
        self.ended += other.ended;
        self.progress += other.progress;
    }
}

impl Estimate {
    /// A worth drawn from the posterior: alive, and the closer the better. Equals are told apart by chance.
    #[inline]
    fn sample(self, rng: &mut Rng) -> f32 {
        let bits = rng.bits();
        let spread = (self.weight + 1.0).recip();
        let drawn = |chance: f32, bits: u32| {
            let variance = chance * (1.0 - chance) * spread;
            chance + normal(bits) * variance.max(DOUBT * DOUBT).sqrt()
        };
        let alive = drawn(self.alive, bits as u32).clamp(DOUBT, 1.0);
        alive * (ALIVE + drawn(self.progress, (bits >> 32) as u32))
    }
}

/// About normal with mean 0 and deviation 1: the sum of four random bytes.
#[inline]
fn normal(bits: u32) -> f32 {
    let sum: u32 = bits.to_le_bytes().into_iter().map(u32::from).sum();
    (sum as f32 - 510.0) / 147.8
}

/// A hash table of records that never holds more than its cap.
///
/// Keys are known by 32 of their bits: two keys that agree in all of them share a record, which for a million
/// records happens about a hundred times and then merely blurs two estimates.
#[derive(Debug)]
struct Table {
    slots: Vec<Slot>,
    used: usize,
    cap: usize,
}

#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// 0 where the slot is free.
    tag: u32,
    record: Record,
}

impl Table {
    fn new(cap: usize) -> Table {
        Table { slots: vec![Slot::default(); 64], used: 0, cap }
    }

    #[inline]
    fn slot(&self, tag: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = tag as usize & mask;
        while self.slots[at].tag != tag && self.slots[at].tag != 0 {
            at = (at + 1) & mask;
        }
        at
    }

    #[inline]
    fn tag(key: u64) -> u32 {
        (key >> 32) as u32 | 1 << 31
    }

    #[inline]
    fn get(&self, key: u64) -> Option<Record> {
        let slot = self.slots[self.slot(Table::tag(key))];
        (slot.tag != 0).then_some(slot.record)
    }

    /// The record of the key, made where there is none; none where the table is full.
    fn get_mut(&mut self, key: u64) -> Option<&mut Record> {
        let tag = Table::tag(key);
        let mut at = self.slot(tag);
        if self.slots[at].tag == 0 {
            if self.used >= self.cap {
                return None;
            }
            self.used += 1;
            if self.used * 2 > self.slots.len() {
                self.grow();
                at = self.slot(tag);
            }
            self.slots[at].tag = tag;
        }
        Some(&mut self.slots[at].record)
    }

    fn grow(&mut self) {
        let larger = vec![Slot::default(); self.slots.len() * 2];
        for slot in std::mem::replace(&mut self.slots, larger) {
            if slot.tag != 0 {
                let at = self.slot(slot.tag);
                self.slots[at] = slot;
            }
        }
    }
}

#[cfg(test)]
mod tests;
