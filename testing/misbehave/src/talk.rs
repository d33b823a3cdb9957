//! A tea machine that talks when it likes: `misbehave talk WAY [MILLISECONDS]`.
//!
//! A `coin` is followed by `tea` after a while (1 ms unless told otherwise), a `button` by nothing. A reset line is acknowledged
//! with `ready`.

use std::io::{self, BufRead, Write, stdin, stdout};
use std::process::exit;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

use crate::{say, sleep_for_ever};

/// Talks until its stdin ends.
pub(crate) fn talk(mut arguments: impl Iterator<Item = String>) -> io::Result<()> {
    let way = arguments.next().unwrap_or_else(|| "good".into());
    let think = Duration::from_millis(arguments.next().and_then(|number| number.parse().ok()).unwrap_or(1));
    match way.as_str() {
        "deaf" => sleep_for_ever(),
        "adapter" => return adapter(think),
        "greets" => say("tea")?,
        _ => {}
    }
    let mut coins = 0;
    for line in stdin().lock().lines() {
        let line = line?;
        match (line.as_str(), way.as_str()) {
            // What is under way stays under way.
            ("reset", "forgets-to-acknowledge" | "silent") => {}
            ("reset", _) => say("ready")?,
            ("tick", _) => say("quiet")?,
            ("coin", _) => {
                coins += 1;
                coin(&way, think, coins)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn coin(way: &str, think: Duration, coins: u64) -> io::Result<()> {
    match way {
        "silent" => {}
        "floods" => loop {
            say("tea")?;
        },
        "closes-stdout" => {
            rustix::stdio::dup2_stdout(std::fs::File::open("/dev/null")?)?;
            sleep_for_ever();
        }
        "half-a-line" => {
            print!("te");
            stdout().flush()?;
            sleep_for_ever();
        }
        "garbage" => say("cocoa")?,
        "coffee" if coins == 3 => say("coffee")?,
        "mute" if coins == 3 => {}
        "twice" => say("tea\ntea")?,
        "exits" if coins == 3 => exit(7),
        "aborts" if coins == 3 => std::process::abort(),
        "refuses" if coins.is_multiple_of(2) => say("no")?,
        // Comes whatever happens meanwhile.
        "late" | "forgets-to-acknowledge" => {
            thread::spawn(move || {
                thread::sleep(think);
                let _ = say("tea");
            });
        }
        _ => {
            thread::sleep(think);
            say("tea")?;
        }
    }
    Ok(())
}

/// The same machine behind a TorX adapter, with fields that say nothing to anyone.
fn adapter(think: Duration) -> io::Result<()> {
    let unit = std::env::var("TORXTIMEUNIT").unwrap_or_default();
    let timeout = std::env::var("TORXTIMEOUT").ok().and_then(|time| time.parse().ok()).unwrap_or(0);
    if unit != "milliseconds" || timeout == 0 {
        eprintln!("no TORXTIMEOUT in milliseconds");
        exit(2);
    }
    // A reset takes another machine, whatever the last one was about to say.
    let (mut machine, mut outputs): (Sender<&str>, Receiver<&str>) = channel();
    let mut coins = 0;
    for line in stdin().lock().lines() {
        let line = line?;
        let (command, event) = line.split_once(" event=").unwrap_or((&line, ""));
        match command {
            "C_INPUT" => match (outputs.try_recv(), event) {
                (Ok(output), _) => say(&format!("A_OUTPUT pco=out\tevent={output}\tiokind=output"))?,
                (Err(_), "coin") => {
                    coins += 1;
                    let machine = machine.clone();
                    thread::spawn(move || {
                        thread::sleep(think);
                        let _ = machine.send(if coins == 4 { "coffee" } else { "tea" });
                    });
                    say("A_INPUT event=coin\tpco=in")?;
                }
                (Err(_), "button") => say("A_INPUT event=button")?,
                (Err(_), "jam") => say("A_INPUT_ERROR ")?,
                (Err(_), _) => say("A_ERROR unknown input")?,
            },
            "C_OUTPUT" => match outputs.recv_timeout(Duration::from_millis(timeout)) {
                Ok(output) => say(&format!("A_OUTPUT event={output}"))?,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                    say("A_OUTPUT event=delta")?;
                }
            },
            "C_RESET" => {
                coins = 0;
                (machine, outputs) = channel();
                say("A_RESET")?;
            }
            "C_QUIT" => {
                say("A_QUIT")?;
                return Ok(());
            }
            _ => say("A_ERROR unknown command")?,
        }
    }
    Ok(())
}
