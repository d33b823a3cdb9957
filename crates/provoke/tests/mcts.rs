//! What tree searches learn from runs that end with a violation.

#![allow(clippy::unwrap_used)]

use provoke::campaign::{Campaign, Event, Limits, Observer};
use provoke::letter::Letter;
use provoke::rng::Rng;
use provoke::specification::{STATE_LIMIT, Specification};
use provoke::strategy::{Knowledge, Options, find};
use provoke::system::Closure;
use provoke::trace::RunEnd;

const SPECIFICATION: &str = r#"
[signals]
inputs = ["a", "b"]
outputs = ["x", "y"]
[[requirement]]
id = "no-x"
ltl = "G !x"
[[requirement]]
id = "no-y"
ltl = "G !y"
[[objective]]
id = "break-y"
violates = "no-y"
"#;

struct Violations(u64);

impl Observer for Violations {
    fn on(&mut self, event: &Event<'_>) -> std::io::Result<()> {
        if let Event::RunEnded { end: RunEnd::Violated(1), .. } = event {
            self.0 += 1;
        }
        Ok(())
    }
}

/// How many of 400 runs of at most six steps violate `no-y`, which only three times `a` without `b` in a row does.
fn violations(strategy: &str) -> u64 {
    let specification = Specification::from_text("case.toml".as_ref(), SPECIFICATION).unwrap();
    let guidance = specification.guidance(Some(&specification.objectives[0]), STATE_LIMIT).unwrap();
    let knowledge = Knowledge { game: guidance.game.clone(), guide: guidance.guide.clone() };
    let mut strategy = (find(strategy).unwrap().build)(&knowledge, &Options::default());
    let step = |row: &mut u32, input: Letter| {
        *row = if input.index() == 1 { *row + 1 } else { 0 };
        Letter::default().with(1, *row == 3)
    };
    let mut found = Violations(0);
    let campaign = Campaign {
        game: &*guidance.game,
        guide: &*guidance.guide,
        monitors: specification.monitors(),
        assumptions: specification.assumption_monitors(),
        system: &mut Closure::new(|| 0, step),
        strategy: &mut *strategy,
        limits: Limits { runs: 400, steps: 6, ..Limits::default() },
        keep_going: true,
        rng: Rng::new(1),
    };
    campaign.run(&mut found).unwrap();
    found.0
}

#[test]
fn a_violation_that_is_the_objective_is_sought_again() {
    // Uniform inputs find it in one run of nineteen: in four places of six steps, with chance 1/64 each.
    for strategy in ["mcts", "mcts-published", "mcts-greedy-rollout-published"] {
        let found = violations(strategy);
        assert!(found > 100, "{strategy}: {found} of 400 runs");
    }
}
