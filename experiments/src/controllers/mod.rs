//! The controllers of paper 3, after its sections 4.2 and 4.3: those of `examples/cruise` and `examples/arm`, in our own process.

#[allow(missing_docs)]
#[path = "../../../examples/arm/arm.rs"]
pub mod arm;
#[allow(missing_docs)]
#[path = "../../../examples/cruise/cruise.rs"]
pub mod cruise;
#[allow(missing_docs)]
#[path = "../../../examples/cruise/probe.rs"]
pub mod probe;

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use provoke::letter::Letter;
use provoke::machine::{Machine, Names};
use provoke::specification::Specification;
use provoke::system::{Closure, System};

use arm::Arm;
use cruise::Cruise;
use probe::{BRANCHES, Change, MUTANTS};

/// A controller, what it must do, and what may be wrong with it.
pub struct Controller {
    /// Its name: that of its example.
    pub name: &'static str,
    /// What it must do.
    pub specification: Specification,
    /// The controller as it should be.
    pub machine: Machine,
    /// The planted faults by name.
    pub faults: Vec<(&'static str, Machine)>,
}

impl Controller {
    /// The adaptive cruise controller.
    pub fn cruise() -> Result<Controller> {
        let text = include_str!("../../../examples/cruise/cruise.toml");
        let specification = Specification::from_text("cruise.toml".as_ref(), text)?;
        let faults = cruise::FAULTS.iter().map(|fault| Ok((fault.name, cruise_machine(Some(fault.change))?)));
        let faults = faults.collect::<Result<_>>()?;
        Ok(Controller { name: "cruise", specification, machine: cruise_machine(None)?, faults })
    }

    /// The robot arm.
    pub fn arm() -> Result<Controller> {
        let text = include_str!("../../../examples/arm/arm.toml");
        let specification = Specification::from_text("arm.toml".as_ref(), text)?;
        let faults = arm::FAULTS.iter().map(|&(name, fault)| Ok((name, arm_machine(Some(fault))?)));
        let faults = faults.collect::<Result<_>>()?;
        Ok(Controller { name: "arm", specification, machine: arm_machine(None)?, faults })
    }
}

/// All mutants of the cruise controller, as the machines that they are.
pub fn cruise_mutants() -> impl Iterator<Item = Result<Machine>> {
    (1..=MUTANTS).filter_map(Change::numbered).map(|change| cruise_machine(Some(change)))
}

/// The cruise controller as it should be, and what tells which share of its branches was taken.
pub fn counting_cruise() -> (impl System, impl Fn() -> f64) {
    let taken = Arc::new(AtomicU64::new(0));
    let noted = taken.clone();
    let step = move |cruise: &mut Cruise, input: Letter| {
        let output = cruise.step(cruise_input(input.index() as usize));
        noted.fetch_or(cruise.probe.taken(), Ordering::Relaxed);
        letter(&output.bits())
    };
    let share = move || 100.0 * f64::from(taken.load(Ordering::Relaxed).count_ones()) / f64::from(BRANCHES);
    (Closure::new(|| Cruise::new(None), step), share)
}

fn cruise_input(index: usize) -> cruise::Input {
    cruise::Input::of(std::array::from_fn(|bit| index >> bit & 1 == 1))
}

fn letter(bits: &[bool]) -> Letter {
    bits.iter().enumerate().fold(Letter::default(), |letter, (at, &bit)| letter.with(at, bit))
}

fn cruise_machine(change: Option<Change>) -> Result<Machine> {
    let step = |memory: &cruise::Memory, input: usize| {
        let mut cruise = Cruise { memory: *memory, ..Cruise::new(change) };
        let output = cruise.step(cruise_input(input));
        (cruise.memory, output.bits().to_vec())
    };
    explored(cruise::Memory::default(), (&cruise::INPUTS, &cruise::OUTPUTS), step)
}

fn arm_machine(fault: Option<arm::Fault>) -> Result<Machine> {
    let step = |memory: &arm::Memory, input: usize| {
        let mut arm = Arm::new(fault).with(*memory);
        let [ready, collision, alarm] = std::array::from_fn(|bit| input >> bit & 1 == 1);
        let output = arm.step(arm::Input { ready, collision, alarm });
        (arm.memory(), output.bits().to_vec())
    };
    explored(arm::Memory::default(), (&arm::INPUTS, &arm::OUTPUTS), step)
}

/// A program with finitely many memories as the machine that it is: every input in every memory it can come to.
fn explored<T: Clone + Eq + Hash>(
    start: T,
    (inputs, outputs): (&[&str], &[&str]),
    step: impl Fn(&T, usize) -> (T, Vec<bool>),
) -> Result<Machine> {
    let mut numbers: HashMap<T, u32> = HashMap::from([(start.clone(), 0)]);
    let mut memories = vec![start];
    let mut answers: HashMap<String, u32> = HashMap::new();
    let mut names: Vec<String> = Vec::new();
    let (mut next, mut answered) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < memories.len() {
        for input in 0..1 << inputs.len() {
            let (memory, output) = step(&memories[at], input);
            let fresh = memories.len() as u32;
            let to = *numbers.entry(memory.clone()).or_insert(fresh);
            if to == fresh {
                memories.push(memory);
            }
            next.push(to);
            let output: String = output.iter().map(|&bit| if bit { '1' } else { '0' }).collect();
            let fresh = names.len() as u32;
            let answer = *answers.entry(output.clone()).or_insert(fresh);
            if answer == fresh {
                names.push(output);
            }
            answered.push(answer);
        }
        at += 1;
    }
    let bits = |input: usize| (0..inputs.len()).map(move |bit| if input >> bit & 1 == 1 { '1' } else { '0' });
    let letters: Vec<String> = (0..1 << inputs.len()).map(|input| bits(input).collect()).collect();
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    let states = Names::numbered("", memories.len());
    let machine = Machine::from_table(states, letters.iter().map(String::as_str).collect(), next)?
        .with_outputs(names.iter().map(String::as_str).collect(), answered)?
        .with_initial(0)?;
    Ok(machine.with_signals(words(inputs), words(outputs)))
}

#[cfg(test)]
mod tests {
    use provoke::specification::Specification;

    use super::*;

    fn violated(specification: &Specification, machine: &Machine) -> Vec<String> {
        let found = specification.verify(&specification.reactions(machine).unwrap()).unwrap();
        let ids = specification.requirements.iter().map(|requirement| requirement.id.clone());
        let broken = |(_, outcome): &(String, _)| *outcome != provoke::verify::Outcome::Holds;
        ids.zip(found.outcomes).filter(broken).map(|(id, _)| id).collect()
    }

    #[test]
    fn good_controllers_keep_every_requirement_and_faulty_ones_do_not() {
        for (controller, size) in
            [(Controller::cruise().unwrap(), (12, 6, 10)), (Controller::arm().unwrap(), (31, 3, 11))]
        {
            let Controller { specification, machine, faults, name } = &controller;
            let interface = specification.interface();
            let found = (specification.requirements.len(), interface.inputs.len(), interface.outputs.len());
            assert_eq!(found, size, "{name}");
            assert_eq!(violated(specification, machine), Vec::<String>::new(), "{name}");
            assert_eq!(faults.len(), 10);
            for (fault, machine) in faults {
                assert_ne!(violated(specification, machine), Vec::<String>::new(), "{fault}");
            }
            if *name == "arm" {
                let states = machine.states().len();
                assert!(states <= 128, "the specification declares 128 states, and there are {states}");
                let never = faults.iter().find(|(name, _)| *name == "never-halts").unwrap();
                assert_eq!(violated(specification, &never.1), ["alarm-halts"], "in the long run only");
            }
        }
    }

    #[test]
    fn every_place_of_the_cruise_controller_has_a_number_of_its_own() {
        let source = include_str!("../../../examples/cruise/cruise.rs");
        let methods: [(probe::Kind, &[&str]); 8] = [
            (probe::Kind::Condition, &["decide"]),
            (probe::Kind::Reading, &["read"]),
            (probe::Kind::Logic, &["and", "or"]),
            (probe::Kind::Comparison, &["is"]),
            (probe::Kind::Constant, &["number"]),
            (probe::Kind::Arithmetic, &["add", "multiply"]),
            (probe::Kind::Assignment, &["set"]),
            (probe::Kind::Truth, &["truth"]),
        ];
        for (kind, names) in methods {
            let calls =
                names.iter().flat_map(|name| source.split(&format!("p.{name}(")).skip(1).collect::<Vec<_>>());
            let mut numbers: Vec<u32> =
                calls.map(|rest| rest.split(',').next().unwrap().trim().parse().unwrap()).collect();
            numbers.sort_unstable();
            let sites = probe::KINDS.iter().find(|row| row.0 == kind).unwrap().1;
            assert_eq!(numbers, (0..sites).collect::<Vec<_>>(), "{kind:?}");
        }
        assert_eq!(MUTANTS, 501);
        assert!(Change::numbered(0).is_none() && Change::numbered(MUTANTS + 1).is_none());
    }
}
