//! `provoke synthesise`: a machine that keeps the requirements, or why there is none.

mod play;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use provoke::automaton::show_guard;
use provoke::format::machine::{MachineFormat, write_machine};
use provoke::machine::Machine;
use provoke::report::count;
use provoke::specification::{Specification, Synthesis};
use provoke::trace::RequirementNumber;
use provoke::verify::synthesis::{Bounds, Spoiler, Turn};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::output::{ending, mention, say, unknown_ending, warn, write_whole};

/// The arguments of `provoke synthesise`.
#[derive(Args)]
pub(crate) struct SynthesiseArgs {
    /// The specification file, a TLSF file, or an automaton (.hoa) that is one requirement
    spec: PathBuf,
    /// The file to write the machine to [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The form of the machine [default: what the file's ending says, or dot]
    #[arg(long, value_enum, value_name = "FORM")]
    format: Option<Form>,
    /// The largest bound to try: how often what is promised may be put off
    #[arg(long, value_name = "K", default_value_t = 16, value_parser = clap::value_parser!(u8).range(0..=128))]
    bound: u8,
    /// Stop looking after so many seconds
    #[arg(long, value_name = "T", default_value_t = 60.0)]
    seconds: f64,
    /// Where no machine keeps the requirements, be the system and see why every answer loses
    #[arg(long, conflicts_with = "json")]
    play: bool,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Dot,
    Kiss2,
    Hoa,
    Aiger,
}

impl From<Form> for MachineFormat {
    fn from(form: Form) -> MachineFormat {
        match form {
            Form::Dot => MachineFormat::Dot,
            Form::Kiss2 => MachineFormat::Kiss2,
            Form::Hoa => MachineFormat::Hoa,
            Form::Aiger => MachineFormat::Aiger,
        }
    }
}

/// A strategy with more turns than this is not printed.
const TURNS: usize = 200;

/// Synthesises, writes and reports.
pub(crate) fn run(args: &SynthesiseArgs) -> Result<Exit> {
    if !(args.seconds > 0.0 && args.seconds <= 1e9) {
        bail!("--seconds must be more than 0");
    }
    let format = format(args)?;
    let started = Instant::now();
    let specification = Specification::load(&args.spec)?;
    warn(&specification.warnings);
    let deadline = Some(started + Duration::from_secs_f64(args.seconds));
    let found = specification.synthesise(Bounds { bound: args.bound, deadline, ..Bounds::default() })?;
    let seconds = started.elapsed().as_secs_f64();
    match found {
        Synthesis::Machine { machine, bound } => {
            let text = write_machine(&machine, format).context("failed to write the machine")?;
            realisable(args, &machine, &text, bound, seconds)
        }
        Synthesis::Unrealisable { core, spoiler, bound } => {
            let told =
                Told { specification: &specification, promises: core.clone(), spoiler, bound, seconds };
            told.unrealisable(args, &core)
        }
        Synthesis::Unknown { spoiler, bound } => {
            let promises = specification.numbers().collect();
            let told = Told { specification: &specification, promises, spoiler, bound, seconds };
            told.unknown(args)
        }
        _ => bail!("synthesis gave an answer that this command does not know"),
    }
}

fn format(args: &SynthesiseArgs) -> Result<MachineFormat> {
    let path = match (args.format, &args.output) {
        (Some(form), _) => return Ok(form.into()),
        (None, None) => return Ok(MachineFormat::Dot),
        (None, Some(path)) => path,
    };
    match ending(path).as_str() {
        "" | "dot" | "gv" => Ok(MachineFormat::Dot),
        "kiss2" | "kiss" => Ok(MachineFormat::Kiss2),
        "hoa" => Ok(MachineFormat::Hoa),
        "aag" => Ok(MachineFormat::Aiger),
        _ => bail!(
            "{}",
            unknown_ending(path, ".dot, .gv, .kiss2, .kiss, .hoa and .aag").replace("--to", "--format")
        ),
    }
}

fn realisable(args: &SynthesiseArgs, machine: &Machine, text: &str, bound: u8, seconds: f64) -> Result<Exit> {
    if let Some(path) = &args.output {
        write_whole(path, text)?;
    }
    if args.json {
        let printed = json!({
            "verdict": "realisable",
            "states": machine.states().len(),
            "bound": bound,
            "seconds": seconds,
            "machine": text,
            "core": null,
            "environment": null,
        });
        say(format_args!("{printed:#}\n"))?;
        return Ok(Exit::Covered);
    }
    let states = count(machine.states().len(), "state");
    let summary = format!("REALISABLE: {states}, bound {bound}, {seconds:.2} s");
    match args.output {
        Some(_) => say(format_args!("{summary}\n"))?,
        None => {
            say(text)?;
            mention(summary);
        }
    }
    Ok(Exit::Covered)
}

/// What is told where there is no machine.
struct Told<'a> {
    specification: &'a Specification,
    /// The requirements that the spoiler's promises are.
    promises: Vec<RequirementNumber>,
    spoiler: Option<Box<Spoiler>>,
    bound: u8,
    seconds: f64,
}

impl Told<'_> {
    fn ids(&self, promises: &[usize]) -> Vec<String> {
        let number = |&at: &usize| self.promises.get(at).copied();
        self.specification.ids(&promises.iter().filter_map(number).collect::<Vec<_>>())
    }

    fn unrealisable(mut self, args: &SynthesiseArgs, core: &[RequirementNumber]) -> Result<Exit> {
        let core = self.specification.ids(core);
        if args.json {
            say(format_args!("{:#}\n", self.to_json("unrealisable", Some(&core))))?;
            return Ok(Exit::Violated);
        }
        match &core[..] {
            [one] => say(format_args!("UNREALISABLE: no machine keeps {one}\n"))?,
            several => say(format_args!("UNREALISABLE: no machine keeps {} together\n", several.join(", ")))?,
        }
        self.tell(args.play)?;
        Ok(Exit::Violated)
    }

    fn unknown(mut self, args: &SynthesiseArgs) -> Result<Exit> {
        if args.json {
            say(format_args!("{:#}\n", self.to_json("unknown", None)))?;
            return Ok(Exit::Exhausted);
        }
        match self.spoiler.is_some() {
            true => say(format_args!(
                "UNKNOWN: unrealisable within bound {}, {:.2} s\n",
                self.bound, self.seconds
            ))?,
            false => say(format_args!(
                "UNKNOWN: neither a machine nor a proof that there is none, {:.2} s\n",
                self.seconds
            ))?,
        }
        self.tell(args.play)?;
        Ok(Exit::Exhausted)
    }

    /// Shows how the environment wins, or lets the user try.
    fn tell(&mut self, play: bool) -> Result<()> {
        let Some(mut spoiler) = self.spoiler.take() else { return Ok(()) };
        if play {
            return play::play(self.specification, &mut spoiler, |promises| self.ids(promises));
        }
        let bound = match spoiler.bound() {
            None => "the environment breaks a requirement for good".to_owned(),
            Some(bound) => format!("the environment keeps a requirement waiting more than {bound} times"),
        };
        say(format_args!("{bound}:\n"))?;
        match spoiler.turns(TURNS) {
            None => say("  its strategy has too many turns to be shown; try it with --play\n"),
            Some(turns) => {
                (0..).zip(&turns).try_for_each(|(number, turn)| say(self.turn_text(number, turn)))?;
                say("--play lets you be the system\n")
            }
        }
    }

    fn turn_text(&self, number: usize, turn: &Turn) -> String {
        let inputs = &self.specification.interface().inputs;
        let mut text = format!("  {:>4}  {}\n", number + 1, inputs.show(turn.input));
        for (answers, to) in &turn.answers {
            let guard = show_guard(&self.specification.space, &answers.outputs);
            match to {
                Some(to) => text.push_str(&format!("          {guard}: on to {}\n", to + 1)),
                None => text.push_str(&format!(
                    "          {guard}: breaks {}\n",
                    self.ids(&answers.breaks).join(", ")
                )),
            }
        }
        text
    }

    fn to_json(&self, verdict: &str, core: Option<&[String]>) -> Value {
        let turns = self.spoiler.as_ref().and_then(|spoiler| spoiler.turns(TURNS));
        let inputs = &self.specification.interface().inputs;
        let turn = |turn: &Turn| {
            let answer = |(answers, to): &(provoke::verify::synthesis::Foreseen, Option<usize>)| {
                json!({
                    "outputs": show_guard(&self.specification.space, &answers.outputs),
                    "to": to,
                    "breaks": self.ids(&answers.breaks),
                })
            };
            json!({
                "input": inputs.show(turn.input).to_string(),
                "answers": turn.answers.iter().map(answer).collect::<Vec<_>>(),
            })
        };
        json!({
            "verdict": verdict,
            "states": null,
            "bound": self.bound,
            "seconds": self.seconds,
            "machine": null,
            "core": core,
            "environment": turns.map(|turns| turns.iter().map(turn).collect::<Vec<_>>()),
        })
    }
}
