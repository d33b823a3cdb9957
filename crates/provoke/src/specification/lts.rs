//! Labelled transition systems in specifications: `lts = "coffee.aut"`.

use crate::action::Suspension;
use crate::diagnostic::{Source, SpecError};
use crate::format::lts::{Lts, Words};

/// The suspension automaton of the transition system in a file, and what its writer should look at again.
pub(super) fn read(source: &Source, words: &Words<'_>) -> Result<(Suspension, Vec<String>), SpecError> {
    let lts = Lts::read(source, words)?;
    let automaton = Suspension::of(&lts).map_err(|error| {
        let error = SpecError::whole(source, format!("{}: {error}", source.name));
        error.help("make it smaller, or more deterministic; a model program can be followed without writing its states down")
    })?;
    let found = automaton.validity();
    if let Some(state) = found.blocking {
        let named = |at: &u32| lts.states[*at as usize] == state;
        let place = lts.transitions.iter().find(|one| named(&one.from) || named(&one.to));
        let message =
            format!("state `{state}` blocks: the system may neither say something nor be silent there");
        let error = match place {
            Some(place) => source.error(place.span.clone(), message),
            None => SpecError::whole(source, format!("{}: {message}", source.name)),
        };
        return Err(error
            .help("add an output or `delta`; a file without any `delta` gets it wherever the system rests"));
    }
    let mut warnings: Vec<String> =
        found.anomalies.iter().map(|anomaly| format!("{}: {anomaly}", source.name)).collect();
    if let Some(state) = automaton.divergence() {
        warnings.push(format!(
            "{}: internal steps lead from state `{state}` back to it; going round without a way out counts as silence",
            source.name
        ));
    }
    Ok((automaton, warnings))
}
