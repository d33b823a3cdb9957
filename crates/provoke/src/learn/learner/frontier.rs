//! Which transition is looked into next, and when one is known well enough.

use super::evidence::{CERTAINTY, SURE};
use super::outlook::ALWAYS;
use super::{Inquiry, Learner, NOWHERE, Wish};

/// A frontier node is looked into so often before the likeliest state is taken for granted.
const TRIES: u16 = 6;

/// After so many times, and once for every other input, it is not urgent any more.
const FEW: usize = 3;

/// So often it is looked for more to be said for the only state that it may be, before that is enough.
const CHECKS: u8 = 3;

/// How urgent it is to look into a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Urgency {
    Unseen,
    Open,
    /// It seems to lead where all like it led, or was looked into without coming to an end.
    Formality,
}

/// A transition that is to be looked into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Open {
    /// The state and the place of the input.
    at: (u32, usize),
    counts: Counts,
}

/// What looking into a transition counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counts {
    Try,
    /// It seemed certain.
    Again,
    /// More is to be said for the only state that it may be.
    Check,
}

/// Late or not, how much speaks for what it seems to be, the rank, how urgent, and how deep.
type Key = (bool, u32, u32, Urgency, u32);

/// What stands at the frontier for one input of one state.
#[derive(Clone, Debug)]
pub(super) struct Border {
    pub(super) node: u32,
    /// The states that the node is not apart from, of the first so many.
    pub(super) candidates: Vec<u32>,
    pub(super) up_to: u32,
    /// How often it was tried to find out which.
    pub(super) tries: u16,
    /// How often it was looked into again although it seemed certain.
    pub(super) again: u16,
    /// How often it was looked for what speaks for the only one, and how many states there were when that was enough.
    pub(super) checks: u8,
    pub(super) certain_at: u32,
    /// How often something new was tried beyond it.
    pub(super) beyond: u16,
    /// How often it was put to the test where it leads.
    pub(super) probes: u16,
    /// How often it was taken again and again, each time for longer.
    pub(super) persisted: u8,
    /// Whether, of several that it may be, the hypothesis leaves one alone, and much speaks for that.
    pub(super) is_likely: bool,
    /// How many times as much speaks for it as is enough, when that was last looked at.
    pub(super) odds: f64,
    /// How often a run took the transition.
    pub(super) visits: u32,
    /// How much was known when looking into it showed nothing new: the same run would be made again.
    pub(super) in_vain: Option<u64>,
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
            persisted: 0,
            visits: 0,
            in_vain: None,
        }
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
            if let Some(open) = self.border(rank, thoroughly) {
                let (state, place) = open.at;
                let mut word = self.access(state);
                word.push(self.input(place));
                return Some(Wish::Identify { word, open });
            }
            if !self.disagrees() {
                return None;
            }
        }
    }

    /// The next transition that is not certain.
    fn border(&mut self, rank: &dyn Fn(u32) -> u32, thoroughly: bool) -> Option<Open> {
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
                return Some(Open { at: (state, place), counts: Counts::Try });
            }
            if is_thorough {
                return Some(Open { at: (state, place), counts: Counts::Again });
            }
            let only = match self.frontier[entry].candidates[..] {
                [only] if !self.outlook.is_sink(only) => only,
                _ => return Some(Open { at: (state, place), counts: Counts::Try }),
            };
            let enough = self.enough(entry, only);
            let is_certain = self.evidence(self.frontier[entry].node, only, enough) >= enough;
            let states = self.basis.len() as u32;
            let border = &mut self.frontier[entry];
            if is_certain || border.checks >= CHECKS {
                (border.certain_at, border.checks) = (states, 0);
                continue;
            }
            return Some(Open { at: (state, place), counts: Counts::Check });
        }
    }

    /// Begins to look into a transition: only what is done counts.
    pub fn inquire(&mut self, open: Open) -> Inquiry {
        let (state, place) = open.at;
        let border = &mut self.frontier[state as usize * self.hypothesis.inputs + place];
        match open.counts {
            Counts::Try => border.tries = border.tries.saturating_add(1),
            Counts::Again => border.again = border.again.saturating_add(1),
            Counts::Check => border.checks = border.checks.saturating_add(1),
        }
        Inquiry::new(open.at, self.tree().len())
    }

    /// A run that looked into a transition is over. Where it has shown nothing that was not seen before, it would be the same again.
    pub fn conclude(&mut self, inquiry: &Inquiry) {
        let (state, place) = inquiry.border;
        let is_in_vain = self.tree().len() == inquiry.nodes;
        let known = Some(self.known()).filter(|_| is_in_vain);
        if let Some(border) = self.frontier.get_mut(state as usize * self.hypothesis.inputs + place) {
            border.in_vain = known;
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
        let known = Some(self.known());
        for state in states().filter(|&state| nearest.is_none_or(|nearest| rank(state) < nearest)) {
            let urgent = (0..inputs).filter_map(|place| {
                let entry = state as usize * inputs + place;
                let urgency = self.urgency(entry).filter(|_| self.frontier[entry].in_vain != known)?;
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

    /// Whether every input was sent after a node, or it is taken to be never left.
    pub(super) fn is_tried(&self, node: u32) -> bool {
        let barred = self.tree.barred(node).iter().filter(|&&input| self.place_of_number(input).is_some());
        self.tree.constant(node).is_some()
            || self.placed(node).count() + barred.count() == self.alphabet.len()
    }

    /// The place of an input that was not sent after a node.
    pub(super) fn untried(&self, node: u32) -> Option<usize> {
        if self.tree.is_end(node) {
            return None;
        }
        (0..self.alphabet.len()).find(|&place| self.may_try(node, place))
    }

    /// Whether an input was not sent after a node and may be, as far as is known.
    pub(super) fn may_try(&self, node: u32, place: usize) -> bool {
        let input = self.alphabet[place];
        self.tree.child(node, input).is_none() && !self.tree.barred(node).contains(&input)
    }

    /// Whether a transition was never taken, may be, and was not tried in vain too often.
    pub(super) fn is_unseen(&self, entry: usize) -> bool {
        self.frontier[entry].node == NOWHERE && self.frontier[entry].tries < TRIES && !self.is_withheld(entry)
    }

    /// Whether the input of a transition may not be sent in its state.
    pub(super) fn is_withheld(&self, entry: usize) -> bool {
        let inputs = self.hypothesis.inputs;
        self.tree.barred(self.basis[entry / inputs]).contains(&self.alphabet[entry % inputs])
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

    /// Which transitions are as good as certain, in the order of the rows.
    pub fn certain(&self) -> Vec<bool> {
        let inputs = self.hypothesis.inputs;
        let is_left = |entry: usize| self.tree.constant(self.basis[entry / inputs]).is_none();
        (0..self.frontier.len()).map(|entry| !is_left(entry) || self.is_settled(entry)).collect()
    }

    /// Whether a transition is still to be looked into.
    pub(super) fn is_open(&self, entry: usize) -> bool {
        self.urgency(entry).is_some()
    }
}
