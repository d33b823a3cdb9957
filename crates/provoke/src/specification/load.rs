//! From the file's shape to what it means.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use toml::Spanned;

use super::claim::Strict;
use super::file::{self, File, Names, ObjectiveTable, RequirementTable, StatesTable};
use super::formula::{self, Unusable};
use super::program::How;
use super::shape::TlsfTable;
use super::{
    AnyModel, Demand, Fingerprint, Goal, Model, Objective, Requirement, STATE_LIMIT, Specification, range,
    system,
};
use crate::automaton::{Automaton, TranslationError, hoa_interface, out_of_nodes, read_hoa, read_purpose};
use crate::bdd::{self, Space};
use crate::coverage::Cover;
use crate::diagnostic::{Source, SpecError, did_you_mean};
use crate::format::aiger;
use crate::format::lts::{Words, is_lts};
use crate::format::pattern;
use crate::format::tlsf::{self, Section, Tlsf};
use crate::letter::{Alphabet, AlphabetError, Cuts, Idle, Interface};
use crate::ltl;
use crate::ltl::{Formula, Parsed};
use crate::system::{Mode, Protocol};
use crate::trace::RequirementNumber;

impl Specification {
    /// Reads and checks a specification file and the files it names. A TLSF file is a specification by itself, and so
    /// is an automaton or a labelled transition system.
    pub fn load(path: &Path) -> Result<Specification, SpecError> {
        Specification::load_with(path, &Loading::default())
    }

    /// The same as [`load`](Specification::load) within other bounds.
    pub fn load_with(path: &Path, loading: &Loading) -> Result<Specification, SpecError> {
        if aiger::is_circuit(path) {
            return super::circuit::alone(path, loading);
        }
        let source = Source::read(path)?;
        if path.extension().is_some_and(|extension| extension == "tlsf") {
            let tlsf = Some((source.clone(), tlsf::read(&source, &[])?));
            let (file, (warnings, others, models)) = (File::default(), Default::default());
            let (path, loading, constraints) = (path.to_owned(), *loading, Default::default());
            let (hidden, made) = Default::default();
            let loader = Loader {
                path,
                source,
                file,
                tlsf,
                warnings,
                others,
                models,
                loading,
                constraints,
                hidden,
                made,
            };
            return loader.specification();
        }
        if let Some(key) = key_of(path) {
            return Loader::new(path, alone(path, key), loading)?.specification();
        }
        if super::automaton::is_automaton(path, &source) {
            return super::automaton::alone(path, &source, loading);
        }
        Loader::settled(path, &source, loading)
    }

    /// Reads a specification from text; file names in it are relative to `path`.
    pub fn from_text(path: &Path, text: &str) -> Result<Specification, SpecError> {
        Specification::from_text_with(path, text, &Loading::default())
    }

    /// The same as [`from_text`](Specification::from_text) within other bounds.
    pub fn from_text_with(path: &Path, text: &str, loading: &Loading) -> Result<Specification, SpecError> {
        Loader::settled(path, &Source::new(path.display().to_string(), text), loading)
    }
}

/// The key of a requirement whose file may stand alone: a transition system, or a model program.
fn key_of(path: &Path) -> Option<&'static str> {
    let is_program = path.extension().is_some_and(|extension| extension == "model");
    is_lts(path).then_some("lts").or(is_program.then_some("program"))
}

/// The specification that such a file makes alone, as if it were written: one requirement, called like the file.
fn alone(path: &Path, key: &str) -> Source {
    let name = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let text = format!(
        "[[requirement]]\nid = {}\n{key} = {}\n",
        toml::Value::String(name(path.file_stem())),
        toml::Value::String(name(path.file_name()))
    );
    Source::new(path.display().to_string(), text)
}

/// Which formulas of a file with strict semantics come from which section.
fn strict(tlsf: &Tlsf) -> Option<Strict> {
    let count = |section| tlsf.section(section).len();
    tlsf.semantics.strict.then(|| Strict {
        initially: count(Section::Initially),
        require: count(Section::Require),
        assume: count(Section::Assume),
        preset: count(Section::Preset),
        assert: count(Section::Assert),
    })
}

/// The bounds within which a specification is read, and within which all that is asked of it later is worked out.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Loading {
    /// How many decision-diagram nodes all guards together may take; what needs more is an error.
    pub nodes: usize,
    /// The most states of a transition system that is written down as an automaton; a larger one is followed as it is met.
    pub written: usize,
}

impl Loading {
    /// With so many decision-diagram nodes; [`nodes_within`](bdd::nodes_within) tells how many fit into some memory.
    pub fn with_nodes(nodes: usize) -> Loading {
        Loading { nodes, ..Loading::default() }
    }

    /// For arenas of at most so many states: unless these are the usual ones, that goes for transition systems that are
    /// written down as well.
    pub fn with_states(states: usize) -> Loading {
        let usual = Loading::default();
        Loading { written: if states == STATE_LIMIT { usual.written } else { states }, ..usual }
    }
}

impl Default for Loading {
    fn default() -> Loading {
        Loading { nodes: bdd::NODES, written: super::program::MOST_WRITTEN }
    }
}

/// How many actions of a model program are tried when it is read: what is wrong so near is told before anything runs.
const SURVEYED: usize = 2_000;

pub(super) struct Loader {
    pub(super) path: PathBuf,
    pub(super) source: Source,
    pub(super) file: File,
    pub(super) tlsf: Option<(Source, Tlsf)>,
    pub(super) warnings: RefCell<Vec<String>>,
    pub(super) loading: Loading,
    /// The other files that were read, in the order in which they are first named.
    pub(super) others: RefCell<Vec<Source>>,
    /// What circuits take for granted.
    pub(super) constraints: RefCell<Vec<Requirement>>,
    /// The models that were read, each with the place of its requirement's id.
    pub(super) models: RefCell<Vec<(usize, Arc<dyn AnyModel>)>>,
    /// What letters are to say themselves, and where numbers of theirs begin to differ.
    hidden: (Vec<String>, Cuts),
    /// The variables of all guards, once they are made.
    made: Rc<RefCell<Option<Arc<Space>>>>,
}

impl Loader {
    fn new(path: &Path, source: Source, loading: &Loading) -> Result<Loader, SpecError> {
        let file = file::parse(&source)?;
        let (path, loading) = (path.to_owned(), *loading);
        let (warnings, others, models, constraints) = Default::default();
        let (hidden, made) = Default::default();
        let mut loader = Loader {
            path,
            source,
            file,
            tlsf: None,
            warnings,
            others,
            models,
            loading,
            constraints,
            hidden,
            made,
        };
        loader.tlsf = loader.read_tlsf()?;
        Ok(loader)
    }

    /// Reads a specification. What letters must say themselves is known only once all formulas are read: then it is read
    /// again with such letters.
    fn settled(path: &Path, source: &Source, loading: &Loading) -> Result<Specification, SpecError> {
        let mut hidden = (Vec::new(), Cuts::new());
        loop {
            let mut loader = Loader::new(path, source.clone(), loading)?;
            loader.hidden.clone_from(&hidden);
            let made = Rc::clone(&loader.made);
            let specification = loader.specification();
            let (wanted, cuts) = made.borrow().as_ref().map(|space| space.wanted()).unwrap_or_default();
            let before = hidden.clone();
            let is_new = |wanted: &String| !before.0.contains(wanted);
            hidden.0.extend(wanted.into_iter().filter(is_new));
            for (field, cuts) in cuts {
                hidden.1.entry(field).or_default().extend(cuts);
            }
            if hidden == before {
                return specification;
            }
        }
    }

    fn read_tlsf(&self) -> Result<Option<(Source, Tlsf)>, SpecError> {
        let Some(table) = &self.file.tlsf else { return Ok(None) };
        let TlsfTable { file, parameters } = table.get_ref();
        let parameters: Vec<(&str, i64)> =
            parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let source = self.read(&Spanned::new(table.span(), file.clone()))?;
        let tlsf = tlsf::read(&source, &parameters)?;
        Ok(Some((source, tlsf)))
    }

    fn specification(self) -> Result<Specification, SpecError> {
        let space = self.space()?;
        self.made.replace(Some(space.clone()));
        self.check_time(space.interface())?;
        let (mut assumptions, mut requirements) = self.of_tlsf(&space)?;
        let strict = self.tlsf.as_ref().and_then(|(_, tlsf)| strict(tlsf));
        for (tables, into, what) in [
            (&self.file.assumption, &mut assumptions, "assumption"),
            (&self.file.requirement, &mut requirements, "requirement"),
        ] {
            for table in tables {
                let table = table.get_ref();
                self.unique(&table.id, into.iter().map(|known| known.id.as_str()), what)?;
                into.push(self.requirement(table, &space, what)?);
            }
        }
        for assumption in self.file.assumption.iter().zip(&assumptions) {
            let (table, Requirement { id, demand, .. }) = assumption;
            if demand.formula.as_ref().is_some_and(Formula::has_hidden) {
                let message =
                    format!("assumption `{id}` compares signals of very many values with each other");
                let error = self.source.error(table.get_ref().id.span(), message);
                return Err(
                    error.help("the tester could not know how to keep it: compare them with constants")
                );
            }
        }
        assumptions.append(&mut self.constraints.borrow_mut());
        let mut lines = BTreeMap::new();
        let mut note = |kind, id: &Spanned<String>| {
            lines.insert((kind, id.get_ref().clone()), self.source.line_column(id.span().start).0);
        };
        self.file.requirement.iter().for_each(|table| note("requirement", &table.get_ref().id));
        self.file.objective.iter().for_each(|table| note("objective", &table.get_ref().id));
        let mut objectives: Vec<Objective> = Vec::new();
        for table in &self.file.objective {
            self.unique(&table.get_ref().id, objectives.iter().map(|known| known.id.as_str()), "objective")?;
            objectives.push(self.objective(table, &space, &requirements)?);
        }
        let spoken: Vec<(usize, String)> = self.spoken(&requirements);
        for own in super::circuit::own_objectives(&requirements, &spoken) {
            if !objectives.iter().any(|known| known.id == own.id) {
                objectives.push(own);
            }
        }
        let system = system::choice(&self.path, &self.source, self.file.system.as_ref(), space.interface())?;
        space
            .bdds()
            .within_bounds()
            .map_err(|full| out_of_nodes(SpecError::whole(&self.source, ""), full))?;
        let idle = self.idle(space.interface(), &system.protocol);
        if let (Some(idle), Mode::Asynchronous) = (idle, system.mode) {
            for Requirement { demand, .. } in &mut requirements {
                demand.monitor = demand.monitor.clone().in_any_order(idle);
            }
        }
        let ranges = range::requirements(&space)
            .map_err(|error| unusable(SpecError::whole(&self.source, "ranges of outputs"), error))?;
        let warnings = self.warnings.into_inner();
        let fingerprint = Fingerprint::of([&self.source].into_iter().chain(&*self.others.borrow()));
        Ok(Specification {
            path: self.path,
            space,
            assumptions,
            requirements,
            ranges,
            objectives,
            system,
            warnings,
            fingerprint,
            idle,
            memory: None,
            restrictions: Default::default(),
            keepable: Default::default(),
            lines,
            strict,
        })
    }

    /// The assumptions and guarantees of a TLSF file, named A1, A2, ... and G1, G2, ...
    fn of_tlsf(&self, space: &Arc<Space>) -> Result<(Vec<Requirement>, Vec<Requirement>), SpecError> {
        let Some((source, tlsf)) = &self.tlsf else { return Ok(Default::default()) };
        let all = |formulas: Vec<Formula>, letter: &str| {
            let one = |(at, formula): (usize, Formula)| {
                let formula = tlsf.over_exchanges(&formula);
                let (id, text) = (format!("{letter}{}", at + 1), formula.to_string());
                let demand = formula::demand(formula, space)
                    .map_err(|error| unusable(SpecError::whole(source, format!("{id}: {text}")), error))?;
                Ok(Requirement { id, text, demand })
            };
            formulas.into_iter().enumerate().map(one).collect::<Result<Vec<_>, SpecError>>()
        };
        Ok((all(tlsf.assumptions(), "A")?, all(tlsf.guarantees(), "G")?))
    }

    fn space(&self) -> Result<Arc<Space>, SpecError> {
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

    fn read(&self, name: &Spanned<String>) -> Result<Source, SpecError> {
        let path = self.beside(name.get_ref());
        if !path.exists() {
            return Err(self
                .source
                .error(name.span(), format!("there is no file `{}`", path.display()))
                .help("paths are relative to the specification file"));
        }
        let source = Source::read(&path)?;
        let mut others = self.others.borrow_mut();
        if !others.iter().any(|known| known.name == source.name) {
            others.push(source.clone());
        }
        Ok(source)
    }

    pub(super) fn beside(&self, name: &str) -> PathBuf {
        beside(&self.path, name)
    }

    fn unique<'a>(
        &self,
        id: &Spanned<String>,
        known: impl IntoIterator<Item = &'a str>,
        what: &str,
    ) -> Result<(), SpecError> {
        let text = id.get_ref();
        if text.is_empty() || text.contains(|c: char| c.is_control() || c == '/' || c == '\\') {
            return Err(self
                .source
                .error(id.span(), format!("`{text}` cannot be the id of a {what}"))
                .help("ids name files and lines of reports: no slashes, no control characters"));
        }
        match known.into_iter().any(|other| other == text) {
            true => Err(self.source.error(id.span(), format!("a second {what} with the id `{text}`"))),
            false => Ok(()),
        }
    }

    fn requirement(
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
                super::automaton::demand(&self.read(name)?, space, id.get_ref())?
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
            None => Ok(super::program::demand(model, space.interface(), idle, how)),
            Some(_) => {
                super::program::written(model, space, idle, how, table.id.get_ref(), self.loading.written)
                    .map_err(|full| out_of_nodes(self.source.error(name.span(), ""), full))
            }
        }
    }

    /// The model that a requirement names, if it names one. Each is read once.
    fn model(&self, table: &RequirementTable) -> Result<Option<Arc<dyn AnyModel>>, SpecError> {
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
                Arc::new(super::program::read(&self.read(name)?, &constants)?)
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
                let (automaton, warnings) = super::lts::read(&self.read(name)?, &words)?;
                self.warnings.borrow_mut().extend(warnings);
                Arc::new(automaton)
            }
            (None, None) => return Ok(None),
        };
        self.models.borrow_mut().push((place, model.clone()));
        Ok(Some(model))
    }

    fn protocol(&self) -> Protocol {
        let table = self.file.system.as_ref().and_then(|system| system.get_ref().protocol.as_ref());
        table.map(|protocol| protocol.get_ref().clone()).unwrap_or_default()
    }

    fn mode(&self) -> Mode {
        self.protocol().mode(self.file.system.as_ref().and_then(|system| system.get_ref().mode))
    }

    /// The letters for doing nothing.
    fn idle(&self, interface: &Interface, protocol: &Protocol) -> Option<Idle> {
        Idle::find(interface, protocol.wait(), protocol.quiet(), protocol.refusal.as_deref())
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
        let interface = super::program::interface(all, &self.protocol(), labels.unwrap_or_default())
            .map_err(|error| self.source.error(first.span(), error.to_string()))?;
        Ok(Some(Arc::new(self.space_of(interface))))
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
    fn unusable(&self, text: &Spanned<String>, known: usize, error: Unusable) -> SpecError {
        let odd = self.warnings.borrow().get(known..).unwrap_or_default().join("; ");
        let never_holds = matches!(error, Unusable::NeverHolds) && !odd.is_empty();
        let error = unusable(self.source.error(text.span(), ""), error);
        if never_holds { error.help(odd) } else { error }
    }

    /// Reads a formula or a sentence where it stands in the file; where its TOML string has escapes, it is
    /// shown by itself.
    fn formula(&self, text: &Spanned<String>, parse: Parser, space: &Space) -> Result<Formula, SpecError> {
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

    fn objective(
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

    pub(super) fn requirement_named(
        &self,
        id: &Spanned<String>,
        requirements: &[Requirement],
    ) -> Result<RequirementNumber, SpecError> {
        let text = id.get_ref();
        let place = requirements.iter().position(|known| known.id == *text);
        place.map(RequirementNumber).ok_or_else(|| {
            let error = self.source.error(id.span(), format!("there is no requirement `{text}`"));
            error.maybe_help(did_you_mean(text, requirements.iter().map(|known| known.id.as_str())))
        })
    }
}

/// A file that a specification names: relative to the specification.
pub(super) fn beside(specification: &Path, name: &str) -> PathBuf {
    specification.parent().unwrap_or(Path::new("")).join(name)
}

/// Reads a formula or a sentence at a place of a source.
type Parser = fn(&Source, Range<usize>, Option<&Space>) -> Result<Parsed, SpecError>;

/// The error of a formula that cannot be used, at the place of `at`.
fn unusable(at: SpecError, error: Unusable) -> SpecError {
    match error {
        Unusable::NeverHolds => at.saying("no run satisfies this").help("it contradicts itself"),
        Unusable::NoGuarantee => at
            .saying("an objective must be something that a finite run can show, and this is not")
            .help("write what is to be reached, such as F(a & b), or a U b; what must always hold is a [[requirement]]; `times = 3` asks for three visits to accepting states"),
        Unusable::Translation(TranslationError::OutOfNodes(full)) => out_of_nodes(at, full),
        Unusable::Translation(error) => at.saying(error.to_string()),
    }
}
