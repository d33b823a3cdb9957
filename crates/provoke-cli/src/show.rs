//! `provoke show`: a requirement, the product or the solved game as DOT, HOA or SVG.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use provoke::automaton::{Automaton, read_hoa, write_hoa};
use provoke::draw::{Graph, automaton_graph, game_graph, product_graph};
use provoke::spec::{Source, nearest};
use provoke::specification::{Goal, STATE_LIMIT, Specification};

use crate::exit::Exit;
use crate::output::deliver;

/// The arguments of `provoke show`.
#[derive(Args)]
pub(crate) struct ShowArgs {
    /// The specification file, or an automaton (.hoa) to be shown as it is
    spec: PathBuf,
    /// Show the automaton of this requirement or of this objective's test purpose
    #[arg(long, value_name = "ID", conflicts_with_all = ["objective", "product"])]
    automaton: Option<String>,
    /// Show the game of this objective, solved [default: the first objective]
    #[arg(long, value_name = "ID")]
    objective: Option<String>,
    /// Show the product that guides towards the objective, unsolved
    #[arg(long)]
    product: bool,
    /// The format
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
    /// Write to this file; its ending chooses the format unless --to does [default: standard output, DOT]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The most product states
    #[arg(long, value_name = "N", default_value_t = STATE_LIMIT)]
    states: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Dot,
    Hoa,
    Svg,
}

/// Draws what was asked for.
pub(crate) fn run(args: &ShowArgs) -> Result<Exit> {
    if let Some(automaton) = alone(args)? {
        let text = shown(format(args), || write_hoa(&automaton), || automaton_graph(&automaton));
        deliver(args.output.as_deref(), &text)?;
        return Ok(Exit::Covered);
    }
    let specification = Specification::load(&args.spec)?;
    let text = match &args.automaton {
        Some(id) => {
            let automaton = automaton_named(&specification, id)?;
            shown(format(args), || write_hoa(automaton), || automaton_graph(automaton))
        }
        None => game(&specification, args)?,
    };
    deliver(args.output.as_deref(), &text)?;
    Ok(Exit::Covered)
}

/// The automaton that was named in place of a specification, as it stands in its file: a requirement or a test
/// purpose, whatever it accepts.
fn alone(args: &ShowArgs) -> Result<Option<Automaton>> {
    let asked = args.automaton.is_some() || args.objective.is_some() || args.product;
    if asked || args.spec.extension().is_none_or(|ending| ending != "hoa") {
        return Ok(None);
    }
    Ok(Some(read_hoa(&Source::read(&args.spec)?, None)?.0))
}

fn game(specification: &Specification, args: &ShowArgs) -> Result<String> {
    let objective = match &args.objective {
        Some(id) => {
            let known = specification.objectives.iter().map(|objective| objective.id.as_str());
            let unknown = || not_found("objective", id, known);
            Some(specification.objective(id).with_context(unknown)?)
        }
        None => specification.objectives.first(),
    };
    let guidance = specification.guidance(objective, args.states)?;
    let title = objective.map_or(String::new(), |objective| objective.id.clone());
    let game = &guidance.game;
    let hoa = || write_hoa(&game.to_automaton());
    Ok(match &guidance.solved {
        Some(solved) if !args.product => shown(format(args), hoa, || game_graph(solved, &title)),
        _ => shown(format(args), hoa, || product_graph(game, &title)),
    })
}

fn automaton_named<'a>(specification: &'a Specification, id: &str) -> Result<&'a Automaton> {
    if let Some(requirement) = specification.requirements.iter().find(|requirement| requirement.id == id) {
        return Ok(&requirement.demand.automaton);
    }
    match specification.objective(id).map(|objective| &objective.goal) {
        Some(Goal::Purpose(purpose)) => Ok(purpose),
        Some(_) => bail!("objective `{id}` has no automaton of its own"),
        None => {
            let requirements = specification.requirements.iter().map(|requirement| requirement.id.as_str());
            bail!(not_found("requirement", id, requirements))
        }
    }
}

fn not_found<'a>(what: &str, id: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    match nearest(id, known.clone()) {
        Some(near) => format!("there is no {what} `{id}`; did you mean `{near}`?"),
        None => format!("there is no {what} `{id}`; there are {}", known.collect::<Vec<_>>().join(", ")),
    }
}

fn format(args: &ShowArgs) -> Format {
    let ending = args.output.as_ref().and_then(|path| path.extension()?.to_str());
    args.to.unwrap_or(match ending {
        Some("hoa") => Format::Hoa,
        Some("svg") => Format::Svg,
        _ => Format::Dot,
    })
}

fn shown(format: Format, hoa: impl FnOnce() -> String, graph: impl FnOnce() -> Graph) -> String {
    match format {
        Format::Hoa => hoa(),
        Format::Dot => graph().to_dot(),
        Format::Svg => graph().to_svg(),
    }
}
