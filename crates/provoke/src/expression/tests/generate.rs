//! Random expressions.

use std::sync::Arc;

use super::super::{Binary, Chain, Each, Expression, Function, Kind, Unary};
use crate::rng::Rng;

/// What an expression of the well-typed kind is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sort {
    Boolean,
    /// Any integer.
    Integer,
    /// An integer whose type is small.
    Small,
    Colour,
    /// A set of small integers.
    Set,
    Colours,
}

pub(super) struct Generator {
    pub(super) rng: Rng,
    /// Names that stand for elements here, and what they are.
    bound: Vec<(Arc<str>, Sort)>,
    fresh: usize,
}

pub(super) fn of(kind: Kind) -> Expression {
    Expression::new(kind, 0..0)
}

fn name(name: &str) -> Expression {
    of(Kind::Name(name.into()))
}

fn binary(op: Binary, left: Expression, right: Expression) -> Expression {
    of(Kind::Binary(op, Box::new([left, right])))
}

const ARITHMETIC: [Binary; 5] =
    [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::Divide, Binary::Modulo];
const ORDER: [Binary; 6] =
    [Binary::Equal, Binary::Unequal, Binary::Less, Binary::AtMost, Binary::Greater, Binary::AtLeast];
const COMBINE: [Binary; 3] = [Binary::Union, Binary::Difference, Binary::Intersection];

impl Generator {
    pub(super) fn new(seed: u64) -> Generator {
        Generator { rng: Rng::new(seed), bound: Vec::new(), fresh: 0 }
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.rng.index(items.len())]
    }

    /// A well-typed expression over the names of the tests' scope.
    pub(super) fn typed(&mut self, sort: Sort, depth: usize) -> Expression {
        if depth == 0 {
            return self.leaf(sort);
        }
        let below = depth - 1;
        let choice = self.rng.index(12);
        match sort {
            Sort::Boolean => self.boolean(choice, below),
            Sort::Integer => match choice {
                0..=4 => {
                    let op = self.pick(&ARITHMETIC);
                    binary(op, self.typed(Sort::Integer, below), self.typed(Sort::Integer, below))
                }
                5 => Expression::minus(self.typed(Sort::Integer, below), 0..0),
                6 => {
                    let function = self.pick(&[Function::Min, Function::Max]);
                    let count = 1 + self.rng.index(3);
                    let parts = (0..count).map(|_| self.typed(Sort::Integer, below)).collect();
                    of(Kind::Call(function, parts))
                }
                7 => of(Kind::Call(Function::Abs, vec![self.typed(Sort::Integer, below)])),
                8 => self.choice(sort, below),
                9 => binary(Binary::Lookup, name("m"), self.typed(Sort::Small, below)),
                _ => self.typed(Sort::Small, depth),
            },
            Sort::Small => match choice {
                0 => {
                    let op = self.pick(&ARITHMETIC[..2]);
                    binary(op, self.typed(Sort::Small, below), self.typed(Sort::Small, below))
                }
                1 => of(Kind::Call(Function::Size, vec![self.typed(Sort::Set, below)])),
                2 => {
                    let function = self.pick(&[Function::Min, Function::Max]);
                    of(Kind::Call(function, vec![self.typed(Sort::Set, below)]))
                }
                3 => self.each(Each::Count, below),
                4 => {
                    let of_colour = binary(Binary::Lookup, name("w"), self.typed(Sort::Colour, below));
                    binary(Binary::Lookup, of_colour, self.typed(Sort::Boolean, below))
                }
                5 => {
                    let (key, body) = (self.typed(Sort::Small, below), self.typed(Sort::Small, 0));
                    let keys = binary(Binary::Range, of(Kind::Integer(-2)), of(Kind::Integer(6)));
                    let map = of(Kind::Each(Each::Map, "z".into(), Box::new([keys, body])));
                    binary(Binary::Lookup, map, key)
                }
                6 => self.choice(sort, below),
                _ => self.leaf(sort),
            },
            Sort::Colour => match choice {
                0..=4 => self.choice(sort, below),
                _ => self.leaf(sort),
            },
            Sort::Set => match choice {
                0..=3 => {
                    let op = self.pick(&COMBINE);
                    binary(op, self.typed(sort, below), self.typed(sort, below))
                }
                4 | 5 => self.each(Each::Set, below),
                6 => {
                    let count = self.rng.index(4);
                    of(Kind::Set((0..count).map(|_| self.typed(Sort::Small, below)).collect()))
                }
                7 => binary(Binary::Range, self.typed(Sort::Small, below), self.typed(Sort::Small, below)),
                8 => self.choice(sort, below),
                9 => binary(Binary::Lookup, name("v"), self.typed(Sort::Small, below)),
                _ => self.leaf(sort),
            },
            Sort::Colours => match choice {
                0..=3 => {
                    let op = self.pick(&COMBINE);
                    binary(op, self.typed(sort, below), self.typed(sort, below))
                }
                4 => of(Kind::Set(vec![self.typed(Sort::Colour, below)])),
                _ => self.leaf(sort),
            },
        }
    }

    fn boolean(&mut self, choice: usize, below: usize) -> Expression {
        match choice {
            0 => of(Kind::Unary(Unary::Not, Box::new(self.typed(Sort::Boolean, below)))),
            1 | 2 => {
                let op = self.pick(&[Chain::And, Chain::Or]);
                let count = 2 + self.rng.index(2);
                of(Kind::Chain(op, (0..count).map(|_| self.typed(Sort::Boolean, below)).collect()))
            }
            3 => {
                let op = self.pick(&[Binary::Iff, Binary::Xor, Binary::Implies, Binary::Equal]);
                binary(op, self.typed(Sort::Boolean, below), self.typed(Sort::Boolean, below))
            }
            4 | 5 => {
                let op = self.pick(&ORDER);
                binary(op, self.typed(Sort::Integer, below), self.typed(Sort::Integer, below))
            }
            6 => {
                let op = self.pick(&[Binary::In, Binary::NotIn]);
                binary(op, self.typed(Sort::Integer, below), self.typed(Sort::Set, below))
            }
            7 => {
                let op = self.pick(&[Binary::Subset, Binary::Equal, Binary::Unequal]);
                let sort = self.pick(&[Sort::Set, Sort::Colours]);
                binary(op, self.typed(sort, below), self.typed(sort, below))
            }
            8 => {
                let op = self.pick(&ORDER[..2]);
                binary(op, self.typed(Sort::Colour, below), self.typed(Sort::Colour, below))
            }
            9 => binary(Binary::In, self.typed(Sort::Colour, below), self.typed(Sort::Colours, below)),
            10 => self.choice(Sort::Boolean, below),
            _ => {
                let each = self.pick(&[Each::All, Each::Some]);
                self.each(each, below)
            }
        }
    }

    fn choice(&mut self, sort: Sort, below: usize) -> Expression {
        let parts = [self.typed(Sort::Boolean, below), self.typed(sort, below), self.typed(sort, below)];
        of(Kind::If(Box::new(parts)))
    }

    fn each(&mut self, each: Each, below: usize) -> Expression {
        let domain = if self.rng.chance(0.2) { name("Digit") } else { self.typed(Sort::Set, below) };
        self.fresh += 1;
        let element: Arc<str> = format!("x{}", self.fresh).into();
        self.bound.push((element.clone(), Sort::Small));
        let body = self.typed(Sort::Boolean, below);
        self.bound.pop();
        of(Kind::Each(each, element, Box::new([domain, body])))
    }

    fn leaf(&mut self, sort: Sort) -> Expression {
        let bound: Vec<Arc<str>> =
            self.bound.iter().filter(|(_, of)| *of == sort).map(|(name, _)| name.clone()).collect();
        if !bound.is_empty() && self.rng.chance(0.5) {
            return name(&bound[self.rng.index(bound.len())]);
        }
        match sort {
            Sort::Boolean => match self.rng.index(4) {
                0 => of(Kind::Boolean(self.rng.chance(0.5))),
                _ => name(self.pick(&["a", "b"])),
            },
            Sort::Integer => match self.rng.index(4) {
                0 => of(Kind::Integer(self.pick(&[0, 1, -1, 7, i64::MAX, i64::MIN, 1 << 32]))),
                1 => self.leaf(Sort::Small),
                _ => name(self.pick(&["n", "TEN"])),
            },
            Sort::Small => match self.rng.index(3) {
                0 => of(Kind::Integer(self.pick(&[0, 1, 2, 3, -1, 9]))),
                _ => name(self.pick(&["k", "j"])),
            },
            Sort::Colour => match self.rng.index(3) {
                0 => name("c"),
                1 => of(Kind::Value("Colour".into(), "red".into())),
                _ => name(self.pick(&["red", "green", "blue"])),
            },
            Sort::Set => match self.rng.index(5) {
                0 => of(Kind::Set(Vec::new())),
                1 => name("Digit"),
                _ => name(self.pick(&["s", "t"])),
            },
            Sort::Colours => name(self.pick(&["u", "Colour"])),
        }
    }

    /// Any expression, whether it means anything or not.
    pub(super) fn any(&mut self, depth: usize) -> Expression {
        const NAMES: [&str; 10] = ["a", "all", "some", "count", "min", "size", "in", "a b", "\"\\", "then"];
        if depth == 0 {
            return match self.rng.index(4) {
                0 => of(Kind::Boolean(self.rng.chance(0.5))),
                1 => of(Kind::Integer(self.pick(&[0, 5, -5, i64::MAX, i64::MIN]))),
                2 => of(Kind::Value(self.pick(&NAMES).into(), self.pick(&NAMES).into())),
                _ => name(self.pick(&NAMES)),
            };
        }
        let below = self.rng.index(depth);
        match self.rng.index(9) {
            0 => of(Kind::Unary(Unary::Not, Box::new(self.any(below)))),
            1 => Expression::minus(self.any(below), 0..0),
            2 | 3 => {
                const OTHERS: [Binary; 8] = [
                    Binary::Iff,
                    Binary::Xor,
                    Binary::Implies,
                    Binary::In,
                    Binary::NotIn,
                    Binary::Subset,
                    Binary::Range,
                    Binary::Lookup,
                ];
                let all = [&ARITHMETIC[..], &ORDER, &COMBINE, &OTHERS].concat();
                binary(self.pick(&all), self.any(below), self.any(below))
            }
            4 => {
                let op = self.pick(&[Chain::And, Chain::Or]);
                of(Kind::Chain(op, (0..2 + self.rng.index(2)).map(|_| self.any(below)).collect()))
            }
            5 => of(Kind::If(Box::new([self.any(below), self.any(below), self.any(below)]))),
            6 => {
                let function = self.pick(&Function::ALL);
                of(Kind::Call(function, (0..self.rng.index(3)).map(|_| self.any(below)).collect()))
            }
            7 => of(Kind::Set((0..self.rng.index(3)).map(|_| self.any(below)).collect())),
            _ => {
                let each = self.pick(&[Each::All, Each::Some, Each::Count, Each::Set, Each::Map]);
                let name = self.pick(&NAMES).into();
                of(Kind::Each(each, name, Box::new([self.any(below), self.any(below)])))
            }
        }
    }
}
