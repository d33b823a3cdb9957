//! Letters for closures: signals and labels by name.

use std::ops::Index;
use std::sync::{Arc, Mutex, PoisonError};

use crate::letter::{Alphabet, Interface, Letter};
use crate::system::{Closure, System, SystemError};

/// What the tester sent: `input["lock"]` is the value of a signal; of labels, whether it is this one.
pub struct Input<'a> {
    alphabet: &'a Alphabet,
    letter: Letter,
    slip: &'a Slip,
}

/// What the system answers. Signals that are not set are false.
pub struct Output<'a> {
    alphabet: &'a Alphabet,
    letter: Letter,
    /// Whether a label was said.
    said: bool,
    slip: &'a Slip,
}

/// A mistake of the test's writer, which is no finding about the system.
type Slip = Mutex<Option<String>>;

impl Input<'_> {
    /// The value of a signal, or whether this is the label.
    #[track_caller]
    pub fn get(&self, name: &str) -> bool {
        self[name]
    }

    /// The number that a signal is.
    #[track_caller]
    pub fn int(&self, name: &str) -> i64 {
        let number = self.alphabet.int(self.letter, name);
        number.unwrap_or_else(|| unfit(self.alphabet, "input", name, "a number", self.slip))
    }

    /// The number that a signal is, whole or not.
    #[track_caller]
    pub fn real(&self, name: &str) -> f64 {
        let number = self.alphabet.real(self.letter, name);
        number.unwrap_or_else(|| unfit(self.alphabet, "input", name, "a number", self.slip))
    }

    /// The name of the value that a signal has.
    #[track_caller]
    pub fn word(&self, name: &str) -> &str {
        let word = self.alphabet.word(self.letter, name);
        word.unwrap_or_else(|| unfit(self.alphabet, "input", name, "one of several names", self.slip))
    }

    /// The label that was sent; signals as text, `knock=1 lock=0`.
    pub fn label(&self) -> String {
        self.alphabet.show(self.letter).to_string()
    }
}

impl Index<&str> for Input<'_> {
    type Output = bool;

    #[track_caller]
    fn index(&self, name: &str) -> &bool {
        let codes = self.alphabet.proposition(name);
        let codes = codes.unwrap_or_else(|| unknown(self.alphabet, "input", name, self.slip));
        if codes.contain(self.letter) { &true } else { &false }
    }
}

impl Output<'_> {
    /// Gives a signal a value.
    #[track_caller]
    pub fn set(&mut self, name: &str, value: bool) {
        if self.alphabet.as_labels().is_some() {
            fail(self.slip, format!("outputs are labels here: use `say` instead of `set` for `{name}`"));
        }
        let field = self.alphabet.field(name);
        let field = field.unwrap_or_else(|| unknown(self.alphabet, "output", name, self.slip));
        match field.of_truth(value) {
            Some(value) => self.letter = field.set(self.letter, value),
            None => fail(self.slip, format!("output `{name}` is not Boolean: it is {}", field.values())),
        }
    }

    /// Gives a signal a number.
    #[track_caller]
    pub fn set_int(&mut self, name: &str, number: i64) {
        let field = self.alphabet.field(name);
        let field = field.unwrap_or_else(|| unknown(self.alphabet, "output", name, self.slip));
        match field.of_number(number) {
            Some(value) => self.letter = field.set(self.letter, value),
            None => fail(self.slip, format!("output `{name}` is {}, not {number}", field.values())),
        }
    }

    /// Gives a signal this number, whole or not.
    #[track_caller]
    pub fn set_real(&mut self, name: &str, number: f64) {
        let field = self.alphabet.field(name);
        let field = field.unwrap_or_else(|| unknown(self.alphabet, "output", name, self.slip));
        match field.of_real(number) {
            Some(value) => self.letter = field.set(self.letter, value),
            None => fail(self.slip, format!("output `{name}` is {}, not {number}", field.values())),
        }
    }

    /// Gives a signal the value of this name.
    #[track_caller]
    pub fn set_word(&mut self, name: &str, word: &str) {
        let field = self.alphabet.field(name);
        let field = field.unwrap_or_else(|| unknown(self.alphabet, "output", name, self.slip));
        match field.of_word(word) {
            Some(value) => self.letter = field.set(self.letter, value),
            None => fail(self.slip, format!("output `{name}` is {}, not `{word}`", field.values())),
        }
    }

    /// Answers with a label.
    #[track_caller]
    pub fn say(&mut self, label: &str) {
        if self.alphabet.as_labels().is_none() {
            fail(self.slip, format!("outputs are signals here: use `set` instead of `say` for `{label}`"));
        }
        let letter = self.alphabet.label(label);
        self.letter = letter.unwrap_or_else(|_| unknown(self.alphabet, "output", label, self.slip));
        self.said = true;
    }
}

#[track_caller]
fn unknown(alphabet: &Alphabet, side: &str, name: &str, slip: &Slip) -> ! {
    let what = format!("{side} {}", alphabet.what());
    fail(slip, alphabet.unknown(&what, name).to_string())
}

#[track_caller]
fn unfit(alphabet: &Alphabet, side: &str, name: &str, wanted: &str, slip: &Slip) -> ! {
    match alphabet.field(name) {
        Some(field) => fail(slip, format!("{side} `{name}` is not {wanted}: it is {}", field.values())),
        None => unknown(alphabet, side, name, slip),
    }
}

#[track_caller]
fn fail(slip: &Slip, message: String) -> ! {
    *slip.lock().unwrap_or_else(PoisonError::into_inner) = Some(message.clone());
    panic!("{message}")
}

/// A system made of two closures that know signals by name.
pub(super) fn named<'a, T: Send + 'a>(
    interface: &Interface,
    fresh: impl FnMut() -> T + Send + 'a,
    mut step: impl FnMut(&mut T, &Input<'_>, &mut Output<'_>) + Send + 'a,
) -> Box<dyn System + 'a> {
    let Interface { inputs, outputs } = interface.clone();
    let slip = Arc::new(Slip::default());
    let noted = slip.clone();
    let step = move |state: &mut T, letter: Letter| {
        let input = Input { alphabet: &inputs, letter, slip: &noted };
        let said = outputs.as_labels().is_none();
        let mut output = Output { alphabet: &outputs, letter: Letter::default(), said, slip: &noted };
        step(state, &input, &mut output);
        if !output.said {
            fail(&noted, "the system gave no answer: it must `say` a label in every step".to_owned());
        }
        output.letter
    };
    Box::new(Named { system: Closure::new(fresh, step), slip })
}

/// A system in our process whose writer's slips are not findings.
struct Named<S> {
    system: S,
    slip: Arc<Slip>,
}

impl<S: System> System for Named<S> {
    fn reset(&mut self) -> Result<(), SystemError> {
        self.system.reset()
    }

    fn step(&mut self, input: Letter) -> Result<Letter, SystemError> {
        self.system.step(input).inspect_err(|_| {
            if let Some(slip) = self.slip.lock().unwrap_or_else(PoisonError::into_inner).take() {
                panic!("{slip}");
            }
        })
    }
}
