//! The subcommands: each regenerates one table.

pub mod families;
pub mod ltl;
pub mod monitors;
pub mod objectives;
pub mod passageway;
pub mod passageway_files;
pub mod pipe;
pub mod speed;
pub mod steps;
pub mod synchronise;

use anyhow::{Result, bail};
use provoke::diagnostic::nearest;
use provoke::strategy::{self, CATALOGUE, StrategyEntry};

/// The strategies that `--strategy` names; the usual ones where it names none.
fn chosen(
    names: &[String],
    usual: impl FnMut(&&StrategyEntry) -> bool,
) -> Result<Vec<&'static StrategyEntry>> {
    match names {
        [] => Ok(CATALOGUE.iter().filter(usual).collect()),
        names => names.iter().map(|name| find(name)).collect(),
    }
}

/// The strategy with this name, or an error that names the nearest one.
fn find(name: &str) -> Result<&'static StrategyEntry> {
    match strategy::find(name) {
        Some(entry) => Ok(entry),
        None => match nearest(name, CATALOGUE.iter().map(|entry| entry.name)) {
            Some(near) => bail!("there is no strategy `{name}`; did you mean `{near}`?"),
            None => bail!("there is no strategy `{name}`"),
        },
    }
}
