//! Fewer acceptance marks for the same runs.

use rustc_hash::FxHashSet;

use super::draft::{Arrow, Draft, Marks, all_marks};
use crate::connected::Components;

/// How the marks of an accepting component may be written with fewer.
pub(crate) enum Renaming {
    /// These marks are enough; the others always come along with one of them.
    Some(Vec<u32>),
    /// One mark is enough, on these arrows.
    One(FxHashSet<(u32, Arrow)>),
}

impl Renaming {
    /// The fewest marks we find for the component of these states.
    pub(crate) fn new(
        draft: &Draft,
        arrows: &[Vec<Arrow>],
        components: &Components,
        states: &[usize],
    ) -> Renaming {
        let inside: Vec<(u32, Arrow)> = states
            .iter()
            .flat_map(|&at| arrows[at].iter().map(move |&arrow| (at as u32, arrow)))
            .filter(|(at, arrow)| components.inside(*at as usize, arrow))
            .collect();
        let kept = needed(draft.marks, &inside);
        if kept.len() < 2 {
            return Renaming::Some(kept);
        }
        let part = Part::new(states, &inside, kept.iter().fold(0, |marks, mark| marks | 1 << mark));
        match part.one_mark() {
            Some(arrows) => Renaming::One(arrows),
            None => Renaming::Some(kept),
        }
    }

    /// How many marks it takes.
    pub(crate) fn marks(&self) -> u32 {
        match self {
            Renaming::Some(kept) => kept.len() as u32,
            Renaming::One(_) => 1,
        }
    }

    /// The new marks of an arrow inside the component, out of `most`; those it does not need it always has.
    pub(crate) fn apply(&self, from: u32, arrow: &Arrow, most: u32) -> Marks {
        let own = match self {
            Renaming::Some(kept) => {
                let place = |(place, &mark): (usize, &u32)| (arrow.marks >> mark & 1) << place;
                kept.iter().enumerate().map(place).sum()
            }
            Renaming::One(arrows) => Marks::from(arrows.contains(&(from, *arrow))),
        };
        own | all_marks(most) & !all_marks(self.marks())
    }
}

/// The marks without those that every arrow has, and those that always come along with another one.
fn needed(count: u32, inside: &[(u32, Arrow)]) -> Vec<u32> {
    let has = |arrow: &Arrow, mark: u32| arrow.marks >> mark & 1 == 1;
    let mut kept: Vec<u32> = (0..count).collect();
    let mut at = 0;
    while at < kept.len() {
        let this = kept[at];
        let implied = |other: u32| inside.iter().all(|(_, arrow)| !has(arrow, other) || has(arrow, this));
        let idle = inside.iter().all(|(_, arrow)| has(arrow, this))
            || kept.iter().any(|&other| other != this && implied(other));
        match idle {
            true => drop(kept.remove(at)),
            false => at += 1,
        }
    }
    kept
}

/// The inside of a component, its states numbered anew.
pub(crate) struct Part<'a> {
    states: &'a [usize],
    arrows: Vec<Vec<Arrow>>,
    marks: Marks,
}

impl Part<'_> {
    /// The component of these states, with the arrows inside and the marks that count.
    pub(crate) fn new<'a>(states: &'a [usize], inside: &[(u32, Arrow)], marks: Marks) -> Part<'a> {
        let place = |at: u32| states.binary_search(&(at as usize)).unwrap_or_default();
        let mut arrows = vec![Vec::new(); states.len()];
        for (from, arrow) in inside {
            arrows[place(*from)].push(Arrow { to: place(arrow.to) as u32, marks: arrow.marks });
        }
        Part { states, arrows, marks }
    }

    /// For each mark that counts, the components of the arrows without it.
    fn without_each(&self) -> Vec<(Marks, Components)> {
        let marks = (0..Marks::BITS).map(|mark| 1 << mark).filter(|mark| mark & self.marks != 0);
        marks
            .map(|mark| {
                let without = |list: &Vec<Arrow>| {
                    list.iter().filter(|arrow| arrow.marks & mark == 0).copied().collect()
                };
                (mark, Components::of_arrows(&self.arrows.iter().map(without).collect::<Vec<_>>()))
            })
            .collect()
    }

    /// Whether the arrows that pass the test hold no accepting cycle.
    fn rejects(&self, test: impl Fn(usize, &Arrow) -> bool) -> bool {
        let left =
            |(at, list): (usize, &Vec<Arrow>)| list.iter().filter(|arrow| test(at, arrow)).copied().collect();
        let left: Vec<Vec<Arrow>> = self.arrows.iter().enumerate().map(left).collect();
        let marks = Components::of_arrows(&left).marks(&left);
        marks.into_iter().flatten().all(|marks| marks & self.marks != self.marks)
    }

    /// The arrows all of whose cycles accept, if each accepting cycle has one of them: one mark there says the
    /// same as all marks do.
    fn one_mark(&self) -> Option<FxHashSet<(u32, Arrow)>> {
        let without = self.without_each();
        let good = |at: usize, arrow: &Arrow| {
            without.iter().all(|(mark, components)| arrow.marks & mark != 0 || !components.inside(at, arrow))
        };
        if !self.rejects(|at, arrow| !good(at, arrow)) {
            return None;
        }
        let old = |at: usize| self.states[at] as u32;
        let all =
            self.arrows.iter().enumerate().flat_map(|(at, list)| list.iter().map(move |arrow| (at, arrow)));
        let good = all.filter(|(at, arrow)| good(*at, arrow));
        Some(good.map(|(at, arrow)| (old(at), Arrow { to: old(arrow.to as usize), ..*arrow })).collect())
    }

    /// The states all of whose cycles accept, if each accepting cycle has one of them: these states may accept
    /// in place of the marks.
    pub(crate) fn accepting_states(&self) -> Option<Vec<usize>> {
        let without = self.without_each();
        let cyclic: Vec<Vec<bool>> = without
            .iter()
            .map(|(mark, components)| {
                let mut cyclic = vec![false; components.count];
                for (at, list) in self.arrows.iter().enumerate() {
                    if list.iter().any(|arrow| arrow.marks & mark == 0 && components.inside(at, arrow)) {
                        cyclic[components.of[at] as usize] = true;
                    }
                }
                components.of.iter().map(|&component| cyclic[component as usize]).collect()
            })
            .collect();
        let good = |at: usize| cyclic.iter().all(|cyclic| !cyclic[at]);
        if !self.rejects(|at, arrow| !good(at) && !good(arrow.to as usize)) {
            return None;
        }
        Some((0..self.states.len()).filter(|&at| good(at)).map(|at| self.states[at]).collect())
    }
}
