//! `provoke play`: a specification, stepped by hand.

mod board;

use std::io::{BufRead, IsTerminal, Lines, StdinLock};
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use provoke::letter::{Alphabet, Letter};
use provoke::report::count;
use provoke::rng::Rng;
use provoke::specification::{OpenError, Opened, Specification};
use provoke::system::System;
use provoke::trace::{Step, write_trace};

use self::board::Board;
use crate::exit::Exit;
use crate::output::{say, warn, write_whole};
use crate::system;

/// The arguments of `provoke play`.
#[derive(Args)]
pub(crate) struct PlayArgs {
    /// The specification file
    spec: PathBuf,
    /// Whose part you play; chance plays the other one, or the system that is named
    #[arg(long = "as", value_name = "WHO", default_value = "tester")]
    role: Role,
    /// The seed of what chance does
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Leave the system in the specification file alone: chance answers
    #[arg(long)]
    alone: bool,
    #[command(flatten)]
    system: system::SystemArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Role {
    /// You send, the other side answers
    Tester,
    /// The other side sends, you answer
    System,
    /// You do both
    Both,
}

const HELP: &str = "\
a move: a letter as it stands in traces (a=1 b=0, or a label), or its number in the list
        as both: `input / output`, or one after the other
inputs        what may be sent here
state         what each requirement says of the run, and where it is
why           why the last wrong answer was wrong; else what may be answered
undo          takes the last step back
reset         begins a new run
trace         the run so far
save FILE     writes it as a trace, for `provoke replay` and `provoke monitor`
help, quit    this; the end (as Ctrl-D is)
`:quit` is a command even where there is a label `quit`
";

/// What a line means.
enum Said {
    Move(String),
    /// The run is elsewhere now: the turn begins anew.
    Elsewhere,
    End,
}

/// Plays until the end of the input.
pub(crate) fn run(args: &PlayArgs) -> Result<Exit> {
    let specification = Specification::load(&args.spec)?;
    warn(&specification.warnings);
    let mut table = Table {
        board: Board::new(&specification)?,
        system: other_side(args, &specification)?,
        rng: Rng::new(args.seed),
        lines: std::io::stdin().lock().lines(),
        is_terminal: std::io::stdin().is_terminal(),
        role: args.role,
        pending: None,
        shown: None,
        violated_before: false,
        broken: false,
    };
    table.begin()?;
    while table.turn()? {}
    table.end()
}

/// The real system, where there is one to play against.
fn other_side(args: &PlayArgs, specification: &Specification) -> Result<Option<Box<dyn System>>> {
    if args.role != Role::Tester {
        if args.system.is_named() {
            bail!("a real system plays the system's part: leave --as out, or the command");
        }
        return Ok(None);
    }
    if args.alone && !args.system.is_named() {
        return Ok(None);
    }
    match system::open(specification, &args.system, false) {
        Ok(Opened { system, .. }) => Ok(Some(system)),
        Err(error) if matches!(error.downcast_ref(), Some(OpenError::NoSystem(_))) => Ok(None),
        Err(error) => Err(error),
    }
}

struct Table<'a> {
    board: Board<'a>,
    system: Option<Box<dyn System>>,
    rng: Rng,
    lines: Lines<StdinLock<'static>>,
    is_terminal: bool,
    role: Role,
    /// The input that waits for an answer.
    pending: Option<Letter>,
    /// The set of inputs that was listed last, by its id.
    shown: Option<u64>,
    /// Whether a run that is over violated something.
    violated_before: bool,
    broken: bool,
}

impl Table<'_> {
    fn interface(&self) -> &provoke::letter::Interface {
        self.board.specification.interface()
    }

    fn begin(&mut self) -> Result<()> {
        self.board.begin();
        (self.pending, self.shown) = (None, None);
        let other = match (&self.system, self.role) {
            (Some(_), _) => "the system answers",
            (None, Role::Tester) => "chance answers what is allowed",
            (None, Role::System) => "chance sends what is allowed, you answer",
            (None, Role::Both) => "you send and answer",
        };
        say(format_args!("{other}; `help` says what can be typed\n"))?;
        self.reset_system()
    }

    fn reset_system(&mut self) -> Result<()> {
        let Some(system) = &mut self.system else { return Ok(()) };
        if let Err(error) = system.reset() {
            self.broken = true;
            say(format_args!("broken: {error}\n"))?;
        }
        Ok(())
    }

    /// One step; false at the end.
    fn turn(&mut self) -> Result<bool> {
        if self.broken {
            return Ok(false);
        }
        if self.role == Role::System && self.pending.is_none() {
            let Some(input) = self.board.any_input(&mut self.rng) else {
                say("nothing may be sent here: `undo`, `reset` or `quit`\n")?;
                return Ok(!matches!(self.listen("tester")?, Said::End));
            };
            self.pending = Some(input);
            say(format_args!("input: {}\n", self.interface().inputs.show(input)))?;
        }
        match self.pending {
            None => self.send(),
            Some(input) => self.answer(input),
        }
    }

    /// The person sends.
    fn send(&mut self) -> Result<bool> {
        if self.shown != Some(self.board.inputs().id()) {
            self.list_inputs()?;
        }
        let line = match self.listen("tester")? {
            Said::Move(line) => line,
            Said::Elsewhere => return Ok(true),
            Said::End => return Ok(false),
        };
        let (sent, said) = match line.split_once(" / ") {
            Some((sent, said)) if self.role == Role::Both => (sent.to_owned(), Some(said.to_owned())),
            _ => (line, None),
        };
        let listed = self.board.inputs_listed().unwrap_or_default();
        let Some(input) = self.letter(&sent, false, &listed)? else { return Ok(true) };
        if !self.board.may_send(input) {
            let shown = self.interface().inputs.show(input).to_string();
            say(format_args!("{shown} may not be sent here: an assumption or the model forbids it\n"))?;
            self.list_inputs()?;
            return Ok(true);
        }
        match (self.role, said) {
            (Role::Both, Some(said)) => {
                if let Some(output) = self.letter(&said, true, &[])? {
                    self.make(Step { input, output })?;
                }
            }
            (Role::Both, None) => self.pending = Some(input),
            _ => self.other_side_answers(input)?,
        }
        Ok(true)
    }

    /// The person answers.
    fn answer(&mut self, input: Letter) -> Result<bool> {
        match self.listen("system")? {
            Said::Move(line) => {
                if let Some(output) = self.letter(&line, true, &[])? {
                    self.make(Step { input, output })?;
                }
                Ok(true)
            }
            Said::Elsewhere => Ok(true),
            Said::End => Ok(false),
        }
    }

    fn other_side_answers(&mut self, input: Letter) -> Result<()> {
        let step = match &mut self.system {
            Some(system) => match system.exchange(input) {
                Ok(step) => Some(step),
                Err(error) => {
                    self.broken = true;
                    let last =
                        system.last_words().iter().map(|line| format!("  | {line}\n")).collect::<String>();
                    say(format_args!("broken: {error}\n{last}"))?;
                    return Ok(());
                }
            },
            None => {
                let output = self.board.any_answer(input, &mut self.rng);
                output.map(|output| Step { input, output })
            }
        };
        match step {
            Some(step) => self.make(step),
            None => say("no answer keeps all requirements together: whatever the system says violates one\n"),
        }
    }

    /// Makes a step and says what it means.
    fn make(&mut self, step: Step) -> Result<()> {
        self.pending = None;
        let unfair_before = self.board.excuse().is_some();
        let broken = self.board.make(step);
        let place = self.board.trace.len() - 1;
        let (inputs, outputs) = (&self.interface().inputs, &self.interface().outputs);
        let line = format!("{:>4}  {} / {}\n", place + 1, inputs.show(step.input), outputs.show(step.output));
        say(line)?;
        if !broken.is_empty() {
            say(format_args!("WRONG: {}", self.board.why(place, &broken)))?;
        }
        match self.board.excuse().filter(|_| !unfair_before) {
            Some(excuse) => say(format_args!("{excuse}\n")),
            None => Ok(()),
        }
    }

    fn list_inputs(&mut self) -> Result<()> {
        self.shown = Some(self.board.inputs().id());
        if self.board.is_left() {
            say("the game is over: `undo`, `reset`, or go on with anything\n")?;
        }
        let inputs = &self.interface().inputs;
        match self.board.inputs_listed() {
            Some(listed) => {
                let line =
                    |(at, input): (usize, &Letter)| format!("{:>4}: {}\n", at + 1, inputs.show(*input));
                let lines: String = listed.iter().enumerate().map(line).collect();
                let none = if listed.is_empty() { "nothing may be sent here\n" } else { "" };
                say(format_args!("{lines}{none}"))
            }
            None => {
                let names: Vec<&str> = inputs.names().collect();
                let count = self.board.inputs().count();
                say(format_args!("{count} inputs; {}s: {}\n", inputs.what(), names.join(", ")))
            }
        }
    }

    /// The letter that a line means: by number, or as it is written. What is wrong with it is said.
    fn letter(&self, text: &str, output: bool, listed: &[Letter]) -> Result<Option<Letter>> {
        let alphabet = if output { &self.interface().outputs } else { &self.interface().inputs };
        if let (None, Ok(number)) = (known(alphabet, text), text.trim().parse::<usize>())
            && !listed.is_empty()
        {
            let letter = number.checked_sub(1).and_then(|at| listed.get(at)).copied();
            if letter.is_none() {
                say(format_args!("there is no number {number} in the list\n"))?;
            }
            return Ok(letter);
        }
        match (known(alphabet, text), alphabet.as_labels()) {
            (Some(letter), _) => Ok(Some(letter)),
            (None, Some(labels)) => {
                let names: Vec<&str> = labels.iter().map(|(_, name)| name).chain(labels.families()).collect();
                let near = alphabet.unknown("label", text.trim());
                say(format_args!("{near}; the labels are {}\n", names.join(", ")))?;
                Ok(None)
            }
            (None, None) => {
                let why = alphabet.parse(text).err().map(|error| error.to_string()).unwrap_or_default();
                say(format_args!("{why}; `help` says what can be typed\n"))?;
                Ok(None)
            }
        }
    }

    /// Reads lines until one is a move, or there are no more; does what commands say.
    fn listen(&mut self, who: &str) -> Result<Said> {
        loop {
            if self.is_terminal {
                say(format_args!("{who}> "))?;
            }
            let line = match self.lines.next() {
                None => return Ok(Said::End),
                // What is no text is no move either.
                Some(Err(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                    say("that is not text\n")?;
                    continue;
                }
                Some(line) => line?,
            };
            let line = line.trim();
            let alphabet = match who {
                "system" => &self.interface().outputs,
                _ => &self.interface().inputs,
            };
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let is_label = alphabet.as_labels().is_some_and(|labels| labels.find(line).is_some());
            let command = match line.strip_prefix(':') {
                Some(command) if !is_label => command,
                _ if is_label => return Ok(Said::Move(line.to_owned())),
                _ => line,
            };
            let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
            match (word, rest.trim()) {
                ("quit" | "exit", "") => return Ok(Said::End),
                ("help" | "?", "") => say(HELP)?,
                ("inputs", "") => self.list_inputs()?,
                ("state", "") => say(self.board.state())?,
                ("why", "") => self.why()?,
                ("trace", "") => say(self.written())?,
                ("save", "") => say("save to which file?\n")?,
                ("save", path) => self.save(Path::new(path))?,
                ("undo", "") => {
                    self.undo()?;
                    return Ok(Said::Elsewhere);
                }
                ("reset", "") => {
                    self.violated_before |= !self.board.violations.is_empty();
                    self.begin()?;
                    return Ok(Said::Elsewhere);
                }
                _ if line.starts_with(':') => {
                    say(format_args!("`{line}` is no command: `help` lists them\n"))?
                }
                _ => return Ok(Said::Move(line.to_owned())),
            }
        }
    }

    fn why(&self) -> Result<()> {
        match (self.board.violations.last(), self.pending) {
            (Some((place, broken)), _) => say(self.board.why(*place, broken)),
            (None, Some(input)) => say(format_args!("allowed: {}\n", self.board.answers_shown(input))),
            (None, None) => say("nothing was wrong so far\n"),
        }
    }

    fn written(&self) -> String {
        let ids = |broken: &Vec<_>| self.board.specification.ids(broken).join(", ");
        let notes: Vec<String> =
            self.board.violations.iter().map(|(_, broken)| format!("violates {}", ids(broken))).collect();
        write_trace(self.interface(), &self.board.trace, &notes)
    }

    fn save(&self, path: &Path) -> Result<()> {
        match write_whole(path, self.written()) {
            Ok(()) => {
                say(format_args!("{} saved as {}\n", count(self.board.trace.len(), "step"), path.display()))
            }
            Err(error) => say(format_args!("{error:#}\n")),
        }
    }

    /// Takes the last step back, or the input that was not answered yet.
    fn undo(&mut self) -> Result<()> {
        if self.role == Role::Both && self.pending.take().is_some() {
            return Ok(());
        }
        let mut steps = std::mem::take(&mut self.board.trace);
        let Some(_) = steps.pop() else { return say("there is nothing to take back\n") };
        self.board.begin();
        (self.pending, self.shown) = (None, None);
        self.reset_system()?;
        for before in steps {
            // A real system is led there again; it may answer differently this time.
            let step = match &mut self.system {
                Some(system) if !self.broken => match system.exchange(before.input) {
                    Ok(step) => step,
                    Err(error) => {
                        self.broken = true;
                        return say(format_args!("broken: {error}\n"));
                    }
                },
                _ => before,
            };
            if step != before {
                say(format_args!("step {} went differently this time\n", self.board.trace.len() + 1))?;
            }
            self.board.make(step);
        }
        say(format_args!("back after {}\n", count(self.board.trace.len(), "step")))
    }

    fn end(mut self) -> Result<Exit> {
        let mut in_turn = true;
        if let (Some(system), false) = (&mut self.system, self.broken)
            && let Err(error) = system.settle()
        {
            // Answers out of turn may belong to other inputs, so they violate nothing.
            (self.broken, in_turn) = (true, !error.is_out_of_turn());
            say(format_args!("broken: {error}\n"))?;
        }
        let violated = in_turn && (self.violated_before || !self.board.violations.is_empty());
        let steps = count(self.board.trace.len(), "step");
        let word = match (self.broken, violated) {
            (true, _) => "the system broke",
            (false, true) => "VIOLATED",
            (false, false) => "nothing was wrong",
        };
        say(format_args!("{word}: {steps}\n"))?;
        Ok(match (self.broken, violated) {
            (_, true) => Exit::Violated,
            (true, false) => Exit::Broken,
            (false, false) => Exit::Covered,
        })
    }
}

/// The letter of an alphabet that a text is; unlike reading it, asking takes in no new labels but members of families.
fn known(alphabet: &Alphabet, text: &str) -> Option<Letter> {
    let text = text.trim();
    match alphabet.as_labels() {
        None => alphabet.parse(text).ok(),
        Some(labels) => labels.find(text).or_else(|| {
            let stem = text.split_once('(').map_or(text, |(stem, _)| stem);
            alphabet.has_family(stem).then(|| alphabet.label(text).ok()).flatten()
        }),
    }
}
