//! From automata to what a specification is made of, and a lone automaton as a whole specification.

use std::path::Path;
use std::sync::Arc;

use super::{Demand, Fingerprint, Loading, Model, Requirement, Specification, SystemChoice};
use crate::automaton::{Automaton, Omega, Required, hoa_interface, out_of_nodes, read_hoa, read_required};
use crate::bdd::Space;
use crate::diagnostic::{Source, SpecError};
use crate::monitor::Monitor;

/// The game automaton and the monitor of the automaton in a file; `id` is its title.
pub(super) fn demand(source: &Source, space: &Arc<Space>, id: &str) -> Result<Demand, SpecError> {
    let named = |automaton: Automaton| Arc::new(Automaton { name: Some(id.to_owned()), ..automaton });
    let full = |error| out_of_nodes(SpecError::whole(source, ""), error);
    Ok(match read_required(source, space)? {
        Required::Safety(automaton) => {
            let monitor = Monitor::safety(&automaton).map_err(full)?;
            Demand {
                model: Model::Automaton(named(automaton)),
                monitor,
                followed: None,
                formula: None,
                omega: None,
                program: None,
                environment: None,
            }
        }
        Required::Omega(omega) => {
            let Omega { safety, four_valued, .. } = &*omega;
            Demand {
                model: Model::Automaton(named(safety.clone())),
                monitor: Monitor::new(&four_valued.automaton, four_valued.verdicts.clone()).map_err(full)?,
                followed: Some(Arc::new(four_valued.clone())),
                formula: None,
                omega: Some(Arc::from(omega)),
                program: None,
                environment: None,
            }
        }
    })
}

/// Whether a file holds an automaton instead of a specification.
pub(super) fn is_automaton(path: &Path, source: &Source) -> bool {
    path.extension().is_some_and(|ending| ending == "hoa") || source.text.trim_start().starts_with("HOA:")
}

/// The specification that an automaton makes alone: one requirement, called like the file, over the propositions of
/// the file.
pub(super) fn alone(path: &Path, source: &Source, loading: &Loading) -> Result<Specification, SpecError> {
    let space = Arc::new(Space::with_limit(hoa_interface(source)?, loading.nodes));
    let (automaton, _) = read_hoa(source, Some(&space))?;
    let id =
        path.file_stem().map_or_else(|| "automaton".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let mut warnings = Vec::new();
    if space.interface().outputs.is_empty() && !space.interface().inputs.is_empty() {
        warnings.push(format!(
            "{}: without `controllable-AP:` all propositions are inputs, and the system has nothing to answer",
            source.name
        ));
    }
    let demand = demand(source, &space, &id)?;
    let requirement = Requirement { id, text: automaton.name.unwrap_or_default(), demand };
    Ok(Specification {
        path: path.to_owned(),
        space,
        assumptions: Vec::new(),
        requirements: vec![requirement],
        ranges: Vec::new(),
        objectives: Vec::new(),
        system: SystemChoice { pin: true, ..Default::default() },
        warnings,
        fingerprint: Fingerprint::of([source]),
        idle: None,
        memory: None,
        restrictions: Default::default(),
        keepable: Default::default(),
        lines: Default::default(),
        strict: None,
    })
}
