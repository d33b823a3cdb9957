//! A carriage controller over stdin and stdout that is good, or bad in the way its arguments say.
//!
//! `misbehave WAY [AFTER]`: behaves for AFTER steps (default 3), then misbehaves. `misbehave good` behaves.
//! `misbehave slow MS`, `slow-to-stop MS` and `slow-once MS FILE` take so many milliseconds for some answers.
//! `misbehave serve` does it over TCP. `misbehave talk` is another machine, which talks when it likes.

mod serve;
mod talk;

use std::io::{self, BufRead, Write, stderr, stdin, stdout};
use std::process::exit;
use std::time::Duration;

/// Brings a cargo from the backward to the forward limit.
#[derive(Default)]
struct Carriage {
    moving: bool,
}

impl Carriage {
    fn step(&mut self, bwdlimit: bool, fwdlimit: bool, cargo: bool) -> (bool, bool) {
        self.moving = !fwdlimit && (self.moving || bwdlimit && cargo);
        (self.moving, false)
    }

    fn answer(&mut self, line: &str) -> String {
        let on = |name: &str| line.split_whitespace().any(|pair| pair == format!("{name}=1"));
        let (forward, backward) = self.step(on("bwdlimit"), on("fwdlimit"), on("cargo"));
        format!("movefwd={} movebwd={}", u8::from(forward), u8::from(backward))
    }
}

fn main() -> io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let way = arguments.next().unwrap_or_else(|| "good".into());
    if way == "serve" {
        return serve::serve(arguments);
    }
    if way == "talk" {
        return talk::talk(arguments);
    }
    let after = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(3u64);
    let more: Vec<String> = arguments.collect();
    match way.as_str() {
        "exits-at-start" => {
            eprintln!("cannot find my configuration");
            exit(3);
        }
        "never-reads" => sleep_for_ever(),
        "ignores-sigterm" => {
            let noticed = std::sync::Arc::default();
            signal_hook::flag::register(signal_hook::consts::SIGTERM, noticed)?;
        }
        "banner" => say("Carriage controller 1.0\nready")?,
        "greets" => say("movefwd=0 movebwd=0")?,
        "has-child" => {
            // A process of our group that would outlive us.
            let child = std::process::Command::new(std::env::current_exe()?)
                .arg("never-reads")
                .args(&more)
                .spawn()?;
            eprintln!("child {}", child.id());
        }
        _ => {}
    }
    let mut carriage = Carriage::default();
    let mut steps = 0;
    for line in stdin().lock().lines() {
        let line = line?;
        if line == "reset" {
            carriage = Carriage::default();
            if way == "acknowledges" {
                say("ok")?;
            }
            continue;
        }
        let was_moving = carriage.moving;
        let answer = carriage.answer(&line);
        steps += 1;
        let is_slow = match way.as_str() {
            "slow" => true,
            // When it comes to the end of its way.
            "slow-to-stop" => was_moving && !carriage.moving,
            // Once and never again, in no process.
            "slow-once" => more.first().is_some_and(|mark| std::fs::File::create_new(mark).is_ok()),
            _ => false,
        };
        if is_slow {
            std::thread::sleep(Duration::from_millis(after));
        }
        if steps <= after {
            say(&answer)?;
            continue;
        }
        match way.as_str() {
            "exits" => {
                eprintln!("assertion failed: {line}");
                exit(7);
            }
            "aborts" => std::process::abort(),
            "closes-stdout" => {
                rustix::stdio::dup2_stdout(std::fs::File::open("/dev/null")?)?;
                sleep_for_ever();
            }
            "silent" | "ignores-sigterm" => sleep_for_ever(),
            "garbage" => say("\u{1b}[2J\u{fffd} segmentation fault?")?,
            "binary" => stdout().write_all(&[0xff, 0x00, 0xfe, b'\n']).and_then(|()| stdout().flush())?,
            "unknown-signal" => say(&format!("{answer} movefwdd=1"))?,
            "missing-signal" => say("movefwd=0")?,
            "twice" => say("movefwd=0 movebwd=0 movefwd=1")?,
            "two-lines" => say(&format!("{answer}\n{answer}"))?,
            "two-lines-late" => {
                say(&answer)?;
                say(&answer)?;
            }
            "half-a-line" => {
                print!("movefwd=");
                stdout().flush()?;
                sleep_for_ever();
            }
            "endless-line" => loop {
                stdout().write_all(&[b'x'; 4096])?;
            },
            "floods-stdout" => loop {
                say(&answer)?;
            },
            "floods-stderr" => {
                flood_stderr(1 << 20)?;
                sleep_for_ever();
            }
            "floods-stderr-and-answers" => {
                flood_stderr(1 << 20)?;
                say(&answer)?;
            }
            "babbles" => loop {
                flood_stderr(1 << 12)?;
            },
            "prompts" => {
                print!("{answer}\n> ");
                stdout().flush()?;
            }
            "three-lines" => say(&format!("begin\n{answer}\nend"))?,
            "chats" => say(&format!("log: got `{line}`\nout: {answer}\nlog: done"))?,
            "stays" => {
                // Ends neither when its stdin is closed nor by itself.
                say(&answer)?;
                while stdin().lock().lines().next().is_some() {}
                sleep_for_ever();
            }
            _ => say(&answer)?,
        }
    }
    if ["stays", "has-child"].contains(&way.as_str()) {
        sleep_for_ever();
    }
    Ok(())
}

fn say(line: &str) -> io::Result<()> {
    let mut out = stdout().lock();
    out.write_all(format!("{line}\n").as_bytes())?;
    out.flush()
}

fn flood_stderr(bytes: usize) -> io::Result<()> {
    let mut err = stderr().lock();
    for number in 0..bytes / 32 {
        err.write_all(format!("warning {number:>22}\n").as_bytes())?;
    }
    err.flush()
}

fn sleep_for_ever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
