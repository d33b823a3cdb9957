//! The carriage controllers as one small program over standard input and output: the first argument says
//! which one (`good`, `stops-early`, `eager`, `overruns`, `both-ways`). One line in, one line out.

use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let kind = std::env::args().nth(1).unwrap_or_else(|| "good".to_owned());
    let known = ["good", "stops-early", "eager", "overruns", "both-ways"];
    if !known.contains(&kind.as_str()) {
        eprintln!("unknown controller `{kind}`; there are {}", known.join(", "));
        std::process::exit(2);
    }
    let mut moving_for = 0u32;
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let on = |signal: &str| line.split_whitespace().any(|pair| pair.strip_prefix(signal) == Some("=1"));
        let [bwdlimit, fwdlimit, cargo] = ["bwdlimit", "fwdlimit", "cargo"].map(on);
        let starts = bwdlimit && !fwdlimit && (cargo || kind == "eager");
        let was_moving = moving_for > 0;
        let tired = kind == "stops-early" && moving_for >= 2;
        let goes_on = was_moving && !tired && (!fwdlimit || kind == "overruns");
        let movefwd = if was_moving { goes_on } else { starts };
        // The one that overruns notices the limit a step late, the tired one forgets what it was doing.
        let keeps_moving = movefwd && !(was_moving && fwdlimit);
        moving_for = if keeps_moving { moving_for + 1 } else { 0 };
        let movebwd = kind == "both-ways" && was_moving && movefwd && bwdlimit;
        writeln!(stdout, "movefwd={} movebwd={}", u8::from(movefwd), u8::from(movebwd))?;
        stdout.flush()?;
    }
    Ok(())
}
