//! Table 1 of paper 1, and how its tree searches can be read.

use provoke::strategy::{Options, Reward};

use crate::table::Paper;

/// What was tried and what came out. The paper gives neither the reward, nor gamma, nor the constant c behind its table.
pub(super) const TITLE: &str = "\
Table 1 of paper 1, the algorithms as published: 10 rooms, K = 250, 50 attempts of 10,000 runs as in the paper.
Tried: the distance at the end (last), the smallest of the run (best, not in the paper), and the discounted reward with
the sum of the whole run or of the roll-out alone; c = 1 and c = 100. The roll-out alone comes nearest and is what the
published forms take: with c = 100 it comes near the paper's success rates (0, about half and 100 %), after more runs than in the
paper. With c = 1 either sum finds nearly everything, also in basic MCTS; so does best, and last finds nothing.";

/// What section 6.3 says of longer runs, and what came out.
pub(super) const LONG_RUNS: &str = "\
The same with runs of K = 1000 steps, 50 attempts. In the paper the baselines still find nothing, and of the others it
says nothing. Longer runs change little: most end in a collision long before.";

/// The tree searches of the paper.
pub(super) const FORMS: [&str; 3] =
    ["mcts-published", "mcts-greedy-rollout-published", "mcts-greedy-published"];

/// The rewards and constants that were tried, each with its name.
pub(super) fn variants(gamma: f64) -> Vec<(&'static str, Options)> {
    let variant = |name, reward, c| {
        let (reward, exploration) = (Some(reward), Some(c));
        (name, Options { gamma, reward, exploration, ..Options::default() })
    };
    vec![
        variant("last, c = 1", Reward::Last, 1.0),
        variant("best, c = 1", Reward::Best, 1.0),
        variant("whole run, c = 1", Reward::Discounted, 1.0),
        variant("whole run, c = 100", Reward::Discounted, 100.0),
        variant("roll-out, c = 1", Reward::DiscountedRollOut, 1.0),
        variant("roll-out, c = 100", Reward::DiscountedRollOut, 100.0),
    ]
}

/// What is measured with runs of 1000 steps: the baselines, and the tree searches with their own reward.
pub(super) fn long_runs(gamma: f64) -> Vec<(&'static str, &'static str, Options)> {
    let options = |exploration| Options { gamma, exploration, ..Options::default() };
    let baselines = ["uniform", "epsilon-greedy"].map(|name| (name, "", options(None)));
    let constants = [("c = 1", 1.0), ("c = 100", 100.0)];
    let forms = constants.map(|(variant, c)| FORMS.map(|name| (name, variant, options(Some(c)))));
    baselines.into_iter().chain(forms.into_iter().flatten()).collect()
}

/// Table 1.
pub(super) fn paper(name: &str) -> Option<Paper> {
    match name {
        "uniform" | "epsilon-greedy" | "mcts-published" => Some(Paper { success: 0.0, runs: None }),
        "mcts-greedy-rollout-published" => Some(Paper { success: 62.7, runs: Some(4662) }),
        "mcts-greedy-published" => Some(Paper { success: 100.0, runs: Some(1031) }),
        _ => None,
    }
}

/// What section 6.3 says of runs of 1000 steps: the baselines fail as before.
pub(super) fn baseline(name: &str) -> Option<Paper> {
    paper(name).filter(|paper| paper.runs.is_none())
}
