//! The run loop where runs end in unusual ways.

#![allow(clippy::unwrap_used)]

use provoke::campaign::{
    Bench, Campaign, Found, Limits, Loans, Observer, Past, ShrinkLimits, confirm_and_shrink,
};
use provoke::game::Gate;
use provoke::letter::{Letter, Outline};
use provoke::objective::{Hunt, Reach};
use provoke::specification::{STATE_LIMIT, Specification};
use provoke::strategy::{Options, find};
use provoke::system::{Closure, Ending, Phase, System, SystemError};
use provoke::trace::{RequirementNumber, Step};

/// Answers `x` at every step, and cannot be reset a second time.
struct OnceOnly(u32);

impl System for OnceOnly {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.0 += 1;
        match self.0 {
            1 => Ok(()),
            _ => Err(SystemError::Gone { during: Phase::Reset, how: Ending::HungUp }),
        }
    }

    fn step(&mut self, _input: Letter) -> Result<Letter, SystemError> {
        Ok(Letter::default().with(0, true))
    }
}

#[test]
fn a_run_that_never_began_follows_one_that_outlived_its_strategy() {
    let text = "[signals]\ninputs = ['a']\noutputs = ['x']\n\
        [[requirement]]\nid = 'R'\nltl = 'G !x'\n[[requirement]]\nid = 'Q'\nltl = 'G(a -> x)'\n\
        [[objective]]\nid = 'O'\nltl = 'F(a & X(a & X(a & X a)))'\n";
    let specification = Specification::from_text("once.toml".as_ref(), text).unwrap();
    let guidance = specification.guidance(specification.objectives.first(), STATE_LIMIT).unwrap();
    let past = specification.permitted(STATE_LIMIT).unwrap();
    for name in ["uniform", "mcts", "frontier-experience"] {
        let mut strategy = (find(name).unwrap().build)(&Options::default());
        let limits = Limits { runs: 3, steps: 5, ..Limits::default() };
        let (mut system, judge) = (OnceOnly(0), specification.judge());
        let mut goal = Reach::one(guidance.game.clone(), guidance.guide.clone());
        let mut campaign = Campaign::new(&mut goal, judge, &mut system, &mut *strategy, limits, 1);
        campaign.keep_going = true;
        campaign.aftermath = Some(Hunt::new(past.game.clone()));
        // A violation of `R` is known, so that the first run goes on past it, by chance.
        campaign.judge.retire(RequirementNumber(0));
        assert_eq!(campaign.go_on(&mut ()).unwrap(), Found::Broken, "{name}");
        assert_eq!((campaign.outcome.runs, campaign.outcome.steps), (2, 5), "{name}");
        assert!(
            campaign.outcome.violations.is_empty() && campaign.outcome.objectives[0].covered.is_none(),
            "{name}"
        );
    }
}

/// Answers `x` to the third `a`, but not in every second run.
struct Moody {
    runs: u32,
    seen: u32,
}

impl System for Moody {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.runs += 1;
        self.seen = 0;
        Ok(())
    }

    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        self.seen += u32::from(input.get(0));
        Ok(Letter::default().with(0, input.get(0) && self.seen == 3 && self.runs % 2 == 1))
    }
}

/// Where findings of a specification without assumptions are tried again.
fn bench<'a>(
    specification: &Specification,
    system: &'a mut dyn System,
    observer: &'a mut dyn Observer,
) -> Bench<'a> {
    Bench {
        system,
        judge: specification.judge(),
        gate: Gate::default(),
        loans: Loans::default(),
        observer,
        outline: Outline::default(),
        measured: None,
        past: Past::default(),
        failed: None,
    }
}

#[test]
fn a_violation_that_recurs_now_and_then_is_shortened() {
    let text = "[signals]\ninputs = ['a', 'b']\noutputs = ['x']\n[[requirement]]\nid = 'R'\nltl = 'G !x'\n";
    let specification = Specification::from_text("moody.toml".as_ref(), text).unwrap();
    let bit = |value: bool| Letter::default().with(0, value);
    let trace: Vec<Step> =
        (1..=12).map(|at| Step { input: bit(at % 4 == 0).with(1, true), output: bit(at == 12) }).collect();
    let mut system = Moody { runs: 0, seen: 0 };
    let nobody = &mut ();
    let mut bench = bench(&specification, &mut system, nobody);
    let inputs = &specification.interface().inputs;
    let limits = ShrinkLimits::default();
    let confirmed = confirm_and_shrink(&mut bench, inputs, RequirementNumber(0), &trace, limits);
    assert_eq!(confirmed.reproduced, (2, 3));
    let told: Vec<(bool, bool)> =
        confirmed.trace.iter().map(|step| (step.input.get(0), step.output.get(0))).collect();
    assert_eq!(told, [(true, false), (true, false), (true, true)]);
}

/// `a` counts on, `b` begins anew, `c` does nothing; `x` is said at 6 and `y` at 8.
fn count(at: &mut u32, input: Letter) -> Letter {
    *at = match input.index() {
        0 => (*at + 1) % 10,
        1 => 0,
        _ => *at,
    };
    Letter::from_index(match (*at, input.index()) {
        (6, 0) => 1,
        (8, 0) => 2,
        _ => 0,
    })
}

#[test]
fn what_was_seen_for_one_finding_serves_the_next() {
    let text = "[labels]\ninputs = ['a', 'b', 'c']\noutputs = ['o', 'x', 'y']\n\
                [[requirement]]\nid = 'X'\nltl = 'G !x'\n[[requirement]]\nid = 'Y'\nltl = 'G !y'\n";
    let specification = Specification::from_text("count.toml".as_ref(), text).unwrap();
    let inputs = &specification.interface().inputs;
    let mut at = 0;
    let word = [2, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0, 0, 0, 2, 0, 0, 2, 0].map(Letter::from_index);
    let trace: Vec<Step> = word.iter().map(|&input| Step { input, output: count(&mut at, input) }).collect();
    assert_eq!(trace.last().unwrap().output.index(), 2);
    let shortened = |past: &mut Past, requirement: usize| {
        let mut system = Closure::new(|| 0, count);
        let nobody = &mut ();
        let mut bench = Bench { past: std::mem::take(past), ..bench(&specification, &mut system, nobody) };
        let limits = ShrinkLimits::default();
        let found = confirm_and_shrink(&mut bench, inputs, RequirementNumber(requirement), &trace, limits);
        *past = bench.past;
        (found.trace.len(), found.extra.0)
    };
    let alone = shortened(&mut Past::default(), 0);
    let mut past = Past::default();
    assert_eq!(shortened(&mut past, 1).0, 8);
    let next = shortened(&mut past, 0);
    assert_eq!((alone.0, next.0), (6, 6));
    assert!(next.1 * 2 < alone.1, "{} runs, {} without what was known", next.1, alone.1);
}
