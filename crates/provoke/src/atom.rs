//! What formulas say of one exchange: Boolean expressions over the fields of an interface.
//!
//! An [`Atom`] is evaluated here straight on letters; `bdd/` makes a set of exchanges of it. The two know nothing of each
//! other.

mod hidden;
mod real;

use std::collections::BTreeSet;
use std::ops::Range;

pub use hidden::Hidden;
pub(crate) use real::{Real, compares, places, turned};

use crate::diagnostic::{Source, SpecError};
use crate::expression::{
    Binary, Code, Machine, Scalar, Scope, Type, Typed, What, idle_parts, parse_in, previous,
};
use crate::letter::{Field, Interface, Kind, Value};
use crate::trace::Step;

/// What the names of an interface mean in expressions: each field is a word, inputs first.
#[derive(Clone, Debug)]
pub struct Atoms {
    scope: Scope,
    /// The fields with whether they are outputs, in the order of their words.
    fields: Vec<(bool, Field)>,
}

/// A Boolean expression over the fields of an interface.
#[derive(Clone, Debug)]
pub struct Atom {
    text: String,
    meaning: Meaning,
    /// Parts that say nothing, and what is always true of them; see [`Atom::idle_parts`].
    idle: Vec<(Range<usize>, Option<bool>)>,
    /// Whether it would be too large as a set of letters.
    hidden: bool,
}

/// What an atom is made of.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    /// Whole numbers, names and truth values.
    Words(Box<(Typed, Code)>),
    /// Some number that need not be whole.
    Real(Real),
}

/// A field of more values is compared with constants alone in sets of letters.
const WIDE: u64 = 1 << 20;

/// No more values of what was one step ago are states of a game; and no more of inputs, of which letters cannot tell
/// themselves what is true of them.
const REMEMBERED: [u64; 2] = [256, 1 << 10];

impl Atoms {
    /// The names of an interface; none where all its fields are Boolean or its letters labels: then there is nothing to
    /// compare.
    pub fn new(interface: &Interface) -> Option<Atoms> {
        if interface.has_labels() || interface.is_boolean() {
            return None;
        }
        let mut scope = Scope::default();
        let (mut fields, mut kinds) = (Vec::new(), Vec::new());
        let sides = [(false, &interface.inputs), (true, &interface.outputs)];
        for (output, field) in sides
            .into_iter()
            .flat_map(|(output, side)| side.fields().iter().map(move |field| (output, field)))
        {
            let of = match field.kind() {
                Kind::Boolean => Scalar::Boolean,
                Kind::Number { low, high } => Scalar::Integer { low: *low, high: *high },
                Kind::Enumeration(names) => Scalar::Enumeration(scope.nameless(names)),
                // It keeps its place; expressions over it are none of these words.
                Kind::Real { .. } | Kind::Decimal { .. } => Scalar::Boolean,
            };
            // Names of one interface differ, and a value that is called like a field stands behind it.
            scope.variable(field.name(), Type::Scalar(of.clone())).ok();
            fields.push((output, field.clone()));
            kinds.push(of);
        }
        // What they were one step ago.
        for ((_, field), of) in fields.iter().zip(kinds) {
            scope.variable(&previous(field.name()), Type::Scalar(of)).ok();
        }
        Some(Atoms { scope, fields })
    }

    /// Reads the expression that stands at `span` of a source.
    pub fn read(&self, source: &Source, span: Range<usize>) -> Result<Atom, SpecError> {
        let expression = parse_in(source, span)?;
        let mut idle = Vec::new();
        let (meaning, hidden) = match real::is_real(&expression, &self.fields) {
            true => {
                let checker = real::Checker { source, fields: &self.fields };
                let real = checker.truth(&expression, "a formula says what is true")?;
                idle.extend(real.always(&self.fields).map(|value| (expression.span.clone(), Some(value))));
                let hidden = !real.is_of_constants(self.fields.len());
                (Meaning::Real(real), hidden)
            }
            false => {
                let (typed, code) = expression.condition(source, &self.scope)?;
                bounds(source, &typed)?;
                idle_parts(&typed, &mut idle);
                let hidden = self.is_wide(&typed);
                (Meaning::Words(Box::new((typed, code))), hidden)
            }
        };
        let text = match hidden {
            true => format!("{{{expression}}}"),
            false => expression.to_string(),
        };
        let atom = Atom { text, meaning, idle, hidden };
        let is_answered = |&at: &usize| self.fields[at % self.fields.len()].0;
        if hidden && !self.taking_part(&atom).iter().any(is_answered) {
            let message = "this compares inputs of many values with each other, or with what they were";
            let error = source.error(expression.span.clone(), message);
            return Err(
                error.help("only what is answered can be compared like that; compare inputs with constants")
            );
        }
        Ok(atom)
    }

    /// The fields that take part in an atom; those behind the last are what fields were one step ago.
    fn taking_part(&self, atom: &Atom) -> BTreeSet<usize> {
        match &atom.meaning {
            Meaning::Words(words) => {
                let mut found = Vec::new();
                variables(&words.0, &mut found);
                found.into_iter().collect()
            }
            Meaning::Real(real) => real.fields().into_iter().collect(),
        }
    }

    /// Whether an expression compares a field of very many values with something else than constants, or would have too much
    /// remembered.
    fn is_wide(&self, typed: &Typed) -> bool {
        let mut found = Vec::new();
        variables(typed, &mut found);
        let count = self.fields.len();
        let values = |at: usize| self.fields.get(at % count).map_or(1, |(_, field)| field.count());
        if found.iter().any(|&at| values(at) > WIDE)
            && (found.iter().any(|&at| at >= count) || found.len() > 1)
        {
            return true;
        }
        let before: BTreeSet<usize> = found.iter().copied().filter(|&at| at >= count).collect();
        let remembered = before.into_iter().map(values).fold(1, u64::saturating_mul);
        let is_answered =
            found.iter().any(|&at| self.fields.get(at % count).is_some_and(|(output, _)| *output));
        remembered > REMEMBERED[usize::from(!is_answered)]
    }

    /// The constants that atoms compare fields with that need not be whole, each with the number of the field.
    pub(crate) fn constants(&self, atom: &Atom) -> Vec<(usize, f64)> {
        let mut found = Vec::new();
        if let Meaning::Real(real) = &atom.meaning {
            real.constants(&mut found);
        }
        found
    }

    /// Reads what [`Atom::text`] wrote.
    pub fn find(&self, text: &str) -> Option<Atom> {
        let text = hidden_text(text).unwrap_or(text);
        self.read(&Source::new("atom", text), 0..text.len()).ok()
    }

    /// The fields with whether they are outputs, in the order of their words; what they were one step ago follows in
    /// the same order.
    pub fn fields(&self) -> &[(bool, Field)] {
        &self.fields
    }

    /// Whether an atom is true of an exchange, given the one before it; the first of a run stands for that as well.
    pub fn holds(&self, atom: &Atom, before: Step, now: Step) -> bool {
        let fields = || {
            [now, before].into_iter().flat_map(|step| {
                self.fields.iter().map(move |(is_output, field)| {
                    (field, field.get(if *is_output { step.output } else { step.input }))
                })
            })
        };
        match &atom.meaning {
            Meaning::Words(words) => {
                let word = |(field, value): (&Field, Value)| {
                    field.number(value).unwrap_or(field.place(value) as i64)
                };
                let values: Vec<i64> = fields().map(word).collect();
                // Nothing can go wrong: `read` refuses what may leave its bounds.
                words.1.holds(&mut Machine::new(), &values, &[]).unwrap_or(false)
            }
            Meaning::Real(real) => {
                let number =
                    |(field, value): (&Field, Value)| field.real(value).unwrap_or(field.place(value) as f64);
                let values: Vec<f64> = fields().map(number).collect();
                real.evaluate(&values) != 0.0
            }
        }
    }
}

impl Atom {
    /// The expression in the spelling that all like it have.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The places of its parts that say nothing because a constant is out of range: what is always true, or always
    /// false, and what is one of a set and no value of what is compared with it.
    pub fn idle_parts(&self) -> &[(Range<usize>, Option<bool>)] {
        &self.idle
    }

    /// Whether it speaks of what was one step ago, in a way that games can follow.
    pub fn looks_back(&self) -> bool {
        looks_back(&self.text)
    }

    /// Whether it would be too large as a set of letters: then letters say themselves whether it is true (see [`Hidden`]).
    pub fn is_hidden(&self) -> bool {
        self.hidden
    }

    pub(crate) fn meaning(&self) -> &Meaning {
        &self.meaning
    }
}

/// Whether a proposition is an expression that may speak of what was one step ago; where it does, this says so.
pub(crate) fn looks_back(text: &str) -> bool {
    text.contains(' ') && text.contains("prev(") && !text.starts_with('{')
}

/// What a proposition says of which letters know themselves whether it is true; none where it is another.
pub(crate) fn hidden_text(name: &str) -> Option<&str> {
    name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).filter(|name| name.contains(' '))
}

/// The variables of an expression, as often as they stand in it.
fn variables(typed: &Typed, found: &mut Vec<usize>) {
    let mut all = |parts: &[Typed]| parts.iter().for_each(|part| variables(part, found));
    match &typed.what {
        What::Variable(at) => found.push(*at),
        What::Not(part) | What::Minus(part) | What::Abs(part) => variables(part, found),
        What::Chain(_, parts) | What::OneOf(parts) | What::Extreme(_, parts) => all(parts),
        What::Compare(_, parts) | What::Implies(parts) | What::Arithmetic(_, parts) => all(&**parts),
        What::Between(parts) | What::If(parts) => all(&**parts),
        _ => {}
    }
}

/// Where the value of a part lies, exactly; an error where that is not known to fit 64 bits, or where the part is nothing
/// that formulas speak of.
pub(crate) fn bounds(source: &Source, typed: &Typed) -> Result<(i128, i128), SpecError> {
    let of = |part: &Typed| bounds(source, part);
    let all = |parts: &[Typed]| parts.iter().map(of).collect::<Result<Vec<_>, _>>();
    let truth = (0, 1);
    let range = match &typed.what {
        What::Constant(words) => match &typed.of {
            Type::Scalar(_) => words.first().map_or(truth, |&word| (word.into(), word.into())),
            _ => return Err(foreign(source, typed)),
        },
        What::Variable(_) => match &typed.of {
            Type::Scalar(of) => (of.bounds().0.into(), of.bounds().1.into()),
            _ => return Err(foreign(source, typed)),
        },
        What::Not(part) => of(part).map(|_| truth)?,
        What::Chain(_, parts) | What::OneOf(parts) => all(parts).map(|_| truth)?,
        What::Compare(_, parts) | What::Implies(parts) => all(&**parts).map(|_| truth)?,
        What::Between(parts) => all(&**parts).map(|_| truth)?,
        What::Minus(part) => of(part).map(|(low, high)| (-high, -low))?,
        What::Abs(part) => {
            let (low, high) = of(part)?;
            (if low <= 0 && high >= 0 { 0 } else { low.abs().min(high.abs()) }, low.abs().max(high.abs()))
        }
        What::Extreme(function, parts) => {
            let ranges = all(parts)?;
            let least = *function == crate::expression::Function::Min;
            let pick = |one: i128, other: i128| if least { one.min(other) } else { one.max(other) };
            let joined = ranges.into_iter().reduce(|one, other| (pick(one.0, other.0), pick(one.1, other.1)));
            joined.unwrap_or(truth)
        }
        What::If(parts) => {
            of(&parts[0])?;
            let (then, other) = (of(&parts[1])?, of(&parts[2])?);
            (then.0.min(other.0), then.1.max(other.1))
        }
        What::Arithmetic(op, parts) => {
            let (one, other) = (of(&parts[0])?, of(&parts[1])?);
            match op {
                Binary::Add => (one.0 + other.0, one.1 + other.1),
                Binary::Subtract => (one.0 - other.1, one.1 - other.0),
                Binary::Multiply => {
                    let corners = [one.0 * other.0, one.0 * other.1, one.1 * other.0, one.1 * other.1];
                    corners
                        .iter()
                        .fold((corners[0], corners[0]), |(low, high), &at| (low.min(at), high.max(at)))
                }
                _ => return Err(foreign(source, typed)),
            }
        }
        _ => return Err(foreign(source, typed)),
    };
    if range.0 < i64::MIN.into() || range.1 > i64::MAX.into() {
        let error = source.error(typed.span.clone(), "this may be too large for 64 bits");
        return Err(error.help("formulas have no overflow: make the bounds or the constants smaller"));
    }
    Ok(range)
}

fn foreign(source: &Source, typed: &Typed) -> SpecError {
    let text = crate::diagnostic::brief(source.text.get(typed.span.clone()).unwrap_or_default()).into_owned();
    let error = source.error(typed.span.clone(), format!("`{text}` is for model programs, not for formulas"));
    error.help("formulas have = != < <= > >= in {..}, + - *, min max abs prev and if then else")
}
