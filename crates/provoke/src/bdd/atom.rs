//! Expressions over fields as sets of exchanges: numbers are lists of sets, one a bit, and no value is ever gone through.

use super::{Bdd, Bdds, Space};
use crate::atom::{Atom, Atoms, Meaning, Real, compares, places, turned};
use crate::expression::{Binary, Chain, Function, Type, Typed, What};

/// A number in two's complement, the least significant bit first; the last one is the sign.
type Number = Vec<Bdd>;

/// The exchanges of which an atom is true. Codes that stand for no value may be among them.
pub(super) fn exchanges(space: &Space, atoms: &Atoms, atom: &Atom) -> Bdd {
    let circuit = Circuit { space, atoms, bdds: space.bdds() };
    match atom.meaning() {
        Meaning::Words(words) => circuit.truth(&words.0),
        Meaning::Real(real) => circuit.real_truth(real),
    }
}

/// The pairs of an exchange and the one before it of which an atom is true: the variables of the latter come behind
/// those of the former.
pub(super) fn pairs(space: &Space, atoms: &Atoms, atom: &Atom, bdds: &Bdds) -> Bdd {
    match atom.meaning() {
        Meaning::Words(words) => Circuit { space, atoms, bdds }.truth(&words.0),
        // Such atoms are hidden where they look back.
        Meaning::Real(_) => bdds.none(),
    }
}

struct Circuit<'a> {
    space: &'a Space,
    atoms: &'a Atoms,
    bdds: &'a Bdds,
}

impl Circuit<'_> {
    fn truth(&self, typed: &Typed) -> Bdd {
        match &typed.what {
            What::Not(part) => !&self.truth(part),
            What::Chain(Chain::And, parts) => {
                parts.iter().fold(self.bdds.all(), |all, part| &all & &self.truth(part))
            }
            What::Chain(Chain::Or, parts) => {
                parts.iter().fold(self.bdds.none(), |any, part| &any | &self.truth(part))
            }
            What::Implies(parts) => &!&self.truth(&parts[0]) | &self.truth(&parts[1]),
            What::Compare(op, parts) => self.compare(*op, self.number(&parts[0]), self.number(&parts[1])),
            What::Between(parts) => {
                let [value, low, high] = [0, 1, 2].map(|at| self.number(&parts[at]));
                let above = self.compare(Binary::AtLeast, value.clone(), low);
                &above & &self.compare(Binary::AtMost, value, high)
            }
            What::OneOf(parts) => {
                let Some((element, others)) = parts.split_first() else { return self.bdds.none() };
                let element = self.number(element);
                let is = |other: &Typed| self.compare(Binary::Equal, element.clone(), self.number(other));
                others.iter().fold(self.bdds.none(), |any, other| &any | &is(other))
            }
            What::If(parts) => self.truth(&parts[0]).choose(&self.truth(&parts[1]), &self.truth(&parts[2])),
            // A constant or a Boolean field: the number is 0 or 1.
            _ => self.number(typed).swap_remove(0),
        }
    }

    fn number(&self, typed: &Typed) -> Number {
        match &typed.what {
            What::Constant(words) => self.constant(words.first().copied().unwrap_or(0).into()),
            What::Variable(at) => self.field(*at),
            What::Minus(part) => self.minus(&self.number(part)),
            What::Abs(part) => {
                let number = self.number(part);
                self.choose(&self.sign(&number), self.minus(&number), number)
            }
            What::Arithmetic(op, parts) => {
                let (left, right) = (self.number(&parts[0]), self.number(&parts[1]));
                match op {
                    Binary::Add => self.sum(&left, &right),
                    Binary::Subtract => self.sum(&left, &self.minus(&right)),
                    _ => self.product(&left, &right),
                }
            }
            What::Extreme(function, parts) => {
                let wanted = if *function == Function::Min { Binary::Less } else { Binary::Greater };
                let mut numbers = parts.iter().map(|part| self.number(part));
                let first = numbers.next().unwrap_or_else(|| self.constant(0));
                numbers.fold(first, |best, next| {
                    let better = self.compare(wanted, next.clone(), best.clone());
                    self.choose(&better, next, best)
                })
            }
            What::If(parts) if typed.of != Type::BOOLEAN => {
                self.choose(&self.truth(&parts[0]), self.number(&parts[1]), self.number(&parts[2]))
            }
            _ => vec![self.truth(typed), self.bdds.none()],
        }
    }

    /// The letters of which an expression is true whose comparisons are of one field with a constant each.
    fn real_truth(&self, real: &Real) -> Bdd {
        match real {
            Real::Truth(value) => {
                if *value {
                    self.bdds.all()
                } else {
                    self.bdds.none()
                }
            }
            Real::Not(part) => !&self.real_truth(part),
            Real::All(parts) => parts.iter().fold(self.bdds.all(), |all, part| &all & &self.real_truth(part)),
            Real::Any(parts) => {
                parts.iter().fold(self.bdds.none(), |any, part| &any | &self.real_truth(part))
            }
            Real::Same(parts) => {
                self.compare(Binary::Equal, self.real_word(&parts[0]), self.real_word(&parts[1]))
            }
            Real::If(parts) => {
                self.real_truth(&parts[0]).choose(&self.real_truth(&parts[1]), &self.real_truth(&parts[2]))
            }
            Real::Compare(op, parts) => {
                let (at, op, number) = match (&parts[0], &parts[1]) {
                    (Real::Field(at), other) => (*at, *op, other.constant()),
                    (other, Real::Field(at)) => (*at, turned(*op), other.constant()),
                    (one, other) => {
                        let holds = one.constant().zip(other.constant());
                        let holds = holds.is_some_and(|(one, other)| compares(*op, one, other));
                        return if holds { self.bdds.all() } else { self.bdds.none() };
                    }
                };
                let Some(((output, field), number)) = self.atoms.fields().get(at).zip(number) else {
                    return self.bdds.none();
                };
                let codes =
                    places(field, op, number).into_iter().filter_map(|places| field.codes_within(places));
                codes.fold(self.bdds.none(), |any, codes| &any | &self.space.codes(*output, &codes))
            }
            _ => self.real_word(real).swap_remove(0),
        }
    }

    /// A truth value or the place of a name.
    fn real_word(&self, real: &Real) -> Number {
        match real {
            Real::Name(place) => self.constant((*place).into()),
            Real::Field(at) => self.field(*at),
            Real::If(parts) => {
                self.choose(&self.real_truth(&parts[0]), self.real_word(&parts[1]), self.real_word(&parts[2]))
            }
            Real::Number(_) | Real::Minus(_) | Real::Abs(_) | Real::Arithmetic(..) | Real::Extreme(..) => {
                self.constant(0)
            }
            _ => vec![self.real_truth(real), self.bdds.none()],
        }
    }

    fn constant(&self, number: i128) -> Number {
        let bits = if number < 0 { 129 - number.leading_ones() } else { 129 - number.leading_zeros() };
        let bit = |at: u32| if number >> at & 1 == 1 { self.bdds.all() } else { self.bdds.none() };
        (0..bits).map(bit).collect()
    }

    /// The value of a field: its code, and what the least value is above 0.
    fn field(&self, at: usize) -> Number {
        let fields = self.atoms.fields();
        // What a field was stands behind what all fields are.
        let (at, ago) = if at < fields.len() { (at, 0) } else { (at - fields.len(), self.space.bits()) };
        let Some((output, field)) = fields.get(at) else { return self.constant(0) };
        let first = ago + if *output { self.space.input_bits() } else { 0 };
        let mut code: Number = field.bits().rev().map(|bit| self.bdds.variable(first + bit)).collect();
        code.push(self.bdds.none());
        match field.number(field.value(0)) {
            None | Some(0) => code,
            Some(low) => self.sum(&code, &self.constant(low.into())),
        }
    }

    fn sign(&self, number: &Number) -> Bdd {
        number.last().cloned().unwrap_or_else(|| self.bdds.none())
    }

    fn wide(&self, mut number: Number, bits: usize) -> Number {
        let sign = self.sign(&number);
        number.resize(bits.max(number.len()), sign);
        number
    }

    /// The same number without bits that only repeat the sign.
    fn narrow(mut number: Number) -> Number {
        while number.len() > 1 && number[number.len() - 1] == number[number.len() - 2] {
            number.pop();
        }
        number
    }

    fn sum(&self, left: &Number, right: &Number) -> Number {
        let bits = left.len().max(right.len()) + 1;
        let (left, right) = (self.wide(left.clone(), bits), self.wide(right.clone(), bits));
        Circuit::narrow(self.added(&left, &right, self.bdds.none()))
    }

    /// The sum of numbers of as many bits, in as many bits.
    fn added(&self, left: &Number, right: &Number, mut carry: Bdd) -> Number {
        let mut sum = Vec::with_capacity(left.len());
        for (one, other) in left.iter().zip(right) {
            let differ = one ^ other;
            sum.push(&differ ^ &carry);
            carry = differ.choose(&carry, one);
        }
        sum
    }

    fn minus(&self, number: &Number) -> Number {
        let turned: Number = self.wide(number.clone(), number.len() + 1).iter().map(|bit| !bit).collect();
        let zero = vec![self.bdds.none(); turned.len()];
        Circuit::narrow(self.added(&turned, &zero, self.bdds.all()))
    }

    fn product(&self, left: &Number, right: &Number) -> Number {
        let bits = left.len() + right.len();
        let (left, right) = (self.wide(left.clone(), bits), self.wide(right.clone(), bits));
        let none = self.bdds.none();
        let mut product = vec![none.clone(); bits];
        for (shift, bit) in right.iter().enumerate().filter(|(_, bit)| !bit.is_none()) {
            let zeros = std::iter::repeat_n(none.clone(), shift);
            let part: Number = zeros.chain(left.iter().map(|one| one & bit)).take(bits).collect();
            product = self.added(&product, &part, none.clone());
        }
        Circuit::narrow(product)
    }

    fn choose(&self, condition: &Bdd, then: Number, other: Number) -> Number {
        let bits = then.len().max(other.len());
        let (then, other) = (self.wide(then, bits), self.wide(other, bits));
        then.iter().zip(&other).map(|(then, other)| condition.choose(then, other)).collect()
    }

    fn compare(&self, op: Binary, left: Number, right: Number) -> Bdd {
        match op {
            Binary::Unequal => return !&self.compare(Binary::Equal, left, right),
            Binary::Greater => return self.compare(Binary::Less, right, left),
            Binary::AtLeast => return !&self.compare(Binary::Less, left, right),
            Binary::AtMost => return !&self.compare(Binary::Less, right, left),
            _ => {}
        }
        let bits = left.len().max(right.len());
        let (left, right) = (self.wide(left, bits), self.wide(right, bits));
        if op == Binary::Equal {
            let same = left.iter().zip(&right).map(|(one, other)| !&(one ^ other));
            return same.fold(self.bdds.all(), |all, same| &all & &same);
        }
        let mut less = self.bdds.none();
        for (at, (one, other)) in left.iter().zip(&right).enumerate() {
            // Where they differ the greater has the bit, unless the bit is the sign.
            let smaller = if at + 1 == bits { one } else { other };
            less = (one ^ other).choose(smaller, &less);
        }
        less
    }
}

#[cfg(test)]
mod tests;
