//! A thermostat and a simulated room as one small program over standard input and output; the argument says which one.
//! One line in (`wish=21.5 window=0`), one line out (`temp=18.73 heater=on power=10`).

mod thermostat;

use std::io::{BufRead, Write};

use thermostat::{FAULTS, Thermostat};

fn main() -> std::io::Result<()> {
    let wanted = std::env::args().nth(1).unwrap_or_else(|| "good".to_owned());
    let Some(&(_, fault)) = FAULTS.iter().find(|(name, _)| *name == wanted) else {
        let names = FAULTS.map(|(name, _)| name).join(", ");
        eprintln!("unknown thermostat `{wanted}`; there are {names}");
        std::process::exit(2);
    };
    let mut thermostat = Thermostat::new(fault);
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let value = |name: &str| {
            let mut pairs = line.split_whitespace().filter_map(|pair| pair.split_once('='));
            pairs.find(|(of, _)| *of == name).and_then(|(_, value)| value.parse::<f64>().ok())
        };
        let (Some(wish), Some(window)) = (value("wish"), value("window")) else {
            eprintln!("expected wish=N window=0 or 1, found {line}");
            std::process::exit(2);
        };
        let shown = thermostat.step(wish, window == 1.0);
        let heater = if shown.heats { "on" } else { "off" };
        writeln!(stdout, "temp={} heater={heater} power={}", shown.temp, shown.power)?;
        stdout.flush()?;
    }
    Ok(())
}
