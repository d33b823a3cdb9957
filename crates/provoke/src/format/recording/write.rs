//! Recorded runs written down: the same forms that are read.

use std::fmt::Write;

use super::Format;
use super::row::places;
use super::wave::Wave;
use crate::letter::{Alphabet, Interface, Letter};
use crate::trace::{Step, write_trace};

/// What something says after each step, one letter a step: `s` satisfied for good, `g` so far good, `b` so far bad, `v`
/// violated.
#[derive(Clone, Copy, Debug)]
pub struct Lane<'a> {
    /// Whose verdict it is.
    pub name: &'a str,
    /// One letter a step.
    pub verdicts: &'a str,
}

/// Writes a run in one of the forms that [`read`](super::read) reads; what is read back is the same run. Lanes go into CSV
/// as further columns and into VCD as further variables.
pub fn write(interface: &Interface, trace: &[Step], format: Format, lanes: &[Lane<'_>]) -> String {
    match format {
        Format::Text => write_trace(interface, trace, &[]),
        Format::Csv => csv(interface, trace, lanes),
        Format::JsonLines => json(interface, trace),
        Format::Vcd => vcd(interface, trace, lanes),
    }
}

/// The name of a lane among the names of signals: with something before it, so that it is none of them.
fn lane_name(lane: &Lane<'_>) -> String {
    format!("verdict:{}", lane.name)
}

fn word(letter: char) -> &'static str {
    match letter {
        's' => "satisfied",
        'b' => "so_far_bad",
        'v' => "violated",
        _ => "so_far_good",
    }
}

fn csv(interface: &Interface, trace: &[Step], lanes: &[Lane<'_>]) -> String {
    let mut names: Vec<String> = match interface.has_labels() {
        true => vec!["input".to_owned(), "output".to_owned()],
        false => places(interface).map(|place| place.field.name().to_owned()).collect(),
    };
    names.extend(lanes.iter().map(lane_name));
    // Without a second column nobody could tell the separator.
    let mut text = names.iter().map(|name| field(name)).collect::<Vec<_>>().join(",") + "\n";
    let mut verdicts: Vec<_> = lanes.iter().map(|lane| lane.verdicts.chars()).collect();
    for step in trace {
        let mut row: Vec<String> = match interface.has_labels() {
            true => {
                vec![shown(&interface.inputs, step.input), shown(&interface.outputs, step.output)]
            }
            false => places(interface).map(|place| place.value(step)).collect(),
        };
        row.extend(verdicts.iter_mut().map(|lane| lane.next().map_or("", word).to_owned()));
        text += &row.iter().map(|value| field(value)).collect::<Vec<_>>().join(",");
        text.push('\n');
    }
    text
}

fn shown(alphabet: &Alphabet, letter: Letter) -> String {
    alphabet.show(letter).to_string()
}

/// A field of a line, quoted where it must be.
fn field(text: &str) -> String {
    let is_plain =
        !text.is_empty() && text.trim() == text && !text.contains([',', ';', '\t', '"', '\n', '\r']);
    match is_plain {
        true => text.to_owned(),
        false => format!("\"{}\"", text.replace('"', "\"\"")),
    }
}

fn json(interface: &Interface, trace: &[Step]) -> String {
    let mut text = String::new();
    for step in trace {
        let object = match interface.has_labels() {
            true => serde_json::json!({
                "input": shown(&interface.inputs, step.input),
                "output": shown(&interface.outputs, step.output),
            }),
            false => {
                let pair = |place: super::row::Place<'_>| {
                    let value = place.value(step);
                    let real = || place.field.is_real().then(|| value.parse::<f64>().ok()).flatten();
                    let value = match (value.parse::<i64>(), real()) {
                        (Ok(whole), _) => whole.into(),
                        (_, Some(real)) => real.into(),
                        _ => serde_json::Value::from(value.clone()),
                    };
                    (place.field.name().to_owned(), value)
                };
                serde_json::Value::Object(places(interface).map(pair).collect())
            }
        };
        let _ = writeln!(text, "{object}");
    }
    text
}

/// One time stamp a step; `step` counts them, so that each has a change.
fn vcd(interface: &Interface, trace: &[Step], lanes: &[Lane<'_>]) -> String {
    let mut text =
        String::from("$comment written by provoke $end\n$timescale 1 us $end\n$scope module run $end\n");
    let mut codes = (0..).map(code);
    let mut next = || codes.next().unwrap_or_default();
    let counter = next();
    let _ = writeln!(text, "$var integer 32 {counter} step $end");
    // For each variable: its code, its width, and its value in a step.
    type Value<'v> = Box<dyn Fn(usize, &Step) -> String + 'v>;
    let mut variables: Vec<(String, Value<'_>)> = Vec::new();
    for (scope, alphabet, is_output) in
        [("inputs", &interface.inputs, false), ("outputs", &interface.outputs, true)]
    {
        let _ = writeln!(text, "$scope module {scope} $end");
        match alphabet.as_labels() {
            Some(_) => {
                let side = move |step: &Step| if is_output { step.output } else { step.input };
                let mut said: Vec<Letter> = Vec::new();
                for step in trace {
                    if !said.contains(&side(step)) {
                        said.push(side(step));
                    }
                }
                for letter in said {
                    let code = next();
                    let _ = writeln!(text, "$var wire 1 {code} {} $end", name(&shown(alphabet, letter)));
                    let value = move |_: usize, step: &Step| u8::from(side(step) == letter).to_string();
                    variables.push((code, Box::new(value)));
                }
            }
            None => {
                for place in places(interface).filter(|place| place.is_output() == is_output) {
                    let code = next();
                    let said = trace.iter().filter(|step| place.is_stray(step)).map(|step| place.value(step));
                    let wave = Wave::of(place.field).with_room_for(said);
                    let _ =
                        writeln!(text, "$var {} $end", wave.declaration(&code, &name(place.field.name())));
                    let value = move |_: usize, step: &Step| match place.is_stray(step) {
                        false => wave.write(place.field, place.get(step)),
                        true => wave.write_stray(&place.value(step)),
                    };
                    variables.push((code, Box::new(value)));
                }
            }
        }
        text += "$upscope $end\n";
    }
    text += "$scope module verdicts $end\n";
    for lane in lanes {
        let (violated, verdict) = (next(), next());
        let called = name(lane.name);
        let _ = writeln!(text, "$var wire 1 {violated} {called}.violated $end");
        let _ = writeln!(text, "$var wire 2 {verdict} {called}.verdict [1:0] $end");
        let letters: Vec<char> = lane.verdicts.chars().collect();
        let at = letters.clone();
        variables.push((violated, Box::new(move |step, _| u8::from(at.get(step) == Some(&'v')).to_string())));
        let value = move |step: usize, _: &Step| match letters.get(step) {
            Some('s') => "b11".to_owned(),
            Some('b') => "b01".to_owned(),
            Some('v') => "b00".to_owned(),
            _ => "b10".to_owned(),
        };
        variables.push((verdict, Box::new(value)));
    }
    text += "$upscope $end\n$upscope $end\n$enddefinitions $end\n";
    let mut last: Vec<String> = vec![String::new(); variables.len()];
    for (at, step) in trace.iter().enumerate() {
        let _ = writeln!(text, "#{at}\nb{:b} {counter}", at + 1);
        for ((code, value), last) in variables.iter().zip(&mut last) {
            let now = value(at, step);
            if now != *last {
                let gap = if now.starts_with(['b', 'r', 's']) { " " } else { "" };
                let _ = writeln!(text, "{now}{gap}{code}");
                *last = now;
            }
        }
    }
    let _ = writeln!(text, "#{}", trace.len());
    text
}

/// The short name of a variable: printable characters, as few as possible.
fn code(mut number: usize) -> String {
    let mut code = String::new();
    loop {
        code.push(char::from(b'!' + (number % 94) as u8));
        number /= 94;
        if number == 0 {
            return code;
        }
        number -= 1;
    }
}

/// A name as a variable of a VCD file: spaces end words there, so they and the escape itself are written as `\xx`.
pub(super) fn name(text: &str) -> String {
    let mut name = String::new();
    for character in text.chars() {
        match character {
            '\\' | '$' => _ = write!(name, "\\{:02x}", character as u32),
            c if c.is_whitespace() || c.is_control() => {
                let mut bytes = [0; 4];
                c.encode_utf8(&mut bytes).bytes().for_each(|byte| _ = write!(name, "\\{byte:02x}"));
            }
            c => name.push(c),
        }
    }
    if name.is_empty() { "\\".to_owned() } else { name }
}
