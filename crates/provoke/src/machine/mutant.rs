//! Machines that differ from another in one transition: what strategies are measured on.

use rustc_hash::FxHashSet;

use super::rows::Row;
use super::{Machine, UNDEFINED, valuation};
use crate::letter::Alphabet;
use crate::rng::Rng;

/// What was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// A transition leads to another state.
    Retarget,
    /// One bit of a transition's output has its other value; a label is another label.
    Flip,
}

impl Operator {
    /// The word in reports and file names.
    pub fn word(self) -> &'static str {
        match self {
            Operator::Retarget => "retarget",
            Operator::Flip => "flip",
        }
    }
}

/// A machine with one change.
#[derive(Clone, Debug)]
pub struct Mutant {
    /// The machine.
    pub machine: Machine,
    /// What was changed.
    pub operator: Operator,
    /// The state whose transition it was.
    pub state: u32,
    /// The inputs of the transition, all with the same answer and successor.
    pub inputs: Vec<u32>,
    /// The state it led to, or the output it had.
    pub before: u32,
    /// The state it leads to, or the output it has.
    pub after: u32,
}

/// Random mutants by the two rules of paper 3, section 4.1: a transition leads elsewhere, or one output bit of it is
/// flipped. No two answer the same, and none answers the same as the machine. Fewer where there are not so many.
///
/// A transition is a row of the machine's state table, a cube of inputs with one answer and one successor; once all changes of
/// those are used up, single inputs. The rule is drawn first, then the transition, then the change, each with the same
/// chance, as the paper seems to do. `flips` says what each output may become.
pub fn mutants(
    machine: &Machine,
    count: usize,
    rng: &mut Rng,
    flips: impl Fn(&str) -> Vec<String>,
) -> Vec<Mutant> {
    let mut known: FxHashSet<(Vec<u32>, Vec<String>)> = FxHashSet::default();
    known.insert(canonical(machine));
    let mut found = Vec::new();
    for transitions in [cubes(machine), singles(machine)] {
        let mut retargets: Vec<(usize, u32)> = Vec::new();
        let mut flipped: Vec<(usize, String)> = Vec::new();
        for (place, transition) in transitions.iter().enumerate() {
            let others = (0..machine.states.len() as u32).filter(|&to| to != transition.to);
            retargets.extend(others.map(|to| (place, to)));
            if let Some(output) = transition.output {
                flipped.extend(flips(&machine.outputs.name(output)).into_iter().map(|text| (place, text)));
            }
        }
        rng.shuffle(&mut retargets);
        rng.shuffle(&mut flipped);
        while found.len() < count && !(retargets.is_empty() && flipped.is_empty()) {
            let retarget = match (retargets.is_empty(), flipped.is_empty()) {
                (false, false) => rng.chance(0.5),
                (has_none, _) => !has_none,
            };
            let mutant = match retarget {
                true => retargets.pop().map(|(place, to)| retargeted(machine, &transitions[place], to)),
                false => flipped.pop().map(|(place, text)| with_output(machine, &transitions[place], &text)),
            };
            if let Some(mutant) = mutant
                && known.insert(canonical(&mutant.machine))
            {
                found.push(mutant);
            }
        }
        if found.len() == count {
            break;
        }
    }
    found
}

/// Inputs of a state with one answer and one successor.
struct Transition {
    state: u32,
    inputs: Vec<u32>,
    to: u32,
    output: Option<u32>,
}

fn singles(machine: &Machine) -> Vec<Transition> {
    let reached = machine.minimal_reach();
    let all = reached
        .into_iter()
        .flat_map(|state| (0..machine.inputs.len() as u32).map(move |input| (state, input)));
    let single = |(state, input): (u32, u32)| {
        let to = machine.next(state, input)?;
        Some(Transition { state, inputs: vec![input], to, output: machine.output(state, input) })
    };
    all.filter_map(single).collect()
}

/// The rows of the machine's table where inputs are valuations, otherwise one for each input.
fn cubes(machine: &Machine) -> Vec<Transition> {
    if !machine.reads_signals() {
        return singles(machine);
    }
    let rows = machine.minimal_reach().into_iter().flat_map(|state| machine.rows(state));
    let transition =
        |row: Row| Transition { inputs: row.inputs(), state: row.state, to: row.to, output: row.output };
    rows.map(transition).collect()
}

fn retargeted(machine: &Machine, transition: &Transition, to: u32) -> Mutant {
    let mut changed = machine.clone();
    for &input in &transition.inputs {
        changed.next[transition.state as usize * machine.inputs.len() + input as usize] = to;
    }
    Mutant {
        machine: changed,
        operator: Operator::Retarget,
        state: transition.state,
        inputs: transition.inputs.clone(),
        before: transition.to,
        after: to,
    }
}

fn with_output(machine: &Machine, transition: &Transition, text: &str) -> Mutant {
    let mut changed = machine.clone();
    let after = changed.outputs.find(text).unwrap_or_else(|| {
        changed.outputs.push(text);
        changed.outputs.len() as u32 - 1
    });
    for &input in &transition.inputs {
        changed.output[transition.state as usize * machine.inputs.len() + input as usize] = after;
    }
    Mutant {
        machine: changed,
        operator: Operator::Flip,
        state: transition.state,
        inputs: transition.inputs.clone(),
        before: transition.output.unwrap_or(UNDEFINED),
        after,
    }
}

/// What tells machines apart that answer differently: the smallest machine, with the texts of its outputs.
fn canonical(machine: &Machine) -> (Vec<u32>, Vec<String>) {
    let small = machine.minimised();
    let mut texts: Vec<String> = Vec::new();
    let mut numbers = vec![UNDEFINED; small.outputs.len()];
    let mut table = small.next.clone();
    for &output in &small.output {
        if output == UNDEFINED {
            table.push(UNDEFINED);
            continue;
        }
        let number = &mut numbers[output as usize];
        if *number == UNDEFINED {
            *number = texts.len() as u32;
            texts.push(small.outputs.name(output).into_owned());
        }
        table.push(*number);
    }
    (table, texts)
}

impl Machine {
    /// The states that can be reached, in order.
    fn minimal_reach(&self) -> Vec<u32> {
        let Some(initial) = self.initial else { return (0..self.states.len() as u32).collect() };
        let mut order = self.breadth_first(initial);
        order.sort_unstable();
        order
    }
}

/// What an output may become when one bit of it is flipped, read from how the machine's outputs are written: a bit of
/// a row of bits, the truth of one signal in lists such as `x !y` or `x=1 y=0`, or another label.
pub fn flips(machine: &Machine) -> impl Fn(&str) -> Vec<String> + use<> {
    let texts: Vec<String> = machine.outputs().iter().map(|name| name.into_owned()).collect();
    let bits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte == b'0' || byte == b'1');
    let width = texts.first().map_or(0, String::len);
    let of_bits = texts.iter().all(|text| bits(text) && text.len() == width);
    let lists = !of_bits
        && texts
            .iter()
            .any(|text| text.contains(['=', '!', ' ', ',', '{']) || text == "-" || text.is_empty());
    let mut signals: Vec<String> = Vec::new();
    for text in texts.iter().filter(|_| lists) {
        for (name, _) in literals(text) {
            if !signals.contains(&name) {
                signals.push(name);
            }
        }
    }
    move |text: &str| {
        if of_bits {
            return (0..text.len()).map(|at| flipped_bit(text, at)).collect();
        }
        if !lists {
            return texts.iter().filter(|other| *other != text).cloned().collect();
        }
        let values = literals(text);
        let value = |name: &str| values.iter().any(|(known, value)| known == name && *value);
        let written = |flipped: &str| {
            let one = |name: &String| format!("{name}={}", u8::from(value(name) != (name == flipped)));
            signals.iter().map(one).collect::<Vec<_>>().join(" ")
        };
        signals.iter().map(|name| written(name)).collect()
    }
}

/// What an output may become.
type Flips<'a> = Box<dyn Fn(&str) -> Vec<String> + 'a>;

/// The same for a machine over an alphabet of outputs that is known.
pub fn flips_over<'a>(machine: &Machine, outputs: &'a Alphabet) -> Flips<'a> {
    if !machine.output_signals().is_empty() {
        return Box::new(flips(machine));
    }
    if outputs.as_labels().is_some() {
        return Box::new(|text: &str| {
            outputs.names().filter(|name| *name != text).map(str::to_owned).collect()
        });
    }
    if !outputs.is_boolean() {
        return Box::new(flips(machine));
    }
    Box::new(|text: &str| {
        let Ok(letter) = valuation(outputs, text) else { return Vec::new() };
        let flip = |bit: usize| outputs.show(letter.with(bit, !letter.get(bit))).to_string();
        (0..outputs.bits()).map(flip).collect()
    })
}

fn flipped_bit(text: &str, at: usize) -> String {
    let flip = |(place, bit): (usize, char)| match (place == at, bit) {
        (true, '0') => '1',
        (true, _) => '0',
        (false, bit) => bit,
    };
    text.chars().enumerate().map(flip).collect()
}

/// The signals of a list, and their values.
fn literals(text: &str) -> Vec<(String, bool)> {
    let inside = text.trim().trim_start_matches('{').trim_end_matches('}');
    let words =
        inside.split(|c: char| c.is_whitespace() || c == ',' || c == '&').filter(|word| !word.is_empty());
    let literal = |word: &str| match (word.strip_prefix(['!', '~']), word.split_once('=')) {
        (Some(name), _) => (name.to_owned(), false),
        (None, Some((name, value))) => (name.to_owned(), value == "1"),
        (None, None) => (word.to_owned(), true),
    };
    words.filter(|&word| word != "-").map(literal).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Names;
    use super::*;

    fn toggle() -> Machine {
        let machine =
            Machine::from_table(Names::numbered("q", 2), ["0", "1"].into_iter().collect(), vec![0, 1, 1, 0]);
        let machine =
            machine.unwrap().with_outputs(["0", "1"].into_iter().collect(), vec![0, 1, 1, 0]).unwrap();
        machine.with_initial(0).unwrap().with_signals(vec!["press".into()], vec!["light".into()])
    }

    #[test]
    fn every_change_is_found_once() {
        let machine = toggle();
        let found = mutants(&machine, 100, &mut Rng::new(1), flips(&machine));
        // Four transitions, each with one other target and one bit; all eight differ.
        assert_eq!(found.len(), 8);
        let canonicals: FxHashSet<_> = found.iter().map(|mutant| canonical(&mutant.machine)).collect();
        assert!(canonicals.len() == 8 && !canonicals.contains(&canonical(&machine)));
        assert_eq!(found.iter().filter(|mutant| mutant.operator == Operator::Flip).count(), 4);
        let again = mutants(&machine, 5, &mut Rng::new(1), flips(&machine));
        assert!(again.iter().zip(&found).all(|(one, other)| one.machine == other.machine));
    }

    #[test]
    fn outputs_in_every_spelling_are_flipped() {
        let flipped = |texts: &[&str], text: &str| {
            let machine = Machine::from_table(
                Names::numbered("q", 1),
                Names::numbered("i", texts.len()),
                vec![0; texts.len()],
            );
            let numbers = (0..texts.len() as u32).collect();
            let machine = machine.unwrap().with_outputs(texts.iter().copied().collect(), numbers).unwrap();
            flips(&machine)(text)
        };
        assert_eq!(flipped(&["10", "00"], "10"), ["00", "11"]);
        assert_eq!(flipped(&["tea", "mud"], "tea"), ["mud"]);
        assert_eq!(flipped(&["x y", "-"], "x y"), ["x=0 y=1", "x=1 y=0"]);
        assert_eq!(flipped(&["x=1 y=0", "x=0 y=0"], "x=1 y=0"), ["x=0 y=0", "x=1 y=1"]);
        assert_eq!(flipped(&["{x}", "{}"], "{}"), ["x=1"]);
    }
}
