//! The shortest story: what is tried, in which order, and when it is enough.

use super::allowance::{Allowance, Budget};
use super::candidates::{Candidates, Stop};
use super::{edits, model, words};
use crate::letter::{Alphabet, Letter, Outline};
use crate::system::SystemError;
use crate::trace::{Step, Trace};

/// Runs inputs on the system and says whether the wanted requirement was violated.
pub trait Oracle {
    /// Resets the system and sends the inputs one after another, until the requirement is violated, an input may
    /// not be sent (no answer could make it right, or it breaks an assumption), or none is left.
    fn try_inputs(&mut self, inputs: &[Letter]) -> Result<Told, SystemError>;

    /// Whether the user wants no more of it; asked before each try.
    fn interrupted(&self) -> bool {
        false
    }

    /// What must be the same in an answer to be the same answer.
    fn outline(&self) -> Outline {
        Outline::default()
    }
}

/// What became of inputs.
#[derive(Clone, Debug)]
pub struct Told {
    /// What was really exchanged; where the requirement was violated, the last step is the violation.
    pub trace: Trace,
    /// Whether the wanted requirement was violated. Where it was not, and the trace has fewer steps than there
    /// were inputs, the next input is never sent after these exchanges.
    pub violated: bool,
}

/// What came of shrinking.
#[derive(Clone, Debug)]
pub struct Story {
    /// Stories that violate the requirement, the original first, each better than the one before.
    pub stories: Vec<Trace>,
    /// Runs and exchanges it took.
    pub runs: u64,
    /// Exchanges it took.
    pub steps: u64,
    /// How a candidate broke the system, which ended the search.
    pub broken: Option<SystemError>,
}

/// Looks for the shortest run that violates what the original run violates. Every story it tells was seen: the
/// guesses are ours, the answers the system's.
///
/// In turn, until nothing gets better: drops blocks of steps (the ddmin of Zeller and Hildebrandt 2002), sets
/// signals to 0, drops any range of steps, those first after which all looks as it did before them, replaces
/// steps by others of the story, moves steps; then joins all that was seen to a machine, and takes the shortest way
/// to the violation in it (see `model`); last, all words that are short enough. `observed` are other runs of the same system, each with whether
/// it ended with the same violation; where they contradict each other, they are left aside.
pub fn shortest_story(
    original: &[Step],
    inputs: &Alphabet,
    observed: &[Told],
    budget: Budget,
    oracle: &mut dyn Oracle,
) -> Story {
    let mut candidates = Candidates::new(oracle, inputs, Allowance::new(budget), original);
    candidates.take_in(observed);
    let broken = match to_a_fixpoint(&mut candidates) {
        Ok(()) | Err(Stop::Enough) => None,
        Err(Stop::Broken(error)) => Some(error),
    };
    let (stories, allowance) = candidates.stories();
    Story { stories, runs: allowance.runs, steps: allowance.steps, broken }
}

fn to_a_fixpoint(candidates: &mut Candidates<'_>) -> Result<(), Stop> {
    loop {
        let before = candidates.worth();
        edits::drop_blocks(candidates)?;
        edits::to_the_ends(candidates)?;
        edits::simplify(candidates)?;
        edits::drop_ranges(candidates)?;
        edits::replace(candidates)?;
        edits::reorder(candidates)?;
        model::search(candidates)?;
        words::search(candidates)?;
        if candidates.worth() == before {
            return Ok(());
        }
    }
}
