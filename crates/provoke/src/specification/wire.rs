//! Circuits that a specification file names: read, and wired as the file says.

use std::collections::BTreeMap;
use std::sync::Arc;

use toml::Spanned;

use super::file::{ObjectiveTable, RequirementTable};
use super::load::Loader;
use super::{Demand, Goal, Model, Requirement};
use crate::bdd::Space;
use crate::circuit::{Roles, roles};
use crate::diagnostic::{Source, SpecError, did_you_mean};
use crate::format::aiger::{self, Circuit};
use crate::system::yosys;
use crate::trace::RequirementNumber;

impl Loader {
    /// The circuit of a requirement, and where it was read.
    pub(super) fn circuit_of(&self, table: &RequirementTable) -> Result<(Circuit, Source), SpecError> {
        let named = match (&table.aiger, &table.verilog) {
            (Some(name), None) => name,
            (None, Some(name)) => name,
            _ => {
                let message = format!("`{}` must say one thing", table.id.get_ref());
                return Err(self.source.error(table.id.span(), message).help("keep `aiger` or `verilog`"));
            }
        };
        let path = self.beside(named.get_ref());
        if !path.exists() {
            return Err(self
                .source
                .error(named.span(), format!("there is no file `{}`", path.display()))
                .help("paths are relative to the specification file"));
        }
        let (circuit, source) = match table.verilog {
            None => aiger::read_file(&path)?,
            Some(_) => {
                let at = |error: yosys::YosysError| {
                    self.source.error(named.span(), error.message).maybe_help(error.help)
                };
                let source = Source::read(&path)?;
                let bytes = yosys::to_aiger(&path, &source).map_err(|error| match error {
                    yosys::Failed::There(error) => error,
                    yosys::Failed::Here(error) => at(error),
                })?;
                (aiger::read(&format!("{} (through Yosys)", path.display()), &bytes)?.0, source)
            }
        };
        let mut others = self.others.borrow_mut();
        if !others.iter().any(|known| known.name == source.name) {
            self.warnings.borrow_mut().extend(super::circuit::warning(&circuit, &source));
            others.push(source.clone());
        }
        Ok((circuit, source))
    }

    pub(super) fn circuit(&self, table: &RequirementTable, space: &Arc<Space>) -> Result<Demand, SpecError> {
        let (circuit, _) = self.circuit_of(table)?;
        let id = table.id.get_ref();
        let named = table.aiger.as_ref().or(table.verilog.as_ref());
        let place = named.map_or(table.id.span(), Spanned::span);
        let pairs = |map: &Option<Spanned<BTreeMap<String, String>>>| {
            let pairs = map.iter().flat_map(|map| map.get_ref());
            pairs.map(|(signal, name)| (signal.clone(), name.clone())).collect::<Vec<_>>()
        };
        let (inputs, outputs) = (pairs(&table.inputs), pairs(&table.outputs));
        for (map, known, list, what) in [
            (&table.inputs, &space.interface().inputs, &inputs, "input"),
            (&table.outputs, &space.interface().outputs, &outputs, "output"),
        ] {
            if let Some((unknown, _)) = list.iter().find(|(signal, _)| !known.knows(signal)) {
                let span = map.as_ref().map_or(place.clone(), Spanned::span);
                let error = self.source.error(span, format!("there is no {what} signal `{unknown}`"));
                return Err(error.maybe_help(did_you_mean(unknown, known.names())));
            }
        }
        let objectives = self.file.objective.iter().map(Spanned::get_ref);
        let circuits = self.file.requirement.len();
        let of_this = |table: &&ObjectiveTable| match &table.requirement {
            Some(requirement) => requirement.get_ref() == id,
            None => circuits == 1,
        };
        let wanted = objectives.filter(of_this).filter_map(|table| table.output.as_ref());
        let how = Roles {
            inputs,
            outputs,
            violation: table.violation.as_ref().map(|name| name.get_ref().clone()),
            objectives: Vec::new(),
        };
        // What objectives name is looked up one by one, so that an unknown name is shown where it stands.
        let mut all = how.clone();
        for output in wanted {
            let mut one = how.clone();
            one.objectives = vec![output.get_ref().clone()];
            roles(&circuit, space.interface(), &one).map_err(|error| {
                let is_it = error.message.contains(&format!("`{}`", output.get_ref()));
                let span = if is_it { output.span() } else { place.clone() };
                super::circuit::unusable(self.source.error(span, ""), error)
            })?;
            all.objectives.push(output.get_ref().clone());
        }
        let violation = table.violation.as_ref().map(|name| (name.span(), name.get_ref()));
        let made = super::circuit::demand(&circuit, &all, space, id).map_err(|error| {
            let about = violation.filter(|(_, name)| error.message.contains(&format!("`{name}`")));
            let span = about.map_or(place, |(span, _)| span);
            super::circuit::unusable(self.source.error(span, ""), error)
        })?;
        let assumption = made.assumption.map(|demand| super::circuit::constraints(id, demand));
        self.constraints.borrow_mut().extend(assumption);
        Ok(made.demand)
    }

    /// The outputs of circuits that objectives of the file are about.
    pub(super) fn spoken(&self, requirements: &[Requirement]) -> Vec<(usize, String)> {
        let tables = self.file.objective.iter().map(Spanned::get_ref);
        let named = |table: &ObjectiveTable| {
            let output = table.output.as_ref()?.get_ref().clone();
            let of = table.requirement.as_ref().map(|id| id.get_ref());
            let at = of.map_or(Some(0), |id| requirements.iter().position(|known| known.id == *id))?;
            Some((at, output))
        };
        tables.filter_map(named).collect()
    }

    /// `output = "objective"`: an output of a requirement's circuit.
    pub(super) fn shown(
        &self,
        table: &ObjectiveTable,
        requirements: &[Requirement],
    ) -> Result<Goal, SpecError> {
        let Some(output) = &table.output else {
            return Err(self.source.error(table.id.span(), "an objective says what to reach"));
        };
        let number = match (&table.requirement, requirements.len()) {
            (Some(id), _) => self.requirement_named(id, requirements)?,
            (None, 1) => RequirementNumber(0),
            (None, _) => {
                let error = self.source.error(output.span(), "an output of which requirement?");
                return Err(error.help("add requirement = \"ID\""));
            }
        };
        let id = &requirements[number.0].id;
        let Model::Circuit(circuit) = &requirements[number.0].demand.model else {
            return Err(self.source.error(output.span(), format!("requirement `{id}` is not a circuit")));
        };
        circuit.goal(number, output.get_ref()).ok_or_else(|| {
            self.source.error(output.span(), format!("the circuit has no output `{}`", output.get_ref()))
        })
    }
}
