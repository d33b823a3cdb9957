//! Deterministic monitors with four verdicts.

use super::chart::{Chart, NOWHERE, endings};
use super::draft::{Draft, Store};
use super::safety::{SETS, closure};
use super::simulation::forward;
use super::tableau::tableau;
use super::{Translated, TranslationError};
use crate::bdd::Space;
use crate::ltl::forest::Tree;
use crate::ltl::simplify::Logic;
use crate::ltl::{Formula, holds_on};

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

/// The smallest deterministic monitor of a formula with four verdicts, and the verdict of each of its states: never
/// [`Verdict::Violated`], which is where there is no arrow.
/// What they mean says [`automaton::four_valued`](crate::automaton::four_valued).
pub(crate) fn four_valued(
    formula: &Formula,
    space: &Space,
) -> Result<(Translated, Vec<Verdict>), TranslationError> {
    let good = |store: &mut Store| finite(formula, space, store);
    with_verdicts(formula, space, good)
}

/// The same, except that the end of the trace alone is no open obligation: see
/// [`automaton::obligations`](crate::automaton::obligations).
pub(crate) fn obligations(
    formula: &Formula,
    space: &Space,
) -> Result<(Translated, Vec<Verdict>), TranslationError> {
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
    space: &Space,
    ends: impl FnOnce(&mut Store) -> Result<(Chart, Vec<bool>), TranslationError>,
) -> Result<(Translated, Vec<Verdict>), TranslationError> {
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
        return Ok((Translated { store, draft: Draft::without_states() }, Vec::new()));
    };
    let verdicts: Vec<Verdict> = old.iter().map(|&at| verdict(at)).collect();
    let colours: Vec<u32> = verdicts.iter().map(|&verdict| verdict as u32).collect();
    let (small, colours) = chart.minimise(&mut store, &colours);
    let verdicts = colours.iter().filter_map(|&colour| ALL.get(colour as usize).copied()).collect();
    let draft = Draft { marks: 0, ..small.to_draft(&mut store, |_| false) };
    store.check(&draft)?;
    Ok((Translated { store, draft }, verdicts))
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
    let draft = tableau(&mut logic, form, space, store)?;
    let draft = forward(store, &draft);
    let empty = holds_on(formula, &[], |(): &(), _| false);
    let (chart, good) = endings(store, &draft, empty, SETS)?;
    let colours: Vec<u32> = good.iter().map(|&good| u32::from(good)).collect();
    let (chart, colours) = chart.minimise(store, &colours);
    Ok((chart, colours.iter().map(|&colour| colour == 1).collect()))
}
