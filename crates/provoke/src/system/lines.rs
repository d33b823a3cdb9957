//! The line protocol: one system for every connection that carries lines.

mod freely;
mod listening;

use std::time::Duration;

use super::codec::{Codec, shown};
use super::connection::{Broken, Connection, Deadline, LONGEST};
use super::exchange::{Trouble, acknowledged, exchange, expect_nothing, skip_banner, stay_quiet};
use super::launch::{Launch, Pulse};
use super::process::Process;
use super::protocol::{Form, Mode, Protocol};
use super::server::Server;
use super::stderr::Stderr;
use super::tcp::Tcp;
use super::{Ending, Fault, Phase, SetupError, Silence, System, SystemError, torx};
use crate::letter::{Interface, Letter};
use crate::trace::Step;

/// How connections to a system come and go.
pub(super) trait Link: Send {
    /// Starts or calls the system.
    fn open(&mut self, time: Duration) -> Result<Connection, SystemError>;

    /// Ends the connection; says how the system ended by itself, if it did.
    fn close(&mut self, connection: Connection, farewell: Farewell) -> (Ending, Stderr);

    /// Whether a new connection finds the system in its initial state.
    fn starts_afresh(&self) -> bool;

    /// What the system has printed besides, where it could not be reached.
    fn words(&self) -> Stderr {
        Stderr::default()
    }

    /// What the system is doing, as far as it is known.
    fn pulse(&self) -> Pulse {
        Pulse::default()
    }

    /// Tells those that are started from now on how long silence takes, where they want to know.
    fn tell_patience(&mut self, _: Duration) {}
}

/// How to part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Farewell {
    /// The system may end by itself.
    Polite,
    /// The system has closed the connection and may be about to end.
    Broken,
    /// The system has had its chance.
    Forced,
}

/// How long to listen for extra lines now and then in a run.
const BRIEFLY: Duration = Duration::from_millis(1);

/// How many times the time to settle is given to a system that is still at work. On a busy machine it may not
/// have had its turn.
const PATIENCE: usize = 10;

/// A system that reads and writes lines: a program, or a server. It answers each input, or talks when it likes
/// ([`in_mode`](Lines::in_mode)).
///
/// A reset sends the reset line, or else starts the program or calls the server anew. A line more than was
/// asked for is an error as soon as it is seen: before the next input, at the next reset, or in
/// [`settle`](System::settle).
pub struct Lines {
    link: Box<dyn Link>,
    // invariant: present between a reset and the first failure.
    connection: Option<Connection>,
    codec: Codec,
    protocol: Protocol,
    interface: Interface,
    mode: Mode,
    /// The letters for waiting and for silence, where there are such.
    wait: Option<Letter>,
    quiet: Option<Letter>,
    /// Whether it may do something other than answer in turn on its output.
    listens: bool,
    /// How many times the usual patience we have.
    factor: u32,
    /// Whether something was ever taken for silence because nothing came.
    waited_out: bool,
    /// Whether an input of this run was answered by silence, as far as we know.
    owing: bool,
    /// How many times it was asked for something, by a tick or else by an input, and has not said since that it is silent.
    asked: u32,
    /// Whether it has ended, and its end was an answer.
    over: bool,
    /// Its first answer, or the end of its banner, is still to come.
    starting: bool,
    /// Answers and resets, since it was made.
    steps: u64,
    resets: u64,
    line: Vec<u8>,
    stderr: Stderr,
}

impl Lines {
    /// A program over its stdin and stdout. The error is about the options, as `key: message`.
    pub fn process(launch: Launch, interface: &Interface, protocol: Protocol) -> Result<Lines, SetupError> {
        let mut launch = launch;
        if protocol.form == Form::Torx {
            // Adapters decide what is silence, and those that can be told how long it takes look here.
            let told = [
                (torx::TIMEUNIT, "milliseconds".to_owned()),
                (torx::TIMEOUT, protocol.patience().as_millis().to_string()),
            ];
            for (name, value) in told {
                if !launch.environment.iter().any(|(known, _)| known == name) {
                    launch.environment.push((name.into(), value.into()));
                }
            }
        }
        Lines::over(Box::new(Process::new(launch)), interface, protocol)
    }

    /// A server at `host:port`. The error is about the options, as `key: message`.
    pub fn tcp(address: &str, interface: &Interface, protocol: Protocol) -> Result<Lines, SetupError> {
        Lines::over(Box::new(Tcp::new(address.to_owned())), interface, protocol)
    }

    /// A server at `host:port` that is started for us and ended when this is dropped. The error is about the
    /// options, as `key: message`.
    pub fn server(
        launch: Launch,
        address: &str,
        interface: &Interface,
        protocol: Protocol,
    ) -> Result<Lines, SetupError> {
        Lines::over(Box::new(Server::new(launch, address.to_owned())), interface, protocol)
    }

    fn over(link: Box<dyn Link>, interface: &Interface, protocol: Protocol) -> Result<Lines, SetupError> {
        protocol.check(interface)?;
        let letter = |labels: Option<&crate::letter::Labels>, name: &str| labels?.find(name);
        let wait = letter(interface.inputs.as_labels(), protocol.wait());
        let quiet = letter(interface.outputs.as_labels(), protocol.quiet());
        let lines = Lines {
            link,
            connection: None,
            codec: Codec::new(interface, &protocol)?,
            interface: interface.clone(),
            mode: Mode::Synchronous,
            wait,
            quiet,
            listens: protocol.takes_silence() || protocol.ends.is_some() || protocol.read_stderr,
            factor: 1,
            waited_out: false,
            owing: false,
            asked: 0,
            over: false,
            starting: true,
            steps: 0,
            resets: 0,
            line: Vec::new(),
            stderr: Stderr::default(),
            protocol,
        };
        let mode = lines.protocol.mode(None);
        if mode == Mode::Synchronous { Ok(lines) } else { lines.in_mode(mode) }
    }

    /// The same system where it talks like this. The error is about the options, as `key: message`.
    pub fn in_mode(mut self, mode: Mode) -> Result<Lines, SetupError> {
        let Protocol { form, wait, quiet, .. } = &self.protocol;
        match mode {
            Mode::Synchronous if *form == Form::Torx => {
                return Err(SetupError::from(
                    "form: a TorX adapter gives away what was said out of turn: mode = \"asynchronous\""
                        .to_owned(),
                ));
            }
            Mode::Asynchronous if self.wait.is_none() || self.quiet.is_none() => {
                let key = if self.wait.is_none() { ("wait", wait) } else { ("quiet", quiet) };
                let why = "a system that talks when it likes needs labels for waiting and for silence";
                return Err(SetupError::from(format!("{}: {why}", key.0)));
            }
            _ => {}
        }
        self.mode = mode;
        Ok(self)
    }

    fn open(&mut self, time: Duration) -> Result<(), SystemError> {
        let deadline = Deadline::after(self.protocol.start());
        let opened = self.link.open(time);
        let mut opened = opened.inspect_err(|_| self.stderr = self.link.words())?;
        if self.protocol.read_stderr {
            opened = opened.with_answers_in_stderr();
        }
        let connection = self.connection.insert(opened);
        let result = skip_banner(connection, &self.protocol, deadline);
        self.starting = self.protocol.banner_lines == 0 && self.protocol.banner_until.is_none();
        result.map_err(|trouble| self.fail(Phase::Start, trouble))
    }

    fn send_reset(&mut self) -> Result<(), SystemError> {
        let (Some(connection), Some(line)) = (&mut self.connection, &self.protocol.reset) else {
            return Ok(());
        };
        let line = self.protocol.line(line);
        let result = match (self.mode, self.protocol.form) {
            (_, Form::Torx) => freely::reset_adapter(connection, &line, &self.protocol),
            // What was under way when it was reset belongs to the run before.
            (mode, _) => acknowledged(connection, &line, &self.protocol, mode == Mode::Asynchronous),
        };
        result.map_err(|trouble| self.fail(Phase::Reset, trouble))
    }

    fn close(&mut self, farewell: Farewell) -> Ending {
        match self.connection.take() {
            None => Ending::HungUp,
            Some(mut connection) => {
                if self.protocol.form == Form::Torx && farewell == Farewell::Polite {
                    // It will be ended in any case.
                    let _ = connection.write(&self.protocol.line(torx::QUIT), Deadline::after(BRIEFLY));
                }
                let (ending, stderr) = self.link.close(connection, farewell);
                self.stderr = stderr;
                ending
            }
        }
    }

    /// Ends the connection and says why.
    #[cold]
    fn fail(&mut self, during: Phase, trouble: Trouble) -> SystemError {
        let unread = match &mut self.connection {
            Some(connection) => shown(connection.unread().unwrap_or_default()),
            None => String::new(),
        };
        match trouble {
            Trouble::Connection(Broken::HungUp, _) => {
                SystemError::Gone { during, how: self.close(Farewell::Broken) }
            }
            Trouble::Connection(Broken::Failed(error), _) => {
                let how = match self.close(Farewell::Broken) {
                    Ending::HungUp => Ending::Failed(error.to_string()),
                    ended => ended,
                };
                SystemError::Gone { during, how }
            }
            Trouble::Connection(Broken::Late, Deadline { after: deadline, .. }) => {
                self.close(Farewell::Forced);
                match unread.is_empty() {
                    true => SystemError::Silent { during, deadline },
                    false => {
                        SystemError::Garbled { during, line: unread, fault: Fault::Unfinished(deadline) }
                    }
                }
            }
            Trouble::Connection(Broken::Interrupted, _) => {
                self.close(Farewell::Forced);
                SystemError::Interrupted
            }
            Trouble::Connection(Broken::TooLong, _) => {
                self.close(Farewell::Forced);
                SystemError::Garbled { during, line: unread, fault: Fault::TooLong(LONGEST) }
            }
            Trouble::Said(line, fault) => {
                self.close(Farewell::Forced);
                SystemError::Garbled { during, line, fault }
            }
        }
    }
}

impl System for Lines {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.resets += 1;
        (self.owing, self.asked, self.over) = (false, 0, false);
        if self.mode == Mode::Asynchronous {
            return self.reset_freely();
        }
        let Some(connection) = &mut self.connection else {
            self.open(self.protocol.start())?;
            return if self.link.starts_afresh() { Ok(()) } else { self.send_reset() };
        };
        let time = if self.resets.is_power_of_two() { BRIEFLY } else { Duration::ZERO };
        if let Err(trouble) = stay_quiet(connection, &self.protocol, time) {
            // A system that ended after its last answer is replaced by the restart below, or may end.
            let restarts = self.protocol.reset.is_none() || self.protocol.ends.is_some();
            if !(restarts && matches!(trouble, Trouble::Connection(Broken::HungUp, _))) {
                let trouble = self.too_late(trouble);
                return Err(self.fail(Phase::Reset, trouble));
            }
            if self.protocol.reset.is_some() {
                self.close(Farewell::Broken);
                return self.reset();
            }
        }
        if self.protocol.reset.is_some() {
            return self.send_reset();
        }
        self.close(Farewell::Polite);
        let time = if self.link.starts_afresh() { self.protocol.start() } else { self.protocol.reset_time() };
        self.open(time)
    }

    #[inline]
    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        if self.mode == Mode::Asynchronous {
            return self.exchange_freely(input).map(|step| step.output);
        }
        if self.listens {
            return self.step_listening(input);
        }
        let Some(connection) = &mut self.connection else { return Err(self.nobody()) };
        self.codec.write(input, &mut self.line);
        let (during, time) = match self.starting {
            false => (Phase::Step, self.protocol.step()),
            true => (Phase::Start, self.protocol.start().max(self.protocol.step())),
        };
        let deadline = Deadline::after(time);
        let answer = keep_turns(connection, &self.protocol, self.steps)
            .and_then(|()| exchange(connection, &self.codec, &self.protocol, &mut self.line, deadline));
        match answer {
            Ok(output) => {
                self.steps += 1;
                self.starting = false;
                Ok(output)
            }
            Err(trouble) => Err(self.fail(during, trouble)),
        }
    }

    #[inline]
    fn exchange(&mut self, input: Letter) -> Result<Step, SystemError> {
        match self.mode {
            Mode::Synchronous => self.step(input).map(|output| Step { input, output }),
            Mode::Asynchronous => self.exchange_freely(input),
        }
    }

    fn settle(&mut self) -> Result<(), SystemError> {
        // Where it may talk when it likes, nothing is out of turn.
        let (Some(connection), Mode::Synchronous) = (&mut self.connection, self.mode) else { return Ok(()) };
        let mut result = Ok(());
        for _ in 0..PATIENCE {
            result = stay_quiet(connection, &self.protocol, self.protocol.settle());
            if result.is_err() || !self.link.pulse().at_work {
                break;
            }
        }
        match result {
            // It said nothing more; that it is gone is for the next step or reset to find.
            Ok(()) | Err(Trouble::Connection(Broken::HungUp, _)) => Ok(()),
            Err(trouble) => {
                let trouble = self.too_late(trouble);
                Err(self.fail(Phase::Settle, trouble))
            }
        }
    }

    fn silence(&self) -> Option<Silence> {
        let may_be = self.mode == Mode::Asynchronous || self.protocol.takes_silence();
        let letter = self.quiet.filter(|_| may_be)?;
        let wait = self.wait.filter(|_| self.mode == Mode::Asynchronous);
        Some(Silence { letter, wait, patience: self.waited_out.then(|| self.protocol.patience()) })
    }

    fn be_patient(&mut self, factor: u32) {
        self.factor = factor.max(1);
        self.link.tell_patience(self.patience());
    }

    fn last_words(&self) -> Vec<String> {
        self.connection.as_ref().map_or(&self.stderr, Connection::stderr).lines()
    }
}

/// Looks for extra lines between two steps.
///
/// A look costs a little and a wait costs more, so not every step has one. That is enough: a system that is a
/// line ahead stays ahead. On one core only a wait lets it get on to its second line.
#[inline]
fn keep_turns(connection: &mut Connection, protocol: &Protocol, steps: u64) -> Result<(), Trouble> {
    if steps.is_power_of_two() {
        return stay_quiet(connection, protocol, BRIEFLY);
    }
    if steps.is_multiple_of(8) || !connection.rest().is_empty() {
        return expect_nothing(connection, protocol);
    }
    Ok(())
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.close(Farewell::Polite);
    }
}

impl std::fmt::Debug for Lines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lines").field("protocol", &self.protocol).finish_non_exhaustive()
    }
}
