//! `provoke mutate`: machines with one fault each.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Args;
use provoke::format::machine::{self, MachineFormat, write_machine};
use provoke::letter::Interface;
use provoke::machine::{Machine, Mutant, Operator, flips, flips_over, mutants};
use provoke::report::count;
use provoke::rng::Rng;
use provoke::specification::Specification;
use provoke::verify::{Counterexample, Outcome};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::output::{ending, say, warn, write_whole};
use crate::verify::steps;

/// The arguments of `provoke mutate`.
#[derive(Args)]
pub(crate) struct MutateArgs {
    /// The machine: DOT, KISS2, fsm, aut, HOA or a table
    machine: PathBuf,
    /// How many mutants to make
    #[arg(long, value_name = "N", default_value_t = 100)]
    count: usize,
    /// The seed of all choices
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Say of each mutant whether it keeps the requirements of this specification
    #[arg(long, value_name = "SPEC")]
    spec: Option<PathBuf>,
    /// The folder to write the mutants to
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

/// What the requirements make of a mutant.
enum Class {
    Violating { requirement: String, found: Counterexample },
    Conforming,
    Unknown,
}

impl Class {
    fn word(&self) -> &'static str {
        match self {
            Class::Violating { .. } => "violating",
            Class::Conforming => "conforming",
            Class::Unknown => "unknown",
        }
    }

    fn kind(&self) -> Option<&'static str> {
        match self {
            Class::Violating { found, .. } => Some(if found.is_finite() { "safety" } else { "liveness" }),
            _ => None,
        }
    }
}

/// Makes mutants, classifies and writes them.
pub(crate) fn run(args: &MutateArgs) -> Result<Exit> {
    let machine = machine::read(&args.machine)?;
    let specification = args.spec.as_deref().map(Specification::load).transpose()?;
    if let Some(specification) = &specification {
        warn(&specification.warnings);
        // A machine that does not fit shows where, before any mutant is made.
        specification.machine(&args.machine)?;
    }
    let mut rng = Rng::new(args.seed);
    let found = match &specification {
        Some(specification) => {
            mutants(&machine, args.count, &mut rng, flips_over(&machine, &specification.interface().outputs))
        }
        None => mutants(&machine, args.count, &mut rng, flips(&machine)),
    };
    let classes =
        specification.as_ref().map(|specification| classified(specification, &found)).transpose()?;
    let files = args.output.as_deref().map(|folder| written(folder, &args.machine, &found)).transpose()?;
    let interface = specification.as_ref().map(Specification::interface);
    if args.json {
        say(format_args!(
            "{:#}\n",
            to_json(args, &machine, &found, classes.as_deref(), files.as_deref(), interface)
        ))?;
    } else {
        for (at, mutant) in found.iter().enumerate() {
            let class = classes.as_ref().map(|classes| &classes[at]);
            say(to_text(at + 1, &machine, mutant, class))?;
        }
        say(summary(args, &found, classes.as_deref()))?;
    }
    Ok(Exit::Covered)
}

fn classified(specification: &Specification, found: &[Mutant]) -> Result<Vec<Class>> {
    let verifier = specification.verifier()?;
    let class = |mutant: &Mutant| {
        let verification = verifier.verify(&specification.reactions(&mutant.machine)?)?;
        let broken = verification.outcomes.iter().zip(&specification.requirements);
        let broken = broken.filter_map(|(outcome, requirement)| match outcome {
            Outcome::Violated(found) => Some((found, requirement)),
            _ => None,
        });
        // What finitely many steps show comes first, then what is shorter.
        Ok(match (broken.min_by_key(|(found, _)| (!found.is_finite(), found.len())), verification.holds()) {
            (Some((found, requirement)), _) => {
                Class::Violating { requirement: requirement.id.clone(), found: found.clone() }
            }
            (None, Some(true)) => Class::Conforming,
            (None, _) => Class::Unknown,
        })
    };
    found.iter().map(class).collect()
}

/// Writes every mutant in the format of the machine, or as DOT where that cannot be written.
fn written(folder: &Path, machine: &Path, found: &[Mutant]) -> Result<Vec<String>> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("failed to make the folder {}", folder.display()))?;
    let (format, ending) = match ending(machine).as_str() {
        "kiss2" | "kiss" => (MachineFormat::Kiss2, "kiss2"),
        "hoa" => (MachineFormat::Hoa, "hoa"),
        _ => (MachineFormat::Dot, "dot"),
    };
    let write = |(at, mutant): (usize, &Mutant)| {
        let path = folder.join(format!("mutant-{:03}.{ending}", at + 1));
        write_whole(&path, &write_machine(&mutant.machine, format).context("failed to write a mutant")?)?;
        Ok(path.display().to_string())
    };
    found.iter().enumerate().map(write).collect()
}

/// The inputs of the transition: one, or how many.
fn inputs(machine: &Machine, mutant: &Mutant) -> String {
    match mutant.inputs[..] {
        [one] => machine.inputs().name(one).into_owned(),
        ref several => cube(machine, several),
    }
}

/// Inputs that differ in some bits, with `-` for those.
fn cube(machine: &Machine, inputs: &[u32]) -> String {
    let names: Vec<Vec<char>> =
        inputs.iter().map(|&input| machine.inputs().name(input).chars().collect()).collect();
    let bit = |at: usize| match names.iter().all(|name| name.get(at) == names[0].get(at)) {
        true => names[0][at],
        false => '-',
    };
    (0..names[0].len()).map(bit).collect()
}

fn ends(machine: &Machine, mutant: &Mutant) -> (String, String) {
    match mutant.operator {
        Operator::Retarget => {
            let name = |state| machine.states().name(state).into_owned();
            (name(mutant.before), name(mutant.after))
        }
        Operator::Flip => {
            let name = |output| mutant.machine.outputs().name(output).into_owned();
            (name(mutant.before), name(mutant.after))
        }
    }
}

fn to_text(number: usize, machine: &Machine, mutant: &Mutant, class: Option<&Class>) -> String {
    let (before, after) = ends(machine, mutant);
    let state = machine.states().name(mutant.state);
    let what = match mutant.operator {
        Operator::Retarget => format!("leads to {after} instead of {before}"),
        Operator::Flip => format!("answers {after} instead of {before}"),
    };
    let mut text = format!(
        "mutant {number}: {} on {} in {state} {what}",
        mutant.operator.word(),
        inputs(machine, mutant)
    );
    match class {
        Some(Class::Violating { requirement, found }) if found.is_finite() => {
            text.push_str(&format!("; violates {requirement} after {}", count(found.stem.len(), "step")));
        }
        Some(Class::Violating { requirement, found }) => text.push_str(&format!(
            "; violates {requirement} in the long run: {}, then {} for ever",
            count(found.stem.len(), "step"),
            count(found.cycle.len(), "step")
        )),
        Some(other) => text.push_str(&format!("; {}", other.word())),
        None => {}
    }
    text + "\n"
}

fn summary(args: &MutateArgs, found: &[Mutant], classes: Option<&[Class]>) -> String {
    let mut text = count(found.len(), "mutant");
    if found.len() < args.count {
        text.push_str(&format!(" (no more than these differ; {} were asked for)", args.count));
    }
    if let Some(classes) = classes {
        let [safety, liveness, conforming, unknown] = totals(classes);
        text.push_str(&format!(": {safety} violate a safety requirement, {liveness} one in the long run only, {conforming} conform"));
        if unknown > 0 {
            text.push_str(&format!(", {unknown} unknown"));
        }
    }
    text + "\n"
}

fn totals(classes: &[Class]) -> [usize; 4] {
    let of = |test: &dyn Fn(&Class) -> bool| classes.iter().filter(|class| test(class)).count();
    [
        of(&|class| class.kind() == Some("safety")),
        of(&|class| class.kind() == Some("liveness")),
        of(&|class| matches!(class, Class::Conforming)),
        of(&|class| matches!(class, Class::Unknown)),
    ]
}

fn to_json(
    args: &MutateArgs,
    machine: &Machine,
    found: &[Mutant],
    classes: Option<&[Class]>,
    files: Option<&[String]>,
    interface: Option<&Interface>,
) -> Value {
    let mutant = |(at, mutant): (usize, &Mutant)| {
        let class = classes.map(|classes| &classes[at]);
        let (before, after) = ends(machine, mutant);
        let broken = match (class, interface) {
            (Some(Class::Violating { requirement, found }), Some(interface)) => {
                Some((requirement, found, interface))
            }
            _ => None,
        };
        json!({
            "number": at + 1,
            "operator": mutant.operator.word(),
            "state": machine.states().name(mutant.state),
            "inputs": inputs(machine, mutant),
            "before": before,
            "after": after,
            "file": files.map(|files| &files[at]),
            "class": class.map(Class::word),
            "kind": class.and_then(Class::kind),
            "requirement": broken.map(|(requirement, ..)| requirement),
            "trace": broken.map(|(_, found, interface)| steps(&found.stem, interface)),
            "loop": broken.map(|(_, found, interface)| steps(&found.cycle, interface)),
        })
    };
    let totals = classes.map(totals);
    json!({
        "states": machine.states().len(),
        "seed": args.seed,
        "asked": args.count,
        "violating": totals.map(|[safety, liveness, ..]| safety + liveness),
        "safety": totals.map(|[safety, ..]| safety),
        "liveness": totals.map(|[_, liveness, ..]| liveness),
        "conforming": totals.map(|[_, _, conforming, _]| conforming),
        "unknown": totals.map(|[.., unknown]| unknown),
        "mutants": found.iter().enumerate().map(mutant).collect::<Vec<_>>(),
    })
}
