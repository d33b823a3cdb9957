//! Reset words: inputs that bring a system to one known state, whatever state it was in.
//!
//! Many systems have no reset. A *synchronising* (or reset) word is a sequence of inputs after which a machine
//! is in the same state wherever it started. [`synchronise`] finds one for complete and partial machines by one
//! of the methods of the [catalogue](METHODS), or proves that there is none, and runs every word on all
//! states before it is believed. Where there is none but outputs tell states apart, [`homing`] finds out which
//! state the system is in.
//!
//! The paper is number 5, Turker et al., "Efficient state synchronisation in model-based testing through
//! reinforcement learning".

mod answer;
mod catalogue;
mod core;
mod exact;
pub mod homing;
mod learning;
mod pairs;
mod reach;
mod screen;
mod searches;
mod sets;
mod verify;
mod watch;

use std::time::{Duration, Instant};

use self::core::Core;
use self::exact::{Exact, Lookup, dense, exact, singles, stretch};
use self::pairs::greedy::Searched;
use self::pairs::{eppstein, greedy};
use self::searches::beam::{Width, forward};
use self::searches::careful::{Careful, careful};
use self::searches::{auto, backward, fast};
use self::sets::bits;
use self::watch::Watch;
use crate::machine::Machine;
use crate::rng::Rng;

pub use self::answer::{Answer, Impossible, ResetWord};
pub use self::catalogue::{Entry, METHODS, Method};
pub use self::learning::Learning;
pub use self::reach::{path, reachable};
pub use self::searches::auto::Effort;
pub use self::verify::{Refuted, verify};
pub use self::watch::Stage;

/// What is asked for.
#[derive(Clone, Debug)]
pub struct Query {
    /// How to search.
    pub method: Method,
    /// The word must lead to one of these states; any will do where there are none.
    pub into: Vec<u32>,
    /// The word must lead to none of these states.
    pub avoid: Vec<u32>,
    /// How long to search at most.
    pub budget: Option<Duration>,
    /// How long `auto` looks for shorter words than its first.
    pub effort: Effort,
    /// Seed of the methods that draw random numbers.
    pub seed: u64,
    /// The parameters of `q-learning`.
    pub learning: Learning,
}

impl Default for Query {
    fn default() -> Query {
        Query {
            method: Method::Auto,
            into: Vec::new(),
            avoid: Vec::new(),
            budget: None,
            effort: Effort::Work,
            seed: 0,
            learning: Learning::default(),
        }
    }
}

impl Query {
    fn wants(&self, state: u32) -> bool {
        (self.into.is_empty() || self.into.contains(&state)) && !self.avoid.contains(&state)
    }
}

/// Where a word may lead.
struct Goals {
    /// True where every state will do.
    any: bool,
    /// The states that will do; not listed on huge machines and, where all will do, only on those that may be searched
    /// exactly.
    list: Vec<u32>,
}

impl Goals {
    fn new(core: &Core<'_>, query: &Query) -> Goals {
        let any = query.into.is_empty() && query.avoid.is_empty();
        let few = core.states <= stretch::MOST_STATES || !any && core.next.len() <= fast::HUGE;
        let listed = if few { core.states as u32 } else { 0 };
        Goals { any, list: (0..listed).filter(|&state| query.wants(state)).collect() }
    }
}

/// What a method came home with, in letters of the core.
enum Raw {
    Word {
        letters: Vec<u32>,
        shortest: bool,
        by: &'static str,
        /// The lengths of longer words found before.
        before: Vec<usize>,
    },
    Never(Impossible),
    Spent,
}

impl Raw {
    fn word(letters: Vec<u32>, by: &'static str) -> Raw {
        Raw::Word { letters, shortest: false, by, before: Vec::new() }
    }

    fn shortest(letters: Vec<u32>, by: &'static str) -> Raw {
        Raw::Word { letters, shortest: true, by, before: Vec::new() }
    }
}

/// Finds a word that brings the machine to one known state from every state, or proves that there is none.
///
/// Where the word leads can be constrained: every state that any synchronising word leads to can be reached
/// from the target of any other, so a word that leads elsewhere is continued by a shortest path.
pub fn synchronise(machine: &Machine, query: &Query, report: Option<&mut dyn FnMut(Stage)>) -> Answer {
    let started = Instant::now();
    let deadline = query.budget.map(|budget| started + budget);
    let mut watch = Watch::new(deadline, report);
    if machine.states().is_empty() {
        return Answer::None(Impossible::NoStates);
    }
    let core = match query.method {
        Method::QLearning | Method::QSynch => Core::with_all_inputs(machine),
        _ => Core::new(machine),
    };
    if core.states == 1 {
        return believe(machine, query, Vec::new(), query.wants(0), query.method.entry().name);
    }
    // On huge machines the screens take as long as the search, so they wait until it has failed, and a quarter of
    // the time is kept for them.
    let later = core.complete && core.next.len() > fast::HUGE;
    if later {
        watch.until(query.budget.map(|budget| started + budget.mul_f64(0.75)));
    } else if let Some(impossible) = screen::screen(&core, &mut watch) {
        return Answer::None(impossible);
    }
    let goals = Goals::new(&core, query);
    match run(&core, query, &goals, &mut watch) {
        Raw::Word { letters, shortest, by, before } => {
            match believe(machine, query, core.word(&letters), shortest, by) {
                Answer::Found(found) => Answer::Found(ResetWord { before, nodes: watch.nodes, ..found }),
                other => other,
            }
        }
        Raw::Never(Impossible::Exhausted { .. }) if !goals.any => {
            let anywhere = Query {
                into: Vec::new(),
                avoid: Vec::new(),
                method: Method::Fast,
                budget: query.budget.map(|budget| budget.saturating_sub(started.elapsed())),
                ..query.clone()
            };
            match synchronise(machine, &anywhere, None) {
                Answer::Found(ResetWord { target, reachable, .. }) => {
                    Answer::None(Impossible::NotThere { target, reachable })
                }
                other => other,
            }
        }
        Raw::Never(impossible) => Answer::None(impossible),
        Raw::Spent => {
            let mut out_of_time = watch.out_of_time();
            if later {
                watch.until(deadline);
                if let Some(impossible) = screen::screen(&core, &mut watch) {
                    return Answer::None(impossible);
                }
                out_of_time |= watch.out_of_time();
            }
            if out_of_time {
                Answer::Unknown("the time ran out".to_owned())
            } else {
                Answer::Unknown(spent(&core, query))
            }
        }
    }
}

/// Which budget other than time ran out.
fn spent(core: &Core<'_>, query: &Query) -> String {
    match query.method {
        Method::Eppstein if !core.complete => {
            "eppstein merges pair by pair, which is unsound on a partial machine".to_owned()
        }
        Method::Exact if core.states > bits::MOST_STATES => {
            format!("exact search takes at most {} states, not {}", bits::MOST_STATES, core.states)
        }
        Method::Eppstein if core.states > eppstein::MOST_STATES => {
            format!("the pair automaton takes at most {} states, not {}", eppstein::MOST_STATES, core.states)
        }
        Method::QLearning | Method::QSynch => format!("no word within {} episodes", query.learning.episodes),
        _ => "the search used up its memory".to_owned(),
    }
}

fn run(core: &Core<'_>, query: &Query, goals: &Goals, watch: &mut Watch<'_>) -> Raw {
    let name = query.method.entry().name;
    match query.method {
        Method::Auto => auto::auto(core, goals, query.effort, query.seed, watch),
        Method::Fast => fast::fast(core, goals, watch),
        Method::Greedy if !core.complete => {
            match watch.limited(name, u64::MAX, |watch| careful(core, watch)) {
                Careful::Word(word) => Raw::word(word, name),
                Careful::Never(sets) => Raw::Never(Impossible::Exhausted { sets: Some(sets) }),
                Careful::Spent => Raw::Spent,
            }
        }
        Method::Greedy => searched(watch.limited(name, u64::MAX, |watch| greedy::greedy(core, watch)), name),
        Method::Eppstein if !core.complete || core.states > eppstein::MOST_STATES => Raw::Spent,
        Method::Eppstein => {
            searched(watch.limited(name, u64::MAX, |watch| eppstein::eppstein(core, watch)), name)
        }
        Method::Beam => watch.limited(name, u64::MAX, |watch| beam_both_ways(core, watch)),
        Method::Exact => watch.limited(name, u64::MAX, |watch| exact_with_bound(core, goals, watch)),
        Method::QLearning | Method::QSynch => {
            let mut rng = Rng::new(query.seed);
            let learnt = watch.limited(name, u64::MAX, |watch| match query.method {
                Method::QSynch => learning::published::q_synch(core, &query.learning, &mut rng, watch),
                _ => learning::q_learning(core, &query.learning, &mut rng, watch),
            });
            learnt.map_or(Raw::Spent, |word| Raw::word(word, name))
        }
    }
}

fn searched(search: Searched, by: &'static str) -> Raw {
    match search {
        Searched::Word(word) => Raw::word(word, by),
        Searched::Stuck(set) => Raw::Never(fast::never_merge(&set)),
        Searched::Spent => Raw::Spent,
    }
}

/// The largest machine on which the beam also runs backwards.
const MOST_BACKWARDS: usize = 1 << 12;

/// A wide beam forwards, and on machines of moderate size one backwards; the shorter word of the two.
fn beam_both_ways(core: &Core<'_>, watch: &mut Watch<'_>) -> Raw {
    let root = (core.states as f64).sqrt();
    let width = Width {
        capacity: 20_000,
        stalled: (4 * core.states).max(1 << 20),
        longest: (200.0 * root) as usize + 1000,
    };
    let ahead = watch.limited("beam", 1 << 36, |watch| forward(core, width, watch));
    watch.best = ahead.as_ref().map(Vec::len);
    let behind = (core.states <= MOST_BACKWARDS).then(|| {
        let longest = ahead.as_ref().map_or(usize::MAX, Vec::len);
        let work = if ahead.is_some() { (4 * watch.moves()).max(1 << 28) } else { u64::MAX };
        let width = if ahead.is_some() { 64 } else { 2 };
        watch.limited("beam backwards", work, |watch| backward::backward(core, width, 1024, longest, watch))
    });
    match behind.flatten().or(ahead) {
        Some(word) => Raw::word(word, "beam"),
        None if !core.complete => Raw::Spent,
        // A beam proves nothing: what it did not find may not exist.
        None => searched(watch.limited("greedy", u64::MAX, |watch| greedy::greedy(core, watch)), "greedy"),
    }
}

/// The exact search, with a beam's word as the one to beat.
fn exact_with_bound(core: &Core<'_>, goals: &Goals, watch: &mut Watch<'_>) -> Raw {
    if core.states > bits::MOST_STATES {
        return Raw::Spent;
    }
    let root = (core.states as f64).sqrt();
    let width = Width { capacity: 1 << 16, stalled: 1 << 20, longest: (20.0 * root) as usize + 20 };
    let small = core.states <= dense::MOST_STATES;
    let known = (goals.any && !small)
        .then(|| watch.limited("beam", 1 << 30, |watch| forward(core, width, watch)))
        .flatten();
    watch.best = known.as_ref().map(Vec::len);
    let found =
        if small { dense::dense(core, &goals.list, watch) } else { exactly(core, goals, known, watch) };
    match found {
        Exact::Word(word) => Raw::shortest(word, "exact"),
        Exact::Never => Raw::Never(Impossible::Exhausted { sets: None }),
        Exact::Spent(Some(word)) => Raw::word(word, "beam"),
        Exact::Spent(None) => Raw::Spent,
    }
}

/// The exact search on bits as wide as the machine needs; `Spent` where it is too large.
fn exactly(core: &Core<'_>, goals: &Goals, known: Option<Vec<u32>>, watch: &mut Watch<'_>) -> Exact {
    match core.states {
        0..=64 => whole::<1>(core, goals, known, watch),
        65..=128 => whole::<2>(core, goals, known, watch),
        129..=256 => whole::<4>(core, goals, known, watch),
        257..=512 => whole::<8>(core, goals, known, watch),
        _ if !stretch::fits(core) => Exact::Spent(known),
        513..=1024 => whole::<16>(core, goals, known, watch),
        1025..=2048 => whole::<32>(core, goals, known, watch),
        _ => whole::<64>(core, goals, known, watch),
    }
}

/// The exact search from the set of all states to the goals.
fn whole<const W: usize>(
    core: &Core<'_>,
    goals: &Goals,
    known: Option<Vec<u32>>,
    watch: &mut Watch<'_>,
) -> Exact {
    let lookup = Lookup::<W>::new(core);
    exact(&lookup, lookup.everything(), &singles(&goals.list), known, watch)
}

/// Runs a word on all states, leads it on to a wanted state, and says what can be reached from there.
fn believe(machine: &Machine, query: &Query, mut word: Vec<u32>, shortest: bool, by: &'static str) -> Answer {
    let refuted = |refuted: Refuted| Answer::Unknown(format!("{by} found a word that fails: {refuted:?}"));
    let mut target = match verify(machine, &word) {
        Ok(target) => target,
        Err(reason) => return refuted(reason),
    };
    let mut led_on = false;
    if !query.wants(target) {
        let Some((path, _)) = path(machine, target, |state| query.wants(state)) else {
            let (reachable, _) = reachable(machine, target, None);
            return Answer::None(Impossible::NotThere { target, reachable });
        };
        led_on = true;
        word.extend(path);
        target = match verify(machine, &word) {
            Ok(target) => target,
            Err(reason) => return refuted(reason),
        };
    }
    let (reachable, restarts) = reachable(machine, target, machine.initial());
    let trap = if machine.initial().is_some() { !restarts } else { 2 * reachable <= machine.states().len() };
    Answer::Found(ResetWord {
        word,
        target,
        reachable,
        trap,
        shortest: shortest && !led_on,
        by,
        before: Vec::new(),
        nodes: None,
    })
}
