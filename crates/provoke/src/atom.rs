//! What formulas say of one exchange: Boolean expressions over the fields of an interface.
//!
//! An [`Atom`] is evaluated here straight on letters; `bdd/` makes a set of exchanges of it. The two know nothing of each
//! other.

use std::ops::Range;

use crate::diagnostic::{Source, SpecError};
use crate::expression::{Binary, Code, Machine, Scalar, Scope, Type, Typed, What, parse_in, previous};
use crate::letter::{Field, Interface, Kind};
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
    typed: Typed,
    code: Code,
}

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
        let (typed, code) = expression.condition(source, &self.scope)?;
        bounds(source, &typed)?;
        Ok(Atom { text: expression.to_string(), typed, code })
    }

    /// Reads what [`Atom::text`] wrote.
    pub fn find(&self, text: &str) -> Option<Atom> {
        self.read(&Source::new("atom", text), 0..text.len()).ok()
    }

    /// The fields with whether they are outputs, in the order of their words; what they were one step ago follows in
    /// the same order.
    pub fn fields(&self) -> &[(bool, Field)] {
        &self.fields
    }

    /// Whether an atom is true of an exchange, given the one before it; the first of a run stands for that as well.
    pub fn holds(&self, atom: &Atom, before: Step, now: Step) -> bool {
        let words = |step: Step| {
            self.fields.iter().map(move |(is_output, field)| {
                let value = field.get(if *is_output { step.output } else { step.input });
                field.number(value).unwrap_or(field.place(value) as i64)
            })
        };
        let words: Vec<i64> = words(now).chain(words(before)).collect();
        // Nothing can go wrong: `read` refuses what may leave its bounds.
        atom.code.holds(&mut Machine::new(), &words, &[]).unwrap_or(false)
    }
}

impl Atom {
    /// The expression in the spelling that all like it have.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is known to be true, or false, of every exchange.
    pub fn always(&self) -> Option<bool> {
        self.code.always()
    }

    /// Whether it speaks of what was one step ago.
    pub fn looks_back(&self) -> bool {
        looks_back(&self.text)
    }

    /// Its parts and their types.
    pub(crate) fn typed(&self) -> &Typed {
        &self.typed
    }
}

/// Whether a proposition is an expression that may speak of what was one step ago; where it does, this says so.
pub(crate) fn looks_back(text: &str) -> bool {
    text.contains(' ') && text.contains("prev(")
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
