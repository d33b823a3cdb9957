//! Which transition is looked into next, and when one is known well enough.

use super::idle::Ends;
use super::twin::Twin;
use super::{Border, Learner, NOWHERE, Wish};
use crate::learn::hypothesis::UNKNOWN;

/// After so many times an answer that always led to one sink is taken to do so; and one that was seen only once, after so
/// many of its kind.
const ALWAYS: [u32; 2] = [3, 5];

/// A frontier node is looked into so often before the likeliest state is taken for granted.
const TRIES: u16 = 6;

/// After so many times, and once for every other input, it is not urgent any more.
const FEW: usize = 3;

/// So often it is looked for more to be said for the only state that it may be, before that is enough.
const CHECKS: u8 = 3;

/// What speaks for a state that a node may be is enough where it makes that so many times as likely as not.
const CERTAINTY: f64 = 16.0;

/// What speaks so many times as much as is enough is not looked into any more.
pub(super) const SURE: u64 = 1024;

/// No more of what was seen after a node is looked at to see what speaks for it.
const LOOKED_AT: usize = 256;

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
    /// Answers after which nothing has changed, as far as is certain.
    pub(super) idle: Vec<u32>,
    /// Whether what speaks for each transition was looked at with this in mind.
    is_weighed: bool,
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

    /// The sink that an answer always led to, how often that was certain, and how often it must be to be taken for granted.
    fn usual(&self, output: u32) -> (Option<u32>, u32, u32) {
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
    never: f64,
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
    fn seen<'b>(&'b self, states: &'b [u32]) -> impl Iterator<Item = (u32, f64)> + 'b {
        let own = self.targets.binary_search_by_key(&self.from, |(to, _)| *to).is_err();
        let own = own.then_some((self.from, 0));
        let all = self.targets.iter().copied().chain(own);
        let may_be = all.filter(|(state, _)| states.binary_search(state).is_ok());
        may_be
            .map(|(state, led)| (state, self.weight_of(state, led)))
            .filter(|(_, weight)| *weight > self.never)
    }

    /// How much must speak for a state of this weight, if the weights of all that were seen sum up to so much.
    fn enough(&self, all: f64, own: f64) -> f64 {
        CERTAINTY * (self.unseen + (all - own).max(0.0)) / own
    }
}

/// How urgent it is to look into a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    Unseen,
    Open,
    /// It seems to lead where all like it led, or was looked into without coming to an end.
    Formality,
}

/// Late or not, how much speaks for what it seems to be, the rank, how urgent, and how deep.
type Key = (bool, u32, u32, Urgency, u32);

/// How far it is looked for what speaks for something.
pub(super) struct Look {
    /// So much is enough.
    enough: f64,
    /// No more nodes are looked at.
    left: usize,
    /// Whether it is kept in mind that other states may lead to where this one leads: all that comes after that says nothing of which
    /// of them it is.
    is_wary: bool,
}

impl Look {
    pub(super) fn new(enough: f64, is_wary: bool) -> Look {
        Look { enough, left: LOOKED_AT, is_wary }
    }
}

impl Learner {
    /// What it wants to see next: what resolves a conflict first, then what stands at the frontier where the rank is least,
    /// and there the shortest. Nothing where the hypothesis is complete and agrees with everything that was seen; what is not
    /// certain but has a good chance to be right is looked into only where asked.
    pub fn wish(&mut self, rank: &dyn Fn(u32) -> u32, thoroughly: bool) -> Option<Wish> {
        loop {
            if let Some(word) = self.settle() {
                return Some(Wish::Word(self.spell(&word)));
            }
            if let Some((state, place)) = self.border(rank, thoroughly) {
                let mut word = self.access(state);
                word.push(self.input(place));
                return Some(Wish::Identify { word, border: (state, place) });
            }
            if !self.disagrees() {
                return None;
            }
        }
    }

    /// The next transition that is not certain.
    fn border(&mut self, rank: &dyn Fn(u32) -> u32, thoroughly: bool) -> Option<(u32, usize)> {
        if self.tree().is_full() {
            return None;
        }
        loop {
            self.catch_up();
            self.survey();
            if thoroughly {
                self.weigh();
            }
            let (state, place) = self.most_urgent(rank, thoroughly)?;
            let entry = state as usize * self.hypothesis.inputs + place;
            let mut is_thorough = false;
            if self.frontier[entry].node != NOWHERE {
                self.refresh(state, place, true);
                // What was seen meanwhile may be enough.
                let urgency = self.urgency(entry);
                is_thorough = urgency == Some(Urgency::Formality);
                if urgency.is_none() || is_thorough && !thoroughly {
                    continue;
                }
            }
            if let Some((state, place)) = self.unlike(entry) {
                let border = &mut self.frontier[state as usize * self.hypothesis.inputs + place];
                border.tries = border.tries.saturating_add(1);
                return Some((state, place));
            }
            if is_thorough {
                let border = &mut self.frontier[entry];
                border.again = border.again.saturating_add(1);
                return Some((state, place));
            }
            let only = match self.frontier[entry].candidates[..] {
                [only] if !self.outlook.is_sink(only) => only,
                _ => {
                    let border = &mut self.frontier[entry];
                    border.tries = border.tries.saturating_add(1);
                    return Some((state, place));
                }
            };
            let enough = self.enough(entry, only);
            let is_certain = self.evidence(self.frontier[entry].node, only, enough) >= enough;
            let states = self.basis.len() as u32;
            let border = &mut self.frontier[entry];
            if is_certain || border.checks >= CHECKS {
                (border.certain_at, border.checks) = (states, 0);
                continue;
            }
            border.checks += 1;
            return Some((state, place));
        }
    }

    /// An input that was answered after a transition as what seems to be a sink does not answer, and that was not sent there: sent
    /// there, it tells the two apart.
    fn unlike(&self, entry: usize) -> Option<(u32, usize)> {
        let Border { node, candidates, .. } = &self.frontier[entry];
        if *node == NOWHERE {
            return None;
        }
        let inputs = self.hypothesis.inputs;
        let sinks = candidates.iter().copied();
        sinks.filter(|&state| self.outlook.is_sink(state)).find_map(|sink| {
            let usual = self.hypothesis.row(sink).iter().find(|edge| edge.is_known())?.output;
            let is_unseen = |place: usize| self.is_unseen(sink as usize * inputs + place);
            let mut placed = self.placed(*node);
            let unlike = placed.find(|&(child, place)| self.tree.answer(child) != usual && is_unseen(place));
            unlike.map(|(_, place)| (sink, place))
        })
    }

    /// States that were added may be what stands at the frontier.
    fn catch_up(&mut self) {
        let inputs = self.hypothesis.inputs;
        let mut state = 0;
        // There may be more of them after each.
        while state < self.basis.len() {
            for place in 0..inputs {
                let border = &self.frontier[state * inputs + place];
                if border.up_to < self.basis.len() as u32 && border.node != NOWHERE {
                    self.refresh(state as u32, place, false);
                }
            }
            state += 1;
        }
    }

    /// What was never tried comes first, and what is near: it must be tried anyway, and the more is known of all states the fewer
    /// runs it takes to tell which of them another transition leads to.
    fn most_urgent(&self, rank: &dyn Fn(u32) -> u32, thoroughly: bool) -> Option<(u32, usize)> {
        let inputs = self.hypothesis.inputs;
        let is_left = |&state: &u32| self.tree.constant(self.basis[state as usize]).is_none();
        let states = || (0..self.basis.len() as u32).filter(is_left);
        let key = |urgency: Urgency, standing: u32, state: u32| -> Key {
            let is_late = urgency == Urgency::Formality;
            (is_late, standing, rank(state), urgency, self.depths[state as usize])
        };
        let unseen = states().filter_map(|state| {
            let place = (0..inputs).find(|place| self.is_unseen(state as usize * inputs + place))?;
            Some((key(Urgency::Unseen, 0, state), (state, place)))
        });
        let mut best = unseen.min_by_key(|(key, _)| *key);
        // Nothing else comes before what was never tried, but for what is nearer to what is pursued.
        let nearest = best.map(|(_, (state, _))| rank(state));
        for state in states().filter(|&state| nearest.is_none_or(|nearest| rank(state) < nearest)) {
            let urgent = (0..inputs).filter_map(|place| {
                let entry = state as usize * inputs + place;
                let urgency = self.urgency(entry)?;
                // Of what seems to be known, that comes first for which the least speaks.
                let standing = if urgency == Urgency::Formality { self.standing(entry) } else { 0 };
                Some((urgency, standing, place))
            });
            let Some((urgency, standing, place)) = urgent.min() else { continue };
            if urgency == Urgency::Formality && !thoroughly {
                continue;
            }
            let key = key(urgency, standing, state);
            if best.is_none_or(|(known, _)| key < known) {
                best = Some((key, (state, place)));
            }
        }
        best.map(|(_, border)| border)
    }

    /// How much speaks for where a transition seems to lead, in powers of two. Each time it was looked into again counts as much as
    /// twice the odds: where nothing more can speak for it, others have their turn.
    pub(super) fn standing(&self, entry: usize) -> u32 {
        let border = &self.frontier[entry];
        let odds = self.as_usual(entry).map_or(border.odds, |(times, _)| f64::from(times) / CERTAINTY);
        (odds as u64).max(1).ilog2() + u32::from(border.again)
    }

    /// Where a transition seems to lead to the sink that its answer always led to: how often that was certain, and how often it must be
    /// to be taken for granted.
    fn as_usual(&self, entry: usize) -> Option<(u32, u32)> {
        let (usual, times, always) = self.outlook.usual(self.tree.answer(self.frontier[entry].node));
        usual.filter(|&to| self.hypothesis.edges[entry].to == to).map(|_| (times, always))
    }

    /// Which states seem to be sinks, and which answers always led to one.
    fn survey(&mut self) {
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
        self.outlook =
            Outlook { of, sinks, led, rarely, stays, targets, once, discounts, shared, idle, is_weighed };
    }

    /// Looks anew at how much speaks for what seems to be known: what is likely from the start may have changed since.
    fn weigh(&mut self) {
        if std::mem::replace(&mut self.outlook.is_weighed, true) {
            return;
        }
        for entry in 0..self.frontier.len() {
            let Border { node, candidates, is_likely, .. } = &self.frontier[entry];
            if *node != NOWHERE && (*is_likely || candidates.len() == 1) {
                self.frontier[entry].odds = self.odds(entry, self.hypothesis.edges[entry].to);
            }
        }
    }

    /// Whether every input was sent after a node, or it is taken to be never left.
    fn is_tried(&self, node: u32) -> bool {
        self.tree.constant(node).is_some() || self.placed(node).count() == self.alphabet.len()
    }

    /// The place of an input that was not sent after a node.
    pub(super) fn untried(&self, node: u32) -> Option<usize> {
        if self.tree.is_end(node) {
            return None;
        }
        (0..self.alphabet.len()).find(|&place| self.tree.child(node, self.alphabet[place]).is_none())
    }

    /// Whether a transition was never taken, and not tried in vain too often.
    pub(super) fn is_unseen(&self, entry: usize) -> bool {
        self.frontier[entry].node == NOWHERE && self.frontier[entry].tries < TRIES
    }

    /// How urgent it is to find out where a transition leads; none where that is known or cannot be found out. What seems to
    /// lead to a sink is one only if every input was tried there: anything that answers most inputs alike looks like one, and
    /// tests keep away from it. Where its answer always led to one sink, it is taken to do so again.
    fn urgency(&self, entry: usize) -> Option<Urgency> {
        let border = &self.frontier[entry];
        let tries = usize::from(border.tries);
        if border.node == NOWHERE {
            return self.is_unseen(entry).then_some(Urgency::Unseen);
        }
        if border.is_idle() {
            return None;
        }
        let most = usize::from(TRIES) + self.alphabet.len();
        let again = || (self.standing(entry) < SURE.ilog2()).then_some(Urgency::Formality);
        let usual = self.as_usual(entry);
        if let Some((times, always)) = usual
            && times >= always
        {
            // What was seen once may be otherwise all the same: the others tell little of it.
            return again().filter(|_| always == ALWAYS[1] && !self.is_tried(border.node));
        }
        match border.candidates[..] {
            // It is how the state was found.
            [only] if self.basis[only as usize] == border.node => None,
            [only] if self.outlook.is_sink(only) => {
                let is_open = tries < most && !border.is_likely;
                let urgency = if is_open { Some(Urgency::Open) } else { again() };
                urgency.filter(|_| !self.is_tried(border.node))
            }
            // More must speak for one state the more of them there are, and more is known of what comes after it.
            [_] if self.basis.len() as u32 >= border.certain_at.saturating_mul(2) => Some(Urgency::Open),
            [_] => again(),
            _ if usual.is_some() || border.is_likely || tries >= FEW + self.alphabet.len() => again(),
            _ => Some(Urgency::Open),
        }
    }

    /// Whether so much speaks for where a transition leads, by all that was seen so far, that there is no need to look further.
    pub(super) fn is_answered(&mut self, state: u32, place: usize) -> bool {
        self.refresh(state, place, true);
        self.is_settled(state as usize * self.hypothesis.inputs + place)
    }

    /// Whether a transition is as good as certain.
    pub(super) fn is_settled(&self, entry: usize) -> bool {
        !matches!(self.urgency(entry), Some(Urgency::Unseen | Urgency::Open))
    }

    /// Whether a transition is still to be looked into.
    pub(super) fn is_open(&self, entry: usize) -> bool {
        self.urgency(entry).is_some()
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

    /// How much must speak for a state that a transition may lead to, to make it much likelier than all others that it may
    /// lead to and one that is not known yet: see [`Learner::evidence`].
    pub(super) fn enough(&self, entry: usize, state: u32) -> f64 {
        let prior = self.prior(entry);
        let candidates = &self.frontier[entry].candidates;
        let all = prior.seen(candidates).map(|(_, weight)| weight).sum();
        prior.enough(all, prior.weight(state))
    }

    /// How many times as much speaks for a state that a transition may lead to as is enough, warily.
    pub(super) fn odds(&self, entry: usize, state: u32) -> f64 {
        let enough = self.enough(entry, state);
        let node = self.frontier[entry].node;
        self.speaks(node, self.twin(state), &mut Look::new(SURE as f64 * enough, true)) / enough
    }

    /// What an answer says of where it came from: of so many states one answers like this.
    pub(super) fn rarity(&self, place: usize, output: u32) -> f64 {
        let all = self.totals.get(place).copied().unwrap_or(0);
        let alike = self.answers.get(&(place as u32, output)).copied().unwrap_or(0);
        f64::from(all + 1) / f64::from(alike.max(1))
    }

    /// Of the states that a transition may lead to, the only one for which enough speaks, as far as the hypothesis knows what
    /// each of them answers.
    pub(super) fn likeliest(&self, entry: usize) -> Option<u32> {
        let Border { node, candidates, .. } = &self.frontier[entry];
        if self.tree.is_leaf(*node) {
            return None;
        }
        let prior = self.prior(entry);
        let seen: Vec<(u32, f64)> = prior.seen(candidates).collect();
        let all: f64 = seen.iter().map(|(_, weight)| weight).sum();
        let most = self.most_evidence(*node);
        let is_likely = |&(state, weight): &(u32, f64)| {
            let enough = prior.enough(all, weight);
            // Much is answered like a sink would by states from which little leads on.
            let is_new_sink = weight <= prior.never && self.outlook.is_sink(state);
            !is_new_sink
                && most >= enough
                && self.evidence(*node, state, enough) >= enough
                && self.agrees(*node, state)
        };
        let only = |likely: &mut dyn Iterator<Item = (u32, f64)>| {
            let (first, None) = (likely.next()?, likely.next()) else { return None };
            Some(first.0)
        };
        // Where nothing can speak enough for one that no such answer led to, only the others are looked at.
        if most < prior.enough(all, prior.never) {
            return only(&mut seen.into_iter().filter(is_likely));
        }
        only(&mut candidates.iter().map(|&state| (state, prior.weight(state))).filter(is_likely))
    }

    /// Whether everything that was answered after a node, as far as it is looked at, is what a state would answer.
    fn agrees(&self, node: u32, state: u32) -> bool {
        let mut open = vec![(node, self.twin(state))];
        let mut left = LOOKED_AT;
        while let Some((node, twin)) = open.pop() {
            for (child, place) in self.placed(node) {
                let Some((output, next)) = self.expected(twin, place) else { continue };
                if output != self.tree.answer(child) {
                    return false;
                }
                left = left.saturating_sub(1);
                if left == 0 {
                    return true;
                }
                open.push((child, next));
            }
        }
        true
    }

    /// What can speak for a node being any state, at most.
    fn most_evidence(&self, node: u32) -> f64 {
        let mut odds = 1.0;
        let mut open = vec![node];
        let mut left = LOOKED_AT;
        while let Some(node) = open.pop() {
            for (child, place) in self.placed(node) {
                odds *= self.rarity(place, self.tree.answer(child));
                left = left.saturating_sub(1);
                if left == 0 {
                    return f64::INFINITY;
                }
                open.push(child);
            }
        }
        odds
    }

    /// What speaks for a node being a state: all that was answered after it as the state would, by how unusual that is: of so
    /// many states one would. A state that nothing speaks for may be the only one left merely because others are not known yet.
    pub(super) fn evidence(&self, node: u32, state: u32, enough: f64) -> f64 {
        self.speaks(node, self.twin(state), &mut Look::new(enough, false))
    }

    /// The same of where something else would be.
    pub(super) fn speaks(&self, node: u32, twin: Twin, look: &mut Look) -> f64 {
        self.speaks_after(node, twin, NOWHERE, look)
    }

    /// The same after an input that changed nothing, if it was one.
    fn speaks_after(&self, node: u32, twin: Twin, stayed: u32, look: &mut Look) -> f64 {
        let mut odds = 1.0;
        for (child, place) in self.placed(node) {
            let Some((output, next)) = self.expected(twin, place) else { continue };
            if output != self.tree.answer(child) {
                continue;
            }
            // Where an input changes nothing, sending it again and again says nothing more.
            let is_again = stayed == place as u32;
            odds *= if is_again { 1.0 } else { self.rarity(place, output) };
            look.left = look.left.saturating_sub(1);
            // A sink answers everything alike: that says nothing more.
            if odds < look.enough && look.left > 0 && !self.outlook.is_sink(next.state()) {
                let stays = next.state() == twin.state() && next.state() != UNKNOWN;
                let stayed = if stays { place as u32 } else { NOWHERE };
                let more = self.speaks_after(child, next, stayed, look);
                odds *= if look.is_wary { self.outlook.counts(output, more) } else { more };
            }
            if odds >= look.enough || look.left == 0 {
                return odds;
            }
        }
        odds
    }
}

impl Border {
    pub(super) fn unseen() -> Border {
        Border {
            node: NOWHERE,
            candidates: Vec::new(),
            up_to: 0,
            tries: 0,
            again: 0,
            checks: 0,
            certain_at: 0,
            beyond: 0,
            is_likely: false,
            odds: 0.0,
            probes: 0,
            visits: 0,
        }
    }
}
