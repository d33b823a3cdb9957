//! What seems to be the case in the whole hypothesis: which states are sinks, and where answers mostly lead.

use super::evidence::CERTAINTY;
use super::idle::Ends;
use super::{Learner, NOWHERE};
use crate::learn::hypothesis::UNKNOWN;

/// After so many times an answer that always led to one sink is taken to do so; and one that was seen only once, after so
/// many of its kind.
pub(super) const ALWAYS: [u32; 2] = [3, 5];
/// What seems to be the case is looked at anew once one in so many transitions has changed.
const LAG: u64 = 64;

/// What seems to be the case in the whole hypothesis, for a while.
#[derive(Clone, Debug, Default)]
pub(super) struct Outlook {
    /// The version of the hypothesis, and how many nodes there were.
    of: Option<(u64, usize)>,
    /// The states that seem to be sinks.
    pub(super) sinks: Vec<bool>,
    /// For each answer, where it led.
    led: Vec<Led>,
    /// The same for answers that were seen once, all together.
    rarely: Led,
    /// Of the transitions that are certain, for each answer, how many stay where they are, and how many lead to each state.
    stays: Vec<u32>,
    targets: Vec<Targets>,
    /// For each answer, how many states only one of them leads to, and by how much counts are too large therefore.
    once: Vec<u32>,
    discounts: Vec<f64>,
    /// For each answer, how likely two transitions with it lead to the same state.
    shared: Vec<f64>,
    /// For each answer, whether most transitions with it lead to what is no sink.
    leads_on: Vec<bool>,
    /// Answers after which nothing has changed, as far as is certain.
    pub(super) idle: Vec<u32>,
    /// Whether what speaks for each transition was looked at with this in mind.
    pub(super) is_weighed: bool,
}

/// States and how often each was a target, in the order of the states.
type Targets = Vec<(u32, u32)>;

/// Where an answer led, in all transitions that were looked into.
#[derive(Clone, Copy, Debug)]
struct Led {
    /// The sink, how often every input was tried there, and whether there were others or no sinks.
    to: u32,
    times: u32,
    mixed: bool,
    /// How often it was seen.
    seen: u32,
}

impl Default for Led {
    fn default() -> Led {
        Led { to: UNKNOWN, times: 0, mixed: false, seen: 0 }
    }
}

impl Outlook {
    /// Whether a state seems to be a sink.
    pub(super) fn is_sink(&self, state: u32) -> bool {
        self.sinks.get(state as usize) == Some(&true)
    }

    /// Whether an answer mostly leads to what is no sink: a transition with it that seems to lead to one may well not.
    pub(super) fn leads_on(&self, output: u32) -> bool {
        self.leads_on.get(output as usize) == Some(&true)
    }

    /// The sink that an answer always led to, how often that was certain, and how often it must be to be taken for granted.
    pub(super) fn usual(&self, output: u32) -> (Option<u32>, u32, u32) {
        let led = self.led.get(output as usize).copied().unwrap_or_default();
        let (led, always) = if led.seen <= 1 { (self.rarely, ALWAYS[1]) } else { (led, ALWAYS[0]) };
        (Some(led.to).filter(|&to| to != UNKNOWN && !led.mixed), led.times, always)
    }

    /// How much what came after an answer speaks for what was before it, if it speaks so much for where the answer led: never more
    /// than it is unlikely that another transition with this answer leads there too.
    pub(super) fn counts(&self, output: u32, more: f64) -> f64 {
        let shared = self.shared.get(output as usize).copied().unwrap_or(1.0);
        1.0 / (shared + (1.0 - shared) / more)
    }

    /// The likeliest of some states after an answer, where all that were certain led to one sink.
    pub(super) fn guess(&self, output: u32, candidates: &[u32]) -> Option<u32> {
        self.usual(output).0.filter(|to| candidates.contains(to))
    }
}

/// How likely it is that a transition leads to each state, before anything was sent after it.
pub(super) struct Prior<'a> {
    from: u32,
    /// How many transitions with the same answer stay where they are, and how many lead to each state.
    stays: u32,
    targets: &'a [(u32, u32)],
    discount: f64,
    /// How likely it is, measured like weights, that it leads where none with the same answer did: as often as what was seen was
    /// seen once (Good 1953); and the part of each state in that.
    unseen: f64,
    pub(super) never: f64,
}

impl Prior<'_> {
    /// How often a transition with the same answer led to a state, or stayed where it was as this one would: so much more likely
    /// it is from the start. States that it never led to share what is left for them; where most were seen once, once says nothing
    /// (absolute discounting: Ney, Essen, Kneser 1994).
    pub(super) fn weight(&self, state: u32) -> f64 {
        let led = self.targets.binary_search_by_key(&state, |(to, _)| *to).map_or(0, |at| self.targets[at].1);
        self.weight_of(state, led)
    }

    fn weight_of(&self, state: u32, led: u32) -> f64 {
        let stays = if state == self.from { self.stays } else { 0 };
        (f64::from(led.max(stays)) - self.discount).max(0.0) + self.never
    }

    /// Of these states, in their order, those that a transition with the same answer led to, and their weights.
    pub(super) fn seen<'b>(&'b self, states: &'b [u32]) -> impl Iterator<Item = (u32, f64)> + 'b {
        let own = self.targets.binary_search_by_key(&self.from, |(to, _)| *to).is_err();
        let own = own.then_some((self.from, 0));
        let all = self.targets.iter().copied().chain(own);
        let may_be = all.filter(|(state, _)| states.binary_search(state).is_ok());
        may_be
            .map(|(state, led)| (state, self.weight_of(state, led)))
            .filter(|(_, weight)| *weight > self.never)
    }

    /// How much must speak for a state of this weight, if the weights of all that were seen sum up to so much.
    pub(super) fn enough(&self, all: f64, own: f64) -> f64 {
        CERTAINTY * (self.unseen + (all - own).max(0.0)) / own
    }
}

impl Learner {
    /// Which states seem to be sinks, and which answers always led to one.
    pub(super) fn survey(&mut self) {
        let now = (self.version, self.tree.len());
        // Looking at everything for every transition that changes would take longer the more there are.
        let lag = self.frontier.len() as u64 / LAG;
        let is_recent = |(version, nodes)| now.0 <= version + lag && now.1 < nodes + nodes / 64;
        if self.outlook.of.is_some_and(is_recent) {
            return;
        }
        let sinks: Vec<bool> =
            (0..self.basis.len() as u32).map(|state| self.hypothesis.is_sink(state)).collect();
        let mut led = vec![Led::default(); self.tree.outputs()];
        let mut rarely = Led::default();
        let seen = self.frontier.iter().filter(|border| border.node != NOWHERE);
        for border in seen.clone() {
            led[self.tree.answer(border.node) as usize].seen += 1;
        }
        let mut stays = vec![0; self.tree.outputs()];
        let mut ends = vec![Ends::default(); self.tree.outputs()];
        let mut targets: Vec<Targets> = vec![Vec::new(); self.tree.outputs()];
        for (entry, border) in self.frontier.iter().enumerate() {
            let to = self.hypothesis.edges[entry].to;
            let is_certain = match border.candidates[..] {
                [only] => !sinks[only as usize] || border.is_likely || self.is_tried(border.node),
                _ => border.is_likely,
            };
            if border.node == NOWHERE || !is_certain {
                continue;
            }
            let output = self.tree.answer(border.node);
            let from = (entry / self.hypothesis.inputs) as u32;
            ends[output as usize].count(from, to, sinks[to as usize]);
            match to == from {
                true => stays[output as usize] += 1,
                false => targets[output as usize].push((to, 1)),
            }
        }
        for targets in &mut targets {
            targets.sort_unstable();
            targets.dedup_by(|(to, times), (before, all)| {
                let is_same = to == before;
                *all += if is_same { *times } else { 0 };
                is_same
            });
        }
        let leads_on = |(targets, &stays): (&Targets, &u32)| {
            let (lost, on): (Vec<_>, Vec<_>) = targets.iter().partition(|(to, _)| sinks[*to as usize]);
            let times = |led: &[&(u32, u32)]| led.iter().map(|(_, times)| times).sum::<u32>();
            times(&on) + stays > times(&lost)
        };
        let leads_on = targets.iter().zip(&stays).map(leads_on).collect();
        let (mut once, mut twice) = (vec![0; self.tree.outputs()], vec![0; self.tree.outputs()]);
        for (output, targets) in targets.iter().enumerate() {
            let led = |wanted: u32| targets.iter().filter(|(_, times)| *times == wanted).count() as u32;
            (once[output], twice[output]) = (led(1), led(2));
        }
        let discount = |(&once, &twice): (&u32, &u32)| f64::from(once) / f64::from((once + 2 * twice).max(1));
        let discounts = once.iter().zip(&twice).map(discount).collect();
        // Of two transitions that stay where they are, each leads to another state.
        let share = |(targets, &stays): (&Targets, &u32)| {
            let pairs = |times: f64| times * (times - 1.0);
            let led = || targets.iter().map(|(_, times)| f64::from(*times));
            (led().map(pairs).sum::<f64>() + 1.0) / (pairs(led().sum::<f64>() + f64::from(stays)) + 1.0)
        };
        let shared = targets.iter().zip(&stays).map(share).collect();
        for border in seen {
            let &[only] = &border.candidates[..] else { continue };
            let is_sink = sinks[only as usize];
            let is_tried = is_sink && self.is_tried(border.node);
            let of = &mut led[self.tree.answer(border.node) as usize];
            let is_rare = of.seen == 1;
            for led in std::iter::once(of).chain(is_rare.then_some(&mut rarely)) {
                led.mixed |= !is_sink || led.to != UNKNOWN && led.to != only;
                led.to = only;
                led.times += u32::from(is_tried);
            }
        }
        let idle = (0u32..).zip(&ends).filter(|(_, ends)| ends.change_nothing()).map(|(output, _)| output);
        let idle = idle.collect();
        let (of, is_weighed) = (Some(now), false);
        self.outlook = Outlook {
            of,
            sinks,
            led,
            rarely,
            stays,
            targets,
            once,
            discounts,
            shared,
            leads_on,
            idle,
            is_weighed,
        };
    }

    /// What is likely of a transition before anything was sent after it.
    pub(super) fn prior(&self, entry: usize) -> Prior<'_> {
        let from = (entry / self.hypothesis.inputs) as u32;
        let node = self.frontier[entry].node;
        let output = if node == NOWHERE { usize::MAX } else { self.tree.answer(node) as usize };
        let unseen = 1.0 + f64::from(self.outlook.once.get(output).copied().unwrap_or(0));
        Prior {
            from,
            stays: self.outlook.stays.get(output).copied().unwrap_or(0),
            targets: self.outlook.targets.get(output).map_or(&[], Vec::as_slice),
            discount: self.outlook.discounts.get(output).copied().unwrap_or(0.0),
            unseen,
            never: unseen / self.basis.len() as f64,
        }
    }
}
