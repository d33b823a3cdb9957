//! The lift as one small program over standard input and output; the argument says which one. One line in (`call=3`), one
//! line out (`floor=2 motor=up door=0`); with a button a floor (`b_1=0 b_2=0 b_3=1 ...`) it answers in truth values, as
//! `boolean.toml` has them.

// Shared with the experiments, where it is public.
#[allow(unreachable_pub)]
mod lift;

use std::io::{BufRead, Write};

use lift::{FLOORS, Lift, Shown};

/// What is wrong with the lift, if anything is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fault {
    None,
    /// Opens its door on the move; see [`Lift::new`].
    Rushes,
    /// Has opened its door on floor 5 on the way up, and goes on to the top.
    Overshoots,
    /// Takes the top for the floor below it.
    OffByOne,
    /// Shows the wrong direction on the upper floors.
    WrongDirection,
    /// Shows the floor on which it was a step ago.
    Stale,
    /// Rests in every other step in which nobody calls.
    Slow,
}

const FAULTS: [(&str, Fault); 7] = [
    ("good", Fault::None),
    ("faulty", Fault::Rushes),
    ("overshoots", Fault::Overshoots),
    ("off-by-one", Fault::OffByOne),
    ("wrong-direction", Fault::WrongDirection),
    ("stale", Fault::Stale),
    ("slow", Fault::Slow),
];

/// A lift with a fault.
struct Faulty {
    lift: Lift,
    fault: Fault,
    before: Shown,
    rested: bool,
}

impl Faulty {
    fn step(&mut self, call: Option<u32>) -> Shown {
        let call = match self.fault {
            Fault::OffByOne if call == Some(FLOORS) => Some(FLOORS - 1),
            Fault::Overshoots if call.is_none() && self.before.door && self.before.floor == FLOORS - 1 => {
                Some(FLOORS)
            }
            _ => call,
        };
        self.rested = self.fault == Fault::Slow && call.is_none() && !self.rested;
        let now = match self.rested {
            true => Shown { door: false, up: false, down: false, ..self.before },
            false => self.lift.step(call),
        };
        let shown = match self.fault {
            Fault::WrongDirection if now.floor > 3 => Shown { up: now.down, down: now.up, ..now },
            Fault::Stale => Shown { floor: self.before.floor, ..now },
            _ => now,
        };
        self.before = now;
        shown
    }
}

fn main() -> std::io::Result<()> {
    let wanted = std::env::args().nth(1).unwrap_or_else(|| "good".to_owned());
    let Some(&(_, fault)) = FAULTS.iter().find(|(name, _)| *name == wanted) else {
        let names = FAULTS.map(|(name, _)| name).join(", ");
        eprintln!("unknown lift `{wanted}`; there are {names}");
        std::process::exit(2);
    };
    let start = Shown { floor: 1, ..Shown::default() };
    let mut lift = Faulty { lift: Lift::new(fault == Fault::Rushes), fault, before: start, rested: false };
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        match line.trim().strip_prefix("call=") {
            Some(call) => {
                let shown = lift.step(call.parse().ok().filter(|floor| (1..=FLOORS).contains(floor)));
                let motor = if shown.up {
                    "up"
                } else if shown.down {
                    "down"
                } else {
                    "off"
                };
                writeln!(stdout, "floor={} motor={motor} door={}", shown.floor, u8::from(shown.door))?;
            }
            None => {
                let pressed =
                    |floor: &u32| line.split_whitespace().any(|pair| pair == format!("b_{floor}=1"));
                let shown = lift.step((1..=FLOORS).find(pressed));
                for floor in 1..=FLOORS {
                    write!(stdout, "at_{floor}={} ", u8::from(floor == shown.floor))?;
                }
                let [door, up, down] = [shown.door, shown.up, shown.down].map(u8::from);
                writeln!(stdout, "door={door} up={up} down={down}")?;
            }
        }
        stdout.flush()?;
    }
    Ok(())
}
