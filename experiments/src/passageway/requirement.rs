//! What the passageway must do, as a HOA automaton for any number of rooms.

use std::fmt::Write as _;

/// The requirement of paper 1, section 6.1 and Fig. 8, as the text of a HOA file.
///
/// States are (room, `m0`, `m1` or `m2`) - away from the open row, in it, in it and on the doorstep - and an
/// absorbing collision state; a step without an edge is the error. Where the paper speaks of "the
/// corresponding state" of another room, that is the state whose name matches what is shown there.
pub fn hoa(rooms: u32) -> String {
    let mut text = header(rooms);
    for room in 1..=rooms {
        for place in Place::ALL {
            let _ = writeln!(text, "State: {} \"room {room}, {}\"", state(room, place), place.name());
            edges(&mut text, rooms, room, place);
        }
    }
    let _ = writeln!(text, "State: {} \"collision\"\n[t] {}\n--END--", 3 * rooms, 3 * rooms);
    text
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Away,
    Open,
    Door,
}

impl Place {
    const ALL: [Place; 3] = [Place::Away, Place::Open, Place::Door];

    fn name(self) -> &'static str {
        ["m0", "m1", "m2"][self as usize]
    }

    fn shown(self) -> &'static str {
        ["!@open", "@open & !@doorstep", "@open & @doorstep"][self as usize]
    }
}

/// The state's number; rooms count from 1.
pub(super) fn state_number(room: u32, place: u32) -> u32 {
    3 * (room - 1) + place
}

fn state(room: u32, place: Place) -> u32 {
    state_number(room, place as u32)
}

fn header(rooms: u32) -> String {
    let mut text = String::from("HOA: v1\n");
    let last = rooms + 4;
    let names: Vec<String> = (1..=rooms).map(|room| format!("\"room_{room}\"")).collect();
    let outputs: Vec<String> = (2..=last).map(|at| at.to_string()).collect();
    let _ = writeln!(text, "name: \"passageway of {rooms} rooms\"");
    let _ = writeln!(text, "States: {}\nStart: 0\nacc-name: all\nAcceptance: 0 t", 3 * rooms + 1);
    let _ = writeln!(text, "properties: trans-labels explicit-labels deterministic");
    let names = names.join(" ");
    let _ = writeln!(text, "AP: {} \"right\" \"up\" {names} \"open\" \"doorstep\" \"collision\"", last + 1);
    let _ = writeln!(text, "controllable-AP: {}", outputs.join(" "));
    let _ = writeln!(text, "Alias: @right 0\nAlias: @up 1");
    let _ = writeln!(text, "Alias: @open {}\nAlias: @doorstep {}", last - 2, last - 1);
    let _ = writeln!(text, "Alias: @collision {last}");
    for room in 1..=rooms {
        // In one room and no other, without a collision.
        let bits = (1..=rooms).map(|other| format!("{}{}", if other == room { "" } else { "!" }, other + 1));
        let _ = writeln!(text, "Alias: @in{room} {} & !{last}", bits.collect::<Vec<_>>().join(" & "));
    }
    text.push_str("--BODY--\n");
    text
}

fn edges(text: &mut String, rooms: u32, room: u32, from: Place) {
    let _ = writeln!(text, "[@collision] {}", 3 * rooms);
    for to in Place::ALL {
        let mut edge = |next: u32, moved: &str| {
            let _ = writeln!(text, "[@in{next} & {}{moved}] {}", to.shown(), state(next, to));
        };
        if room > 1 {
            edge(room - 1, "");
        }
        // The open row is at the bottom of odd rooms and at the top of even ones.
        let towards_open = if room % 2 == 1 { " & !@up" } else { " & @up" };
        match (from, to) {
            (Place::Away, Place::Open | Place::Door) => edge(room, towards_open),
            (Place::Open, Place::Door) => edge(room, " & @right"),
            (Place::Open, Place::Away) => edge(room, " & (@right | !@doorstep)"),
            (Place::Door, _) if room < rooms => {
                edge(room, " & !@right");
                edge(room + 1, " & @right");
            }
            _ => edge(room, ""),
        }
    }
}
