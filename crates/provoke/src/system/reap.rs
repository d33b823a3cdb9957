//! No child outlives us: every process group we started is known here until it is dead and reaped.
//!
//! A [`System`](super::System) that is dropped ends its own child, so unwinding and returning need no care.
//! What remains are signals ([`on_signals`]) and `std::process::exit` ([`kill_all`] before it).

use std::io;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// The groups that may be alive; a group has the id of the child that leads it.
static LIVE: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn live() -> MutexGuard<'static, Vec<u32>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a command that leads a group of its own.
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    // Held across the start: a signal comes either before the child or after it is known.
    let mut live = live();
    let child = command.spawn()?;
    live.push(child.id());
    Ok(child)
}

/// Kills the child's group, if any of it is left, and reaps the child.
pub(super) fn end(mut child: Child) -> io::Result<ExitStatus> {
    // Held across both: the id is ours until the child is reaped, and nobody may use it afterwards.
    let mut live = live();
    let id = child.id();
    kill_group(id);
    let status = child.wait();
    live.retain(|&known| known != id);
    status
}

/// Kills every group that is alive. Nothing is started afterwards until the result is dropped.
///
/// For exits that skip destructors, such as `std::process::exit`.
pub fn kill_all() -> impl Drop {
    let live = live();
    live.iter().for_each(|&id| kill_group(id));
    live
}

/// From now on, SIGINT, SIGTERM, SIGHUP and SIGQUIT kill every child before they end this process as usual.
///
/// For commands; a library user with signal handlers of its own calls [`kill_all`] there. A second call does
/// nothing.
pub fn on_signals() -> io::Result<()> {
    static WATCHED: Mutex<bool> = Mutex::new(false);
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    if std::mem::replace(&mut *watched, true) {
        return Ok(());
    }
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP, SIGQUIT])?;
    std::thread::Builder::new().name("signals".into()).spawn(move || {
        for signal in signals.forever() {
            let _no_more = kill_all();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    Ok(())
}

fn kill_group(id: u32) {
    let id = i32::try_from(id).ok().and_then(Pid::from_raw);
    // It fails when all of the group is gone already, which is what we want.
    let _ = id.map(|id| kill_process_group(id, Signal::KILL));
}
