//! A proxy with a fault, between the tester and a key-value server: `key-value FAULT ADDRESS COMMAND...` starts the
//! server, hands on to it what comes in, and hands back what it answers.
//!
//! `none` has no fault. `lifo` pops from the wrong end once three elements were pushed, and `skips` counts the third
//! time by two. A reset (`DEL`, `delete`) begins the counting again.

use std::io::{BufRead, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    Lifo,
    Skips,
}

/// What was asked for since the last reset.
struct Proxy {
    fault: Fault,
    pushes: u32,
    counts: u32,
}

impl Proxy {
    /// The command that the server gets in place of this one.
    fn bend(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied() {
            Some("DEL" | "delete") => (self.pushes, self.counts) = (0, 0),
            Some("RPUSH") => self.pushes += 1,
            Some("INCR" | "incr") => self.counts += 1,
            _ => {}
        }
        match (self.fault, words.as_slice()) {
            (Fault::Lifo, ["LPOP", key]) if self.pushes >= 3 => format!("RPOP {key}\r\n"),
            (Fault::Skips, ["INCR", key]) if self.counts == 3 => format!("INCRBY {key} 2\r\n"),
            (Fault::Skips, ["incr", key, _]) if self.counts == 3 => format!("incr {key} 2\r\n"),
            _ => line.to_owned(),
        }
    }
}

/// Calls the server until it accepts, or has ended.
fn call(server: &mut Child, address: &str) -> std::io::Result<TcpStream> {
    loop {
        match TcpStream::connect(address) {
            Err(error) if server.try_wait()?.is_some() => return Err(error),
            Err(_) => std::thread::sleep(Duration::from_millis(2)),
            connected => return connected,
        }
    }
}

fn serve(server: &mut Child, address: &str, fault: Fault) -> std::io::Result<()> {
    let mut to = call(server, address)?;
    to.set_nodelay(true)?;
    let mut from = to.try_clone()?;
    std::thread::spawn(move || {
        let mut stdout = std::io::stdout().lock();
        let mut piece = [0; 4096];
        while let Ok(count @ 1..) = from.read(&mut piece) {
            if stdout.write_all(&piece[..count]).and_then(|()| stdout.flush()).is_err() {
                break;
            }
        }
        // The server has hung up, and so do we.
        std::process::exit(1);
    });
    let mut proxy = Proxy { fault, pushes: 0, counts: 0 };
    let mut line = String::new();
    let mut stdin = std::io::stdin().lock();
    while stdin.read_line(&mut line)? > 0 {
        to.write_all(proxy.bend(&line).as_bytes())?;
        line.clear();
    }
    Ok(())
}

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [fault, address, program, rest @ ..] = arguments.as_slice() else {
        eprintln!("usage: key-value none|lifo|skips ADDRESS COMMAND...");
        std::process::exit(2);
    };
    let fault = match fault.as_str() {
        "none" => Fault::None,
        "lifo" => Fault::Lifo,
        "skips" => Fault::Skips,
        other => {
            eprintln!("unknown fault `{other}`; there are none, lifo, skips");
            std::process::exit(2);
        }
    };
    let mut server = Command::new(program).args(rest).stdin(Stdio::null()).stdout(Stdio::null()).spawn()?;
    let result = serve(&mut server, address, fault);
    server.kill()?;
    server.wait()?;
    result
}
