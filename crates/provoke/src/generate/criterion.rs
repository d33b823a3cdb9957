//! The tests that a coverage criterion asks for, made from a machine by model checking of trap properties.

use std::path::Path;

use super::{GenerateError, blank, named};
use crate::automaton::{TranslationError, buchi};
use crate::letter::Interface;
use crate::ltl::{Formula, Op};
use crate::machine::Reactions;
use crate::monitor::Propositions;
use crate::specification::Specification;
use crate::suite::{MadeBy, Suite, SuiteAnswer, SuiteGoal, SuiteNode, SuiteTest, written};
use crate::trace::RequirementNumber;
use crate::verify::{Checker, Counterexample, Outcome, Unknown};

/// What a suite is to cover of the requirements: the criteria that paper 3 compares with, section 4.2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Criterion {
    /// Each requirement holds on some test.
    Requirements,
    /// The same, with the antecedent of each implication that must always hold true at some step: no test passes for want
    /// of an occasion.
    Antecedents,
    /// Each condition of each requirement is the unique first cause that it holds; see
    /// [`Formula::unique_first_causes`].
    UniqueFirstCauses,
}

impl Criterion {
    /// The word on the command line.
    pub fn word(self) -> &'static str {
        match self {
            Criterion::Requirements => "rc",
            Criterion::Antecedents => "ac",
            Criterion::UniqueFirstCauses => "ufc",
        }
    }

    /// What is to be covered of a requirement, each with a few words; none where that would be very long.
    fn goals(self, formula: &Formula) -> Option<Vec<(String, Formula)>> {
        let whole = || vec![("the requirement holds".to_owned(), formula.clone())];
        Some(match self {
            Criterion::Requirements => whole(),
            Criterion::Antecedents => {
                let mut antecedents = Vec::new();
                find_antecedents(formula, false, &mut antecedents);
                let goal = |(text, seen): (String, Formula)| {
                    (format!("antecedent {text}"), formula.clone().and(seen))
                };
                match antecedents.is_empty() {
                    true => whole(),
                    false => antecedents.into_iter().map(goal).collect(),
                }
            }
            Criterion::UniqueFirstCauses => {
                let causes = formula.unique_first_causes()?;
                let goal = |(at, cause): (usize, crate::ltl::Cause)| {
                    (format!("condition {} ({})", at + 1, cause.condition), cause.formula)
                };
                causes.into_iter().enumerate().map(goal).collect()
            }
        })
    }
}

/// The antecedents of implications that a formula asks for, now or always, and the formula that each is true at some step.
fn find_antecedents(formula: &Formula, always: bool, into: &mut Vec<(String, Formula)>) {
    match formula.op() {
        Op::And => formula.args().iter().for_each(|arg| find_antecedents(arg, always, into)),
        Op::Globally => formula.args().iter().for_each(|arg| find_antecedents(arg, true, into)),
        Op::Implies => {
            let antecedent = formula.args()[0].clone();
            let text = antecedent.to_string();
            into.push((text, if always { antecedent.finally() } else { antecedent }));
        }
        _ => {}
    }
}

/// Makes one test for each goal of the criterion that some run of the machine covers under the assumptions. A trap
/// property says that no run does; what the model checker finds against it is the test.
///
/// A run that covers several goals is one test. Where a goal is about all steps that come, the test is the beginning of
/// a run that goes round, with one round.
pub fn from_machine(
    specification: &Specification,
    machine: &Reactions,
    path: &Path,
    criterion: Criterion,
) -> Result<Suite, GenerateError> {
    if specification.requirements.is_empty() {
        return Err(GenerateError::NoRequirement);
    }
    let has_formulas = specification.requirements.iter().any(|known| known.demand.formula.is_some());
    if criterion != Criterion::Requirements && !has_formulas {
        return Err(GenerateError::NoFormula(criterion.word()));
    }
    let mut making = Making {
        specification,
        interface: specification.interface(),
        checker: specification.checker(machine)?,
        runs: Vec::new(),
    };
    let mut goals = Vec::new();
    for number in specification.numbers() {
        goals.extend(making.goals(number, criterion)?);
    }
    let tests = making.runs.iter().map(|run| making.test(run)).collect();
    let made_by = MadeBy::Criterion { name: criterion.word().to_owned(), model: named(path) };
    Ok(Suite { goals, tests, ..blank(specification, made_by) })
}

struct Making<'a> {
    specification: &'a Specification,
    interface: &'a Interface,
    checker: Checker,
    runs: Vec<Counterexample>,
}

impl Making<'_> {
    fn goals(
        &mut self,
        number: RequirementNumber,
        criterion: Criterion,
    ) -> Result<Vec<SuiteGoal>, GenerateError> {
        let requirement = self.specification.requirement(number);
        let open = |what: &str, why: &str| SuiteGoal {
            requirement: requirement.id.clone(),
            what: what.to_owned(),
            formula: None,
            feasible: None,
            why: Some(why.to_owned()),
            test: None,
        };
        let Some(formula) = &requirement.demand.formula else {
            if criterion != Criterion::Requirements {
                return Ok(vec![open(
                    "the requirement holds",
                    "it is no formula, so it has no conditions to be told apart",
                )]);
            }
            let Some(automaton) = self.specification.keeping(number)? else {
                return Ok(vec![open("the requirement holds", "it has no automaton")]);
            };
            let outcome = self.checker.avoids(&automaton)?;
            return Ok(vec![self.goal(&requirement.id, "the requirement holds".to_owned(), None, outcome)]);
        };
        let Some(wanted) = criterion.goals(formula) else {
            return Ok(vec![open("its conditions", "it would be too long to take apart")]);
        };
        let mut goals = Vec::with_capacity(wanted.len());
        for (what, formula) in wanted {
            let covers = |run: &Counterexample| self.covers(run, &formula);
            if let Some(test) = self.runs.iter().position(covers) {
                goals.push(SuiteGoal {
                    requirement: requirement.id.clone(),
                    what,
                    formula: Some(formula.to_string()),
                    feasible: Some(true),
                    why: None,
                    test: Some(test),
                });
                continue;
            }
            let outcome = match self.checker.counterexample(&formula.clone().not()) {
                // Every run covers it, also one that has no step; some step is wanted.
                Ok(Outcome::Violated(run)) if run.is_empty() => {
                    let any = buchi(&Formula::constant(true), &self.specification.space)?;
                    self.checker.avoids(&any)?
                }
                Ok(outcome) => outcome,
                Err(TranslationError::TooLarge) => Outcome::Unknown(Unknown::TooLarge),
                Err(error) => return Err(error.into()),
            };
            goals.push(self.goal(&requirement.id, what, Some(formula.to_string()), outcome));
        }
        Ok(goals)
    }

    fn goal(&mut self, id: &str, what: String, formula: Option<String>, outcome: Outcome) -> SuiteGoal {
        let (feasible, why, test) = match outcome {
            Outcome::Holds => (Some(false), None, None),
            Outcome::Violated(run) => {
                let known = self.runs.iter().position(|known| *known == run);
                let test = known.unwrap_or_else(|| {
                    self.runs.push(run);
                    self.runs.len() - 1
                });
                (Some(true), None, Some(test))
            }
            Outcome::Unknown(Unknown::Gap { .. }) => {
                (None, Some("the machine does not tell all of its answers".to_owned()), None)
            }
            Outcome::Unknown(_) => (None, Some("it would take too much memory to tell".to_owned()), None),
        };
        SuiteGoal { requirement: id.to_owned(), what, formula, feasible, why, test }
    }

    /// Whether a run that was found for another goal is known to cover this one: where it goes round.
    fn covers(&self, run: &Counterexample, formula: &Formula) -> bool {
        let propositions = Propositions::new(self.interface);
        !run.cycle.is_empty() && propositions.hold_for_ever(formula, &run.stem, &run.cycle)
    }

    fn test(&self, run: &Counterexample) -> SuiteTest {
        let space = &self.specification.space;
        let steps: Vec<_> = run.stem.iter().chain(&run.cycle).collect();
        let node = |(at, step): (usize, &&_)| -> SuiteNode {
            let step: &crate::trace::Step = step;
            let outputs = written(space, &space.output(step.output));
            let to = Some(at + 1).filter(|&next| next < steps.len());
            let input = self.interface.inputs.show(step.input).to_string();
            SuiteNode { input, answers: vec![SuiteAnswer { outputs, to }] }
        };
        SuiteTest {
            loop_from: (!run.cycle.is_empty()).then_some(run.stem.len()),
            nodes: steps.iter().enumerate().map(node).collect(),
        }
    }
}
