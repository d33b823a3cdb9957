//! No child outlives us: every process group we started is known here until it is dead and reaped.
//!
//! A [`System`](super::System) that is dropped ends its own child, so unwinding and returning need no care. For
//! the other ways to go there are [`kill_all`] (before `std::process::exit`), [`on_signals`] and, against
//! SIGKILL, a second process ([`start_guard`]).

use std::fmt::Display;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::interrupt::{self, Interrupt};
use rustix::process::{Pid, Signal, kill_process_group};

/// The groups that may be alive; a group has the id of the child that leads it.
struct Live {
    groups: Vec<u32>,
    guard: Option<Guard>,
}

/// The process that kills what we leave.
struct Guard {
    words: ChildStdin,
    /// What the environment of everything says that is started under it.
    mark: String,
}

/// The variable by which the guard knows a child that it was not told of any more.
const MARK: &str = "PROVOKE_GUARDED";

static LIVE: Mutex<Live> = Mutex::new(Live { groups: Vec::new(), guard: None });

fn live() -> MutexGuard<'static, Live> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Live {
    /// Tells the guard something. A guard that is gone guards no more; that is no reason to stop testing.
    fn tell(&mut self, sign: char, what: impl Display) {
        if let Some(guard) = &mut self.guard
            && guard.words.write_all(format!("{sign}{what}\n").as_bytes()).is_err()
        {
            self.guard = None;
        }
    }
}

/// Starts a command that leads a group of its own.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    // Held across the start: a signal comes either before the child or after it is known.
    let mut live = live();
    // We may be killed when the child is there and the guard does not know its number yet: it looks for the mark then.
    if let Some(guard) = &live.guard {
        command.env(MARK, &guard.mark);
        live.tell('?', "");
    }
    let child = command.spawn();
    match &child {
        Ok(child) => {
            live.groups.push(child.id());
            live.tell('+', child.id());
        }
        Err(_) => live.tell('!', ""),
    }
    child
}

/// Asks the child's group to end.
pub(super) fn signal(child: &Child, signal: Signal) {
    // The id is ours: a child is reaped by `end` alone, which takes it.
    let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let _ = id.map(|id| kill_process_group(id, signal));
}

/// Kills the child's group and `offspring`, if any of them are left, and reaps the child.
pub(super) fn end(mut child: Child, offspring: &Offspring) -> io::Result<ExitStatus> {
    // Held across both: the id is ours until the child is reaped, and nobody may use it afterwards.
    let mut live = live();
    let id = child.id();
    kill_group(id);
    offspring.kill();
    let status = child.wait();
    live.groups.retain(|&known| known != id);
    live.tell('-', id);
    status
}

/// Kills every group that is alive. Nothing is started afterwards until the result is dropped.
///
/// For exits that skip destructors, such as `std::process::exit`.
pub fn kill_all() -> impl Drop {
    let live = live();
    live.groups.iter().for_each(|&id| kill_group(id));
    live
}

/// From now on, SIGINT, SIGTERM, SIGHUP and SIGQUIT kill every child before they end this process as usual. With
/// `gracefully`, the first SIGINT or SIGTERM only [asks](interrupt) campaigns to stop, so that what they know is not
/// lost; the second ends the process at once.
///
/// For commands; a library user with signal handlers of its own calls [`kill_all`] there. A second call does
/// nothing.
pub fn on_signals(gracefully: bool) -> io::Result<()> {
    static WATCHED: Mutex<bool> = Mutex::new(false);
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::replace(&mut *watched, true) {
        return Ok(());
    }
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT])?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            let polite = match signal {
                SIGINT => Some(Interrupt::Sigint),
                SIGTERM => Some(Interrupt::Sigterm),
                _ => None,
            };
            if gracefully && polite.is_some_and(|polite| !interrupt::request(polite)) {
                continue;
            }
            let _no_more = kill_all();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

/// Starts a process that does nothing but [`guard`]: when we are gone without a word (SIGKILL, out of memory), it
/// kills the groups that we left. A second call does nothing.
pub fn start_guard(command: &mut Command) -> io::Result<()> {
    let mut live = live();
    if live.guard.is_some() {
        return Ok(());
    }
    // In a group of its own, so that Ctrl-C does not end it before us.
    command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    // It ends when its stdin does, that is, with us, and is then reaped by whoever inherits it.
    let words = command.spawn()?.stdin.take();
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default().as_nanos();
    let mark = format!("{}-{since}", std::process::id());
    live.guard = words.map(|words| Guard { words, mark: mark.clone() });
    live.tell('=', mark);
    let groups = live.groups.clone();
    groups.into_iter().for_each(|id| live.tell('+', id));
    Ok(())
}

/// What the guard does: reads `+ID` and `-ID` for groups that come and go, `?` before one is started and `!` where that
/// failed; at the end, kills those that are left. `=MARK` says what marks the environment of one that was being started.
pub fn guard(words: impl BufRead) {
    let (mut groups, mut mark, mut starting) = (Vec::new(), String::new(), false);
    // A word that cannot be read is the end as well.
    for word in words.lines().map_while(Result::ok) {
        let Some((sign, rest)) = word.split_at_checked(1) else { continue };
        match (sign, rest.parse::<u32>()) {
            ("+", Ok(id)) => {
                groups.push(id);
                starting = false;
            }
            ("-", Ok(id)) => groups.retain(|&known| known != id),
            ("?", _) => starting = true,
            ("!", _) => starting = false,
            ("=", _) => mark = rest.to_owned(),
            _ => {}
        }
    }
    if starting && !mark.is_empty() {
        groups.extend(being_started(&format!("{MARK}={mark}")));
    }
    groups.into_iter().for_each(kill_group);
}

/// How often, and how many milliseconds apart, a child is looked for that we were about to start.
const LOOKS: (u32, u64) = (50, 10);

/// What was started with this in its environment at the last moment. It is there, since our words end when a child can
/// write them no more either, but the system shows its environment a moment later.
fn being_started(setting: &str) -> Vec<u32> {
    for _ in 0..LOOKS.0 {
        let found = marked(setting);
        if !found.is_empty() {
            return found;
        }
        std::thread::sleep(Duration::from_millis(LOOKS.1));
    }
    Vec::new()
}

/// The processes that have this in their environment. Known on Linux alone.
fn marked(setting: &str) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_marked = |id: &u32| {
        let settings = std::fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        settings.split(|&byte| byte == 0).any(|one| one == setting.as_bytes())
    };
    ids.filter(is_marked).collect()
}

fn kill_group(id: u32) {
    let offspring = Offspring::of(id);
    let id = i32::try_from(id).ok().and_then(Pid::from_raw);
    // It fails when all of the group is gone already, which is what we want.
    let _ = id.map(|id| kill_process_group(id, Signal::KILL));
    offspring.kill();
}

/// What a process has started so far, and what that has started, in whatever group or session: a program that
/// calls `setsid` leaves its group, not its family. Known on Linux alone.
#[derive(Debug, Default)]
pub(super) struct Offspring {
    /// Handles rather than numbers: a number may be another's by the time it is used.
    #[cfg(target_os = "linux")]
    handles: Vec<std::os::fd::OwnedFd>,
}

#[cfg(target_os = "linux")]
impl Offspring {
    /// Those that are there now. Once a process is gone its children are no longer known as such.
    pub(super) fn of(id: u32) -> Offspring {
        use rustix::process::{PidfdFlags, pidfd_open};
        let mut offspring = Offspring::default();
        let mut open = vec![id];
        while let Some(parent) = open.pop() {
            let Ok(threads) = std::fs::read_dir(format!("/proc/{parent}/task")) else { continue };
            for thread in threads.flatten() {
                let children = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
                for child in children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()) {
                    let pid = i32::try_from(child).ok().and_then(Pid::from_raw);
                    offspring.handles.extend(pid.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok()));
                    open.push(child);
                }
            }
        }
        offspring
    }

    fn kill(&self) {
        for handle in &self.handles {
            // It fails when the process is gone already.
            let _ = rustix::process::pidfd_send_signal(handle, Signal::KILL);
        }
    }
}

#[cfg(not(target_os = "linux"))]
impl Offspring {
    pub(super) fn of(_: u32) -> Offspring {
        Offspring::default()
    }

    fn kill(&self) {}
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::os::unix::process::ExitStatusExt;

    use super::*;

    /// A program that would go on for an hour, started under this mark.
    fn sleeper(mark: &str) -> Child {
        Command::new("sleep").arg("3600").env(MARK, mark).process_group(0).spawn().unwrap()
    }

    #[test]
    fn what_was_being_started_is_killed_by_its_mark() {
        let (ours, other) = ("ours-of-this-test", "of-another-tester");
        for (words, killed) in [
            (format!("={ours}\n?\n"), true),
            (format!("={ours}\n?\n!\n"), false),
            (format!("={ours}\n"), false),
            (format!("={other}\n?\n"), false),
            ("?\n".to_owned(), false),
        ] {
            let mut child = sleeper(ours);
            guard(words.as_bytes());
            let signal = if killed { Signal::KILL } else { Signal::TERM };
            self::signal(&child, Signal::TERM);
            assert_eq!(child.wait().unwrap().signal(), Some(signal.as_raw()), "{words:?}");
        }
    }

    #[test]
    fn what_was_told_is_killed_by_its_number() {
        for end in ["", "-"] {
            let mut child = sleeper("of-no-guard");
            let id = child.id();
            let told = if end.is_empty() { format!("?\n+{id}\n") } else { format!("?\n+{id}\n-{id}\n") };
            guard(told.as_bytes());
            let signal = if end.is_empty() { Signal::KILL } else { Signal::TERM };
            self::signal(&child, Signal::TERM);
            assert_eq!(child.wait().unwrap().signal(), Some(signal.as_raw()), "{told:?}");
        }
    }
}
