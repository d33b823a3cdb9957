//! `provoke show`: a requirement, the product or the solved game as DOT, HOA or SVG.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use provoke::automaton::{Automaton, Expected, expected, read_hoa, write_hoa};
use provoke::diagnostic::{Source, Unknown};
use provoke::draw::{
    Graph, OVERVIEW, automaton_graph, automaton_overview, explain_components, explain_states, game_graph,
    game_overview, machine_graph, machine_overview, product_graph, product_overview, sketch_graph,
};
use provoke::format::machine::{MachineFormat, read as read_machine, write_machine};
use provoke::game::explicit::Product;
use provoke::ltl::Formula;
use provoke::machine::Machine;
use provoke::specification::{AnyModel, Goal, Guidance, Inside, Loading, Model, STATE_LIMIT, Specification};

use crate::exit::Exit;
use crate::options;
use crate::output::{deliver, ending, mention, mention_bits, unknown_ending};

/// The arguments of `provoke show`.
#[derive(Args)]
pub(crate) struct ShowArgs {
    /// The specification file, or an automaton (.hoa) or a machine (.dot, .kiss2, .fsm, .table) to be shown as it is
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
    /// Write to this file; its ending (.svg, .dot, .gv or .hoa) chooses the format unless --to does [default:
    /// standard output, DOT]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The most product states
    #[arg(long, value_name = "N", default_value_t = STATE_LIMIT, value_parser = options::states)]
    states: usize,
    /// Draw every state, however many there are [default: beyond 60, an overview by distance]
    #[arg(long)]
    whole: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Dot,
    Hoa,
    Svg,
}

/// Draws what was asked for.
pub(crate) fn run(args: &ShowArgs) -> Result<Exit> {
    let format = format(args)?;
    if let Some(machine) = machine(args)? {
        deliver(args.output.as_deref(), &machine_text(&machine, args, format)?)?;
        return Ok(Exit::Covered);
    }
    if let Some(automaton) = alone(args)? {
        deliver(args.output.as_deref(), &automaton_text(&automaton, None, format, args.whole)?)?;
        return Ok(Exit::Covered);
    }
    let specification = Specification::load_with(&args.spec, &Loading::with_states(args.states))?;
    let text = match &args.automaton {
        Some(id) if program_named(&specification, id).is_some() => {
            let model = program_named(&specification, id).context("it was found")?;
            program_text(&**model, id, format, args.whole)?
        }
        Some(id) => {
            let (automaton, formula) = automaton_named(&specification, id)?;
            automaton_text(automaton, formula, format, args.whole)?
        }
        None => {
            let (guidance, title) = guidance(&specification, args)?;
            if let Inside::Unfolded(_) = guidance.inside {
                let model = specification.programs().next().context("there is a model program")?;
                let text = program_text(&**model, &title, format, args.whole)?;
                deliver(args.output.as_deref(), &text)?;
                return Ok(Exit::Covered);
            }
            let game = guidance.inside.product().context(
                "this game is too large to be drawn; `provoke test --html FILE` draws the part of it that a campaign meets",
            )?;
            match format {
                Format::Hoa => write_hoa(&game.to_automaton())?,
                _ => drawn(format, &game_picture(&specification, &guidance, game, &title, args)?),
            }
        }
    };
    deliver(args.output.as_deref(), &text)?;
    Ok(Exit::Covered)
}

/// The model program that is this requirement.
fn program_named<'a>(specification: &'a Specification, id: &str) -> Option<&'a Arc<dyn AnyModel>> {
    let requirement = specification.requirements.iter().find(|one| one.id == id)?;
    match &requirement.demand.model {
        Model::Program(model) => Some(model),
        _ => None,
    }
}

/// The first states of a model program.
fn program_text(model: &dyn AnyModel, title: &str, format: Format, whole: bool) -> Result<String> {
    if format == Format::Hoa {
        bail!("a model program is no automaton: it can be drawn (--to dot, --to svg)");
    }
    const WHOLE: usize = 10_000;
    let sketch = model.sketch(if whole { WHOLE } else { OVERVIEW });
    if let Some(fault) = model.model_fault() {
        return Err(fault.into());
    }
    if !sketch.complete {
        mention(format_args!("note: these are the first {} states; there are more", sketch.states.len()));
    }
    Ok(drawn(format, &sketch_graph(&sketch, title)))
}

/// The machine that was named in place of a specification: learnt, synthesised or written by hand. A DOT file is one where it
/// says what is answered; otherwise it is a transition system.
fn machine(args: &ShowArgs) -> Result<Option<Machine>> {
    let asked = args.automaton.is_some() || args.objective.is_some() || args.product;
    Ok(match ending(&args.spec).as_str() {
        _ if asked => None,
        "kiss2" | "kiss" | "fsm" | "table" | "tbl" => Some(read_machine(&args.spec)?),
        "dot" | "gv" => read_machine(&args.spec).ok().filter(|machine| !machine.outputs().is_empty()),
        _ => None,
    })
}

fn machine_text(machine: &Machine, args: &ShowArgs, format: Format) -> Result<String> {
    let title = args.spec.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(match format {
        Format::Hoa => write_machine(machine, MachineFormat::Hoa)?,
        _ if is_overview(machine.states().len(), args.whole) => {
            drawn(format, &machine_overview(machine, &title))
        }
        _ => drawn(format, &machine_graph(machine, &title)),
    })
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

fn guidance(specification: &Specification, args: &ShowArgs) -> Result<(Guidance, String)> {
    let objective = match &args.objective {
        Some(id) => Some(specification.objective(id)?),
        None => specification.objectives.first(),
    };
    let title = objective.map_or(String::new(), |objective| objective.id.clone());
    Ok((specification.guidance(objective, args.states)?, title))
}

/// An automaton, and what its states expect where it was made from a formula.
fn automaton_text(
    automaton: &Automaton,
    formula: Option<&Formula>,
    format: Format,
    whole: bool,
) -> Result<String> {
    let explained = || formula.map(|formula| expected(formula, automaton));
    if format == Format::Hoa {
        mention_bits(automaton.space.interface());
        return Ok(write_hoa(&named(automaton, explained()))?);
    }
    if is_overview(automaton.states.len(), whole) {
        return Ok(drawn(format, &automaton_overview(automaton)));
    }
    let mut graph = automaton_graph(automaton);
    if let Some(expected) = explained() {
        explain_states(&mut graph, &expected);
    }
    Ok(drawn(format, &graph))
}

fn game_picture(
    specification: &Specification,
    guidance: &Guidance,
    game: &Product,
    title: &str,
    args: &ShowArgs,
) -> Result<Graph> {
    let solved = guidance.inside.solved().filter(|_| !args.product);
    if is_overview(game.states(), args.whole) {
        return Ok(match solved {
            Some(solved) => game_overview(solved, title)?,
            None => product_overview(game, title)?,
        });
    }
    let mut graph = match solved {
        Some(solved) => game_graph(solved, title)?,
        None => product_graph(game, title),
    };
    let explained = |automaton: &Arc<Automaton>| {
        let mut all = specification.requirements.iter().chain(&specification.assumptions);
        let one =
            all.find(|one| one.demand.automaton().is_some_and(|known| Arc::ptr_eq(known, automaton)))?;
        Some((one.id.clone(), expected(one.demand.formula.as_ref()?, automaton)))
    };
    let components: Vec<_> =
        game.components().iter().map(|component| explained(&component.automaton)).collect();
    explain_components(&mut graph, game, &components);
    Ok(graph)
}

/// Whether there are too many states to draw each; says so.
fn is_overview(states: usize, whole: bool) -> bool {
    let is_overview = states > OVERVIEW && !whole;
    if is_overview {
        mention(format_args!(
            "note: {states} states are too many to read, so this is an overview of them; --whole draws every one"
        ));
    }
    is_overview
}

/// The automaton with what its states expect as their names, where they have none of their own.
fn named(automaton: &Automaton, expected: Option<Expected>) -> Automaton {
    let mut named = automaton.clone();
    let formulas = expected.map_or(Vec::new(), |expected| expected.formulas);
    for (state, formula) in named.states.iter_mut().zip(formulas) {
        let name = formula.map(|formula| formula.to_string()).filter(|name| name.len() <= LONGEST_NAME);
        state.name = state.name.take().or(name);
    }
    named
}

/// The longest name of a state in a HOA file, in bytes.
const LONGEST_NAME: usize = 1_000;

/// A requirement, an assumption or a test purpose, and the formula it was made from.
fn automaton_named<'a>(
    specification: &'a Specification,
    id: &str,
) -> Result<(&'a Automaton, Option<&'a Formula>)> {
    let all = || specification.requirements.iter().chain(&specification.assumptions);
    if let Some(one) = all().find(|one| one.id == id) {
        let automaton = one.demand.automaton().with_context(|| format!("`{id}` has no automaton"))?;
        return Ok((automaton, one.demand.formula.as_ref()));
    }
    match specification.objective(id).map(|objective| &objective.goal) {
        Ok(Goal::Purpose(purpose)) => Ok((purpose, None)),
        Ok(_) => bail!("objective `{id}` has no automaton of its own"),
        Err(_) => bail!(Unknown::new("requirement", id, all().map(|one| one.id.as_str()))),
    }
}

fn format(args: &ShowArgs) -> Result<Format> {
    let path = match (args.to, &args.output) {
        (Some(format), _) => return Ok(format),
        (None, None) => return Ok(Format::Dot),
        (None, Some(path)) => path,
    };
    match ending(path).as_str() {
        "" | "dot" | "gv" => Ok(Format::Dot),
        "hoa" => Ok(Format::Hoa),
        "svg" => Ok(Format::Svg),
        _ => bail!(unknown_ending(path, ".svg, .dot, .gv and .hoa")),
    }
}

fn drawn(format: Format, graph: &Graph) -> String {
    if format == Format::Svg { graph.to_svg() } else { graph.to_dot() }
}
