//! Which strategy, and its options: one flag each, checked against what the strategy takes.

use anyhow::Result;
use clap::{Args, ValueEnum};
use provoke::strategy::{CATALOGUE, StrategyChoice, check_option};

use crate::output::mention;

/// What picks the inputs. A strategy's own value stands where an option is not given.
#[derive(Args)]
pub(crate) struct StrategyArgs {
    /// What picks the inputs [default: frontier-experience; tour where all of something is to be covered; input-classes
    /// where there is no objective and requirements are automata or formulas]
    #[arg(long, value_name = "NAME", long_help = strategy_help())]
    strategy: Option<String>,
    /// The chance of a uniform choice in epsilon-greedy strategies, in (0, 1) [default: 0.25]
    #[arg(long, value_name = "E", value_parser = checked("epsilon"), help_heading = HEADING)]
    epsilon: Option<String>,
    /// How much later steps count: in the discounted reward, and in what experience learns; in (0, 1) [default: 0.9]
    #[arg(long, value_name = "G", value_parser = checked("gamma"), help_heading = HEADING)]
    gamma: Option<String>,
    /// What a run is worth to a tree search [default: discounted; published forms discounted-roll-out]
    #[arg(long, value_name = "KIND", help_heading = HEADING)]
    reward: Option<RewardArg>,
    /// UCT's constant: how much rarely tried inputs are favoured [default: 0.5; published forms
    /// and --selection duct 1]
    #[arg(long, value_name = "C", value_parser = checked("exploration"), help_heading = HEADING)]
    exploration: Option<String>,
    /// For how many visits of a tree node only greedy inputs are tried there [default: 30]
    #[arg(long, value_name = "M", help_heading = HEADING)]
    greedy_visits: Option<u32>,
    /// What plays beyond the tree of a tree search: any strategy [default: the strategy's own]
    #[arg(long, value_name = "NAME", help_heading = HEADING)]
    roll_out: Option<String>,
    /// How many steps a reset is worth: the more, the longer a run goes on; `auto` measures it first [default: auto
    /// for programs and servers, 1 for what is simulated]
    #[arg(long, value_name = "N|auto", value_parser = reset_cost, help_heading = HEADING)]
    reset_cost: Option<ResetCost>,
    /// The most nodes that a strategy may remember; bounds its memory [default: 1048576]
    #[arg(long, value_name = "N", value_parser = checked("nodes"), help_heading = HEADING)]
    nodes: Option<String>,
    /// The fewest steps of a test that ends because the requirements accept it [default: 5]
    #[arg(long, value_name = "K", value_parser = checked("k-min"), help_heading = HEADING)]
    k_min: Option<String>,
    /// The most steps of a test of gdfs and of walks [default: 100]
    #[arg(long, value_name = "K", value_parser = checked("k-max"), help_heading = HEADING)]
    k_max: Option<String>,
    /// The chance of waiting for the system where both sides can act, in strategies that take turns by chance; in [0, 1]
    /// [default: 0.5]
    #[arg(long, value_name = "P", value_parser = checked("observe"), help_heading = HEADING)]
    observe: Option<String>,
    /// The chance of waiting where the system should not act, in the same strategies; in [0, 1] [default: 0.03125]
    #[arg(long, value_name = "P", value_parser = checked("listen"), help_heading = HEADING)]
    listen: Option<String>,
    /// The most steps of a roll-out, in searches that come before the first step [default: 300]
    #[arg(long, value_name = "N", value_parser = checked("roll-out-bound"), help_heading = HEADING)]
    roll_out_bound: Option<String>,
    /// The most steps through the tree, in the same searches [default: 150]
    #[arg(long, value_name = "N", value_parser = checked("depth"), help_heading = HEADING)]
    depth: Option<String>,
    /// How often the same searches go from the start to a leaf before a run [default: 200]
    #[arg(long, value_name = "N", value_parser = checked("iterations"), help_heading = HEADING)]
    iterations: Option<String>,
    /// How the same searches pick an exchange: best-average, or duct (decoupled UCT) [default: best-average]
    #[arg(long, value_name = "KIND", value_parser = checked("selection"), help_heading = HEADING)]
    selection: Option<String>,
    /// What a state is worth to them: goal, proximity, or specification [default: goal]
    #[arg(long, value_name = "KIND", value_parser = checked("score"), help_heading = HEADING)]
    score: Option<String>,
    /// End a run that comes to the same state more often than this; 0 for never [default: 5 in the strategies of paper 4,
    /// never in backward-induction]
    #[arg(long, value_name = "N", value_parser = checked("repeats"), help_heading = HEADING)]
    repeats: Option<String>,
}

/// `--reset-cost`.
#[derive(Clone, Copy)]
pub(crate) enum ResetCost {
    Auto,
    Steps(u32),
}

const HEADING: &str = "Options of strategies";

#[derive(Clone, Copy, ValueEnum)]
enum RewardArg {
    /// The distance at the end of the run
    Last,
    /// The distance at the end times the discounted sum of the run's distances
    Discounted,
    /// The same with the sum of the part beyond the tree alone
    DiscountedRollOut,
    /// The smallest distance anywhere in the run
    Best,
}

impl StrategyArgs {
    /// Whether to measure what a reset costs; a system in our own process costs nothing worth measuring.
    pub(crate) fn calibrates(&self, in_process: bool) -> bool {
        match self.reset_cost {
            Some(ResetCost::Auto) => true,
            Some(ResetCost::Steps(_)) => false,
            None => !in_process,
        }
    }

    /// The strategy, which is this one where none is named, and its options. One that it does not take changes nothing; a
    /// warning says so where the strategy was named.
    pub(crate) fn choice(&self, default: &str) -> Result<StrategyChoice> {
        let strategy = self.strategy.as_deref().unwrap_or(default);
        let reward = self.reward.and_then(|reward| reward.to_possible_value());
        let given = [
            ("epsilon", self.epsilon.clone()),
            ("gamma", self.gamma.clone()),
            ("reward", reward.map(|reward| reward.get_name().to_owned())),
            ("exploration", self.exploration.clone()),
            ("greedy-visits", self.greedy_visits.map(|visits| visits.to_string())),
            ("roll-out", self.roll_out.clone()),
            ("reset-cost", self.reset_cost.map(ResetCost::word)),
            ("nodes", self.nodes.clone()),
            ("k-min", self.k_min.clone()),
            ("k-max", self.k_max.clone()),
            ("observe", self.observe.clone()),
            ("listen", self.listen.clone()),
            ("roll-out-bound", self.roll_out_bound.clone()),
            ("depth", self.depth.clone()),
            ("iterations", self.iterations.clone()),
            ("selection", self.selection.clone()),
            ("score", self.score.clone()),
            ("repeats", self.repeats.clone()),
        ];
        let mut choice = StrategyChoice::named(strategy);
        let given = given.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        choice.options = given.collect();
        let idle = choice.drop_idle()?;
        for option in idle.iter().filter(|_| self.strategy.is_some()) {
            mention(format_args!("warning: strategy `{strategy}` takes no --{option}"));
        }
        choice.options.retain(|_, value| value != AUTO);
        Ok(choice)
    }
}

/// What `--reset-cost` says for measuring it.
const AUTO: &str = "auto";

impl ResetCost {
    fn word(self) -> String {
        match self {
            ResetCost::Auto => AUTO.to_owned(),
            ResetCost::Steps(steps) => steps.to_string(),
        }
    }
}

/// A value that the option takes, as it is typed.
fn checked(option: &'static str) -> impl Fn(&str) -> Result<String, String> + Clone {
    move |text| check_option(option, text).map(|()| text.to_owned())
}

/// One line a strategy, from the catalogue.
fn strategy_help() -> String {
    let mut help = String::from("What picks the inputs:\n");
    for entry in CATALOGUE {
        help.push_str(&format!("  {}: {} ({})", entry.name, entry.sentence, entry.source));
        if !entry.options.is_empty() {
            help.push_str(&format!("; takes --{}", entry.options.join(", --")));
        }
        help.push('\n');
    }
    help
}

fn reset_cost(text: &str) -> Result<ResetCost, String> {
    match (text, text.parse()) {
        (AUTO, _) => Ok(ResetCost::Auto),
        (_, Ok(steps)) => Ok(ResetCost::Steps(steps)),
        _ => Err("expected a number of steps, or auto".to_owned()),
    }
}

/// `--states`: the smallest product has one.
pub(crate) fn states(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(states) if states > 0 => Ok(states),
        _ => Err("expected a number, 1 or more".to_owned()),
    }
}
