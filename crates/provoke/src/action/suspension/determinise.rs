//! The subset construction, with silence.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::Suspension;
use super::quiescence::Steps;
use crate::format::lts::{Label, Lts};

/// The most states that a suspension automaton has.
const MOST_STATES: usize = 1 << 18;
/// The most states that all its states together stand for.
const MOST_MEMBERS: usize = 1 << 22;

/// A transition system whose suspension automaton is too large to be written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("its suspension automaton has more than {0} states")]
pub struct TooLarge(pub usize);

pub(super) fn determinise(lts: &Lts) -> Result<Suspension, TooLarge> {
    let steps = Steps::of(lts);
    let given = lts.transitions.iter().any(|one| one.label == Label::Quiet);
    let mut seen = vec![false; lts.states.len()];
    let mut sets: IndexSet<Box<[u32]>, FxBuildHasher> = IndexSet::default();
    let mut first = vec![lts.initial];
    steps.close(&mut first, &mut seen);
    let mut members = first.len();
    sets.insert(first.into());
    let (mut rows, mut moves) = (Vec::new(), Vec::new());
    let mut leads: Vec<(Label, u32)> = Vec::new();
    while rows.len() < sets.len() {
        let set = &sets[rows.len()];
        leads.clear();
        leads.extend(set.iter().flat_map(|&state| steps.visible(state)));
        if !given {
            let rests = set.iter().filter(|state| steps.quiescent(**state));
            leads.extend(rests.map(|&state| (Label::Quiet, state)));
        }
        leads.sort_unstable();
        let start = moves.len();
        for led in leads.chunk_by(|one, other| one.0 == other.0) {
            let mut to: Vec<u32> = led.iter().map(|(_, to)| *to).collect();
            steps.close(&mut to, &mut seen);
            let count = to.len();
            let (number, fresh) = sets.insert_full(to.into());
            members += if fresh { count } else { 0 };
            moves.push((led[0].0, number as u32));
        }
        if sets.len() > MOST_STATES || members > MOST_MEMBERS {
            return Err(TooLarge(MOST_STATES.min(sets.len() - 1)));
        }
        rows.push(start..moves.len());
    }
    let numbered = |names: &[String]| names.iter().cloned().zip(0..).collect();
    Ok(Suspension {
        by_input: numbered(&lts.inputs),
        by_output: numbered(&lts.outputs),
        inputs: lts.inputs.clone(),
        outputs: lts.outputs.clone(),
        names: sets.iter().map(|set| name(lts, set)).collect(),
        rows,
        moves,
        initial: 0,
        given,
        divergence: steps.divergence.map(|state| lts.states[state as usize].clone()),
    })
}

/// What a set of states is called.
fn name(lts: &Lts, set: &[u32]) -> String {
    let names: Vec<&str> = set.iter().map(|&state| &*lts.states[state as usize]).collect();
    match &names[..] {
        [one] => (*one).to_owned(),
        several => format!("{{{}}}", several.join(",")),
    }
}
