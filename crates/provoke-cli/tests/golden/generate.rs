//! Specifications and machines made from a seed, by a generator of their own: they must not change with the project.

use std::fmt::Write as _;

/// A specification and the machine it is tested against.
pub(crate) struct Generated {
    pub(crate) spec: String,
    /// The machine in DOT.
    pub(crate) dot: String,
    /// The file that the specification names, in DOT or KISS2.
    pub(crate) model: (&'static str, String),
}

/// SplitMix64.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % sides as u64) as usize
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    /// A signal or its opposite; labels stand as they are, for one of three is false most of the time.
    fn literal(&mut self, names: &[&str], is_labels: bool) -> String {
        let name = self.one(names);
        if is_labels || self.below(3) > 0 { name.to_owned() } else { format!("!{name}") }
    }
}

/// The specification of this number; numbers that share a remainder by 12 share their kind.
pub(crate) fn generate(number: u64) -> Generated {
    let mut dice = Dice(number);
    let is_labels = number % 4 == 3;
    let inputs = if dice.below(2) == 0 { &["a", "b"][..] } else { &["a", "b", "c"] };
    let outputs = if dice.below(2) == 0 { &["x", "y"][..] } else { &["x", "y", "z"] };
    let (kind, quoted) = (if is_labels { "labels" } else { "signals" }, |names| format!("{names:?}"));
    let is_kiss = number % 4 == 1;
    let model = if is_kiss { "machine.kiss2" } else { "machine.dot" };
    let mut spec = format!("[{kind}]\ninputs = {}\noutputs = {}\n", quoted(inputs), quoted(outputs));
    let _ = writeln!(spec, "\n[system]\nmodel = \"{model}\"");
    if number % 3 == 2 {
        let input = dice.one(inputs);
        let _ = writeln!(spec, "\n[[assumption]]\nid = \"A\"\nltl = \"G({input} -> X !{input})\"");
    }
    let requirements = 2 + dice.below(3);
    for id in 1..=requirements {
        let formula = requirement(&mut dice, inputs, outputs, is_labels, id > 1);
        let _ = writeln!(spec, "\n[[requirement]]\nid = \"R{id}\"\nltl = \"{formula}\"");
    }
    for id in 1..=dice.below(3) {
        let formula = objective(&mut dice, inputs, outputs);
        let _ = writeln!(spec, "\n[[objective]]\nid = \"O{id}\"\nltl = \"{formula}\"");
    }
    if number.is_multiple_of(2) {
        let _ = writeln!(spec, "\n[[objective]]\nid = \"break\"\nviolates = \"R1\"");
    }
    let edges = machine(&mut dice, inputs, outputs, is_labels);
    let dot = dot(&edges);
    let file = if is_kiss { kiss(&edges, inputs, outputs) } else { dot.clone() };
    Generated { spec, dot, model: (model, file) }
}

/// Mostly safety, and weak enough that a random machine keeps it for a while. Only some may be liveness, which no
/// finite run violates.
fn requirement(
    dice: &mut Dice,
    inputs: &[&str],
    outputs: &[&str],
    is_labels: bool,
    may_be_liveness: bool,
) -> String {
    let i = dice.literal(inputs, is_labels);
    let [j, k] = [(); 2].map(|()| dice.literal(inputs, is_labels));
    let [o, p, q] = [(); 3].map(|()| dice.literal(outputs, is_labels));
    match dice.below(if may_be_liveness { 7 } else { 6 }) {
        0 => format!("G(({i} & {o}) -> X({j} -> ({p} | {q})))"),
        1 => format!("G(({i} & {o}) -> X({p} | X({q} | {k})))"),
        2 => format!("G(({o} & !({p})) -> X(({o} | {p}) W {j}))"),
        3 => format!("({o} | {p}) W ({i} & X({j} & {q}))"),
        4 => format!("G(({i} & {o} & X({j} & {p})) -> X X({q} | !({k})))"),
        5 => format!("G(({o} & X({p} & {i})) -> X X({q} W ({j} | {k})))"),
        _ => format!("G({i} -> F({o} & ({p} | ({j} & {q}))))"),
    }
}

/// Something that a finite run can show.
fn objective(dice: &mut Dice, inputs: &[&str], outputs: &[&str]) -> String {
    let [i, j] = [(); 2].map(|()| dice.one(inputs));
    let [o, p, q] = [(); 3].map(|()| dice.one(outputs));
    match dice.below(3) {
        0 => format!("F({o} & X({p} & X({i} & {q})))"),
        1 => format!("F({i} & {o} & X F({j} & {p} & X F {q}))"),
        _ => format!("F({o} & {i} & X({j} U ({p} & X {q})))"),
    }
}

/// An edge of a machine: from, the input as signals or as a label, the outputs that are true, to.
struct Edge {
    from: usize,
    input: Vec<(usize, bool)>,
    guard: String,
    outputs: Vec<usize>,
    listed: String,
    to: usize,
}

/// Three to seven states; every state asks one or two of the signals, or goes by the label.
fn machine(dice: &mut Dice, inputs: &[&str], outputs: &[&str], is_labels: bool) -> Vec<Edge> {
    let states = 3 + dice.below(5);
    let mut edges = Vec::new();
    for from in 0..states {
        let first = dice.below(inputs.len());
        let second = (first + 1 + dice.below(inputs.len() - 1)) % inputs.len();
        let cubes: Vec<Vec<(usize, bool)>> = match (is_labels, dice.below(2)) {
            (true, _) => (0..inputs.len()).map(|label| vec![(label, true)]).collect(),
            (false, 0) => vec![vec![(first, true)], vec![(first, false)]],
            _ => {
                let both = |is_second: bool| vec![(first, true), (second, is_second)];
                vec![both(true), both(false), vec![(first, false)]]
            }
        };
        for (place, input) in cubes.into_iter().enumerate() {
            // The first edge of each state leads on, so that every state is reached.
            let to = if place == 0 { (from + 1) % states } else { dice.below(states) };
            let said: Vec<usize> = match is_labels {
                true => vec![dice.below(outputs.len())],
                false => (0..outputs.len()).filter(|_| dice.below(2) == 0).collect(),
            };
            let named = |(name, is_on): &(usize, bool)| {
                if *is_on { inputs[*name].to_owned() } else { format!("!{}", inputs[*name]) }
            };
            let guard = input.iter().map(named).collect::<Vec<_>>().join(" & ");
            let listed: Vec<&str> = said.iter().map(|output| outputs[*output]).collect();
            let listed = if listed.is_empty() { "-".to_owned() } else { listed.join(" ") };
            edges.push(Edge { from, input, guard, outputs: said, listed, to });
        }
    }
    edges
}

fn dot(edges: &[Edge]) -> String {
    let mut text = String::from("digraph machine {\n    __start0 [label=\"\" shape=\"none\"];\n");
    for Edge { from, guard, listed, to, .. } in edges {
        let _ = writeln!(text, "    s{from} -> s{to} [label=\"{guard} / {listed}\"];");
    }
    text + "    __start0 -> s0;\n}\n"
}

fn kiss(edges: &[Edge], inputs: &[&str], outputs: &[&str]) -> String {
    let states = edges.iter().map(|edge| edge.from).max().unwrap_or(0) + 1;
    let (ins, outs, rows) = (inputs.len(), outputs.len(), edges.len());
    let (names, said) = (inputs.join(" "), outputs.join(" "));
    let mut text = format!(".i {ins}\n.o {outs}\n.p {rows}\n.s {states}\n.ilb {names}\n.ob {said}\n.r s0\n");
    for Edge { from, input, outputs, to, .. } in edges {
        let asked = |place: usize| input.iter().find(|(name, _)| *name == place);
        let cube =
            (0..ins).map(|place| asked(place).map_or('-', |(_, is_on)| if *is_on { '1' } else { '0' }));
        let bits = (0..outs).map(|place| if outputs.contains(&place) { '1' } else { '0' });
        let _ = writeln!(text, "{} s{from} s{to} {}", cube.collect::<String>(), bits.collect::<String>());
    }
    text + ".e\n"
}
