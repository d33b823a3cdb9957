//! What a specification wants to have seen.

use std::collections::BTreeMap;
use std::sync::Arc;

use toml::Spanned;

use super::super::file::{ObjectiveTable, StatesTable};
use super::super::formula;
use super::super::{Goal, Objective, Requirement};
use super::Loader;
use crate::automaton::{Automaton, read_purpose};
use crate::bdd::Space;
use crate::coverage::Cover;
use crate::diagnostic::{SpecError, did_you_mean};
use crate::ltl;
use crate::trace::RequirementNumber;

impl Loader {
    pub(super) fn objective(
        &self,
        table: &Spanned<ObjectiveTable>,
        space: &Arc<Space>,
        requirements: &[Requirement],
    ) -> Result<Objective, SpecError> {
        let ObjectiveTable {
            id,
            text,
            automaton,
            ltl,
            times,
            requirement,
            output,
            states,
            violates,
            cover,
            scores,
        } = table.get_ref();
        if let (None, Some(times)) = (ltl, times) {
            return Err(self.source.error(times.span(), "`times` belongs to an objective with `ltl`"));
        }
        let goal = match (automaton, ltl, states, violates, cover) {
            (None, None, None, None, None) if output.is_some() => {
                self.shown(table.get_ref(), requirements)?
            }
            _ if output.is_some() => return Err(self.no_one_goal(id)),
            (Some(name), None, None, None, None) => Goal::Purpose(self.purpose(name, space, id)?),
            (None, Some(formula), None, None, None) => {
                let times = times.as_ref().map(|times| *times.get_ref());
                let known = self.warnings.borrow().len();
                let parsed = self.formula(formula, ltl::parse_in, space)?;
                let error = |error| self.unusable(formula, known, error);
                let mut purpose = formula::purpose(&parsed, times, space).map_err(error)?;
                purpose.name = Some(id.get_ref().clone());
                Goal::Purpose(Arc::new(purpose))
            }
            (None, None, Some(states), None, None) => {
                self.states(requirement.as_ref(), states, requirements)?
            }
            (None, None, None, None, Some(what)) => self.cover(what, requirement.as_ref(), requirements)?,
            (None, None, None, Some(violated), None) => {
                Goal::Violation(self.requirement_named(violated, requirements)?)
            }
            _ => return Err(self.no_one_goal(id)),
        };
        let scores = match scores {
            Some(scores) => self.scores(requirement.as_ref(), scores, requirements)?,
            None => Vec::new(),
        };
        Ok(Objective { id: id.get_ref().clone(), text: text.clone(), goal, scores })
    }

    /// `scores = { moving = 0.5 }`: what states of one requirement are worth.
    fn scores(
        &self,
        requirement: Option<&Spanned<String>>,
        scores: &Spanned<BTreeMap<Spanned<String>, Spanned<f64>>>,
        requirements: &[Requirement],
    ) -> Result<Vec<(RequirementNumber, u32, f64)>, SpecError> {
        let number = match (requirement, requirements.len()) {
            (Some(name), _) => self.requirement_named(name, requirements)?,
            (None, 1) => RequirementNumber(0),
            (None, _) => {
                let error = self.source.error(scores.span(), "scores of the states of which requirement?");
                return Err(error.help("add requirement = \"ID\""));
            }
        };
        let score = |(name, score): (&Spanned<String>, &Spanned<f64>)| {
            if !(0.0..=1.0).contains(score.get_ref()) {
                return Err(self.source.error(score.span(), "a score is a number from 0 to 1"));
            }
            Ok((number, self.state(name, &requirements[number.0])?, *score.get_ref()))
        };
        scores.get_ref().iter().map(score).collect()
    }

    fn no_one_goal(&self, id: &Spanned<String>) -> SpecError {
        self.source
            .error(id.span(), format!("objective `{}` must say one thing to reach", id.get_ref()))
            .help(
                "give one of automaton = \"purpose.hoa\", ltl = \"F(a & b)\", states = [\"s2\"], output = \"objective\", violates = \"R1\" or cover = \"states\"",
            )
    }

    /// `cover = "states"`, of all requirements together or of one.
    fn cover(
        &self,
        what: &Spanned<String>,
        requirement: Option<&Spanned<String>>,
        requirements: &[Requirement],
    ) -> Result<Goal, SpecError> {
        let word = what.get_ref();
        let Some(cover) = Cover::named(word) else {
            let known = Cover::ALL.map(Cover::word);
            let error = self.source.error(what.span(), format!("`{word}` is nothing that can be covered"));
            let near = did_you_mean(word, known);
            return Err(error.help(near.unwrap_or_else(|| format!("it is one of {}", known.join(", ")))));
        };
        let Some(id) = requirement else { return Ok(Goal::Cover(cover, None)) };
        let number = self.requirement_named(id, requirements)?;
        let programs = requirements.iter().filter(|known| known.demand.automaton().is_none()).count();
        match requirements[number.0].demand.automaton() {
            Some(_) if programs == 0 => Ok(Goal::Cover(cover, Some(number))),
            None if programs == 1 => Ok(Goal::Cover(cover, None)),
            _ => Err(self
                .source
                .error(id.span(), "beside a model program nothing is covered of one requirement alone")
                .help("leave the key `requirement` out")),
        }
    }

    fn purpose(
        &self,
        name: &Spanned<String>,
        space: &Arc<Space>,
        id: &Spanned<String>,
    ) -> Result<Arc<Automaton>, SpecError> {
        let mut purpose = read_purpose(&self.read(name)?, space)?;
        purpose.name = Some(id.get_ref().clone());
        Ok(Arc::new(purpose))
    }

    /// `states = ["s2"]` of one requirement, or `states = { R1 = ["moving"], R2 = ["loaded"] }` of several at once.
    fn states<'a>(
        &self,
        requirement: Option<&Spanned<String>>,
        states: &'a Spanned<StatesTable>,
        requirements: &[Requirement],
    ) -> Result<Goal, SpecError> {
        let by_requirement = match (states.get_ref(), requirement, requirements.len()) {
            (StatesTable::Several(_), Some(name), _) => {
                return Err(self
                    .source
                    .error(name.span(), "the states already say which requirements they belong to")
                    .help("remove the key `requirement`"));
            }
            (StatesTable::Several(several), None, _) => {
                let named = |(name, states): &'a (Spanned<String>, Vec<Spanned<String>>)| {
                    Ok((self.requirement_named(name, requirements)?, states))
                };
                several.iter().map(named).collect::<Result<Vec<_>, SpecError>>()?
            }
            (StatesTable::One(list), Some(name), _) => {
                vec![(self.requirement_named(name, requirements)?, list)]
            }
            (StatesTable::One(list), None, 1) => vec![(RequirementNumber(0), list)],
            (StatesTable::One(_), None, _) => {
                return Err(self
                    .source
                    .error(states.span(), "states of which requirement?")
                    .help("add requirement = \"ID\", or write states = { ID = [...] }"));
            }
        };
        let numbers = |(requirement, names): (RequirementNumber, &Vec<Spanned<String>>)| {
            if names.is_empty() {
                return Err(self.source.error(states.span(), "an objective needs at least one state"));
            }
            let numbers: Result<Vec<u32>, SpecError> =
                names.iter().map(|name| self.state(name, &requirements[requirement.0])).collect();
            Ok((requirement, numbers?))
        };
        if by_requirement.is_empty() {
            return Err(self.source.error(states.span(), "an objective needs at least one state"));
        }
        Ok(Goal::States(by_requirement.into_iter().map(numbers).collect::<Result<_, SpecError>>()?))
    }

    fn state(&self, state: &Spanned<String>, requirement: &Requirement) -> Result<u32, SpecError> {
        let name = state.get_ref();
        let Some(automaton) = requirement.demand.automaton() else {
            let message = format!("the states of `{}` have no names, or are too many", requirement.id);
            return Err(self
                .source
                .error(state.span(), message)
                .help("write what is to happen, such as ltl = \"F Search(0)\""));
        };
        automaton.state_named(name).ok_or_else(|| {
            let id = &requirement.id;
            let names: Vec<String> =
                (0..automaton.states.len() as u32).map(|at| automaton.state_name(at)).collect();
            let error = self.source.error(state.span(), format!("requirement `{id}` has no state `{name}`"));
            let near = did_you_mean(name, names.iter().map(String::as_str));
            error.help(near.unwrap_or_else(|| format!("its states are {}", names.join(", "))))
        })
    }
}
