//! What letters say themselves because it would be too large as a set of them: a temperature against what it was, one wide
//! number against another.
//!
//! The game sees a Boolean of the system, and its value is worked out here from the concrete values whenever an exchange
//! is read. It is never read, written or shown as a signal.

use super::{Atom, Atoms};
use crate::letter::{Codes, Interface, Letter};
use crate::trace::Step;

/// The expressions that the outputs of an interface hold beside their fields.
#[derive(Clone, Debug)]
pub struct Hidden {
    atoms: Atoms,
    all: Vec<(Codes, Atom)>,
}

impl Hidden {
    /// Those of an interface; none where there are none.
    pub fn new(interface: &Interface) -> Option<Hidden> {
        let names = interface.outputs.hidden();
        let atoms = Atoms::new(interface).filter(|_| !names.is_empty())?;
        let one = |name: &String| Some((interface.outputs.proposition(name)?, atoms.find(name)?));
        let all = names.iter().filter_map(one).collect();
        Some(Hidden { atoms, all })
    }

    /// An exchange with the values of all of them, given the one before it; the first of a run stands for that as well.
    #[must_use]
    pub fn completed(&self, before: Option<Step>, step: Step) -> Step {
        let before = before.unwrap_or(step);
        let with = |output: Letter, (codes, atom): &(Codes, Atom)| {
            output.with(codes.bits.start, self.atoms.holds(atom, before, step))
        };
        Step { output: self.all.iter().fold(step.output, with), ..step }
    }

    /// The same of a whole run.
    #[must_use]
    pub fn completed_run(&self, trace: &[Step]) -> Vec<Step> {
        let before = |at: usize| at.checked_sub(1).and_then(|at| trace.get(at)).copied();
        trace.iter().enumerate().map(|(at, &step)| self.completed(before(at), step)).collect()
    }
}
