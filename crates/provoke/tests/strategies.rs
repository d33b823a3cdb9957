//! Every strategy of the catalogue on every kind of system: legal inputs only, the same again for the same
//! seed, and never more memory than was allowed.

#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::sync::Arc;

use provoke::action::FileModel;
use provoke::campaign::{Campaign, Limits, Outcome};
use provoke::diagnostic::Source;
use provoke::format::program::Program;
use provoke::game::{Game, Guide};
use provoke::letter::Letter;
use provoke::objective::Reach;
use provoke::rng::Rng;
use provoke::specification::Specification;
use provoke::strategy::{CATALOGUE, DEFAULT, Needs, Options, Reward, Strategy, StrategyEntry, View, find};
use provoke::system::{Closure, Modelled, System};
use provoke::trace::{RunEnd, Step};

/// A specification with one objective, and a system that may throw dice.
struct Case {
    name: &'static str,
    specification: Specification,
    system: fn(&Specification, u64) -> Box<dyn System>,
}

fn case(name: &'static str, text: &str, system: fn(&Specification, u64) -> Box<dyn System>) -> Case {
    // Beside the robots, whose model one of the cases names.
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/robots/case.toml");
    let specification = Specification::from_text(&path, text).unwrap();
    Case { name, specification, system }
}

/// A lamp over three switches: the right order lights it, the wrong one starts over.
fn lamp() -> String {
    "[signals]\ninputs = [\"a\", \"b\"]\noutputs = [\"step\", \"lit\"]\n\
     [[assumption]]\nid = \"A\"\nltl = \"G (a -> X !(a & b))\"\n\
     [[requirement]]\nid = \"R\"\nltl = \"G (lit -> step)\"\n\
     [[objective]]\nid = \"o\"\nltl = \"F lit\"\n"
        .to_owned()
}

/// 32 Boolean inputs, two of which matter.
fn wide() -> String {
    let inputs: Vec<String> = (0..32).map(|at| format!("\"i{at}\"")).collect();
    format!(
        "[signals]\ninputs = [{}]\noutputs = [\"x\", \"y\"]\n\
         [[assumption]]\nid = \"A\"\nltl = \"G !(i5 & i9)\"\n\
         [[requirement]]\nid = \"R\"\nltl = \"G (y -> x)\"\n\
         [[objective]]\nid = \"o\"\nltl = \"F (x & X F (y & i3))\"\n",
        inputs.join(", ")
    )
}

/// Labels, waiting and silence.
fn machine() -> String {
    "[labels]\ninputs = [\"coin\", \"button\", \"wait\"]\noutputs = [\"tea\", \"beep\", \"quiet\"]\n\
     [[requirement]]\nid = \"R\"\nltl = \"(!tea) W coin\"\n\
     [[objective]]\nid = \"o\"\nltl = \"F (tea & wait)\"\n"
        .to_owned()
}

/// Actions that need not alternate, of a model without end.
fn robots() -> String {
    "[[requirement]]\nid = \"R\"\nprogram = \"robots.model\"\nconstants = { MOST = 2 }\n\
     [[requirement]]\nid = \"L\"\nltl = \"!Recharge W Start\"\n\
     [[objective]]\nid = \"o\"\nltl = \"F (Recharge(1) & X F (Search(1) & X F Search(0)))\"\n"
        .to_owned()
}

fn cases() -> Vec<Case> {
    vec![
        case("deterministic", &lamp(), |_, _| {
            Box::new(Closure::new(|| 0u32, |at: &mut u32, input: Letter| lamp_step(at, input, true)))
        }),
        case("slippery", &lamp(), |_, seed| {
            let mut rng = Rng::new(seed);
            let step = move |at: &mut u32, input: Letter| lamp_step(at, input, !rng.chance(0.3));
            Box::new(Closure::new(|| 0u32, step))
        }),
        case("32 inputs", &wide(), |_, seed| {
            let mut rng = Rng::new(seed);
            let step = move |hits: &mut u32, input: Letter| {
                assert!(!(input.get(5) && input.get(9)), "breaks the assumption");
                *hits += u32::from(input.get(3) && !input.get(4) && rng.chance(0.8));
                Letter::default().with(0, *hits % 4 == 1 || *hits >= 6).with(1, *hits >= 6)
            };
            Box::new(Closure::new(|| 0u32, step))
        }),
        case("labels", &machine(), |_, _| {
            let step = |paid: &mut (bool, bool), input: Letter| {
                let output = match input.index() {
                    0 if paid.0 => 1,
                    0 => {
                        paid.0 = true;
                        2
                    }
                    1 => {
                        paid.1 = paid.0;
                        2
                    }
                    _ if *paid == (true, true) => {
                        *paid = (false, false);
                        0
                    }
                    _ => 2,
                };
                Letter::from_index(output)
            };
            Box::new(Closure::new(|| (false, false), step))
        }),
        case("actions", &robots(), |specification, seed| {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/robots/robots.model");
            let program = Program::read_with(&Source::read(&path).unwrap(), &[("MOST", 2)]).unwrap();
            let model = Arc::new(FileModel::new(program));
            let idle = specification.idle.unwrap();
            Box::new(Modelled::new(model, specification.interface(), idle, seed))
        }),
    ]
}

fn lamp_step(at: &mut u32, input: Letter, works: bool) -> Letter {
    let wanted = [1, 2, 0, 1, 0, 2, 1][*at as usize % 7];
    match (input.index() == wanted, works) {
        (true, true) => *at += 1,
        (false, true) => *at = 0,
        _ => {}
    }
    Letter::default().with(0, *at > 0).with(1, *at == 7)
}

/// Passes everything on, checks every input, and writes everything down.
struct Checked<'a> {
    inner: Box<dyn Strategy>,
    seen: &'a mut Vec<Step>,
    largest: &'a mut usize,
}

impl Strategy for Checked<'_> {
    fn begin_run(&mut self, run: u64, steps: u32) -> bool {
        self.inner.begin_run(run, steps)
    }

    fn choose(&mut self, view: &View<'_>, rng: &mut Rng) -> Option<Letter> {
        let chosen = self.inner.choose(view, rng);
        assert!(chosen.is_none_or(|input| view.inputs().contains(input)), "an illegal input");
        chosen
    }

    fn turn_to(&mut self, game: &dyn Game, guide: &dyn Guide) {
        self.inner.turn_to(game, guide);
    }

    fn observe(&mut self, step: &Step, now: &View<'_>) {
        self.inner.observe(step, now);
    }

    fn end_run(&mut self, end: &RunEnd, last: &View<'_>) {
        self.seen.extend_from_slice(last.trace);
        self.inner.end_run(end, last);
        *self.largest = self.inner.memory().max(*self.largest);
    }
}

struct Played {
    outcome: Outcome,
    seen: Vec<Step>,
    /// The most memory that the strategy ever had, in bytes.
    largest: usize,
}

fn play(case: &Case, entry: &StrategyEntry, options: &Options, limits: Limits, seed: u64) -> Played {
    let objective = &case.specification.objectives[0];
    let guidance = case.specification.guidance(Some(objective), 10_000).unwrap();
    let (mut seen, mut largest) = (Vec::new(), 0);
    let inner = (entry.build)(&case.specification.inform(entry, options).unwrap());
    let mut strategy = Checked { inner, seen: &mut seen, largest: &mut largest };
    let mut goal = Reach::one(guidance.game, guidance.guide);
    let judge = case.specification.judge();
    let mut system = (case.system)(&case.specification, seed + 1_000);
    let mut campaign = Campaign::new(&mut goal, judge, &mut *system, &mut strategy, limits, seed);
    campaign.keep_going = true;
    let outcome = campaign.run(&mut ()).unwrap();
    Played { outcome, seen, largest }
}

/// Searches that come before every run are short, because there are many runs.
fn few() -> Options {
    Options { iterations: 8, roll_out_bound: 12, depth: 12, ..Options::default() }
}

/// What a strategy may take for so many nodes: nodes, letters and what is learnt, in tables that may be half empty.
fn allowed(nodes: usize) -> usize {
    1200 * nodes + 100_000
}

#[test]
fn every_strategy_plays_every_system_by_the_rules() {
    let limits = Limits { runs: 300, steps: 30, grow: 100, ..Limits::default() };
    let options = Options { nodes: 64, ..few() };
    for case in cases() {
        let has_automata = case.specification.programs().next().is_none();
        for entry in CATALOGUE.iter().filter(|entry| has_automata || entry.needs == Needs::Nothing) {
            // A model without end is looked at far ahead, which takes its time.
            let (seeds, runs) = if has_automata { (1..4, 300) } else { (1..2, 30) };
            let limits = Limits { runs, ..limits };
            for seed in seeds {
                let first = play(&case, entry, &options, limits, seed);
                let again = play(&case, entry, &options, limits, seed);
                assert!(first.seen == again.seen, "{} on {}: another trace", entry.name, case.name);
                assert!(first.outcome.broken.is_none(), "{} on {}", entry.name, case.name);
                assert!(
                    first.largest <= allowed(64),
                    "{} on {}: {} bytes",
                    entry.name,
                    case.name,
                    first.largest
                );
            }
        }
    }
}

#[test]
fn the_default_covers_every_system() {
    let entry = find(DEFAULT).unwrap();
    // The slippery lamp is the hardest: about 50,000 steps, and 2 million are not enough with p < 1e-12.
    let limits = Limits { runs: 40_000, steps: 50, ..Limits::default() };
    for case in cases() {
        for seed in 1..4 {
            let played = play(&case, entry, &Options::default(), limits, seed);
            assert!(played.outcome.objectives[0].covered.is_some(), "{}, seed {seed}", case.name);
        }
    }
}

#[test]
fn any_strategy_can_roll_out() {
    let case = &cases()[0];
    let limits = Limits { runs: 100, steps: 30, ..Limits::default() };
    for by in CATALOGUE {
        for reward in [Reward::Last, Reward::Discounted, Reward::DiscountedRollOut, Reward::Best] {
            let options = Options { roll_out: Some(by), reward: Some(reward), nodes: 200, ..few() };
            let played = play(case, find("mcts-greedy").unwrap(), &options, limits, 5);
            assert!(played.outcome.broken.is_none(), "{}", by.name);
        }
    }
}

#[test]
fn memory_is_bounded_however_long_it_lasts() {
    // A hundred times more letters are drawn than may be remembered, each of them new.
    let endless = case("32 inputs, never covered", &wide(), |_, _| {
        let step = |steps: &mut u64, _: Letter| {
            *steps += 1;
            Letter::default().with(0, steps.is_multiple_of(3))
        };
        Box::new(Closure::new(|| 0u64, step))
    });
    for nodes in [16, 1000] {
        let options = Options { nodes, ..few() };
        let limits = Limits { runs: u64::MAX, steps: 40, total_steps: 100 * 1000, ..Limits::default() };
        for entry in CATALOGUE {
            let played = play(&endless, entry, &options, limits, 1);
            let gave_up = played.outcome.steps < limits.total_steps;
            assert_eq!(gave_up, entry.needs.ends(), "{}", entry.name);
            assert!(played.largest <= allowed(nodes), "{}: {} bytes", entry.name, played.largest);
        }
    }
    // Few letters, but answers that differ from run to run.
    let slippery = &cases()[1];
    let options = Options { nodes: 50, ..few() };
    let limits = Limits { runs: u64::MAX, steps: 5, total_steps: 50_000, ..Limits::default() };
    for entry in CATALOGUE {
        let played = play(slippery, entry, &options, limits, 9);
        assert!(played.largest <= allowed(50), "{}: {} bytes", entry.name, played.largest);
    }
}
