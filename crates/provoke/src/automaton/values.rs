//! What a guard asks of a field that is not Boolean: stretches of values, each with what else must hold.

use crate::bdd::{Bdd, Space};
use crate::letter::{Field, Interface};

/// Guards that tell more stretches of values apart are described, not written out.
const STRETCHES: usize = 64;

/// A field by direction and place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) output: bool,
    pub(super) at: usize,
}

/// Values of one field by their places among all, from the first of each pair to the last, in order.
pub(super) type Stretches = Vec<(u64, u64)>;

impl Place {
    pub(super) fn field(self, space: &Space) -> Option<&Field> {
        let Interface { inputs, outputs } = space.interface();
        if self.output { outputs } else { inputs }.fields().get(self.at)
    }

    /// The exchanges in which it has one of these values.
    pub(super) fn set(self, space: &Space, stretches: &Stretches) -> Bdd {
        let none = space.bdds().none();
        let Some(field) = self.field(space) else { return none };
        let one = |&(first, last): &(u64, u64)| field.codes_between(field.value(first), field.value(last));
        stretches.iter().fold(none, |set, stretch| &set | &space.codes(self.output, &one(stretch)))
    }

    /// Its variables, the most significant first.
    fn variables(self, space: &Space, field: &Field) -> Vec<usize> {
        let first = if self.output { space.input_bits() } else { 0 };
        field.bits().map(|bit| first + bit).collect()
    }
}

/// The fields of an interface that are not Boolean.
pub(super) fn fields(space: &Space) -> Vec<Place> {
    let Interface { inputs, outputs } = space.interface();
    let side = |output: bool, fields: &[Field]| {
        let places = (0..fields.len()).filter(|&at| !fields[at].is_boolean());
        places.map(|at| Place { output, at }).collect::<Vec<_>>()
    };
    [side(false, inputs.fields()), side(true, outputs.fields())].concat()
}

/// What a set asks of everything else, for each stretch of values of a field; values that ask for the same are put
/// together. None where there are too many stretches.
pub(super) fn stretches(space: &Space, set: &Bdd, place: Place) -> Option<Vec<(Bdd, Stretches)>> {
    let field = place.field(space)?;
    let mut walk = Walk {
        space,
        variables: place.variables(space, field),
        count: field.count(),
        found: Vec::new(),
        stretches: 0,
    };
    walk.visit(set, 0, 0)?;
    Some(walk.found)
}

struct Walk<'a> {
    space: &'a Space,
    variables: Vec<usize>,
    count: u64,
    found: Vec<(Bdd, Stretches)>,
    stretches: usize,
}

impl Walk<'_> {
    fn visit(&mut self, set: &Bdd, at: usize, first: u64) -> Option<()> {
        if first >= self.count {
            return Some(());
        }
        let left = &self.variables[at..];
        if !set.support().iter().any(|variable| left.contains(variable)) {
            let more = 1u64.checked_shl(left.len() as u32).map_or(u64::MAX, |count| count - 1);
            let last = first.saturating_add(more).min(self.count - 1);
            return self.note(set, first, last);
        }
        let bdds = self.space.bdds();
        let [low, high] =
            [false, true].map(|value| set.restrict(&bdds.cube_of([(self.variables[at], value)])));
        let half = 1u64 << (self.variables.len() - at - 1);
        self.visit(&low, at + 1, first)?;
        self.visit(&high, at + 1, first.saturating_add(half))
    }

    fn note(&mut self, rest: &Bdd, first: u64, last: u64) -> Option<()> {
        match self.found.iter_mut().find(|(known, _)| known == rest) {
            Some((_, stretches)) => match stretches.last_mut() {
                Some(before) if before.1 + 1 == first => before.1 = last,
                _ => {
                    stretches.push((first, last));
                    self.stretches += 1;
                }
            },
            None => {
                self.found.push((rest.clone(), vec![(first, last)]));
                self.stretches += 1;
            }
        }
        (self.stretches <= STRETCHES).then_some(())
    }
}

/// Values of a field as lists that [`shown`] has one expression for: numbers stretch by stretch, unless all but one are
/// meant.
pub(super) fn apart(space: &Space, place: Place, stretches: Stretches) -> Vec<Stretches> {
    let Some(field) = place.field(space) else { return Vec::new() };
    match is_ordered(field) && missing(field, &stretches).is_none() {
        true => stretches.into_iter().map(|one| vec![one]).collect(),
        false => vec![stretches],
    }
}

fn is_ordered(field: &Field) -> bool {
    field.real(field.simplest()).is_some()
}

/// The one value that is not among these, where there is one only.
fn missing(field: &Field, stretches: &Stretches) -> Option<u64> {
    let size: u64 = stretches.iter().map(|(first, end)| end - first + 1).sum();
    let at_an_end = is_ordered(field) && stretches.len() == 1;
    (size + 1 == field.count() && size > 1 && !at_an_end).then(|| match &stretches[..] {
        [(0, end), ..] => end + 1,
        _ => 0,
    })
}

/// That a field has one of these values, as an expression: `floor = 3`, `floor >= 4`, `motor in {up, off}`.
pub(super) fn shown(field: &Field, stretches: &Stretches) -> String {
    let name = crate::expression::Named(field.name());
    let show = |place: u64| field.show(field.value(place)).to_string();
    let last = field.count().saturating_sub(1);
    if let Some(missing) = missing(field, stretches) {
        return format!("{name} != {}", show(missing));
    }
    // Between two numbers there are others, and the one outside may be the one that was written.
    let ends_before = |end: u64| field.is_real() && end < last && show(end + 1).len() < show(end).len();
    let begins_behind =
        |first: u64| field.is_real() && first > 0 && show(first - 1).len() < show(first).len();
    match &stretches[..] {
        [(0, end)] if ends_before(*end) => format!("{name} < {}", show(end + 1)),
        [(first, end)] if *end == last && begins_behind(*first) => format!("{name} > {}", show(first - 1)),
        [(first, end)] if first != end && (ends_before(*end) || begins_behind(*first)) => {
            let above = if begins_behind(*first) { (">", first - 1) } else { (">=", *first) };
            let below = if ends_before(*end) { ("<", end + 1) } else { ("<=", *end) };
            format!("{name} {} {} & {name} {} {}", above.0, show(above.1), below.0, show(below.1))
        }
        [(first, end)] if first == end => format!("{name} = {}", show(*first)),
        [(0, end)] if is_ordered(field) => format!("{name} <= {}", show(*end)),
        [(first, end)] if is_ordered(field) && *end == last => format!("{name} >= {}", show(*first)),
        [(first, end)] if is_ordered(field) => format!("{name} in {}..{}", show(*first), show(*end)),
        all => {
            let names: Vec<String> = all.iter().flat_map(|(first, end)| *first..=*end).map(show).collect();
            format!("{name} in {{{}}}", names.join(", "))
        }
    }
}
