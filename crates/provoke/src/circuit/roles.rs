//! Which signals of a circuit are what.

use super::{Wire, Wired};
use crate::diagnostic::did_you_mean;
use crate::format::aiger::{Circuit, Literal, Signal};
use crate::letter::{AlphabetError, Interface};

/// What begins the name of an input of a circuit that is an output of the system (the SYNTCOMP convention).
const CONTROLLABLE: &str = "controllable_";

/// How a specification maps the signals of a circuit; what it does not map goes by convention.
#[derive(Clone, Debug, Default)]
pub struct Roles {
    /// Outputs of the system, each with the input of the circuit that it is.
    pub outputs: Vec<(String, String)>,
    /// Inputs of the system, each with the input of the circuit that it is.
    pub inputs: Vec<(String, String)>,
    /// The output or bad state property that is the violation.
    pub violation: Option<String>,
    /// Outputs and bad state properties that objectives are about; those whose names begin with `objective` are besides.
    pub objectives: Vec<String>,
}

/// Why a circuit cannot be wired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct RolesError {
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// A value that an objective is about: true of the latches once it is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// What the circuit calls it.
    pub name: String,
    /// The value, known from the latches alone.
    pub value: Literal,
}

/// The interface of a circuit: inputs named `controllable_x` are the system's outputs `x`, the others its inputs.
pub fn interface(circuit: &Circuit) -> Result<Interface, AlphabetError> {
    let outputs = circuit.inputs.iter().filter_map(|name| name.strip_prefix(CONTROLLABLE)).map(str::to_owned);
    let inputs = circuit.inputs.iter().filter(|name| !name.starts_with(CONTROLLABLE));
    Interface::signals(inputs.cloned(), outputs)
}

/// The circuit wired to an interface, with its objectives, and with its constraints as a second circuit whose violation
/// is that one of them does not hold.
pub fn roles(
    circuit: &Circuit,
    interface: &Interface,
    roles: &Roles,
) -> Result<(Wired, Vec<Named>, Option<Wired>), RolesError> {
    known_start(circuit)?;
    let wires = wires(circuit, interface, roles)?;
    let violations = violations(circuit, roles)?;
    let shown: Vec<(String, Literal)> = named(circuit).collect();
    let is_objective =
        |name: &str| name.starts_with("objective") || roles.objectives.iter().any(|known| known == name);
    if let Some(unknown) = roles.objectives.iter().find(|name| !shown.iter().any(|(known, _)| known == *name))
    {
        return Err(unknown_output(unknown, &shown));
    }
    // Values that inputs decide are remembered in a latch, so that an objective is always a set of states. Every latch
    // that is added moves the numbers of gates, so values are looked up by name when all are there.
    let find = |circuit: &Circuit, name: &str| {
        named(circuit).find(|(known, _)| known == name).map_or(Literal::FALSE, |(_, value)| value)
    };
    let wanted: Vec<&String> = shown.iter().map(|(name, _)| name).filter(|name| is_objective(name)).collect();
    let mut extended = circuit.clone();
    let mut remembered = Vec::new();
    for &name in wanted.iter().filter(|name| !circuit.is_of_latches(find(circuit, name))) {
        extended = extended.remembering(find(&extended, name), &format!("{name} seen"));
        remembered.push((name, extended.latches.len() - 1));
    }
    let objective = |name: &String| {
        let latch =
            remembered.iter().find(|(known, _)| *known == name).map(|(_, latch)| extended.latch(*latch));
        Named { name: name.clone(), value: latch.unwrap_or_else(|| find(&extended, name)) }
    };
    let objectives = wanted.iter().map(|name| objective(name)).collect();
    let moved = extended.latches.len() - circuit.latches.len();
    let shift = |value: Literal| match value.node() >= circuit.first_gate() {
        true => Literal::of(value.node() + moved).negated_if(value.is_negated()),
        false => value,
    };
    let violations: Vec<Literal> = violations.into_iter().map(shift).collect();
    let constraints: Vec<Literal> = circuit.constraints.iter().map(|signal| !signal.value).collect();
    let assumed = (!constraints.is_empty()).then(|| Wired::new(circuit.clone(), wires.clone(), &constraints));
    Ok((Wired::new(extended, wires, &violations), objectives, assumed))
}

/// What a circuit shows, with names; what has none is called `o0`, `o1`, ..., `b0`, `b1`, ...
fn named(circuit: &Circuit) -> impl Iterator<Item = (String, Literal)> + '_ {
    let with = |letter: &'static str| {
        move |(at, signal): (usize, &Signal)| {
            (signal.name.clone().unwrap_or_else(|| format!("{letter}{at}")), signal.value)
        }
    };
    let outputs = circuit.outputs.iter().enumerate().map(with("o"));
    outputs.chain(circuit.bad.iter().enumerate().map(with("b")))
}

fn unknown_output(name: &str, shown: &[(String, Literal)]) -> RolesError {
    let names: Vec<&str> = shown.iter().map(|(name, _)| name.as_str()).collect();
    let all = || format!("its outputs are {}", names.join(", "));
    RolesError {
        message: format!("the circuit has no output `{name}`"),
        help: did_you_mean(name, names.iter().copied()).or_else(|| Some(all())),
    }
}

/// The values that are violations by convention, and those of the constraints; for games in which no interface is needed.
pub fn conventions(circuit: &Circuit) -> Result<(Vec<Literal>, Vec<Literal>), RolesError> {
    known_start(circuit)?;
    let constraints = circuit.constraints.iter().map(|signal| signal.value).collect();
    Ok((violations(circuit, &Roles::default())?, constraints))
}

/// Whether an input of a circuit is an output of the system, by convention.
pub fn is_systems(name: &str) -> bool {
    name.starts_with(CONTROLLABLE)
}

/// Refuses circuits whose runs start nobody knows where.
fn known_start(circuit: &Circuit) -> Result<(), RolesError> {
    match circuit.latches.iter().enumerate().find(|(_, latch)| latch.reset.is_none()) {
        None => Ok(()),
        Some((at, latch)) => {
            let name = latch.name.clone().unwrap_or_else(|| format!("l{at}"));
            Err(RolesError {
                message: format!("latch `{name}` has no reset value, so nobody knows where a run starts"),
                help: Some("give it the reset value 0 or 1".to_owned()),
            })
        }
    }
}

fn violations(circuit: &Circuit, roles: &Roles) -> Result<Vec<Literal>, RolesError> {
    let shown: Vec<(String, Literal)> = named(circuit).collect();
    if let Some(wanted) = &roles.violation {
        let found = shown.iter().find(|(name, _)| name == wanted);
        return found.map(|(_, value)| vec![*value]).ok_or_else(|| unknown_output(wanted, &shown));
    }
    let is_wrong = |name: &str| name.starts_with("error") || name.starts_with("bad");
    let outputs = shown.iter().take(circuit.outputs.len()).filter(|(name, _)| is_wrong(name));
    let bad = shown.iter().skip(circuit.outputs.len()).filter(|(name, _)| !name.starts_with("objective"));
    let found: Vec<Literal> = outputs.chain(bad).map(|(_, value)| *value).collect();
    let others: Vec<&(String, Literal)> = shown
        .iter()
        .filter(|(name, _)| !name.starts_with("objective") && !roles.objectives.contains(name))
        .collect();
    match (&found[..], &others[..]) {
        ([], [(_, only)]) => Ok(vec![*only]),
        ([], []) if !shown.is_empty() => Ok(Vec::new()),
        ([], _) => Err(RolesError {
            message: "none of the circuit's outputs is known to be a violation".to_owned(),
            help: Some(match shown.is_empty() {
                true => "give it an output called `error`".to_owned(),
                false => {
                    let names: Vec<&str> = shown.iter().map(|(name, _)| name.as_str()).collect();
                    format!("add violation = \"NAME\"; its outputs are {}", names.join(", "))
                }
            }),
        }),
        _ => Ok(found),
    }
}

fn wires(circuit: &Circuit, interface: &Interface, roles: &Roles) -> Result<Vec<Option<Wire>>, RolesError> {
    for (signal, name) in roles.outputs.iter().chain(&roles.inputs) {
        if !circuit.inputs.contains(name) {
            return Err(RolesError {
                message: format!("`{signal}` is to be the circuit's input `{name}`, which it does not have"),
                help: did_you_mean(name, circuit.inputs.iter().map(String::as_str)),
            });
        }
    }
    let read = circuit.read_by(
        (circuit.signals().chain(&circuit.constraints).map(|signal| signal.value))
            .chain(circuit.latches.iter().map(|latch| latch.next)),
    );
    let bit = |name: &str, is_output: bool| {
        let side = if is_output { &interface.outputs } else { &interface.inputs };
        let bit = side.field(name).filter(|field| field.is_boolean())?.bits().start;
        Some(if is_output { Wire::Output(bit) } else { Wire::Input(bit) })
    };
    let wire = |(at, name): (usize, &String)| {
        let mapped = |list: &[(String, String)]| {
            list.iter().find(|(_, known)| known == name).map(|(to, _)| to.clone())
        };
        let found = match (mapped(&roles.outputs), mapped(&roles.inputs)) {
            (Some(output), _) => bit(&output, true),
            (None, Some(input)) => bit(&input, false),
            (None, None) => match name.strip_prefix(CONTROLLABLE) {
                Some(output) => bit(output, true).or_else(|| bit(name, true)),
                // Requirements that are written as modules have the system's outputs as inputs of the same name.
                None => bit(name, false).or_else(|| bit(name, true)),
            },
        };
        if found.is_some() || !read[1 + at] {
            return Ok(found);
        }
        let known: Vec<&str> = interface.inputs.names().chain(interface.outputs.names()).collect();
        let short = name.strip_prefix(CONTROLLABLE).unwrap_or(name);
        let near = did_you_mean(short, known.iter().copied());
        Err(RolesError {
            message: format!("the circuit's input `{name}` is no signal of the specification"),
            help: near.or_else(|| Some(format!("map it: outputs = {{ SIGNAL = \"{name}\" }}"))),
        })
    };
    circuit.inputs.iter().enumerate().map(wire).collect()
}
