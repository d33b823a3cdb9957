//! Comparisons of many kinds, each of which a faulty system has off by one, in either direction.

use provoke::assertion::{Input, Output};

/// A comparison that a requirement names and a system decides by.
pub struct Edge {
    /// What reports call it.
    pub name: &'static str,
    signals: &'static str,
    formulas: &'static [&'static str],
    /// The answer where a constant is off by so much: the first of a comparison that has two, unless `second` is.
    answer: fn(&mut State, &Input<'_>, off: i64, second: bool) -> bool,
    /// Whether there is a second constant.
    pub has_second: bool,
}

/// What a system remembers.
#[derive(Clone, Copy, Debug, Default)]
pub struct State {
    armed: bool,
    count: u8,
    before: i64,
}

impl Edge {
    /// The specification.
    pub fn specification(&self) -> String {
        let mut text = format!("[signals.inputs]\n{}\n[signals.outputs]\nx = \"bool\"\n", self.signals);
        for (number, formula) in self.formulas.iter().enumerate() {
            text += &format!("[[requirement]]\nid = \"R{number}\"\nltl = \"{formula}\"\n");
        }
        text
    }

    /// One exchange.
    pub fn step(
        &self,
        state: &mut State,
        input: &Input<'_>,
        output: &mut Output<'_>,
        off: i64,
        second: bool,
    ) {
        output.set("x", (self.answer)(state, input, off, second));
    }
}

/// So much is the one constant off, and so much the other.
fn offs(off: i64, second: bool) -> (i64, i64) {
    if second { (0, off) } else { (off, 0) }
}

/// All kinds.
pub static EDGES: [Edge; 8] = [
    Edge {
        name: "level in 3210..6543",
        signals: "level = \"0..9999\"",
        formulas: &["G (x <-> level in 3210..6543)"],
        answer: |_, input, off, second| {
            let (low, high) = offs(off, second);
            (3210 + low..=6543 + high).contains(&input.int("level"))
        },
        has_second: true,
    },
    Edge {
        name: "level <= -1234",
        signals: "level = \"-5000..4999\"",
        formulas: &["G (level <= -1234 -> x)", "G (level > -1234 -> !x)"],
        answer: |_, input, off, _| input.int("level") <= -1234 + off,
        has_second: false,
    },
    Edge {
        name: "a + b >= 500",
        signals: "a = \"0..9999\"\nb = \"0..9999\"",
        formulas: &["G (x <-> a + b >= 500)"],
        answer: |_, input, off, _| input.int("a") + input.int("b") >= 500 + off,
        has_second: false,
    },
    Edge {
        name: "a >= b",
        signals: "a = \"0..9999\"\nb = \"0..9999\"",
        formulas: &["G (x <-> a >= b)"],
        answer: |_, input, off, _| input.int("a") >= input.int("b") + off,
        has_second: false,
    },
    Edge {
        name: "by a mode",
        signals: "level = \"0..9999\"\nmode = [\"idle\", \"manual\", \"remote\", \"service\"]\nkey = \"bool\"",
        formulas: &["G (mode = service & key -> (x <-> level >= 7321))", "G (mode != service -> !x)"],
        answer: |_, input, off, _| {
            input.word("mode") == "service" && input["key"] && input.int("level") >= 7321 + off
        },
        has_second: false,
    },
    Edge {
        name: "once armed",
        signals: "level = \"0..9999\"\narm = \"bool\"",
        formulas: &["G (O (arm & level < 100) -> (x <-> level >= 4500))"],
        answer: |state, input, off, _| {
            state.armed |= input["arm"] && input.int("level") < 100;
            state.armed && input.int("level") >= 4500 + off
        },
        has_second: false,
    },
    Edge {
        name: "after three in a row",
        signals: "level = \"0..9999\"\nstep = \"bool\"",
        formulas: &["G (H[0:2] step -> (x <-> level < 8765))"],
        answer: |state, input, off, _| {
            state.count = if input["step"] { (state.count + 1).min(3) } else { 0 };
            state.count == 3 && input.int("level") < 8765 + off
        },
        has_second: false,
    },
    Edge {
        name: "not as before",
        signals: "level = \"0..9999\"\nkey = \"bool\"",
        formulas: &["G (key & Y (level >= 6000) -> (x <-> level <= 2750))"],
        answer: |state, input, off, _| {
            let before = std::mem::replace(&mut state.before, input.int("level"));
            input["key"] && before >= 6000 && input.int("level") <= 2750 + off
        },
        has_second: false,
    },
];
