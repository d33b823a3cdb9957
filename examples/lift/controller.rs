//! The lift as one small program over standard input and output; the argument says which one, `good` or
//! `faulty`. One line in (`b_1=0 b_2=0 b_3=1 ...`), one line out.

// Shared with the experiments, where it is public.
#[allow(unreachable_pub)]
mod lift;

use std::io::{BufRead, Write};

use lift::{FLOORS, Lift};

fn main() -> std::io::Result<()> {
    let faulty = match std::env::args().nth(1).as_deref() {
        None | Some("good") => false,
        Some("faulty") => true,
        Some(other) => {
            eprintln!("unknown lift `{other}`; there are good, faulty");
            std::process::exit(2);
        }
    };
    let mut lift = Lift::new(faulty);
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let pressed = |floor: &u32| line.split_whitespace().any(|pair| pair == format!("b_{floor}=1"));
        let shown = lift.step((1..=FLOORS).find(pressed));
        for floor in 1..=FLOORS {
            write!(stdout, "at_{floor}={} ", u8::from(floor == shown.floor))?;
        }
        let [door, up, down] = [shown.door, shown.up, shown.down].map(u8::from);
        writeln!(stdout, "door={door} up={up} down={down}")?;
        stdout.flush()?;
    }
    Ok(())
}
