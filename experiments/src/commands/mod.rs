//! The subcommands: each regenerates one table.

pub mod asynchronous;
pub mod choices;
pub mod circuits;
pub mod coverage;
pub mod families;
pub mod learning;
pub mod ltl;
pub mod monitors;
pub mod mutants;
pub mod objectives;
pub mod passageway;
pub mod passageway_files;
pub mod pipe;
pub mod reports;
pub mod robots;
pub mod speed;
pub mod steps;
pub mod synchronise;
pub mod synthesis;
pub mod typed;

use anyhow::Result;
use provoke::strategy::{self, CATALOGUE, StrategyEntry};

/// Whether a strategy plays many runs and learns from them, rather than being made once: those of paper 4 have a table of their
/// own.
fn learns(entry: &&StrategyEntry) -> bool {
    !entry.source.starts_with("paper 4")
}

/// The strategies that `--strategy` names; the usual ones where it names none.
fn chosen(
    names: &[String],
    usual: impl FnMut(&&StrategyEntry) -> bool,
) -> Result<Vec<&'static StrategyEntry>> {
    match names {
        [] => Ok(CATALOGUE.iter().filter(usual).collect()),
        names => names.iter().map(|name| Ok(strategy::find(name)?)).collect(),
    }
}
