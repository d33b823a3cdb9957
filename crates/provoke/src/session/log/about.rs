//! What a log says of the specification, so that reports can be made from it alone.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::picture::Picture;
use crate::letter::Alphabet;
use crate::specification::{Goal, Objective, Requirement, Specification};

/// What a session is about, in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct About {
    /// The specification file.
    pub specification: String,
    /// What was typed, word by word, the program's name first.
    pub command: Vec<String>,
    /// The version of the program.
    pub program: String,
    /// What is assumed of the environment.
    pub assumptions: Vec<AboutRequirement>,
    /// What must hold.
    pub requirements: Vec<AboutRequirement>,
    /// What is wanted to have been seen; those of the specification, whether they are pursued or not.
    pub objectives: Vec<AboutObjective>,
    /// Whether outputs are labels; inputs are said to be in the record before.
    pub output_labels: bool,
    /// The types of inputs that are not Boolean, by name, as they are declared: `0..6`, `up, down`.
    pub input_types: BTreeMap<String, String>,
    /// Those of outputs.
    pub output_types: BTreeMap<String, String>,
    /// The automata of requirements and objectives, to be drawn.
    pub pictures: Vec<Picture>,
}

/// What a requirement says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct AboutRequirement {
    /// Its id.
    pub id: String,
    /// The sentence it formalises.
    pub text: String,
    /// The formula it was made from, or else what it is.
    pub formula: String,
    /// What kind of property it is, where that is known.
    pub class: Option<String>,
    /// The line at which it stands in the file, from 1.
    pub line: Option<usize>,
}

/// What an objective wants.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct AboutObjective {
    /// Its id.
    pub id: String,
    /// What it means to a reader.
    pub text: String,
    /// What must be reached, in words.
    pub goal: String,
    /// The line at which it stands in the file, from 1.
    pub line: Option<usize>,
}

/// The longest formula that is written down, in characters.
const LONGEST: usize = 4_000;

impl About {
    /// What there is to say of a specification.
    pub(super) fn of(specification: &Specification, command: &[String], pictures: Vec<Picture>) -> About {
        let classes = specification.property_classes().unwrap_or_default();
        let requirement = |(at, one): (usize, &Requirement)| AboutRequirement {
            id: one.id.clone(),
            text: one.text.clone(),
            formula: formula(one),
            class: classes.get(at).copied().flatten().map(|class| class.word().to_owned()),
            line: specification.line_of_requirement(&one.id),
        };
        let assumption = |one: &Requirement| AboutRequirement {
            id: one.id.clone(),
            text: one.text.clone(),
            formula: formula(one),
            ..AboutRequirement::default()
        };
        let objective = |one: &Objective| AboutObjective {
            id: one.id.clone(),
            text: one.text.clone(),
            goal: goal(specification, one),
            line: specification.line_of_objective(&one.id),
        };
        About {
            specification: specification.path.display().to_string(),
            command: command.to_vec(),
            program: env!("CARGO_PKG_VERSION").to_owned(),
            assumptions: specification.assumptions.iter().map(assumption).collect(),
            requirements: specification.requirements.iter().enumerate().map(requirement).collect(),
            objectives: specification.objectives.iter().map(objective).collect(),
            output_labels: is_labels(&specification.interface().outputs),
            input_types: types(&specification.interface().inputs),
            output_types: types(&specification.interface().outputs),
            pictures,
        }
    }
}

fn types(alphabet: &Alphabet) -> BTreeMap<String, String> {
    let typed = alphabet.fields().iter().filter(|field| !field.is_boolean());
    typed.map(|field| (field.name().to_owned(), field.kind().to_string())).collect()
}

fn is_labels(alphabet: &Alphabet) -> bool {
    alphabet.as_labels().is_some()
}

/// The formula of a requirement, or what it is made of where it has none.
fn formula(requirement: &Requirement) -> String {
    use crate::specification::Model;
    let demand = &requirement.demand;
    let text = match (&demand.formula, &demand.model) {
        (Some(formula), _) => formula.to_string(),
        (None, Model::Automaton(automaton)) => {
            format!("automaton with {}", crate::report::count(automaton.states.len(), "state"))
        }
        (None, Model::Program(_)) => "model program".to_owned(),
        (None, Model::Circuit(_)) => "circuit".to_owned(),
    };
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}...", &text[..at]),
        None => text,
    }
}

/// What an objective wants, in words.
fn goal(specification: &Specification, objective: &Objective) -> String {
    let id = |number| specification.requirement(number).id.as_str();
    match &objective.goal {
        Goal::States(all) => {
            let one = |(number, states): &(_, Vec<u32>)| {
                let automaton = specification.requirement(*number).demand.automaton();
                let name = |&state: &u32| {
                    automaton.map_or_else(|| state.to_string(), |automaton| automaton.state_name(state))
                };
                format!("{} in {}", id(*number), states.iter().map(name).collect::<Vec<_>>().join(" or "))
            };
            all.iter().map(one).collect::<Vec<_>>().join(" and ")
        }
        Goal::Purpose(_) => "an accepting state of a test purpose".to_owned(),
        Goal::Violation(number) => format!("a violation of {}", id(*number)),
        Goal::Holds(number, _) => format!("an output of the circuit of {}", id(*number)),
        Goal::Cover(cover, Some(number)) => format!("all {} of {}", cover.word(), id(*number)),
        Goal::Cover(cover, None) => format!("all {} of the requirements together", cover.word()),
    }
}
