//! Which strategy, and its options: one flag each, checked against what the strategy takes.

use anyhow::Result;
use clap::{Args, ValueEnum};
use provoke::diagnostic::Unknown;
use provoke::strategy::{self, CATALOGUE, Options, Reward, StrategyEntry};

use crate::output::mention;

/// What picks the inputs. A strategy's own value stands where an option is not given.
#[derive(Args)]
pub(crate) struct StrategyArgs {
    /// What picks the inputs
    #[arg(long, value_name = "NAME", default_value = strategy::DEFAULT, long_help = strategy_help())]
    strategy: String,
    /// The chance of a uniform choice in epsilon-greedy strategies, in (0, 1) [default: 0.25]
    #[arg(long, value_name = "E", value_parser = open_unit, help_heading = HEADING)]
    epsilon: Option<f64>,
    /// How much later steps count: in the discounted reward, and in what experience learns; in (0, 1) [default: 0.9]
    #[arg(long, value_name = "G", value_parser = open_unit, help_heading = HEADING)]
    gamma: Option<f64>,
    /// What a run is worth to a tree search [default: discounted; published forms discounted-roll-out]
    #[arg(long, value_name = "KIND", help_heading = HEADING)]
    reward: Option<RewardArg>,
    /// UCT's constant: how much rarely tried inputs are favoured [default: 0.5; published forms 1]
    #[arg(long, value_name = "C", value_parser = not_negative, help_heading = HEADING)]
    exploration: Option<f64>,
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
    #[arg(long, value_name = "N", value_parser = nodes, help_heading = HEADING)]
    nodes: Option<usize>,
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
    /// The strategy; an unknown name is an error that names the nearest one.
    pub(crate) fn entry(&self) -> Result<&'static StrategyEntry> {
        find(&self.strategy, "strategy")
    }

    /// Whether to measure what a reset costs; a system in our own process costs nothing worth measuring.
    pub(crate) fn calibrates(&self, in_process: bool) -> bool {
        match self.reset_cost {
            Some(ResetCost::Auto) => true,
            Some(ResetCost::Steps(_)) => false,
            None => !in_process,
        }
    }

    /// The options. One that the strategy does not take changes nothing, and a warning says so.
    pub(crate) fn options(&self) -> Result<Options> {
        let entry = self.entry()?;
        let given = [
            ("epsilon", self.epsilon.is_some()),
            ("gamma", self.gamma.is_some()),
            ("reward", self.reward.is_some()),
            ("exploration", self.exploration.is_some()),
            ("greedy-visits", self.greedy_visits.is_some()),
            ("roll-out", self.roll_out.is_some()),
            ("reset-cost", self.reset_cost.is_some()),
            ("nodes", self.nodes.is_some()),
        ];
        let roll_out =
            self.roll_out.as_deref().map(|name| find(name, "strategy to roll out with")).transpose()?;
        let taken =
            |name| entry.options.contains(&name) || roll_out.is_some_and(|by| by.options.contains(&name));
        for (name, _) in given.iter().filter(|(name, given)| *given && !taken(name)) {
            mention(format_args!("warning: strategy `{}` takes no --{name}", entry.name));
        }
        let usual = Options::default();
        Ok(Options {
            epsilon: self.epsilon.unwrap_or(usual.epsilon),
            gamma: self.gamma.unwrap_or(usual.gamma),
            reward: self.reward.map(|reward| match reward {
                RewardArg::Last => Reward::Last,
                RewardArg::Discounted => Reward::Discounted,
                RewardArg::DiscountedRollOut => Reward::DiscountedRollOut,
                RewardArg::Best => Reward::Best,
            }),
            exploration: self.exploration,
            greedy_visits: self.greedy_visits.unwrap_or(usual.greedy_visits),
            roll_out,
            reset_cost: match self.reset_cost {
                Some(ResetCost::Steps(steps)) => steps,
                Some(ResetCost::Auto) | None => usual.reset_cost,
            },
            nodes: self.nodes.unwrap_or(usual.nodes),
        })
    }
}

fn find(name: &str, what: &'static str) -> Result<&'static StrategyEntry> {
    strategy::find(name).map_err(|unknown| Unknown { what, ..unknown }.into())
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

fn open_unit(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(chance) if 0.0 < chance && chance < 1.0 => Ok(chance),
        _ => Err("expected a number between 0 and 1, both excluded".to_owned()),
    }
}

fn not_negative(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(constant) if constant.is_finite() && constant >= 0.0 => Ok(constant),
        _ => Err("expected a number, 0 or more".to_owned()),
    }
}

fn reset_cost(text: &str) -> Result<ResetCost, String> {
    match (text, text.parse()) {
        ("auto", _) => Ok(ResetCost::Auto),
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

fn nodes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(nodes) if (16..=1 << 30).contains(&nodes) => Ok(nodes),
        _ => Err("expected a number from 16 to 1073741824".to_owned()),
    }
}
