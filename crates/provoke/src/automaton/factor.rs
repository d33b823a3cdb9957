//! Guards of many signals as nested expressions: `(a | x) & (b | y)` rather than four products.

use rustc_hash::FxHashSet;

use crate::bdd::{Bdd, Space};

/// How many functions may be left after some variables are decided for a guard still to be taken apart there.
const WIDE: usize = 64;

/// A guard as two that share no variable.
pub(super) enum Parts {
    /// Both must hold.
    And(Bdd, Bdd),
    /// One must hold.
    Or(Bdd, Bdd),
}

/// Takes a guard apart at the first variable where that can be done; nothing where it cannot.
///
/// Once the first variables are decided, what is left must be one and the same function wherever it is not
/// decided; if all else is false then it is a conjunction, if all else is true a disjunction. (These are the
/// dominators of Yang and Ciesielski 2002, for cuts between variables.)
pub(super) fn parts(space: &Space, guard: &Bdd) -> Option<Parts> {
    let support = guard.support();
    let mut left: FxHashSet<Bdd> = [guard.clone()].into_iter().collect();
    for (place, &variable) in support.iter().enumerate() {
        let mut next: FxHashSet<Bdd> = FxHashSet::default();
        for at in left {
            match at.split() {
                Some((top, low, high)) if top == variable => next.extend([low, high]),
                _ => drop(next.insert(at)),
            }
        }
        left = next;
        if left.len() > WIDE {
            return None;
        }
        let mut open = left.iter().filter(|at| !at.is_none() && !at.is_all());
        let (Some(rest), None) = (open.next(), open.next()) else { continue };
        let later = space.bdds().cube(support[place + 1..].iter().copied());
        match (left.iter().any(Bdd::is_none), left.iter().any(Bdd::is_all)) {
            (true, false) => return Some(Parts::And(guard.exists(&later), rest.clone())),
            (false, true) => return Some(Parts::Or(guard.forall(&later), rest.clone())),
            _ => {}
        }
    }
    None
}
