//! Numbers that need not be whole, and numbers of very many values: what requirements make of runs is held against
//! expressions evaluated by hand, and what is written of runs is read again.

#![allow(clippy::unwrap_used)]

use provoke::campaign::judged;
use provoke::diagnostic::Source;
use provoke::format::recording::{self, Format, Options};
use provoke::letter::Interface;
use provoke::rng::Rng;
use provoke::specification::Specification;
use provoke::trace::{RequirementNumber, Step, Trace};

const SIGNALS: &str = "[signals.inputs]\nspeed = { real = [-5.0, 5.0] }\n[signals.outputs]\ntemp = \"real\"\n\
    room = { real = [-40, 85.5] }\nlevel = \"-1000000000..1000000000\"\non = \"bool\"\nmode = [\"idle\", \"busy\"]\n";

/// The numbers that constants and values are drawn from, so that they often meet.
const NUMBERS: [f64; 10] = [0.0, 0.5, -0.5, 1.0, 2.25, -3.0, 4.75, 20.5, -20.125, 0.1];

/// One exchange in numbers.
#[derive(Clone, Copy)]
struct Said {
    speed: f64,
    temp: f64,
    room: f64,
    level: i64,
    on: bool,
    busy: bool,
}

enum Number {
    Constant(f64),
    Field(&'static str, bool),
    Of(char, Box<[Number; 2]>),
    Abs(Box<Number>),
    Least(Box<[Number; 2]>),
}

enum Truth {
    Compare(&'static str, Number, Number),
    Between(Number, f64, f64),
    On,
    Busy,
    Not(Box<Truth>),
    Both(Box<[Truth; 2]>),
    Either(Box<[Truth; 2]>),
}

fn pick<T: Copy>(rng: &mut Rng, all: &[T]) -> T {
    all[rng.below(all.len() as u64) as usize]
}

impl Number {
    fn random(rng: &mut Rng, depth: u32) -> Number {
        match rng.below(if depth == 0 { 2 } else { 6 }) {
            0 => Number::Constant(pick(rng, &NUMBERS)),
            1 | 2 => Number::answered(rng),
            3 => {
                let parts = [Number::random(rng, depth - 1), Number::random(rng, depth - 1)];
                Number::Of(pick(rng, &['+', '-', '*']), Box::new(parts))
            }
            4 => Number::Abs(Box::new(Number::random(rng, depth - 1))),
            _ => Number::Least(Box::new([Number::random(rng, depth - 1), Number::random(rng, depth - 1)])),
        }
    }

    /// Some output.
    fn answered(rng: &mut Rng) -> Number {
        Number::Field(pick(rng, &["temp", "room", "level", "speed"]), rng.below(3) == 0)
    }

    fn text(&self) -> String {
        match self {
            Number::Constant(number) => format!("{number:?}"),
            Number::Field(name, false) => (*name).to_owned(),
            Number::Field(name, true) => format!("prev({name})"),
            Number::Of(sign, parts) => format!("({} {sign} {})", parts[0].text(), parts[1].text()),
            Number::Abs(part) => format!("abs({})", part.text()),
            Number::Least(parts) => format!("min({}, {})", parts[0].text(), parts[1].text()),
        }
    }

    fn value(&self, before: Said, now: Said) -> f64 {
        match self {
            Number::Constant(number) => *number,
            Number::Field(name, ago) => {
                let said = if *ago { before } else { now };
                match *name {
                    "temp" => said.temp,
                    "room" => said.room,
                    "level" => said.level as f64,
                    _ => said.speed,
                }
            }
            Number::Of(sign, parts) => {
                let [one, other] = [0, 1].map(|at: usize| parts[at].value(before, now));
                match sign {
                    '+' => one + other,
                    '-' => one - other,
                    _ => one * other,
                }
            }
            Number::Abs(part) => part.value(before, now).abs(),
            Number::Least(parts) => parts[0].value(before, now).min(parts[1].value(before, now)),
        }
    }
}

impl Truth {
    fn random(rng: &mut Rng, depth: u32) -> Truth {
        match rng.below(if depth == 0 { 5 } else { 8 }) {
            0 | 1 => {
                // A number that is whole in itself is a word of its own: something real takes part.
                let left = Number::Of('-', Box::new([Number::Field("temp", false), Number::random(rng, 1)]));
                Truth::Compare(pick(rng, &["<", "<=", ">", ">=", "=", "!="]), left, Number::random(rng, 1))
            }
            2 => {
                let left = Number::Field(pick(rng, &["temp", "room", "level", "speed"]), false);
                let right = Number::Constant(pick(rng, &NUMBERS));
                Truth::Compare(pick(rng, &["<", "<=", ">", ">=", "=", "!="]), left, right)
            }
            3 => {
                let [one, other] = [pick(rng, &NUMBERS), pick(rng, &NUMBERS)];
                Truth::Between(Number::Field("temp", false), one.min(other), one.max(other))
            }
            4 => pick_truth(rng),
            5 => Truth::Not(Box::new(Truth::random(rng, depth - 1))),
            6 => Truth::Both(Box::new([Truth::random(rng, depth - 1), Truth::random(rng, depth - 1)])),
            _ => Truth::Either(Box::new([Truth::random(rng, depth - 1), Truth::random(rng, depth - 1)])),
        }
    }

    fn text(&self) -> String {
        match self {
            Truth::Compare(sign, one, other) => format!("{} {sign} {}", one.text(), other.text()),
            Truth::Between(number, low, high) => format!("{} in {low:?}..{high:?}", number.text()),
            Truth::On => "on".to_owned(),
            Truth::Busy => "mode = busy".to_owned(),
            Truth::Not(part) => format!("!({})", part.text()),
            Truth::Both(parts) => format!("({}) & ({})", parts[0].text(), parts[1].text()),
            Truth::Either(parts) => format!("({}) | ({})", parts[0].text(), parts[1].text()),
        }
    }

    fn holds(&self, before: Said, now: Said) -> bool {
        let of = |part: &Truth| part.holds(before, now);
        match self {
            Truth::Compare(sign, one, other) => {
                let (one, other) = (one.value(before, now), other.value(before, now));
                match *sign {
                    "<" => one < other,
                    "<=" => one <= other,
                    ">" => one > other,
                    ">=" => one >= other,
                    "=" => one == other,
                    _ => one != other,
                }
            }
            Truth::Between(number, low, high) => (*low..=*high).contains(&number.value(before, now)),
            Truth::On => now.on,
            Truth::Busy => now.busy,
            Truth::Not(part) => !of(part),
            Truth::Both(parts) => of(&parts[0]) && of(&parts[1]),
            Truth::Either(parts) => of(&parts[0]) || of(&parts[1]),
        }
    }
}

fn pick_truth(rng: &mut Rng) -> Truth {
    if rng.below(2) == 0 { Truth::On } else { Truth::Busy }
}

fn said(rng: &mut Rng) -> Said {
    let speeds = [0.0, 0.5, -0.5, 1.0, 2.25, -3.0, 4.75, 0.1, 5.0, -5.0];
    let near = |number: f64, rng: &mut Rng| match rng.below(4) {
        0 => number.next_up(),
        1 => number.next_down(),
        _ => number,
    };
    let (temp, room) = (pick(rng, &NUMBERS), pick(rng, &NUMBERS));
    Said {
        speed: pick(rng, &speeds),
        temp: near(temp, rng),
        room: near(room, rng),
        level: pick(rng, &[0, 1, -3, 20, 1_000_000_000, -1_000_000_000, 999_999]),
        on: rng.below(2) == 1,
        busy: rng.below(2) == 1,
    }
}

fn step(interface: &Interface, said: Said) -> Step {
    let Said { speed, temp, room, level, on, busy } = said;
    let mode = if busy { "busy" } else { "idle" };
    let output = format!("temp={temp} room={room} level={level} on={} mode={mode}", u8::from(on));
    let output = interface.outputs.parse(&output).unwrap_or_else(|error| panic!("{output}: {error}"));
    Step { input: interface.inputs.parse(&format!("speed={speed}")).unwrap(), output }
}

#[test]
fn requirements_say_of_runs_what_their_expressions_are() {
    let mut rng = Rng::new(16);
    let mut kinds = [0; 2];
    for _ in 0..50 {
        let truth = Truth::random(&mut rng, 2);
        let text = truth.text();
        let spec = format!("{SIGNALS}[[requirement]]\nid = \"R\"\nltl = \"G ({text})\"\n");
        let specification = match Specification::from_text("t.toml".as_ref(), &spec) {
            Ok(specification) => specification,
            Err(error) => {
                assert!(error.message().contains("no run satisfies"), "{text}: {error}");
                continue;
            }
        };
        kinds[usize::from(!specification.interface().outputs.hidden().is_empty())] += 1;
        let interface = specification.interface();
        for _ in 0..20 {
            let run: Vec<Said> = (0..8).map(|_| said(&mut rng)).collect();
            let trace: Trace = run.iter().map(|&said| step(interface, said)).collect();
            let bad = (0..run.len()).find(|&at| !truth.holds(run[at.saturating_sub(1)], run[at]));
            let made = judged(&mut specification.judge(), &trace);
            let found = made.violation_of(RequirementNumber(0)).map(|steps| steps.len() - 1);
            assert_eq!(found, bad, "{text}");
        }
    }
    assert!(kinds.iter().all(|&count| count > 8), "{kinds:?}");
}

#[test]
fn runs_with_numbers_are_written_and_read_again() {
    let spec = format!("{SIGNALS}[[requirement]]\nid = \"R\"\nltl = \"G temp > -1.5\"\n");
    let specification = Specification::from_text("t.toml".as_ref(), &spec).unwrap();
    let interface = specification.interface();
    let mut rng = Rng::new(7);
    let mut run: Vec<Said> = (0..30).map(|_| said(&mut rng)).collect();
    run[3].temp = 1e-300;
    run[4].temp = f64::MAX;
    run[5].temp = -f64::MAX;
    run[6].temp = 1.0 / 3.0;
    let trace: Trace = run.iter().map(|&said| step(interface, said)).collect();
    for format in [Format::Text, Format::Csv, Format::JsonLines, Format::Vcd] {
        let written = recording::write(interface, &trace, format, &[]);
        let read =
            recording::parse(&Source::new("t", written.clone()), format, interface, &Options::default());
        assert!(read.unwrap_or_else(|error| panic!("{error}\n{written}")) == trace, "{written}");
    }
    let numbers: Vec<f64> =
        trace.iter().map(|step| interface.outputs.real(step.output, "temp").unwrap()).collect();
    assert!(numbers.iter().zip(&run).all(|(number, said)| *number == said.temp));
}

#[test]
fn mistakes_are_told_where_they_stand() {
    let message = |formula: &str| {
        let spec = format!("{SIGNALS}[[requirement]]\nid = \"R\"\nltl = \"{formula}\"\n");
        Specification::from_text("t.toml".as_ref(), &spec).err().map(|error| error.message().to_owned())
    };
    assert_eq!(
        message("G temp = busy").unwrap(),
        "`busy` is a value of `mode`, and what it is compared with is a number"
    );
    assert_eq!(message("G temp = warm").unwrap(), "nothing is called `warm`");
    assert_eq!(message("G mode = 2.5").unwrap(), "`mode` is one of idle, busy, but `2.5` is a number");
    assert_eq!(
        message("G mode + temp > 1").unwrap(),
        "`mode` is one of idle, busy, but numbers are added, subtracted and multiplied"
    );
    assert!(message("G speed > prev(speed)").unwrap().starts_with("this compares inputs of many values"));
    assert_eq!(message("G (temp + 1 > level & abs(temp - prev(temp)) <= 2)"), None);
    let warnings = |formula: &str| {
        let spec = format!("{SIGNALS}[[requirement]]\nid = \"R\"\nltl = \"{formula}\"\n");
        Specification::from_text("t.toml".as_ref(), &spec).unwrap().warnings
    };
    assert!(warnings("G room <= 85.5")[0].contains("always true"));
    assert!(warnings("G (room <= 85.25 & level > 1.5)").is_empty());
}
