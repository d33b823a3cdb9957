//! From the file's shape to what it means.

mod objective;
mod requirement;
mod space;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use toml::Spanned;

use super::claim::Strict;
use super::file::{self, File};
use super::formula::{self, Unusable};
use super::shape::TlsfTable;
use super::{AnyModel, Fingerprint, Objective, Requirement, STATE_LIMIT, Specification, range, system};
use crate::automaton::{TranslationError, out_of_nodes};
use crate::bdd::{self, Space};
use crate::diagnostic::{Source, SpecError, did_you_mean};
use crate::format::aiger;
use crate::format::lts::is_lts;
use crate::format::tlsf::{self, Section, Tlsf};
use crate::letter::{Cuts, Idle, Interface};
use crate::ltl::Formula;
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
            return Loader { tlsf, ..Loader::blank(path, source, File::default(), loading) }.specification();
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
        let loader = Loader::blank(path, source, file, loading);
        let tlsf = loader.read_tlsf()?;
        Ok(Loader { tlsf, ..loader })
    }

    /// Nothing but the file itself was read.
    fn blank(path: &Path, source: Source, file: File, loading: &Loading) -> Loader {
        let (warnings, others, models, constraints) = Default::default();
        let (hidden, made) = Default::default();
        let (path, loading) = (path.to_owned(), *loading);
        Loader {
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
        }
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
