//! Backwards from the violation, with decision diagrams.

use super::Plain;
use crate::bdd::Bdds;
use crate::format::aiger::Literal;
use crate::game::symbolic::diagrams::values;
use crate::game::symbolic::work::{Spent, Work};

/// The most parts of a violation that are looked at one by one.
const MOST_PARTS: usize = 96;

/// By putting next-state functions in place of latches, as far as the initial state needs. The violation is taken apart
/// where it is a disjunction: what the tester can force of each part is a smaller game, and what it can force of all
/// together starts from there.
pub(super) struct Backwards<'a> {
    game: &'a Plain<'a>,
    /// The nodes of the variables, in order.
    pub(super) order: Vec<usize>,
    /// Whether the violation is taken apart.
    parts: bool,
}

/// Something else found the answer, or there was no room or time.
enum Ended {
    Spent,
    Answered(bool),
}

impl From<Spent> for Ended {
    fn from(_: Spent) -> Ended {
        Ended::Spent
    }
}

/// Places in the list of a computation.
struct Places {
    next: Vec<(usize, usize)>,
    /// Exchanges in which every constraint holds.
    fair: usize,
    outputs: usize,
    inputs: usize,
}

impl<'a> Backwards<'a> {
    pub(super) fn new(game: &'a Plain<'a>, order: Vec<usize>, parts: bool) -> Backwards<'a> {
        Backwards { game, order, parts }
    }

    /// How many nodes the functions took, and the answer; now and then it is asked whether something else knows it.
    pub(super) fn solve(
        &self,
        work: &mut Work,
        meanwhile: &mut dyn FnMut() -> Option<bool>,
    ) -> (usize, Option<bool>) {
        match self.build(work) {
            Err(Spent) => (usize::MAX, None),
            Ok((places, parts)) => {
                let built = work.bdds.node_count();
                match self.play(work, &places, &parts, meanwhile) {
                    Ok(can) | Err(Ended::Answered(can)) => (built, Some(can)),
                    Err(Ended::Spent) => (built, None),
                }
            }
        }
    }

    fn build(&self, work: &mut Work) -> Result<(Places, Vec<usize>), Spent> {
        let (circuit, first_latch) = (self.game.circuit, self.game.first_latch());
        let mut variables = vec![None; circuit.first_gate()];
        self.order.iter().enumerate().for_each(|(variable, &node)| variables[node] = Some(variable));
        let latches: Vec<usize> = self.order.iter().copied().filter(|&node| node >= first_latch).collect();
        let parts = if self.parts { self.disjuncts() } else { self.game.violations.to_vec() };
        let mut wanted = parts.clone();
        wanted.extend(self.game.constraints);
        wanted.extend(latches.iter().map(|&node| circuit.latches[node - first_latch].next));
        let made = values(work, circuit, &wanted, &|node| variables[node])?;
        let (parts, rest) = made.split_at(parts.len());
        let (constraints, next) = rest.split_at(self.game.constraints.len());
        let fair =
            work.attempt(|bdds, roots| constraints.iter().fold(bdds.all(), |all, &at| &all & &roots[at]))?;
        let fair = work.keep(fair);
        let next =
            latches.iter().zip(next).map(|(&node, &place)| (variables[node].unwrap_or(0), place)).collect();
        let cube = |bdds: &Bdds, systems: bool| {
            let chosen = if systems { &self.game.system } else { &self.game.tester };
            bdds.cube(chosen.iter().filter_map(|&node| variables[node]))
        };
        let outputs = work.attempt(|bdds, _| cube(bdds, true))?;
        let outputs = work.keep(outputs);
        let inputs = work.attempt(|bdds, _| cube(bdds, false))?;
        let inputs = work.keep(inputs);
        Ok((Places { next, fair, outputs, inputs }, parts.to_vec()))
    }

    /// What the violation is a disjunction of.
    fn disjuncts(&self) -> Vec<Literal> {
        let first_gate = self.game.circuit.first_gate();
        let mut open = self.game.violations.to_vec();
        let mut found: Vec<Literal> = Vec::new();
        while let Some(value) = open.pop() {
            if value.is_negated() && value.node() >= first_gate && found.len() + open.len() < MOST_PARTS {
                open.extend(self.game.circuit.gates[value.node() - first_gate].map(|side| !side));
            } else if !found.contains(&value) {
                found.push(value);
            }
        }
        found
    }

    fn play(
        &self,
        work: &mut Work,
        places: &Places,
        parts: &[usize],
        meanwhile: &mut dyn FnMut() -> Option<bool>,
    ) -> Result<bool, Ended> {
        let none = work.bdds.none();
        let lost = work.keep(none.clone());
        let error = work.keep(none);
        if parts.len() > 1 && self.parts {
            for &part in parts {
                let none = work.bdds.none();
                let here = work.keep(none);
                if self.force(work, places, (part, here), meanwhile)? {
                    return Ok(true);
                }
                work.set(lost, |_, roots| &roots[lost] | &roots[here])?;
                work.forget(here);
            }
        }
        for &part in parts {
            work.set(error, |_, roots| &roots[error] | &roots[part])?;
            work.forget(part);
        }
        self.force(work, places, (error, lost), meanwhile)
    }

    /// Adds the states from which the tester forces an error to those that are lost already; whether the initial one is
    /// among them.
    fn force(
        &self,
        work: &mut Work,
        places: &Places,
        (error, lost): (usize, usize),
        meanwhile: &mut dyn FnMut() -> Option<bool>,
    ) -> Result<bool, Ended> {
        let Places { next, fair, outputs, inputs } = places;
        let none = work.bdds.none();
        let after = work.keep(none);
        loop {
            if let Some(can) = meanwhile() {
                return Err(Ended::Answered(can));
            }
            work.set(after, |_, roots| {
                roots[lost].substitute(next.iter().map(|&(variable, place)| (variable, &roots[place])))
            })?;
            if work.roots[*fair].is_all() {
                work.set(after, |_, roots| roots[after].or_forall(&roots[error], &roots[*outputs]))?;
            } else {
                work.set(after, |_, roots| {
                    (&(&roots[after] | &roots[error]) & &roots[*fair]).forall(&roots[*outputs])
                })?;
            }
            let more = work.attempt(|_, roots| &roots[lost] | &roots[after].exists(&roots[*inputs]))?;
            if more.contains(|variable| self.initially(variable)) {
                return Ok(true);
            }
            if more == work.roots[lost] {
                work.forget(after);
                return Ok(false);
            }
            work.roots[lost] = more;
        }
    }

    /// What a variable is at the start.
    fn initially(&self, variable: usize) -> bool {
        let node = self.order[variable];
        node >= self.game.first_latch() && self.game.initially(Literal::of(node))
    }
}
