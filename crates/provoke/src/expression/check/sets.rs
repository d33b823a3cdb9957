//! Sets, maps, and names that stand for each element of a domain.

use std::ops::Range;
use std::sync::Arc;

use super::super::tree::{Binary, Each, Expression, Kind};
use super::super::typed::{Domain, Typed, What};
use super::super::types::{MAX_DOMAIN, MAX_WIDTH, Scalar, Type};
use super::{Checker, constant, integer};
use crate::diagnostic::{SpecError, brief};

impl Checker<'_> {
    /// That a value of this type is small enough to be worked with.
    pub(super) fn small(&self, of: &Type, span: &Range<usize>) -> Result<(), SpecError> {
        match of {
            Type::Scalar(_) | Type::Set(None) => Ok(()),
            Type::Set(Some(element)) if element.size().is_some() => Ok(()),
            Type::Set(Some(element)) => {
                let error = match element {
                    &Scalar::INTEGER => self.error(span, "the elements of this set have no bounds"),
                    _ => self.error(span, format!("the elements of this set range over {element}")),
                };
                Err(error.help(format!("a set is of a type with at most {MAX_DOMAIN} values")))
            }
            Type::Map(_, value) => {
                self.small(value, span)?;
                if of.width() <= MAX_WIDTH {
                    return Ok(());
                }
                Err(self.error(span, format!("this map takes more than {MAX_WIDTH} words")))
            }
        }
    }

    /// The set of all values of a type.
    pub(super) fn whole(&self, of: &Type, span: Range<usize>) -> Result<Typed, SpecError> {
        let Type::Scalar(of) = of else {
            let text = self.text(&span);
            return Err(self.error(&span, format!("{text} is a type whose values cannot be gone through")));
        };
        let Some(size) = of.size() else {
            let text = self.text(&span);
            let error = self.error(&span, format!("{text} has too many values to go through them"));
            return Err(
                error.help(format!("a domain has at most {MAX_DOMAIN} values; give it bounds, `0..9`"))
            );
        };
        let mut words = vec![0; of.set_words()];
        (0..size as usize).for_each(|bit| words[bit / 64] |= 1 << (bit % 64));
        Ok(Typed { what: What::Constant(words.into()), of: Type::Set(Some(of.clone())), span })
    }

    pub(super) fn elements(
        &mut self,
        parts: &[Expression],
        span: Range<usize>,
        hint: Option<&Type>,
    ) -> Result<Typed, SpecError> {
        let hint = match hint {
            Some(Type::Set(Some(of))) => Some(Type::Scalar(of.clone())),
            _ => None,
        };
        let (parts, of) = self.scalars(parts, hint)?;
        let of = Type::Set(of);
        self.small(&of, &span)?;
        Ok(Typed { what: What::Elements(parts), of, span })
    }

    /// Checks elements, which must be alike; gives the least type that has them all.
    fn scalars(
        &mut self,
        parts: &[Expression],
        mut hint: Option<Type>,
    ) -> Result<(Vec<Typed>, Option<Scalar>), SpecError> {
        let mut typed: Vec<Typed> = Vec::with_capacity(parts.len());
        let mut whole: Option<Scalar> = None;
        for part in parts {
            let part = self.check(part, hint.as_ref())?;
            let Type::Scalar(of) = &part.of else {
                return Err(self.wrong(&part, "elements are Booleans, integers or values of an enumeration"));
            };
            let joined = match &whole {
                None => Some(of.clone()),
                Some(whole) => whole.hull(of),
            };
            let Some(joined) = joined else {
                return Err(self.unlike(&typed[0], &part, part.span.clone()));
            };
            hint.get_or_insert_with(|| part.of.clone());
            whole = Some(joined);
            typed.push(part);
        }
        Ok((typed, whole))
    }

    /// Checks two sets, and brings them into one type.
    pub(super) fn sets(
        &mut self,
        op: Binary,
        parts: &[Expression; 2],
        hint: Option<&Type>,
    ) -> Result<([Typed; 2], Type), SpecError> {
        let [left, right] = self.pair(parts, hint)?;
        let why = format!("`{}` stands between sets", op.sign());
        for part in [&left, &right] {
            if !matches!(part.of, Type::Set(_)) {
                let error = self.wrong(part, &why);
                return Err(match part.of {
                    Type::Scalar(_) => error.help("a set with one element is `{x}`"),
                    _ => error,
                });
            }
        }
        let span = left.span.start..right.span.end;
        let Some(of) = left.of.hull(&right.of) else { return Err(self.unlike(&left, &right, span)) };
        self.small(&of, &span)?;
        Ok(([self.fit(left, &of)?, self.fit(right, &of)?], of))
    }

    /// The integers at both ends of `a..b`, and the type of what lies between.
    fn ends(&mut self, parts: &[Expression; 2]) -> Result<([Typed; 2], Scalar), SpecError> {
        let why = "`..` stands between integers";
        let (left, (low, _)) = self.integer(&parts[0], why)?;
        let (right, (_, high)) = self.integer(&parts[1], why)?;
        // Where it is empty whatever happens, any bounds do.
        Ok(([left, right], Scalar::Integer { low, high: high.max(low) }))
    }

    pub(super) fn range_set(
        &mut self,
        parts: &[Expression; 2],
        span: Range<usize>,
    ) -> Result<Typed, SpecError> {
        let (parts, of) = self.ends(parts)?;
        let of = Type::Set(Some(of));
        self.small(&of, &span)?;
        Ok(Typed { what: What::Interval(Box::new(parts)), of, span })
    }

    pub(super) fn membership(
        &mut self,
        parts: &[Expression; 2],
        span: Range<usize>,
    ) -> Result<Typed, SpecError> {
        let [element, set] = parts;
        let boolean = |what| Ok(Typed { what, of: Type::BOOLEAN, span: span.clone() });
        match &set.kind {
            Kind::Binary(Binary::Range, ends) => {
                let (element, _) = self.integer(element, "`..` gives integers")?;
                let ([low, high], _) = self.ends(ends)?;
                boolean(What::Between(Box::new([element, low, high])))
            }
            Kind::Set(candidates) if !candidates.is_empty() => {
                let first = if self.needs_hint(element) { self.scalars(candidates, None)?.1 } else { None };
                let element = self.check(element, first.map(Type::Scalar).as_ref())?;
                let (candidates, of) = self.scalars(candidates, Some(element.of.clone()))?;
                self.alike(&element, of.as_ref(), &set.span)?;
                let mut parts = vec![element];
                parts.extend(candidates);
                boolean(What::OneOf(parts))
            }
            _ => {
                let set = self.check(set, None)?;
                let Type::Set(of) = &set.of else {
                    return Err(self.wrong(&set, "`in` asks whether something is in a set"));
                };
                let element = self.check(element, of.clone().map(Type::Scalar).as_ref())?;
                self.alike(&element, of.as_ref(), &set.span)?;
                boolean(What::Member(Box::new([element, set])))
            }
        }
    }

    fn alike(&self, element: &Typed, of: Option<&Scalar>, set: &Range<usize>) -> Result<(), SpecError> {
        let Type::Scalar(found) = &element.of else {
            return Err(self.wrong(element, "elements are Booleans, integers or values of an enumeration"));
        };
        match of {
            Some(of) if !found.is_like(of) => {
                let why = format!("{} is {}", self.text(set), super::kind_of(&Type::Set(Some(of.clone()))));
                Err(self.wrong(element, &why))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn lookup(
        &mut self,
        [map, key]: &[Expression; 2],
        span: Range<usize>,
    ) -> Result<Typed, SpecError> {
        let map = self.check(map, None)?;
        let Type::Map(keys, value) = map.of.clone() else {
            return Err(self.wrong(&map, "only maps are looked up with `[...]`"));
        };
        let key = self.key(key, &keys, &map.span)?;
        Ok(Typed { what: What::Lookup(Box::new([map, key])), of: *value, span })
    }

    /// Checks a key of a map that stands at `map`.
    pub(in super::super) fn key(
        &mut self,
        key: &Expression,
        keys: &Scalar,
        map: &Range<usize>,
    ) -> Result<Typed, SpecError> {
        let key = self.check(key, Some(&Type::Scalar(keys.clone())))?;
        let Type::Scalar(of) = &key.of else { return Err(self.wrong(&key, "keys are single values")) };
        if !of.is_like(keys) {
            let why = format!("the keys of {} are {keys}", self.text(map));
            return Err(self.wrong(&key, &why));
        }
        let ((low, high), (least, most)) = (of.bounds(), keys.bounds());
        if high < least || low > most {
            let message = format!("{} is no key of {}", self.text(&key.span), self.text(map));
            return Err(self.error(&key.span, message).help(format!("its keys are {keys}")));
        }
        Ok(key)
    }

    pub(super) fn each(
        &mut self,
        each: Each,
        name: &Arc<str>,
        [domain, body]: &[Expression; 2],
        span: Range<usize>,
        hint: Option<&Type>,
    ) -> Result<Typed, SpecError> {
        let (domain, element) = self.domain(domain)?;
        let local = self.bind(name, element.clone(), &span)?;
        let body = match (each, hint) {
            (Each::Map, Some(Type::Map(_, value))) => self.check(body, Some(value)),
            (Each::Map, _) => self.check(body, None),
            _ => self.boolean(body, "what is asked of each element is a Boolean"),
        };
        self.unbind();
        self.made_of_each(each, local, (domain, element), body?, span)
    }

    pub(super) fn bind(
        &mut self,
        name: &Arc<str>,
        of: Scalar,
        span: &Range<usize>,
    ) -> Result<usize, SpecError> {
        let taken = self.scope.meaning(name).is_some()
            || !self.scope.enumerations(name).is_empty()
            || self.bound.iter().any(|(bound, ..)| bound == name);
        if taken {
            let error = self.error(span, format!("`{}` means something else already", brief(name)));
            return Err(error.help("take another name here"));
        }
        let local = self.locals;
        self.locals += 1;
        self.bound.push((name.clone(), local, of));
        Ok(local)
    }

    pub(super) fn unbind(&mut self) {
        self.bound.pop();
    }

    pub(super) fn made_of_each(
        &self,
        each: Each,
        local: usize,
        (domain, element): (Domain, Scalar),
        body: Typed,
        span: Range<usize>,
    ) -> Result<Typed, SpecError> {
        let of = match each {
            Each::All | Each::Some => Type::BOOLEAN,
            Each::Count => integer((0, element.size().unwrap_or(MAX_DOMAIN) as i64)),
            Each::Set => Type::Set(Some(element)),
            Each::Map => {
                if !is_fixed(&domain, &element) {
                    let error = self.error(&span, "the keys of a map must not depend on the state");
                    return Err(error.help("name a type, or a range between constants"));
                }
                Type::Map(element, Box::new(body.of.clone()))
            }
        };
        self.small(&of, &span)?;
        Ok(Typed { what: What::Each(each, local, domain, Box::new(body)), of, span })
    }

    /// Checks what a name stands for in turn; gives the type of its elements.
    pub(in super::super) fn domain(&mut self, domain: &Expression) -> Result<(Domain, Scalar), SpecError> {
        if let Kind::Binary(Binary::Range, ends) = &domain.kind {
            let (ends, of) = self.ends(ends)?;
            if let [Type::Scalar(first), Type::Scalar(last)] = [&ends[0].of, &ends[1].of] {
                let least = i128::from(last.bounds().0) - i128::from(first.bounds().1) + 1;
                if least > i128::from(MAX_DOMAIN) {
                    let error = self.error(&domain.span, "this range is too long to go through");
                    return Err(error.help(format!("a domain has at most {MAX_DOMAIN} values")));
                }
            }
            return Ok((Domain::Range(Box::new(ends)), of));
        }
        let typed = self.check(domain, None)?;
        let of = match &typed.of {
            Type::Set(Some(of)) => of.clone(),
            Type::Set(None) => return Err(self.error(&typed.span, "this set has no element to go through")),
            _ => return Err(self.wrong(&typed, "a name stands for each element of a set")),
        };
        let size = of.size().unwrap_or(0);
        let full = matches!(&typed.what, What::Constant(words)
            if words.iter().map(|word| u64::from(word.count_ones())).sum::<u64>() == size);
        if full && size > 0 {
            let (low, high) = of.bounds();
            let end = |word| constant(word, of.clone(), typed.span.clone());
            return Ok((Domain::Range(Box::new([end(low), end(high)])), of));
        }
        Ok((Domain::Set(Box::new(typed)), of))
    }
}

/// Whether a domain has all values of its type, whatever the state.
fn is_fixed(domain: &Domain, element: &Scalar) -> bool {
    let Domain::Range(ends) = domain else { return false };
    let (low, high) = element.bounds();
    let is = |end: &Typed, bound: i64| match (&end.what, &end.of) {
        (What::Constant(words), _) => words[..] == [bound],
        (_, Type::Scalar(Scalar::Integer { low, high })) => low == high && *low == bound,
        _ => false,
    };
    is(&ends[0], low) && is(&ends[1], high)
}
