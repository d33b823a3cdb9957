//! What requirements and assumptions say of runs that go on for ever.

use std::sync::{Arc, PoisonError};

use super::{Demand, Requirement, Specification};
use crate::automaton::{Automaton, Cubes, TranslationError, buchi, conjunction};
use crate::game::bounded::{Player, avoids};
use crate::letter::Letter;
use crate::ltl::Formula;
use crate::monitor::{Keepable, LongRun, Word};
use crate::trace::RequirementNumber;

/// More rounds through the automaton of one requirement's violations are not tried.
const ROUNDS: usize = 16;

/// The most states of automata that are made for lassos alone.
const STATES: usize = 5_000;

/// How often a system may be where it must not be again and again, when it is asked whether one could keep a requirement.
const BOUNDS: [u32; 2] = [1, 4];

impl Specification {
    /// What decides on runs that go on for ever. Requirements that finite runs decide are left out.
    pub fn long_run(&self) -> Result<LongRun, TranslationError> {
        let word = |known: &Requirement| self.word(&known.demand);
        // How long answers take is not the same round by round.
        let is_timed = |known: &Requirement| self.is_timed(&known.demand);
        let timeless = |known| if is_timed(known) { Ok(None) } else { word(known) };
        let requirements = self.requirements.iter().map(timeless).collect::<Result<_, _>>()?;
        let assumptions = self.assumptions.iter().map(word).collect::<Result<Vec<_>, _>>()?;
        Ok(LongRun::new(self.interface().clone(), requirements, assumptions.into_iter().flatten().collect()))
    }

    fn word(&self, demand: &Demand) -> Result<Option<Word>, TranslationError> {
        Ok(match (&demand.formula, &demand.omega) {
            (Some(formula), _) => (!formula.is_safety()).then(|| Word::Formula(formula.clone())),
            (None, Some(omega)) => {
                let accepts = conjunction(&self.space, &[&omega.accepts], STATES)?;
                Some(Word::Automaton(Arc::new(Cubes::new(&accepts)?)))
            }
            (None, None) => None,
        })
    }

    /// Inputs that go round where a requirement is violated in the long run: what a tester can try to repeat.
    pub fn rounds_of_violations(&self) -> Vec<Vec<Letter>> {
        let mut rounds: Vec<Vec<Letter>> = Vec::new();
        for requirement in self.requirements.iter().filter(|known| !self.is_timed(&known.demand)) {
            let rejects = self.rejects(&requirement.demand).and_then(|automaton| Cubes::new(&automaton).ok());
            rounds.extend(rejects.iter().flat_map(Cubes::rounds).take(ROUNDS));
        }
        rounds.sort_by_key(Vec::len);
        rounds.dedup();
        rounds
    }

    /// The automaton of the runs that break a requirement which no finite run decides.
    fn rejects(&self, demand: &Demand) -> Option<Automaton> {
        match (&demand.formula, &demand.omega) {
            (Some(formula), _) if !formula.is_safety() => buchi(&formula.clone().not(), &self.space).ok(),
            (None, Some(omega)) => omega.rejects.clone(),
            _ => None,
        }
    }

    /// Whether some system could keep this requirement, whatever it is sent as long as the assumptions are kept. It is worked
    /// out once.
    pub fn keepable(&self, number: RequirementNumber) -> Keepable {
        let known = || self.keepable.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(&known) = known().get(&number.0) {
            return known;
        }
        let found = match self.clearly_keepable(number) {
            Keepable::Unknown => self.kept_by_some_machine(number),
            found => found,
        };
        known().insert(number.0, found);
        found
    }

    /// The same as far as small games tell.
    fn clearly_keepable(&self, number: RequirementNumber) -> Keepable {
        let demand = &self.requirement(number).demand;
        for bound in BOUNDS {
            if self.breaks(demand).is_some_and(|breaks| avoids(&breaks, Player::System, bound) == Ok(true)) {
                return Keepable::Yes;
            }
            if self.kept(demand).is_some_and(|kept| avoids(&kept, Player::Tester, bound) == Ok(true)) {
                return Keepable::No;
            }
        }
        Keepable::Unknown
    }

    /// The automaton of the runs that keep the assumptions and break the requirement.
    pub(super) fn breaks(&self, demand: &Demand) -> Option<Automaton> {
        let mut automata = vec![self.rejects(demand)?];
        for assumption in &self.assumptions {
            automata.push(match (&assumption.demand.formula, &assumption.demand.omega) {
                (Some(formula), _) => buchi(formula, &self.space).ok()?,
                (None, Some(omega)) => omega.accepts.clone(),
                (None, None) => (**assumption.demand.automaton()?).clone(),
            });
        }
        conjunction(&self.space, &automata.iter().collect::<Vec<_>>(), STATES).ok()
    }

    /// The automaton of the runs that keep the requirement or break an assumption, where formulas say both.
    fn kept(&self, demand: &Demand) -> Option<Automaton> {
        let assumed: Option<Vec<Formula>> =
            self.assumptions.iter().map(|assumption| assumption.demand.formula.clone()).collect();
        match (&demand.formula, &demand.omega) {
            (Some(formula), _) => {
                let kept = Formula::all_of(assumed?).implies(formula.clone());
                buchi(&kept, &self.space).ok()
            }
            (None, Some(omega)) if self.assumptions.is_empty() => {
                conjunction(&self.space, &[&omega.accepts], STATES).ok()
            }
            _ => None,
        }
    }
}
