//! From the file's shape to what it means.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::Spanned;

use super::file::{self, File, Names, ObjectiveTable, RequirementTable, ResetTable, SystemTable};
use super::{Goal, Objective, Requirement, Specification, SystemChoice, Target};
use crate::automaton::{Automaton, read_hoa, read_purpose, read_requirement};
use crate::letter::{Alphabet, Interface};
use crate::monitor::Monitor;
use crate::space::Space;
use crate::spec::{Source, SpecError, nearest};

impl Specification {
    /// Reads and checks a specification file and the files it names.
    pub fn load(path: &Path) -> Result<Specification, SpecError> {
        Loader::new(path, Source::read(path)?)?.specification()
    }

    /// Reads a specification from text; file names in it are relative to `path`.
    pub fn from_text(path: &Path, text: &str) -> Result<Specification, SpecError> {
        Loader::new(path, Source::new(path.display().to_string(), text))?.specification()
    }
}

struct Loader {
    path: PathBuf,
    source: Source,
    file: File,
}

impl Loader {
    fn new(path: &Path, source: Source) -> Result<Loader, SpecError> {
        let file = file::parse(&source)?;
        Ok(Loader { path: path.to_owned(), source, file })
    }

    fn specification(self) -> Result<Specification, SpecError> {
        let space = self.space()?;
        let mut requirements: Vec<Requirement> = Vec::new();
        for table in &self.file.requirement {
            let table = table.get_ref();
            self.unique(&table.id, requirements.iter().map(|known| known.id.as_str()), "requirement")?;
            requirements.push(self.requirement(table, &space)?);
        }
        let mut objectives: Vec<Objective> = Vec::new();
        for table in &self.file.objective {
            self.unique(&table.get_ref().id, objectives.iter().map(|known| known.id.as_str()), "objective")?;
            objectives.push(self.objective(table, &space, &requirements)?);
        }
        let system = self.system()?;
        Ok(Specification { path: self.path, space, requirements, objectives, system })
    }

    fn space(&self) -> Result<Arc<Space>, SpecError> {
        let interface = match (&self.file.signals, &self.file.labels) {
            (Some(_), Some(labels)) => {
                return Err(self
                    .source
                    .error(labels.span(), "a specification has signals or labels, not both")
                    .help("remove one of the two tables"));
            }
            (Some(names), None) => self.interface(names, false)?,
            (None, Some(names)) => self.interface(names, true)?,
            (None, None) => return self.space_of_first_automaton(),
        };
        Ok(Arc::new(Space::new(interface)))
    }

    fn interface(&self, table: &Spanned<Names>, labelled: bool) -> Result<Interface, SpecError> {
        let Names { inputs, outputs } = table.get_ref();
        let mut seen: Vec<&Spanned<String>> = Vec::new();
        for name in inputs.iter().chain(outputs) {
            self.name(name, labelled)?;
            if !labelled && seen.iter().any(|known| known.get_ref() == name.get_ref()) {
                let name_text = name.get_ref();
                return Err(self.source.error(name.span(), format!("signal `{name_text}` is named twice")));
            }
            seen.push(name);
        }
        let names =
            |list: &[Spanned<String>]| list.iter().map(|name| name.get_ref().clone()).collect::<Vec<_>>();
        let alphabet = if labelled { Alphabet::labels } else { Alphabet::signals };
        let at = |error: String| self.source.error(table.span(), error);
        let (inputs, outputs) = (alphabet(names(inputs)).map_err(at)?, alphabet(names(outputs)).map_err(at)?);
        if labelled && (inputs.names().is_empty() || outputs.names().is_empty()) {
            return Err(at("an alphabet of labels needs at least one input and one output".into()));
        }
        Interface::new(inputs, outputs).map_err(at)
    }

    /// Signal names stand in lines `name=0`, so they must not look like anything else there.
    fn name(&self, name: &Spanned<String>, labelled: bool) -> Result<(), SpecError> {
        let text = name.get_ref();
        let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '=' | '/' | '#' | '"');
        if text.is_empty() || (!labelled && text.contains(odd)) {
            return Err(self
                .source
                .error(name.span(), format!("`{text}` cannot be the name of a signal"))
                .help("a name has no blanks and none of = / # \""));
        }
        Ok(())
    }

    /// Without `[signals]`, the first automaton's `controllable-AP` tells outputs from inputs.
    fn space_of_first_automaton(&self) -> Result<Arc<Space>, SpecError> {
        let first = self.file.requirement.iter().find_map(|table| table.get_ref().automaton.as_ref());
        let Some(first) = first else {
            return Err(SpecError::whole(&self.source, "the specification names no signals")
                .help("add a table [signals] with inputs = [...] and outputs = [...]"));
        };
        let (automaton, _) = read_hoa(&self.read(first)?, None)?;
        Ok(automaton.space)
    }

    fn read(&self, name: &Spanned<String>) -> Result<Source, SpecError> {
        let path = self.beside(name.get_ref());
        if !path.exists() {
            return Err(self
                .source
                .error(name.span(), format!("there is no file `{}`", path.display()))
                .help("paths are relative to the specification file"));
        }
        Source::read(&path)
    }

    fn beside(&self, name: &str) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(name)
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

    fn requirement(&self, table: &RequirementTable, space: &Arc<Space>) -> Result<Requirement, SpecError> {
        let Some(name) = &table.automaton else {
            return Err(self
                .source
                .error(table.id.span(), format!("requirement `{}` has no automaton", table.id.get_ref()))
                .help("add a line such as automaton = \"r1.hoa\""));
        };
        let mut automaton = read_requirement(&self.read(name)?, space)?;
        automaton.name = Some(table.id.get_ref().clone());
        Ok(Requirement {
            id: table.id.get_ref().clone(),
            text: table.text.clone(),
            monitor: Monitor::safety(&automaton),
            automaton: Arc::new(automaton),
        })
    }

    fn objective(
        &self,
        table: &Spanned<ObjectiveTable>,
        space: &Arc<Space>,
        requirements: &[Requirement],
    ) -> Result<Objective, SpecError> {
        let ObjectiveTable { id, text, automaton, requirement, states, violates } = table.get_ref();
        let goal = match (automaton, states, violates) {
            (Some(name), None, None) => Goal::Purpose(self.purpose(name, space, id)?),
            (None, Some(states), None) => self.states(requirement.as_ref(), states, requirements)?,
            (None, None, Some(violated)) => Goal::Violation(self.requirement_named(violated, requirements)?),
            _ => {
                return Err(self
                    .source
                    .error(id.span(), format!("objective `{}` must say one thing to reach", id.get_ref()))
                    .help(
                        "give one of automaton = \"purpose.hoa\", states = [\"s2\"] or violates = \"R1\"",
                    ));
            }
        };
        Ok(Objective { id: id.get_ref().clone(), text: text.clone(), goal })
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

    fn states(
        &self,
        requirement: Option<&Spanned<String>>,
        states: &Spanned<Vec<Spanned<String>>>,
        requirements: &[Requirement],
    ) -> Result<Goal, SpecError> {
        let requirement = match (requirement, requirements.len()) {
            (Some(name), _) => self.requirement_named(name, requirements)?,
            (None, 1) => 0,
            (None, _) => {
                return Err(self
                    .source
                    .error(states.span(), "states of which requirement?")
                    .help("add requirement = \"ID\""));
            }
        };
        let automaton = &requirements[requirement].automaton;
        let mut numbers = Vec::new();
        for state in states.get_ref() {
            let name = state.get_ref();
            numbers.push(automaton.state_named(name).ok_or_else(|| {
                let id = &requirements[requirement].id;
                let names: Vec<String> =
                    (0..automaton.states.len() as u32).map(|at| automaton.state_name(at)).collect();
                let error =
                    self.source.error(state.span(), format!("requirement `{id}` has no state `{name}`"));
                match nearest(name, names.iter().map(String::as_str)) {
                    Some(near) => error.help(format!("did you mean `{near}`?")),
                    None => error.help(format!("its states are {}", names.join(", "))),
                }
            })?);
        }
        if numbers.is_empty() {
            return Err(self.source.error(states.span(), "an objective needs at least one state"));
        }
        Ok(Goal::States { requirement, states: numbers })
    }

    fn requirement_named(
        &self,
        id: &Spanned<String>,
        requirements: &[Requirement],
    ) -> Result<usize, SpecError> {
        let text = id.get_ref();
        requirements.iter().position(|known| known.id == *text).ok_or_else(|| {
            let error = self.source.error(id.span(), format!("there is no requirement `{text}`"));
            match nearest(text, requirements.iter().map(|known| known.id.as_str())) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error,
            }
        })
    }

    fn system(&self) -> Result<SystemChoice, SpecError> {
        let Some(table) = &self.file.system else {
            return Ok(SystemChoice { pin: true, ..Default::default() });
        };
        let SystemTable { model, command, tcp, reset, protocol, pin } = table.get_ref().clone();
        let mut protocol = protocol.unwrap_or_default();
        let target = match (model, command, tcp) {
            (None, None, None) => None,
            (Some(model), None, None) => Some(Target::Model(self.beside(model.get_ref()))),
            (None, Some(command), None) if !command.get_ref().is_empty() => {
                Some(Target::Command(self.command(command.into_inner())))
            }
            (None, None, Some(address)) => Some(Target::Tcp(address.into_inner())),
            (None, Some(command), None) => {
                return Err(self.source.error(command.span(), "an empty command cannot be started"));
            }
            _ => {
                return Err(self
                    .source
                    .error(table.span(), "a system is a model, a command or a tcp address, not several")
                    .help("keep one of the three keys"));
            }
        };
        let mut synchronise = None;
        match reset.map(Spanned::into_inner) {
            Some(ResetTable::Line(line)) => protocol.reset = Some(line),
            Some(ResetTable::Synchronise { synchronise: machine }) => {
                synchronise = Some(self.beside(&machine))
            }
            None => {}
        }
        Ok(SystemChoice { target, protocol, synchronise, pin: pin.unwrap_or(true) })
    }

    /// A program named with a slash is relative to the specification file, like every path in it.
    fn command(&self, mut command: Vec<String>) -> Vec<String> {
        if let Some(program) = command.first_mut()
            && program.contains('/')
        {
            let path = self.beside(program);
            // A bare file name would be looked up in PATH.
            let path = if path.components().count() == 1 { Path::new(".").join(path) } else { path };
            *program = path.display().to_string();
        }
        command
    }
}
