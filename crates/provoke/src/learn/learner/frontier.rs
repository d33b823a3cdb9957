//! Which transition is looked into next, and when one is known well enough.

use super::{Border, Learner, NOWHERE, Wish};
use crate::learn::hypothesis::UNKNOWN;
use crate::rng::Rng;

/// After so many times an answer that always led to one sink is taken to do so; and one that was seen only once, after so
/// many of its kind.
const ALWAYS: [u32; 2] = [3, 5];

/// A frontier node is looked into so often before the likeliest state is taken for granted.
const TRIES: u16 = 6;

/// After so many times, and once for every other input, it is not urgent any more.
const FEW: usize = 3;

/// So often it is looked for more to be said for the only state that it may be, before that is enough.
const CHECKS: u8 = 3;

/// What speaks for the only state that a node may be is enough where, of all states and so many times as many, one would
/// answer like it by chance.
const CERTAINTY: f64 = 8.0;

/// No more of what was seen after a node is looked at to see what speaks for it.
const LOOKED_AT: usize = 256;

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
}

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
    /// The sink that an answer always led to, how often that was certain, and how often it must be to be taken for granted.
    fn usual(&self, output: u32) -> (Option<u32>, u32, u32) {
        let led = self.led.get(output as usize).copied().unwrap_or_default();
        let (led, always) = if led.seen <= 1 { (self.rarely, ALWAYS[1]) } else { (led, ALWAYS[0]) };
        (Some(led.to).filter(|&to| to != UNKNOWN && !led.mixed), led.times, always)
    }

    /// The likeliest of some states after an answer, where all that were certain led to one sink.
    pub(super) fn guess(&self, output: u32, candidates: &[u32]) -> Option<u32> {
        self.usual(output).0.filter(|to| candidates.contains(to))
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

/// Late or not, the rank, how deep, and how urgent.
type Key = (bool, u32, u32, Urgency);

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
        if self.tree.is_full() {
            return None;
        }
        loop {
            self.catch_up();
            self.survey();
            let (state, place) = self.most_urgent(rank, thoroughly)?;
            let entry = state as usize * self.hypothesis.inputs + place;
            if self.frontier[entry].node != NOWHERE {
                self.refresh(state, place, true);
            }
            let &[only] = &self.frontier[entry].candidates[..] else {
                let border = &mut self.frontier[entry];
                border.tries = border.tries.saturating_add(1);
                return Some((state, place));
            };
            if self.outlook.sinks.get(only as usize) == Some(&true) {
                let border = &mut self.frontier[entry];
                border.tries = border.tries.saturating_add(1);
                return Some((state, place));
            }
            let enough = self.enough();
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

    /// What is near comes first, and there what was never tried: by the way more becomes known of the states that others may
    /// lead to.
    fn most_urgent(&self, rank: &dyn Fn(u32) -> u32, thoroughly: bool) -> Option<(u32, usize)> {
        let inputs = self.hypothesis.inputs;
        let mut best: Option<(Key, (u32, usize))> = None;
        for (state, &node) in self.basis.iter().enumerate() {
            if self.tree.is_end(node) {
                continue;
            }
            let urgent = (0..inputs).filter_map(|place| Some((self.urgency(state * inputs + place)?, place)));
            let Some((urgency, place)) = urgent.min() else { continue };
            if urgency == Urgency::Formality && !thoroughly {
                continue;
            }
            let state = state as u32;
            let is_late = urgency == Urgency::Formality || self.is_stale(state);
            let key = (is_late, rank(state), self.depths[state as usize], urgency);
            if best.is_none_or(|(known, _)| key < known) {
                best = Some((key, (state, place)));
            }
        }
        best.map(|(_, border)| border)
    }

    /// Which states seem to be sinks, and which answers always led to one.
    fn survey(&mut self) {
        let now = (self.version, self.tree.len());
        if self.outlook.of.is_some_and(|(version, nodes)| version == now.0 && now.1 < nodes + nodes / 64) {
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
        for border in seen {
            let &[only] = &border.candidates[..] else { continue };
            let is_sink = sinks[only as usize];
            let is_tried = is_sink && self.untried(border.node).is_none();
            let of = &mut led[self.tree.answer(border.node) as usize];
            let is_rare = of.seen == 1;
            for led in std::iter::once(of).chain(is_rare.then_some(&mut rarely)) {
                led.mixed |= !is_sink || led.to != UNKNOWN && led.to != only;
                led.to = only;
                led.times += u32::from(is_tried);
            }
        }
        self.outlook = Outlook { of: Some(now), sinks, led, rarely };
    }

    /// The place of an input that was not sent after a node.
    pub(super) fn untried(&self, node: u32) -> Option<usize> {
        if self.tree.is_end(node) {
            return None;
        }
        (0..self.alphabet.len()).find(|&place| self.tree.child(node, self.alphabet[place]).is_none())
    }

    /// How urgent it is to find out where a transition leads; none where that is known or cannot be found out. What seems to
    /// lead to a sink is one only if every input was tried there: anything that answers most inputs alike looks like one, and
    /// tests keep away from it. Where its answer always led to one sink, it is taken to do so again.
    fn urgency(&self, entry: usize) -> Option<Urgency> {
        let border = &self.frontier[entry];
        let tries = usize::from(border.tries);
        if border.node == NOWHERE {
            return (tries < usize::from(TRIES)).then_some(Urgency::Unseen);
        }
        let most = usize::from(TRIES) + self.alphabet.len();
        let (usual, times, always) = self.outlook.usual(self.tree.answer(border.node));
        let is_usual = usual.is_some_and(|to| border.candidates.contains(&to));
        if is_usual && times >= always {
            return None;
        }
        match border.candidates[..] {
            [only] if self.outlook.sinks.get(only as usize) == Some(&true) => {
                (tries < most && self.untried(border.node).is_some()).then_some(Urgency::Open)
            }
            [_] => (self.basis.len() as u32 >= border.certain_at.saturating_mul(2)).then_some(Urgency::Open),
            _ if is_usual || tries >= FEW + self.alphabet.len() / 2 => {
                (tries < most).then_some(Urgency::Formality)
            }
            _ => Some(Urgency::Open),
        }
    }

    /// A word that tries something new just beyond a transition: the one after which the fewest inputs were tried, those that
    /// seem to lead to sinks last, and an input that was not. Random walks rarely come to what only one input of one
    /// transition shows. None where every input was tried after every transition.
    pub fn beyond(&mut self, rng: &mut Rng) -> Option<Vec<usize>> {
        if self.tree.is_full() {
            return None;
        }
        let inputs = self.hypothesis.inputs;
        let mut best: Option<((bool, u16, usize), usize)> = None;
        for (entry, border) in self.frontier.iter().enumerate() {
            if border.node == NOWHERE || self.states.contains_key(&border.node) {
                continue;
            }
            let tried = self.tree.children(border.node).count();
            if tried >= inputs || self.tree.is_end(border.node) {
                continue;
            }
            let to = self.hypothesis.edges[entry].to;
            let is_sink = self.outlook.sinks.get(to as usize) == Some(&true);
            let key = (is_sink, border.beyond, tried);
            if best.is_none_or(|(known, _)| key < known) {
                best = Some((key, entry));
            }
        }
        let (_, entry) = best?;
        self.frontier[entry].beyond = self.frontier[entry].beyond.saturating_add(1);
        let node = self.frontier[entry].node;
        let fresh = (0..inputs).filter(|&place| self.tree.child(node, self.alphabet[place]).is_none());
        let fresh: Vec<usize> = fresh.collect();
        let input = *rng.pick(&fresh)?;
        let access = self.tree.word(self.basis[entry / inputs]);
        let mut word: Vec<usize> =
            access.iter().map(|&number| self.places[number as usize] as usize).collect();
        word.extend([entry % inputs, input]);
        Some(word)
    }

    /// Whether a transition is still to be looked into.
    pub(super) fn is_open(&self, entry: usize) -> bool {
        self.urgency(entry).is_some()
    }

    /// Whether a state seems to answer everything alike for ever: it is looked into last.
    fn is_stale(&self, state: u32) -> bool {
        self.hypothesis.row(state).iter().filter(|edge| edge.is_known()).count() >= 2
            && self.hypothesis.is_sink(state)
    }

    /// How much must speak for the only state that a node may be: see [`Learner::evidence`].
    pub(super) fn enough(&self) -> f64 {
        self.basis.len() as f64 * CERTAINTY
    }

    /// What an answer says of where it came from: of so many states one answers like this.
    pub(super) fn rarity(&self, place: usize, output: u32) -> f64 {
        let all = self.totals.get(place).copied().unwrap_or(0);
        let alike = self.answers.get(&(place as u32, output)).copied().unwrap_or(0);
        f64::from(all + 1) / f64::from(alike.max(1))
    }

    /// What speaks for a node being a state: all that was answered after it as the hypothesis says of the state, by how
    /// unusual that is: of so many states one would. A state that nothing speaks for may be the only one left merely because others are not known yet.
    pub(super) fn evidence(&self, node: u32, state: u32, enough: f64) -> f64 {
        let mut odds = 1.0;
        let mut open = vec![(node, state)];
        let mut left = LOOKED_AT;
        while let Some((node, state)) = open.pop() {
            for child in self.tree.children(node) {
                let Some(&place) = self.places.get(self.tree.sent(child) as usize) else { continue };
                if place == u32::MAX {
                    continue;
                }
                let edge = self.hypothesis.edge(state, place as usize);
                if !edge.is_known() || edge.output != self.tree.answer(child) {
                    continue;
                }
                odds *= self.rarity(place as usize, edge.output);
                left = left.saturating_sub(1);
                if odds >= enough || left == 0 {
                    return odds;
                }
                // A sink answers everything alike: that says nothing more.
                if self.outlook.sinks.get(edge.to as usize) != Some(&true) {
                    open.push((child, edge.to));
                }
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
            checks: 0,
            certain_at: 0,
            beyond: 0,
        }
    }
}
