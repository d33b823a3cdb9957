//! The carriage over TCP, one client after another: `misbehave serve ADDRESS [WAY] [AFTER]`. A client's leaving
//! does not reset it; the line `reset` does.

use std::io::{self, BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::exit;

use crate::{Carriage, sleep_for_ever};

/// Serves for ever, or misbehaves after so many steps.
pub(crate) fn serve(mut arguments: impl Iterator<Item = String>) -> io::Result<()> {
    let address = arguments.next().unwrap_or_else(|| "127.0.0.1:0".into());
    let way = arguments.next().unwrap_or_else(|| "good".into());
    let after = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(3u64);
    match way.as_str() {
        "exits-at-start" => {
            println!("cannot find my configuration");
            exit(3);
        }
        "deaf" => sleep_for_ever(),
        "ignores-sigterm" => {
            let noticed = std::sync::Arc::default();
            signal_hook::flag::register(signal_hook::consts::SIGTERM, noticed)?;
        }
        _ => {}
    }
    let listener = TcpListener::bind(&address)?;
    let mut carriage = Carriage::default();
    let (mut steps, mut dropped) = (0, 0);
    for stream in listener.incoming() {
        let mut stream = stream?;
        for line in BufReader::new(stream.try_clone()?).lines() {
            let Ok(line) = line else { break };
            if line == "reset" {
                carriage = Carriage::default();
                continue;
            }
            steps += 1;
            match way.as_str() {
                "crashes" if steps > after => {
                    eprintln!("assertion failed: {line}");
                    exit(7);
                }
                // Twice only.
                "drops" if steps > after && dropped < 2 => {
                    (steps, dropped) = (0, dropped + 1);
                    break;
                }
                "silent" if steps > after => sleep_for_ever(),
                _ => {}
            }
            let answer = carriage.answer(&line);
            if stream.write_all(format!("{answer}\n").as_bytes()).is_err() {
                break;
            }
        }
    }
    Ok(())
}
