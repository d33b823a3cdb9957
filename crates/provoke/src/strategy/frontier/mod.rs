//! First back to a promising place, then on from there.

mod memory;
mod situations;

use self::memory::Memory;
use self::situations::{Situations, Target};
use super::experience::{Change, Contexts, Experience};
use super::letters::key;
use super::shapes::Shapes;
use super::{Strategy, View};
use crate::game::{Game, Guide, State, Tier};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::trace::{RunEnd, Step};

/// Stands for "none" among numbers of nodes.
const NONE: u32 = u32::MAX;

/// The state of what ended the game.
const OVER: State = State(u32::MAX);

/// What a [`Frontier`] is set to.
#[derive(Clone, Debug)]
pub struct FrontierSettings {
    /// Without experience: the chance of a uniform choice instead of a greedy one.
    pub epsilon: f64,
    /// With experience: how much progress counts for each step that it took, in (0, 1).
    pub gamma: f64,
    /// Whether to learn from one place what to do in others that look alike.
    pub experience: bool,
    /// How many steps a reset is worth: the more, the longer a run goes on before it gives up.
    pub reset_cost: u32,
    /// The most exchanges to remember.
    pub nodes: usize,
}

/// Goes back to a promising situation by the inputs that led there, then explores from it.
///
/// Not in the paper; the idea is that of Go-Explore (Ecoffet et al. 2021). Everything seen is kept as a tree, so
/// no run is spent on what is known: it goes straight to an input that has not been tried. `Situations`
/// says from where. Beyond that point, inputs are chosen epsilon-greedily or by `Experience`. A run is given up
/// once it has fallen back to a situation that is known and farther from the objective, or has gone without
/// anything new for about half of what it costs to come back; longer with a chance that falls with the square, and
/// longer from run to run where no objective tells near from far.
///
/// One step in 32 belongs to a uniform run from the start, which keeps the search complete (paper 1, lemma 4.0.1).
/// An answer that differs from the one remembered shows that the system is not deterministic: the run goes on
/// exploring from where it is, and from then on "tried once" no longer means "known". There, and where no state is
/// nearer to the objective than another, going back is worth little: half of the steps belong to runs that never do.
pub struct Frontier {
    settings: FrontierSettings,
    shapes: Shapes,
    memory: Memory,
    situations: Situations,
    experience: Option<Experience>,
    deterministic: bool,
    run: Run,
    /// Nodes still to come on the way back, the next one last.
    way: Vec<u32>,
    steps: u64,
    uniform_steps: u64,
    through_steps: u64,
}

/// What a run is about.
#[derive(Clone, Copy, Debug, Default)]
struct Run {
    /// How many came before it, and the most steps it may take.
    number: u64,
    limit: u32,
    uniform: bool,
    /// Whether it goes on from the start for as long as it may, without going back anywhere first.
    through: bool,
    /// The last node of the memory that it went through; [`NONE`] once it is beyond a full memory.
    at: u32,
    target: Target,
    /// Whether the next input is the first to be explored from the target.
    at_target: bool,
    /// The smallest distance so far, and the one now.
    best: u32,
    distance: u32,
    input: Letter,
    observed: usize,
    /// How many more steps it goes on without anything new; none when it has given up.
    patience: Option<u32>,
}

impl Frontier {
    /// A strategy that has seen nothing yet.
    pub fn new(settings: FrontierSettings) -> Frontier {
        Frontier {
            shapes: Shapes::default(),
            memory: Memory::default(),
            situations: Situations::default(),
            experience: settings.experience.then(|| Experience::new(settings.gamma, settings.nodes)),
            deterministic: true,
            run: Run::default(),
            way: Vec::new(),
            steps: 0,
            uniform_steps: 0,
            through_steps: 0,
            settings,
        }
    }

    /// Decides where this run goes.
    fn plan(&mut self, view: &View<'_>, rng: &mut Rng) {
        let (start, guide) = (view.at, view.guide);
        let distance = guide.distance(start).unwrap_or(0);
        if self.memory.len() == 0 {
            let root = self.memory.plant(start);
            self.situations.store(&self.memory, root, distance);
        }
        (self.run.at, self.run.distance, self.run.best) = (0, distance, distance);
        let uniform_is_due = (self.uniform_steps + u64::from(self.run.limit)) * 32 <= self.steps;
        // Where no place is nearer than another, or where the same inputs lead elsewhere, going back is worth less.
        let all_alike = guide.farthest().is_some_and(|farthest| farthest <= 1);
        if !uniform_is_due && (all_alike || !self.deterministic) && 2 * self.through_steps <= self.steps {
            self.run.through = true;
            return;
        }
        let target = if uniform_is_due { None } else { self.target(guide) };
        let Some(target) = target else {
            self.run.uniform = true;
            return;
        };
        self.memory.get_mut(target.node).chosen += 1;
        self.memory.path(target.node, &mut self.way);
        (self.run.target, self.run.at_target) = (target, true);
        // Doubled with chance 1/4, and again, and again.
        let stretch = rng.bits().trailing_zeros() / 2;
        let way_back = u64::from(self.settings.reset_cost) + u64::from(self.memory.get(target.node).depth);
        let mut patience = (way_back << stretch) / 2;
        if all_alike {
            // Nothing says that a run leads nowhere: ever longer ones.
            patience = patience.max(self.run.number);
        }
        self.run.patience = Some(patience.min(u64::from(u32::MAX)) as u32);
    }

    fn target(&mut self, guide: &dyn Guide) -> Option<Target> {
        let Frontier { memory, shapes, situations, .. } = self;
        let (limit, deterministic) = (self.run.limit, self.deterministic);
        situations.target(memory, |target, look_back| {
            let node = memory.get(target.node);
            let number = shapes.of(node.state, guide);
            let shape = shapes.get(number);
            let quota = 8u32.checked_shl(look_back).unwrap_or(u32::MAX);
            node.depth < limit
                && match (deterministic, shape.wide) {
                    (true, false) => shape.mask(target.all_inputs()) & !node.tried_mask != 0,
                    (true, true) => node.tried < quota,
                    (false, _) => node.chosen < quota,
                }
        })
    }

    /// The next input to explore with.
    fn explore(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        let shape = self.shapes.of(view.at, view.guide);
        let contexts = self.experience.as_ref().map(|experience| experience.contexts(shape));
        let fresh = std::mem::take(&mut self.run.at_target);
        let (input, helpful) = match self.shapes.get(shape).wide {
            false => self.among_few(shape, fresh, contexts.as_ref(), rng)?,
            true => self.among_many(view, fresh, contexts.as_ref(), rng)?,
        };
        if let (Some(experience), Some(contexts)) = (&mut self.experience, contexts) {
            experience.chose(contexts, key(input), helpful);
        }
        self.run.input = input;
        Some(input)
    }

    fn among_few(
        &mut self,
        shape: u32,
        at_target: bool,
        contexts: Option<&Contexts>,
        rng: &mut Rng,
    ) -> Option<(Letter, bool)> {
        let shape = self.shapes.get(shape);
        let mut open = shape.mask(true);
        if at_target && self.deterministic {
            open = shape.mask(self.run.target.all_inputs()) & !self.memory.get(self.run.at).tried_mask;
        }
        let (helpful, others) = (open & shape.mask(false), open & !shape.mask(false));
        let wants_helpful = match (helpful, others, &self.experience) {
            (0, _, _) => false,
            (_, 0, _) => true,
            (_, _, Some(experience)) => experience.prefers_helpful(rng),
            (_, _, None) => {
                !rng.chance(self.settings.epsilon)
                    || rng.below(u64::from(open.count_ones())) < u64::from(helpful.count_ones())
            }
        };
        let places = if wants_helpful { helpful } else { others };
        let place = match (&self.experience, contexts) {
            (Some(experience), Some(contexts)) if places.count_ones() > 1 && experience.tells_apart() => {
                let tier = experience.tier(wants_helpful);
                let score = |place: u32, rng: &mut Rng| {
                    experience.score(contexts, shape.keys[place as usize], tier, rng)
                };
                let scored = ones(places).map(|place| (score(place, rng), place));
                scored.reduce(|best, other| if other.0 > best.0 { other } else { best })?.1
            }
            _ => ones(places).nth(rng.index(places.count_ones().max(1) as usize))?,
        };
        Some((shape.inputs[place as usize], wants_helpful))
    }

    /// The best of a few drawn at random: there are too many to look at all.
    fn among_many(
        &mut self,
        view: &View<'_>,
        at_target: bool,
        contexts: Option<&Contexts>,
        rng: &mut Rng,
    ) -> Option<(Letter, bool)> {
        const DRAWN: usize = 4;
        let (at, guide) = (view.at, view.guide);
        let (greedy, hopeful) = (guide.greedy_inputs(at), guide.inputs(at, Tier::Hopeful));
        let only_helpful = at_target && !self.run.target.all_inputs();
        let wants_helpful = only_helpful
            || match &self.experience {
                Some(experience) => experience.prefers_helpful(rng),
                None => !rng.chance(self.settings.epsilon),
            };
        let set = if wants_helpful { greedy } else { hopeful };
        let mut best: Option<(f32, Letter, bool)> = None;
        for _ in 0..if contexts.is_some() { DRAWN } else { 1 } {
            let input = set.sample(rng)?;
            let helpful = wants_helpful || greedy.contains(input);
            let score = match (&self.experience, contexts) {
                (Some(experience), Some(contexts)) => {
                    experience.score(contexts, key(input), experience.tier(helpful), rng)
                }
                _ => 0.0,
            };
            if best.is_none_or(|(known, ..)| score > known) {
                best = Some((score, input, helpful));
            }
        }
        best.map(|(_, input, helpful)| (input, helpful))
    }

    /// Follows an exchange that was not on the way back.
    fn follow(&mut self, output: Letter, now: &View<'_>) {
        let distance = now.guide.distance(now.at);
        let mut new = false;
        if self.run.at != NONE {
            let known = self.memory.child(self.run.at, self.run.input, output);
            self.run.at = match known {
                Some(child) => child,
                None => {
                    let child = self.remember(output, now.at, now.guide);
                    if let (Some(distance), true) = (distance, child != NONE) {
                        new = self.situations.store(&self.memory, child, distance);
                    }
                    child
                }
            };
        }
        let Some(distance) = distance else { return };
        self.notice(now, distance);
        if distance < self.run.best {
            self.run.best = distance;
        } else if !new && distance > self.run.target.distance {
            self.run.patience = None;
        } else if !new || distance > self.run.target.distance {
            self.run.patience = self.run.patience.and_then(|patience| patience.checked_sub(1));
        }
    }

    /// Tells the experience where the run is now.
    fn notice(&mut self, now: &View<'_>, distance: u32) {
        let change = match distance.cmp(&self.run.distance) {
            std::cmp::Ordering::Less => Change::Closer,
            std::cmp::Ordering::Equal => Change::Same,
            std::cmp::Ordering::Greater => Change::Farther,
        };
        self.run.distance = distance;
        if let Some(experience) = &mut self.experience {
            let shape = self.shapes.of(now.at, now.guide);
            experience.step(key(self.run.input), change, shape);
            if distance < self.run.best {
                experience.progress();
            }
        }
    }

    /// Adds the exchange to the memory; [`NONE`] where the memory is full and nothing can be forgotten.
    fn remember(&mut self, output: Letter, at: State, guide: &dyn Guide) -> u32 {
        if self.memory.len() >= self.settings.nodes {
            self.forget(guide);
        }
        if self.run.at == NONE {
            return NONE;
        }
        self.mark_tried(self.run.at, self.run.input, guide);
        self.memory.add(self.run.at, self.run.input, output, at)
    }

    /// Notes that an input has been tried from a node, where inputs are few.
    fn mark_tried(&mut self, node: u32, input: Letter, guide: &dyn Guide) {
        let shape = self.shapes.of(self.memory.get(node).state, guide);
        let place = self.shapes.get(shape).inputs.iter().position(|&known| known == input);
        if let Some(place) = place {
            self.memory.get_mut(node).tried_mask |= 1 << place;
        }
    }

    /// Keeps the shortest way to each requirement state, as far as half of the room goes, and forgets the rest.
    fn forget(&mut self, guide: &dyn Guide) {
        let cheapest = self.situations.cheapest();
        self.memory.keep(cheapest.into_iter(), self.settings.nodes / 2);
        self.sort_situations(guide);
        self.way.clear();
        self.run.at = NONE;
    }

    /// Puts everything that is remembered where it belongs.
    fn sort_situations(&mut self, guide: &dyn Guide) {
        self.situations = Situations::default();
        for node in 0..self.memory.len() as u32 {
            let state = self.memory.get(node).state;
            if let Some(distance) = (state != OVER).then(|| guide.distance(state)).flatten() {
                self.situations.store(&self.memory, node, distance);
            }
        }
    }
}

impl Strategy for Frontier {
    /// Everything that was seen is looked at anew, from the other side of the game: where it leads there, how far that
    /// is, and what has been tried.
    fn turn_to(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.shapes.turn();
        self.memory.replay(game);
        for node in 1..self.memory.len() as u32 {
            let (parent, input) = (self.memory.get(node).parent, self.memory.input(node));
            if self.memory.get(parent).state != OVER {
                self.mark_tried(parent, input, guide);
            }
        }
        self.sort_situations(guide);
        (self.steps, self.uniform_steps, self.through_steps) = (0, 0, 0);
    }

    fn look_anew(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.turn_to(game, guide);
    }

    fn begin_run(&mut self, run: u64, steps: u32) -> bool {
        // Until a run is planned it is beyond the memory: as somebody's roll-out it may never be.
        self.run = Run {
            number: run,
            limit: steps,
            at: NONE,
            best: u32::MAX,
            patience: Some(u32::MAX),
            ..Run::default()
        };
        self.way.clear();
        if let Some(experience) = &mut self.experience {
            experience.begin();
        }
        true
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        if view.trace.is_empty() {
            self.plan(view, rng);
        }
        self.steps += 1;
        if let Some(&next) = self.way.last() {
            self.run.input = self.memory.input(next);
            return Some(self.run.input);
        }
        if self.run.uniform {
            self.uniform_steps += 1;
            self.run.input = view.guide.inputs(view.at, Tier::Hopeful).sample(rng)?;
            return Some(self.run.input);
        }
        self.through_steps += u64::from(self.run.through);
        self.run.patience?;
        self.explore(view, rng)
    }

    fn observe(&mut self, step: &Step, now: &View<'_>) {
        self.run.observed += 1;
        let Some(&expected) = self.way.last() else { return self.follow(step.output, now) };
        if self.memory.output(expected) == step.output {
            self.way.pop();
            self.run.at = expected;
            let distance = now.guide.distance(now.at).unwrap_or(u32::MAX);
            self.notice(now, distance);
            self.run.best = self.run.best.min(distance);
            return;
        }
        self.deterministic = false;
        self.way.clear();
        self.run.at_target = false;
        self.follow(step.output, now);
    }

    fn end_run(&mut self, end: &RunEnd, last: &View<'_>) {
        let trace = last.trace;
        // A last step that was not observed ended the game; it must not look untried.
        if let Some(step) = trace.last()
            && self.run.observed < trace.len()
            && self.run.at != NONE
            && self.way.is_empty()
            && self.memory.len() < self.settings.nodes
        {
            self.remember(step.output, OVER, last.guide);
        }
        if self.run.target.node != NONE {
            self.situations.pay(&self.run.target, trace.len() as u64 + u64::from(self.settings.reset_cost));
        }
        if let Some(experience) = &mut self.experience {
            experience.end(end.is_inconclusive());
        }
    }

    fn memory(&self) -> usize {
        let experience = self.experience.as_ref().map_or(0, Experience::memory);
        self.memory.memory()
            + self.situations.memory()
            + self.shapes.memory()
            + self.way.capacity() * size_of::<u32>()
            + experience
    }
}

/// The places of the ones of a mask.
fn ones(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = (mask != 0).then(|| mask.trailing_zeros())?;
        mask &= mask - 1;
        Some(place)
    })
}
