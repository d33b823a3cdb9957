//! The application of paper 4 as one small program over standard input and output: one label in, one label out, `None` for
//! doing nothing. The argument says which one, `good` or `faulty`; `aut` prints its specification instead.

// Shared with the experiments, where it is public.
#[allow(unreachable_pub, dead_code)]
mod application;

use std::io::{BufRead, Write};

use application::{Application, Reply, aut, states};

fn main() -> std::io::Result<()> {
    let mut stdout = std::io::stdout().lock();
    let faulty = match std::env::args().nth(1).as_deref() {
        None | Some("good") => false,
        Some("faulty") => true,
        Some("aut") => return write!(stdout, "{}", aut()),
        Some(other) => {
            eprintln!("unknown application `{other}`; there are good, faulty, and aut for the specification");
            std::process::exit(2);
        }
    };
    let seed = u64::from(std::process::id());
    let mut application = Application::new(states().into(), faulty, seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let told = Some(line.trim()).filter(|label| *label != "None");
        match application.step(told) {
            Reply::Said(said) => writeln!(stdout, "{}", said.as_deref().unwrap_or("None"))?,
            Reply::Exit => return Ok(()),
        }
        stdout.flush()?;
    }
    Ok(())
}
