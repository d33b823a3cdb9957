//! A game, charted: where its elements lie, which are covered, and the way to the nearest that is not.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::{Chart, Cover, Element, Found, Ground, Item, Way};
use crate::game::{Game, Guide, State, Tier};
use crate::letter::{LetterSet, LetterSets};
use crate::trace::Step;

/// So many ways are looked at before the first run, and again whenever all that is known was covered.
const AHEAD: usize = 1 << 16;
/// The most ways that are remembered.
const MOST: usize = 1 << 20;
/// What the distance is said to be where a game is beyond what is remembered.
const OUT_OF_SIGHT: u32 = 1 << 16;

/// The elements of a game, those that were covered, and the [`Guide`] to the nearest that was not.
///
/// The guide changes as elements are covered. It takes the system to help; inputs that may lead to an element or closer to
/// one are helpful, and none is ever said to force anything. Where everything that can be reached was covered there is no
/// distance any more.
pub struct Coverage {
    cover: Cover,
    game: Arc<dyn Game>,
    ground: Box<dyn Ground>,
    charted: Mutex<Charted>,
    sets: LetterSets,
    none: LetterSet,
}

/// How a run stands towards what is to be covered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// All is covered.
    Done,
    /// The nearest uncovered element is so many steps away.
    Open(u32),
    /// None can be reached from here; from the start, one may be.
    Lost,
    /// Nothing is left that anybody knows a way to, though not all is covered.
    Stuck,
}

struct Charted {
    chart: Chart,
    /// Each state that is a node, by the number of the node.
    states: IndexSet<u32, FxBuildHasher>,
    /// Each element that is an item, by the number of the item.
    elements: IndexSet<Element, FxBuildHasher>,
    /// Whether the ways out of a node are known.
    known: Vec<bool>,
    /// Nodes of which they are not.
    frontier: VecDeque<u32>,
    /// Whether some ways could not be said, or there was no room for them.
    cut_off: bool,
    initial: u32,
    /// What was covered in this run for the first time.
    fresh: Vec<Item>,
    /// For each node the version of the chart in which its helpful inputs were worked out, and where they are kept.
    helpful: Vec<(u64, usize)>,
    /// Sets that are kept, by the places of the sets they are the union of.
    unions: FxHashMap<Vec<u32>, usize>,
    ways: Vec<Way>,
    seen: Vec<Element>,
    items: Vec<Item>,
    labels: Vec<u32>,
    has_grown: bool,
    /// How much of what is left was covered when a change was last announced.
    announced: usize,
}

impl Coverage {
    /// Charts a game from its initial state, as far as is looked ahead.
    pub fn new(cover: Cover, game: Arc<dyn Game>, ground: Box<dyn Ground>) -> Coverage {
        let mut charted = Charted {
            chart: Chart::new(),
            states: IndexSet::default(),
            elements: IndexSet::default(),
            known: Vec::new(),
            frontier: VecDeque::new(),
            cut_off: false,
            initial: 0,
            fresh: Vec::new(),
            helpful: Vec::new(),
            unions: FxHashMap::default(),
            ways: Vec::new(),
            seen: Vec::new(),
            items: Vec::new(),
            labels: Vec::new(),
            has_grown: false,
            announced: 0,
        };
        let sets = LetterSets::new();
        charted.initial = charted.node(game.initial());
        ground.here(game.initial(), &mut charted.seen);
        charted.take_in();
        charted.grow(&*ground, &sets);
        Coverage { cover, game, ground, charted: Mutex::new(charted), sets, none: LetterSet::empty() }
    }

    fn charted(&self) -> MutexGuard<'_, Charted> {
        self.charted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game.
    pub fn game(&self) -> &Arc<dyn Game> {
        &self.game
    }

    /// A run begins: where it does is covered.
    pub fn begin_run(&self) {
        let charted = &mut *self.charted();
        charted.fresh.clear();
        charted.seen.clear();
        self.ground.here(self.game.initial(), &mut charted.seen);
        charted.take_in();
        charted.cover_items();
    }

    /// A step was made, from a state to a state.
    pub fn saw(&self, from: State, step: &Step, to: State) {
        let charted = &mut *self.charted();
        charted.seen.clear();
        self.ground.seen(from, step, to, &mut charted.seen);
        charted.take_in();
        let ends = (charted.states.get_index_of(&from.0), charted.states.get_index_of(&to.0));
        if let (Some(from), Some(to)) = ends {
            let sets = &self.sets;
            let might = |label: u32| sets.get(label as usize).contains(step.input);
            charted.chart.tried(from as u32, to as u32, &charted.items, might);
            charted.expand(to as u32, &*self.ground, sets);
        } else if charted.chart.arcs() < MOST
            && let (Some(_), None) = ends
            && to.0 != u32::MAX
        {
            // It went where nobody had looked: the ways out of where it came from are not all known.
            let to = charted.node(to);
            charted.expand(to, &*self.ground, &self.sets);
        }
        charted.cover_items();
    }

    /// Whether a step would cover something new.
    pub fn would_cover(&self, from: State, step: &Step, to: State) -> bool {
        let mut seen = Vec::new();
        self.ground.seen(from, step, to, &mut seen);
        let charted = self.charted();
        let is_new = |element: &Element| match charted.elements.get_index_of(element) {
            Some(item) => !charted.chart.is_covered(Item(item as u32)),
            None => true,
        };
        seen.iter().any(is_new)
    }

    /// Takes back what was covered in this run: its answers turned out not to be in turn.
    pub fn doubt_run(&self) {
        let Charted { chart, fresh, .. } = &mut *self.charted();
        fresh.drain(..).for_each(|item| chart.uncover(item));
    }

    /// How things stand in a state.
    pub fn standing(&self, at: State) -> Standing {
        let charted = &mut *self.charted();
        let Some(node) = charted.states.get_index_of(&at.0) else { return Standing::Open(OUT_OF_SIGHT) };
        loop {
            if charted.is_done() {
                return Standing::Done;
            }
            if let Some(distance) = charted.chart.distance(node as u32) {
                return Standing::Open(distance);
            }
            if charted.chart.distance(charted.initial).is_some() {
                return Standing::Lost;
            }
            // Nothing in sight: look farther, or try once more what was tried in vain, in turn.
            let may_grow = !charted.frontier.is_empty() && charted.chart.arcs() < MOST;
            let grows = may_grow && !std::mem::take(&mut charted.has_grown);
            if grows || !charted.chart.forgive() {
                if !may_grow {
                    charted.cut_off |= !charted.frontier.is_empty();
                    return Standing::Stuck;
                }
                charted.grow(&*self.ground, &self.sets);
                charted.has_grown = true;
            }
        }
    }

    /// How many elements are covered, and how many are known.
    pub fn counts(&self) -> (usize, usize) {
        let charted = self.charted();
        (charted.chart.covered(), charted.elements.len())
    }

    /// Whether so much was covered since this was last asked with success that whoever remembers distances should look
    /// at them anew: an eighth of what is left.
    pub fn has_moved_on(&self) -> bool {
        let charted = &mut *self.charted();
        let (covered, all) = (charted.chart.covered(), charted.elements.len());
        let moved = covered.saturating_sub(charted.announced) > (all - covered) / 8;
        if moved {
            charted.announced = covered;
        }
        moved
    }

    /// What became of the elements.
    pub fn found(&self) -> Found {
        let charted = self.charted();
        let Charted { chart, elements, .. } = &*charted;
        let open = elements.iter().zip(0..).filter(|(_, item)| !chart.is_covered(Item(*item)));
        let complete = charted.is_complete();
        let cannot = match complete {
            true => self.ground.beyond_reach(&|element| elements.contains(&element)),
            false => Vec::new(),
        };
        Found {
            cover: self.cover,
            elements: elements.len(),
            covered: chart.covered(),
            never: open.map(|(&element, _)| self.ground.name(element)).collect(),
            cannot,
            complete,
        }
    }

    /// The inputs that may lead closer from a node.
    fn helpful(&self, node: u32) -> usize {
        let Charted { chart, helpful, unions, labels, .. } = &mut *self.charted();
        // Distances first: bringing them up to date is a change of its own.
        chart.distance(node);
        let version = chart.version();
        if helpful.len() < chart.nodes() {
            helpful.resize(chart.nodes(), (u64::MAX, 0));
        }
        let (known, place) = helpful[node as usize];
        if known == version {
            return place;
        }
        labels.clear();
        labels.extend(chart.closer(node));
        labels.sort_unstable();
        labels.dedup();
        let place = match &labels[..] {
            [only] => *only as usize,
            [] => self.sets.place(LetterSet::empty()),
            several => match unions.get(several) {
                Some(&place) => place,
                None => {
                    let sets = several.iter().map(|&place| self.sets.get(place as usize));
                    let place = self.sets.place(sets.fold(LetterSet::empty(), |sum, set| sum.union(set)));
                    unions.insert(several.to_vec(), place);
                    place
                }
            },
        };
        helpful[node as usize] = (version, place);
        place
    }

    fn node(&self, at: State) -> Option<u32> {
        self.charted().states.get_index_of(&at.0).map(|node| node as u32)
    }
}

impl Charted {
    fn node(&mut self, state: State) -> u32 {
        let (node, is_new) = self.states.insert_full(state.0);
        if is_new {
            let number = self.chart.node();
            self.known.push(false);
            self.frontier.push_back(number);
        }
        node as u32
    }

    fn item(&mut self, element: Element) -> Item {
        let (item, is_new) = self.elements.insert_full(element);
        if is_new {
            self.chart.item();
        }
        Item(item as u32)
    }

    /// Puts the items of what was seen into `items`.
    fn take_in(&mut self) {
        self.items.clear();
        while let Some(element) = self.seen.pop() {
            let item = self.item(element);
            self.items.push(item);
        }
    }

    fn cover_items(&mut self) {
        for &item in &self.items {
            if self.chart.cover(item) {
                self.fresh.push(item);
            }
        }
    }

    /// Charts the ways out of a node.
    fn expand(&mut self, node: u32, ground: &dyn Ground, sets: &LetterSets) {
        if std::mem::replace(&mut self.known[node as usize], true) {
            return;
        }
        let mut ways = std::mem::take(&mut self.ways);
        self.cut_off |= !ground.ways(State(self.states[node as usize]), &mut ways);
        for Way { inputs, to, element } in ways.drain(..) {
            let to = self.node(to);
            let item = element.map(|element| self.item(element));
            self.chart.arc(node, to, item, sets.place(inputs) as u32);
        }
        self.ways = ways;
    }

    /// Charts more, those states first that are nearest to the start.
    fn grow(&mut self, ground: &dyn Ground, sets: &LetterSets) {
        let most = if ground.is_finite() { usize::MAX } else { (self.chart.arcs() + AHEAD).min(MOST) };
        while self.chart.arcs() < most
            && let Some(node) = self.frontier.pop_front()
        {
            self.expand(node, ground, sets);
        }
        while self.frontier.front().is_some_and(|&node| self.known[node as usize]) {
            self.frontier.pop_front();
        }
    }

    fn is_complete(&self) -> bool {
        !self.cut_off && self.frontier.iter().all(|&node| self.known[node as usize])
    }

    fn is_done(&self) -> bool {
        self.chart.covered() == self.elements.len() && self.is_complete()
    }
}

impl Guide for Coverage {
    /// What is to be covered changes from step to step: no plan is made for it.
    fn is_about_states(&self) -> bool {
        false
    }

    fn distance(&self, at: State) -> Option<u32> {
        match self.node(at) {
            Some(node) => self.charted().chart.distance(node),
            None => Some(OUT_OF_SIGHT),
        }
    }

    fn rank(&self, at: State) -> Option<u32> {
        self.distance(at).map(|_| 1)
    }

    fn inputs(&self, at: State, tier: Tier) -> &LetterSet {
        match (tier, self.node(at)) {
            (Tier::Forcing, _) => &self.none,
            (Tier::Helpful, Some(node)) => self.sets.get(self.helpful(node)),
            (Tier::Helpful | Tier::Hopeful, _) => self.game.inputs(at),
        }
    }

    fn farthest(&self) -> Option<u32> {
        let charted = &mut *self.charted();
        if charted.is_complete() { Some(charted.chart.farthest().unwrap_or(1)) } else { None }
    }
}
