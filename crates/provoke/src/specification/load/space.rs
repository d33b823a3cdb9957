//! Which letters a specification is about.

use std::sync::Arc;

use toml::Spanned;

use super::super::AnyModel;
use super::super::file::Names;
use super::Loader;
use crate::automaton::{hoa_interface, read_hoa};
use crate::bdd::Space;
use crate::diagnostic::SpecError;
use crate::letter::{Alphabet, AlphabetError, Interface};

impl Loader {
    pub(super) fn space(&self) -> Result<Arc<Space>, SpecError> {
        if let Some(space) = self.space_of_programs()? {
            return Ok(space);
        }
        let interface = match (&self.file.signals, &self.file.labels) {
            (Some(_), Some(labels)) => {
                return Err(self
                    .source
                    .error(labels.span(), "a specification has signals or labels, not both")
                    .help("remove one of the two tables"));
            }
            (Some(signals), None) => {
                signals.get_ref().interface(&self.source, signals.span(), self.speaks_of_time())?
            }
            (None, Some(labels)) => self.labels(labels)?,
            (None, None) => match &self.tlsf {
                Some((_, tlsf)) => tlsf.interface.clone(),
                None => return self.space_of_first_automaton(),
            },
        };
        let Interface { inputs, outputs } = self.measuring(interface)?;
        let at = |error: AlphabetError| SpecError::whole(&self.source, error.to_string());
        let (hidden, cuts) = &self.hidden;
        let outputs = match hidden.is_empty() && cuts.is_empty() {
            true => outputs,
            false => outputs.with_hidden(hidden, cuts).map_err(at)?,
        };
        Ok(Arc::new(self.space_of(Interface::new(inputs, outputs).map_err(at)?)))
    }

    fn space_of(&self, interface: Interface) -> Space {
        let cycle = self.file.system.as_ref().and_then(|system| system.get_ref().cycle_ms.as_ref());
        let cycle = cycle.map(|cycle| *cycle.get_ref()).filter(|cycle| *cycle > 0);
        Space::with_limit(interface, self.loading.nodes).with_cycle(cycle)
    }

    fn labels(&self, table: &Spanned<Names>) -> Result<Interface, SpecError> {
        let Names { inputs, outputs } = table.get_ref();
        if let Some(name) = inputs.iter().chain(outputs).find(|name| name.get_ref().is_empty()) {
            return Err(self
                .source
                .error(name.span(), "`` cannot be the name of a signal")
                .help("a name has no blanks and none of = / # \""));
        }
        let names =
            |list: &[Spanned<String>]| list.iter().map(|name| name.get_ref().clone()).collect::<Vec<_>>();
        let at = |error: AlphabetError| self.source.error(table.span(), error.to_string());
        let (mut inputs, mut outputs) = (names(inputs), names(outputs));
        // The system's own labels need not be repeated.
        let protocol = self.protocol();
        for (names, own) in [&mut inputs, &mut outputs].into_iter().zip(protocol.labels(self.mode())) {
            let new = |own: &&str| !names.iter().any(|known| known == own);
            let new: Vec<String> = own.into_iter().filter(new).map(str::to_owned).collect();
            names.extend(new);
        }
        let (inputs, outputs) =
            (Alphabet::labels(inputs).map_err(at)?, Alphabet::labels(outputs).map_err(at)?);
        if inputs.is_empty() || outputs.is_empty() {
            let message = "an alphabet of labels needs at least one input and one output";
            return Err(self.source.error(table.span(), message));
        }
        Interface::new(inputs, outputs).map_err(at)
    }

    /// Without `[signals]`, the first automaton's `controllable-AP` tells outputs from inputs.
    fn space_of_first_automaton(&self) -> Result<Arc<Space>, SpecError> {
        let tables = || self.file.requirement.iter().map(Spanned::get_ref);
        let first = tables().find_map(|table| table.automaton.as_ref());
        if let (None, Some(table)) =
            (first, tables().find(|table| table.aiger.is_some() || table.verilog.is_some()))
        {
            let (circuit, source) = self.circuit_of(table)?;
            let interface = crate::circuit::interface(&circuit)
                .map_err(|error| SpecError::whole(&source, format!("{}: {error}", source.name)))?;
            return Ok(Arc::new(self.space_of(interface)));
        }
        let Some(first) = first else {
            return Err(SpecError::whole(&self.source, "the specification names no signals")
                .help("add a table [signals] with inputs = [...] and outputs = [...]"));
        };
        let source = self.read(first)?;
        let space = Arc::new(self.space_of(hoa_interface(&source)?));
        read_hoa(&source, Some(&space))?;
        Ok(space)
    }

    /// The interface of the model programs, if there are any, with the labels that stand in the file.
    fn space_of_programs(&self) -> Result<Option<Arc<Space>>, SpecError> {
        let tables = || self.file.requirement.iter().map(Spanned::get_ref);
        let Some(first) = tables().find_map(|table| table.program.as_ref().or(table.lts.as_ref())) else {
            return Ok(None);
        };
        let models: Vec<Arc<dyn AnyModel>> =
            tables().filter_map(|table| self.model(table).transpose()).collect::<Result<_, _>>()?;
        if let Some(signals) = &self.file.signals {
            return Err(self
                .source
                .error(
                    signals.span(),
                    "a model program or transition system is about actions, not about signals",
                )
                .help("remove the table [signals]; the model says which actions there are"));
        }
        let labels = self.file.labels.as_ref().map(|names| {
            let Names { inputs, outputs } = names.get_ref();
            [inputs, outputs].map(|list| list.iter().map(|name| name.get_ref().clone()).collect())
        });
        let all = models.iter().map(|model| &**model);
        let interface = super::super::program::interface(all, &self.protocol(), labels.unwrap_or_default())
            .map_err(|error| self.source.error(first.span(), error.to_string()))?;
        Ok(Some(Arc::new(self.space_of(interface))))
    }
}
