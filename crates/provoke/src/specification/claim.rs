//! What a specification asks of every run: each requirement with the assumptions it may count on.

use super::{Requirement, Specification};
use crate::ltl::{Formula, Op};

/// The strict semantics of a TLSF file: the system keeps its invariants until the environment has broken its own, even
/// where the environment will have to break them later. How many of the assumptions and requirements come from which
/// section of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strict {
    /// INITIALLY, the first assumptions.
    pub(super) initially: usize,
    /// REQUIRE, the assumptions after those.
    pub(super) require: usize,
    /// ASSUME, the assumptions after those.
    pub(super) assume: usize,
    /// PRESET, the first requirements.
    pub(super) preset: usize,
    /// ASSERT, the requirements after those.
    pub(super) assert: usize,
}

/// One requirement under assumptions: every run on which all premises hold must keep the requirement.
pub(super) struct Claim<'a> {
    pub(super) requirement: &'a Requirement,
    /// The formula that stands for the requirement here, where it is not its own.
    pub(super) instead: Option<Formula>,
    /// The places of the assumptions that it may count on.
    pub(super) premises: Vec<usize>,
}

impl Specification {
    /// Each requirement with the assumptions it may count on: all of them, except in strict TLSF files.
    pub(super) fn claims(&self) -> Vec<Claim<'_>> {
        let all: Vec<usize> = (0..self.assumptions.len()).collect();
        let numbered = self.numbers().zip(&self.requirements);
        numbered
            .map(|(number, requirement)| {
                let early = self.strict.filter(|strict| number.0 < strict.preset + strict.assert);
                let invariant = early.filter(|strict| number.0 >= strict.preset);
                let instead = invariant.and_then(|Strict { initially, require, .. }| {
                    self.until_broken(requirement, initially..initially + require)
                });
                let premises = match early {
                    None => all.clone(),
                    Some(Strict { initially, require, assume, .. }) => {
                        let later = initially..initially + require + assume;
                        all.iter().copied().filter(|at| !later.contains(at)).collect()
                    }
                };
                Claim { requirement, instead, premises }
            })
            .collect()
    }

    /// `invariant W !broken` for a requirement `G invariant`.
    fn until_broken(&self, requirement: &Requirement, require: std::ops::Range<usize>) -> Option<Formula> {
        let inside = |formula: &Formula| match (formula.op(), formula.args()) {
            (Op::Globally, [inside]) => Some(inside.clone()),
            _ => None,
        };
        let invariant = inside(requirement.demand.formula.as_ref()?)?;
        let required = self.assumptions[require].iter();
        let required: Vec<Formula> =
            required.map(|one| one.demand.formula.as_ref().and_then(inside)).collect::<Option<_>>()?;
        match required.is_empty() {
            true => None,
            false => Some(invariant.weak_until(Formula::all_of(required).not())),
        }
    }
}
