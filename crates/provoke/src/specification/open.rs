//! From what a specification says of the system to one that can be tested.

use std::path::{Path, PathBuf};

use rustc_hash::FxHashSet;

use super::{STATE_LIMIT, Specification, SystemChoice, Target};
use crate::diagnostic::SpecError;
use crate::format::aiger;
use crate::format::lts::Words;
use crate::game::Next;
use crate::letter::{Alphabet, Interface};
use crate::system::{
    CircuitSystem, Lacking, Launch, Lines, Measured, Paced, Retrying, SetupError, Simulated, Synchronised,
    System, Wandering, WordReset,
};

/// So many states of a machine and the game of what may be sent are looked at together, and so many inputs.
const MOST_MET: usize = 1 << 16;
const MOST_SENT: usize = 1 << 18;

/// What is wanted other than the specification says.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// A program and its arguments, instead of the system that the specification names; none where this is empty. It
    /// runs where we run, unless the specification says where.
    pub command: Vec<String>,
    /// Tester and system stay on whatever cores the operating system likes.
    pub no_pin: bool,
    /// What a simulated system chooses by, where it has a choice.
    pub seed: u64,
}

/// A system that is ready to be reset; nothing is started yet.
pub struct Opened {
    /// What is tested.
    pub system: Box<dyn System>,
    /// Whether it lives in our own process, so that its resets cost next to nothing.
    pub in_process: bool,
}

/// Why there is no system to be tested.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Neither the specification nor the wish names one.
    #[error("no system to test: add a [system] table to {}, or `-- COMMAND` to the command line", .0.display())]
    NoSystem(PathBuf),
    /// A machine file cannot be used.
    #[error(transparent)]
    Machine(#[from] SpecError),
    /// The machine whose word is to reset the system has none.
    #[error("{}: {why}", .path.display())]
    Synchronise {
        /// The machine file.
        path: PathBuf,
        /// What is wrong.
        why: SetupError,
    },
    /// The protocol does not suit the interface.
    #[error("{}: [system.protocol] {why}", .path.display())]
    Protocol {
        /// The specification.
        path: PathBuf,
        /// What is wrong.
        why: SetupError,
    },
    /// The folder in which the system is to run does not exist.
    #[error("{}: [system] cwd: there is no folder {}", .path.display(), .folder.display())]
    NoFolder {
        /// The specification.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// We do not know where we are.
    #[error("failed to find the current folder: {0}")]
    Nowhere(#[from] std::io::Error),
}

impl Specification {
    /// Whether a program will be started to be tested.
    pub fn starts_program(&self, wish: &Wish) -> bool {
        let SystemChoice { target, start, .. } = &self.system;
        !wish.command.is_empty() || matches!(target, Some(Target::Command(_))) || start.is_some()
    }

    /// Makes the system ready to be reset. Nothing is started yet.
    pub fn open(&self, wish: &Wish) -> Result<Opened, OpenError> {
        let choice = &self.system;
        let is_named = wish.command.is_empty();
        let in_process = is_named && matches!(choice.target, Some(Target::Model(_)));
        // How long an answer takes is measured where it comes in: neither waiting for a beat nor resetting counts.
        let system = Measured::boxed(self.connect(wish)?, self.interface());
        let system = match (system, choice.cycle_ms) {
            // A machine that is simulated has no time of its own.
            (system, Some(cycle)) if !in_process => Box::new(Paced::new(system, cycle)),
            (system, _) => system,
        };
        let interface = self.interface();
        let system: Box<dyn System> = match (&choice.synchronise, &choice.reset_word) {
            (Some(path), _) => {
                let model = Simulated::read(path, interface)?;
                let synchronised = Synchronised::new(system, &model, interface);
                let error = |why| OpenError::Synchronise { path: path.clone(), why };
                Box::new(synchronised.map_err(error)?)
            }
            (None, Some(word)) => Box::new(WordReset::new(system, word.clone())),
            (None, None) => system,
        };
        // A typed command has no connection to lose.
        let retries = if is_named { choice.retries } else { 0 };
        let system = if retries > 0 { Box::new(Retrying::new(system, retries)) } else { system };
        Ok(Opened { system, in_process })
    }

    /// A machine, or a transition system where the specification is about actions.
    fn simulated(&self, path: &Path, seed: u64) -> Result<Box<dyn System>, OpenError> {
        let (interface, protocol) = (&self.interface().said(), &self.system.protocol);
        let Some(idle) = self.idle.filter(|_| self.programs().next().is_some()) else {
            return Ok(Box::new(self.stand_in(path, interface)?));
        };
        let names = |side: &Alphabet| side.names().map(str::to_owned).collect::<Vec<_>>();
        let (inputs, outputs) = (names(&interface.inputs), names(&interface.outputs));
        let words = Words {
            wait: protocol.wait(),
            quiet: protocol.quiet(),
            inputs: inputs.iter().map(String::as_str).collect(),
            outputs: outputs.iter().map(String::as_str).collect(),
        };
        let conflict = protocol.conflict;
        Ok(Box::new(Wandering::read(path, interface, &words, idle, conflict, seed)?))
    }

    /// A machine that stands in for the system: it has ended where it has no transitions, and needs none for what may not be sent.
    fn stand_in(&self, path: &Path, interface: &Interface) -> Result<Simulated, SpecError> {
        let read =
            |lacking| Simulated::standing_in(path, interface, self.system.protocol.ends.as_ref(), lacking);
        read(Lacking::Ended).or_else(|error| match read(Lacking::Anything) {
            Ok(partial) if self.says_enough(&partial) => Ok(partial),
            _ => Err(error),
        })
    }

    /// Whether a machine has a transition for everything that may be sent, as far as that is cheap to know: where it is not, what is
    /// sent all the same is an error.
    fn says_enough(&self, model: &Simulated) -> bool {
        // Everything may be sent, and something is lacking.
        if self.assumptions.is_empty() && self.restrictions().is_ok_and(<[_]>::is_empty) {
            return false;
        }
        let Ok(guidance) = self.permitted(STATE_LIMIT) else { return true };
        let start = (model.initial_state(), guidance.game.initial());
        let mut met = FxHashSet::from_iter([start]);
        let (mut open, mut sent) = (vec![start], 0);
        while let Some((state, at)) = open.pop() {
            let is_known = guidance.gate.is_open() && !at.is_passing();
            if !is_known || met.len() > MOST_MET {
                return true;
            }
            for input in guidance.game.inputs(at).iter().filter(|_| !model.has_ended(state)) {
                sent += 1;
                if sent > MOST_SENT {
                    return true;
                }
                let Some((to, output)) = model.move_from(state, input) else { return false };
                if let Next::To(next) = guidance.game.next(at, input, output)
                    && met.insert((to, next))
                {
                    open.push((to, next));
                }
            }
        }
        true
    }

    fn connect(&self, wish: &Wish) -> Result<Box<dyn System>, OpenError> {
        let choice = &self.system;
        let (interface, protocol) = (&self.interface().said(), choice.protocol.clone());
        // What the file names runs beside it; what the user types runs where it is typed.
        let beside = self.path.parent().filter(|folder| *folder != Path::new(""));
        let launch = |command: &[String], directory: Option<PathBuf>| {
            if let Some(folder) = directory.clone().filter(|directory| !directory.is_dir()) {
                return Err(OpenError::NoFolder { path: self.path.clone(), folder });
            }
            let pair = |(name, value): (&String, &String)| (name.into(), value.into());
            Ok(Launch {
                command: command.iter().map(Into::into).collect(),
                directory,
                environment: choice.environment.iter().map(pair).collect(),
                no_pin: wish.no_pin || !choice.pin,
            })
        };
        let directory = || choice.directory.clone().or_else(|| beside.map(Path::to_owned));
        let lines = match (&wish.command[..], &choice.target, &choice.start) {
            ([], None, _) => return Err(OpenError::NoSystem(self.path.clone())),
            ([], Some(Target::Model(path)), _) if aiger::is_circuit(path) => {
                return Ok(Box::new(CircuitSystem::read(path, interface)?));
            }
            ([], Some(Target::Model(path)), _) => return self.simulated(path, wish.seed),
            ([], Some(Target::Tcp(address)), None) => Lines::tcp(address, interface, protocol),
            ([], Some(Target::Tcp(address)), Some(command)) => {
                Lines::server(launch(command, directory())?, address, interface, protocol)
            }
            ([], Some(Target::Command(command)), _) => {
                Lines::process(launch(command, directory())?, interface, protocol)
            }
            (typed, _, _) => {
                let mut command = typed.to_vec();
                if let Some(program) = command.first_mut().filter(|program| program.contains('/'))
                    && choice.directory.is_some()
                {
                    *program = std::path::absolute(&*program)?.display().to_string();
                }
                Lines::process(launch(&command, choice.directory.clone())?, interface, protocol)
            }
        };
        let error = |why| OpenError::Protocol { path: self.path.clone(), why };
        Ok(Box::new(lines.and_then(|lines| lines.in_mode(choice.mode)).map_err(error)?))
    }
}
