//! The application of paper 4, section 7, as a table: plain strings, no library behind it.
//!
//! The paper names the parts and the four states of the loop, and says that there are 846 states. The sizes of the parts, the
//! labels and the number of lines are our reconstruction.

/// How many states each line has before the state in which they all end.
pub const LINES: [usize; 3] = [20, 20, 19];
/// How many choices there are in each state of the tree of choices, and how deep it is.
pub const CHOICES: [&str; 5] = ["a", "b", "c", "d", "e"];
/// See [`CHOICES`].
pub const DEPTH: usize = 4;

/// One state.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// The part that it belongs to.
    pub part: Part,
    /// What it takes, and where that leads.
    pub inputs: Vec<(String, usize)>,
    /// What it may say by itself, and where that leads.
    pub outputs: Vec<(String, usize)>,
    /// Where silence leads while nobody sends anything.
    pub quiet: usize,
}

/// The parts of the application.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The initial state.
    Start,
    /// Four states that go round.
    Loop,
    /// Several ways into one state.
    Line,
    /// A tree of choices.
    Choice,
}

/// Every state, the initial one first.
pub fn states() -> Vec<State> {
    let mut states = Vec::new();
    let start = add(&mut states, "start", Part::Start);
    let [loop1, loop2, middle, side] =
        ["loop1", "loop2", "middle_loop", "side_loop"].map(|name| add(&mut states, name, Part::Loop));
    takes(&mut states, start, "loop", loop1);
    takes(&mut states, loop1, "middle", middle);
    takes(&mut states, loop1, "side", side);
    states[middle].outputs = vec![("backward".to_owned(), loop1), ("forward".to_owned(), loop2)];
    takes(&mut states, side, "back", loop1);
    takes(&mut states, side, "forth", loop2);
    states[side].quiet = middle;
    takes(&mut states, loop2, "again", loop1);
    let end = add(&mut states, "line_end", Part::Line);
    for (line, length) in LINES.into_iter().enumerate() {
        let mut from = (start, format!("line{}", line + 1));
        for place in 1..=length {
            let next = add(&mut states, &format!("line{}_{place}", line + 1), Part::Line);
            takes(&mut states, from.0, &from.1, next);
            from = (next, "next".to_owned());
        }
        takes(&mut states, from.0, &from.1, end);
    }
    let root = add(&mut states, "choice", Part::Choice);
    takes(&mut states, start, "choose", root);
    let mut layer = vec![root];
    for _ in 0..DEPTH {
        let mut below = Vec::new();
        for from in layer {
            for choice in CHOICES {
                let name = format!("{}_{choice}", states[from].name);
                let next = add(&mut states, &name, Part::Choice);
                takes(&mut states, from, choice, next);
                below.push(next);
            }
        }
        layer = below;
    }
    states
}

fn add(states: &mut Vec<State>, name: &str, part: Part) -> usize {
    let quiet = states.len();
    states.push(State { name: name.to_owned(), part, inputs: Vec::new(), outputs: Vec::new(), quiet });
    quiet
}

fn takes(states: &mut [State], from: usize, label: &str, to: usize) {
    states[from].inputs.push((label.to_owned(), to));
}

/// A state in which the faulty application says something that nobody may say there.
pub const FAULTY: &str = "choice_e_d_c";

/// The application as it runs. Where it may speak it throws its own dice; what it says comes before what it is told
/// (output-eager).
#[derive(Clone, Debug)]
pub struct Application {
    states: std::sync::Arc<[State]>,
    at: usize,
    faulty: bool,
    dice: u64,
}

/// What the application does in one exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// It says this; nothing where it is silent.
    Said(Option<String>),
    /// It was told something that it does not know, and exits.
    Exit,
}

impl Application {
    /// In its initial state.
    pub fn new(states: std::sync::Arc<[State]>, faulty: bool, seed: u64) -> Application {
        Application { states, at: 0, faulty, dice: seed | 1 }
    }

    /// One exchange: what it is told, if anything, and what it does.
    pub fn step(&mut self, told: Option<&str>) -> Reply {
        let state = &self.states[self.at];
        if self.faulty && state.name == FAULTY {
            return Reply::Said(Some("forward".to_owned()));
        }
        // Each of its outputs, and silence, with the same chance.
        let drawn = if state.outputs.is_empty() { 0 } else { self.throw(state.outputs.len() + 1) };
        let state = &self.states[self.at];
        if let Some((label, to)) = state.outputs.get(drawn) {
            let said = label.clone();
            self.at = *to;
            return Reply::Said(Some(said));
        }
        self.at = match told {
            None => state.quiet,
            Some(label) => match state.inputs.iter().find(|(known, _)| known == label) {
                Some((_, to)) => *to,
                None => return Reply::Exit,
            },
        };
        Reply::Said(None)
    }

    /// A number below this one (xorshift64).
    fn throw(&mut self, below: usize) -> usize {
        self.dice ^= self.dice << 13;
        self.dice ^= self.dice >> 7;
        self.dice ^= self.dice << 17;
        (self.dice >> 33) as usize % below
    }
}

/// The specification as an Aldebaran file.
pub fn aut() -> String {
    let states = states();
    let mut lines = Vec::new();
    for (from, state) in states.iter().enumerate() {
        let inputs = state.inputs.iter().map(|(label, to)| (format!("?{label}"), *to));
        let outputs = state.outputs.iter().map(|(label, to)| (format!("!{label}"), *to));
        for (label, to) in inputs.chain(outputs).chain([("delta".to_owned(), state.quiet)]) {
            lines.push(format!("({from},\"{label}\",{to})\n"));
        }
    }
    format!("des (0,{},{})\n{}", lines.len(), states.len(), lines.concat())
}
