//! The controller of a robot arm as one small program over standard input and output; the argument says which one, `good` or
//! the name of a fault. One line in (`ready=0 collision=0 alarm=1`), one line out.

// Shared with the experiments, where it is public.
#[allow(dead_code, missing_docs, unreachable_pub)]
mod arm;

use std::io::{BufRead, Write};

use arm::{Arm, FAULTS, INPUTS, Input, OUTPUTS};

fn main() -> std::io::Result<()> {
    let word = std::env::args().nth(1).unwrap_or_else(|| "good".to_owned());
    let fault = FAULTS.iter().find(|(name, _)| *name == word).map(|&(_, fault)| fault);
    if fault.is_none() && word != "good" {
        let names: Vec<&str> = FAULTS.iter().map(|(name, _)| *name).collect();
        eprintln!("unknown controller `{word}`; there are good, {}", names.join(", "));
        std::process::exit(2);
    }
    let mut arm = Arm::new(fault);
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let told = |name: &str| line.split_whitespace().any(|pair| pair.strip_suffix("=1") == Some(name));
        let [ready, collision, alarm] = INPUTS.map(told);
        let output = arm.step(Input { ready, collision, alarm });
        let pairs = OUTPUTS.iter().zip(output.bits()).map(|(name, bit)| format!("{name}={}", u8::from(bit)));
        writeln!(stdout, "{}", pairs.collect::<Vec<_>>().join(" "))?;
        stdout.flush()?;
    }
    Ok(())
}
