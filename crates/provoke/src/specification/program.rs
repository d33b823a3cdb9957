//! Model programs in specifications: `program = "robots.model"`, and models written in Rust.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Demand, Fingerprint, Model, Requirement, Specification, SystemChoice};
use crate::action::{
    Direction, Exchanges, FileModel, ModelProgram, Sketch, Survey, Suspension, Written, write_down,
};
use crate::bdd::{OutOfNodes, Space};
use crate::diagnostic::{Source, SpecError};
use crate::format::program::Program;
use crate::game::unfolded::Unfolded;
use crate::letter::{Alphabet, AlphabetError, Conflict, Idle, Interface};
use crate::monitor::{Following, Monitor, Verdict};
use crate::system::{Ends, Mode, Protocol};

/// A model program of any type.
pub trait AnyModel: Send + Sync {
    /// A game in which it plays as well.
    fn play(self: Arc<Self>, game: Unfolded) -> Unfolded;

    /// Its monitor.
    fn follow(self: Arc<Self>, interface: &Interface, idle: Idle, conflict: Conflict, mode: Mode) -> Monitor;

    /// The same as automata over exchanges, where it has few enough states.
    fn write_down(
        self: Arc<Self>,
        space: &Arc<Space>,
        idle: Idle,
        conflict: Conflict,
        most: usize,
    ) -> Result<Option<Written>, OutOfNodes>;

    /// The names of its actions, each with the side that takes them.
    fn names(&self) -> Vec<(String, Direction)>;

    /// What its first states look like, and what is wrong with it for sure.
    fn survey(&self, most: usize) -> (Survey, Option<SpecError>);

    /// Its first states, to be looked at.
    fn sketch(&self, most: usize) -> Sketch;

    /// Whether it says when the system may be reset.
    fn says_when_to_reset(&self) -> bool;

    /// The suspension automaton that it is, where it is one.
    fn suspension(&self) -> Option<&Suspension>;

    /// What is wrong with the model, as far as is known.
    fn model_fault(&self) -> Option<SpecError>;
}

impl<M: ModelProgram + 'static> AnyModel for M {
    fn play(self: Arc<Self>, game: Unfolded) -> Unfolded {
        game.program(self)
    }

    fn follow(self: Arc<Self>, interface: &Interface, idle: Idle, conflict: Conflict, mode: Mode) -> Monitor {
        Monitor::Program(Box::new(Following::new(self, interface, idle, conflict, mode)))
    }

    fn write_down(
        self: Arc<Self>,
        space: &Arc<Space>,
        idle: Idle,
        conflict: Conflict,
        most: usize,
    ) -> Result<Option<Written>, OutOfNodes> {
        write_down(&mut Exchanges::new(self, space.interface(), idle, conflict), space, most)
    }

    fn names(&self) -> Vec<(String, Direction)> {
        self.symbols()
    }

    fn survey(&self, most: usize) -> (Survey, Option<SpecError>) {
        let survey = Survey::of(self, most);
        let error = survey.error(self);
        (survey, error)
    }

    fn sketch(&self, most: usize) -> Sketch {
        Sketch::of(self, most)
    }

    fn says_when_to_reset(&self) -> bool {
        self.restricts_reset()
    }

    fn suspension(&self) -> Option<&Suspension> {
        (self as &dyn std::any::Any).downcast_ref()
    }

    fn model_fault(&self) -> Option<SpecError> {
        self.fault()
    }
}

impl std::fmt::Debug for dyn AnyModel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// The model in a file.
pub(super) fn read(source: &Source, constants: &[(&str, i64)]) -> Result<FileModel, SpecError> {
    Program::read_with(source, constants).map(FileModel::new)
}

/// What a model demands of runs over an interface.
pub(super) fn demand(model: Arc<dyn AnyModel>, interface: &Interface, idle: Idle, how: How) -> Demand {
    let monitor = model.clone().follow(interface, idle, how.conflict, how.mode);
    let program = Some(model.clone());
    Demand {
        model: Model::Program(model),
        monitor,
        followed: None,
        formula: None,
        omega: None,
        program,
        environment: None,
    }
}

/// The most states of a model that is written down, unless told otherwise.
pub(super) const MOST_WRITTEN: usize = 1 << 14;

/// The same for a model whose states are known to be few: an automaton like any other, where it has at most so
/// many states.
pub(super) fn written(
    model: Arc<dyn AnyModel>,
    space: &Arc<Space>,
    idle: Idle,
    how: How,
    id: &str,
    most: usize,
) -> Result<Demand, OutOfNodes> {
    let demand = demand(model.clone(), space.interface(), idle, how);
    let Some(written) = model.write_down(space, idle, how.conflict, most)? else { return Ok(demand) };
    let Written { mut requirement, mut environment } = written;
    requirement.name = Some(id.to_owned());
    environment.name = Some(format!("what {id} leaves the tester"));
    let monitor = match how.mode {
        // Like one that follows the model, it never says that a run is satisfied: nothing more is said of some.
        Mode::Synchronous => Monitor::new(&requirement, vec![Verdict::SoFarGood; requirement.states.len()])?,
        // Which came first is not always known then, and an automaton follows one order only.
        Mode::Asynchronous => demand.monitor,
    };
    let (model, environment) = (Model::Automaton(Arc::new(requirement)), Some(Arc::new(environment)));
    Ok(Demand { model, monitor, environment, ..demand })
}

/// How the system talks, as far as monitors must know.
#[derive(Clone, Copy)]
pub(super) struct How {
    pub(super) conflict: Conflict,
    pub(super) mode: Mode,
}

/// The interface of these models, with the letters for doing nothing and these labels besides.
pub(super) fn interface<'a>(
    models: impl IntoIterator<Item = &'a dyn AnyModel>,
    protocol: &Protocol,
    labels: [Vec<String>; 2],
) -> Result<Interface, AlphabetError> {
    let [mut inputs, mut outputs] = labels;
    let mut families = [Vec::new(), Vec::new()];
    for (name, direction) in models.into_iter().flat_map(|model| model.names()) {
        let side = &mut families[usize::from(direction == Direction::Observable)];
        if !side.contains(&name) {
            side.push(name);
        }
    }
    // What a model knows is a label already.
    for (names, families) in [(&mut inputs, &families[0]), (&mut outputs, &families[1])] {
        let stem = |name: &str| name.split_once('(').map_or(name, |(stem, _)| stem).to_owned();
        names.retain(|name| !families.contains(&stem(name)));
    }
    let first = |names: &mut Vec<String>, name: &str| {
        if !names.iter().any(|known| known == name) {
            names.insert(0, name.to_owned());
        }
    };
    protocol.refusal.iter().for_each(|refusal| first(&mut outputs, refusal));
    protocol.ends.iter().flat_map(Ends::labels).for_each(|end| first(&mut outputs, end));
    first(&mut inputs, protocol.wait());
    first(&mut outputs, protocol.quiet());
    let [controllable, observable] = families;
    Interface::new(
        Alphabet::open_families(inputs, controllable)?,
        Alphabet::open_families(outputs, observable)?,
    )
}

impl Specification {
    /// The specification that a model program written in Rust makes alone: one requirement with this id. The system
    /// answers in turn, waiting is `mu` and silence `delta`; a protocol may say otherwise.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use provoke::action::{Direction, ModelProgram};
    /// use provoke::session::{Settings, test};
    /// use provoke::specification::Specification;
    /// use provoke::strategy::find;
    /// use provoke::system::{Modelled, Protocol};
    ///
    /// /// Counts; says so by itself.
    /// struct Counter;
    ///
    /// impl ModelProgram for Counter {
    ///     type State = u32;
    ///     type Action = bool;
    ///
    ///     fn symbols(&self) -> Vec<(String, Direction)> {
    ///         vec![("Up".into(), Direction::Controllable), ("Full".into(), Direction::Observable)]
    ///     }
    ///     fn initial(&self) -> u32 {
    ///         0
    ///     }
    ///     fn enabled(&self, direction: Direction, count: &u32, actions: &mut Vec<bool>) {
    ///         let full = *count == 9;
    ///         actions.extend((full == (direction == Direction::Observable)).then_some(full));
    ///     }
    ///     fn step(&self, count: &u32, full: &bool) -> Option<u32> {
    ///         ((*count == 9) == *full).then_some(if *full { 0 } else { count + 1 })
    ///     }
    ///     fn show(&self, full: &bool) -> String {
    ///         (if *full { "Full" } else { "Up" }).to_owned()
    ///     }
    ///     fn read(&self, text: &str) -> Option<bool> {
    ///         [true, false].into_iter().find(|full| self.show(full) == text)
    ///     }
    /// }
    ///
    /// let specification = Specification::of_model("counter", Counter, Protocol::default())?;
    /// let idle = specification.idle.expect("a model has letters for doing nothing");
    /// // Any system would do; here the model plays it.
    /// let mut system = Modelled::new(Arc::new(Counter), specification.interface(), idle, 1);
    /// let mut settings = Settings::new(find("least-cost")?, 1);
    /// settings.limits.runs = 20;
    /// let report = test(&specification, &[], None, &mut system, &settings, &mut ())?;
    /// assert!(report.violations.is_empty() && report.steps == 20 * 250);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_model<M: ModelProgram + 'static>(
        id: &str,
        model: M,
        protocol: Protocol,
    ) -> Result<Specification, AlphabetError> {
        let model: Arc<dyn AnyModel> = Arc::new(model);
        let interface = interface([&*model], &protocol, Default::default())?;
        let idle = Idle::find(&interface, protocol.wait(), protocol.quiet(), protocol.refusal.as_deref());
        let idle = idle.expect("the interface was made with both letters");
        let how = How { conflict: protocol.conflict, mode: Mode::Synchronous };
        let demand = demand(model, &interface, idle, how);
        let requirement = Requirement { id: id.to_owned(), text: String::new(), demand };
        Ok(Specification {
            path: PathBuf::from(id),
            space: Arc::new(Space::new(interface)),
            assumptions: Vec::new(),
            requirements: vec![requirement],
            ranges: Vec::new(),
            objectives: Vec::new(),
            system: SystemChoice { protocol, pin: true, ..Default::default() },
            warnings: Vec::new(),
            fingerprint: Fingerprint::of([&Source::new(id, id)]),
            idle: Some(idle),
            memory: None,
            restrictions: Default::default(),
            keepable: Default::default(),
            lines: Default::default(),
            strict: None,
        })
    }

    /// The models of actions, in the order of their requirements.
    pub fn programs(&self) -> impl Iterator<Item = &Arc<dyn AnyModel>> {
        self.requirements.iter().filter_map(|requirement| requirement.demand.program.as_ref())
    }

    /// Whether a model says when the system may be reset.
    pub fn restricts_reset(&self) -> bool {
        self.programs().any(|model| model.says_when_to_reset())
    }

    /// What is wrong with a model, as far as was found out by running it. Nothing counts that was found with it.
    pub fn model_fault(&self) -> Option<SpecError> {
        self.programs().find_map(|model| model.model_fault())
    }
}
