//! Finding out which state a system is in, where no word brings it to one.
//!
//! A homing sequence does not lead all states to one; it makes the system answer so that the state it is in
//! afterwards is known. It is preset (the same inputs whatever is answered) or adaptive (a tree: the next
//! input depends on the answers).

mod adaptive;
mod pairs;
mod preset;

use std::time::{Duration, Instant};

use self::pairs::Resolvable;
use crate::machine::{Machine, UNDEFINED};
use crate::synchronise::watch::Watch;

pub use self::adaptive::{Node, Tree};

/// The most states for which homing is computed: the pairs of more do not fit.
pub const MOST_STATES: usize = 1 << 13;

/// How to find out the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Homing {
    /// Send these inputs; the answers tell the state.
    Preset(Vec<u32>),
    /// Send inputs as the answers ask for.
    Adaptive(Tree),
}

impl Homing {
    /// The most inputs it ever takes.
    pub fn depth(&self) -> usize {
        match self {
            Homing::Preset(word) => word.len(),
            Homing::Adaptive(tree) => tree.depth(),
        }
    }
}

/// Why the state cannot be found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unhomed {
    /// The machine has no outputs.
    NoOutputs,
    /// More states than [`MOST_STATES`].
    TooLarge,
    /// These two states answer alike for ever and never meet.
    Alike(u32, u32),
    /// The search found no way on a partial machine, or ran out of time.
    NotFound,
}

impl Unhomed {
    /// A sentence for people.
    pub fn describe(&self, machine: &Machine) -> String {
        match self {
            Unhomed::NoOutputs => "the machine has no outputs that could tell states apart".to_owned(),
            Unhomed::TooLarge => format!("homing is computed for at most {MOST_STATES} states"),
            Unhomed::Alike(one, other) => {
                let names = machine.states();
                format!(
                    "{} and {} answer alike for ever and never meet",
                    names.name(*one),
                    names.name(*other)
                )
            }
            Unhomed::NotFound => "no homing sequence was found".to_owned(),
        }
    }
}

/// Finds a homing sequence: a preset one where it is no longer than the adaptive tree is deep, else the tree.
///
/// Both are built greedily: the input that leaves fewest states to tell apart, or where none helps the shortest
/// way to one that does. Neither is claimed to be shortest.
pub fn homing(machine: &Machine, budget: Option<Duration>) -> Result<Homing, Unhomed> {
    if machine.outputs().is_empty() {
        return Err(Unhomed::NoOutputs);
    }
    if machine.states().len() > MOST_STATES {
        return Err(Unhomed::TooLarge);
    }
    let mut watch = Watch::new(budget.map(|budget| Instant::now() + budget), None);
    let pairs = Resolvable::new(machine, &mut watch).ok_or(Unhomed::NotFound)?;
    if let Some((one, other)) = pairs.alike(machine) {
        return Err(Unhomed::Alike(one, other));
    }
    let tree = adaptive::tree(machine, &pairs, &mut watch).ok_or(Unhomed::NotFound)?;
    match preset::word(machine, &pairs, tree.depth(), &mut watch) {
        Some(word) => Ok(Homing::Preset(word)),
        None => Ok(Homing::Adaptive(tree)),
    }
}

/// The states a system may be in, given what it was asked and answered.
#[derive(Clone, Debug)]
pub struct Tracker<'a> {
    machine: &'a Machine,
    states: Vec<u32>,
}

impl<'a> Tracker<'a> {
    /// Nothing is known: any state.
    pub fn new(machine: &'a Machine) -> Tracker<'a> {
        Tracker { machine, states: (0..machine.states().len() as u32).collect() }
    }

    /// The states that are still possible, in order.
    pub fn states(&self) -> &[u32] {
        &self.states
    }

    /// Takes an exchange into account; false where no state answers like this, so that the system is not
    /// the machine. An answer of none stands for a transition without output.
    pub fn observe(&mut self, input: u32, answer: Option<u32>) -> bool {
        let machine = self.machine;
        let answers = |&state: &u32| machine.output(state, input) == answer;
        let next: Vec<u32> = self
            .states
            .iter()
            .filter(|state| answers(state))
            .filter_map(|&state| machine.next(state, input))
            .collect();
        self.states = next;
        self.states.sort_unstable();
        self.states.dedup();
        !self.states.is_empty()
    }
}

/// Sets of states, each with the answer after which the system is in one of them.
type Blocks = Vec<(u32, Vec<u32>)>;

/// The states of `set` after `input`, by what they answered; none where it is undefined in one of them.
fn split(machine: &Machine, set: &[u32], input: u32) -> Option<Blocks> {
    let mut moved = Vec::with_capacity(set.len());
    for &state in set {
        moved.push((machine.output(state, input).unwrap_or(UNDEFINED), machine.next(state, input)?));
    }
    moved.sort_unstable();
    moved.dedup();
    let mut blocks = Blocks::new();
    for (answer, to) in moved {
        match blocks.last_mut() {
            Some((last, block)) if *last == answer => block.push(to),
            _ => blocks.push((answer, vec![to])),
        }
    }
    Some(blocks)
}

#[cfg(test)]
mod tests;
