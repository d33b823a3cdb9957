//! `provoke convert`: formulas, sentences, TLSF, automata and circuits into each other's formats.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use provoke::automaton::{
    Automaton, buchi, read_hoa, safety_automaton, safety_closure, write_hoa, write_hoa_with,
};
use provoke::bdd::Space;
use provoke::circuit::circuit_of;
use provoke::diagnostic::{Source, brief};
use provoke::draw::automaton_graph;
use provoke::format::aiger::{self, Circuit, is_circuit};
use provoke::format::lts::{self, is_lts};
use provoke::format::{pattern, tlsf};
use provoke::letter::Interface;
use provoke::ltl;
use provoke::ltl::{Formula, Parsed};
use provoke::specification::Specification;

use crate::exit::Exit;
use crate::output::{deliver, ending, mention_bits, unknown_ending, warn};

/// The arguments of `provoke convert`.
#[derive(Args)]
#[command(after_help = AFTER_HELP, after_long_help = long_help())]
pub(crate) struct ConvertArgs {
    /// The file: .hoa, .tlsf, .ltl (one formula), .aut or .dot (a transition system), .aag or .aig (a circuit) or .toml
    /// (a specification)
    #[arg(required_unless_present_any = ["ltl", "pattern"], conflicts_with_all = ["ltl", "pattern"])]
    file: Option<PathBuf>,
    /// A formula instead of a file
    #[arg(long, value_name = "FORMULA", conflicts_with = "pattern")]
    ltl: Option<String>,
    /// A structured English sentence instead of a file
    #[arg(long, value_name = "SENTENCE")]
    pattern: Option<String>,
    /// What to make of it
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<Format>,
    /// Write to this file; its ending chooses the format unless --to does [default: standard output, HOA]
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The propositions of the formula that are outputs, separated by commas; all others are inputs
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "file")]
    outputs: Vec<String>,
    /// Give a parameter of a TLSF file another value
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    set: Vec<(String, i64)>,
}

const AFTER_HELP: &str = "\
Examples:
  provoke convert --ltl 'G(a -> F b)' --to hoa
  provoke convert --ltl 'G(a -> X b)' --to monitor -o monitor.hoa
  provoke convert arbiter.tlsf --set n=4 --to ltl
  provoke convert coffee.aut --to dot
  provoke convert --ltl 'G(a -> X b)' --outputs b --to aag";

fn long_help() -> String {
    format!("Sentences:\n{}\n\n{AFTER_HELP}", pattern::forms())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A Büchi automaton in the HOA format
    Hoa,
    /// The smallest deterministic safety automaton, in the HOA format: a missing transition is a bad prefix
    Monitor,
    /// The Büchi automaton for Graphviz
    Dot,
    /// The Büchi automaton, drawn
    Svg,
    /// One formula in Spot's spelling, for infinite traces: `X` for `N`, bounds spelled out
    Ltl,
    /// A TLSF file of the basic format
    Tlsf,
    /// The suspension automaton of a transition system, in the Aldebaran format
    Aut,
    /// The smallest deterministic safety automaton as a circuit, in ASCII AIGER: `error` is a bad prefix
    Aag,
    /// The same in binary AIGER
    Aig,
}

/// What was read.
enum Input {
    Formulas(Formulas),
    Automaton(Automaton),
    /// A labelled transition system that is a specification by itself.
    Transitions(Box<Specification>),
    Circuit(Circuit),
}

/// A specification as formulas.
struct Formulas {
    title: String,
    interface: Interface,
    assumptions: Vec<Formula>,
    guarantees: Vec<Formula>,
    /// All of it as one formula.
    whole: Formula,
}

/// Reads and writes.
pub(crate) fn run(args: &ConvertArgs) -> Result<Exit> {
    let format = format(args)?;
    let written = match read(args)? {
        Input::Automaton(automaton) => of_automaton(automaton, format)?,
        Input::Formulas(formulas) => of_formulas(&formulas, format)?,
        Input::Transitions(specification) => of_transitions(&specification, format)?,
        Input::Circuit(circuit) => of_circuit(&circuit, format)?,
    };
    deliver(args.output.as_deref(), written)?;
    Ok(Exit::Covered)
}

fn read(args: &ConvertArgs) -> Result<Input> {
    match (&args.ltl, &args.pattern, &args.file) {
        (Some(text), ..) => {
            let source = Source::new("--ltl", &**text);
            of_text(ltl::parse_in(&source, 0..text.len(), None)?, &args.outputs)
        }
        (_, Some(text), _) => {
            let source = Source::new("--pattern", &**text);
            of_text(pattern::parse_in(&source, 0..text.len(), None)?, &args.outputs)
        }
        (_, _, Some(path)) => read_file(path, &args.set),
        _ => bail!("nothing to convert: name a file, or give --ltl or --pattern"),
    }
}

fn read_file(path: &Path, parameters: &[(String, i64)]) -> Result<Input> {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    if ending == "toml" {
        return of_specification(&Specification::load(path)?, path);
    }
    if is_lts(path) {
        let specification = Specification::load(path)?;
        warn(&specification.warnings);
        return Ok(Input::Transitions(Box::new(specification)));
    }
    if is_circuit(path) {
        return Ok(Input::Circuit(aiger::read_file(path)?.0));
    }
    let source = Source::read(path)?;
    match ending {
        "hoa" => Ok(Input::Automaton(read_hoa(&source, None)?.0)),
        "tlsf" => {
            let parameters: Vec<(&str, i64)> =
                parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
            let read = tlsf::read(&source, &parameters)?;
            let moved =
                |formulas: Vec<Formula>| formulas.iter().map(|one| read.over_exchanges(one)).collect();
            Ok(Input::Formulas(Formulas {
                whole: read.over_exchanges(&read.formula()),
                assumptions: moved(read.assumptions()),
                guarantees: moved(read.guarantees()),
                title: read.title.clone(),
                interface: read.interface.clone(),
            }))
        }
        "ltl" | "txt" => of_text(ltl::parse_in(&source, 0..source.text.len(), None)?, &[]),
        _ => bail!("`{}` is none of .hoa, .tlsf, .ltl, .aut, .dot, .aag, .aig and .toml", path.display()),
    }
}

/// A formula on its own: its propositions are inputs unless they are called outputs.
fn of_text(parsed: Parsed, outputs: &[String]) -> Result<Input> {
    warn(&parsed.warnings);
    let formula = parsed.formula;
    let names = formula.propositions();
    let inputs = names.iter().map(|name| name.to_string()).filter(|name| !outputs.contains(name));
    let interface = Interface::signals(inputs, outputs.iter().cloned())?;
    Ok(Input::Formulas(Formulas {
        title: formula.to_string(),
        interface,
        assumptions: Vec::new(),
        guarantees: vec![formula.clone()],
        whole: formula,
    }))
}

fn of_specification(specification: &Specification, path: &Path) -> Result<Input> {
    warn(&specification.warnings);
    let formulas = |all: &[provoke::specification::Requirement]| -> Result<Vec<Formula>> {
        let formula = |one: &provoke::specification::Requirement| {
            let formula = one.demand.formula.clone();
            formula
                .with_context(|| format!("`{}` is an automaton, not a formula; see `provoke show`", one.id))
        };
        all.iter().map(formula).collect()
    };
    let (assumptions, guarantees) =
        (formulas(&specification.assumptions)?, formulas(&specification.requirements)?);
    let all = Formula::all_of(guarantees.clone());
    let whole = match &assumptions[..] {
        [] => all,
        _ => Formula::all_of(assumptions.clone()).implies(all),
    };
    let interface = specification.interface().clone();
    Ok(Input::Formulas(Formulas {
        title: path.display().to_string(),
        interface,
        assumptions,
        guarantees,
        whole,
    }))
}

fn of_automaton(automaton: Automaton, format: Format) -> Result<Vec<u8>> {
    if matches!(format, Format::Hoa | Format::Monitor) {
        mention_bits(automaton.space.interface());
    }
    let text = match format {
        Format::Hoa => write_hoa(&automaton)?,
        Format::Monitor => write_hoa(&safety_closure(&automaton)?)?,
        Format::Dot => automaton_graph(&automaton).to_dot(),
        Format::Svg => automaton_graph(&automaton).to_svg(),
        Format::Ltl | Format::Tlsf => bail!("an automaton cannot be written as a formula"),
        Format::Aut => bail!("only a labelled transition system can be written as .aut"),
        Format::Aag | Format::Aig => return as_circuit(&safety_closure(&automaton)?, format),
    };
    Ok(text.into())
}

/// A deterministic safety automaton as a circuit.
fn as_circuit(automaton: &Automaton, format: Format) -> Result<Vec<u8>> {
    if !automaton.space.interface().is_boolean() {
        bail!("a circuit is about Boolean signals, and these are labels");
    }
    of_circuit(&circuit_of(automaton, &[]), format)
}

fn of_circuit(circuit: &Circuit, format: Format) -> Result<Vec<u8>> {
    match format {
        Format::Aag => Ok(circuit.to_ascii().into()),
        Format::Aig => Ok(circuit.to_binary()),
        _ => bail!("a circuit can be written as .aag and .aig only"),
    }
}

/// The suspension automaton; as HOA and as a picture, the automaton over exchanges that it is played as.
fn of_transitions(specification: &Specification, format: Format) -> Result<Vec<u8>> {
    let automaton = || {
        let first = specification.requirements.first().and_then(|one| one.demand.automaton());
        first.map(|automaton| Automaton::clone(automaton)).context("it has too many states")
    };
    let suspension = || {
        let model = specification.programs().next().and_then(|model| model.suspension());
        Ok::<_, anyhow::Error>(model.context("this is not a labelled transition system")?.to_lts())
    };
    let mut text = Vec::new();
    match format {
        Format::Aut => lts::write_aut(&suspension()?, &mut text)?,
        Format::Dot => lts::write_dot(&suspension()?, &mut text)?,
        format => return of_automaton(automaton()?, format),
    }
    Ok(text)
}

fn of_formulas(formulas: &Formulas, format: Format) -> Result<Vec<u8>> {
    let space = || Arc::new(Space::new(formulas.interface.clone()));
    let named = |automaton: Result<Automaton, provoke::automaton::TranslationError>| -> Result<Automaton> {
        let automaton =
            automaton.map_err(|error| anyhow!("cannot translate {}: {error}", brief(&formulas.title)))?;
        Ok(Automaton { name: Some(formulas.title.clone()), ..automaton })
    };
    let text = match format {
        Format::Hoa | Format::Monitor => {
            mention_bits(&formulas.interface);
            let translate = if format == Format::Hoa { buchi } else { safety_automaton };
            match in_order_of_use(formulas) {
                None => write_hoa(&named(translate(&formulas.whole, &space()))?)?,
                Some(ordered) => {
                    let automaton = named(translate(&formulas.whole, &Arc::new(Space::new(ordered))))?;
                    let Interface { inputs, outputs } = &formulas.interface;
                    let names = inputs.names().chain(outputs.names()).map(str::to_owned).collect();
                    write_hoa_with(&automaton, names, inputs.len())?
                }
            }
        }
        Format::Dot => automaton_graph(&named(buchi(&formulas.whole, &space()))?).to_dot(),
        Format::Svg => automaton_graph(&named(buchi(&formulas.whole, &space()))?).to_svg(),
        Format::Ltl => format!("{}\n", written(&formulas.whole)),
        Format::Tlsf => {
            let Formulas { title, interface, assumptions, guarantees, .. } = formulas;
            tlsf::write(title, interface, assumptions, guarantees).map_err(anyhow::Error::msg)?
        }
        Format::Aut => bail!("only a labelled transition system can be written as .aut"),
        Format::Aag | Format::Aig => {
            return as_circuit(&named(safety_automaton(&formulas.whole, &space()))?, format);
        }
    };
    Ok(text.into())
}

/// The formula in what other tools read; bounds that would be very long without are kept, as Spot reads them.
fn written(formula: &Formula) -> Formula {
    if formula.has_past() {
        warn(&["operators that look back are kept: nuXmv reads them, Spot does not"]);
    }
    formula.plain().unwrap_or_else(|| {
        warn(&["bounds are kept, which Spot reads and others may not: without them it would be very long"]);
        formula.clone()
    })
}

/// The signals of an interface in the order in which the formula names them, as inputs all: signals that belong
/// together stand side by side then, and guards stay small that would be exponential with all inputs before all
/// outputs. Nothing where there is anything but Boolean signals, or two signals of one name.
fn in_order_of_use(formulas: &Formulas) -> Option<Interface> {
    let Interface { inputs, outputs } = &formulas.interface;
    if !formulas.interface.is_boolean() {
        return None;
    }
    let known = |name: &str| inputs.knows(name) || outputs.knows(name);
    let mut names: Vec<String> = formulas.whole.propositions().iter().map(|name| name.to_string()).collect();
    if !names.iter().all(|name| known(name)) {
        return None;
    }
    let used: HashSet<String> = names.iter().cloned().collect();
    let unused = inputs.names().chain(outputs.names()).filter(|name| !used.contains(*name));
    names.extend(unused.map(str::to_owned));
    Interface::signals(names, []).ok()
}

fn format(args: &ConvertArgs) -> Result<Format> {
    let path = match (args.to, &args.output) {
        (Some(format), _) => return Ok(format),
        (None, None) if args.file.as_deref().is_some_and(is_lts) => return Ok(Format::Aut),
        (None, None) if args.file.as_deref().is_some_and(is_circuit) => return Ok(Format::Aag),
        (None, None) => return Ok(Format::Hoa),
        (None, Some(path)) => path,
    };
    match ending(path).as_str() {
        "" | "hoa" => Ok(Format::Hoa),
        "dot" | "gv" => Ok(Format::Dot),
        "svg" => Ok(Format::Svg),
        "ltl" => Ok(Format::Ltl),
        "tlsf" => Ok(Format::Tlsf),
        "aut" => Ok(Format::Aut),
        "aag" => Ok(Format::Aag),
        "aig" => Ok(Format::Aig),
        _ => bail!(unknown_ending(path, ".hoa, .dot, .gv, .svg, .ltl, .tlsf, .aut, .aag and .aig")),
    }
}

fn parameter(text: &str) -> Result<(String, i64), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let value = value.trim().parse().map_err(|_| format!("`{value}` is not a whole number"))?;
    Ok((name.trim().to_owned(), value))
}
