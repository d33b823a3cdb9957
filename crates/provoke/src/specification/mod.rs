//! A specification file, read and checked: requirements with their monitors, objectives, and the system.

mod automaton;
mod check;
mod circuit;
mod claim;
mod clash;
mod classes;
mod explain;
mod file;
mod fingerprint;
mod formula;
mod guidance;
mod knowledge;
mod load;
mod long_run;
mod lts;
mod measured;
mod open;
mod program;
mod published;
mod range;
mod relations;
mod restriction;
mod shape;
mod signals;
mod symbolic;
mod synthesis;
mod system;
mod unfolded;
mod verify;
mod wire;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock};

use crate::atom::Hidden;
use crate::automaton::{Automaton, FourValued, Omega, buchi, conjunction};
use crate::bdd::{OutOfNodes, Space};
use crate::coverage::Cover;
use crate::diagnostic::Unknown;
use crate::format::aiger::Literal;
use crate::game::{Gate, Promises};
use crate::learn::Memory;
use crate::letter::{Idle, Interface, Letter};
use crate::ltl::Formula;
use crate::monitor::{Judge, Keepable, Monitor, Monitors};
use crate::system::{Mode, Protocol};
use crate::trace::{RequirementNumber, Step};

pub use check::{Check, ObjectiveCheck, RequirementCheck, SuspensionCheck};
pub use circuit::{CircuitCheck, CircuitModel, check_circuit};
pub use clash::{Clash, Realisability};
pub use fingerprint::{Fingerprint, NoFingerprint};
pub use guidance::{Guidance, GuidanceError, Inside, STATE_LIMIT};
pub use knowledge::KnowledgeError;
pub use load::Loading;
pub use open::{OpenError, Opened, Wish};
pub use program::AnyModel;
pub use relations::{Class, Relations};
pub use restriction::{Restriction, Withheld};
pub use synthesis::{Synthesis, SynthesisError};
pub use verify::{Verification, Verifier};

/// Everything a specification file says.
pub struct Specification {
    /// The file.
    pub path: PathBuf,
    /// The variables of all guards.
    pub space: Arc<Space>,
    /// What may be taken for granted of the environment, in the order of the file.
    pub assumptions: Vec<Requirement>,
    /// What must hold, in the order of the file.
    pub requirements: Vec<Requirement>,
    /// That answers are within their ranges: one for each output that has one, numbered behind the requirements.
    pub ranges: Vec<Requirement>,
    /// What is wanted to have been seen, in the order of the file.
    pub objectives: Vec<Objective>,
    /// How to reach the system under test, if the file says so.
    pub system: SystemChoice,
    /// What the writer of the file should look at again.
    pub warnings: Vec<String>,
    /// Tells it from specifications that say something else.
    pub fingerprint: Fingerprint,
    /// The letters for waiting and for silence, where the interface has both.
    pub idle: Option<Idle>,
    /// What campaigns have seen of the system, for strategies that learn: they start from it, and add to it.
    pub memory: Option<Arc<Memory>>,
    /// Worked out when it is first asked for.
    restrictions: OnceLock<Result<Vec<Restriction>, OutOfNodes>>,
    /// For requirements that were asked about, whether some system could keep them.
    keepable: Mutex<BTreeMap<usize, Keepable>>,
    /// The lines at which requirements and objectives stand in the file, by kind and id.
    lines: BTreeMap<(&'static str, String), usize>,
    /// Where the specification is a TLSF file with strict semantics.
    strict: Option<claim::Strict>,
}

/// One requirement, or one assumption.
#[non_exhaustive]
pub struct Requirement {
    /// Its id.
    pub id: String,
    /// The sentence it formalises; may be empty.
    pub text: String,
    /// What it says.
    pub demand: Demand,
}

/// What a requirement or an assumption says.
#[non_exhaustive]
pub struct Demand {
    /// What it is made of.
    pub model: Model,
    /// Follows a run.
    pub monitor: Monitor,
    /// The automaton that the monitor follows, where it tells more apart than the model does: open obligations.
    pub followed: Option<Arc<FourValued>>,
    /// The formula it was made from, unless it was an automaton.
    pub formula: Option<Formula>,
    /// What the automaton it was made from accepts in the long run, unless that is a safety property.
    pub omega: Option<Arc<Omega>>,
    /// The model of actions that it is, or that its automaton was written down from.
    pub program: Option<Arc<dyn AnyModel>>,
    /// What that model lets the tester send, where it was written down: an assumption of games, and of nothing else.
    pub environment: Option<Arc<Automaton>>,
}

/// What a requirement is made of.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Model {
    /// A deterministic safety automaton; an exchange without an edge violates.
    Automaton(Arc<Automaton>),
    /// A model program.
    Program(Arc<dyn AnyModel>),
    /// A circuit.
    Circuit(Arc<CircuitModel>),
}

impl Model {
    /// The automaton, where it is one, or a circuit that is small.
    pub fn automaton(&self) -> Option<&Arc<Automaton>> {
        match self {
            Model::Automaton(automaton) => Some(automaton),
            Model::Program(_) => None,
            Model::Circuit(circuit) => circuit.automaton.as_ref(),
        }
    }
}

impl Demand {
    /// The automaton, where it is made of one.
    pub fn automaton(&self) -> Option<&Arc<Automaton>> {
        self.model.automaton()
    }

    /// The automaton that tells apart what it tells apart: that of the monitor where obligations are open or met, else the
    /// one it is made of.
    pub fn distinguishes(&self) -> Option<&Automaton> {
        let made_of = || self.automaton().map(|automaton| &**automaton);
        self.followed.as_ref().map(|followed| &followed.automaton).or_else(made_of)
    }

    /// The variables that it reads.
    fn variables(&self) -> BTreeSet<usize> {
        match &self.model {
            Model::Automaton(automaton) => support(automaton),
            // It reads letters as a whole.
            Model::Program(_) => BTreeSet::new(),
            Model::Circuit(circuit) => circuit.variables.clone(),
        }
    }
}

/// One objective.
#[derive(Clone)]
#[non_exhaustive]
pub struct Objective {
    /// Its id.
    pub id: String,
    /// What it means to a reader; may be empty.
    pub text: String,
    /// What must be reached.
    pub goal: Goal,
    /// What being in states of requirements is worth on the way, in [0, 1]; for strategies that are told to go by it.
    pub scores: Vec<(RequirementNumber, u32, f64)>,
}

/// What an objective wants to have seen.
#[derive(Clone)]
#[non_exhaustive]
pub enum Goal {
    /// These requirements, each in one of these states of its automaton, all at once.
    States(Vec<(RequirementNumber, Vec<u32>)>),
    /// An accepting state of a test purpose.
    Purpose(Arc<Automaton>),
    /// A violation of this requirement.
    Violation(RequirementNumber),
    /// This requirement's circuit, where this is true of its latches.
    Holds(RequirementNumber, Literal),
    /// All of something: of this requirement, or of all of them played together.
    Cover(Cover, Option<RequirementNumber>),
}

impl Objective {
    /// The objective of covering all of something, with all requirements played together.
    pub fn cover(cover: Cover) -> Objective {
        let id = format!("cover-{}", cover.word());
        Objective { id, text: String::new(), goal: Goal::Cover(cover, None), scores: Vec::new() }
    }

    /// What is to be covered, where it is all of something.
    pub fn covers(&self) -> Option<Cover> {
        match self.goal {
            Goal::Cover(cover, _) => Some(cover),
            _ => None,
        }
    }
}

/// How to reach the system under test.
#[derive(Clone, Debug, Default)]
pub struct SystemChoice {
    /// Where it is.
    pub target: Option<Target>,
    /// How lines and letters correspond.
    pub protocol: Protocol,
    /// Who may speak when.
    pub mode: Mode,
    /// The command that starts the server at a [`Target::Tcp`].
    pub start: Option<Vec<String>>,
    /// Where commands run, if the file says so.
    pub directory: Option<PathBuf>,
    /// Variables that commands find in their environment.
    pub environment: BTreeMap<String, String>,
    /// How often a lost connection is opened again.
    pub retries: u64,
    /// The machine whose synchronising word resets the system.
    pub synchronise: Option<PathBuf>,
    /// The fixed word that resets the system.
    pub reset_word: Option<Vec<Letter>>,
    /// A bound on the number of its states, where somebody vouches for one.
    pub states: Option<u32>,
    /// How many milliseconds apart inputs are sent, where the system is sampled.
    pub cycle_ms: Option<u32>,
    /// Whether tester and child share one core; that is several times faster.
    pub pin: bool,
}

/// Where the system under test is.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Target {
    /// A machine file that is simulated.
    Model(PathBuf),
    /// A program that talks over its standard input and output.
    Command(Vec<String>),
    /// A server.
    Tcp(String),
}

impl Specification {
    /// The names of the letters.
    pub fn interface(&self) -> &Interface {
        self.space.interface()
    }

    /// The numbers of the requirements, in order.
    pub fn numbers(&self) -> impl Iterator<Item = RequirementNumber> + use<> {
        numbers(self.requirements.len())
    }

    /// The requirement with this number, which may be the implicit one of a range.
    pub fn requirement(&self, number: RequirementNumber) -> &Requirement {
        match self.requirements.get(number.0) {
            Some(requirement) => requirement,
            None => &self.ranges[number.0 - self.requirements.len()],
        }
    }

    /// Whether a requirement is the implicit one of a range.
    pub fn is_range(&self, number: RequirementNumber) -> bool {
        number.0 >= self.requirements.len()
    }

    /// The ids of some requirements.
    pub fn ids(&self, numbers: &[RequirementNumber]) -> Vec<String> {
        numbers.iter().map(|&number| self.requirement(number).id.clone()).collect()
    }

    /// The objective with this id.
    pub fn objective(&self, id: &str) -> Result<&Objective, Unknown> {
        let known = self.objectives.iter().map(|objective| objective.id.as_str());
        let found = self.objectives.iter().find(|objective| objective.id == id);
        found.ok_or_else(|| Unknown::new("objective", id, known))
    }

    /// One fresh monitor for each requirement.
    pub fn monitors(&self) -> Monitors {
        self.requirements.iter().map(|requirement| requirement.demand.monitor.clone()).collect()
    }

    /// One fresh monitor for each assumption.
    pub fn assumption_monitors(&self) -> Monitors {
        self.assumptions.iter().map(|assumption| assumption.demand.monitor.clone()).collect()
    }

    /// Follows all requirements and assumptions at once.
    pub fn judge(&self) -> Judge {
        Judge::new(self.monitors(), self.assumption_monitors())
            .within_ranges(&self.interface().outputs)
            .completing(Hidden::new(self.interface()).map(Arc::new))
    }

    /// Follows the assumptions alone, for whom requirements do not matter; nor does what letters say themselves, without any.
    pub(crate) fn judge_of_assumptions(&self) -> Judge {
        let hidden = Hidden::new(self.interface()).filter(|_| !self.assumptions.is_empty());
        Judge::new(Monitors::default(), self.assumption_monitors()).completing(hidden.map(Arc::new))
    }

    /// A run with what letters say themselves, as monitors want it.
    pub fn completed(&self, trace: Vec<Step>) -> Vec<Step> {
        match Hidden::new(self.interface()) {
            None => trace,
            Some(hidden) => hidden.completed_run(&trace),
        }
    }

    /// What the system was promised to happen some day, to be kept within so many steps: assumptions that no finite run
    /// breaks. They are kept together, unless that would be too large; and those that are too large by themselves, whose ids
    /// come second, are not kept at all.
    pub fn promises(&self, most: u32) -> Result<(Promises, Vec<String>), OutOfNodes> {
        let promised = |demand: &Demand| {
            let followed = demand.followed.as_ref()?;
            let made = match (&demand.formula, &demand.omega) {
                (Some(formula), _) => buchi(formula, &self.space).ok(),
                (None, omega) => omega.as_ref().map(|omega| omega.accepts.clone()),
            };
            let alone = made.and_then(|made| conjunction(&self.space, &[&made], PROMISED).ok());
            // Where that is too large, it is met where its monitor sees nothing open.
            Some(alone.unwrap_or_else(|| followed.met_again_and_again()))
        };
        let named = |known: &Requirement| Some((known.id.clone(), promised(&known.demand)?));
        let all: Vec<(String, Automaton)> = self.assumptions.iter().filter_map(named).collect();
        self.space.bdds().within_bounds()?;
        let together = match &all[..] {
            [] | [_] => None,
            all => {
                let automata: Vec<&Automaton> = all.iter().map(|(_, automaton)| automaton).collect();
                conjunction(&self.space, &automata, PROMISED).ok()
            }
        };
        self.space.bdds().within_bounds()?;
        if let Some(Ok(together)) = together.map(|together| Promises::new([&together], most)) {
            return Ok((together, Vec::new()));
        }
        // Guards of too many cubes are not followed: nothing is asked of the tester then.
        let is_kept = |(_, automaton): &(String, Automaton)| Promises::new([automaton], most).is_ok();
        let (kept, unkept): (Vec<_>, Vec<_>) = all.into_iter().partition(is_kept);
        self.space.bdds().within_bounds()?;
        let made = Promises::new(kept.iter().map(|(_, automaton)| automaton), most);
        let made = made.or_else(|_| self.space.bdds().within_bounds().map(|()| Promises::default()))?;
        Ok((made, unkept.into_iter().map(|(id, _)| id).collect()))
    }

    /// What keeps a tester from sending an input: the assumptions, and requirements that restrict the environment.
    pub fn gate(&self) -> Result<Gate, OutOfNodes> {
        let demanded = self.restrictions()?.iter().map(|restriction| &restriction.automaton);
        let all = self.assumed().chain(demanded).chain(self.environments());
        Gate::new(all.map(|automaton| &**automaton))
    }
}

/// The most states of an automaton of what was promised.
const PROMISED: usize = 500;

fn numbers(count: usize) -> impl Iterator<Item = RequirementNumber> {
    (0..count).map(RequirementNumber)
}

impl Specification {
    /// The automata of the assumptions.
    fn assumed(&self) -> impl Iterator<Item = &Arc<Automaton>> {
        self.assumptions.iter().filter_map(|assumption| assumption.demand.automaton())
    }
}

impl Specification {
    /// What models of actions let the tester send.
    fn environments(&self) -> impl Iterator<Item = &Arc<Automaton>> {
        self.requirements.iter().filter_map(|requirement| requirement.demand.environment.as_ref())
    }
}

/// The variables that an automaton reads.
fn support(automaton: &Automaton) -> BTreeSet<usize> {
    let edges = automaton.states.iter().flat_map(|state| &state.edges);
    edges.flat_map(|edge| edge.guard.support()).collect()
}
