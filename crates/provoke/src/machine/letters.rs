//! How the letters of an interface are written in a machine's file.

use super::{Machine, ModelError, valuation};
use crate::bdd::{Bdd, Space};
use crate::letter::{Alphabet, Letter, LetterError};

/// The letter of each output of the machine.
pub(crate) fn outputs(machine: &Machine, alphabet: &Alphabet) -> Result<Vec<Letter>, ModelError> {
    let signals = machine.output_signals();
    let labelled = alphabet.as_labels().is_some();
    let order = match labelled || signals.is_empty() {
        true => None,
        false => Some(bits_of(signals, alphabet, "output", "o")?),
    };
    let letter = |text: &str| match &order {
        _ if labelled => label(alphabet, "output", text).map_err(|error| error.to_string()),
        Some(order) => {
            let bits = text.bytes().zip(order);
            Ok(bits.fold(Letter::default(), |letter, (bit, &at)| letter.with(at, bit == b'1')))
        }
        None => valuation(alphabet, text),
    };
    let names = machine.outputs().iter();
    names.map(|name| letter(&name).map_err(|message| ModelError::new(message).about(&name))).collect()
}

/// The letter of a label; what it is called where the alphabet does not have it, nor takes it in.
fn label(alphabet: &Alphabet, what: &str, name: &str) -> Result<Letter, LetterError> {
    alphabet.label(name).map_err(|error| match error {
        LetterError::Unknown { name, near, .. } => LetterError::Unknown { what: what.to_owned(), name, near },
        other => other,
    })
}

/// For each input letter, by its index, the machine's input, where letters and inputs correspond one to one; none
/// where the machine's inputs are guards. A label that no transition carries has no input.
pub(crate) fn columns(machine: &Machine, inputs: &Alphabet) -> Result<Option<Vec<Option<u32>>>, ModelError> {
    if inputs.as_labels().is_some() {
        return label_columns(machine, inputs).map(Some);
    }
    if machine.input_signals().is_empty() {
        return Ok(None);
    }
    let order = bits_of(machine.input_signals(), inputs, "input", "i")?;
    // Bit `order[k]` of a letter is bit `k` of the machine's input.
    let column = |letter: u32| {
        order.iter().enumerate().fold(0, |column, (at, from)| column | (letter >> from & 1) << at)
    };
    Ok(Some((0..1u32 << order.len()).map(column).map(Some).collect()))
}

fn label_columns(machine: &Machine, inputs: &Alphabet) -> Result<Vec<Option<u32>>, ModelError> {
    for name in machine.inputs().iter() {
        label(inputs, "input", &name).map_err(|error| ModelError::new(error.to_string()).about(&name))?;
    }
    Ok(inputs.names().map(|name| machine.inputs().find(name)).collect())
}

/// Which bits of a letter the machine's signals are: by name, or in order where the file gives no names.
fn bits_of(
    signals: &[String],
    alphabet: &Alphabet,
    what: &str,
    nameless: &str,
) -> Result<Vec<usize>, ModelError> {
    if let Some(field) = alphabet.fields().iter().find(|field| !field.is_boolean()) {
        let (name, values) = (field.name(), field.values());
        return Err(ModelError::new(format!("signal `{name}` is {values}, and the machine's are bits")));
    }
    let (found, wanted) = (signals.len(), alphabet.len());
    if found != wanted {
        let message = format!("the machine has {found} {what} signals, the interface {wanted}");
        return Err(ModelError::new(message));
    }
    let named = |name: &String| {
        let message = || alphabet.unknown(&format!("{what} signal"), name).to_string();
        let field = alphabet.field(name).ok_or_else(|| ModelError::new(message()).about(name))?;
        Ok(field.bits().start)
    };
    match signals.iter().map(named).collect() {
        Err(_) if signals.iter().enumerate().all(|(at, name)| *name == format!("{nameless}{at}")) => {
            Ok((0..found).collect())
        }
        result => result,
    }
}

/// What a transition answers.
pub(crate) fn answer(machine: &Machine, state: u32, input: u32) -> Result<u32, ModelError> {
    machine.output(state, input).ok_or_else(|| {
        let (state, input) = (machine.states().name(state), machine.inputs().name(input));
        ModelError::new(format!("the transition for `{input}` from state `{state}` has no output"))
            .at(&state)
            .about(&input)
            .help("write `input / output`; `-` is no output signal")
    })
}

/// The fault that two guards of one state take the same input.
pub(crate) fn overlap(
    machine: &Machine,
    space: &Space,
    state: u32,
    first: (u32, &Bdd),
    second: (u32, &Bdd),
) -> ModelError {
    let both = space.input_letters(&(first.1 & second.1));
    let input =
        both.iter().next().map_or(String::new(), |letter| space.interface().inputs.show(letter).to_string());
    let [first, second] = [first.0, second.0].map(|input| machine.inputs().name(input));
    let state = machine.states().name(state);
    ModelError::new(format!("`{first}` and `{second}` both take the input `{input}` in state `{state}`"))
        .at(&state)
        .about(&second)
        .help("guards of one state must exclude each other")
}
