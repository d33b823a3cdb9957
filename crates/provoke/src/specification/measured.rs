//! What a specification speaks of and no system says: how long answers take.

use toml::Spanned;

use super::file::RequirementTable;
use super::load::Loader;
use super::{Demand, Specification};
use crate::diagnostic::{Source, SpecError};
use crate::letter::{Field, Interface};
use crate::system::{ELAPSED, elapsed_kind};
use crate::trace::RequirementNumber;

impl Loader {
    /// Whether a formula, a sentence or an automaton of the file names the time that answers take.
    pub(super) fn speaks_of_time(&self) -> bool {
        let objectives = self.file.objective.iter().map(|table| &table.get_ref().automaton);
        let files = self.tables().map(|table| &table.automaton).chain(objectives).flatten();
        let mut read = files.filter_map(|name| Source::read(&self.beside(name.get_ref())).ok());
        self.text_about_time().is_some() || read.any(|source| names_time(&source.text))
    }

    fn tables(&self) -> impl Iterator<Item = &RequirementTable> {
        self.file.requirement.iter().chain(&self.file.assumption).map(Spanned::get_ref)
    }

    /// The first formula or sentence that names it.
    fn text_about_time(&self) -> Option<&Spanned<String>> {
        let objectives = self.file.objective.iter().map(|table| &table.get_ref().ltl);
        let texts = self.tables().flat_map(|table| [&table.ltl, &table.pattern]).chain(objectives);
        texts.flatten().find(|text| names_time(text.get_ref()))
    }

    /// Where letters are labels, there is no place for it.
    pub(super) fn check_time(&self, interface: &Interface) -> Result<(), SpecError> {
        match self.text_about_time().filter(|_| interface.has_labels()) {
            None => Ok(()),
            Some(text) => {
                let message = format!("`{ELAPSED}` is an output signal, and letters are labels here");
                let error = self.source.error(text.span(), message);
                Err(error.help("what matters between labels is silence: see `quiet` and `patience_ms`"))
            }
        }
    }

    /// The interface with what is measured, where the file speaks of it.
    pub(super) fn measuring(&self, interface: Interface) -> Result<Interface, SpecError> {
        if interface.outputs.as_labels().is_some() || !self.speaks_of_time() {
            return Ok(interface);
        }
        let Interface { inputs, outputs } = interface;
        let outputs = outputs.measuring(ELAPSED, elapsed_kind());
        outputs
            .and_then(|outputs| Interface::new(inputs, outputs))
            .map_err(|error| SpecError::whole(&self.source, error.to_string()))
    }
}

/// Whether a text has the name of what is measured as a word of its own.
fn names_time(text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c: char| !is_part(c)).any(|word| word == ELAPSED)
}

impl Specification {
    /// What is measured and decides whether this requirement holds, if it does.
    pub fn measured(&self, number: RequirementNumber) -> Option<&Field> {
        self.interface().measured().filter(|_| self.is_timed(&self.requirement(number).demand))
    }

    /// Whether what is measured decides on a demand.
    pub(super) fn is_timed(&self, demand: &Demand) -> bool {
        let Some(field) = self.interface().measured() else { return false };
        let followed = demand.distinguishes().map(super::support).unwrap_or_default();
        let variables = demand.variables();
        field.bits().any(|bit| {
            let variable = self.space.input_bits() + bit;
            variables.contains(&variable) || followed.contains(&variable)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(outputs: &str, ltl: &str) -> Result<Specification, SpecError> {
        let text = format!(
            "[signals]\ninputs = [\"brake\"]\noutputs = {outputs}\n[[requirement]]\nid = \"R\"\nltl = \"{ltl}\"\n\
             [[requirement]]\nid = \"other\"\nltl = \"G(brake -> stop)\"\n"
        );
        Specification::from_text("t.toml".as_ref(), &text)
    }

    #[test]
    fn time_is_an_output_where_it_is_spoken_of() {
        let timed = read("[\"stop\"]", "G(brake -> elapsed_ms <= 20)").unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(timed.interface().outputs.names().collect::<Vec<_>>(), ["stop", "elapsed_ms"]);
        let rests: Vec<bool> = timed.numbers().map(|number| timed.measured(number).is_some()).collect();
        assert_eq!(rests, [true, false]);
        let plain = read("[\"stop\"]", "G(brake -> X stop)").unwrap();
        assert!(plain.interface().measured().is_none() && plain.interface().is_boolean());
        let text = "[labels]\ninputs = ['a']\noutputs = ['x']\n[[requirement]]\nid = 'R'\nltl = 'G elapsed_ms < 9'\n";
        let labels = Specification::from_text("t.toml".as_ref(), text).map(drop).unwrap_err();
        assert_eq!(labels.message(), "`elapsed_ms` is an output signal, and letters are labels here");
        assert_eq!(labels.line_column(), Some((6, 7)));
        let declared = read("[\"stop\", \"elapsed_ms\"]", "G brake").map(drop).unwrap_err();
        assert_eq!(declared.message(), "`elapsed_ms` is built in and cannot be declared");
    }
}
