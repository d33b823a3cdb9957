//! Requirements and assumptions: one thing each, whatever it is written in.

use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;

use super::super::file::{Names, RequirementTable};
use super::super::formula::{self, Unusable};
use super::super::program::How;
use super::super::{AnyModel, Demand, Model, Requirement};
use super::{Loader, unusable};
use crate::automaton::out_of_nodes;
use crate::bdd::Space;
use crate::diagnostic::{Source, SpecError};
use crate::format::lts::Words;
use crate::format::pattern;
use crate::ltl::{self, Formula, Parsed};

/// How many actions of a model program are tried when it is read: what is wrong so near is told before anything runs.
const SURVEYED: usize = 2_000;

/// Reads a formula or a sentence at a place of a source.
type Parser = fn(&Source, Range<usize>, Option<&Space>) -> Result<Parsed, SpecError>;

impl Loader {
    pub(super) fn requirement(
        &self,
        table: &RequirementTable,
        space: &Arc<Space>,
        what: &str,
    ) -> Result<Requirement, SpecError> {
        let RequirementTable { id, text, automaton, ltl, pattern, program, lts, constants, .. } = table;
        let is_circuit = table.aiger.is_some() || table.verilog.is_some();
        let spans = [
            ("inputs", table.inputs.as_ref().map(Spanned::span)),
            ("outputs", table.outputs.as_ref().map(Spanned::span)),
            ("violation", table.violation.as_ref().map(Spanned::span)),
        ];
        if let Some((key, Some(span))) = spans.into_iter().find(|(_, span)| span.is_some() && !is_circuit) {
            let message = format!("`{key}` belongs to a {what} with `aiger` or `verilog`");
            return Err(self.source.error(span, message));
        }
        if let (None, Some(constants)) = (program, constants) {
            let message = "`constants` belong to a requirement with `program`";
            return Err(self.source.error(constants.span(), message));
        }
        let demand = match (automaton, ltl, pattern, program.as_ref().or(lts.as_ref())) {
            _ if program.is_some() && lts.is_some() => return Err(self.not_one_thing(id, what)),
            (None, None, None, None) if is_circuit => self.circuit(table, space)?,
            _ if is_circuit => return Err(self.not_one_thing(id, what)),
            (Some(name), None, None, None) => {
                super::super::automaton::demand(&self.read(name)?, space, id.get_ref())?
            }
            (None, Some(formula), None, None) => self.demand(formula, ltl::parse_in, id, space)?,
            (None, None, Some(sentence), None) => self.demand(sentence, pattern::parse_in, id, space)?,
            (None, None, None, Some(name)) if what == "requirement" => self.actions(name, table, space)?,
            (None, None, None, Some(name)) => {
                let kind = if lts.is_some() { "transition system" } else { "model program" };
                let message = format!("a {kind} is a requirement, not an assumption");
                return Err(self.source.error(name.span(), message));
            }
            _ => return Err(self.not_one_thing(id, what)),
        };
        Ok(Requirement { id: id.get_ref().clone(), text: text.clone(), demand })
    }

    fn not_one_thing(&self, id: &Spanned<String>, what: &str) -> SpecError {
        self.source
            .error(id.span(), format!("{what} `{}` must say one thing", id.get_ref()))
            .help("give one of automaton = \"r1.hoa\", ltl = \"G(a -> b)\", pattern = \"Globally, ...\", aiger = \"r1.aag\", verilog = \"r1.v\", program = \"robots.model\" or lts = \"coffee.aut\"")
    }

    /// What a model of actions demands.
    fn actions(
        &self,
        name: &Spanned<String>,
        table: &RequirementTable,
        space: &Arc<Space>,
    ) -> Result<Demand, SpecError> {
        let Some(model) = self.model(table)? else {
            return Err(self.not_one_thing(&table.id, "requirement"));
        };
        // Automata are looked at when they are read.
        if table.program.is_some()
            && let (_, Some(error)) = model.survey(SURVEYED)
        {
            return Err(error);
        }
        let protocol = self.protocol();
        let Some(idle) = self.idle(space.interface(), &protocol) else {
            let message = "a model program needs letters for waiting and for silence";
            let help = format!(
                "the labels `{}` among the inputs and `{}` among the outputs",
                protocol.wait(),
                protocol.quiet()
            );
            return Err(self.source.error(name.span(), message).help(help));
        };
        let how = How { conflict: protocol.conflict, mode: self.mode() };
        match table.lts {
            None => Ok(super::super::program::demand(model, space.interface(), idle, how)),
            Some(_) => super::super::program::written(
                model,
                space,
                idle,
                how,
                table.id.get_ref(),
                self.loading.written,
            )
            .map_err(|full| out_of_nodes(self.source.error(name.span(), ""), full)),
        }
    }

    /// The model that a requirement names, if it names one. Each is read once.
    pub(super) fn model(&self, table: &RequirementTable) -> Result<Option<Arc<dyn AnyModel>>, SpecError> {
        let place = table.id.span().start;
        let known = self.models.borrow().iter().find(|(at, _)| *at == place).map(|(_, model)| model.clone());
        if known.is_some() {
            return Ok(known);
        }
        let model: Arc<dyn AnyModel> = match (&table.program, &table.lts) {
            (Some(name), _) => {
                let constants = table.constants.as_ref().map(|constants| constants.get_ref());
                let constants: Vec<(&str, i64)> =
                    constants.into_iter().flatten().map(|(name, value)| (name.as_str(), *value)).collect();
                Arc::new(super::super::program::read(&self.read(name)?, &constants)?)
            }
            (None, Some(name)) => {
                let (protocol, labels) = (self.protocol(), self.file.labels.as_ref().map(Spanned::get_ref));
                let side = |list: fn(&Names) -> &Vec<Spanned<String>>| {
                    labels.into_iter().flat_map(list).map(|name| name.get_ref().as_str()).collect()
                };
                let words = Words {
                    wait: protocol.wait(),
                    quiet: protocol.quiet(),
                    inputs: side(|names| &names.inputs),
                    outputs: side(|names| &names.outputs),
                };
                let (automaton, warnings) = super::super::lts::read(&self.read(name)?, &words)?;
                self.warnings.borrow_mut().extend(warnings);
                Arc::new(automaton)
            }
            (None, None) => return Ok(None),
        };
        self.models.borrow_mut().push((place, model.clone()));
        Ok(Some(model))
    }

    fn demand(
        &self,
        text: &Spanned<String>,
        parse: Parser,
        id: &Spanned<String>,
        space: &Arc<Space>,
    ) -> Result<Demand, SpecError> {
        let known = self.warnings.borrow().len();
        let formula = self.formula(text, parse, space)?;
        let error = |error| self.unusable(text, known, error);
        let mut demand = formula::demand(formula, space).map_err(error)?;
        if let Model::Automaton(automaton) = &mut demand.model {
            Arc::make_mut(automaton).name = Some(id.get_ref().clone());
        }
        Ok(demand)
    }

    /// The error of a formula that cannot be used, with the warnings of it: those behind the ones that were known before.
    pub(super) fn unusable(&self, text: &Spanned<String>, known: usize, error: Unusable) -> SpecError {
        let odd = self.warnings.borrow().get(known..).unwrap_or_default().join("; ");
        let never_holds = matches!(error, Unusable::NeverHolds) && !odd.is_empty();
        let error = unusable(self.source.error(text.span(), ""), error);
        if never_holds { error.help(odd) } else { error }
    }

    /// Reads a formula or a sentence where it stands in the file; where its TOML string has escapes, it is
    /// shown by itself.
    pub(super) fn formula(
        &self,
        text: &Spanned<String>,
        parse: Parser,
        space: &Space,
    ) -> Result<Formula, SpecError> {
        let written = self.source.text.get(text.span()).unwrap_or_default();
        let (source, span) = match written.find(text.get_ref().as_str()) {
            Some(inside) if !text.get_ref().is_empty() => {
                let start = text.span().start + inside;
                (self.source.clone(), start..start + text.get_ref().len())
            }
            _ => (Source::new(&*self.source.name, text.get_ref().as_str()), 0..text.get_ref().len()),
        };
        let Parsed { formula, warnings } = parse(&source, span, Some(space))?;
        for warning in warnings {
            let (line, column) = source.line_column(warning.span.start);
            self.warnings.borrow_mut().push(format!("{}:{line}:{column}: {warning}", source.name));
        }
        Ok(formula)
    }
}
