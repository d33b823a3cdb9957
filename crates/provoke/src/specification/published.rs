//! A specification as the oracle of paper 3 sees it.

use std::sync::Arc;

use super::{Demand, Model, Requirement, Specification};
use crate::automaton::{Cubes, FourValued, Omega, TranslationError, Verdict, safety_closure};
use crate::monitor::{Monitor, PublishedOracle};

/// The id of the one requirement that is left.
const ID: &str = "conjunction";

impl Specification {
    /// Judges all requirements together, as paper 3 does: a run is right if some run of their Büchi automaton over it ends in
    /// an accepting state. This may blame a system for an obligation that is merely pending; see
    /// [`PublishedOracle`]. Objectives that are about one requirement are taken out.
    pub fn judge_as_published(&mut self) -> Result<(), TranslationError> {
        let accepts = self.conjunction()?;
        let safety = safety_closure(&accepts)?;
        let cubes = Arc::new(Cubes::new(&accepts)?);
        let verdicts = vec![Verdict::SoFarGood; safety.states.len()];
        let four_valued = FourValued { automaton: safety.clone(), verdicts };
        let ids: Vec<&str> = self.requirements.iter().map(|known| known.id.as_str()).collect();
        let text = format!("all requirements together ({}), by the published oracle", ids.join(", "));
        let omega = Omega { safety: safety.clone(), four_valued, accepts, rejects: None };
        let demand = Demand {
            model: Model::Automaton(Arc::new(safety)),
            monitor: Monitor::Program(Box::new(PublishedOracle::new(cubes))),
            followed: None,
            formula: None,
            omega: Some(Arc::new(omega)),
            environment: None,
            program: None,
        };
        self.requirements = vec![Requirement { id: ID.to_owned(), text, demand }];
        self.objectives.retain(|objective| matches!(objective.goal, super::Goal::Purpose(_)));
        self.restrictions = Default::default();
        Ok(())
    }
}
