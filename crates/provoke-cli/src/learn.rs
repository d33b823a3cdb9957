//! `provoke learn`: the system as a machine, how sure that is, and what changed.

mod watch;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use provoke::campaign::Limits;
use provoke::format::machine::{MachineFormat, WriteError, write_machine};
use provoke::format::recording;
use provoke::learn::{Contradiction, Difference, Gauge, Learnt, Patience, write_memory};
use provoke::letter::Interface;
use provoke::machine::Reactions;
use provoke::report::{count, withheld};
use provoke::session::{Curriculum, Lesson, learn};
use provoke::specification::{Opened, Specification};
use provoke::system::interrupt::{self, Interrupt};
use provoke::trace::Step;
use serde_json::{Value, json};

use self::watch::Watch;
use crate::exit::Exit;
use crate::output::{ending, mention, recall, say, unknown_ending, warn, write_whole};
use crate::system;

/// The arguments of `provoke learn`.
#[derive(Args)]
pub(crate) struct LearnArgs {
    /// The specification file; requirements do not matter here
    spec: PathBuf,
    /// The file to write the machine to: .dot, .kiss2 or .hoa [default: none, only the summary]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// It is over once nothing new came for so many steps [default: three times as many as came before the last that was new, at least 10000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    patience: Option<u64>,
    /// The most steps in all [default: no limit]
    #[arg(long, value_name = "N")]
    total_steps: Option<u64>,
    /// The most steps in one run
    #[arg(long, value_name = "K", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// The most wall time
    #[arg(long, value_name = "T", value_parser = crate::test::seconds)]
    seconds: Option<Duration>,
    /// The most exchanges to remember
    #[arg(long, value_name = "N", default_value_t = 1 << 22, value_parser = crate::options::states)]
    nodes: usize,
    /// The seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Take in a recorded run first; may be given several times
    #[arg(long = "from", value_name = "RECORDING", conflicts_with = "no_reset")]
    from: Vec<PathBuf>,
    /// Start from what this file remembers, if it is there, and write what was seen to it
    #[arg(long, value_name = "FILE", conflicts_with = "no_reset")]
    memory: Option<PathBuf>,
    /// Say on which shortest words the system is seen to differ from this machine
    #[arg(long, value_name = "MACHINE")]
    compare: Option<PathBuf>,
    /// Reset the system once and never again: learn within one run, by a homing word
    #[arg(long, visible_alias = "without-reset")]
    no_reset: bool,
    /// Print one JSON object on standard output and nothing else
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    system: system::SystemArgs,
}

/// Words of more letters than this are not counted.
const MOST_DEPTH: usize = 8;

/// Learns and reports.
pub(crate) fn run(args: &LearnArgs) -> Result<Exit> {
    let started = Instant::now();
    let specification = Specification::load(&args.spec)?;
    warn(&specification.warnings);
    let interface = specification.interface();
    let format = args.output.as_deref().map(|path| writable(path, interface)).transpose()?;
    args.memory.as_deref().map(in_a_folder).transpose()?;
    let old = args.compare.as_deref().map(|path| comparable(&specification, path)).transpose()?;
    let read = |path: &PathBuf| recording::read(path, interface, &recording::Options::default());
    let recordings = args.from.iter().map(read).collect::<Result<_, _>>()?;
    let memory =
        args.memory.as_deref().map(|path| recall(path, interface, args.nodes)).transpose()?.flatten();
    let Opened { mut system, .. } = system::open_with(&specification, &args.system, true, args.seed)?;
    let limits = Limits {
        runs: u64::MAX,
        steps: args.steps,
        grow: 0,
        total_steps: args.total_steps.unwrap_or(u64::MAX),
        time: args.seconds,
    };
    let patience = args.patience.map_or(Patience::AsLongAsItTook, Patience::Steps);
    let gauge = Arc::new(Gauge::default());
    let mut watch = Watch::new(gauge.clone(), args.json);
    let curriculum = Curriculum {
        patience,
        limits,
        nodes: args.nodes,
        seed: args.seed,
        without_reset: args.no_reset,
        memory,
        recordings,
        old,
        gauge,
    };
    let lesson = learn(&specification, &mut *system, curriculum, &mut watch);
    watch.clear();
    drop(system);
    let lesson = lesson?;
    let interrupted = interrupt::requested();
    let Some(learnt) = &lesson.learnt else {
        return nothing(args, &lesson, interface, started, interrupted);
    };
    let write = |path: &Path, format: MachineFormat| {
        let machine = learnt.learner.machine(interface).context("failed to make the machine")?;
        let text = write_machine(&machine, format)
            .with_context(|| format!("failed to write the machine to {}", path.display()))?;
        write_whole(path, &text)
    };
    // What cannot be written is said once it was told what was learnt.
    let written = args.output.as_deref().zip(format).map_or(Ok(()), |(path, format)| write(path, format));
    let remembered = match &args.memory {
        Some(path) => write_whole(path, write_memory(&learnt.learner.remembered(), interface)),
        None => Ok(()),
    };
    let told = Told {
        lesson: &lesson,
        learnt,
        interface,
        depth: learnt.learner.depth_tried(MOST_DEPTH),
        enough: is_enough(&lesson, learnt),
        seconds: started.elapsed().as_secs_f64(),
        is_written: args.output.is_some() && written.is_ok(),
        interrupted,
    };
    match args.json {
        true => say(format_args!("{:#}\n", told.json(args)))?,
        false => say(told.text(args))?,
    }
    let kept = written.and(remembered);
    if lesson.broken.is_some() {
        // That the system broke is told by the exit code, whatever else went wrong.
        kept.unwrap_or_else(|error| mention(format_args!("error: {error:#}")));
        return Ok(Exit::Broken);
    }
    kept?;
    Ok(match &lesson.differences {
        Some(differences) if !differences.is_empty() => Exit::Violated,
        _ if told.enough => Exit::Covered,
        _ => Exit::Exhausted.or_interrupted(interrupted),
    })
}

/// Whether the machine is learnt: complete, for as long as there was patience, with runs that are long enough to show that.
fn is_enough(lesson: &Lesson, learnt: &Learnt) -> bool {
    let is_deterministic = learnt.contradiction.as_ref().is_none_or(|found| !found.confirmed);
    let is_whole = lesson.broken.is_none() && lesson.needed_steps.is_none() && learnt.is_complete();
    learnt.is_over && is_deterministic && is_whole
}

/// What is told where nothing was seen.
fn nothing(
    args: &LearnArgs,
    lesson: &Lesson,
    interface: &Interface,
    started: Instant,
    interrupted: Option<Interrupt>,
) -> Result<Exit> {
    if let Some(broken) = &lesson.broken {
        let told = json!({
            "verdict": "broken",
            "seed": args.seed,
            "runs": lesson.runs,
            "steps": lesson.steps,
            "seconds": started.elapsed().as_secs_f64(),
            "model": null,
            "system": broken.to_json(interface),
        });
        match args.json {
            true => say(format_args!("{told:#}\n"))?,
            false => say(broken.to_text(interface))?,
        }
        return Ok(Exit::Broken);
    }
    if args.total_steps == Some(0) || args.seconds == Some(Duration::ZERO) || interrupted.is_some() {
        mention("nothing was learnt: there was no time for a step");
        return Ok(Exit::Exhausted.or_interrupted(interrupted));
    }
    bail!("nothing was learnt: no input may be sent")
}

/// An older machine to hold the system against.
fn comparable(specification: &Specification, path: &Path) -> Result<Reactions> {
    // Some devices have no end, and pipes may have no beginning.
    let is_other = path.metadata().is_ok_and(|there| !there.is_file());
    ensure!(!is_other, "cannot compare with {}: it is not a file", path.display());
    Ok(specification.machine(path)?)
}

/// The format of a file that a machine over this interface can be written to: that is known before anything is learnt.
fn writable(path: &Path, interface: &Interface) -> Result<MachineFormat> {
    let format = format(path)?;
    in_a_folder(path)?;
    ensure!(!is_pipe(path), "cannot write the machine to {}: it is a pipe", path.display());
    if format != MachineFormat::Dot && !interface.is_boolean() {
        let said = format!("cannot write the machine to {}", path.display());
        return Err(WriteError::Labels).context(said);
    }
    Ok(format)
}

/// Whether writing to a file may wait for somebody who reads it: for ever, where nobody does.
fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        path.symlink_metadata().is_ok_and(|there| there.file_type().is_fifo())
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// That there is a folder for a file.
fn in_a_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    ensure!(folder.is_dir(), "cannot write {}: there is no folder {}", path.display(), folder.display());
    Ok(())
}

fn format(path: &Path) -> Result<MachineFormat> {
    match ending(path).as_str() {
        "" | "dot" | "gv" => Ok(MachineFormat::Dot),
        "kiss2" | "kiss" => Ok(MachineFormat::Kiss2),
        "hoa" => Ok(MachineFormat::Hoa),
        _ => {
            let said = unknown_ending(path, ".dot, .gv, .kiss2, .kiss and .hoa");
            bail!("{}", said.split(';').next().unwrap_or_default())
        }
    }
}

struct Told<'a> {
    lesson: &'a Lesson,
    learnt: &'a Learnt,
    interface: &'a Interface,
    depth: usize,
    enough: bool,
    seconds: f64,
    is_written: bool,
    interrupted: Option<Interrupt>,
}

impl Told<'_> {
    fn text(&self, args: &LearnArgs) -> String {
        let Told { lesson, learnt, .. } = self;
        let (tried, all) = learnt.transitions;
        let mut text = String::new();
        if let Some(changed) = &learnt.changed {
            text.push_str("the system has changed since it was remembered:\n");
            text.push_str(&self.contradiction(changed));
        }
        if let Some(found) = &learnt.contradiction {
            text.push_str(match found.confirmed {
                true => {
                    "the system is not deterministic: it answered one word in two ways, and did so again\n"
                }
                false => "the system answered one word in two ways once, and never again\n",
            });
            text.push_str(&self.contradiction(found));
            if !found.confirmed {
                text.push_str(
                    "  if the second answer was chance, the machine may be wrong wherever chance came in\n",
                );
            }
        }
        if let Some(last) = learnt.ended.as_ref().filter(|_| self.interrupted.is_none()) {
            text.push_str(&self.ended(last));
        }
        for (at, difference) in lesson.differences.iter().flatten().enumerate() {
            text.push_str(&self.difference(at, difference));
        }
        if lesson.differences.as_ref().is_some_and(Vec::is_empty) {
            text.push_str(match self.enough {
                true => "nothing has changed: it answers every word like the old machine\n",
                false => "no difference from the old machine was seen so far\n",
            });
        }
        if let Some(broken) = &lesson.broken {
            text.push_str(&broken.to_text(self.interface));
        }
        let verdict = self.verdict().to_uppercase();
        text.push_str(&format!(
            "{verdict}: {}, {tried} of {all} transitions tried, {}, {}, {:.2} s\n",
            count(learnt.states, "state"),
            count(lesson.runs as usize, "run"),
            count(lesson.steps as usize, "step"),
            self.seconds
        ));
        text.push_str(&format!(
            "how sure: all words of {} beyond the access words were tried; {} since the last surprise\n",
            count(self.depth, "letter"),
            count(learnt.since_surprise as usize, "step"),
        ));
        text.push_str(&withheld(learnt.withheld));
        if let Some(all) = learnt.inputs_in_all {
            text.push_str(&format!(
                "only {} of {all} inputs were tried: the machine says nothing of the others\n",
                learnt.inputs
            ));
        }
        if let Some(needed) = lesson.needed_steps {
            text.push_str(&format!(
                "runs of {} are too short to try everything and tell where it leads: that takes {needed} or more (--steps)\n",
                count(args.steps, "step")
            ));
        }
        if learnt.unexplained > 0 {
            text.push_str(&format!(
                "the first {} of the run do not fit it: the system has left for good what it did then\n",
                count(learnt.unexplained as usize, "step")
            ));
        }
        if learnt.learner.tree().is_full() {
            text.push_str(&format!("there was no room for more than {} exchanges (--nodes)\n", args.nodes));
        }
        if let Some(interrupt) = self.interrupted {
            text.push_str(&format!("interrupted by {}\n", interrupt.word()));
        }
        if let Some(path) = args.output.as_ref().filter(|_| self.is_written) {
            text.push_str(&format!("written to {}\n", path.display()));
        }
        text
    }

    fn verdict(&self) -> &'static str {
        match (&self.lesson.broken, self.enough) {
            (Some(_), _) => "broken",
            (None, true) => "learnt",
            (None, false) => "exhausted",
        }
    }

    fn line(&self, step: &Step) -> String {
        let Interface { inputs, outputs, .. } = self.interface;
        format!("  {} / {}\n", inputs.show(step.input), outputs.show(step.output))
    }

    fn ended(&self, last: &[Step]) -> String {
        let said = format!(
            "the system has ended after {}: without a reset no more can be learnt\n",
            count(self.lesson.steps as usize, "step")
        );
        let before = if last.len() < self.lesson.steps as usize { "  ...\n" } else { "" };
        last.iter().fold(said + before, |text, step| text + &self.line(step))
    }

    fn contradiction(&self, found: &Contradiction) -> String {
        let mut text: String = found.first.iter().map(|step| self.line(step)).collect();
        let differs = found.first.iter().zip(&found.second).find(|(one, other)| one != other);
        if let Some((_, other)) = differs {
            text.push_str(&format!("  but once:\n{}", self.line(other)));
        }
        text
    }

    fn difference(&self, at: usize, found: &Difference) -> String {
        let Interface { inputs, outputs, .. } = self.interface;
        let mut text = format!("difference {}, after {}:\n", at + 1, count(found.before.len() + 1, "step"));
        text.extend(found.before.iter().map(|step| self.line(step)));
        let show = |letter: Option<_>| {
            letter.map_or("nothing".to_owned(), |letter| outputs.show(letter).to_string())
        };
        text + &format!("  {} / {} (was {})\n", inputs.show(found.input), show(found.new), show(found.old))
    }

    fn json(&self, args: &LearnArgs) -> Value {
        let Told { lesson, learnt, interface, .. } = self;
        let step = |step: &Step| {
            let (input, output) = (interface.inputs.show(step.input), interface.outputs.show(step.output));
            json!({ "input": input.to_string(), "output": output.to_string() })
        };
        let steps = |trace: &[Step]| trace.iter().map(step).collect::<Vec<_>>();
        let contradiction = |found: &Contradiction| json!({ "first": steps(&found.first), "second": steps(&found.second), "confirmed": found.confirmed });
        let letter = |letter: Option<_>| letter.map(|letter| interface.outputs.show(letter).to_string());
        let difference = |found: &Difference| {
            json!({
                "length": found.before.len() + 1,
                "trace": steps(&found.before),
                "input": interface.inputs.show(found.input).to_string(),
                "old": letter(found.old),
                "new": letter(found.new),
            })
        };
        json!({
            "verdict": self.verdict(),
            "states": learnt.states,
            "transitions": learnt.transitions.0,
            "transitions_in_all": learnt.transitions.1,
            "withheld_transitions": learnt.withheld,
            "inputs": learnt.inputs,
            "inputs_in_all": learnt.inputs_in_all.map(|all| all.to_string()),
            "unexplained_steps": learnt.unexplained,
            "ended": learnt.ended.as_ref().filter(|_| self.interrupted.is_none()).map(|last| steps(last)),
            "interrupted": self.interrupted.map(Interrupt::word),
            "complete": learnt.is_complete(),
            "seed": args.seed,
            "runs": lesson.runs,
            "steps": lesson.steps,
            "rounds": learnt.rounds,
            "depth_tried": self.depth,
            "steps_since_surprise": learnt.since_surprise,
            "seconds": self.seconds,
            "model": args.output.as_ref().filter(|_| self.is_written).map(|path| path.display().to_string()),
            "deterministic": learnt.contradiction.as_ref().is_none_or(|found| !found.confirmed),
            "contradiction": learnt.contradiction.as_ref().map(contradiction),
            "changed": learnt.changed.as_ref().map(contradiction),
            "needed_steps": lesson.needed_steps,
            "system": lesson.broken.as_ref().map(|broken| broken.to_json(interface)),
            "differences": lesson.differences.as_ref().map(|all| all.iter().map(difference).collect::<Vec<_>>()),
        })
    }
}
