//! Deterministic safety automata: the bad prefixes of a formula.

use super::chart::{Chart, subsets};
use super::graph::{Arrow, Graph, Store};
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

/// The same for a graph, which may guess and may have any number of marks.
pub(crate) fn closed(mut store: Store, graph: &Graph) -> Result<Translated, TranslationError> {
    let graph = prune(&mut store, graph);
    let chart = close(&mut store, &graph)?;
    translated(store, chart)
}

fn translated(mut store: Store, chart: Option<Chart>) -> Result<Translated, TranslationError> {
    let Some(chart) = chart else { return Ok(Translated { store, graph: Graph::without_states() }) };
    let graph = Graph { marks: 0, ..chart.to_graph(&mut store, |_| false) };
    store.check(&graph)?;
    Ok(Translated { store, graph })
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
    let graph = tableau(logic, form, space, store)?;
    let graph = prune(store, &graph);
    close(store, &graph)
}

/// The same for a graph without dead states.
pub(crate) fn close(store: &mut Store, graph: &Graph) -> Result<Option<Chart>, TranslationError> {
    if store.forest.is_full() {
        return Err(TranslationError::TooLarge);
    }
    if store.arrows_of(graph.rows[graph.initial as usize]).is_empty() {
        return Ok(None);
    }
    let unmarked =
        graph.change(store, |_, list| list.iter().map(|arrow| Arrow { marks: 0, ..*arrow }).collect());
    let mut graph = Graph { marks: 0, ..unmarked };
    if !graph.is_deterministic(store) {
        graph = forward(store, &graph);
        graph = backward(store, &graph, false);
    }
    let (chart, _) = subsets(store, &graph, SETS)?;
    let colours = vec![0; chart.len()];
    Ok(Some(chart.minimise(store, &colours).0))
}
