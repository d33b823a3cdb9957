//! Circuits in specifications: `aiger = "req.aag"`, `verilog = "req.v"`, and a lone circuit as a whole specification.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use super::{Demand, Fingerprint, Goal, Loading, Model, Objective, Requirement, Specification, SystemChoice};
use crate::automaton::{Automaton, out_of_nodes};
use crate::bdd::Space;
use crate::circuit::{
    Named, Roles, RolesError, Wire, Wired, conventions, enumerated, interface, is_systems, roles,
};
use crate::diagnostic::{Source, SpecError};
use crate::format::aiger::{self, Circuit, Literal};
use crate::game::symbolic::{Answer, Effort, tester_can_force};
use crate::monitor::Monitor;
use crate::trace::RequirementNumber;

/// A circuit as a requirement.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CircuitModel {
    /// The circuit, wired to the signals of the specification.
    pub wired: Arc<Wired>,
    /// The automaton that it is, where that is small enough to be written down.
    pub automaton: Option<Arc<Automaton>>,
    /// What objectives may be about.
    pub(super) objectives: Vec<Shown>,
    /// The variables of the letters that it reads.
    pub(super) variables: BTreeSet<usize>,
}

/// A value that an objective may be about, with the states of the automaton in which it is true.
#[derive(Clone, Debug)]
pub(super) struct Shown {
    pub(super) named: Named,
    states: Vec<u32>,
}

/// A requirement made of a circuit, and the assumption that its constraints are.
pub(super) struct Made {
    pub(super) demand: Demand,
    pub(super) assumption: Option<Demand>,
}

/// What a circuit demands of runs over an interface.
pub(super) fn demand(
    circuit: &Circuit,
    how: &Roles,
    space: &Arc<Space>,
    id: &str,
) -> Result<Made, RolesError> {
    let (wired, objectives, assumed) = roles(circuit, space.interface(), how)?;
    let assumption = assumed.map(|assumed| model(assumed, Vec::new(), space, &format!("{id} constraints")));
    Ok(Made { demand: model(wired, objectives, space, id), assumption })
}

fn model(wired: Wired, objectives: Vec<Named>, space: &Arc<Space>, id: &str) -> Demand {
    let wired = Arc::new(wired);
    let variables = wired.reads().map(|wire| match wire {
        Wire::Input(bit) => bit,
        Wire::Output(bit) => space.input_bits() + bit,
    });
    let variables = variables.collect();
    let small = enumerated(&wired, space);
    let mut walk = wired.walk();
    let shown = |named: Named| {
        let states = small.as_ref().map_or(&[][..], |(_, states)| states).iter().enumerate();
        let there = states.filter(|(_, bits)| walk.holds(&wired, bits, named.value)).map(|(at, _)| at as u32);
        Shown { states: there.collect(), named }
    };
    let objectives = objectives.into_iter().map(shown).collect();
    let automaton =
        small.map(|(automaton, _)| Arc::new(Automaton { name: Some(id.to_owned()), ..automaton }));
    let table = automaton.as_ref().and_then(|automaton| Monitor::safety(automaton).ok());
    let monitor = table.unwrap_or_else(|| Monitor::circuit(wired.clone()));
    let model = Model::Circuit(Arc::new(CircuitModel { wired, automaton, objectives, variables }));
    Demand { model, monitor, followed: None, formula: None, omega: None, program: None, environment: None }
}

impl CircuitModel {
    /// The value that is true in these states of its automaton; only goals of its own outputs are asked for.
    pub(super) fn value_of(&self, states: &[u32]) -> Option<Literal> {
        self.objectives.iter().find(|shown| shown.states == states).map(|shown| shown.named.value)
    }

    /// The goal that an output of the circuit is.
    pub(super) fn goal(&self, requirement: RequirementNumber, output: &str) -> Option<Goal> {
        let shown = self.objectives.iter().find(|shown| shown.named.name == output)?;
        Some(match self.automaton {
            Some(_) => Goal::States(vec![(requirement, shown.states.clone())]),
            None => Goal::Holds(requirement, shown.named.value),
        })
    }
}

/// The objectives that circuits name themselves and that the file does not speak of: outputs called `objective...`.
pub(super) fn own_objectives(requirements: &[Requirement], spoken: &[(usize, String)]) -> Vec<Objective> {
    let mut found: Vec<Objective> = Vec::new();
    for (at, requirement) in requirements.iter().enumerate() {
        let Model::Circuit(circuit) = &requirement.demand.model else { continue };
        for shown in &circuit.objectives {
            let name = &shown.named.name;
            if !name.starts_with("objective")
                || spoken.iter().any(|(known, output)| *known == at && output == name)
            {
                continue;
            }
            let taken = found.iter().any(|objective| objective.id == *name);
            let id = if taken { format!("{}.{name}", requirement.id) } else { name.clone() };
            if let Some(goal) = circuit.goal(RequirementNumber(at), name) {
                found.push(Objective { id, text: String::new(), goal, scores: Default::default() });
            }
        }
    }
    found
}

/// What is said of a circuit with properties that no finite run can break.
pub(super) fn warning(circuit: &Circuit, source: &Source) -> Option<String> {
    (circuit.left_aside > 0).then(|| {
        let name = &source.name;
        format!("{name}: justice and fairness are not about finite runs, and are left aside")
    })
}

/// The error of a circuit that cannot be wired, at a place.
pub(super) fn unusable(at: SpecError, error: RolesError) -> SpecError {
    at.saying(error.message).maybe_help(error.help)
}

/// The specification that a circuit makes alone: one requirement, called like the file, over the inputs of the file.
pub(super) fn alone(path: &Path, loading: &Loading) -> Result<Specification, SpecError> {
    let (circuit, source) = aiger::read_file(path)?;
    let whole = || SpecError::whole(&source, "");
    let at = |message: String| SpecError::whole(&source, format!("{}: {message}", source.name));
    let interface = interface(&circuit).map_err(|error| at(error.to_string()))?;
    let space = Arc::new(Space::with_limit(interface, loading.nodes));
    let id =
        path.file_stem().map_or_else(|| "circuit".to_owned(), |stem| stem.to_string_lossy().into_owned());
    let Made { demand, assumption } = demand(&circuit, &Roles::default(), &space, &id)
        .map_err(|error| at(error.message).maybe_help(error.help))?;
    space.bdds().within_bounds().map_err(|full| out_of_nodes(whole(), full))?;
    let requirements = vec![Requirement { id: id.clone(), text: String::new(), demand }];
    let assumptions = assumption.map(|demand| constraints(&id, demand)).into_iter().collect();
    let objectives = own_objectives(&requirements, &[]);
    Ok(Specification {
        path: path.to_owned(),
        space,
        assumptions,
        requirements,
        ranges: Vec::new(),
        objectives,
        system: SystemChoice { pin: true, ..Default::default() },
        warnings: warning(&circuit, &source).into_iter().collect(),
        fingerprint: Fingerprint::of([&source]),
        idle: None,
        memory: None,
        restrictions: Default::default(),
        keepable: Default::default(),
        lines: Default::default(),
        strict: None,
    })
}

/// The assumption that the constraints of a circuit are.
pub(super) fn constraints(id: &str, demand: Demand) -> Requirement {
    Requirement { id: format!("{id} constraints"), text: String::new(), demand }
}

/// What can be said of a circuit by itself.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CircuitCheck {
    /// Whether the tester can force a violation, and what it took to find out.
    pub answer: Answer,
    /// How many inputs are the tester's.
    pub inputs: usize,
    /// How many inputs are outputs of the system.
    pub outputs: usize,
    /// How many latches there are.
    pub latches: usize,
    /// How many gates there are.
    pub gates: usize,
    /// What the writer of the file should look at again.
    pub warnings: Vec<String>,
}

/// Solves the plain safety game of the circuit in a file: nothing is withheld but by constraints.
pub fn check_circuit(path: &Path, effort: Effort) -> Result<CircuitCheck, SpecError> {
    let (circuit, source) = aiger::read_file(path)?;
    let wrong = |error: RolesError| {
        SpecError::whole(&source, format!("{}: {}", source.name, error.message)).maybe_help(error.help)
    };
    let (violations, constraints) = conventions(&circuit).map_err(wrong)?;
    let systems = |at: usize| is_systems(&circuit.inputs[at]);
    let answer = tester_can_force(&circuit, &systems, &violations, &constraints, effort);
    let outputs = (0..circuit.inputs.len()).filter(|&at| systems(at)).count();
    Ok(CircuitCheck {
        answer,
        inputs: circuit.inputs.len() - outputs,
        outputs,
        latches: circuit.latches.len(),
        gates: circuit.gates.len(),
        warnings: warning(&circuit, &source).into_iter().collect(),
    })
}
