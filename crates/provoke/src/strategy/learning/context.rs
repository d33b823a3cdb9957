//! Where requirements are, as part of what is learnt.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::automaton::Classes;
use crate::letter::Letter;
use crate::trace::{Step, Trace};

/// Writes beside every answer where the requirements are after it.
///
/// That is known for nothing, and a system that keeps its requirements mostly remembers what they do: then an exchange or two
/// tell which state it is in, where its answers alone would take many. What is learnt is the system together with its
/// requirements, which has more states than the system where they remember something that it does not.
#[derive(Clone, Debug)]
pub(super) struct Context {
    requirements: Vec<Arc<Classes>>,
    /// Whether these are all.
    are_all: bool,
    at: Vec<Option<u32>>,
    numbers: FxHashMap<Vec<Option<u32>>, u64>,
}

/// Requirements are followed as long as together they have no more states.
const STATES: usize = 1 << 12;

/// Answers of more bits have no room for anything beside them.
const BITS: usize = 192;

/// Beside answers of requirements that are all over: nothing that comes matters.
const OVER: u64 = 1;

impl Context {
    /// Of these requirements, as many as are small enough together; none where there are none.
    pub(super) fn new(all: &[Arc<Classes>]) -> Option<Context> {
        let mut states = 1usize;
        let mut requirements = Vec::new();
        for one in all.iter().filter(|one| one.states() > 1 && one.output_bits() <= BITS) {
            let together = states.saturating_mul(one.states());
            if together <= STATES {
                states = together;
                requirements.push(one.clone());
            }
        }
        let are_all = requirements.len() == all.iter().filter(|one| one.states() > 1).count();
        let (at, numbers) = (Vec::new(), FxHashMap::default());
        (!requirements.is_empty()).then_some(Context { requirements, are_all, at, numbers })
    }

    /// A run begins.
    pub(super) fn begin(&mut self) {
        self.at = self.requirements.iter().map(|one| Some(one.initial())).collect();
    }

    /// The next step of the run.
    pub(super) fn annotated(&mut self, step: &Step) -> Step {
        let is_over = |(one, at): (&Arc<Classes>, &Option<u32>)| at.is_none_or(|at| one.is_over(at));
        if self.are_all && self.requirements.iter().zip(&self.at).all(is_over) {
            return Step { output: Letter::default().annotated(OVER), ..*step };
        }
        for (one, at) in self.requirements.iter().zip(&mut self.at) {
            *at = at.and_then(|from| one.next(from, step));
        }
        let fresh = OVER + 1 + self.numbers.len() as u64;
        let number = *self.numbers.entry(self.at.clone()).or_insert(fresh);
        Step { output: step.output.annotated(number), ..*step }
    }

    /// A whole run.
    pub(super) fn annotated_run(&mut self, trace: &[Step]) -> Trace {
        self.begin();
        trace.iter().map(|step| self.annotated(step)).collect()
    }
}

/// What the system answered.
pub(super) fn plain(trace: Trace) -> Trace {
    trace.into_iter().map(|step| Step { output: step.output.plain(), ..step }).collect()
}
