//! Questions about the words that drafts accept.

use rustc_hash::FxHashMap;

use super::TranslationError;
use super::draft::{Arrow, Draft, Marks, Store};
use crate::connected::Components;
use crate::ltl::forest::Tree;

/// The most pairs of states a product may have.
const PAIRS: usize = 200_000;

/// The automaton of the words that both accept.
pub(crate) fn product(store: &mut Store, a: &Draft, b: &Draft) -> Result<Draft, TranslationError> {
    let marks = a.marks + b.marks;
    if marks > Marks::BITS {
        return Err(TranslationError::TooLarge);
    }
    let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    let mut pairs = vec![(a.initial, b.initial)];
    numbers.insert(pairs[0], 0);
    let mut rows: Vec<Tree> = Vec::new();
    while let Some(&(left, right)) = pairs.get(rows.len()) {
        let row = store.join(a.rows[left as usize], b.rows[right as usize], |ones, twos| {
            let mut both = Vec::with_capacity(ones.len() * twos.len());
            for one in ones {
                for two in twos {
                    let to = *numbers.entry((one.to, two.to)).or_insert_with(|| {
                        pairs.push((one.to, two.to));
                        (pairs.len() - 1) as u32
                    });
                    both.push(Arrow { to, marks: one.marks | two.marks << a.marks });
                }
            }
            both
        });
        rows.push(row);
        if pairs.len() > PAIRS || store.forest.is_full() {
            return Err(TranslationError::TooLarge);
        }
    }
    Ok(Draft { rows, initial: 0, marks })
}

/// Whether the automaton accepts no word at all. All its states must be reachable.
pub(crate) fn is_empty(store: &Store, draft: &Draft) -> bool {
    let arrows = draft.arrows(store);
    let components = Components::of_arrows(&arrows);
    components.marks(&arrows).iter().all(|&marks| marks != Some(draft.all_marks()))
}
