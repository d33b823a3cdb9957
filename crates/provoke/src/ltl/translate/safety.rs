//! Deterministic safety automata: the bad prefixes of a formula.

use super::chart::{Chart, subsets};
use super::draft::{Arrow, Draft, Store};
use super::prune::prune;
use super::simulation::{backward, forward};
use super::tableau::{has_word, tableau};
use super::{Translated, TranslationError};
use crate::bdd::Space;
use crate::ltl::Formula;
use crate::ltl::forms::{FALSE, Id, TRUE};
use crate::ltl::simplify::Logic;

/// The most sets of states a deterministic automaton may be made of.
pub(crate) const SETS: usize = 50_000;

/// The smallest deterministic automaton whose missing transitions are the bad prefixes of the formula. Without
/// states where the formula is unsatisfiable.
pub(crate) fn safety(formula: &Formula, space: &Space) -> Result<Translated, TranslationError> {
    let (mut store, mut logic) = (Store::default(), Logic::new(false));
    let form = logic.forms.import(formula);
    let chart = closure(&mut logic, form, space, &mut store)?;
    translated(store, chart)
}

/// The same for a draft, which may guess and may have any number of marks.
pub(crate) fn closed(mut store: Store, draft: &Draft) -> Result<Translated, TranslationError> {
    let draft = prune(&mut store, draft);
    let chart = close(&mut store, &draft)?;
    translated(store, chart)
}

fn translated(mut store: Store, chart: Option<Chart>) -> Result<Translated, TranslationError> {
    let Some(chart) = chart else { return Ok(Translated { store, draft: Draft::without_states() }) };
    let draft = Draft { marks: 0, ..chart.to_draft(&mut store, |_| false) };
    store.check(&draft)?;
    Ok(Translated { store, draft })
}

/// The smallest deterministic automaton that reads the prefixes of the form's words; nothing where there are
/// none.
pub(crate) fn closure(
    logic: &mut Logic,
    form: Id,
    space: &Space,
    store: &mut Store,
) -> Result<Option<Chart>, TranslationError> {
    let form = logic.simplify(form);
    // What stays true when steps are put in front of it may still come true after any step.
    if logic.forms.traits(form).eventual
        && form != TRUE
        && form != FALSE
        && has_word(logic, form, space, store) == Some(true)
    {
        return Ok(Some(Chart::of_everything(space, store)));
    }
    let draft = tableau(logic, form, space, store)?;
    let draft = prune(store, &draft);
    close(store, &draft)
}

/// The same for a draft without dead states.
pub(crate) fn close(store: &mut Store, draft: &Draft) -> Result<Option<Chart>, TranslationError> {
    if store.forest.is_full() {
        return Err(TranslationError::TooLarge);
    }
    if store.arrows_of(draft.rows[draft.initial as usize]).is_empty() {
        return Ok(None);
    }
    let unmarked =
        draft.change(store, |_, list| list.iter().map(|arrow| Arrow { marks: 0, ..*arrow }).collect());
    let mut draft = Draft { marks: 0, ..unmarked };
    if !draft.is_deterministic(store) {
        draft = forward(store, &draft);
        draft = backward(store, &draft, false);
    }
    let (chart, _) = subsets(store, &draft, SETS)?;
    let colours = vec![0; chart.len()];
    Ok(Some(chart.minimise(store, &colours).0))
}
