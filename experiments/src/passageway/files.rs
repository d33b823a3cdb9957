//! The passageway as files: requirement, specifications, and the implementation as a machine.

use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;
use std::sync::Arc;

use provoke::automaton::read_requirement;
use provoke::bdd::Space;
use provoke::circuit::{circuit_of, verilog_of};
use provoke::diagnostic::Source;

use super::{Door, Grid, Robot, Shown, hoa};

/// The files of `examples/passageway` for any size, by name: the requirement, a good and a faulty machine, and
/// a specification for each of the two.
pub fn files(rooms: u32, size: u32) -> Vec<(String, String)> {
    let mut stem = format!("rooms-{rooms}");
    if size != 4 {
        let _ = write!(stem, "-cells-{size}");
    }
    let mut files = vec![(format!("{stem}.hoa"), hoa(rooms))];
    files.extend(circuits(rooms).into_iter().map(|(ending, text)| (format!("{stem}.{ending}"), text)));
    for (last_door, name) in [(Door::Open, stem.clone()), (Door::Faulty, format!("{stem}-faulty"))] {
        files.push((format!("{name}.dot"), dot(Grid { rooms, size, last_door })));
        files.push((format!("{name}.toml"), toml(rooms, last_door, &stem, &name)));
    }
    files
}

/// The requirement as AIGER and as Verilog, with the last room as the objective.
fn circuits(rooms: u32) -> Vec<(&'static str, String)> {
    let source = Source::new("passageway.hoa", hoa(rooms));
    let Ok(interface) = super::interface(rooms) else { return Vec::new() };
    let Ok(automaton) = read_requirement(&source, &Arc::new(Space::new(interface))) else {
        return Vec::new();
    };
    let last: Vec<u32> = (0..3).map(|place| super::requirement::state_number(rooms, place)).collect();
    vec![
        ("aag", circuit_of(&automaton, &last).to_ascii()),
        ("v", verilog_of(&automaton, "passageway", &last)),
    ]
}

fn toml(rooms: u32, last_door: Door, stem: &str, name: &str) -> String {
    let heading = match last_door {
        Door::Faulty => format!("# A passageway of {rooms} rooms whose last door lets nobody through.\n\n"),
        _ => format!("# A passageway of {rooms} rooms: a robot goes from the first to the last.\n\n"),
    };
    let room_signals: Vec<String> = (1..=rooms).map(|room| format!("\"room_{room}\"")).collect();
    let goal: Vec<String> = (0..3).map(|place| format!("\"room {rooms}, m{place}\"")).collect();
    let (room_signals, goal) = (room_signals.join(", "), goal.join(", "));
    heading
        + &format!(
            r#"[signals]
inputs  = ["right", "up"]
outputs = [{room_signals}, "open", "doorstep", "collision"]

[system]
model = "{name}.dot"

[[requirement]]
id = "doors"
text = "The robot gets to the next room by moving right from the doorstep in the open row, then surely, and in no other way."
automaton = "{stem}.hoa"

[[objective]]
id = "last-room"
text = "The robot is in the last room and never collided."
states = [{goal}]
"#
        )
}

/// The reachable part of the implementation. States are cells; after a collision only what is shown counts.
fn dot(grid: Grid) -> String {
    let mut text =
        format!("digraph passageway_{} {{\n    __start0 [label=\"\" shape=\"none\"];\n", grid.rooms);
    let start = name(&grid, grid.start());
    let mut seen = HashSet::from([start.clone()]);
    let mut open = VecDeque::from([grid.start()]);
    let mut edges = String::new();
    while let Some(robot) = open.pop_front() {
        let from = name(&grid, robot);
        let _ = writeln!(text, "    {from} [label=\"{from}\"];");
        // All four moves of a robot that collided are the same.
        let moves: &[(&str, bool, bool)] = if grid.show(robot).collision {
            &[("true", false, false)]
        } else {
            &[
                ("!right & !up", false, false),
                ("right & !up", true, false),
                ("!right & up", false, true),
                ("right & up", true, true),
            ]
        };
        for (guard, right, up) in moves {
            let next = grid.step(robot, *right, *up);
            let to = name(&grid, next);
            let _ = writeln!(edges, "    {from} -> {to} [label=\"{guard} / {}\"];", answer(grid.show(next)));
            if seen.insert(to) {
                open.push_back(next);
            }
        }
    }
    text + &edges + &format!("    __start0 -> {start};\n}}\n")
}

fn name(grid: &Grid, robot: Robot) -> String {
    let Shown { room, open, doorstep, collision } = grid.show(robot);
    let mark = |on: bool, letter: &'static str| if on { letter } else { "" };
    match collision {
        true => format!("collision_{}{}{}", room + 1, mark(open, "o"), mark(doorstep, "d")),
        false => {
            let (x, y) = robot.cell();
            format!("x{x}y{y}")
        }
    }
}

/// The outputs that are true.
fn answer(shown: Shown) -> String {
    let mut text = format!("room_{}", shown.room + 1);
    let signals = [("open", shown.open), ("doorstep", shown.doorstep), ("collision", shown.collision)];
    for (signal, on) in signals {
        if on {
            let _ = write!(text, " {signal}");
        }
    }
    text
}
