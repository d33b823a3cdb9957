//! Systems that talk when they like, by themselves or behind a TorX adapter.
//!
//! What was said is heard before anything is sent: the step is then a wait with that output, and the input was not sent. An
//! input that is sent is a step with silence, which says no more than that it was sent: what comes of it is heard in later
//! steps. Only a wait with silence is silence.

use super::super::codec::shown;
use super::super::connection::{Broken, Connection, Deadline};
use super::super::exchange::{Trouble, read};
use super::super::listen::{Came, Listening};
use super::super::protocol::{Form, Protocol};
use super::super::torx::{self, Said};
use super::super::{Fault, Phase, SystemError};
use super::{Farewell, Lines};
use crate::letter::Letter;
use crate::trace::Step;

impl Lines {
    /// One exchange, and what it really was.
    pub(super) fn exchange_freely(&mut self, input: Letter) -> Result<Step, SystemError> {
        let (Some(wait), Some(quiet)) = (self.wait, self.quiet) else { return Err(self.nobody()) };
        if self.connection.is_none() {
            return Err(self.nobody());
        }
        self.codec.write(input, &mut self.line);
        let (during, _) = self.phase();
        let came = match self.protocol.form {
            Form::Torx => self.ask_adapter(input, wait, quiet),
            _ => self.listen_or_send(input, wait),
        };
        let step = match came {
            Ok(Passed::Sent) => Step { input, output: quiet },
            Ok(Passed::Came(Came::Answer(output))) => Step { input: wait, output },
            Ok(Passed::Came(came @ (Came::Token | Came::Silence))) => {
                self.waited_out |= came == Came::Silence;
                Step { input: wait, output: quiet }
            }
            Ok(Passed::Came(Came::End)) => Step { input: wait, output: self.ended(during)? },
            Ok(Passed::Was(step)) => step,
            Err(trouble) => return Err(self.fail(during, trouble)),
        };
        self.steps += 1;
        self.starting = false;
        Ok(step)
    }

    fn listen_or_send(&mut self, input: Letter, wait: Letter) -> Result<Passed, Trouble> {
        let (patience, (_, time)) = (self.patience(), self.phase());
        let Lines { link, connection, codec, protocol, line, asked, .. } = self;
        let Some(connection) = connection else { return Ok(Passed::Came(Came::End)) };
        let deadline = Deadline::after(time.max(patience * 2));
        let waits = input == wait;
        let tick = protocol.tick.as_ref().filter(|_| waits).map(|tick| protocol.line(tick));
        // Answers of several lines are gathered elsewhere than where the input stands.
        let mut several = Vec::new();
        let (link, patience) = (&**link, Some(patience));
        let mut listening =
            Listening { connection, link, codec, protocol, patience, deadline, line: &mut several };
        while let Some(came) = listening.pending()? {
            let Came::Token = came else { return Ok(Passed::Came(came)) };
            *asked = asked.saturating_sub(1);
            if waits && tick.is_none() && *asked == 0 {
                return Ok(Passed::Came(Came::Token));
            }
            deadline.left().ok_or(Trouble::Connection(Broken::Late, deadline))?;
        }
        let sent = match (&tick, waits) {
            (Some(tick), _) => listening.connection.write(tick, deadline),
            (None, true) => Ok(()),
            (None, false) => listening.connection.write(line, deadline),
        };
        *asked += u32::from(tick.is_some() || !waits && protocol.tick.is_none());
        match sent {
            Ok(()) if !waits => return Ok(Passed::Sent),
            Ok(()) => {}
            Err(Broken::HungUp) if protocol.ends.is_some() => {}
            Err(broken) => return Err(Trouble::Connection(broken, deadline)),
        }
        loop {
            let came = listening.hear()?;
            match came {
                // It may have been silent before it was asked for the last time; if so, it says so again.
                Came::Token if *asked > 1 && deadline.left().is_some() => *asked -= 1,
                Came::Token | Came::Silence => {
                    *asked = 0;
                    return Ok(Passed::Came(came));
                }
                came => return Ok(Passed::Came(came)),
            }
        }
    }

    fn ask_adapter(&mut self, input: Letter, wait: Letter, quiet: Letter) -> Result<Passed, Trouble> {
        let (patience, (_, time)) = (self.patience(), self.phase());
        let Lines { connection, codec, protocol, interface, line, .. } = self;
        let Some(connection) = connection else { return Ok(Passed::Came(Came::End)) };
        let deadline = Deadline::after(time + patience);
        let asks = input == wait;
        if asks {
            *line = protocol.line(torx::OUTPUT);
        }
        let answer = connection.write(line, deadline).and_then(|()| connection.read_line(deadline));
        let said = match answer {
            Ok(said) => String::from_utf8_lossy(said).into_owned(),
            Err(Broken::HungUp) if protocol.ends.is_some() => return Ok(Passed::Came(Came::End)),
            Err(broken) => return Err(Trouble::Connection(broken, deadline)),
        };
        let wrong =
            |why: &str| Err(Trouble::Said(shown(said.as_bytes()), Fault::NotAnAnswer(why.to_owned())));
        match torx::said(&said) {
            Some(Said::Output(label)) => {
                let output = read(codec, said.as_bytes(), label.as_bytes())?;
                Ok(Passed::Was(Step { input: wait, output }))
            }
            Some(Said::Quiet) if asks => Ok(Passed::Came(Came::Silence)),
            Some(Said::Taken(None)) if !asks => Ok(Passed::Sent),
            Some(Said::Taken(Some(label))) if !asks => {
                let own = String::from_utf8_lossy(line);
                if own.trim_end().strip_prefix("C_INPUT event=") == Some(label) {
                    return Ok(Passed::Sent);
                }
                // It took the liberty to send another one.
                match interface.inputs.as_labels().and_then(|labels| labels.find(label)) {
                    Some(input) => Ok(Passed::Was(Step { input, output: quiet })),
                    None => wrong(&format!("there is no input `{label}`")),
                }
            }
            Some(Said::Refused) if !asks => {
                let labels = interface.outputs.as_labels();
                let refusal = protocol.refusal.as_ref().and_then(|name| labels?.find(name));
                match refusal {
                    Some(output) => Ok(Passed::Was(Step { input, output })),
                    None => wrong("the adapter cannot send this input, and no `refusal` is named"),
                }
            }
            Some(Said::Wrong) => wrong("the adapter reports an error"),
            _ => wrong("expected what a TorX adapter answers to this"),
        }
    }

    /// Begins a run. What was under way in the run before does not reach it.
    pub(super) fn reset_freely(&mut self) -> Result<(), SystemError> {
        if self.connection.is_some() && self.protocol.reset.is_none() {
            self.close(Farewell::Polite);
        }
        if self.connection.is_none() {
            let afresh = self.link.starts_afresh();
            let time = if afresh { self.protocol.start() } else { self.protocol.reset_time() };
            self.open(if self.resets == 1 { self.protocol.start() } else { time })?;
            return if afresh { Ok(()) } else { self.send_reset() };
        }
        if self.protocol.reset_reply.is_none() && self.protocol.form != Form::Torx {
            match self.exhaust() {
                Ok(true) => {}
                Ok(false) => {
                    self.close(Farewell::Broken);
                    return self.reset_freely();
                }
                Err(trouble) => return Err(self.fail(Phase::Reset, trouble)),
            }
        }
        self.send_reset()
    }

    /// Hears the system out, where nothing tells what it said before a reset from what it says afterwards; whether it is
    /// still there.
    fn exhaust(&mut self) -> Result<bool, Trouble> {
        let patience = self.patience();
        let Lines { link, connection, codec, protocol, line, .. } = self;
        let Some(connection) = connection else { return Ok(false) };
        let time = protocol.reset_time().max(patience * 4);
        let deadline = Deadline::after(time);
        let (link, patience) = (&**link, Some(patience));
        let mut listening = Listening { connection, link, codec, protocol, patience, deadline, line };
        loop {
            match listening.hear()? {
                Came::Silence => return Ok(true),
                Came::End => return Ok(false),
                Came::Answer(_) | Came::Token if deadline.left().is_some() => {}
                Came::Answer(_) | Came::Token => {
                    let line = shown(listening.connection.rest());
                    return Err(Trouble::Said(line, Fault::Endless(time)));
                }
            }
        }
    }
}

/// What became of an exchange.
enum Passed {
    /// The input was sent.
    Sent,
    /// It was not; this came instead, or while we waited.
    Came(Came),
    /// Exactly this.
    Was(Step),
}

/// Resets what is behind an adapter: what it says until it says that this is done was said before.
pub(super) fn reset_adapter(
    connection: &mut Connection,
    line: &[u8],
    protocol: &Protocol,
) -> Result<(), Trouble> {
    let deadline = Deadline::after(protocol.reset_time());
    let broken = |broken| Trouble::Connection(broken, deadline);
    connection.write(line, deadline).map_err(broken)?;
    loop {
        let said = connection.read_line_in_time(deadline).map_err(broken)?;
        let text = String::from_utf8_lossy(said);
        let wrong =
            |why: &str| Err(Trouble::Said(shown(text.as_bytes()), Fault::NotAnAnswer(why.to_owned())));
        match torx::said(&text) {
            Some(Said::Done | Said::Taken(_)) => return Ok(()),
            Some(Said::Output(_) | Said::Quiet) => {}
            Some(Said::Wrong | Said::Refused) => return wrong("the adapter cannot reset the system"),
            None => return wrong("expected what a TorX adapter answers to a reset"),
        }
    }
}
