//! What may be sent, asked beside the game.

use std::sync::Arc;

use crate::automaton::{Automaton, Table};
use crate::bdd::OutOfNodes;
use crate::letter::{Letter, LetterSet};
use crate::rng::Rng;
use crate::trace::Step;

/// Assumptions that did not fit into the game, following the run by themselves.
///
/// The game offers inputs as if they were not there; the run loop sends none that the gate forbids. Usually it is
/// empty. The tables are shared between clones.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    followed: Vec<Followed>,
}

#[derive(Clone, Debug)]
struct Followed {
    rules: Arc<Rules>,
    /// Where it is; [`Table::NOWHERE`] once it is broken, when it forbids nothing more.
    at: u32,
}

#[derive(Debug)]
struct Rules {
    table: Table,
    inputs: Vec<LetterSet>,
    initial: u32,
}

impl Gate {
    /// A gate of deterministic automata: an input for which one of them has no edge is forbidden.
    pub fn new<'a>(automata: impl IntoIterator<Item = &'a Automaton>) -> Result<Gate, OutOfNodes> {
        let rules = |automaton: &Automaton| {
            let space = &automaton.space;
            let rows =
                automaton.states.iter().map(|state| state.edges.iter().map(|edge| (&edge.guard, edge.to)));
            let states = 0..automaton.states.len() as u32;
            let inputs =
                states.map(|at| space.input_letters(&space.some_output(&automaton.allowed(at)))).collect();
            let rules = Rules { table: Table::new(space, rows), inputs, initial: automaton.initial };
            space.bdds().checked(Ok(rules))
        };
        let followed = |automaton: &Automaton| {
            Ok(Followed { rules: Arc::new(rules(automaton)?), at: automaton.initial })
        };
        Ok(Gate { followed: automata.into_iter().map(followed).collect::<Result<_, _>>()? })
    }

    /// Whether it forbids nothing, ever.
    #[inline]
    pub fn is_open(&self) -> bool {
        self.followed.is_empty()
    }

    /// The gate that follows more assumptions of the two; of gates made for one specification, it forbids what both forbid.
    #[must_use]
    pub fn stricter(self, other: &Gate) -> Gate {
        if other.followed.len() > self.followed.len() { other.clone() } else { self }
    }

    /// Back to the start of a run.
    pub fn reset(&mut self) {
        self.followed.iter_mut().for_each(|followed| followed.at = followed.rules.initial);
    }

    /// Whether the input may be sent now.
    #[inline]
    pub fn allows(&self, input: Letter) -> bool {
        let allows = |followed: &Followed| match followed.rules.inputs.get(followed.at as usize) {
            Some(inputs) => inputs.contains(input),
            None => true,
        };
        self.followed.iter().all(allows)
    }

    /// An input of the one assumption that leaves least; others may forbid it. None where none forbids anything now.
    pub fn sample(&self, rng: &mut Rng) -> Option<Letter> {
        let sets =
            self.followed.iter().filter_map(|followed| followed.rules.inputs.get(followed.at as usize));
        sets.min_by_key(|inputs| inputs.count().to_u64().unwrap_or(u64::MAX))?.sample(rng)
    }

    /// Follows one exchange.
    #[inline]
    pub fn follow(&mut self, step: &Step) {
        for followed in self.followed.iter_mut().filter(|followed| followed.at != Table::NOWHERE) {
            followed.at = followed.rules.table.next(followed.at, &step.input, &step.output);
        }
    }
}
