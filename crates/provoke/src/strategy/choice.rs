//! A strategy and its options as words: what a command line or a plan says of them.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use super::{Options, Reward, Score, Selection, StrategyEntry, find};
use crate::diagnostic::{Unknown, did_you_mean};

/// A strategy by its name, with the options that are not left to it, by theirs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StrategyChoice {
    /// Its name in the [`CATALOGUE`](super::CATALOGUE).
    pub name: String,
    /// Options by their names on the command line, with their values as they are written there.
    #[serde(default, deserialize_with = "words")]
    pub options: BTreeMap<String, String>,
}

/// Why a strategy cannot be used as it is described.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// There is no such strategy.
    #[error(transparent)]
    Unknown(Unknown),
    /// The strategy does not take such an option.
    #[error("strategy `{strategy}` takes no option `{option}`; {help}")]
    UnknownOption {
        /// The strategy.
        strategy: String,
        /// The option.
        option: String,
        /// What it takes.
        help: String,
    },
    /// The option does not take such a value.
    #[error("option `{option}` cannot be `{value}`: {why}")]
    Value {
        /// The option.
        option: String,
        /// The value.
        value: String,
        /// What is expected.
        why: String,
    },
}

impl StrategyChoice {
    /// A strategy that is left all its options.
    pub fn named(name: impl Into<String>) -> StrategyChoice {
        StrategyChoice { name: name.into(), options: BTreeMap::new() }
    }

    /// The strategy and its options.
    pub fn resolve(&self) -> Result<(&'static StrategyEntry, Options), ChoiceError> {
        let entry = named(&self.name, "strategy")?;
        let mut options = Options::default();
        for (option, value) in &self.options {
            set(&mut options, option, value)?;
        }
        let taken = self.taken(entry, &options);
        if taken.contains(&"k-min") && options.k_min > options.k_max {
            return Err(ChoiceError::Value {
                option: "k-min".to_owned(),
                value: options.k_min.to_string(),
                why: format!("a test has at most {} steps (`k-max`)", options.k_max),
            });
        }
        let Some(other) = self.options.keys().find(|option| !taken.contains(&option.as_str())) else {
            return Ok((entry, options));
        };
        Err(ChoiceError::UnknownOption {
            strategy: self.name.clone(),
            option: other.clone(),
            help: known(other, &taken, "it takes"),
        })
    }

    /// Takes out the options that change nothing, because neither the strategy nor what it rolls out with takes them,
    /// and says which.
    pub fn drop_idle(&mut self) -> Result<Vec<String>, ChoiceError> {
        let entry = named(&self.name, "strategy")?;
        let mut options = Options::default();
        if let Some(roll_out) = self.options.get(ROLL_OUT) {
            set(&mut options, ROLL_OUT, roll_out)?;
        }
        let taken = self.taken(entry, &options);
        let idle: Vec<String> =
            self.options.keys().filter(|option| !taken.contains(&option.as_str())).cloned().collect();
        self.options.retain(|option, _| taken.contains(&option.as_str()));
        Ok(idle)
    }

    fn taken(&self, entry: &StrategyEntry, options: &Options) -> Vec<&'static str> {
        let rolled_out = options.roll_out.map_or(&[][..], |by| by.options);
        entry.options.iter().chain(rolled_out).copied().collect()
    }
}

const ROLL_OUT: &str = "roll-out";

/// Whether this may be the value of an option; what is expected where it may not.
pub fn check_option(option: &str, value: &str) -> Result<(), String> {
    match set(&mut Options::default(), option, value) {
        Err(ChoiceError::Value { why, .. }) => Err(why),
        Err(error) => Err(error.to_string()),
        Ok(()) => Ok(()),
    }
}

fn set(options: &mut Options, option: &str, value: &str) -> Result<(), ChoiceError> {
    let wrong = |why: &str| ChoiceError::Value {
        option: option.to_owned(),
        value: value.to_owned(),
        why: why.to_owned(),
    };
    let open_unit = || match value.parse() {
        Ok(chance) if 0.0 < chance && chance < 1.0 => Ok(chance),
        _ => Err(wrong("expected a number between 0 and 1, both excluded")),
    };
    let one_or_more = || match value.parse::<u32>() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(wrong("expected a whole number, 1 or more")),
    };
    let closed_unit = || match value.parse() {
        Ok(chance) if (0.0..=1.0).contains(&chance) => Ok(chance),
        _ => Err(wrong("expected a number from 0 to 1")),
    };
    let whole = || value.parse::<u32>().map_err(|_| wrong("expected a whole number"));
    let at_least_1 = || match value.parse::<u32>() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(wrong("expected a whole number, 1 or more")),
    };
    match option {
        "epsilon" => options.epsilon = open_unit()?,
        "gamma" => options.gamma = open_unit()?,
        "exploration" => match value.parse::<f64>() {
            Ok(constant) if constant.is_finite() && constant >= 0.0 => options.exploration = Some(constant),
            _ => return Err(wrong("expected a number, 0 or more")),
        },
        "greedy-visits" => options.greedy_visits = whole()?,
        "observe" => options.observe = closed_unit()?,
        "listen" => options.listen = closed_unit()?,
        "reset-cost" => options.reset_cost = whole()?,
        "k-min" => options.k_min = one_or_more()?,
        "k-max" => options.k_max = one_or_more()?,
        "nodes" => match value.parse() {
            Ok(nodes) if (16..=1 << 30).contains(&nodes) => options.nodes = nodes,
            _ => return Err(wrong("expected a number from 16 to 1073741824")),
        },
        "reward" => {
            options.reward = Some(match value {
                "last" => Reward::Last,
                "discounted" => Reward::Discounted,
                "discounted-roll-out" => Reward::DiscountedRollOut,
                "best" => Reward::Best,
                _ => return Err(wrong("expected last, discounted, discounted-roll-out or best")),
            });
        }
        "roll-out-bound" => options.roll_out_bound = whole()?,
        "depth" => options.depth = whole()?,
        "iterations" => options.iterations = at_least_1()?,
        "repeats" => options.repeats = Some(whole()?),
        "selection" => {
            options.selection = match value {
                "best-average" => Selection::BestAverage,
                "duct" => Selection::Duct,
                _ => return Err(wrong("expected best-average or duct")),
            };
        }
        "score" => {
            options.score = match value {
                "goal" => Score::Goal,
                "proximity" => Score::Proximity,
                "specification" => Score::Specification,
                _ => return Err(wrong("expected goal, proximity or specification")),
            };
        }
        ROLL_OUT => options.roll_out = Some(named(value, "strategy to roll out with")?),
        // Every option is taken by some strategy, so this one by none.
        _ => {}
    }
    Ok(())
}

fn named(name: &str, what: &'static str) -> Result<&'static StrategyEntry, ChoiceError> {
    find(name).map_err(|unknown| ChoiceError::Unknown(Unknown { what, ..unknown }))
}

/// The name that was meant, or else all there are.
fn known(name: &str, names: &[&str], there_are: &str) -> String {
    let all = || if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    did_you_mean(name, names.iter().copied()).unwrap_or_else(|| format!("{there_are} {}", all()))
}

/// Values may be written as words or as numbers.
fn words<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<String, String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Word {
        Text(String),
        Number(serde_json::Number),
    }
    let word = |(name, word)| match word {
        Word::Text(text) => (name, text),
        Word::Number(number) => (name, number.to_string()),
    };
    Ok(BTreeMap::<String, Word>::deserialize(from)?.into_iter().map(word).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::CATALOGUE;

    fn choice(name: &str, options: &[(&str, &str)]) -> StrategyChoice {
        let options = options.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect();
        StrategyChoice { name: name.to_owned(), options }
    }

    #[test]
    fn every_option_of_every_strategy_can_be_set() {
        let values = [
            ("epsilon", "0.5"),
            ("gamma", "0.125"),
            ("reward", "best"),
            ("exploration", "2"),
            ("greedy-visits", "7"),
            ("roll-out", "greedy"),
            ("reset-cost", "64"),
            ("nodes", "1000"),
            ("roll-out-bound", "12"),
            ("depth", "50"),
            ("iterations", "30"),
            ("selection", "duct"),
            ("score", "proximity"),
            ("repeats", "7"),
            ("k-min", "3"),
            ("k-max", "30"),
            ("observe", "0"),
            ("listen", "1"),
        ];
        for entry in CATALOGUE {
            let taken: Vec<(&str, &str)> =
                values.into_iter().filter(|(option, _)| entry.options.contains(option)).collect();
            assert_eq!(taken.len(), entry.options.len(), "{}", entry.name);
            let (resolved, options) = choice(entry.name, &taken).resolve().unwrap();
            assert_eq!(resolved.name, entry.name);
            let usual = format!("{:?}", Options::default());
            assert_eq!(format!("{options:?}") == usual, taken.is_empty(), "{}", entry.name);
        }
    }

    #[test]
    fn what_is_unknown_is_said_with_the_nearest() {
        let shown = |name, options: &[_]| choice(name, options).resolve().unwrap_err().to_string();
        assert_eq!(shown("gredy", &[]), "there is no strategy `gredy`; did you mean `greedy`?");
        assert_eq!(
            shown("frontier", &[("epsilom", "0.5")]),
            "strategy `frontier` takes no option `epsilom`; did you mean `epsilon`?"
        );
        assert_eq!(
            shown("uniform", &[("epsilon", "0.5")]),
            "strategy `uniform` takes no option `epsilon`; it takes none"
        );
        assert_eq!(
            shown("frontier", &[("epsilon", "1")]),
            "option `epsilon` cannot be `1`: expected a number between 0 and 1, both excluded"
        );
        assert_eq!(
            shown("least-cost", &[("observe", "1.5")]),
            "option `observe` cannot be `1.5`: expected a number from 0 to 1"
        );
        assert_eq!(
            shown("mcts", &[("roll-out", "mct")]),
            "there is no strategy to roll out with `mct`; did you mean `mcts`?"
        );
    }

    #[test]
    fn what_a_roll_out_takes_is_taken() {
        let mut mcts =
            choice("mcts", &[("roll-out", "frontier"), ("reset-cost", "4"), ("greedy-visits", "1")]);
        assert!(mcts.resolve().is_err());
        assert_eq!(mcts.drop_idle().unwrap(), ["greedy-visits"]);
        assert_eq!(mcts.resolve().unwrap().1.reset_cost, 4);
    }
}
