//! What names mean.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::types::{Enumeration, Scalar, Type};

/// What the names of an expression may mean: variables of a state, parameters, constants, types and the values of
/// enumerations.
///
/// Variables lie in the words of the state in the order in which they are declared.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    names: FxHashMap<Arc<str>, Meaning>,
    /// The enumerations that have a value of this name.
    values: FxHashMap<Arc<str>, Vec<Arc<Enumeration>>>,
    width: usize,
    parameters: usize,
}

/// What a name means.
#[derive(Clone, Debug)]
pub enum Meaning {
    /// A part of the state, from this word on.
    Variable {
        /// Its first word.
        at: usize,
        /// Its type.
        of: Type,
    },
    /// A value that is given with each evaluation: the number among them.
    Parameter {
        /// Its number.
        at: usize,
        /// Its type.
        of: Scalar,
    },
    /// A value that never changes.
    Constant {
        /// Its words.
        words: Arc<[i64]>,
        /// Its type.
        of: Type,
    },
    /// A type.
    Type(Type),
}

/// The name is taken already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken;

impl Scope {
    /// No names but `bool` and `int`.
    pub fn new() -> Scope {
        let mut scope = Scope::default();
        scope.names.insert("bool".into(), Meaning::Type(Type::BOOLEAN));
        scope.names.insert("int".into(), Meaning::Type(Type::INTEGER));
        scope
    }

    fn declare(&mut self, name: &str, meaning: Meaning) -> Result<(), Taken> {
        if self.names.contains_key(name) || self.values.contains_key(name) {
            return Err(Taken);
        }
        self.names.insert(name.into(), meaning);
        Ok(())
    }

    /// Declares a variable behind those declared before; gives its first word.
    pub fn variable(&mut self, name: &str, of: Type) -> Result<usize, Taken> {
        let at = self.width;
        let width = of.width();
        self.declare(name, Meaning::Variable { at, of })?;
        self.width += width;
        Ok(at)
    }

    /// Declares the next parameter.
    pub fn parameter(&mut self, name: &str, of: Scalar) -> Result<(), Taken> {
        self.declare(name, Meaning::Parameter { at: self.parameters, of })?;
        self.parameters += 1;
        Ok(())
    }

    /// Declares a constant.
    pub fn constant(&mut self, name: &str, of: Type, words: Arc<[i64]>) -> Result<(), Taken> {
        self.declare(name, Meaning::Constant { words, of })
    }

    /// Declares a type.
    pub fn define(&mut self, name: &str, of: Type) -> Result<(), Taken> {
        self.declare(name, Meaning::Type(of))
    }

    /// Declares an enumeration and its values. Several enumerations may have a value of the same name; which is
    /// meant is decided where it stands. The error names the value that is something else already, if not the
    /// enumeration itself.
    pub fn enumeration(&mut self, of: Enumeration) -> Result<Arc<Enumeration>, Arc<str>> {
        let of = Arc::new(of);
        let twice = |(number, value): (usize, &Arc<str>)| of.values[..number].contains(value);
        let taken = of.values.iter().enumerate();
        let taken = taken.filter(|&(number, value)| self.names.contains_key(value) || twice((number, value)));
        if let Some((_, value)) = taken.into_iter().next() {
            return Err(value.clone());
        }
        let meaning = Meaning::Type(Type::Scalar(Scalar::Enumeration(of.clone())));
        self.declare(&of.name, meaning).map_err(|Taken| of.name.clone())?;
        for value in &of.values {
            self.values.entry(value.clone()).or_default().push(of.clone());
        }
        Ok(of)
    }

    /// Declares the values of an enumeration that is called by its values, if by anything: two that have the same are the
    /// same.
    pub fn nameless(&mut self, values: &[Arc<str>]) -> Arc<Enumeration> {
        let name: Arc<str> = values.join(", ").into();
        let known = values.first().and_then(|first| self.values.get(first));
        if let Some(known) = known.and_then(|of| of.iter().find(|of| of.name == name)) {
            return known.clone();
        }
        let of = Arc::new(Enumeration { name, values: values.to_vec() });
        for value in values {
            self.values.entry(value.clone()).or_default().push(of.clone());
        }
        of
    }

    /// What a name means, values of enumerations aside.
    pub fn meaning(&self, name: &str) -> Option<&Meaning> {
        self.names.get(name)
    }

    /// The enumerations that have a value of this name.
    pub(super) fn enumerations(&self, value: &str) -> &[Arc<Enumeration>] {
        self.values.get(value).map_or(&[], Vec::as_slice)
    }

    /// All names that mean something, in order.
    pub(crate) fn known(&self) -> Vec<&str> {
        let mut known: Vec<&str> = self.names.keys().chain(self.values.keys()).map(|name| &**name).collect();
        known.sort_unstable();
        known
    }

    /// How many words the state has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// How many parameters there are.
    pub fn parameters(&self) -> usize {
        self.parameters
    }
}
