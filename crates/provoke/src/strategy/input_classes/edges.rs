//! Inputs at the edges of classes: where a requirement changes its mind, a system may do so one value too early or too late.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::kinds::States;
use crate::automaton::Classes;
use crate::letter::{Letter, LetterSet};
use crate::rng::Rng;
use crate::strategy::View;

/// Of each class so many are drawn at its edges.
const DRAWN: usize = 24;

/// What is still to be sent at the edges of the classes of each state of each requirement. What a requirement tells apart in
/// one of its states is sent while it is in that state: elsewhere it may not matter.
#[derive(Debug, Default)]
pub(super) struct Edges {
    // invariant: one that was drawn twice is there twice: what lies at an edge is drawn more often than what lies beside it.
    unsent: FxHashMap<(usize, u32), Vec<Letter>>,
}

impl Edges {
    /// One that was not sent yet where requirements are in these states: the one that was drawn most often.
    pub(super) fn next(
        &mut self,
        classes: &[Arc<Classes>],
        states: &States,
        view: &View<'_>,
        rng: &mut Rng,
    ) -> Option<Letter> {
        let here = || {
            classes.iter().zip(states).enumerate().filter_map(|(at, (of, state))| Some((at, of, (*state)?)))
        };
        let mut fresh: Vec<Letter> = Vec::new();
        for (at, of, state) in here() {
            let unsent = self.unsent.entry((at, state)).or_insert_with(|| drawn(of.inputs(state), rng));
            fresh.extend(unsent.iter().filter(|input| view.inputs().contains(**input)));
        }
        fresh.sort_unstable();
        let copies = || fresh.chunk_by(|one, other| one == other);
        let most = copies().map(<[Letter]>::len).max()?;
        let likeliest: Vec<Letter> = copies().filter(|all| all.len() == most).map(|all| all[0]).collect();
        let next = rng.pick(&likeliest).copied()?;
        for (at, _, state) in here() {
            self.unsent.entry((at, state)).and_modify(|unsent| unsent.retain(|input| *input != next));
        }
        Some(next)
    }
}

fn drawn<'a>(classes: impl Iterator<Item = &'a LetterSet>, rng: &mut Rng) -> Vec<Letter> {
    let mut drawn = Vec::new();
    for inputs in classes.filter(|inputs| inputs.has_edges()) {
        drawn.extend((0..DRAWN).filter_map(|_| inputs.edge(rng)));
    }
    drawn
}
