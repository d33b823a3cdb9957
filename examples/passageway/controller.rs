//! The passageway as one small program over standard input and output: `passageway KIND ROOMS [CELLS]`, where
//! the kind is `good`, `faulty` (the door to the last room lets nobody through) or `wall` (that door is a wall).
//! One line in (`right=1 up=0`), one line out.

// Shared with the experiments, where it is public and used to the last function.
#[allow(unreachable_pub, dead_code)]
mod grid;

use std::fmt::Write as _;
use std::io::{BufRead, Write};

use grid::{Door, Grid, Shown};

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(grid) = grid(&words) else {
        eprintln!(
            "usage: passageway good|faulty|wall ROOMS [CELLS]: at least 2 rooms, an even number of cells"
        );
        std::process::exit(2);
    };
    let mut robot = grid.start();
    let mut stdout = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let on = |signal: &str| line.split_whitespace().any(|pair| pair.strip_prefix(signal) == Some("=1"));
        robot = grid.step(robot, on("right"), on("up"));
        writeln!(stdout, "{}", answer(grid.rooms, grid.show(robot)))?;
        stdout.flush()?;
    }
    Ok(())
}

fn grid(words: &[String]) -> Option<Grid> {
    let last_door = match words.first()?.as_str() {
        "good" => Door::Open,
        "faulty" => Door::Faulty,
        "wall" => Door::Wall,
        _ => return None,
    };
    let rooms = words.get(1)?.parse().ok().filter(|&rooms: &u32| rooms >= 2)?;
    let size = match words.get(2) {
        Some(word) => word.parse().ok().filter(|&cells: &u32| cells >= 2 && cells.is_multiple_of(2))?,
        None => 4,
    };
    Some(Grid { rooms, size, last_door })
}

fn answer(rooms: u32, shown: Shown) -> String {
    let mut text = String::new();
    for room in 0..rooms {
        let _ = write!(text, "room_{}={} ", room + 1, u8::from(room == shown.room));
    }
    let Shown { open, doorstep, collision, .. } = shown;
    let [open, doorstep, collision] = [open, doorstep, collision].map(u8::from);
    let _ = write!(text, "open={open} doorstep={doorstep} collision={collision}");
    text
}
