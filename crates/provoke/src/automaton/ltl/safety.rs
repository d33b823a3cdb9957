//! Deterministic safety automata: the bad prefixes of a formula.

use std::sync::Arc;

use super::TranslationError;
use super::chart::{Chart, subsets};
use super::graph::{Arrow, Graph, Store};
use super::prune::prune;
use super::simulation::{backward, forward};
use super::tableau::{has_word, tableau};
use super::translate::{export, import};
use crate::automaton::{Acceptance, Automaton};
use crate::space::Space;
use crate::spec::ltl::Formula;
use crate::spec::ltl::forms::{FALSE, Id, TRUE};
use crate::spec::ltl::simplify::Logic;

/// The most sets of states a deterministic automaton may be made of.
pub(crate) const SETS: usize = 50_000;

/// The smallest deterministic automaton whose missing transitions are the bad prefixes of the formula: what was
/// read up to there cannot be continued to a trace where the formula holds.
///
/// For a safety formula this is the formula itself; for others it is the strongest safety property that
/// follows from it (the formula's monitor). An unsatisfiable formula has no states.
pub fn safety_automaton(formula: &Formula, space: &Arc<Space>) -> Result<Automaton, TranslationError> {
    space.bdds().checked(bad_prefixes(formula, space))
}

fn bad_prefixes(formula: &Formula, space: &Arc<Space>) -> Result<Automaton, TranslationError> {
    let (mut store, mut logic) = (Store::default(), Logic::new(false));
    let form = logic.forms.import(formula);
    match closure(&mut logic, form, space, &mut store)? {
        Some(chart) => {
            let graph = Graph { marks: 0, ..chart.to_graph(&mut store, |_| false) };
            store.check(&graph)?;
            Ok(export(&store, &graph, space))
        }
        None => Ok(Automaton { states: Vec::new(), ..export(&store, &Graph::nothing(), space) }),
    }
}

/// The smallest deterministic automaton whose missing transitions are the bad prefixes of an automaton, which
/// may guess and may have any number of marks. Without states where the automaton accepts nothing.
pub fn safety_closure(automaton: &Automaton) -> Result<Automaton, TranslationError> {
    automaton.space.bdds().checked(closed(automaton))
}

fn closed(automaton: &Automaton) -> Result<Automaton, TranslationError> {
    let mut store = Store::default();
    let space = &automaton.space;
    if automaton.states.is_empty() {
        return Ok(Automaton { acceptance: Acceptance::All, ..automaton.clone() });
    }
    let graph = import(&mut store, automaton);
    let graph = prune(&mut store, &graph);
    let closed = match close(&mut store, &graph)? {
        Some(chart) => {
            let graph = Graph { marks: 0, ..chart.to_graph(&mut store, |_| false) };
            store.check(&graph)?;
            export(&store, &graph, space)
        }
        None => Automaton { states: Vec::new(), ..export(&store, &Graph::nothing(), space) },
    };
    Ok(Automaton { name: automaton.name.clone(), ..closed })
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
