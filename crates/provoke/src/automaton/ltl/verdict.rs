//! Deterministic monitors with four verdicts.

use std::sync::Arc;

use super::TranslationError;
use super::chart::{Chart, NOWHERE, endings};
use super::graph::{Graph, Store};
use super::safety::{SETS, closure};
use super::simulation::forward;
use super::tableau::tableau;
use super::translate::export;
use crate::automaton::Automaton;
use crate::forest::Tree;
use crate::space::Space;
use crate::spec::ltl::simplify::Logic;
use crate::spec::ltl::{Formula, holds_on};

/// What a requirement says of a run so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing that follows can violate it.
    Satisfied,
    /// Nothing that follows can make it right.
    Violated,
    /// Right if the run ended here.
    SoFarGood,
    /// An obligation is still open: wrong if the run ended here.
    SoFarBad,
}

/// A deterministic automaton that follows a run, and what each of its states says of the run so far.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Takes every exchange that does not violate the formula for good; a missing edge does. Without states
    /// where the formula is violated before the first step.
    pub automaton: Automaton,
    /// One verdict for each state, never [`Verdict::Violated`].
    pub verdicts: Vec<Verdict>,
}

/// The smallest deterministic monitor of a formula with four verdicts.
///
/// This is RV-LTL (Bauer, Leucker, Schallhart 2010): a
/// prefix is violated for good where no continuation satisfies the formula and satisfied for good where none
/// violates it (LTL3; both from the automata of formula and negation); in between it is good so far where the
/// formula holds on the prefix as a finite trace ([`holds_on`], Definition 9 of paper 3).
pub fn judged(formula: &Formula, space: &Arc<Space>) -> Result<Judged, TranslationError> {
    let good = |store: &mut Store| finite(formula, space, store);
    with_verdicts(formula, space, good)
}

/// The same, except that the end of the trace alone is no open obligation: [`Verdict::SoFarBad`] says that something
/// must happen some day and has not.
///
/// A next step owes nothing before it comes, so every `X` is read as `N`; and of a formula that is violated in
/// finitely many steps if ever (by its shape: without `F`, `U` and `M` but with bounded ones) nothing is ever open.
pub fn obligations(formula: &Formula, space: &Arc<Space>) -> Result<Judged, TranslationError> {
    let mut logic = Logic::new(false);
    let form = logic.forms.import(formula);
    let simple = if logic.forms.traits(form).safety { form } else { logic.simplify(form) };
    if logic.forms.traits(simple).safety {
        let good = Chart { rows: vec![Tree::leaf(0)], initial: 0 };
        return with_verdicts(formula, space, |_| Ok((good, vec![true])));
    }
    let lenient = logic.forms.lenient(form);
    let lenient = logic.forms.export(lenient);
    with_verdicts(formula, space, |store| finite(&lenient, space, store))
}

/// Runs what is decided for good beside a chart whose states say whether the run may end there.
fn with_verdicts(
    formula: &Formula,
    space: &Arc<Space>,
    ends: impl FnOnce(&mut Store) -> Result<(Chart, Vec<bool>), TranslationError>,
) -> Result<Judged, TranslationError> {
    space.bdds().checked(decided(formula, space, ends))
}

fn decided(
    formula: &Formula,
    space: &Arc<Space>,
    ends: impl FnOnce(&mut Store) -> Result<(Chart, Vec<bool>), TranslationError>,
) -> Result<Judged, TranslationError> {
    let (mut store, mut logic) = (Store::default(), Logic::new(false));
    let form = logic.forms.import(formula);
    let not = logic.forms.negate(form);
    let shape = logic.forms.traits(form);
    let valid = store.forest.import(&space.exchanges());
    // Where the formula is violated for good and where it is satisfied for good.
    let (lost, won) = if shape.guarantee && !shape.safety {
        let negation = closure(&mut logic, not, space, &mut store)?;
        (Fate::reads_all(&mut store, negation.as_ref(), valid), Fate::stuck(negation))
    } else {
        let positive = closure(&mut logic, form, space, &mut store)?;
        let won = match shape.safety {
            true => Fate::reads_all(&mut store, positive.as_ref(), valid),
            false => Fate::stuck(closure(&mut logic, not, space, &mut store)?),
        };
        (Fate::stuck(positive), won)
    };
    let (good, ends_well) = ends(&mut store)?;

    let (fates, fate) = Chart::pair(&mut store, &lost.chart, &won.chart, SETS)?;
    let (chart, halves) = Chart::pair(&mut store, &fates, &good, SETS)?;
    let chart = chart.within(&mut store, valid);
    let verdict = |at: u32| {
        let (pair, end) = halves[at as usize];
        let (lost_at, won_at) = fate[pair as usize];
        match (lost.holds(lost_at), won.holds(won_at), ends_well.get(end as usize) == Some(&true)) {
            (true, ..) => Verdict::Violated,
            (_, true, _) => Verdict::Satisfied,
            (_, _, true) => Verdict::SoFarGood,
            (_, _, false) => Verdict::SoFarBad,
        }
    };
    let Some((chart, old)) = chart.without(&mut store, |at| verdict(at) == Verdict::Violated) else {
        let nothing = export(&store, &Graph::nothing(), space);
        return Ok(Judged { automaton: Automaton { states: Vec::new(), ..nothing }, verdicts: Vec::new() });
    };
    let verdicts: Vec<Verdict> = old.iter().map(|&at| verdict(at)).collect();
    let colours: Vec<u32> = verdicts.iter().map(|&verdict| verdict as u32).collect();
    let (small, colours) = chart.minimise(&mut store, &colours);
    let verdicts = colours.iter().filter_map(|&colour| ALL.get(colour as usize).copied()).collect();
    let graph = Graph { marks: 0, ..small.to_graph(&mut store, |_| false) };
    store.check(&graph)?;
    Ok(Judged { automaton: export(&store, &graph, space), verdicts })
}

const ALL: [Verdict; 4] = [Verdict::Satisfied, Verdict::Violated, Verdict::SoFarGood, Verdict::SoFarBad];

/// A deterministic automaton that knows when something has been decided for good.
struct Fate {
    chart: Chart,
    decided: Vec<bool>,
    nowhere: bool,
}

impl Fate {
    /// Decided once the automaton cannot read on.
    fn stuck(chart: Option<Chart>) -> Fate {
        match chart {
            Some(chart) => Fate { decided: vec![false; chart.len()], chart, nowhere: true },
            None => Fate::constant(true),
        }
    }

    /// Decided once the automaton can read everything.
    fn reads_all(store: &mut Store, chart: Option<&Chart>, valid: Tree) -> Fate {
        match chart {
            Some(chart) => {
                Fate { decided: chart.reads_all(store, valid), chart: chart.clone(), nowhere: false }
            }
            None => Fate::constant(false),
        }
    }

    fn constant(decided: bool) -> Fate {
        let chart = Chart { rows: vec![Tree::leaf(0)], initial: 0 };
        Fate { chart, decided: vec![decided], nowhere: decided }
    }

    fn holds(&self, at: u32) -> bool {
        if at == NOWHERE { self.nowhere } else { self.decided[at as usize] }
    }
}

/// Reads every finite trace and says whether the formula holds on it.
fn finite(
    formula: &Formula,
    space: &Space,
    store: &mut Store,
) -> Result<(Chart, Vec<bool>), TranslationError> {
    let mut logic = Logic::new(true);
    let form = logic.forms.import(formula);
    let form = logic.simplify(form);
    let graph = tableau(&mut logic, form, space, store)?;
    let graph = forward(store, &graph);
    let empty = holds_on(formula, &[], |(): &(), _| false);
    let (chart, good) = endings(store, &graph, empty, SETS)?;
    let colours: Vec<u32> = good.iter().map(|&good| u32::from(good)).collect();
    let (chart, colours) = chart.minimise(store, &colours);
    Ok((chart, colours.iter().map(|&colour| colour == 1).collect()))
}
