//! The cruise controller as one small program over standard input and output. The argument says which one: `good`, the name of a
//! fault, or the number of a mutant. One line in (`button=1 brake=0 ...`), one line out.

// Shared with the experiments, where they are public.
#[allow(dead_code, missing_docs, unreachable_pub)]
mod cruise;
#[allow(dead_code, missing_docs, unreachable_pub)]
mod probe;

use std::io::{BufRead, Write};

use cruise::{Cruise, FAULTS, INPUTS, Input, OUTPUTS};
use probe::{Change, MUTANTS};

fn main() -> std::io::Result<()> {
    let word = std::env::args().nth(1).unwrap_or_else(|| "good".to_owned());
    let fault = FAULTS.iter().find(|fault| fault.name == word).map(|fault| fault.change);
    let change = fault.or_else(|| word.parse().ok().and_then(Change::numbered));
    if change.is_none() && word != "good" {
        let names: Vec<&str> = FAULTS.iter().map(|fault| fault.name).collect();
        eprintln!(
            "unknown controller `{word}`; there are good, {}, and mutants 1 to {MUTANTS}",
            names.join(", ")
        );
        std::process::exit(2);
    }
    let mut cruise = Cruise::new(change);
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let told = |name: &str| line.split_whitespace().any(|pair| pair.strip_suffix("=1") == Some(name));
        let output = cruise.step(Input::of(INPUTS.map(told)));
        let pairs = OUTPUTS.iter().zip(output.bits()).map(|(name, bit)| format!("{name}={}", u8::from(bit)));
        writeln!(stdout, "{}", pairs.collect::<Vec<_>>().join(" "))?;
        stdout.flush()?;
    }
    Ok(())
}
