//! The tests that a strategy makes without a system.

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{GenerateError, blank};
use crate::automaton::{Automaton, Cubes, safety_closure};
use crate::bdd::Bdd;
use crate::game::{Gate, Next, State};
use crate::letter::Letter;
use crate::rng::Rng;
use crate::specification::{Guidance, STATE_LIMIT, Specification};
use crate::strategy::{Needs, Strategy, StrategyChoice, View};
use crate::suite::{MadeBy, Suite, SuiteAnswer, SuiteNode, SuiteTest, written};
use crate::trace::{RunEnd, Step, Trace};

/// How much may be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The most tests.
    pub tests: usize,
    /// For how many answers besides the one that is hoped for each test knows how to go on.
    pub branches: usize,
}

impl Default for Extent {
    fn default() -> Extent {
        Extent { tests: 10_000, branches: 8 }
    }
}

/// Makes the tests that a strategy makes where the system answers as it hopes, or else as it has least often. Each test is a
/// tree: from other allowed answers, the nearest to the start first, the strategy goes on as it would have from there. What was
/// tried there counts for that branch alone, so the branches of later tests do not rely on it.
///
/// Answers that the tree has no room for end a test without a verdict; what is not allowed violates.
pub fn from_strategy(
    specification: &Specification,
    choice: &StrategyChoice,
    seed: u64,
    extent: Extent,
) -> Result<Suite, GenerateError> {
    let (entry, mut options) = choice.resolve()?;
    let automaton = match entry.needs {
        Needs::Conjunction => {
            let automaton = specification.conjunction()?;
            options.knowledge.conjunction = Some(Arc::new(Cubes::new(&automaton)?));
            automaton
        }
        Needs::Monitor => {
            let automaton = safety_closure(&specification.conjunction()?)?;
            options.knowledge.monitor = Some(Arc::new(Cubes::new(&automaton)?));
            automaton
        }
        _ => return Err(GenerateError::Online(entry.name.to_owned())),
    };
    // Says what is wrong with requirements that have no automaton.
    let options = specification.inform(entry, &options)?;
    let mut strategy = (entry.build)(&options);
    if strategy.offline().is_none() {
        return Err(GenerateError::Online(entry.name.to_owned()));
    }
    if automaton.states.is_empty() {
        return Err(GenerateError::Contradiction);
    }
    let guidance = specification.guidance(None, STATE_LIMIT)?;
    let mut making = Making {
        automaton: &automaton,
        specification,
        guidance: &guidance,
        known: FxHashMap::default(),
        expected: FxHashMap::default(),
        seed,
        streams: 0,
        branches: extent.branches,
    };
    let mut rng = Rng::stream(seed, 0);
    let mut tests = Vec::new();
    let mut complete = false;
    for run in 0.. {
        if !strategy.begin_run(run, u32::MAX) {
            complete = true;
            break;
        }
        if tests.len() == extent.tests {
            break;
        }
        let test = making.test(&mut *strategy, &mut rng)?;
        // Where nothing may be sent there is no test.
        tests.extend((!test.nodes.is_empty()).then_some(test));
    }
    let made_by =
        MadeBy::Strategy { name: entry.name.to_owned(), options: choice.options.clone(), seed, complete };
    Ok(Suite { tests, ..blank(specification, made_by) })
}

/// Answers that lead to the same states of the automaton.
struct Part {
    outputs: Bdd,
    text: String,
    to: Vec<u32>,
}

/// Where a way through a test is.
struct Way {
    at: State,
    may_be: Vec<u32>,
    gate: Gate,
    trace: Trace,
    /// The node and the answer that led here.
    from: Option<(usize, usize)>,
}

struct Making<'a> {
    automaton: &'a Automaton,
    specification: &'a Specification,
    guidance: &'a Guidance,
    /// The answers to an input in these states.
    known: FxHashMap<(Vec<u32>, Letter), Rc<Vec<Part>>>,
    /// How often an answer was expected there.
    expected: FxHashMap<(Vec<u32>, Letter, usize), u32>,
    seed: u64,
    streams: u64,
    branches: usize,
}

impl Making<'_> {
    fn test(&mut self, strategy: &mut dyn Strategy, rng: &mut Rng) -> Result<SuiteTest, GenerateError> {
        let mut test = SuiteTest::default();
        let mut others = VecDeque::new();
        let start = Way {
            at: self.guidance.game.initial(),
            may_be: vec![self.automaton.initial],
            gate: self.guidance.gate.clone(),
            trace: Trace::new(),
            from: None,
        };
        let mut left = self.branches;
        self.go_on(&mut test, strategy, start, rng, &mut others, left)?;
        while left > 0
            && let Some((mut fork, way)) = others.pop_front()
        {
            left -= 1;
            self.streams += 1;
            let mut rng = Rng::stream(self.seed, self.streams);
            let room = left.saturating_sub(others.len());
            self.go_on(&mut test, &mut *fork, way, &mut rng, &mut others, room)?;
        }
        // Answers that nobody goes on from are not in the tree.
        for (_, way) in others {
            if let Some((node, answer)) = way.from {
                test.nodes[node].answers[answer].outputs.clear();
            }
        }
        for node in &mut test.nodes {
            node.answers.retain(|answer| !answer.outputs.is_empty());
        }
        Ok(test)
    }

    /// Follows one way to its end, and puts up to so many others aside.
    fn go_on(
        &mut self,
        test: &mut SuiteTest,
        strategy: &mut dyn Strategy,
        mut way: Way,
        rng: &mut Rng,
        others: &mut VecDeque<(Box<dyn Strategy>, Way)>,
        room: usize,
    ) -> Result<(), GenerateError> {
        let guidance = self.guidance;
        let mut put_aside = 0;
        let view = |way: &Way| (way.at, &*guidance.game, &*guidance.guide);
        loop {
            let (at, game, guide) = view(&way);
            let chosen = strategy.choose(&View { at, game, guide, trace: &way.trace }, rng);
            let Some(input) = chosen.filter(|&input| way.gate.allows(input)) else { break };
            let node = test.nodes.len();
            if let Some((from, answer)) = way.from {
                test.nodes[from].answers[answer].to = Some(node);
            }
            let interface = self.specification.interface();
            let text = interface.inputs.show(input).to_string();
            test.nodes.push(SuiteNode { input: text, answers: Vec::new() });
            let parts = self.parts(&way.may_be, input)?;
            let hope = strategy.offline().and_then(|offline| offline.hopes_for());
            let Some(main) = self.expect(&parts, &way.may_be, input, hope) else { break };
            let mut next = None;
            for (place, part) in parts.iter().enumerate() {
                let is_main = place == main;
                if !is_main && put_aside >= room {
                    continue;
                }
                let Some(taken) = self.taken(&way, input, part, hope.filter(|_| is_main)) else { continue };
                let answers = &mut test.nodes[node].answers;
                answers.push(SuiteAnswer { outputs: part.text.clone(), to: None });
                let (step, mut to) = taken;
                to.from = Some((node, answers.len() - 1));
                if is_main {
                    next = Some((step, to));
                } else if let Some(mut fork) = strategy.offline().map(|offline| offline.fork()) {
                    let (at, game, guide) = view(&to);
                    fork.observe(&step, &View { at, game, guide, trace: &to.trace });
                    put_aside += 1;
                    others.push_back((fork, to));
                }
            }
            let Some((step, to)) = next else { break };
            way = to;
            let (at, game, guide) = view(&way);
            strategy.observe(&step, &View { at, game, guide, trace: &way.trace });
        }
        let (at, game, guide) = view(&way);
        strategy.end_run(&RunEnd::Active, &View { at, game, guide, trace: &way.trace });
        Ok(())
    }

    /// Where a way goes with an answer of a part; none where the game is over.
    fn taken(&self, way: &Way, input: Letter, part: &Part, hope: Option<Letter>) -> Option<(Step, Way)> {
        let space = &self.specification.space;
        let fits = |output: &Letter| space.output(*output).is_within(&part.outputs);
        let output = match hope.filter(fits) {
            Some(output) => output,
            None => space.first_exchange(&(&part.outputs & &space.input(input)))?.1,
        };
        let step = Step { input, output };
        let Next::To(at) = self.guidance.game.next(way.at, input, output) else { return None };
        let mut gate = way.gate.clone();
        gate.follow(&step);
        let trace = way.trace.iter().copied().chain([step]).collect();
        Some((step, Way { at, may_be: part.to.clone(), gate, trace, from: None }))
    }

    /// The place of the answer that is hoped for, or else was expected least often, then the first.
    fn expect(
        &mut self,
        parts: &[Part],
        may_be: &[u32],
        input: Letter,
        hope: Option<Letter>,
    ) -> Option<usize> {
        let space = &self.specification.space;
        let times = |place: usize| self.expected.get(&(may_be.to_vec(), input, place)).copied().unwrap_or(0);
        let hoped = |part: &Part| hope.is_some_and(|hope| space.output(hope).is_within(&part.outputs));
        let place =
            parts.iter().position(hoped).or_else(|| (0..parts.len()).min_by_key(|&place| times(place)))?;
        *self.expected.entry((may_be.to_vec(), input, place)).or_default() += 1;
        Some(place)
    }

    /// The allowed answers to an input, those together that lead to the same states.
    fn parts(&mut self, may_be: &[u32], input: Letter) -> Result<Rc<Vec<Part>>, GenerateError> {
        let key = (may_be.to_vec(), input);
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let space = &self.specification.space;
        let sent = space.input(input);
        let mut parts: Vec<(Bdd, Vec<u32>)> = vec![(space.valid_outputs().clone(), Vec::new())];
        for edge in may_be.iter().flat_map(|&at| &self.automaton.states[at as usize].edges) {
            let answers = space.some_input(&(&edge.guard & &sent));
            let mut finer: Vec<(Bdd, Vec<u32>)> = Vec::new();
            for (outputs, to) in parts {
                let mut with = to.clone();
                with.push(edge.to);
                with.sort_unstable();
                with.dedup();
                for (outputs, to) in [(&outputs & &answers, with), (&outputs - &answers, to)] {
                    match finer.iter_mut().find(|(_, known)| *known == to) {
                        _ if outputs.is_none() => {}
                        Some((known, _)) => *known = &*known | &outputs,
                        None => finer.push((outputs, to)),
                    }
                }
            }
            parts = finer;
        }
        let allowed = parts.into_iter().filter(|(_, to)| !to.is_empty());
        let part = |(outputs, to): (Bdd, Vec<u32>)| Part { text: written(space, &outputs), outputs, to };
        let parts = Rc::new(allowed.map(part).collect::<Vec<Part>>());
        space.bdds().within_bounds()?;
        self.known.insert(key, parts.clone());
        Ok(parts)
    }
}
